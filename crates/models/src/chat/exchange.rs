//! One request and its answer, bounded in time and in bytes.
//!
//! What comes back of a failure is what decides what to do next and what an operator may read. The server's own words are
//! looked at but not passed on: servers quote keys and prompts back.

use std::time::Duration;

use reqwest::Response;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER};

use super::retry;
use crate::http;
use crate::limits;

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq)]
pub enum ExchangeFailure {
    /// Not reached, or cut off.
    Network(&'static str),
    /// Not complete within the time.
    Slow,
    /// More than anybody asked for.
    Large,
    /// An answer that is none.
    Status { status: u16, asked: Option<Duration>, explanation: String },
}

/// Posts a JSON body and gives the whole answer.
pub async fn post(
    url: &str,
    headers: HeaderMap,
    body: Vec<u8>,
    timeout: Duration,
    now_unix_seconds: i64,
) -> Result<Vec<u8>, ExchangeFailure> {
    let work = async {
        let request = http::client().post(url).headers(headers);
        let request = request.header(CONTENT_TYPE, HeaderValue::from_static("application/json")).body(body);
        let response = request.send().await.map_err(network)?;
        let status = response.status();
        if status.is_success() {
            return read(response, limits::ANSWER_BYTES).await;
        }
        let header = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok());
        let asked = header.and_then(|header| retry::asked(header, now_unix_seconds));
        // Whatever cannot be read of the explanation is not missed.
        let explanation = read(response, limits::EXPLANATION_BYTES).await.unwrap_or_default();
        let explanation = String::from_utf8_lossy(&explanation).into_owned();
        Err(ExchangeFailure::Status { status: status.as_u16(), asked, explanation })
    };
    tokio::time::timeout(timeout, work).await.unwrap_or(Err(ExchangeFailure::Slow))
}

async fn read(mut response: Response, at_most: usize) -> Result<Vec<u8>, ExchangeFailure> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(network)? {
        if body.len() + chunk.len() > at_most {
            return Err(ExchangeFailure::Large);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// The error's own text would name the address, and with it what an operator may have put there. Its cause (a name that is
/// not known, a certificate that is not trusted) is for whoever looks closer.
fn network(error: reqwest::Error) -> ExchangeFailure {
    let why = match () {
        () if error.is_connect() && error.is_timeout() => "connecting took too long",
        () if error.is_connect() => "it cannot be reached",
        () if error.is_builder() => "its address or a header cannot be used",
        () => "the connection broke",
    };
    tracing::debug!(error = ?error.without_url(), "a model's server gave no answer");
    ExchangeFailure::Network(why)
}
