//! How much is remembered of somebody, and how: in words that people know, for whoever shows it beside a chat.

use memory::ports::ReadStore;
use memory::types::{AgentId, Filter, Judgements, Layer, PageRequest, TenantId, UserId};
use serde::{Deserialize, Serialize};

use super::OpContext;
use crate::problem::Problem;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MemoryStatus {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<UserId>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryState {
    pub mode: StorageMode,
    pub tenant: TenantId,
    /// Whose memory was asked for; none means everybody's.
    pub agent: Option<AgentId>,
    pub user: Option<UserId>,
    /// Whether memory works at all: the setting `enabled`.
    pub enabled: bool,
    /// Whether it comes into chats by itself: the setting `recallEnabled`.
    pub proactive_recall: bool,
    /// Active memories of all layers.
    pub memories: u64,
    pub counts: LayerCounts,
    /// Access decisions about the tenant that are kept.
    pub audit_count: u64,
    /// What was said of the use of these memories, as far as it is kept.
    pub feedback: Judgements,
}

/// Where what is remembered lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StorageMode {
    /// On this machine's disk.
    Local,
    /// Nowhere: it is gone with the process.
    Incognito,
}

/// The three layers as people read them: facts, sessions, rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct LayerCounts {
    /// Facts.
    pub semantic: u64,
    /// Digests of conversations.
    pub episodic: u64,
    /// Rules.
    pub procedural: u64,
}

pub(super) async fn status(
    visit: &OpContext<'_>,
    request: MemoryStatus,
) -> Result<Box<MemoryState>, Problem> {
    let mode = if visit.house.tenants().is_incognito() { StorageMode::Incognito } else { StorageMode::Local };
    let settings = visit.tenant.settings().await?;
    let filter = Filter {
        agent: request.agent.clone(),
        user: request.user.clone(),
        bounds: visit.caller.bounds(),
        ..Filter::current(visit.now)
    };
    let counts = LayerCounts {
        semantic: memories(visit, &filter, &[Layer::Semantic]).await?,
        episodic: visit.tenant.list_episodes(&filter, PageRequest::first(1)).await?.total,
        procedural: memories(visit, &filter, &[Layer::Procedural]).await?,
    };
    Ok(Box::new(MemoryState {
        mode,
        tenant: visit.tenant.id().clone(),
        enabled: settings.enabled,
        proactive_recall: settings.recall_enabled,
        memories: memories(visit, &filter, &[]).await?,
        counts,
        feedback: visit.tenant.feedback_tally(request.agent.as_ref(), request.user.as_ref()).await?,
        audit_count: visit.house.tenants().count_decisions(visit.tenant.id()).await?,
        agent: request.agent,
        user: request.user,
    }))
}

async fn memories(visit: &OpContext<'_>, filter: &Filter, layers: &[Layer]) -> Result<u64, Problem> {
    let filter = Filter { layers: layers.to_vec(), ..filter.clone() };
    Ok(visit.tenant.list_memories(&filter, PageRequest::first(1)).await?.total)
}
