//! The mind of Recollect: no HTTP, no SQL, no wall clock.
//!
//! A tour, in the order data flows. [`types`] are the words; [`limits`] every bound; [`error`] what can go wrong, by
//! what the caller must do; [`ports`] the five doors to the outside (storage, embedding, the judge of speech, a chat model,
//! time). [`language`] holds what is known of each language, a folder each; [`text`] turns sentences into terms. [`graph`] is who
//! and what belongs together, [`strength`] how well a memory is remembered today, [`outdated`] what tells that which is over, [`profile`] what is told of a user,
//! [`personality`] what an agent's character changes. [`recall`] is the read path, [`learn`] the write path; neither
//! knows the other. [`validate`] checks what comes in, [`mod@write`] says what a write means, whichever store carries it out.
//! [`tend`] is the upkeep, [`mod@forget`] takes out, [`checkup`] says what can be wrong; all of them work with one [`toolkit`].
//! [`follower`] is what is kept in memory and follows the log. [`settings`] is the one table of what a person may tune;
//! [`trace`] the name under which steps are traced.

pub mod checkup;
pub mod error;
pub mod follower;
pub mod forget;
pub mod graph;
pub mod language;
pub mod learn;
pub mod limits;
pub mod outdated;
pub mod personality;
pub mod ports;
pub mod profile;
pub mod recall;
pub mod settings;
pub mod strength;
pub mod tend;
pub mod text;
pub mod toolkit;
pub mod trace;
pub mod types;
pub mod validate;
pub mod write;
