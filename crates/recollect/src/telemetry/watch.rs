//! The model's own account, read out of an answer that passes by: who answered, why it ended, how many tokens it took.
//!
//! Only where somebody looks at traces, and nothing else of the answer is kept in a span. The three dialects that pass
//! through here say the same in different places: at the top, or under `response` or `message`.

use serde_json::Value;
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;

use super::spans;
use chat::sse::{SseEvent, SseParser};

/// Follows one answer for its span, which lasts as long as this does.
pub struct AnswerWatch {
    span: Span,
    form: WatchedForm,
}

enum WatchedForm {
    /// Nobody looks, or there is too much to look at.
    Nothing,
    Stream {
        events: SseParser,
        has_model: bool,
    },
    Whole(Vec<u8>),
}

impl AnswerWatch {
    pub fn new(span: Span, is_stream: bool) -> Self {
        let form = match (span.is_disabled(), is_stream) {
            (true, _) => WatchedForm::Nothing,
            (false, true) => WatchedForm::Stream { events: SseParser::default(), has_model: false },
            (false, false) => WatchedForm::Whole(Vec::new()),
        };
        Self { span, form }
    }

    /// An answer that no model gave.
    pub fn nothing() -> Self {
        Self::new(Span::none(), false)
    }

    /// Takes note of a piece.
    pub fn feed(&mut self, data: &[u8]) {
        let held = match &mut self.form {
            WatchedForm::Nothing => return,
            WatchedForm::Whole(bytes) => {
                bytes.extend_from_slice(data);
                bytes.len()
            }
            WatchedForm::Stream { events, has_model } => {
                let span = &self.span;
                events.feed(data, |event| {
                    if let SseEvent::Data(data) = event
                        && (!*has_model || tells(&data))
                        && let Ok(event) = serde_json::from_slice(&data)
                    {
                        *has_model |= note(span, &event);
                    }
                });
                events.held_bytes()
            }
        };
        if held > chat::limits::COLLECTED_BYTES {
            self.form = WatchedForm::Nothing;
        }
    }

    /// The answer broke off.
    pub fn broke(&mut self) {
        spans::trouble(&self.span, "broken");
    }
}

impl Drop for AnswerWatch {
    fn drop(&mut self) {
        if let WatchedForm::Whole(bytes) = &self.form
            && let Ok(answer) = serde_json::from_slice(bytes)
        {
            note(&self.span, &answer);
        }
    }
}

/// Whether a piece of a stream holds anything but words.
fn tells(data: &[u8]) -> bool {
    let has = |word: &[u8]| data.windows(word.len()).any(|window| window == word);
    has(b"\"usage\":") || has(b"_reason\":\"")
}

/// Writes down what is told; says whether the model was.
fn note(span: &Span, told: &Value) -> bool {
    let mut has_model = false;
    for place in [told, &told["response"], &told["message"]] {
        if let Some(model) = place["model"].as_str() {
            span.set_attribute("gen_ai.response.model", model.to_owned());
            has_model = true;
        }
        let usage = &place["usage"];
        for (name, words) in [
            ("gen_ai.usage.input_tokens", ["prompt_tokens", "input_tokens"]),
            ("gen_ai.usage.output_tokens", ["completion_tokens", "output_tokens"]),
        ] {
            if let Some(tokens) = words.iter().find_map(|word| usage[word].as_i64()) {
                span.set_attribute(name, tokens);
            }
        }
    }
    let reasons = [&told["choices"][0]["finish_reason"], &told["stop_reason"], &told["delta"]["stop_reason"]];
    if let Some(reason) = reasons.into_iter().find_map(Value::as_str) {
        span.set_attribute("gen_ai.response.finish_reasons", finish_reasons(reason));
    }
    has_model
}

fn finish_reasons(reason: &str) -> opentelemetry::Value {
    let reasons = vec![opentelemetry::StringValue::from(reason.to_owned())];
    opentelemetry::Value::Array(opentelemetry::Array::String(reasons))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_of_a_stream_is_not_looked_at() {
        assert!(!tells(br#"{"choices":[{"delta":{"content":"usage"},"finish_reason":null}]}"#));
        assert!(tells(br#"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#));
        assert!(tells(br#"{"choices":[],"usage":{"prompt_tokens":1}}"#));
    }

    #[test]
    fn what_nobody_looks_at_is_not_kept() {
        let mut watch = AnswerWatch::nothing();
        watch.feed(b"{}");
        assert!(matches!(watch.form, WatchedForm::Nothing));
    }
}
