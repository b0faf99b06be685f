//! HTTP: keys in every form, and what is turned away before it reaches anything.

use axum::Router;
use axum::http::Method;
use recollect::ops::Services;
use serde_json::{Value, json};
use std::sync::Arc;
use store::{KeySecret, Role};
use testkit::ManualClock;

use super::{bearer, get, house, key, operator, router, send};

const LIST: &str = "/api/memory";
const SEARCH: &str = "/api/memory/search";

/// A server on loopback with nothing configured.
fn plain(house: &Services) -> Router {
    router(house, "", "127.0.0.1:8377")
}

async fn remember(house: &Services, name: &str, content: &str) -> String {
    let caller = operator(house, name).await;
    let added = super::execute(house, &caller, json!({ "operation": "add", "content": content })).await;
    match added.expect("added") {
        recollect::ops::Outcome::Add(added) => added.id.as_str().to_owned(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn once_a_key_exists_all_requests_need_one() {
    let house = house();
    let router = plain(&house);
    assert_eq!(get(&router, LIST, &[]).await.status, 200, "this machine, no key exists");
    let made = key(&house, "local", Role::Memory, &[]).await;
    assert!(made.first);
    let reply = get(&router, LIST, &[]).await;
    assert_eq!((reply.status, reply.code()), (401, "unauthorized"));
    assert_eq!(reply.header("www-authenticate"), Some("Bearer realm=\"recollect\""));
    assert!(
        reply.body["error"]["hint"].as_str().expect("a hint").contains("X-Recollect-Key"),
        "{}",
        reply.body
    );
    assert_eq!(get(&router, LIST, &[("authorization", &bearer(&made.key))]).await.status, 200);
    for path in ["/healthz", "/readyz"] {
        assert_eq!(get(&router, path, &[]).await.status, 200, "{path} says nothing about anybody");
    }
}

#[tokio::test]
async fn keys_come_in_three_headers_and_providers_tokens_are_passed_over() {
    let house = house();
    let router = plain(&house);
    let made = key(&house, "acme", Role::Memory, &[]).await;
    let (ours, secret) = (bearer(&made.key), made.key.reveal());
    let good: [&[(&str, &str)]; 6] = [
        &[("authorization", &ours)],
        &[("x-api-key", secret)],
        &[("x-recollect-key", secret)],
        &[("authorization", "Bearer sk-provider"), ("x-recollect-key", secret)],
        &[("x-api-key", "sk-provider"), ("authorization", &ours)],
        &[("x-api-key", secret), ("authorization", "Bearer sk-provider")],
    ];
    for headers in good {
        assert_eq!(get(&router, LIST, headers).await.status, 200, "{headers:?}");
    }
    for headers in [[("authorization", "Bearer sk-provider")], [("x-api-key", "sk-provider")]] {
        let reply = get(&router, LIST, &headers).await;
        assert_eq!(reply.status, 401);
        assert!(
            reply.body["error"]["message"].as_str().expect("text").contains("none is shown"),
            "{}",
            reply.body
        );
    }
    let open = super::house();
    let reply = get(&plain(&open), LIST, &[("authorization", "Bearer sk-provider")]).await;
    assert_eq!(reply.status, 200, "no key is needed, and the provider's is not ours to judge");
}

#[tokio::test]
async fn wrong_expired_and_revoked_keys_are_told_apart_and_refused() {
    let clock = Arc::new(ManualClock::default());
    let house = Services { clock: clock.clone(), ..house() };
    let router = plain(&house);
    let made = key(&house, "acme", Role::Memory, &[]).await;
    let elsewhere = key(&super::house(), "acme", Role::Admin, &[]).await;
    let caller = operator(&house, "acme").await;
    let ends = memory::ports::Clock::now(&*clock).plus_seconds(60);
    let expiring = json!({ "operation": "key_create", "role": "memory", "expires_at": ends });
    let expiring = match super::execute(&house, &caller, expiring).await.expect("made") {
        recollect::ops::Outcome::KeyCreate(created) => created.key,
        other => panic!("{other:?}"),
    };
    let ask = async |secret: &str| {
        let reply = get(&router, LIST, &[("x-recollect-key", secret)]).await;
        (reply.status, reply.body["error"]["message"].as_str().unwrap_or_default().to_owned())
    };
    assert_eq!(ask(expiring.reveal()).await.0, 200);
    clock.advance_seconds(60);
    assert_eq!(ask(expiring.reveal()).await, (401, "the key expired".to_owned()));
    assert_eq!(ask(elsewhere.key.reveal()).await, (401, "there is no such key".to_owned()));
    let typo = made.key.reveal().replace("rk_", "rk_x");
    assert!(ask(&typo).await.1.contains("mistyped"));
    assert!(ask("nonsense").await.1.contains("mistyped"), "meant for us, and no key");
    assert_eq!(ask(made.key.reveal()).await.0, 200);
    let revoke = json!({ "operation": "key_revoke", "id": made.row.key.id });
    super::execute(&house, &caller, revoke).await.expect("revoked");
    assert_eq!(ask(made.key.reveal()).await, (401, "the key was revoked".to_owned()));
}

#[tokio::test]
async fn roles_hold_over_http() {
    let house = house();
    let router = plain(&house);
    let id = remember(&house, "acme", "likes tea").await;
    let reader = bearer(&key(&house, "acme", Role::Read, &[]).await.key);
    let writer = bearer(&key(&house, "acme", Role::Memory, &[]).await.key);
    let path = format!("{LIST}/{id}");
    let headers = [("authorization", reader.as_str())];
    assert_eq!(get(&router, &path, &headers).await.status, 200);
    let reply = send(&router, Method::DELETE, &path, &headers, Value::Null).await;
    assert_eq!((reply.status, reply.code()), (403, "denied"));
    let reply = send(&router, Method::DELETE, &path, &[("authorization", &writer)], Value::Null).await;
    assert_eq!(reply.status, 200, "{}", reply.body);
}

/// What belongs to another tenant is not there, by id too, and nothing says that it is.
#[tokio::test]
async fn a_key_sees_its_own_tenant_alone() {
    let house = house();
    let router = plain(&house);
    let acmes = remember(&house, "acme", "acme likes heliotrope").await;
    let stranger = bearer(&key(&house, "other", Role::Admin, &[]).await.key);
    remember(&house, "other", "other likes tea").await;
    let headers = [("authorization", stranger.as_str())];
    let (path, nobodys) =
        (format!("{LIST}/{acmes}"), format!("{LIST}/mt_01890a5d-ac96-774b-bcce-b302099a8057"));
    for method in [Method::GET, Method::PUT, Method::DELETE] {
        let body = if method == Method::PUT { json!({ "content": "x" }) } else { Value::Null };
        let reply = send(&router, method.clone(), &path, &headers, body.clone()).await;
        let unknown = send(&router, method.clone(), &nobodys, &headers, body).await;
        assert_eq!((reply.status, unknown.status), (404, 404), "{method}: {}", reply.body);
        assert_eq!(reply.code(), unknown.code());
    }
    let listed = get(&router, LIST, &headers).await;
    assert_eq!(listed.body["total"], 1, "{}", listed.body);
    let found = send(&router, Method::POST, SEARCH, &headers, json!({ "query": "heliotrope" })).await;
    assert!(!found.body.to_string().contains("heliotrope likes"), "{}", found.body);
    assert!(!found.body.to_string().contains(&acmes), "{}", found.body);
    let own = bearer(&key(&house, "acme", Role::Read, &[]).await.key);
    assert_eq!(get(&router, &path, &[("authorization", &own)]).await.status, 200, "untouched");
}

#[tokio::test]
async fn names_that_are_not_this_machines_are_refused() {
    let house = house();
    let router = plain(&house);
    for host in ["localhost:8377", "127.0.0.1:8377", "[::1]:8377"] {
        assert_eq!(get(&router, LIST, &[("host", host)]).await.status, 200, "{host}");
    }
    let reply = get(&router, LIST, &[("host", "rebound.example:8377")]).await;
    assert_eq!((reply.status, reply.code()), (403, "denied"));
    assert!(
        reply.body["error"]["hint"].as_str().expect("a hint").contains("server.allowedHosts"),
        "{}",
        reply.body
    );
    assert_eq!(get(&router, "/healthz", &[("host", "10.0.0.7")]).await.status, 200, "probes may");
    let named = super::router(&house, "[server]\nallowedHosts = [\"Memory.Lan\"]\n", "127.0.0.1:8377");
    assert_eq!(get(&named, LIST, &[("host", "memory.lan:8377")]).await.status, 200);
    assert_eq!(get(&named, LIST, &[("host", "other.lan")]).await.status, 403);
}

/// On an address that others reach, a key is needed whatever happened to the keys meanwhile.
#[tokio::test]
async fn other_machines_always_need_a_key() {
    let house = house();
    let router = super::router(&house, "", "0.0.0.0:8377");
    assert_eq!(get(&router, LIST, &[("host", "memory.example")]).await.status, 401, "though none exists");
    let made = key(&house, "acme", Role::Read, &[]).await;
    let headers = [("host", "memory.example"), ("x-recollect-key", made.key.reveal())];
    assert_eq!(get(&router, LIST, &headers).await.status, 200);
}

#[tokio::test]
async fn pages_from_elsewhere_need_to_be_listed() {
    let house = house();
    let origin = ("origin", "https://app.example");
    let ask =
        [origin, ("access-control-request-method", "POST"), ("access-control-request-headers", "x-api-key")];
    let closed = plain(&house);
    let reply = get(&closed, LIST, &[origin]).await;
    assert_eq!((reply.status, reply.header("access-control-allow-origin")), (403, None));
    let reply = send(&closed, Method::OPTIONS, SEARCH, &ask, Value::Null).await;
    assert_eq!((reply.status, reply.header("access-control-allow-origin")), (403, None));
    let open = super::router(&house, "[server]\ncorsOrigins = [\"https://app.example\"]\n", "127.0.0.1:8377");
    let reply = send(&open, Method::OPTIONS, SEARCH, &ask, Value::Null).await;
    assert_eq!((reply.status, reply.header("access-control-allow-origin")), (204, Some(origin.1)));
    assert_eq!(reply.header("access-control-allow-headers"), Some("x-api-key"));
    let reply = get(&open, LIST, &[origin]).await;
    assert_eq!((reply.status, reply.header("access-control-allow-origin")), (200, Some(origin.1)));
    assert_eq!(get(&open, LIST, &[("origin", "https://evil.example")]).await.status, 403);
    let made = key(&house, "acme", Role::Read, &[]).await;
    let refused = get(&open, LIST, &[origin]).await;
    assert_eq!(refused.status, 401, "being listed is no key");
    assert_eq!(refused.header("access-control-allow-origin"), Some(origin.1), "the page may read why");
    assert_eq!(get(&open, LIST, &[origin, ("x-api-key", made.key.reveal())]).await.status, 200);
}

#[tokio::test]
async fn a_busy_key_is_told_when_to_come_back() {
    let house = house();
    let router = super::router(&house, "[server]\nrequestsPerMinute = 3\n", "127.0.0.1:8377");
    for _ in 0..10 {
        assert_eq!(get(&router, LIST, &[]).await.status, 200, "without keys nobody counts");
    }
    let busy = bearer(&key(&house, "acme", Role::Read, &[]).await.key);
    let quiet = bearer(&key(&house, "acme", Role::Read, &[]).await.key);
    for _ in 0..3 {
        assert_eq!(get(&router, LIST, &[("authorization", &busy)]).await.status, 200);
    }
    let reply = get(&router, LIST, &[("authorization", &busy)]).await;
    assert_eq!((reply.status, reply.code()), (429, "rate_limited"));
    let seconds: u64 = reply.header("retry-after").and_then(|text| text.parse().ok()).expect("seconds");
    assert!((1..=20).contains(&seconds), "{seconds}");
    assert_eq!(get(&router, LIST, &[("authorization", &quiet)]).await.status, 200, "each key for itself");
}

#[tokio::test]
async fn bodies_are_bounded_and_strangers_bodies_unread() {
    let house = house();
    let made = key(&house, "acme", Role::Memory, &[]).await;
    let router = plain(&house);
    let large = json!({ "query": "x".repeat(recollect::limits::BODY_BYTES) });
    let reply = send(&router, Method::POST, SEARCH, &[("x-api-key", made.key.reveal())], large.clone()).await;
    assert_eq!((reply.status, reply.code()), (413, "too_large"));
    assert_eq!(send(&router, Method::POST, SEARCH, &[], large).await.status, 401);
}

#[tokio::test]
async fn decisions_are_recorded_and_what_they_are_about_is_not() {
    let house = house();
    let router = plain(&house);
    let made = key(&house, "acme", Role::Read, &[]).await;
    let id = ("x-request-id", "trace-42");
    let search = json!({ "query": "heliotrope" });
    let good = [id, ("x-api-key", made.key.reveal())];
    assert_eq!(send(&router, Method::POST, SEARCH, &good, search.clone()).await.status, 200);
    assert_eq!(
        send(
            &router,
            Method::POST,
            "/memory/ingest",
            &good,
            json!({ "conversation_id": "c", "turns": [{ "user": "heliotrope" }] })
        )
        .await
        .status
            / 100,
        4
    );
    assert_eq!(send(&router, Method::POST, SEARCH, &[id], search).await.status, 401);
    assert_eq!(get(&router, LIST, &[id, ("host", "rebound.example")]).await.status, 403);
    let rows = super::decisions(&house).await;
    let row = |operation: &str, reason: Option<&str>| {
        let found = rows.iter().map(|row| &row.decision).find(|row| {
            row.operation == operation
                && row.reason.as_deref() == reason
                && row.request.as_deref() == Some("trace-42")
        });
        found.unwrap_or_else(|| panic!("{operation} {reason:?} is not in {rows:#?}"))
    };
    let searched = row("Search", None);
    assert_eq!((searched.caller.as_str(), searched.allowed), (made.row.key.id.as_str(), true));
    assert_eq!(searched.tenant, Some(super::tenant("acme")));
    let refused = row("POST /api/memory/search", Some("no_key"));
    assert_eq!((refused.caller.as_str(), refused.allowed, &refused.tenant), ("unknown", false, &None));
    row("GET /api/memory", Some("host"));
    let all = serde_json::to_string(&rows).expect("plain data");
    assert!(!all.contains("heliotrope") && !all.contains(made.key.reveal()) && !all.contains("rk_"), "{all}");
}

#[tokio::test]
async fn strangers_cannot_fill_the_record() {
    let house = house();
    key(&house, "acme", Role::Read, &[]).await;
    let router = super::router(&house, "[server]\nrequestsPerMinute = 5\n", "127.0.0.1:8377");
    let mut statuses = Vec::new();
    for _ in 0..10 {
        statuses.push(get(&router, LIST, &[]).await.status);
    }
    assert_eq!(statuses, [401, 401, 401, 401, 401, 429, 429, 429, 429, 429]);
    let rows = super::decisions(&house).await;
    assert_eq!(rows.iter().filter(|row| !row.decision.allowed).count(), 5);
}

#[test]
fn secrets_are_not_in_what_is_printed_for_debugging() {
    let secret = KeySecret::new("rk_0123456789");
    assert!(!format!("{:?}", store::Credential::Key(secret)).contains("0123456789"));
}
