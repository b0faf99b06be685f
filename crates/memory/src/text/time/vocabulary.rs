//! The words of the time grammar and what they mean, one table each.

use jiff::civil::Weekday;

use super::when::{Occurrence, Season, Unit};

pub(super) fn which(word: &str) -> Option<Occurrence> {
    Some(match word {
        "last" | "past" | "previous" => Occurrence::Last,
        "this" | "current" => Occurrence::This,
        "next" | "coming" | "upcoming" => Occurrence::Next,
        _ => return None,
    })
}

pub(super) fn unit(word: &str) -> Option<Unit> {
    Some(match word {
        "minute" | "minutes" | "hour" | "hours" => Unit::Hour,
        "day" | "days" | "night" | "nights" => Unit::Day,
        "week" | "weeks" => Unit::Week,
        "weekend" | "weekends" => Unit::Weekend,
        "month" | "months" => Unit::Month,
        "quarter" | "quarters" => Unit::Quarter,
        "year" | "years" => Unit::Year,
        "decade" | "decades" => Unit::Decade,
        _ => return None,
    })
}

/// Three digits at most: nobody counts days in thousands.
pub(super) fn number(word: &str) -> Option<i32> {
    Some(match word {
        "one" => 1,
        "two" => 2,
        "three" => 3,
        "four" => 4,
        "five" => 5,
        "six" => 6,
        "seven" => 7,
        "eight" => 8,
        "nine" => 9,
        "ten" => 10,
        "eleven" => 11,
        "twelve" => 12,
        "fifteen" => 15,
        "twenty" => 20,
        "thirty" => 30,
        _ => return digits(word, 3).filter(|number| *number > 0),
    })
}

pub(super) fn ordinal(word: &str) -> Option<i32> {
    Some(match word {
        "first" => 1,
        "second" => 2,
        "third" => 3,
        "fourth" => 4,
        "fifth" => 5,
        "sixth" => 6,
        "seventh" => 7,
        "eighth" => 8,
        "ninth" => 9,
        "tenth" => 10,
        _ => return ordinal_digits(word).and_then(|number| digits(number, 2)).filter(|number| *number > 0),
    })
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
    Some(match word {
        "january" => 1,
        "february" => 2,
        "march" => 3,
        "april" => 4,
        "may" => 5,
        "june" => 6,
        "july" => 7,
        "august" => 8,
        "september" => 9,
        "october" => 10,
        "november" => 11,
        "december" => 12,
        _ => return None,
    })
}

pub(super) fn short_month(word: &str) -> Option<i8> {
    Some(match word {
        "jan" => 1,
        "feb" => 2,
        "mar" => 3,
        "apr" => 4,
        "jun" => 6,
        "jul" => 7,
        "aug" => 8,
        "sep" | "sept" => 9,
        "oct" => 10,
        "nov" => 11,
        "dec" => 12,
        _ => return None,
    })
}

/// Months that are something else in lower case.
pub(super) fn is_also_verb(month: &str) -> bool {
    ["may", "march"].contains(&month)
}

/// Months that are something else in any case: "April said", "an august body".
pub(super) fn is_also_name_or_verb(month: &str) -> bool {
    ["march", "april", "may", "june", "august"].contains(&month)
}

/// Words behind which a name of a month or a season is one. "To" and "and" are not among them: "to march".
pub(super) fn leads_to_month(word: &str) -> bool {
    const LEADS: [&str; 16] = [
        "in",
        "of",
        "since",
        "early",
        "mid",
        "late",
        "until",
        "till",
        "by",
        "during",
        "before",
        "after",
        "from",
        "between",
        "around",
        "throughout",
    ];
    LEADS.contains(&word)
}

/// Words behind which four digits are a year.
pub(super) fn leads_to_year(word: &str) -> bool {
    leads_to_month(word) || ["to", "through", "year"].contains(&word)
}

/// Words that tell a plan from a report.
pub(super) fn speaks_of_future(word: &str) -> bool {
    const WORDS: [&str; 14] = [
        "will", "ll", "going", "due", "must", "should", "need", "needs", "remind", "starts", "begins",
        "ends", "expires", "leaving",
    ];
    WORDS.contains(&word)
}

pub(super) fn season(word: &str) -> Option<Season> {
    Some(match word {
        "spring" => Season::Spring,
        "summer" => Season::Summer,
        "autumn" | "fall" => Season::Autumn,
        "winter" => Season::Winter,
        _ => return None,
    })
}

pub(super) fn weekday(word: &str) -> Option<Weekday> {
    Some(match word {
        "monday" => Weekday::Monday,
        "tuesday" => Weekday::Tuesday,
        "wednesday" => Weekday::Wednesday,
        "thursday" => Weekday::Thursday,
        "friday" => Weekday::Friday,
        "saturday" => Weekday::Saturday,
        "sunday" => Weekday::Sunday,
        _ => return None,
    })
}

/// Only where the words around leave no doubt: "sat" and "sun" are words of their own.
pub(super) fn short_weekday(word: &str) -> Option<Weekday> {
    Some(match word {
        "mon" => Weekday::Monday,
        "tue" | "tues" => Weekday::Tuesday,
        "wed" => Weekday::Wednesday,
        "thu" | "thur" | "thurs" => Weekday::Thursday,
        "fri" => Weekday::Friday,
        "sat" => Weekday::Saturday,
        "sun" => Weekday::Sunday,
        _ => return None,
    })
}

fn digits(word: &str, at_most: usize) -> Option<i32> {
    let is_number =
        !word.is_empty() && word.len() <= at_most && word.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| word.parse().expect("a few digits are a number"))
}

fn ordinal_digits(word: &str) -> Option<&str> {
    ["st", "nd", "rd", "th"].iter().find_map(|ending| word.strip_suffix(ending))
}
