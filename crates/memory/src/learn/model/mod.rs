//! The distiller with a model: one call for a pass over a session, in and out.
//!
//! ```text
//! turns, what is known → prompt → core model → answer → draft
//! ```
//!
//! [`prompt`] puts everything the model may know into one text, the conversation fenced as data. [`answer`] reads what
//! comes back, tolerantly in form and strictly in substance: [`evidence`] throws away what nobody said. The steps behind
//! get the same [`Draft`] that the heuristic distiller makes, with the model's opinions beside each candidate.

pub mod answer;
mod candidate;
pub mod evidence;
pub mod prompt;

pub(super) use candidate::USUAL_SALIENCE;

use std::sync::LazyLock;

use serde_json::Value;

use self::answer::AnswerContext;
use self::prompt::{BuiltPrompt, PromptMaterial};
use crate::error::ModelError;
use crate::learn::draft::Draft;
use crate::limits;
use crate::ports::{ChatModel, Prompt};

/// What the core model is told it is there for.
pub const DISTIL: &str = include_str!("prompts/distil.txt");

/// The shape of its answer, for servers that hold a model to one.
static SCHEMA: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(include_str!("prompts/distil.schema.json"))
        .expect("the schema is part of the binary")
});

/// What a call came to: the draft, and where the conversation had to be shortened.
pub struct Distilled {
    pub draft: Draft,
    pub written: BuiltPrompt,
}

/// Asks the model once.
pub async fn distil(model: &dyn ChatModel, material: &PromptMaterial<'_>) -> Result<Distilled, ModelError> {
    let written = prompt::write(material);
    let asked = Prompt {
        task: "distil",
        system: DISTIL,
        user: &written.text,
        schema: Some(&SCHEMA),
        max_tokens: limits::DISTIL_ANSWER_TOKENS,
    };
    let completion = model.complete(asked).await?;
    let reading = AnswerContext {
        model: model.name(),
        speech: &prompt::speech(material.turns),
        new: material.new,
        known: material.known,
    };
    let draft = answer::read(&completion.text, &reading).map_err(ModelError::BadAnswer)?;
    Ok(Distilled { draft, written })
}
