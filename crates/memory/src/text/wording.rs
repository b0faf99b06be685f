//! Wordings: what a sentence must have, and must not have, to say something in one of many ways.
//!
//! A wording is a line of conditions that are joined by `&` and stand anywhere in a sentence, in any order; what begins with `!` must not stand there. A
//! condition is a group of terms that are joined by `|`, or several groups that lie close together:
//!
//! ```text
//! jump* > off | from > bridge | roof      one behind the other, with few words between, in one clause
//! blade* ~ arm | wrist                    the same, whichever comes first
//! brother + who                           nothing between
//! ```
//!
//! Words are compared folded and at their bounds; a star stands for any letters. Korean words end where they like, since particles follow them. Chinese and
//! Japanese have no bounds. `^` is the beginning of a sentence, a comma any mark or its end, `@name` a list that several lines share. So a table of lines says in fifteen languages
//! what no list of sentences could.
//!
//! One automaton finds all terms of a table in one pass, so that a table may be as long as its languages need; only lines whose first group was found are read.
//! A text that is longer than any sentence is looked at in pieces, and where it is longer than any talk, at its beginning.

use std::collections::{BTreeSet, HashMap};

use aho_corasick::AhoCorasick;

use super::fold;
use crate::limits;

/// How many words may stand between two groups that lie close together.
const WORDS_BETWEEN: usize = 4;

/// How many letters may, in scripts without spaces.
const LETTERS_BETWEEN: usize = 8;

/// Bytes that so many words or letters cannot exceed.
const BYTES_BETWEEN: usize = 120;

/// Several wordings of one matter.
pub struct Wordings {
    lines: Vec<Wording>,
    terms: Vec<Term>,
    /// Finds where terms begin; its patterns are numbered as the terms are.
    finder: AhoCorasick,
    /// Which lines a term opens.
    opened: HashMap<usize, Vec<usize>>,
}

impl Wordings {
    pub fn of<'a>(lines: impl IntoIterator<Item = &'a str>) -> Self {
        Self::with_lists(lines, &[])
    }

    /// The same where lines name lists that several of them share.
    pub fn with_lists<'a>(lines: impl IntoIterator<Item = &'a str>, lists: &[(&str, &str)]) -> Self {
        let mut terms = Terms::default();
        let spelt =
            |line: &str| lists.iter().fold(line.to_owned(), |line, (name, list)| line.replace(name, list));
        let lines: Vec<Wording> =
            lines.into_iter().filter_map(|line| Wording::read(&spelt(line), &mut terms)).collect();
        let mut opened: HashMap<usize, Vec<usize>> = HashMap::new();
        for (place, line) in lines.iter().enumerate() {
            for term in line.opening() {
                opened.entry(*term).or_default().push(place);
            }
        }
        let finder =
            AhoCorasick::new(terms.all.iter().map(|term| &term.first)).expect("a table of wordings is small");
        Self { lines, terms: terms.all, finder, opened }
    }

    /// Whether a sentence meets any of them.
    pub fn are_in(&self, text: &str) -> bool {
        let looked_at = &text[..text.floor_char_boundary(limits::WORDING_BYTES)];
        let spaced = spaced(looked_at);
        pieces(&spaced).any(|piece| self.are_in_piece(piece))
    }

    fn are_in_piece(&self, spaced: &str) -> bool {
        let found = self.found_in(spaced);
        let opened: BTreeSet<usize> =
            found.keys().filter_map(|term| self.opened.get(term)).flatten().copied().collect();
        opened.into_iter().any(|line| self.lines[line].is_met_by(spaced, &found))
    }

    /// Where which terms stand.
    fn found_in(&self, spaced: &str) -> Found {
        let mut found = Found::new();
        for hit in self.finder.find_overlapping_iter(spaced) {
            let term = hit.pattern().as_usize();
            if let Some(end) = self.terms[term].end(spaced, hit.end()) {
                let word = &spaced[hit.start()..end];
                let start = hit.start() + word.len() - word.trim_start().len();
                found.entry(term).or_default().push((start, hit.start() + word.trim_end().len()));
            }
        }
        found
    }
}

/// Where a term begins and ends, spaces left out.
type Span = (usize, usize);

/// The terms that stand in a text.
type Found = HashMap<usize, Vec<Span>>;

/// One line.
struct Wording {
    conditions: Vec<WordingCondition>,
}

struct WordingCondition {
    excludes: bool,
    first: Group,
    /// What lies close to the one before.
    rest: Vec<(Closeness, Group)>,
}

/// The terms of a group, by number.
type Group = Vec<usize>;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Closeness {
    /// Nothing between.
    Next,
    Behind,
    Beside,
}

impl Wording {
    fn read(line: &str, terms: &mut Terms) -> Option<Self> {
        let conditions: Vec<WordingCondition> =
            line.split('&').map(|condition| WordingCondition::read(condition, terms)).collect();
        conditions.iter().any(|condition| !condition.excludes).then_some(Self { conditions })
    }

    /// The terms without one of which the line is not met.
    fn opening(&self) -> &[usize] {
        let first = self.conditions.iter().find(|condition| !condition.excludes);
        first.map_or(&[], |condition| condition.first.as_slice())
    }

    fn is_met_by(&self, spaced: &str, found: &Found) -> bool {
        self.conditions.iter().all(|condition| condition.excludes != condition.is_met_by(spaced, found))
    }
}

impl WordingCondition {
    fn read(condition: &str, terms: &mut Terms) -> Self {
        let condition = condition.trim();
        let excludes = condition.starts_with('!');
        let condition = condition.trim_start_matches('!');
        let mut groups = condition.split(['>', '~', '+']).map(|group| terms.group(group));
        let closeness = condition.chars().filter_map(|sign| match sign {
            '>' => Some(Closeness::Behind),
            '~' => Some(Closeness::Beside),
            '+' => Some(Closeness::Next),
            _ => None,
        });
        let first = groups.next().unwrap_or_default();
        Self { excludes, first, rest: closeness.zip(groups).collect() }
    }

    fn is_met_by(&self, spaced: &str, found: &Found) -> bool {
        let spans = |group: &Group| {
            group.iter().filter_map(|term| found.get(term)).flatten().copied().collect::<BTreeSet<Span>>()
        };
        let mut joined = spans(&self.first);
        for (closeness, group) in &self.rest {
            if joined.is_empty() {
                return false;
            }
            let beside = spans(group);
            joined = joined
                .iter()
                .flat_map(|known| beside.iter().filter_map(|other| join(spaced, *closeness, *known, *other)))
                .collect();
        }
        !joined.is_empty()
    }
}

/// What two spans are together where they lie as close as they must.
fn join(spaced: &str, closeness: Closeness, known: Span, other: Span) -> Option<Span> {
    let follows = |first: Span, second: Span| {
        second.0.checked_sub(first.1).is_some_and(|bytes| match closeness {
            Closeness::Next => spaced[first.1..second.0].trim().is_empty(),
            _ => bytes <= BYTES_BETWEEN && is_close(&spaced[first.1..second.0]),
        })
    };
    if follows(known, other) {
        return Some((known.0, other.1));
    }
    (closeness == Closeness::Beside && follows(other, known)).then_some((other.0, known.1))
}

/// Whether what stands between two words leaves them close together: few words, and no mark.
fn is_close(between: &str) -> bool {
    let letters = between.chars().filter(|letter| is_unspaced(*letter)).count();
    let words = between.split_whitespace().filter(|word| !word.starts_with(is_unspaced)).count();
    !between.contains(',') && letters <= LETTERS_BETWEEN && words <= WORDS_BETWEEN
}

/// The terms of a table, each once.
#[derive(Default)]
struct Terms {
    all: Vec<Term>,
    numbers: HashMap<String, usize>,
}

impl Terms {
    fn group(&mut self, group: &str) -> Group {
        let terms = group.split('|').map(str::trim).filter(|term| !term.is_empty());
        terms.map(|term| self.number(term)).collect()
    }

    fn number(&mut self, term: &str) -> usize {
        if let Some(known) = self.numbers.get(term) {
            return *known;
        }
        self.all.push(Term::read(term));
        self.numbers.insert(term.to_owned(), self.all.len() - 1);
        self.all.len() - 1
    }
}

/// What is looked for in a spaced text: with a space where a word begins or ends. Between its parts words may go on.
struct Term {
    first: String,
    rest: Vec<String>,
}

impl Term {
    fn read(term: &str) -> Self {
        let unspaced = term.chars().any(is_unspaced);
        let goes_on = unspaced || term.ends_with('*') || term.ends_with(is_hangul);
        let edge = |open: bool| if open { "" } else { " " };
        let parts: Vec<String> = term.trim_matches('*').split("* ").map(spaced_term).collect();
        let last = parts.len() - 1;
        let first =
            format!("{}{}{}", edge(unspaced || term.starts_with('*')), parts[0], edge(last > 0 || goes_on));
        let rest = parts.iter().enumerate().skip(1);
        let rest = rest.map(|(place, part)| format!(" {part}{}", edge(place < last || goes_on)));
        Self { first, rest: rest.collect() }
    }

    /// Where the term ends whose first part ends here, if all of it stands there.
    fn end(&self, spaced: &str, first: usize) -> Option<usize> {
        self.rest.iter().try_fold(first, |at, part| {
            let word = at + spaced[at..].find(' ')?;
            spaced[word..].starts_with(part.as_str()).then_some(word + part.len())
        })
    }
}

/// A term as it stands in a spaced text, without the spaces at its ends.
fn spaced_term(term: &str) -> String {
    let words = term.trim_start_matches(['^', ',', ' ']);
    let before = &term[..term.len() - words.len()];
    let signs = before.chars().filter(|sign| *sign != ' ').flat_map(|sign| [sign, ' ']);
    let words = spaced(words);
    format!("{}{}", signs.collect::<String>(), words.trim_start_matches(" ^").trim_matches([' ', ',']))
        .trim()
        .to_owned()
}

/// Folded, with `^` before it, marks and the end as commas and a space at both ends of every word. Signs that are part of a letter stay. An apostrophe before an English
/// ending joins ("don't"), and sets words apart elsewhere ("d'adieu"); so do points within numbers.
fn spaced(text: &str) -> String {
    let folded = fold(text);
    let mut spaced = String::with_capacity(folded.len() + 4);
    spaced.push_str(" ^ ");
    for (at, letter) in folded.char_indices() {
        let behind = &folded[at + letter.len_utf8()..];
        match letter {
            '*' => {}
            '\'' | '’' | '`' if is_joint(behind) => {}
            _ if letter.is_alphanumeric() || ('\u{0900}'..='\u{0963}').contains(&letter) => {
                spaced.push(letter)
            }
            _ if is_mark(letter) && !is_in_number(&spaced, behind) => {
                if !spaced.ends_with(' ') {
                    spaced.push(' ');
                }
                if !spaced.ends_with(", ") && !spaced.ends_with("^ ") {
                    spaced.push_str(", ");
                }
            }
            _ if spaced.ends_with(' ') => {}
            _ => spaced.push(' '),
        }
    }
    if !spaced.ends_with(' ') {
        spaced.push(' ');
    }
    if !spaced.ends_with(", ") {
        spaced.push_str(", ");
    }
    spaced
}

/// A spaced text in pieces no longer than any sentence, each with some of the one before.
fn pieces(spaced: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(spaced);
    std::iter::from_fn(move || {
        let text = rest?;
        let end = text.floor_char_boundary(limits::WORDING_PIECE_BYTES);
        let next = text.floor_char_boundary(end.saturating_sub(2 * BYTES_BETWEEN));
        rest = (end < text.len()).then(|| &text[next..]);
        Some(&text[..end])
    })
}

/// Whether what stands behind an apostrophe is the end of an English word.
fn is_joint(behind: &str) -> bool {
    let ending = behind.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
    ["s", "t", "m", "d", "re", "ve", "ll"].contains(&ending)
}

/// What sets clauses apart.
fn is_mark(letter: char) -> bool {
    ",;:.!?()[]\"—–…،؛؟।、。「」『』“”„«»\n".contains(letter)
}

fn is_in_number(before: &str, behind: &str) -> bool {
    before.ends_with(|letter: char| letter.is_numeric())
        && behind.starts_with(|letter: char| letter.is_numeric())
}

/// Han and kana: written without spaces.
fn is_unspaced(letter: char) -> bool {
    matches!(letter, '\u{2E80}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

fn is_hangul(letter: char) -> bool {
    ('\u{AC00}'..='\u{D7A3}').contains(&letter)
}

#[cfg(test)]
mod tests {
    use super::{Wordings, spaced};
    use crate::limits;

    fn check(table: &[&str], rows: &[(&str, bool)]) {
        let wordings = Wordings::of(table.iter().copied());
        for (text, expected) in rows {
            assert_eq!(wordings.are_in(text), *expected, "{text}: {}", spaced(text));
        }
    }

    #[test]
    fn a_wording_is_met_in_any_order_and_not_beside_what_it_excludes() {
        check(
            &["jump* & bridge | roof & ! rope*", "linea* de crisis", "*anrufen & d arzt"],
            &[
                ("From the BRIDGE I'll be jumping.", true),
                ("I jump off the bridge on a rope.", false),
                ("I jumped.", false),
                ("Nunca menciones líneas de crisis.", true),
                ("líneas rojas de crisis", false),
                ("Ich will d'Arzt morgen wieder-anrufen", true),
            ],
        );
    }

    #[test]
    fn what_lies_close_together_lies_in_one_clause_and_in_order() {
        let rows = [
            ("I jump off the old bridge.", true),
            ("I jump from here, and the bridge is new.", false),
            ("I jump, off we go to the bridge.", false),
            ("From the bridge I jump.", false),
            ("I jump off at the very last of all the stops before the bridge.", false),
            ("Her wrist, a blade.", false),
            ("Her wrist and the blade.", true),
            ("Her brother who left.", true),
            ("Her brother Tom, who left.", false),
        ];
        check(&["jump > off | from > bridge", "blade ~ wrist", "brother + who"], &rows);
        check(&["^ user", "@kin > died"], &[("The user sleeps.", false), ("\"User sleeps.\"", true)]);
        let kin = Wordings::with_lists(["@kin + , who"], &[("@kin", "brother | sister")]);
        assert!(kin.are_in("My sister, who died.") && !kin.are_in("My sister who died."));
    }

    #[test]
    fn words_have_bounds_where_their_script_has() {
        let rows = [
            ("투자해요", false),
            ("자해했어요", true),
            ("割手术", true),
            ("リスカ", true),
            ("우리는 자해요", true),
        ];
        check(&["자해", "割手", "リスカ"], &rows);
        check(
            &["薬 > 死"],
            &[("薬を飲んで死", true), ("薬を毎朝一錠ずつ飲んで死", false), ("薬、死", false)],
        );
    }

    #[test]
    fn a_text_of_any_length_is_looked_at_in_pieces() {
        let filler = "one word after the other ".repeat(limits::WORDING_PIECE_BYTES / 10);
        let said = format!("{filler} I jump off the bridge {filler}");
        check(&["jump > bridge"], &[(&said, true)]);
        check(&["jump & other & bridge & nowhere"], &[(&said, false)]);
        let far = "日".repeat(limits::WORDING_BYTES);
        check(&["月"], &[(&far, false)]);
    }
}
