//! How the memory is: engines, health, vectors anew, and what a question would retrieve.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use memory::error::ModelError;
use memory::ports::Embedder;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use super::{RestScene, names};

#[tokio::test]
async fn engines_say_how_they_are() {
    let scene = RestScene::new();
    scene.remember("Ada plays the cello").await;
    let status = scene.get("/api/memory/engine-status").await;
    let expected = [
        "activeDim",
        "embedding",
        "keyword",
        "lastResetAt",
        "needsReindex",
        "qdrant",
        "reindexLeft",
        "rerank",
        "signature",
        "vectorStore",
    ];
    assert_eq!(names(&status), expected);
    assert_eq!(status["needsReindex"], false);
    assert_eq!(status["vectorStore"]["vectors"], 1);
    assert_eq!(status["qdrant"], json!({ "configured": false, "available": false }));
    assert_eq!(status["activeDim"], status["embedding"]["dimensions"]);
    assert!(
        status["signature"].as_str().is_some_and(|signature| signature.starts_with("static:")),
        "{status}"
    );
    assert_eq!((&status["lastResetAt"], &status["reindexLeft"]), (&Value::Null, &Value::Null));
    let providers = scene.get("/api/memory/embedding-providers").await;
    assert_eq!(providers["providers"][0]["models"][0]["dimensions"], status["activeDim"]);
    let without = RestScene::with(None);
    let status = without.get("/api/memory/engine-status").await;
    assert_eq!((&status["embedding"]["available"], &status["activeDim"]), (&json!(false), &Value::Null));
    assert_eq!(without.get("/api/memory/embedding-providers").await, json!({ "providers": [] }));
    let nothing = without.post("/api/memory/reindex", json!({ "force": true })).await;
    assert_eq!(nothing, json!({ "started": false, "pending": 0 }));
}

#[tokio::test]
async fn health_is_a_round_trip_that_leaves_nothing() {
    let scene = RestScene::new();
    scene.remember("Ada plays the cello").await;
    let before = scene.dump();
    let health = scene.get("/api/memory/health").await;
    assert_eq!(names(&health), ["latencyMs", "working"]);
    assert_eq!(health["working"], true);
    assert_eq!(scene.dump(), before);
    let database =
        rusqlite::Connection::open(scene.folder.path().join("tenants/local.sqlite3")).expect("opened");
    // Keyword search that finds nothing must not look well.
    database.execute_batch("DROP TABLE memory_fts").expect("damaged");
    let health = scene.get("/api/memory/health").await;
    assert_eq!((&health["working"], names(&health).len()), (&json!(false), 3), "{health}");
    assert!(!health.to_string().contains("memory_fts"), "causes stay inside: {health}");
}

/// The built-in model, while it is switched on.
struct SwitchedEmbedder(AtomicBool);

#[async_trait]
impl Embedder for SwitchedEmbedder {
    fn signature(&self) -> &str {
        models::Builtin.signature()
    }

    fn dimensions(&self) -> usize {
        models::Builtin.dimensions()
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, ModelError> {
        match self.0.load(Ordering::Relaxed) {
            true => models::Builtin.embed(texts).await,
            false => Err(ModelError::Unavailable("out to lunch".into())),
        }
    }
}

#[tokio::test]
async fn missing_vectors_are_told_of_and_made() {
    let moody = Arc::new(SwitchedEmbedder(AtomicBool::new(false)));
    let scene = RestScene::with(Some(moody.clone()));
    scene.remember("Ada plays the cello").await;
    scene.remember("Ada sails on Sundays").await;
    let status = scene.get("/api/memory/engine-status").await;
    assert_eq!((&status["needsReindex"], &status["vectorStore"]["pending"]), (&json!(true), &json!(2)));
    let preview =
        scene.post("/api/memory/retrieve-preview", json!({ "query": "cello", "strategy": "hybrid" })).await;
    assert_eq!(preview["resolution"]["fallbackReason"], "embedding_failed", "{preview}");
    assert_eq!(
        (&preview["memories"][0]["tier"], &preview["memories"][0]["vecScore"]),
        (&json!("fts"), &Value::Null)
    );
    moody.0.store(true, Ordering::Relaxed);
    let begun = scene.post("/api/memory/reindex", json!({})).await;
    assert_eq!(begun, json!({ "started": true, "pending": 2 }));
    settled(&scene, |status| status["needsReindex"] == false).await;
    assert_eq!(
        scene.post("/api/memory/reindex", Value::Null).await,
        json!({ "started": false, "pending": 0 })
    );
    // The first round may still be putting its things away.
    let mut all = json!(null);
    for _ in 0..500 {
        all = scene.post("/api/memory/reindex", json!({ "force": true })).await;
        if all["started"] == true {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    assert_eq!(all, json!({ "started": true, "pending": 2 }));
    settled(&scene, |status| status["lastResetAt"].is_string()).await;
}

/// The built-in model, which waits to be let go on.
struct HeldEmbedder {
    held: AtomicBool,
    go_on: Semaphore,
}

#[async_trait]
impl Embedder for HeldEmbedder {
    fn signature(&self) -> &str {
        models::Builtin.signature()
    }

    fn dimensions(&self) -> usize {
        models::Builtin.dimensions()
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, ModelError> {
        if self.held.load(Ordering::Relaxed) {
            self.go_on.acquire().await.expect("never closed").forget();
        }
        models::Builtin.embed(texts).await
    }
}

/// How far a rebuild is can be looked at while it goes on, though every row has a vector meanwhile: the old one.
#[tokio::test]
async fn a_forced_rebuild_says_how_far_it_is() {
    let embedder = Arc::new(HeldEmbedder { held: AtomicBool::new(false), go_on: Semaphore::new(0) });
    let scene = RestScene::with(Some(embedder.clone()));
    scene.remember("Ada plays the cello").await;
    scene.remember("Ada sails on Sundays").await;
    embedder.held.store(true, Ordering::Relaxed);
    let begun = scene.post("/api/memory/reindex", json!({ "force": true })).await;
    assert_eq!(begun, json!({ "started": true, "pending": 2 }));
    let status = scene.get("/api/memory/engine-status").await;
    assert_eq!((&status["reindexLeft"], &status["needsReindex"]), (&json!(2), &json!(false)), "{status}");
    let runs = scene.get("/api/memory/runs").await;
    assert_eq!(
        (&runs["runs"][0]["job"], &runs["runs"][0]["state"], &runs["runs"][0]["counts"]["total"]),
        (&json!("reindex"), &json!("running"), &json!(2)),
        "{runs}"
    );
    let again = scene.post("/api/memory/reindex", json!({ "force": true })).await;
    assert_eq!(again["started"], false, "somebody is at it: {again}");
    embedder.go_on.add_permits(8);
    settled(&scene, |status| status["lastResetAt"].is_string() && status["reindexLeft"].is_null()).await;
    let runs = scene.get("/api/memory/runs").await;
    assert_eq!(runs["runs"][0]["counts"], json!({ "done": 2, "total": 2 }), "{runs}");
}

/// Waits for what goes on in the background.
async fn settled(scene: &RestScene, wanted: impl Fn(&Value) -> bool) {
    for _ in 0..500 {
        if wanted(&scene.get("/api/memory/engine-status").await) {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("{}", scene.get("/api/memory/engine-status").await);
}

#[tokio::test]
async fn a_preview_says_what_and_which_way() {
    let scene = RestScene::new();
    scene.post("/api/memory", json!({ "content": "Ada is allergic to peanuts", "key": "allergy" })).await;
    scene.remember("The office closes at six").await;
    let preview = scene
        .post("/api/memory/retrieve-preview", json!({ "query": "peanuts", "maxTokens": 100, "limit": 5 }))
        .await;
    assert_eq!(names(&preview), ["budgetMaxTokens", "memories", "resolution", "totalTokensUsed"]);
    let first = &preview["memories"][0];
    assert_eq!(
        names(first),
        ["content", "ftsScore", "id", "key", "score", "tier", "tokens", "type", "vecScore"]
    );
    assert_eq!((&first["key"], &first["tier"]), (&json!("allergy"), &json!("hybrid")));
    let resolution = [
        "embeddingModel",
        "embeddingSource",
        "fallbackReason",
        "rerankApplied",
        "strategyUsed",
        "vectorStore",
    ];
    assert_eq!(names(&preview["resolution"]), resolution);
    assert_eq!(preview["budgetMaxTokens"], 100);
    assert!(preview["totalTokensUsed"].as_u64().is_some_and(|used| used <= 100));
    let small =
        scene.post("/api/memory/retrieve-preview", json!({ "query": "peanuts", "maxTokens": 1 })).await;
    assert_eq!(
        (&small["memories"], &small["totalTokensUsed"]),
        (&json!([]), &json!(0)),
        "whole memories or none"
    );
    let words = RestScene::with(None);
    words.remember("Ada is allergic to peanuts").await;
    let preview =
        words.post("/api/memory/retrieve-preview", json!({ "query": "peanuts", "strategy": "hybrid" })).await;
    assert_eq!(preview["resolution"]["fallbackReason"], "no_vectors");
    assert_eq!(
        (&preview["memories"][0]["vecScore"], &preview["memories"][0]["tier"]),
        (&Value::Null, &json!("fts"))
    );
    for (body, field) in [
        (json!({ "query": "x", "maxTokens": 16_001 }), "maxTokens"),
        (json!({ "query": "x", "limit": 101 }), "limit"),
        (json!({ "query": " " }), "query"),
        (json!({ "query": "x", "strategy": "odd" }), "strategy"),
    ] {
        let reply = scene.ask("POST", "/api/memory/retrieve-preview", body).await;
        assert_eq!(reply.refused(400, "invalid_input"), [field]);
    }
}
