//! How a block is read where it is measured: its lines, their sentences, and about what they cost.

use super::everyday::TODAY;

/// A longer line is several thoughts.
const LINE_LETTERS: usize = 240;

/// Letters before a point that ends a sentence: "am 11. Dezember" and "dr. Zych" go on.
const LETTERS_BEFORE_POINT: usize = 4;

/// Small letters, with those that are written in two ways written in one.
pub fn casefold(text: &str) -> String {
    text.to_lowercase().replace('ß', "ss").replace('ς', "σ")
}

/// What a block says, line by line, without its headings and fences.
pub fn lines_of(block: &str) -> Vec<String> {
    let lines = block.lines().map(|line| line.trim());
    let lines = lines.map(|line| line.strip_prefix("- ").unwrap_or(line).trim());
    lines.filter(|line| !line.is_empty() && !line.starts_with(['#', '<'])).map(str::to_owned).collect()
}

/// What a fact must stand in: a line, or each sentence of a line that is too long to be one thought.
pub fn units_of(block: &str) -> Vec<String> {
    let unit = |line: String| match line.chars().count() <= LINE_LETTERS {
        true => vec![line],
        false => sentences_of(&line),
    };
    lines_of(block).into_iter().flat_map(unit).collect()
}

/// The sentences of a line. To say what day it is is none.
pub fn sentences_of(line: &str) -> Vec<String> {
    let characters: Vec<char> = line.chars().collect();
    let mut parts: Vec<String> = vec![String::new()];
    let mut at = 0;
    while at < characters.len() {
        let (before, character) = (&characters[..at], characters[at]);
        let spaces = characters[at..].iter().take_while(|character| character.is_whitespace()).count();
        if at > 0 && matches!(characters[at - 1], '。' | '！' | '？' | '；') && spaces == 0 {
            parts.push(String::new());
        }
        if spaces > 0 && (ends_sentence(before) || is_dash(&characters[at + spaces..])) {
            let dash = if ends_sentence(before) { 0 } else { dash_length(&characters[at + spaces..]) };
            parts.push(String::new());
            at += spaces + dash;
            continue;
        }
        if let Some(part) = parts.last_mut() {
            part.push(character);
        }
        at += 1;
    }
    parts.retain(|part| !part.trim().is_empty() && !part.contains(TODAY));
    parts
}

/// Whether what stands before white space is the end of a sentence.
fn ends_sentence(before: &[char]) -> bool {
    match before {
        [.., '!' | '?' | ';' | '。' | '！' | '？' | '；'] => true,
        [.., '!' | '?' | ';' | ')' | '"' | '”' | '»', '.'] => true,
        [word @ .., '.'] => {
            let letters =
                word.iter().rev().take_while(|character| character.is_alphabetic() || **character == '_');
            letters.take(LETTERS_BEFORE_POINT).count() == LETTERS_BEFORE_POINT
        }
        _ => false,
    }
}

/// Whether a dash with white space behind it follows.
fn is_dash(behind: &[char]) -> bool {
    matches!(behind, ['—' | '–', space, ..] if space.is_whitespace())
}

fn dash_length(behind: &[char]) -> usize {
    1 + behind[1..].iter().take_while(|character| character.is_whitespace()).count()
}

/// About what a model's tokenizer makes of a text: a letter that is a word is a token, four others are one.
pub fn tokens_of(text: &str) -> f64 {
    text.chars().map(|character| if character >= '\u{2E80}' { 1.0 } else { 0.25 }).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_as_its_sentences() {
        for (line, expected) in [
            ("User lives in Oslo. Likes tea", &["User lives in Oslo.", "Likes tea"][..]),
            ("am 11. Dezember bei dr. Zych", &["am 11. Dezember bei dr. Zych"]),
            ("said: \"I row\". Often! yes", &["said: \"I row\".", "Often!", "yes"]),
            ("one — two", &["one", "two"]),
            ("我住在成都。喜欢茶！对", &["我住在成都。", "喜欢茶！", "对"]),
            ("Today is Sunday, 2026-11-15.", &[]),
        ] {
            assert_eq!(sentences_of(line), expected, "{line}");
        }
        assert_eq!(lines_of("## About\n- one\n\n<fence>\n two "), ["one", "two"]);
        assert_eq!((tokens_of("four"), tokens_of("成都")), (1.0, 2.0));
        assert_eq!(casefold("Straße ΟΔΟΣ"), "strasse οδοσ");
    }
}
