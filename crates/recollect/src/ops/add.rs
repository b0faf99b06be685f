//! Remember one thing that a person says, or an assistant by a tool.
//!
//! Saying the same thing twice is no second memory: where the owner already has an active one with the same content,
//! scope and layer, that one is answered, with the new tags added to it. A key makes it an upsert instead.

use memory::error::Invalid;
use memory::learn::classify;
use memory::ports::{ReadStore, WriteStore};
use memory::types::{
    Actor, AgentId, Batch, Change, Filter, Kind, Layer, Memory, MemoryId, Origin, Owner, PageRequest,
    ProjectId, Provenance, Scope, SessionId, Time, UserId,
};
use serde::{Deserialize, Serialize};

use super::{OpContext, show};
use crate::problem::{Code, Problem};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Add {
    pub content: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<UserId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    /// A fact unless said otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// The usual one of its kind unless said otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer: Option<Layer>,
    /// This user with any agent unless said otherwise; for a caller who is bound to an agent and does not share the user, this
    /// user with this agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<ProjectId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// Whose words it rests on, where who adds it does not tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provenance: Option<Provenance>,
    /// Whether it is told only where a message calls for it; where nobody says so, the judge of speech does, afterwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sensitive: Option<bool>,
    /// Replaces what the owner has under this key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub predicate: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub pinned: bool,
    #[serde(skip_serializing_if = "serde_json::Map::is_empty")]
    pub metadata: serde_json::Map<String, serde_json::Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_from: Option<Time>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_until: Option<Time>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Time>,
    /// Not a person says it but an assistant, by a tool.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub by_tool: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Added {
    pub id: MemoryId,
    /// False when the same thing was already known, or its key was.
    pub created: bool,
    pub version: u64,
    /// The commit's number in the tenant's change log.
    pub change: u64,
    /// As it is now.
    pub memory: Box<Memory>,
}

pub(super) async fn add(visit: &OpContext<'_>, request: Add) -> Result<Added, Problem> {
    let settings = visit.tenant.settings().await?;
    let actor = if request.by_tool { Actor::Tool } else { Actor::Person };
    let memory = build(visit, request)?;
    room_for_another(visit, &memory, settings.max_entries_per_agent).await?;
    let (id, memory) = (memory.id.clone(), Box::new(memory));
    let change = match memory.key {
        Some(_) => Change::Upsert { memory },
        None => Change::AddNew { memory },
    };
    let written = visit.tenant.apply(Batch::new(actor, visit.now).with(change)).await?;
    let (of, version) = written.records.first().ok_or_else(|| Problem::ours("an add wrote no record"))?;
    let written_id: MemoryId = of.id.parse().map_err(Problem::ours)?;
    let memory = Box::new(show::find(visit, &written_id).await?);
    let (created, change) = (written_id == id, written.number);
    Ok(Added { id: written_id, created, version: *version, change, memory })
}

fn build(visit: &OpContext<'_>, request: Add) -> Result<Memory, Problem> {
    let owner = Owner {
        agent: request.agent.unwrap_or_else(AgentId::unnamed),
        user: request.user.unwrap_or_else(UserId::unnamed),
    };
    let (id, tenant) = (visit.memory_id(), visit.tenant.id().clone());
    let kind = request.kind.unwrap_or(Kind::Fact);
    let content = request.content.trim().to_owned();
    let category = request.category.filter(|word| !word.trim().is_empty());
    let memory = Memory {
        session: request.session,
        project: request.project,
        scope: scope_for(visit, request.scope)?,
        // Who says whether it is private is not asked behind their back what else the judge makes of it.
        category: category.or_else(|| request.sensitive.and_then(|_| heard(visit, &content))),
        provenance: request.provenance,
        sensitive: request.sensitive.unwrap_or_default(),
        layer: request.layer.unwrap_or(kind.usual_layer()),
        key: request.key,
        tags: distinct(request.tags),
        subject: request.subject,
        predicate: request.predicate,
        object: request.object,
        evidence: request.evidence,
        pinned: request.pinned,
        origin: if request.by_tool { Origin::Tool } else { Origin::Person },
        metadata: request.metadata,
        valid_from: request.valid_from,
        valid_until: request.valid_until,
        expires_at: request.expires_at,
        ..Memory::new(id, tenant, &owner, kind, content, visit.now)
    };
    memory::validate::memory(&memory)?;
    must_be_visible(&memory)?;
    Ok(memory)
}

/// What the judge of speech hears a text to be about.
pub(super) fn heard(visit: &OpContext<'_>, content: &str) -> Option<String> {
    classify::matter_of(&*visit.house.judge, content).map(|matter| matter.category.to_owned())
}

/// Who sees what this caller writes. What the user has with any agent is out of reach of a key that does not share the user.
pub(super) fn scope_for(visit: &OpContext<'_>, asked: Option<Scope>) -> Result<Scope, Problem> {
    let agent_only = visit.caller.bounds().is_agent_only();
    match asked {
        None if agent_only => Ok(Scope::Agent),
        None => Ok(Scope::User),
        Some(scope) if agent_only && scope.is_shared_by_agents() => {
            let message =
                format!("this key is bound to agents, and the scope {scope} is the user's with any agent");
            let hint = "choose agent or thread, or use a key that was made with --shares-user";
            Err(Problem::new(Code::Denied, message).hint(hint))
        }
        Some(scope) => Ok(scope),
    }
}

/// A memory of a thread or project that names none would be seen by nobody.
pub(super) fn must_be_visible(memory: &Memory) -> Result<(), Invalid> {
    if memory.scope == Scope::Thread && memory.session.is_none() {
        let message = "the scope thread means one session, and no session is named";
        return Err(Invalid::field("session", message).hint("name the session, or choose another scope"));
    }
    if memory.scope == Scope::Project && memory.project.is_none() {
        let message = "the scope project means one project, and no project is named";
        return Err(Invalid::field("project", message).hint("name the project, or choose another scope"));
    }
    Ok(())
}

/// Trimmed, without empty ones and repetitions, in the order given.
pub(super) fn distinct(tags: Vec<String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::with_capacity(tags.len());
    for tag in tags {
        let tag = tag.trim();
        if !tag.is_empty() && kept.iter().all(|known| known != tag) {
            kept.push(tag.to_owned());
        }
    }
    kept
}

/// Refuses a memory beyond the owner's bound, unless it restates or replaces one that is there.
async fn room_for_another(visit: &OpContext<'_>, memory: &Memory, most: i64) -> Result<(), Problem> {
    let filter = Filter {
        agent: Some(memory.agent.clone()),
        user: Some(memory.user.clone()),
        ..Filter::current(visit.now)
    };
    let most = u64::try_from(most).unwrap_or(0);
    // What is active and does not hold is no memory of theirs now: counted one by one only where it may matter.
    if most == 0 || visit.tenant.active_memories(&memory.owner()).await? < most {
        return Ok(());
    }
    if visit.tenant.list_memories(&filter, PageRequest::first(1)).await?.total < most {
        return Ok(());
    }
    if is_known(visit, memory).await? {
        return Ok(());
    }
    let message = format!(
        "user {} with agent {} has {most} memories, which is the bound that the setting maxEntriesPerAgent draws",
        memory.user, memory.agent
    );
    let hint =
        "forget some, or raise it: recollect settings set maxEntriesPerAgent NUMBER (0 means no bound)";
    Err(Problem::new(Code::LimitReached, message).hint(hint))
}

/// Whether the owner has it already, under its key or word for word, in the same scope and layer.
async fn is_known(visit: &OpContext<'_>, memory: &Memory) -> Result<bool, Problem> {
    if let Some(key) = &memory.key {
        let known = visit.tenant.memories_by_key(&memory.owner(), std::slice::from_ref(key)).await?;
        return Ok(!known.is_empty());
    }
    let alike = visit.tenant.memories_by_hash(std::slice::from_ref(&memory.content_hash)).await?;
    let is_the_same = |known: &Memory| {
        known.layer == memory.layer && known.belonging() == memory.belonging() && known.holds(visit.now)
    };
    Ok(alike.iter().any(|(_, known)| is_the_same(known)))
}
