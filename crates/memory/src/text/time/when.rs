//! What a time expression says, before anybody asks what day it is: the words that the grammar and the calendar share.

use jiff::civil::Weekday;

use super::calendar::Period;
pub(super) use crate::language::{Holiday, Season, TimeUnit};

/// A complete expression.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum TimeExpression {
    One(PeriodSide, TimePoint),
    /// From the beginning of one to the end of the other.
    Range(TimePoint, TimePoint),
}

impl TimeExpression {
    /// Whether it names days that come with every week and does not say which week: "Tuesday", "Tuesday evening", "Tuesday to Friday".
    pub(super) fn is_of_any_week(&self) -> bool {
        match self {
            Self::One(side, point) => *side == PeriodSide::Within && point.is_of_any_week(),
            Self::Range(from, to) => from.is_of_any_week() && to.is_of_any_week(),
        }
    }
}

/// How a period is meant: itself, or what is on one side of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PeriodSide {
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
    /// So many days back or ahead.
    EitherDay(i32),
    /// "on the 7th"
    DayOfMonth(i8),
    /// "Friday the 20th"
    WeekdayDay {
        weekday: Weekday,
        day: i8,
    },
    Date {
        month: i8,
        day: i8,
        /// Where it is said too, it helps to choose the year.
        weekday: Option<Weekday>,
        occurrence: Occurrence,
    },
    /// "the 20th of next month"
    DayOf {
        day: i8,
        of: Box<TimePoint>,
    },
    Month {
        month: i8,
        occurrence: Occurrence,
    },
    /// A week by its number
    WeekNumber {
        number: i8,
        occurrence: Occurrence,
    },
    /// A quarter or a half of a year.
    YearPart {
        unit: TimeUnit,
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
    /// "two Sundays from now", "three Fridays ago"
    WeekdayAway {
        weekday: Weekday,
        count: i32,
        direction: Direction,
    },
    /// "Friday 7/6": month and day in either order, and the weekday that tells which.
    WeekdayEitherOrder {
        weekday: Weekday,
        numbers: [i8; 2],
        year: Option<i16>,
        /// Which weekday is meant where neither order makes it right.
        occurrence: Occurrence,
    },
    /// "Tuesday of last week"
    WeekdayOf {
        weekday: Weekday,
        of: Box<TimePoint>,
    },
    /// "last week", "this year": so many units of the calendar from the present one.
    Calendar {
        unit: TimeUnit,
        offset: i32,
    },
    /// "two weeks ago", "in two weeks", "a month and two days ago"
    Away {
        amount: Amount,
        unit: TimeUnit,
        more: Vec<(i32, TimeUnit)>,
        direction: Direction,
    },
    /// "the last two weeks", "the next few days", "the last three months and two weeks"
    Rolling {
        amount: Amount,
        unit: TimeUnit,
        more: Vec<(i32, TimeUnit)>,
        direction: Direction,
    },
    /// "within two weeks": from now on
    Within {
        amount: Amount,
        unit: TimeUnit,
        more: Vec<(i32, TimeUnit)>,
    },
    /// "for two weeks from 20 December"
    Lasting {
        amount: Amount,
        unit: TimeUnit,
        from: Box<TimePoint>,
    },
    /// "the rest of the week"
    Rest {
        unit: TimeUnit,
    },
    /// "the first week of June"
    Nth {
        ordinal: Ordinal,
        piece: PeriodPiece,
        of: Box<TimePoint>,
    },
    /// "the first two weeks of December"
    Several {
        ordinal: Ordinal,
        count: i32,
        unit: TimeUnit,
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

impl TimePoint {
    fn is_of_any_week(&self) -> bool {
        match self {
            Self::Weekday { occurrence, .. } => *occurrence == Occurrence::Nearest,
            Self::Part { of, .. } => of.is_of_any_week(),
            _ => false,
        }
    }
}

/// Which one of those that come again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Occurrence {
    /// Not said: the calendar chooses.
    Nearest,
    Last,
    This,
    Next,
    /// The first one ahead: "this coming Friday".
    Coming,
    /// The last one behind: "this past Friday".
    Gone,
    InYear(i16),
    InRelativeYear(i16),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PeriodPiece {
    Unit(TimeUnit),
    Weekday(Weekday),
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
    /// As far as it has been.
    Earlier,
    /// As far as it is still to come.
    Later,
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

impl Direction {
    pub(super) fn signed(self, count: i32) -> i32 {
        match self {
            Self::Before => -count,
            Self::After => count,
        }
    }
}

impl Amount {
    /// One number for all: "a couple" are two, "a few" three.
    pub(super) fn meant(self) -> i32 {
        self.least + i32::from(self.most - self.least > 1)
    }

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
            | Self::YearPart { occurrence, .. }
            | Self::Season { occurrence, .. }
            | Self::Holiday { occurrence, .. }
            | Self::Weekday { occurrence, .. } => *occurrence == Occurrence::Nearest,
            Self::DayOfMonth(_) | Self::WeekdayDay { .. } => true,
            Self::Nth { of, .. } | Self::Part { of, .. } | Self::Around { of, .. } => of.is_incomplete(),
            _ => false,
        }
    }

    /// The same month and day with the year that another date has.
    pub(super) fn with_occurrence(self, said: Occurrence) -> Self {
        match self {
            Self::Date { month, day, weekday, occurrence: Occurrence::Nearest } => {
                Self::Date { month, day, weekday, occurrence: said }
            }
            Self::Month { month, occurrence: Occurrence::Nearest } => Self::Month { month, occurrence: said },
            other => other,
        }
    }
}
