//! From what was said to days: all the arithmetic of the time grammar.
//!
//! Every function answers nothing where a date would leave the calendar, so that no number in a text can panic here.

use jiff::Span;
use jiff::civil::{Date, Weekday};

use super::when::{
    Amount, Direction, Holiday, Occurrence, Ordinal, PeriodPart, PeriodPiece, Season, TimePoint, TimeUnit,
};

/// Days from `start` up to, not including, `end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Period {
    pub(super) start: Date,
    pub(super) end: Date,
}

/// In which direction an expression without a year is completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lean {
    Past,
    Future,
}

impl TimePoint {
    pub(super) fn resolve(&self, reference: Date, lean: Lean) -> Option<Period> {
        match self {
            Self::Period(period) => Some(*period),
            Self::Day(offset) => day(shift_days(reference, (*offset).into())?),
            Self::DayOfMonth(number) => day_of_month(*number, reference, lean),
            Self::Date { month, day: number, occurrence } => {
                occur(*occurrence, reference, lean, |year| day(Date::new(year, *month, *number).ok()?))
            }
            Self::Month { month, occurrence } => occur(*occurrence, reference, lean, |year| {
                whole(TimeUnit::Month, Date::new(year, *month, 1).ok()?)
            }),
            Self::Quarter { number, occurrence } => occur(*occurrence, reference, lean, |year| {
                whole(TimeUnit::Quarter, Date::new(year, number * 3 - 2, 1).ok()?)
            }),
            Self::Season { season, occurrence } => {
                occur(*occurrence, reference, lean, |year| season_in(*season, year))
            }
            Self::Holiday { holiday, occurrence } => {
                occur(*occurrence, reference, lean, |year| holiday_in(*holiday, year))
            }
            Self::Weekday { weekday, occurrence } => {
                day(weekday_near(*weekday, *occurrence, reference, lean)?)
            }
            Self::Calendar { unit, offset } => whole(*unit, shift(reference, *unit, *offset)?),
            Self::Away { amount, unit, direction } => away(reference, *amount, *unit, *direction),
            Self::Rolling { amount, unit, direction } => rolling(reference, *amount, *unit, *direction),
            Self::Nth { ordinal, piece, of } => nth(*ordinal, *piece, of.resolve(reference, lean)?),
            Self::Part { part, of } => part_of(*part, of.resolve(reference, lean)?),
            Self::Around { unit, of } => around(*unit, of.resolve(reference, lean)?.start),
            Self::Beside { piece, direction, of } => beside(*piece, *direction, of.resolve(reference, lean)?),
            Self::AwayFrom { amount, unit, direction, of } => {
                away(of.resolve(reference, lean)?.start, *amount, *unit, *direction)
            }
        }
    }
}

/// The one of something that comes every year. `in_year` gives the one that begins in a year.
fn occur(
    occurrence: Occurrence,
    reference: Date,
    lean: Lean,
    in_year: impl Fn(i16) -> Option<Period>,
) -> Option<Period> {
    // Eight years each way reach over a century's missing leap day.
    let this_year = reference.year();
    let near = || (this_year - 8..=this_year + 8).filter_map(&in_year);
    match occurrence {
        Occurrence::Nearest if lean == Lean::Future => near().find(|period| period.end > reference),
        Occurrence::Nearest => near().filter(|period| period.start <= reference).last(),
        Occurrence::Last => near().filter(|period| period.end <= reference).last(),
        Occurrence::This => near()
            .find(|period| period.start <= reference && reference < period.end)
            .or_else(|| in_year(this_year)),
        Occurrence::Next => near().find(|period| period.start > reference),
        Occurrence::InYear(year) => in_year(year),
        Occurrence::InRelativeYear(offset) => in_year(this_year.checked_add(offset)?),
    }
}

fn weekday_near(weekday: Weekday, occurrence: Occurrence, reference: Date, lean: Lean) -> Option<Date> {
    match occurrence {
        Occurrence::This => weekday_of_week(weekday, reference, 0),
        Occurrence::Next => weekday_of_week(weekday, reference, 1),
        Occurrence::Nearest if lean == Lean::Future => weekday_from(weekday, reference),
        _ => weekday_before(weekday, reference),
    }
}

fn weekday_of_week(weekday: Weekday, reference: Date, weeks: i64) -> Option<Date> {
    shift_days(monday(reference)?, weeks * 7 + i64::from(weekday.to_monday_zero_offset()))
}

/// The last such weekday before a day.
fn weekday_before(weekday: Weekday, date: Date) -> Option<Date> {
    let days =
        i64::from(date.weekday().to_monday_zero_offset() - weekday.to_monday_zero_offset()).rem_euclid(7);
    shift_days(date, -(if days == 0 { 7 } else { days }))
}

/// The first such weekday on or after a day.
fn weekday_from(weekday: Weekday, date: Date) -> Option<Date> {
    let days =
        i64::from(weekday.to_monday_zero_offset() - date.weekday().to_monday_zero_offset()).rem_euclid(7);
    shift_days(date, days)
}

fn day_of_month(number: i8, reference: Date, lean: Lean) -> Option<Period> {
    // No two months in a row lack the same day.
    let nearby = [0, 1, 2].map(|months| if lean == Lean::Past { -months } else { months });
    let in_month = |months| {
        let month = shift_months(reference.first_of_month(), months)?;
        Date::new(month.year(), month.month(), number).ok()
    };
    let is_on_side = |date: &Date| if lean == Lean::Past { *date <= reference } else { *date >= reference };
    day(nearby.into_iter().filter_map(in_month).find(is_on_side)?)
}

/// "Two weeks ago" and "in two weeks": the unit around the day so far away; a vague amount reaches from its least to
/// its most.
fn away(from: Date, amount: Amount, unit: TimeUnit, direction: Direction) -> Option<Period> {
    let near = grain(unit, shift(from, unit, direction.signed(amount.least))?)?;
    let far = grain(unit, shift(from, unit, direction.signed(amount.most))?)?;
    Some(Period { start: near.start.min(far.start), end: near.end.max(far.end) })
}

/// How exactly somebody means "so many units ago".
fn grain(unit: TimeUnit, date: Date) -> Option<Period> {
    match unit {
        TimeUnit::Hour | TimeUnit::Day => day(date),
        TimeUnit::Week | TimeUnit::Weekend => {
            Some(Period { start: shift_days(date, -3)?, end: shift_days(date, 4)? })
        }
        TimeUnit::Month | TimeUnit::Quarter => whole(TimeUnit::Month, date),
        TimeUnit::Year | TimeUnit::Decade => whole(TimeUnit::Year, date),
    }
}

/// "The last three days" up to and with today; "the next three days" from today.
fn rolling(reference: Date, amount: Amount, unit: TimeUnit, direction: Direction) -> Option<Period> {
    let edge = shift(reference, unit, direction.signed(amount.most))?;
    let edge = if unit == TimeUnit::Hour && edge == reference {
        shift_days(edge, direction.signed(1).into())?
    } else {
        edge
    };
    Some(match direction {
        Direction::Before => Period { start: edge, end: shift_days(reference, 1)? },
        Direction::After => Period { start: reference, end: shift_days(edge, 1)? },
    })
}

fn nth(ordinal: Ordinal, piece: PeriodPiece, of: Period) -> Option<Period> {
    let piece_at = |number: i32| -> Option<Period> {
        match piece {
            PeriodPiece::Half => halves(of).map(|halves| halves[usize::from(number > 0)]),
            PeriodPiece::Weekday(weekday) => {
                day(shift_days(weekday_from(weekday, of.start)?, i64::from(number) * 7)?)
            }
            PeriodPiece::Unit(TimeUnit::Weekend) => {
                let saturday = shift_days(weekday_from(Weekday::Saturday, of.start)?, i64::from(number) * 7)?;
                Some(Period { start: saturday, end: shift_days(saturday, 2)? })
            }
            PeriodPiece::Unit(unit) => Some(Period {
                start: shift(of.start, unit, number)?,
                end: shift(of.start, unit, number + 1)?,
            }),
        }
    };
    match (ordinal, piece) {
        (Ordinal::Number(number), _) => piece_at(number - 1).filter(|found| found.start < of.end),
        (Ordinal::Last, PeriodPiece::Half) => piece_at(1),
        (Ordinal::Last, PeriodPiece::Weekday(weekday)) => day(weekday_before(weekday, of.end)?),
        (Ordinal::Last, PeriodPiece::Unit(TimeUnit::Weekend)) => {
            let saturday = weekday_before(Weekday::Saturday, of.end)?;
            Some(Period { start: saturday, end: shift_days(saturday, 2)? })
        }
        (Ordinal::Last, PeriodPiece::Unit(unit)) => {
            Some(Period { start: shift(of.end, unit, -1)?, end: of.end })
        }
    }
}

/// The halves of a year meet between two months, those of anything else between two days.
fn halves(of: Period) -> Option<[Period; 2]> {
    let middle = if shift_months(of.start, 12)? == of.end {
        shift_months(of.start, 6)?
    } else {
        shift_days(of.start, length_days(of) / 2)?
    };
    Some([Period { start: of.start, end: middle }, Period { start: middle, end: of.end }])
}

/// The early, middle or late third. What is shorter than three days has no parts.
fn part_of(part: PeriodPart, of: Period) -> Option<Period> {
    let third = length_days(of) / 3;
    if third == 0 {
        return Some(of);
    }
    let (first, second) = (shift_days(of.start, third)?, shift_days(of.start, 2 * third)?);
    Some(match part {
        PeriodPart::Early => Period { start: of.start, end: first },
        PeriodPart::Middle => Period { start: first, end: second },
        PeriodPart::Late => Period { start: second, end: of.end },
    })
}

/// "The week of" a day is the calendar week it is in, "the weekend of" a day the nearest one.
fn around(unit: TimeUnit, date: Date) -> Option<Period> {
    if unit != TimeUnit::Weekend {
        return whole(unit, date);
    }
    let saturday_days = match date.weekday() {
        Weekday::Saturday => 0,
        Weekday::Sunday => -1,
        Weekday::Monday => -2,
        Weekday::Tuesday => -3,
        Weekday::Wednesday => 3,
        Weekday::Thursday => 2,
        Weekday::Friday => 1,
    };
    let saturday = shift_days(date, saturday_days)?;
    Some(Period { start: saturday, end: shift_days(saturday, 2)? })
}

/// "The week before 9 June" ends there, "the day after" begins where it ends.
fn beside(piece: PeriodPiece, direction: Direction, of: Period) -> Option<Period> {
    let edge = match direction {
        Direction::Before => of.start,
        Direction::After => of.end,
    };
    let single = |weekday, length| -> Option<Period> {
        let start = match direction {
            Direction::Before => weekday_before(weekday, shift_days(edge, 1 - length)?)?,
            Direction::After => weekday_from(weekday, edge)?,
        };
        Some(Period { start, end: shift_days(start, length)? })
    };
    match piece {
        PeriodPiece::Half => None,
        PeriodPiece::Weekday(weekday) => single(weekday, 1),
        PeriodPiece::Unit(TimeUnit::Weekend) => single(Weekday::Saturday, 2),
        PeriodPiece::Unit(unit) => {
            let other = shift(edge, unit, direction.signed(1))?;
            Some(Period { start: edge.min(other), end: edge.max(other) })
        }
    }
}

/// The calendar's unit that a day is in.
fn whole(unit: TimeUnit, date: Date) -> Option<Period> {
    let year = date.year();
    let start = match unit {
        TimeUnit::Hour | TimeUnit::Day => date,
        TimeUnit::Week => monday(date)?,
        TimeUnit::Weekend => {
            let saturday = shift_days(monday(date)?, 5)?;
            return Some(Period { start: saturday, end: shift_days(saturday, 2)? });
        }
        TimeUnit::Month => date.first_of_month(),
        TimeUnit::Quarter => Date::new(year, (date.month() - 1) / 3 * 3 + 1, 1).ok()?,
        TimeUnit::Year => date.first_of_year(),
        TimeUnit::Decade => Date::new(year - year.rem_euclid(10), 1, 1).ok()?,
    };
    let end = if unit == TimeUnit::Hour { shift_days(start, 1)? } else { shift(start, unit, 1)? };
    Some(Period { start, end })
}

fn season_in(season: Season, year: i16) -> Option<Period> {
    let month = match season {
        Season::Spring => 3,
        Season::Summer => 6,
        Season::Autumn => 9,
        Season::Winter => 12,
    };
    let start = Date::new(year, month, 1).ok()?;
    Some(Period { start, end: shift_months(start, 3)? })
}

fn holiday_in(holiday: Holiday, year: i16) -> Option<Period> {
    let (month, first, days) = match holiday {
        Holiday::Christmas => (12, 24, 3),
        Holiday::ChristmasEve => (12, 24, 1),
        Holiday::ChristmasDay => (12, 25, 1),
        Holiday::NewYear => (12, 31, 2),
        Holiday::NewYearsEve => (12, 31, 1),
        Holiday::NewYearsDay => (1, 1, 1),
        Holiday::ValentinesDay => (2, 14, 1),
        Holiday::Halloween => (10, 31, 1),
        Holiday::Thanksgiving => {
            let thursday = shift_days(weekday_from(Weekday::Thursday, Date::new(year, 11, 1).ok()?)?, 21)?;
            return day(thursday);
        }
    };
    let start = Date::new(year, month, first).ok()?;
    Some(Period { start, end: shift_days(start, days)? })
}

fn day(date: Date) -> Option<Period> {
    Some(Period { start: date, end: shift_days(date, 1)? })
}

fn monday(date: Date) -> Option<Date> {
    shift_days(date, -i64::from(date.weekday().to_monday_zero_offset()))
}

fn shift(date: Date, unit: TimeUnit, count: i32) -> Option<Date> {
    let count = i64::from(count);
    match unit {
        TimeUnit::Hour => shift_days(date, count / 24),
        TimeUnit::Day => shift_days(date, count),
        TimeUnit::Week | TimeUnit::Weekend => shift_days(date, count * 7),
        TimeUnit::Month => shift_months(date, count),
        TimeUnit::Quarter => shift_months(date, count * 3),
        TimeUnit::Year => shift_months(date, count * 12),
        TimeUnit::Decade => shift_months(date, count * 120),
    }
}

fn shift_days(date: Date, days: i64) -> Option<Date> {
    date.checked_add(Span::new().try_days(days).ok()?).ok()
}

/// The day stays the same where the month has it, else it is the month's last.
fn shift_months(date: Date, months: i64) -> Option<Date> {
    date.checked_add(Span::new().try_months(months).ok()?).ok()
}

fn length_days(period: Period) -> i64 {
    i64::from((period.end - period.start).get_days())
}
