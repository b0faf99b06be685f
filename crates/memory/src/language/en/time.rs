//! English: the words of time expressions, and those that only the English grammar reads.

use crate::language::{Season, TimeWords, TimeUnit};

pub(crate) const TIME: TimeWords = TimeWords {
    periods: &[
        (TimeUnit::Day, -1, "yesterday"),
        (TimeUnit::Day, 0, "today tonight"),
        (TimeUnit::Day, 1, "tomorrow"),
        (TimeUnit::Week, -1, "last_week"),
        (TimeUnit::Month, -1, "last_month"),
        (TimeUnit::Year, -1, "last_year"),
    ],
    weekdays: ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"],
    last: "last past previous",
    this: "this current",
    next: "next coming upcoming",
    months: [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ],
    // "To" and "and" are not among them: "to march".
    month_leads: "in of since early mid late until till by during before after from between around throughout",
    joints: "of",
    units: &[
        (TimeUnit::Hour, "minute minutes hour hours"),
        (TimeUnit::Day, "day days night nights"),
        (TimeUnit::Week, "week weeks"),
        (TimeUnit::Weekend, "weekend weekends"),
        (TimeUnit::Month, "month months"),
        (TimeUnit::Quarter, "quarter quarters"),
        (TimeUnit::Year, "year years"),
        (TimeUnit::Decade, "decade decades"),
    ],
    numbers: &[
        (1, "one"),
        (2, "two"),
        (3, "three"),
        (4, "four"),
        (5, "five"),
        (6, "six"),
        (7, "seven"),
        (8, "eight"),
        (9, "nine"),
        (10, "ten"),
        (11, "eleven"),
        (12, "twelve"),
        (15, "fifteen"),
        (20, "twenty"),
        (30, "thirty"),
    ],
    ago_before: "",
    ago_behind: "ago back",
};

/// From the first on.
pub(crate) const ORDINALS: [&str; 10] =
    ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];

/// From January on. May has no short form.
pub(crate) const SHORT_MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "", "jun", "jul", "aug", "sep sept", "oct", "nov", "dec"];

/// From Monday on. Only where the words around leave no doubt: "sat" and "sun" are words of their own.
pub(crate) const SHORT_WEEKDAYS: [&str; 7] =
    ["mon", "tue tues", "wed", "thu thur thurs", "fri", "sat", "sun"];

pub(crate) const SEASONS: [(Season, &str); 4] = [
    (Season::Spring, "spring"),
    (Season::Summer, "summer"),
    (Season::Autumn, "autumn fall"),
    (Season::Winter, "winter"),
];

/// Months that are something else in lower case.
pub(crate) const MONTHS_AND_VERBS: &str = "may march";

/// Months that are something else in any case: "April said", "an august body".
pub(crate) const MONTHS_AND_NAMES: &str = "march april may june august";

/// Words behind which four digits are a year, beside those that lead to a month.
pub(crate) const YEAR_LEADS: &str = "to through year";

/// Words that tell a plan from a report.
pub(crate) const FUTURE: &str =
    "will ll going due must should need needs remind starts begins ends expires leaving";
