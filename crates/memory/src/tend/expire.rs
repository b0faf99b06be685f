//! What was only to hold until some moment is archived when that is past. Searches hide it from the moment on anyway; this
//! takes it out of what other steps look at.

use super::{Proposal, StepSlice, TendContext, Tender};
use crate::error::StoreResult;
use crate::types::{Memory, Status};

pub(super) async fn plan(tender: &Tender, cursor: &str, look: &TendContext<'_>) -> StoreResult<StepSlice> {
    let page = tender.ours_after(cursor).await?;
    let over = page.memories.into_iter().filter_map(|(_, memory)| {
        let until = memory.expires_at.filter(|until| *until <= look.now)?;
        let proposed = Proposal::about(&[&memory.id], format!("expired {until}"));
        Some(proposed.replace(Memory { status: Status::Archived, updated_at: look.now, ..memory }))
    });
    Ok(StepSlice { proposed: over.collect(), next: page.next, skipped: None })
}
