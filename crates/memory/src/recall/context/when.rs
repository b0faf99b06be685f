//! The time that a message speaks of, and what is known to be then.
//!
//! "What do I have this week?" shares no word with a dentist's appointment. So the days of a message are laid beside the days of what
//! is known, those that come again and again too; a message that calls for what is scheduled and names no day means the days ahead.

use std::ops::Range;

use jiff::civil::{Date, Weekday};
use jiff::tz::TimeZone;
use jiff::{Span, ToSpan};

use super::ContextRequest;
use super::gather::SpokenSpan;
use super::said::is_question;
use crate::limits;
use crate::ports::{MessageNeeds, SUBJECTS};
use crate::text::Analyser;
use crate::text::time::{self, PeriodSide, TimeLean, TimeMention};
use crate::types::{Memory, Time};

/// The chance of calling for what is scheduled from which on a message's days choose among what is known; less is enough where nothing else is called
/// for more.
const SCHEDULED: f32 = 0.1;

/// The same of a message that names no day and hardly anything else.
const COMING_UP: f32 = 0.05;

/// Words that a message has at most beside its days to ask for nothing but what is on them, and what that counts for at least.
const BARE_WORDS: usize = 2;
const BARE: f32 = 0.5;

/// The same in letters of scripts whose words are not set apart.
const BARE_WIDE_LETTERS: usize = 10;

/// Days of a message or a memory that are compared one by one; what is longer has every day of the week.
const WEEK: i32 = 7;

/// Days of something that is known for it to be on them: "this year" is no appointment.
const LONGEST_DAYS: i32 = 31;

/// What a message's time is to something that is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum TimeFit {
    /// It is on one of the days, and the message calls for what is, with this chance.
    Due(f32),
    /// It is on other days.
    Elsewhere,
    /// It has no day, or none matters.
    Free,
}

/// The days that a message speaks of.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct WantedTime {
    spans: Vec<(Date, Date)>,
    /// They were said, and are not merely what is ahead.
    said: bool,
    /// They are behind us.
    past: bool,
    /// The chance that the message calls for what is scheduled.
    calls: f32,
    /// The message asks for nothing else.
    bare: bool,
    /// Where the user is.
    zone: TimeZone,
}

impl WantedTime {
    pub fn of(request: &ContextRequest, needs: &MessageNeeds, analyser: &Analyser) -> Option<Self> {
        let today = request.today();
        let (mut message, mut mentions) = (request.message.as_str(), days_of(&request.message, today));
        if let Some(before) = request.follows.as_deref().filter(|_| mentions.is_empty()) {
            (message, mentions) = (before, days_of(before, today));
        }
        let chance = chance_of(needs, "schedule").max(chance_of(needs, "event"));
        let foremost = needs.subjects.iter().all(|other| *other <= chance);
        let bare = is_question(message.trim()) && is_bare(message, &mentions, analyser);
        if mentions.is_empty() {
            let days = Span::new().days(limits::DUE_SOON_SECONDS / 86_400);
            let ahead = (today, today.checked_add(days).unwrap_or(Date::MAX));
            let asks = bare && foremost && chance >= COMING_UP;
            let calls = chance.max(BARE);
            let zone = request.zone.clone();
            return asks.then(|| Self { spans: vec![ahead], said: false, past: false, calls, bare, zone });
        }
        let spans: Vec<(Date, Date)> = mentions.into_iter().map(|(days, _)| days).collect();
        let past = spans.iter().all(|(_, end)| *end <= today);
        let calls = match (bare, foremost || chance >= SCHEDULED) {
            (true, _) => chance.max(BARE),
            (false, true) => chance,
            (false, false) => 0.0,
        };
        Some(Self { spans, said: true, past, calls, bare, zone: request.zone.clone() })
    }

    /// Whether what a memory tells is on one of the days.
    pub fn fit(&self, memory: &Memory) -> TimeFit {
        let days = KnownDays::of(memory, &self.zone);
        if days.is_empty() {
            return TimeFit::Free;
        }
        match self.spans.iter().any(|span| days.touch(*span)) {
            _ if self.calls <= 0.0 => TimeFit::Free,
            true => TimeFit::Due(self.calls),
            false if self.said && self.bare && !days.recurs => TimeFit::Elsewhere,
            false => TimeFit::Free,
        }
    }

    /// Whether something that was said on a day is of other days than those behind us that the message speaks of.
    pub fn excludes(&self, memory: &Memory) -> bool {
        let said = memory.valid_from.unwrap_or(memory.created_at).date_in(&self.zone);
        let then = self.spans.iter().any(|(start, end)| *start <= said && said < *end);
        self.said && self.past && !then && !matches!(self.fit(memory), TimeFit::Due(_))
    }

    /// Whether the days are ahead of us.
    pub fn is_ahead(&self) -> bool {
        self.said && !self.past
    }

    /// From the first of the days to the day after the last, where they are behind us: what was said then is meant and nothing else.
    pub fn spoken(&self) -> Option<SpokenSpan> {
        let start = self.spans.iter().map(|(start, _)| *start).min()?;
        let end = self.spans.iter().map(|(_, end)| *end).max()?;
        let (start, end) = (Time::from_date_in(start, &self.zone), Time::from_date_in(end, &self.zone));
        (self.said && self.past).then_some(SpokenSpan { start, end, only: true })
    }
}

/// The days that a message names, ahead of us, or behind where it tells or asks what has been, and where it names them.
fn days_of(message: &str, today: Date) -> Vec<((Date, Date), Range<usize>)> {
    let past = time::speaks_of_past(message);
    let lean = if past { TimeLean::Past } else { TimeLean::Future };
    let mentions = time::mentions(message, today, lean).into_iter();
    let days = mentions.map(|mention| {
        let start = match mention.side {
            PeriodSide::Before | PeriodSide::Until if !past && mention.end > today => {
                mention.start.max(today)
            }
            _ => mention.start,
        };
        // On the last day of a week "this week" is the coming one too.
        let last_day = mention.end == today.tomorrow().unwrap_or(Date::MAX);
        let whole_week = (mention.end - mention.start).get_days() == WEEK;
        let end = match !past && last_day && whole_week {
            true => mention.end.checked_add(WEEK.days()).unwrap_or(Date::MAX),
            false => mention.end,
        };
        ((start, end), mention.phrase)
    });
    days.collect()
}

/// Whether a message says hardly anything beside its days.
fn is_bare(message: &str, mentions: &[((Date, Date), Range<usize>)], analyser: &Analyser) -> bool {
    let mut rest = String::new();
    let mut at = 0;
    for (_, phrase) in mentions {
        rest.push_str(message.get(at..phrase.start).unwrap_or_default());
        rest.push(' ');
        at = phrase.end;
    }
    rest.push_str(message.get(at..).unwrap_or_default());
    let wide = rest.chars().filter(|letter| *letter >= '\u{2E80}' && letter.is_alphabetic()).count();
    match wide {
        0 => analyser.ranked_terms(&rest).len().min(time::telling_words(&rest)) <= BARE_WORDS,
        letters => letters <= BARE_WIDE_LETTERS,
    }
}

fn chance_of(needs: &MessageNeeds, subject: &str) -> f32 {
    SUBJECTS.iter().position(|one| *one == subject).map_or(0.0, |place| needs.subjects[place])
}

/// The days of something that is known.
struct KnownDays {
    spans: Vec<(Date, Date)>,
    weekdays: Vec<Weekday>,
    recurs: bool,
}

/// Whether a day of the week in it comes again: it was heard, and no end was heard with it.
fn is_habit(memory: &Memory) -> bool {
    memory.is_verbatim() && memory.valid_until.is_none()
}

impl KnownDays {
    fn of(memory: &Memory, zone: &TimeZone) -> Self {
        let said = memory.valid_from.unwrap_or(memory.created_at).date_in(zone);
        let weekly = time::recurring_weekdays(&memory.content);
        let (habits, mentions): (Vec<TimeMention>, Vec<TimeMention>) =
            time::mentions(&memory.content, said, TimeLean::Future)
                .into_iter()
                .partition(|mention| is_habit(memory) && mention.is_of_any_week);
        let days_of = |mention: &TimeMention| {
            let (start, end) = (mention.start, mention.end);
            (0..WEEK)
                .filter_map(move |day| start.checked_add(day.days()).ok())
                .take_while(move |day| *day < end)
        };
        let habits: Vec<Weekday> = habits.iter().flat_map(days_of).map(|day| day.weekday()).collect();
        let weekly = weekly.or((!habits.is_empty()).then_some(habits));
        let mentions = mentions.into_iter();
        let spans = mentions
            .filter(|mention| mention.side != PeriodSide::Since && mention.side != PeriodSide::After)
            .map(|mention| match mention.side {
                // What is due by a day is due on it.
                PeriodSide::Until | PeriodSide::Before => (mention.last_from, mention.end),
                _ => (mention.start, mention.end),
            });
        let spans = spans.filter(|(from, to)| (*to - *from).get_days() <= LONGEST_DAYS);
        let recurs = weekly.is_some();
        Self { spans: spans.collect(), weekdays: weekly.unwrap_or_default(), recurs }
    }

    fn is_empty(&self) -> bool {
        self.spans.is_empty() && self.weekdays.is_empty()
    }

    fn touch(&self, (start, end): (Date, Date)) -> bool {
        let overlaps = |(from, to): &(Date, Date)| *from < end && start < *to;
        let long = (end - start).get_days() >= WEEK;
        let on_weekday = || {
            let days = (0..WEEK).filter_map(|day| start.checked_add(day.days()).ok());
            days.take_while(|day| *day < end).any(|day| self.weekdays.contains(&day.weekday()))
        };
        self.spans.iter().any(overlaps) || !self.weekdays.is_empty() && (long || on_weekday())
    }
}
