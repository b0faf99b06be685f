//! What a score is made of: each part with its value, what it was weighed by, and what it so contributed.
//!
//! A result carries both its parts and the weights that the core's table gave them, so nothing is computed here a second
//! time: the contributions add up to the score because the score is their sum.

use std::collections::BTreeMap;

use memory::recall::Hit;
use serde::{Deserialize, Serialize};

/// The parts of one score, by name.
pub type Scores = BTreeMap<String, PartScore>;

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct PartScore {
    pub value: f64,
    /// 0 where the part does not count for this kind of result.
    pub weight: f64,
    pub contribution: f64,
}

pub(super) fn scores(hit: &Hit) -> Scores {
    let part = |((name, value), (_, weight)): ((&str, f64), (&str, f64))| {
        // Nothing can come as minus zero, which reads badly.
        (name.to_owned(), PartScore { value: value + 0.0, weight, contribution: value * weight + 0.0 })
    };
    hit.parts.named().zip(hit.weights.named()).map(part).collect()
}
