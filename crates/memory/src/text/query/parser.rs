//! The reader of query operators. It answers an expression or nothing; nothing means that the text is plain.

use super::super::analyser::{Analyser, QueryWord};
use super::{EXPRESSION_DEPTH_MAXIMUM, EXPRESSION_OPERANDS_MAXIMUM, Expression, searched_words};

pub(super) struct Parsed {
    pub(super) expression: Expression,
    /// Every word that the query does not exclude, for scoring.
    pub(super) ranked: Vec<QueryWord>,
}

/// Reads a text that uses operators; nothing if it uses none, or uses them in a way that makes no sense.
pub(super) fn parse(text: &str, analyser: &Analyser) -> Option<Parsed> {
    let lexemes = lex(text)?;
    if !lexemes.iter().any(Lexeme::is_operator) {
        return None;
    }
    let mut parser = QueryParser {
        analyser,
        lexemes: &lexemes,
        is_shouted: is_shouted(&lexemes),
        depth: 0,
        operands: 0,
        is_unwanted: false,
        ranked: Vec::new(),
    };
    let (expression, _) = parser.either()?;
    parser.lexemes.is_empty().then_some(Parsed { expression, ranked: parser.ranked })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lexeme<'a> {
    Quoted(&'a str),
    Prefix(&'a str),
    Plain(&'a str),
    And,
    Or,
    Not,
    Open,
    Close,
}

impl Lexeme<'_> {
    fn is_operator(&self) -> bool {
        !matches!(self, Self::Plain(_) | Self::Open | Self::Close)
    }

    fn is_keyword(&self) -> bool {
        matches!(self, Self::And | Self::Or | Self::Not)
    }
}

const QUOTES: [char; 6] = ['"', '“', '”', '„', '«', '»'];

/// Cuts a text into lexemes; nothing if a quotation mark stands where none can open or close a phrase.
fn lex(text: &str) -> Option<Vec<Lexeme<'_>>> {
    let mut lexemes = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        if first == '(' {
            lexemes.push(Lexeme::Open);
            rest = &rest[1..];
        } else if QUOTES.contains(&first) {
            let (quoted, after) = rest[first.len_utf8()..].split_once(QUOTES)?;
            lexemes.push(Lexeme::Quoted(quoted));
            rest = after;
        } else {
            let (chunk, after) = rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len()));
            lex_chunk(chunk, &mut lexemes)?;
            rest = after;
        }
        rest = rest.trim_start();
    }
    Some(lexemes)
}

/// A chunk is what stands between spaces. Closing parentheses at its end are syntax, unless they were opened inside
/// it as in `f(x)`.
fn lex_chunk<'a>(chunk: &'a str, lexemes: &mut Vec<Lexeme<'a>>) -> Option<()> {
    if chunk.contains(QUOTES) {
        return None;
    }
    let word = if chunk.contains('(') { chunk } else { chunk.trim_end_matches(')') };
    match word {
        "" => {}
        "AND" => lexemes.push(Lexeme::And),
        "OR" => lexemes.push(Lexeme::Or),
        "NOT" => lexemes.push(Lexeme::Not),
        _ => match word.strip_suffix('*') {
            Some(beginning) if is_prefix(beginning) => lexemes.push(Lexeme::Prefix(beginning)),
            _ => lexemes.push(Lexeme::Plain(word)),
        },
    }
    lexemes.extend(chunk[word.len()..].chars().map(|_| Lexeme::Close));
    Some(())
}

/// `typ*` is a prefix; `*emphasis*`, `**` and `5.*` are not.
fn is_prefix(beginning: &str) -> bool {
    beginning.starts_with(char::is_alphanumeric) && beginning.ends_with(char::is_alphanumeric)
}

/// Whether all words are in capitals, so that `DO NOT CALL ME` is a sentence and not an expression.
fn is_shouted(lexemes: &[Lexeme<'_>]) -> bool {
    let has = |test: fn(char) -> bool| {
        lexemes.iter().any(|lexeme| match lexeme {
            Lexeme::Plain(word) | Lexeme::Prefix(word) | Lexeme::Quoted(word) => word.contains(test),
            _ => false,
        })
    };
    has(char::is_uppercase) && !has(char::is_lowercase)
}

/// Whether an expression must hold, or (plain words beside something that must) only ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TermForce {
    Required,
    Loose,
}

struct QueryParser<'a> {
    analyser: &'a Analyser,
    /// What is left to read.
    lexemes: &'a [Lexeme<'a>],
    is_shouted: bool,
    depth: usize,
    operands: usize,
    /// Inside the operand of a `NOT`.
    is_unwanted: bool,
    ranked: Vec<QueryWord>,
}

impl<'a> QueryParser<'a> {
    fn either(&mut self) -> Option<(Expression, TermForce)> {
        let (first, mut weight) = self.both()?;
        let mut parts = vec![first];
        while self.take(Lexeme::Or) {
            parts.push(self.both()?.0);
            weight = TermForce::Required;
        }
        Some((one_or(Expression::Or, parts), weight))
    }

    fn both(&mut self) -> Option<(Expression, TermForce)> {
        let (first, mut weight) = self.sequence()?;
        let (mut wanted, mut unwanted) = (vec![first], Vec::new());
        loop {
            let is_and = self.take(Lexeme::And);
            if self.take(Lexeme::Not) {
                let outside = std::mem::replace(&mut self.is_unwanted, true);
                unwanted.push(self.sequence()?.0);
                self.is_unwanted = outside;
            } else if is_and {
                wanted.push(self.sequence()?.0);
            } else {
                break;
            }
            weight = TermForce::Required;
        }
        let wanted = one_or(Expression::And, wanted);
        if unwanted.is_empty() {
            return Some((wanted, weight));
        }
        let unwanted = one_or(Expression::Or, unwanted);
        Some((Expression::Not { wanted: Box::new(wanted), unwanted: Box::new(unwanted) }, weight))
    }

    /// Operands side by side, up to the next operator or the end of the parentheses.
    fn sequence(&mut self) -> Option<(Expression, TermForce)> {
        let mut sequence = Sequence::default();
        while let [next, rest @ ..] = self.lexemes {
            if next.is_keyword() || *next == Lexeme::Close {
                break;
            }
            self.lexemes = rest;
            self.operands += 1;
            match *next {
                Lexeme::Open => match self.group()? {
                    (group, TermForce::Required) => sequence.required.push(group),
                    (group, TermForce::Loose) => sequence.loose.push(group),
                },
                Lexeme::Quoted(text) => sequence.required.push(self.phrase(text)?),
                Lexeme::Prefix(text) => sequence.loose.push(Expression::Prefix(self.analyser.surface(text))),
                Lexeme::Plain(text) => self.plain(text, &mut sequence),
                Lexeme::And | Lexeme::Or | Lexeme::Not | Lexeme::Close => {
                    unreachable!("these end the sequence")
                }
            }
        }
        let is_sentence = self.is_shouted && sequence.plain_chunks > 1;
        if is_sentence || self.operands > EXPRESSION_OPERANDS_MAXIMUM {
            return None;
        }
        sequence.combine()
    }

    fn group(&mut self) -> Option<(Expression, TermForce)> {
        self.depth += 1;
        if self.depth > EXPRESSION_DEPTH_MAXIMUM {
            return None;
        }
        let inside = self.either()?;
        self.depth -= 1;
        self.take(Lexeme::Close).then_some(inside)
    }

    fn phrase(&mut self, text: &str) -> Option<Expression> {
        let words = self.rank(text);
        let tokens = self.analyser.surface(text);
        match (tokens.as_slice(), words.as_slice()) {
            ([], _) => None,
            // A single Han character stands inside pairs on the surface: only the ranked terms have it alone.
            ([token], [word]) if token.chars().count() == 1 && word.stem.as_ref() == Some(token) => {
                Some(Expression::Word(word.clone()))
            }
            _ => Some(Expression::Phrase(tokens)),
        }
    }

    /// What stands between spaces is one operand: a word, or, if it is written together (`foo-bar`), a phrase.
    fn plain(&mut self, text: &str, sequence: &mut Sequence) {
        sequence.plain_chunks += 1;
        let words = self.rank(text);
        let tokens = self.analyser.surface(text);
        if tokens.len() > 1 {
            sequence.loose.push(Expression::Phrase(tokens));
        } else {
            sequence.words.extend(words);
        }
    }

    /// The words of a text, noted for scoring unless they are excluded.
    fn rank(&mut self, text: &str) -> Vec<QueryWord> {
        let words = self.analyser.words(text);
        if !self.is_unwanted {
            self.ranked.extend_from_slice(&words);
        }
        words
    }

    fn take(&mut self, wanted: Lexeme<'a>) -> bool {
        let Some(rest) = self.lexemes.strip_prefix(&[wanted]) else { return false };
        self.lexemes = rest;
        true
    }
}

#[derive(Default)]
struct Sequence {
    required: Vec<Expression>,
    loose: Vec<Expression>,
    words: Vec<QueryWord>,
    plain_chunks: usize,
}

impl Sequence {
    /// Nothing where only stop words stand: `I do NOT like it` is a sentence.
    fn combine(mut self) -> Option<(Expression, TermForce)> {
        if !self.required.is_empty() {
            return Some((one_or(Expression::And, self.required), TermForce::Required));
        }
        self.words.retain(|word| word.stem.is_some());
        let mut words = searched_words(&self.words);
        if self.loose.is_empty() {
            return match words.len() {
                0 => None,
                1 => Some((Expression::Word(words.remove(0)), TermForce::Loose)),
                _ => Some((Expression::Any(words), TermForce::Loose)),
            };
        }
        self.loose.extend(words.into_iter().map(Expression::Word));
        Some((one_or(Expression::Or, self.loose), TermForce::Loose))
    }
}

fn one_or(several: fn(Vec<Expression>) -> Expression, mut parts: Vec<Expression>) -> Expression {
    if parts.len() == 1 { parts.remove(0) } else { several(parts) }
}
