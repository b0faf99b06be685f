//! Going through a text once: where an expression begins, which language reads the longest, and what goes on with it.

use std::ops::Range;

use super::lexer::{self, Gap, TimeToken};
use super::lexicon::{self, Meaning};
use super::reader::{ReadingDesk, TimeReader};
use super::when::{PeriodSide, TimeExpression};

/// The expressions of a text in order, each with where it stands.
pub(super) fn expressions(text: &str, is_exact: bool) -> Vec<(TimeExpression, Range<usize>)> {
    let tokens = lexer::lex(text);
    let languages = lexicon::chosen(&tokens);
    let desks: Vec<ReadingDesk<'_>> =
        languages.iter().map(|(lexicon, _)| ReadingDesk::new(&tokens, lexicon)).collect();
    let readers: Vec<TimeReader<'_>> = languages
        .into_iter()
        .zip(&desks)
        .map(|((lexicon, is_shown), desk)| TimeReader::new(&tokens, lexicon, desk, is_shown, is_exact))
        .collect();
    let mut found = Vec::new();
    let mut position = 0;
    let mut last_end = 0;
    while position < tokens.len() {
        if let Some(next) = readers.iter().find_map(|reader| reader.is(position, Meaning::NotTime)) {
            position = next;
            continue;
        }
        let begins = begins_word(&tokens, position) || position == last_end;
        let read = readers.iter().filter(|_| begins).filter_map(|reader| reader.expression(position));
        // Of equally long ones the first language counts.
        let longest = read.reduce(|best, one| if one.1 > best.1 { one } else { best });
        let Some((expression, next)) = longest else {
            position += 1;
            continue;
        };
        let mut next = next;
        let mut more = further(&readers, &expression, next);
        found.push((expression, tokens[position].range.start..tokens[next - 1].range.end));
        while let Some((another, start, end)) = more {
            more = further(&readers, &another, end);
            found.push((another, tokens[start].range.start..tokens[end - 1].range.end));
            next = end;
        }
        position = next;
        last_end = next;
    }
    found
}

/// Another day that goes on with an expression: which one, and where it begins and ends.
fn further(
    readers: &[TimeReader<'_>],
    expression: &TimeExpression,
    at: usize,
) -> Option<(TimeExpression, usize, usize)> {
    let TimeExpression::One(PeriodSide::Within, before) = expression else { return None };
    readers.iter().find_map(|reader| {
        let (point, end) = reader.further(at, before)?;
        Some((TimeExpression::One(PeriodSide::Within, point), at, end))
    })
}

/// Whether a token may begin an expression: words of Hangul have several, and only the first begins one.
fn begins_word(tokens: &[TimeToken], at: usize) -> bool {
    let is_hangul = |at: usize| {
        tokens[at].word.starts_with(|first: char| {
            ('\u{AC00}'..='\u{D7AF}').contains(&first) || ('\u{1100}'..='\u{11FF}').contains(&first)
        })
    };
    at == 0 || tokens[at].gap != Gap::None || !is_hangul(at) || !is_hangul(at - 1)
}
