//! A memory that was served for a message was used, and that keeps it from fading.
//!
//! An application that asks over REST and a model that asks through a tool serve a message; a person who looks, in the terminal or in
//! a preview, uses nothing. A use is counted behind the answer, which neither waits for the count nor fails with it: a failure costs a count, which
//! is itself counted. A count is a write, so a caller who may only read makes none.

use memory::limits::SEARCH_RESULTS;
use memory::ports::WriteStore;
use memory::types::{Actor, Batch, Change, MemoryId};
use serde::{Deserialize, Serialize};
use store::Role;
use tracing::Instrument;

use super::{Access, Caller, OpContext, Services};
use crate::problem::Problem;
use crate::{metrics, telemetry};

/// For who serves only a part of what was found, and is another process than the house: everybody else is counted by the search itself.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CountUses {
    pub ids: Vec<MemoryId>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UsesCounted {
    /// How many were named.
    pub count: usize,
}

pub(super) async fn count_uses(visit: &OpContext<'_>, request: CountUses) -> Result<UsesCounted, Problem> {
    let count = request.ids.len();
    if count > SEARCH_RESULTS {
        let message = format!("{count} memories are named; expected at most {SEARCH_RESULTS}");
        return Err(Problem::field("ids", message));
    }
    visit.house.count_uses(visit.caller, request.ids);
    Ok(UsesCounted { count })
}

impl Services {
    /// Counts, behind the answer, that these memories were served to a caller for a message. What is counted was in an answer to the
    /// same caller: nobody else's memories are touched.
    pub fn count_uses(&self, caller: &Caller, memories: Vec<MemoryId>) {
        if memories.is_empty() || caller.role() < Role::Memory {
            return;
        }
        let (house, caller, unstored) = (self.clone(), caller.clone(), self.backlog.begin());
        let counting = async move {
            let _until_stored = unstored;
            if let Err(problem) = touch(&house, &caller, memories).await {
                metrics::feedback_lost("failed");
                tracing::warn!(cause = %problem.message, "the use of memories could not be counted");
            }
        };
        tokio::spawn(counting.instrument(telemetry::capture("use", &telemetry::TracePlace::here())));
    }
}

async fn touch(house: &Services, caller: &Caller, memories: Vec<MemoryId>) -> Result<(), Problem> {
    let visit = house.enter(caller, Access::Changes).await?;
    let batch = Batch::new(Actor::Tool, visit.now).with(Change::Touch { memories, at: visit.now });
    visit.tenant.apply(batch).await?;
    Ok(())
}
