//! The read path: gate → retrieve → fuse → assemble.
pub mod bm25;
