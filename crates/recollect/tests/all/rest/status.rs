//! `GET /api/memory/status`.

use recollect::ops::Services;
use serde_json::json;
use store::{Role, Tenants, TenantsOptions};

use super::api::{Api, fields, operate};

#[tokio::test]
async fn it_says_how_memory_stands() {
    let api = Api::new().await;
    api.add(json!({ "content": "likes tea", "user": "ada" })).await;
    api.add(json!({ "content": "Answer in Spanish", "kind": "rule", "layer": "procedural" })).await;
    api.talk(
        "may",
        &["I will take the ferry from Mallaig in May, together with everybody from the choir, at noon."],
    )
    .await;
    let status = api.get("/api/memory/status?userId=ada").await;
    assert_eq!(
        fields(&status.body),
        [
            "auditCount",
            "counts",
            "enabled",
            "feedback",
            "feedbackCount",
            "memories",
            "mode",
            "owner",
            "proactiveRecall"
        ]
    );
    assert_eq!(
        (&status.body["feedbackCount"], &status.body["feedback"]["used"]),
        (&json!(0), &json!(0)),
        "nothing was said yet"
    );
    assert_eq!(status.body["owner"], json!({ "tenant": "acme", "agentId": null, "userId": "ada" }));
    assert_eq!(status.body["counts"], json!({ "semantic": 1, "episodic": 0, "procedural": 0 }));
    assert_eq!(status.body["mode"], "incognito", "this house has no disk");
    assert!(status.body["auditCount"].as_u64().expect("a count") > 0);
    let all = api.get("/api/memory/status").await;
    assert_eq!(
        (&all.body["counts"]["episodic"], &all.body["counts"]["procedural"]),
        (&json!(1), &json!(1)),
        "{}",
        all.text
    );
    assert_eq!((&all.body["enabled"], &all.body["proactiveRecall"]), (&json!(true), &json!(true)));
    let off = json!({ "operation": "settings_set", "name": "recallEnabled", "value": false });
    operate(&api.house, "acme", serde_json::from_value(off).expect("an operation")).await;
    assert_eq!(api.get("/api/memory/status").await.body["proactiveRecall"], false, "at once");
}

#[tokio::test]
async fn a_house_with_a_disk_is_local() {
    let folder = testkit::folder::scratch();
    let tenants = Tenants::open_folder(folder.path(), TenantsOptions::default()).expect("opened");
    let api = Api::of(&Services::new(tenants, None), "acme", Role::Read, &[]).await;
    assert_eq!(api.get("/api/memory/status").await.body["mode"], "local");
}
