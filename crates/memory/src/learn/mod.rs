//! The write path: capture → buffer → distil → decide → verify → reconcile → commit.
//!
//! [`draft`] holds what the steps hand to each other: what a distiller, with or without a model, makes of a session.

pub mod buffer;
pub mod capture;
pub mod commit;
pub mod decide;
pub mod draft;
pub mod heuristic;
mod keep;
pub mod promote;
pub mod reconcile;
mod room;
pub mod verify;
mod weave;
