//! Memory that moves: exports, imports, and what is the same before and after. The formats themselves are tested in
//! `crates/transfer`.

mod again;
mod foreign_import;
mod format_1;
mod ingest_lines;
mod own;
mod own_schema;
mod surface;
mod vault_store;
