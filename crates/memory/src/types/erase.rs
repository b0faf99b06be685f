//! What only a purge writes and reads: taking text out of what stays, and looking where nothing else looks.
//!
//! A purge takes whole things away by [`Change::Purge`](super::Change::Purge). These are for what holds a part of it: a digest
//! that keeps its other sentences, an earlier version that history still tells, a block that was put into a prompt.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::{Expect, MemoryId, Record, RecordRef, TurnId};

/// Text that goes for good out of what stays.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "erase", rename_all = "snake_case")]
pub enum Erasure {
    /// Write the record without it. Nothing of what it said before stays in its history, and blocks that told it lose their text.
    Rewrite { record: Record, expect: Expect },
    /// What was before these changes, by number and ordinal, and the reason that was given for them.
    Past { events: Vec<(u64, u32)> },
    /// What a memory said word for word before it was shortened. The memory stays.
    Archive { memory: MemoryId },
    /// The texts of these blocks; their empty rows stay, so that a changed prompt can be told from a new one.
    Blocks { hashes: Vec<String> },
    /// Parts of a turn that stays, as bytes of the turn as it was said. Blocks that told it lose their text.
    Said { turn: TurnId, parts: Vec<Range<usize>> },
    /// What errors and logs say in words of their own, where it contains one of these texts.
    Details { containing: Vec<String> },
}

/// One change as history keeps it, whatever became of the record since.
#[derive(Debug, Clone, PartialEq)]
pub struct PastChange {
    pub number: u64,
    pub ordinal: u32,
    pub of: RecordRef,
    /// What was there before; nothing where the change made it, or where it was purged.
    pub before: Option<Record>,
    pub reason: Option<String>,
}

/// What must be in no file when a purge says that it is done.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Traces {
    /// What was purged, and what it was found by. A word that others still use is no trace by itself.
    pub texts: Vec<String>,
    /// The words that a person named, which are looked for once more at the end.
    pub named: Option<String>,
    /// More was purged than is listed here: look no further and write the files anew.
    pub many: bool,
}

/// What emptying the files came to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Erased {
    /// Traces lay in unused places of the files, which were written anew.
    pub rewritten: bool,
    /// A word is still there, in something that the purge was not about.
    pub remains: bool,
}
