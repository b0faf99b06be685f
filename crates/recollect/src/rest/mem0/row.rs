//! The page of a list and the word of what was done, as mem0's clients know them. A memory of theirs is in [`transfer::compat::mem0`].

use serde::Serialize;
use serde_json::Value;
use transfer::compat::mem0::row::Item;
use utoipa::ToSchema;

/// A part of a list, in one shape on every version's path.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Mem0Page)]
pub struct Page {
    /// How many there are on all pages.
    pub count: u64,
    /// Where the next page is.
    #[schema(required)]
    pub next: Option<String>,
    #[schema(required)]
    pub previous: Option<String>,
    #[schema(value_type = Vec<Item>)]
    pub results: Vec<Value>,
}

/// What was done, for people.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Mem0Message)]
pub struct Message {
    pub message: String,
}

impl Message {
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }
}
