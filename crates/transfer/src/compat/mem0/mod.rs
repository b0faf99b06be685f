//! mem0's words: the filter that its clients send and the memory that they are shown.

pub mod filter;
pub mod row;
