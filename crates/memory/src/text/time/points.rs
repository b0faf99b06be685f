//! The rules for one point or period in time: which words, in which order, mean what.
//!
//! At each token all rules are tried and the longest match counts, so "last week of June" is not "last week". Where languages put a word on
//! either side ("semana pasada", "last week"), both orders are read in all of them: the words decide, not the language.

use jiff::civil::Date;

use super::calendar::Period;
use super::lexicon::{Meaning, WordPlace};
use super::reader::{Read, TimeReader};
use super::when::TimePoint;

pub(super) type TimeRule<'a> = fn(&TimeReader<'a>, usize) -> Read<TimePoint>;

/// The longest of what some rules read.
pub(super) fn longest<'a>(reader: &TimeReader<'a>, at: usize, rules: &[TimeRule<'a>]) -> Read<TimePoint> {
    let mut best: Read<TimePoint> = None;
    for rule in rules {
        if let Some((point, next)) = rule(reader, at)
            && best.as_ref().is_none_or(|(_, longest)| next > *longest)
        {
            best = Some((point, next));
        }
    }
    best
}

impl<'a> TimeReader<'a> {
    /// Any point in time, with the part of the day that stands behind it.
    pub(super) fn point(&self, at: usize) -> Read<TimePoint> {
        if !self.is_known(at) {
            return None;
        }
        self.remembered(at, || self.any_point(at))
    }

    pub(super) fn any_point(&self, at: usize) -> Read<TimePoint> {
        let rules: [TimeRule<'a>; 33] = [
            Self::named,
            Self::recent,
            Self::which_day_part,
            Self::lasting,
            Self::away,
            Self::rolling,
            Self::calendar,
            Self::weekday,
            Self::week_weekday,
            Self::weekday_away,
            Self::numeric,
            Self::compact,
            Self::month_day,
            Self::day_month,
            Self::year_first,
            Self::day_of_month,
            Self::day_of,
            Self::month,
            Self::year_part,
            Self::week_number,
            Self::season,
            Self::holiday,
            Self::year,
            Self::decade,
            Self::nth,
            Self::several,
            Self::away_from_before,
            Self::bare_nth,
            Self::century,
            Self::part,
            Self::beside,
            Self::week_around,
            Self::rest,
        ];
        let (point, next) = longest(self, self.behind_article(at), &rules)?;
        Some((point, self.behind_day_part(next)))
    }

    pub(super) fn behind_day_part(&self, at: usize) -> usize {
        let behind = self.behind_joints(at);
        self.joined_is(behind, Meaning::DayPart).unwrap_or(at)
    }

    /// Whether a word in front says that a month, a day or a year follows.
    pub(super) fn is_led(&self, at: usize) -> bool {
        let leads = |meaning| {
            matches!(
                meaning,
                Meaning::Lead
                    | Meaning::Side(_, WordPlace::Before)
                    | Meaning::From
                    | Meaning::Between
                    | Meaning::Part(_)
                    | Meaning::YearWord
            )
        };
        self.is_inside
            || self.led_by(at, leads)
            || self.led_by(at, |meaning| meaning == Meaning::Article) && self.led_by(at - 1, leads)
    }
}

/// Whole years from one on.
pub(super) fn whole_years(first: i16, count: i16) -> Option<TimePoint> {
    let (start, end) = (Date::new(first, 1, 1).ok()?, Date::new(first + count, 1, 1).ok()?);
    Some(TimePoint::Period(Period { start, end }))
}
