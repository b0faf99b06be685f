//! The words, filters and rows of the systems whose clients and files are understood, each once: REST, MCP and the readers of files
//! use the same.

pub mod mem0;
pub mod words;
