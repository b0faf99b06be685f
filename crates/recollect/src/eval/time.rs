//! Dates, measured: phrases that others have labelled, and what the reader of time expressions makes of them.
//!
//! Two formats are read. A line of JSON is a case of Recognizers-Text (`lang`, `input`, `ctx.ReferenceDateTime`, `spans`, `resolution`); a line
//! of three columns is a case of Duckling (language, phrase, value), all said on Tuesday, 12 February 2013.
//!
//! What is compared are days, because memories are dated by days: of a date and time the day counts, of a stretch of time its first and its
//! last day. Cases without a day (times of day, durations, repetitions, time zones), without a value, or without the day they were said on are
//! left out and counted, and so are those that the file itself labels in two ways. Where a phrase names several days (the last and the coming Friday) the coming one counts; a reader that answers with
//! the past one is right too where the text is told in the past. A case is right when each of its days was found where it stands.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use anyhow::{Context, bail};
use jiff::civil::Date;
use memory::text::time::{self, TimeLean, TimeMention};
use serde::Serialize;
use serde_json::Value;

/// The day on which everything in Duckling's corpora was said.
const DUCKLING_REFERENCE: (i16, i8, i8) = (2013, 2, 12);

/// One labelled text.
#[derive(Debug, Clone)]
pub struct DatedPhrase {
    pub language: String,
    pub kind: String,
    pub text: String,
    pub reference: Date,
    expected: Vec<ExpectedDays>,
}

/// What one phrase of a text is worth: any of these, the last one being the future one.
#[derive(Debug, Clone)]
struct ExpectedDays {
    place: Option<std::ops::Range<usize>>,
    values: Vec<DayValue>,
}

/// Days as others write them. A stretch may be open on one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DayValue {
    Day(Date),
    Stretch(Option<Date>, Option<Date>),
    /// A unit of the calendar by its first day.
    From(Date),
}

/// Labelled texts, and why others were left out.
#[derive(Debug, Default)]
pub struct DatedPhrases {
    pub phrases: Vec<DatedPhrase>,
    pub left_out: BTreeMap<&'static str, usize>,
}

#[derive(Debug, Clone, Serialize)]
pub struct TimeReport {
    pub all: TimeShare,
    pub by_language: BTreeMap<String, TimeShare>,
    pub by_kind: BTreeMap<String, TimeShare>,
    pub left_out: BTreeMap<&'static str, usize>,
    pub misses: Vec<TimeMiss>,
}

#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct TimeShare {
    pub phrases: usize,
    pub right: usize,
}

impl TimeShare {
    /// From 0 to 100.
    pub fn percent(self) -> f64 {
        if self.phrases == 0 { 0.0 } else { self.right as f64 * 100.0 / self.phrases as f64 }
    }

    fn add(&mut self, right: bool) {
        self.phrases += 1;
        self.right += usize::from(right);
    }
}

/// A text that was not read as its label says.
#[derive(Debug, Clone, Serialize)]
pub struct TimeMiss {
    pub language: String,
    pub kind: String,
    pub said: String,
    pub text: String,
    pub expected: String,
    pub found: String,
}

/// Which part of a file is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimePart {
    All,
    /// Every fourth text, by a hash of it: what a reader is not tuned on.
    HeldOut,
    Rest,
}

impl TimePart {
    fn has(self, text: &str) -> bool {
        // FNV-1a: the same on every machine and in every version.
        let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        match self {
            Self::All => true,
            Self::HeldOut => hash >> 62 == 0,
            Self::Rest => hash >> 62 != 0,
        }
    }
}

/// Reads a file of either format.
pub fn read(path: &Path) -> anyhow::Result<DatedPhrases> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    if bytes.starts_with(&[0x1f, 0x8b]) {
        bail!("{} is compressed; unpack it first (gunzip --keep {})", path.display(), path.display());
    }
    let text = String::from_utf8(bytes).with_context(|| format!("{} is not UTF-8", path.display()))?;
    let mut read = DatedPhrases::default();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let case = if line.starts_with('{') { recognizers(line) } else { duckling(line) };
        let case = case.with_context(|| format!("{} line {} is no phrase", path.display(), number + 1))?;
        match case {
            Ok(phrase) => read.phrases.push(phrase),
            Err(why) => *read.left_out.entry(why).or_default() += 1,
        }
    }
    read.leave_out_contradictions();
    if read.phrases.is_empty() {
        bail!("{} holds no phrase with a day", path.display());
    }
    Ok(read)
}

impl DatedPhrases {
    /// A text that is labelled with different days in different places (`3-7-2017` as March and as July) cannot be read right.
    fn leave_out_contradictions(&mut self) {
        let label = |phrase: &DatedPhrase| -> Vec<DayValue> {
            phrase.expected.iter().filter_map(|wanted| wanted.values.last().copied()).collect()
        };
        let mut labels: HashMap<(String, String, Date), Vec<DayValue>> = HashMap::new();
        let mut contradicted: HashSet<(String, String, Date)> = HashSet::new();
        let key = |phrase: &DatedPhrase| (phrase.language.clone(), phrase.text.clone(), phrase.reference);
        for phrase in &self.phrases {
            let known = labels.entry(key(phrase)).or_insert_with(|| label(phrase));
            if *known != label(phrase) {
                contradicted.insert(key(phrase));
            }
        }
        let before = self.phrases.len();
        self.phrases.retain(|phrase| !contradicted.contains(&key(phrase)));
        let gone = before - self.phrases.len();
        if gone > 0 {
            *self.left_out.entry("labelled in two ways").or_default() += gone;
        }
    }
}

/// Puts each text before the reader.
pub fn measure(read: &DatedPhrases, part: TimePart, misses: usize, language: Option<&str>) -> TimeReport {
    let mut report = TimeReport {
        all: TimeShare::default(),
        by_language: BTreeMap::new(),
        by_kind: BTreeMap::new(),
        left_out: read.left_out.clone(),
        misses: Vec::new(),
    };
    let wanted = |phrase: &&DatedPhrase| {
        part.has(&phrase.text) && language.is_none_or(|language| phrase.language == language)
    };
    let mut missed: Vec<&DatedPhrase> = Vec::new();
    for phrase in read.phrases.iter().filter(wanted) {
        let right = is_right(phrase);
        report.all.add(right);
        report.by_language.entry(phrase.language.clone()).or_default().add(right);
        report.by_kind.entry(phrase.kind.clone()).or_default().add(right);
        if !right {
            missed.push(phrase);
        }
    }
    // Spread over the file, so that a few show many sorts.
    let step = (missed.len() / misses.max(1)).max(1);
    report.misses = missed.into_iter().step_by(step).take(misses).map(miss).collect();
    report
}

fn is_right(phrase: &DatedPhrase) -> bool {
    let is_past = time::speaks_of_past(&phrase.text);
    let found = found(phrase);
    phrase.expected.iter().all(|wanted| {
        let allowed = if is_past { &wanted.values[..] } else { &wanted.values[wanted.values.len() - 1..] };
        found.iter().any(|mention| {
            let there = wanted
                .place
                .as_ref()
                .is_none_or(|place| mention.phrase.start < place.end && place.start < mention.phrase.end);
            there && allowed.iter().any(|value| value.is(mention))
        })
    })
}

impl DayValue {
    /// Whether a mention says the same. The end of "from the 4th to the 22nd" is written by some as the 22nd, by others as the day after, and
    /// of "from March to May" as the first of May: each is accepted.
    fn is(self, mention: &TimeMention) -> bool {
        let last = |end: Date| mention.last_from <= end && end <= mention.end;
        match self {
            Self::Day(day) => {
                mention.start == day && mention.start.tomorrow().is_ok_and(|next| next == mention.end)
            }
            Self::From(day) => mention.start == day,
            Self::Stretch(Some(start), Some(end)) if start == end => {
                mention.start == start && mention.end <= end.tomorrow().unwrap_or(end)
            }
            Self::Stretch(Some(start), Some(end)) => mention.start == start && last(end),
            Self::Stretch(Some(start), None) => {
                mention.start == start || mention.start.yesterday().is_ok_and(|before| before == start)
            }
            Self::Stretch(None, Some(end)) => last(end),
            Self::Stretch(None, None) => false,
        }
    }
}

/// What the reader makes of a text, leaning as the text does.
fn found(phrase: &DatedPhrase) -> Vec<TimeMention> {
    let lean = if time::speaks_of_past(&phrase.text) { TimeLean::Past } else { TimeLean::Future };
    time::mentions(&phrase.text, phrase.reference, lean)
}

fn miss(phrase: &DatedPhrase) -> TimeMiss {
    let found = found(phrase);
    let shown = |mention: &TimeMention| {
        format!("{} = {}..{}", &phrase.text[mention.phrase.clone()], mention.start, mention.end)
    };
    let value = |value: &DayValue| match value {
        DayValue::Day(day) => day.to_string(),
        DayValue::From(day) => format!("{day}.."),
        DayValue::Stretch(start, end) => {
            let side = |day: &Option<Date>| day.map_or(String::new(), |day| day.to_string());
            format!("{}..{}", side(start), side(end))
        }
    };
    let wanted = |wanted: &ExpectedDays| wanted.values.iter().map(value).collect::<Vec<_>>().join(" or ");
    TimeMiss {
        language: phrase.language.clone(),
        kind: phrase.kind.clone(),
        said: phrase.reference.to_string(),
        text: phrase.text.clone(),
        expected: phrase.expected.iter().map(wanted).collect::<Vec<_>>().join("; "),
        found: found.iter().map(shown).collect::<Vec<_>>().join("; "),
    }
}

// ---- Recognizers-Text ----

/// A case, or why it is left out.
type DatedCase = Result<DatedPhrase, &'static str>;

fn recognizers(line: &str) -> anyhow::Result<DatedCase> {
    let case: Value = serde_json::from_str(line)?;
    let text = |name: &str| case[name].as_str().with_context(|| format!("no `{name}`"));
    let (language, input) = (text("lang")?, text("input")?);
    let spans = case["spans"].as_array().context("no `spans`")?;
    let values = case["resolution"].as_array().context("no `resolution`")?;
    let mut kind = None;
    let mut expected = Vec::new();
    for (span, value) in spans.iter().zip(values) {
        let name = span["Type"].as_str().or(span["TypeName"].as_str()).unwrap_or_default();
        let name = name.rsplit('.').next().unwrap_or_default();
        if !["date", "daterange", "datetime", "datetimerange", "datetimealt"].contains(&name) {
            continue;
        }
        let values = resolved(value);
        if values.is_empty() {
            continue;
        }
        kind.get_or_insert(name);
        expected.push(ExpectedDays { place: place(input, span), values });
    }
    let Some(kind) = kind else { return Ok(Err("no day in it, or no value")) };
    let reference = case["ctx"]["ReferenceDateTime"].as_str().and_then(day_of);
    let Some(reference) = reference else { return Ok(Err("the day of saying is not told")) };
    Ok(Ok(DatedPhrase {
        language: language.to_owned(),
        kind: kind.to_owned(),
        text: input.to_owned(),
        reference,
        expected,
    }))
}

/// Where a span stands: where its words are, or, where they are written otherwise, where it is said to be. Positions are counted in UTF-16, and
/// those of translated files are often those of the original.
fn place(input: &str, span: &Value) -> Option<std::ops::Range<usize>> {
    let words = span["Text"].as_str().unwrap_or_default().trim();
    if let Some(at) = input.find(words).filter(|_| !words.is_empty()) {
        return Some(at..at + words.len());
    }
    if !input.is_ascii() {
        return None;
    }
    let start = span["Start"].as_u64()?;
    let end = match (span["Length"].as_u64(), span["End"].as_u64()) {
        (Some(length), _) => start + length,
        (None, Some(last)) => last + 1,
        (None, None) => return None,
    };
    let byte = |wanted: u64| {
        let mut units = 0;
        for (at, character) in input.char_indices() {
            if units >= wanted {
                return at;
            }
            units += character.len_utf16() as u64;
        }
        input.len()
    };
    let place = byte(start)..byte(end);
    (place.start < place.end).then_some(place)
}

/// The values of a resolution, the future one last.
fn resolved(value: &Value) -> Vec<DayValue> {
    if let Some(values) = value["values"].as_array() {
        return values.iter().filter_map(|value| days(value, "value", "start", "end")).collect();
    }
    let of = |name: &str| {
        let value = &value[name];
        days(value, "date", "startDate", "endDate")
            .or_else(|| days(value, "dateTime", "startDateTime", "endDateTime"))
    };
    of("PastResolution").into_iter().chain(of("FutureResolution")).collect()
}

fn days(value: &Value, point: &str, start: &str, end: &str) -> Option<DayValue> {
    if let Some(day) = value[point].as_str() {
        return day_of(day).map(DayValue::Day);
    }
    let moment = |name: &str| value[name].as_str();
    let (from, to) = (moment(start), moment(end));
    let (from_day, to_day) = (from.and_then(day_of), to.and_then(day_of));
    // A stretch of hours, even over midnight, is named by its first day.
    let is_of_hours = from.is_some_and(|text| text.len() > 10);
    match (from_day, to_day) {
        (None, None) => None,
        (Some(from_day), Some(to_day)) if is_of_hours && is_one_day(from_day, to_day, from, to) => {
            Some(DayValue::Day(from_day))
        }
        (Some(from_day), None) if is_of_hours => Some(DayValue::From(from_day)),
        _ => Some(DayValue::Stretch(from_day, to_day)),
    }
}

/// Whether a stretch of hours is shorter than a day.
fn is_one_day(from_day: Date, to_day: Date, from: Option<&str>, to: Option<&str>) -> bool {
    let clock = |text: Option<&str>| text.and_then(|text| text.get(11..)).unwrap_or_default().to_owned();
    let is_next = from_day.tomorrow().is_ok_and(|next| next == to_day);
    to_day <= from_day || is_next && clock(to) < clock(from)
}

/// The first year of all stands for "no such day".
fn day_of(text: &str) -> Option<Date> {
    text.get(..10)?.parse().ok().filter(|day: &Date| day.year() > 1)
}

// ---- Duckling ----

fn duckling(line: &str) -> anyhow::Result<DatedCase> {
    let mut columns = line.split('\t');
    let (Some(language), Some(text), Some(value)) = (columns.next(), columns.next(), columns.next()) else {
        bail!("expected language, phrase and value, separated by tabs");
    };
    let kind = value.split_whitespace().next().unwrap_or_default().to_owned();
    let Some(value) = duckling_value(value) else { return Ok(Err("no day in it, or no value")) };
    let (year, month, day) = DUCKLING_REFERENCE;
    let reference = Date::new(year, month, day)?;
    Ok(Ok(DatedPhrase {
        language: language.to_owned(),
        kind,
        text: text.to_owned(),
        reference,
        expected: vec![ExpectedDays { place: None, values: vec![value] }],
    }))
}

/// `datetime (2013, 2, 12, 4, 30, 0) Second`, `datetimeInterval ((…), (…)) Day`, `datetimeOpenInterval After (…) Hour`
fn duckling_value(value: &str) -> Option<DayValue> {
    let mut moments = value.split('(').filter_map(|part| moment(part.split(')').next()?));
    let first = moments.next()?;
    let grain = value.rsplit(')').next()?.split_whitespace().next()?;
    let is_of_hours = ["Hour", "Minute", "Second"].contains(&grain);
    if value.starts_with("datetimeOpenInterval") {
        let is_after = value.contains(" After ");
        return Some(match (is_of_hours, is_after) {
            (true, _) => DayValue::From(first),
            (false, true) => DayValue::Stretch(Some(first), None),
            (false, false) => DayValue::Stretch(None, Some(first)),
        });
    }
    if value.starts_with("datetimeInterval") {
        let second = moments.next()?;
        let next = first.tomorrow().ok()?;
        return Some(if is_of_hours && second <= next || second == next {
            DayValue::Day(first)
        } else {
            DayValue::Stretch(Some(first), Some(second))
        });
    }
    // A time of day alone has no day: that it is today was not said.
    let (year, month, day) = DUCKLING_REFERENCE;
    if is_of_hours && Date::new(year, month, day).is_ok_and(|today| today == first) {
        return None;
    }
    Some(if is_of_hours || grain == "Day" { DayValue::Day(first) } else { DayValue::From(first) })
}

fn moment(text: &str) -> Option<Date> {
    let numbers: Vec<i16> = text.split(',').filter_map(|number| number.trim().parse().ok()).collect();
    let [year, month, day, ..] = numbers[..] else { return None };
    let part = |number: i16| i8::try_from(number.max(1)).ok();
    Date::new(year, part(month)?, part(day)?).ok()
}
