//! The read path: gate → retrieve → fuse → assemble.
//!
//! [`search`] is retrieve and fuse: engines nominate ([`retrieve`]), the core scores ([`fuse`]), [`mmr`] sees to variety.
//! Nothing here knows which engine answered, so scores compare across engines.

pub mod assemble;
pub mod bm25;
pub mod context;
pub mod fuse;
pub mod gate;
pub mod mmr;
mod past;
pub mod request;
pub mod retrieve;
pub mod search;

pub use request::{Fusion, Hit, Parts, Path, SearchRequest, Source, Strategy};
pub use search::{Recaller, SearchResult};
