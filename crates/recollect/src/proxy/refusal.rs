//! How the routes of the proxy answer when they do not do what they were asked.
//!
//! The clients of an interface read one shape of error and turn it into their own exceptions, so our problems take that
//! shape here. OpenAI's is `{"error": {"message", "type", "param", "code"}}`, Anthropic's is `{"type": "error", "error":
//! {"type", "message"}}`; what else there is to say stands beside those.

use axum::body::Body;
use axum::extract::FromRequestParts;
use axum::http::header::{CONTENT_LENGTH, HeaderValue};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use chat::Dialect;
use serde_json::{Value, json};

use super::hops;
use crate::app::AppState;
use crate::ops::Caller;
use crate::problem::{Code, Problem};

/// A problem in the shape of the interface that was asked.
#[derive(Debug)]
pub struct ProxyRefusal {
    problem: Problem,
    dialect: Dialect,
}

impl From<Problem> for ProxyRefusal {
    fn from(problem: Problem) -> Self {
        Self::of(Dialect::Chat, problem)
    }
}

/// Somebody who was let in; others are told in this shape that they were not.
pub struct Admitted(pub Caller);

impl FromRequestParts<AppState> for Admitted {
    type Rejection = ProxyRefusal;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, ProxyRefusal> {
        let caller = match hops::check(&parts.headers, &state.house.instance) {
            Ok(()) => Caller::from_request_parts(parts, state).await,
            Err(circle) => Err(circle),
        };
        caller.map(Admitted).map_err(|problem| ProxyRefusal::at(parts.uri.path(), problem))
    }
}

impl ProxyRefusal {
    pub fn of(dialect: Dialect, problem: Problem) -> ProxyRefusal {
        ProxyRefusal { problem, dialect }
    }

    /// As whoever asks at this address reads it.
    pub fn at(path: &str, problem: Problem) -> ProxyRefusal {
        let is_messages = path == super::MESSAGES || path.starts_with(super::BELOW_MESSAGES);
        Self::of(if is_messages { Dialect::Messages } else { Dialect::Chat }, problem)
    }

    /// What their clients sort errors by, beside the status.
    fn kind(&self) -> &'static str {
        let is_messages = self.dialect == Dialect::Messages;
        match self.problem.code.status().as_u16() {
            401 => "authentication_error",
            403 => "permission_error",
            404 => "not_found_error",
            413 if is_messages => "request_too_large",
            429 => "rate_limit_error",
            503 if is_messages => "overloaded_error",
            400..500 => "invalid_request_error",
            _ => "api_error",
        }
    }

    fn body(&self) -> Value {
        let problem = &self.problem;
        // Their clients print the message and little else, so the hint stands in it too.
        let message = match &problem.hint {
            Some(hint) => format!("{}\nhint: {hint}", problem.message),
            None => problem.message.clone(),
        };
        let mut error = json!({
            "message": message,
            "type": self.kind(),
            "param": problem.details.first().map(|detail| &detail.field),
            "code": problem.code,
        });
        if let Some(hint) = &problem.hint {
            error["hint"] = Value::from(hint.as_str());
        }
        if !problem.details.is_empty() {
            error["details"] = json!(problem.details);
        }
        match self.dialect {
            Dialect::Chat | Dialect::Responses => json!({ "error": error }),
            Dialect::Messages => json!({ "type": "error", "error": error }),
        }
    }
}

impl IntoResponse for ProxyRefusal {
    fn into_response(self) -> Response {
        let (body, code) = (self.body().to_string(), self.problem.code);
        // Status and headers are those of the problem on any other route.
        let mut response = self.problem.into_response().map(|_| Body::from(body));
        response.headers_mut().remove(CONTENT_LENGTH);
        if code == Code::NoUpstream {
            // Nothing changes by asking again, and their clients would, with pauses in between.
            response.headers_mut().insert("x-should-retry", HeaderValue::from_static("false"));
        }
        response
    }
}

/// Nobody is configured to answer.
pub fn no_upstream(dialect: Dialect) -> Problem {
    let (problem, variables) = match dialect {
        Dialect::Chat | Dialect::Responses => (
            Problem::new(Code::NoUpstream, "no model is configured to answer"),
            "OPENAI_API_KEY or OPENAI_BASE_URL",
        ),
        Dialect::Messages => {
            let message = "no upstream of the kind `anthropic` is configured to answer";
            (Problem::new(Code::NoUpstream, message), "ANTHROPIC_API_KEY")
        }
    };
    problem.hint(format!(
        "set {variables} and start the server again, or add an upstream to the configuration; the model \
         `recollect/recall` answers from memory alone and needs none"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_takes_their_shape_and_keeps_its_hint() {
        let body = ProxyRefusal::from(Problem::field("model", "it is missing").hint("name one")).body();
        let error = &body["error"];
        assert_eq!(error["message"], "it is missing\nhint: name one");
        assert_eq!((&error["type"], &error["param"]), (&json!("invalid_request_error"), &json!("model")));
        assert_eq!((&error["code"], &error["hint"]), (&json!("invalid_input"), &json!("name one")));
        let plain = ProxyRefusal::from(Problem::new(Code::Internal, "failed")).body();
        assert_eq!(
            plain["error"],
            json!({ "message": "failed", "type": "api_error", "param": null, "code": "internal" })
        );
    }
    #[test]
    fn the_other_interface_has_its_own_shape() {
        let refused = |problem| ProxyRefusal::at("/v1/messages/count_tokens", problem).body();
        let body = refused(Problem::field("x", "no").hint("yes"));
        assert_eq!(
            (&body["type"], &body["error"]["type"]),
            (&json!("error"), &json!("invalid_request_error"))
        );
        assert_eq!(body["error"]["message"], "no\nhint: yes");
        assert_eq!(refused(no_upstream(Dialect::Messages))["error"]["type"], "overloaded_error");
        assert_eq!(
            ProxyRefusal::at("/v1/responses", no_upstream(Dialect::Responses)).body()["type"],
            Value::Null
        );
    }
}
