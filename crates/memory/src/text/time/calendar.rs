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

impl Period {
    pub(super) fn middle_day(self) -> Option<Date> {
        shift_days(self.start, length_days(self) / 2)
    }
}

/// In which direction an expression without a year is completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeLean {
    Past,
    Future,
}

/// How an expression is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reading {
    pub(super) lean: TimeLean,
    /// Whether the day itself is asked for, or what somebody may remember as it: "two weeks ago" is a day, or a week around it.
    pub(super) is_exact: bool,
}

impl TimePoint {
    pub(super) fn resolve(&self, reference: Date, reading: Reading) -> Option<Period> {
        let lean = reading.lean;
        match self {
            Self::Period(period) => Some(*period),
            Self::Day(offset) => day(shift_days(reference, (*offset).into())?),
            Self::EitherDay(days) => {
                let days = if lean == TimeLean::Past { -*days } else { *days };
                day(shift_days(reference, days.into())?)
            }
            Self::DayOfMonth(number) => day_of_month(*number, reference, lean),
            Self::Date { month, day: number, weekday, occurrence } => {
                dated(*month, *number, *weekday, *occurrence, reference, lean)
            }
            Self::Month { month, occurrence } => occur(*occurrence, reference, lean, |year| {
                whole(TimeUnit::Month, Date::new(year, *month, 1).ok()?)
            }),
            Self::YearPart { unit, number, occurrence } => {
                let months = if *unit == TimeUnit::Half { 6 } else { 3 };
                let first = number.checked_sub(1)?.checked_mul(months)?.checked_add(1)?;
                occur(*occurrence, reference, lean, |year| whole(*unit, Date::new(year, first, 1).ok()?))
            }
            Self::WeekNumber { number, occurrence } => occur(*occurrence, reference, lean, |year| {
                let monday = jiff::civil::ISOWeekDate::new(year, *number, Weekday::Monday).ok()?.date();
                whole(TimeUnit::Week, monday)
            }),
            Self::Season { season, occurrence } => {
                occur(*occurrence, reference, lean, |year| season_in(*season, year))
            }
            Self::Holiday { holiday, occurrence } => {
                occur(*occurrence, reference, lean, |year| holiday_in(*holiday, year, reading.is_exact))
            }
            Self::Weekday { .. }
            | Self::WeekdayDay { .. }
            | Self::WeekdayAway { .. }
            | Self::WeekdayEitherOrder { .. } => self.resolve_weekday(reference, reading),
            Self::Calendar { unit: unit @ TimeUnit::Workday, offset } => {
                whole(*unit, shift(reference, TimeUnit::Week, *offset)?)
            }
            Self::Calendar { unit, offset } => whole(*unit, shift(reference, *unit, *offset)?),
            Self::Away { amount, unit, more, direction } => {
                let further =
                    |from, (count, unit): &(i32, TimeUnit)| shift(from, *unit, direction.signed(*count));
                let from = more.iter().try_fold(reference, further)?;
                away(from, *amount, *unit, *direction, reading)
            }
            Self::Rolling { amount, unit, more, direction } => {
                rolling(reference, *amount, *unit, more, *direction, reading)
            }
            Self::Within { amount, unit, more } => {
                let further = |from, (count, unit): &(i32, TimeUnit)| shift(from, *unit, *count);
                let last = shift(more.iter().try_fold(reference, further)?, *unit, amount.most)?;
                Some(Period { start: reference, end: shift_days(last, 1)? })
            }
            Self::Rest { unit } => Some(Period { start: reference, end: whole(*unit, reference)?.end }),
            Self::DayOf { of, .. }
            | Self::WeekdayOf { of, .. }
            | Self::Lasting { from: of, .. }
            | Self::Nth { of, .. }
            | Self::Several { of, .. }
            | Self::Part { of, .. }
            | Self::Around { of, .. }
            | Self::Beside { of, .. }
            | Self::AwayFrom { of, .. } => self.resolve_around(of, reference, reading),
        }
    }

    fn resolve_weekday(&self, reference: Date, reading: Reading) -> Option<Period> {
        match self {
            Self::Weekday { weekday, occurrence } => {
                day(weekday_near(*weekday, *occurrence, reference, reading)?)
            }
            Self::WeekdayDay { weekday, day: number } => {
                weekday_day(*weekday, *number, reference, reading.lean)
            }
            Self::WeekdayAway { weekday, count, direction } => {
                weekday_away(*weekday, *count, *direction, reference)
            }
            Self::WeekdayEitherOrder { weekday, numbers, year, occurrence } => {
                either_order(*weekday, *numbers, *year, reference, reading.lean)
                    .or_else(|| day(weekday_near(*weekday, *occurrence, reference, reading)?))
            }
            _ => None,
        }
    }

    /// What is said beside another expression, once that one is days.
    fn resolve_around(&self, inner: &TimePoint, reference: Date, reading: Reading) -> Option<Period> {
        let of = inner.resolve(reference, reading)?;
        match self {
            Self::DayOf { day: number, .. } => {
                day(Date::new(of.start.year(), of.start.month(), *number).ok()?)
            }
            Self::WeekdayOf { weekday, .. } => day(weekday_from(*weekday, of.start)?),
            Self::Lasting { amount, unit, .. } => {
                Some(Period { start: of.start, end: shift(of.start, *unit, amount.most)? })
            }
            Self::Nth { ordinal, piece, .. } => nth(*ordinal, *piece, of, reading),
            Self::Several { ordinal, count, unit, .. } => several(*ordinal, *count, *unit, of, reading),
            Self::Part { part, .. } => {
                part_of(*part, of, reference, reading, matches!(inner, Self::Period(_)))
            }
            Self::Around { unit: TimeUnit::Weekend, .. } if matches!(inner, Self::Holiday { .. }) => {
                long_weekend(of.start)
            }
            Self::Around { unit, .. } => around(*unit, of.start),
            Self::Beside { piece, direction, .. } => beside(*piece, *direction, of, reading),
            Self::AwayFrom { amount, unit, direction, .. } => {
                away(of.start, *amount, *unit, *direction, reading)
            }
            _ => None,
        }
    }
}

/// The one of something that comes every year. `in_year` gives the one that begins in a year.
fn occur(
    occurrence: Occurrence,
    reference: Date,
    lean: TimeLean,
    in_year: impl Fn(i16) -> Option<Period>,
) -> Option<Period> {
    // Eight years each way reach over a century's missing leap day.
    let this_year = reference.year();
    let near = || (this_year - 8..=this_year + 8).filter_map(&in_year);
    match occurrence {
        Occurrence::Nearest if lean == TimeLean::Future => near().find(|period| period.end > reference),
        Occurrence::Nearest => near().filter(|period| period.start <= reference).last(),
        Occurrence::Last | Occurrence::Gone => near().filter(|period| period.end <= reference).last(),
        Occurrence::This => near()
            .find(|period| period.start <= reference && reference < period.end)
            .or_else(|| in_year(this_year)),
        Occurrence::Next | Occurrence::Coming => near().find(|period| period.start > reference),
        Occurrence::InYear(year) => in_year(year),
        Occurrence::InRelativeYear(offset) => in_year(this_year.checked_add(offset)?),
    }
}

/// A day and its month, in the year that makes the weekday right where one is said, else in the nearest one.
fn dated(
    month: i8,
    number: i8,
    weekday: Option<Weekday>,
    occurrence: Occurrence,
    reference: Date,
    lean: TimeLean,
) -> Option<Period> {
    let in_year = |year| day(Date::new(year, month, number).ok()?);
    let year = reference.year();
    let near = if lean == TimeLean::Future { [year, year + 1] } else { [year, year - 1] };
    let fits = |period: &Period| Some(period.start.weekday()) == weekday;
    let fitting = (occurrence == Occurrence::Nearest && weekday.is_some())
        .then(|| near.into_iter().filter_map(in_year).find(fits))
        .flatten();
    fitting.or_else(|| occur(occurrence, reference, lean, in_year))
}

/// "Friday 7/6": in the order, and in the year, that makes the weekday right; of several the nearest, because a weekday is said of days nearby.
fn either_order(
    weekday: Weekday,
    numbers: [i8; 2],
    year: Option<i16>,
    reference: Date,
    lean: TimeLean,
) -> Option<Period> {
    // Further away a weekday fits by chance.
    const FURTHEST_DAYS: i32 = 366;
    let [first, second] = numbers;
    let this_year = reference.year();
    let years = match (year, lean) {
        (Some(year), _) => [year, year],
        (None, TimeLean::Future) => [this_year, this_year + 1],
        (None, TimeLean::Past) => [this_year, this_year - 1],
    };
    let dates = years
        .into_iter()
        .flat_map(|year| [Date::new(year, first, second).ok(), Date::new(year, second, first).ok()]);
    let distance = |date: &Date| (*date - reference).get_days().abs();
    let is_near = |date: &Date| year.is_some() || distance(date) <= FURTHEST_DAYS;
    let fitting = dates.flatten().filter(|date| date.weekday() == weekday && is_near(date));
    day(fitting.min_by_key(distance)?)
}

/// "Two Sundays from now": today is none of them.
fn weekday_away(weekday: Weekday, count: i32, direction: Direction, reference: Date) -> Option<Period> {
    let near = match direction {
        Direction::Before => weekday_before(weekday, reference)?,
        Direction::After => weekday_from(weekday, shift_days(reference, 1)?)?,
    };
    day(shift(near, TimeUnit::Week, direction.signed(count.checked_sub(1)?))?)
}

/// "Friday the 20th": the nearest month in which that day is one. The day itself counts on both sides.
fn weekday_day(weekday: Weekday, number: i8, reference: Date, lean: TimeLean) -> Option<Period> {
    const MONTHS: i64 = 14;
    let step = if lean == TimeLean::Past { -1 } else { 1 };
    let in_month = |months: i64| {
        let month = shift_months(reference.first_of_month(), months * step)?;
        Date::new(month.year(), month.month(), number).ok().filter(|date| date.weekday() == weekday)
    };
    let is_on_side =
        |date: &Date| if lean == TimeLean::Past { *date <= reference } else { *date >= reference };
    // A weekday that fits nowhere is a slip, and the day counts.
    let near = (0..MONTHS).filter_map(in_month).find(is_on_side);
    near.map_or_else(|| day_of_month(number, reference, lean), day)
}

fn weekday_near(weekday: Weekday, occurrence: Occurrence, reference: Date, reading: Reading) -> Option<Date> {
    match occurrence {
        Occurrence::This => weekday_of_week(weekday, reference, 0),
        Occurrence::Next => weekday_of_week(weekday, reference, 1),
        Occurrence::Last if reading.is_exact => weekday_of_week(weekday, reference, -1),
        Occurrence::Coming => weekday_from(weekday, shift_days(reference, 1)?),
        Occurrence::Nearest if reading.lean == TimeLean::Future => weekday_from(weekday, reference),
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

fn day_of_month(number: i8, reference: Date, lean: TimeLean) -> Option<Period> {
    // No two months in a row lack the same day.
    let nearby = [0, 1, 2].map(|months| if lean == TimeLean::Past { -months } else { months });
    let in_month = |months| {
        let month = shift_months(reference.first_of_month(), months)?;
        Date::new(month.year(), month.month(), number).ok()
    };
    let is_on_side =
        |date: &Date| if lean == TimeLean::Past { *date <= reference } else { *date >= reference };
    day(nearby.into_iter().filter_map(in_month).find(is_on_side)?)
}

/// "Two weeks ago" and "in two weeks": the unit around the day so far away; a vague amount reaches from its least to
/// its most.
fn away(
    from: Date,
    amount: Amount,
    unit: TimeUnit,
    direction: Direction,
    reading: Reading,
) -> Option<Period> {
    let near = shift(from, unit, direction.signed(amount.least))?;
    if reading.is_exact {
        return day(shift(from, unit, direction.signed(amount.meant()))?);
    }
    let near = grain(unit, near)?;
    let far = grain(unit, shift(from, unit, direction.signed(amount.most))?)?;
    Some(Period { start: near.start.min(far.start), end: near.end.max(far.end) })
}

/// How exactly somebody remembers "so many units ago".
fn grain(unit: TimeUnit, date: Date) -> Option<Period> {
    match unit {
        TimeUnit::Minute | TimeUnit::Hour | TimeUnit::Day | TimeUnit::Workday => day(date),
        TimeUnit::Week | TimeUnit::Weekend | TimeUnit::Fortnight => {
            Some(Period { start: shift_days(date, -3)?, end: shift_days(date, 4)? })
        }
        TimeUnit::Month | TimeUnit::Quarter | TimeUnit::Half => whole(TimeUnit::Month, date),
        TimeUnit::Year | TimeUnit::Decade | TimeUnit::Century => whole(TimeUnit::Year, date),
    }
}

/// "The last three days" up to and with today; "the next three days" from today. Read exactly, the next ones begin tomorrow, and units that
/// the calendar counts (quarters, weekends, decades) are its own.
fn rolling(
    reference: Date,
    amount: Amount,
    unit: TimeUnit,
    more: &[(i32, TimeUnit)],
    direction: Direction,
    reading: Reading,
) -> Option<Period> {
    let is_calendars = matches!(
        unit,
        TimeUnit::Weekend
            | TimeUnit::Fortnight
            | TimeUnit::Quarter
            | TimeUnit::Half
            | TimeUnit::Decade
            | TimeUnit::Century
    );
    let count = if reading.is_exact { amount.meant() } else { amount.most };
    if reading.is_exact && is_calendars {
        let near = whole(unit, shift(reference, unit, direction.signed(1))?)?;
        let far = whole(unit, shift(reference, unit, direction.signed(count))?)?;
        return Some(Period { start: near.start.min(far.start), end: near.end.max(far.end) });
    }
    let further = |from, (count, unit): &(i32, TimeUnit)| shift(from, *unit, direction.signed(*count));
    let edge = more.iter().try_fold(shift(reference, unit, direction.signed(count))?, further)?;
    if reading.is_exact && !is_within_day(unit) {
        return Some(match direction {
            Direction::Before => Period { start: edge, end: reference },
            Direction::After => Period { start: shift_days(reference, 1)?, end: shift_days(edge, 1)? },
        });
    }
    let edge = if is_within_day(unit) && edge == reference && !reading.is_exact {
        shift_days(edge, direction.signed(1).into())?
    } else {
        edge
    };
    Some(match direction {
        Direction::Before => Period { start: edge, end: shift_days(reference, 1)? },
        Direction::After => Period { start: reference, end: shift_days(edge, 1)? },
    })
}

fn nth(ordinal: Ordinal, piece: PeriodPiece, of: Period, reading: Reading) -> Option<Period> {
    // Weeks that are counted exactly are those of the calendar that have most of their days inside.
    let is_calendar_week = reading.is_exact && piece == PeriodPiece::Unit(TimeUnit::Week);
    let piece_at = |number: i32| -> Option<Period> {
        match piece {
            PeriodPiece::Weekday(weekday) => {
                day(shift_days(weekday_from(weekday, of.start)?, i64::from(number) * 7)?)
            }
            PeriodPiece::Unit(TimeUnit::Weekend) => {
                let saturday = shift_days(weekday_from(Weekday::Saturday, of.start)?, i64::from(number) * 7)?;
                Some(Period { start: saturday, end: shift_days(saturday, 2)? })
            }
            PeriodPiece::Unit(TimeUnit::Week) if is_calendar_week => {
                let thursday = weekday_from(Weekday::Thursday, of.start)?;
                whole(TimeUnit::Week, shift_days(thursday, i64::from(number) * 7)?)
            }
            PeriodPiece::Unit(TimeUnit::Half) => halves(of).map(|halves| halves[usize::from(number > 0)]),
            PeriodPiece::Unit(unit) => Some(Period {
                start: shift(of.start, unit, number)?,
                end: shift(of.start, unit, number + 1)?,
            }),
        }
    };
    match (ordinal, piece) {
        (Ordinal::Number(number), _) => piece_at(number - 1).filter(|found| found.start < of.end),
        (Ordinal::Last, PeriodPiece::Unit(TimeUnit::Half)) => piece_at(1),
        (Ordinal::Last, PeriodPiece::Weekday(weekday)) => day(weekday_before(weekday, of.end)?),
        (Ordinal::Last, PeriodPiece::Unit(TimeUnit::Weekend)) => {
            let saturday = weekday_before(Weekday::Saturday, of.end)?;
            Some(Period { start: saturday, end: shift_days(saturday, 2)? })
        }
        (Ordinal::Last, PeriodPiece::Unit(TimeUnit::Week)) if is_calendar_week => {
            whole(TimeUnit::Week, weekday_before(Weekday::Thursday, of.end)?)
        }
        (Ordinal::Last, PeriodPiece::Unit(unit)) => {
            Some(Period { start: shift(of.end, unit, -1)?, end: of.end })
        }
    }
}

/// "The first two weeks", "the last four months".
fn several(ordinal: Ordinal, count: i32, unit: TimeUnit, of: Period, reading: Reading) -> Option<Period> {
    let piece = PeriodPiece::Unit(unit);
    match ordinal {
        Ordinal::Number(first) => {
            let start = nth(Ordinal::Number(first), piece, of, reading)?.start;
            let last = nth(Ordinal::Number(first.checked_add(count)?.checked_sub(1)?), piece, of, reading)?;
            Some(Period { start, end: last.end })
        }
        Ordinal::Last => {
            let end = nth(Ordinal::Last, piece, of, reading)?.end;
            Some(Period { start: shift(end, unit, -count)?, end })
        }
    }
}

/// The halves of a year meet between two months, those of a month on the 16th, those of anything else between two days.
fn halves(of: Period) -> Option<[Period; 2]> {
    let days = length_days(of);
    let middle = if shift_months(of.start, 12)? == of.end {
        shift_months(of.start, 6)?
    } else if shift_months(of.start, 1)? == of.end {
        shift_days(of.start, 15)?
    } else {
        shift_days(of.start, days / 2)?
    };
    Some([Period { start: of.start, end: middle }, Period { start: middle, end: of.end }])
}

/// The early, middle or late part: a third, or, read exactly, a half. What is shorter than three days has no parts.
fn part_of(
    part: PeriodPart,
    of: Period,
    reference: Date,
    reading: Reading,
    is_said_in_full: bool,
) -> Option<Period> {
    let third = length_days(of) / 3;
    if third == 0 {
        return Some(of);
    }
    let [first_half, second_half] = halves(of)?;
    let is_year = shift_months(of.start, 12)? == of.end;
    let (first, second) = match (reading.is_exact, is_year && is_said_in_full) {
        (true, true) => (shift_months(of.start, 4)?, shift_months(of.start, 8)?),
        (true, false) => (first_half.end, second_half.start),
        (false, _) => (shift_days(of.start, third)?, shift_days(of.start, 2 * third)?),
    };
    let is_now = of.start < reference && reference < of.end;
    Some(match part {
        PeriodPart::Early => Period { start: of.start, end: first },
        PeriodPart::Late => Period { start: second, end: of.end },
        PeriodPart::Middle if reading.is_exact => middle(of, third)?,
        PeriodPart::Middle => Period { start: first, end: second },
        PeriodPart::Earlier if is_now => Period { start: of.start, end: first.min(reference) },
        PeriodPart::Earlier => Period { start: of.start, end: first },
        PeriodPart::Later if is_now => Period { start: second.max(reference), end: of.end },
        PeriodPart::Later => Period { start: second, end: of.end },
    })
}

/// The middle of a year are its four middle months, of a week Tuesday to Friday, of a month the days from the tenth on.
fn middle(of: Period, third: i64) -> Option<Period> {
    if shift_months(of.start, 12)? == of.end {
        return Some(Period { start: shift_months(of.start, 4)?, end: shift_months(of.start, 8)? });
    }
    let (first, last) = match length_days(of) {
        7 => (1, 5),
        28..=31 => (9, 20),
        _ => (third, 2 * third),
    };
    Some(Period { start: shift_days(of.start, first)?, end: shift_days(of.start, last)? })
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

/// "Labor Day weekend": with the Monday or the Friday that the holiday gives to it.
fn long_weekend(holiday: Date) -> Option<Period> {
    let weekend = around(TimeUnit::Weekend, holiday)?;
    let start = if holiday.weekday() == Weekday::Friday { holiday } else { weekend.start };
    let end = if holiday.weekday() == Weekday::Monday { shift_days(holiday, 1)? } else { weekend.end };
    Some(Period { start, end })
}

/// "The week before 9 June" ends there, "the day after" begins where it ends.
fn beside(piece: PeriodPiece, direction: Direction, of: Period, reading: Reading) -> Option<Period> {
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
        PeriodPiece::Weekday(weekday) => single(weekday, 1),
        PeriodPiece::Unit(TimeUnit::Weekend) => single(Weekday::Saturday, 2),
        // "A week after 9 June" is a day where a day is asked for; beside a week it is a week.
        PeriodPiece::Unit(unit) if reading.is_exact && length_days(of) == 1 => {
            day(shift(of.start, unit, direction.signed(1))?)
        }
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
        TimeUnit::Minute | TimeUnit::Hour | TimeUnit::Day => date,
        TimeUnit::Week | TimeUnit::Fortnight => monday(date)?,
        TimeUnit::Workday => {
            let start = monday(date)?;
            return Some(Period { start, end: shift_days(start, 5)? });
        }
        TimeUnit::Weekend => {
            let saturday = shift_days(monday(date)?, 5)?;
            return Some(Period { start: saturday, end: shift_days(saturday, 2)? });
        }
        TimeUnit::Month => date.first_of_month(),
        TimeUnit::Quarter => Date::new(year, (date.month() - 1) / 3 * 3 + 1, 1).ok()?,
        TimeUnit::Half => Date::new(year, (date.month() - 1) / 6 * 6 + 1, 1).ok()?,
        TimeUnit::Year => date.first_of_year(),
        TimeUnit::Decade => Date::new(year - year.rem_euclid(10), 1, 1).ok()?,
        TimeUnit::Century => Date::new(year - year.rem_euclid(100), 1, 1).ok()?,
    };
    let end = if is_within_day(unit) { shift_days(start, 1)? } else { shift(start, unit, 1)? };
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

fn holiday_in(holiday: Holiday, year: i16, is_exact: bool) -> Option<Period> {
    let some_days = |month, first, days| {
        let start = Date::new(year, month, first).ok()?;
        Some(Period { start, end: shift_days(start, days)? })
    };
    match holiday {
        Holiday::Christmas if is_exact => some_days(12, 25, 1),
        Holiday::Christmas => some_days(12, 24, 3),
        Holiday::NewYear if is_exact => some_days(1, 1, 1),
        Holiday::NewYear => some_days(12, 31, 2),
        Holiday::On(month, first) => some_days(month, first, 1),
        Holiday::Nth(month, which, weekday) => {
            let weekday = Weekday::from_monday_zero_offset(weekday).ok()?;
            let first = Date::new(year, month, 1).ok()?;
            if which < 0 {
                return day(weekday_before(weekday, first.last_of_month().tomorrow().ok()?)?);
            }
            day(shift_days(weekday_from(weekday, first)?, i64::from(which - 1) * 7)?)
        }
        Holiday::Advent(days) => {
            let fourth = weekday_before(Weekday::Sunday, Date::new(year, 12, 25).ok()?)?;
            day(shift_days(fourth, i64::from(days) - 21)?)
        }
        Holiday::Easter(days) => day(shift_days(easter(year)?, days.into())?),
    }
}

/// Easter Sunday of the Gregorian calendar, by the anonymous algorithm.
fn easter(year: i16) -> Option<Date> {
    let year_number = i32::from(year);
    let (golden, century, rest) = (year_number % 19, year_number / 100, year_number % 100);
    let moon = (19 * golden + century - century / 4 - (century - (century + 8) / 25 + 1) / 3 + 15) % 30;
    let week = (32 + 2 * (century % 4) + 2 * (rest / 4) - moon - rest % 4) % 7;
    let late = (golden + 11 * moon + 22 * week) / 451;
    let days = moon + week - 7 * late + 114;
    Date::new(year, i8::try_from(days / 31).ok()?, i8::try_from(days % 31 + 1).ok()?).ok()
}

fn is_within_day(unit: TimeUnit) -> bool {
    matches!(unit, TimeUnit::Minute | TimeUnit::Hour)
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
        TimeUnit::Minute => shift_days(date, count / (24 * 60)),
        TimeUnit::Hour => shift_days(date, count / 24),
        TimeUnit::Day => shift_days(date, count),
        TimeUnit::Workday => shift_workdays(date, count),
        TimeUnit::Week | TimeUnit::Weekend => shift_days(date, count * 7),
        TimeUnit::Fortnight => shift_days(date, count * 14),
        TimeUnit::Month => shift_months(date, count),
        TimeUnit::Quarter => shift_months(date, count * 3),
        TimeUnit::Half => shift_months(date, count * 6),
        TimeUnit::Year => shift_months(date, count * 12),
        TimeUnit::Decade => shift_months(date, count * 120),
        TimeUnit::Century => shift_months(date, count * 1200),
    }
}

/// From Monday to Friday. Nobody counts further than a year's.
fn shift_workdays(date: Date, count: i64) -> Option<Date> {
    const FURTHEST: i64 = 260;
    let step = count.signum();
    let mut date = date;
    let mut left = count.abs().min(FURTHEST);
    while left > 0 {
        date = shift_days(date, step)?;
        left -= i64::from(date.weekday().to_monday_zero_offset() < 5);
    }
    Some(date)
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
