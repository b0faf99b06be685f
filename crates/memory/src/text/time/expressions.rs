//! Whole expressions: a point in time, a range, or what lies on one side of a point; and what recurs.

use super::lexicon::{Meaning, WordPlace};
use super::reader::{Read, TimeReader};
use super::when::{PeriodSide, TimeExpression, TimePoint, TimeUnit};

impl TimeReader<'_> {
    /// Reads the longest expression that begins at a token, and answers where the next token is.
    pub(super) fn expression(&self, at: usize) -> Read<TimeExpression> {
        if !self.is_known(at) {
            return None;
        }
        let rules: [fn(&Self, usize) -> Read<TimeExpression>; 4] =
            [Self::unbounded, Self::range, Self::bounded, Self::listed_day];
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

    /// The first day of "18 and 19 June".
    fn listed_day(&self, at: usize) -> Read<TimeExpression> {
        let (day, next) = self.day_number(at).filter(|_| self.figures(at, 2).is_some() && self.is_exact)?;
        let and = self.joined_is(next, Meaning::And)?;
        match self.day_month(and).filter(|_| self.joined(and))?.0 {
            TimePoint::Date { month, occurrence, .. } => {
                let point = TimePoint::Date { month, day, weekday: None, occurrence };
                Some((TimeExpression::One(PeriodSide::Within, point), next))
            }
            _ => None,
        }
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
                part.or_else(|| self.piece(at).map(|(_, next)| next))
                    .or_else(|| self.unit(at).map(|(_, next)| next))
            };
            return named(counted).or_else(|| named(next)).filter(|_| self.joined(next));
        }
        let (_, next) = self.nth_piece(at)?;
        let of = self.behind_joints(next);
        let (unit, behind) = self.unit(of).filter(|_| of > next && self.joined(of))?;
        matches!(unit, TimeUnit::Month | TimeUnit::Quarter | TimeUnit::Year).then_some(behind)
    }

    pub(super) fn unbounded(&self, at: usize) -> Read<TimeExpression> {
        self.point(at).map(|(point, next)| (TimeExpression::One(PeriodSide::Within, point), next))
    }

    // ---- sides ----

    /// "since March", "before 2020", 2018年以来, "2010'dan sonra"
    pub(super) fn bounded(&self, at: usize) -> Read<TimeExpression> {
        let inside = TimeReader { is_inside: true, ..*self };
        let lead = self.take(at, |meaning| match meaning {
            Meaning::Side(side, WordPlace::Before) => Some(side),
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
        let is_led = self.led_by(at, |meaning| matches!(meaning, Meaning::Side(_, WordPlace::Before)));
        (!is_led).then_some((TimeExpression::One(side, point), behind))
    }

    pub(super) fn side_behind(&self, at: usize) -> Read<PeriodSide> {
        let side = |at| {
            self.take(at, |meaning| match meaning {
                Meaning::Side(side, WordPlace::Behind) => Some(side),
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
    pub(super) fn behind_side(&self, at: usize, side: PeriodSide) -> usize {
        self.side_behind(at).filter(|(behind, _)| *behind == side).map_or(at, |(_, next)| next)
    }

    /// A year without its lead, where a side follows.
    pub(super) fn bare_year(&self, at: usize) -> Read<TimePoint> {
        TimeReader { is_inside: true, ..*self }.point(at)
    }
}
