//! The formats, read and written without a server. What goes through commands and HTTP is tested where they are.

mod foreign;
mod foreign_agentos;
mod foreign_archives;
mod foreign_chatgpt;
mod foreign_claude;
mod foreign_mutations;
mod foreign_samples;
mod foreign_tables;
mod vault;
mod vault_sample;
