//! The one word that OmniRoute, AgentOS, mem0 and tables have for layer and kind, and their words for whom a memory is for.

use std::str::FromStr;

use memory::types::{Kind, Layer, Scope};

/// OmniRoute's types of memories.
pub const OMNIROUTE_TYPES: [&str; 4] = ["factual", "episodic", "procedural", "semantic"];

/// What `type` may mean: a layer, in our words or `factual`; else a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TypeFilter {
    Layer(Layer),
    Kind(Kind),
}

impl TypeFilter {
    pub fn layer(self) -> Option<Layer> {
        match self {
            TypeFilter::Layer(layer) => Some(layer),
            TypeFilter::Kind(_) => None,
        }
    }

    pub fn kind(self) -> Option<Kind> {
        match self {
            TypeFilter::Layer(_) => None,
            TypeFilter::Kind(kind) => Some(kind),
        }
    }
}

impl FromStr for TypeFilter {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        if let Ok(layer) = word.parse() {
            return Ok(TypeFilter::Layer(layer));
        }
        word.parse().map(TypeFilter::Kind).map_err(|_| {
            let layers: Vec<&str> = Layer::ALL.iter().map(|layer| layer.as_str()).collect();
            let kinds: Vec<&str> = Kind::ALL.iter().map(|kind| kind.as_str()).collect();
            let given: String = word.chars().take(60).collect();
            format!("`{given}` is none; expected {}, or {}", layers.join(", "), kinds.join(", "))
        })
    }
}

/// Layer and kind of a record in a file, where one word may say both.
pub fn layer_and_kind(word: &str) -> (Option<Layer>, Option<Kind>) {
    (word.parse().ok(), word.parse().ok())
}

/// Whom a memory of another system is for.
pub fn scope(word: &str) -> Option<Scope> {
    match word.trim().to_ascii_lowercase().as_str() {
        "org" | "team" | "shared" => Some(Scope::Organization),
        "conversation" => Some(Scope::Thread),
        other => other.parse().ok(),
    }
}
