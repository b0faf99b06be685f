//! The languages the analyser can be configured for: those that have a Snowball stemmer.
//!
//! A closed list, named by ISO 639-1 code in settings. Nothing here guesses a language: what is not configured is
//! not stemmed.

use std::fmt;
use std::str::FromStr;

use rust_stemmers::Algorithm;

use super::script::Script;
use super::stop_words;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    Arabic,
    Danish,
    Dutch,
    English,
    Finnish,
    French,
    German,
    Greek,
    Hungarian,
    Italian,
    Norwegian,
    Portuguese,
    Romanian,
    Russian,
    Spanish,
    Swedish,
    Tamil,
    Turkish,
}

/// A language code that names none of the languages.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown language `{code}`, expected one of {}", Language::codes())]
pub struct UnknownLanguage {
    pub code: String,
}

impl Language {
    pub const ALL: [Self; 18] = [
        Self::Arabic,
        Self::Danish,
        Self::Dutch,
        Self::English,
        Self::Finnish,
        Self::French,
        Self::German,
        Self::Greek,
        Self::Hungarian,
        Self::Italian,
        Self::Norwegian,
        Self::Portuguese,
        Self::Romanian,
        Self::Russian,
        Self::Spanish,
        Self::Swedish,
        Self::Tamil,
        Self::Turkish,
    ];

    /// The ISO 639-1 code, as settings write it.
    pub fn code(self) -> &'static str {
        match self {
            Self::Arabic => "ar",
            Self::Danish => "da",
            Self::Dutch => "nl",
            Self::English => "en",
            Self::Finnish => "fi",
            Self::French => "fr",
            Self::German => "de",
            Self::Greek => "el",
            Self::Hungarian => "hu",
            Self::Italian => "it",
            Self::Norwegian => "no",
            Self::Portuguese => "pt",
            Self::Romanian => "ro",
            Self::Russian => "ru",
            Self::Spanish => "es",
            Self::Swedish => "sv",
            Self::Tamil => "ta",
            Self::Turkish => "tr",
        }
    }

    /// All codes, for messages that say what was expected.
    pub fn codes() -> String {
        Self::ALL.map(Self::code).join(", ")
    }

    pub(crate) fn script(self) -> Script {
        match self {
            Self::Arabic => Script::Arabic,
            Self::Greek => Script::Greek,
            Self::Russian => Script::Cyrillic,
            Self::Tamil => Script::Tamil,
            _ => Script::Latin,
        }
    }

    pub(crate) fn algorithm(self) -> Algorithm {
        match self {
            Self::Arabic => Algorithm::Arabic,
            Self::Danish => Algorithm::Danish,
            Self::Dutch => Algorithm::Dutch,
            Self::English => Algorithm::English,
            Self::Finnish => Algorithm::Finnish,
            Self::French => Algorithm::French,
            Self::German => Algorithm::German,
            Self::Greek => Algorithm::Greek,
            Self::Hungarian => Algorithm::Hungarian,
            Self::Italian => Algorithm::Italian,
            Self::Norwegian => Algorithm::Norwegian,
            Self::Portuguese => Algorithm::Portuguese,
            Self::Romanian => Algorithm::Romanian,
            Self::Russian => Algorithm::Russian,
            Self::Spanish => Algorithm::Spanish,
            Self::Swedish => Algorithm::Swedish,
            Self::Tamil => Algorithm::Tamil,
            Self::Turkish => Algorithm::Turkish,
        }
    }

    /// The words that say nothing about what a text is about, separated by white space.
    pub(crate) fn stop_words(self) -> &'static str {
        match self {
            Self::Danish => stop_words::DANISH,
            Self::Dutch => stop_words::DUTCH,
            Self::English => stop_words::ENGLISH,
            Self::French => stop_words::FRENCH,
            Self::German => stop_words::GERMAN,
            Self::Italian => stop_words::ITALIAN,
            Self::Norwegian => stop_words::NORWEGIAN,
            Self::Portuguese => stop_words::PORTUGUESE,
            Self::Russian => stop_words::RUSSIAN,
            Self::Spanish => stop_words::SPANISH,
            Self::Swedish => stop_words::SWEDISH,
            // Without a list nothing is lost: frequent words weigh little in the ranking anyway.
            Self::Arabic
            | Self::Finnish
            | Self::Greek
            | Self::Hungarian
            | Self::Romanian
            | Self::Tamil
            | Self::Turkish => "",
        }
    }
}

impl FromStr for Language {
    type Err = UnknownLanguage;

    /// Reads a code in any case, with or without a region: `en`, `EN`, `pt-BR`.
    fn from_str(code: &str) -> Result<Self, UnknownLanguage> {
        let wanted = code.trim().split(['-', '_']).next().unwrap_or_default();
        Self::ALL
            .into_iter()
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
    use super::*;

    #[test]
    fn codes_are_read_back() {
        for language in Language::ALL {
            assert_eq!(language.code().parse(), Ok(language));
        }
        assert_eq!("pt-BR".parse(), Ok(Language::Portuguese));
        assert_eq!(" EN ".parse(), Ok(Language::English));
        let error = "klingon".parse::<Language>().expect_err("no such language");
        assert!(
            error.to_string().starts_with("unknown language `klingon`, expected one of ar, da"),
            "{error}"
        );
    }
}
