//! Conversations: who speaks, what was said, what it came to, and what still waits to be learned from.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::memory::words;
use super::{
    AgentId, EpisodeId, HeldId, Memory, MemoryId, Owner, Scope, SessionId, SessionKey, Status, Time, TurnId,
    UserId,
};

words! {
    /// Who said it.
    Role, "role" {
        User = "user" | "human",
        Assistant = "assistant" | "ai" | "model",
        System = "system" | "developer",
        Tool = "tool" | "function",
    }
}

/// An assistant, with what distinguishes it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Agent {
    pub id: AgentId,
    pub version: u64,
    pub name: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Traits and pipeline options, as the agent's own file gives them.
    #[serde(default, skip_serializing_if = "serde_json::Map::is_empty")]
    pub personality: serde_json::Map<String, serde_json::Value>,
    pub created_at: Time,
    pub updated_at: Time,
}

/// One conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Session {
    pub key: SessionKey,
    pub version: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    pub started_at: Time,
    pub last_turn_at: Time,
    /// Set when the session ended; a new turn clears it again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<Time>,
    /// Somebody spoke in it whose key is bound to its agent and does not share the user: what it teaches is that agent's alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub agent_only: bool,
    /// How many turns its first request brought along. They were said elsewhere or by nobody, as examples are, so another request
    /// that has the same ones need not be of this conversation.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub brought: u64,
    /// The place of the last turn up to which a core model has read it; what came behind is new to one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_by_model: Option<u64>,
    #[serde(default, skip_serializing_if = "serde_json::Map::is_empty")]
    pub metadata: serde_json::Map<String, serde_json::Value>,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// One message of a session. Turns are appended and never rewritten.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Turn {
    pub id: TurnId,
    /// The id under which the client knows it; a resent message with the same one is stored once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external_id: Option<String>,
    pub session: SessionKey,
    /// Place in the session, from 0. The store gives it.
    pub index: u64,
    pub role: Role,
    /// The speaker's name, where the client gives one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speaker: Option<String>,
    pub text: String,
    pub tokens: u32,
    pub at: Time,
    /// Cut off by the client before it was complete.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
}

/// The digest of one session; a session has at most one active.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Episode {
    pub id: EpisodeId,
    pub version: u64,
    pub session: SessionKey,
    pub summary: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub topics: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub key_dates: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub action_items: Vec<String>,
    pub salience: f32,
    pub origin: super::Origin,
    pub status: Status,
    /// When the conversation took place, from its first to its last turn.
    pub started_at: Time,
    pub ended_at: Time,
    pub created_at: Time,
    pub updated_at: Time,
}

impl Episode {
    /// What search sees of it: the summary, the topics, the decisions and the action items.
    pub fn searchable_text(&self) -> String {
        let lists = [&self.topics, &self.decisions, &self.action_items];
        let mut text = self.summary.clone();
        for item in lists.into_iter().flatten() {
            text.push('\n');
            text.push_str(item);
        }
        text
    }
}

words! {
    /// What the write policy says of a candidate.
    Verdict, "verdict" {
        CommitNow = "commit_now",
        CommitAtSessionEnd = "commit_at_session_end",
        RequireRepetition = "require_repetition",
        Drop = "drop",
    }
}

/// A candidate that waits for its session's end; stored, so that it survives a restart.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HeldCandidate {
    pub id: HeldId,
    pub version: u64,
    pub session: SessionKey,
    pub memory: Memory,
    pub verdict: Verdict,
    pub reason: String,
    /// The user's turns that say it.
    pub sources: Vec<TurnId>,
    pub created_at: Time,
}

/// A turn that has not been distilled yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PendingTurn {
    pub turn: TurnId,
    pub session: SessionKey,
    pub since: Time,
    /// Failed passes so far; at the cap the turn is a dead letter.
    pub failures: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_error: Option<String>,
    pub dead: bool,
}

/// A session distilled without a model, to be done again should one come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RedoEntry {
    pub session: SessionKey,
    pub since: Time,
    /// Passes of a model that failed; at the cap it is dead and waits for a person.
    #[serde(default)]
    pub failures: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_error: Option<String>,
    #[serde(default)]
    pub dead: bool,
}

/// What was put into a prompt before one of the client's messages, so that it stands there again next time.
///
/// Known by the chain hash of the message it stands before. When something it rests on is forgotten the text is gone and
/// `dropped` is set: the next request sees that a prefix changed, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Block {
    pub hash: String,
    pub session: SessionKey,
    /// As it was put in, fence and all.
    pub text: String,
    pub tokens: u64,
    pub memories: Vec<MemoryId>,
    pub turns: Vec<TurnId>,
    pub episodes: Vec<EpisodeId>,
    pub at: Time,
    /// Of its memories those that stand in it whatever the message is, which is no use of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub standing: Vec<MemoryId>,
    /// Of its tokens those of such lines, which count against no budget.
    #[serde(default)]
    pub standing_tokens: u64,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dropped: bool,
}

impl Block {
    /// The memories that were told for the message.
    pub fn served(&self) -> impl Iterator<Item = &MemoryId> {
        self.memories.iter().filter(|id| !self.standing.contains(id))
    }
}

impl Session {
    pub fn new(owner: &Owner, session: SessionId, at: Time) -> Self {
        let key = SessionKey::new(owner, session);
        let metadata = serde_json::Map::new();
        Self {
            key,
            version: 1,
            title: None,
            started_at: at,
            last_turn_at: at,
            ended_at: None,
            agent_only: false,
            brought: 0,
            read_by_model: None,
            metadata,
        }
    }

    /// Who sees what is learned from it.
    pub fn teaches(&self) -> Scope {
        if self.agent_only { Scope::Agent } else { Scope::User }
    }

    pub fn user(&self) -> &UserId {
        &self.key.user
    }
}
