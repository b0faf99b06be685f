//! When something that a person told is over by itself: an appointment with its day, a state that was said to last until then.
//!
//! Only what says so in its words ends. What recurs has no end, and neither has a deadline: whether it was met is not known.

use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::draft::Candidate;
use crate::text::time::{self, PeriodSide, TimeLean, TimeMention};
use crate::types::{Kind, Time};

/// A stretch that somebody speaks of as something that passes: a holiday, a month abroad. What is longer is an age.
const PASSING_DAYS: i32 = 31;

/// The same of a state that is told in passing: "this week". What is so "this month" is often so the next month too.
const STATE_DAYS: i32 = 7;

/// What is about such a thing happens on its day.
const HAPPENS: [&str; 2] = ["schedule", "event"];

/// What is about such a thing may be so for a while: "I'm off sick this week".
const PASSES: [&str; 5] = ["health", "work", "home", "feeling", "people"];

/// How sure the judge must be that a day of the week is meant once, and does not come again: "choir on Tuesday evenings" has no end.
const ONCE: f32 = 0.65;

/// What is about such a thing may happen on its day too: "übermorgen hab ich Friseur" sounds like work. The judge must be sure that its day ends it.
const MAY_HAPPEN: [&str; 6] = ["health", "work", "people", "home", "money", "diet"];
const SURELY_DATED: f32 = 0.8;

/// What begins on its day and goes on behind it, and what comes again every year, folded: beginnings of words.
const GOES_ON: &str = "start begin join move moving birthday empie empez comien comenz mud cumple incorpor comec aniversario commenc debut demenag emmenag
    anniversaire anfang fang beginn zieh umzieh umzug geburtstag inizi cominci trasfer traslo compleanno begint verhui verjaar zaczyn przeprowadz
    urodzin начина начн выхожу перее день_рождения basla tasin dogum ابدأ أبدأ سأبدأ أنتقل سأنتقل عيد_ميلاد शुरू शिफ्ट जन्मदिन new neue neuen neuer neues nuev novo nova nouv nuov nieuw";
const GOES_ON_WIDE: [&str; 14] = [
    "开始",
    "入职",
    "搬",
    "生日",
    "始め",
    "始ま",
    "入社",
    "引っ越",
    "誕生日",
    "시작",
    "입사",
    "이사",
    "생일",
    "新",
];

/// Words that begin a deadline, which does not end what it is about.
const DEADLINES: [&str; 8] =
    ["by ", "bis spätestens", "spätestens", "no later", "a más tardar", "au plus tard", "uiterlijk", "entro"];

/// The moment from which a candidate no longer holds, in its speaker's words and time zone.
pub(super) fn end(candidate: &Candidate, said: Time, zone: &TimeZone) -> Option<Time> {
    let text = &candidate.content;
    // How somebody wants to be answered has no day, whatever times it speaks of.
    if candidate.kind == Kind::Rule || about(candidate) == "instruction" || time::recurs(text) {
        return None;
    }
    let today = said.date_in(zone);
    let mentions = time::mentions(text, today, TimeLean::Future);
    let category = about(candidate);
    let last = until(text, &mentions, category)
        .or_else(|| happening(&mentions, candidate).filter(|_| !time::speaks_of_past(text)))
        .or_else(|| passing(candidate, &mentions, today).filter(|_| !time::speaks_of_past(text)))?;
    (last > today).then(|| Time::from_date_in(last, zone))
}

/// Whether a candidate is about something that happens on its day.
pub(super) fn happens(candidate: &Candidate) -> bool {
    HAPPENS.contains(&about(candidate))
}

/// What a candidate is about, in the judge's words where it was asked.
fn about(candidate: &Candidate) -> &str {
    candidate.matter.as_deref().unwrap_or(&candidate.category)
}

/// "until Sunday": the day after.
fn until(text: &str, mentions: &[TimeMention], category: &str) -> Option<Date> {
    let is_until = |mention: &&TimeMention| {
        let phrase = text[mention.phrase.clone()].to_lowercase();
        mention.side == PeriodSide::Until && !DEADLINES.iter().any(|words| phrase.starts_with(words))
    };
    let found = mentions.iter().find(is_until).filter(|_| category != "project")?;
    Some(found.end)
}

/// The day after an appointment: the one day, or the one stretch of days, that its words name.
fn happening(mentions: &[TimeMention], candidate: &Candidate) -> Option<Date> {
    let (category, dated) = (about(candidate), candidate.dated);
    let once = dated.is_none_or(|chance| chance >= ONCE);
    let surely = MAY_HAPPEN.contains(&category) && dated.is_some_and(|chance| chance >= SURELY_DATED);
    if !HAPPENS.contains(&category) && (!surely || candidate.changes || goes_on(&candidate.content)) {
        return None;
    }
    let is_day = |mention: &&TimeMention| mention.side == PeriodSide::Within && is_short(mention);
    let mut days = mentions.iter().filter(is_day);
    if !once && days.clone().all(|day| day.is_of_any_week) {
        return None;
    }
    let first = days.next()?;
    days.all(|other| (other.start, other.end) == (first.start, first.end)).then_some(first.end)
}

/// "I'm off sick this week": the day after the stretch that today is in. What begins or ends in it goes on.
fn passing(candidate: &Candidate, mentions: &[TimeMention], today: Date) -> Option<Date> {
    if candidate.changes || !PASSES.contains(&about(candidate)) {
        return None;
    }
    let [mention] = mentions else { return None };
    let is_now = mention.side == PeriodSide::Within && mention.start <= today && today < mention.end;
    // "Now" is no stretch: what is so now goes on.
    let passes = (2..=STATE_DAYS).contains(&(mention.end - mention.start).get_days());
    (is_now && passes).then_some(mention.end)
}

/// Whether what is said begins on its day, or comes again every year.
fn goes_on(text: &str) -> bool {
    let folded = crate::text::fold(text);
    let apart = |character: char| character.is_whitespace() || character.is_ascii_punctuation();
    let words: Vec<&str> = folded.split(apart).collect();
    let said = |start: &str| match start.split_once('_') {
        Some((first, second)) => words.windows(2).any(|pair| pair[0] == first && pair[1].starts_with(second)),
        None => words.iter().any(|word| word.starts_with(start)),
    };
    GOES_ON.split_whitespace().any(said) || GOES_ON_WIDE.iter().any(|part| folded.contains(part))
}

fn is_short(mention: &TimeMention) -> bool {
    (mention.end - mention.start).get_days() <= PASSING_DAYS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::StatementDurability;

    fn ends(category: &str, content: &str, zone: &str) -> String {
        ends_if(None, category, content, zone)
    }

    fn ends_if(dated: Option<f32>, category: &str, content: &str, zone: &str) -> String {
        let kind = Kind::Event;
        let candidate = Candidate {
            layer: kind.usual_layer(),
            kind,
            key: None,
            category: category.to_owned(),
            matter: None,
            subject: None,
            predicate: None,
            object: None,
            evidence: content.to_owned(),
            sources: Vec::new(),
            confidence: 1.0,
            salience: 0.5,
            tags: Vec::new(),
            emotion: None,
            valid_from: None,
            valid_until: None,
            durability: StatementDurability::Lasting,
            single_valued: false,
            made_by: String::new(),
            advice: None,
            changes: false,
            changing: 0.0,
            core: None,
            dated,
            sensitive: false,
            put_right: false,
            content: content.to_owned(),
        };
        // A Sunday noon in UTC.
        let said: Time = "2026-11-15T12:00:00Z".parse().expect("a time");
        let zone = TimeZone::get(zone).expect("a known zone");
        end(&candidate, said, &zone).map_or_else(|| "-".to_owned(), |end| end.to_string()[..16].to_owned())
    }

    #[test]
    fn appointments_end_with_their_day_where_the_user_is() {
        for (category, content, expected) in [
            ("schedule", "dentist on Friday the 20th", "2026-11-21T00:00"),
            ("event", "My interview is on Tuesday 24 November", "2026-11-25T00:00"),
            ("schedule", "Mama's party is on Saturday 5 December", "2026-12-06T00:00"),
            ("schedule", "Zahnarzt am Freitag, den 20.", "2026-11-21T00:00"),
            ("schedule", "el dentista es el viernes 20 de noviembre", "2026-11-21T00:00"),
            ("event", "We fly to Lisbon from 3 to 10 December", "2026-12-11T00:00"),
            ("health", "I'm on antibiotics until Sunday", "2026-11-16T00:00"),
            ("home", "I'm staying at my mother's this week", "2026-11-16T00:00"),
            ("schedule", "Physio every Tuesday", "-"),
            ("schedule", "We meet on the first Monday of the month", "-"),
            ("project", "The thesis is due by 12 December", "-"),
            ("work", "I started at Bosch this week", "-"),
            ("event", "My birthday is on 3 March", "-"),
            ("people", "My sister was born on 3 March 1990", "-"),
        ] {
            assert_eq!(ends(category, content, "UTC"), expected, "{content}");
        }
        assert_eq!(ends("schedule", "dentist on Friday the 20th", "Asia/Tokyo"), "2026-11-20T15:00");
    }

    #[test]
    fn what_surely_happens_once_ends_whatever_it_is_about() {
        for (category, content, expected) in [
            ("work", "übermorgen hab ich Friseur", "2026-11-18T00:00"),
            ("health", "me operan de la rodilla el 14 de enero", "2027-01-15T00:00"),
            ("work", "I start at Bosch on Monday 23 November", "-"),
            ("home", "Am 3. Dezember ziehen wir nach Kiel", "-"),
            ("people", "El cumpleaños de Noa es el 3 de marzo", "-"),
            ("project", "we ship the release on 3 December", "-"),
        ] {
            assert_eq!(ends_if(Some(0.9), category, content, "UTC"), expected, "{content}");
            assert_eq!(ends_if(Some(0.3), category, content, "UTC"), "-", "{content}");
        }
    }

    #[test]
    fn a_day_of_every_week_ends_only_where_it_is_meant_once() {
        for content in [
            "Op dinsdagavond zing ik in een koor",
            "Il lunedì faccio acquerello",
            "los viernes ensayo con la banda",
            "Thursday evening is band practice",
            "I work Tuesday to Friday",
            "Band practice is Thursday evening since September",
        ] {
            assert_eq!(ends_if(Some(0.1), "schedule", content, "UTC"), "-", "{content}");
        }
        assert_eq!(ends_if(Some(0.9), "schedule", "the plumber comes Thursday", "UTC"), "2026-11-20T00:00");
        // What names its week or its date is meant once, whatever the judge hears.
        for content in ["choir is next Thursday", "choir on Thursday 19 November"] {
            assert_ne!(ends_if(Some(0.1), "schedule", content, "UTC"), "-", "{content}");
        }
    }
}
