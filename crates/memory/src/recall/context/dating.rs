//! Days that are said from where somebody stood, with the day that was meant.
//!
//! "My driving test is tomorrow" is told on other days than the one on which it was said, beside a line that says what day it is. So the day that
//! was meant stands behind the words, in the brackets of an editor: `tomorrow [2026-11-18] at ten`. What names its day in full, and what comes again
//! every week, stays as it was said.

use jiff::ToSpan;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::text::time::{self, PeriodSide, TimeLean, TimeMention};
use crate::types::{Kind, Memory};

/// Days after which what was said from its speaker's own day means others: a day or a weekday, a week or a month, a year.
const LATER_THAN_A_DAY: i32 = 7;
const LATER_THAN_A_MONTH: i32 = 40;
const LATER_THAN_A_YEAR: i32 = 366;

/// Days by which something moves at most that is said from one's own day; a date without its year moves by a whole one.
const MOVES_DAYS: i32 = 300;

/// Days of what has an end worth telling; the end of what is longer is nobody's appointment.
const LONGEST_DAYS: i32 = 370;

/// What a memory says, each day that was meant from the day of saying with its date.
pub(super) fn dated(memory: &Memory, text: &str, zone: &TimeZone) -> String {
    let said = memory.valid_from.unwrap_or(memory.created_at).date_in(zone);
    let is_habit = memory.valid_until.is_none();
    // What an instruction says holds from now on.
    if memory.kind == Kind::Rule {
        return text.to_owned();
    }
    if is_habit && time::recurring_weekdays(text).is_some() {
        return text.to_owned();
    }
    let lean = if time::speaks_of_past(text) { TimeLean::Past } else { TimeLean::Future };
    let mentions = time::mentions(text, said, lean);
    let moves = |mention: &TimeMention| {
        let (days, most) = match (mention.end - mention.start).get_days() {
            ..=1 => (LATER_THAN_A_DAY, MOVES_DAYS),
            2..=31 => (LATER_THAN_A_MONTH, MOVES_DAYS),
            364..=366 => (LATER_THAN_A_YEAR, LATER_THAN_A_YEAR),
            _ => return false,
        };
        let Ok(later) = said.checked_add(days.days()) else { return false };
        let moved = time::mentions(text, later, lean);
        let same = moved.iter().find(|one| one.phrase == mention.phrase);
        same.is_some_and(|one| (1..=most).contains(&(one.start - mention.start).get_days()))
    };
    let mut told = text.to_owned();
    for mention in mentions.iter().rev() {
        let of_any_week = is_habit && memory.is_verbatim() && mention.is_of_any_week;
        // "I live in Leeds now", "today I finally stopped": the day of saying is the line's own, where nothing ends with it.
        let of_saying = is_habit && mention.start == said && mention.day().is_some();
        if of_any_week
            || of_saying
            || is_no_day(text, mention)
            || mention.side == PeriodSide::Since
            || !moves(mention)
        {
            continue;
        }
        if let Some(days) = days_of(mention).filter(|_| told.is_char_boundary(mention.phrase.end)) {
            told.insert_str(mention.phrase.end, &format!(" [{days}]"));
        }
    }
    told
}

/// Words before a time that make it a habit: "cada mañana" is no tomorrow.
const EVERY: &str = "every each cada todas todos las os toda todo chaque toutes jede jeden jedes jeder ogni tutti tutte elke elk iedere ieder alle
    każdy każda każdego każde co каждый каждое каждую каждые her كل हर";
const EVERY_WIDE: [char; 4] = ['每', '毎', '매', '각'];

/// The last day of something is not yesterday: what is last in such words is at an end.
const LAST_DAYS: [&str; 14] = [
    "last day",
    "final day",
    "último día",
    "último dia",
    "dernier jour",
    "letzter tag",
    "letzten tag",
    "ultimo giorno",
    "laatste dag",
    "ostatni dzień",
    "последний день",
    "son gün",
    "آخر يوم",
    "आख़िरी दिन",
];

/// Words of a title: more than two, each with a capital, and not at the beginning of what is said.
const TITLE_WORDS: usize = 3;

/// Whether a time only looks like one: a habit, an idiom or a title.
fn is_no_day(text: &str, mention: &TimeMention) -> bool {
    let phrase = &text[mention.phrase.clone()];
    let before = text[..mention.phrase.start].trim_end().to_lowercase();
    let last = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let recurs = EVERY.split_whitespace().any(|word| word == last) || last.ends_with(EVERY_WIDE);
    let words: Vec<&str> = phrase.split_whitespace().collect();
    let is_title = words.len() >= TITLE_WORDS
        && words.iter().all(|word| word.starts_with(char::is_uppercase))
        && !before.is_empty();
    let lower = phrase.to_lowercase();
    recurs && mention.day().is_some() || is_title || LAST_DAYS.iter().any(|last| lower.contains(last))
}

/// The days that are meant, as dates.
fn days_of(mention: &TimeMention) -> Option<String> {
    let (first, last) = (mention.start, mention.end.yesterday().ok()?);
    if mention.side != PeriodSide::Within {
        // "by Friday", "since Monday": the day that is named.
        let named = match mention.side {
            PeriodSide::After => mention.start,
            _ => mention.last_from,
        };
        return (named > Date::MIN && named < Date::MAX).then(|| named.to_string());
    }
    match (last - first).get_days() {
        0 => Some(first.to_string()),
        27..=30 if first.day() == 1 => Some(first.strftime("%Y-%m").to_string()),
        364.. if first.day() == 1 && first.month() == 1 => Some(first.year().to_string()),
        days if days <= LONGEST_DAYS => Some(format!("{first} to {last}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use jiff::tz::TimeZone;

    use super::dated;
    use crate::types::{Kind, Memory, MemoryId, Owner, TenantId, Time};

    fn told(said: &str) -> String {
        let at: Time = "2026-11-17T10:00:00Z".parse().expect("a time");
        let id = MemoryId::from_uuid(uuid::Uuid::from_u64_pair(1, 1));
        let content = said.to_owned();
        let mut memory = Memory::new(id, TenantId::local(), &Owner::unnamed(), Kind::Fact, content, at);
        memory.valid_from = Some(at);
        dated(&memory, said, &TimeZone::UTC)
    }

    #[test]
    fn a_relative_day_stands_with_its_date() {
        for (said, expected) in [
            ("my driving test is tomorrow at ten", "tomorrow [2026-11-18]"),
            ("morgen habe ich ein Vorstellungsgespräch", "morgen [2026-11-18]"),
            ("明天下午三点我要去看牙医", "2026-11-18]"),
            ("The plumber comes the day after tomorrow", "tomorrow [2026-11-19]"),
            ("We move house next month", "next month [2026-12]"),
        ] {
            assert!(told(said).contains(expected), "{}", told(said));
        }
        for said in [
            "The wedding is on 12 December",
            "I swim every Thursday",
            "I live in Leeds",
            "The trip to Japan is in April",
            "From now on answer briefly",
            "Tomo dos cafés cada mañana.",
            "My favourite film is The Day After Tomorrow.",
        ] {
            assert_eq!(told(said), said);
        }
    }
}
