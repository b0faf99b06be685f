//! What of earlier conversations may be told.
//!
//! Turns stay as they were said, and digests repeat them; what holds is in memories. So a sentence is told only where nothing that was
//! learned from it, or of the same, is over: by provenance (the memories that a turn taught), then by words. Nor is told what is no
//! statement: the user's own questions, requests to forget, acknowledgements of an assistant; nor ever a statement of self-harm, whoever made or
//! repeats it. Where a message asks for the past, what was true once is told as past.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use jiff::tz::TimeZone;

use super::ContextRequest;
use super::shelf::ShelfSort;
use crate::error::StoreResult;
use crate::limits;
use crate::outdated::{OutdatedStatement, SaidSentence, words};
use crate::ports::{ReadStore, SentenceReading, SpeechJudge, SpeechSort};
use crate::recall::assemble::{Line, lines};
use crate::recall::search::Glance;
use crate::text::similarity::jaccard;
use crate::text::{Analyser, fold, goes_on_behind_stop, harm, marks, tokens};
use crate::types::{Episode, Memory, MemoryId, Node, Role, Status, Time, Turn, TurnId};

/// How sure the judge must be that a question holds something that lasts, before it is told.
const FACT_IN_QUESTION: f32 = 0.28;

/// How sure it must be that a sentence asks to forget something, or passes on somebody else's words, before it is not told.
const FORGET: f32 = 0.5;
const QUOTED: f32 = 0.6;

/// How surely it must hear harm to oneself before a sentence is not told, words aside: to keep one back that is harmless costs less.
const CRISIS: f32 = 0.3;

/// Words that a sentence of an assistant must have beyond what it answers: with fewer it only says that it heard.
const NEWS: usize = 3;

/// The same in scripts whose words are not set apart.
const WIDE_NEWS: usize = 6;

/// The first of the lines that bring their neighbours along.
const WITH_NEIGHBOURS: usize = 3;

/// How sure the judge must be that whom a sentence is about stands in another one.
const ELSEWHERE: f32 = 0.5;

/// The greatest number that may be a day of a month, which some languages write with a point.
const DAYS: u8 = 31;

/// Words of what a user said that tell something.
const TELLING_TERMS: usize = 3;

/// What of what was said is over, and what stays: of what is kept at hand, and of what was looked up beside it.
#[derive(Default)]
pub(super) struct OutdatedSpeech {
    parts: Vec<Arc<OutdatedPart>>,
}

/// The same of some memories.
#[derive(Debug)]
pub(super) struct OutdatedPart {
    over: Vec<OverMemory>,
    /// What stays, and the same as sets of words, made when a sentence may tell what is over: one that is nearer to what stays is that one's.
    standing: Vec<String>,
    staying: OnceLock<Vec<BTreeSet<String>>>,
    /// What was learned from each turn and holds, with the words it rests on.
    holding: Vec<(MemoryId, String)>,
    /// From when to when it is so: until the next of them ends.
    at: Time,
    until: Option<Time>,
}

#[derive(Debug)]
struct OverMemory {
    statement: OutdatedStatement,
    memory: Arc<Memory>,
    /// It is over by itself, and not only because what said it better is.
    itself: bool,
    /// What is said of it later is said by somebody who knows.
    ended_at: Time,
}

/// How a message asks for what was said.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SpeechWanted {
    /// It asks for what was said, whoever said it.
    pub asks_back: bool,
    /// It asks for what was, so that what is over is told as past.
    pub past: bool,
}

impl OutdatedPart {
    fn new(
        memories: &[Arc<Memory>],
        successors: &HashMap<MemoryId, Memory>,
        now: Time,
        analyser: &Analyser,
    ) -> Self {
        let by = |memory: &Memory| memory.superseded_by.as_ref().and_then(|id| successors.get(id));
        // What was merged or said better holds as long as what stands for it.
        let is_over = |memory: &Memory| {
            memory.is_over(now)
                || memory.status != Status::Active && by(memory).is_some_and(|next| next.is_over(now))
        };
        let all = memories.iter().map(|memory| &**memory).chain(successors.values());
        let ends = all.flat_map(|memory| [memory.valid_until, memory.expires_at]).flatten();
        let mut part = Self {
            over: Vec::new(),
            standing: Vec::new(),
            staying: OnceLock::new(),
            holding: Vec::new(),
            at: now,
            until: ends.filter(|end| *end > now).min(),
        };
        for memory in memories {
            if is_over(memory) {
                let statement = OutdatedStatement::new(memory, by(memory), analyser);
                let ended_at = memory.valid_until.or(memory.expires_at).unwrap_or(memory.updated_at);
                let itself = memory.is_over(now);
                part.over.push(OverMemory { statement, memory: Arc::clone(memory), itself, ended_at });
            } else if memory.status == Status::Active {
                let evidence = memory.evidence.as_ref().filter(|evidence| !evidence.is_empty());
                part.standing.push(memory.content.clone());
                part.standing.extend(evidence.cloned());
                part.holding.extend(evidence.map(|evidence| (memory.id.clone(), evidence.clone())));
            }
        }
        part
    }

    /// Whether it is what is over and what stays at this moment too.
    pub(super) fn is_of(&self, now: Time) -> bool {
        self.at <= now && self.until.is_none_or(|until| now < until)
    }

    /// Whether something that stays is liker to a sentence than this.
    fn stays(&self, said: &SaidSentence, likeness: f64, analyser: &Analyser) -> bool {
        let read = || self.standing.iter().map(|text| words(text, analyser)).collect();
        self.staying.get_or_init(read).iter().any(|one| jaccard(one, &said.words) > likeness)
    }
}

impl OutdatedSpeech {
    /// What is over of what a sentence tells that was said at some time.
    fn told_by(&self, sentence: &str, at: Time, analyser: &Analyser) -> Option<&OverMemory> {
        if self.parts.iter().all(|part| part.over.is_empty()) {
            return None;
        }
        let said = SaidSentence::new(sentence, analyser);
        let stays = |likeness: f64| self.parts.iter().any(|part| part.stays(&said, likeness, analyser));
        let tells = |one: &&OverMemory| {
            let statement = &one.statement;
            let repeats = || statement.is_told_by(&said) && !stays(statement.likeness(&said));
            statement.is_quoted_by(&said) || at < one.ended_at && repeats()
        };
        let mut told = self.parts.iter().flat_map(|part| &part.over).filter(tells).peekable();
        let first = told.peek().copied();
        told.find(|one| !one.was_true()).or(first)
    }

    /// Whether a sentence tells what is over.
    pub(super) fn is_told_by(&self, sentence: &str, at: Time, analyser: &Analyser) -> bool {
        self.told_by(sentence, at, analyser).is_some()
    }

    /// What is left of a turn without the sentences that tell what is over or must not be told; nothing where nothing else is left.
    pub(super) fn rest_of(&self, turn: &Turn, analyser: &Analyser) -> Option<String> {
        let text = &turn.text;
        let kept = |part: &Range<usize>| {
            let said = &text[part.clone()];
            !self.is_told_by(said, turn.at, analyser) && !harm::must_not_be_told(said)
        };
        joined(text, sentences(text).into_iter().filter(kept))
    }

    /// What was true once and is over, as far as it may be told: not what was forgotten, nor what was wrong.
    pub(super) fn past(&self) -> Vec<Arc<Memory>> {
        let over = self.parts.iter().flat_map(|part| &part.over);
        over.filter(|one| one.was_true()).map(|one| Arc::clone(&one.memory)).collect()
    }

    /// The words that these memories rest on.
    pub(super) fn rests_of(&self, told: &HashSet<MemoryId>) -> Vec<&str> {
        let holding = self.parts.iter().flat_map(|part| &part.holding);
        holding.filter(|(id, _)| told.contains(id)).map(|(_, evidence)| evidence.as_str()).collect()
    }
}

impl OverMemory {
    /// Whether it may be told as something that was so once: not what was forgotten, nor what was wrong.
    fn was_true(&self) -> bool {
        self.itself && self.memory.status != Status::Deleted && !self.memory.was_wrong()
    }
}

impl Glance<'_> {
    /// What is over and what holds of what these turns say: what was learned from them, and the newest that is known of the user.
    pub(super) async fn outdated(
        &self,
        request: &ContextRequest,
        turns: &[TurnId],
    ) -> StoreResult<OutdatedSpeech> {
        let shelf = self.shelf(request, ShelfSort::Ever).await?;
        let own = self.of_conversation(request, ShelfSort::Ever).await?;
        let have: HashSet<&MemoryId> = shelf
            .memories()
            .iter()
            .map(|memory| &memory.id)
            .chain(own.iter().map(|memory| &memory.id))
            .collect();
        let parents: Vec<Node> = turns.iter().map(|id| Node::Turn(id.clone())).collect();
        let taught = if parents.is_empty() { Vec::new() } else { self.view.children_of(&parents).await? };
        let taught = taught.into_iter().filter_map(|(child, _)| match child {
            Node::Memory(id) if !have.contains(&id) => Some(id),
            _ => None,
        });
        let missing: Vec<MemoryId> = taught.collect::<BTreeSet<_>>().into_iter().collect();
        let mut beside: Vec<Arc<Memory>> = own.into_iter().map(Arc::new).collect();
        if !missing.is_empty() {
            beside.extend(self.view.memories(&missing).await?.into_iter().map(Arc::new));
        }
        let at_hand = match shelf.outdated(request.now) {
            Some(part) => part,
            None => {
                let part = Arc::new(self.outdated_of(shelf.memories(), request.now).await?);
                shelf.keep_outdated(&part);
                part
            }
        };
        let mut parts = vec![at_hand];
        if !beside.is_empty() {
            parts.push(Arc::new(self.outdated_of(&beside, request.now).await?));
        }
        Ok(OutdatedSpeech { parts })
    }

    async fn outdated_of(&self, memories: &[Arc<Memory>], now: Time) -> StoreResult<OutdatedPart> {
        let successors = self.successors(memories).await?;
        Ok(OutdatedPart::new(memories, &successors, now, &self.tools.analyser))
    }

    /// What took the place of these memories.
    async fn successors(&self, memories: &[Arc<Memory>]) -> StoreResult<HashMap<MemoryId, Memory>> {
        let ids: BTreeSet<MemoryId> =
            memories.iter().filter_map(|memory| memory.superseded_by.clone()).collect();
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        let found = self.view.memories(&ids.into_iter().collect::<Vec<_>>()).await?;
        Ok(found.into_iter().map(|memory| (memory.id.clone(), memory)).collect())
    }
}

/// Makes lines of what was said.
pub(super) struct SpeechTeller<'a> {
    pub outdated: &'a OutdatedSpeech,
    pub judge: &'a dyn SpeechJudge,
    pub analyser: &'a Analyser,
    /// What the memories that the block tells rest on, which is not told again.
    pub told: Vec<&'a str>,
    pub wanted: SpeechWanted,
    /// The words of the message, and characters that a line may take.
    pub message_words: &'a BTreeSet<String>,
    pub characters: usize,
    /// Where the user is.
    pub zone: &'a TimeZone,
}

impl SpeechTeller<'_> {
    /// A turn as it is told, and of the best ones what the user said behind it that is understood by it alone: the answer may stand beside what was
    /// found. `place` is how many lines there are before it.
    pub fn line_with_neighbours(&self, turn: &Turn, window: &[Turn], place: usize) -> Vec<Line> {
        let before = window.iter().find(|other| other.index + 1 == turn.index);
        let Some(line) = self.line(turn, before) else { return Vec::new() };
        let mut lines = vec![line];
        if place < WITH_NEIGHBOURS && turn.role == Role::User {
            let behind = window.iter().filter(|other| other.index > turn.index && other.role == Role::User);
            lines.extend(behind.filter_map(|other| self.neighbour(other, turn)));
        }
        lines
    }

    /// What a turn says that is understood by an earlier one.
    fn neighbour(&self, turn: &Turn, earlier: &Turn) -> Option<Line> {
        let parts = sentences(&turn.text);
        let texts: Vec<&str> = parts.iter().map(|part| &turn.text[part.clone()]).collect();
        let readings = self.judge.read(&texts, Some(&earlier.text));
        let leans = |reading: &SentenceReading| reading.subject_elsewhere >= ELSEWHERE;
        let told =
            texts.iter().zip(&readings).map(|(said, one)| leans(one) && self.may_tell(said, turn.at, one));
        let kept = parts.iter().zip(told).filter(|(_, told)| *told).map(|(part, _)| part.clone());
        let said = joined(&turn.text, kept)?;
        Some(self.told_as(turn, &said, false))
    }

    /// A turn as it is told: what is left of it, as its speaker's words with their day. `before` is what it answers.
    fn line(&self, turn: &Turn, before: Option<&Turn>) -> Option<Line> {
        let text = &turn.text;
        let parts = sentences(text);
        let kept: Vec<Range<usize>> = match turn.role {
            Role::User => self.of_user(turn, parts),
            Role::Assistant if self.wanted.asks_back => self.of_assistant(turn, parts, before),
            _ => Vec::new(),
        };
        let over =
            kept.iter().any(|part| self.outdated.is_told_by(&text[part.clone()], turn.at, self.analyser));
        let said = joined(text, kept.into_iter())?;
        Some(self.told_as(turn, &said, over))
    }

    /// `- User said on DATE: "…"`
    fn told_as(&self, turn: &Turn, said: &str, over: bool) -> Line {
        let speaker = turn.speaker.as_deref().filter(|name| !name.trim().is_empty());
        let who = speaker.map_or_else(
            || if turn.role == Role::User { "User".to_owned() } else { "Assistant".to_owned() },
            lines::speaker_name,
        );
        let said = lines::excerpt(&marks::escape_line(said), self.message_words, self.characters);
        let (day, said) = (turn.at.date_in(self.zone), said.trim_end_matches('.'));
        let over = if over { " (no longer so)" } else { "" };
        let line = Line::plain(&format!("{who} said on {day}: \"{said}\"{over}"));
        Line { turn_ids: vec![turn.id.clone()], external_turn_ids: vec![lines::client_id(turn)], ..line }
    }

    fn of_user(&self, turn: &Turn, parts: Vec<Range<usize>>) -> Vec<Range<usize>> {
        let texts: Vec<&str> = parts.iter().map(|part| &turn.text[part.clone()]).collect();
        let readings = self.judge.read(&texts, None);
        let told = texts.iter().zip(&readings).map(|(said, reading)| self.may_tell(said, turn.at, reading));
        parts.iter().zip(told).filter(|(_, told)| *told).map(|(part, _)| part.clone()).collect()
    }

    fn may_tell(&self, said: &str, at: Time, reading: &SentenceReading) -> bool {
        let asks = is_question(said) && reading.chance(SpeechSort::Lasting) < FACT_IN_QUESTION;
        let passed_on = !self.wanted.asks_back && reading.chance(SpeechSort::Quoted) >= QUOTED;
        !asks
            && !self.says_nothing(said, reading)
            && !passed_on
            && reading.chance(SpeechSort::Forget) < FORGET
            && reading.chance(SpeechSort::Crisis) < CRISIS
            && !harm::must_not_be_told(said)
            && !self.is_over(said, at)
            && !self.is_told(said)
    }

    /// "Good", "thanks": hardly a word, and nothing that lasts.
    fn says_nothing(&self, said: &str, reading: &SentenceReading) -> bool {
        let few = match is_wide(said) {
            true => said.chars().filter(|letter| letter.is_alphanumeric()).count() < WIDE_NEWS,
            false => self.analyser.ranked_terms(said).len() < TELLING_TERMS,
        };
        few && reading.chance(SpeechSort::Lasting) < FACT_IN_QUESTION
    }

    /// What an assistant said, without what only says that it heard.
    fn of_assistant(
        &self,
        turn: &Turn,
        parts: Vec<Range<usize>>,
        before: Option<&Turn>,
    ) -> Vec<Range<usize>> {
        let text = &turn.text;
        let heard = before.map(|turn| words(&turn.text, self.analyser)).unwrap_or_default();
        let says_something = |part: &Range<usize>| {
            let said = &text[part.clone()];
            let needed = if is_wide(said) { WIDE_NEWS } else { NEWS };
            words(said, self.analyser).difference(&heard).count() >= needed
        };
        let kept = parts.into_iter().filter(|part| {
            let said = &text[part.clone()];
            says_something(part)
                && !is_question(said)
                && !self.is_over(said, turn.at)
                && !self.is_told(said)
                && !harm::must_not_be_told(said)
        });
        kept.collect()
    }

    /// Whether a sentence tells what is over, and not as the past that was asked for.
    fn is_over(&self, said: &str, at: Time) -> bool {
        let over = self.outdated.told_by(said, at, self.analyser);
        over.is_some_and(|one| !self.wanted.past || !one.was_true())
    }

    /// Whether a memory in the block rests on a sentence.
    fn is_told(&self, said: &str) -> bool {
        let rests = |evidence: &str| evidence.contains(said) || said.contains(evidence);
        self.told.iter().any(|evidence| rests(evidence))
    }
}

impl Line {
    /// `- Until DATE: …`
    pub(super) fn of_past(memory: &Memory, zone: &TimeZone) -> Self {
        let end = memory.valid_until.or(memory.expires_at).unwrap_or(memory.updated_at);
        let text = format!("Until {} (no longer so): {}", end.date_in(zone), memory.content);
        let text = lines::clipped(&text, limits::RECOLLECTION_CHARACTERS);
        Self { memory_ids: vec![memory.id.clone()], ..Self::plain(&text) }
    }
}

/// An episode without the sentences of its summary that tell what is over, only ask, or must not be told; nothing where nothing else is left.
pub(super) fn told_episode(
    episode: &Episode,
    outdated: &OutdatedSpeech,
    analyser: &Analyser,
) -> Option<Episode> {
    let text = &episode.summary;
    let kept = sentences(text).into_iter().filter(|part| {
        let said = &text[part.clone()];
        !is_question(said)
            && !outdated.is_told_by(said, episode.ended_at, analyser)
            && !harm::must_not_be_told(said)
    });
    let summary = joined(text, kept)?;
    let holds = |decision: &String| {
        !outdated.is_told_by(decision, episode.ended_at, analyser) && !harm::must_not_be_told(decision)
    };
    let decisions = episode.decisions.iter().filter(|decision| holds(decision)).cloned().collect();
    Some(Episode { summary, decisions, ..episode.clone() })
}

/// An episode without what these words tell already; nothing where nothing else is left.
pub(super) fn beside(episode: Episode, told: &[String]) -> Option<Episode> {
    let plain = |text: &str| fold(text.trim().trim_end_matches(['.', '!', '。', '！']).trim_end());
    let told: Vec<String> = told.iter().map(|words| plain(words)).filter(|words| !words.is_empty()).collect();
    let says = |said: &str| {
        let said = plain(said);
        told.iter().any(|words| words.contains(&said) || said.contains(words.as_str()))
    };
    let text = &episode.summary;
    let kept = joined(text, sentences(text).into_iter().filter(|part| !says(&text[part.clone()])));
    let decisions: Vec<String> =
        episode.decisions.iter().filter(|decision| !says(decision)).cloned().collect();
    let summary = kept.or_else(|| decisions.first().cloned())?;
    let decisions = if decisions.first() == Some(&summary) { Vec::new() } else { decisions };
    Some(Episode { summary, decisions, ..episode })
}

/// The sentences of a text, in order. A point behind a number or a short word ("7. Dezember", "Dr. Ito") ends none.
pub(super) fn sentences(text: &str) -> Vec<Range<usize>> {
    let (mut found, mut start) = (Vec::new(), 0);
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let next = characters.peek().map(|(_, next)| *next);
        let ends = match character {
            '\n' | '。' | '！' | '？' | '؟' | '।' => true,
            '!' | '?' => next.is_none_or(char::is_whitespace),
            '.' => {
                next.is_none_or(char::is_whitespace)
                    && !goes_on_behind_stop(&text[start..at], &text[at + 1..])
                    && !is_abbreviated(&text[start..at])
            }
            _ => false,
        };
        if ends {
            found.push(start..at + character.len_utf8());
            start = at + character.len_utf8();
        }
    }
    found.push(start..text.len());
    let trimmed = found.into_iter().map(|part| {
        let said = &text[part.clone()];
        let from = part.start + (said.len() - said.trim_start().len());
        from..from.max(part.start + said.trim_end().len())
    });
    trimmed.filter(|part| text[part.clone()].chars().any(char::is_alphanumeric)).collect()
}

/// Whether what stands before a point is a number or a short word, which is seldom a sentence's end.
fn is_abbreviated(before: &str) -> bool {
    let last = before.rsplit(|character: char| !character.is_alphanumeric()).next().unwrap_or_default();
    let number = last.parse::<u8>().is_ok_and(|number| number <= DAYS);
    let short =
        (1..=2).contains(&last.chars().count()) && last.chars().next().is_some_and(char::is_uppercase);
    number || short
}

/// "Noted!", "Good for you.": an assistant that only says that it heard.
pub(super) fn only_acknowledges(turn: &Turn, analyser: &Analyser) -> bool {
    let text = &turn.text;
    let few = match is_wide(text) {
        true => text.chars().filter(|letter| letter.is_alphanumeric()).count() < WIDE_NEWS,
        false => analyser.ranked_terms(text).len() < NEWS,
    };
    turn.role == Role::Assistant && few
}

pub(super) fn is_question(sentence: &str) -> bool {
    sentence.ends_with(['?', '？', '؟'])
}

fn is_wide(text: &str) -> bool {
    text.chars().any(tokens::is_wide)
}

fn joined(text: &str, parts: impl Iterator<Item = Range<usize>>) -> Option<String> {
    let parts: Vec<&str> = parts.map(|part| &text[part]).collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

#[cfg(test)]
mod tests {
    use super::sentences;

    #[test]
    fn a_point_does_not_always_end_a_sentence() {
        let split = |text: &str| -> Vec<String> {
            sentences(text).into_iter().map(|part| text[part].to_owned()).collect()
        };
        assert_eq!(
            split("Die Hüfte kommt am 7. Dezember dran. Dr. Ito operiert! ok"),
            ["Die Hüfte kommt am 7. Dezember dran.", "Dr. Ito operiert!", "ok"]
        );
        assert_eq!(split("我住在成都。你呢？ "), ["我住在成都。", "你呢？"]);
        assert_eq!(split("costs 4.50 now\n\n- fine..."), ["costs 4.50 now", "- fine..."]);
        assert!(split(" … ").is_empty());
    }
}
