//! The wires of chats: how a request of any dialect is read, which conversation it continues, where memory goes in it,
//! and how the reply is put together from its bytes. No web server, no HTTP client, no database: everything but the reads
//! of the store is pure.
//!
//! ```text
//! bytes → wire (read) → continuity (which conversation) → replay (what stood there) → inject (what is new) → bytes
//! bytes → sse → collect (the reply)
//! ```
//!
//! A proxy does it in this order:
//!
//! 1. [`ChatBody::read`]; a body that cannot be read goes on as it is. [`side_calls::recognise`]: not for memory.
//! 2. [`continuity::find`] says which session it is and which messages are new.
//! 3. [`Replay::of`] what the store has under [`Asked::block_keys`].
//! 4. [`Asked::undecided`] and [`Decisions::begin`]: only then a context is looked for, under the deadline.
//! 5. [`inject`] makes the body that goes upstream; with no context the old blocks are still in place.
//! 6. [`Injection::block`] is stored together with [`continuity::incoming::incoming`], the new messages.

mod bounded;
pub mod chain;
pub mod collect;
pub mod continuity;
pub mod limits;
pub mod place;
pub mod replay;
pub mod side_calls;
pub mod sse;
pub mod wire;

pub use replay::{Asked, Decisions, Injection, Replay, inject};
pub use side_calls::SideCall;
pub use wire::{ChatBody, Dialect, Envelope, Splice, WireError, WireMessage};
