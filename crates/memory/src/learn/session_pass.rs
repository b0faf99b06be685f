//! A pass over a session: what waits is distilled, judged, compared and committed in one transaction.
//!
//! The debounce pass makes or renews the session's one episode and commits what is sure; the pass at the session's end also
//! promotes what was held. Turns that arrive while a pass works are not in its list of cleared marks and stay pending. A pass
//! that loses a race against another writer looks again at what stands then; a model is asked once for a pass, however
//! many races are lost, and its draft is thrown away if what it was made from was forgotten meanwhile.

use std::collections::HashSet;

use super::commit::{BatchBuilder, PassTally, written_memories};
use super::control::session_asks_to_forget;
use super::decide::{decide, decide_read};
use super::digests::EndedMemories;
use super::distil::{DraftWithOrigin, RedoMark};
use super::draft::ForgetWish;
use super::told;
use super::turn_mode::{at_once, note_importance, sift};
use crate::error::{StoreError, StoreResult};
use crate::limits;
use crate::personality::Tuning;
use crate::text::tokens;
use crate::toolkit::Toolkit;
use crate::types::{
    Change, EpisodeId, Expect, Memory, MemoryId, Origin, ProcessingEntry, ProcessingOutcome, RecordRef, Role,
    Session, SessionKey, Status, Turn, TurnId, Verdict,
};

/// Why a pass is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PassTrigger {
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
pub struct PassReport {
    pub distillation: Distillation,
    pub episode: Option<EpisodeId>,
    pub tally: PassTally,
    pub turns: usize,
    /// Whether a model distilled it, or patterns.
    pub distiller: Origin,
    /// The model that did.
    pub model: Option<String>,
    /// Why a model that was asked did not do it.
    pub fell_back: Option<String>,
    /// What a model came up with that nobody said.
    pub unsupported: u64,
    /// What the user asks to be forgotten, and is still to be heeded. Where no model read it, nothing is learned yet: the session is to
    /// be passed again behind it.
    pub wishes: Vec<ForgetWish>,
}

/// The write path of one tenant.
#[derive(Clone)]
pub struct Learner {
    pub tools: Toolkit,
}

/// Times a pass is done again when somebody else wrote in between.
pub(super) const RACES: usize = 5;

/// The least that a user must have said for a session to be worth a digest without a model.
pub const DIGEST_CHARACTERS: usize = 80;

/// A session as a pass finds it.
pub(super) struct SessionSnapshot {
    pub session: Session,
    /// All turns, or of a very long session its beginning and its end.
    pub turns: Vec<Turn>,
    /// Those that wait and may be tried.
    pub pending: HashSet<TurnId>,
    /// Memories of this session that a person changed or took away. Whoever reads old turns again leaves them alone.
    pub settled_by_person: Vec<Memory>,
    /// Turns that were distilled before are read again.
    pub again: bool,
}

impl Learner {
    /// Distils what waits in a session, unless the user asks in it that something be forgotten.
    pub async fn pass(&self, key: &SessionKey, occasion: PassTrigger) -> StoreResult<PassReport> {
        self.pass_heeding(key, occasion, false).await
    }

    /// The same when wishes to forget were heeded.
    pub async fn pass_after_wishes(
        &self,
        key: &SessionKey,
        occasion: PassTrigger,
    ) -> StoreResult<PassReport> {
        self.pass_heeding(key, occasion, true).await
    }

    async fn pass_heeding(
        &self,
        key: &SessionKey,
        occasion: PassTrigger,
        heeded: bool,
    ) -> StoreResult<PassReport> {
        let (tuned, tuning) = self.tuned(&key.agent).await?;
        let many = tuned.unobserved(key, &tuning).await?;
        let mut report = tuned.pass_as(&tuning, key, occasion, heeded).await?;
        if !report.wishes.is_empty() && report.model.is_none() {
            return Ok(report);
        }
        // What was learned is committed, and notes that could not be made take nothing of it back.
        report.tally.noted = tuned.observe(key, &many, &tuning).await.unwrap_or_default();
        Ok(report)
    }

    /// The same, with the agent's character in force.
    async fn pass_as(
        &self,
        tuning: &Tuning,
        key: &SessionKey,
        occasion: PassTrigger,
        heeded: bool,
    ) -> StoreResult<PassReport> {
        let mut drafted: Option<DraftWithOrigin> = None;
        let mut may_ask = true;
        let mut lost = 0;
        loop {
            let mut matter = self.matter(key).await?;
            let ending = occasion == PassTrigger::End && matter.session.ended_at.is_none();
            if matter.pending.is_empty() && !ending {
                return Ok(PassReport::nothing(Distillation::NoSignals));
            }
            let draft = match drafted.take() {
                Some(draft) if self.still_stands(&draft).await? => {
                    if !draft.new.is_subset(&matter.pending) {
                        self.read_again(&mut matter).await?;
                    }
                    draft
                }
                _ => {
                    let made = self.distil(&mut matter, may_ask).await?;
                    may_ask = false;
                    if made.model.is_some() {
                        // Minutes may have passed: what stands now is what counts.
                        drafted = Some(made);
                        continue;
                    }
                    made
                }
            };
            let asked = !heeded && draft.model.is_none() && !draft.draft.wishes.is_empty();
            if asked && !self.is_silent(&matter.turns) {
                let asked = PassReport::nothing(Distillation::Skipped("asked to forget".into()));
                return Ok(PassReport { wishes: draft.draft.wishes, ..asked });
            }
            match self.settle(&matter, occasion, &draft, tuning).await {
                Err(StoreError::Conflict { .. }) if lost < RACES => lost += 1,
                result => return result,
            }
            drafted = Some(draft).filter(|draft| draft.model.is_some());
        }
    }

    pub(super) async fn matter(&self, key: &SessionKey) -> StoreResult<SessionSnapshot> {
        let Some(session) = self.tools.store.session(key).await? else {
            return Err(StoreError::NotFound(RecordRef::session(key)));
        };
        let turns = self.turns(key).await?;
        let waiting = self.tools.store.pending_of(key).await?;
        let pending = waiting.into_iter().filter(|turn| !turn.dead).map(|turn| turn.turn).collect();
        Ok(SessionSnapshot { session, turns, pending, settled_by_person: Vec::new(), again: false })
    }

    /// Judges, compares and commits a draft, in one batch.
    pub(super) async fn settle(
        &self,
        matter: &SessionSnapshot,
        occasion: PassTrigger,
        drafted: &DraftWithOrigin,
        tuning: &Tuning,
    ) -> StoreResult<PassReport> {
        let started = self.tools.clock.now();
        let key = &matter.session.key;
        let mut tally = PassTally::default();
        let mut drafted = drafted.clone();
        let said: Vec<Turn> =
            matter.turns.iter().filter(|turn| drafted.new.contains(&turn.id)).cloned().collect();
        sift(&mut drafted.draft, &said, tuning, &self.tools.settings, &mut tally);
        self.clean_digest(&mut drafted.draft, &matter.turns, &said).await;
        let draft = &drafted.draft;
        // What came while a model thought is not in the draft: it waits, and keeps the session open.
        let cleared = drafted.covered(matter);
        let all_covered = cleared.len() == matter.pending.len();
        let occasion = if all_covered { occasion } else { PassTrigger::Debounce };
        let scope = matter.session.teaches();
        let mut writing = BatchBuilder::new(
            self.tools.tenant.clone(),
            key,
            scope,
            draft.origin,
            started,
            &*self.tools.clock,
        );
        writing.said = matter.turns.iter().map(|turn| (turn.id.clone(), turn.at)).collect();
        let silenced = self.is_silent(&matter.turns);
        if silenced {
            tally.dropped += draft.candidates.len() as u64;
            self.drop_held(&mut writing, key, &mut tally).await?;
        } else {
            self.learn(&mut writing, matter, occasion, &drafted, &mut tally).await?;
        }
        // Where all that was told is not to be kept, its digest is not either.
        let kept = written_memories(&writing.batch).iter().any(|memory| memory.status == Status::Active);
        let nothing_left = !draft.wishes.is_empty() && !kept;
        let silent = silenced || nothing_left;
        let ended = EndedMemories::of(&writing.batch, &self.tools.analyser);
        let kept_episode = &mut drafted.draft.episode;
        kept_episode.iter_mut().for_each(|episode| ended.clean_draft(episode, &self.tools.analyser));
        let (distillation, episode) = self.digest(&mut writing, &drafted, &matter.turns, silent).await?;
        self.correct_digests(&mut writing, &ended).await?;
        self.note_crises(&mut writing, &matter.turns, &drafted.new).await;
        let turns = cleared.len();
        mark_done(&mut writing, &matter.session, cleared, &drafted, occasion);
        self.log(&mut writing, &distillation, &tally, &drafted);
        note_importance(&mut writing.batch, tuning, &self.tools.settings);
        self.tools.store.apply(writing.batch).await?;
        // What a model heard is forgotten by the pass; its copies are the caller's.
        let by_model = drafted.model.is_some() && !matter.again && !silent;
        let left = if by_model { drafted.draft.wishes.clone() } else { Vec::new() };
        Ok(PassReport {
            distillation,
            episode,
            tally,
            turns,
            distiller: drafted.draft.origin,
            model: drafted.model.clone(),
            fell_back: drafted.fell_back.clone(),
            unsupported: drafted.draft.unsupported,
            wishes: left,
        })
    }

    /// Whether nothing of a session is to be kept. The judge knows what is meant; without one a request not to keep something
    /// silences it.
    fn is_silent(&self, turns: &[Turn]) -> bool {
        match &self.tools.judge {
            Some(judge) => told::is_silenced(&**judge, turns),
            None => session_asks_to_forget(turns),
        }
    }

    /// The session's turns: all of them, or for a very long session its beginning and its end.
    async fn turns(&self, key: &SessionKey) -> StoreResult<Vec<Turn>> {
        let mut turns = self.tools.store.session_turns(key, 0, limits::PASS_TURNS).await?;
        if turns.len() < limits::PASS_TURNS {
            return Ok(turns);
        }
        let half = limits::PASS_TURNS / 2;
        turns.truncate(half);
        let mut rest = Vec::new();
        let mut from = half as u64;
        loop {
            let some = self.tools.store.session_turns(key, from, limits::PASS_TURNS).await?;
            let Some(last) = some.last() else { break };
            from = last.index + 1;
            rest.extend(some);
            let over = rest.len().saturating_sub(half);
            rest.drain(..over);
        }
        turns.extend(rest);
        Ok(turns)
    }

    async fn learn(
        &self,
        writing: &mut BatchBuilder<'_>,
        matter: &SessionSnapshot,
        occasion: PassTrigger,
        drafted: &DraftWithOrigin,
        tally: &mut PassTally,
    ) -> StoreResult<()> {
        let mut drafted = drafted.clone();
        self.heed_wishes(writing, matter, &mut drafted.draft, tally).await?;
        let mut held = self.settle_held(writing, &drafted.draft).await?;
        let drafted = &drafted;
        let mut draft = drafted.draft.clone();
        let mut standing: HashSet<MemoryId> = HashSet::new();
        for candidate in drafted.candidates() {
            writing.origin = drafted.origin_of(candidate);
            let source = candidate.sources.first();
            let turn = matter.turns.iter().find(|turn| Some(&turn.id) == source);
            let text = turn.map(|turn| turn.text.as_str()).unwrap_or_default();
            let judgement = match &self.tools.judge {
                Some(_) => decide_read(candidate, text),
                None => decide(candidate, text),
            };
            let judgement = at_once(judgement, candidate, &self.tools.settings);
            let read_again = |turn: &&Turn| matter.again && !matter.pending.contains(&turn.id);
            let past = match turn.filter(read_again) {
                Some(turn) => self.is_past(matter, candidate, turn).await?,
                None => false,
            };
            let harmful = self.is_harmful(candidate, text).await;
            match judgement.verdict {
                _ if past || harmful => {
                    tally.dropped += 1;
                    draft.leave_out(candidate);
                }
                Verdict::Drop => tally.dropped += 1,
                Verdict::CommitNow => {
                    let candidate = self.with_its_sources(candidate).await?;
                    let kept = self.keep(writing, &candidate, tally).await?;
                    if kept.past {
                        draft.leave_out(&candidate);
                    }
                    standing.extend(kept.id);
                }
                Verdict::CommitAtSessionEnd | Verdict::RequireRepetition => {
                    tally.held += 1;
                    super::held::hold(writing, &mut held, candidate, judgement.verdict, judgement.reason);
                }
            }
        }
        writing.origin = draft.origin;
        if drafted.model.is_some() && matter.again {
            self.retire_restated(writing, matter, &draft, &standing, tally).await?;
        }
        if occasion == PassTrigger::End {
            self.promote(writing, held, &matter.turns, &draft, tally).await?;
        }
        self.weave(writing, &draft).await?;
        self.make_room(writing, tally).await
    }

    /// Makes or renews the episode, where there is enough to say.
    async fn digest(
        &self,
        writing: &mut BatchBuilder<'_>,
        drafted: &DraftWithOrigin,
        turns: &[Turn],
        silent: bool,
    ) -> StoreResult<(Distillation, Option<EpisodeId>)> {
        if silent {
            return Ok((Distillation::Skipped("asked not to remember".into()), None));
        }
        let learned = !written_memories(&writing.batch).is_empty();
        if drafted.draft.origin != Origin::Model && said_by_user(turns) < DIGEST_CHARACTERS {
            let short = Distillation::Skipped("too short".into());
            return Ok((if learned { Distillation::Distilled } else { short }, None));
        }
        let drawn = drafted.draft.episode.clone().filter(|episode| !episode.summary.is_empty());
        let Some(mut episode) = drawn else {
            let empty = Distillation::Empty("nothing to digest".into());
            return Ok((if learned { Distillation::Distilled } else { empty }, None));
        };
        let standing = self.tools.store.episode_of(writing.session).await?;
        // Patterns look for decisions in new turns alone: what was decided before the last pause was decided.
        let in_part = !turns.iter().all(|turn| drafted.new.contains(&turn.id));
        if let Some(standing) = standing.as_ref().filter(|_| in_part && drafted.model.is_none()) {
            episode.go_on_from(standing);
        }
        let id = writing.episode(&episode, standing.as_ref(), turns);
        Ok((Distillation::Distilled, Some(id)))
    }

    fn log(
        &self,
        writing: &mut BatchBuilder<'_>,
        distillation: &Distillation,
        tally: &PassTally,
        drafted: &DraftWithOrigin,
    ) {
        let duration = self.tools.clock.now().microseconds() - writing.now.microseconds();
        let outcome = match distillation {
            Distillation::Distilled => ProcessingOutcome::Succeeded,
            _ => ProcessingOutcome::Skipped,
        };
        let entry = ProcessingEntry {
            at: writing.now,
            task: "distil".into(),
            // The model's own calls have entries of their own, which are what is counted and paid.
            model: None,
            input_tokens: 0,
            output_tokens: 0,
            cost: 0.0,
            duration_ms: (duration.max(0) / 1000) as u64,
            outcome,
            detail: serde_json::to_string(&drafted.detail(tally)).ok(),
        };
        writing.change(Change::Log { entry });
    }
}

impl PassReport {
    fn nothing(distillation: Distillation) -> Self {
        Self {
            distillation,
            episode: None,
            tally: PassTally::default(),
            turns: 0,
            distiller: Origin::Heuristic,
            model: None,
            fell_back: None,
            unsupported: 0,
            wishes: Vec::new(),
        }
    }
}

/// What a pass leaves behind: which turns wait no more, whether a model shall look again, how far one has read, and that the session is over.
fn mark_done(
    writing: &mut BatchBuilder<'_>,
    before: &Session,
    cleared: Vec<TurnId>,
    drafted: &DraftWithOrigin,
    occasion: PassTrigger,
) {
    let session = before.key.clone();
    match drafted.redo {
        RedoMark::Put if !cleared.is_empty() => {
            let error = drafted.fell_back.clone();
            writing.change(Change::PutRedo { session, since: writing.now, error });
        }
        RedoMark::Clear => writing.change(Change::ClearRedo { session }),
        RedoMark::Put | RedoMark::Leave => {}
    }
    if !cleared.is_empty() {
        writing.change(Change::ClearPending { turns: cleared });
    }
    let mut session = before.clone();
    if occasion == PassTrigger::End && session.ended_at.is_none() {
        session.ended_at = Some(writing.now);
    }
    session.read_by_model = session.read_by_model.max(drafted.read_to);
    if session != *before {
        let expect = Expect::Version(session.version);
        writing.change(Change::Put { record: session.into(), expect });
    }
}

/// A letter of a script whose letters are words or syllables says as much as so many of another.
const WIDE_LETTER_CHARACTERS: usize = 3;

/// How many characters the user said, wide ones counted as what they say.
pub(super) fn said_by_user<'a>(turns: impl IntoIterator<Item = &'a Turn>) -> usize {
    let users = turns.into_iter().filter(|turn| turn.role == Role::User);
    let said = users.flat_map(|turn| turn.text.chars());
    said.map(|letter| if tokens::is_wide(letter) { WIDE_LETTER_CHARACTERS } else { 1 }).sum()
}
