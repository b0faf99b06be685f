//! What a statement says of an earlier one in so many words: that it is over, that its value is another one, or which one it corrects.
//!
//! The judge hears most of it, but "I'm no longer vegan" has nearly all the words of "I'm vegan", and what denies the rest is the
//! least of them. What can be read from the words is read from them; the judge then says whether the two have to do with each other.

mod changing;

pub(crate) use changing::speaks_of_a_relative;

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::sync::LazyLock;

use crate::language::{EndingWords, Language};
use crate::text::similarity::{jaccard, word_set};
use crate::text::tokens::is_wide;
use crate::text::{Analyser, fold};

/// Words, or letters of a script without spaces, between the parts of a phrase.
const GAP_WORDS: usize = 6;
const GAP_LETTERS: usize = 8;

/// What ends a clause in scripts without spaces.
const STOPS: [char; 8] = ['，', ',', '、', '。', '；', '،', '؛', '।'];

/// Words between a value and what denies it, before it and behind it.
const DENIED_WITHIN: usize = 3;
const DENIED_BEHIND: usize = 2;

/// Letters of a word that a statement can be about.
const WORD_LETTERS: usize = 3;

/// What two statements that speak of the same share: two short words, or one of so many letters.
pub(super) const MUCH: usize = 2;
const LONG_WORD: usize = 4;

/// Letters of scripts without spaces that are about nothing.
const FUNCTION_LETTERS: &str =
    "我你您他她它们的了是在不也都有这那和就到把被给很没个么吗吧呢说要会能요다어아해고는은이가를을에서";

/// Letters after which two words that begin alike are forms of one word: "tenis" and "tenisi".
const STEM_LETTERS: usize = 4;

/// Letters in which two forms of one word may end otherwise: "Газпроме" and "Газпрома", "fumo" and "fumar".
const ENDING_LETTERS: usize = 3;
const SHORT_STEM_LETTERS: usize = 3;
const SHORT_ENDING_LETTERS: usize = 2;

/// Words of a statement that says only that something is over, or letters of a script without spaces.
const ONLY_ENDING_WORDS: usize = 6;
const ONLY_ENDING_LETTERS: usize = 16;

/// Words of a statement that is only understood with the one that it corrects.
const SHORT_WORDS: usize = 12;

/// How much of a statement must stand in another one that says that it is over.
const REPEATED: f64 = 0.75;

/// How much of two statements must be the same where a value in them is not.
const BUT_FOR_A_VALUE: f64 = 0.8;

/// Words that two statements must share before a value in them is one of the same thing.
const OF_THE_SAME: usize = 2;

/// What doses, prices and sizes are counted in, folded.
const UNITS: &str = "mg mcg ml kg km cm mm gb tb euro euros eur pound pounds dollar dollars zl lira tl chf мг мл кг км руб рублей";

/// Letters of a word for a number that is nothing else.
const NUMBER_LETTERS: usize = 3;

/// Phrases of one sense, by the word that they begin with. Those of scripts without spaces are found inside of words.
struct EndingPhrases {
    by_word: HashMap<String, Vec<PhraseParts>>,
    letters: Vec<PhraseParts>,
}

/// The parts of a phrase, which have a gap between them; each is words that stand beside each other, or one run of letters.
type PhraseParts = Vec<Vec<String>>;

static PHRASES: LazyLock<EndingPhrases> = LazyLock::new(|| {
    EndingPhrases::of(|words| [words.phrases, words.deaths, words.partings].into_iter().flatten().copied())
});

static DEATHS: LazyLock<EndingPhrases> =
    LazyLock::new(|| EndingPhrases::of(|words| words.deaths.iter().copied()));

/// The phrases that deny something.
static DENIALS: LazyLock<EndingPhrases> = LazyLock::new(|| {
    EndingPhrases::of(|words| {
        let denying: HashSet<String> = words.negations.split_whitespace().map(fold).collect();
        let denies = move |phrase: &&str| match phrase.chars().any(is_wide) {
            true => denying.iter().any(|word| fold(phrase).contains(word)),
            false => tokens(phrase).iter().any(|word| denying.contains(word)),
        };
        words.phrases.iter().copied().filter(denies)
    })
});

static PARTINGS: LazyLock<EndingPhrases> =
    LazyLock::new(|| EndingPhrases::of(|words| words.partings.iter().copied()));

static UNREAL: LazyLock<EndingPhrases> =
    LazyLock::new(|| EndingPhrases::of(|words| words.unreal.iter().copied()));

static PARTNERS: LazyLock<EndingPhrases> =
    LazyLock::new(|| EndingPhrases::of(|words| words.partners.split_whitespace()));

static NEGATIONS: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let words = Language::ending().flat_map(|words| words.negations.split_whitespace());
    words.map(fold).collect()
});

/// The words of the phrases.
static OF_ENDINGS: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let spaced = PHRASES.by_word.values().flatten().flatten().flatten().cloned();
    let wide = PHRASES.letters.iter().flatten().flatten().flat_map(|letters| tokens(letters));
    spaced.chain(wide).collect()
});

static NUMBERS: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let words = Language::timed().flat_map(|(_, words)| [words.numbers, words.ordinals]);
    let words = words.flat_map(|words| words.split([' ', '\n', '|', '/', ',']));
    words
        .map(fold)
        .filter(|word| word.chars().count() >= NUMBER_LETTERS && !word.chars().any(is_wide))
        .collect()
});

/// The words of a text, with what denies them apart: "don't" is "do" and "n't".
fn tokens(text: &str) -> Vec<String> {
    let folded: String = fold(text).replace('’', "'").chars().map(as_ascii_digit).collect();
    let folded = apart(&folded);
    let is_letter = |character: char| character.is_alphanumeric() || matches!(character, '\'' | '.');
    let words = folded.split(|character: char| !is_letter(character)).map(|word| word.trim_matches('.'));
    let mut found = Vec::new();
    for word in words.filter(|word| !word.is_empty()) {
        match word.strip_suffix("n't") {
            Some("") => found.push("n't".to_owned()),
            Some(rest) => found.extend([rest.to_owned(), "n't".to_owned()]),
            None => found.extend(word.split('\'').filter(|part| !part.is_empty()).map(str::to_owned)),
        }
    }
    found
}

/// The digits of Arabic, Persian and Hindi as everybody's.
fn as_ascii_digit(character: char) -> char {
    let from = |zero: u32| char::from_digit(character as u32 - zero, 10).unwrap_or(character);
    match character {
        '\u{660}'..='\u{669}' => from(0x660),
        '\u{6F0}'..='\u{6F9}' => from(0x6F0),
        '\u{966}'..='\u{96F}' => from(0x966),
        _ => character,
    }
}

/// A text with spaces between numbers and the letters of scripts without spaces: "12号" is a number and what it counts.
fn apart(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len());
    let mut last: Option<char> = None;
    for character in text.chars() {
        let meets = |before: char| {
            before.is_ascii_digit() && is_wide(character) || is_wide(before) && character.is_ascii_digit()
        };
        if last.is_some_and(meets) {
            spaced.push(' ');
        }
        spaced.push(character);
        last = Some(character);
    }
    spaced
}

impl EndingPhrases {
    fn of<Words: Iterator<Item = &'static str>>(words: impl Fn(&'static EndingWords) -> Words) -> Self {
        let mut phrases = Self { by_word: HashMap::new(), letters: Vec::new() };
        for phrase in Language::ending().flat_map(words) {
            let parts = phrase.split('…').map(str::trim).filter(|part| !part.is_empty());
            if phrase.chars().any(is_wide) {
                phrases.letters.push(parts.map(|part| vec![fold(part)]).collect());
                continue;
            }
            let parts: PhraseParts = parts.map(tokens).collect();
            if let Some(first) = parts.first().and_then(|part| part.first()) {
                phrases.by_word.entry(first.clone()).or_default().push(parts);
            }
        }
        phrases
    }

    fn stand_in(&self, read: &ReadWords) -> bool {
        let at = |from: usize| {
            self.by_word.get(&read.words[from]).is_some_and(|beginning| {
                beginning.iter().any(|phrase| stands_at(phrase, &read.words[from..]))
            })
        };
        let letters = |text: &String| self.letters.iter().any(|phrase| letters_stand_in(phrase, text));
        (0..read.words.len()).any(at) || read.wide.as_ref().is_some_and(letters)
    }
}

fn stands_at(phrase: &PhraseParts, words: &[String]) -> bool {
    let mut rest = words;
    for (place, part) in phrase.iter().enumerate() {
        let within = if place == 0 { 0 } else { GAP_WORDS };
        let Some(at) = (0..=within).find(|&at| rest.get(at..).is_some_and(|rest| rest.starts_with(part)))
        else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    true
}

/// A text as phrases are looked for in it.
struct ReadWords {
    words: Vec<String>,
    /// All of it, where its script has no spaces.
    wide: Option<String>,
}

impl ReadWords {
    fn of(text: &str) -> Self {
        let folded = fold(text);
        Self { words: tokens(text), wide: folded.chars().any(is_wide).then_some(folded) }
    }
}

fn letters_stand_in(phrase: &PhraseParts, text: &str) -> bool {
    let mut parts = phrase.iter().flatten();
    let Some(first) = parts.next() else { return false };
    text.match_indices(first.as_str()).any(|(at, _)| {
        let mut rest = &text[at + first.len()..];
        parts.clone().all(|part| match rest.find(part.as_str()) {
            Some(next) if rest[..next].chars().count() <= GAP_LETTERS && !rest[..next].contains(STOPS) => {
                rest = &rest[next + part.len()..];
                true
            }
            _ => false,
        })
    })
}

/// A number with what it counts, and what of: right behind it or right before it.
struct SaidMeasure<'a> {
    number: &'a str,
    unit: &'a str,
    of: [Option<String>; 2],
}

/// What joins a measure to what is measured, folded.
const OF: &str = "of von de di do da van z";

/// What stands beside a measure and is not what is measured: how often, and what is done with it. Folded.
const NO_THINGS: &str = "every each twice once daily weekly monthly take takes taking took give gave pay pays paid costs cost jeden jede taglich monatlich nehme nimmt
    zahle kostet cada todos todas diario tomo toma pago cuesta chaque tous toutes prends prend paie coute ogni tutti prendo prende costa elke
    iedere dagelijks neem neemt betaal kost kazdy kazdego codziennie biore bierze place kosztuje каждый каждую каждое принимаю пью плачу стоит
    gunde swim runs walk walked about only rund circa etwa sobre около ungefahr quasi right";

/// A statement that is held against others, each of its readings made once.
pub(super) struct HeardStatement<'a> {
    text: &'a str,
    analyser: &'a Analyser,
    read: ReadWords,
    matter: OnceCell<BTreeSet<String>>,
    numbers: OnceCell<(BTreeSet<String>, BTreeSet<String>)>,
    parts: OnceCell<bool>,
}

impl<'a> HeardStatement<'a> {
    pub(super) fn of(text: &'a str, analyser: &'a Analyser) -> Self {
        Self {
            text,
            analyser,
            read: ReadWords::of(text),
            matter: OnceCell::new(),
            numbers: OnceCell::new(),
            parts: OnceCell::new(),
        }
    }

    /// Whether it says that something is over.
    pub(super) fn ends(&self) -> bool {
        says_an_end(self.text, &self.read)
    }

    fn parts(&self) -> bool {
        *self.parts.get_or_init(|| PARTINGS.stand_in(&self.read))
    }

    fn names_a_partner(&self) -> bool {
        PARTNERS.stand_in(&self.read)
    }

    /// What it is about: its words but for those that say that something is over or not so, and but for the shortest ones, which are
    /// about nothing in languages whose frequent words nobody has written down.
    fn matter(&self) -> &BTreeSet<String> {
        self.matter.get_or_init(|| {
            let words = self.read.words.iter().map(String::as_str);
            let words = words.filter(|word| !NEGATIONS.contains(*word) && !OF_ENDINGS.contains(*word));
            let mut words = word_set(&words.collect::<Vec<_>>().join(" "), self.analyser);
            words.retain(|word| match word.chars().any(is_wide) {
                true => word.chars().all(|character| is_wide(character) && !is_function(character)),
                false => word.chars().count() >= WORD_LETTERS,
            });
            words
        })
    }

    /// Its numbers, and its other words.
    fn numbers_and_rest(&self) -> &(BTreeSet<String>, BTreeSet<String>) {
        self.numbers.get_or_init(|| {
            let words = self.read.words.iter().map(String::as_str);
            let (numbers, rest): (Vec<&str>, Vec<&str>) = words.partition(|word| is_number(word));
            (numbers.into_iter().map(str::to_owned).collect(), word_set(&rest.join(" "), self.analyser))
        })
    }

    /// Whether it says that the user parted from the partner whom an earlier statement names.
    pub(super) fn parts_from(&self, earlier: &Self) -> bool {
        self.parts() && earlier.names_a_partner() && !earlier.parts() && self.shares_a_name_with(earlier)
    }

    /// Whether two statements name the same: a word that is not what partners are called. Daniela is not Daniel.
    fn shares_a_name_with(&self, earlier: &Self) -> bool {
        let names = |statement: &Self| -> Vec<String> {
            let is_name = |word: &&String| !PARTNERS.stand_in(&ReadWords::of(word));
            statement.matter().iter().filter(is_name).cloned().collect()
        };
        let is_form = |one: &str, other: &str| one.strip_prefix(other).is_some_and(|ending| ending != "a");
        let (later, earlier) = (names(self), names(earlier));
        later.iter().any(|one| {
            earlier.iter().any(|other| {
                one.chars().count().min(other.chars().count()) >= WORD_LETTERS
                    && (is_form(one, other) || is_form(other, one))
                    || one == other
            })
        })
    }

    /// Whether it says in a few words that something is over, and nothing else.
    pub(super) fn only_ends(&self) -> bool {
        let wide = self.read.wide.as_ref().map(|text| text.chars().filter(|&letter| is_wide(letter)).count());
        self.ends()
            && self.read.words.len() <= ONLY_ENDING_WORDS
            && wide.unwrap_or_default() <= ONLY_ENDING_LETTERS
    }

    /// Whether both have a word that is written as a name.
    pub(super) fn shares_a_written_name_with(&self, earlier: &Self) -> bool {
        let is_name = |at: usize, word: &str| at > 0 && word.starts_with(char::is_uppercase);
        written_words(self.text).filter(|(_, word)| word.chars().count() >= WORD_LETTERS).any(|(at, word)| {
            written_words(earlier.text).any(|(there, other)| {
                are_forms(&fold(word), &fold(other))
                    && (is_name(at, word) && other.starts_with(char::is_uppercase)
                        || is_name(there, other) && word.starts_with(char::is_uppercase))
            })
        })
    }

    /// Whether it has what an earlier statement is about, all of it or nearly.
    pub(super) fn repeats(&self, earlier: &Self) -> bool {
        let shared = earlier.matter().intersection(self.matter()).count() as f64;
        !earlier.matter().is_empty() && shared >= REPEATED * earlier.matter().len() as f64
    }

    /// How much two statements share of what they are about, in whatever form: a long word, or two short ones, are [`MUCH`].
    pub(super) fn shared_with(&self, earlier: &Self) -> usize {
        let is_common = |one: &&String| earlier.matter().iter().any(|other| are_forms(one, other));
        let weight = |word: &String| match word.chars().any(is_wide) || word.chars().count() >= LONG_WORD {
            true => MUCH,
            false => 1,
        };
        self.matter().iter().filter(is_common).map(weight).sum()
    }

    /// Whether it is an earlier statement but for a number in it.
    pub(super) fn gives_another_value_than(&self, earlier: &Self) -> bool {
        let (numbers, rest) = self.numbers_and_rest();
        if numbers.is_empty() {
            return false;
        }
        let (former_numbers, former_rest) = earlier.numbers_and_rest();
        let shared = rest.intersection(former_rest).count();
        let is_year = |word: &String| word.len() == 4 && (word.starts_with("19") || word.starts_with("20"));
        numbers != former_numbers
            && !numbers.iter().any(is_year)
            && !former_numbers.is_empty()
            && shared >= OF_THE_SAME
            && jaccard(rest, former_rest) >= BUT_FOR_A_VALUE
    }

    /// Whether both measure the same thing, once each, and it says another number: "20 mg of ramipril" where it was ten.
    pub(super) fn measures_anew(&self, earlier: &Self) -> bool {
        match (self.measures().as_slice(), earlier.measures().as_slice()) {
            ([now], [then]) => {
                now.unit == then.unit
                    && now.number != then.number
                    && now
                        .of
                        .iter()
                        .flatten()
                        .any(|thing| then.of.iter().flatten().any(|other| thing == other))
            }
            _ => false,
        }
    }

    /// What it measures, "20 mg of ramipril" and "ramipril 20mg".
    fn measures(&self) -> Vec<SaidMeasure<'_>> {
        let words = &self.read.words;
        let is_among = |list: &str, word: &str| list.split_whitespace().any(|one| one == word);
        let thing = |word: Option<&'_ String>| {
            let word = word.filter(|word| {
                word.chars().count() >= LONG_WORD && !is_number(word) && !is_among(NO_THINGS, word)
            });
            word.map(|word| word.to_owned())
        };
        let measure = |at: usize| {
            let word = &words[at];
            let end = word.find(char::is_alphabetic).unwrap_or(word.len());
            let (number, unit, next) = match end < word.len() {
                true => (&word[..end], &word[end..], at + 1),
                false => (word.as_str(), words.get(at + 1)?.as_str(), at + 2),
            };
            if !number.starts_with(|letter: char| letter.is_ascii_digit()) || !is_among(UNITS, unit) {
                return None;
            }
            let joined = words.get(next).is_some_and(|word| is_among(OF, word));
            let behind = thing(words.get(next + usize::from(joined)));
            let before = thing(at.checked_sub(1).and_then(|before| words.get(before)));
            Some(SaidMeasure { number, unit, of: [behind, before] })
        };
        (0..words.len()).filter_map(measure).collect()
    }

    /// Whether it says nothing but a value and that another one is wrong.
    pub(super) fn is_short(&self) -> bool {
        self.read.words.len() <= SHORT_WORDS
    }

    /// An earlier statement with the value that this one gives now for what both name: "Postgres 17" where it was 16, "Max turned 5" where he was four.
    pub(super) fn revalued(&self, earlier: &str) -> Option<String> {
        let now = valued(&self.read.words);
        let then = tokens(earlier);
        let then = valued(&then);
        let is_name = |text: &str, name: &str| {
            written_words(text).any(|(_, word)| {
                word.starts_with(char::is_uppercase) && tokens(word).first().is_some_and(|word| word == name)
            })
        };
        let named = now.iter().filter(|one| is_name(self.text, one.of) && is_name(earlier, one.of));
        let mut changed = named.flat_map(|one| {
            let others = then.iter().filter(|other| other.of == one.of && other.value != one.value);
            others.map(move |other| (one, other))
        });
        let (one, other) = changed.next().filter(|_| changed.next().is_none())?;
        with_value(earlier, other.value, &as_written(self.text, one.value)?)
    }

    /// An earlier statement with what this one says has come in the place of what it names: "from Fly to Hetzner".
    pub(super) fn swapped(&self, earlier: &str) -> Option<String> {
        let words: Vec<(usize, &str)> = written_words(self.text).collect();
        let is = |at: usize, one: &str| words.get(at).is_some_and(|(_, word)| fold(word) == one);
        let is_name = |at: usize| {
            words
                .get(at)
                .is_some_and(|(_, word)| word.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit()))
        };
        let mut swaps = FROM_TO.iter().flat_map(|(from, to)| {
            let places = (0..words.len())
                .filter(move |&at| is(at, from) && is_name(at + 1) && is(at + 2, to) && is_name(at + 3));
            places.map(|at| at + 1)
        });
        let at = swaps.next()?;
        let (former, new) = (words[at].1, words[at + 2]);
        let behind = words.get(at + 3).filter(|(_, word)| word.starts_with(char::is_uppercase));
        let end = behind.map_or(new.0 + new.1.len(), |(start, word)| start + word.len());
        let new = self.text.get(new.0..end).filter(|new| !new.contains([',', '.', ';']))?;
        let value = tokens(former);
        let [value] = value.as_slice() else { return None };
        with_value(earlier, value, new)
    }

    /// The words of a part of an earlier statement that it names too, as they stand there.
    pub(super) fn names_of(&self, part: &str) -> Vec<Range<usize>> {
        let is_named = |word: &str| {
            let folded = fold(word);
            folded.chars().count() >= WORD_LETTERS && self.matter().iter().any(|own| are_forms(own, &folded))
        };
        let words = written_words(part).filter(|(_, word)| is_named(word));
        words.map(|(at, word)| at..at + word.len()).collect()
    }

    /// Whether it tells of a death.
    pub(super) fn mourns(&self) -> bool {
        DEATHS.stand_in(&self.read)
    }

    /// Whether it tells of a death, and whose: one of the names in it.
    pub(super) fn tells_of_the_death_of(&self, named: &str) -> bool {
        let mourned = || {
            written_words(self.text).any(|(at, word)| {
                let is_name = |there: usize| at > 0 || there > 0 || word.chars().count() > WORD_LETTERS;
                // "I" is nobody's name.
                word.starts_with(char::is_uppercase)
                    && word.chars().nth(1).is_some()
                    && written_words(named).any(|(there, other)| other == word && is_name(there))
            })
        };
        DEATHS.stand_in(&self.read) && !UNREAL.stand_in(&self.read) && mourned()
    }

    /// An earlier statement with the value that this one gives in place of the one that it denies: "3.12, not 3.11".
    pub(super) fn corrected(&self, earlier: &str) -> Option<String> {
        let (denied, given) = denied_and_given(&self.read.words)?;
        let corrected = with_value(earlier, denied, &as_written(self.text, given)?)?;
        Some(self.with_the_word_before(&corrected, denied, given).unwrap_or(corrected))
    }

    /// The same with what stands before the value, where that is another one too: "Sunday the 29th, not Saturday the 28th".
    fn with_the_word_before(&self, corrected: &str, denied: &str, given: &str) -> Option<String> {
        let words = &self.read.words;
        let before = |value: &str| {
            let at = words.iter().position(|word| word == value)?;
            words
                .get(at.checked_sub(1)?)
                .filter(|word| word.chars().count() >= LONG_WORD && !is_negation(word))
        };
        let (was, is) = (before(denied)?, before(given)?);
        let told = tokens(corrected);
        let at = told.iter().position(|word| word == given)?;
        let stands_there = at.checked_sub(1).is_some_and(|before| told[before] == *was);
        (was != is && stands_there).then(|| with_value(corrected, was, &as_written(self.text, is)?)).flatten()
    }
}

/// What stands around the two names of a change, folded.
const FROM_TO: &[(&str, &str)] = &[
    ("from", "to"),
    ("von", "zu"),
    ("von", "nach"),
    ("von", "auf"),
    ("de", "a"),
    ("de", "para"),
    ("da", "a"),
    ("van", "naar"),
    ("z", "na"),
    ("z", "do"),
    ("с", "на"),
    ("из", "в"),
];

/// Words between a name and its value.
const VALUE_WITHIN: usize = 2;

/// A value with what it is a value of.
struct NamedValue<'a> {
    of: &'a str,
    value: &'a str,
}

/// The values of a text with the long words right before each; years are no values.
fn valued(words: &[String]) -> Vec<NamedValue<'_>> {
    let is_year = |word: &str| word.len() == 4 && (word.starts_with("19") || word.starts_with("20"));
    let numbers = words
        .iter()
        .enumerate()
        .filter(|(_, word)| word.starts_with(|first: char| first.is_ascii_digit()) && !is_year(word));
    let named = numbers.flat_map(|(at, value)| {
        let near = words[at.saturating_sub(VALUE_WITHIN)..at].iter();
        let near = near.filter(|word| word.chars().count() >= WORD_LETTERS && !is_number(word));
        near.map(move |of| NamedValue { of, value })
    });
    named.collect()
}

/// The value that a text denies and the one that it gives instead, where it names two and says which is wrong.
fn denied_and_given(words: &[String]) -> Option<(&str, &str)> {
    // Words for numbers are much else too ("cuarto" is a room): where there are digits, those are meant.
    let has_digit = |word: &String| word.starts_with(|first: char| first.is_ascii_digit());
    let digits = words.iter().any(has_digit);
    let is_value = |word: &String| if digits { has_digit(word) } else { is_number(word) };
    let mut values: Vec<usize> = Vec::new();
    for (at, word) in words.iter().enumerate().filter(|(_, word)| is_value(word)) {
        if values.iter().all(|&known| words[known] != *word) {
            values.push(at);
        }
    }
    let [one, other] = *values.as_slice() else { return None };
    // "12月10号" is one day.
    if other == one + 2 && MONTHS_BETWEEN.contains(&words[one + 1].as_str()) {
        return None;
    }
    let is_denied = |at: usize, other: usize| {
        let first = at.saturating_sub(DENIED_WITHIN).max(if other < at { other + 1 } else { 0 });
        let last = (at + 1 + DENIED_BEHIND).min(if other > at { other } else { words.len() });
        words[first..at]
            .iter()
            .chain(words.get(at + 1..last).unwrap_or_default())
            .any(|word| is_negation(word))
    };
    // "not on the 12th but on the 14th": what stands between them denies the one before it only where nothing denies it already.
    let before = |at: usize| {
        let other = if at == one { 0 } else { one + 1 };
        words[at.saturating_sub(DENIED_WITHIN).max(other)..at].iter().any(|word| is_negation(word))
    };
    match (before(one), before(other)) {
        (true, false) => Some((&words[one], &words[other])),
        (false, true) => Some((&words[other], &words[one])),
        (true, true) => None,
        (false, false) if is_denied(one, other) && !is_denied(other, one) => {
            Some((&words[one], &words[other]))
        }
        (false, false) if is_denied(other, one) && !is_denied(one, other) => {
            Some((&words[other], &words[one]))
        }
        (false, false) => None,
    }
}

/// What stands between a month and a day of it where both are numbers.
const MONTHS_BETWEEN: [&str; 2] = ["月", "월"];

/// Whether two words are one, or forms of one: they begin alike, and end in a few letters of their own.
fn are_forms(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    if one.chars().chain(other.chars()).any(|letter| is_wide(letter) || letter.is_ascii_digit()) {
        return false;
    }
    let stem = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
    let rests = [one, other].map(|word| word.chars().count() - stem);
    let longest = rests[0].max(rests[1]);
    if rests.contains(&0) {
        return stem >= STEM_LETTERS;
    }
    let by_vowels = || [one, other].iter().all(|word| word.chars().nth(stem).is_none_or(is_vowel));
    // Without a vowel at the seam two short words are two words: "work" and "word".
    stem > STEM_LETTERS && longest <= ENDING_LETTERS
        || stem >= SHORT_STEM_LETTERS && longest <= SHORT_ENDING_LETTERS && by_vowels()
}

fn is_vowel(letter: char) -> bool {
    "aeiouyąęóаеёиоуыэюяіїиёüöäıoóõãàáâèéêìíîòôùúû".contains(letter)
}

fn is_negation(word: &str) -> bool {
    let wide = || {
        word.chars().any(is_wide)
            && NEGATIONS.iter().any(|no| no.chars().any(is_wide) && word.contains(no.as_str()))
    };
    NEGATIONS.contains(word) || word.strip_prefix('و').is_some_and(|word| NEGATIONS.contains(word)) || wide()
}

/// The words of a text as they are written, with where they stand.
fn written_words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_letter = |character: char| character.is_alphanumeric() || character == '.';
    let is_number = |character: char| as_ascii_digit(character).is_ascii_digit() || character == '.';
    let mut words: Vec<(usize, &str)> = Vec::new();
    for (at, character) in text.char_indices().filter(|(_, character)| is_letter(*character)) {
        match words.last_mut() {
            Some((start, word))
                if *start + word.len() == at
                    && !(word.chars().any(is_wide) && is_number(character)
                        || word.chars().all(is_number) && is_wide(character)) =>
            {
                *word = &text[*start..at + character.len_utf8()];
            }
            _ => words.push((at, &text[at..at + character.len_utf8()])),
        }
    }
    words.into_iter().map(|(start, word)| (start, word.trim_end_matches('.')))
}

/// A value as a text writes it.
fn as_written(text: &str, value: &str) -> Option<String> {
    let is_it = |word: &str| tokens(word).first().is_some_and(|first| first == value);
    written_words(text).find(|(_, word)| is_it(word)).map(|(_, word)| word.to_owned())
}

/// A text with another value in the place of one that it has once.
fn with_value(text: &str, value: &str, instead: &str) -> Option<String> {
    let is_it = |word: &str| tokens(word).as_slice() == [value];
    let mut places = written_words(text).filter(|(_, word)| is_it(word));
    let (at, word) = places.next().filter(|_| places.next().is_none())?;
    Some(format!("{}{instead}{}", &text[..at], &text[at + word.len()..]))
}

/// Whether a text gives one value and says that another one is wrong.
pub(super) fn gives_another_value(text: &str) -> bool {
    !text.trim_end().ends_with(['?', '？', '؟']) && denied_and_given(&tokens(text)).is_some()
}

/// Whether a text says that something is over. Who asks, or only thinks of it, does not.
pub(super) fn is_said(text: &str) -> bool {
    says_an_end(text, &ReadWords::of(text))
}

fn says_an_end(text: &str, read: &ReadWords) -> bool {
    !text.trim_end().ends_with(['?', '？', '؟']) && PHRASES.stand_in(read) && !UNREAL.stand_in(read)
}

/// Words that set what holds against what does not.
const BUT: &[&str] =
    &[" but ", " sondern ", " sino ", " mais ", " mas ", " ma ", " maar ", " ale ", " но ", " ama "];

/// Whether a text denies something that it names: "no longer at Meta, I work for Stripe" denies Meta.
pub(super) fn denies(text: &str, named: &str) -> bool {
    let named = fold(named);
    if named.trim().is_empty() {
        return false;
    }
    let mut text = text.to_owned();
    for word in BUT {
        text = text.replace(word, ", ");
    }
    let clauses = text.split([',', ';', ':', '.', '—', '，', '、', '。', '；']);
    let mut naming = clauses.filter(|clause| fold(clause).contains(&named)).peekable();
    naming.peek().is_some() && naming.all(|clause| DENIALS.stand_in(&ReadWords::of(clause)))
}

/// Whether somebody is no more to the user what a statement says they are, as they died or as the two have parted.
pub(super) fn is_of_a_loss(later: &str, relation: &str) -> bool {
    let read = ReadWords::of(later);
    DEATHS.stand_in(&read) || PARTINGS.stand_in(&read) && PARTNERS.stand_in(&ReadWords::of(relation))
}

/// Hiragana, which is mostly endings, the commonest letters of Chinese, and the syllables that most Korean sentences end with.
fn is_function(character: char) -> bool {
    matches!(character, '\u{3040}'..='\u{309F}') || FUNCTION_LETTERS.contains(character)
}

/// What begins with a digit, or is a word for a number; a name may end with one.
fn is_number(word: &str) -> bool {
    word.starts_with(|character: char| character.is_ascii_digit()) || NUMBERS.contains(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_say_in_fifteen_languages_that_something_is_over() {
        for said in [
            "I no longer work at Meta.",
            "I don't live in Leeds anymore",
            "Turns out I'm not allergic to nuts after all.",
            "Ich arbeite nicht mehr bei Bosch.",
            "Wir haben doch kein Auto",
            "Ya no me gusta el café",
            "Je ne travaille plus chez Orange.",
            "Je n'ai plus de chien",
            "Non vivo più a Torino.",
            "Já não moro em Lisboa",
            "Não trabalho mais na Vale",
            "Ik werk niet meer bij Philips",
            "Już nie mieszkam w Łodzi",
            "Я больше не работаю в школе",
            "Artık Ankara'da oturmuyorum",
            "لم أعد أعمل في البنك",
            "मैं अब पुणे में नहीं रहता",
            "我已经不在腾讯上班了",
            "もう東京には住んでいません",
            "이제 커피는 안 마셔요",
        ] {
            assert!(is_said(said), "{said}");
        }
        for said in [
            "I work at Meta.",
            "Ich wohne in Bonn.",
            "I'm allergic to nuts",
            "Me gusta mucho el café",
            "Je travaille plus que mon frère",
            "我在腾讯上班",
            "東京に住んでいます",
            "I haven't quit smoking yet",
            "I'm thinking of quitting my job at Bosch",
            "What happens to my pension if I quit at Bosch?",
            "I'm left-handed and play guitar",
            "Der Yogakurs findet dienstags statt",
            "我不太舒服，又喝咖啡了",
        ] {
            assert!(!is_said(said), "{said}");
        }
    }

    #[test]
    fn who_parts_from_a_partner_is_no_more_with_them() {
        let analyser = Analyser::default();
        let heard = |text| HeardStatement::of(text, &analyser);
        let parts = |later, earlier| heard(later).parts_from(&heard(earlier));
        assert!(parts("Paul and I got divorced.", "I'm married to Paul."));
        assert!(parts("Jonas und ich haben uns getrennt.", "Mein Freund heißt Jonas."));
        assert!(parts("我和陈浩分手了。", "我男朋友叫陈浩。"));
        assert!(!parts("Daniela got divorced.", "My husband is Daniel."));
        assert!(!parts("Mi novia y yo terminamos de pintar la casa", "Mi novia se llama Ana"));
        assert!(!parts("My wife's parents got divorced", "My wife is a nurse"));
        assert!(!parts("My sister Ana got divorced.", "I'm married to Paul."));
        assert!(!parts("Paul and I got divorced.", "Paul is allergic to nuts."));
    }

    #[test]
    fn what_a_sentence_names_is_denied_or_told() {
        assert!(denies("Ya no me gusta el café.", "el café"));
        assert!(denies("I no longer work at Meta, I work at Stripe now", "Meta"));
        assert!(!denies("I no longer work at Meta, I work at Stripe now", "Stripe"));
        assert!(!denies("I no longer live in Munich but in Berlin", "Berlin"));
        assert!(!denies("I no longer live in Munich", ""));
        assert!(!denies("I moved from Porto to Lisbon", "Lisbon"));
    }

    #[test]
    fn a_value_is_corrected_in_its_statement() {
        let analyser = Analyser::default();
        for (later, earlier, corrected_to) in [
            ("Actually 3.12, not 3.11.", "User uses Python 3.11", Some("User uses Python 3.12")),
            (
                "Eigentlich der 12., nicht der 13.",
                "Der Termin ist am 13. März",
                Some("Der Termin ist am 12. März"),
            ),
            ("3.11じゃなくて 3.12 です", "Python 3.11 を使っています", None),
            (
                "It costs 40 now and not 30 as before",
                "The course costs 30 euros",
                Some("The course costs 40 euros"),
            ),
            ("I ran 12 km, then 13 km", "I ran 13 km", None),
            ("not 3.11", "User uses Python 3.11", None),
        ] {
            assert_eq!(
                HeardStatement::of(later, &analyser).corrected(earlier).as_deref(),
                corrected_to,
                "{later}"
            );
        }
    }

    #[test]
    fn another_measure_of_the_same_is_measured_anew() {
        let analyser = Analyser::default();
        let anew = |later: &str, earlier: &str| {
            HeardStatement::of(later, &analyser).measures_anew(&HeardStatement::of(earlier, &analyser))
        };
        assert!(anew("the doctor put me up to 20 mg of ramipril", "I take 10mg ramipril every morning"));
        assert!(anew("der Arzt gibt mir jetzt Ramipril 5 mg", "Ramipril 10mg morgens"));
        for (later, earlier) in [
            ("I take 5 mg of amlodipine", "I take 10 mg of ramipril at six"),
            ("My GP added amlodipine 5 mg every morning", "she prescribed ramipril 10 mg every morning"),
            ("ibuprofen 400 mg twice a day", "metformin 500 mg twice a day"),
            ("the nursery is 600 pounds every month", "the rent is 950 pounds every month"),
            ("I run 10 km every Saturday", "I swim 2 km every Tuesday"),
            ("metformin 500 mg at night, metformin 250 mg at noon", "metformin 850 mg in the morning"),
        ] {
            assert!(!anew(later, earlier), "another thing: {later}");
        }
        assert!(!anew("10 mg of ramipril again", "10 mg of ramipril"), "the same number");
        assert!(!anew("ramipril at 7", "10 mg of ramipril"), "no measure");
    }

    #[test]
    fn another_number_of_the_same_is_another_value() {
        let analyser = Analyser::default();
        let heard = |text| HeardStatement::of(text, &analyser);
        let another = |later, earlier| heard(later).gives_another_value_than(&heard(earlier));
        assert!(another("My office is on the fifth floor.", "My office is on the third floor."));
        assert!(another("The rent for the flat is 900 euros", "The rent for the flat is 850 euros"));
        assert!(!another("I own a boat called Heron2", "I own a boat called Heron1"));
        assert!(!another("My first son is called Tim", "My second son is called Tom"));
        assert!(!another("My office is on the fifth floor.", "My office is on the fifth floor"));
    }
}
