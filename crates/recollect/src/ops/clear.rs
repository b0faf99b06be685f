//! Forget everything that matches, however much it is, or say how much it would be.
//!
//! [`super::forget`] removes as many as one batch takes. This one repeats it until nothing is left, a run for each batch.

use memory::ports::ReadStore;
use memory::types::{PageRequest, RunId};
use serde::{Deserialize, Serialize};

use super::OpContext;
use super::forget::{self, Forget};
use super::select::Selection;
use crate::limits;
use crate::problem::{Code, Problem};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Clear {
    pub filter: Selection,
    /// Those that contain all of these words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matching: Option<String>,
    /// Everything that the filters let through, even if there are none.
    pub all: bool,
    /// Only count.
    pub dry_run: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cleared {
    pub count: u64,
    pub dry_run: bool,
    /// What can be undone, batch by batch.
    pub runs: Vec<RunId>,
}

pub(super) async fn clear(visit: &OpContext<'_>, request: Clear) -> Result<Cleared, Problem> {
    let forget = Forget {
        filter: request.filter,
        matching: request.matching,
        all: request.all,
        confirmed: !request.dry_run,
        ..Forget::default()
    };
    if request.dry_run {
        return Ok(Cleared { count: count(visit, &forget).await?, dry_run: true, runs: Vec::new() });
    }
    let mut cleared = Cleared { count: 0, dry_run: false, runs: Vec::new() };
    for _ in 0..limits::CLEAR_BATCHES {
        let forgotten = forget::forget(visit, forget.clone()).await?;
        cleared.count += forgotten.count as u64;
        let is_last = !forgotten.more || forgotten.total() == 0;
        cleared.runs.extend(forgotten.run);
        if is_last {
            return Ok(cleared);
        }
    }
    let message = format!("{} memories are forgotten, and more keep coming", cleared.count);
    Err(Problem::new(Code::Busy, message).hint("repeat it when nobody writes"))
}

async fn count(visit: &OpContext<'_>, forget: &Forget) -> Result<u64, Problem> {
    forget::check(forget)?;
    let filter = forget::filter(forget);
    match &forget.matching {
        Some(text) => forget::count_matching(visit, text, &filter).await,
        None => Ok(visit.tenant.list_memories(&filter, PageRequest::first(1)).await?.total),
    }
}
