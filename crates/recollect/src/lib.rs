//! The binary's house, from the outside in.
//!
//! [`cli`] is the command line and [`app`] the HTTP surface, with [`auth`] at its door; both are thin: they parse, hand an [`ops::Operation`] to
//! [`ops::execute`], and print. [`rest`] is what HTTP clients may ask; [`request`], [`fields`] and [`conversation`] read what
//! comes from outside. [`link`] decides whether an operation is done here or by the server that already runs on the data folder.
//! [`learning`] distils what was said, at once or in the background. [`config`] says where that is; [`environment`] names every variable; [`problem`] is the one
//! table of what can go wrong and how each surface says it; [`gate`] is the trained model that the binary carries;
//! [`mcp`] offers memory as tools; [`proxy`] is what chat clients talk to, with memory in between; [`backlog`] is what of it is not
//! stored yet; [`metrics`] is what is counted;
//! [`core_model`] is one tenant's way to the model that helps with learning;
//! [`telemetry`] lets others watch the way through it;
//! [`serve`] starts and stops all of it, over [`connections`];
//! [`exchange`] is the edge towards exports and imports; [`reference`] writes the pages made from code; [`eval`] measures.

pub mod app;
pub mod auth;
pub mod backlog;
pub mod cli;
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
pub mod link;
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
pub mod serve;
pub mod socket;
pub mod telemetry;
pub mod tending;
pub mod toolkit;
