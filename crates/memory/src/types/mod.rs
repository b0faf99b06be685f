//! The words of the house.
//!
//! Everything that is remembered is one of the types below, and every store keeps exactly these. They are plain
//! data: no method here reads a clock, a disk or a network. The words and what they mean are those of
//! ARCHITECTURE.md; the names that other systems use for a word stand beside it, where the word is defined.

mod clock;
mod conversation;
mod crisis;
mod durability;
mod erase;
mod filter;
mod graph;
mod identity;
mod ids;
mod item;
mod memory;
mod record;
mod repair;
mod time;
mod upkeep;
mod veil;

pub use clock::HybridTime;
pub use conversation::{
    Agent, Block, Episode, HeldCandidate, PendingTurn, RedoEntry, Role, Session, Turn, Verdict,
};
pub use crisis::{ClassifierPath, CrisisNote, CrisisRecord};
pub use durability::StatementDurability;
pub use erase::{Erased, Erasure, PastChange, Traces};
pub use filter::{Filter, KeyBounds, Order, Page, PageRequest, Validity, Viewer};
pub use graph::{Entity, EntityType, Link, LinkKind, Node, Relation};
pub use identity::{Edited, Identity, Override, ProfileVersion};
pub use ids::TenantSession;
pub use ids::{
    AgentId, CrisisId, EntityId, EpisodeId, HeldId, IdError, LinkId, MemoryId, OverrideId, Owner, ProfileId,
    ProjectId, RelationId, RunId, SessionId, SessionKey, TenantId, TurnId, UserId, VeilId,
};
pub use item::{Extent, Item, Part, RestoredItem};
pub use memory::{
    Belonging, Counters, Emotion, Kind, Layer, Memory, Origin, Provenance, Scope, Status, UnknownWord,
    content_hash, hex,
};
pub use record::{Actor, Batch, Change, Corpus, Expect, Record, RecordKind, RecordRef, Written};
pub use repair::{Aside, Mend};
pub use time::{Time, TimeError};
pub use upkeep::{
    ArchiveAccess, ArchivedText, FeedbackEntry, HistoryEvent, Job, JudgedBy, Judgement, Judgements, Kept,
    Lease, ProcessingEntry, ProcessingOutcome, Receipt, Run, RunState, Step,
};
pub use veil::{HiddenText, Veil};

/// What somebody wrote, as an error may repeat it: its beginning, without signs that could take over a terminal or a log.
pub fn shown(text: &str) -> String {
    text.chars().filter(|character| !character.is_control()).take(crate::limits::SHOWN_CHARACTERS).collect()
}
