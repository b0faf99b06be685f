//! The steps as they are traced, and how a trace goes on in other programs.
//!
//! Chats are named by OpenTelemetry's conventions for generative AI, requests by those for HTTP. What is ours stands under
//! `recollect.`. Fields are only worked out where somebody looks. The context of a trace travels in W3C's `traceparent`: the
//! client's is continued, and the upstream is sent ours.

use axum::http::{HeaderMap, Method};
use memory::error::ModelError;
use memory::ports::Completion;
use memory::trace::TARGET;
use models::{Upstream, UpstreamWire};
use opentelemetry::Context;
use opentelemetry::propagation::TextMapPropagator;
use opentelemetry::trace::{SpanContext, Status, TraceContextExt};
use opentelemetry_http::{HeaderExtractor, HeaderInjector};
use opentelemetry_sdk::propagation::TraceContextPropagator;
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;

use super::is_on;

/// What asks whether the server is well, every few seconds, and is no part of any story.
const UNTRACED: [&str; 3] = ["/healthz", "/readyz", "/metrics"];

/// A request at the door, in its client's trace where it names one.
pub fn request(method: &Method, route: &str, headers: &HeaderMap) -> Span {
    if !is_on() || UNTRACED.contains(&route) {
        return Span::none();
    }
    let span = tracing::info_span!(
        target: TARGET,
        parent: None,
        "request",
        otel.name = format!("{method} {route}"),
        otel.kind = "server",
        http.request.method = method.as_str(),
        http.route = route,
    );
    let client = TraceContextPropagator::new().extract(&HeaderExtractor(headers));
    if client.span().span_context().is_valid() {
        // It can only fail for a span that has begun or that nobody looks at.
        let _ = span.set_parent(client);
    }
    span
}

/// How the request was answered.
pub fn answered(span: &Span, status: u16) {
    if span.is_disabled() {
        return;
    }
    span.set_attribute("http.response.status_code", i64::from(status));
    if status >= 500 {
        failed(span, &status.to_string());
    }
}

/// Finding out which conversation it is, and what stood in its prompt before.
pub fn recognise() -> Span {
    tracing::info_span!(target: TARGET, "recognise")
}

/// Looking for what is remembered.
pub fn recall() -> Span {
    tracing::info_span!(target: TARGET, "recall")
}

/// Storing what was said: the `question` or the `reply`. Its request may be answered before it is done.
pub fn capture(what: &'static str, request: &TracePlace) -> Span {
    let span = tracing::info_span!(target: TARGET, parent: None, "capture", recollect.captured = what);
    request.continue_in(&span);
    span
}

/// A place in a trace, to go on from when whoever was there is gone. Nothing where nobody looks.
#[derive(Clone, Default)]
pub struct TracePlace(Option<SpanContext>);

impl TracePlace {
    /// The step that is under way.
    pub fn here() -> TracePlace {
        if !is_on() {
            return TracePlace(None);
        }
        let here = Context::current().span().span_context().clone();
        TracePlace(Some(here).filter(SpanContext::is_valid))
    }

    pub(super) fn context(self) -> Option<SpanContext> {
        self.0
    }

    fn continue_in(&self, span: &Span) {
        if let Some(context) = &self.0 {
            // It can only fail for a span that has begun or that nobody looks at.
            let _ = span.set_parent(Context::new().with_remote_span_context(context.clone()));
        }
    }
}

/// Asking a model for the client's answer.
pub fn upstream(upstream: &Upstream, model: &str) -> Span {
    tracing::info_span!(
        target: TARGET,
        "upstream",
        otel.name = format!("chat {model}").trim_end(),
        otel.kind = "client",
        gen_ai.operation.name = "chat",
        gen_ai.provider.name = provider(upstream),
        gen_ai.request.model = model,
        recollect.upstream = upstream.name.as_str(),
    )
}

/// Asking the core model, which helps with learning; `task` is what for.
pub fn core_model(upstream: &Upstream, model: &str, task: &str) -> Span {
    let span = self::upstream(upstream, model);
    if !span.is_disabled() {
        span.set_attribute("recollect.task", task.to_owned());
    }
    span
}

/// What the core model's answer took.
pub fn used(span: &Span, outcome: &Result<Completion, ModelError>) {
    if span.is_disabled() {
        return;
    }
    match outcome {
        Ok(completion) => {
            span.set_attribute("gen_ai.usage.input_tokens", completion.input_tokens as i64);
            span.set_attribute("gen_ai.usage.output_tokens", completion.output_tokens as i64);
        }
        Err(_) => failed(span, "model_error"),
    }
}

/// What was asked for was not answered.
pub fn trouble(span: &Span, kind: &str) {
    if !span.is_disabled() {
        failed(span, kind);
    }
}

pub(super) fn failed(span: &Span, kind: &str) {
    span.set_attribute("error.type", kind.to_owned());
    span.set_status(Status::error(""));
}

/// Lets the trace go on upstream. Without one of ours the client's passes as it came.
pub fn propagate(headers: &mut HeaderMap) {
    if !is_on() {
        return;
    }
    let context = Context::current();
    if context.span().span_context().is_valid() {
        TraceContextPropagator::new().inject_context(&context, &mut HeaderInjector(headers));
    }
}

/// The maker of the interface, which is what the conventions ask for; whose server it is they do not.
fn provider(upstream: &Upstream) -> &'static str {
    match upstream.wire {
        UpstreamWire::OpenAi => "openai",
        UpstreamWire::Anthropic => "anthropic",
    }
}
