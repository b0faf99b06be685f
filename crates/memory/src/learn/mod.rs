//! The write path: capture → buffer → distil → decide → verify → reconcile → commit.
//!
//! [`draft`] holds what the steps hand to each other: what a distiller, with or without a model, makes of a session.

pub mod buffer;
pub mod capture;
pub mod commit;
pub mod decide;
mod distil;
pub mod draft;
pub mod feedback;
mod held;
pub mod heuristic;
pub mod identity;
mod keep;
pub mod model;
pub mod observe;
pub mod promote;
pub mod reconcile;
pub mod redo;
mod room;
pub mod turn;
pub mod verify;
mod weave;
