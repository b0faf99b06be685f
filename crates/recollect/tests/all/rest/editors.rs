//! Two who edit the same memory at once: one wins, the other is told, and nothing is lost.

use axum::body::Body;
use memory::ports::ReadStore;
use serde_json::{Value, json};

use super::{RestScene, text};

#[tokio::test]
async fn the_slower_of_two_editors_is_told_and_loses_nothing() {
    let scene = RestScene::new();
    let id = scene.remember("Ada lives in London").await;
    let path = format!("/api/memory/{id}");
    let read = scene.ask("GET", &path, Value::Null).await;
    let tag = read.headers["etag"].to_str().expect("text").to_owned();
    assert_eq!((tag.as_str(), &read.body["version"]), ("\"1\"", &json!(1)));
    let put = async |content: &str, tag: &str| {
        let body = Body::from(json!({ "content": content }).to_string());
        scene.send("PUT", &path, &[("if-match", tag)], body).await
    };
    let first = put("Ada lives in Turin", &tag).await;
    assert_eq!((first.status, first.headers["etag"].to_str().ok()), (200, Some("\"2\"")));
    let second = put("Ada lives in Paris", &tag).await;
    second.refused(412, "precondition_failed");
    assert_eq!(scene.get(&path).await["content"], "Ada lives in Turin");
    assert_eq!(put("Ada lives in Paris", "\"2\"").await.status, 200, "having read again, it goes through");
    assert_eq!(put("Ada lives in Rome", "*").await.status, 200, "any version will do");
    assert_eq!(put("x", "yesterday").await.refused(400, "invalid_input"), ["If-Match"]);
    let named = scene.ask("PUT", &path, json!({ "content": "x", "version": 1 })).await;
    named.refused(412, "precondition_failed");
    let gone = scene.send("DELETE", &path, &[("if-match", "\"1\"")], Body::empty()).await;
    gone.refused(412, "precondition_failed");
    let history = scene.get(&format!("{path}/history")).await;
    let changes = history["events"].as_array().expect("a list").iter().flat_map(|event| {
        event["changes"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|change| text(&change["after"]))
            .collect::<Vec<_>>()
    });
    assert_eq!(
        changes.collect::<Vec<_>>(),
        ["Ada lives in Turin", "Ada lives in Paris", "Ada lives in Rome"]
    );
    assert_eq!(scene.send("DELETE", &path, &[("if-match", "\"4\"")], Body::empty()).await.status, 200);
}

#[tokio::test]
async fn of_many_at_once_exactly_one_wins() {
    let scene = RestScene::new();
    let id = scene.remember("contested").await;
    let path = format!("/api/memory/{id}");
    let write = |number: usize| {
        let (scene, path) = (&scene, &path);
        async move {
            let body = Body::from(json!({ "content": format!("writer {number}") }).to_string());
            (number, scene.send("PUT", path, &[("if-match", "\"1\"")], body).await.status)
        }
    };
    let outcomes = tokio::join!(write(0), write(1), write(2), write(3));
    let outcomes = [outcomes.0, outcomes.1, outcomes.2, outcomes.3];
    let won: Vec<usize> =
        outcomes.iter().filter(|(_, status)| *status == 200).map(|(number, _)| *number).collect();
    assert!(outcomes.iter().all(|(_, status)| [200, 412].contains(status)), "{outcomes:?}");
    assert_eq!(won.len(), 1, "{outcomes:?}");
    assert_eq!(scene.get(&path).await["content"], format!("writer {}", won[0]));
}

#[tokio::test]
async fn what_changes_only_metadata_keeps_its_vector() {
    let scene = RestScene::new();
    let id = scene.remember("Ada prefers trains to planes").await;
    let tenant = scene.tenant().await;
    let before = scene.dump().into_iter().filter(|row| row.starts_with("memory_vector ")).collect::<Vec<_>>();
    assert_eq!(before.len(), 1);
    let change = json!({ "metadata": { "checked": true }, "pinned": true });
    let changed = scene.ask("PUT", &format!("/api/memory/{id}"), change).await.fine();
    assert_eq!(changed["memory"]["metadata"], json!({ "checked": true }));
    let after = scene.dump().into_iter().filter(|row| row.starts_with("memory_vector ")).collect::<Vec<_>>();
    assert_eq!(before, after);
    assert_eq!(tenant.census().await.expect("counted").vectors, 1);
}
