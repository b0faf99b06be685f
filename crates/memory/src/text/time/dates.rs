//! Days by their number: "7 May 2023", "the 20th of next month", 5月7日.

use super::lexer::Gap;
use super::lexicon::Meaning;
use super::reader::{Read, TimeReader};
use super::when::{Occurrence, TimePoint, TimeUnit};

impl TimeReader<'_> {
    /// A name of a month, or its number with a mark; whether it is a full name, and where it ends.
    pub(super) fn month_name(&self, at: usize) -> Read<(i8, bool)> {
        let named = self.take(at, |meaning| match meaning {
            Meaning::Month(month) => Some((month, true)),
            Meaning::ShortMonth(month) => Some((month, false)),
            _ => None,
        });
        // شهر مارس
        let behind_unit = || {
            let (_, next) =
                self.unit(at).filter(|(unit, _)| *unit == TimeUnit::Month && self.lexicon.has_prefixes)?;
            let name = self.take(next, |meaning| match meaning {
                Meaning::Month(month) | Meaning::ShortMonth(month) => Some((month, true)),
                _ => None,
            });
            name.filter(|_| self.joined(next))
        };
        named.or_else(behind_unit).or_else(|| {
            let (number, next) = self.count(at)?;
            let month = i8::try_from(number).ok().filter(|month| (1..=12).contains(month))?;
            let behind = self.joined_is(next, Meaning::MonthMark)?;
            Some(((month, true), behind))
        })
    }

    /// "May 7", "May 7th, 2023", "Sept. 7", 5月7日
    pub(super) fn month_day(&self, at: usize) -> Read<TimePoint> {
        let token = self.token(at)?;
        let ((month, is_full), next) = self.month_name(at)?;
        let article = self.behind_joints(next);
        let gap = self.token(article)?.gap;
        let is_joined = self.joined(article)
            || gap == Gap::Mark(',') && self.marked_day(article).is_some()
            || !is_full && gap == Gap::Mark('.')
            || gap == Gap::Mark('/');
        // 5月7 may be a clause, 八月十五 is a day.
        let is_figure = self.token(article)?.number.is_some();
        let has_words =
            self.number_words(article).is_some_and(|(_, end)| end > article + 1 && article == next);
        let needs_mark = self.lexicon.is_unspaced && (is_figure || !has_words);
        let read = if needs_mark { self.marked_day(article) } else { self.day_number(article) };
        let (day, behind) = read.filter(|_| is_joined)?;
        if self.token(behind).is_some_and(|token| token.gap == Gap::Mark(':')) {
            return None;
        }
        let (occurrence, after) = self.year_behind(behind).unwrap_or((Occurrence::Nearest, behind));
        let is_surely_date = token.is_capitalised
            || article > next
            || !self.lexicon.months_and_verbs.contains(&token.word)
            || self.marked_day(article).is_some()
            || occurrence != Occurrence::Nearest
            || self.is_inside
            || self.at_end(after);
        let point = TimePoint::Date { month, day, weekday: None, occurrence };
        is_surely_date.then(|| self.with_weekday_behind(point, after))
    }

    /// "7 May", "7th of May 2023", "the fourth of July", "7. Mai", "22 janvier 2016"
    pub(super) fn day_month(&self, at: usize) -> Read<TimePoint> {
        let (day, next) = self.day_number(at)?;
        let name = self.behind_joints(next);
        let token = self.token(name)?;
        let is_joined = self.joined(name) || matches!(token.gap, Gap::Mark('.' | '/'));
        let ((month, _), behind) = self.month_name(name).filter(|_| is_joined)?;
        // "one may say", "due marzo": a number in words is a day only where the month is one.
        let is_word = self.token(at)?.number.is_none() && self.marked_day(at).is_none();
        let is_other = self.lexicon.months_and_names.contains(&token.word) && !token.is_capitalised;
        if is_word && is_other || token.number.is_some() {
            return None;
        }
        let (occurrence, after) = self.year_behind(behind).unwrap_or((Occurrence::Nearest, behind));
        Some(self.with_weekday_behind(TimePoint::Date { month, day, weekday: None, occurrence }, after))
    }

    /// The year of a day, which machines write behind the time: "Wed Oct 26 15:50:06 2016".
    fn year_behind(&self, at: usize) -> Read<Occurrence> {
        self.year_of(at).or_else(|| {
            let after = self.behind_clock_time(at);
            let is_of_clock =
                |place: usize| self.token(place).is_some_and(|token| token.gap == Gap::Mark(':'));
            let has_seconds = after >= at + 3 && is_of_clock(after - 1) && is_of_clock(after - 2);
            let (year, next) = self.year_number(after).filter(|_| has_seconds && self.joined(after))?;
            Some((Occurrence::InYear(year), next))
        })
    }

    /// "15 June, Friday", 6月15日金曜日
    pub(super) fn with_weekday_behind(&self, point: TimePoint, next: usize) -> (TimePoint, usize) {
        let at = self.behind_joints(next);
        let named = self.weekday_name(at, false).filter(|_| self.joined_loosely(at));
        match (point, named) {
            (TimePoint::Date { month, day, occurrence, .. }, Some((weekday, behind))) => {
                (TimePoint::Date { month, day, weekday: Some(weekday), occurrence }, behind)
            }
            (point, _) => (point, next),
        }
    }

    /// 2016年5月7日, "2019-sep-1", "last year in May", 去年5月
    pub(super) fn year_first(&self, at: usize) -> Read<TimePoint> {
        let (occurrence, next) = self.year_of(at)?;
        if occurrence == Occurrence::Nearest || self.behind_joints(at) != at {
            return None;
        }
        let name = self.behind_lead(next);
        let is_joined = self.joined_loosely(name);
        let ((month, _), behind) = self.month_name(name).filter(|_| is_joined)?;
        let day_at = self.behind_joints(behind);
        let day = self.day_number(day_at).filter(|(_, after)| {
            let is_clock = self.token(*after).is_some_and(|token| token.gap == Gap::Mark(':'));
            (self.joined(day_at) || self.token(day_at).is_some_and(|token| token.gap == Gap::Mark('/')))
                && !is_clock
        });
        // 2016年5月 7: a day in these scripts has its mark.
        let is_figure = self.token(day_at).is_some_and(|token| token.number.is_some());
        let day =
            day.filter(|_| !self.lexicon.is_unspaced || !is_figure || self.marked_day(day_at).is_some());
        Some(match day {
            Some((day, after)) => {
                self.with_weekday_behind(TimePoint::Date { month, day, weekday: None, occurrence }, after)
            }
            None => (TimePoint::Month { month, occurrence }, behind),
        })
    }

    /// "on the 7th", where nothing follows that there could be seven of; 15日
    pub(super) fn day_of_month(&self, at: usize) -> Read<TimePoint> {
        if self.lexicon.is_unspaced {
            let (number, next) = self.count(at).filter(|(number, _)| *number <= 31)?;
            // 一日 is more often a day long than the first.
            if self.token(at)?.number.is_none() && !self.is_exact {
                return None;
            }
            let behind = self.joined_is(next, Meaning::DayMark)?;
            // 三天, 15日間 are durations.
            let counts = self.unit(next).is_some_and(|(_, unit_end)| unit_end > behind);
            let day = i8::try_from(number).ok()?;
            return (!counts).then_some((TimePoint::DayOfMonth(day), behind));
        }
        let has_article = self.led_by(at, |meaning| meaning == Meaning::Article);
        let has_mark = |next: usize| next > at + 1 && self.is(next - 1, Meaning::DayMark).is_some();
        if let Some((day, next)) = self.marked_day(at) {
            // "the second" may be any second, "the twenty second" is a day.
            let is_plain = self.token(at)?.number.is_none() && day < 20;
            let is_day = self.is_led(at) || has_article && self.is_exact;
            let has_ending = self.lexicon.has_endings
                && self.token(next - 1).is_some_and(|token| token.gap == Gap::Mark('\''));
            return ((is_day && self.is_bare_end(next) && !is_plain) || has_mark(next) || has_ending)
                .then_some((TimePoint::DayOfMonth(day), next));
        }
        // "for the 27", "am 15", "dia 15"
        let (day, next) = self.day_number(at)?;
        let is_day = self.is_exact
            && (has_article && self.is_led(at)
                || self.led_by(at, |meaning| matches!(meaning, Meaning::DayMark | Meaning::DayLead)));
        (is_day && self.is_bare_end(next)).then_some((TimePoint::DayOfMonth(day), next))
    }

    /// "the 20th of next month", 下月20号
    pub(super) fn day_of(&self, at: usize) -> Read<TimePoint> {
        let is_month = |point: &TimePoint| matches!(point, TimePoint::Calendar { unit: TimeUnit::Month, .. });
        let day_first = || {
            let (day, next) = self.day_number(at)?;
            let of = self.behind_joints(next);
            let (point, behind) =
                self.calendar(of).filter(|(point, _)| self.joined(of) && is_month(point))?;
            Some((TimePoint::DayOf { day, of: Box::new(point) }, behind))
        };
        let month_first = || {
            let (point, next) = self.calendar(at).filter(|(point, _)| is_month(point))?;
            let day_at = self.behind_lead(next);
            let (day, behind) = self.marked_day(day_at).filter(|_| self.joined(day_at))?;
            Some((TimePoint::DayOf { day, of: Box::new(point) }, behind))
        };
        day_first().or_else(month_first)
    }
}
