//! What a time expression says, before anybody asks what day it is: the words that the grammar and the calendar share.

use jiff::civil::Weekday;

use super::calendar::Period;
pub(super) use crate::language::{Season, TimeUnit};

/// A complete expression.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum TimeExpression {
    One(PeriodSide, TimePoint),
    /// From the beginning of one to the end of the other.
    Range(TimePoint, TimePoint),
}

/// How a period is meant: itself, or what is on one side of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PeriodSide {
    Within,
    Since,
    After,
    Before,
    Until,
}

/// What was said, before anybody asks what day it is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum TimePoint {
    /// Said in full.
    Period(Period),
    /// So many days from today.
    Day(i32),
    /// "on the 7th"
    DayOfMonth(i8),
    Date {
        month: i8,
        day: i8,
        occurrence: Occurrence,
    },
    Month {
        month: i8,
        occurrence: Occurrence,
    },
    Quarter {
        number: i8,
        occurrence: Occurrence,
    },
    Season {
        season: Season,
        occurrence: Occurrence,
    },
    Holiday {
        holiday: Holiday,
        occurrence: Occurrence,
    },
    Weekday {
        weekday: Weekday,
        occurrence: Occurrence,
    },
    /// "last week", "this year": so many units of the calendar from the present one.
    Calendar {
        unit: TimeUnit,
        offset: i32,
    },
    /// "two weeks ago", "in two weeks"
    Away {
        amount: Amount,
        unit: TimeUnit,
        direction: Direction,
    },
    /// "the last two weeks", "the next few days"
    Rolling {
        amount: Amount,
        unit: TimeUnit,
        direction: Direction,
    },
    /// "the first week of June"
    Nth {
        ordinal: Ordinal,
        piece: PeriodPiece,
        of: Box<TimePoint>,
    },
    /// "early May", "the end of last year"
    Part {
        part: PeriodPart,
        of: Box<TimePoint>,
    },
    /// "the weekend of July 4"
    Around {
        unit: TimeUnit,
        of: Box<TimePoint>,
    },
    /// "the week before 9 June"
    Beside {
        piece: PeriodPiece,
        direction: Direction,
        of: Box<TimePoint>,
    },
    /// "two days after Christmas"
    AwayFrom {
        amount: Amount,
        unit: TimeUnit,
        direction: Direction,
        of: Box<TimePoint>,
    },
}

/// Which one of those that come again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Occurrence {
    /// Not said: the calendar chooses.
    Nearest,
    Last,
    This,
    Next,
    InYear(i16),
    InRelativeYear(i16),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PeriodPiece {
    Unit(TimeUnit),
    Weekday(Weekday),
    Half,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ordinal {
    Number(i32),
    Last,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PeriodPart {
    Early,
    Middle,
    Late,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Before,
    After,
}

/// "A few" is several numbers at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Amount {
    pub(super) least: i32,
    pub(super) most: i32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holiday {
    Christmas,
    ChristmasEve,
    ChristmasDay,
    NewYear,
    NewYearsEve,
    NewYearsDay,
    ValentinesDay,
    Halloween,
    Thanksgiving,
}

impl Direction {
    pub(super) fn signed(self, count: i32) -> i32 {
        match self {
            Self::Before => -count,
            Self::After => count,
        }
    }
}

impl Amount {
    pub(super) fn exactly(number: i32) -> Self {
        Self { least: number, most: number }
    }
}

impl TimePoint {
    /// Whether the calendar must choose which one is meant.
    pub(super) fn is_incomplete(&self) -> bool {
        match self {
            Self::Date { occurrence, .. }
            | Self::Month { occurrence, .. }
            | Self::Quarter { occurrence, .. }
            | Self::Season { occurrence, .. }
            | Self::Holiday { occurrence, .. }
            | Self::Weekday { occurrence, .. } => *occurrence == Occurrence::Nearest,
            Self::DayOfMonth(_) => true,
            Self::Nth { of, .. } | Self::Part { of, .. } | Self::Around { of, .. } => of.is_incomplete(),
            _ => false,
        }
    }
}
