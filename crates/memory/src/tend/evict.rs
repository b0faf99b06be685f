//! What has faded and is not asked for makes room: it is archived, never deleted. Salience must be under the floor, strength
//! low, and the last use long ago; each of them alone is no reason.

use super::{Proposal, StepSlice, TendContext, Tender};
use crate::error::StoreResult;
use crate::strength;
use crate::types::{Memory, Status};

/// Days without a use before anything can be evicted.
const IDLE_DAYS: f64 = 30.0;

pub(super) async fn plan(tender: &Tender, cursor: &str, look: &TendContext<'_>) -> StoreResult<StepSlice> {
    let settings = &tender.tools.settings;
    let page = tender.ours_after(cursor).await?;
    let counters = tender.counters_of(&page.memories).await?;
    let faded = page.memories.into_iter().filter_map(|(_, memory)| {
        let counts = counters.get(&memory.id);
        let salience = strength::salience(&memory, counts, look.now);
        let strength = strength::strength(&memory, counts, look.now);
        let idle = strength::idle_days(&memory, counts, look.now);
        if salience >= settings.salience_floor || strength >= settings.strength_floor || idle < IDLE_DAYS {
            return None;
        }
        let reason = format!("salience {salience:.2}, strength {strength:.2}, not used for {idle:.0} days");
        let archived = Memory { status: Status::Archived, updated_at: look.now, ..memory };
        Some(Proposal::about(&[&archived.id.clone()], reason).replace(archived))
    });
    Ok(StepSlice { proposed: faded.collect(), next: page.next, skipped: None })
}
