//! From the first person to the third: "I always check my mail" is "User always checks their mail".
//!
//! Pronouns are exchanged word by word; verbs get their `-s` only where the pattern knows that one stands there. Time
//! expressions that only today's reader understands ("yesterday") are written as dates, since a memory is read later.

use std::ops::Range;

use super::clauses::Sentence;
use super::dates;
use super::lexicon::Tongue;

/// Words that already are what a third person needs.
const UNCHANGING: [&str; 12] =
    ["can", "will", "must", "should", "would", "could", "may", "might", "had", "did", "was", "went"];

/// Verbs that look like adverbs.
const VERBS_IN_LY: [&str; 9] =
    ["apply", "supply", "reply", "imply", "comply", "multiply", "rally", "tally", "bully"];

/// How a stretch of words is written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Voice {
    /// About the user: "they", "their".
    About,
    /// The same of what is to come: "on Sunday" is the next one.
    Ahead,
    /// To the assistant about the user: "the user", "the user's".
    Instruction,
    /// As said.
    Verbatim,
}

/// The words in the given voice, white space made single.
pub(super) fn render(
    sentence: &Sentence,
    tokens: Range<usize>,
    voice: Voice,
    conjugated: &[usize],
) -> String {
    let mut rendered = String::new();
    let mut at = tokens.start;
    let mut previous_end: Option<usize> = None;
    while at < tokens.end {
        let token = &sentence.tokens[at];
        let spaced = previous_end.is_some_and(|end| token.range.start > end);
        if spaced && !rendered.is_empty() && !rendered.ends_with(' ') {
            rendered.push(' ');
        }
        if voice != Voice::Verbatim
            && let Some((date, next)) = date_at(sentence, at, tokens.end, voice, &rendered)
        {
            rendered.push_str(&date);
            previous_end = Some(sentence.tokens[next - 1].range.end);
            at = next;
            continue;
        }
        if !token.is("`") && !token.is("*") {
            rendered.push_str(&word(sentence, at, voice, conjugated));
        }
        previous_end = Some(token.range.end);
        at += 1;
    }
    rendered.trim().to_owned()
}

/// A time expression that begins here and must be resolved: its text, and the token behind it.
fn date_at(
    sentence: &Sentence,
    at: usize,
    end: usize,
    voice: Voice,
    before: &str,
) -> Option<(String, usize)> {
    let start = sentence.tokens[at].range.start;
    let time = sentence.times.iter().find(|time| time.phrase.start == start)?;
    let next = (at..end).find(|place| sentence.tokens[*place].range.end >= time.phrase.end)? + 1;
    let phrase = &sentence.text[time.phrase.clone()];
    let time = if voice == Voice::Ahead { dates::ahead(time, phrase, sentence.today) } else { time.clone() };
    let date = dates::absolute(phrase, &time, before)?;
    Some((date, next))
}

fn word(sentence: &Sentence, at: usize, voice: Voice, conjugated: &[usize]) -> String {
    let token = &sentence.tokens[at];
    let source = token.source(sentence.text);
    if voice == Voice::Verbatim {
        return source.replace('’', "'");
    }
    let before = at.checked_sub(1).map_or("", |place| sentence.tokens[place].lower.as_str());
    if conjugated.contains(&at) {
        return third_person(&token.lower);
    }
    let after_user = before == "i";
    let about = matches!(voice, Voice::About | Voice::Ahead);
    let contracted = source.starts_with(['\'', '’']);
    let exchanged = match token.lower.as_str() {
        "i" | "we" if about => "they",
        "me" | "us" if about => "them",
        "my" | "our" if about => "their",
        "mine" | "ours" if about => "theirs",
        "myself" | "ourselves" if about => "themselves",
        "i" | "me" | "we" | "us" => "the user",
        "my" | "our" | "mine" => "the user's",
        "myself" => "themselves",
        "am" if after_user && contracted => {
            if about {
                "'re"
            } else {
                "'s"
            }
        }
        "am" if after_user && about => "are",
        "am" if after_user => "is",
        "was" if after_user && about => "were",
        _ => "",
    };
    if !exchanged.is_empty() {
        return exchanged.to_owned();
    }
    if after_user && !about {
        return third_person(&token.lower);
    }
    source.replace('’', "'")
}

/// The places of the verbs of an action that need their `-s`: the first word, and those behind an "and".
pub(super) fn verbs_of(sentence: &Sentence, tongue: &Tongue, action: Range<usize>) -> Vec<usize> {
    let mut verb = action.start;
    while verb + 1 < action.end
        && (tongue.adverbs.stands_at(&sentence.tokens, verb) || sentence.tokens[verb].lower.ends_with("ly"))
    {
        verb += 1;
    }
    let mut verbs = vec![verb];
    for at in verb + 1..action.end.saturating_sub(1) {
        if sentence.tokens[at].is("and") && tongue.imperatives.stands_at(&sentence.tokens, at + 1) {
            verbs.push(at + 1);
        }
    }
    verbs
}

/// The third person singular of an English verb.
pub(super) fn third_person(verb: &str) -> String {
    match verb {
        "am" | "are" | "be" => return "is".to_owned(),
        "have" => return "has".to_owned(),
        _ if UNCHANGING.contains(&verb) || is_inflected(verb) || is_adverb(verb) => return verb.to_owned(),
        _ => {}
    }
    let sibilant = ["s", "x", "z", "ch", "sh", "o"].iter().any(|ending| verb.ends_with(ending));
    let consonant_y = verb
        .strip_suffix('y')
        .filter(|stem| stem.ends_with(|c: char| c.is_ascii_alphabetic() && !"aeiou".contains(c)));
    match consonant_y {
        Some(stem) => format!("{stem}ies"),
        None if sibilant => format!("{verb}es"),
        None => format!("{verb}s"),
    }
}

/// "I genuinely cannot": what stands where the verb is looked for need not be one.
fn is_adverb(word: &str) -> bool {
    word.len() > 4 && word.ends_with("ly") && !VERBS_IN_LY.contains(&word)
}

/// `worked` and `working` stay; `need` and `sing` only look alike.
fn is_inflected(verb: &str) -> bool {
    let past = verb.ends_with("ed") && !verb.ends_with("eed") && verb.len() > 4;
    past || verb.ends_with("ing") && verb.len() > 5
}

/// The part of a key that names something: `postgres_for_this_project`.
pub(super) fn slug(text: &str) -> String {
    const WORDS_MAXIMUM: usize = 8;
    let folded = crate::text::fold(text);
    let words =
        folded.split(|c: char| !c.is_alphanumeric() && !"+#'".contains(c)).filter(|word| !word.is_empty());
    let kept: Vec<String> = words.take(WORDS_MAXIMUM).map(|word| word.replace('\'', "")).collect();
    let joined = kept.join("_");
    joined.chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_agree() {
        let table = [
            ("prefer", "prefers"),
            ("go", "goes"),
            ("watch", "watches"),
            ("study", "studies"),
            ("play", "plays"),
            ("have", "has"),
            ("am", "is"),
            ("can", "can"),
            ("need", "needs"),
            ("sing", "sings"),
            ("genuinely", "genuinely"),
            ("apply", "applies"),
        ];
        for (verb, expected) in table {
            assert_eq!(third_person(verb), expected);
        }
    }

    #[test]
    fn keys_are_plain() {
        assert_eq!(slug("Postgres for this project"), "postgres_for_this_project");
        assert_eq!(slug("Node.js & C++"), "node_js_c++");
        assert_eq!(slug("Café"), "cafe");
    }
}
