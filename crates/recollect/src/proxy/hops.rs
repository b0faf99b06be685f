//! A request that comes round to ourselves: an upstream that is our own address, or one that asks us again.
//!
//! Such a request would go in circles until something breaks. Where the configuration shows it, the server does not start
//! ([`refuse_own_address`]). Where it does not, as with another name for this machine or a second proxy in between, each request
//! that goes upstream carries the names of the servers it passed, and one that brings our own name back is refused.

use std::net::{IpAddr, SocketAddr};

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use models::Upstreams;

use crate::limits;
use crate::problem::{Code, Problem};

/// The names of the servers that a request passed, separated by commas.
pub const HOPS: HeaderName = HeaderName::from_static("x-recollect-hop");

/// Refuses a request that passed this server already, or too many.
pub fn check(headers: &HeaderMap, instance: &str) -> Result<(), Problem> {
    let mut count = 0;
    for name in passed(headers) {
        count += 1;
        if name == instance || count > limits::HOPS {
            let message = match name == instance {
                true => "the request came back to the server that sent it; it was not sent on".to_owned(),
                false => format!("the request passed more than {} servers; it was not sent on", limits::HOPS),
            };
            let hint = "an upstream leads back here; `recollect config` shows where upstreams are";
            return Err(Problem::new(Code::LoopDetected, message).hint(hint));
        }
    }
    Ok(())
}

/// The header for the next server: who was passed before, and this one.
pub fn onward(given: &HeaderMap, instance: &str) -> Option<HeaderValue> {
    let names: Vec<&str> = passed(given).chain([instance]).collect();
    HeaderValue::from_str(&names.join(", ")).ok()
}

fn passed(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let values = headers.get_all(HOPS).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).map(str::trim).filter(|name| !name.is_empty())
}

/// Refuses upstreams that are the address on which this server listens.
pub fn refuse_own_address(upstreams: &Upstreams, address: SocketAddr) -> Result<(), Problem> {
    let Some(own) = upstreams.all().iter().find(|upstream| is_own(&upstream.base_url, address)) else {
        return Ok(());
    };
    let message = format!("the upstream `{}` is this server itself: it listens on {address}", own.name);
    let hint = "its baseUrl must be the server of models behind this one; check OPENAI_BASE_URL as well";
    Err(Problem::new(Code::InvalidConfiguration, message).hint(hint))
}

/// Whether the URL leads to this address. All names of this machine count as one, because each of them reaches a server
/// that listens on any of them, or nothing at all on that port.
fn is_own(url: &str, address: SocketAddr) -> bool {
    let Ok(url) = reqwest::Url::parse(url) else { return false };
    // This server speaks no TLS.
    if url.scheme() != "http" || url.port_or_known_default() != Some(address.port()) {
        return false;
    }
    let name = url.host_str().unwrap_or_default().trim_start_matches('[').trim_end_matches([']', '.']);
    let is_local_name = name == "localhost" || name.ends_with(".localhost");
    let ip = name.parse::<IpAddr>().ok().map(|ip| ip.to_canonical());
    let here = address.ip().to_canonical();
    let leads_here = |ip: IpAddr| ip.is_loopback() || ip.is_unspecified();
    ip == Some(here) || (leads_here(here) && (is_local_name || ip.is_some_and(leads_here)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_own_address_is_known_in_all_its_forms() {
        let own = |url: &str, address: &str| is_own(url, address.parse().expect("an address"));
        for host in [
            "localhost",
            "LOCALHOST",
            "127.0.0.1",
            "[::1]",
            "0.0.0.0",
            "[::]",
            "[::ffff:127.0.0.1]",
            "a.localhost",
            "127.1",
        ] {
            for address in ["127.0.0.1:8377", "0.0.0.0:8377", "[::1]:8377", "[::]:8377"] {
                assert!(own(&format!("http://{host}:8377/v1"), address), "{host} {address}");
                assert!(!own(&format!("http://{host}:11434/v1"), address), "{host} {address}");
            }
        }
        assert!(
            own("http://192.168.1.7:8377", "192.168.1.7:8377") && own("http://localhost", "127.0.0.1:80")
        );
        for (url, address) in [
            ("http://192.168.1.8:8377", "192.168.1.7:8377"),
            ("http://localhost:8377", "192.168.1.7:8377"),
            ("https://localhost:8377", "127.0.0.1:8377"),
            ("http://models.example:8377", "127.0.0.1:8377"),
        ] {
            assert!(!own(url, address), "{url} {address}");
        }
    }

    #[test]
    fn the_names_of_those_who_were_passed_go_on() {
        let mut headers = HeaderMap::new();
        assert_eq!(onward(&headers, "a").expect("a header"), "a");
        headers.append(HOPS, HeaderValue::from_static("x, y"));
        headers.append(HOPS, HeaderValue::from_static("z"));
        assert_eq!(onward(&headers, "a").expect("a header"), "x, y, z, a");
        assert!(check(&headers, "a").is_ok() && check(&headers, "y").is_err());
        let many = ["x"; limits::HOPS + 1].join(",");
        headers.insert(HOPS, HeaderValue::from_str(&many).expect("a header"));
        assert_eq!(check(&headers, "a").expect_err("too many").code, Code::LoopDetected);
    }
}
