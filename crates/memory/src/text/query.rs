//! Queries: any text a person or a model types, read so that it always means something.
//!
//! Most text is plain: its words are alternatives, and the ranking sorts out which matter. Text that really uses an
//! operator (a quoted phrase, upper-case `AND`, `OR`, `NOT` between operands, a word ending in `*`) becomes an
//! expression that filters. Whatever does not parse (an inch sign, a smiley, a dangling `AND`, a sentence in capitals) is
//! plain again: a query never fails and never reaches the store as syntax, because every token is quoted.
//!
//! ```text
//! either   = both { "OR" both }
//! both     = sequence { ( "AND" | "NOT" | "AND" "NOT" ) sequence }
//! sequence = ( "phrase" | prefix* | word | "(" either ")" ) ...
//! ```
//!
//! Side by side, phrases and parentheses with operators in them are required and plain words next to them only rank;
//! plain words by themselves are alternatives. `who wrote "war and peace"` so finds the title, whoever wrote it.

use std::collections::HashSet;
use std::hash::Hash;

use super::analyser::{Analysed, Analyser, QueryWord};

mod parser;

/// Distinct terms a query is scored by, and distinct plain words it searches. A question has ten; a pasted document
/// would make every search read the whole index.
pub const QUERY_TERMS_MAXIMUM: usize = 64;
/// Words, phrases and prefixes of an expression. A query with more was not written by hand and is read as plain text.
pub const EXPRESSION_OPERANDS_MAXIMUM: usize = 64;
/// Parentheses within parentheses, far inside what FTS5 (256) and the stack allow.
pub const EXPRESSION_DEPTH_MAXIMUM: usize = 16;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// What documents are scored by: distinct, at most [`QUERY_TERMS_MAXIMUM`], nothing that the query excludes.
    pub terms: Vec<String>,
    /// Where the terms are counted.
    pub column: IndexColumn,
    /// What documents are selected by.
    pub expression: Expression,
}

/// The two sequences of [`Analysed`], as columns of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexColumn {
    Surface,
    Stems,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expression {
    /// Plain words, of which one is enough. Empty: there is nothing to search.
    Any(Vec<QueryWord>),
    Word(QueryWord),
    /// These surface tokens in a row.
    Phrase(Vec<String>),
    /// These surface tokens in a row, of which the last may go on.
    Prefix(Vec<String>),
    And(Vec<Expression>),
    Or(Vec<Expression>),
    Not {
        wanted: Box<Expression>,
        unwanted: Box<Expression>,
    },
}

/// Reads a query with operators, or as plain text if it has none.
pub fn parse(text: &str, analyser: &Analyser) -> Query {
    match parser::parse(text, analyser) {
        Some(parsed) => Query::new(parsed.expression, &parsed.ranked),
        None => plain(text, analyser),
    }
}

/// Reads a text as plain words, whatever it contains: for messages of a conversation, whose quotes and capitals are
/// not meant as operators.
pub fn plain(text: &str, analyser: &Analyser) -> Query {
    let words = analyser.words(text);
    let expression = Expression::Any(searched_words(&words));
    Query::new(expression, &words)
}

impl Query {
    fn new(expression: Expression, ranked: &[QueryWord]) -> Self {
        let stems: Vec<&String> = ranked.iter().filter_map(|word| word.stem.as_ref()).collect();
        if stems.is_empty() {
            let surface = ranked.iter().map(|word| &word.surface).collect();
            Self { terms: bounded(surface, String::as_str), column: IndexColumn::Surface, expression }
        } else {
            Self { terms: bounded(stems, String::as_str), column: IndexColumn::Stems, expression }
        }
    }

    /// Whether there is anything to search for.
    pub fn is_empty(&self) -> bool {
        matches!(&self.expression, Expression::Any(words) if words.is_empty())
    }

    /// The query in the syntax of SQLite's FTS5, for a table with the columns `surface` and `stems` of space-separated
    /// tokens and the tokenizer `ascii`. Every token is quoted. Nothing if there is nothing to search for.
    pub fn to_fts5(&self) -> Option<String> {
        (!self.is_empty()).then(|| self.expression.to_fts5())
    }

    /// The same selection in memory: what `to_fts5` means.
    pub fn matches(&self, analysed: &Analysed) -> bool {
        self.expression.matches(analysed)
    }
}

impl Expression {
    pub fn matches(&self, analysed: &Analysed) -> bool {
        match self {
            Self::Any(words) => words.iter().any(|word| word_matches(word, analysed)),
            Self::Word(word) => word_matches(word, analysed),
            Self::Phrase(tokens) => analysed.surface.windows(tokens.len()).any(|window| window == tokens),
            Self::Prefix(tokens) => {
                let [complete @ .., beginning] = tokens.as_slice() else { return false };
                analysed.surface.windows(tokens.len()).any(|window| {
                    let (last, before) = window.split_last().expect("windows are as long as the tokens");
                    before == complete && last.starts_with(beginning)
                })
            }
            Self::And(parts) => parts.iter().all(|part| part.matches(analysed)),
            Self::Or(parts) => parts.iter().any(|part| part.matches(analysed)),
            Self::Not { wanted, unwanted } => wanted.matches(analysed) && !unwanted.matches(analysed),
        }
    }

    fn to_fts5(&self) -> String {
        match self {
            Self::Any(words) => joined(" OR ", words.iter().map(word_to_fts5)),
            Self::Word(word) => word_to_fts5(word),
            Self::Phrase(tokens) => phrase_to_fts5("surface", &tokens.join(" ")),
            Self::Prefix(tokens) => phrase_to_fts5("surface", &tokens.join(" ")) + " *",
            Self::And(parts) => joined(" AND ", parts.iter().map(Self::to_fts5)),
            Self::Or(parts) => joined(" OR ", parts.iter().map(Self::to_fts5)),
            Self::Not { wanted, unwanted } => format!("({} NOT {})", wanted.to_fts5(), unwanted.to_fts5()),
        }
    }
}

fn word_matches(word: &QueryWord, analysed: &Analysed) -> bool {
    match &word.stem {
        Some(stem) => analysed.stems.contains(stem),
        None => analysed.surface.contains(&word.surface),
    }
}

fn word_to_fts5(word: &QueryWord) -> String {
    match &word.stem {
        Some(stem) => phrase_to_fts5("stems", stem),
        None => phrase_to_fts5("surface", &word.surface),
    }
}

fn phrase_to_fts5(column: &str, tokens: &str) -> String {
    debug_assert!(!tokens.contains('"'), "the analyser lets no ASCII punctuation through");
    format!("{column} : \"{tokens}\"")
}

/// One part stands as it is, several stand in parentheses: FTS5's precedences then never matter.
fn joined(operator: &str, parts: impl Iterator<Item = String>) -> String {
    let mut parts: Vec<String> = parts.collect();
    if parts.len() == 1 { parts.remove(0) } else { format!("({})", parts.join(operator)) }
}

/// The words to search for: distinct by what they find, without stop words unless there is nothing else, bounded.
fn searched_words(words: &[QueryWord]) -> Vec<QueryWord> {
    let meaningful: Vec<&QueryWord> = words.iter().filter(|word| word.stem.is_some()).collect();
    if meaningful.is_empty() {
        bounded(words.iter().collect(), |word| &word.surface)
    } else {
        bounded(meaningful, |word| &word.stem)
    }
}

/// The members with distinct keys, in order. If they are too many, half from the beginning and half from the end:
/// around a pasted text, that is where the question stands.
fn bounded<Member: Clone, Key: Eq + Hash + ?Sized>(
    members: Vec<&Member>,
    key: fn(&Member) -> &Key,
) -> Vec<Member> {
    let mut seen = HashSet::new();
    let mut distinct: Vec<&Member> = members.into_iter().filter(|member| seen.insert(key(member))).collect();
    if distinct.len() > QUERY_TERMS_MAXIMUM {
        let half = QUERY_TERMS_MAXIMUM / 2;
        distinct.drain(half..distinct.len() - half);
    }
    distinct.into_iter().cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(text: &str, expected: &str) {
        let found = parse(text, &Analyser::default()).to_fts5().unwrap_or_default();
        assert_eq!(found.replace("surface : ", "=").replace("stems : ", "~"), expected, "{text:?}");
    }

    #[test]
    fn plain_text_is_alternatives() {
        check("what's the deployment target", r#"(~"deploy" OR ~"target")"#);
        check("foo-bar", r#"(~"foo" OR ~"bar")"#);
        check("cats and dogs or birds", r#"(~"cat" OR ~"dog" OR ~"bird")"#);
        check("tea tea teas", r#"~"tea""#);
        check("who is it", r#"(="who" OR ="is" OR ="it")"#);
        check("🎸?", r#"~"🎸""#);
        check("nul\0byte", r#"(~"nul" OR ~"byte")"#);
        check("喝茶", r#"(~"喝茶" OR ~"喝" OR ~"茶")"#);
        check("(in brackets) :)", r#"~"bracket""#);
        for nothing in ["", "  ", "*", "\"\"", "?!", "()", "\0"] {
            check(nothing, "");
        }
    }

    #[test]
    fn operators_become_expressions() {
        check("\"Green tea\"", r#"="green tea""#);
        check("“the who”", r#"="the who""#);
        check("deploy*", r#"="deploy" *"#);
        check("e-mai*", r#"="e mai" *"#);
        check("喝茶*", r#"="喝茶" *"#);
        check("\"茶\"", r#"~"茶""#);
        check("cats AND dogs", r#"(~"cat" AND ~"dog")"#);
        check("black cats AND dogs", r#"((~"black" OR ~"cat") AND ~"dog")"#);
        check("cats OR dogs AND birds", r#"(~"cat" OR (~"dog" AND ~"bird"))"#);
        check("(cats OR dogs) AND birds", r#"((~"cat" OR ~"dog") AND ~"bird")"#);
        check("cats NOT dogs", r#"(~"cat" NOT ~"dog")"#);
        check("cats AND NOT dogs NOT birds", r#"(~"cat" NOT (~"dog" OR ~"bird"))"#);
        check("foo-bar AND baz", r#"(="foo bar" AND ~"baz")"#);
        check("who wrote \"war and peace\"?", r#"="war and peace""#);
        check("\"a b\" \"c d\" e", r#"(="a b" AND ="c d")"#);
        check("typ* systems", r#"(="typ" * OR ~"system")"#);
        check("NASA AND ESA", r#"(~"nasa" AND ~"esa")"#);
        check("tea (green OR \"black leaf\")", r#"(~"green" OR ="black leaf")"#);
    }

    #[test]
    fn what_does_not_parse_is_plain() {
        check("\"unbalanced tea", r#"(~"unbalanc" OR ~"tea")"#);
        check("AND", r#"="and""#);
        check("tea AND", r#"~"tea""#);
        check("AND tea", r#"~"tea""#);
        check("NOT tea", r#"~"tea""#);
        check("tea AND OR coffee", r#"(~"tea" OR ~"coffe")"#);
        check("tea AND (coffee", r#"(~"tea" OR ~"coffe")"#);
        check("tea AND coffee) milk", r#"(~"tea" OR ~"coffe" OR ~"milk")"#);
        check("a 6\" pipe AND an 8\" pipe", r#"(~"6" OR ~"pipe" OR ~"8")"#);
        check("I do NOT like tea", r#"(~"like" OR ~"tea")"#);
        check("PLEASE DO NOT CALL ME", r#"(~"pleas" OR ~"call")"#);
        check("this is *really* big", r#"(~"realli" OR ~"big")"#);
        check(&format!("{} tea AND milk", "(".repeat(50_000)), r#"(~"tea" OR ~"milk")"#);
    }

    #[test]
    fn terms_score_what_is_wanted() {
        let analyser = Analyser::default();
        let table: [(&str, &[&str], IndexColumn); 5] = [
            ("who wrote \"war and peace\" NOT Dickens", &["wrote", "war", "peac"], IndexColumn::Stems),
            ("who is it", &["who", "is", "it"], IndexColumn::Surface),
            ("\"to be or not to be\"", &["to", "be", "or", "not"], IndexColumn::Surface),
            ("typ* systems", &["system"], IndexColumn::Stems),
            ("", &[], IndexColumn::Surface),
        ];
        for (text, terms, column) in table {
            let query = parse(text, &analyser);
            assert_eq!(
                (query.terms, query.column),
                (terms.iter().map(ToString::to_string).collect(), column),
                "{text}"
            );
        }
    }

    #[test]
    fn a_long_text_is_searched_by_its_ends() {
        let text: String = (0..20_000).map(|number| format!("w{number} ")).collect();
        for query in
            [parse(&text, &Analyser::default()), parse(&text.replace(' ', " AND "), &Analyser::default())]
        {
            assert_eq!(query.terms.len(), QUERY_TERMS_MAXIMUM);
            assert_eq!(query.terms[0], "w0");
            assert_eq!(query.terms[QUERY_TERMS_MAXIMUM - 1], "w19999");
            assert!(matches!(query.expression, Expression::Any(words) if words.len() == QUERY_TERMS_MAXIMUM));
        }
    }

    #[test]
    fn expressions_are_evaluated_in_memory() {
        let analyser = Analyser::default();
        let document = analyser.analyse("The black cat drinks green tea. 我喝茶");
        let table = [
            ("cats", true),
            ("dogs", false),
            ("\"green tea\"", true),
            ("\"tea green\"", false),
            ("\"green teas\"", false),
            ("drin*", true),
            ("rink*", false),
            ("cats AND tea", true),
            ("cats AND coffee", false),
            ("coffee OR tea", true),
            ("tea NOT cats", false),
            ("tea NOT dogs", true),
            ("the", true),
            ("茶", true),
            ("\"喝茶\"", true),
            ("", false),
        ];
        for (text, expected) in table {
            assert_eq!(parse(text, &analyser).matches(&document), expected, "{text}");
        }
    }

    fn any_query() -> impl Strategy<Value = String> {
        let piece = prop_oneof!["[a-z]{1,3}", r#"AND|OR|NOT|"|\(|\)|\*|“|'|-"#, "[ \0茶🎸é]"];
        let pieces = proptest::collection::vec((piece, "( |)"), 0..20);
        let assembled =
            pieces.prop_map(|pieces| pieces.into_iter().map(|(piece, gap)| piece + &gap).collect());
        prop_oneof![any::<String>(), assembled]
    }

    proptest! {
        #[test]
        fn any_text_is_a_query(text in any_query()) {
            let analyser = Analyser::default();
            let query = parse(&text, &analyser);
            prop_assert_eq!(query.is_empty(), analyser.surface(&text).is_empty());
            if let Some(rendered) = query.to_fts5() {
                prop_assert_eq!(rendered.matches('"').count() % 2, 0);
                // Outside the quotes there is nothing but our own syntax.
                for syntax in rendered.split('"').step_by(2).flat_map(str::split_whitespace) {
                    let syntax = syntax.trim_matches(['(', ')']);
                    prop_assert!(["", "surface", "stems", ":", "*", "AND", "OR", "NOT"].contains(&syntax), "{}", rendered);
                }
            }
        }

        #[test]
        fn plain_words_find_their_own_text(text in any::<String>()) {
            let analyser = Analyser::default();
            let query = plain(&text, &analyser);
            prop_assert_eq!(query.matches(&analyser.analyse(&text)), !query.is_empty());
        }
    }
}
