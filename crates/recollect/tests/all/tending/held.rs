//! What other systems' documents and users hold upkeep to, where no other test does. The head of the folder maps them all.

use axum::body::{Body, to_bytes};
use axum::http::Request;
use memory::ports::ReadStore;
use memory::types::{RunId, Status};
use recollect::app::{AppState, app};
use recollect::metrics;
use recollect::ops::forget::Forget;
use recollect::ops::runs::{RunsList, Undo};
use recollect::ops::search::Search;
use recollect::ops::settings::SettingsSet;
use recollect::ops::tend::Tend;
use recollect::problem::Code;
use recollect::tending::UpkeepRun;
use recollect::tending::scheduler::Scheduler;
use serde_json::{Value, json};
use tower::ServiceExt;

use super::{DAY, Scene, begun, rest};

async fn set(scene: &Scene, name: &str, value: Value) {
    scene.ask(SettingsSet { name: name.to_owned(), value, everywhere: false }).await.expect("set");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_can_be_undone_within_the_days_that_are_set() {
    let scene = Scene::new();
    let memory = scene.learned("Ada plays the viola", 5).await;
    let forget = Forget { ids: vec![memory.id.clone()], confirmed: true, ..Forget::default() };
    let run: RunId = scene.ask(forget).await.expect("forgotten").run.expect("a run");
    scene.clock.advance_seconds(31 * DAY);
    let late = scene.ask(Undo { run: run.clone() }).await.expect_err("too late");
    assert_eq!(late.code, Code::Conflict);
    assert!(late.message.contains("older than 30 days") && late.message.contains("undoDays"), "{late}");
    let listed = scene.ask(RunsList::default()).await.expect("listed").runs;
    assert!(listed[0].not_undoable.as_deref().is_some_and(|why| why.contains("30 days")), "{listed:?}");
    set(&scene, "undoDays", json!(60)).await;
    scene.ask(Undo { run }).await.expect("undone");
    let status = scene.tenant().await.memories(&[memory.id]).await.expect("read")[0].status;
    assert_eq!(status, Status::Active);
}

/// The parts of a score that time and use move, of everything that is found.
async fn standing(scene: &Scene) -> Vec<(String, Value, Value)> {
    let search: Search =
        serde_json::from_value(json!({ "query": "viola", "explain": true })).expect("a search");
    let found = serde_json::to_value(scene.ask(search).await.expect("found")).expect("plain");
    let rows = found["results"].as_array().unwrap_or_else(|| panic!("{found}"));
    assert!(!rows.is_empty());
    let part = |row: &Value, name: &str| row["scores"][name]["value"].clone();
    rows.iter().map(|row| (row["id"].to_string(), part(row, "strength"), part(row, "salience"))).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restart_leaves_decay_where_it_was() {
    let scene = Scene::new();
    scene.learned("Ada plays the viola", 100).await;
    scene.learned("Bo plays the viola too", 10).await;
    let before = standing(&scene).await;
    assert!(before.iter().all(|(_, strength, _)| strength.as_f64() < Some(1.0)), "{before:?}");
    let scene = scene.restarted().await;
    assert_eq!(standing(&scene).await, before);
    scene.ask(Tend::default()).await.expect("tended");
    assert_eq!(standing(&scene).await, before, "a pass fades nothing a second time");
}

async fn called(scene: &Scene, tool: &str) -> Value {
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": tool, "arguments": {} } });
    let request = Request::post("/mcp")
        .header("host", "localhost")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2025-06-18")
        .body(Body::from(call.to_string()))
        .expect("a request");
    let answer = app(AppState::new(scene.house.clone())).oneshot(request).await.expect("an answer");
    let bytes = to_bytes(answer.into_body(), 1 << 20).await.expect("a body");
    let answer: Value = serde_json::from_slice(&bytes).expect("JSON");
    answer["result"]["structuredContent"].clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reflection_while_one_runs_comes_back_with_zeros() {
    let scene = Scene::new();
    scene.learned("Ada once had a cold", 600).await;
    let pass = UpkeepRun::begin(&scene.house, &scene.tenant().await, None)
        .await
        .expect("begun")
        .expect("nobody else");
    let second = called(&scene, "memory_reflect").await;
    for name in ["pruned", "merged", "derived", "compacted"] {
        assert_eq!(second[name], 0, "{second}");
    }
    drop(pass);
    scene.clock.advance_seconds(60);
    let own = called(&scene, "memory_reflect").await;
    assert_eq!(own["pruned"], 1, "the lease ran out, and what was begun is finished: {own}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn memory_that_is_switched_off_is_not_kept_up() {
    let scene = Scene::new();
    scene.learned("Ada once had a cold", 600).await;
    set(&scene, "enabled", json!(false)).await;
    scene.clock.advance_seconds(3 * DAY);
    let mut scheduler = Scheduler::new(scene.house.clone());
    assert_eq!(begun(&rest(&mut scheduler).await), 0);
    set(&scene, "enabled", json!(true)).await;
    scene.clock.advance_seconds(3 * DAY);
    rest(&mut scheduler).await;
    scene.clock.advance_seconds(2 * DAY);
    assert_eq!(begun(&rest(&mut scheduler).await), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_upkeep_does_is_counted() {
    let scene = Scene::new();
    // The recorder is the process's, so that what is counted before does not count.
    let count = |name: &str| -> f64 {
        let text = metrics::render(&scene.house);
        let line = text.lines().find(|line| line.starts_with(name));
        line.and_then(|line| line.rsplit(' ').next()?.parse().ok()).unwrap_or(0.0)
    };
    let (done, evicted) =
        ("recollect_upkeep_runs_total{outcome=\"done\"}", "recollect_upkeep_changes_total{step=\"evict\"}");
    let before = (count(done), count(evicted));
    scene.learned("Ada once had a cold", 600).await;
    scene.ask(Tend::default()).await.expect("tended");
    assert!(count(done) >= before.0 + 1.0 && count(evicted) >= before.1 + 1.0);
    assert!(count("recollect_upkeep_portion_seconds_count{step=\"evict\"}") >= 1.0);
}
