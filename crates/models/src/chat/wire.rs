//! What is sent to a server and what its answer means, for both wires.
//!
//! Servers that speak the same wire differ in what they take. [`Manners`] is what a model of a server is known to want; it
//! begins with the best and gives up one thing at a time, when the server refuses a request and names the thing.

use memory::error::ModelError;
use memory::ports::{Completion, Prompt};
use memory::text::tokens;
use serde_json::{Map, Value, json};

use crate::UpstreamWire;

/// How an answer is held to a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum AnswerShape {
    /// By the server.
    Schema,
    /// The server promises an object; the prompt says which.
    Object,
    /// The prompt alone.
    Prompt,
}

/// What a server takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Manners {
    pub shape: AnswerShape,
    /// OpenAI's newer models want the bound under another name.
    completion_tokens: bool,
    /// Some models refuse to be told a temperature.
    temperature: bool,
}

impl Manners {
    pub fn new(schema: bool) -> Manners {
        let shape = if schema { AnswerShape::Schema } else { AnswerShape::Object };
        Manners { shape, completion_tokens: false, temperature: true }
    }

    /// What to try after a refusal that says this; nothing when it is not about manners. Each thing is given up once, so
    /// there is an end to it.
    pub fn after(self, explanation: &str, wire: UpstreamWire) -> Option<Manners> {
        let says = |words: &[&str]| words.iter().any(|word| explanation.contains(word));
        if wire == UpstreamWire::OpenAi && !self.completion_tokens && says(&["max_completion_tokens"]) {
            return Some(Manners { completion_tokens: true, ..self });
        }
        if self.temperature && says(&["temperature"]) {
            return Some(Manners { temperature: false, ..self });
        }
        let about_shape = match wire {
            UpstreamWire::OpenAi => says(&["response_format", "json_schema", "json_object", "schema"]),
            UpstreamWire::Anthropic => says(&["tool", "input_schema"]),
        };
        let shape = match (self.shape, wire) {
            (AnswerShape::Schema, UpstreamWire::OpenAi) => AnswerShape::Object,
            (AnswerShape::Schema | AnswerShape::Object, _) => AnswerShape::Prompt,
            (AnswerShape::Prompt, _) => return None,
        };
        about_shape.then_some(Manners { shape, ..self })
    }
}

/// The path below the server's base address.
pub fn path(wire: UpstreamWire) -> &'static str {
    match wire {
        UpstreamWire::OpenAi => "chat/completions",
        UpstreamWire::Anthropic => "messages",
    }
}

/// The request's body.
pub fn body(wire: UpstreamWire, model: &str, prompt: &Prompt<'_>, manners: Manners) -> Value {
    let mut body = Map::new();
    body.insert("model".into(), json!(model));
    if manners.temperature {
        body.insert("temperature".into(), json!(0));
    }
    let system = match prompt.schema {
        Some(schema) if manners.shape != AnswerShape::Schema => held_by_words(prompt.system, schema),
        _ => prompt.system.to_owned(),
    };
    match wire {
        UpstreamWire::OpenAi => openai(&mut body, &system, prompt, manners),
        UpstreamWire::Anthropic => anthropic(&mut body, &system, prompt, manners),
    }
    Value::Object(body)
}

fn held_by_words(system: &str, schema: &Value) -> String {
    format!(
        "{system}\n\nAnswer with one JSON object that fits this JSON schema, and with nothing else:\n{schema}"
    )
}

fn openai(body: &mut Map<String, Value>, system: &str, prompt: &Prompt<'_>, manners: Manners) {
    let messages =
        json!([{ "role": "system", "content": system }, { "role": "user", "content": prompt.user }]);
    body.insert("messages".into(), messages);
    let bound = if manners.completion_tokens { "max_completion_tokens" } else { "max_tokens" };
    body.insert(bound.into(), json!(prompt.max_tokens));
    let Some(schema) = prompt.schema else { return };
    let format = match manners.shape {
        AnswerShape::Schema => json!({
            "type": "json_schema",
            "json_schema": { "name": prompt.task, "schema": schema, "strict": is_strict(schema) },
        }),
        AnswerShape::Object => json!({ "type": "json_object" }),
        AnswerShape::Prompt => return,
    };
    body.insert("response_format".into(), format);
}

fn anthropic(body: &mut Map<String, Value>, system: &str, prompt: &Prompt<'_>, manners: Manners) {
    body.insert("max_tokens".into(), json!(prompt.max_tokens));
    body.insert("system".into(), json!(system));
    body.insert("messages".into(), json!([{ "role": "user", "content": prompt.user }]));
    if let (Some(schema), AnswerShape::Schema) = (prompt.schema, manners.shape) {
        let about = "Takes the answer.";
        body.insert(
            "tools".into(),
            json!([{ "name": prompt.task, "description": about, "input_schema": schema }]),
        );
        body.insert("tool_choice".into(), json!({ "type": "tool", "name": prompt.task }));
    }
}

/// Whether OpenAI can hold an answer strictly to it: every object closed, and every property required.
fn is_strict(schema: &Value) -> bool {
    let closed = match schema.get("properties").and_then(Value::as_object) {
        None => true,
        Some(properties) => {
            let required = schema.get("required").and_then(Value::as_array);
            let all = |name: &String| required.is_some_and(|list| list.iter().any(|item| item == name));
            schema.get("additionalProperties") == Some(&Value::Bool(false)) && properties.keys().all(all)
        }
    };
    let inner: Vec<&Value> = match schema {
        Value::Object(map) => map.values().collect(),
        Value::Array(items) => items.iter().collect(),
        _ => Vec::new(),
    };
    closed && inner.into_iter().all(is_strict)
}

/// What the answer says. Tokens are estimated where the server does not count them.
pub fn read(wire: UpstreamWire, answer: &[u8], prompt: &Prompt<'_>) -> Result<Completion, ModelError> {
    let answer: Value = serde_json::from_slice(answer).map_err(|_| bad("the server's answer is not JSON"))?;
    if let Some(error) = answer.get("error").filter(|error| !error.is_null()) {
        return Err(bad(&format!("the server answered with an error{}", class(error))));
    }
    let (text, input, output) = match wire {
        UpstreamWire::OpenAi => (
            openai_text(&answer)?,
            count(&answer, &["prompt_tokens"]),
            count(&answer, &["completion_tokens"]),
        ),
        UpstreamWire::Anthropic => {
            let input = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];
            (anthropic_text(&answer)?, count(&answer, &input), count(&answer, &["output_tokens"]))
        }
    };
    let estimated = |text: &str| tokens::estimate(text) as u64;
    let input_tokens = input.unwrap_or_else(|| estimated(prompt.system) + estimated(prompt.user));
    let output_tokens = output.unwrap_or_else(|| estimated(&text));
    Ok(Completion { text, input_tokens, output_tokens })
}

fn count(answer: &Value, names: &[&str]) -> Option<u64> {
    let usage = answer.get("usage")?;
    let counts: Vec<u64> = names.iter().filter_map(|name| usage.get(name)?.as_u64()).collect();
    (!counts.is_empty()).then(|| counts.into_iter().fold(0, u64::saturating_add))
}

fn openai_text(answer: &Value) -> Result<String, ModelError> {
    let message = answer.pointer("/choices/0/message").ok_or_else(|| bad("there is no message in it"))?;
    let text = match message.get("content") {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => texts(parts),
        _ => String::new(),
    };
    match text.trim().is_empty() {
        false => Ok(text),
        true if message.get("refusal").is_some_and(Value::is_string) => Err(bad("the model declined")),
        true => Err(bad("the message is empty")),
    }
}

fn anthropic_text(answer: &Value) -> Result<String, ModelError> {
    let blocks = answer.get("content").and_then(Value::as_array);
    let blocks = blocks.ok_or_else(|| bad("there is no content in it"))?;
    let tool = blocks.iter().find(|block| block.get("type") == Some(&json!("tool_use")));
    let text = match tool.and_then(|tool| tool.get("input")) {
        Some(input) => input.to_string(),
        None => texts(blocks),
    };
    if text.trim().is_empty() { Err(bad("the message is empty")) } else { Ok(text) }
}

fn texts(parts: &[Value]) -> String {
    parts.iter().filter_map(|part| part.get("text")?.as_str()).collect()
}

fn bad(why: &str) -> ModelError {
    ModelError::BadAnswer(why.to_owned())
}

/// The server's own word for what is wrong, such as `: model_not_found`, where it is plainly a word and nothing else.
pub fn class(error: &Value) -> String {
    let plain = |word: &&str| {
        (1..=60).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
    };
    let word = ["code", "type"].iter().find_map(|name| error.get(name)?.as_str().filter(plain));
    word.map(|word| format!(": {word}")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_are_given_up_one_at_a_time() {
        let start = Manners::new(true);
        let object =
            start.after("'response_format' of type json_schema", UpstreamWire::OpenAi).expect("about it");
        assert_eq!(object.shape, AnswerShape::Object);
        let plain = object.after("response_format is not supported", UpstreamWire::OpenAi).expect("about it");
        assert_eq!(plain.shape, AnswerShape::Prompt);
        assert_eq!(plain.after("response_format", UpstreamWire::OpenAi), None);
        assert_eq!(
            start.after("tools: not here", UpstreamWire::Anthropic).map(|m| m.shape),
            Some(AnswerShape::Prompt)
        );
        assert_eq!(start.after("context too long", UpstreamWire::OpenAi), None);
        let newer =
            start.after("use 'max_completion_tokens' instead", UpstreamWire::OpenAi).expect("about it");
        let calmer = newer.after("temperature does not support 0", UpstreamWire::OpenAi).expect("about it");
        let prompt = Prompt { task: "distil", system: "s", user: "u", schema: None, max_tokens: 9 };
        let body = body(UpstreamWire::OpenAi, "m", &prompt, calmer);
        assert_eq!(body["max_completion_tokens"], 9);
        assert!(body.get("max_tokens").is_none() && body.get("temperature").is_none());
    }

    #[test]
    fn strict_is_asked_for_only_where_it_can_be_had() {
        let closed = json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": false});
        assert!(is_strict(&closed));
        assert!(is_strict(&json!({"type": "array", "items": closed})));
        assert!(!is_strict(&json!({"type": "object", "properties": {"a": {"type": "string"}}})));
    }

    #[test]
    fn only_plain_words_of_an_error_are_passed_on() {
        assert_eq!(class(&json!({"code": "model_not_found"})), ": model_not_found");
        assert_eq!(
            class(&json!({"code": "sk-123", "type": "invalid_request_error"})),
            ": invalid_request_error"
        );
        assert_eq!(class(&json!({"message": "key sk-1 is wrong"})), "");
        assert_eq!(class(&json!("sk-1")), "");
    }
}
