//! Routes that other systems' clients know: which they are, and whose.
//!
//! Those clients send fields of their own beside what is meant for us, and must not be refused for it. Every other route is ours, and
//! refuses what it does not know ([`crate::request::names`]). Chats are the providers' own format and are never refused for a field.

use axum::http::Method;

use crate::request::names::Clients;

/// Method, path and system. mem0's are [`MEM0`].
const FOREIGN: &[(Method, &str, &str)] = &[
    (Method::GET, "/api/memory", "OmniRoute"),
    (Method::POST, "/api/memory", "OmniRoute"),
    (Method::GET, "/api/memory/{id}", "OmniRoute"),
    (Method::PUT, "/api/memory/{id}", "OmniRoute"),
    (Method::DELETE, "/api/memory/{id}", "OmniRoute"),
    (Method::GET, "/api/memory/health", "OmniRoute"),
    (Method::GET, "/api/memory/engine-status", "OmniRoute"),
    (Method::GET, "/api/memory/embedding-providers", "OmniRoute"),
    (Method::POST, "/api/memory/retrieve-preview", "OmniRoute"),
    (Method::POST, "/api/memory/summarize", "OmniRoute"),
    (Method::POST, "/api/memory/reindex", "OmniRoute"),
    (Method::GET, "/api/settings/memory", "OmniRoute"),
    (Method::POST, "/memory/ingest", "Osaurus"),
    (Method::GET, "/agents", "Osaurus"),
    (Method::GET, "/agents/{id}", "Osaurus"),
];

/// What mem0's paths begin with, of its own server and of the hosted one.
const MEM0: &[&str] = &["/v1/", "/v2/", "/v3/", "/memories", "/search", "/reset"];

/// Where mem0's clients remove everything that somebody has: a field that is passed over there removes too much.
const MEM0_REMOVAL: &[&str] = &["/memories", "/memories/", "/v1/memories", "/v1/memories/"];

/// Whose clients call a route.
pub fn clients(method: &Method, path: &str) -> Clients {
    if method == Method::DELETE && MEM0_REMOVAL.contains(&path) {
        return Clients::Ours;
    }
    let listed = FOREIGN.iter().any(|(known, at, _)| known == method && *at == path);
    if listed || MEM0.iter().any(|begin| path.starts_with(begin)) { Clients::Theirs } else { Clients::Ours }
}
