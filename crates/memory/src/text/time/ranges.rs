//! Ranges: "from May 3 to May 9", "between March and May 2023", "4-22 October", 2014年から2018年まで.

use super::lexer::Gap;
use super::lexicon::{Meaning, WordPlace};
use super::points::whole_years;
use super::reader::{Read, TimeReader};
use super::when::{Occurrence, PeriodSide, TimeExpression, TimePoint, TimeUnit};

/// An end of a range: a point, or a day whose month stands at the other end.
pub(super) enum RangeEnd {
    Point(TimePoint),
    Day(i8),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RangeJoint {
    To,
    And,
}

impl TimeReader<'_> {
    /// "from May 3 to May 9", "between March and May 2023", "4-22 October", 2014年から2018年まで, "this month from 4 to 22"
    pub(super) fn range(&self, at: usize) -> Read<TimeExpression> {
        let opener = self.take(at, |meaning| match meaning {
            Meaning::From => Some(false),
            Meaning::Between => Some(true),
            _ => None,
        });
        let month = self.calendar(at).filter(|(point, _)| is_month(point));
        if let Some((month, next)) = month
            && let Some(found) = self.days_of(&month, next)
        {
            return Some(found);
        }
        if let Some(found) = self.weekdays_of_week(at).or_else(|| self.days_of_month(at)) {
            return Some(found);
        }
        let inside = TimeReader { is_inside: opener.is_some() || self.is_inside, ..*self };
        let start = opener.map_or(at, |(_, next)| next);
        if opener.is_some() && !self.joined(start) {
            return None;
        }
        if let Some(found) = self.numeric_range(start, opener.is_some()) {
            return Some(found);
        }
        let (from, next) = inside.range_end(start).or_else(|| self.unled_end(start))?;
        let joint_at = next;
        let (joint, next) = self.range_joint(next, opener.map(|(is_between, _)| is_between))?;
        let leads_hour = opener.is_none() && self.leads_hour(joint_at, next);
        let (to, next) = TimeReader { is_inside: true, ..*self }.range_end(next)?;
        if leads_hour && matches!(to, RangeEnd::Day(_) | RangeEnd::Point(TimePoint::DayOfMonth(_))) {
            return None;
        }
        let close = self.range_close(next);
        if joint == RangeJoint::And && opener.is_none() && close.is_none() {
            return None;
        }
        let next = close.unwrap_or(next);
        let bare = opener.is_none() && close.is_none();
        self.ends(from, to, next, bare)
    }

    /// "el 4 de diciembre a las 11", "il 3 dicembre alle 15": an hour has its article, and the last day of a range has another one.
    fn leads_hour(&self, at: usize, next: usize) -> bool {
        const HOURS: [&str; 7] = ["las", "la", "alle", "all", "alla", "às", "à"];
        (at..next).any(|place| self.token(place).is_some_and(|token| HOURS.contains(&token.word.as_str())))
    }

    /// Both ends, each with what only the other one says.
    pub(super) fn ends(
        &self,
        from: RangeEnd,
        to: RangeEnd,
        next: usize,
        is_bare: bool,
    ) -> Read<TimeExpression> {
        let range = |from, to, next| Some((TimeExpression::Range(from, to), next));
        match (from, to) {
            (RangeEnd::Day(first), RangeEnd::Point(to)) => match to {
                TimePoint::Date { month, weekday: _, occurrence, .. } => {
                    range(TimePoint::Date { month, day: first, weekday: None, occurrence }, to, next)
                }
                TimePoint::DayOf { ref of, .. } => {
                    let from = TimePoint::DayOf { day: first, of: of.clone() };
                    range(from, to, next)
                }
                TimePoint::DayOfMonth(_) if !is_bare => range(TimePoint::DayOfMonth(first), to, next),
                _ => None,
            },
            (RangeEnd::Point(from), RangeEnd::Day(last)) => {
                let (year, next) = self.year_of(next).unwrap_or((Occurrence::Nearest, next));
                match from {
                    // "22 November to 17" without a word that opens a range may be an hour: "22 novembre alle 17".
                    TimePoint::Date { day, .. } if is_bare && last < day => None,
                    TimePoint::Date { month, day, occurrence, .. } => {
                        let occurrence = if occurrence == Occurrence::Nearest { year } else { occurrence };
                        let end = day_behind(month, day, occurrence, last);
                        range(TimePoint::Date { month, day, weekday: None, occurrence }, end, next)
                    }
                    TimePoint::DayOf { ref of, .. } => {
                        let end = TimePoint::DayOf { day: last, of: of.clone() };
                        range(from, end, next)
                    }
                    TimePoint::DayOfMonth(_) if !is_bare => range(from, TimePoint::DayOfMonth(last), next),
                    _ => None,
                }
            }
            (RangeEnd::Day(first), RangeEnd::Day(last)) => {
                let of = self.behind_joints(next);
                if let Some((month, behind)) = self.calendar(of).filter(|(point, _)| is_month(point)) {
                    let day = |day| TimePoint::DayOf { day, of: Box::new(month.clone()) };
                    return range(day(first), day(last), behind).filter(|_| self.joined(of));
                }
                None
            }
            (RangeEnd::Point(from), RangeEnd::Point(to)) => {
                let (from, to) = completed(from, to);
                range(from, to, next)
            }
        }
    }

    /// "Jan-Feb 2017", "2014-2018", 2014 से 2018: a name or a year alone begins a range where another one ends it.
    pub(super) fn unled_end(&self, at: usize) -> Read<RangeEnd> {
        let inside = TimeReader { is_inside: true, ..*self };
        let year = || {
            let (year, next) = self.year_number(at).filter(|(year, _)| (1900..2100).contains(year))?;
            Some((whole_years(year, 1)?, next)).filter(|_| self.is_exact)
        };
        let (from, next) = inside.bare_end(at).or_else(year)?;
        let (_, further) = self.range_joint(next, None)?;
        let (to, behind) = inside.range_end(further)?;
        let is_alike = match (&from, &to) {
            (TimePoint::Month { .. }, RangeEnd::Point(TimePoint::Month { .. } | TimePoint::Date { .. })) => {
                true
            }
            (TimePoint::Period(_), RangeEnd::Point(TimePoint::Period(_))) => self.is_bare_end(behind),
            _ => false,
        };
        let is_closed = matches!(to, RangeEnd::Point(_)) && self.range_close(behind).is_some();
        (is_alike || is_closed).then_some((RangeEnd::Point(from), next))
    }

    /// Behind a time of day that stands beside an end of a range: "Monday 7 am", "Montag um 7 Uhr".
    pub(super) fn behind_clock_time(&self, at: usize) -> usize {
        let mut start = self.behind_joints(at);
        if let Some(next) = self.joined_is(start, Meaning::Lead) {
            start = self.behind_joints(next);
        }
        let Some((_, mut next)) = self.figures(start, 2).filter(|_| self.joined_loosely(start)) else {
            return at;
        };
        let mut is_time = false;
        while self.figures(next, 2).is_some()
            && self.token(next).is_some_and(|token| matches!(token.gap, Gap::Mark(':' | '.')))
        {
            next += 1;
            is_time = true;
        }
        let unit = |at: usize| {
            self.unit(at)
                .filter(|(unit, _)| matches!(unit, TimeUnit::Minute | TimeUnit::Hour))
                .map(|(_, next)| next)
        };
        while let Some(behind) =
            unit(next).or_else(|| self.is(next, Meaning::DayPart)).filter(|_| self.joined(next))
        {
            is_time = true;
            next = self
                .figures(behind, 2)
                .filter(|(_, after)| unit(*after).is_some())
                .map_or(behind, |(_, after)| after);
        }
        if is_time { next } else { at }
    }

    pub(super) fn range_end(&self, at: usize) -> Read<RangeEnd> {
        let at = self.behind_article(at);
        let point =
            self.point(at).map(|(point, next)| (RangeEnd::Point(point), self.behind_clock_time(next)));
        let day = || {
            let (day, next) = self.day_number(at)?;
            let is_hour =
                self.unit(next).is_some_and(|(unit, _)| matches!(unit, TimeUnit::Minute | TimeUnit::Hour));
            let is_clock = self.token(next).is_some_and(|token| token.gap == Gap::Mark(':')) || is_hour;
            (!is_clock).then_some((RangeEnd::Day(day), next))
        };
        let inside = || self.bare_end(at).map(|(point, next)| (RangeEnd::Point(point), next));
        let day = day();
        match (point, day) {
            (Some((point, next)), Some((_, behind))) if next >= behind => Some((point, next)),
            (_, Some(day)) => Some(day),
            (point, None) => point.or_else(inside),
        }
    }

    /// Inside of a range, any name of a month and any year is one.
    pub(super) fn bare_end(&self, at: usize) -> Read<TimePoint> {
        let ((month, _), next) = self.month_name(at).filter(|_| self.is_inside)?;
        let (occurrence, next) = self.year_of(next).unwrap_or((Occurrence::Nearest, next));
        Some((TimePoint::Month { month, occurrence }, next))
    }

    pub(super) fn range_joint(&self, at: usize, opener: Option<bool>) -> Read<RangeJoint> {
        let dash = self.token(at).is_some_and(|token| matches!(token.gap, Gap::Mark('-' | '–')));
        if dash {
            return Some((RangeJoint::To, at));
        }
        if !self.joined_loosely(at) {
            return None;
        }
        let behind = self.take(at, |meaning| match meaning {
            Meaning::To => Some(RangeJoint::To),
            Meaning::FromBehind => Some(RangeJoint::To),
            Meaning::Side(PeriodSide::Until, WordPlace::Before) if opener == Some(false) => {
                Some(RangeJoint::To)
            }
            Meaning::And if opener != Some(false) => Some(RangeJoint::And),
            _ => None,
        })?;
        let (joint, next) = behind;
        // "ab … bis zum …", "from … until the …"
        let next = match self.take(next, |meaning| match meaning {
            Meaning::To | Meaning::Article | Meaning::Joint => Some(()),
            _ => None,
        }) {
            Some(((), further)) if self.joined(next) => further,
            _ => next,
        };
        self.joined_loosely(next).then_some((joint, next))
    }

    pub(super) fn range_close(&self, at: usize) -> Option<usize> {
        let close = |at: usize| {
            let read = self.take(at, |meaning| {
                matches!(
                    meaning,
                    Meaning::BetweenBehind | Meaning::Side(PeriodSide::Until, WordPlace::Behind)
                )
                .then_some(())
            });
            read.filter(|_| self.joined(at)).map(|((), next)| next)
        };
        close(at).or_else(|| close(self.behind_joints(at)))
    }

    /// "this month from 4 to 22", "next month 4-23"
    pub(super) fn days_of(&self, month: &TimePoint, next: usize) -> Read<TimeExpression> {
        let at = self.behind_joints(next);
        let at = match self.take(at, |meaning| {
            matches!(meaning, Meaning::From | Meaning::Between | Meaning::Lead).then_some(())
        }) {
            Some(((), next)) => self.behind_article(next),
            None => at,
        };
        let (first, next) = self.day_number(at).filter(|_| self.joined_loosely(at))?;
        let (_, next) = self.range_joint(next, Some(true)).or_else(|| self.range_joint(next, Some(false)))?;
        let (last, next) = self.day_number(self.behind_article(next))?;
        let next = self.range_close(next).unwrap_or(next);
        let day = |day| TimePoint::DayOf { day, of: Box::new(month.clone()) };
        Some((TimeExpression::Range(day(first), day(last)), next))
    }

    /// What opens a range behind its week or month; whether it is the word for between.
    fn opener(&self, at: usize) -> Read<bool> {
        let opener = self.take(at, |meaning| match meaning {
            Meaning::From => Some(false),
            Meaning::Between => Some(true),
            _ => None,
        });
        opener.filter(|(_, next)| self.joined(at) && self.joined(*next))
    }

    /// "last week between Friday and Sunday", "next week from Monday to Wednesday"
    fn weekdays_of_week(&self, at: usize) -> Read<TimeExpression> {
        let (week, next) = self.calendar(at)?;
        if !matches!(week, TimePoint::Calendar { unit: TimeUnit::Week, .. }) {
            return None;
        }
        let (is_between, next) = self.opener(next)?;
        let (first, next) = self.weekday_name(self.behind_article(next), true)?;
        let (_, next) = self.range_joint(next, Some(is_between))?;
        let (last, next) = self.weekday_name(self.behind_article(next), true)?;
        let from = TimePoint::WeekdayOf { weekday: first, of: Box::new(week) };
        // It comes after the first one, perhaps in the week after.
        let to = TimePoint::Weekday { weekday: last, occurrence: Occurrence::Nearest };
        Some((TimeExpression::Range(from, to), self.range_close(next).unwrap_or(next)))
    }

    /// "February between 2 and 7", "June from the 4th to the 22nd 2018"
    fn days_of_month(&self, at: usize) -> Read<TimeExpression> {
        let token = self.token(at)?;
        let is_verb = self.lexicon.months_and_verbs.contains(&token.word) && !token.is_capitalised;
        let ((month, _), next) = self.month_name(at).filter(|_| !is_verb)?;
        let (is_between, next) = self.opener(next)?;
        let (first, next) = self.day_number(self.behind_article(next))?;
        let (_, next) = self.range_joint(next, Some(is_between))?;
        let (last, next) = self.day_number(self.behind_article(next)).filter(|(last, _)| *last > first)?;
        let next = self.range_close(next).unwrap_or(next);
        let (occurrence, end) = match self.year_of(next) {
            Some(year) => year,
            // "June from 4 to 6 pm" are hours.
            None if self.is_bare_end(next) => (Occurrence::Nearest, next),
            None => return None,
        };
        let day = |day| TimePoint::Date { month, day, weekday: None, occurrence };
        Some((TimeExpression::Range(day(first), day(last)), end))
    }
}

/// The day that a range ends with: of the month that it begins in, or, where that day has been, of the next one.
fn day_behind(month: i8, first: i8, occurrence: Occurrence, last: i8) -> TimePoint {
    let date = |month, occurrence| TimePoint::Date { month, day: last, weekday: None, occurrence };
    match (last >= first, month, occurrence) {
        (true, ..) => date(month, occurrence),
        (false, 12, Occurrence::InYear(year)) => date(1, Occurrence::InYear(year.saturating_add(1))),
        (false, 12, Occurrence::InRelativeYear(year)) => {
            date(1, Occurrence::InRelativeYear(year.saturating_add(1)))
        }
        (false, ..) => date(month % 12 + 1, occurrence),
    }
}

/// Both ends of a range, each with the year or the month that only the other one says.
fn completed(from: TimePoint, to: TimePoint) -> (TimePoint, TimePoint) {
    let year_of = |point: &TimePoint| match point {
        TimePoint::Date { occurrence, .. } | TimePoint::Month { occurrence, .. } => Some(*occurrence),
        _ => None,
    };
    match (&from, &to) {
        (TimePoint::Date { month, day, occurrence, .. }, TimePoint::DayOfMonth(last)) => {
            let to = day_behind(*month, *day, *occurrence, *last);
            return (from, to);
        }
        (TimePoint::DayOf { of, .. }, TimePoint::DayOfMonth(day)) => {
            let to = TimePoint::DayOf { day: *day, of: of.clone() };
            return (from, to);
        }
        _ => {}
    }
    let months = |point: &TimePoint| match point {
        TimePoint::Date { month, .. } | TimePoint::Month { month, .. } => Some(*month),
        _ => None,
    };
    match (year_of(&from), year_of(&to)) {
        (Some(_), Some(year @ Occurrence::InRelativeYear(_))) => (from.with_occurrence(year), to),
        // "from 1 June 2016 to 30 June"
        (Some(year @ (Occurrence::InYear(_) | Occurrence::InRelativeYear(_))), Some(Occurrence::Nearest))
            if months(&from) <= months(&to) =>
        {
            (from, to.with_occurrence(year))
        }
        _ => (from, to),
    }
}

fn is_month(point: &TimePoint) -> bool {
    matches!(point, TimePoint::Calendar { unit: TimeUnit::Month, .. })
}
