//! Time expressions in a text: "two weeks ago", "last summer", "Friday the 20th", 来週の金曜日, resolved to days.
//!
//! Found spans are a soft ranking signal for recall ([`find`]) and the dates of what is learned ([`mentions`]). The grammar is our own, because
//! the parser crates at hand understood at most 13 of 20 phrases that people use and got some silently wrong. It prefers to miss: "may" and
//! "march" are months only where they cannot be verbs, `05/07/2023` is two different days in English and so none.
//!
//! ```text
//! text → tokens (lexer) → languages that fit (lexicon) → expressions (scan, and the others) → days (resolve, calendar)
//! ```
//!
//! One grammar reads the tables of all languages ([`crate::language`]). No language is asked for: a text is read with those whose words it has.
//! Conventions, where people have none: weeks begin on Monday, seasons are the northern meteorological ones. Recall takes a month or a day
//! without a year as the most recent one (after "by" and "until" as the coming one) and "two weeks ago" as a week around that day; whoever dates
//! something says in which direction, and gets the day itself.

use std::ops::Range;

use jiff::civil::Date;

use self::calendar::Reading;
pub use self::calendar::TimeLean;
use self::lexicon::{Meaning, WordPlace};
use self::reader::{ReadingDesk, TimeReader};
pub use self::recurring::recurring_weekdays;
use self::resolve::{Resolved, resolve};
use self::scan::expressions;
pub use self::when::PeriodSide;

mod amounts;
mod calendar;
mod dates;
mod days;
mod expressions;
mod lexer;
mod lexicon;
mod nested;
mod numeric;
mod periods;
mod points;
mod ranges;
mod reader;
mod recurring;
mod resolve;
mod scan;
#[cfg(test)]
mod tests;
mod when;

/// A span of days that a text speaks of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeSpan {
    /// The first day; [`Date::MIN`] for "before 2020", which has none.
    pub start: Date,
    /// The day after the last; [`Date::MAX`] for "after May" said in April, which has none.
    pub end: Date,
    /// Where in the text it stands, in bytes.
    pub phrase: Range<usize>,
}

impl TimeSpan {
    pub fn contains(&self, date: Date) -> bool {
        self.start <= date && date < self.end
    }
}

/// What a text says of time, read exactly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeMention {
    pub start: Date,
    /// The day after the last.
    pub end: Date,
    /// Where what is named last begins: of "from March to May" the first of May, of a day the day.
    pub last_from: Date,
    /// Whether the days themselves are meant, or what is on one side of them.
    pub side: PeriodSide,
    /// Whether it may be meant of every week: "Tuesday evening" is an appointment or a habit.
    pub is_of_any_week: bool,
    /// Where in the text it stands, in bytes.
    pub phrase: Range<usize>,
}

impl TimeMention {
    /// The day that is meant, where it is one.
    pub fn day(&self) -> Option<Date> {
        let is_one = self.start.tomorrow().is_ok_and(|next| next == self.end);
        (is_one && self.side == PeriodSide::Within).then_some(self.start)
    }
}

/// The time expressions of a text in order, as of the reference date, as somebody remembers.
pub fn find(text: &str, reference: Date) -> Vec<TimeSpan> {
    let reading = Reading { lean: TimeLean::Past, is_exact: false };
    let spans = expressions(text, false).into_iter().filter_map(|(found, phrase)| {
        let Resolved { period, .. } = resolve(&found, reference, reading)?;
        Some(TimeSpan { start: period.start, end: period.end, phrase })
    });
    spans.filter(|span| span.start < span.end).collect()
}

/// The time expressions of a text in order, as of the reference date, to the day. What comes again and again and does not say which one is meant
/// ("Friday", "1 March") is the last or the coming one.
pub fn mentions(text: &str, reference: Date, lean: TimeLean) -> Vec<TimeMention> {
    let reading = Reading { lean, is_exact: true };
    let mentions = expressions(text, true).into_iter().filter_map(|(found, phrase)| {
        let Resolved { period, last_from, side } = resolve(&found, reference, reading)?;
        let is_of_any_week = found.is_of_any_week();
        Some(TimeMention { start: period.start, end: period.end, last_from, side, is_of_any_week, phrase })
    });
    mentions.filter(|mention| mention.start < mention.end).collect()
}

/// Whether a text tells what has been: its verbs are in the past, as far as they are known.
pub fn speaks_of_past(text: &str) -> bool {
    has_word(text, |meaning| meaning == Meaning::PastTense)
}

/// Whether a text speaks of what was so before, and not of a time before another one: "where did I live before?", "früher", 以前. A word that may begin
/// more ("before I leave") counts at the end of what is said, or beside a verb in the past.
pub fn speaks_of_before(text: &str) -> bool {
    let tokens = lexer::lex(text);
    let times: Vec<Range<usize>> = expressions(text, false).into_iter().map(|(_, phrase)| phrase).collect();
    let past = speaks_of_past(text);
    lexicon::chosen(&tokens).into_iter().any(|(lexicon, is_shown)| {
        let desk = ReadingDesk::new(&tokens, lexicon);
        let reader = TimeReader::new(&tokens, lexicon, &desk, is_shown, true);
        (0..tokens.len()).any(|at| {
            let Some(next) = reader.is(at, Meaning::Formerly) else { return false };
            let start = tokens[at].range.start;
            let leads = |meaning| matches!(meaning, Meaning::Side(_, WordPlace::Before)).then_some(());
            let begins_more = reader.take(at, leads).is_some();
            let ends = next == tokens.len() || tokens[next].gap == lexer::Gap::Break;
            !times.iter().any(|time| time.contains(&start)) && (past || ends || !begins_more)
        })
    })
}

/// Whether a text speaks of something that recurs: "every Tuesday", "weekly", "the first Monday of the month".
pub fn recurs(text: &str) -> bool {
    let tokens = lexer::lex(text);
    lexicon::chosen(&tokens).into_iter().any(|(lexicon, is_shown)| {
        let desk = ReadingDesk::new(&tokens, lexicon);
        let reader = TimeReader::new(&tokens, lexicon, &desk, is_shown, true);
        (0..tokens.len()).any(|at| reader.recurrence(at).is_some())
    })
}

/// How many words of a text tell something: neither figures nor words that are in almost every sentence of a language.
pub fn telling_words(text: &str) -> usize {
    let tokens = lexer::lex(text);
    tokens.iter().filter(|token| token.number.is_none() && !lexicon::is_frequent(&token.word)).count()
}

fn has_word(text: &str, wanted: impl Fn(Meaning) -> bool) -> bool {
    let tokens = lexer::lex(text);
    lexicon::chosen(&tokens).into_iter().any(|(lexicon, is_shown)| {
        let desk = ReadingDesk::new(&tokens, lexicon);
        let reader = TimeReader::new(&tokens, lexicon, &desk, is_shown, true);
        (0..tokens.len()).any(|at| reader.take(at, |meaning| wanted(meaning).then_some(())).is_some())
    })
}
