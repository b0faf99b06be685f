//! A memory as mem0's clients know it.

use memory::types::{Memory, SessionId, Time};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// The name that stands in for a user or an agent whom nobody named; these clients are told `null`.
pub const UNNAMED: &str = "default";

/// Where `app_id` is kept: there are no applications here, so it is a key of the metadata like any other.
pub const APP: &str = "app_id";

/// What the names of conversations begin with for which no run was named.
const UNNAMED_RUN: &str = "unnamed-run:";

/// A memory in mem0's words.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Mem0Memory)]
pub struct Mem0Memory {
    pub id: String,
    /// What it says.
    #[schema(required = false)]
    pub memory: String,
    /// Equal contents have equal hashes.
    #[schema(required = false)]
    pub hash: String,
    pub user_id: Option<String>,
    pub agent_id: Option<String>,
    pub app_id: Option<String>,
    pub run_id: Option<String>,
    #[schema(required = false, value_type = Object)]
    pub metadata: Map<String, Value>,
    /// Its kind, what it was learned to be about, and its tags.
    #[schema(required = false)]
    pub categories: Vec<String>,
    /// How well it fits; only in a search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub expiration_date: Option<Time>,
    #[schema(required = false, value_type = String, format = DateTime)]
    pub created_at: Time,
    #[schema(required = false, value_type = String, format = DateTime)]
    pub updated_at: Time,
}

impl Mem0Memory {
    pub fn of(memory: Memory, score: Option<f64>) -> Self {
        let named = |name: &str| Some(name).filter(|name| *name != UNNAMED).map(str::to_owned);
        Self {
            user_id: named(memory.user.as_str()),
            agent_id: named(memory.agent.as_str()),
            app_id: memory.metadata.get(APP).and_then(Value::as_str).map(str::to_owned),
            run_id: run(&memory).map(str::to_owned),
            categories: categories(&memory),
            id: memory.id.as_str().to_owned(),
            memory: memory.content,
            hash: memory.content_hash,
            metadata: memory.metadata,
            score,
            expiration_date: memory.expires_at,
            created_at: memory.created_at,
            updated_at: memory.updated_at,
        }
    }

    /// As JSON, with these fields and the id alone where some are named.
    pub fn shown(self, fields: &[String]) -> Value {
        let mut value = serde_json::to_value(self).expect("a memory is plain data");
        if let (Value::Object(object), false) = (&mut value, fields.is_empty()) {
            object.retain(|name, _| name == "id" || fields.contains(name));
        }
        value
    }
}

/// A conversation for which no run was named.
pub fn unnamed_run(unique: &str) -> SessionId {
    format!("{UNNAMED_RUN}{unique}").parse().expect("short and without control characters")
}

/// The run that a client named.
pub fn run(memory: &Memory) -> Option<&str> {
    let session = memory.session.as_ref().map(SessionId::as_str);
    session.filter(|session| !session.starts_with(UNNAMED_RUN))
}

/// What it is about, in words that clients group by.
pub fn categories(memory: &Memory) -> Vec<String> {
    let learned = memory.metadata.get("category").and_then(Value::as_str);
    let all = [memory.kind.as_str()].into_iter().chain(learned).chain(memory.tags.iter().map(String::as_str));
    let mut words: Vec<String> = Vec::new();
    for word in all {
        if !words.iter().any(|known| known == word) {
            words.push(word.to_owned());
        }
    }
    words
}
