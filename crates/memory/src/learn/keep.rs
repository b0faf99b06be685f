//! Finds what stands near a candidate, lets it be compared, and writes what follows.

use std::collections::HashMap;

use super::buffer::Learner;
use super::commit::{Tally, Writing, written_memories};
use super::draft::Candidate;
use super::reconcile::{Outcome, reconcile};
use super::verify::Standing;
use crate::error::StoreResult;
use crate::text::Analyser;
use crate::text::query;
use crate::types::{Corpus, Filter, Memory, MemoryId, Status};

/// What stands near a candidate, at most, by words and by meaning each.
const NEAR: usize = 30;

impl Learner {
    /// Compares a candidate with what stands near it, this pass's own writes among it, and writes what follows.
    pub(super) async fn keep(
        &self,
        writing: &mut Writing<'_>,
        candidate: &Candidate,
        analyser: &Analyser,
        tally: &mut Tally,
    ) -> StoreResult<()> {
        let mut near = self.near(writing, candidate, analyser).await?;
        for memory in written_memories(&writing.batch) {
            near.insert(memory.id.clone(), (memory, None));
        }
        let mut standing: Vec<Standing<'_>> =
            near.values().map(|(memory, cosine)| Standing { memory, cosine: *cosine }).collect();
        standing.sort_by(|a, b| a.memory.id.cmp(&b.memory.id));
        let outcome = reconcile(candidate, &standing, &self.settings, analyser);
        let memories: HashMap<MemoryId, Memory> =
            near.iter().map(|(id, (memory, _))| (id.clone(), memory.clone())).collect();
        let candidate = unless_taken(candidate, &outcome, &memories);
        writing.candidate(&candidate, &outcome, &memories, tally);
        Ok(())
    }

    /// Active memories of the owner that share the candidate's key, its words or its meaning.
    async fn near(
        &self,
        writing: &Writing<'_>,
        candidate: &Candidate,
        analyser: &Analyser,
    ) -> StoreResult<HashMap<MemoryId, (Memory, Option<f64>)>> {
        let owner = writing.session.owner();
        let mut filter = Filter::current(writing.now);
        filter.agent = Some(owner.agent.clone());
        filter.user = Some(owner.user.clone());
        let query = query::plain(&candidate.content, analyser);
        let mut ids: Vec<MemoryId> = Vec::new();
        let mut cosines: HashMap<String, f64> = HashMap::new();
        let by_words = self.store.nominate(Corpus::Memories, &query, &filter, NEAR).await?;
        ids.extend(by_words.iter().filter_map(|nominee| nominee.id.parse().ok()));
        if let Some(embedder) = &self.embedder
            && let Ok(vectors) = embedder.embed(std::slice::from_ref(&candidate.content)).await
            && let Some(vector) = vectors.first()
        {
            let near = self
                .store
                .nominate_near(Corpus::Memories, embedder.signature(), vector, &filter, NEAR)
                .await?;
            for (nominee, cosine) in near.unwrap_or_default() {
                ids.extend(nominee.id.parse::<MemoryId>().ok());
                cosines.insert(nominee.id, f64::from(cosine));
            }
        }
        let mut memories = self.store.memories(&ids).await?;
        if let Some(key) = &candidate.key {
            memories.extend(self.store.memories_by_key(&owner, std::slice::from_ref(key)).await?);
        }
        let with_cosine = memories.into_iter().map(|memory| {
            let cosine = cosines.get(memory.id.as_str()).copied();
            (memory.id.clone(), (memory, cosine))
        });
        Ok(with_cosine.collect())
    }
}

/// A key that a memory which stays already has cannot be given twice.
fn unless_taken(candidate: &Candidate, outcome: &Outcome, standing: &HashMap<MemoryId, Memory>) -> Candidate {
    let replaced: &[MemoryId] = match outcome {
        Outcome::Supersede { replaced, .. } => replaced,
        _ => &[],
    };
    let taken = standing.values().any(|memory| {
        memory.status == Status::Active && memory.key == candidate.key && !replaced.contains(&memory.id)
    });
    let mut candidate = candidate.clone();
    if taken {
        candidate.key = None;
    }
    candidate
}
