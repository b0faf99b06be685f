//! Where sentences end.
//!
//! A full stop ends one only before white space, and not behind an abbreviation or an initial, which [`crate::text`] knows: "St. Jude",
//! "Dr. Lee" and "Node.js" stay whole. A line break ends one unless the next line goes on in lower case, as wrapped text does.

use std::ops::Range;

use crate::text::goes_on_behind_stop;

/// The sentences of a part of a text, as byte ranges without surrounding white space.
pub(super) fn split(text: &str, part: Range<usize>) -> Vec<Range<usize>> {
    let Some(slice) = text.get(part.clone()) else { return Vec::new() };
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut characters = slice.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let after = at + character.len_utf8();
        let ends = match character {
            '。' | '！' | '？' | '।' | '؟' | '۔' => true,
            '\n' => ends_line(slice, after),
            '.' | '!' | '?' | '…' => {
                let next = characters.peek().map(|(_, next)| *next);
                closes(next) && (character != '.' || !goes_on_behind_stop(&slice[start..at], &slice[after..]))
            }
            _ => false,
        };
        if ends {
            let end = after + closing_marks(&slice[after..]);
            push(slice, start..end, part.start, &mut sentences);
            start = end;
            while characters.peek().is_some_and(|(next, _)| *next < end) {
                characters.next();
            }
        }
    }
    push(slice, start..slice.len(), part.start, &mut sentences);
    sentences
}

fn closes(next: Option<char>) -> bool {
    next.is_none_or(|next| next.is_whitespace() || matches!(next, '"' | '”' | '»' | '\'' | '’' | ')' | '*'))
}

/// Quotation marks and brackets that close behind the full stop belong to the sentence.
fn closing_marks(rest: &str) -> usize {
    let is_closing = |c: char| {
        matches!(
            c,
            '"' | '”'
                | '»'
                | '’'
                | '\''
                | ')'
                | '.'
                | '!'
                | '?'
                | '*'
                | '」'
                | '』'
                | '）'
                | '！'
                | '？'
                | '؟'
        )
    };
    rest.chars().take_while(|&c| is_closing(c)).map(char::len_utf8).sum()
}

fn ends_line(slice: &str, after: usize) -> bool {
    !slice[after..].trim_start_matches([' ', '\t']).starts_with(char::is_lowercase)
}

fn push(slice: &str, range: Range<usize>, offset: usize, sentences: &mut Vec<Range<usize>>) {
    let piece = &slice[range.clone()];
    let trimmed = piece.trim();
    if trimmed.is_empty() {
        return;
    }
    let start = range.start + (piece.len() - piece.trim_start().len());
    sentences.push(offset + start..offset + start + trimmed.len());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let found: Vec<&str> = split(text, 0..text.len()).into_iter().map(|range| &text[range]).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn full_stops_that_end_nothing() {
        check("I use Node.js daily. I like it!", &["I use Node.js daily.", "I like it!"]);
        check("I saw Dr. Lee at St. Jude. Fine.", &["I saw Dr. Lee at St. Jude.", "Fine."]);
        check("J. R. R. Tolkien wrote it. No. Yes.", &["J. R. R. Tolkien wrote it.", "No.", "Yes."]);
        check("At 9 a.m. I run. Then 5 p.m. Home.", &["At 9 a.m.", "I run.", "Then 5 p.m.", "Home."]);
    }

    #[test]
    fn lines_and_other_scripts() {
        check("one line\nthat goes on\nThe next", &["one line\nthat goes on", "The next"]);
        check("Am 31. Dezember feiern wir. Gut.", &["Am 31. Dezember feiern wir.", "Gut."]);
        check("I'm 31. I live in Oslo.", &["I'm 31.", "I live in Oslo."]);
        check(
            "hab am 2. dezember zahnarzt bei dr. med. kern. gut.",
            &["hab am 2. dezember zahnarzt bei dr. med. kern.", "gut."],
        );
        check("troquei de médico, agora é a dra. souza", &["troquei de médico, agora é a dra. souza"]);
        check("我叫小明。我喜欢茶！", &["我叫小明。", "我喜欢茶！"]);
        check(
            "मंगलवार को मेरा व्रत रहता है। उस दिन गोली चलेगी?",
            &["मंगलवार को मेरा व्रत रहता है।", "उस दिन गोली चलेगी?"],
        );
        check("أسكن في صفاقس. هل تعرفها؟ أعمل ممرضة.", &["أسكن في صفاقس.", "هل تعرفها؟", "أعمل ممرضة."]);
        check("「もう寝る。」と言った。", &["「もう寝る。」", "と言った。"]);
        check("He said “no.” Then left.", &["He said “no.”", "Then left."]);
        check("", &[]);
    }
}
