//! Months, quarters, seasons, holidays and years.

use super::lexer::Gap;
use super::lexicon::Meaning;
use super::points::whole_years;
use super::reader::{Read, TimeReader, full_year};
use super::when::{Holiday, Occurrence, TimePoint, TimeUnit};

impl TimeReader<'_> {
    /// "May 2023", "last May", "in May"
    pub(super) fn month(&self, at: usize) -> Read<TimePoint> {
        let which = self.which(at).filter(|(_, next)| self.joined(*next));
        let name = which.map_or(at, |(_, next)| next);
        let token = self.token(name)?;
        let ((month, is_full), next) = self.month_name(name)?;
        let occurrence = match which {
            // "this may be" is a verb far more often than a month.
            Some((Occurrence::This, _))
                if self.lexicon.months_and_verbs.contains(&token.word)
                    && !token.is_capitalised
                    && !self.at_end(next) =>
            {
                return None;
            }
            Some((which, _)) => (which, next),
            None => {
                self.year_of(next).or_else(|| self.which_behind(next)).unwrap_or((Occurrence::Nearest, next))
            }
        };
        let (occurrence, next) = occurrence;
        let is_led = which.is_some() || self.is_led(at);
        let needs_lead = !is_full || self.lexicon.months_and_names.contains(&token.word);
        // A bare name counts where the text is of its language, and no article makes another word of it.
        let is_bare = !needs_lead && self.is_shown && !self.led_by(at, |meaning| meaning == Meaning::Article);
        let is_month = occurrence != Occurrence::Nearest || is_led || is_bare;
        is_month.then_some((TimePoint::Month { month, occurrence }, next))
    }

    /// "marzo passato", but not "diciembre esta": what follows may begin with the word for this one.
    fn which_behind(&self, at: usize) -> Read<Occurrence> {
        self.which(at).filter(|(which, _)| self.joined(at) && *which != Occurrence::This)
    }

    /// "week 31", "week 12 of 2019"
    pub(super) fn week_number(&self, at: usize) -> Read<TimePoint> {
        let (_, next) = self.unit(at).filter(|(unit, _)| *unit == TimeUnit::Week && self.is_exact)?;
        let (number, next) = self.figures(next, 2).filter(|_| self.joined(next))?;
        let number = i8::try_from(number).ok().filter(|number| (1..=53).contains(number))?;
        let (occurrence, next) = self.year_of(next).unwrap_or((Occurrence::InRelativeYear(0), next));
        Some((TimePoint::WeekNumber { number, occurrence }, next))
    }

    /// "Q1 2023", "the third quarter of this year", 2016年上半年, "H1 2016"
    pub(super) fn year_part(&self, at: usize) -> Read<TimePoint> {
        let before = self.year_of(at).filter(|_| self.behind_joints(at) == at);
        let start = before.map_or(at, |(_, next)| self.behind_joints(next));
        let is_joined = start == at || self.joined_loosely(start);
        let ((unit, number), next) = self.part_number(start).filter(|_| is_joined)?;
        if before.is_some()
            || self.token(start).is_some_and(|token| token.number.is_some()) && !self.joined(next)
        {
            let occurrence = before.map_or(Occurrence::Nearest, |(occurrence, _)| occurrence);
            return Some((TimePoint::YearPart { unit, number, occurrence }, next));
        }
        let (occurrence, next) = self.year_of(next).unwrap_or((Occurrence::Nearest, next));
        Some((TimePoint::YearPart { unit, number, occurrence }, next))
    }

    pub(super) fn part_number(&self, at: usize) -> Read<(TimeUnit, i8)> {
        let sized = |unit, number: i32| {
            let most = if unit == TimeUnit::Half { 2 } else { 4 };
            i8::try_from(number)
                .ok()
                .filter(|number| (1..=most).contains(number))
                .map(|number| (unit, number))
        };
        let letter = match self.token(at)?.word.as_str() {
            "q" => Some(TimeUnit::Quarter),
            "h" => Some(TimeUnit::Half),
            _ => None,
        };
        if let Some(unit) = letter {
            let (number, next) = self.figures(at + 1, 1)?;
            let is_attached = self.token(at + 1)?.gap == Gap::None;
            return sized(unit, number).filter(|_| is_attached).map(|part| (part, next));
        }
        let is_part = |unit| matches!(unit, TimeUnit::Quarter | TimeUnit::Half);
        if self.lexicon.has_prefixes
            && let Some((unit, next)) = self.unit(at).filter(|(unit, _)| is_part(*unit))
            && let Some((number, behind)) = self.ordinal(next).filter(|_| self.joined(next))
        {
            return sized(unit, number).map(|part| (part, behind));
        }
        let (number, next) = self.ordinal(at).or_else(|| self.count(at))?;
        let next = self.behind_joints(next);
        let (unit, behind) = self.unit(next).filter(|_| self.joined(next))?;
        // "two quarters" is an amount, "the first quarter" is a part.
        let is_counted = self.ordinal(at).is_some() || self.lexicon.is_unspaced;
        sized(unit, number).filter(|_| is_part(unit) && is_counted).map(|part| (part, behind))
    }

    /// "last summer", "the summer of 2022", "in the spring"
    pub(super) fn season(&self, at: usize) -> Read<TimePoint> {
        let which = self.which(at).filter(|(_, next)| self.joined(*next));
        let name = self.behind_joints(which.map_or(at, |(_, next)| next));
        let (season, next) = self.take(name, |meaning| match meaning {
            Meaning::Season(season) => Some(season),
            _ => None,
        })?;
        let (occurrence, next) = match which {
            Some((which, _)) => (which, next),
            None => {
                self.year_of(next).or_else(|| self.which_behind(next)).unwrap_or((Occurrence::Nearest, next))
            }
        };
        let is_season = occurrence != Occurrence::Nearest || self.is_led(at);
        is_season.then_some((TimePoint::Season { season, occurrence }, next))
    }

    /// "Christmas", "last Christmas", "New Year's Eve 2022"
    pub(super) fn holiday(&self, at: usize) -> Read<TimePoint> {
        // 2010년 추수감사절
        if let Some((occurrence, next)) = self.year_of(at).filter(|_| self.behind_joints(at) == at)
            && let name = self.behind_joints(next)
            && self.joined(name)
            && let Some((holiday, behind)) = self.holiday_name(name)
        {
            return Some((TimePoint::Holiday { holiday, occurrence }, behind));
        }
        let which = self.which(at).filter(|(_, next)| self.joined(*next));
        let name = self.behind_joints(which.map_or(at, |(_, next)| next));
        let (holiday, next) = self.holiday_name(name)?;
        // "Labor Day weekend"
        let weekend = self.unit(next).filter(|(unit, _)| *unit == TimeUnit::Weekend && self.joined(next));
        // A "new year" is a holiday only by its ending or its capital.
        let last = self.token(next - 1)?;
        let is_plain_year = self.is(next - 1, Meaning::Unit(TimeUnit::Year)).is_some();
        if is_plain_year && !self.lexicon.is_unspaced && !last.is_possessive && !last.is_capitalised {
            return None;
        }
        let next = weekend.map_or(next, |(_, behind)| behind);
        let (occurrence, next) = match which {
            Some((which, _)) => (which, next),
            None => {
                self.year_of(next).or_else(|| self.which_behind(next)).unwrap_or((Occurrence::Nearest, next))
            }
        };
        let point = TimePoint::Holiday { holiday, occurrence };
        Some(match weekend {
            Some((unit, _)) => (TimePoint::Around { unit, of: Box::new(point) }, next),
            None => (point, next),
        })
    }

    pub(super) fn holiday_name(&self, at: usize) -> Read<Holiday> {
        self.take(at, |meaning| match meaning {
            Meaning::Holiday(holiday) => Some(holiday),
            _ => None,
        })
    }

    /// 80年代, 1990년대, "la década de 1990"
    pub(super) fn decade(&self, at: usize) -> Read<TimePoint> {
        if let Some((_, next)) = self.unit(at).filter(|(unit, _)| *unit == TimeUnit::Decade) {
            let number_at = self.behind_joints(next);
            let (year, behind) =
                self.year_number(number_at).filter(|(year, _)| number_at > next && year % 10 == 0)?;
            return Some((whole_years(year, 10)?, behind)).filter(|_| self.joined(number_at));
        }
        let (number, next) = self.figures(at, 4).or_else(|| self.number_words(at))?;
        let joint = self.behind_joints(next);
        let (_, behind) =
            self.unit(joint).filter(|(unit, _)| *unit == TimeUnit::Decade && self.joined(joint))?;
        let is_years = (1000..2200).contains(&number) || (20..100).contains(&number);
        let year = if number < 100 { 1900 + number } else { number };
        let first = i16::try_from(year).ok().filter(|year| is_years && year % 10 == 0)?;
        (self.lexicon.is_unspaced || joint > next).then_some((whole_years(first, 10)?, behind))
    }

    /// "the nineteen eighties", "the twenty-twenties"
    fn decade_words(&self, at: usize) -> Read<TimePoint> {
        let (century, next) = self.number_words(at).filter(|(century, _)| (15..=20).contains(century))?;
        let (first, behind) = self.take(next, |meaning| match meaning {
            Meaning::Decade(first) => Some(first),
            _ => None,
        })?;
        let first = i16::try_from(century).ok()? * 100 + first % 100;
        self.joined(next).then_some((whole_years(first, 10)?, behind))
    }

    /// "CY18": two figures are a year where its word is written together with them.
    fn attached_year(&self, at: usize) -> Read<TimePoint> {
        let next = self.is(at, Meaning::YearWord).filter(|_| !self.lexicon.is_unspaced)?;
        let is_attached = self.token(next)?.gap == Gap::None && self.token(next)?.number?.1 == 2;
        let (year, behind) = self.figures(next, 2).filter(|_| is_attached)?;
        Some((whole_years(i16::try_from(full_year(year)).ok()?, 1)?, behind))
    }

    /// "in 2022", "the year 2012", 2012年, "the 1990s"
    pub(super) fn year(&self, at: usize) -> Read<TimePoint> {
        let named = self.take(at, |meaning| match meaning {
            Meaning::Decade(first) => Some(first),
            _ => None,
        });
        if let Some((first, next)) = named {
            return Some((whole_years(first, 10)?, next)).filter(|_| self.is_led(at));
        }
        if let Some(found) = self.decade_words(at).or_else(|| self.attached_year(at)) {
            return Some(found);
        }
        let short = self.figures(at, 2).filter(|(tens, next)| {
            let is_plural =
                self.token(*next).is_some_and(|token| token.word == "s" && token.gap == Gap::None);
            tens % 10 == 0 && *tens >= 20 && is_plural && self.is_led(at)
        });
        if let Some((tens, next)) = short {
            return Some((whole_years(1900 + i16::try_from(tens).ok()?, 10)?, next + 1));
        }
        let behind = self.is(at, Meaning::YearWord).filter(|next| self.joined(*next));
        let number_at = behind.map_or(at, |next| self.behind_joints(next));
        let (year, next) = self.year_number(number_at)?;
        let is_decade = self.token(next).is_some_and(|token| token.word == "s" && token.gap == Gap::None)
            || year % 10 == 0 && self.token(next - 1).is_some_and(|token| token.is_possessive);
        if is_decade && year % 10 == 0 {
            let next =
                if self.token(next - 1).is_some_and(|token| token.is_possessive) { next } else { next + 1 };
            return Some((whole_years(year, 10)?, next));
        }
        let is_marked = self.is(next - 1, Meaning::YearMark).is_some();
        let is_year =
            behind.is_some() || is_marked || self.is_led(at) || self.led_by(at, |one| one == Meaning::To);
        let is_other = self.token(next).is_some_and(|token| token.gap == Gap::Mark(':'));
        (is_year && !is_other).then_some((whole_years(year, 1)?, next))
    }
}
