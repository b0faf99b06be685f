//! Sessions that were distilled without a model are distilled again when one is there.
//!
//! The model reads the whole session. Its episode takes the place of the patterns' one; what it says goes the usual way
//! through decide, verify and reconcile, so that what is known already is found to be known and nothing is counted twice.
//! What the patterns made stays, unless the model says it better. Old words do not undo what is newer: a value that has
//! changed since, and what a person changed or took away, stays as it is.

use super::distil::{DraftWithOrigin, RedoMark};
use super::draft::Candidate;
use super::session_pass::{Learner, PassReport, PassTrigger, RACES, SessionSnapshot};
use super::verify::{ComparedMemory, Relationship, compare};
use crate::error::{ModelError, StoreError, StoreResult};
use crate::personality::Tuning;
use crate::types::{Actor, Batch, Change, Memory, Node, SessionKey, Time, Turn, TurnId};

/// How doing a session again came out.
#[derive(Debug)]
pub enum Redone {
    Done(PassReport),
    /// There is nothing in it for a model; it is off the list.
    NotWorthIt,
    /// The model did not do it. It stays on the list, and is counted unless the model was merely absent.
    Failed(ModelError),
}

impl Learner {
    /// Lets the model distil a session that was distilled without one. `cap` is how often that may fail.
    pub async fn redo(&self, key: &SessionKey, cap: u32) -> StoreResult<Redone> {
        let (tuned, tuning) = self.tuned(&key.agent).await?;
        tuned.redo_as(&tuning, key, cap).await
    }

    /// The same, with the agent's character in force.
    async fn redo_as(&self, tuning: &Tuning, key: &SessionKey, cap: u32) -> StoreResult<Redone> {
        let Some(model) = &self.tools.model else {
            return Ok(Redone::Failed(ModelError::Unavailable("there is no core model".into())));
        };
        let mut matter = self.matter(key).await?;
        let all = matter.turns.iter().map(|turn| turn.id.clone()).collect();
        if !self.is_worth_reading(&matter.turns, &all) {
            let clear = Change::ClearRedo { session: key.clone() };
            self.tools.store.apply(Batch::new(Actor::Model, self.tools.clock.now()).with(clear)).await?;
            return Ok(Redone::NotWorthIt);
        }
        let all = self.read_again(&mut matter).await?;
        let drafted = match self.ask(model, &matter, all).await? {
            Ok(drafted) => DraftWithOrigin { redo: RedoMark::Clear, ..drafted },
            Err(error) => {
                self.count_failure(key, &error, cap).await?;
                return Ok(Redone::Failed(error));
            }
        };
        for lost in 0.. {
            let mut matter = self.matter(key).await?;
            if !self.still_stands(&drafted).await? {
                let why = "what it was told was forgotten while it answered";
                return Ok(Redone::Failed(ModelError::Unavailable(why.into())));
            }
            self.read_again(&mut matter).await?;
            // Of a session that is over, what is held has to be promoted now: nobody ends it again.
            let over = matter.session.ended_at.is_some();
            let occasion = if over { PassTrigger::End } else { PassTrigger::Debounce };
            match self.settle(&matter, occasion, &drafted, tuning).await {
                Err(StoreError::Conflict { .. }) if lost < RACES => {}
                result => return result.map(Redone::Done),
            }
        }
        unreachable!("the last race lost is an error")
    }

    async fn count_failure(&self, key: &SessionKey, error: &ModelError, cap: u32) -> StoreResult<()> {
        if error.is_absence() {
            return Ok(());
        }
        let fail = Change::FailRedo { session: key.clone(), error: error.to_string(), cap };
        self.tools.store.apply(Batch::new(Actor::Model, self.tools.clock.now()).with(fail)).await.map(drop)
    }

    /// Whether words read again speak of what is settled since: by a person, or by newer words.
    pub(super) async fn is_past(
        &self,
        matter: &SessionSnapshot,
        candidate: &Candidate,
        turn: &Turn,
    ) -> StoreResult<bool> {
        let relation = |memory: &Memory| {
            let standing = ComparedMemory { memory, cosine: None };
            compare(candidate, &standing, &self.tools.settings, &self.tools.analyser).0
        };
        if matter.settled_by_person.iter().any(|memory| relation(memory) != Relationship::Unrelated) {
            return Ok(true);
        }
        for memory in self.standing_near(&matter.session, candidate).await? {
            let replaces =
                candidate.advice.as_ref().is_some_and(|advice| advice.replaces.contains(&memory.id));
            let differs = replaces || relation(&memory) == Relationship::Contradicts;
            if differs && self.said_last(&memory).await? > turn.at {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// When a memory was last said, or written where nobody said it.
    pub(super) async fn said_last(&self, memory: &Memory) -> StoreResult<Time> {
        let parents = self.tools.store.parents(&Node::Memory(memory.id.clone())).await?;
        let turns: Vec<TurnId> = parents
            .into_iter()
            .filter_map(|node| match node {
                Node::Turn(id) => Some(id),
                _ => None,
            })
            .collect();
        let said = self.tools.store.turns(&turns).await?.into_iter().map(|turn| turn.at).max();
        Ok(said.unwrap_or(memory.created_at))
    }
}
