//! Memory that moves: exports, imports, and what is the same before and after.

mod again;
mod foreign;
mod foreign_agentos;
mod foreign_archives;
mod foreign_chatgpt;
mod foreign_claude;
mod foreign_import;
mod foreign_mutations;
mod foreign_samples;
mod foreign_tables;
mod own;
mod own_schema;
mod surface;
mod vault;
mod vault_random;
mod vault_sample;
mod vault_store;
