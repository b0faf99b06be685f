//! What a tool is made of: its name, when to use it, what it takes and gives, what it does to memory, and its work.
//!
//! All of it stands together in one value, so that the list a client sees, the reference page and what is done cannot
//! drift apart. Schemas are written by hand: names and words are those of other systems' documents, to the letter.

use std::pin::Pin;
use std::sync::Arc;

use memory::text::marks;
use rmcp::model::{CallToolResult, ContentBlock, JsonObject, Tool, ToolAnnotations};
use serde_json::{Map, Value, json};

use super::tool_context::ToolContext;
use crate::fields::Fields;
use crate::problem::{Code, Problem};
use crate::request::names::{self, Clients};

pub struct Spec {
    pub name: &'static str,
    pub title: &'static str,
    /// For the model: what it does, when to use it and when not, with an example.
    pub description: &'static str,
    /// The schema of what it takes.
    pub input: Value,
    /// The schema of what it gives.
    pub output: Value,
    pub does: ToolEffect,
    pub work: ToolHandler,
}

/// What a tool does to memory, for clients that ask a person first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolEffect {
    /// Changes nothing.
    Read,
    /// Adds, and adds nothing the second time.
    Add,
    /// Replaces or removes; doing it again changes nothing more.
    Change,
    /// Replaces or removes; doing it again is something else.
    ChangeOnce,
}

pub type ToolHandler = for<'a> fn(&'a ToolContext, Fields<'a>) -> ToolFuture<'a>;
pub type ToolFuture<'a> = Pin<Box<dyn Future<Output = Result<ToolAnswer, Problem>> + Send + 'a>>;

/// What a tool found or did: data for programs, and the same as text.
pub struct ToolAnswer {
    data: Value,
    text: String,
    /// The text tells of what is remembered.
    recalled: bool,
}

impl ToolAnswer {
    /// Something was done.
    pub fn done(data: Value, text: impl Into<String>) -> Self {
        Self { data, text: text.into(), recalled: false }
    }

    /// Something is remembered: the text is fenced.
    pub fn recalled(data: Value, text: impl Into<String>) -> Self {
        Self { data, text: text.into(), recalled: true }
    }
}

impl Spec {
    pub fn reads(&self) -> bool {
        self.does == ToolEffect::Read
    }

    /// As clients see it.
    pub fn described(&self) -> Tool {
        let annotations = ToolAnnotations::with_title(self.title)
            .read_only(self.reads())
            .destructive(matches!(self.does, ToolEffect::Change | ToolEffect::ChangeOnce))
            .idempotent(self.does != ToolEffect::ChangeOnce)
            .open_world(false);
        Tool::new(self.name, self.description, schema(&self.input))
            .with_title(self.title)
            .with_raw_output_schema(schema(&self.output))
            .with_annotations(annotations)
    }

    pub async fn call(&self, desk: &ToolContext, given: &Value) -> CallToolResult {
        let answer = match self.settled(given) {
            Ok(given) => match Fields::of(&given) {
                Ok(fields) => (self.work)(desk, fields).await,
                Err(problem) => Err(problem),
            },
            Err(problem) => Err(problem),
        };
        match answer {
            Ok(answer) => {
                let text = match answer.recalled {
                    true => marks::fence(&answer.text, self.name),
                    false => answer.text,
                };
                let mut result = CallToolResult::structured(answer.data);
                result.content = vec![ContentBlock::text(text)];
                result
            }
            Err(problem) => failed(&problem),
        }
    }

    /// Every argument under the name that the tool has for it. One under a wrong name would be one that is missing, and a filter
    /// that is missing matches too much.
    fn settled(&self, given: &Value) -> Result<Value, Problem> {
        let known: Vec<&str> = self.properties().keys().map(String::as_str).collect();
        match given {
            Value::Object(given) => names::settled(given.clone(), &known, Clients::Ours).map(Value::Object),
            other => Ok(other.clone()),
        }
    }

    pub fn properties(&self) -> &Map<String, Value> {
        self.input["properties"].as_object().expect("every tool's input is an object with properties")
    }
}

/// An object's schema.
pub fn object(properties: Value, required: &[&str]) -> Value {
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn schema(value: &Value) -> Arc<JsonObject> {
    Arc::new(value.as_object().expect("schemas are objects").clone())
}

/// A problem as a model reads it: what is wrong, what was expected, what to do.
fn failed(problem: &Problem) -> CallToolResult {
    let code = serde_json::to_value(problem.code).ok();
    let code = code.as_ref().and_then(Value::as_str).unwrap_or_default();
    let mut text = format!("error ({code}): {}", problem.message);
    let hint = match problem.code {
        // The hints of the command line name commands, which a model does not have.
        Code::NotFound => Some("a search gives the ids of what there is"),
        _ => problem.hint.as_deref(),
    };
    if let Some(hint) = hint {
        text.push_str(&format!("\nhint: {hint}"));
    }
    CallToolResult::error(vec![ContentBlock::text(text)])
}

pub fn cancelled() -> CallToolResult {
    failed(&Problem::new(Code::Unavailable, "the call was cancelled"))
}
