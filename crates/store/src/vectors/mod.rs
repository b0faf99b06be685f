//! Vectors close to a question: an exact scan in memory that follows the change log.

mod embedded;
mod kernel;

pub use embedded::{Index, Row};
