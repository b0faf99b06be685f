//! What mem0's clients can ask that Recollect does not have: refused by name, with what there is instead.

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::routing::{MethodRouter, any};

use crate::app::AppState;
use crate::problem::{Code, Problem};

/// Addresses, what they are for, and what to do instead.
const ABSENT: &[(&[&str], &str, &str)] = &[
    (&["/v1/exports", "/v1/exports/get"], "exports by a schema", "get_all pages through everything there is"),
    (&["/v1/summary"], "summaries of exports", "the digests of conversations are at /api/memory/episodes"),
    (
        &[
            "/v2/entities/{type}/{name}/profile",
            "/v2/profiles/jobs",
            "/v2/profiles/jobs/{id}",
            "/v2/profiles/settings",
        ],
        "profiles in mem0's form",
        "/api/memory/identity says who a user is",
    ),
    (
        &["/api/v1/orgs/{*rest}"],
        "organizations and projects",
        "a key opens one tenant; `recollect settings` sets what it does",
    ),
    (&["/api/v1/webhooks/{*rest}"], "webhooks", "/api/events tells what changes as it changes"),
    (&["/v1/events", "/v1/event/{id}"], "events of work in the background", "add answers when it is done"),
    (&["/configure"], "configuration over HTTP", "`recollect config` and `recollect settings` do it"),
];

pub fn routes() -> Vec<(String, MethodRouter<AppState>)> {
    let mut routes = Vec::new();
    for (paths, what, instead) in ABSENT {
        // The body is read although nobody wants it: a connection on which one was left unread is closed under the client.
        let refuse = move |_: Result<Bytes, BytesRejection>| async move {
            let message = format!("Recollect has no {what}");
            Problem::new(Code::NotImplemented, message).hint(*instead)
        };
        for path in *paths {
            routes.push(((*path).to_owned(), any(refuse)));
            if !path.contains('*') {
                routes.push((format!("{path}/"), any(refuse)));
            }
        }
    }
    routes
}
