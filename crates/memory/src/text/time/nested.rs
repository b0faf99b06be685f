//! Expressions around expressions: "the first week of June", "early May", "two days after Christmas", "the rest of the week".

use jiff::Span;
use jiff::civil::Weekday;

use super::calendar::Period;
use super::lexer::Gap;
use super::lexicon::{Meaning, WordPlace, is_frequent};
use super::points::whole_years;
use super::reader::{Read, TimeReader};
use super::when::{Direction, Occurrence, Ordinal, PeriodPart, PeriodPiece, PeriodSide, TimePoint, TimeUnit};

/// Expressions within expressions: "the day after the end of the first week of May" has three. Without a bound a text
/// of nothing but "early" would exhaust the stack.
const DEPTH_MAXIMUM: usize = 4;

impl TimeReader<'_> {
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
            let is_led = (of > next
                || self.calendar(of).is_some()
                || self.month_name(of).is_some()
                || self.year_of(of).is_some())
                && self.joined(of);
            let (of, behind) = self.inner(of).filter(|_| is_led)?;
            return Some((TimePoint::Nth { ordinal, piece, of }, behind));
        }
        if self.depth >= DEPTH_MAXIMUM {
            return None;
        }
        let (of, next) = self.whole(at)?;
        let piece_at = self.behind_joints(next);
        let ((ordinal, piece), behind) =
            self.nth_piece(piece_at).filter(|_| self.joined_loosely(piece_at))?;
        Some((TimePoint::Nth { ordinal, piece, of: Box::new(of) }, behind))
    }

    /// A month or a year in front of what it is the whole of.
    pub(super) fn whole(&self, at: usize) -> Read<TimePoint> {
        let inside = TimeReader { depth: self.depth + 1, is_inside: true, ..*self };
        let (point, next) = self.calendar(at).or_else(|| inside.month_or_year(at))?;
        let is_whole = !matches!(
            point,
            TimePoint::Calendar { unit: TimeUnit::Minute | TimeUnit::Hour | TimeUnit::Day, .. }
        );
        is_whole.then_some((point, next))
    }

    pub(super) fn month_or_year(&self, at: usize) -> Read<TimePoint> {
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

    /// "yarından iki gün sonra", 今日から2日後, "कल से तीन हफ़्ते बाद"
    pub(super) fn away_from_before(&self, at: usize) -> Read<TimePoint> {
        let (of, next) = self.named(at)?;
        let from = self.joined_is(next, Meaning::FromBehind).or_else(|| self.joined_is(next, Meaning::Joint));
        let amount_at = from.or_else(|| self.lexicon.has_endings.then_some(next))?;
        let ((amount, unit), next) = self.amount_of_units(amount_at).filter(|_| self.joined(amount_at))?;
        let (direction, behind) = self.take(next, |meaning| match meaning {
            Meaning::Ago(WordPlace::Behind) => Some(Direction::Before),
            Meaning::Ahead(WordPlace::Behind) => Some(Direction::After),
            _ => None,
        })?;
        let point = TimePoint::AwayFrom { amount, unit, direction, of: Box::new(of) };
        self.joined(next).then_some((point, behind))
    }

    /// "the first two weeks of December", "the last four months of 2021"
    pub(super) fn several(&self, at: usize) -> Read<TimePoint> {
        let last = self.is(at, Meaning::LastOrdinal).map(|next| (Ordinal::Last, next));
        let first = || {
            self.ordinal(at).filter(|(number, _)| *number == 1).map(|(_, next)| (Ordinal::Number(1), next))
        };
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
        let is_weekday =
            matches!(piece, PeriodPiece::Weekday(_)) && matches!(ordinal, Ordinal::Number(1..=5));
        let is_figure = self.token(at).is_some_and(|token| token.number.is_some());
        let of = Box::new(TimePoint::Calendar { unit: TimeUnit::Month, offset: 0 });
        (is_weekday && !is_figure).then_some((TimePoint::Nth { ordinal, piece, of }, next))
    }

    /// "the 15th century"
    pub(super) fn century(&self, at: usize) -> Read<TimePoint> {
        let (number, next) =
            self.ordinal(at).or_else(|| self.count(at).filter(|_| self.lexicon.is_unspaced))?;
        let name = self.behind_joints(next);
        let (_, behind) =
            self.unit(name).filter(|(unit, _)| *unit == TimeUnit::Century && self.joined(name))?;
        let first = i16::try_from(number).ok().filter(|number| (10..=30).contains(number))?;
        Some((whole_years((first - 1) * 100, 100)?, behind))
    }

    /// Another day of the same month or week: "July 17th, 18th or 19th", "next week Monday or Tuesday"; another year, week or month.
    pub(super) fn further(&self, at: usize, before: &TimePoint) -> Read<TimePoint> {
        let at = self.behind_clock_time(at);
        let is_listed = self.token(at).is_some_and(|token| token.gap == Gap::Mark(','));
        let and = self.is(at, Meaning::And).filter(|_| is_listed || self.joined(at));
        if !is_listed && and.is_none() {
            return None;
        }
        let start = and.unwrap_or(at);
        let at = self.behind_lead(start);
        // "the 1970s and early 1980s": a part is more than the whole, and is read by itself.
        let is_whole = self.part_word(self.behind_joints(start)).is_none();
        let another = |of: &TimePoint| {
            let (weekday, next) = self.weekday_name(at, true)?;
            Some((TimePoint::WeekdayOf { weekday, of: Box::new(of.clone()) }, next))
        };
        match before {
            TimePoint::WeekdayOf { weekday, of } => {
                another(of).or_else(|| self.further_week(at, *weekday).filter(|_| and.is_some()))
            }
            // "this week or next", but not "this week and next steps": only before a frequent word does "next" belong to no other.
            TimePoint::Calendar { unit, .. } => {
                let stands_alone = |next: usize| {
                    self.is_bare_end(next)
                        || and.is_some() && self.token(next).is_some_and(|token| is_frequent(&token.word))
                };
                let (which, next) = self.which(at).filter(|(_, next)| stands_alone(*next))?;
                self.calendar_unit(which, *unit, false).map(|point| (point, next))
            }
            TimePoint::Period(period) if is_whole => self.further_year(at, *period),
            TimePoint::Nth { ordinal, piece, of } if is_whole && matches!(**of, TimePoint::Month { .. }) => {
                let inside = TimeReader { is_inside: true, ..*self };
                let (of, next) =
                    inside.bare_end(at).filter(|(_, next)| and.is_some() && self.is_bare_end(*next))?;
                Some((TimePoint::Nth { ordinal: *ordinal, piece: *piece, of: Box::new(of) }, next))
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

    /// "Friday this week or next week"
    fn further_week(&self, at: usize, weekday: Weekday) -> Read<TimePoint> {
        let (of, next) = self.calendar(at).filter(|(_, next)| self.is_bare_end(*next))?;
        let is_week = matches!(of, TimePoint::Calendar { unit: TimeUnit::Week, .. });
        let has_own_day = self.weekday_name(self.behind_lead(next), true).is_some();
        (is_week && !has_own_day).then_some((TimePoint::WeekdayOf { weekday, of: Box::new(of) }, next))
    }

    /// "in 2007 and 2009", but not "in 2007 and 2009 others"; "the 1960s and 1970s", "las décadas de 1960 y 1970"
    fn further_year(&self, at: usize, before: Period) -> Read<TimePoint> {
        let has_years = |years: i16, period: Period| {
            period.start.checked_add(Span::new().years(years)).is_ok_and(|end| end == period.end)
        };
        let inside = TimeReader { is_inside: true, ..*self };
        let (TimePoint::Period(further), next) = inside.year(at)? else { return None };
        let year = further.start.year();
        let is_bare = self.is_bare_end(next) && (1900..2100).contains(&year) && has_years(1, further);
        if has_years(1, before) {
            return is_bare.then_some((TimePoint::Period(further), next));
        }
        if !has_years(10, before) {
            return None;
        }
        match has_years(10, further) {
            true => Some((TimePoint::Period(further), next)),
            false => Some((whole_years(year, 10)?, next)).filter(|_| is_bare && year % 10 == 0),
        }
    }

    pub(super) fn nth_piece(&self, at: usize) -> Read<(Ordinal, PeriodPiece)> {
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

    pub(super) fn piece(&self, at: usize) -> Read<PeriodPiece> {
        // أول يوم جمعة: the day is said before its name.
        let name = self
            .unit(at)
            .filter(|(unit, next)| *unit == TimeUnit::Day && self.joined(*next) && self.lexicon.has_prefixes);
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

    pub(super) fn part_word(&self, at: usize) -> Read<PeriodPart> {
        self.take(at, |meaning| match meaning {
            Meaning::Part(part) => Some(part),
            _ => None,
        })
    }

    /// "early May", "late last year", "the end of the month", 月底, "ayın başında"
    pub(super) fn part(&self, at: usize) -> Read<TimePoint> {
        if let Some((part, next)) = self.part_word(at).filter(|_| !self.lexicon.is_unspaced) {
            let of = self.behind_joints(next);
            let of = self.joined_is(of, Meaning::Lead).map_or(of, |next| self.behind_joints(next));
            // "the end of the day" is today.
            let day =
                self.unit(of).filter(|(unit, _)| *unit == TimeUnit::Day && self.is_exact && self.joined(of));
            if let Some((_, behind)) =
                day.filter(|(_, behind)| self.inner(of).is_none_or(|(_, next)| next <= *behind))
            {
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
        if !self.lexicon.is_unspaced
            && self.joined(behind)
            && self
                .take(behind, |one| matches!(one, Meaning::Lead | Meaning::Article).then_some(()))
                .is_some()
        {
            return None;
        }
        Some((TimePoint::Part { part, of: Box::new(of) }, behind))
    }

    /// "ay sonunda", 月末: the unit itself is the present one.
    pub(super) fn bare_unit(&self, at: usize) -> Read<TimePoint> {
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
        let week_start = self.joined_is(next, Meaning::Side(PeriodSide::Since, WordPlace::Before));
        let of_at = self.behind_joints(week_start.unwrap_or(next));
        if let Some(PeriodPiece::Unit(unit @ (TimeUnit::Week | TimeUnit::Weekend))) = piece
            && (of_at > next || week_start.is_some())
            && let Some((of, behind)) = self.inner(of_at).filter(|_| self.joined(of_at))
            && matches!(
                *of,
                TimePoint::Date { .. }
                    | TimePoint::Holiday { .. }
                    | TimePoint::DayOfMonth(_)
                    | TimePoint::Period(_)
            )
        {
            return Some((TimePoint::Around { unit, of }, behind));
        }
        let (direction, of_at) = self.take(next, |meaning| match meaning {
            Meaning::Side(PeriodSide::Before, WordPlace::Before) => Some(Direction::Before),
            Meaning::Side(PeriodSide::After, WordPlace::Before) => Some(Direction::After),
            Meaning::From if pieces.is_some() && self.is(next, Meaning::Joint).is_none() => {
                Some(Direction::After)
            }
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
            (Some(((amount, unit), _)), _) => {
                let point = TimePoint::AwayFrom { amount, unit, direction, of };
                return Some(self.with_weekday_of(point, unit, behind));
            }
            (None, piece) => TimePoint::Beside { piece: piece?, direction, of },
        };
        Some((point, behind))
    }

    /// "three weeks after Christmas on Friday": the Friday of the week that is so far away.
    fn with_weekday_of(&self, point: TimePoint, unit: TimeUnit, next: usize) -> (TimePoint, usize) {
        let name = self.behind_lead(next);
        let named = self
            .weekday_name(name, false)
            .filter(|_| unit == TimeUnit::Week && name > next && self.joined(name) && self.joined(next));
        match named {
            Some((weekday, behind)) => {
                let week = TimePoint::Around { unit, of: Box::new(point) };
                (TimePoint::WeekdayOf { weekday, of: Box::new(week) }, behind)
            }
            None => (point, next),
        }
    }

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
