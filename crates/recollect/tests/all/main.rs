//! The binary, tested at its surfaces: real processes, a real socket, a real folder.
//!
//! One test binary, a module per surface. [`support`] runs commands and servers in a home of their own.

mod commands;
mod configuration;
mod contexts;
mod core_model;
mod evaluating;
mod filters;
mod forgetting;
mod http;
mod identity;
mod ingesting;
mod keys;
mod learning;
mod mistakes;
mod model;
mod personality;
mod proxy;
mod recalling;
mod references;
mod searching;
mod serving;
mod settings;
mod support;
mod terminal;
mod three_processes;
