//! What goes over the socket: one operation as JSON, one outcome or problem back.
//!
//! Both ends are the same program, so the wire types are those of [`crate::ops`] themselves. A server that was started
//! before an update may speak an older dialect; the version in the request keeps that from being misunderstood.

use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use http_body_util::{BodyExt, Full};
use hyper_util::rt::TokioIo;
use memory::types::TenantId;
use serde::{Deserialize, Serialize};
use store::Credential;
use tokio::net::UnixStream;

use crate::app::AppState;
use crate::limits;
use crate::ops::{self, Operation, Outcome};
use crate::problem::{Code, Problem, ProblemBody};

pub const PATH: &str = "/rpc";

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// One call. Who can open the socket may name any tenant.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RpcCall {
    pub version: String,
    pub tenant: TenantId,
    /// An [`Operation`], read only once the versions are known to agree.
    pub operation: serde_json::Value,
}

/// The server's end.
pub async fn answer(State(state): State<AppState>, body: Result<Bytes, BytesRejection>) -> Response {
    match serve(&state, body).await {
        Ok(outcome) => axum::Json(outcome).into_response(),
        Err(problem) => problem.into_response(),
    }
}

async fn serve(state: &AppState, body: Result<Bytes, BytesRejection>) -> Result<Outcome, Problem> {
    let body = body.map_err(|rejection| unread(&rejection))?;
    let unreadable = |error: serde_json::Error| Problem::invalid(format!("the call cannot be read: {error}"));
    let call: RpcCall = serde_json::from_slice(&body).map_err(unreadable)?;
    if call.version != VERSION {
        let message =
            format!("the running server is version {VERSION}, this command is version {}", call.version);
        return Err(Problem::new(Code::VersionMismatch, message).hint("restart the server"));
    }
    let operation: Operation = serde_json::from_value(call.operation).map_err(unreadable)?;
    tracing::debug!(operation = operation.name(), tenant = %call.tenant, "rpc");
    let caller = state.house.admit(Credential::Operator { tenant: call.tenant }).await?;
    ops::execute(&state.house, &caller, operation).await
}

/// What is wrong with a body that could not even be read.
pub fn unread(rejection: &BytesRejection) -> Problem {
    match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => {
            let message = format!("the request is larger than {} bytes", crate::limits::BODY_BYTES);
            Problem::new(Code::TooLarge, message)
        }
        _ => Problem::invalid("the request's body could not be read"),
    }
}

/// Why a call over the socket got no outcome.
pub enum CallError {
    /// The server answered with this.
    Answered(Problem),
    /// The connection broke; whether the operation was done is not known.
    Broken(String),
}

/// The client's end: one connection, one call.
pub async fn call(
    stream: UnixStream,
    tenant: &TenantId,
    operation: &Operation,
) -> Result<Outcome, CallError> {
    match tokio::time::timeout(limits::CALL_WITHIN, exchange(stream, tenant, operation)).await {
        Ok(answer) => answer,
        Err(_) => {
            Err(CallError::Broken(format!("no answer within {} seconds", limits::CALL_WITHIN.as_secs())))
        }
    }
}

async fn exchange(
    stream: UnixStream,
    tenant: &TenantId,
    operation: &Operation,
) -> Result<Outcome, CallError> {
    let broken = |error: &dyn std::fmt::Display| CallError::Broken(error.to_string());
    let operation = serde_json::to_value(operation).expect("operations are plain data");
    let call = RpcCall { version: VERSION.to_owned(), tenant: tenant.clone(), operation };
    let body = serde_json::to_vec(&call).expect("calls are plain data");
    let request = hyper::Request::post(PATH)
        .header(hyper::header::HOST, "recollect")
        .header(hyper::header::CONTENT_TYPE, "application/json")
        .body(Full::new(Bytes::from(body)))
        .expect("a constant request line is sound");
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.map_err(|error| broken(&error))?;
    let driver = tokio::spawn(connection);
    let response = sender.send_request(request).await.map_err(|error| broken(&error))?;
    let status = response.status();
    let body = response.into_body().collect().await.map_err(|error| broken(&error))?.to_bytes();
    driver.abort();
    if status.is_success() {
        return serde_json::from_slice(&body).map_err(|error| broken(&error));
    }
    match serde_json::from_slice::<ProblemBody>(&body) {
        Ok(body) => Err(CallError::Answered(body.error)),
        Err(error) => Err(broken(&error)),
    }
}
