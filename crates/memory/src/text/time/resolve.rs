//! From an expression to days: which year, which week, and on which side of the day that is named.

use jiff::civil::Date;

use super::calendar::{Period, Reading, TimeLean};
use super::when::{PeriodPart, PeriodSide, TimeExpression, TimePoint};

/// An expression as days.
pub(super) struct Resolved {
    pub period: Period,
    pub last_from: Date,
    pub side: PeriodSide,
}

/// None where the calendar has no such day.
pub(super) fn resolve(found: &TimeExpression, reference: Date, reading: Reading) -> Option<Resolved> {
    let tomorrow = reference.tomorrow().ok()?;
    match found {
        TimeExpression::Range(from, to) => {
            let from_first = !from.is_incomplete() && to.is_incomplete();
            let to_reference = if from_first { from.resolve(reference, reading)?.start } else { reference };
            let lean = if from_first { TimeLean::Future } else { reading.lean };
            let to_period = to.resolve(to_reference, Reading { lean, ..reading })?;
            // "between March and May 2023": the first month is the one before the second.
            let back = Reading { lean: TimeLean::Past, ..reading };
            let from_period = if from.is_incomplete() {
                from.resolve(to_period.start, back)?
            } else {
                from.resolve(reference, reading)?
            };
            // "from the middle of March" begins on one day, and not with the days around it.
            let start = match from {
                TimePoint::Part { part: PeriodPart::Middle, of } if reading.is_exact => {
                    let near =
                        if of.is_incomplete() { (to_period.start, back) } else { (reference, reading) };
                    of.resolve(near.0, near.1)?.middle_day()?
                }
                _ => from_period.start,
            };
            let period = Period { start, end: to_period.end };
            Some(Resolved { period, last_from: to_period.start, side: PeriodSide::Within })
        }
        TimeExpression::One(side, point) => {
            let lean = if *side == PeriodSide::Until { TimeLean::Future } else { reading.lean };
            let period = point.resolve(reference, Reading { lean, ..reading })?;
            let period = match (side, point) {
                // "before the end of the year" is not before its second half.
                (PeriodSide::Before, TimePoint::Part { part: PeriodPart::Late, .. }) => {
                    Period { start: period.end, end: period.end }
                }
                (PeriodSide::After, TimePoint::Part { part: PeriodPart::Early, .. }) if reading.is_exact => {
                    Period { start: period.start, end: period.start }
                }
                _ => period,
            };
            let sided = side_of(*side, period, reference, tomorrow);
            let last_from = match side {
                PeriodSide::Until => period.start,
                PeriodSide::Within if is_open(point) => period.start.max(period.end.yesterday().ok()?),
                _ => sided.end.yesterday().unwrap_or(sided.start),
            };
            Some(Resolved { period: sided, last_from, side: *side })
        }
    }
}

fn is_open(point: &TimePoint) -> bool {
    matches!(point, TimePoint::Rest { .. } | TimePoint::Within { .. })
}

fn side_of(side: PeriodSide, period: Period, reference: Date, tomorrow: Date) -> Period {
    match side {
        PeriodSide::Within => period,
        PeriodSide::Since => Period { start: period.start, end: period.end.max(tomorrow) },
        PeriodSide::After if period.end > reference => Period { start: period.end, end: Date::MAX },
        PeriodSide::After => Period { start: period.end, end: tomorrow },
        PeriodSide::Before => Period { start: Date::MIN, end: period.start },
        PeriodSide::Until if period.end > reference => {
            Period { start: reference.min(period.start), end: period.end }
        }
        PeriodSide::Until => Period { start: Date::MIN, end: period.end },
    }
}
