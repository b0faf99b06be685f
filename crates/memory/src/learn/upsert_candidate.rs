//! Finds what stands near a candidate, lets it be compared, and writes what follows.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use super::commit::{BatchBuilder, PassTally, written_memories};
use super::draft::{Candidate, Draft};
use super::judged;
use super::observe::is_note;
use super::reconcile::{Reconciled, reconcile};
use super::session_pass::{Learner, SessionSnapshot};
use super::told::{is_verbatim, lasts_by_change_alone};
use super::verify::ComparedMemory;
use crate::error::StoreResult;
use crate::limits;
use crate::outdated::words;
use crate::ports::SpeechJudge;
use crate::text::{fold, query};
use crate::types::{
    Batch, Change, Corpus, Expect, Filter, Memory, MemoryId, Node, Origin, PageRequest, Record, Role, Scope,
    Session, SessionKey, Status, Turn, TurnId,
};

/// Share of a memory's words that a model's reading of the same turn must have to stand for it.
const RESTATED: f64 = 0.6;

/// What stands near a candidate, at most, by words and by meaning each.
const NEAR: usize = 30;

/// Of what was said after an older statement, the nearest, which may say that it is over.
const SAID_SINCE: usize = 8;

/// What became of a candidate.
pub(super) struct KeptCandidate {
    /// The memory that says it now.
    pub id: Option<MemoryId>,
    /// It was so before what is known, and is no news.
    pub past: bool,
}

impl Learner {
    /// Compares a candidate with what stands near it, this pass's own writes among it, and writes what follows. Nothing follows from one
    /// that lasts only by what it changes, and changes nothing.
    pub(super) async fn keep(
        &self,
        writing: &mut BatchBuilder<'_>,
        candidate: &Candidate,
        tally: &mut PassTally,
    ) -> StoreResult<KeptCandidate> {
        let mut near = self.near(writing.session, writing.scope, candidate).await?;
        for memory in written_memories(&writing.batch) {
            near.insert(memory.id.clone(), (memory, None));
        }
        let mut standing: Vec<ComparedMemory<'_>> =
            near.values().map(|(memory, cosine)| ComparedMemory { memory, cosine: *cosine }).collect();
        standing.sort_by(|a, b| a.memory.id.cmp(&b.memory.id));
        let one_breath = one_breath(&writing.batch, candidate);
        let outcome = self.outcome(candidate, &standing, &one_breath, writing.session);
        let memories: HashMap<MemoryId, Memory> =
            near.iter().map(|(id, (memory, _))| (id.clone(), memory.clone())).collect();
        let mut last_said = HashMap::new();
        for known in outcome.replaced().iter().filter_map(|id| memories.get(id)) {
            let last = self.said_last(known).await?;
            last_said.insert(known.id.clone(), last);
        }
        let outcome = outcome.in_time(writing.last_said(candidate), &last_said);
        let over_since = match outcome {
            Reconciled::Insert { .. } => self.over_since(writing, candidate, &near),
            _ => None,
        };
        let outcome = over_since.unwrap_or(outcome);
        if let Reconciled::Past { by, .. } = &outcome
            && let Some(known) = self.past_of(writing, candidate, by).await?
        {
            return Ok(KeptCandidate { id: Some(known), past: true });
        }
        if let Reconciled::Bump { known, .. } = &outcome
            && self.rests_on(known, candidate).await?
        {
            // The same words read again say nothing more.
            return Ok(KeptCandidate { id: Some(known.clone()), past: false });
        }
        if matches!(outcome, Reconciled::Insert { .. }) && lasts_by_change_alone(candidate) {
            tally.dropped += 1;
            return Ok(KeptCandidate { id: None, past: false });
        }
        let past = matches!(outcome, Reconciled::Past { .. });
        let candidate = unless_taken(candidate, &outcome, &memories);
        let kept = writing.candidate(&candidate, &outcome, &memories, tally);
        if let Reconciled::Supersede { rests, .. } = &outcome {
            for (rest, memory) in rests.iter().filter_map(|rest| Some((rest, memories.get(&rest.of)?))) {
                let parents = self.tools.store.parents(&Node::Memory(memory.id.clone())).await?;
                writing.go_on(memory, &rest.content, parents);
            }
        }
        Ok(KeptCandidate { id: Some(kept), past })
    }

    /// What an older conversation says may be over by what was said since: an import need not come in the order of time.
    fn over_since(
        &self,
        writing: &BatchBuilder<'_>,
        candidate: &Candidate,
        near: &HashMap<MemoryId, (Memory, Option<f64>)>,
    ) -> Option<Reconciled> {
        let judge = self.tools.judge.as_ref().filter(|_| self.tools.settings.verification_enabled)?;
        let said = writing.last_said(candidate);
        let since = |memory: &Memory| memory.created_at > said;
        let mut later: Vec<(&Memory, f64)> = near
            .values()
            .filter(|(memory, _)| memory.status == Status::Active && since(memory))
            .map(|(memory, cosine)| (memory, cosine.unwrap_or_default()))
            .collect();
        later.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.id.cmp(&b.0.id)));
        later.truncate(SAID_SINCE);
        let ends = |(later, _): &&(&Memory, f64)| {
            let older = writing.memory(later.id.clone(), candidate);
            judged::ends(&**judge, later, &older, writing.session, &self.tools.analyser)
        };
        let (by, _) = later.iter().find(ends)?;
        Some(Reconciled::Past { by: by.id.clone(), reason: "is over by what was said since".into() })
    }

    /// The past of a memory that says what a candidate says already.
    async fn past_of(
        &self,
        writing: &BatchBuilder<'_>,
        candidate: &Candidate,
        by: &MemoryId,
    ) -> StoreResult<Option<MemoryId>> {
        let filter = Filter {
            in_reach_of: Some(writing.session.owner()),
            statuses: vec![Status::Superseded],
            ..Filter::ever()
        };
        let query = query::plain(&candidate.content, &self.tools.analyser);
        let nominees = self.tools.store.nominate(Corpus::Memories, &query, &filter, NEAR).await?;
        let ids: Vec<MemoryId> = nominees.iter().filter_map(|nominee| nominee.id.parse().ok()).collect();
        let mut known = self.tools.store.memories(&ids).await?;
        known.extend(written_memories(&writing.batch));
        let says = |memory: &&Memory| {
            memory.superseded_by.as_ref() == Some(by) && fold(&memory.content) == fold(&candidate.content)
        };
        Ok(known.iter().find(says).map(|memory| memory.id.clone()))
    }

    /// What is carried over from a memory that goes rests on what that memory rested on.
    pub(super) async fn with_its_sources(&self, candidate: &Candidate) -> StoreResult<Candidate> {
        let mut candidate = candidate.clone();
        let Some(from) = candidate.advice.as_ref().and_then(|advice| advice.carried_from.clone()) else {
            return Ok(candidate);
        };
        let parents = self.tools.store.parents(&Node::Memory(from)).await?;
        let turns = parents.into_iter().filter_map(|parent| match parent {
            Node::Turn(id) => Some(id),
            _ => None,
        });
        let turns: Vec<TurnId> = turns.collect();
        if !turns.is_empty() {
            candidate.sources = turns;
        }
        Ok(candidate)
    }

    /// What was kept of turns before a model read them, and what the model now says of the same turns in other words, is told
    /// once: the model's stays. `standing` are the memories that say what the model said.
    pub(super) async fn retire_restated(
        &self,
        writing: &mut BatchBuilder<'_>,
        matter: &SessionSnapshot,
        draft: &Draft,
        standing: &HashSet<MemoryId>,
        tally: &mut PassTally,
    ) -> StoreResult<()> {
        let key = writing.session;
        let mut filter =
            Filter { session: Some(key.session.clone()), ..Filter::current(self.tools.clock.now()) };
        (filter.agent, filter.user) = (Some(key.agent.clone()), Some(key.user.clone()));
        let page = PageRequest::newest(limits::PAGE_ROWS);
        let made = self.tools.store.list_memories(&filter, page).await?.items;
        let written: HashSet<MemoryId> =
            written_memories(&writing.batch).into_iter().map(|memory| memory.id).collect();
        let restated = made.iter().filter(|memory| {
            memory.origin == Origin::Heuristic
                && !memory.pinned
                && !standing.contains(&memory.id)
                && !written.contains(&memory.id)
        });
        for memory in restated {
            let Some(turn) = quoted_turn(memory, &matter.turns) else { continue };
            let of_turn = || draft.candidates.iter().filter(|one| one.sources.first() == Some(&turn.id));
            let told: BTreeSet<String> = of_turn()
                .flat_map(|one| {
                    [words(&one.content, &self.tools.analyser), words(&one.evidence, &self.tools.analyser)]
                })
                .flatten()
                .collect();
            let own = words(&memory.content, &self.tools.analyser);
            let covered = own.intersection(&told).count() as f64 >= RESTATED * own.len() as f64;
            let by = made_of(&writing.batch, &turn.id);
            if let (Some(by), Some(first), true) = (by, of_turn().next(), covered) {
                tally.superseded += 1;
                let mut restated = memory.clone();
                restated.metadata.insert(Memory::RESTATED.into(), true.into());
                writing.retire(&restated, first, &by);
            }
        }
        Ok(())
    }

    /// What a candidate does to what stands. Rules know what has a form; the judge knows the rest.
    fn outcome(
        &self,
        candidate: &Candidate,
        standing: &[ComparedMemory<'_>],
        one_breath: &HashSet<MemoryId>,
        session: &SessionKey,
    ) -> Reconciled {
        let (settings, analyser) = (&self.tools.settings, &self.tools.analyser);
        let judge = self.tools.judge.as_ref();
        let judge = judge.filter(|_| settings.verification_enabled && candidate.advice.is_none());
        // Nobody takes back in the same breath what they tell.
        let apart: Vec<ComparedMemory<'_>> = standing
            .iter()
            .filter(|near| !one_breath.contains(&near.memory.id))
            .map(|near| ComparedMemory { memory: near.memory, cosine: near.cosine })
            .collect();
        let by_judge =
            |judge: &Arc<dyn SpeechJudge>| judged::reconcile(&**judge, candidate, &apart, session, analyser);
        if is_verbatim(candidate) {
            let new = || Reconciled::Insert { reason: "new".into() };
            return judge.and_then(by_judge).unwrap_or_else(new);
        }
        match reconcile(candidate, standing, settings, analyser) {
            Reconciled::Insert { reason } => {
                judge.and_then(by_judge).unwrap_or(Reconciled::Insert { reason })
            }
            outcome => outcome,
        }
    }

    /// Whether a memory already counts all of the candidate's turns among its sources.
    async fn rests_on(&self, known: &MemoryId, candidate: &Candidate) -> StoreResult<bool> {
        // Of a turn come a few memories; a memory may come of thousands of turns.
        let turns: Vec<Node> = candidate.sources.iter().cloned().map(Node::Turn).collect();
        let made = self.tools.store.children_of(&turns).await?;
        let known = Node::Memory(known.clone());
        let has = |turn: &Node| made.iter().any(|(child, parent)| *child == known && parent == turn);
        Ok(!turns.is_empty() && turns.iter().all(has))
    }

    /// What a candidate would be compared with.
    pub(super) async fn standing_near(
        &self,
        session: &Session,
        candidate: &Candidate,
    ) -> StoreResult<Vec<Memory>> {
        let near = self.near(&session.key, session.teaches(), candidate).await?;
        Ok(near.into_values().map(|(memory, _)| memory).collect())
    }

    /// Active memories within reach that share the candidate's key, its words or its meaning, or that a model named. What a
    /// session teaches its agent alone neither restates nor replaces what the user has with any agent.
    async fn near(
        &self,
        session: &SessionKey,
        scope: Scope,
        candidate: &Candidate,
    ) -> StoreResult<HashMap<MemoryId, (Memory, Option<f64>)>> {
        let owner = session.owner();
        let mut filter = Filter::current(self.tools.clock.now());
        filter.in_reach_of = Some(owner.clone());
        if scope == Scope::Agent {
            filter.bounds.agents = vec![owner.agent.clone()];
        }
        let query = query::plain(&candidate.content, &self.tools.analyser);
        let mut ids: Vec<MemoryId> = Vec::new();
        let mut cosines: HashMap<String, f64> = HashMap::new();
        let by_words = self.tools.store.nominate(Corpus::Memories, &query, &filter, NEAR).await?;
        ids.extend(by_words.iter().filter_map(|nominee| nominee.id.parse().ok()));
        if let Some(embedder) = &self.tools.embedder
            && let Ok(vectors) = embedder.embed(std::slice::from_ref(&candidate.content)).await
            && let Some(vector) = vectors.first()
        {
            let near = self
                .tools
                .store
                .nominate_near(Corpus::Memories, embedder.signature(), vector, &filter, NEAR)
                .await?;
            for (nominee, cosine) in near.unwrap_or_default() {
                ids.extend(nominee.id.parse::<MemoryId>().ok());
                cosines.insert(nominee.id, f64::from(cosine));
            }
        }
        if let Some(advice) = &candidate.advice {
            ids.extend(advice.same_as.iter().chain(&advice.replaces).cloned());
        }
        let mut memories = self.tools.store.memories(&ids).await?;
        if self.tools.judge.is_some() {
            memories.extend(self.known_of(session).await?);
        }
        if let Some(key) = &candidate.key {
            memories.extend(self.tools.store.memories_by_key(&owner, std::slice::from_ref(key)).await?);
        }
        // What a model names it was shown, and it was shown what is within reach; this makes sure of it.
        memories.retain(|memory| memory.is_within_reach_of(&owner) && filter.bounds.admits(memory));
        // Notes pass: what is known must not rest on one.
        let lasting = memories.into_iter().filter(|memory| !is_note(memory));
        let with_cosine = lasting.map(|memory| {
            let cosine = cosines.get(memory.id.as_str()).copied();
            (memory.id.clone(), (memory, cosine))
        });
        Ok(with_cosine.collect())
    }
}

/// The turn whose words a memory quotes.
fn quoted_turn<'t>(memory: &Memory, turns: &'t [Turn]) -> Option<&'t Turn> {
    let evidence = memory.evidence.as_deref().filter(|evidence| !evidence.is_empty())?;
    turns.iter().find(|turn| turn.role == Role::User && turn.text.contains(evidence))
}

/// The first memory that a batch makes of a turn.
fn made_of(batch: &Batch, turn: &TurnId) -> Option<MemoryId> {
    let new = |id: &MemoryId| {
        batch.changes.iter().any(|change| {
            matches!(change, Change::Put { record: Record::Memory(memory), expect: Expect::Absent } if memory.id == *id)
        })
    };
    batch.changes.iter().find_map(|change| match change {
        Change::Derive { child: Node::Memory(id), parents } => {
            let rests = parents.iter().any(|parent| matches!(parent, Node::Turn(of) if of == turn));
            (rests && new(id)).then(|| id.clone())
        }
        _ => None,
    })
}

/// The memories that a batch makes of the turn that a candidate quotes.
fn one_breath(batch: &Batch, candidate: &Candidate) -> HashSet<MemoryId> {
    let made = batch.changes.iter().filter_map(|change| match change {
        Change::Derive { child: Node::Memory(id), parents } => {
            let same =
                |parent: &Node| matches!(parent, Node::Turn(turn) if candidate.sources.first() == Some(turn));
            parents.iter().any(same).then(|| id.clone())
        }
        _ => None,
    });
    made.collect()
}

/// A key that a memory which stays already has cannot be given twice.
fn unless_taken(
    candidate: &Candidate,
    outcome: &Reconciled,
    standing: &HashMap<MemoryId, Memory>,
) -> Candidate {
    let replaced: &[MemoryId] = match outcome {
        Reconciled::Supersede { replaced, .. } => replaced,
        _ => &[],
    };
    let taken = standing.values().any(|memory| {
        memory.status == Status::Active && memory.key == candidate.key && !replaced.contains(&memory.id)
    });
    let mut candidate = candidate.clone();
    if taken {
        candidate.key = None;
    }
    if let Reconciled::Supersede { says: Some(content), .. } = outcome {
        candidate.content.clone_from(content);
    }
    candidate
}
