//! The read path: gate → retrieve → fuse → assemble.
//!
//! [`search`] is retrieve and fuse: engines nominate ([`retrieve`]), the core scores ([`fuse`]) by one table ([`weights`]), [`mmr`] sees to variety.
//! Nothing here knows which engine answered, so scores compare across engines. [`gate`] says before whether to look at all,
//! [`assemble`] makes a block that fits out of what was found, [`context`] is all of that in one
//! call. Who asked for a context puts its block where it belongs: for a chat request that is the crate `chat`.

mod activation;
pub mod assemble;
pub mod bm25;
pub mod context;
pub mod fuse;
pub mod gate;
pub mod gate_features;
pub mod mmr;
mod past;
mod read;
pub mod request;
pub mod retrieve;
pub mod search;
pub mod weights;

pub use request::{Fusion, Hit, HitSource, Path, ScoreParts, SearchRequest, Strategy};
pub use search::{Recaller, SearchResult};
