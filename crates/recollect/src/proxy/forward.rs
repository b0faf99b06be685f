//! A request on its way to the upstream, and the answer on its way back, as they are.
//!
//! Headers that belong to one connection stay behind (RFC 9110, 7.6.1), what is ours is taken out ([`who::strip`]), the
//! upstream's own key is put in; everything else passes. A request is sent once: what may have reached the upstream is
//! never repeated, because it may have been executed and paid for. Only where no connection came about it is tried a
//! second time. There is a time limit on connecting and none on answering: models think for minutes.

use std::time::Instant;

use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{HeaderMap, Method};
use axum::response::Response;
use bytes::Bytes;
use models::{Upstream, Wire};

use super::{who, wires};
use crate::problem::{Code, Problem};
use crate::{metrics, telemetry};

/// Headers that are about one connection and not about what is said over it.
const OF_THE_CONNECTION: [HeaderName; 8] = [
    header::CONNECTION,
    HeaderName::from_static("keep-alive"),
    header::PROXY_AUTHENTICATE,
    header::PROXY_AUTHORIZATION,
    header::TE,
    header::TRAILER,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
];

/// What is to be sent where.
pub struct Outgoing<'a> {
    pub upstream: &'a Upstream,
    pub method: Method,
    /// Below the upstream's address, such as `chat/completions`.
    pub path: &'a str,
    /// As the client sent them.
    pub headers: &'a HeaderMap,
    pub body: Bytes,
    /// The answer must come unpacked, because a copy of it is read.
    pub readable: bool,
}

/// Sends it, and gives the answer as soon as it begins.
pub async fn send(outgoing: Outgoing<'_>) -> Result<reqwest::Response, Problem> {
    let upstream = outgoing.upstream;
    let headers = request_headers(&outgoing);
    let request = || {
        models::http::client()
            .request(outgoing.method.clone(), upstream.url(outgoing.path))
            .headers(headers.clone())
            .body(outgoing.body.clone())
            .send()
    };
    let start = Instant::now();
    let mut answer = request().await;
    if answer.as_ref().is_err_and(reqwest::Error::is_connect) {
        answer = request().await;
    }
    match answer {
        Ok(answer) => {
            metrics::upstream_answered(&upstream.name, answer.status().as_u16(), start.elapsed());
            Ok(answer)
        }
        Err(error) => Err(unreachable(upstream, &error)),
    }
}

/// The answer as the client gets it, whose body is made by whoever passes it on.
pub fn response(answer: reqwest::Response) -> (Response<()>, reqwest::Body) {
    let (mut parts, body) = axum::http::Response::<reqwest::Body>::from(answer).into_parts();
    strip_connection(&mut parts.headers);
    // The version is that of the upstream's connection; this one has its own.
    let mut response = Response::new(());
    *response.status_mut() = parts.status;
    *response.headers_mut() = parts.headers;
    (response, body)
}

fn request_headers(outgoing: &Outgoing<'_>) -> HeaderMap {
    let mut headers = outgoing.headers.clone();
    strip_connection(&mut headers);
    who::strip(&mut headers);
    // The client of the connection to come sets these itself.
    for name in [header::HOST, header::CONTENT_LENGTH, header::EXPECT] {
        headers.remove(name);
    }
    if outgoing.readable {
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    }
    let upstream = outgoing.upstream;
    if upstream.key.is_some() || !upstream.pass_key {
        headers.remove(header::AUTHORIZATION);
        headers.remove("x-api-key");
    }
    upstream.dress(&mut headers);
    let is_theirs = outgoing.path.starts_with(wires::MESSAGES_PATH);
    if let (Wire::Anthropic, Some(key), false) = (upstream.wire, &upstream.key, is_theirs) {
        // Their routes in OpenAI's shape take the key in OpenAI's place; their own would take it for another kind.
        if let Ok(mut bearer) = HeaderValue::from_str(&format!("Bearer {}", key.expose())) {
            bearer.set_sensitive(true);
            headers.insert(header::AUTHORIZATION, bearer);
        }
    }
    telemetry::propagate(&mut headers);
    headers
}

fn strip_connection(headers: &mut HeaderMap) {
    let named: Vec<HeaderName> = headers
        .get_all(header::CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter_map(|name| name.trim().parse().ok())
        .collect();
    for name in OF_THE_CONNECTION.into_iter().chain(named) {
        headers.remove(name);
    }
}

/// The cause is logged, and the client is told which upstream and no more: causes hold addresses.
fn unreachable(upstream: &Upstream, error: &reqwest::Error) -> Problem {
    let (reason, happened) = match (error.is_connect(), error.is_timeout()) {
        (true, true) => ("connect_timeout", "could not be reached in time"),
        (true, false) => ("connect", "could not be reached"),
        (false, _) => ("broken", "broke off before it answered; whether it did what was asked is not known"),
    };
    metrics::upstream_failed(&upstream.name, reason);
    let cause = cause(error);
    tracing::warn!(upstream = upstream.name, reason, cause, "an upstream did not answer");
    Problem::new(Code::UpstreamUnreachable, format!("the upstream `{}` {happened}", upstream.name))
        .hint("the log has the cause; `recollect config` shows where upstreams are")
}

/// The innermost cause, which names the system's error and no address.
fn cause(error: &reqwest::Error) -> String {
    let mut innermost: &dyn std::error::Error = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
}

#[cfg(test)]
mod tests {
    use models::Secret;

    use super::*;

    fn sent(upstream: &Upstream, given: &[(&'static str, &'static str)], readable: bool) -> HeaderMap {
        let headers: HeaderMap = given
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)))
            .collect();
        let (method, body) = (Method::POST, Bytes::new());
        request_headers(&Outgoing { upstream, method, path: "x", headers: &headers, body, readable })
    }

    #[test]
    fn the_connections_headers_and_ours_stay_behind() {
        let upstream = Upstream::new("a", Wire::OpenAi, "http://a");
        let given = [
            ("connection", "keep-alive, x-hop"),
            ("x-hop", "1"),
            ("te", "trailers"),
            ("host", "here"),
            ("content-length", "3"),
            ("x-recollect-memory", "on"),
            ("authorization", "Bearer theirs"),
            ("openai-organization", "kept"),
            ("accept-encoding", "gzip"),
        ];
        let headers = sent(&upstream, &given, false);
        let mut names: Vec<&str> = headers.keys().map(HeaderName::as_str).collect();
        names.sort_unstable();
        assert_eq!(names, ["accept-encoding", "authorization", "openai-organization"]);
        assert_eq!(headers["accept-encoding"], "gzip");
        assert_eq!(sent(&upstream, &given, true)["accept-encoding"], "identity");
    }

    #[test]
    fn an_upstream_with_a_key_never_sees_the_clients() {
        let upstream = Upstream::new("a", Wire::OpenAi, "http://a").with_key(Secret::new("ours"));
        let headers = sent(&upstream, &[("authorization", "Bearer theirs"), ("x-api-key", "theirs")], false);
        assert_eq!(headers["authorization"], "Bearer ours");
        assert!(!headers.contains_key("x-api-key"));
        let keyless = Upstream { pass_key: false, ..Upstream::new("a", Wire::OpenAi, "http://a") };
        assert!(sent(&keyless, &[("authorization", "Bearer theirs")], false).is_empty());
        let anthropic = Upstream::new("a", Wire::Anthropic, "http://a").with_key(Secret::new("ours"));
        let headers = sent(&anthropic, &[], false);
        assert_eq!(
            (&headers["x-api-key"], &headers["authorization"]),
            (&"ours".parse().expect("v"), &"Bearer ours".parse().expect("v"))
        );
    }
}
