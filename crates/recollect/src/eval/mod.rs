//! Measuring: how well recall finds, and how well the gate decides, on labelled conversations.
//!
//! [`data`] reads conversations, [`retrieval`] takes them in through the real store and asks through the real path,
//! [`metrics`] counts, [`tune`] chooses weights by nested cross-validation, [`gate`] puts labelled messages before the gate.
//! Nothing here is on anybody's way to an answer.

pub mod data;
pub mod gate;
pub mod metrics;
pub mod retrieval;
pub mod tune;
