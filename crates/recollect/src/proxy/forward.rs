//! A request on its way to the upstream, and the answer on its way back, as they are.
//!
//! Headers that belong to one connection stay behind (RFC 9110, 7.6.1), what is ours is taken out ([`identity_headers::strip`]), the
//! upstream's own key is put in; everything else passes. A request is sent once: what may have reached the upstream is
//! never repeated, because it may have been executed and paid for. Only where no connection came about it is tried a
//! second time; and who sent memory along asks once more without it, where the upstream refused to execute that. There is a time limit on connecting and none on answering: models think for minutes.

use std::time::Instant;

use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{HeaderMap, Method};
use axum::response::Response;
use bytes::Bytes;
use models::{Upstream, UpstreamWire};
use reqwest::Url;

use super::{hops, identity_headers, routing};
use crate::problem::{Code, Problem};
use crate::{limits, metrics, telemetry};

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
    /// This server's name on the request's way.
    pub instance: &'a str,
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
    let (headers, address) = (request_headers(&outgoing), address(upstream, outgoing.path)?);
    let request = || {
        models::http::client()
            .request(outgoing.method.clone(), address.clone())
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

/// The address of a path below the upstream's, and of nothing else: a path that steps out of it, however that is written,
/// would reach with the upstream's key what nobody meant to offer.
fn address(upstream: &Upstream, path: &str) -> Result<Url, Problem> {
    let refused = || Problem::field("path", "the address has a segment `.` or `..`; expected a plain one");
    if steps_out(path.split('?').next().unwrap_or_default()) {
        return Err(refused());
    }
    let (base, address) = (Url::parse(&upstream.base_url), Url::parse(&upstream.url(path)));
    let (Ok(base), Ok(address)) = (base, address) else { return Err(refused()) };
    let below = format!("{}/", base.path().trim_end_matches('/'));
    match base.origin() == address.origin() && address.path().starts_with(&below) {
        true => Ok(address),
        false => Err(refused()),
    }
}

/// Whether a path has a segment that means where it is or the one above it, as written or as whoever decodes it reads it.
fn steps_out(path: &str) -> bool {
    let mut path = path.as_bytes().to_vec();
    for _ in 0..limits::ADDRESS_DECODINGS {
        let mut segments = path.split(|byte| matches!(byte, b'/' | b'\\'));
        if segments.any(|segment| segment == b"." || segment == b"..") {
            return true;
        }
        let decoded = decoded(&path);
        if decoded == path {
            return false;
        }
        path = decoded;
    }
    // Encoded again and again, which no honest address is.
    true
}

/// The path with its percent escapes read once.
fn decoded(path: &[u8]) -> Vec<u8> {
    let digit = |at: usize| path.get(at).and_then(|byte| char::from(*byte).to_digit(16));
    let (mut decoded, mut at) = (Vec::with_capacity(path.len()), 0);
    while let Some(byte) = path.get(at) {
        match (byte, digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                decoded.push((high * 16 + low) as u8);
                at += 3;
            }
            _ => {
                decoded.push(*byte);
                at += 1;
            }
        }
    }
    decoded
}

fn request_headers(outgoing: &Outgoing<'_>) -> HeaderMap {
    let mut headers = outgoing.headers.clone();
    strip_connection(&mut headers);
    identity_headers::strip(&mut headers);
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
    let is_theirs = outgoing.path.starts_with(routing::MESSAGES_PATH);
    if let (UpstreamWire::Anthropic, Some(key), false) = (upstream.wire, &upstream.key, is_theirs) {
        // Their routes in OpenAI's shape take the key in OpenAI's place; their own would take it for another kind.
        if let Ok(mut bearer) = HeaderValue::from_str(&format!("Bearer {}", key.expose())) {
            bearer.set_sensitive(true);
            headers.insert(header::AUTHORIZATION, bearer);
        }
    }
    if let Some(passed) = hops::onward(outgoing.headers, outgoing.instance) {
        headers.insert(hops::HOPS, passed);
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
    use models::ProviderSecret;

    use super::*;

    fn sent(upstream: &Upstream, given: &[(&'static str, &'static str)], readable: bool) -> HeaderMap {
        let headers: HeaderMap = given
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)))
            .collect();
        let (method, body) = (Method::POST, Bytes::new());
        let instance = "here";
        let mut headers = request_headers(&Outgoing {
            upstream,
            instance,
            method,
            path: "x",
            headers: &headers,
            body,
            readable,
        });
        assert_eq!(headers.remove(hops::HOPS).expect("the way"), "here");
        headers
    }

    #[test]
    fn the_connections_headers_and_ours_stay_behind() {
        let upstream = Upstream::new("a", UpstreamWire::OpenAi, "http://a");
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
        let upstream =
            Upstream::new("a", UpstreamWire::OpenAi, "http://a").with_key(ProviderSecret::new("ours"));
        let headers = sent(&upstream, &[("authorization", "Bearer theirs"), ("x-api-key", "theirs")], false);
        assert_eq!(headers["authorization"], "Bearer ours");
        assert!(!headers.contains_key("x-api-key"));
        let keyless = Upstream { pass_key: false, ..Upstream::new("a", UpstreamWire::OpenAi, "http://a") };
        assert!(sent(&keyless, &[("authorization", "Bearer theirs")], false).is_empty());
        let anthropic =
            Upstream::new("a", UpstreamWire::Anthropic, "http://a").with_key(ProviderSecret::new("ours"));
        let headers = sent(&anthropic, &[], false);
        assert_eq!(
            (&headers["x-api-key"], &headers["authorization"]),
            (&"ours".parse().expect("v"), &"Bearer ours".parse().expect("v"))
        );
    }

    #[test]
    fn no_address_steps_out_of_the_upstreams() {
        let upstream = Upstream::new("a", UpstreamWire::OpenAi, "http://a/v1");
        for path in [
            "responses/../files/file-1",
            "responses/%2e%2e/files",
            "responses/%2E%2e/files",
            "responses/.%2e/files",
            "responses/%252e%252e/files",
            "responses/%25252e%25252e/files",
            "responses/..%2ffiles",
            "responses/..%5cfiles",
            "responses\\..\\files",
            "responses/./files",
            "models/..",
            "../admin",
            "responses/%25252525252525252541",
        ] {
            assert!(address(&upstream, path).is_err(), "{path}");
        }
        for path in
            ["models/vendor/m%20x", "responses/a..b?x=../y", "models/m.2", "models/...", "responses/100%25"]
        {
            let address = address(&upstream, path).unwrap_or_else(|problem| panic!("{path}: {problem}"));
            assert_eq!(address.as_str(), format!("http://a/v1/{path}"));
        }
    }
}
