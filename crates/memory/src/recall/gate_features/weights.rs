//! The linear model over the features and the embedding.

use serde::{Deserialize, Serialize};

use super::NAMES;

/// The linear model: `assets/gate/weights.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GateWeights {
    /// The signature of the embedder that the weights belong to.
    pub embedder: String,
    pub bias: f32,
    /// By feature name, so that a weights file of other code is noticed instead of misread.
    pub features: Vec<(String, f32)>,
    pub embedding: Vec<f32>,
    /// From this probability on, the message needs memory.
    pub threshold: f32,
}

impl GateWeights {
    /// Whether the weights fit the code that reads them and the embedder beside it.
    pub fn fit(&self, signature: &str, dimensions: usize) -> bool {
        self.embedder == signature
            && self.embedding.len() == dimensions
            && self.features.iter().map(|(name, _)| name.as_str()).eq(NAMES.iter().copied())
    }

    /// How probable it is that a message with these features and this embedding needs memory.
    pub fn probability(&self, features: &[f32], embedding: &[f32]) -> f32 {
        let of_features: f32 =
            self.features.iter().zip(features).map(|((_, weight), value)| weight * value).sum();
        let of_embedding: f32 =
            self.embedding.iter().zip(embedding).map(|(weight, value)| weight * value).sum();
        1.0 / (1.0 + (-(self.bias + of_features + of_embedding)).exp())
    }

    /// The features that spoke loudest for the answer, by name, for the reason a person can read.
    pub fn loudest(&self, features: &[f32], count: usize) -> Vec<&str> {
        let mut spoken: Vec<(f32, &str)> = self
            .features
            .iter()
            .zip(features)
            .map(|((name, weight), value)| (weight * value, name.as_str()))
            .collect();
        spoken.retain(|(push, _)| *push > 0.0);
        spoken.sort_by(|left, right| right.0.total_cmp(&left.0));
        spoken.into_iter().take(count).map(|(_, name)| name).collect()
    }
}
