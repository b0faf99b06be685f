//! The body of a request as a JSON object, taken in by a handler as its last argument.
//!
//! [`Body`] must be there; [`AnyBody`] may be left out and then is empty. Whatever is wrong with one is said in the one
//! shape of [`crate::problem`].

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{FromRequest, Request};
use serde_json::{Map, Value, json};

use crate::app::AppState;
pub use crate::fields::Fields;
use crate::fields::what;
use crate::problem::Problem;
use crate::rpc;

/// The request's body, an object.
pub struct Body(Value);

/// The same, where nothing, or `null`, means `{}`.
pub struct AnyBody(Value);

impl Body {
    pub fn fields(&self) -> Fields<'_> {
        Fields::of(&self.0).expect("only objects are taken in")
    }

    /// All of it, for a route whose fields are not known beforehand.
    pub fn into_object(self) -> Map<String, Value> {
        match self.0 {
            Value::Object(object) => object,
            _ => unreachable!("only objects are taken in"),
        }
    }
}

impl AnyBody {
    pub fn fields(&self) -> Fields<'_> {
        Fields::of(&self.0).expect("only objects are taken in")
    }
}

impl FromRequest<AppState> for Body {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, Problem> {
        read(Bytes::from_request(request, state).await).map(Self)
    }
}

impl FromRequest<AppState> for AnyBody {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, Problem> {
        match Bytes::from_request(request, state).await {
            Ok(bytes) if matches!(bytes.trim_ascii(), b"" | b"null") => Ok(Self(json!({}))),
            body => read(body).map(Self),
        }
    }
}

fn read(body: Result<Bytes, BytesRejection>) -> Result<Value, Problem> {
    let body = body.map_err(|rejection| rpc::unread(&rejection))?;
    match serde_json::from_slice(&body) {
        Ok(value @ Value::Object(_)) => Ok(value),
        Ok(other) => Err(Problem::invalid(format!("the body is {}; expected a JSON object", what(&other)))),
        Err(error) => Err(Problem::invalid(format!("the body is not JSON: {error}"))),
    }
}
