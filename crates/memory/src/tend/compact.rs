//! What happened once and is asked for again and again has become something that is known: an episodic memory that is old
//! enough and was used often moves to the semantic layer. A conscientious agent does so sooner.

use std::collections::HashMap;

use super::{Proposal, StepSlice, TendContext, Tender};
use crate::error::StoreResult;
use crate::personality::Tuning;
use crate::types::{AgentId, Layer, Memory};

/// Days that it must be old, before the agent's character moves them, and how often it must have been used.
const OLD_DAYS: f64 = 7.0;
const USES: u64 = 3;

pub(super) async fn plan(tender: &Tender, cursor: &str, look: &TendContext<'_>) -> StoreResult<StepSlice> {
    let mut page = tender.ours_after(cursor).await?;
    page.memories.retain(|(_, memory)| memory.layer == Layer::Episodic);
    let counters = tender.counters_of(&page.memories).await?;
    let mut factors: HashMap<AgentId, f64> = HashMap::new();
    let mut proposed = Vec::new();
    for (_, memory) in page.memories {
        let uses = counters.get(&memory.id).map_or(0, |counters| counters.use_count);
        if uses < USES {
            continue;
        }
        let factor = match factors.get(&memory.agent) {
            Some(factor) => *factor,
            None => {
                let tuning = Tuning::of(tender.store(), &memory.agent, &tender.tools.settings).await?;
                *factors.entry(memory.agent.clone()).or_insert(tuning.compaction_factor)
            }
        };
        let days = look.now.days_since(memory.created_at);
        if days >= OLD_DAYS * factor {
            let reason = format!("used {uses} times in {days:.0} days");
            let known = Memory { layer: Layer::Semantic, updated_at: look.now, ..memory };
            proposed.push(Proposal::about(&[&known.id.clone()], reason).replace(known));
        }
    }
    Ok(StepSlice { proposed, next: page.next, skipped: None })
}
