//! Text, before anybody attaches a meaning to it: how it becomes tokens, terms, queries, similarities and dates.
//!
//! The words of the languages are in [`crate::language`]. Everything here is a pure function of its arguments: no clock,
//! no storage, no model. The analyser is used by the
//! write path and the read path alike, which is what makes them agree; a change in it changes every index, so it
//! carries a version ([`ANALYSER_VERSION`]).
//!
//! ```text
//! script  →  fold  →  segment  →  analyser  →  query, similarity        tokens, time: on the raw text
//! ```
//!
//! Beside that way stand the four guards of text that goes somewhere: [`marks`] fence what was recalled, [`quote`] holds
//! what is said inside a prompt, [`secrets`] keep from the disk what opens a door, [`harm`] knows what is never told again.

pub mod analyser;
mod clip;
pub mod emotion;
mod fold;
mod full_stop;
pub mod harm;
pub mod harness;
pub mod json;
pub(crate) mod lexer;
pub mod marks;
pub mod query;
pub mod quote;
pub(crate) mod script;
pub mod secrets;
mod segment;
pub mod similarity;
pub mod time;
pub mod tokens;
pub mod wording;

#[cfg(test)]
mod xquad;

pub use analyser::{ANALYSER_VERSION, Analysed, Analyser, QueryWord};
pub use clip::clip;
pub use fold::fold;
pub use full_stop::goes_on_behind_stop;
pub use query::{Expression, IndexColumn, Query};
pub use segment::TOKEN_CHARACTERS_MAXIMUM;
pub(crate) use segment::{Segment, segment};
pub use time::TimeSpan;

/// A word as a number, the same wherever and whenever it is made: numbers are quickly compared. Two words of one language do not meet in
/// 64 bits.
pub fn term_number(term: &str) -> u64 {
    // FNV-1a.
    term.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |number, byte| (number ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
