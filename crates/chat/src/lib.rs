//! The wires of chats: how a request of any dialect is read, which conversation it continues, where memory goes in it,
//! and how the reply is put together from its bytes. No web server, no HTTP client, no database: everything but the reads
//! of the store is pure.
//!
//! ```text
//! bytes → wire (read) → continuity (which conversation) → replay (what stood there, what is new) → bytes
//! bytes → sse → collect (the reply)
//! ```
//!
//! Each step takes what the step before gives, so that none can be left out: a [`RequestBody`] is read once; one that is a
//! chat and no client's side call ([`side_calls`]) and whose place [`continuity`] found is [`Recognised`]; with the blocks that the
//! store has of it, it is [`Replayed`]; only that one says whether a context is to be looked for, and only into that one
//! something is put. The [`Injection`] is what goes upstream, and its block is stored together with the new messages.

pub mod chain;
pub mod collect;
pub mod continuity;
pub mod limits;
pub mod placement;
pub mod replay;
pub mod side_calls;
pub mod sse;
pub mod wire;

pub use replay::{Injection, InjectionDecisions, Recognised, Replayed, Target};
pub use side_calls::SideCall;
pub use wire::{ChatBody, Dialect, Envelope, RequestBody, Splice, WireError, WireMessage};
