//! The knowledge graph, the links between memories, and what came from what.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::memory::words;
use super::{EntityId, EpisodeId, LinkId, MemoryId, Owner, ProfileId, RelationId, Status, Time, TurnId};

words! {
    EntityType, "entity type" {
        Person = "person",
        Company = "company" | "organization",
        Place = "place" | "location",
        Project = "project",
        Tool = "tool",
        Concept = "concept",
        Event = "event",
    }
}

/// Somebody or something that conversations name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Entity {
    pub id: EntityId,
    pub version: u64,
    pub owner: Owner,
    pub name: String,
    #[serde(rename = "type")]
    pub entity_type: EntityType,
    /// Other names for the same one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    pub status: Status,
    pub created_at: Time,
    pub updated_at: Time,
}

/// Two entities and what holds between them, while it holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Relation {
    pub id: RelationId,
    pub version: u64,
    pub owner: Owner,
    pub subject: EntityId,
    pub predicate: String,
    pub object: EntityId,
    pub confidence: f32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_from: Option<Time>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_until: Option<Time>,
    pub status: Status,
    pub created_at: Time,
    pub updated_at: Time,
}

words! {
    LinkKind, "link kind" {
        Related = "related",
        CoActivated = "co_activated",
        MergedFrom = "merged_from",
        DerivedFrom = "derived_from",
    }
}

/// Memory to memory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Link {
    pub id: LinkId,
    pub version: u64,
    pub from: MemoryId,
    pub to: MemoryId,
    pub kind: LinkKind,
    pub weight: f32,
    pub created_at: Time,
    pub updated_at: Time,
}

/// One end of "this came from that". The one table of these covers everything that can be made from something else,
/// so that "why" and "forget" walk the same edges.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", content = "id", rename_all = "snake_case")]
pub enum Node {
    Turn(TurnId),
    Memory(MemoryId),
    Episode(EpisodeId),
    Profile(ProfileId),
    Relation(RelationId),
    Link(LinkId),
    /// A block that was put into a prompt, by the hash of the chain it stands in.
    Block(String),
}

impl Node {
    /// The name of the node's kind, as stored.
    pub fn kind(&self) -> &'static str {
        match self {
            Node::Turn(_) => "turn",
            Node::Memory(_) => "memory",
            Node::Episode(_) => "episode",
            Node::Profile(_) => "profile",
            Node::Relation(_) => "relation",
            Node::Link(_) => "link",
            Node::Block(_) => "block",
        }
    }

    pub fn id(&self) -> &str {
        match self {
            Node::Turn(id) => id.as_str(),
            Node::Memory(id) => id.as_str(),
            Node::Episode(id) => id.as_str(),
            Node::Profile(id) => id.as_str(),
            Node::Relation(id) => id.as_str(),
            Node::Link(id) => id.as_str(),
            Node::Block(id) => id,
        }
    }

    /// The node of a kind and an id as they were stored; `None` when they do not fit each other.
    pub fn from_parts(kind: &str, id: &str) -> Option<Node> {
        Some(match kind {
            "turn" => Node::Turn(id.parse().ok()?),
            "memory" => Node::Memory(id.parse().ok()?),
            "episode" => Node::Episode(id.parse().ok()?),
            "profile" => Node::Profile(id.parse().ok()?),
            "relation" => Node::Relation(id.parse().ok()?),
            "link" => Node::Link(id.parse().ok()?),
            "block" => Node::Block(id.to_owned()),
            _ => return None,
        })
    }
}

impl fmt::Display for Node {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}", self.kind(), self.id())
    }
}
