//! How long a statement is meant to hold, as far as its words say.

use serde::{Deserialize, Serialize};

/// How long a statement is meant to hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StatementDurability {
    /// Said to be kept: "from now on", "always", "remember that".
    Explicit,
    /// Of the sort that keeps: a preference, a fact about somebody.
    Lasting,
    /// Of this session: an event, a passing state.
    Session,
    /// Of this turn: "for now", "just today".
    Turn,
}
