//! What a statement's time expressions mean for its validity, and how they are written so that they still read later.

use std::ops::Range;
use std::sync::LazyLock;

use jiff::civil::{Date, Weekday};

use super::clauses::Sentence;
use crate::language::Dates;
use crate::text::TimeSpan;
use crate::text::time::{TimeLean, mentions};
use crate::text::wording::Wordings;
use crate::types::Time;

/// From when and until when a statement holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Valid {
    pub from: Option<Time>,
    pub until: Option<Time>,
}

/// Words that make an expression depend on the day it was said.
const RELATIVE: &str = "yesterday today tonight tomorrow last next this ago week weekend monday tuesday wednesday thursday friday saturday
    sunday month year before mon tue wed thu fri in days weeks months past coming recent evening morning";

/// Reads the validity out of the times that belong to the match. `said` is when the turn was said.
pub(super) fn valid(sentence: &Sentence, tokens: Range<usize>, dates: Dates, said: Time) -> Valid {
    if dates == Dates::Ended {
        return Valid { from: None, until: Some(said) };
    }
    let day = |date: Date| sentence.day(date);
    let mut valid = Valid::default();
    let mut exact: Option<i32> = None;
    for time in sentence.times_of(tokens) {
        let phrase = sentence.text[time.phrase.clone()].to_lowercase();
        let begins = |word: &str| phrase.starts_with(word);
        if begins("since") {
            valid.from = Some(day(time.start));
        } else if begins("until") || begins("till") || begins("by") && dates == Dates::Due {
            valid.until = Some(day(time.end));
        } else if begins("by") {
            // "finished by May" says when at the latest, not how long.
        } else if begins("from") || begins("between") {
            valid = Valid { from: Some(day(time.start)), until: Some(day(time.end)) };
        } else if dates == Dates::Begin {
            // Of several the most exact one: "recently … on May 3".
            let length = (time.end - time.start).get_days();
            if exact.is_none_or(|known| length < known) {
                exact = Some(length);
                valid.from = Some(day(time.start));
            }
        } else if dates == Dates::Due && valid.until.is_none() {
            valid.until = Some(day(ahead(time, &phrase, sentence.today).end)).filter(|until| *until > said);
        }
    }
    // A span that ends before it begins says that one of the readings is wrong.
    if valid.from.zip(valid.until).is_some_and(|(from, until)| from >= until) {
        Valid::default()
    } else {
        valid
    }
}

/// The time as a plan means it: to the day, and what comes every week, month or year is the coming one.
pub(super) fn ahead(time: &TimeSpan, phrase: &str, today: Date) -> TimeSpan {
    let lower = phrase.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    if says(&["last", "ago", "yesterday", "past", "recent", "since", "other day"]) {
        return time.clone();
    }
    let mentions = mentions(phrase, today, TimeLean::Future);
    let whole = mentions.first().filter(|mention| mention.phrase == (0..phrase.len()));
    whole.map_or_else(
        || time.clone(),
        |mention| TimeSpan { start: mention.start, end: mention.end, phrase: time.phrase.clone() },
    )
}

/// The expression as a date, where it depends on the day it was said. `before` is the text that it will follow.
pub(super) fn absolute(phrase: &str, time: &TimeSpan, before: &str) -> Option<String> {
    let lower = phrase.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).collect();
    let has_year = words.iter().any(|word| word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit()));
    if has_year || !words.iter().any(|word| RELATIVE.split_whitespace().any(|one| one == *word)) {
        return None;
    }
    let last_day = time.end.yesterday().ok()?;
    if words[0] == "by" || words[0] == "until" || words[0] == "till" {
        return Some(format!("{} {last_day}", words[0]));
    }
    if words[0] == "since" {
        return Some(format!("since {}", time.start));
    }
    let (preposition, date) = calendar_name(time)?;
    let led = ["on", "in", "at", "by", "since", "until", "for", "from", "around", "of", "to", "about"]
        .iter()
        .any(|word| before.trim_end().rsplit(' ').next() == Some(word));
    Some(if led { date } else { format!("{preposition} {date}") })
}

/// How a calendar span is called.
fn calendar_name(time: &TimeSpan) -> Option<(&'static str, String)> {
    let days = (time.end - time.start).get_days();
    let (start, end) = (time.start, time.end);
    if days == 1 {
        return Some(("on", start.to_string()));
    }
    if start.day() == 1 && end == start.last_of_month().tomorrow().ok()? {
        return Some(("in", start.strftime("%B %Y").to_string()));
    }
    if start.day_of_year() == 1 && end == start.last_of_year().tomorrow().ok()? {
        return Some(("in", start.year().to_string()));
    }
    match (days, start.weekday()) {
        (2, Weekday::Saturday) => Some(("on", format!("the weekend of {start}"))),
        (7, Weekday::Monday) => Some(("in", format!("the week of {start}"))),
        (2..=10, _) => Some(("around", start.to_string())),
        _ => None,
    }
}

/// What tells of the past, in every language: a day in it is the last one of its name, elsewhere the next.
const PAST: &[&str] = &[
    "was | were | had | did | went | came | met | began | bought | sold | left | lost | moved | died | born | happened | opened | started | ended | married | finished | signed | paid | saw | took | gave | made | ago",
    "war | waren | hatte | hatten | wurde | wurden | ist gestorben | gestorben | geboren | fand statt | begann | ging | kam",
    "fue | fui | era | eran | estaba | tuve | nacio | naci | murio | empezo | abrio | llego | me mude | compre | habia",
    "etait | etaient | avait | ai ete | suis ne | suis nee | est ne | est nee | est mort | est morte | a eu lieu | a commence | ai commence",
    "foi | fui | era | estava | tinha | nasceu | nasci | morreu | comecou | abriu | chegou | comprei",
    "era | erano | aveva | e nato | e nata | sono nato | sono nata | e morto | e morta | ha aperto | e iniziato | ho comprato",
    "was | waren | had | hadden | werd | werden geboren | geboren | overleed | overleden | begon | ging | kwam",
    "byl | byla | bylo | byli | mial | miala | urodzil* | zmarl* | zaczal | zaczela | kupil* | otwarto",
    "был | была | было | были | родился | родилась | умер | умерла | начал | начала | начался | открылся | купил | купила",
    "idi | oldu | dogdum | dogdu | basladi | acildi | aldim | gittim | geldi | tasindim",
    "كان | كانت | ولدت | ولد | توفي | توفيت | بدا | بدات | افتتح | اشتريت | انتقلت",
    "था | थी | थे | हुआ | हुई | गया | गई | पैदा | खरीदा | ख़रीदा | शुरू हुआ",
    "了 | 出生 | 去世 | 过世",
    "した | ました | だった | でした | 生まれ | 亡くな",
    "*었 | *았 | *였 | *했 | 태어 | 돌아가",
];

static TELLS_OF_THE_PAST: LazyLock<Wordings> = LazyLock::new(|| Wordings::of(PAST.iter().copied()));

/// What was booked, of which the day is a coming one however the booking is told: "I had to book the dentist for 3 March", "我订了5月3日的机票".
const BOOKED: &[&str] = &[
    "book the | book a | book my | booked | booking | bookings | reserved | reservation | scheduled for | rescheduled | tickets | flights",
    "gebucht | buchen | buchung | reserviert | tickets | karten fur | vereinbart",
    "reserve | reservado | reservar | reserva | entradas | boletos | billete | billetes | pasajes",
    "reserve | reserver | reservation | billet | billets | pris rendez vous | pris rdv",
    "marquei | marcamos | reservei | reserva | bilhete | bilhetes | passagem | passagens",
    "prenotato | prenotare | prenotazione | biglietto | biglietti | fissato",
    "geboekt | boeken | gereserveerd | kaartjes | tickets",
    "zarezerwowal* | zarezerwowac | rezerwacj* | umowil* | bilet*",
    "забронировал* | забронировать | бронь | записал* | билет*",
    "rezervasyon | randevu aldim | bilet*",
    "حجزت | حجزنا | حجز | تذاكر | تذكرة",
    "बुक | टिकट | आरक्षण",
    "订了 | 订好 | 订的 | 预约 | 约了 | 约好 | 预订 | 机票 | 车票 | 门票",
    "予約 | チケット | 切符",
    "예약 | 예매 | 티켓 | 끊었",
];

static TELLS_OF_BOOKING: LazyLock<Wordings> = LazyLock::new(|| Wordings::of(BOOKED.iter().copied()));

/// The explicit dates of a text for the episode: the day, and the words around it. A day without a year is a coming one, unless the sentence tells of the past
/// and of nothing that was booked.
pub(super) fn key_dates(sentence: &Sentence) -> Vec<String> {
    let past = TELLS_OF_THE_PAST.are_in(sentence.quote()) && !TELLS_OF_BOOKING.are_in(sentence.quote());
    let day = |time: &TimeSpan| match past {
        true => time.start,
        false => ahead(time, &sentence.text[time.phrase.clone()], sentence.today).start,
    };
    let named = |time: &&TimeSpan| {
        let phrase = &sentence.text[time.phrase.clone()];
        time.start.tomorrow().is_ok_and(|next| next == time.end)
            && phrase.bytes().any(|byte| byte.is_ascii_digit())
    };
    let line = |time: &TimeSpan| format!("{}: {}", day(time), around(sentence, time));
    sentence.times.iter().filter(named).map(line).collect()
}

/// A few words on both sides of the expression, cut at words.
fn around(sentence: &Sentence, time: &TimeSpan) -> String {
    const WORDS: usize = 7;
    let inside = |at: &usize| sentence.tokens[*at].range.end > time.phrase.start;
    let first = (0..sentence.tokens.len()).find(inside).unwrap_or(0);
    let is_end = |at: &usize| !sentence.tokens[*at].is_word && !sentence.tokens[*at].is(".");
    let start = (first.saturating_sub(WORDS)..first)
        .rfind(is_end)
        .map_or(first.saturating_sub(WORDS), |mark| mark + 1);
    // Not in the middle of a contraction.
    let joined = |at: usize| at > 0 && sentence.tokens[at - 1].range.end == sentence.tokens[at].range.start;
    let start = if joined(start) && sentence.tokens[start - 1].is_word { start - 1 } else { start };
    let mut end = first;
    while end < sentence.tokens.len()
        && (sentence.tokens[end].range.start < time.phrase.end || !is_end(&end) && end < first + WORDS)
    {
        end += 1;
    }
    let words = super::normalise::render(sentence, start..end, super::normalise::Voice::Verbatim, &[]);
    words.trim_end_matches('.').to_owned()
}
