//! Dates in figures: `2023-05-07`, `20230507`, `21/04/2016`, `5/17`, `12-2015`, `2/29-3/1`, "Friday 7/6".
//!
//! Year first is never ambiguous. What reads as two different days (`05/07/2023`) is read in the order of the language that the text shows, and in
//! English, whose writers disagree, not at all, unless a weekday or the other end of a range tells the order.

use std::ops::Range;

use jiff::civil::{Date, Weekday};

use super::calendar::Period;
use super::lexer::Gap;
use super::ranges::RangeJoint;
use super::reader::{Read, TimeReader, full_year};
use super::when::{Occurrence, TimeExpression, TimePoint, TimeUnit};
use crate::language::DateOrder;

impl TimeReader<'_> {
    pub(super) fn numeric(&self, at: usize) -> Read<TimePoint> {
        let (first, next) = self.figures(at, 4)?;
        // In the middle of a number or an address none begins.
        let is_inside = self.token(at)?.gap == Gap::Mark('.') && at > 0 && self.figures(at - 1, 7).is_some();
        let mark = self.separator(next).filter(|_| !is_inside)?;
        // The rest of a date that could not be read is none.
        if at > 0 && self.separator(at) == Some(mark) && self.figures(at - 1, 4).is_some() {
            return None;
        }
        let (second, behind) = self.figures(next, 4)?;
        let lengths = [self.length(at), self.length(next)];
        let third = self.figures(behind, 4).filter(|_| {
            let gap = self.separator(behind);
            gap == Some(mark)
                || self.token(behind).is_some_and(|token| token.gap == Gap::Mark(','))
                    && self.length(behind) == 4
        });
        match third {
            Some((third, after)) => self
                .three([first, second, third], [lengths[0], lengths[1], self.length(behind)])
                .map(|point| (point, after)),
            None => self.two(at, mark, [first, second], lengths, behind).map(|point| (point, behind)),
        }
    }

    /// `20170302`, as files and logs are named. A letter behind it makes it a part of something else, but for the `T` before a time of day.
    pub(super) fn compact(&self, at: usize) -> Read<TimePoint> {
        const YEARS: Range<i16> = 1950..2100;
        let token = self.token(at)?;
        let is_amount = matches!(token.gap, Gap::Mark('$' | '€' | '£' | '¥' | '₹' | '#' | '+' | '.' | ':'));
        let goes_on = self.token(at + 1).is_some_and(|token| token.gap == Gap::None && token.word != "t");
        if !token.is_compact_date() || is_amount || goes_on {
            return None;
        }
        let part = |range: Range<usize>| token.word.get(range);
        let year = part(0..4)?.parse().ok().filter(|year| YEARS.contains(year))?;
        let start = Date::new(year, part(4..6)?.parse().ok()?, part(6..8)?.parse().ok()?).ok()?;
        Some((TimePoint::Period(Period { start, end: start.tomorrow().ok()? }), at + 1))
    }

    /// "Friday 7/6", "Friday 05/07/2023": day and month in an order that only the weekday tells.
    pub(super) fn weekday_and_figures(
        &self,
        weekday: Weekday,
        occurrence: Occurrence,
        next: usize,
    ) -> Read<TimePoint> {
        let at = self.behind_lead(self.behind_comma(next));
        let (first, second_at) = self.figures(at, 2).filter(|_| self.joined_loosely(at))?;
        let (second, behind) = self.figures(second_at, 2)?;
        let mark = self.separator(second_at)?;
        let could_be_month = |number: i32| i8::try_from(number).ok().filter(|month| (1..=12).contains(month));
        let numbers = [could_be_month(first)?, could_be_month(second)?];
        let third = self.figures(behind, 4).filter(|_| self.separator(behind) == Some(mark));
        let (year, end) = match third {
            Some((year, end)) => (Some(i16::try_from(full_year(year)).ok()?), end),
            None => (None, behind),
        };
        // "Friday 7.10" may be ten past seven, "Friday 7-9" are hours.
        let is_date = year.is_some() || mark == '/' || mark == '.' && self.length(second_at) == 1;
        let counts = self.unit(end).is_some();
        let ends = self.is_bare_end(end) || self.joined(end);
        (is_date && ends && !counts)
            .then_some((TimePoint::WeekdayEitherOrder { weekday, numbers, year, occurrence }, end))
    }

    /// `2/29-3/1`, "from 3/5 to 3/17": the end that reads only one way tells the order of the other.
    pub(super) fn numeric_range(&self, at: usize, is_led: bool) -> Read<TimeExpression> {
        let pair = |at: usize| {
            let (first, second_at) = self.figures(at, 2)?;
            let mark = self.separator(second_at).filter(|mark| *mark == '/' || *mark == '-' && is_led)?;
            let (second, next) = self.figures(second_at, 2)?;
            Some(((first, second, mark), next))
        };
        let ((first, second, mark), next) = pair(at)?;
        let (joint, next) = self.range_joint(next, is_led.then_some(false))?;
        let ((third, fourth, _), end) = pair(next).filter(|((.., other), _)| *other == mark)?;
        if joint != RangeJoint::To || !self.is_bare_end(end) {
            return None;
        }
        let is_day_first = match (second.max(fourth) <= 12, first.max(third) <= 12) {
            (true, false) => true,
            (false, true) => false,
            (true, true) if self.is_shown => match self.lexicon.order {
                DateOrder::DayFirst => true,
                DateOrder::MonthFirst => false,
                DateOrder::Unsure => return None,
            },
            _ => return None,
        };
        let date = |first: i32, second: i32| {
            let (day, month) = if is_day_first { (first, second) } else { (second, first) };
            let (day, month) = (i8::try_from(day).ok()?, i8::try_from(month).ok()?);
            let is_date = (1..=31).contains(&day) && (1..=12).contains(&month);
            let occurrence = Occurrence::Nearest;
            is_date.then_some(TimePoint::Date { month, day, weekday: None, occurrence })
        };
        Some((TimeExpression::Range(date(first, second)?, date(third, fourth)?), end))
    }

    fn length(&self, at: usize) -> usize {
        self.token(at).and_then(|token| token.number).map_or(0, |(_, length)| length)
    }

    fn separator(&self, at: usize) -> Option<char> {
        match self.token(at)?.gap {
            Gap::Mark(mark @ ('/' | '-' | '.')) => Some(mark),
            _ => None,
        }
    }

    fn three(&self, numbers: [i32; 3], lengths: [usize; 3]) -> Option<TimePoint> {
        let [first, second, third] = numbers;
        let (year, month, day) = if lengths[0] == 4 {
            (first, second, third)
        } else if lengths[0] <= 2 && (lengths[2] == 4 || lengths[2] == 2) && lengths[1] <= 2 {
            if first > 31 || self.lexicon.is_unspaced && lengths[0] == 2 && lengths[2] == 2 {
                (full_year(first), second, third)
            } else {
                let (day, month) = self.ordered(first, second)?;
                (if lengths[2] == 4 { third } else { full_year(third) }, month, day)
            }
        } else {
            return None;
        };
        let part = |number: i32| i8::try_from(number).ok();
        let start = Date::new(i16::try_from(year).ok()?, part(month)?, part(day)?).ok()?;
        Some(TimePoint::Period(Period { start, end: start.tomorrow().ok()? }))
    }

    fn two(
        &self,
        at: usize,
        mark: char,
        numbers: [i32; 2],
        lengths: [usize; 2],
        behind: usize,
    ) -> Option<TimePoint> {
        let [first, second] = numbers;
        let whole_month = |year: i32, month: i32| {
            let month = i8::try_from(month).ok().filter(|month| (1..=12).contains(month))?;
            let occurrence =
                Occurrence::InYear(i16::try_from(year).ok().filter(|year| (1900..2100).contains(year))?);
            Some(TimePoint::Month { month, occurrence })
        };
        match (lengths[0], lengths[1]) {
            (4, 1 | 2) if mark != '.' => whole_month(first, second),
            (1 | 2, 4) if mark != '.' || self.is_shown => whole_month(second, first),
            (1 | 2, 1 | 2) => self.day_and_month(at, mark, first, second, behind),
            _ => None,
        }
    }

    /// `5/17`, `22.04.`: only where the words around say that it is a date, because it may be a fraction, a score or a version.
    fn day_and_month(
        &self,
        at: usize,
        mark: char,
        first: i32,
        second: i32,
        behind: usize,
    ) -> Option<TimePoint> {
        let (day, month) = self.ordered(first, second)?;
        let ends = self.is_bare_end(behind) || self.joined(behind);
        let has_ending =
            self.lexicon.has_endings && self.token(behind).is_some_and(|token| token.gap == Gap::Mark('\''));
        let is_date = match mark {
            '/' => {
                let is_plain =
                    first > 12 || second > 12 || self.is_shown && self.lexicon.order != DateOrder::Unsure;
                let counts = self
                    .unit(behind)
                    .is_some_and(|(unit, _)| !matches!(unit, TimeUnit::Minute | TimeUnit::Hour));
                (self.is_led(at) || has_ending || is_plain && self.is_bare_end(behind)) && ends && !counts
            }
            '.' => {
                let has_point =
                    self.token(behind).is_none_or(|token| matches!(token.gap, Gap::Mark('.') | Gap::Break));
                let is_day = self.led_by(at, |meaning| meaning == super::lexicon::Meaning::DayLead);
                self.is_led(at)
                    && (has_point || is_day)
                    && self.lexicon.order == DateOrder::DayFirst
                    && self.is_shown
            }
            _ => false,
        };
        // Round the clock.
        let is_phrase = (first, second) == (24, 7) || first == second && first > 12;
        (is_date && !is_phrase).then_some(TimePoint::Date {
            month: i8::try_from(month).ok()?,
            day: i8::try_from(day).ok()?,
            weekday: None,
            occurrence: Occurrence::Nearest,
        })
    }

    /// Day and month of two numbers, where it is clear which is which.
    fn ordered(&self, first: i32, second: i32) -> Option<(i32, i32)> {
        let could_be = |number: i32| (1..=12).contains(&number);
        if !(1..=31).contains(&first) || !(1..=31).contains(&second) {
            return None;
        }
        match (could_be(first), could_be(second)) {
            (true, false) => Some((second, first)),
            (false, true) => Some((first, second)),
            (false, false) => None,
            (true, true) if first == second => Some((first, second)),
            (true, true) => match self.lexicon.order {
                DateOrder::DayFirst if self.is_shown => Some((first, second)),
                DateOrder::MonthFirst if self.is_shown => Some((second, first)),
                _ => None,
            },
        }
    }
}
