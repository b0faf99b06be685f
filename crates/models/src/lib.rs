//! Models: what turns text into vectors, and the clients of models that other servers run.
//!
//! [`StaticTable`] is the embedding model that is always there: it is part of the binary and needs nothing else.
//! [`BuiltinJudge`] reads what people say, over the same table. [`Upstreams`] names the servers that somebody configured; [`http`] is the one client that speaks to them; [`chat`] asks
//! them for an answer, with everything that can go wrong on the way.

mod builtin;
pub mod chat;
pub mod http;
mod judge;
pub mod limits;
mod secret;
pub mod static_table;
pub mod upstream;
pub mod wordpiece;

pub use builtin::Builtin;
pub use chat::{BreakerState, ChatClient, ChatClients, Timer};
pub use judge::BuiltinJudge;
pub use secret::ProviderSecret;
pub use static_table::{Embedded, StaticTable};
pub use upstream::{MemoryShare, Upstream, UpstreamWire, Upstreams};
