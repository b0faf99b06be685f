//! The rules for one point or period in time: which words, in which order, mean what.
//!
//! At each token all rules are tried and the longest match counts, so "last week of June" is not "last week". Where languages put a word on
//! either side ("semana pasada", "last week"), both orders are read in all of them: the words decide, not the language.

use jiff::civil::{Date, Weekday};

use super::calendar::Period;
use super::lexer::Gap;
use super::lexicon::{Meaning, Place};
use super::reader::{Read, TimeReader};
use super::when::{Amount, Direction, Holiday, Occurrence, PeriodSide, TimePoint, TimeUnit};

type TimeRule<'a> = fn(&TimeReader<'a>, usize) -> Read<TimePoint>;

/// How far before "in two weeks" words may stand that tell a duration from a plan.
const DURATION_CUE_TOKENS: usize = 6;

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

    fn any_point(&self, at: usize) -> Read<TimePoint> {
        let rules: [TimeRule<'a>; 30] = [
            Self::named,
            Self::recent,
            Self::which_day_part,
            Self::lasting,
            Self::away,
            Self::rolling,
            Self::calendar,
            Self::weekday,
            Self::week_weekday,
            Self::numeric,
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
                    | Meaning::Side(_, Place::Before)
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

    // ---- days ----

    /// "yesterday", "last night", 明天
    fn named(&self, at: usize) -> Read<TimePoint> {
        let exact = self.is_exact;
        self.take(at, |meaning| match meaning {
            Meaning::Period(TimeUnit::Day, offset) => Some(TimePoint::Day(offset)),
            Meaning::EitherDay(days) => Some(TimePoint::EitherDay(days)),
            Meaning::Now if exact => Some(TimePoint::Day(0)),
            _ => None,
        })
    }

    /// "next morning", "last evening"
    fn which_day_part(&self, at: usize) -> Read<TimePoint> {
        let (which, next) = self.which(at).filter(|_| self.is_exact)?;
        let behind = self.joined_is(next, Meaning::DayPart)?;
        self.calendar_unit(which, TimeUnit::Day, false).map(|point| (point, behind))
    }

    /// "for two weeks from 20 December", "a day starting this Friday"
    fn lasting(&self, at: usize) -> Read<TimePoint> {
        let next = self.is(at, Meaning::Lasting).filter(|next| self.joined(*next) && self.is_exact)?;
        let ((amount, unit), next) = self.amount_of_units(next)?;
        let starts = |meaning| matches!(meaning, Meaning::From | Meaning::Side(PeriodSide::Since, Place::Before));
        let ((), from) = self.take(next, |meaning| starts(meaning).then_some(()))?;
        let (from, behind) = self.inner(from).filter(|_| self.joined_loosely(next) && self.joined(from))?;
        Some((TimePoint::Lasting { amount, unit, from }, behind))
    }

    /// "recently", "the other day"
    fn recent(&self, at: usize) -> Read<TimePoint> {
        self.take(at, |meaning| match meaning {
            Meaning::Recent(number, unit) => Some(TimePoint::Rolling {
                amount: Amount::exactly(number),
                unit,
                direction: Direction::Before,
            }),
            _ => None,
        })
    }

    /// "next week", "la semana pasada", "diese Woche", 来月
    pub(super) fn calendar(&self, at: usize) -> Read<TimePoint> {
        let phrase = self.take(at, |meaning| match meaning {
            Meaning::Period(unit, offset) if unit != TimeUnit::Day => Some(TimePoint::Calendar { unit, offset }),
            _ => None,
        });
        let before = || {
            let (which, next) = self.which(at)?;
            let next = self.behind_joints(next);
            let (unit, behind) = self.unit(next).filter(|_| self.joined(next))?;
            let is_past = self.is(at, Meaning::Past).is_some() && !self.is_exact;
            self.calendar_unit(which, unit, is_past).map(|point| (point, behind))
        };
        let behind = || {
            let (unit, next) = self.unit(at)?;
            let next = self.behind_joints(next);
            let (which, behind) = self.which(next).filter(|_| self.joined(next))?;
            // "two hours next week": the word belongs to what follows.
            let follows = self.unit(behind).is_some() || self.weekday_name(behind, true).is_some();
            if follows && self.joined(behind) {
                return None;
            }
            self.calendar_unit(which, unit, false).map(|point| (point, behind))
        };
        // "for the weekend", "by the end of the week": the present one.
        let present = || {
            let (unit, next) = self.unit(at).filter(|_| self.is_exact)?;
            let is_whole = matches!(unit, TimeUnit::Week | TimeUnit::Weekend | TimeUnit::Month | TimeUnit::Year);
            let has_article = self.led_by(at, |meaning| meaning == Meaning::Article);
            let is_weekend = unit == TimeUnit::Weekend;
            let stands_alone = (self.is_bare_end(next) || is_weekend) && self.which(next).is_none();
            (is_whole && (has_article || is_weekend) && stands_alone).then_some((TimePoint::Calendar { unit, offset: 0 }, next))
        };
        phrase.or_else(before).or_else(behind).or_else(present)
    }

    pub(super) fn calendar_unit(&self, which: Occurrence, unit: TimeUnit, is_past: bool) -> Option<TimePoint> {
        let offset = match which {
            Occurrence::Last | Occurrence::Gone => -1,
            Occurrence::Next | Occurrence::Coming => 1,
            _ => 0,
        };
        match unit {
            // "the past week" are the seven days behind us.
            _ if is_past => {
                Some(TimePoint::Rolling { amount: Amount::exactly(1), unit, direction: Direction::Before })
            }
            TimeUnit::Minute | TimeUnit::Hour => self.is_exact.then_some(TimePoint::Day(0)),
            TimeUnit::Day => (self.is_exact || offset == 0).then_some(TimePoint::Day(offset)),
            _ => Some(TimePoint::Calendar { unit, offset }),
        }
    }

    pub(super) fn weekday_name(&self, at: usize, with_short: bool) -> Read<Weekday> {
        self.take(at, |meaning| match meaning {
            Meaning::Weekday(weekday) => Some(weekday),
            Meaning::ShortWeekday(weekday) if with_short => Some(weekday),
            _ => None,
        })
    }

    /// "last Friday", "Friday the 20th", "Friday, May 5", "Tuesday of last week"; not "every Friday".
    fn weekday(&self, at: usize) -> Read<TimePoint> {
        if self.led_by(at, |meaning| meaning == Meaning::Every) {
            return None;
        }
        let which = self.which(at).filter(|(_, next)| self.joined(*next));
        let which = which.filter(|(_, next)| self.weekday_name(self.behind_joints(*next), true).is_some());
        let name = which.map_or(at, |(_, next)| self.behind_joints(next));
        let is_led = self.led_by(at, |one| matches!(one, Meaning::DayLead | Meaning::Side(..)));
        let is_sure = which.is_some() || is_led && self.token(name)?.word.chars().count() > 2;
        let (weekday, next) = self.weekday_name(name, true)?;
        let is_full = self.weekday_name(name, false).is_some();
        if let Some(found) = self.weekday_and_date(weekday, next) {
            return Some(found);
        }
        let has_day = self.marked_day(self.behind_joints(next)).is_some();
        if !is_full && !is_sure && !has_day {
            return None;
        }
        if let Some(found) = self.weekday_and_more(weekday, next) {
            return Some(found);
        }
        let may_follow = which.is_none() && self.joined(next) && !self.lexicon.is_unspaced;
        let behind = if may_follow { self.which(self.behind_joints(next)) } else { None };
        // "Tuesday this week" is read above; "Friday last" is a weekday and which.
        let occurrence = which.or(behind).map_or(Occurrence::Nearest, |(which, _)| which);
        Some((TimePoint::Weekday { weekday, occurrence }, behind.map_or(next, |(_, next)| next)))
    }

    /// "Tuesday 24 November", "Saturday, 5.12."
    fn weekday_and_date(&self, weekday: Weekday, next: usize) -> Read<TimePoint> {
        let at = self.behind_lead(self.behind_comma(next));
        if !self.joined_loosely(at) {
            return None;
        }
        let led = TimeReader { is_inside: true, ..*self };
        let rules: [TimeRule<'a>; 4] = [Self::month_day, Self::day_month, Self::numeric, Self::year_first];
        let (point, behind) = longest(&led, at, &rules)?;
        match point {
            TimePoint::Date { month, day, occurrence, .. } => {
                Some((TimePoint::Date { month, day, weekday: Some(weekday), occurrence }, behind))
            }
            TimePoint::Period(_) => Some((point, behind)),
            _ => None,
        }
    }

    /// Behind a comma and the word that leads on: "Dienstag, den".
    fn behind_comma(&self, at: usize) -> usize {
        if self.token(at).is_none_or(|token| token.gap != Gap::Mark(',')) {
            return at;
        }
        let leads = |meaning| matches!(meaning, Meaning::Joint | Meaning::Article | Meaning::Lead | Meaning::DayLead);
        self.take(at, |meaning| leads(meaning).then_some(())).map_or(at, |((), next)| next)
    }

    /// Behind joints and one lead: "Friday on the", "am".
    pub(super) fn behind_lead(&self, at: usize) -> usize {
        let behind = self.behind_joints(at);
        let is_side = self.take(behind, |one| matches!(one, Meaning::Side(_, Place::Before)).then_some(())).is_some();
        match self.joined_is(behind, Meaning::Lead).filter(|_| !is_side) {
            Some(next) => self.behind_joints(next),
            None => behind,
        }
    }

    /// "Friday the 20th", "Monday 21", "Tuesday of last week", "Monday week"
    fn weekday_and_more(&self, weekday: Weekday, next: usize) -> Read<TimePoint> {
        let at = self.behind_lead(self.behind_comma(next));
        if !self.joined_loosely(at) {
            return None;
        }
        let week_at = self.behind_lead(self.behind_day_part(next));
        let in_week = self.calendar(week_at).filter(|_| self.joined(week_at)).and_then(|(point, behind)| match point {
            TimePoint::Calendar { unit: TimeUnit::Week, .. } => {
                Some((TimePoint::WeekdayOf { weekday, of: Box::new(point) }, behind))
            }
            _ => None,
        });
        let day = || {
            let bare = self.behind_joints(self.behind_comma(next));
            let (day, behind) = self.marked_day(at).or_else(|| {
                self.figures(bare, 2).or_else(|| self.number_words(bare).filter(|_| bare > next))?;
                self.day_number(bare).filter(|(_, behind)| self.joined_loosely(bare) && self.is_bare_end(*behind))
            })?;
            let is_clock = self.token(behind).is_some_and(|token| token.gap == Gap::Mark(':'))
                || self.joined_is(behind, Meaning::To).is_some()
                || self.marked_day(at).is_none() && self.joined_is(behind, Meaning::FromBehind).is_some();
            (!is_clock).then_some((TimePoint::WeekdayDay { weekday, day }, behind))
        };
        // "Monday week" is the Monday after the coming one.
        let further = || {
            let (unit, behind) = self.unit(next).filter(|_| self.joined(next))?;
            let weeks = match unit {
                TimeUnit::Week => 1,
                TimeUnit::Fortnight => 2,
                _ => return None,
            };
            let of = TimePoint::Weekday { weekday, occurrence: Occurrence::Nearest };
            let amount = Amount::exactly(weeks);
            let point =
                TimePoint::AwayFrom { amount, unit: TimeUnit::Week, direction: Direction::After, of: Box::new(of) };
            self.at_end(behind).then_some((point, behind))
        };
        in_week.or_else(day).or_else(further)
    }

    /// Whether nothing follows that a number could count or that goes on with it.
    pub(super) fn is_bare_end(&self, at: usize) -> bool {
        self.token(at).is_none_or(|token| match token.gap {
            Gap::Break => true,
            Gap::Mark(mark) => !matches!(mark, ':' | '-' | '/' | '.' | '\'' | '%') || mark == '.' && token.number.is_none(),
            Gap::None | Gap::Space => {
                let goes_on = |meaning| match meaning {
                    Meaning::Lead | Meaning::Side(..) | Meaning::Joint | Meaning::To | Meaning::From | Meaning::And
                    | Meaning::DayMark | Meaning::FromBehind => Some(()),
                    _ => None,
                };
                token.number.is_none() && self.take(at, goes_on).is_some()
            }
        })
    }

    /// "next week on Tuesday", 今週の金曜日, 다음 주 월요일; "23日の土曜日"
    fn week_weekday(&self, at: usize) -> Read<TimePoint> {
        let in_week = self.calendar(at).and_then(|(point, next)| match point {
            TimePoint::Calendar { unit: TimeUnit::Week, .. } => {
                let name = self.behind_lead(next);
                let (weekday, behind) = self.weekday_name(name, true).filter(|_| self.joined_loosely(name))?;
                Some((TimePoint::WeekdayOf { weekday, of: Box::new(point) }, behind))
            }
            _ => None,
        });
        in_week.or_else(|| {
            if !self.lexicon.is_unspaced {
                self.figures(at, 2)?;
            }
            let (day, next) = self.marked_day(at)?;
            let name = self.behind_joints(next);
            let (weekday, behind) = self.weekday_name(name, false).filter(|_| self.joined_loosely(name))?;
            Some((TimePoint::WeekdayDay { weekday, day }, behind))
        })
    }

    // ---- dates ----

    /// A name of a month, or its number with a mark; whether it is a full name, and where it ends.
    pub(super) fn month_name(&self, at: usize) -> Read<(i8, bool)> {
        let named = self.take(at, |meaning| match meaning {
            Meaning::Month(month) => Some((month, true)),
            Meaning::ShortMonth(month) => Some((month, false)),
            _ => None,
        });
        // شهر مارس
        let behind_unit = || {
            let (_, next) = self.unit(at).filter(|(unit, _)| *unit == TimeUnit::Month && self.lexicon.has_prefixes)?;
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
            || !is_full && gap == Gap::Mark('.') || gap == Gap::Mark('/');
        // 5月7 may be a clause, 八月十五 is a day.
        let is_figure = self.token(article)?.number.is_some();
        let has_words = self.number_words(article).is_some_and(|(_, end)| end > article + 1 && article == next);
        let needs_mark = self.lexicon.is_unspaced && (is_figure || !has_words);
        let read = if needs_mark { self.marked_day(article) } else { self.day_number(article) };
        let (day, behind) = read.filter(|_| is_joined)?;
        if self.token(behind).is_some_and(|token| token.gap == Gap::Mark(':')) {
            return None;
        }
        let (occurrence, after) = self.year_of(behind).unwrap_or((Occurrence::Nearest, behind));
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
        let (occurrence, after) = self.year_of(behind).unwrap_or((Occurrence::Nearest, behind));
        Some(self.with_weekday_behind(TimePoint::Date { month, day, weekday: None, occurrence }, after))
    }

    /// "15 June, Friday", 6月15日金曜日
    fn with_weekday_behind(&self, point: TimePoint, next: usize) -> (TimePoint, usize) {
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
            (self.joined(day_at) || self.token(day_at).is_some_and(|token| token.gap == Gap::Mark('/'))) && !is_clock
        });
        // 2016年5月 7: a day in these scripts has its mark.
        let is_figure = self.token(day_at).is_some_and(|token| token.number.is_some());
        let day = day.filter(|_| !self.lexicon.is_unspaced || !is_figure || self.marked_day(day_at).is_some());
        Some(match day {
            Some((day, after)) => {
                self.with_weekday_behind(TimePoint::Date { month, day, weekday: None, occurrence }, after)
            }
            None => (TimePoint::Month { month, occurrence }, behind),
        })
    }

    /// "on the 7th", where nothing follows that there could be seven of; 15日
    fn day_of_month(&self, at: usize) -> Read<TimePoint> {
        if self.lexicon.is_unspaced {
            let (number, next) = self.count(at).filter(|(number, _)| *number <= 31)?;
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
    fn day_of(&self, at: usize) -> Read<TimePoint> {
        let is_month = |point: &TimePoint| matches!(point, TimePoint::Calendar { unit: TimeUnit::Month, .. });
        let day_first = || {
            let (day, next) = self.day_number(at)?;
            let of = self.behind_joints(next);
            let (point, behind) = self.calendar(of).filter(|(point, _)| self.joined(of) && is_month(point))?;
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

    // ---- months, seasons, years ----

    /// "May 2023", "last May", "in May"
    fn month(&self, at: usize) -> Read<TimePoint> {
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
            None => self
                .year_of(next)
                .or_else(|| self.which(next).filter(|_| self.joined(next)))
                .unwrap_or((Occurrence::Nearest, next)),
        };
        let (occurrence, next) = occurrence;
        let is_led = which.is_some() || self.is_led(at);
        let needs_lead = !is_full || self.lexicon.months_and_names.contains(&token.word);
        // A bare name counts where the text is of its language, and no article makes another word of it.
        let is_bare = !needs_lead && self.is_shown && !self.led_by(at, |meaning| meaning == Meaning::Article);
        let is_month = occurrence != Occurrence::Nearest || is_led || is_bare;
        is_month.then_some((TimePoint::Month { month, occurrence }, next))
    }

    /// "week 31", "week 12 of 2019"
    fn week_number(&self, at: usize) -> Read<TimePoint> {
        let (_, next) = self.unit(at).filter(|(unit, _)| *unit == TimeUnit::Week && self.is_exact)?;
        let (number, next) = self.figures(next, 2).filter(|_| self.joined(next))?;
        let number = i8::try_from(number).ok().filter(|number| (1..=53).contains(number))?;
        let (occurrence, next) = self.year_of(next).unwrap_or((Occurrence::InRelativeYear(0), next));
        Some((TimePoint::WeekNumber { number, occurrence }, next))
    }

    /// "Q1 2023", "the third quarter of this year", 2016年上半年, "H1 2016"
    fn year_part(&self, at: usize) -> Read<TimePoint> {
        let before = self.year_of(at).filter(|_| self.behind_joints(at) == at);
        let start = before.map_or(at, |(_, next)| self.behind_joints(next));
        let is_joined = start == at || self.joined_loosely(start);
        let ((unit, number), next) = self.part_number(start).filter(|_| is_joined)?;
        if before.is_some() || self.token(start).is_some_and(|token| token.number.is_some()) && !self.joined(next) {
            let occurrence = before.map_or(Occurrence::Nearest, |(occurrence, _)| occurrence);
            return Some((TimePoint::YearPart { unit, number, occurrence }, next));
        }
        let (occurrence, next) = self.year_of(next).unwrap_or((Occurrence::Nearest, next));
        Some((TimePoint::YearPart { unit, number, occurrence }, next))
    }

    fn part_number(&self, at: usize) -> Read<(TimeUnit, i8)> {
        let sized = |unit, number: i32| {
            let most = if unit == TimeUnit::Half { 2 } else { 4 };
            i8::try_from(number).ok().filter(|number| (1..=most).contains(number)).map(|number| (unit, number))
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
    fn season(&self, at: usize) -> Read<TimePoint> {
        let which = self.which(at).filter(|(_, next)| self.joined(*next));
        let name = self.behind_joints(which.map_or(at, |(_, next)| next));
        let (season, next) = self.take(name, |meaning| match meaning {
            Meaning::Season(season) => Some(season),
            _ => None,
        })?;
        let (occurrence, next) = match which {
            Some((which, _)) => (which, next),
            None => self
                .year_of(next)
                .or_else(|| self.which(next).filter(|_| self.joined(next)))
                .unwrap_or((Occurrence::Nearest, next)),
        };
        let is_season = occurrence != Occurrence::Nearest || self.is_led(at);
        is_season.then_some((TimePoint::Season { season, occurrence }, next))
    }

    /// "Christmas", "last Christmas", "New Year's Eve 2022"
    fn holiday(&self, at: usize) -> Read<TimePoint> {
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
        // A "new year" is a holiday only by its ending or its capital.
        let last = self.token(next - 1)?;
        let is_plain_year = self.is(next - 1, Meaning::Unit(TimeUnit::Year)).is_some();
        if is_plain_year && !self.lexicon.is_unspaced && !last.is_possessive && !last.is_capitalised {
            return None;
        }
        let (occurrence, next) = match which {
            Some((which, _)) => (which, next),
            None => self
                .year_of(next)
                .or_else(|| self.which(next).filter(|_| self.joined(next)))
                .unwrap_or((Occurrence::Nearest, next)),
        };
        Some((TimePoint::Holiday { holiday, occurrence }, next))
    }

    fn holiday_name(&self, at: usize) -> Read<Holiday> {
        self.take(at, |meaning| match meaning {
            Meaning::Holiday(holiday) => Some(holiday),
            _ => None,
        })
    }

    /// 80年代, 1990년대
    fn decade(&self, at: usize) -> Read<TimePoint> {
        let (number, next) = self.figures(at, 4).or_else(|| self.number_words(at))?;
        let joint = self.behind_joints(next);
        let (_, behind) = self.unit(joint).filter(|(unit, _)| *unit == TimeUnit::Decade && self.joined(joint))?;
        let is_years = (1000..2200).contains(&number) || (20..100).contains(&number);
        let year = if number < 100 { 1900 + number } else { number };
        let first = i16::try_from(year).ok().filter(|year| is_years && year % 10 == 0)?;
        (self.lexicon.is_unspaced || joint > next).then_some((whole_years(first, 10)?, behind))
    }

    /// "in 2022", "the year 2012", 2012年, "the 1990s"
    fn year(&self, at: usize) -> Read<TimePoint> {
        let named = self.take(at, |meaning| match meaning {
            Meaning::Decade(first) => Some(first),
            _ => None,
        });
        if let Some((first, next)) = named {
            return Some((whole_years(first, 10)?, next)).filter(|_| self.is_led(at));
        }
        let short = self.figures(at, 2).filter(|(tens, next)| {
            let is_plural = self.token(*next).is_some_and(|token| token.word == "s" && token.gap == Gap::None);
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
            let next = if self.token(next - 1).is_some_and(|token| token.is_possessive) { next } else { next + 1 };
            return Some((whole_years(year, 10)?, next));
        }
        let is_marked = self.is(next - 1, Meaning::YearMark).is_some();
        let is_year = behind.is_some() || is_marked || self.is_led(at) || self.led_by(at, |one| one == Meaning::To);
        let is_other = self.token(next).is_some_and(|token| token.gap == Gap::Mark(':'));
        (is_year && !is_other).then_some((whole_years(year, 1)?, next))
    }

    // ---- amounts of units ----

    /// "two weeks ago", "vor zwei Wochen", "a few days from now", "in two weeks", 三天后
    fn away(&self, at: usize) -> Read<TimePoint> {
        let ago = self.is(at, Meaning::Ago(Place::Before));
        let ahead = self.is(at, Meaning::Ahead(Place::Before)).or_else(|| self.led_ahead(at));
        let start = self.behind_article(ago.or(ahead).unwrap_or(at));
        let is_joined = start == at || self.joined(start);
        let ((amount, unit), next) = self.amount_of_units(start).filter(|_| is_joined)?;
        let (more, next) = self.more_units(next);
        let behind = self.behind_joints(next);
        let direction = |at| {
            self.take(at, |meaning| match meaning {
                Meaning::Ago(Place::Behind) => Some(Direction::Before),
                Meaning::Ahead(Place::Behind) => Some(Direction::After),
                _ => None,
            })
        };
        let said = if self.joined(next) { direction(next).or_else(|| direction(behind)) } else { None };
        // "30 minutes later this week": the word belongs to what follows.
        let said = said.filter(|(_, after)| !self.joined(*after) || self.which(*after).is_none() || self.lexicon.is_unspaced);
        let (direction, next) = match (said, ago, ahead) {
            (Some((direction, next)), _, _) => (direction, next),
            (None, Some(_), _) => (Direction::Before, next),
            (None, None, Some(_)) if !self.is_duration(at) => (Direction::After, next),
            _ => return None,
        };
        if matches!(unit, TimeUnit::Minute | TimeUnit::Hour) && !self.is_exact && direction == Direction::After {
            return None;
        }
        Some((TimePoint::Away { amount, unit, more, direction }, next))
    }

    fn is_one_amount(&self, at: usize) -> bool {
        self.take(at, |meaning| matches!(meaning, Meaning::Amount(..)).then_some(())).is_some()
    }

    fn within_behind(&self, at: usize) -> Option<usize> {
        let within = Meaning::Within(Place::Behind);
        self.joined_is(at, within).or_else(|| self.joined_is(self.behind_joints(at), within))
    }

    /// The amount itself, where "in" stands before it.
    fn led_ahead(&self, at: usize) -> Option<usize> {
        self.led_by(at, |meaning| meaning == Meaning::Ahead(Place::Before)).then_some(at)
    }

    /// "We have not met in two weeks" looks back, and "not built in a day" is a duration.
    fn is_duration(&self, at: usize) -> bool {
        let first = at.saturating_sub(DURATION_CUE_TOKENS);
        (first..at).any(|at| self.is(at, Meaning::NotAhead).is_some())
    }

    /// "a month and two days"
    fn more_units(&self, at: usize) -> (Vec<(i32, TimeUnit)>, usize) {
        const MOST: usize = 3;
        let (mut more, mut next) = (Vec::new(), at);
        while more.len() < MOST {
            let at = self.joined_is(next, Meaning::And).unwrap_or(next);
            let Some(((amount, unit), behind)) = self.amount_of_units(at).filter(|_| self.joined_loosely(at)) else {
                break;
            };
            more.push((amount.least, unit));
            next = behind;
        }
        (more, next)
    }

    /// "the last three days", "los últimos 3 años", "the next few months", "within two weeks"
    fn rolling(&self, at: usize) -> Read<TimePoint> {
        let within = self.is(at, Meaning::Within(Place::Before));
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

/// Whole years from one on.
pub(super) fn whole_years(first: i16, count: i16) -> Option<TimePoint> {
    let (start, end) = (Date::new(first, 1, 1).ok()?, Date::new(first + count, 1, 1).ok()?);
    Some(TimePoint::Period(Period { start, end }))
}
