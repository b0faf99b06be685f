//! Where a request comes from, as far as it says so itself: under which name it was sent, and by which page.
//!
//! A page from elsewhere, open in a browser on this machine, can reach a loopback address too. It can do so under a name
//! of its own that it lets point here (DNS rebinding), which the `Host` header gives away; or by plain requests across
//! origins, which `Origin` gives away. Both are refused, unless the configuration names the host or the origin. What a
//! program sends has the right `Host` and no `Origin`.

use std::net::{IpAddr, SocketAddr};

use axum::extract::Request;
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_HEADERS,
    ACCESS_CONTROL_REQUEST_METHOD, HOST, ORIGIN, VARY,
};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};

use super::rate::Rate;
use crate::config::Config;
use crate::problem::{Code, Problem};
use memory::error::shown;

/// What is asked of requests at one listener.
#[derive(Debug)]
pub struct Door {
    way: Transport,
    /// Names under which it may be reached besides those of this machine.
    hosts: Vec<String>,
    /// Origins of pages that may use it.
    origins: Vec<String>,
    rate: Rate,
}

/// How requests reach a listener.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transport {
    /// From this machine only.
    Loopback,
    /// From other machines.
    Network,
    /// Over the socket, which its owner alone may open.
    Socket,
}

/// A no, with its word for the record.
pub struct OriginRefusal {
    pub reason: &'static str,
    pub problem: Problem,
}

impl Door {
    /// As nobody configured it: this machine, no foreign pages, as often as one likes.
    pub fn plain() -> Self {
        Self { way: Transport::Loopback, hosts: Vec::new(), origins: Vec::new(), rate: Rate::per_minute(0) }
    }

    pub fn socket() -> Self {
        Self { way: Transport::Socket, ..Self::plain() }
    }

    pub fn new(config: &Config, address: SocketAddr) -> Self {
        let way = if address.ip().is_loopback() { Transport::Loopback } else { Transport::Network };
        Self {
            way,
            hosts: config.allowed_hosts.clone(),
            origins: config.cors_origins.clone(),
            rate: Rate::per_minute(config.requests_per_minute),
        }
    }

    pub fn way(&self) -> Transport {
        self.way
    }

    pub fn rate(&self) -> &Rate {
        &self.rate
    }

    /// Checks name and page; gives the page's origin where its browser is to be told that it may read the answer.
    pub fn admit(&self, headers: &HeaderMap, uri: &Uri) -> Result<Option<HeaderValue>, OriginRefusal> {
        let host = host(headers, uri);
        if let Some(host) = &host
            && !self.may_be_called(host)
        {
            let message = format!("this server is not called `{}`", shown(host));
            let hint = "use localhost or 127.0.0.1, or list the name under `server.allowedHosts`";
            return Err(OriginRefusal {
                reason: "host",
                problem: Problem::new(Code::Denied, message).hint(hint),
            });
        }
        let Some(origin) = headers.get(ORIGIN) else { return Ok(None) };
        let text = origin.to_str().unwrap_or_default();
        if self.origins.iter().any(|allowed| allowed.eq_ignore_ascii_case(text)) {
            return Ok(Some(origin.clone()));
        }
        let page = text.parse::<Uri>().ok().and_then(|page| page.host().map(bare));
        if page.as_ref().is_some_and(|page| is_this_machine(page) || Some(page) == host.as_ref()) {
            return Ok(None);
        }
        let message = "a web page from elsewhere may not use this memory";
        let hint = "call from a program, or list the page's origin under `server.corsOrigins`";
        Err(OriginRefusal { reason: "origin", problem: Problem::new(Code::Denied, message).hint(hint) })
    }

    /// A server for other machines has whatever names these have for it, and lets nobody in without a key; it takes any
    /// name unless some are listed.
    fn may_be_called(&self, host: &str) -> bool {
        let any = self.way == Transport::Network && self.hosts.is_empty();
        any || is_this_machine(host) || self.hosts.iter().any(|allowed| allowed.eq_ignore_ascii_case(host))
    }
}

/// The name that the request was sent to, without its port. Very old clients say none; no browser does.
fn host(headers: &HeaderMap, uri: &Uri) -> Option<String> {
    let said = headers.get(HOST).map(|host| String::from_utf8_lossy(host.as_bytes()).into_owned());
    match said {
        Some(said) => {
            let authority = said.parse::<axum::http::uri::Authority>();
            Some(authority.map_or(said, |authority| bare(authority.host())))
        }
        None => uri.host().map(bare),
    }
}

fn bare(host: &str) -> String {
    host.trim_matches(['[', ']']).trim_end_matches('.').to_ascii_lowercase()
}

fn is_this_machine(host: &str) -> bool {
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// The answer to a browser that asks whether a page may send a request. It is asked before every one that carries a key.
pub fn preflight(origin: &HeaderValue, request: &Request) -> Option<Response> {
    if request.method() != Method::OPTIONS || !request.headers().contains_key(ACCESS_CONTROL_REQUEST_METHOD) {
        return None;
    }
    let mut response = StatusCode::NO_CONTENT.into_response();
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
    headers.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST, PUT, PATCH, DELETE"));
    if let Some(wanted) = request.headers().get(ACCESS_CONTROL_REQUEST_HEADERS) {
        headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, wanted.clone());
    }
    headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    headers.insert(VARY, HeaderValue::from_static("origin"));
    Some(response)
}

/// Tells the browser that the page may read the answer.
pub fn expose(origin: &HeaderValue, headers: &mut HeaderMap) {
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("x-request-id, retry-after"));
    headers.append(VARY, HeaderValue::from_static("origin"));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admit(door: &Door, host: &str, origin: Option<&str>) -> Result<bool, &'static str> {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, host.parse().expect("a header"));
        if let Some(origin) = origin {
            headers.insert(ORIGIN, origin.parse().expect("a header"));
        }
        let admitted = door.admit(&headers, &Uri::from_static("/api/memory"));
        admitted.map(|origin| origin.is_some()).map_err(|refused| refused.reason)
    }

    #[test]
    fn a_loopback_server_answers_to_its_own_names_only() {
        let door = Door { hosts: vec!["memory.lan".into()], ..Door::plain() };
        for own in [
            "localhost",
            "LOCALHOST:8377",
            "127.0.0.1",
            "127.0.0.1:1",
            "[::1]:8377",
            "localhost.",
            "memory.lan:80",
        ] {
            assert_eq!(admit(&door, own, None), Ok(false), "{own}");
        }
        for other in
            ["evil.example", "evil.example:8377", "127.0.0.1.evil.example", "192.168.0.1", "", "a b", "::1"]
        {
            let expected = if other == "::1" { Ok(false) } else { Err("host") };
            assert_eq!(admit(&door, other, None), expected, "{other}");
        }
    }

    #[test]
    fn other_machines_may_call_it_what_they_like_unless_names_are_listed() {
        let door = Door { way: Transport::Network, ..Door::plain() };
        assert_eq!(admit(&door, "memory.example", None), Ok(false));
        let door = Door { hosts: vec!["memory.example".into()], ..door };
        assert_eq!(admit(&door, "memory.example", None), Ok(false));
        assert_eq!(admit(&door, "other.example", None), Err("host"));
    }

    #[test]
    fn pages_are_served_from_here_or_from_where_is_listed() {
        let door = Door { origins: vec!["https://app.example".into()], ..Door::plain() };
        assert_eq!(admit(&door, "localhost", Some("http://localhost:3000")), Ok(false));
        assert_eq!(admit(&door, "localhost", Some("http://[::1]:3000")), Ok(false));
        assert_eq!(admit(&door, "localhost", Some("https://app.example")), Ok(true));
        for other in ["https://evil.example", "http://app.example", "https://app.example:8443", "null", "x y"]
        {
            assert_eq!(admit(&door, "localhost", Some(other)), Err("origin"), "{other}");
        }
        let network = Door { way: Transport::Network, ..Door::plain() };
        assert_eq!(
            admit(&network, "memory.example:8377", Some("https://memory.example")),
            Ok(false),
            "its own page"
        );
    }
}
