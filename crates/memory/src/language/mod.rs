//! The languages, a folder each: what more than one reader knows of a language, and all that its words, days and statements are read by, stands in its folder.
//! Phrases that a single reader looks for (requests not to remember, crises, deadlines, the gate's) stand beside that reader, all languages together.
//!
//! A folder says how search finds the language's word forms ([`SearchTables`]) and, where somebody has written it, which words its time
//! expressions are made of ([`TimeWords`]), and what is understood of what people say in it ([`SpeechTables`]): the distiller's rules, feelings, what
//! secrets are called. To add a language, write its folder and add its line to the list below; a test says which table is missing.
//!
//! This is data, below everything that reads it: nothing here knows the analyser, the distiller or the store. No reader
//! guesses a language either. Search stems what is configured; the others try every language's words on every text, and
//! the words themselves say which language it is.

mod feelings;
mod rule;
mod secrets;
mod time;
mod wishes;

use std::fmt;
use std::str::FromStr;

use rust_stemmers::Algorithm;

pub(crate) use self::feelings::Feelings;
pub(crate) use self::rule::{Dates, DistilRule, Lexicon, RulePlace, SlotWords};
pub(crate) use self::secrets::SecretWords;
pub(crate) use self::time::{DateOrder, Holiday, Season, TimeUnit, TimeWords};
pub(crate) use self::wishes::WishWords;

/// One line a language: its name, and the folder that holds its tables. Alphabetical by name, which is the order in
/// which the stemmers of one script take their turns.
macro_rules! languages {
    ($($name:ident: $folder:ident,)*) => {
        $(pub(crate) mod $folder;)*

        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Language {
            $($name,)*
        }

        impl Language {
            pub const ALL: [Self; [$(stringify!($name)),*].len()] = [$(Self::$name),*];

            /// What stands in the language's folder.
            pub(crate) fn tables(self) -> &'static LanguageTables {
                match self {
                    $(Self::$name => &$folder::TABLES,)*
                }
            }
        }
    };
}

languages! {
    Arabic: ar,
    Chinese: zh,
    Danish: da,
    Dutch: nl,
    English: en,
    Finnish: fi,
    French: fr,
    German: de,
    Greek: el,
    Hindi: hi,
    Hungarian: hu,
    Italian: it,
    Japanese: ja,
    Korean: ko,
    Norwegian: no,
    Polish: pl,
    Portuguese: pt,
    Romanian: ro,
    Russian: ru,
    Spanish: es,
    Swedish: sv,
    Tamil: ta,
    Turkish: tr,
}

/// What is known of one language.
#[derive(Debug)]
pub(crate) struct LanguageTables {
    /// The ISO 639-1 code, as settings write it.
    pub code: &'static str,
    pub script: WordScript,
    /// None for a language that is written without spaces: search finds it by pairs of characters.
    pub search: Option<SearchTables>,
    /// The words of time expressions; None where nobody has written them yet.
    pub time: Option<&'static TimeWords>,
    /// How people say that something is over; None where nobody has written it yet.
    pub endings: Option<&'static EndingWords>,
    /// How people hand over texts and begin games of roles; None where nobody has written it yet.
    pub given: Option<&'static GivenWords>,
    /// How people ask that something be forgotten; None where nobody has written it yet.
    pub wishes: Option<&'static WishWords>,
    /// None for a language that nobody has described yet beyond its word forms.
    pub speech: Option<SpeechTables>,
}

/// How search finds the forms of a word.
#[derive(Debug)]
pub(crate) struct SearchTables {
    pub stemmer: Algorithm,
    /// Words that say nothing about what a text is about, separated by white space: articles, pronouns, prepositions,
    /// conjunctions, auxiliaries and, because memories are asked about in questions, question words. They are folded
    /// like any text, so accents and apostrophes are written as a reader expects them.
    pub stop_words: &'static str,
}

/// How people say that something is over.
#[derive(Debug)]
pub(crate) struct EndingWords {
    /// In words that stand beside each other; `…` for some in between. What is written without spaces is found inside of words.
    pub phrases: &'static [&'static str],
    /// What takes that back: it is only thought of, wished for, or not yet so.
    pub unreal: &'static [&'static str],
    /// How people say that somebody died.
    pub deaths: &'static [&'static str],
    /// How two people part.
    pub partings: &'static [&'static str],
    /// What somebody is called whom one can part from so, separated by white space.
    pub partners: &'static str,
    /// Words that deny what stands beside them, separated by white space.
    pub negations: &'static str,
    /// What a sentence begins with that takes back what was said just before it.
    pub taking_back: &'static [&'static str],
}

/// How people hand over a text that is not about them, and begin a game of roles. Lists of words are separated by white space, with `_` for a space
/// inside one; what is written without spaces is found inside of words.
#[derive(Debug)]
pub(crate) struct GivenWords {
    /// Verbs of working on a text that mean nothing else: "translate", "proofread".
    pub work: &'static str,
    /// Verbs that are said of texts and of facts: "correct".
    pub amend: &'static str,
    /// Verbs that ask for another language where one is named: "say", "put".
    pub say: &'static str,
    pub languages: &'static str,
    /// What points at a text: "this", "the following".
    pub this: &'static str,
    /// What asks whether a text is well written.
    pub right: &'static str,
    /// What asks that a story go on, and what asks for one.
    pub goes_on: &'static str,
    pub writes: &'static str,
    /// Words for texts.
    pub texts: &'static str,
    /// What stands before whom a text is written for: then what follows is told, and not a part of it.
    pub on_behalf: &'static str,
    /// Words for a game of roles, and what invites to one.
    pub play: &'static str,
    pub invites: &'static str,
    /// How the parts are given out, of the one and of the other.
    pub you_are: &'static str,
    pub i_am: &'static str,
    /// What ends such a game.
    pub ends: &'static str,
    /// What makes the speaker somebody else for a turn.
    pub supposes: &'static str,
}

/// What is understood of what people say.
#[derive(Debug)]
pub(crate) struct SpeechTables {
    /// What the distiller reads, and by which words.
    pub lexicon: Lexicon,
    pub feelings: Feelings,
    pub secrets: SecretWords,
    /// Beginnings of a turn that sets up a game of roles, in which "I" is nobody.
    pub role_play: &'static [&'static str],
    /// "don't remember this": nothing is learned from a turn that says it.
    pub memory_refusals: &'static [&'static str],
    /// Verbs that ask to work on a text which then follows, separated by white space.
    pub text_work: &'static str,
    /// Words that begin a greeting or thanks, separated by white space.
    pub greetings: &'static str,
    /// How memories call whom they are about, separated by white space. A reply says "you".
    pub users: &'static str,
    /// Words that carry their full stop with them, without the stop, separated by white space.
    pub abbreviations: &'static str,
}

/// The script of a word, as far as the stemmers care.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WordScript {
    Latin,
    Greek,
    Cyrillic,
    Arabic,
    Tamil,
    Other,
}

/// A code that names none of the languages that search knows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown language `{code}`, expected one of {}", Language::codes())]
pub struct UnknownLanguage {
    pub code: String,
}

impl Language {
    /// The ISO 639-1 code, as settings write it.
    pub fn code(self) -> &'static str {
        self.tables().code
    }

    /// The languages that search can be configured for: those that have a stemmer.
    pub fn searched() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|language| language.tables().search.is_some())
    }

    /// The codes of the languages that search can be configured for, for messages that say what was expected.
    pub fn codes() -> String {
        Self::searched().map(Self::code).collect::<Vec<_>>().join(", ")
    }

    /// The languages that people are understood in, with what is understood.
    pub(crate) fn spoken() -> impl Iterator<Item = (Self, &'static SpeechTables)> {
        Self::ALL.into_iter().filter_map(|language| Some((language, language.tables().speech.as_ref()?)))
    }

    /// The languages whose time expressions are understood, with their words.
    pub(crate) fn timed() -> impl Iterator<Item = (Self, &'static TimeWords)> {
        Self::ALL.into_iter().filter_map(|language| Some((language, language.tables().time?)))
    }

    /// The languages in which people are understood to say that something is over, with how they say it.
    pub(crate) fn ending() -> impl Iterator<Item = &'static EndingWords> {
        Self::ALL.into_iter().filter_map(|language| language.tables().endings)
    }

    /// The languages in which it is understood that a text is handed over, with how.
    pub(crate) fn giving() -> impl Iterator<Item = &'static GivenWords> {
        Self::ALL.into_iter().filter_map(|language| language.tables().given)
    }

    /// The languages in which people are understood to ask that something be forgotten, with how they ask.
    pub(crate) fn wishing() -> impl Iterator<Item = (Self, &'static WishWords)> {
        Self::ALL.into_iter().filter_map(|language| Some((language, language.tables().wishes?)))
    }

    pub(crate) fn script(self) -> WordScript {
        self.tables().script
    }

    /// English words and names with a meaning of their own that are stop words in another language.
    pub(crate) fn english_content_words() -> &'static str {
        en::stop_words::CONTENT_WORDS
    }
}

impl FromStr for Language {
    type Err = UnknownLanguage;

    /// Reads a code in any case, with or without a region: `en`, `EN`, `pt-BR`.
    fn from_str(code: &str) -> Result<Self, UnknownLanguage> {
        let wanted = code.trim().split(['-', '_']).next().unwrap_or_default();
        Self::searched()
            .find(|language| language.code().eq_ignore_ascii_case(wanted))
            .ok_or_else(|| UnknownLanguage { code: code.to_owned() })
    }
}

impl fmt::Display for Language {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.code())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn codes_are_read_back() {
        for language in Language::searched() {
            assert_eq!(language.code().parse(), Ok(language));
        }
        assert_eq!("pt-BR".parse(), Ok(Language::Portuguese));
        assert_eq!(" EN ".parse(), Ok(Language::English));
        let error = "klingon".parse::<Language>().expect_err("no such language");
        assert!(
            error.to_string().starts_with("unknown language `klingon`, expected one of ar, da"),
            "{error}"
        );
        assert!("zh".parse::<Language>().is_err(), "search has no word forms to know");
    }

    #[test]
    fn every_language_has_a_code_of_its_own_and_a_table() {
        let codes: HashSet<&str> = Language::ALL.map(Language::code).into_iter().collect();
        assert_eq!(codes.len(), Language::ALL.len());
        for language in Language::ALL {
            let tables = language.tables();
            let is_known = tables.search.is_some() || tables.time.is_some() || tables.speech.is_some();
            assert!(is_known, "{language} is known by nothing");
        }
    }

    #[test]
    fn every_language_with_words_of_time_has_the_needed_ones() {
        for (language, words) in Language::timed() {
            words.check(language.code());
        }
        assert!(Language::spoken().all(|(language, _)| language.tables().time.is_some()));
    }

    /// A language that people are understood in is understood in full: no reader finds an empty list.
    #[test]
    fn every_spoken_language_fills_every_table() {
        for (language, speech) in Language::spoken() {
            let full = |list: &str, table: &str| assert!(!list.trim().is_empty(), "{language}: no {table}");
            let some = |count: usize, table: &str| assert!(count > 0, "{language}: no {table}");
            let lexicon = &speech.lexicon;
            some(lexicon.rules.iter().map(|rules| rules.len()).sum(), "rules");
            for (list, table) in [
                (lexicon.adverbs, "adverbs"),
                (lexicon.openers, "openers"),
                (lexicon.boundaries, "boundaries"),
                (lexicon.suppositions, "suppositions"),
                (lexicon.questions, "questions"),
                (lexicon.empty_objects, "empty objects"),
                (lexicon.refused_openings, "refused openings"),
                (lexicon.passing, "passing words"),
                (lexicon.durable, "durable words"),
                (speech.feelings.words, "feelings"),
                (speech.feelings.good, "good feelings"),
                (speech.secrets.passwords, "words for passwords"),
                (speech.secrets.harmless, "harmless words"),
                (speech.text_work, "work on texts"),
                (speech.greetings, "greetings"),
                (speech.users, "words for the user"),
            ] {
                full(list, table);
            }
            some(speech.feelings.rules.len(), "rules for feelings");
            some(speech.secrets.verbs.len() + speech.secrets.attached_verbs.len(), "verbs before secrets");
            some(speech.role_play.len(), "games of roles");
            some(speech.memory_refusals.len(), "refusals of memory");
            // Names have capitals and clauses have spaces around their words, but not in every script.
            if !lexicon.unspaced {
                full(lexicon.joints, "joints");
                full(lexicon.clause_words, "clause words");
                full(lexicon.not_names, "words that are no names");
                let search = language.tables().search.as_ref().expect("a spaced language has word forms");
                full(search.stop_words, "stop words");
                full(speech.abbreviations, "abbreviations");
            }
        }
    }
}
