//! `GET /api/events`, read as a browser reads it.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use axum::http::Method;
use http_body_util::BodyExt;
use memory::ports::ReadStore;
use serde_json::{Value, json};
use store::{Credential, Role};
use tower::ServiceExt;

use super::api::Api;
use crate::support::Home;

const PATIENCE: Duration = Duration::from_secs(20);

/// One event.
#[derive(Debug, Default, PartialEq)]
struct ReceivedEvent {
    id: Option<u64>,
    name: String,
    data: Value,
}

struct Listener {
    body: axum::body::Body,
    rest: String,
}

impl Listener {
    async fn new(api: &Api, path: &str, last: Option<&str>) -> Listener {
        let mut request = api.request(Method::GET, path, &Value::Null);
        if let Some(last) = last {
            request.headers_mut().insert("last-event-id", last.parse().expect("a header"));
        }
        let response = api.router.clone().oneshot(request).await.expect("an answer");
        assert_eq!(response.status().as_u16(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Listener { body: response.into_body(), rest: String::new() }
    }

    /// The next block of the stream; none at its end.
    async fn block(&mut self) -> Option<String> {
        loop {
            if let Some((block, rest)) = self.rest.split_once("\n\n") {
                let (block, rest) = (block.to_owned(), rest.to_owned());
                self.rest = rest;
                return Some(block);
            }
            let frame = tokio::time::timeout(PATIENCE, self.body.frame()).await.expect("in time")?;
            let data = frame.expect("sound").into_data().expect("data");
            self.rest.push_str(std::str::from_utf8(&data).expect("text"));
        }
    }

    /// The next event that says something.
    async fn event(&mut self) -> ReceivedEvent {
        loop {
            let block = self.block().await.expect("the stream goes on");
            let mut event = ReceivedEvent::default();
            for line in block.lines() {
                match line.split_once(": ") {
                    Some(("id", id)) => event.id = id.parse().ok(),
                    Some(("event", name)) => event.name = name.to_owned(),
                    Some(("data", data)) => event.data = serde_json::from_str(data).expect("JSON"),
                    _ => {}
                }
            }
            if !event.name.is_empty() {
                return event;
            }
        }
    }
}

async fn head(api: &Api) -> u64 {
    let tenant = api.tenant.parse().expect("a name");
    let caller = api.house.admit(Credential::Operator { tenant }).await.expect("let in");
    api.house.attend(caller.tenant()).await.expect("opened").head().await.expect("read")
}

fn names(event: &ReceivedEvent, id: &str) -> bool {
    event.data["changes"].as_array().is_some_and(|changes| changes.iter().any(|change| change["id"] == id))
}

#[tokio::test]
async fn changes_come_as_they_happen_with_ids_alone() {
    let api = Api::new().await;
    api.add(json!({ "content": "before anybody listened" })).await;
    let mut listener = Listener::new(&api, "/api/events", None).await;
    let id = api.add(json!({ "content": "likes heliotrope" })).await;
    let event = listener.event().await;
    assert_eq!((event.name.as_str(), event.id), ("change", event.data["number"].as_u64()));
    assert!(names(&event, &id), "{event:?}");
    assert_eq!(event.data["changes"][0]["kind"], "memory");
    assert!(!event.data.to_string().contains("heliotrope"), "never what it says");
    api.talk("may", &["hello there"]).await;
    let event = listener.event().await;
    let session =
        event.data["changes"].as_array().expect("a list").iter().find(|change| change["kind"] == "session");
    let whole = json!({ "kind": "session", "id": "may", "agentId": "default", "userId": "default" });
    assert_eq!(session, Some(&whole), "{event:?}");
}

#[tokio::test]
async fn who_comes_back_misses_nothing() {
    let api = Api::new().await;
    for by_header in [true, false] {
        api.add(json!({ "content": format!("known {by_header}") })).await;
        let known = head(&api).await.to_string();
        let one = api.add(json!({ "content": format!("one {by_header}") })).await;
        let two = api.add(json!({ "content": format!("two {by_header}") })).await;
        let mut listener = match by_header {
            // What a browser says when it comes back counts for more than the address it came by first.
            true => Listener::new(&api, "/api/events?after=0", Some(&known)).await,
            false => Listener::new(&api, &format!("/api/events?after={known}"), None).await,
        };
        let new = api.add(json!({ "content": format!("new {by_header}") })).await;
        for id in [one, two, new] {
            let event = listener.event().await;
            assert!(names(&event, &id), "{event:?}");
        }
    }
    let mut lost = Listener::new(&api, "/api/events", Some("1000000")).await;
    let event = lost.event().await;
    assert_eq!(
        (event.name.as_str(), event.id),
        ("reset", Some(head(&api).await)),
        "a number of another store"
    );
    for wrong in ["/api/events?after=x", "/api/events?after=-1"] {
        assert_eq!(api.get(wrong).await.status, 400, "{wrong}");
    }
}

#[tokio::test]
async fn other_tenants_are_not_heard_and_bound_keys_hear_nothing() {
    let api = Api::new().await;
    let other = Api::of(&api.house, "other", Role::Admin, &[]).await;
    let mut listener = Listener::new(&api, "/api/events", None).await;
    let theirs = other.add(json!({ "content": "not yours" })).await;
    let ours = api.add(json!({ "content": "ours" })).await;
    let event = listener.event().await;
    assert!(names(&event, &ours) && !names(&event, &theirs), "{event:?}");
    let bound = Api::of(&api.house, "acme", Role::Read, &["tutor"]).await;
    assert_eq!(bound.get("/api/events").await.status, 403, "it would name other agents' records");
}

/// Whoever is silent is told that the server is still there; whose key was revoked hears no more.
#[tokio::test]
async fn a_heartbeat_is_heard_and_a_revoked_key_is_left() {
    let api = Api::new().await;
    let reader = Api::of(&api.house, "acme", Role::Read, &[]).await;
    let mut stays = Listener::new(&api, "/api/events", None).await;
    let mut goes = Listener::new(&reader, "/api/events", None).await;
    for listener in [&mut stays, &mut goes] {
        assert!(listener.block().await.expect("begun").contains("id: "));
    }
    assert_eq!(api.delete(&format!("/api/keys/{}", reader.key_id)).await.status, 200);
    assert_eq!(stays.block().await.as_deref(), Some(": still here"));
    assert_eq!(goes.block().await, None, "the stream is over");
}

/// Who listens does not hold up a server that is asked to stop.
#[test]
fn a_server_with_a_listener_stops_at_once() {
    let home = Home::new();
    let server = home.serve();
    let mut stream = TcpStream::connect(server.address).expect("the server listens");
    stream.write_all(b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("sent");
    let mut first = [0; 16];
    stream.read_exact(&mut first).expect("an answer begins");
    assert!(first.starts_with(b"HTTP/1.1 200"), "{first:?}");
    let asked = Instant::now();
    server.signal("TERM");
    let (code, said) = server.wait();
    assert_eq!(code, Some(0), "{said:#?}");
    assert!(!said.iter().any(|line| line.contains("still under way")), "{said:#?}");
    assert!(asked.elapsed() < PATIENCE, "it waited");
}
