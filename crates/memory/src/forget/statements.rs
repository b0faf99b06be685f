//! Whether a text tells again what is forgotten, whoever says it and in whichever words.
//!
//! A sentence does that if it is the one that a memory quotes; if all words of the one are in the other; if it names what the
//! memory is about (its object, or its names with half of its other words); or if it stands in the reply to what is
//! forgotten and speaks of the same. Likeness alone would not do, because neighbours differ in one word: "my brother lives in
//! Toronto" is not what is forgotten with "my sister lives in Toronto". So a sentence that is nearer to something that stays is that one's.

use std::collections::{BTreeMap, BTreeSet};

use crate::learn::ending::speaks_of_a_relative;
use crate::text::similarity::{jaccard, word_set};
use crate::text::{Analyser, fold};
use crate::types::Memory;

/// Words that a statement has at least before another text is said to repeat it.
const TELLING_WORDS: usize = 2;

/// Letters of a quotation from which on it is that sentence and no other.
const TELLING_LETTERS: usize = 8;

/// The subject of statements about people close to the user.
const PEOPLE: &str = "people";

/// How the house speaks of whoever it remembers: no word of theirs.
const HOUSE_WORDS: [&str; 2] = ["user", "users"];

/// What is forgotten, as other texts may repeat it.
#[derive(Debug, Default)]
pub struct ForgottenStatements {
    statements: Vec<ForgottenStatement>,
    /// Which statements have a word.
    places: BTreeMap<String, Vec<usize>>,
    /// What stays, as sets of words.
    staying: Vec<BTreeSet<String>>,
    /// Names of people of whom nothing that stays tells.
    people: BTreeSet<String>,
}

#[derive(Debug, Default)]
struct ForgottenStatement {
    words: BTreeSet<String>,
    /// The words of what it is about, where that is known.
    object: BTreeSet<String>,
    /// Names and numbers in it.
    names: BTreeSet<String>,
    /// Names of people, where it is about somebody close to the user.
    people: BTreeSet<String>,
    /// What it rests on, letters and digits alone.
    quote: String,
}

impl ForgottenStatements {
    /// What texts say, by their words alone.
    pub fn of_texts<'a>(texts: impl IntoIterator<Item = &'a str>, analyser: &Analyser) -> Self {
        let statement = |text: &str| ForgottenStatement {
            words: told_words(text, analyser),
            ..ForgottenStatement::default()
        };
        Self::new(texts.into_iter().map(statement).collect(), Vec::new())
    }

    /// What memories say and rest on, beside those that stay.
    pub fn of_memories<'a>(
        memories: impl IntoIterator<Item = &'a Memory>,
        staying: impl IntoIterator<Item = &'a Memory>,
        analyser: &Analyser,
    ) -> Self {
        let statements =
            memories.into_iter().map(|memory| ForgottenStatement::of(memory, analyser)).collect();
        let words = |memory: &Memory| {
            let mut words = told_words(&memory.content, analyser);
            words.extend(memory.evidence.iter().flat_map(|quote| told_words(quote, analyser)));
            words
        };
        let told = |memory: &'a Memory| [told_words(&memory.content, analyser), words(memory)];
        Self::new(statements, staying.into_iter().flat_map(told).collect())
    }

    fn new(statements: Vec<ForgottenStatement>, staying: Vec<BTreeSet<String>>) -> Self {
        let mut places: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (place, statement) in statements.iter().enumerate() {
            for word in statement.words.union(&statement.object) {
                places.entry(word.clone()).or_default().push(place);
            }
        }
        let named = statements.iter().flat_map(|statement| &statement.people);
        let people =
            named.filter(|name| !staying.iter().any(|stays| stays.contains(*name))).cloned().collect();
        Self { statements, places, staying, people }
    }

    pub fn is_empty(&self) -> bool {
        self.statements.is_empty()
    }

    /// Whether a sentence tells it again.
    pub fn are_told_by(&self, sentence: &str, analyser: &Analyser) -> bool {
        self.are_told(sentence, analyser, false)
    }

    /// The same of a sentence in the reply to it, where less says enough.
    pub fn are_told_in_reply_by(&self, sentence: &str, analyser: &Analyser) -> bool {
        self.are_told(sentence, analyser, true)
    }

    /// Whether a sentence names somebody of whom nothing else is known: what an assistant says of them it has from what is forgotten.
    pub fn are_given_away_by(&self, sentence: &str, analyser: &Analyser) -> bool {
        !self.people.is_empty() && !self.people.is_disjoint(&told_words(sentence, analyser))
    }

    /// Whether another memory says one of them again: it rests on the same sentence and has all its words, or has its words and no others.
    pub fn are_said_again_by(&self, memory: &Memory, analyser: &Analyser) -> bool {
        let other = ForgottenStatement::of(memory, analyser);
        let again = |statement: &ForgottenStatement| {
            let shares_quote = !statement.quote.is_empty()
                && !other.quote.is_empty()
                && (statement.quote.contains(&other.quote) || other.quote.contains(&statement.quote));
            let telling = statement.words.len() >= TELLING_WORDS;
            telling
                && (statement.words == other.words || shares_quote && statement.words.is_subset(&other.words))
        };
        self.statements.iter().any(again)
    }

    fn are_told(&self, sentence: &str, analyser: &Analyser, in_reply: bool) -> bool {
        if self.is_empty() || sentence.trim().is_empty() {
            return false;
        }
        let letters = letters(sentence);
        if self.statements.iter().any(|statement| statement.is_quoted_by(&letters)) {
            return true;
        }
        let words = told_words(sentence, analyser);
        let near: BTreeSet<usize> =
            words.iter().filter_map(|word| self.places.get(word)).flatten().copied().collect();
        near.into_iter().map(|place| &self.statements[place]).any(|statement| {
            let tells = statement.is_told_by(&words) || in_reply && statement.is_answered_by(&words);
            tells && !self.is_rather_of_what_stays(statement, &words)
        })
    }

    /// Something that stays says what the sentence shares with the statement, and is nearer to the sentence.
    fn is_rather_of_what_stays(&self, statement: &ForgottenStatement, sentence: &BTreeSet<String>) -> bool {
        let shared: BTreeSet<&String> = statement.words.intersection(sentence).collect();
        let likeness = jaccard(sentence, &statement.words);
        let nearer = |stays: &BTreeSet<String>| {
            shared.iter().all(|word| stays.contains(*word)) && jaccard(sentence, stays) > likeness
        };
        self.staying.iter().any(nearer)
    }
}

impl ForgottenStatement {
    fn of(memory: &Memory, analyser: &Analyser) -> Self {
        let quote = memory.evidence.as_deref().unwrap_or_default();
        let object = memory.object.as_deref().map(|object| told_words(object, analyser)).unwrap_or_default();
        let mut words = told_words(&memory.content, analyser);
        words.extend(object.iter().cloned());
        let named = names(&memory.content).join(" ");
        let names = if named.is_empty() { BTreeSet::new() } else { told_words(&named, analyser) };
        let of_somebody =
            memory.category.as_deref() == Some(PEOPLE) || speaks_of_a_relative(&memory.content, analyser);
        let is_name = |name: &&String| of_somebody && name.chars().all(char::is_alphabetic);
        let people = names.iter().filter(is_name).cloned().collect();
        Self { words, object, names, people, quote: letters(quote) }
    }

    fn is_quoted_by(&self, sentence: &str) -> bool {
        let quote = self.quote.as_str();
        let enough = |text: &str| text.chars().count() >= TELLING_LETTERS;
        enough(quote) && sentence.contains(quote) || enough(sentence) && quote.contains(sentence)
    }

    fn is_told_by(&self, sentence: &BTreeSet<String>) -> bool {
        let within = |one: &BTreeSet<String>, other: &BTreeSet<String>| {
            one.len() >= TELLING_WORDS && one.is_subset(other)
        };
        let shared = self.words.intersection(sentence).count();
        let named = !self.names.is_empty() && self.names.is_subset(sentence);
        let half = shared >= TELLING_WORDS && shared * 2 >= self.words.len();
        // "buy hay" is no part of what was decided about quokkas, unless they are named.
        let of_note = self.object.union(&self.names).any(|word| sentence.contains(word));
        let plain = self.object.is_empty() && self.names.is_empty();
        within(&self.words, sentence)
            || within(sentence, &self.words) && (plain || of_note)
            || !self.object.is_empty() && self.object.is_subset(sentence)
            || named && half
    }

    fn is_answered_by(&self, sentence: &BTreeSet<String>) -> bool {
        let shared: Vec<&String> = self.words.intersection(sentence).collect();
        let of_note = |word: &&String| self.object.contains(*word) || self.names.contains(*word);
        let plain = self.object.is_empty() && self.names.is_empty();
        shared.len() >= TELLING_WORDS || shared.iter().any(of_note) || plain && !shared.is_empty()
    }
}

fn told_words(text: &str, analyser: &Analyser) -> BTreeSet<String> {
    let mut words = word_set(text, analyser);
    words.retain(|word| !HOUSE_WORDS.contains(&word.as_str()));
    words
}

/// Letters and digits alone, folded: punctuation and spaces do not make another sentence.
fn letters(text: &str) -> String {
    fold(text).chars().filter(|character| character.is_alphanumeric()).collect()
}

/// Words with a capital letter that begin no sentence, and words with a digit.
fn names(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut begins = true;
    for word in text.split_whitespace() {
        let bare = word.trim_matches(|character: char| !character.is_alphanumeric());
        let capital = bare.chars().next().is_some_and(char::is_uppercase) && bare.chars().count() > 1;
        let number = bare.chars().any(|character| character.is_ascii_digit());
        let ours = HOUSE_WORDS.contains(&bare.to_lowercase().as_str());
        if (capital && !begins || number) && !ours {
            found.push(bare);
        }
        begins = word.ends_with(['.', '!', '?', ':']);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Kind, MemoryId, Owner, TenantId, Time};

    fn memory(content: &str, object: Option<&str>, evidence: Option<&str>) -> Memory {
        let id: MemoryId = "mt_01890a5d-ac96-774b-bcce-b302099a8057".parse().expect("an id");
        let (tenant, owner) = (TenantId::local(), Owner::unnamed());
        let mut memory = Memory::new(id, tenant, &owner, Kind::Fact, content.to_owned(), Time::MIN);
        memory.object = object.map(str::to_owned);
        memory.evidence = evidence.map(str::to_owned);
        memory
    }

    fn check(forgotten: &Memory, staying: &[Memory], cases: &[(&str, bool)]) {
        let analyser = Analyser::default();
        let statements = ForgottenStatements::of_memories([forgotten], staying, &analyser);
        for (sentence, expected) in cases {
            assert_eq!(
                statements.are_told_by(sentence, &analyser),
                *expected,
                "{}: {sentence}",
                forgotten.content
            );
        }
    }

    #[test]
    fn what_repeats_a_statement_says_it_and_a_neighbour_does_not() {
        let analyser = Analyser::default();
        let said = ForgottenStatements::of_texts(["User keeps quokkas9172 in Bergen"], &analyser);
        for (text, expected) in [
            ("The user keeps quokkas9172 in Bergen, they said", true),
            ("keeps quokkas9172", true),
            ("User keeps quokkas9173 in Bergen", false),
            ("Bergen", false),
            ("", false),
        ] {
            assert_eq!(said.are_told_by(text, &analyser), expected, "{text}");
        }
    }

    #[test]
    fn who_names_what_it_is_about_tells_it() {
        let quote = "My name is Mara, I work as a nurse in Leeds and I'm allergic to peanuts.";
        let allergy = memory("User is allergic to peanuts", Some("peanuts"), Some(quote));
        let job = memory("User works as a nurse in Leeds", Some("nurse"), Some(quote));
        check(
            &allergy,
            &[job],
            &[
                (quote, true),
                ("I'm allergic to peanuts", true),
                ("Noted: no peanuts for you, Mara.", true),
                ("You work as a nurse in Leeds.", false),
                ("I'm allergic to cats", false),
            ],
        );
        let clara = memory("My friend Clara is getting divorced", None, None);
        check(
            &clara,
            &[],
            &[
                ("I'm sorry to hear about Clara's divorce, getting divorced is hard.", true),
                ("Clara came by for tea", false),
                ("my friend Tom is getting married", false),
            ],
        );
    }

    #[test]
    fn what_stays_keeps_its_own_sentences() {
        let sister = memory("User's sister lives in Toronto", Some("Toronto"), None);
        let brother = memory("User's brother lives in Toronto", Some("Toronto"), None);
        check(
            &sister,
            &[brother],
            &[("My brother lives in Toronto", false), ("my sister lives in Toronto", true)],
        );
    }

    #[test]
    fn who_is_known_by_nothing_else_is_not_named_to_the_user() {
        let analyser = Analyser::default();
        let olly = memory("My brother Olly went into rehab last month", None, None);
        let ida = memory("My sister Ida lives in Bergen", None, None);
        let check = |staying: &[&Memory], sentence: &str| {
            let staying = staying.iter().copied();
            ForgottenStatements::of_memories([&olly], staying, &analyser)
                .are_given_away_by(sentence, &analyser)
        };
        assert!(check(&[&ida], "Keep Sunday free for visiting Olly at the clinic."));
        assert!(!check(&[&ida], "Keep Sunday free for visiting Ida."));
        let plays = memory("Olly plays chess", None, None);
        assert!(!check(&[&ida, &plays], "Keep Sunday free for visiting Olly."));
        let home = memory("User lives in Leeds", Some("Leeds"), None);
        let statements = ForgottenStatements::of_memories([&home], [], &analyser);
        assert!(!statements.are_given_away_by("Trains to Leeds run twice an hour.", &analyser));
    }

    #[test]
    fn a_reply_says_less_and_tells_it_all_the_same() {
        let analyser = Analyser::default();
        let job = memory("got a new job at stripe!!", None, None);
        let statements = ForgottenStatements::of_memories([&job], [], &analyser);
        assert!(statements.are_told_in_reply_by("Congratulations, Stripe is lucky!", &analyser));
        assert!(!statements.are_told_by("Congratulations, Stripe is lucky!", &analyser));
        assert!(!statements.are_told_in_reply_by("Shall we look at the recipe?", &analyser));
    }
}
