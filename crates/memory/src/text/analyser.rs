//! The analyser: from a text to the terms it is found by, the same for documents and for queries.
//!
//! Two sequences come out. `surface` is every token in order, for phrases, prefixes and stop words. `stems` is what
//! the ranking counts: the words that mean something, each as its Snowball stem in the configured languages whose
//! script fits. A word of a script that no configured language has is kept as it is: the analyser never guesses a
//! language, so a name, a Russian word under an English configuration, or a pair of Han characters stays findable.
//!
//! Words are folded before they are stemmed. A stemmer that sees the accents knows a few endings more, but then
//! `resume` and `résumé` would be two words, and which one a person types depends on the keyboard. One stem a word and
//! not its surface beside it, because that was measured to rank better (`xquad.rs`: English 93.5 against 93.3 %, Russian
//! 90.8 against 89.7 %) and halves the index. For the same reason a word that several languages could claim goes through
//! their stemmers in turn instead of getting a stem of each (Spanish under English and Spanish: 92.7 against 90.7 %).

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use rust_stemmers::Stemmer;

use super::script::script_of;
use super::segment::{Segment, segment};
use crate::language::{Language, WordScript};

/// Changes whenever the same record would give other tokens, so that a store knows its index is old.
pub const ANALYSER_VERSION: u32 = 2;

/// What a text is indexed by.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Analysed {
    /// Every token in order, stop words included.
    pub surface: Vec<String>,
    /// The ranked terms in order: see [`Analyser::ranked_terms`].
    pub stems: Vec<String>,
}

/// One word of a query: what it looks like and what it is ranked by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryWord {
    pub surface: String,
    /// None for a stop word, which is then looked for by its surface.
    pub stem: Option<String>,
}

pub struct Analyser {
    /// Sorted and without repetition, so that equal configurations have equal signatures.
    languages: Vec<Language>,
    stemmers: Vec<(WordScript, Stemmer)>,
    /// Folded, of all configured languages.
    stop_words: HashSet<String>,
}

impl Analyser {
    pub fn new(languages: &[Language]) -> Self {
        let mut languages = languages.to_vec();
        languages.sort_unstable();
        languages.dedup();
        let stemmers = languages
            .iter()
            .filter_map(|language| {
                let search = language.tables().search.as_ref()?;
                Some((language.script(), Stemmer::create(search.stemmer)))
            })
            .collect();
        let stop_words = collect_stop_words(&languages);
        Self { languages, stemmers, stop_words }
    }

    pub fn languages(&self) -> &[Language] {
        &self.languages
    }

    /// Names what this analyser does to a text: `1:en`. Stored beside an index, which is rebuilt when it differs.
    pub fn signature(&self) -> String {
        let codes: Vec<&str> = self.languages.iter().map(|language| language.code()).collect();
        format!("{ANALYSER_VERSION}:{}", codes.join("+"))
    }

    /// Both sequences of a text, in one pass.
    pub fn analyse(&self, text: &str) -> Analysed {
        let mut analysed = Analysed::default();
        segment(text, |token| {
            if token.has_position() {
                analysed.surface.push(token.text().to_owned());
            }
            analysed.stems.extend(self.rank(token).map(Cow::into_owned));
        });
        analysed
    }

    /// Every token of the text in order.
    pub fn surface(&self, text: &str) -> Vec<String> {
        let mut surface = Vec::new();
        segment(text, |token| {
            if token.has_position() {
                surface.push(token.text().to_owned());
            }
        });
        surface
    }

    /// What the ranking counts, in order: for each word that is not a stop word its stem, for unspaced scripts the
    /// pairs (and the single Han characters), and emoji. Documents and queries go through the same function.
    pub fn ranked_terms(&self, text: &str) -> Vec<String> {
        let mut terms = Vec::new();
        segment(text, |token| terms.extend(self.rank(token).map(Cow::into_owned)));
        terms
    }

    /// The ranked terms of a query, or, if it has none, its stop words as they stand: somebody who asks "who is it"
    /// is better served by whatever contains these words (they are in every document's `surface`) than by nothing.
    /// Documents must not do this, or the words would count in some documents and not in others.
    pub fn query_terms(&self, text: &str) -> Vec<String> {
        let terms = self.ranked_terms(text);
        if terms.is_empty() { self.surface(text) } else { terms }
    }

    /// The words of a text one by one, stop words included. A Han character inside a run counts as a word here.
    pub fn words(&self, text: &str) -> Vec<QueryWord> {
        let mut words = Vec::new();
        segment(text, |token| {
            words.push(QueryWord {
                surface: token.text().to_owned(),
                stem: self.rank(token).map(Cow::into_owned),
            });
        });
        words
    }

    /// Whether a surface token is a stop word of a configured language.
    pub fn is_stop_word(&self, token: &str) -> bool {
        self.stop_words.contains(token)
    }

    /// The term a token is ranked by; none for a stop word.
    fn rank<'a>(&self, token: Segment<'a>) -> Option<Cow<'a, str>> {
        match token {
            Segment::Word(word) if self.is_stop_word(word) => None,
            Segment::Word(word) => Some(self.stem(word)),
            Segment::Pair(_) | Segment::Character(_) | Segment::Emoji(_) => Some(Cow::Borrowed(token.text())),
        }
    }

    /// The stem of a word by every stemmer that fits its script, one after another.
    fn stem<'a>(&self, word: &'a str) -> Cow<'a, str> {
        if word.starts_with(|first: char| first.is_ascii_digit()) {
            return Cow::Borrowed(without_ordinal_ending(word));
        }
        let script = script_of(word);
        let mut stem = Cow::Borrowed(word);
        for (_, stemmer) in self.stemmers.iter().filter(|(fitting, _)| *fitting == script) {
            let shorter = match stem {
                Cow::Borrowed(word) => stemmer.stem(word),
                Cow::Owned(word) => Cow::Owned(stemmer.stem(&word).into_owned()),
            };
            if shorter.is_empty() {
                return Cow::Borrowed(word);
            }
            stem = shorter;
        }
        stem
    }
}

impl Default for Analyser {
    /// English only.
    fn default() -> Self {
        Self::new(&[Language::English])
    }
}

impl fmt::Debug for Analyser {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Analyser").field(&self.signature()).finish()
    }
}

fn collect_stop_words(languages: &[Language]) -> HashSet<String> {
    let mut collected = HashSet::new();
    for search in languages.iter().filter_map(|language| language.tables().search.as_ref()) {
        collected.extend(words_of(search.stop_words));
    }
    if languages.contains(&Language::English) {
        for word in words_of(Language::english_content_words()) {
            collected.remove(&word);
        }
    }
    collected
}

fn words_of(list: &str) -> Vec<String> {
    let mut words = Vec::new();
    segment(list, |token| words.push(token.text().to_owned()));
    words
}

/// `7th` is the number 7: people write dates both ways. Other words that begin with a digit have no endings.
fn without_ordinal_ending(word: &str) -> &str {
    ["st", "nd", "rd", "th"]
        .iter()
        .find_map(|ending| word.strip_suffix(ending))
        .filter(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
        .unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::Language::{English, French, German, Russian, Spanish};
    use super::*;
    use proptest::prelude::*;

    fn check(languages: &[Language], text: &str, expected: &str) {
        let analyser = Analyser::new(languages);
        assert_eq!(analyser.ranked_terms(text).join(" "), expected, "{text:?} as {analyser:?}");
    }

    #[test]
    fn ranked_terms_are_stems_without_stop_words() {
        check(&[English], "What's the user's favourite running shoe?", "user favourit run shoe");
        check(&[English], "résumés and resumes", "resum resum");
        check(&[English], "I don't know, can’t say", "know say");
        check(&[English], "May 7th, 2023 at 3.14", "may 7 2023 3·14");
        check(&[English], "Caroline met Mel", "carolin met mel");
        check(&[English], "who is it", "");
        check(&[English], "🎸 lessons", "🎸 lesson");
        check(&[], "Running the shoes", "running the shoes");
    }

    #[test]
    fn no_language_is_guessed() {
        check(&[English], "собаки бежали", "собаки бежали");
        check(&[Russian], "собаки бежали running", "собак бежа running");
        check(&[English, Russian], "собаки were running", "собак run");
        check(&[Spanish], "las canciones", "cancion");
        check(&[English], "東京で runs", "東京 東 京で 京 run");
        check(&[English], "हिन्दी भाषा", "हिन्दी भाषा");
    }

    #[test]
    fn languages_of_one_script_stem_in_turn() {
        check(&[English, German], "Häuser houses", "haus hous");
        check(&[English, French], "my son", "son");
        check(&[French], "l'homme et son chien", "homm chien");
    }

    #[test]
    fn surface_has_every_token_and_queries_fall_back_to_it() {
        let analyser = Analyser::default();
        assert_eq!(analyser.surface("Who is it? 我喝茶"), ["who", "is", "it", "我喝", "喝茶"]);
        assert_eq!(analyser.query_terms("Who is it?"), ["who", "is", "it"]);
        assert_eq!(analyser.query_terms("Who is Caroline?"), ["carolin"]);
        assert!(analyser.query_terms("?!").is_empty());
    }

    #[test]
    fn the_signature_names_the_configuration() {
        assert_eq!(Analyser::default().signature(), "2:en");
        assert_eq!(Analyser::new(&[German, English, German]).signature(), "2:en+de");
        assert_eq!(Analyser::new(&[]).signature(), "2:");
    }

    #[test]
    fn stop_words_are_folded_like_text() {
        let analyser = Analyser::new(&[English, Spanish]);
        for word in ["dont", "the", "tambien", "que"] {
            assert!(analyser.is_stop_word(word), "{word}");
        }
        assert!(!analyser.is_stop_word("son"));
    }

    /// Text as people send it and text as nobody should.
    fn any_text() -> impl Strategy<Value = String> {
        prop_oneof![
            any::<String>(),
            "[a-zA-Z'’.,0-9 -]{0,80}",
            "[àéñößёйςאَ하น食べ👍🏽🇫]{0,30}",
            "[a-zäöüçşğáéíóú ]{1,60}",
            // The scripts that have stemmers of their own.
            "[\u{621}-\u{652} ]{1,30}",
            "[\u{B85}-\u{BCD} ]{1,30}",
            "[α-ωάέ ]{1,30}",
            "[а-яё ]{1,30}",
        ]
    }

    fn is_token(token: &str) -> bool {
        !token.is_empty()
            && token.chars().count() <= crate::text::TOKEN_CHARACTERS_MAXIMUM
            && token.chars().all(|character| {
                !character.is_whitespace() && (!character.is_ascii() || character.is_ascii_alphanumeric())
            })
    }

    proptest! {
        #[test]
        fn tokens_are_clean(text in any_text()) {
            let everything = Analyser::new(&Language::ALL);
            let analysed = everything.analyse(&text);
            for token in analysed.surface.iter().chain(&analysed.stems) {
                prop_assert!(is_token(token), "{:?} from {:?}", token, text);
            }
            prop_assert_eq!(&analysed.surface, &everything.surface(&text));
            prop_assert_eq!(&analysed.stems, &everything.ranked_terms(&text));
        }
    }
}
