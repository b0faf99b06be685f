//! Expressions made of expressions: parts, neighbours, ranges, and what lies on one side of a point in time.

use super::lexer::Gap;
use super::lexicon::{Meaning, Place};
use super::points::whole_years;
use super::reader::{Read, TimeReader};
use super::when::{
    Direction, Occurrence, Ordinal, PeriodPart, PeriodPiece, PeriodSide, TimeExpression, TimePoint, TimeUnit,
};

/// Expressions within expressions: "the day after the end of the first week of May" has three. Without a bound a text
/// of nothing but "early" would exhaust the stack.
const DEPTH_MAXIMUM: usize = 4;

/// An end of a range: a point, or a day whose month stands at the other end.
enum RangeEnd {
    Point(TimePoint),
    Day(i8),
}

impl TimeReader<'_> {
    /// Reads the longest expression that begins at a token, and answers where the next token is.
    pub(super) fn expression(&self, at: usize) -> Read<TimeExpression> {
        if !self.is_known(at) {
            return None;
        }
        let rules: [fn(&Self, usize) -> Read<TimeExpression>; 3] = [Self::range, Self::unbounded, Self::bounded];
        let mut best: Read<TimeExpression> = None;
        for rule in rules {
            if let Some((found, next)) = rule(self, at)
                && best.as_ref().is_none_or(|(_, longest)| next > *longest)
            {
                best = Some((found, next));
            }
        }
        best
    }

    /// "every Tuesday", "weekly", "the first Monday of the month"
    pub(super) fn recurrence(&self, at: usize) -> Option<usize> {
        if let Some(next) = self.is(at, Meaning::Recurring) {
            return Some(next);
        }
        if let Some(next) = self.is(at, Meaning::Every) {
            let next = self.behind_joints(next);
            let counted = self.count(next).or_else(|| self.ordinal(next)).map_or(next, |(_, behind)| behind);
            let named = |at| {
                let part = self.is(at, Meaning::DayPart);
                part.or_else(|| self.piece(at).map(|(_, next)| next)).or_else(|| self.unit(at).map(|(_, next)| next))
            };
            return named(counted).or_else(|| named(next)).filter(|_| self.joined(next));
        }
        let (_, next) = self.nth_piece(at)?;
        let of = self.behind_joints(next);
        let (unit, behind) = self.unit(of).filter(|_| of > next && self.joined(of))?;
        matches!(unit, TimeUnit::Month | TimeUnit::Quarter | TimeUnit::Year).then_some(behind)
    }

    fn unbounded(&self, at: usize) -> Read<TimeExpression> {
        self.point(at).map(|(point, next)| (TimeExpression::One(PeriodSide::Within, point), next))
    }

    // ---- ranges ----

    /// "from May 3 to May 9", "between March and May 2023", "4-22 October", 2014年から2018年まで, "this month from 4 to 22"
    fn range(&self, at: usize) -> Read<TimeExpression> {
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
        let inside = TimeReader { is_inside: opener.is_some() || self.is_inside, ..*self };
        let start = opener.map_or(at, |(_, next)| next);
        if opener.is_some() && !self.joined(start) {
            return None;
        }
        let (from, next) = inside.range_end(start).or_else(|| self.unled_end(start))?;
        let (joint, next) = self.range_joint(next, opener.map(|(is_between, _)| is_between))?;
        let (to, next) = TimeReader { is_inside: true, ..*self }.range_end(next)?;
        let close = self.range_close(next);
        if joint == RangeJoint::And && opener.is_none() && close.is_none() {
            return None;
        }
        let next = close.unwrap_or(next);
        let bare = opener.is_none() && close.is_none();
        self.ends(from, to, next, bare)
    }

    /// Both ends, each with what only the other one says.
    fn ends(&self, from: RangeEnd, to: RangeEnd, next: usize, is_bare: bool) -> Read<TimeExpression> {
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
                    TimePoint::Date { month, day, occurrence, .. } => {
                        let occurrence = if occurrence == Occurrence::Nearest { year } else { occurrence };
                        let end = TimePoint::Date { month, day: last, weekday: None, occurrence };
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
    fn unled_end(&self, at: usize) -> Read<RangeEnd> {
        let inside = TimeReader { is_inside: true, ..*self };
        let year = || {
            let (year, next) = self.year_number(at).filter(|(year, _)| (1900..2100).contains(year))?;
            Some((whole_years(year, 1)?, next)).filter(|_| self.is_exact)
        };
        let (from, next) = inside.bare_end(at).or_else(year)?;
        let (_, further) = self.range_joint(next, None)?;
        let (to, behind) = inside.range_end(further)?;
        let is_alike = match (&from, &to) {
            (TimePoint::Month { .. }, RangeEnd::Point(TimePoint::Month { .. } | TimePoint::Date { .. })) => true,
            (TimePoint::Period(_), RangeEnd::Point(TimePoint::Period(_))) => self.is_bare_end(behind),
            _ => false,
        };
        let is_closed = matches!(to, RangeEnd::Point(_)) && self.range_close(behind).is_some();
        (is_alike || is_closed).then_some((RangeEnd::Point(from), next))
    }

    /// Behind a time of day that stands beside an end of a range: "Monday 7 am", "Montag um 7 Uhr".
    fn behind_clock_time(&self, at: usize) -> usize {
        let mut start = self.behind_joints(at);
        if let Some(next) = self.joined_is(start, Meaning::Lead) {
            start = self.behind_joints(next);
        }
        let Some((_, mut next)) = self.figures(start, 2).filter(|_| self.joined_loosely(start)) else { return at };
        let mut is_time = false;
        while self.figures(next, 2).is_some()
            && self.token(next).is_some_and(|token| matches!(token.gap, Gap::Mark(':' | '.')))
        {
            next += 1;
            is_time = true;
        }
        let unit = |at: usize| self.unit(at).filter(|(unit, _)| matches!(unit, TimeUnit::Minute | TimeUnit::Hour)).map(|(_, next)| next);
        while let Some(behind) = unit(next).or_else(|| self.is(next, Meaning::DayPart)).filter(|_| self.joined(next)) {
            is_time = true;
            next = self.figures(behind, 2).filter(|(_, after)| unit(*after).is_some()).map_or(behind, |(_, after)| after);
        }
        if is_time { next } else { at }
    }

    fn range_end(&self, at: usize) -> Read<RangeEnd> {
        let at = self.behind_article(at);
        let point = self.point(at).map(|(point, next)| (RangeEnd::Point(point), self.behind_clock_time(next)));
        let day = || {
            let (day, next) = self.day_number(at)?;
            let is_clock = self.token(next).is_some_and(|token| token.gap == Gap::Mark(':'));
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
    fn bare_end(&self, at: usize) -> Read<TimePoint> {
        let ((month, _), next) = self.month_name(at).filter(|_| self.is_inside)?;
        let (occurrence, next) = self.year_of(next).unwrap_or((Occurrence::Nearest, next));
        Some((TimePoint::Month { month, occurrence }, next))
    }

    fn range_joint(&self, at: usize, opener: Option<bool>) -> Read<RangeJoint> {
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
            Meaning::Side(PeriodSide::Until, Place::Before) if opener == Some(false) => Some(RangeJoint::To),
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

    fn range_close(&self, at: usize) -> Option<usize> {
        let close = |at: usize| {
            let read = self.take(at, |meaning| {
                matches!(meaning, Meaning::BetweenBehind | Meaning::Side(PeriodSide::Until, Place::Behind)).then_some(())
            });
            read.filter(|_| self.joined(at)).map(|((), next)| next)
        };
        close(at).or_else(|| close(self.behind_joints(at)))
    }

    /// "this month from 4 to 22", "next month 4-23"
    fn days_of(&self, month: &TimePoint, next: usize) -> Read<TimeExpression> {
        let at = self.behind_joints(next);
        let at = match self.take(at, |meaning| matches!(meaning, Meaning::From | Meaning::Between | Meaning::Lead).then_some(())) {
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

    // ---- sides ----

    /// "since March", "before 2020", 2018年以来, "2010'dan sonra"
    fn bounded(&self, at: usize) -> Read<TimeExpression> {
        let inside = TimeReader { is_inside: true, ..*self };
        let lead = self.take(at, |meaning| match meaning {
            Meaning::Side(side, Place::Before) => Some(side),
            _ => None,
        });
        if let Some((side, next)) = lead
            && self.joined(next)
        {
            let next = self.behind_joints(next);
            let point = inside.point(next).or_else(|| inside.bare_end(inside.behind_article(next)));
            if let Some((point, next)) = point {
                return Some((TimeExpression::One(side, point), self.behind_side(next, side)));
            }
        }
        let (point, next) = self.point(at).or_else(|| self.bare_year(at))?;
        let side_at = self.behind_joints(next);
        let (side, behind) = self.side_behind(side_at).or_else(|| self.side_behind(next))?;
        let is_led = self.led_by(at, |meaning| matches!(meaning, Meaning::Side(_, Place::Before)));
        (!is_led).then_some((TimeExpression::One(side, point), behind))
    }

    fn side_behind(&self, at: usize) -> Read<PeriodSide> {
        let side = |at| {
            self.take(at, |meaning| match meaning {
                Meaning::Side(side, Place::Behind) => Some(side),
                _ => None,
            })
        };
        if let Some(found) = side(at).filter(|_| self.joined(at)) {
            return Some(found);
        }
        // "on or before": the word between says that the day itself is meant too.
        let or = self.joined_is(at, Meaning::And);
        let at = or.unwrap_or(at);
        let (side, next) = side(at)?;
        let side = match (or, side) {
            (Some(_), PeriodSide::After) => PeriodSide::Since,
            (Some(_), PeriodSide::Before) => PeriodSide::Until,
            (_, side) => side,
        };
        self.joined(at).then_some((side, next))
    }

    /// 自2018年以来: the same side said twice.
    fn behind_side(&self, at: usize, side: PeriodSide) -> usize {
        self.side_behind(at).filter(|(behind, _)| *behind == side).map_or(at, |(_, next)| next)
    }

    /// A year without its lead, where a side follows.
    fn bare_year(&self, at: usize) -> Read<TimePoint> {
        TimeReader { is_inside: true, ..*self }.point(at)
    }

    // ---- expressions around expressions ----

    /// An expression inside an expression; "the month" there is the present one.
    pub(super) fn inner(&self, at: usize) -> Read<Box<TimePoint>> {
        if self.depth >= DEPTH_MAXIMUM {
            return None;
        }
        let inner = TimeReader { depth: self.depth + 1, is_inside: true, ..*self };
        let present = || {
            let at = self.behind_joints(at);
            let (unit, next) = self.unit(at)?;
            let is_unit = !matches!(unit, TimeUnit::Minute | TimeUnit::Hour | TimeUnit::Day);
            is_unit.then_some((TimePoint::Calendar { unit, offset: 0 }, next))
        };
        let found = inner.point(at).or_else(|| inner.bare_end(inner.behind_article(at))).or_else(present)?;
        Some((Box::new(found.0), found.1))
    }

    /// "the first week of June", "the last weekend in May", "the second half of 2022"; "bu yılın ilk haftası", 10月の第1週
    pub(super) fn nth(&self, at: usize) -> Read<TimePoint> {
        if let Some(((ordinal, piece), next)) = self.nth_piece(at) {
            let of = self.behind_joints(next);
            let of = self.joined_is(of, Meaning::Lead).map_or(of, |next| self.behind_article(next));
            let is_led = (of > next || self.calendar(of).is_some() || self.year_of(of).is_some()) && self.joined(of);
            let (of, behind) = self.inner(of).filter(|_| is_led)?;
            return Some((TimePoint::Nth { ordinal, piece, of }, behind));
        }
        if self.depth >= DEPTH_MAXIMUM {
            return None;
        }
        let (of, next) = self.whole(at)?;
        let piece_at = self.behind_joints(next);
        let ((ordinal, piece), behind) = self.nth_piece(piece_at).filter(|_| self.joined_loosely(piece_at))?;
        Some((TimePoint::Nth { ordinal, piece, of: Box::new(of) }, behind))
    }

    /// A month or a year in front of what it is the whole of.
    fn whole(&self, at: usize) -> Read<TimePoint> {
        let inside = TimeReader { depth: self.depth + 1, is_inside: true, ..*self };
        let (point, next) = self.calendar(at).or_else(|| inside.month_or_year(at))?;
        let is_whole = !matches!(point, TimePoint::Calendar { unit: TimeUnit::Minute | TimeUnit::Hour | TimeUnit::Day, .. });
        is_whole.then_some((point, next))
    }

    fn month_or_year(&self, at: usize) -> Read<TimePoint> {
        let ends = |next: usize| self.joined_loosely(next);
        let year = || {
            let (occurrence, next) = self.year_of(at)?;
            let name = self.behind_joints(next);
            if let Some(((month, _), behind)) = self.month_name(name).filter(|_| self.joined(name)) {
                return Some((TimePoint::Month { month, occurrence }, behind));
            }
            match occurrence {
                Occurrence::InYear(year) => Some((whole_years(year, 1)?, next)),
                Occurrence::InRelativeYear(offset) => {
                    Some((TimePoint::Calendar { unit: TimeUnit::Year, offset: offset.into() }, next))
                }
                _ => None,
            }
        };
        self.bare_end(at).or_else(year).filter(|(_, next)| ends(*next))
    }

    /// "the first two weeks of December", "the last four months of 2021"
    pub(super) fn several(&self, at: usize) -> Read<TimePoint> {
        let last = self.is(at, Meaning::LastOrdinal).map(|next| (Ordinal::Last, next));
        let first = || self.ordinal(at).filter(|(number, _)| *number == 1).map(|(_, next)| (Ordinal::Number(1), next));
        let (ordinal, next) = last.or_else(first)?;
        let ((amount, unit), next) = self.amount_of_units(next).filter(|_| self.joined(next))?;
        let of = self.behind_joints(next);
        let of = self.joined_is(of, Meaning::Lead).map_or(of, |next| self.behind_article(next));
        let is_led = of > next && self.joined(of);
        let (of, behind) = self.inner(of).filter(|_| is_led)?;
        Some((TimePoint::Several { ordinal, count: amount.most, unit, of }, behind))
    }

    /// "the second Sunday": of this month, where no other is named
    pub(super) fn bare_nth(&self, at: usize) -> Read<TimePoint> {
        let ((ordinal, piece), next) = self.nth_piece(at).filter(|_| self.is_exact)?;
        let is_weekday = matches!(piece, PeriodPiece::Weekday(_)) && matches!(ordinal, Ordinal::Number(1..=5));
        let is_figure = self.token(at).is_some_and(|token| token.number.is_some());
        let of = Box::new(TimePoint::Calendar { unit: TimeUnit::Month, offset: 0 });
        (is_weekday && !is_figure).then_some((TimePoint::Nth { ordinal, piece, of }, next))
    }

    /// "the 15th century"
    pub(super) fn century(&self, at: usize) -> Read<TimePoint> {
        let (number, next) = self.ordinal(at).or_else(|| self.count(at).filter(|_| self.lexicon.is_unspaced))?;
        let name = self.behind_joints(next);
        let (_, behind) = self.unit(name).filter(|(unit, _)| *unit == TimeUnit::Century && self.joined(name))?;
        let first = i16::try_from(number).ok().filter(|number| (10..=30).contains(number))?;
        Some((whole_years((first - 1) * 100, 100)?, behind))
    }

    /// Another day of the same month or week: "July 17th, 18th or 19th", "next week Monday or Tuesday".
    pub(super) fn further(&self, at: usize, before: &TimePoint) -> Read<TimePoint> {
        let at = self.behind_clock_time(at);
        let is_listed = self.token(at).is_some_and(|token| token.gap == Gap::Mark(','));
        let and = self.is(at, Meaning::And).filter(|_| is_listed || self.joined(at));
        if !is_listed && and.is_none() {
            return None;
        }
        let at = self.behind_lead(and.unwrap_or(at));
        let another = |of: &TimePoint| {
            let (weekday, next) = self.weekday_name(at, true)?;
            Some((TimePoint::WeekdayOf { weekday, of: Box::new(of.clone()) }, next))
        };
        match before {
            TimePoint::WeekdayOf { of, .. } => another(of),
            // "this week or next"
            TimePoint::Calendar { unit, .. } => {
                let (which, next) = self.which(at).filter(|(_, next)| self.is_bare_end(*next))?;
                self.calendar_unit(which, *unit, false).map(|point| (point, next))
            }
            TimePoint::Date { month, occurrence, .. } => {
                let (day, next) = self.marked_day(at)?;
                let is_own = self.month_name(self.behind_joints(next)).is_some();
                let point = TimePoint::Date { month: *month, day, weekday: None, occurrence: *occurrence };
                (!is_own).then_some((point, next))
            }
            _ => None,
        }
    }

    fn nth_piece(&self, at: usize) -> Read<(Ordinal, PeriodPiece)> {
        let numbered = |at| {
            let last = self.is(at, Meaning::LastOrdinal).map(|next| (Ordinal::Last, next));
            last.or_else(|| self.ordinal(at).map(|(number, next)| (Ordinal::Number(number), next)))
        };
        if self.lexicon.has_prefixes
            && let Some((piece, next)) = self.piece(at)
            && let Some((ordinal, behind)) = numbered(next).filter(|_| self.joined(next))
        {
            return Some(((ordinal, piece), behind));
        }
        let (ordinal, next) = numbered(at)?;
        let next = self.behind_joints(next);
        let (piece, behind) = self.piece(next).filter(|_| self.joined(next))?;
        Some(((ordinal, piece), behind))
    }

    fn piece(&self, at: usize) -> Read<PeriodPiece> {
        // أول يوم جمعة: the day is said before its name.
        let name = self.unit(at).filter(|(unit, next)| *unit == TimeUnit::Day && self.joined(*next) && self.lexicon.has_prefixes);
        if let Some((weekday, next)) = name.and_then(|(_, next)| self.weekday_name(next, false)) {
            return Some((PeriodPiece::Weekday(weekday), next));
        }
        let unit = self.unit(at).filter(|(unit, _)| !matches!(unit, TimeUnit::Minute | TimeUnit::Hour));
        let weekday = || {
            let (weekday, next) = self.weekday_name(at, true)?;
            Some((PeriodPiece::Weekday(weekday), self.behind_day_part(next)))
        };
        unit.map(|(unit, next)| (PeriodPiece::Unit(unit), next)).or_else(weekday)
    }

    fn part_word(&self, at: usize) -> Read<PeriodPart> {
        self.take(at, |meaning| match meaning {
            Meaning::Part(part) => Some(part),
            _ => None,
        })
    }

    /// "early May", "late last year", "the end of the month", 月底, "ayın başında"
    pub(super) fn part(&self, at: usize) -> Read<TimePoint> {
        if let Some((part, next)) = self.part_word(at) {
            let of = self.behind_joints(next);
            let of = self.joined_is(of, Meaning::Lead).map_or(of, |next| self.behind_joints(next));
            // "the end of the day" is today.
            let day = self.unit(of).filter(|(unit, _)| *unit == TimeUnit::Day && self.is_exact && self.joined(of));
            if let Some((_, behind)) = day.filter(|(_, behind)| self.inner(of).is_none_or(|(_, next)| next <= *behind)) {
                return Some((TimePoint::Day(0), behind));
            }
            if let Some((of, behind)) = self.inner(of).filter(|_| self.joined(of)) {
                return Some((TimePoint::Part { part, of }, behind));
            }
        }
        if self.depth >= DEPTH_MAXIMUM {
            return None;
        }
        let (of, next) = self.whole(at).or_else(|| self.bare_unit(at))?;
        let part_at = self.behind_joints(next);
        let (part, behind) = self.part_word(part_at).filter(|_| self.joined(part_at))?;
        // "next week later in the evening": the part is of what follows.
        if !self.lexicon.is_unspaced && self.joined(behind) && self.take(behind, |one| matches!(one, Meaning::Lead | Meaning::Article).then_some(())).is_some() {
            return None;
        }
        Some((TimePoint::Part { part, of: Box::new(of) }, behind))
    }

    /// "ay sonunda", 月末: the unit itself is the present one.
    fn bare_unit(&self, at: usize) -> Read<TimePoint> {
        let (unit, next) = self.unit(at).filter(|_| !self.lexicon.has_articles)?;
        let is_whole = matches!(unit, TimeUnit::Week | TimeUnit::Month | TimeUnit::Year);
        is_whole.then_some((TimePoint::Calendar { unit, offset: 0 }, next))
    }

    /// "the rest of the week"
    pub(super) fn rest(&self, at: usize) -> Read<TimePoint> {
        // "haftanın geri kalanında"
        if let Some((unit, next)) = self.unit(at)
            && let Some(behind) = self.joined_is(self.behind_joints(next), Meaning::Rest)
        {
            return Some((TimePoint::Rest { unit }, behind));
        }
        let next = self.is(at, Meaning::Rest)?;
        let of = self.behind_joints(next);
        if !self.joined(of) {
            return None;
        }
        let current = self.calendar(of).and_then(|(point, next)| match point {
            TimePoint::Calendar { unit, offset: 0 } => Some((unit, next)),
            _ => None,
        });
        let (unit, next) = current.or_else(|| self.unit(of))?;
        Some((TimePoint::Rest { unit }, next))
    }

    /// "the week of May 7", "the Sunday before 25 May", "two days after Christmas", "yarından iki gün sonra"
    pub(super) fn beside(&self, at: usize) -> Read<TimePoint> {
        let pieces = self.amount_of_units(at);
        let (piece, next) = match &pieces {
            Some((_, next)) => (None, *next),
            None => self.piece(at).map(|(piece, next)| (Some(piece), next))?,
        };
        // "the week starting 4 February"
        let week_start = self.joined_is(next, Meaning::Side(PeriodSide::Since, Place::Before));
        let of_at = self.behind_joints(week_start.unwrap_or(next));
        if let Some(PeriodPiece::Unit(unit @ (TimeUnit::Week | TimeUnit::Weekend))) = piece
            && (of_at > next || week_start.is_some())
            && let Some((of, behind)) = self.inner(of_at).filter(|_| self.joined(of_at))
            && matches!(*of, TimePoint::Date { .. } | TimePoint::Holiday { .. } | TimePoint::DayOfMonth(_) | TimePoint::Period(_))
        {
            return Some((TimePoint::Around { unit, of }, behind));
        }
        let (direction, of_at) = self.take(next, |meaning| match meaning {
            Meaning::Side(PeriodSide::Before, Place::Before) => Some(Direction::Before),
            Meaning::Side(PeriodSide::After, Place::Before) => Some(Direction::After),
            Meaning::From if pieces.is_some() => Some(Direction::After),
            _ => None,
        })?;
        let side_end = of_at;
        let of_at = self.behind_joints(of_at);
        // "the day before" alone is yesterday.
        let is_day = piece == Some(PeriodPiece::Unit(TimeUnit::Day)) && self.is_exact && self.joined(next);
        if is_day && self.is_bare_end(side_end) && self.inner(of_at).is_none() {
            return Some((TimePoint::Day(direction.signed(1)), side_end));
        }
        let (of, behind) = self.inner(of_at).filter(|_| self.joined(next) && self.joined(of_at))?;
        let point = match (pieces, piece) {
            (Some(((amount, unit), _)), _) => TimePoint::AwayFrom { amount, unit, direction, of },
            (None, piece) => TimePoint::Beside { piece: piece?, direction, of },
        };
        Some((point, behind))
    }
}

impl TimeReader<'_> {
    /// "16 Eylül haftası", 7月4日の週
    pub(super) fn week_around(&self, at: usize) -> Read<TimePoint> {
        if !self.lexicon.has_endings && !self.lexicon.is_unspaced {
            return None;
        }
        let (point, next) = self.month_day(at).or_else(|| self.day_month(at))?;
        let unit_at = self.behind_joints(next);
        let (unit, behind) = self.unit(unit_at).filter(|_| self.joined(unit_at))?;
        let is_week = matches!(unit, TimeUnit::Week | TimeUnit::Weekend);
        is_week.then_some((TimePoint::Around { unit, of: Box::new(point) }, behind))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RangeJoint {
    To,
    And,
}

/// Both ends of a range, each with the year or the month that only the other one says.
fn completed(from: TimePoint, to: TimePoint) -> (TimePoint, TimePoint) {
    let year_of = |point: &TimePoint| match point {
        TimePoint::Date { occurrence, .. } | TimePoint::Month { occurrence, .. } => Some(*occurrence),
        _ => None,
    };
    match (&from, &to) {
        (TimePoint::Date { month, occurrence, .. }, TimePoint::DayOfMonth(day)) => {
            let to = TimePoint::Date { month: *month, day: *day, weekday: None, occurrence: *occurrence };
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
