//! Where a user is: by their own setting, else as their client tells, else where the machine is.

use memory::types::UserId;
use recollect::ops::ingest::Ingest;
use recollect::ops::zones::TellZone;
use serde_json::json;

use super::{Scene, conversation};
use crate::support::Home;

fn of(zone: &str, session: &str) -> Ingest {
    let said = [(memory::types::Role::User, "My driving test is tomorrow at ten.")];
    Ingest { time_zone: Some(zone.to_owned()), ..conversation(session, &said) }
}

async fn ends(scene: &Scene) -> Vec<String> {
    let known = scene.with_status(memory::types::Status::Active).await;
    let ends = known.iter().filter_map(|memory| memory.valid_until);
    ends.map(|end| end.to_string()[..16].to_owned()).collect()
}

#[tokio::test]
async fn tomorrow_is_where_the_client_says_that_its_user_is() {
    for (zone, end) in [("Pacific/Auckland", "2026-11-17T11:00"), ("America/New_York", "2026-11-17T05:00")] {
        let scene = Scene::new();
        // In Auckland it is the next day already.
        scene.at("2026-11-15T20:00:00Z");
        scene.ask(of(zone, "one")).await.expect("taken in");
        let found = ends(&scene).await;
        assert!(!found.is_empty() && found.iter().all(|found| found == end), "{zone}: {found:?}");
    }
}

#[tokio::test]
async fn a_users_own_setting_stands_above_what_clients_tell() {
    let scene = Scene::new();
    scene.set("timeZone", json!("Asia/Tokyo")).await;
    let zone = async |user: &UserId| {
        scene.tenant().await.settings().await.expect("settings").zone_of(user).iana_name().map(str::to_owned)
    };
    let user = UserId::unnamed();
    assert_eq!(zone(&user).await.as_deref(), Some("Asia/Tokyo"));
    let told = scene.ask(TellZone { user: None, time_zone: "Europe/Lisbon".into() }).await.expect("told");
    assert!(told.changed);
    let again = scene.ask(TellZone { user: None, time_zone: "Europe/Lisbon".into() }).await.expect("told");
    assert!(!again.changed, "a client says so with every request");
    assert_eq!(zone(&user).await.as_deref(), Some("Europe/Lisbon"));
    assert_eq!(zone(&"mara".parse().expect("a user")).await.as_deref(), Some("Asia/Tokyo"));
    scene.set("timeZones", json!({ user.as_str(): "Pacific/Auckland" })).await;
    assert_eq!(zone(&user).await.as_deref(), Some("Pacific/Auckland"));
}

#[test]
fn a_header_and_a_field_name_it_and_wrong_ones_are_refused() {
    let home = Home::new();
    let server = home.serve();
    let post = |path: &str, header: &str, body: &serde_json::Value| {
        let body = body.to_string();
        let length = body.len();
        server.send(&format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n\
             {header}Content-Length: {length}\r\n\r\n{body}"
        ))
    };
    let known = || home.json(&["settings", "get", "clientTimeZones"])["value"].clone();
    let said = json!({ "conversation_id": "one", "user_id": "mara", "messages": [{ "role": "user", "content": "Hello there." }] });
    let context = json!({ "message": "What is due?", "user_id": "mara" });
    let header = |zone: &str| format!("X-Recollect-Time-Zone: {zone}\r\n");
    for (path, body) in [("/memory/ingest", &said), ("/api/memory/context", &context)] {
        let refused = post(path, &header("Mars/Olympus"), body);
        assert_eq!(refused.status, 400, "{}", refused.body);
        assert!(
            refused.body.contains("Mars/Olympus") && refused.body.contains("Europe/Lisbon"),
            "{}",
            refused.body
        );
        let mut named = body.clone();
        named["time_zone"] = json!("Nowhere");
        let refused = post(path, "", &named);
        assert!(refused.status == 400 && refused.body.contains("time_zone"), "{}", refused.body);
        named["time_zone"] = json!("Pacific/Auckland");
        assert_eq!(post(path, &header("Europe/Oslo"), &named).status, 200);
        assert_eq!(known()["mara"], "Pacific/Auckland", "what the body says stands above the header");
        assert_eq!(post(path, &header("Europe/Oslo"), body).status, 200);
        assert_eq!(known()["mara"], "Europe/Oslo", "the latest counts");
    }
    let chat = json!({ "model": "recollect/recall", "messages": [{ "role": "user", "content": "hello" }] });
    let by_mara = |zone: &str| format!("X-Recollect-User-Id: mara\r\n{}", header(zone));
    assert_eq!(post("/v1/chat/completions", &by_mara("Mars/Olympus"), &chat).status, 200, "a chat goes on");
    assert_eq!(known()["mara"], "Europe/Oslo");
    let counted = server.http("GET /metrics HTTP/1.1").body;
    assert!(counted.contains("recollect_time_zones_refused_total 1"), "{counted}");
    assert_eq!(post("/v1/chat/completions", &by_mara("Asia/Tokyo"), &chat).status, 200);
    assert_eq!(known()["mara"], "Asia/Tokyo");
}
