//! A pass over a session: what waits is distilled, judged, compared and committed in one transaction.
//!
//! The debounce pass makes or renews the session's one episode and commits what is sure; the pass at the session's end also
//! promotes what was held. Turns that arrive while a pass works are not in its list of cleared marks and stay pending. A pass
//! that loses a race against another writer is done again on what stands then.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::commit::{Tally, Writing, written_memories};
use super::decide::{decide, session_asks_to_forget};
use super::draft::{Candidate, Draft};
use super::heuristic;
use super::promote;
use crate::error::{StoreError, StoreResult};
use crate::limits;
use crate::ports::{ChatModel, Clock, Embedder, Store};
use crate::settings::Settings;
use crate::text::Analyser;
use crate::types::{
    Change, EpisodeId, Expect, Filter, HeldCandidate, HeldId, Memory, MemoryId, Origin, PageRequest,
    ProcessingEntry, ProcessingOutcome, RecordKind, RecordRef, Role, Session, SessionKey, Status, TenantId,
    Turn, TurnId, Verdict,
};

/// Why a pass is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Occasion {
    /// Nothing new was said for a while.
    Debounce,
    /// The session is over: held candidates are promoted or left behind.
    End,
}

/// How a pass came out, in the words of the ingest reply.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Distillation {
    Distilled,
    NoSignals,
    Skipped(String),
    Empty(String),
}

impl std::fmt::Display for Distillation {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Distillation::Distilled => out.write_str("distilled"),
            Distillation::NoSignals => out.write_str("no_signals"),
            Distillation::Skipped(why) => write!(out, "skipped:{why}"),
            Distillation::Empty(why) => write!(out, "empty:{why}"),
        }
    }
}

/// What a pass did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    pub distillation: Distillation,
    pub episode: Option<EpisodeId>,
    pub tally: Tally,
    pub turns: usize,
}

/// The write path's tools for one tenant.
pub struct Learner {
    pub store: Arc<dyn Store>,
    pub embedder: Option<Arc<dyn Embedder>>,
    pub settings: Settings,
    pub tenant: TenantId,
    pub clock: Arc<dyn Clock>,
    /// The core model, where there is one.
    pub model: Option<Arc<dyn ChatModel>>,
}

/// Times a pass is done again when somebody else wrote in between.
const RACES: usize = 5;

/// The least that a user must have said for a session to be worth a digest.
pub const DIGEST_CHARACTERS: usize = 80;

impl Learner {
    /// Distils what waits in a session.
    pub async fn pass(
        &self,
        key: &SessionKey,
        occasion: Occasion,
        analyser: &Analyser,
    ) -> StoreResult<Report> {
        let mut lost = 0;
        loop {
            match self.try_pass(key, occasion, analyser).await {
                Err(StoreError::Conflict { .. }) if lost < RACES => lost += 1,
                result => return result,
            }
        }
    }

    async fn try_pass(
        &self,
        key: &SessionKey,
        occasion: Occasion,
        analyser: &Analyser,
    ) -> StoreResult<Report> {
        let started = self.clock.now();
        let Some(session) = self.store.session(key).await? else {
            return Err(StoreError::NotFound(RecordRef::session(key)));
        };
        let turns = self.turns(key).await?;
        let waiting = self.store.pending_of(key).await?;
        let new: HashSet<TurnId> =
            waiting.iter().filter(|turn| !turn.dead).map(|turn| turn.turn.clone()).collect();
        let ending = occasion == Occasion::End && session.ended_at.is_none();
        if new.is_empty() && !ending {
            return Ok(Report::nothing(Distillation::NoSignals));
        }
        let draft = self.distil(&turns, &new, key, analyser).await?;
        let mut writing = Writing::new(self.tenant.clone(), key, Origin::Heuristic, started, &*self.clock);
        let mut tally = Tally::default();
        let silent = session_asks_to_forget(&turns);
        if silent {
            tally.dropped += draft.candidates.len() as u64;
            self.drop_held(&mut writing, key, &mut tally).await?;
        } else {
            self.learn(&mut writing, &draft, &turns, &new, occasion, analyser, &mut tally).await?;
        }
        let (distillation, episode) = self.digest(&mut writing, &draft, &turns, silent).await?;
        if !new.is_empty() {
            let mut cleared: Vec<TurnId> = new.iter().cloned().collect();
            cleared.sort();
            writing.change(Change::ClearPending { turns: cleared });
            writing.change(Change::PutRedo { session: key.clone(), since: started });
        }
        if ending {
            writing.change(end_of(session, started));
        }
        self.log(&mut writing, &distillation, &tally);
        self.store.apply(writing.batch).await?;
        Ok(Report { distillation, episode, tally, turns: new.len() })
    }

    /// What the new turns come to; the earlier ones only serve the digest.
    async fn distil(
        &self,
        turns: &[Turn],
        new: &HashSet<TurnId>,
        key: &SessionKey,
        analyser: &Analyser,
    ) -> StoreResult<Draft> {
        let (said, earlier): (Vec<Turn>, Vec<Turn>) =
            turns.iter().cloned().partition(|turn| new.contains(&turn.id));
        let mut filter = Filter::current(self.clock.now());
        (filter.agent, filter.user) = (Some(key.agent.clone()), Some(key.user.clone()));
        let entities = self.store.list_entities(&filter, PageRequest::first(limits::PAGE_ROWS)).await?.items;
        let known_names: Vec<String> =
            entities.into_iter().flat_map(|entity| entity.aliases.into_iter().chain([entity.name])).collect();
        let context = heuristic::Context { earlier: &earlier, known_names: &known_names };
        Ok(heuristic::distil(&said, context, analyser))
    }

    /// The session's turns: all of them, or for a very long session its beginning and its end.
    async fn turns(&self, key: &SessionKey) -> StoreResult<Vec<Turn>> {
        let mut turns = self.store.session_turns(key, 0, limits::PASS_TURNS).await?;
        if turns.len() < limits::PASS_TURNS {
            return Ok(turns);
        }
        let half = limits::PASS_TURNS / 2;
        turns.truncate(half);
        let mut rest = Vec::new();
        let mut from = half as u64;
        loop {
            let some = self.store.session_turns(key, from, limits::PASS_TURNS).await?;
            let Some(last) = some.last() else { break };
            from = last.index + 1;
            rest.extend(some);
            let over = rest.len().saturating_sub(half);
            rest.drain(..over);
        }
        turns.extend(rest);
        Ok(turns)
    }

    #[expect(clippy::too_many_arguments, reason = "one call site, and each is one thing the step needs")]
    async fn learn(
        &self,
        writing: &mut Writing<'_>,
        draft: &Draft,
        turns: &[Turn],
        new: &HashSet<TurnId>,
        occasion: Occasion,
        analyser: &Analyser,
        tally: &mut Tally,
    ) -> StoreResult<()> {
        let texts: HashMap<&TurnId, &str> = turns.iter().map(|turn| (&turn.id, turn.text.as_str())).collect();
        let mut held = self.store.held(writing.session).await?;
        for candidate in
            draft.candidates.iter().filter(|candidate| candidate.sources.iter().any(|id| new.contains(id)))
        {
            let text = candidate.sources.first().and_then(|id| texts.get(id)).copied().unwrap_or_default();
            let judgement = decide(candidate, text);
            match judgement.verdict {
                Verdict::Drop => tally.dropped += 1,
                Verdict::CommitNow => self.keep(writing, candidate, analyser, tally).await?,
                Verdict::CommitAtSessionEnd | Verdict::RequireRepetition => {
                    tally.held += 1;
                    hold(writing, &mut held, candidate, judgement.verdict, judgement.reason);
                }
            }
        }
        if occasion == Occasion::End {
            self.promote(writing, held, turns, draft, analyser, tally).await?;
        }
        self.weave(writing, draft).await?;
        self.make_room(writing, tally).await
    }

    /// At the session's end: what has support becomes a memory; what has none stays as a trace for a later session.
    async fn promote(
        &self,
        writing: &mut Writing<'_>,
        held: Vec<HeldCandidate>,
        turns: &[Turn],
        draft: &Draft,
        analyser: &Analyser,
        tally: &mut Tally,
    ) -> StoreResult<()> {
        let earlier = self.store.held_of(&writing.session.owner(), limits::HELD_PER_OWNER * 2).await?;
        let summary = draft.episode.as_ref().map(|episode| episode.summary.as_str()).unwrap_or_default();
        for candidate in held {
            let judgement = promote::judge(&candidate, turns, summary, &earlier, analyser);
            if !judgement.promoted {
                continue;
            }
            let promoted = promote::as_candidate(&candidate, &judgement.reason);
            self.keep(writing, &promoted, analyser, tally).await?;
            let of = RecordRef { kind: RecordKind::Held, id: candidate.id.as_str().to_owned() };
            writing.change(Change::Remove { of, expect: Expect::Any });
        }
        for old in earlier.iter().skip(limits::HELD_PER_OWNER) {
            let of = RecordRef { kind: RecordKind::Held, id: old.id.as_str().to_owned() };
            writing.change(Change::Remove { of, expect: Expect::Any });
        }
        Ok(())
    }

    async fn drop_held(
        &self,
        writing: &mut Writing<'_>,
        key: &SessionKey,
        tally: &mut Tally,
    ) -> StoreResult<()> {
        for candidate in self.store.held(key).await? {
            tally.dropped += 1;
            let of = RecordRef { kind: RecordKind::Held, id: candidate.id.as_str().to_owned() };
            writing.change(Change::Remove { of, expect: Expect::Any });
        }
        Ok(())
    }

    /// Makes or renews the episode, where there is enough to say.
    async fn digest(
        &self,
        writing: &mut Writing<'_>,
        draft: &Draft,
        turns: &[Turn],
        silent: bool,
    ) -> StoreResult<(Distillation, Option<EpisodeId>)> {
        if silent {
            return Ok((Distillation::Skipped("asked not to remember".into()), None));
        }
        let said: usize =
            turns.iter().filter(|turn| turn.role == Role::User).map(|turn| turn.text.chars().count()).sum();
        let learned = !written_memories(&writing.batch).is_empty();
        if said < DIGEST_CHARACTERS {
            let short = Distillation::Skipped("too short".into());
            return Ok((if learned { Distillation::Distilled } else { short }, None));
        }
        let Some(episode) = draft.episode.as_ref().filter(|episode| !episode.summary.is_empty()) else {
            return Ok((Distillation::Empty("nothing to digest".into()), None));
        };
        let standing = self.store.episode_of(writing.session).await?;
        let id = writing.episode(episode, standing.as_ref(), turns);
        Ok((Distillation::Distilled, Some(id)))
    }

    fn log(&self, writing: &mut Writing<'_>, distillation: &Distillation, tally: &Tally) {
        let duration = self.clock.now().microseconds() - writing.now.microseconds();
        let outcome = match distillation {
            Distillation::Distilled => ProcessingOutcome::Succeeded,
            _ => ProcessingOutcome::Skipped,
        };
        let detail = serde_json::to_string(tally).ok();
        let entry = ProcessingEntry {
            at: writing.now,
            task: "distil".into(),
            model: None,
            input_tokens: 0,
            output_tokens: 0,
            cost: 0.0,
            duration_ms: (duration.max(0) / 1000) as u64,
            outcome,
            detail,
        };
        writing.change(Change::Log { entry });
    }
}

impl Report {
    fn nothing(distillation: Distillation) -> Self {
        Self { distillation, episode: None, tally: Tally::default(), turns: 0 }
    }
}

fn end_of(mut session: Session, at: crate::types::Time) -> Change {
    let expect = Expect::Version(session.version);
    session.ended_at = Some(at);
    Change::Put { record: session.into(), expect }
}

/// Holds a candidate, or adds its sources to the one that is held already.
fn hold(
    writing: &mut Writing<'_>,
    held: &mut Vec<HeldCandidate>,
    candidate: &Candidate,
    verdict: Verdict,
    reason: String,
) {
    let memory = writing.memory(MemoryId::from_uuid(writing.clock.uuid()), candidate);
    if let Some(known) = held.iter_mut().find(|known| promote::same(&known.memory, &memory)) {
        let before = known.sources.len();
        known.sources.extend(
            candidate.sources.iter().filter(|id| !known.sources.contains(id)).cloned().collect::<Vec<_>>(),
        );
        if known.sources.len() > before {
            writing.change(Change::Put { record: known.clone().into(), expect: Expect::Any });
        }
        return;
    }
    let new = HeldCandidate {
        id: HeldId::from_uuid(writing.clock.uuid()),
        version: 1,
        session: writing.session.clone(),
        memory: Memory { status: Status::Held, ..memory },
        verdict,
        reason,
        sources: candidate.sources.clone(),
        created_at: writing.now,
    };
    writing.change(Change::Put { record: new.clone().into(), expect: Expect::Absent });
    held.push(new);
}
