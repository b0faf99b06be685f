//! Inject: the last step of recall, from a block to a chat request that has it.
//!
//! ```text
//! bytes → wire (read) → continuity (which conversation) → replay (what stood there) → inject (what is new) → bytes
//! ```
//!
//! A proxy does it in this order; everything but the reads of the store is pure:
//!
//! 1. [`ChatBody::read`]; a body that cannot be read goes on as it is. [`side_calls::recognise`]: not for memory.
//! 2. `learn::continuity::find` says which session it is and which messages are new.
//! 3. [`Replay::of`] what the store has under [`Asked::block_keys`].
//! 4. [`Asked::undecided`] and [`Decisions::begin`]: only then a context is looked for, under the deadline.
//! 5. [`inject`] makes the body that goes upstream; with no context the old blocks are still in place.
//! 6. [`Injection::block`] is stored together with `learn::continuity::incoming::incoming`, the new messages.

pub(crate) mod bounded;
pub mod place;
pub mod replay;
pub mod side_calls;
pub mod wire;

pub use replay::{Asked, Decisions, Injection, Replay, inject};
pub use side_calls::SideCall;
pub use wire::{ChatBody, Dialect, Envelope, Splice, WireError, WireMessage};
