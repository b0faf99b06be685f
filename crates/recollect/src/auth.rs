//! Who stands at the door: finds the key in a request, lets its holder in, and turns others away.
//!
//! A handler that takes a [`Caller`] is reached only by somebody who was let in; one that takes none cannot open a
//! tenant. Keys come as `X-Recollect-Key`, `X-API-Key` or a bearer token. Only what begins with `rk_` is ours: other
//! tokens are meant for the provider behind the proxy and are passed over here. Around all routes stands [`guard`],
//! which looks at where a request comes from ([`origin_policy`]); how often a key may ask is in [`rate`].

pub mod origin_policy;
pub mod rate;

use axum::extract::{FromRequestParts, MatchedPath, Request, State};
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use memory::types::TenantId;
use store::{Credential, Denied, KeySecret, SECRET_MARK, holds_secret};

use crate::app::{AppState, REQUEST_ID};
use crate::ops::Caller;
use crate::problem::{Code, Problem};
use origin_policy::Transport;

const OUR_KEY: HeaderName = HeaderName::from_static("x-recollect-key");
const API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// Which tenant an operator means, over the socket alone.
pub const TENANT: HeaderName = HeaderName::from_static("x-recollect-tenant");

/// Probes come from orchestrators, under whatever name these have for the machine, and are told nothing.
const PROBES: [&str; 2] = ["/healthz", "/readyz"];

impl FromRequestParts<AppState> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        caller(&parts.headers, state, &asked(&parts.method, parts.extensions.get())).await
    }
}

/// Lets in whoever sent these headers, or says why not. `what` is the request's method and route, for the record.
pub async fn caller(headers: &HeaderMap, state: &AppState, what: &str) -> Result<Caller, Problem> {
    let request = request_id(headers);
    let credential = match (key(headers), state.door.way()) {
        (Some(secret), _) => Credential::Key(secret),
        (None, Transport::Socket) => Credential::Operator { tenant: tenant(headers)? },
        (None, Transport::Loopback) => Credential::Loopback,
        // Also when all keys were revoked while the server runs: then nobody from elsewhere is let in.
        (None, Transport::Network) => return Err(refuse(state, request, what, Denied::NoKey)),
    };
    match state.house.authenticate(credential).await {
        Ok(caller) => {
            let caller = caller.in_request(request);
            within_rate(&caller, state, what)?;
            Ok(caller)
        }
        Err(denied @ Denied::Store(_)) => Err(denied.into()),
        Err(denied) => Err(refuse(state, request, what, denied)),
    }
}

/// Takes our keys out of headers that go on to a provider, wherever they stand: whoever sends one under the wrong name or
/// twice must not show it to somebody else.
pub fn strip(headers: &mut HeaderMap) {
    headers.remove(OUR_KEY);
    let names: Vec<HeaderName> = headers.keys().cloned().collect();
    for name in names {
        let (ours, others): (Vec<HeaderValue>, Vec<HeaderValue>) =
            headers.get_all(&name).iter().cloned().partition(|value| shows_key(&name, value));
        if !ours.is_empty() {
            headers.remove(&name);
            for value in others {
                headers.append(name.clone(), value);
            }
        }
    }
}

/// Whether a header's value is one of our keys or holds one.
fn shows_key(name: &HeaderName, value: &HeaderValue) -> bool {
    let is_credential = [API_KEY, AUTHORIZATION].contains(name);
    let is_key = is_ours(value.as_bytes()) || bearer(value).is_some_and(|token| is_ours(token.as_bytes()));
    (is_credential && is_key)
        || holds_secret(value.as_bytes())
        || basic(value).is_some_and(|pair| holds_secret(&pair))
}

/// What `Basic …` says, decoded.
fn basic(value: &HeaderValue) -> Option<Vec<u8>> {
    let (scheme, token) = value.to_str().ok()?.trim().split_once(' ')?;
    let token = token.trim().trim_end_matches('=');
    let decode = || STANDARD_NO_PAD.decode(token).or_else(|_| URL_SAFE_NO_PAD.decode(token)).ok();
    scheme.eq_ignore_ascii_case("basic").then(decode)?
}

/// Whoever can open the socket may name any tenant.
fn tenant(headers: &HeaderMap) -> Result<TenantId, Problem> {
    let Some(name) = headers.get(TENANT) else { return Ok(TenantId::local()) };
    let name = String::from_utf8_lossy(name.as_bytes());
    name.parse().map_err(|error| Problem::invalid(format!("{TENANT}: {error}")))
}

/// The key that a request shows. What stands under our own header is meant for us, whatever it looks like.
fn key(headers: &HeaderMap) -> Option<KeySecret> {
    if let Some(value) = headers.get(OUR_KEY) {
        return Some(KeySecret::new(String::from_utf8_lossy(value.as_bytes()).trim()));
    }
    let api_key = headers.get(API_KEY).and_then(|value| value.to_str().ok()).map(str::trim);
    let tokens = [api_key, headers.get(AUTHORIZATION).and_then(bearer)];
    tokens.into_iter().flatten().find(|token| is_ours(token.as_bytes())).map(KeySecret::new)
}

fn is_ours(token: &[u8]) -> bool {
    token.trim_ascii_start().starts_with(SECRET_MARK.as_bytes())
}

/// The token of `Bearer …`, or of `Token …`, as mem0's clients write it; the scheme's case does not matter.
fn bearer(value: &HeaderValue) -> Option<&str> {
    let (scheme, token) = value.to_str().ok()?.trim().split_once(' ')?;
    let is_one = ["bearer", "token"].iter().any(|known| scheme.eq_ignore_ascii_case(known));
    is_one.then(|| token.trim())
}

fn within_rate(caller: &Caller, state: &AppState, what: &str) -> Result<(), Problem> {
    let Err(seconds) = state.door.rate().take(caller.holder(), std::time::Instant::now()) else {
        return Ok(());
    };
    state.house.record(caller, what, Some("rate"));
    Err(too_many(seconds))
}

/// Strangers share one allowance, past which they are neither answered why nor recorded: what they send must not push the
/// decisions about real keys out of the record.
fn refuse(state: &AppState, request: Option<&str>, what: &str, denied: Denied) -> Problem {
    if let Err(seconds) = state.door.rate().take("unknown", std::time::Instant::now()) {
        return too_many(seconds);
    }
    state.house.record_stranger(request, what, denied.reason(), Some(&denied));
    denied.into()
}

fn too_many(seconds: u64) -> Problem {
    let message = "too many requests within a minute";
    let problem = Problem::new(Code::RateLimited, message)
        .hint(format!("come back in {seconds} s; `server.requestsPerMinute` draws the line"));
    Problem { retry_after_seconds: Some(seconds), ..problem }
}

/// Stands around all routes: refuses what was sent under a foreign name or by a foreign page, and answers browsers that
/// ask whether a page may.
pub async fn guard(State(state): State<AppState>, request: Request, next: Next) -> Response {
    if state.door.way() == Transport::Socket || PROBES.contains(&request.uri().path()) {
        return next.run(request).await;
    }
    let origin = match state.door.admit(request.headers(), request.uri()) {
        Ok(origin) => origin,
        Err(refused) => {
            let what = asked(request.method(), request.extensions().get());
            state.house.record_stranger(request_id(request.headers()), &what, refused.reason, None);
            return refused.problem.into_response();
        }
    };
    if let Some(preflight) = origin.as_ref().and_then(|origin| origin_policy::preflight(origin, &request)) {
        return preflight;
    }
    let mut response = next.run(request).await;
    if let Some(origin) = origin {
        origin_policy::expose(&origin, response.headers_mut());
    }
    response
}

/// Method and route. Not the path, in which anything may stand.
fn asked(method: &Method, route: Option<&MatchedPath>) -> String {
    format!("{method} {}", route.map_or("-", MatchedPath::as_str))
}

fn request_id(headers: &HeaderMap) -> Option<&str> {
    headers.get(REQUEST_ID).and_then(|id| id.to_str().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let pair = |(name, value): &(&'static str, &'static str)| {
            (HeaderName::from_static(name), HeaderValue::from_static(value))
        };
        pairs.iter().map(pair).collect()
    }

    fn found(pairs: &[(&'static str, &'static str)]) -> Option<String> {
        key(&headers(pairs)).map(|secret| secret.reveal().to_owned())
    }

    #[test]
    fn our_keys_are_found_and_others_passed_over() {
        assert_eq!(found(&[("authorization", "Bearer rk_a")]).as_deref(), Some("rk_a"));
        assert_eq!(found(&[("authorization", "bearer  rk_a ")]).as_deref(), Some("rk_a"));
        assert_eq!(found(&[("authorization", "Token rk_a")]).as_deref(), Some("rk_a"));
        assert_eq!(found(&[("x-api-key", "rk_a")]).as_deref(), Some("rk_a"));
        assert_eq!(found(&[("x-recollect-key", " rk_a")]).as_deref(), Some("rk_a"));
        assert_eq!(
            found(&[("authorization", "Bearer sk-1"), ("x-recollect-key", "rk_a")]).as_deref(),
            Some("rk_a")
        );
        assert_eq!(
            found(&[("x-api-key", "sk-1"), ("authorization", "Bearer rk_a")]).as_deref(),
            Some("rk_a")
        );
        assert_eq!(found(&[("x-recollect-key", "nonsense")]).as_deref(), Some("nonsense"), "meant for us");
        for others in [
            ("authorization", "Bearer sk-1"),
            ("x-api-key", "sk-1"),
            ("authorization", "Basic rk_a"),
            ("authorization", "Token m0-1"),
        ] {
            assert_eq!(found(&[others]), None, "{others:?}");
        }
    }

    #[test]
    fn our_keys_go_no_further_and_others_do() {
        let mut ours =
            headers(&[("authorization", "Bearer rk_a"), ("x-api-key", "rk_a"), ("x-recollect-key", "rk_a")]);
        strip(&mut ours);
        assert!(ours.is_empty(), "{ours:?}");
        let mut others =
            headers(&[("authorization", "Bearer sk-1"), ("x-api-key", "sk-2"), ("x-recollect-key", "x")]);
        strip(&mut others);
        assert_eq!(others.len(), 2);
    }
}
