//! The gate's models as the binary has them: the trained one that it carries, `assets/gate/weights.json` behind the core's
//! door for such models, and the core model, held to a deadline.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use memory::error::ModelError;
use memory::ports::{ChatModel, Completion, Prompt};
use memory::recall::gate::GateModel;
use memory::recall::gate_features::{GateWeights, NAMES, features};
use memory::settings::{GateMode, Settings};
use store::Tenant;

use crate::ops::Services;

const WEIGHTS: &str = include_str!("../../../assets/gate/weights.json");

/// A model that is given up on when it takes longer than this. The core has no clock, and a chat does not wait.
pub struct DeadlineModel {
    pub model: Arc<dyn ChatModel>,
    pub within: Duration,
}

#[async_trait]
impl ChatModel for DeadlineModel {
    fn name(&self) -> &str {
        self.model.name()
    }

    async fn complete(&self, prompt: Prompt<'_>) -> Result<Completion, ModelError> {
        let answer = tokio::time::timeout(self.within, self.model.complete(prompt)).await;
        answer.unwrap_or(Err(ModelError::TimedOut))
    }
}

impl Services {
    /// The tenant's core model for the gate, where the settings want it asked; given up on after as long as they say.
    pub fn gate_model(&self, tenant: &Tenant, settings: &Settings) -> Option<DeadlineModel> {
        if settings.relevance_gate_mode != GateMode::Llm {
            return None;
        }
        let model = self.core_model(tenant, settings)?;
        Some(DeadlineModel { model, within: deadline(settings) })
    }
}

/// How long a message waits for the core model to say what it wants; not at all where the model is not asked.
pub fn deadline(settings: &Settings) -> Duration {
    let milliseconds = match settings.relevance_gate_mode {
        GateMode::Llm => u64::try_from(settings.gate_deadline_ms).unwrap_or_default(),
        _ => 0,
    };
    Duration::from_millis(milliseconds)
}

struct Linear {
    weights: GateWeights,
}

/// The model. Nothing where its weights are of other code than this: then phrases decide, and the log says so.
pub fn builtin() -> Option<Arc<dyn GateModel>> {
    match serde_json::from_str::<GateWeights>(WEIGHTS) {
        Ok(weights) if is_of_this_code(&weights) => Some(Arc::new(Linear { weights })),
        _ => {
            tracing::error!("the gate's weights do not fit its features; phrases alone decide");
            None
        }
    }
}

fn is_of_this_code(weights: &GateWeights) -> bool {
    weights.features.iter().map(|(name, _)| name.as_str()).eq(NAMES.iter().copied())
}

impl GateModel for Linear {
    fn probability(&self, text: &str, vector: Option<&[f32]>) -> f64 {
        f64::from(self.weights.probability(&features(text), vector.unwrap_or_default()))
    }

    fn threshold(&self) -> f64 {
        f64::from(self.weights.threshold)
    }

    fn reads(&self, signature: &str) -> bool {
        self.weights.embedder == signature
    }
}

#[cfg(test)]
mod tests {
    use memory::ports::Embedder;

    use super::*;

    #[test]
    fn the_weights_fit_the_code_and_the_built_in_embedding() {
        let gate = builtin().expect("the asset belongs to this code");
        assert!(gate.reads(models::Builtin.signature()), "train the gate again: cargo xtask train-gate");
        let probability = |text| gate.probability(text, None);
        assert!(probability("What did I tell you about my sister?") > gate.threshold());
        assert!(probability("Write a haiku about the sea.") < gate.threshold());
    }
}
