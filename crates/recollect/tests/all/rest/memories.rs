//! Rows: listed, written, forgotten.

use memory::ports::WriteStore;
use memory::types::{Actor, Batch, TenantId};
use recollect::ops::audit::AuditList;
use recollect::ops::keys::KeyCreate;
use serde_json::{Value, json};
use store::{Credential, Role};

use super::{RestScene, names, text};

const ROW: [&str; 33] = [
    "agentId",
    "category",
    "confidence",
    "content",
    "createdAt",
    "emotion",
    "evidence",
    "expiresAt",
    "id",
    "key",
    "kind",
    "layer",
    "metadata",
    "object",
    "origin",
    "pinned",
    "predicate",
    "projectId",
    "provenance",
    "salience",
    "scope",
    "sensitive",
    "sessionId",
    "status",
    "subject",
    "supersededBy",
    "tags",
    "type",
    "updatedAt",
    "userId",
    "validFrom",
    "validUntil",
    "version",
];

#[tokio::test]
async fn shapes_of_one_and_many() {
    let scene = RestScene::new();
    let asked = json!({ "content": "Ada deploys on Fridays.", "key": "deploys", "type": "factual", "sessionId": "s1",
        "metadata": { "team": "core" }, "tags": ["work"], "expiresAt": "2030-01-01" });
    let created = scene.ask("POST", "/api/memory", asked).await;
    assert_eq!(created.status, 201, "{}", created.body);
    assert_eq!(names(&created.body), ["id", "memory", "success"]);
    assert_eq!(names(&created.body["memory"]), ROW);
    let memory = &created.body["memory"];
    assert_eq!(
        (&memory["type"], &memory["kind"], &memory["key"]),
        (&json!("semantic"), &json!("fact"), &json!("deploys"))
    );
    let id = text(&created.body["id"]);
    assert_eq!(scene.get(&format!("/api/memory/{id}")).await, *memory);
    let page = scene.get("/api/memory").await;
    assert_eq!(names(&page), ["data", "limit", "offset", "page", "stats", "total", "totalPages"]);
    assert_eq!((&page["limit"], &page["page"], &page["total"]), (&json!(50), &json!(1), &json!(1)));
    assert_eq!(page["data"], json!([memory]));
    assert_eq!(names(&page["stats"]), ["byType", "cacheStats", "hitRate", "tokensUsed", "total"]);
    assert_eq!(page["stats"]["byType"], json!({ "semantic": 1 }));
    assert_eq!(page["stats"]["tokensUsed"], json!(6));
    let gone = scene.ask("DELETE", &format!("/api/memory/{id}"), Value::Null).await.fine();
    assert_eq!(gone, json!({ "success": true, "deleted": true }));
    scene.ask("GET", &format!("/api/memory/{id}"), Value::Null).await.refused(404, "not_found");
    assert_eq!(
        scene.get(&format!("/api/memory/{id}/history")).await["events"].as_array().map(Vec::len),
        Some(2)
    );
}

#[tokio::test]
async fn the_same_key_again_is_the_same_row() {
    let scene = RestScene::new();
    let first = scene
        .post("/api/memory", json!({ "content": "Tea", "key": "drink", "metadata": { "a": 1, "b": 1 } }))
        .await;
    let again = json!({ "content": "Coffee", "key": "drink", "metadata": { "b": 2 } });
    let second = scene.ask("POST", "/api/memory", again).await;
    assert_eq!(second.status, 200);
    assert_eq!(second.body["id"], first["id"]);
    let (before, after) = (&first["memory"], &second.body["memory"]);
    assert_eq!((&after["content"], &after["metadata"]), (&json!("Coffee"), &json!({ "a": 1, "b": 2 })));
    assert_eq!(after["createdAt"], before["createdAt"]);
    assert_ne!(after["updatedAt"], before["updatedAt"]);
    assert_eq!(scene.total().await, 1);
}

#[tokio::test]
async fn pages_and_filters() {
    let scene = RestScene::new();
    for number in 0..7 {
        let kind = if number % 2 == 0 { "fact" } else { "preference" };
        let body = json!({ "content": format!("number {number}"), "type": kind, "sessionId": format!("s{}", number % 3) });
        scene.post("/api/memory", body).await;
    }
    let page = scene.get("/api/memory?limit=3&page=3").await;
    assert_eq!((&page["total"], &page["totalPages"], &page["offset"]), (&json!(7), &json!(3), &json!(6)));
    assert_eq!(page["data"][0]["content"], "number 0", "the newest come first");
    assert_eq!(scene.get("/api/memory?offset=5&limit=200").await["data"].as_array().map(Vec::len), Some(2));
    assert_eq!(scene.get("/api/memory?type=preference").await["total"], 3);
    assert_eq!(scene.get("/api/memory?sessionId=s1").await["total"], 2);
    assert_eq!(scene.get("/api/memory?q=4").await["data"][0]["content"], "number 4");
    for (query, field) in
        [("limit=201", "limit"), ("limit=0", "limit"), ("page=0", "page"), ("type=odd", "type")]
    {
        let reply = scene.ask("GET", &format!("/api/memory?{query}"), Value::Null).await;
        assert_eq!(reply.refused(400, "invalid_input"), [field]);
    }
}

#[tokio::test]
async fn what_is_wrong_is_named() {
    let scene = RestScene::new();
    for (body, field) in [
        (json!({}), "content"),
        (json!({ "content": 7 }), "content"),
        (json!({ "content": "x", "type": "odd" }), "type"),
        (json!({ "content": "x", "metadata": [] }), "metadata"),
        (json!({ "content": "x", "expiresAt": "soon" }), "expiresAt"),
        (json!({ "content": "x", "apiKeyId": "key_of_nobody" }), "apiKeyId"),
    ] {
        let reply = scene.ask("POST", "/api/memory", body).await;
        assert_eq!(reply.refused(400, "invalid_input"), [field]);
    }
    assert_eq!(scene.total().await, 0);
    let large = axum::body::Body::from(" ".repeat(recollect::limits::BODY_BYTES + 1));
    scene.send("POST", "/api/memory", &[], large).await.refused(413, "too_large");
    scene.ask("PATCH", "/api/memory", Value::Null).await.refused(405, "method_not_allowed");
    scene.ask("GET", "/api/memory/%FF", Value::Null).await.refused(404, "not_found");
}

#[tokio::test]
async fn clearing_takes_everything_that_matches_and_wants_a_word() {
    let scene = RestScene::with(None);
    let tenant = scene.tenant().await;
    let mut batch = Batch::new(Actor::Heuristic, memory::types::Time::MIN);
    for number in 0..230 {
        let word = if number < 120 { "apple" } else { "pear" };
        batch = batch.insert(scene.learned(&format!("{word} number {number}")));
    }
    tenant.apply(batch).await.expect("written");
    let reply = scene.ask("DELETE", "/api/memory", Value::Null).await;
    assert_eq!(reply.refused(400, "invalid_input"), ["confirm"]);
    let before = scene.dump();
    let counted = scene.ask("DELETE", "/api/memory?q=apple&dryRun=true", Value::Null).await.fine();
    assert_eq!(counted, json!({ "success": true, "deleted": 120, "dryRun": true, "runIds": [] }));
    let all = scene.ask("DELETE", "/api/memory?dryRun=true", Value::Null).await.fine();
    assert_eq!(all["deleted"], 230);
    assert_eq!(scene.dump(), before, "a dry run changes nothing");
    let done = scene.ask("DELETE", "/api/memory?q=apple", Value::Null).await.fine();
    assert_eq!((&done["deleted"], &done["dryRun"]), (&json!(120), &json!(false)));
    assert_eq!(scene.total().await, 110);
    assert_eq!(scene.get("/api/memory?q=apple").await["total"], 0);
    let recent = scene.ask("DELETE", "/api/memory?olderThan=1", Value::Null).await.fine();
    assert_eq!(recent["deleted"], 0, "nothing is a day old");
    scene.clock.advance_seconds(2 * 86_400);
    let old = scene.ask("DELETE", "/api/memory?olderThan=1&dryRun=true", Value::Null).await.fine();
    assert_eq!(old["deleted"], 110);
    let rest = scene.ask("DELETE", "/api/memory?confirm=all", Value::Null).await.fine();
    assert_eq!((&rest["deleted"], scene.total().await), (&json!(110), 0));
}

#[tokio::test]
async fn more_than_one_batch_is_cleared() {
    let scene = RestScene::with(None);
    let tenant = scene.tenant().await;
    for some in 0..3 {
        let mut batch = Batch::new(Actor::Heuristic, memory::types::Time::MIN);
        for number in 0..4_000 {
            batch = batch.insert(scene.learned(&format!("row {some} {number}")));
        }
        tenant.apply(batch).await.expect("written");
    }
    let done = scene.ask("DELETE", "/api/memory?confirm=all", Value::Null).await.fine();
    assert_eq!((&done["deleted"], scene.total().await), (&json!(12_000), 0));
    assert_eq!(done["runIds"].as_array().map(Vec::len), Some(2));
}

#[tokio::test]
async fn two_keys_see_each_their_own() {
    let scene = RestScene::new();
    let (one, own) = scene.keyed("one").await;
    let (other, foreign) = scene.keyed("other").await;
    let id = one.remember("The vault code is in the blue folder").await;
    assert_eq!(other.total().await, 0);
    assert_eq!(other.get("/api/memory?q=vault").await["total"], 0);
    let found = other.post("/api/memory/search", json!({ "query": "vault code" })).await;
    assert_eq!(found["results"], json!([]));
    let preview = other.post("/api/memory/retrieve-preview", json!({ "query": "vault code" })).await;
    assert_eq!(preview["memories"], json!([]));
    for (method, path, body) in [
        ("GET", format!("/api/memory/{id}"), Value::Null),
        ("GET", format!("/api/memory/{id}/history"), Value::Null),
        ("PUT", format!("/api/memory/{id}"), json!({ "content": "mine now" })),
        ("DELETE", format!("/api/memory/{id}"), Value::Null),
        ("POST", "/api/memory/merge".to_owned(), json!({ "traceIds": [id, id] })),
    ] {
        other.ask(method, &path, body).await.refused(404, "not_found");
    }
    let cleared = other.ask("DELETE", "/api/memory?confirm=all", Value::Null).await.fine();
    assert_eq!(cleared["deleted"], 0);
    assert_eq!(one.get(&format!("/api/memory?apiKeyId={own}")).await["total"], 1);
    let reply = one.ask("GET", &format!("/api/memory?apiKeyId={foreign}"), Value::Null).await;
    assert_eq!(reply.refused(400, "invalid_input"), ["apiKeyId"]);
    scene.ask("GET", "/api/memory", Value::Null).await.refused(401, "unauthorized");
}

#[tokio::test]
async fn a_key_that_is_named_means_its_user() {
    let scene = RestScene::new();
    let (admin, own) = scene.keyed("one").await;
    let tenant = "one".parse().expect("a tenant");
    let operator = scene.house.admit(Credential::Operator { tenant }).await.expect("the operator may");
    let mut keys = Vec::new();
    for user in ["ada", "bob"] {
        let new = KeyCreate {
            role: Role::Memory,
            name: None,
            agents: Vec::new(),
            user: Some(user.parse().expect("a user")),
            shares_user: false,
            expires_at: None,
        };
        let made = scene.house.ask(&operator, new).await.expect("a key");
        keys.push((made.row.key.id.as_str().to_owned(), made.key.reveal().to_owned()));
    }
    let (adas, bobs_secret) = (&keys[0].0, keys[1].1.as_str());
    let made =
        admin.post("/api/memory", json!({ "content": "Ada sails on Sundays", "apiKeyId": adas })).await;
    assert_eq!(made["memory"]["userId"], "ada");
    admin.post("/api/memory", json!({ "content": "Bob rows on Sundays", "userId": "bob" })).await;
    let of_ada = format!("/api/memory?apiKeyId={adas}");
    let listed = admin.get(&of_ada).await;
    assert_eq!(
        (&listed["total"], &listed["data"][0]["content"]),
        (&json!(1), &json!("Ada sails on Sundays"))
    );
    let all = admin.get(&format!("/api/memory?apiKeyId={own}")).await;
    assert_eq!(all["total"], 2, "it speaks for anybody");
    let question = json!({ "query": "What happens on Sundays?", "apiKeyId": adas });
    let preview = admin.post("/api/memory/retrieve-preview", question).await.to_string();
    assert!(preview.contains("Ada sails") && !preview.contains("Bob rows"), "{preview}");

    for path in [format!("{of_ada}&userId=bob"), "/api/memory?apiKeyId=key_of_nobody".to_owned()] {
        let reply = admin.ask("GET", &path, Value::Null).await;
        assert_eq!(reply.refused(400, "invalid_input"), ["apiKeyId"], "{path}");
    }
    let bob = [("x-recollect-key", bobs_secret)];
    let reply = scene.send("GET", &of_ada, &bob, axum::body::Body::empty()).await;
    assert_eq!(reply.refused(400, "invalid_input"), ["apiKeyId"], "another user's key is not there");

    let reply = admin.ask("DELETE", &format!("/api/memory?apiKeyId={own}"), Value::Null).await;
    assert_eq!(reply.refused(400, "invalid_input"), ["confirm"], "that would be everything");
    let cleared = admin.ask("DELETE", &of_ada, Value::Null).await.fine();
    assert_eq!((&cleared["deleted"], admin.total().await), (&json!(1), 1));
}

#[tokio::test]
async fn look_ups_are_really_counted() {
    let scene = RestScene::new();
    scene.remember("Ada's favourite drink is green tea").await;
    let numbers =
        |stats: &Value| (stats["cacheStats"]["hits"].clone(), stats["cacheStats"]["misses"].clone());
    assert_eq!(numbers(&scene.get("/api/memory").await["stats"]), (json!(0), json!(0)));
    let question = json!({ "message": "What is my favourite drink?" });
    scene.post("/api/memory/context", question.clone()).await;
    scene.post("/api/memory/context", question).await;
    scene.post("/api/memory/search", json!({ "query": "green tea" })).await;
    scene.post("/api/memory/search", json!({ "query": "zeppelin" })).await;
    let stats = scene.get("/api/memory/stats").await;
    assert_eq!(numbers(&stats), (json!(1), json!(1)));
    assert_eq!(stats["hitRate"], json!(0.5));
    let searched = (&stats["cacheStats"]["searches"], &stats["cacheStats"]["searchesFound"]);
    assert_eq!(searched, (&json!(2), &json!(1)));
    assert_eq!(stats["byStatus"], json!({ "active": 1 }));
}

/// What is on record of the operations that were asked for since the last look, the oldest first.
async fn recorded(scene: &RestScene, seen: &mut i64) -> Vec<String> {
    let operator = Credential::Operator { tenant: TenantId::local() };
    let operator = scene.house.admit(operator).await.expect("the operator may");
    let asked = AuditList { limit: Some(100), everywhere: false };
    let rows = scene.house.ask(&operator, asked).await.expect("readable").decisions;
    let new = rows.iter().rev().filter(|row| row.number > *seen && row.decision.operation != "AuditList");
    let new = new.map(|row| row.decision.operation.clone()).collect();
    *seen = rows.first().map_or(*seen, |row| row.number);
    new
}

#[tokio::test]
async fn a_request_is_one_operation_and_one_line_of_the_record() {
    let scene = RestScene::new();
    let mut seen = 0;
    recorded(&scene, &mut seen).await;
    let created = scene.post("/api/memory", json!({ "content": "Ada sails." })).await;
    assert_eq!(recorded(&scene, &mut seen).await, ["Add"]);
    let path = format!("/api/memory/{}", text(&created["id"]));
    let changed = scene.ask("PUT", &path, json!({ "content": "Ada sails on Sundays." })).await.fine();
    assert_eq!(recorded(&scene, &mut seen).await, ["Update"]);
    assert_eq!(
        (&changed["memory"]["content"], &changed["memory"]["version"]),
        (&json!("Ada sails on Sundays."), &json!(2))
    );
    let same = scene.ask("PUT", &path, json!({ "content": "Ada sails on Sundays." })).await.fine();
    assert_eq!(recorded(&scene, &mut seen).await, ["Update"]);
    assert_eq!(same["memory"], changed["memory"], "nothing was to be changed");
    let again = scene
        .ask("POST", "/api/memory", json!({ "content": "Ada sails on Sundays.", "tags": ["sea"] }))
        .await;
    assert_eq!(recorded(&scene, &mut seen).await, ["Add"]);
    assert_eq!(
        (again.status, &again.body["memory"]["tags"]),
        (200, &json!(["sea"])),
        "the record as it is now"
    );
    let one = scene.get(&path).await;
    assert_eq!(recorded(&scene, &mut seen).await, ["Show"]);
    assert_eq!(one, again.body["memory"]);
    let page = scene.get("/api/memory").await;
    assert_eq!(recorded(&scene, &mut seen).await, ["List"]);
    assert_eq!((&page["data"], &page["stats"]["total"]), (&json!([one]), &json!(1)));
    assert_eq!(scene.ask("DELETE", &path, Value::Null).await.status, 200);
    assert_eq!(recorded(&scene, &mut seen).await, ["Forget"]);
    assert_eq!(scene.ask("PUT", &path, json!({ "content": "Ada rows." })).await.status, 404);
    assert_eq!(recorded(&scene, &mut seen).await, ["Update"]);
}
