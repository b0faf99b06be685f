//! From a sentence to the words that the patterns see.
//!
//! A word keeps its place in the turn, so that what is quoted is what was said, and a folded form, so that a pattern is
//! written once: lower case, accents off, curly quotes straight, contractions in full (`I'll` is `i will`, `can't` is
//! `can not`). Names keep their dots (`Node.js`, `.NET`). Scripts without spaces give one word a character, which is
//! what lets the same patterns read Chinese and Japanese.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use crate::language::Language;
use crate::text::fold;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LexedToken {
    /// Where it stands in the turn's text, in bytes.
    pub range: Range<usize>,
    /// Folded; for punctuation the plain form of the mark.
    pub lower: String,
    pub is_word: bool,
}

impl LexedToken {
    pub fn is(&self, word: &str) -> bool {
        self.lower == word
    }

    pub fn source<'a>(&self, text: &'a str) -> &'a str {
        text.get(self.range.clone()).unwrap_or_default()
    }

    /// Whether it is written like a name: a capital, or a capital inside as in `iPhone`.
    pub fn is_capitalised(&self, text: &str) -> bool {
        self.is_word && self.source(text).chars().take(3).any(char::is_uppercase)
    }

    pub fn has_digit(&self) -> bool {
        self.lower.bytes().any(|byte| byte.is_ascii_digit())
    }
}

/// What stands before an apostrophe that hides a verb: `it's`, but not `Carla's`.
const CONTRACTING: [&str; 20] = [
    "i", "you", "he", "she", "it", "we", "they", "that", "there", "here", "what", "who", "where", "how",
    "let", "name", "this", "everyone", "mom", "dad",
];

/// Contractions typed without their apostrophe, and words that are two: where they are cut, and what they say.
const JOINED: [(&str, usize, [&str; 2]); 17] = [
    ("im", 1, ["i", "am"]),
    ("ive", 1, ["i", "have"]),
    ("dont", 2, ["do", "not"]),
    ("cant", 3, ["can", "not"]),
    ("cannot", 3, ["can", "not"]),
    ("didnt", 3, ["did", "not"]),
    ("doesnt", 4, ["does", "not"]),
    ("isnt", 2, ["is", "not"]),
    ("wont", 2, ["will", "not"]),
    ("wasnt", 3, ["was", "not"]),
    ("havent", 4, ["have", "not"]),
    ("gonna", 3, ["going", "to"]),
    ("wanna", 3, ["want", "to"]),
    ("gotta", 3, ["got", "to"]),
    ("lets", 3, ["let", "us"]),
    ("favourites", 9, ["favourite", "s"]),
    ("favorites", 8, ["favorite", "s"]),
];

/// What stands before an apostrophe as a word of its own: `l'été`, `dell'anno`.
static ELISIONS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    Language::spoken().flat_map(|(_, speech)| speech.lexicon.elisions.split_whitespace()).collect()
});

/// The words and marks of a part of a text, in order.
pub(crate) fn lex(text: &str, part: Range<usize>) -> Vec<LexedToken> {
    let Some(slice) = text.get(part.clone()) else { return Vec::new() };
    let characters: Vec<(usize, char)> = slice.char_indices().map(|(at, c)| (part.start + at, c)).collect();
    let mut tokens = Vec::with_capacity(slice.len() / 5 + 1);
    let mut at = 0;
    while let Some(&(start, character)) = characters.get(at) {
        if character.is_whitespace() {
            at += 1;
        } else if is_unspaced(character) {
            at += 1;
            push_word(text, start..end_of(&characters, at, part.end), &mut tokens);
        } else if begins_word(&characters, at) {
            at += 1;
            while continues_word(&characters, at) {
                at += 1;
            }
            push_word(text, start..end_of(&characters, at, part.end), &mut tokens);
        } else {
            at += 1;
            let range = start..end_of(&characters, at, part.end);
            let alone = at < 2 || characters.get(at - 2).is_none_or(|(_, before)| before.is_whitespace());
            tokens.push(LexedToken {
                range,
                lower: plain_mark(character, alone).to_string(),
                is_word: false,
            });
        }
    }
    tokens
}

/// Characters of scripts that write no spaces: Han and kana.
pub(crate) fn is_unspaced(character: char) -> bool {
    matches!(character as u32, 0x3005..=0x3007 | 0x3040..=0x30FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF)
}

/// The folded words of a pattern's literal.
pub(crate) fn words_of(literal: &str) -> Vec<String> {
    let mut words = Vec::new();
    for piece in literal.split_whitespace() {
        match piece.strip_suffix('\'') {
            // An elision as the lexer cuts it off: `j'`.
            Some(elided) if !elided.is_empty() => words.push(format!("{}'", fold_word(elided))),
            _ => words.extend(lex(piece, 0..piece.len()).into_iter().map(|token| token.lower)),
        }
    }
    words
}

fn end_of(characters: &[(usize, char)], at: usize, end: usize) -> usize {
    characters.get(at).map_or(end, |(start, _)| *start)
}

fn is_letter(character: char) -> bool {
    (character.is_alphanumeric() && !is_unspaced(character))
        || matches!(character, '_' | '$' | '£' | '€' | '+' | '#' | '%' | '@' | '&' | '°')
        || unicode_normalization::char::is_combining_mark(character)
}

fn begins_word(characters: &[(usize, char)], at: usize) -> bool {
    let (_, character) = characters[at];
    let next = characters.get(at + 1).map(|(_, next)| *next);
    is_letter(character) || (character == '.' && next.is_some_and(char::is_alphabetic))
}

fn continues_word(characters: &[(usize, char)], at: usize) -> bool {
    let Some((_, character)) = characters.get(at) else { return false };
    if is_letter(*character) {
        return true;
    }
    let before = characters[at - 1].1;
    let Some((_, after)) = characters.get(at + 1) else { return false };
    match character {
        '\'' | '’' | 'ʼ' | '-' | '.' | '/' | '\u{2011}' => is_letter(before) && is_letter(*after),
        ',' | ':' => before.is_ascii_digit() && after.is_ascii_digit(),
        _ => false,
    }
}

/// The plain form of a mark. A hyphen that stands alone is a dash; an apostrophe is a quotation mark here, because
/// those inside words never arrive.
fn plain_mark(mark: char, alone: bool) -> char {
    match mark {
        '“' | '”' | '„' | '«' | '»' | '"' | '「' | '」' | '『' | '』' => '"',
        '’' | '‘' | '‚' | '\'' => '\'',
        '–' | '—' | '―' => '—',
        '-' if alone => '—',
        '。' | '．' => '.',
        '，' | '、' => ',',
        '！' => '!',
        '？' => '?',
        '；' => ';',
        '：' => ':',
        '（' => '(',
        '）' => ')',
        other => other,
    }
}

fn push_word(text: &str, range: Range<usize>, tokens: &mut Vec<LexedToken>) {
    let source = &text[range.clone()];
    if !source.contains(['\'', '’', 'ʼ']) {
        let lower = fold_word(source);
        match JOINED.iter().find(|(joined, ..)| *joined == lower) {
            Some((_, cut, parts)) if source.len() == lower.len() => push_two(range, *cut, *parts, tokens),
            _ => tokens.push(LexedToken { range, lower, is_word: true }),
        }
        return;
    }
    let Some((apostrophe, mark)) = source.char_indices().find(|(_, c)| ['\'', '’', 'ʼ'].contains(c))
    else {
        return;
    };
    let (head, tail) = (fold_word(&source[..apostrophe]), fold_word(&source[apostrophe + mark.len_utf8()..]));
    let verb = match tail.as_str() {
        "m" => "am",
        "re" => "are",
        "ve" => "have",
        "ll" => "will",
        "d" => "would",
        "s" if head == "let" => "us",
        "s" => "is",
        _ => "",
    };
    if tail == "t" && head.ends_with('n') {
        let stem = &head[..head.len() - 1];
        let full = match stem {
            "ca" => "can",
            "wo" => "will",
            "sha" => "shall",
            "ai" => "is",
            other => other,
        };
        push_two(range, apostrophe - 1, [full, "not"], tokens);
    } else if !verb.is_empty()
        && (CONTRACTING.contains(&head.as_str()) || ["ve", "ll"].contains(&tail.as_str()))
    {
        push_two(range, apostrophe, [&head, verb], tokens);
    } else if ELISIONS.contains(head.as_str()) {
        let cut = apostrophe + mark.len_utf8();
        push_two(range, cut, [&format!("{head}'"), &tail], tokens);
    } else {
        tokens.push(LexedToken { range, lower: format!("{head}'{tail}"), is_word: true });
    }
}

fn push_two(range: Range<usize>, cut: usize, parts: [&str; 2], tokens: &mut Vec<LexedToken>) {
    let middle = range.start + cut;
    tokens.push(LexedToken { range: range.start..middle, lower: parts[0].to_owned(), is_word: true });
    tokens.push(LexedToken { range: middle..range.end, lower: parts[1].to_owned(), is_word: true });
}

fn fold_word(word: &str) -> String {
    if word.is_ascii() { word.to_ascii_lowercase() } else { fold(word) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let words: Vec<String> = lex(text, 0..text.len()).into_iter().map(|token| token.lower).collect();
        assert_eq!(words.join(" "), expected, "{text}");
    }

    #[test]
    fn words_and_marks() {
        check("I prefer Node.js, C++ and .NET.", "i prefer node.js , c++ and .net .");
        check("It costs £90,000 at 9:30 - or 3.5%", "it costs £90,000 at 9:30 — or 3.5%");
        check("“Yes”, she said—no", "\" yes \" , she said — no");
        check("我喜欢TypeScript。", "我 喜 欢 typescript .");
    }

    #[test]
    fn contractions_are_written_out() {
        check("I’ll use it, I can't stand it", "i will use it , i can not stand it");
        check("Carla's essay, my name's Sasha", "carla's essay , my name is sasha");
        check("we won't, let's go, im fine", "we will not , let us go , i am fine");
        check("j'aime l’été", "j' aime l' ete");
        check("dell'anno scorso", "dell' anno scorso");
    }
}
