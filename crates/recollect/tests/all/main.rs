//! The binary, tested at its surfaces: real processes, a real socket, a real folder.
//!
//! One test binary, a module per surface. [`support`] runs commands and servers in a home of their own.

mod backup;
mod chat;
mod commands;
mod configuration;
mod connections;
mod contexts;
mod core_model;
mod doctor;
mod evaluating;
mod feedback;
mod filters;
mod forgetting;
mod http;
mod identity;
mod ingesting;
mod isolation;
mod keys;
mod learning;
mod mcp;
mod mem0;
mod mistakes;
mod model;
mod needed;
mod personality;
mod proxy;
mod recalling;
mod references;
mod rest;
mod scene;
mod searching;
mod seeds;
mod serving;
mod settings;
mod support;
mod telemetry;
mod telling;
mod tending;
mod terminal;
mod three_processes;
mod transfer;
mod uses;
mod wires;
