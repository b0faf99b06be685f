//! Amounts of time: "two weeks ago", "in three days", "the last five years", "within a month".

use super::lexicon::{Meaning, WordPlace};
use super::reader::{Read, TimeReader};
use super::when::{Direction, Occurrence, TimePoint, TimeUnit};

/// How far before "in two weeks" words may stand that tell a duration from a plan.
const DURATION_CUE_TOKENS: usize = 6;

impl TimeReader<'_> {
    /// "two weeks ago", "vor zwei Wochen", "a few days from now", "in two weeks", 三天后
    pub(super) fn away(&self, at: usize) -> Read<TimePoint> {
        let ago = self.is(at, Meaning::Ago(WordPlace::Before));
        let ahead = self.is(at, Meaning::Ahead(WordPlace::Before)).or_else(|| self.led_ahead(at));
        let start = self.behind_article(ago.or(ahead).unwrap_or(at));
        let is_joined = start == at || self.joined(start);
        let ((amount, unit), next) = self.amount_of_units(start).filter(|_| is_joined)?;
        let (more, next) = self.more_units(next);
        let behind = self.behind_joints(next);
        let direction = |at| {
            self.take(at, |meaning| match meaning {
                Meaning::Ago(WordPlace::Behind) => Some(Direction::Before),
                Meaning::Ahead(WordPlace::Behind) => Some(Direction::After),
                _ => None,
            })
        };
        let said = if self.joined(next) { direction(next).or_else(|| direction(behind)) } else { None };
        // "30 minutes later this week": the word belongs to what follows.
        let said = said.filter(|(_, after)| {
            !self.joined(*after) || self.which(*after).is_none() || self.lexicon.is_unspaced
        });
        let (direction, next) = match (said, ago, ahead) {
            (Some((direction, next)), _, _) => (direction, next),
            (None, Some(_), _) => (Direction::Before, next),
            (None, None, Some(_)) if !self.is_duration(at) => (Direction::After, next),
            _ => return None,
        };
        if matches!(unit, TimeUnit::Minute | TimeUnit::Hour)
            && !self.is_exact
            && direction == Direction::After
        {
            return None;
        }
        Some((TimePoint::Away { amount, unit, more, direction }, next))
    }

    pub(super) fn is_one_amount(&self, at: usize) -> bool {
        self.take(at, |meaning| matches!(meaning, Meaning::Amount(..)).then_some(())).is_some()
    }

    pub(super) fn within_behind(&self, at: usize) -> Option<usize> {
        let within = Meaning::Within(WordPlace::Behind);
        self.joined_is(at, within).or_else(|| self.joined_is(self.behind_joints(at), within))
    }

    /// The amount itself, where "in" stands before it.
    pub(super) fn led_ahead(&self, at: usize) -> Option<usize> {
        self.led_by(at, |meaning| meaning == Meaning::Ahead(WordPlace::Before)).then_some(at)
    }

    /// "We have not met in two weeks" looks back, and "not built in a day" is a duration.
    pub(super) fn is_duration(&self, at: usize) -> bool {
        let first = at.saturating_sub(DURATION_CUE_TOKENS);
        (first..at).any(|at| self.is(at, Meaning::NotAhead).is_some())
    }

    /// "a month and two days"
    pub(super) fn more_units(&self, at: usize) -> (Vec<(i32, TimeUnit)>, usize) {
        const MOST: usize = 3;
        let (mut more, mut next) = (Vec::new(), at);
        while more.len() < MOST {
            let at = self.joined_is(next, Meaning::And).unwrap_or(next);
            let Some(((amount, unit), behind)) = self.amount_of_units(at).filter(|_| self.joined_loosely(at))
            else {
                break;
            };
            more.push((amount.least, unit));
            next = behind;
        }
        (more, next)
    }

    /// "the last three days", "los últimos 3 años", "the next few months", "within two weeks"
    pub(super) fn rolling(&self, at: usize) -> Read<TimePoint> {
        let within = self.is(at, Meaning::Within(WordPlace::Before));
        if let Some(next) = within {
            let next = self.behind_joints(next);
            let next = self.which(next).map_or(next, |(_, behind)| self.behind_joints(behind));
            let ((amount, unit), behind) = self.amount_of_units(next).filter(|_| self.joined(next))?;
            let (more, behind) = self.more_units(behind);
            return Some((TimePoint::Within { amount, unit, more }, behind));
        }
        let of = |which, amount, unit| {
            let direction = match which {
                Occurrence::Last | Occurrence::Gone => Direction::Before,
                Occurrence::Next | Occurrence::Coming => Direction::After,
                _ => return None,
            };
            let is_countable = unit != TimeUnit::Weekend || self.is_exact;
            is_countable.then_some(TimePoint::Rolling { amount, unit, direction })
        };
        if let Some((which, next)) = self.which(at) {
            let next = self.behind_joints(next);
            // "ostatni tydzień" is a week of the calendar and not an amount of one.
            if self.amount(next).is_none()
                && self.amount_of_units(next).is_some_and(|((amount, _), _)| amount.most == 1)
            {
                return None;
            }
            let ((amount, unit), behind) = self.amount_of_units(next).filter(|_| self.joined(next))?;
            let (more, further) = self.more_units(behind);
            if let Some(after) = self.within_behind(further) {
                return Some((TimePoint::Within { amount, unit, more }, after));
            }
            return of(which, amount, unit).map(|point| (point, behind));
        }
        if let Some(((amount, unit), next)) = self.amount_of_units(at) {
            let (more, further) = self.more_units(next);
            if let Some(after) = self.within_behind(further) {
                return Some((TimePoint::Within { amount, unit, more }, after));
            }
            if self.is_one_amount(at)
                && amount.least > 1
                && let Some((which, after)) = self.which(next).filter(|_| self.joined(next))
            {
                return of(which, amount, unit).map(|point| (point, after));
            }
        }
        // الأشهر الثلاثة القادمة
        if self.lexicon.has_prefixes
            && let Some((unit, next)) = self.unit(at)
            && let Some((amount, next)) = self.amount(next).filter(|_| self.joined(next))
            && let Some((which, after)) = self.which(next).filter(|_| self.joined(next))
        {
            return of(which, amount, unit).map(|point| (point, after));
        }
        let (amount, next) = self.amount(at)?;
        let inner = next;
        // "5 past years"
        if let Some((which, next)) = self.which(inner).filter(|_| self.joined(inner)) {
            let (unit, behind) = self.unit(next).filter(|_| self.joined(next))?;
            return of(which, amount, unit).map(|point| (point, behind));
        }
        let (unit, next) = self.unit(inner).filter(|_| self.joined(inner))?;
        let behind = self.behind_joints(next);
        let (which, after) = self.which(behind).filter(|_| self.joined(behind))?;
        // "ten minutes next week": the word belongs to what follows.
        let follows = self.unit(after).is_some() || self.weekday_name(after, true).is_some();
        if self.joined(after) && follows {
            return None;
        }
        of(which, amount, unit).map(|point| (point, after))
    }
}
