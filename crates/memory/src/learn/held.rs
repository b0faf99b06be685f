//! What waits for its session's end: holding a candidate, and promoting those that have earned it.

use std::collections::HashSet;

use super::commit::{BatchBuilder, PassTally};
use super::draft::{Candidate, Draft};
use super::promote;
use super::session_pass::Learner;
use crate::error::StoreResult;
use crate::limits;
use crate::types::{
    Change, Expect, HeldCandidate, HeldId, Memory, MemoryId, RecordKind, RecordRef, SessionKey, Status, Turn,
    Verdict,
};

impl Learner {
    /// At the session's end: what has support becomes a memory; what has none stays as a trace for a later session.
    pub(super) async fn promote(
        &self,
        writing: &mut BatchBuilder<'_>,
        held: Vec<HeldCandidate>,
        turns: &[Turn],
        draft: &Draft,
        tally: &mut PassTally,
    ) -> StoreResult<()> {
        let earlier = self.tools.store.held_of(&writing.session.owner(), limits::HELD_PER_OWNER * 2).await?;
        let summary = draft.episode.as_ref().map(|episode| episode.summary.as_str()).unwrap_or_default();
        for candidate in held {
            let judgement = promote::judge(&candidate, turns, summary, &earlier, &self.tools.analyser);
            if !judgement.promoted {
                continue;
            }
            let promoted = promote::as_candidate(&candidate, &judgement.reason);
            // Who found it, and not who promotes it: patterns and a model may have been at the same session.
            let promoting = std::mem::replace(&mut writing.origin, candidate.memory.origin);
            self.keep(writing, &promoted, tally).await?;
            writing.origin = promoting;
            writing.change(gone(&candidate));
        }
        for old in earlier.iter().skip(limits::HELD_PER_OWNER) {
            writing.change(gone(old));
        }
        Ok(())
    }

    /// What is still held of this session. What a model takes up again, replaces or forgets is not held any longer, whichever of the user's sessions holds it.
    pub(super) async fn settle_held(
        &self,
        writing: &mut BatchBuilder<'_>,
        draft: &Draft,
    ) -> StoreResult<Vec<HeldCandidate>> {
        let mut held = self.tools.store.held(writing.session).await?;
        let advice = draft.candidates.iter().filter_map(|candidate| candidate.advice.as_ref());
        let named = advice.flat_map(|advice| advice.replaces.iter().chain(&advice.same_as));
        let named: HashSet<&MemoryId> =
            named.chain(draft.wishes.iter().flat_map(|wish| &wish.known)).collect();
        if named.is_empty() {
            return Ok(held);
        }
        let all = self.tools.store.held_of(&writing.session.owner(), limits::HELD_PER_OWNER).await?;
        for settled in all.iter().filter(|one| named.contains(&one.memory.id)) {
            writing.change(gone(settled));
        }
        held.retain(|one| !named.contains(&one.memory.id));
        Ok(held)
    }

    pub(super) async fn drop_held(
        &self,
        writing: &mut BatchBuilder<'_>,
        key: &SessionKey,
        tally: &mut PassTally,
    ) -> StoreResult<()> {
        for candidate in self.tools.store.held(key).await? {
            tally.dropped += 1;
            writing.change(gone(&candidate));
        }
        Ok(())
    }
}

fn gone(held: &HeldCandidate) -> Change {
    let of = RecordRef { kind: RecordKind::Held, id: held.id.as_str().to_owned() };
    Change::Remove { of, expect: Expect::Any }
}

/// Holds a candidate, or adds its sources to the one that is held already.
pub(super) fn hold(
    writing: &mut BatchBuilder<'_>,
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
