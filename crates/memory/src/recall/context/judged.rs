//! The context as the judge weighs it: who the user is at the beginning of a conversation, and for each message what helps with it.
//!
//! ```text
//! what is known → judge (does it help with this message? does it belong in front of every conversation?) → portrait, recollections
//! ```
//!
//! Most messages that need memory do not ask for it, so nothing is asked of the message: everything that is known is weighed for it. What
//! was said and how conversations ended come along where the message asks for them, or where nothing that is known helps.

use std::collections::HashSet;
use std::sync::Arc;

use jiff::tz::TimeZone;
use tracing::Instrument;

use super::dating;
use super::gather::{SpokenSpan, own_session, says_something_new, turn_ids};
use super::portrait::{KnownFacts, PortraitMaker};
use super::said::{self, SpeechTeller, SpeechWanted};
use super::shelf::{self, ShelfSort};
use super::when::{TimeFit, WantedTime};
use super::{Aids, Context, ContextRequest, Disclosure, disclosure, viewed};
use crate::error::StoreResult;
use crate::limits;
use crate::ports::{KnownText, MemoryWorth, MessageNeeds, SUBJECTS, SpeechJudge};
use crate::recall::assemble::judged::{self, JudgedMaterial, WeighedLine};
use crate::recall::assemble::{self, Line, LineCandidate, lines};
use crate::recall::gate::{GateDecision, Section};
use crate::recall::search::Glance;
use crate::recall::{Hit, HitSource, Path, Recaller};
use crate::settings::{FirstTurnDigest, LineStyle};
use crate::text::{time, tokens};
use crate::trace;
use crate::types::{Corpus, Kind, Memory, MemoryId, Origin, SessionId, Time};

/// The chance that a message calls for what is known, from which on anything is said for it.
const CALLS: f32 = 0.5;

/// The same of a message that has a word for something that is known.
const CALLS_BY_WORD: f32 = 0.3;

/// The chance that what is said must have to help.
const FLOOR: f32 = 0.045;

/// The same as a share of what the best has: beside something that surely helps, what hardly does is left out.
const BESIDE_BEST: f32 = 0.1;

/// The chance to help that a memory has at least for which the message has a word of its own.
const NAMED: f32 = 0.3;

/// How much something must have to do with a message that is no memory.
const RELATES: f32 = 0.15;

/// The chance from which on what is known is answer enough: then nobody looks through what was said.
const ENOUGH: f32 = 0.15;

/// The chance from which on a subject counts as one that a message calls for.
const CALLED_FOR: f32 = 0.15;

/// The chance that a summary must have to help, before a message counts as going on from it.
const GOES_ON: f32 = 0.8;

/// The same where so little is known that the last conversation is most of it.
const GOES_ON_EARLY: f32 = 0.4;
const EARLY_MEMORIES: usize = 10;

/// The same of a standing instruction in the user's own words.
const INSTRUCTS: f32 = 0.5;

/// The same of a standing instruction that a pattern found.
const PATTERN_CORE: f32 = 0.2;

/// How surely what a pattern or a person wrote lasts, beside what the judge says of people's own words.
const LASTS: f32 = 0.9;

/// What is on a day that a message speaks of counts for at least this share of the chance that the message calls for what is scheduled; what is on
/// another day for this share of its own.
const DUE: f32 = 0.8;
const ANOTHER_DAY: f32 = 0.3;

/// The chance to help that what is over must have to be told, and the share of the best's.
const FORMER: f32 = 0.2;
const BESIDE_FORMER: f32 = 0.5;

/// Memories that a search adds to the newest ones.
const SEARCHED: usize = 24;

impl Recaller {
    pub(super) async fn judged(
        &self,
        request: &ContextRequest,
        aids: Aids<'_>,
        judge: &dyn SpeechJudge,
        head: u64,
    ) -> StoreResult<Context> {
        let asking = self.asking();
        let follows = asking.now().followed(request, judge).await?;
        let request = &ContextRequest { follows, ..request.clone() };
        let message = request.asked_text();
        asking.embed_ahead(&message).await;
        let span =
            tracing::info_span!(target: trace::TARGET, "retrieve", recollect.section = tracing::field::Empty);
        let now = asking.now().keeping(aids.cache);
        let KnownFacts { told: known, hidden } =
            KnownFacts::once(now.known(request).instrument(span.clone()).await?);
        let weighing = tracing::info_span!(target: trace::TARGET, "weigh");
        let needs = weighing.in_scope(|| judge.weigh(&message, &as_known(&known)));
        let when = WantedTime::of(request, &needs, &self.tools.analyser);
        let disclosure = now.disclosure(request).await?;
        let style = self.tools.settings.line_style;
        let (known, needs) = disclosure.permitted(known, needs);
        let found = recollections(request, &disclosure, &known, &needs, when.as_ref(), style);
        let portrait = match request.introduces() && self.tools.settings.portrait_tokens > 0 {
            true => {
                let maker = PortraitMaker { request, disclosure: &disclosure, judge, style, found: &found };
                disclosure::serve(maker.lines(&known, &needs, hidden), &found)
            }
            false => Vec::new(),
        };
        // That something is on a day is no answer by itself.
        let best = match found.is_empty() {
            true => 0.0,
            false => needs.memories.iter().map(|worth| worth.helps).fold(0.0, f32::max),
        };
        let names = self.known_names(&now.view, request, aids, head).await?;
        let deciding = tracing::info_span!(target: trace::TARGET, "gate");
        let asked =
            asking.decide_within(Some(&now), request, aids.learned, &names).instrument(deciding).await?;
        // Who speaks of a day ahead asks for no conversation of it.
        let asks_back = asks_back(&asked) && !when.as_ref().is_some_and(WantedTime::is_ahead);
        let found = match &when {
            Some(when) if asks_back => said_then(found, &known, when),
            _ => found,
        };
        let digest = match disclosure.tells_digest() {
            true => {
                let beside = DigestBeside::of(&found, &portrait, &known);
                now.digest(request, judge, &asked, beside).await?
            }
            false => None,
        };
        let mut material = JudgedMaterial {
            today: request.today(),
            overrides: disclosure.overrides(judge, &request.message, now.override_lines(request).await?),
            corrected: now.corrected(request, style).await?,
            portrait,
            rules: if disclosure.instructs() {
                instructions(&known, &needs, style, &request.zone)
            } else {
                Vec::new()
            },
            introduces: request.introduces(),
            about: Vec::new(),
            digest,
            found,
            former: Vec::new(),
            past: Vec::new(),
        };
        let mut path = None;
        if asked.section == Section::Identity && !disclosure.work_only {
            material.about = now.about_user(request).await?;
        }
        let days = when.as_ref().and_then(WantedTime::spoken);
        // Who asks what was said wants to know what holds of it.
        let asks_past = !asks_back && time::speaks_of_before(&request.message);
        if asks_past && !disclosure.work_only {
            material.former = now.former(request, judge).await?;
        }
        let goes_back = days.is_some() || asks_back || best < ENOUGH;
        if asked.fire && goes_back && !disclosure.work_only {
            let told = material.memory_ids();
            let wanted = PastWanted { told: &told, days, asks_back, past: asks_past || days.is_some() };
            (material.past, path) = now.past(request, judge, &asked, wanted).await?;
        }
        drop(now);
        let gate = decision(&needs, &material, &asked, asks_back);
        span.record("recollect.section", gate.section.as_str());
        let block = judged::assemble(&material, &self.tools.settings).without_harm();
        let text = block.text();
        Ok(Context { tokens: tokens::estimate(&text), block: text, lines: block.into_lines(), gate, path })
    }
}

/// What is known as the judge weighs it: how surely it lasts, and how many are newer.
pub(super) fn as_known(known: &[Arc<Memory>]) -> Vec<KnownText<'_>> {
    let told = |memory: &Memory| memory.valid_from.unwrap_or(memory.created_at);
    let mut times: Vec<Time> = known.iter().map(|memory| told(memory)).collect();
    times.sort_by(|a, b| b.cmp(a));
    let known = known.iter().map(|memory| KnownText {
        lasting: if memory.is_verbatim() { memory.confidence } else { LASTS },
        newer: times.partition_point(|time| *time > told(memory)),
        core: memory.heard_core(),
        ..KnownText::of(spoken(memory))
    });
    known.collect()
}

/// What the judge reads of a memory: what it says, and of what a pattern made of the user's words those words.
fn spoken(memory: &Memory) -> &str {
    match &memory.evidence {
        Some(said) if !memory.is_verbatim() && memory.origin == Origin::Heuristic && !said.is_empty() => said,
        _ => &memory.content,
    }
}

/// Standing instructions, the surest first: a person's own, and of what was heard in passing what the judge takes for one too.
fn instructions(known: &[Arc<Memory>], needs: &MessageNeeds, style: LineStyle, zone: &TimeZone) -> Vec<Line> {
    let known = known.iter().map(|memory| &**memory);
    let rules = known.zip(&needs.memories).filter(|(memory, _)| memory.kind == Kind::Rule);
    let is_sure = |memory: &Memory, worth: &MemoryWorth| {
        memory.pinned
            || memory.origin == Origin::Person
            || (worth.subject == "instruction" && worth.core >= INSTRUCTS)
            || (!memory.is_verbatim() && worth.core >= PATTERN_CORE)
    };
    let mut sure: Vec<(&Memory, &MemoryWorth)> =
        rules.filter(|(memory, worth)| is_sure(memory, worth)).collect();
    // The sort is stable: equals stay newest first.
    sure.sort_by(|a, b| a.0.is_verbatim().cmp(&b.0.is_verbatim()).then(b.1.core.total_cmp(&a.1.core)));
    let line = |(memory, worth): (&Memory, &MemoryWorth)| {
        Line::of_portrait(memory, style, zone).because("is a standing instruction", worth.core)
    };
    sure.into_iter().map(line).take(limits::RULES_SHOWN).collect()
}

/// What helps with the message, the likeliest first; nothing where nothing does. What is on the days that the message speaks of helps with it.
fn recollections(
    request: &ContextRequest,
    disclosure: &Disclosure,
    known: &[Arc<Memory>],
    needs: &MessageNeeds,
    when: Option<&WantedTime>,
    style: LineStyle,
) -> Vec<WeighedLine> {
    // A wish about answers that is not sure enough to stand in front of all of them may still help with one, where any are told.
    let told = |memory: &Memory| memory.kind != Kind::Rule || disclosure.instructs();
    let weighed =
        known.iter().map(|memory| &**memory).zip(&needs.memories).filter(|(memory, _)| told(memory));
    let fit = |memory: &Memory| when.map_or(TimeFit::Free, |when| when.fit(memory));
    // What is private is told for what a message means, and not for a word that it has.
    let named = |memory: &Memory, worth: &MemoryWorth| worth.named && !memory.sensitive;
    let helps = |memory: &Memory, worth: &MemoryWorth| match named(memory, worth) {
        true => worth.helps.max(NAMED),
        false => worth.helps,
    };
    let helping: Vec<(&Memory, &MemoryWorth, f32, TimeFit)> = weighed
        .map(|(memory, worth)| match fit(memory) {
            TimeFit::Due(calls) => {
                (memory, worth, helps(memory, worth).max(calls * DUE), TimeFit::Due(calls))
            }
            TimeFit::Elsewhere => (memory, worth, helps(memory, worth) * ANOTHER_DAY, TimeFit::Elsewhere),
            TimeFit::Free => (memory, worth, helps(memory, worth), TimeFit::Free),
        })
        .collect();
    let is_due = helping.iter().any(|(.., fit)| matches!(fit, TimeFit::Due(_)));
    let is_named =
        needs.calls >= CALLS_BY_WORD && helping.iter().any(|(memory, worth, ..)| named(memory, worth));
    if needs.calls < CALLS && !is_due && !is_named {
        return Vec::new();
    }
    let best = helping.iter().map(|(_, _, helps, _)| *helps).fold(0.0, f32::max);
    let floor = FLOOR.max(best * BESIDE_BEST);
    let line = |(memory, worth, helps, fit): (&Memory, &MemoryWorth, f32, TimeFit)| {
        let reason = match fit {
            TimeFit::Due(_) => "is on a day that the message speaks of",
            _ if named(memory, worth) => "has a word of the message",
            _ => "helps with the message",
        };
        let line = match memory.own_name().filter(|_| disclosure.tells_name_alone(worth.subject)) {
            Some(name) => Line::of_own_name(memory, name),
            None => Line::of_recollection(memory, worth.subject, style, &request.zone),
        };
        let line = line.because(reason, helps);
        WeighedLine { worth: helps, line }
    };
    // A message that calls for nothing but has a word for something is told that.
    let called = |memory: &Memory, worth: &MemoryWorth, fit: &TimeFit| {
        needs.calls >= CALLS || is_due || named(memory, worth) || matches!(fit, TimeFit::Due(_))
    };
    let helping = helping.into_iter().filter(|(_, _, helps, _)| *helps >= floor);
    let helping = helping.filter(|(memory, worth, _, fit)| called(memory, worth, fit));
    let mut lines: Vec<WeighedLine> = helping.map(line).collect();
    lines.sort_by(|a, b| b.worth.total_cmp(&a.worth));
    lines
}

/// What is told beside the digest of the last conversation.
struct DigestBeside {
    /// The conversations that told what is found.
    sessions: HashSet<SessionId>,
    /// What is found and who the user is, in its own words and those that it rests on.
    told: Vec<String>,
    /// How much is known.
    known: usize,
}

impl DigestBeside {
    fn of(found: &[WeighedLine], portrait: &[WeighedLine], known: &[Arc<Memory>]) -> Self {
        let ids = |lines: &[WeighedLine]| -> HashSet<MemoryId> {
            lines.iter().flat_map(|line| line.line.memory_ids.iter().cloned()).collect()
        };
        let (found, portrait) = (ids(found), ids(portrait));
        let sessions = known.iter().filter(|memory| found.contains(&memory.id));
        let sessions = sessions.filter_map(|memory| memory.session.clone()).collect();
        let told = known.iter().filter(|memory| found.contains(&memory.id) || portrait.contains(&memory.id));
        let words =
            told.flat_map(|memory| memory.evidence.iter().chain([&memory.content])).cloned().collect();
        Self { sessions, told: words, known: known.len() }
    }

    /// How surely a message must go on from a conversation for its digest to be told; what is told by its memories is not told twice.
    fn needed(&self, session: &SessionId) -> f32 {
        match self.known < EARLY_MEMORIES {
            true => GOES_ON_EARLY,
            false if self.sessions.contains(session) => f32::INFINITY,
            false => GOES_ON,
        }
    }
}

/// Without what was told on other days than those whose conversations a message asks for.
fn said_then(mut found: Vec<WeighedLine>, known: &[Arc<Memory>], when: &WantedTime) -> Vec<WeighedLine> {
    let excluded = |line: &Line| {
        known.iter().any(|memory| line.memory_ids.contains(&memory.id) && when.excludes(memory))
    };
    found.retain(|weighed| !excluded(&weighed.line));
    found
}

/// Whether a message asks for what was said or how a conversation ended.
fn asks_back(asked: &GateDecision) -> bool {
    matches!(asked.section, Section::Episode | Section::Transcript)
}

/// What was decided, in the words of the gate.
fn decision(
    needs: &MessageNeeds,
    material: &JudgedMaterial,
    asked: &GateDecision,
    asks_back: bool,
) -> GateDecision {
    let mut called: Vec<(f32, &str)> = needs.subjects.iter().copied().zip(SUBJECTS).collect();
    called.sort_by(|a, b| b.0.total_cmp(&a.0));
    let called: Vec<&str> = called
        .iter()
        .filter(|(chance, _)| *chance >= CALLED_FOR)
        .map(|(_, subject)| *subject)
        .take(3)
        .collect();
    let best = material.found.first().map_or(0.0, |line| line.worth);
    let past = !material.past.is_empty() || !material.former.is_empty();
    let mut because = Vec::new();
    if !called.is_empty() {
        because.push(format!("the message calls for {}", called.join(", ")));
    }
    because.push(match material.found.len() {
        0 => "nothing that is known helps with it".to_owned(),
        count => format!("{count} of what is known may help, the best with {:.0} %", best * 100.0),
    });
    if past {
        because.push(asked.reason.clone());
    }
    let fire = !material.found.is_empty() || past || !material.about.is_empty();
    let section = match fire {
        false => Section::None,
        true if !material.about.is_empty() => Section::Identity,
        true if past && asks_back => asked.section,
        true => Section::Pinned,
    };
    let score = if !past { f64::from(best) } else { asked.score.max(f64::from(best)) };
    GateDecision { fire, section, reason: because.join("; "), score }
}

impl Glance<'_> {
    /// What is known of the viewer's user: the newest of it, and of a long life what a search finds for the message.
    pub(super) async fn known(&self, request: &ContextRequest) -> StoreResult<Vec<Arc<Memory>>> {
        let shelf = self.shelf(request, ShelfSort::Holding).await?;
        let own = self.of_conversation(request, ShelfSort::Holding).await?;
        let mut known = shelf::merged(&shelf, own, limits::WEIGHED_MEMORIES);
        if known.len() >= limits::WEIGHED_MEMORIES {
            let have: HashSet<MemoryId> = known.iter().map(|memory| memory.id.clone()).collect();
            let (hits, _) = self.find(request, Corpus::Memories, viewed(request), SEARCHED).await?;
            for hit in hits {
                match hit.source {
                    HitSource::Memory(memory) if !have.contains(&memory.id) => known.push(Arc::from(memory)),
                    _ => {}
                }
            }
        }
        Ok(known)
    }

    /// How the last conversation ended, where a new one goes on from it or the settings want it in any case. Of what is told by its memories
    /// the digest is a second telling, unless it is asked for.
    async fn digest(
        &self,
        request: &ContextRequest,
        judge: &dyn SpeechJudge,
        asked: &GateDecision,
        beside: DigestBeside,
    ) -> StoreResult<Option<Line>> {
        let wanted = self.tools.settings.first_turn_digest;
        if !request.first_turn || wanted == FirstTurnDigest::Off {
            return Ok(None);
        }
        let Some(latest) = self.latest_episode(request).await? else { return Ok(None) };
        let line = Line::of_episode(&latest, assemble::line_tokens(&self.tools.settings), &request.zone);
        let relates = || judge.weigh(&request.message, &[KnownText::of(&line.text)]).memories[0].relates;
        let goes_on =
            || asked.section == Section::Episode || relates() >= beside.needed(&latest.session.session);
        match wanted == FirstTurnDigest::Always || goes_on() {
            true => self.episode_line_beside(request, &latest, &beside.told).await,
            false => Ok(None),
        }
    }

    /// What was said and how conversations ended, as far as a search finds it for the message: all of it where the message asks for it, else what
    /// helps.
    async fn past(
        &self,
        request: &ContextRequest,
        judge: &dyn SpeechJudge,
        asked: &GateDecision,
        PastWanted { told, days, asks_back, past }: PastWanted<'_>,
    ) -> StoreResult<(Vec<LineCandidate>, Option<Path>)> {
        let corpora = [Corpus::Episodes, Corpus::Turns];
        let (mut hits, path) = self.hits_for(request, asked, &corpora, days, limits::WEIGHED_SPEECH).await?;
        let own = own_session(request);
        hits.retain(|hit| match &hit.source {
            HitSource::Turn(turn) => says_something_new(turn, request, own.as_ref()),
            _ => true,
        });
        hits.sort_by(|a, b| b.score.total_cmp(&a.score));
        hits.truncate(limits::WEIGHED_SPEECH);
        let asks_back = days.is_some() || asks_back;
        let wanted = SpeechWanted { asks_back, past };
        // What is asked for is told whether it relates or not, as it was found.
        let mut relates: Vec<f32> = hits.iter().map(|hit| hit.score as f32).collect();
        if !wanted.asks_back {
            let weighed = relations(judge, &request.asked_text(), &hits);
            let related = hits.into_iter().zip(weighed).filter(|(_, relates)| *relates >= RELATES);
            (hits, relates) = related.unzip();
        }
        self.expand(&mut hits, limits::SPEECH_WINDOW).await?;
        let outdated = self.outdated(request, &turn_ids(&hits)).await?;
        let tokens = assemble::line_tokens(&self.tools.settings);
        let teller = SpeechTeller {
            outdated: &outdated,
            judge,
            analyser: &self.tools.analyser,
            told: outdated.rests_of(told),
            wanted,
            message_words: &lines::telling_words(&request.message),
            characters: lines::characters(tokens),
            zone: &request.zone,
        };
        let reason = if wanted.asks_back { "was said, which the message asks for" } else { "was said of it" };
        let mut lines: Vec<LineCandidate> = Vec::new();
        for (hit, relates) in hits.iter().zip(relates) {
            let told = match &hit.source {
                HitSource::Turn(turn) => teller.line_with_neighbours(turn, &hit.window, lines.len()),
                HitSource::Episode(episode) => {
                    let told = said::told_episode(episode, &outdated, &self.tools.analyser);
                    told.map(|told| Line::of_episode(&told, tokens, &request.zone)).into_iter().collect()
                }
                HitSource::Memory(_) => Vec::new(),
            };
            lines.extend(told.into_iter().map(|line| LineCandidate {
                corpus: hit.corpus(),
                score: hit.score,
                line: line.because(reason, relates),
            }));
            if lines.len() >= limits::SPEECH_LINES {
                break;
            }
        }
        Ok((lines, path))
    }

    /// What was true once and has to do with the message, the likeliest first.
    async fn former(
        &self,
        request: &ContextRequest,
        judge: &dyn SpeechJudge,
    ) -> StoreResult<Vec<WeighedLine>> {
        let past = self.outdated(request, &[]).await?.past();
        let needs = judge.weigh(&request.asked_text(), &as_known(&past));
        let best = needs.memories.iter().map(|worth| worth.helps).fold(0.0, f32::max);
        let floor = FORMER.max(best * BESIDE_FORMER);
        let weighed = past.iter().zip(&needs.memories).filter(|(_, worth)| worth.helps >= floor);
        let mut lines: Vec<WeighedLine> = weighed
            .map(|(memory, worth)| {
                let reason = "was so once, and the message asks for it";
                WeighedLine {
                    worth: worth.helps,
                    line: Line::of_past(memory, &request.zone).because(reason, worth.helps),
                }
            })
            .collect();
        lines.sort_by(|a, b| b.worth.total_cmp(&a.worth));
        Ok(lines)
    }
}

/// How much each of what was found has to do with a message.
fn relations(judge: &dyn SpeechJudge, message: &str, hits: &[Hit]) -> Vec<f32> {
    let texts: Vec<KnownText<'_>> = hits.iter().map(|hit| KnownText::of(hit.content())).collect();
    judge.weigh(message, &texts).memories.iter().map(|worth| worth.relates).collect()
}

/// What is looked for of the past.
#[derive(Clone, Copy)]
struct PastWanted<'a> {
    /// Memories that are told anyway.
    told: &'a HashSet<MemoryId>,
    /// The days that are meant.
    days: Option<SpokenSpan>,
    /// What was said is asked for.
    asks_back: bool,
    /// What is over is told as past.
    past: bool,
}

/// What is understood by the day on which it was said.
const DATED: [&str; 6] = ["schedule", "event", "project", "money", "work", "feeling"];

impl Line {
    /// A memory as it is told of somebody: a short plain sentence, or the user's own words. Days are told with their date.
    pub(super) fn of_portrait(memory: &Memory, style: LineStyle, zone: &TimeZone) -> Self {
        let text = match style {
            LineStyle::Plain if memory.is_verbatim() => quoted(memory, &memory.content, zone),
            _ => stated(memory, &lines::sentence(memory, style), zone),
        };
        Self { memory_ids: vec![memory.id.clone()], standing: true, ..Self::plain(&text) }
    }

    /// The same of a part of what it says.
    pub(super) fn of_part(memory: &Memory, part: &str, zone: &TimeZone) -> Self {
        let text = match memory.is_verbatim() {
            true => quoted(memory, part, zone),
            false => stated(memory, part, zone),
        };
        Self { memory_ids: vec![memory.id.clone()], standing: true, ..Self::plain(&text) }
    }

    pub(super) fn of_own_name(memory: &Memory, name: &str) -> Self {
        let text = format!("User's name is {name}");
        Self { memory_ids: vec![memory.id.clone()], standing: true, ..Self::plain(&text) }
    }

    /// A memory that helps with a message: the user's own words as such, with their day where time matters.
    pub(super) fn of_recollection(memory: &Memory, subject: &str, style: LineStyle, zone: &TimeZone) -> Self {
        let day = memory.valid_from.unwrap_or(memory.created_at).date_in(zone);
        let text = match memory.is_verbatim() {
            true => {
                let said = quoted(memory, &memory.content, zone);
                let dated = DATED.contains(&subject) && said.ends_with('"');
                if dated { format!("{said} ({day})") } else { said }
            }
            false => stated(memory, &lines::sentence(memory, style), zone),
        };
        Self { memory_ids: vec![memory.id.clone()], ..Self::plain(&text) }
    }
}

/// The user's own words: the heading says whose they are, and the quotation marks that they are nobody else's.
fn quoted(memory: &Memory, words: &str, zone: &TimeZone) -> String {
    let said = dating::dated(memory, words, zone);
    let said = said.trim_end_matches(['.', '。', '！']);
    let said = lines::clipped(said, limits::RECOLLECTION_CHARACTERS);
    match dating::day_of_saying(memory, words, zone) {
        Some(day) => format!("\"{said}\" ({day})"),
        None => format!("\"{said}\""),
    }
}

/// What is told of the user in plain words.
fn stated(memory: &Memory, words: &str, zone: &TimeZone) -> String {
    let said = dating::dated(memory, words, zone);
    let said = lines::clipped(&said, limits::RECOLLECTION_CHARACTERS);
    match dating::day_of_saying(memory, words, zone) {
        Some(day) => format!("{said} (said on {day})"),
        None => said,
    }
}
