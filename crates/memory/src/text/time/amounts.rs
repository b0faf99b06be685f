//! Amounts of time: "two weeks ago", "in three days", "the last five years", "within a month".

use super::lexicon::{Meaning, WordPlace};
use super::reader::{Read, TimeReader};
use super::when::{Amount, Direction, Occurrence, TimePoint, TimeUnit};

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
        if let Some(next) = self.is(at, Meaning::Within(WordPlace::Before)) {
            return self.within(self.behind_joints(next));
        }
        match self.which(at) {
            Some((which, next)) => self.which_amount(which, self.behind_joints(next)),
            None => self.amount_which(at),
        }
    }

    fn rolling_units(
        &self,
        which: Occurrence,
        amount: Amount,
        unit: TimeUnit,
        more: Vec<(i32, TimeUnit)>,
    ) -> Option<TimePoint> {
        let direction = match which {
            Occurrence::Last | Occurrence::Gone => Direction::Before,
            Occurrence::Next | Occurrence::Coming => Direction::After,
            _ => return None,
        };
        let is_countable = unit != TimeUnit::Weekend || self.is_exact;
        is_countable.then_some(TimePoint::Rolling { amount, unit, more, direction })
    }

    /// Behind "within": "two weeks", "the next day and five hours".
    fn within(&self, at: usize) -> Read<TimePoint> {
        let which = self.which(at);
        let next = which.map_or(at, |(_, behind)| self.behind_joints(behind));
        // "within the next day": one, as the word for the next one says.
        let one = || {
            let is_next = matches!(which, Some((Occurrence::Next | Occurrence::Coming, _)));
            let (unit, behind) = self.unit(next).filter(|_| is_next)?;
            Some(((Amount::exactly(1), unit), behind))
        };
        let ((amount, unit), behind) =
            self.amount_of_units(next).or_else(one).filter(|_| self.joined(next))?;
        let (more, behind) = self.more_units(behind);
        Some((TimePoint::Within { amount, unit, more }, behind))
    }

    /// Behind "the last" or "the next": "three days", "three months and two weeks".
    fn which_amount(&self, which: Occurrence, at: usize) -> Read<TimePoint> {
        let ((amount, unit), next) = self.amount_of_units(at)?;
        // "ostatni tydzień" is a week of the calendar and not an amount of one.
        if amount.most == 1 && self.amount(at).is_none() || !self.joined(at) {
            return None;
        }
        let (more, further) = self.more_units(next);
        if let Some(after) = self.within_behind(further) {
            return Some((TimePoint::Within { amount, unit, more }, after));
        }
        // "the last two weeks, 3 days": only what is added with a word belongs to it, and not "and two days before that".
        let has_side = |meaning| matches!(meaning, Meaning::Side(..) | Meaning::Ago(_) | Meaning::Ahead(_));
        let is_of_other = self.take(further, |meaning| has_side(meaning).then_some(())).is_some();
        let is_added = self.joined_is(next, Meaning::And).is_some() && !is_of_other;
        let (more, end) = if is_added { (more, further) } else { (Vec::new(), next) };
        self.rolling_units(which, amount, unit, more).map(|point| (point, end))
    }

    /// "three days within", "5 past years", "3 años últimos", الأشهر الثلاثة القادمة
    fn amount_which(&self, at: usize) -> Read<TimePoint> {
        if let Some(((amount, unit), next)) = self.amount_of_units(at) {
            let (more, further) = self.more_units(next);
            if let Some(after) = self.within_behind(further) {
                return Some((TimePoint::Within { amount, unit, more }, after));
            }
            if self.is_one_amount(at)
                && amount.least > 1
                && let Some((which, after)) = self.which(next).filter(|_| self.joined(next))
            {
                return self.rolling_units(which, amount, unit, Vec::new()).map(|point| (point, after));
            }
        }
        if self.lexicon.has_prefixes
            && let Some((unit, next)) = self.unit(at)
            && let Some((amount, next)) = self.amount(next).filter(|_| self.joined(next))
            && let Some((which, after)) = self.which(next).filter(|_| self.joined(next))
        {
            return self.rolling_units(which, amount, unit, Vec::new()).map(|point| (point, after));
        }
        let (amount, next) = self.amount(at)?;
        if let Some((which, unit_at)) = self.which(next).filter(|_| self.joined(next)) {
            let (unit, behind) = self.unit(unit_at).filter(|_| self.joined(unit_at))?;
            return (amount.least == 1 || self.may_be_counted(next, unit_at, unit))
                .then(|| self.rolling_units(which, amount, unit, Vec::new()))?
                .map(|point| (point, behind));
        }
        let (unit, behind) = self.unit(next).filter(|_| self.joined(next))?;
        let which_at = self.behind_joints(behind);
        let (which, after) = self.which(which_at).filter(|_| self.joined(which_at))?;
        // "ten minutes next week": the word belongs to what follows.
        let follows = self.unit(after).is_some() || self.weekday_name(after, true).is_some();
        if self.joined(after) && follows {
            return None;
        }
        self.rolling_units(which, amount, unit, Vec::new()).map(|point| (point, after))
    }

    /// Whether a number may count a unit that stands behind which one is meant: "only 3 next week" counts no weeks, but "deux derniers jour",
    /// where the word between is a plural, counts days.
    fn may_be_counted(&self, which_at: usize, unit_at: usize, unit: TimeUnit) -> bool {
        let is_singular = self.has_form(unit_at, |word| Some(format!("{word}s")), Meaning::Unit(unit));
        let without_ending = |word: &str| word.strip_suffix('s').map(str::to_owned);
        let is_plural = |meaning| {
            matches!(meaning, Meaning::Which(_)) && self.has_form(which_at, without_ending, meaning)
        };
        !is_singular || self.take(which_at, |meaning| is_plural(meaning).then_some(())).is_some()
    }

    /// Whether another form of a word means the same: whether it has a plural, or is one, as far as an ending tells.
    fn has_form(&self, at: usize, form: impl Fn(&str) -> Option<String>, meaning: Meaning) -> bool {
        let other = self.token(at).and_then(|token| form(&token.word));
        let known = other.and_then(|other| self.lexicon.phrases.get(&other));
        known.is_some_and(|phrases| phrases.iter().any(|(rest, other)| rest.is_empty() && *other == meaning))
    }
}
