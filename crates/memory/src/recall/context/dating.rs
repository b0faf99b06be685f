//! Days that are said from where somebody stood, with the day that was meant.
//!
//! "My driving test is tomorrow" is told on other days than the one on which it was said, beside a line that says what day it is. So the day that
//! was meant stands behind the words, in the brackets of an editor: `tomorrow [2026-11-18] at ten`. What names its day in full, and what comes again
//! every week, stays as it was said.

use std::sync::LazyLock;

use jiff::ToSpan;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::text::time::{self, PeriodSide, TimeLean, TimeMention};
use crate::text::wording::Wordings;
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
    // What an instruction says holds from now on.
    if memory.kind == Kind::Rule {
        return text.to_owned();
    }
    let Some(reading) = DayReading::of(memory, text, said) else { return text.to_owned() };
    let mut told = text.to_owned();
    for mention in reading.mentions.iter().rev() {
        if is_no_day(text, mention) || !reading.moves(mention) {
            continue;
        }
        if let Some(days) = reading.told_day(mention).filter(|_| told.is_char_boundary(mention.phrase.end)) {
            told.insert_str(mention.phrase.end, &format!(" [{days}]"));
        }
    }
    told
}

/// The days that a memory speaks of, as of the day on which it was said.
struct DayReading<'a> {
    memory: &'a Memory,
    text: &'a str,
    said: Date,
    lean: TimeLean,
    mentions: Vec<TimeMention>,
}

impl<'a> DayReading<'a> {
    /// Nothing of what comes again every week and has no end.
    fn of(memory: &'a Memory, text: &'a str, said: Date) -> Option<Self> {
        if memory.valid_until.is_none() && time::recurring_weekdays(text).is_some() {
            return None;
        }
        let lean = if time::speaks_of_past(text) { TimeLean::Past } else { TimeLean::Future };
        Some(Self { memory, text, said, lean, mentions: time::mentions(text, said, lean) })
    }

    /// Whether the same words, said later, mean another day.
    fn moves(&self, mention: &TimeMention) -> bool {
        let (days, most) = match (mention.end - mention.start).get_days() {
            ..=1 => (LATER_THAN_A_DAY, MOVES_DAYS),
            2..=31 => (LATER_THAN_A_MONTH, MOVES_DAYS),
            364..=366 => (LATER_THAN_A_YEAR, LATER_THAN_A_YEAR),
            _ => return false,
        };
        let Ok(later) = self.said.checked_add(days.days()) else { return false };
        let moved = time::mentions(self.text, later, self.lean);
        let same = moved.iter().find(|one| one.phrase == mention.phrase);
        same.is_some_and(|one| (1..=most).contains(&(one.start - mention.start).get_days()))
    }

    /// The date that is told behind the words. Where a day of any week may be a habit none is, and with "now" the day of saying is the line's own.
    fn told_day(&self, mention: &TimeMention) -> Option<String> {
        let goes_on = self.memory.valid_until.is_none();
        let of_any_week = goes_on && self.memory.is_verbatim() && mention.is_of_any_week;
        let of_saying = goes_on && mention.start == self.said && mention.day().is_some();
        let is_told = !of_any_week && !of_saying && mention.side != PeriodSide::Since;
        days_of(mention).filter(|_| is_told)
    }
}

/// Words for now and the days around it that the grammar of time reads as no day, in every language.
const AROUND_NOW: &[&str] = &[
    "now | right now | atm | at the moment | currently | these days | lately | tonight",
    "gerade | momentan | derzeit | zurzeit | aktuell | im moment | jetzt",
    "ahora | ahora mismo | de momento | actualmente | estos dias",
    "maintenant | en ce moment | actuellement | ces jours ci",
    "agora | neste momento | de momento | atualmente | actualmente",
    "adesso | ora | in questo momento | attualmente | in questi giorni",
    "nu | op dit moment | momenteel",
    "teraz | obecnie | aktualnie | w tej chwili",
    "сейчас | теперь | пока что | в данный момент",
    "su an | su anda | simdi | bu aralar",
    "الان | دلوقتي | حاليا | هذه الايام",
    "अभी | इस समय | फिलहाल | आजकल",
    "现在 | 目前 | 这几天 | 最近",
    "今は | 現在 | 最近 | 今のところ",
    "지금 | 현재 | 요즘 | 당분간",
];

static SPEAKS_OF_NOW: LazyLock<Wordings> = LazyLock::new(|| Wordings::of(AROUND_NOW.iter().copied()));

/// Words of a day of the week before a number, with what leads to it.
const WEEKDAY_WORDS: usize = 2;

/// The day on which a memory was said, where its words still mean another day when they are read later: "starting at Costa on Monday", "in London now".
/// It is a matter of the words and of the day of saying alone, so that a line reads the same however often it is told.
pub(super) fn day_of_saying(memory: &Memory, text: &str, zone: &TimeZone) -> Option<Date> {
    if memory.kind == Kind::Rule {
        return None;
    }
    let said = memory.valid_from.unwrap_or(memory.created_at).date_in(zone);
    let reading = DayReading::of(memory, text, said)?;
    let is_left = |mention: &TimeMention| {
        !is_no_day(text, mention) && reading.moves(mention) && reading.told_day(mention).is_none()
    };
    // "Am Samstag 7": an age, or the seventh.
    let is_unsure = |mention: &TimeMention| {
        let words = text[mention.phrase.clone()].split(|letter: char| !letter.is_alphanumeric());
        let has_digits = |word: &&str| word.starts_with(|first: char| first.is_ascii_digit());
        let (numbers, names): (Vec<&str>, Vec<&str>) =
            words.filter(|word| !word.is_empty()).partition(has_digits);
        numbers.len() == 1 && !names.is_empty() && names.len() <= WEEKDAY_WORDS && {
            let named = &text[mention.phrase.clone()].replace(|digit: char| digit.is_ascii_digit(), " ");
            time::mentions(named, said, reading.lean).iter().any(|one| one.is_of_any_week)
        }
    };
    let left = reading.mentions.iter().any(|mention| is_left(mention) || is_unsure(mention));
    (left || SPEAKS_OF_NOW.are_in(text)).then_some(said)
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

    use super::{dated, day_of_saying};
    use crate::types::{Kind, Memory, MemoryId, Owner, TenantId, Time};

    fn told(said: &str) -> String {
        let at: Time = "2026-11-17T10:00:00Z".parse().expect("a time");
        let id = MemoryId::from_uuid(uuid::Uuid::from_u64_pair(1, 1));
        let content = said.to_owned();
        let mut memory = Memory::new(id, TenantId::local(), &Owner::unnamed(), Kind::Fact, content, at);
        memory.valid_from = Some(at);
        dated(&memory, said, &TimeZone::UTC)
    }

    fn said_on(said: &str) -> Option<String> {
        let at: Time = "2026-11-17T10:00:00Z".parse().expect("a time");
        let id = MemoryId::from_uuid(uuid::Uuid::from_u64_pair(1, 1));
        let mut memory =
            Memory::new(id, TenantId::local(), &Owner::unnamed(), Kind::Fact, said.to_owned(), at);
        memory.valid_from = Some(at);
        memory.metadata.insert("rule".into(), Memory::BY_JUDGE.into());
        day_of_saying(&memory, said, &TimeZone::UTC).map(|day| day.to_string())
    }

    #[test]
    fn a_day_that_is_not_told_as_a_date_leaves_the_day_of_saying() {
        for said in [
            "handed in my notice, starting at costa on monday",
            "my son turns 7 on saturday",
            "am montag fange ich bei rossmann an",
            "empiezo en lidl el lunes",
            "começo na worten na segunda",
            "je commence chez darty lundi",
            "lunedì comincio da eataly",
            "maandag begin ik bij de hema",
            "w poniedziałek zaczynam w empiku",
            "в понедельник выхожу в пятёрочку",
            "pazartesi a101'de başlıyorum",
            "هبدأ في جومية يوم الاثنين",
            "सोमवार को मेरी नई नौकरी शुरू",
            "周一去京东上班",
            "月曜からローソンで働きます",
            "월요일부터 이마트에서 일해",
            "i'm living with my brother at the moment",
            "derzeit wohne ich bei meiner schwester",
            "actuellement je vis chez ma sœur",
        ] {
            assert_eq!(said_on(said).as_deref(), Some("2026-11-17"), "{said}");
        }
        for said in
            ["I live in Leeds", "I swim every Thursday", "The wedding is on 12 December", "soy enfermera"]
        {
            assert_eq!(said_on(said), None, "{said}");
        }
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
