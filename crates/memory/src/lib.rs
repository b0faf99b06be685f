//! The mind of Recollect: no HTTP, no SQL, no wall clock.
//!
//! A tour, in the order data flows. [`types`] are the words; [`limits`] every bound; [`error`] what can go wrong, by
//! what the caller must do; [`ports`] the four doors to the outside (storage, embedding, chat, time). [`text`] turns
//! sentences into terms. [`recall`] is the read path, [`tend`] the upkeep,
//! [`checkup`] what can be wrong. [`settings`] is the one table of what a person may tune;
//! [`trace`] the name under which steps are traced.

pub mod checkup;
pub mod error;
pub mod forget;
pub mod graph;
pub mod learn;
pub mod limits;
pub mod ports;
pub mod recall;
pub mod settings;
pub mod tend;
pub mod text;
pub mod trace;
pub mod types;
pub mod validate;
