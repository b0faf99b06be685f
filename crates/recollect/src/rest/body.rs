//! The body of a request as JSON.

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use serde_json::Value;

pub use crate::fields::Fields;
use crate::fields::what;
use crate::problem::Problem;
use crate::rpc;

/// The whole body as JSON.
pub fn read(body: Result<Bytes, BytesRejection>) -> Result<Value, Problem> {
    let body = body.map_err(|rejection| rpc::unread(&rejection))?;
    match serde_json::from_slice(&body) {
        Ok(value @ Value::Object(_)) => Ok(value),
        Ok(other) => Err(Problem::invalid(format!("the body is {}; expected a JSON object", what(&other)))),
        Err(error) => Err(Problem::invalid(format!("the body is not JSON: {error}"))),
    }
}
