//! What of a conversation is not told any more, until the forgetting is undone or was long enough ago.
//!
//! Turns are never rewritten, so what is forgotten of them lies under a veil: a record of its own, with a version and a history, by
//! which a run can be undone. The store keeps the turn as it was said and gives every reader what is left of it; nobody who reads
//! turns needs to know of veils. A veil that is purged takes what it hides along, for good.

use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{SessionKey, Time, TurnId, VeilId};

/// What one forgetting hides of one conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Veil {
    pub id: VeilId,
    pub version: u64,
    pub session: SessionKey,
    pub hidden: Vec<HiddenText>,
    pub created_at: Time,
}

/// A part of a turn, as bytes of the turn as it was said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HiddenText {
    pub turn: TurnId,
    pub start: usize,
    pub end: usize,
}

impl HiddenText {
    pub fn new(turn: &TurnId, part: &Range<usize>) -> Self {
        Self { turn: turn.clone(), start: part.start, end: part.end }
    }
}
