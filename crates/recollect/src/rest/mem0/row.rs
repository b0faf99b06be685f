//! The page of a list and the word of what was done, as mem0's clients know them. A memory of theirs is in [`transfer::compat::mem0`].

use serde::Serialize;
use serde_json::Value;
use transfer::compat::mem0::row::Mem0Memory;
use utoipa::ToSchema;

/// A part of a list, in one shape on every version's path.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Mem0Page)]
pub struct Mem0Page {
    /// How many there are on all pages.
    pub count: u64,
    /// Where the next page is.
    #[schema(required)]
    pub next: Option<String>,
    #[schema(required)]
    pub previous: Option<String>,
    #[schema(value_type = Vec<Mem0Memory>)]
    pub results: Vec<Value>,
}

/// What was done, for people.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Mem0Message)]
pub struct Mem0Message {
    pub message: String,
}

impl Mem0Message {
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }
}
