//! Measuring: what prompts get, how well recall finds, how well the gate decides and how well dates are read, on labelled texts.
//!
//! [`data`] reads conversations, [`retrieval`] takes them in through the real store and asks through the real path,
//! [`metrics`] counts, [`tune`] chooses weights by nested cross-validation, [`gate`] puts labelled messages before the gate,
//! [`everyday`] plays whole lives and looks at what prompts would get, [`time`] puts phrases before the reader of dates.
//! Nothing here is on anybody's way to an answer.

pub mod data;
pub mod everyday;
mod everyday_text;
pub mod gate;
pub mod metrics;
pub mod retrieval;
pub mod time;
pub mod tune;
