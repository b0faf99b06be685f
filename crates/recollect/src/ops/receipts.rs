//! What purges said of themselves.

use std::collections::BTreeMap;

use memory::ports::ReadStore;
use memory::types::Receipt;
use serde::{Deserialize, Serialize};

use super::OpContext;
use crate::limits;
use crate::problem::Problem;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Receipts {
    /// How many, the latest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct ReceiptsListed {
    #[schema(value_type = Vec<ReceiptRow>)]
    pub receipts: Vec<Receipt>,
}

/// What a purge says of itself: kinds and numbers, never what was there.
#[derive(utoipa::ToSchema)]
#[allow(dead_code, reason = "it describes the core's receipt for the interface")]
pub struct ReceiptRow {
    /// The run of the purge.
    pub id: String,
    #[schema(value_type = crate::schema::MomentSchema)]
    pub at: String,
    /// What was taken away for good, by kind.
    pub removed: BTreeMap<String, u64>,
    /// What was kept and written anew without it, by kind.
    pub rewritten: BTreeMap<String, u64>,
    /// A keyed hash of the ids that were purged.
    pub hash: String,
    /// What no purge can reach.
    pub beyond: Vec<String>,
}

pub(super) async fn list(visit: &OpContext<'_>, request: Receipts) -> Result<ReceiptsListed, Problem> {
    let limit = request.limit.unwrap_or(limits::RUNS_LISTED).clamp(1, memory::limits::PAGE_ROWS);
    Ok(ReceiptsListed { receipts: visit.tenant.receipts(limit).await? })
}
