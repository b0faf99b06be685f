//! What the English grammar asks of the words of its language: does this one name a month, a unit, a number?

use jiff::civil::Weekday;

use super::when::{Occurrence, Season, TimeUnit};
use crate::language::en::time::{
    FUTURE, MONTHS_AND_NAMES, MONTHS_AND_VERBS, ORDINALS, SEASONS, SHORT_MONTHS, SHORT_WEEKDAYS, TIME,
    YEAR_LEADS,
};

/// From Monday on, as the tables list them.
pub(super) const WEEKDAYS: [Weekday; 7] = [
    Weekday::Monday,
    Weekday::Tuesday,
    Weekday::Wednesday,
    Weekday::Thursday,
    Weekday::Friday,
    Weekday::Saturday,
    Weekday::Sunday,
];

pub(super) fn which(word: &str) -> Option<Occurrence> {
    let orders =
        [(Occurrence::Last, TIME.last), (Occurrence::This, TIME.this), (Occurrence::Next, TIME.next)];
    meaning(&orders, word)
}

pub(super) fn unit(word: &str) -> Option<TimeUnit> {
    meaning(TIME.units, word)
}

/// Three digits at most: nobody counts days in thousands.
pub(super) fn number(word: &str) -> Option<i32> {
    meaning(TIME.numbers, word).or_else(|| digits(word, 3).filter(|number| *number > 0))
}

pub(super) fn ordinal(word: &str) -> Option<i32> {
    let written = place(&ORDINALS, word).and_then(|place| i32::try_from(place + 1).ok());
    written.or_else(|| ordinal_digits(word).and_then(|number| digits(number, 2)).filter(|number| *number > 0))
}

/// `7`, `07`, `7th`: a day of a month.
pub(super) fn day_number(word: &str) -> Option<i8> {
    let number = digits(ordinal_digits(word).unwrap_or(word), 2)?;
    i8::try_from(number).ok().filter(|day| (1..=31).contains(day))
}

/// Four digits that people mean as a year.
pub(super) fn year(word: &str) -> Option<i16> {
    let year = digits(word, 4).filter(|_| word.len() == 4)?;
    i16::try_from(year).ok().filter(|year| (1900..2100).contains(year))
}

pub(super) fn month(word: &str) -> Option<i8> {
    month_of(place(&TIME.months, word)?)
}

pub(super) fn short_month(word: &str) -> Option<i8> {
    month_of(place(&SHORT_MONTHS, word)?)
}

/// Months that are something else in lower case.
pub(super) fn is_also_verb(month: &str) -> bool {
    has(MONTHS_AND_VERBS, month)
}

/// Months that are something else in any case: "April said", "an august body".
pub(super) fn is_also_name_or_verb(month: &str) -> bool {
    has(MONTHS_AND_NAMES, month)
}

/// Words behind which a name of a month or a season is one.
pub(super) fn leads_to_month(word: &str) -> bool {
    has(TIME.month_leads, word)
}

/// Words behind which four digits are a year.
pub(super) fn leads_to_year(word: &str) -> bool {
    leads_to_month(word) || has(YEAR_LEADS, word)
}

/// Words that tell a plan from a report.
pub(super) fn speaks_of_future(word: &str) -> bool {
    has(FUTURE, word)
}

pub(super) fn season(word: &str) -> Option<Season> {
    meaning(&SEASONS, word)
}

pub(super) fn weekday(word: &str) -> Option<Weekday> {
    place(&TIME.weekdays, word).map(|place| WEEKDAYS[place])
}

/// Only where the words around leave no doubt: "sat" and "sun" are words of their own.
pub(super) fn short_weekday(word: &str) -> Option<Weekday> {
    place(&SHORT_WEEKDAYS, word).map(|place| WEEKDAYS[place])
}

/// The month of a place in a list that begins with January.
pub(super) fn month_of(place: usize) -> Option<i8> {
    i8::try_from(place + 1).ok()
}

/// A number of so many digits at most.
pub(super) fn digits(word: &str, at_most: usize) -> Option<i32> {
    let is_number =
        !word.is_empty() && word.len() <= at_most && word.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| word.parse().expect("a few digits are a number"))
}

fn meaning<Meaning: Copy>(table: &[(Meaning, &str)], word: &str) -> Option<Meaning> {
    table.iter().find(|(_, words)| has(words, word)).map(|(meaning, _)| *meaning)
}

fn place(table: &[&str], word: &str) -> Option<usize> {
    table.iter().position(|words| has(words, word))
}

fn has(words: &str, word: &str) -> bool {
    words.split_whitespace().any(|known| known == word)
}

fn ordinal_digits(word: &str) -> Option<&str> {
    ["st", "nd", "rd", "th"].iter().find_map(|ending| word.strip_suffix(ending))
}
