//! What a memory said word for word, before upkeep shortened it.

use memory::tend;
use memory::types::{MemoryId, Time};
use serde::{Deserialize, Serialize};

use super::{OpContext, show};
use crate::problem::Problem;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rehydrate {
    pub id: MemoryId,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Rehydrated {
    /// Nothing where the memory was never shortened, or the text is not what its hash says.
    #[schema(required)]
    pub verbatim_content: Option<String>,
    #[schema(required, value_type = Option<crate::schema::MomentSchema>)]
    pub archived_at: Option<Time>,
}

pub(super) async fn rehydrate(visit: &OpContext<'_>, request: Rehydrate) -> Result<Rehydrated, Problem> {
    let memory = show::find(visit, &request.id).await?;
    let found = tend::rehydrate(&visit.tenant, &memory.id, visit.now).await?;
    Ok(Rehydrated {
        archived_at: found.as_ref().map(|verbatim| verbatim.archived_at),
        verbatim_content: found.map(|verbatim| verbatim.text),
    })
}
