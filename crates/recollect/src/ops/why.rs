//! Why a memory is there: the words it quotes, the turns it rests on, the step and the rule that made it, what it replaced
//! and what replaced it, and every decision since.

use memory::ports::ReadStore;
use memory::types::{Memory, MemoryId, Node, Origin, Role, SessionId, Status, Time, Turn, TurnId};
use serde::{Deserialize, Serialize};

use super::history::{self, History, MemoryEvent};
use super::ingest::given_id;
use super::{OpContext, show};
use crate::problem::Problem;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Why {
    pub id: MemoryId,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Explained {
    pub memory: Memory,
    /// Who made it: a person by hand, the heuristic distiller, a model.
    pub made_by: String,
    /// The distiller's rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// What the comparison with everything known came to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// In the order in which they were said.
    pub turns: Vec<SourceTurn>,
    /// What it took the place of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supersedes: Option<Other>,
    /// What took its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<Other>,
    /// Oldest first.
    pub events: Vec<MemoryEvent>,
}

/// A turn behind a memory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SourceTurn {
    /// As its client knows it.
    pub id: String,
    pub conversation_id: SessionId,
    pub at: Time,
    pub role: Role,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speaker: Option<String>,
    pub text: String,
    /// Whether the evidence stands in it.
    pub quoted: bool,
}

/// Another memory, recognisable.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Other {
    pub id: MemoryId,
    pub status: Status,
    pub content: String,
}

pub(super) async fn why(visit: &OpContext<'_>, request: Why) -> Result<Box<Explained>, Problem> {
    let memory = show::find(visit, &request.id).await?;
    let noted = |name: &str| memory.metadata.get(name).and_then(|value| value.as_str()).map(str::to_owned);
    let (rule, reason) = (noted("rule"), noted("why"));
    let before = noted("supersedes").and_then(|id| id.parse::<MemoryId>().ok());
    let supersedes = other(visit, before.as_ref()).await?;
    let superseded_by = other(visit, memory.superseded_by.as_ref()).await?;
    let turns = turns(visit, &memory).await?;
    let events = history::history(visit, History { id: request.id }).await?.events;
    let made_by = maker(memory.origin).to_owned();
    Ok(Box::new(Explained { memory, made_by, rule, reason, turns, supersedes, superseded_by, events }))
}

fn maker(origin: Origin) -> &'static str {
    match origin {
        Origin::Person => "a person, by hand",
        Origin::Model => "a model, distilling the session",
        Origin::Heuristic => "the heuristic distiller, from the user's words",
        Origin::Tool => "a tool",
        Origin::Import => "an import",
    }
}

async fn other(visit: &OpContext<'_>, id: Option<&MemoryId>) -> Result<Option<Other>, Problem> {
    let Some(id) = id else { return Ok(None) };
    let found = visit.tenant.memories(std::slice::from_ref(id)).await?.into_iter().next();
    Ok(found.map(|memory| Other { id: memory.id, status: memory.status, content: memory.content }))
}

async fn turns(visit: &OpContext<'_>, memory: &Memory) -> Result<Vec<SourceTurn>, Problem> {
    let parents = visit.tenant.parents(&Node::Memory(memory.id.clone())).await?;
    let turn = |node: Node| if let Node::Turn(id) = node { Some(id) } else { None };
    let ids: Vec<TurnId> = parents.into_iter().filter_map(turn).collect();
    let mut turns = visit.tenant.turns(&ids).await?;
    turns.sort_by_key(|turn| (turn.at, turn.index));
    let quote = memory.evidence.as_deref().unwrap_or_default();
    let said = |turn: Turn| SourceTurn {
        id: given_id(&turn),
        conversation_id: turn.session.session.clone(),
        at: turn.at,
        role: turn.role,
        speaker: turn.speaker.clone(),
        quoted: !quote.is_empty() && turn.text.contains(quote),
        text: turn.text,
    };
    Ok(turns.into_iter().map(said).collect())
}
