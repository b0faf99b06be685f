//! The binary's house, from the outside in.
//!
//! What is asked: [`cli`] is the command line, [`app`] the HTTP surface with [`auth`] at its door, [`rest`] what HTTP clients
//! may ask, [`mcp`] memory as tools, [`proxy`] what chat clients talk to, with [`backlog`] for what of it is not stored
//! yet. All are thin: they parse, hand an
//! [`ops::Operation`] to [`ops::execute`], and print. [`request`], [`fields`] and [`conversation`] read what
//! comes from outside;
//! [`problem`] is the one table of what can go wrong and how each surface says it.
//!
//! What runs: [`serve`] starts and stops all of it, over [`connections`]; [`backend`] decides whether an operation is done here
//! or, over [`socket`] and [`rpc`], by the server that already runs on the data folder. [`learning`] distils what was said and
//! [`tending`] keeps memory up, both at once or in the background; [`core_model`] is one tenant's way to the model that helps,
//! [`gate`] the trained model that the binary carries. [`exchange`] is the edge towards exports and imports,
//! [`compat`] answers what the clients of other systems ask.
//!
//! What is said of it: [`config`] and [`environment`] name every key and variable, [`metrics`] is what is counted,
//! [`telemetry`] lets others watch, [`reference`] writes the pages made from code, [`eval`] measures.

pub mod app;
pub mod auth;
pub mod backend;
pub mod backlog;
pub mod cli;
pub mod compat;
pub mod config;
pub mod connections;
pub mod conversation;
pub mod core_model;
pub mod environment;
pub mod eval;
pub mod exchange;
pub mod fields;
pub mod gate;
pub mod learning;
pub mod limits;
pub mod log;
pub mod mcp;
pub mod metrics;
pub mod ops;
pub mod problem;
pub mod proxy;
pub mod reference;
pub mod request;
pub mod rest;
pub mod rpc;
pub mod schema;
pub mod serve;
pub mod socket;
pub mod telemetry;
pub mod tending;
pub mod toolkit;
