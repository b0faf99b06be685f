//! Days and weeks by name: "tomorrow", "last Friday", "Friday the 20th", "Tuesday of next week".

use jiff::civil::Weekday;

use super::lexer::Gap;
use super::lexicon::{Meaning, WordPlace};
use super::points::{TimeRule, longest};
use super::reader::{Read, TimeReader};
use super::when::{Amount, Direction, Occurrence, PeriodSide, TimePoint, TimeUnit};

impl<'a> TimeReader<'a> {
    /// "yesterday", "last night", 明天
    pub(super) fn named(&self, at: usize) -> Read<TimePoint> {
        let exact = self.is_exact;
        self.take(at, |meaning| match meaning {
            Meaning::Period(TimeUnit::Day, offset) => Some(TimePoint::Day(offset)),
            Meaning::EitherDay(days) => Some(TimePoint::EitherDay(days)),
            Meaning::Now if exact => Some(TimePoint::Day(0)),
            _ => None,
        })
    }

    /// "next morning", "last evening"
    pub(super) fn which_day_part(&self, at: usize) -> Read<TimePoint> {
        let (which, next) = self.which(at).filter(|_| self.is_exact)?;
        let behind = self.joined_is(next, Meaning::DayPart)?;
        self.calendar_unit(which, TimeUnit::Day, false).map(|point| (point, behind))
    }

    /// "for two weeks from 20 December", "a day starting this Friday"
    pub(super) fn lasting(&self, at: usize) -> Read<TimePoint> {
        let next = self.is(at, Meaning::Lasting).filter(|next| self.joined(*next) && self.is_exact)?;
        let ((amount, unit), next) = self.amount_of_units(next)?;
        let starts =
            |meaning| matches!(meaning, Meaning::From | Meaning::Side(PeriodSide::Since, WordPlace::Before));
        let ((), from) = self.take(next, |meaning| starts(meaning).then_some(()))?;
        let (from, behind) = self.inner(from).filter(|_| self.joined_loosely(next) && self.joined(from))?;
        Some((TimePoint::Lasting { amount, unit, from }, behind))
    }

    /// "recently", "the other day"
    pub(super) fn recent(&self, at: usize) -> Read<TimePoint> {
        self.take(at, |meaning| match meaning {
            Meaning::Recent(number, unit) => Some(TimePoint::Rolling {
                amount: Amount::exactly(number),
                unit,
                more: Vec::new(),
                direction: Direction::Before,
            }),
            _ => None,
        })
    }

    /// "next week", "la semana pasada", "diese Woche", 来月
    pub(super) fn calendar(&self, at: usize) -> Read<TimePoint> {
        let phrase = self.take(at, |meaning| match meaning {
            Meaning::Period(unit, offset) if unit != TimeUnit::Day => {
                Some(TimePoint::Calendar { unit, offset })
            }
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
            // 日本 is no day: in these scripts the word stands before its unit.
            let (unit, next) = self.unit(at).filter(|_| !self.lexicon.is_unspaced)?;
            let next = self.behind_joints(next);
            let (which, behind) = self.which(next).filter(|_| self.joined(next))?;
            // "in weeks past"
            if which == Occurrence::Gone {
                return None;
            }
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
            let is_whole =
                matches!(unit, TimeUnit::Week | TimeUnit::Weekend | TimeUnit::Month | TimeUnit::Year);
            let has_article = self.led_by(at, |meaning| meaning == Meaning::Article);
            let is_weekend = unit == TimeUnit::Weekend;
            let stands_alone = (self.is_bare_end(next) || is_weekend) && self.which(next).is_none();
            (is_whole && (has_article || is_weekend) && stands_alone)
                .then_some((TimePoint::Calendar { unit, offset: 0 }, next))
        };
        phrase.or_else(before).or_else(behind).or_else(present)
    }

    pub(super) fn calendar_unit(
        &self,
        which: Occurrence,
        unit: TimeUnit,
        is_past: bool,
    ) -> Option<TimePoint> {
        let offset = match which {
            Occurrence::Last | Occurrence::Gone => -1,
            Occurrence::Next | Occurrence::Coming => 1,
            _ => 0,
        };
        match unit {
            // "the past week" are the seven days behind us.
            _ if is_past => {
                let (amount, direction) = (Amount::exactly(1), Direction::Before);
                Some(TimePoint::Rolling { amount, unit, more: Vec::new(), direction })
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
    pub(super) fn weekday(&self, at: usize) -> Read<TimePoint> {
        if self.led_by(at, |meaning| meaning == Meaning::Every) {
            return None;
        }
        let which = self.which(at).filter(|(_, next)| self.joined(*next));
        let which = which.filter(|(_, next)| self.weekday_name(self.behind_joints(*next), true).is_some());
        let name = which.map_or(at, |(_, next)| self.behind_joints(next));
        let is_led = self.led_by(at, |one| matches!(one, Meaning::DayLead | Meaning::Side(..)));
        let is_sure = (which.is_some() || is_led) && self.token(name)?.word.chars().count() > 2;
        let (weekday, next) = self.weekday_name(name, true)?;
        let is_full = self.weekday_name(name, false).is_some();
        let said = which.map_or(Occurrence::Nearest, |(which, _)| which);
        if let Some(found) =
            self.weekday_and_date(weekday, next).or_else(|| self.weekday_and_figures(weekday, said, next))
        {
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

    /// "Tuesday 24 November", "Saturday, 5.12.", "Friday (June 15)"
    pub(super) fn weekday_and_date(&self, weekday: Weekday, next: usize) -> Read<TimePoint> {
        let at = self.behind_lead(self.behind_comma(next));
        let is_aside = self.token(at).is_some_and(|token| token.gap == Gap::Mark('('));
        if !self.joined_loosely(at) && !is_aside {
            return None;
        }
        let led = TimeReader { is_inside: true, ..*self };
        let rules: [TimeRule<'a>; 4] = [Self::month_day, Self::day_month, Self::numeric, Self::year_first];
        // "Friday (5/13 passed)": an aside is a date only where it is nothing else.
        let (point, behind) = longest(&led, at, &rules).filter(|(_, end)| !is_aside || !self.joined(*end))?;
        match point {
            TimePoint::Date { month, day, occurrence, .. } => {
                Some((TimePoint::Date { month, day, weekday: Some(weekday), occurrence }, behind))
            }
            TimePoint::Period(_) => Some((point, behind)),
            _ => None,
        }
    }

    /// "two Sundays from now", "three Fridays ago"
    pub(super) fn weekday_away(&self, at: usize) -> Read<TimePoint> {
        let (amount, name) = self.amount(at).filter(|(amount, _)| amount.least == amount.most)?;
        // A plural of a weekday is known as a word that recurs.
        let plural = || {
            let next = self.is(name, Meaning::Recurring)?;
            Some((self.lexicon.weekday_formed(&self.token(name)?.word)?, next))
        };
        let (weekday, next) = self.weekday_name(name, false).or_else(plural).filter(|_| self.joined(name))?;
        let (direction, behind) = self.take(next, |meaning| match meaning {
            Meaning::Ago(WordPlace::Behind) => Some(Direction::Before),
            Meaning::Ahead(WordPlace::Behind) => Some(Direction::After),
            _ => None,
        })?;
        let point = TimePoint::WeekdayAway { weekday, count: amount.least, direction };
        self.joined(next).then_some((point, behind))
    }

    /// Behind a comma and the word that leads on: "Dienstag, den".
    pub(super) fn behind_comma(&self, at: usize) -> usize {
        if self.token(at).is_none_or(|token| token.gap != Gap::Mark(',')) {
            return at;
        }
        let leads =
            |meaning| matches!(meaning, Meaning::Joint | Meaning::Article | Meaning::Lead | Meaning::DayLead);
        self.take(at, |meaning| leads(meaning).then_some(())).map_or(at, |((), next)| next)
    }

    /// Behind joints and one lead: "Friday on the", "am".
    pub(super) fn behind_lead(&self, at: usize) -> usize {
        let behind = self.behind_joints(at);
        let is_side = self
            .take(behind, |one| matches!(one, Meaning::Side(_, WordPlace::Before)).then_some(()))
            .is_some();
        match self.joined_is(behind, Meaning::Lead).filter(|_| !is_side) {
            Some(next) => self.behind_joints(next),
            None => behind,
        }
    }

    /// "Friday the 20th", "Monday 21", "Tuesday of last week", "Monday week"
    pub(super) fn weekday_and_more(&self, weekday: Weekday, next: usize) -> Read<TimePoint> {
        let at = self.behind_lead(self.behind_comma(next));
        if !self.joined_loosely(at) {
            return None;
        }
        let week_at = self.behind_lead(self.behind_day_part(next));
        let in_week =
            self.calendar(week_at).filter(|_| self.joined(week_at)).and_then(|(point, behind)| match point {
                TimePoint::Calendar { unit: TimeUnit::Week, .. } => {
                    Some((TimePoint::WeekdayOf { weekday, of: Box::new(point) }, behind))
                }
                _ => None,
            });
        let day = || {
            let bare = self.behind_joints(self.behind_comma(next));
            let (day, behind) = self.marked_day(at).or_else(|| {
                self.figures(bare, 2).or_else(|| self.number_words(bare).filter(|_| bare > next))?;
                self.day_number(bare)
                    .filter(|(_, behind)| self.joined_loosely(bare) && self.is_bare_end(*behind))
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
            let point = TimePoint::AwayFrom {
                amount,
                unit: TimeUnit::Week,
                direction: Direction::After,
                of: Box::new(of),
            };
            self.at_end(behind).then_some((point, behind))
        };
        in_week.or_else(day).or_else(further)
    }

    /// Whether nothing follows that a number could count or that goes on with it.
    pub(super) fn is_bare_end(&self, at: usize) -> bool {
        self.token(at).is_none_or(|token| match token.gap {
            Gap::Break => true,
            Gap::Mark(mark) => {
                !matches!(mark, ':' | '-' | '/' | '.' | '\'' | '%') || mark == '.' && token.number.is_none()
            }
            Gap::None | Gap::Space => {
                let goes_on = |meaning| match meaning {
                    Meaning::Lead
                    | Meaning::Side(..)
                    | Meaning::Joint
                    | Meaning::To
                    | Meaning::From
                    | Meaning::And
                    | Meaning::DayMark
                    | Meaning::FromBehind => Some(()),
                    _ => None,
                };
                token.number.is_none() && self.take(at, goes_on).is_some()
            }
        })
    }

    /// "next week on Tuesday", 今週の金曜日, 다음 주 월요일; "23日の土曜日"
    pub(super) fn week_weekday(&self, at: usize) -> Read<TimePoint> {
        let in_week = self.calendar(at).and_then(|(point, next)| match point {
            TimePoint::Calendar { unit: TimeUnit::Week, .. } => {
                let name = self.behind_lead(next);
                let (weekday, behind) =
                    self.weekday_name(name, true).filter(|_| self.joined_loosely(name))?;
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
}
