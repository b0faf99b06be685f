//! What a text is compared by: words as their stems, and of scripts that write no spaces the characters, each known by the
//! pairs it stands in.
//!
//! The index never guesses a language; here a wrong guess costs one word of one comparison, and a Russian memory in a
//! store for English would otherwise never be found in a Russian reply, which inflects it. So scripts that no configured
//! language has are stemmed by the one language that is known for them.

use std::collections::HashSet;
use std::sync::OnceLock;

use crate::language::Language;
use crate::text::{Analyser, QueryWord, Segment, fold, segment};

/// What counts more than a plain word: it is seldom said by accident.
const NAME_WORTH: f64 = 1.5;
const NUMBER_WORTH: f64 = 1.5;
/// Less: one figure is in every list, and two characters make a word.
const DIGIT_WORTH: f64 = 0.5;
const CHARACTER_WORTH: f64 = 0.5;
/// Hardly anything: a stop word of some language, though of none that is configured.
const GRAMMAR_WORTH: f64 = 0.2;

/// What memories of languages that have no folder call whom they are about.
const FURTHER_USERS: &str = "사용자";

/// One thing that a text says.
#[derive(Debug, Clone, PartialEq)]
pub struct StatementUnit {
    /// Any of these says it.
    pub forms: Vec<String>,
    /// The same as they stand in the index.
    pub terms: Vec<String>,
    pub number: bool,
    pub worth: f64,
}

/// Reads texts for comparison.
pub struct UnitReader<'a> {
    indexed: &'a Analyser,
    stemming: Analyser,
    speakers: HashSet<String>,
}

/// A token, its stem for comparison and its term in the index.
struct UnitToken {
    text: String,
    is_pair: bool,
    stem: Option<String>,
    term: Option<String>,
}

impl<'a> UnitReader<'a> {
    pub fn new(indexed: &'a Analyser) -> Self {
        let mut languages = indexed.languages().to_vec();
        for language in Language::searched() {
            let is_known = languages.iter().any(|known| known.script() == language.script());
            if !is_known {
                languages.push(language);
            }
        }
        let mut reader = Self { indexed, stemming: Analyser::new(&languages), speakers: HashSet::new() };
        let users = Language::spoken().map(|(_, speech)| speech.users).chain([FURTHER_USERS]);
        reader.speakers = reader.forms(&users.collect::<Vec<_>>().join(" "));
        reader
    }

    /// Everything that a text says, for looking up.
    pub fn forms(&self, text: &str) -> HashSet<String> {
        self.sequence(text).into_iter().collect()
    }

    /// Everything that a text says, in order.
    pub fn sequence(&self, text: &str) -> Vec<String> {
        let unnumbered: Vec<&str> = text.lines().map(without_marker).collect();
        self.pieces(&unnumbered.join("\n")).into_iter().filter_map(|piece| piece.stem).collect()
    }

    /// What a memory says, each thing once.
    pub fn units(&self, text: &str) -> Vec<StatementUnit> {
        let (pieces, names) = (self.pieces(text), names(text));
        let mut units: Vec<StatementUnit> = Vec::new();
        let mut before: Option<&UnitToken> = None;
        for piece in &pieces {
            match &piece.stem {
                Some(_) if piece.is_pair => {
                    let goes_on =
                        before.is_some_and(|before| before.text.chars().last() == piece.text.chars().next());
                    characters(piece, goes_on, &mut units);
                    before = Some(piece);
                    continue;
                }
                Some(stem) => units.push(word(piece, stem, names.contains(&piece.text))),
                None => {}
            }
            before = None;
        }
        let mut known = HashSet::new();
        units.retain(|unit| {
            unit.forms.iter().all(|form| !self.speakers.contains(form)) && known.insert(unit.forms.clone())
        });
        units
    }

    /// The tokens of a text. Single characters of a run are left out: the pairs say where they stand.
    fn pieces(&self, text: &str) -> Vec<UnitToken> {
        let mut kinds = Vec::new();
        segment(text, |token| {
            kinds.push((matches!(token, Segment::Pair(_)), matches!(token, Segment::Character(_))));
        });
        let words = self.stemming.words(text).into_iter().zip(self.indexed.words(text));
        let kept = kinds.into_iter().zip(words).filter(|((_, is_character), _)| !is_character);
        let piece = |((is_pair, _), (word, indexed)): ((bool, bool), (QueryWord, QueryWord))| {
            let says = !(is_pair && is_grammar(&word.surface));
            let stem = word.stem.filter(|_| says);
            UnitToken { text: word.surface, is_pair, stem, term: indexed.stem }
        };
        kept.map(piece).collect()
    }
}

/// Knows the stop words of all languages; made once.
fn every_language() -> &'static Analyser {
    static EVERY: OnceLock<Analyser> = OnceLock::new();
    EVERY.get_or_init(|| Analyser::new(&Language::searched().collect::<Vec<_>>()))
}

fn word(piece: &UnitToken, stem: &str, is_name: bool) -> StatementUnit {
    let number = is_number(stem);
    let worth = match (number, is_name) {
        (true, _) if stem.chars().count() == 1 => DIGIT_WORTH,
        (true, _) => NUMBER_WORTH,
        (false, true) => NAME_WORTH,
        (false, false) if every_language().is_stop_word(&piece.text) => GRAMMAR_WORTH,
        (false, false) => 1.0,
    };
    StatementUnit { forms: vec![stem.to_owned()], terms: piece.term.iter().cloned().collect(), number, worth }
}

/// A pair is the second half of one character's evidence and the first half of the next one's.
fn characters(piece: &UnitToken, goes_on: bool, units: &mut Vec<StatementUnit>) {
    let (form, term) = (piece.text.clone(), piece.term.clone());
    if goes_on && let Some(shared) = units.last_mut() {
        shared.forms.push(form.clone());
        shared.terms.extend(term.clone());
    }
    let new = piece.text.chars().count() - usize::from(goes_on);
    for _ in 0..new {
        units.push(StatementUnit {
            forms: vec![form.clone()],
            terms: term.iter().cloned().collect(),
            number: false,
            worth: CHARACTER_WORTH,
        });
    }
}

pub fn is_number(form: &str) -> bool {
    form.starts_with(|character: char| character.is_ascii_digit())
}

/// Endings and particles of Japanese are written in hiragana and are in every sentence.
fn is_grammar(pair: &str) -> bool {
    pair.chars().all(|character| ('\u{3041}'..='\u{309F}').contains(&character))
}

/// A line without the number or the sign of a list before it.
fn without_marker(line: &str) -> &str {
    let rest = line.trim_start();
    let digits = rest.trim_start_matches(|character: char| character.is_ascii_digit());
    if digits.len() < rest.len()
        && let Some(behind) = digits.strip_prefix(['.', ')'])
        && behind.starts_with([' ', '\t'])
    {
        return behind;
    }
    rest
}

/// Words that are written with a capital though no sentence begins with them.
fn names(text: &str) -> HashSet<String> {
    let mut names = HashSet::new();
    let mut begins = true;
    for word in text.split_whitespace() {
        let bare = word.trim_matches(|character: char| !character.is_alphanumeric());
        let bare = bare.split(['\'', '’']).next().unwrap_or_default();
        if !begins && bare.starts_with(char::is_uppercase) {
            names.insert(fold(bare));
        }
        begins = word.ends_with(['.', '!', '?', ':']);
    }
    names
}
