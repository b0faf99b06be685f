//! What people, agents and other systems' clients say of memories, over every surface.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Method, Request};
use memory::ports::WriteStore;
use memory::types::{Actor, Batch, Change, FeedbackEntry, MemoryId, Owner};
use memory::types::{JudgedBy, Judgement, SessionKey, Status, TurnId};
use recollect::app::{AppState, app};
use recollect::ops::Services;
use serde_json::{Value, json};
use store::{Tenants, TenantsOptions};
use tower::ServiceExt;

use super::{learned, memory, said, tenant_of};
use crate::mcp::StdioClient;
use crate::support::Home;

struct FeedbackScene {
    house: Services,
    router: Router,
}

impl FeedbackScene {
    fn new() -> Self {
        let tenants = Tenants::in_memory(TenantsOptions::default()).expect("a store in memory");
        let house = Services::new(tenants, None);
        Self { router: app(AppState::new(house.clone())), house }
    }

    async fn ask(&self, method: Method, path: &str, body: Value) -> (u16, Value) {
        let request = Request::builder().method(method).uri(path).header("content-type", "application/json");
        let body = if body.is_null() { Body::empty() } else { Body::from(body.to_string()) };
        let request = request.body(body).expect("a request");
        let answer = self.router.clone().oneshot(request).await.expect("an answer");
        let status = answer.status().as_u16();
        let bytes = to_bytes(answer.into_body(), 1 << 20).await.expect("a body");
        (status, serde_json::from_slice(&bytes).unwrap_or_default())
    }

    async fn judge(&self, body: Value) -> Value {
        let (status, answer) = self.ask(Method::POST, "/api/memory/feedback", body).await;
        assert_eq!(status, 200, "{answer}");
        answer
    }
}

#[tokio::test]
async fn a_judgement_is_taken_kept_and_counted() {
    let scene = FeedbackScene::new();
    let id = learned(&scene.house, "likes figs").await;
    let turn = TurnId::from_uuid(scene.house.clock.uuid());
    let body = |word: &str| json!({ "memoryId": id, "judgement": word, "sessionId": "s", "turnId": turn });
    let taken = scene.judge(body("ignored")).await;
    let row = &taken["judged"][0];
    assert_eq!(
        (&row["memoryId"], &row["judgement"], &row["status"]),
        (&json!(id), &json!("ignored"), &json!("active"))
    );
    assert_eq!(
        (&row["counts"], &row["changed"], &taken["runId"]),
        (&json!({ "used": 0, "ignored": 1, "wrong": 0 }), &Value::Null, &Value::Null)
    );
    let changed = scene.judge(body("used")).await;
    assert_eq!(
        changed["judged"][0]["counts"],
        json!({ "used": 1, "ignored": 0, "wrong": 0 }),
        "the last word counts"
    );
    let (status, listed) = scene.ask(Method::GET, &format!("/api/memory/{id}/feedback"), Value::Null).await;
    assert_eq!(status, 200, "{listed}");
    assert_eq!(listed["counts"], json!({ "used": 1, "ignored": 0, "wrong": 0 }));
    let entry = &listed["entries"][0];
    assert_eq!(
        (&entry["judgement"], &entry["source"], &entry["sessionId"], &entry["turnId"]),
        (&json!("used"), &json!("agent"), &json!("s"), &json!(turn))
    );
    assert_eq!(listed["entries"].as_array().map(Vec::len), Some(1));
    let (_, status) = scene.ask(Method::GET, "/api/memory/status", Value::Null).await;
    assert_eq!((&status["feedbackCount"], &status["feedback"]["used"]), (&json!(1), &json!(1)));
    let (_, other) = scene.ask(Method::GET, "/api/memory/status?userId=bo", Value::Null).await;
    assert_eq!(other["feedbackCount"], 0, "of another user's memories nothing was said");
}

#[tokio::test]
async fn other_systems_words_mean_the_same() {
    let scene = FeedbackScene::new();
    let (one, two) = (learned(&scene.house, "likes figs").await, learned(&scene.house, "likes plums").await);
    let ids = json!([one, two]);
    for (name, word, judgement) in [
        ("judgement", "positive", Judgement::Used),
        ("feedback", "skip", Judgement::Ignored),
        ("label", "Negative", Judgement::Wrong),
    ] {
        let taken = scene.judge(json!({ "memoryIds": ids, name: word, "comment": "figs are vile" })).await;
        assert_eq!(taken["judged"].as_array().map(Vec::len), Some(2), "{word}");
        for id in [&one, &two] {
            let entry = said(&scene.house, id).await.remove(0);
            assert_eq!((entry.judgement, entry.by), (judgement, JudgedBy::Agent), "{word}");
            assert!(!serde_json::to_string(&entry).expect("plain").contains("vile"), "a comment is not kept");
        }
    }
}

/// As OpenCouch does: a label for a conversation, and no memory named.
#[tokio::test]
async fn a_conversation_is_judged_by_what_its_replies_used() {
    let scene = FeedbackScene::new();
    let (used, passed) =
        (learned(&scene.house, "likes figs").await, learned(&scene.house, "likes plums").await);
    let key = SessionKey::new(&Owner::unnamed(), "s".parse().expect("a session"));
    let turn = TurnId::from_uuid(scene.house.clock.uuid());
    let mut batch = Batch::new(Actor::Tool, scene.house.clock.now());
    for (id, judgement) in [(&used, Judgement::Used), (&passed, Judgement::Ignored)] {
        let entry = FeedbackEntry {
            memory: MemoryId::clone(id),
            judgement,
            by: JudgedBy::Overlap,
            session: Some(key.clone()),
            turn: Some(turn.clone()),
            at: scene.house.clock.now(),
        };
        batch = batch.with(Change::Judge { entry });
    }
    tenant_of(&scene.house).await.apply(batch).await.expect("judged");
    let label = |word: &str| json!({ "sessionId": "s", "label": word, "source": "person", "turnCount": 4 });
    let taken = scene.judge(label("positive")).await;
    assert_eq!(taken["judged"].as_array().map(Vec::len), Some(1));
    assert_eq!(taken["judged"][0]["memoryId"], json!(used));
    assert_eq!(taken["judged"][0]["counts"]["used"], 2, "by the words and by the person");
    let taken = scene.judge(label("negative")).await;
    assert_eq!(
        taken["judged"][0]["counts"],
        json!({ "used": 1, "ignored": 1, "wrong": 0 }),
        "it did not help; nobody said it is wrong"
    );
    assert_eq!(memory(&scene.house, &used).await.status, Status::Active);
    assert_eq!(
        scene.judge(json!({ "sessionId": "unheard", "label": "positive" })).await["judged"],
        json!([])
    );
}

#[tokio::test]
async fn mistakes_name_the_field() {
    let scene = FeedbackScene::new();
    let id = learned(&scene.house, "likes figs").await;
    let unknown = "mt_01890a5d-ac96-774b-bcce-b302099a8057";
    for (body, status, field) in [
        (json!({ "memoryId": id }), 400, "judgement"),
        (json!({ "memoryId": id, "judgement": "meh" }), 400, "judgement"),
        (json!({ "judgement": "used" }), 400, "memoryId"),
        (json!({ "judgement": "wrong", "sessionId": "s" }), 400, "memoryId"),
        (json!({ "memoryId": "nonsense", "judgement": "used" }), 400, "memoryId"),
        (json!({ "memoryId": id, "judgement": "used", "source": "overlap" }), 400, "source"),
        (json!({ "memoryId": id, "judgement": "used", "turnId": "x" }), 400, "turnId"),
        (json!({ "memoryIds": vec![id.clone(); 101], "judgement": "used" }), 400, "memoryIds"),
        (json!({ "memoryIds": [id, unknown], "judgement": "used" }), 404, ""),
    ] {
        let (found, answer) = scene.ask(Method::POST, "/api/memory/feedback", body.clone()).await;
        assert_eq!(found, status, "{body}: {answer}");
        if !field.is_empty() {
            assert_eq!(answer["error"]["details"][0]["field"], field, "{body}: {answer}");
        }
    }
    assert!(said(&scene.house, &id).await.is_empty(), "one bad item, and none of it");
}

#[tokio::test]
async fn mem0s_thumbs_are_taken() {
    let scene = FeedbackScene::new();
    let id = learned(&scene.house, "likes figs").await;
    let thumb = |word: &str| json!({ "memory_id": id, "feedback": word, "feedback_reason": "it was so" });
    for path in ["/v1/feedback/", "/v1/feedback"] {
        let (status, answer) = scene.ask(Method::POST, path, thumb("POSITIVE")).await;
        assert_eq!(
            (status, answer),
            (200, json!({ "id": id, "feedback": "POSITIVE", "feedback_reason": "it was so" }))
        );
    }
    let (status, _) = scene.ask(Method::POST, "/v1/feedback/", thumb("NEGATIVE")).await;
    let doubted = memory(&scene.house, &id).await;
    assert_eq!((status, doubted.status, doubted.confidence), (200, Status::Active, 0.5));
    scene.ask(Method::POST, "/v1/feedback/", thumb("VERY_NEGATIVE")).await;
    assert_eq!(memory(&scene.house, &id).await.status, Status::Archived);
    for (body, status) in [
        (thumb("MEH"), 400),
        (json!({ "memory_id": id }), 400),
        (json!({ "memory_id": "mt_x", "feedback": "POSITIVE" }), 404),
    ] {
        let (found, answer) = scene.ask(Method::POST, "/v1/feedback/", body.clone()).await;
        assert_eq!(found, status, "{body}");
        assert!(answer["detail"].is_string(), "{answer}");
    }
}

#[test]
fn the_command_judges_and_shows() {
    let home = Home::new();
    let id = home.add("Ada plays the viola");
    let taken = home.json(&["feedback", &id, "used"]);
    assert_eq!(
        (&taken["judged"][0]["counters"]["used"], &taken["judged"][0]["status"]),
        (&json!(1), &json!("active"))
    );
    assert!(home.run(["feedback", &id]).stdout.starts_with("used 1, ignored 0, wrong 0"));
    assert!(home.run(["show", &id]).stdout.contains("used 1, ignored 0, wrong 0"));
    let agent = home.json(&["feedback", &id, "wrong", "--source", "agent"]);
    assert_eq!(agent["judged"][0]["status"], "active", "a person wrote it");
    let gone = home.json(&["feedback", &id, "wrong"]);
    assert_eq!(
        (&gone["judged"][0]["status"], &gone["judged"][0]["changed"]),
        (&json!("archived"), &json!("a person says that it is wrong"))
    );
    assert_eq!(home.search("viola").len(), 0, "out of recall");
    home.json(&["undo", gone["run"].as_str().expect("a run")]);
    assert_eq!(home.search("viola").len(), 1, "and back");
    assert_eq!(home.run(["feedback", &id, "lovely"]).code, Some(2));
    assert_eq!(home.run(["feedback", "mt_01890a5d-ac96-774b-bcce-b302099a8057", "used"]).code, Some(1));
}

#[test]
fn an_assistants_tool_judges() {
    let home = Home::new();
    let mut client = StdioClient::start(&home, &[]);
    let added = client.call("memory_add", json!({ "content": "Mara keeps bees", "type": "semantic" }));
    let id = added["traceId"].clone();
    let judged = client.call("memory_feedback", json!({ "traceId": id, "judgement": "used" }));
    assert_eq!((&judged["used"], &judged["status"]), (&json!(1), &json!("active")));
    let doubted = client.call("memory_feedback", json!({ "traceId": id, "judgement": "wrong" }));
    assert_eq!((&doubted["wrong"], &doubted["status"]), (&json!(1), &json!("active")), "one word is a doubt");
    let refused = client.refusal("memory_feedback", json!({ "traceId": id, "judgement": "nice" }));
    assert!(refused.contains("used") && refused.contains("judgement"), "{refused}");
}
