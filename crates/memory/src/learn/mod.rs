//! The write path: capture → distil → decide → verify → reconcile → commit.
//!
//! [`draft`] holds what the steps hand to each other: what a distiller, with or without a model, makes of a session. [`session_pass`]
//! goes through the steps for the turns of a session that wait.

mod answers;
mod capacity;
pub mod capture;
pub mod classify;
pub mod commit;
mod control;
pub mod crisis;
pub mod decide;
mod digests;
mod distil;
pub mod draft;
pub(crate) mod ending;
pub mod feedback;
mod given;
mod graph_update;
mod held;
pub mod heuristic;
pub mod identity;
mod introduction;
pub mod judged;
pub mod model;
pub mod observe;
pub mod promote;
mod quotation;
pub mod reconcile;
pub mod redo;
pub mod relearn;
mod request_words;
pub(crate) mod rest;
pub mod session_pass;
mod taken_back;
mod tasks;
mod term;
pub mod told;
pub mod turn_mode;
mod upsert_candidate;
mod values;
pub mod verify;
pub(crate) mod wish;

/// Reads the tables of words that every message is held against, so that the first one does not wait for them.
pub fn read_tables() {
    const MESSAGE: &str = "Good morning";
    crate::text::harm::must_not_be_told(MESSAGE);
    control::wish_form(MESSAGE);
    control::silence_of(MESSAGE);
    given::given_text(MESSAGE);
}
