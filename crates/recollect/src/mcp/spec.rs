//! What a tool is made of: its name, when to use it, what it takes and gives, what it does to memory, and its work.
//!
//! All of it stands together in one value, so that the list a client sees, the reference page and what is done cannot
//! drift apart. What a tool takes is one struct, as a request of a route is ([`crate::request`]): it reads the arguments, by the same
//! names and spellings, and its description is the schema. What a tool gives is described by hand: names and words are those of
//! other systems' documents, to the letter.

use std::pin::Pin;
use std::sync::Arc;

use memory::text::marks;
use rmcp::model::{CallToolResult, ContentBlock, JsonObject, Tool, ToolAnnotations};
use serde_json::{Map, Value, json};

use utoipa::ToSchema;

use super::tool_context::ToolContext;
use crate::problem::{Code, Problem};
use crate::request::names::Clients;
use crate::request::{self, RequestFields, RequestManner, WireRequest, shape};

/// A tool: what is said about it, what it takes, and its work.
pub struct Spec {
    about: ToolAbout,
    /// The schema of what it takes.
    pub input: Value,
    work: Box<dyn ToolRunner>,
}

/// What is said about a tool.
pub struct ToolAbout {
    pub name: &'static str,
    pub title: &'static str,
    /// For the model: what it does, when to use it and when not, with an example.
    pub description: &'static str,
    /// The schema of what it gives.
    pub output: Value,
    pub does: ToolEffect,
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

/// A tool's work with what it takes.
pub type ToolWork<T> = for<'a> fn(&'a ToolContext, T) -> ToolFuture<'a>;
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

/// The work of any tool, with its arguments as they came.
trait ToolRunner: Send + Sync {
    fn call<'a>(&self, desk: &'a ToolContext, given: Map<String, Value>) -> ToolFuture<'a>;
}

struct ReadAndWork<T> {
    clients: Clients,
    work: ToolWork<T>,
}

impl<T: WireRequest> ToolRunner for ReadAndWork<T> {
    /// One argument under a wrong name would be one that is missing, and a filter that is missing matches too much: the reader
    /// refuses it.
    fn call<'a>(&self, desk: &'a ToolContext, given: Map<String, Value>) -> ToolFuture<'a> {
        let given = RequestFields { body: given, ..RequestFields::default() };
        match request::read(given, RequestManner { clients: self.clients, defaults: &[] }) {
            Ok(read) => (self.work)(desk, read),
            Err(problem) => Box::pin(std::future::ready(Err(problem))),
        }
    }
}

impl Spec {
    /// A tool of ours: an argument that it does not know is refused.
    pub fn ours<T: WireRequest>(about: ToolAbout, work: ToolWork<T>) -> Self {
        Self::of(about, Clients::Ours, work)
    }

    /// A tool that stands in for another system's, whose clients may send arguments of their own.
    pub fn theirs<T: WireRequest>(about: ToolAbout, work: ToolWork<T>) -> Self {
        Self::of(about, Clients::Theirs, work)
    }

    fn of<T: WireRequest>(about: ToolAbout, clients: Clients, work: ToolWork<T>) -> Self {
        Self { about, input: input::<T>(clients), work: Box::new(ReadAndWork { clients, work }) }
    }

    pub fn name(&self) -> &'static str {
        self.about.name
    }

    pub fn about(&self) -> &ToolAbout {
        &self.about
    }

    pub fn reads(&self) -> bool {
        self.about.does == ToolEffect::Read
    }

    /// As clients see it.
    pub fn described(&self) -> Tool {
        let about = &self.about;
        let annotations = ToolAnnotations::with_title(about.title)
            .read_only(self.reads())
            .destructive(matches!(about.does, ToolEffect::Change | ToolEffect::ChangeOnce))
            .idempotent(about.does != ToolEffect::ChangeOnce)
            .open_world(false);
        Tool::new(about.name, about.description, schema(&self.input))
            .with_title(about.title)
            .with_raw_output_schema(schema(&about.output))
            .with_annotations(annotations)
    }

    pub async fn call(&self, desk: &ToolContext, given: Map<String, Value>) -> CallToolResult {
        match self.work.call(desk, given).await {
            Ok(answer) => {
                let text = match answer.recalled {
                    true => marks::fence(&answer.text, self.about.name),
                    false => answer.text,
                };
                let mut result = CallToolResult::structured(answer.data);
                result.content = vec![ContentBlock::text(text)];
                result
            }
            Err(problem) => failed(&problem),
        }
    }

    pub fn properties(&self) -> &Map<String, Value> {
        self.input["properties"].as_object().expect("every tool's input is an object with properties")
    }
}

/// The schema of what a tool takes, from the struct that reads it. Where a value may be of several kinds, a model is told the first:
/// not every provider takes a list of them.
fn input<T: ToSchema>(clients: Clients) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for (name, mut schema, about, wanted) in shape::parameters::<T>() {
        if let Some(about) = about {
            schema["description"] = about.into();
        }
        if let Some(first) = schema["type"].as_array().and_then(|kinds| kinds.first()).cloned() {
            schema["type"] = first;
        }
        if wanted {
            required.push(name.clone());
        }
        properties.insert(name, schema);
    }
    let closed = clients == Clients::Ours;
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": !closed })
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
