//! How the routes of OpenAI's interface answer when they do not do what they were asked.
//!
//! The clients of that interface read one shape of error and turn it into their own exceptions, so our problems take that
//! shape here: `{"error": {"message", "type", "param", "code"}}`, and the hint and the details stand beside those.

use axum::body::Body;
use axum::extract::FromRequestParts;
use axum::http::header::{CONTENT_LENGTH, HeaderValue};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use crate::app::AppState;
use crate::ops::Caller;
use crate::problem::{Code, Problem};

/// A problem in OpenAI's shape.
#[derive(Debug)]
pub struct Refusal(pub Problem);

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        Self(problem)
    }
}

/// Somebody who was let in; others are told in this shape that they were not.
pub struct Admitted(pub Caller);

impl FromRequestParts<AppState> for Admitted {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Refusal> {
        Caller::from_request_parts(parts, state).await.map(Admitted).map_err(Refusal)
    }
}

impl Refusal {
    /// What their clients sort errors by, beside the status.
    fn kind(&self) -> &'static str {
        match self.0.code.status().as_u16() {
            401 => "authentication_error",
            403 => "permission_error",
            404 => "not_found_error",
            429 => "rate_limit_error",
            400..500 => "invalid_request_error",
            _ => "api_error",
        }
    }

    fn body(&self) -> Value {
        let problem = &self.0;
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
        json!({ "error": error })
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let (body, code) = (self.body().to_string(), self.0.code);
        // Status and headers are those of the problem on any other route.
        let mut response = self.0.into_response().map(|_| Body::from(body));
        response.headers_mut().remove(CONTENT_LENGTH);
        if code == Code::NoUpstream {
            // Nothing changes by asking again, and their clients would, with pauses in between.
            response.headers_mut().insert("x-should-retry", HeaderValue::from_static("false"));
        }
        response
    }
}

/// Nobody is configured to answer.
pub fn no_upstream() -> Problem {
    Problem::new(Code::NoUpstream, "no model is configured to answer").hint(
        "set OPENAI_API_KEY or OPENAI_BASE_URL and start the server again, or add an upstream to the configuration; the \
         model `recollect/recall` answers from memory alone and needs none",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_takes_their_shape_and_keeps_its_hint() {
        let body = Refusal(Problem::field("model", "it is missing").hint("name one")).body();
        let error = &body["error"];
        assert_eq!(error["message"], "it is missing\nhint: name one");
        assert_eq!((&error["type"], &error["param"]), (&json!("invalid_request_error"), &json!("model")));
        assert_eq!((&error["code"], &error["hint"]), (&json!("invalid_input"), &json!("name one")));
        let plain = Refusal(Problem::new(Code::Internal, "failed")).body();
        assert_eq!(
            plain["error"],
            json!({ "message": "failed", "type": "api_error", "param": null, "code": "internal" })
        );
    }
}
