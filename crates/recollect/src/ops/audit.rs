//! What was decided about requests: who was let in to what, and who was not.

use memory::limits::PAGE_ROWS;
use serde::{Deserialize, Serialize};
use store::AuditRow;

use super::OpContext;
use crate::limits;
use crate::problem::Problem;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AuditList {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// About all tenants, and about strangers who showed no key of any.
    pub everywhere: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditListed {
    /// The newest first.
    pub decisions: Vec<AuditRow>,
}

pub(super) async fn list(visit: &OpContext<'_>, request: AuditList) -> Result<AuditListed, Problem> {
    let limit = request.limit.unwrap_or(limits::USUAL_ROWS);
    if !(1..=PAGE_ROWS).contains(&limit) {
        let message = format!("a page of {limit} rows is asked for; expected from 1 to {PAGE_ROWS}");
        return Err(Problem::invalid(message));
    }
    let tenant = (!request.everywhere).then(|| visit.tenant.id());
    Ok(AuditListed { decisions: visit.house.tenants().decisions(tenant, limit).await? })
}
