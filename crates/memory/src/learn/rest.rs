//! What goes on of a statement of which a part goes: because that part is over, or because its speaker wants it forgotten.

use std::ops::Range;

use super::introduction;
use crate::ports::SpeechJudge;
use crate::text::script::is_han_kana_or_hangul;
use crate::types::{Memory, MemoryId, Time};

/// Words of a part behind the first that may be understood without it, or letters of a script whose letters are words, and the chance that its subject
/// stands elsewhere from which on it is not.
const WORDS_ALONE: usize = 4;
const WIDE_LETTERS_ALONE: usize = 6;
const LEANS: f32 = 0.2;

/// The parts of a statement that could each stand by itself, in order; the whole of it where it has none.
pub(crate) fn parts<'a>(judge: &dyn SpeechJudge, statement: &'a str) -> Vec<&'a str> {
    let mut runs: Vec<(Range<usize>, bool)> = Vec::new();
    for clause in judge.clauses(statement) {
        match runs.last_mut() {
            Some((_, before)) if clause.stands_surely && *before => runs.push((clause.range, true)),
            Some((run, before)) => {
                run.end = clause.range.end;
                *before |= clause.stands_surely;
            }
            None => runs.push((clause.range, clause.stands_surely)),
        }
    }
    runs.into_iter().map(|(run, _)| statement[run].trim_matches(is_loose)).collect()
}

/// What is left of a statement without the clauses that are to go and those that lean on them, as runs of its text; nothing where none is to go, and
/// where nothing of what is left tells anything by itself.
pub fn without<'a>(judge: &dyn SpeechJudge, statement: &'a str, goes: impl Fn(&str) -> bool) -> Vec<&'a str> {
    let clauses = judge.clauses(statement);
    let text = |range: &Range<usize>| statement[range.clone()].trim_matches(is_loose);
    if !clauses.iter().any(|clause| goes(text(&clause.range))) {
        return Vec::new();
    }
    let (mut left, mut waiting): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
    // Whether the clause before is gone: what leans on it goes with it.
    let (mut lost, mut tells) = (false, false);
    for (place, clause) in clauses.iter().enumerate() {
        let said = text(&clause.range);
        if goes(said) {
            waiting.clear();
            lost = true;
        } else if clause.stands && (!lost || is_understood_alone(judge, said)) {
            left.append(&mut waiting);
            left.push(place);
            (lost, tells) = (false, true);
        } else if !lost && tells {
            left.push(place);
        } else if !lost {
            waiting.push(place);
        }
    }
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (at, &place) in left.iter().enumerate() {
        let range = clauses[place].range.clone();
        let goes_on = at > 0 && left[at - 1] + 1 == place;
        match runs.last_mut() {
            Some(last) if goes_on => last.end = range.end,
            _ => runs.push(range),
        }
    }
    let runs: Vec<&str> = runs.iter().map(text).filter(|part| !part.is_empty()).collect();
    if tells && !runs.iter().any(|run| goes(run)) { runs } else { Vec::new() }
}

/// What joins the things that a statement lists, in words; a comma does so only beside one of these, because it also sets apart what explains a thing.
const JOINTS: [&str; 16] = [
    " and ", " und ", " y ", " e ", " et ", " oraz ", " и ", " ve ", " و ", " وال", " और ", "和", "跟",
    "하고 ", "랑 ", "와 ",
];
const COMMAS: [&str; 4] = [", ", "、", "，", "، "];

/// Words in common by which two things are listed alike: "yoga on mondays and running on thursdays".
const FUNCTION_LETTERS: usize = 4;

/// A statement that lists several things without those that are named, where the others go on: "I take ramipril 5mg and omeprazole" without the omeprazole.
/// Nothing where none or all of them are named, and where the rest would not be a statement.
pub(super) fn without_items(statement: &str, names: impl Fn(&str) -> Vec<Range<usize>>) -> Option<String> {
    let named = names(statement);
    let items = items_of(statement);
    let is_named = |item: &Range<usize>| named.iter().any(|name| item.contains(&name.start));
    let gone: Vec<usize> = (0..items.len()).filter(|&at| is_named(&items[at])).collect();
    let lists = JOINTS.iter().any(|joint| statement.contains(joint));
    if gone.is_empty() || gone.len() == items.len() || !lists {
        return None;
    }
    let mut left = statement.to_owned();
    for &at in gone.iter().rev() {
        let range = match at {
            // The statement begins before its first thing, and goes on with the second.
            0 => {
                let name = named.iter().find(|name| items[0].contains(&name.start))?;
                let next = items.get(1)?;
                is_listed_alike(&statement[name.end..items[0].end], &statement[next.clone()])
                    .then_some(begin_of(statement, name, next)..next.start)?
            }
            _ => items[at - 1].end..items[at].end,
        };
        left.replace_range(range, "");
    }
    let left = left.trim_matches(is_loose).to_owned();
    (names(&left).is_empty() && left.chars().any(char::is_alphanumeric)).then_some(left)
}

/// The things that a statement lists, each from behind what joins it to the one before.
fn items_of(statement: &str) -> Vec<Range<usize>> {
    let mut items: Vec<Range<usize>> = Vec::new();
    let mut begin = 0;
    let mut at = 0;
    while at < statement.len() {
        let joint = JOINTS
            .iter()
            .chain(&COMMAS)
            .filter(|joint| statement[at..].starts_with(**joint))
            .map(|joint| joint.len())
            .max();
        match joint {
            Some(length) if at > begin => {
                items.push(begin..at);
                (begin, at) = (at + length, at + length);
            }
            _ => at += statement[at..].chars().next().map_or(1, char::len_utf8),
        }
    }
    if begin < statement.len() {
        items.push(begin..statement.len());
    }
    items
}

/// Whether what follows the name of a thing follows the next one too: nothing, a number, or the same small word.
fn is_listed_alike(behind: &str, next: &str) -> bool {
    let words =
        || behind.split_whitespace().map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()));
    let plain = words().all(|word| word.is_empty() || word.chars().any(|letter| letter.is_ascii_digit()));
    let shared = words().next().is_some_and(|first| {
        (1..=FUNCTION_LETTERS).contains(&first.chars().count())
            && next.split_whitespace().any(|word| word == first)
    });
    plain || shared
}

/// Where a thing begins that is named: at its name, or at the word before it with which the next thing begins too.
fn begin_of(statement: &str, name: &Range<usize>, next: &Range<usize>) -> usize {
    let before = statement[..name.start].trim_end();
    let word = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let again = statement[next.clone()].split_whitespace().next() == Some(word);
    if again && !word.is_empty() { before.len() - word.len() } else { name.start }
}

/// Letters of a sentence that is put before another one to say whom it is about; a letter of a script whose letters are words counts twice. "No." is none,
/// and "No dairy for me" is not what was said behind it.
const SENTENCE_LETTERS: usize = 12;

/// What a memory says behind a sentence that it begins with and that is told no more; nothing where it begins otherwise, or says nothing else. Whoever
/// puts two sentences together ends the first one with a mark.
pub(crate) fn behind<'a>(content: &'a str, gone: &str) -> Option<&'a str> {
    let gone = gone.split_whitespace().collect::<Vec<_>>().join(" ");
    let gone = gone.trim_end_matches(is_end);
    let letters: usize = gone.chars().map(|letter| 1 + usize::from(is_han_kana_or_hangul(letter))).sum();
    let rest = content.strip_prefix(gone).filter(|_| letters >= SENTENCE_LETTERS)?;
    let apart = rest.starts_with(is_end);
    let rest = rest.trim_start_matches(|character: char| is_end(character) || is_loose(character)).trim();
    (apart && !rest.is_empty()).then_some(rest)
}

fn is_end(character: char) -> bool {
    matches!(character, '.' | '!' | '?' | '…' | '。' | '！' | '？' | '।' | '؟' | ':')
}

pub(super) fn is_understood_alone(judge: &dyn SpeechJudge, part: &str) -> bool {
    let wide = part.chars().filter(|&character| is_han_kana_or_hangul(character)).count();
    let long_enough = part.split_whitespace().count() >= WORDS_ALONE || wide >= WIDE_LETTERS_ALONE;
    long_enough && judge.read(&[part], None)[0].subject_elsewhere < LEANS
}

fn is_loose(character: char) -> bool {
    character.is_whitespace() || matches!(character, ',' | ';' | '，' | '、' | '،')
}

/// The memory that says what goes on of another one.
pub fn memory(known: &Memory, id: MemoryId, content: &str, why: &str, now: Time) -> Memory {
    let mut rest = known.clone();
    (rest.id, rest.version, rest.key) = (id, 1, None);
    (rest.content, rest.evidence) = (content.to_owned(), Some(content.to_owned()));
    (rest.subject, rest.predicate, rest.object) = (None, None, None);
    rest.updated_at = now;
    // What was heard of the whole need not be so of the rest.
    rest.metadata.remove(Memory::CORE);
    rest.metadata.remove(Memory::PUT_RIGHT);
    if introduction::own_name(content).is_none() {
        rest.metadata.remove(Memory::OWN_NAME);
    }
    rest.metadata.insert("why".into(), why.into());
    rest.metadata.insert(Memory::REST_OF.into(), known.id.as_str().into());
    rest
}

#[cfg(test)]
mod tests {
    use super::{behind, without_items};

    #[test]
    fn of_things_that_are_listed_the_others_go_on() {
        for (statement, named, left) in [
            ("i take ramipril 5mg and omeprazole", "omeprazole", Some("i take ramipril 5mg")),
            ("i take ramipril 5mg and omeprazole", "ramipril", Some("i take omeprazole")),
            ("i do yoga on mondays and running on thursdays", "running", Some("i do yoga on mondays")),
            ("i do yoga on mondays and running on thursdays", "yoga", Some("i do running on thursdays")),
            ("ich nehme Ramipril und Omeprazol", "Omeprazol", Some("ich nehme Ramipril")),
            (
                "tomo la metformina, el enalapril y la aspirina",
                "enalapril",
                Some("tomo la metformina y la aspirina"),
            ),
            ("ich nehme das Ramipril und das Omeprazol", "Ramipril", Some("ich nehme das Omeprazol")),
            ("I play tennis with Tom and Ana on Mondays", "tennis", None),
            ("I live in Oslo", "Oslo", None),
            ("我吃降压药和二甲双胍", "二甲双胍", Some("我吃降压药")),
        ] {
            let names = |part: &str| part.find(named).map(|at| at..at + named.len()).into_iter().collect();
            assert_eq!(without_items(statement, names).as_deref(), left, "{statement} / {named}");
        }
    }

    #[test]
    fn what_is_kept_with_a_sentence_before_it_goes_on_without_that() {
        let kept = "Thursday is my day with Sem. He is six and never stops talking.";
        assert_eq!(behind(kept, "Thursday  is my day with Sem."), Some("He is six and never stops talking."));
        assert_eq!(behind("周四我带小孙子。他六岁。", "周四我带小孙子。"), Some("他六岁。"));
        assert_eq!(behind("Thursday is my day with Semra", "Thursday is my day with Sem."), None);
        assert_eq!(behind("Thursday is my day.", "Thursday is my day."), None);
        assert_eq!(behind("No dairy for me, it gives me hives", "No."), None);
        assert_eq!(behind("I live in Leeds with two dogs.", "I live in Leeds"), None);
    }
}
