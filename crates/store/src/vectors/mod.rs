//! Vectors close to a question: an exact scan in memory that follows the change log.

mod embedded;
pub mod kernel;

pub use embedded::{VectorIndex, VectorRow};
