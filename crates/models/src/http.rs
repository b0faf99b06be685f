//! The one HTTP client of the process.
//!
//! Shared, because a connection that is already open saves a handshake or two, which is most of the time to the first
//! byte. It never repeats a request by itself: whether something may have been done already is for the caller to know. It
//! follows no redirect, because the headers carry keys and the address is the one that an operator configured.
//! TLS is rustls with *ring*: no C library besides, and the machine's own certificates.

use std::sync::OnceLock;
use std::time::Duration;

use crate::limits;
use reqwest::{Client, redirect, retry};

/// The client; made when it is first asked for. Cloning it is cheap and shares its connections.
pub fn client() -> Client {
    static CLIENT: OnceLock<Client> = OnceLock::new();
    CLIENT.get_or_init(make).clone()
}

fn make() -> Client {
    // An error means that another part of the process was faster to install one, which then serves.
    let _ = rustls::crypto::ring::default_provider().install_default();
    builder().build().unwrap_or_else(|error| {
        // A machine without certificates can still reach a model on its own network.
        tracing::warn!(%error, "no TLS certificates were found on this machine; only http:// will work");
        builder()
            .tls_certs_only([])
            .build()
            .expect("nothing is left that could fail: no certificates, no proxy, no address")
    })
}

fn builder() -> reqwest::ClientBuilder {
    Client::builder()
        .user_agent(concat!("recollect/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(Duration::from_secs(limits::CONNECT_TIMEOUT_SECONDS))
        .pool_max_idle_per_host(limits::IDLE_CONNECTIONS_PER_HOST)
        .pool_idle_timeout(Duration::from_secs(limits::IDLE_SECONDS))
        .tcp_nodelay(true)
        .tcp_keepalive(Duration::from_secs(limits::KEEP_ALIVE_SECONDS))
        .http2_keep_alive_interval(Duration::from_secs(limits::KEEP_ALIVE_SECONDS))
        .http2_adaptive_window(true)
        .redirect(redirect::Policy::none())
        .retry(retry::never())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_without_certificates_has_a_client_too() {
        let _ = rustls::crypto::ring::default_provider().install_default();
        assert!(builder().tls_certs_only([]).build().is_ok());
        let _ = (client(), client());
    }
}
