//! Time expressions in a text: "two weeks ago", "last summer", "the week before 9 June 2023", resolved to days.
//!
//! Found spans are a soft ranking signal for recall and the validity of what is learned. The grammar is our own, because
//! the parser crates at hand understood at most 13 of 20 phrases that people use and got some silently wrong. It
//! prefers to miss: "may" and "march" are months only where they cannot be verbs, `05/07/2023` is two different days
//! and so none.
//!
//! Three steps, a file each: the lexer cuts the text into words, the grammar reads [`When`]s off them, the calendar
//! turns a `When` into days. Conventions, where English has none: weeks begin on Monday, seasons are the northern
//! meteorological ones, a month or a day without a year is the most recent one (after "by" and "until" the coming one),
//! "two weeks ago" is a week around that day, months and years ago are whole calendar months and years.
//!
//! [`When`]: grammar::When

use std::ops::Range;

use jiff::civil::Date;

use self::calendar::Period;
use self::grammar::{Bound, Found};

mod calendar;
mod grammar;
mod lexer;

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

/// The time expressions of a text in order, as of the reference date.
pub fn find(text: &str, reference: Date) -> Vec<TimeSpan> {
    let tokens = lexer::lex(text);
    let mut spans = Vec::new();
    let mut position = 0;
    while position < tokens.len() {
        let found = grammar::read(&tokens, position);
        let Some((found, next)) = found else {
            position += 1;
            continue;
        };
        let phrase = tokens[position].range.start..tokens[next - 1].range.end;
        if let Some(Period { start, end }) = resolve(&found, reference).filter(|period| period.start < period.end) {
            spans.push(TimeSpan { start, end, phrase });
        }
        position = next;
    }
    spans
}

fn resolve(found: &Found, reference: Date) -> Option<Period> {
    let tomorrow = reference.tomorrow().ok()?;
    match found {
        Found::Range(from, to) => {
            let to_period = to.resolve(reference, calendar::Lean::Past)?;
            // "between March and May 2023": the first month is the one before the second.
            let from_period = from.resolve(to_period.start, calendar::Lean::Past)?;
            Some(Period { start: from_period.start, end: to_period.end })
        }
        Found::One(bound, when) => {
            let lean = if *bound == Bound::Until { calendar::Lean::Future } else { calendar::Lean::Past };
            let period = when.resolve(reference, lean)?;
            Some(match bound {
                Bound::Within => period,
                Bound::Since => Period { start: period.start, end: period.end.max(tomorrow) },
                Bound::After if period.end > reference => Period { start: period.end, end: Date::MAX },
                Bound::After => Period { start: period.end, end: tomorrow },
                Bound::Before => Period { start: Date::MIN, end: period.start },
                Bound::Until if period.end > reference => Period { start: reference, end: period.end },
                Bound::Until => Period { start: Date::MIN, end: period.end },
            })
        }
    }
}
