//! Merging and summarising: what becomes of the sources, and what a dry run does not do.

use memory::ports::Clock;
use memory::ports::{ReadStore, WriteStore};
use memory::types::{Actor, Batch, Link, LinkId, LinkKind, MemoryId, Status};
use serde_json::{Value, json};

use super::{RestScene, names, text};
use crate::support::Home;

#[tokio::test]
async fn several_become_one() {
    let scene = RestScene::new();
    let one = scene
        .post("/api/memory", json!({ "content": "Uses Docker Compose", "tags": ["ops", "docker"] }))
        .await;
    let two = scene
        .post("/api/memory", json!({ "content": "Deploys on Fridays.", "tags": ["ops", "friday"] }))
        .await;
    let other = scene.remember("Works at the harbour").await;
    let (one, two) = (text(&one["id"]), text(&two["id"]));
    let tenant = scene.tenant().await;
    let id = |text: &str| text.parse::<MemoryId>().expect("an id");
    let now = scene.clock.now();
    let link = |from: &str, to: &str, weight: f32| Link {
        id: LinkId::from_uuid(scene.clock.uuid()),
        version: 1,
        from: id(from),
        to: id(to),
        kind: LinkKind::Related,
        weight,
        created_at: now,
        updated_at: now,
    };
    let batch = Batch::new(Actor::Tend, now)
        .insert(link(&one, &other, 0.2))
        .insert(link(&two, &other, 0.7))
        .insert(link(&one, &two, 0.5));
    tenant.apply(batch).await.expect("linked");
    let merged = scene.post("/api/memory/merge", json!({ "traceIds": [one, two] })).await;
    assert_eq!(names(&merged), ["mergedTraceId", "runId", "sourcesDeleted"]);
    assert_eq!(merged["sourcesDeleted"], 2);
    let into = text(&merged["mergedTraceId"]);
    let row = scene.get(&format!("/api/memory/{into}")).await;
    assert_eq!(row["content"], "Uses Docker Compose. Deploys on Fridays.");
    assert_eq!(row["tags"], json!(["ops", "docker", "friday"]));
    let source = scene.get(&format!("/api/memory/{one}")).await;
    assert_eq!((&source["status"], &source["supersededBy"]), (&json!("superseded"), &json!(into)));
    assert_eq!(scene.total().await, 2);
    let related: Vec<Link> = tenant.links_of(&[id(&other)]).await.expect("links");
    assert_eq!(related.len(), 1, "of two to the same place the stronger stays");
    assert_eq!((related[0].from.as_str(), related[0].weight), (into.as_str(), 0.7));
    let found = scene.post("/api/memory/search", json!({ "query": "docker compose" })).await;
    assert_eq!(found["results"].as_array().map(Vec::len), Some(1));
    assert_eq!(found["results"][0]["id"], json!(into));
    let again = scene.ask("POST", "/api/memory/merge", json!({ "traceIds": [one, into] })).await;
    assert_eq!(again.refused(400, "invalid_input"), ["traceIds"], "only one of them is active");
}

#[tokio::test]
async fn what_cannot_be_merged() {
    let scene = RestScene::new();
    let one = scene.remember("Likes tea").await;
    let foreign = scene.post("/api/memory", json!({ "content": "Likes rum", "userId": "bo" })).await;
    for (ids, status, code) in [
        (json!([one]), 400, "invalid_input"),
        (json!([one, one]), 400, "invalid_input"),
        (json!([one, foreign["id"]]), 400, "invalid_input"),
        (json!([one, "mt_01890a5d-ac96-774b-bcce-b302099a8057"]), 404, "not_found"),
        (json!([one, "nonsense"]), 400, "invalid_input"),
    ] {
        scene.ask("POST", "/api/memory/merge", json!({ "traceIds": ids })).await.refused(status, code);
    }
    assert_eq!(scene.total().await, 2);
}

#[test]
fn the_command_merges_too() {
    let home = Home::new();
    let (one, two) = (home.add("Uses Docker"), home.add("Deploys on Fridays"));
    let merged = home.json(&["merge", &one, &two, "--content", "Deploys with Docker, on Fridays"]);
    assert_eq!(merged["sources"], 2);
    assert_eq!(home.search("docker"), ["Deploys with Docker, on Fridays"]);
    assert_eq!(home.run(["merge", &one, &two]).code, Some(2), "they are no longer active");
    assert_eq!(home.run(["merge", &one]).code, Some(2));
}

#[tokio::test]
async fn summaries_take_what_is_old_and_nobodys_own() {
    let scene = RestScene::new();
    let tenant = scene.tenant().await;
    let mut batch = Batch::new(Actor::Heuristic, scene.clock.now());
    for number in 0..30 {
        let city = ["Lisbon", "Turin", "Oslo"][number % 3];
        batch = batch.insert(
            scene.learned(&format!("The traveller wrote about museum number {number} in {city} that year")),
        );
    }
    let mut pinned = scene.learned("The traveller must always sit at the window");
    pinned.pinned = true;
    tenant.apply(batch.insert(pinned)).await.expect("learned");
    let own = scene.remember("A person wrote this long ago").await;
    let mended = json!({ "content": "A person wrote and mended this long ago" });
    scene.ask("PUT", &format!("/api/memory/{own}"), mended).await.fine();
    scene.clock.advance_seconds(40 * 86_400);
    let young = scene.learned("The traveller came home today");
    tenant.apply(Batch::new(Actor::Heuristic, scene.clock.now()).insert(young)).await.expect("learned");

    let before = scene.dump();
    let dry = scene.post("/api/memory/summarize", json!({ "olderThanDays": 30, "dryRun": true })).await;
    let fields = [
        "candidates",
        "deletedCount",
        "dryRun",
        "refused",
        "runId",
        "summaryId",
        "summaryIds",
        "tokensSaved",
        "totalTokens",
    ];
    assert_eq!(names(&dry), fields);
    assert_eq!(
        (&dry["candidates"], &dry["deletedCount"], &dry["summaryId"]),
        (&json!(30), &json!(0), &Value::Null)
    );
    assert_eq!(scene.dump(), before, "a dry run leaves the database untouched");

    let done = scene.post("/api/memory/summarize", json!({ "olderThanDays": 30 })).await;
    assert_eq!(
        (&done["candidates"], &done["deletedCount"], &done["dryRun"]),
        (&json!(30), &json!(30), &json!(false))
    );
    assert_eq!(done["tokensSaved"], dry["tokensSaved"]);
    let summaries = done["summaryIds"].as_array().map_or(0, Vec::len) as u64;
    assert_eq!(
        scene.total().await,
        3 + summaries,
        "the summaries, the pinned, the person's and the young one"
    );
    let summary = scene.get(&format!("/api/memory/{}", text(&done["summaryId"]))).await;
    assert_eq!(summary["tags"], json!(["summary"]));
    assert_eq!(scene.get(&format!("/api/memory/{own}")).await["status"], "active");
    let run = text(&done["runId"]).parse().expect("an id");
    let mut archived = Vec::new();
    for of in tenant.records_of_run(&run, None, 100).await.expect("history") {
        let events = tenant.history(&of).await.expect("history");
        archived.extend(events.into_iter().filter(|event| event.run.as_ref() == Some(&run)));
    }
    let was_active = |event: &&memory::types::HistoryEvent| matches!(&event.before, Some(memory::types::Record::Memory(memory)) if memory.status == Status::Active);
    assert_eq!(archived.iter().filter(was_active).count(), 30, "all of them can come back");
    let again = scene.post("/api/memory/summarize", json!({ "olderThanDays": 30 })).await;
    assert_eq!((&again["candidates"], &again["summaryId"]), (&json!(0), &Value::Null));
    for (body, field) in [
        (json!({ "olderThanDays": 0 }), "olderThanDays"),
        (json!({ "olderThanDays": "30" }), "olderThanDays"),
    ] {
        let reply = scene.ask("POST", "/api/memory/summarize", body).await;
        assert_eq!(reply.refused(400, "invalid_input"), [field], "by the name that was sent");
    }
}

#[tokio::test]
async fn b9_a_summary_keeps_a_line_of_every_fact_whoever_wrote_it() {
    let scene = RestScene::new();
    let facts: Vec<String> =
        (0..60).map(|number| format!("Shelf {number} holds {} jars of plums", number * 7 + 3)).collect();
    for fact in &facts {
        scene.post("/api/memory", json!({ "content": fact })).await;
    }
    scene.clock.advance_seconds(40 * 86_400);
    let done = scene.post("/api/memory/summarize", json!({ "olderThanDays": 30 })).await;
    assert_eq!((&done["candidates"], &done["refused"]), (&json!(60), &json!(0)), "{done}");
    let mut lines = Vec::new();
    for id in done["summaryIds"].as_array().expect("ids") {
        let content = text(&scene.get(&format!("/api/memory/{}", text(id))).await["content"]);
        assert!(content.len() < 2_000, "one that fits a prompt");
        lines.extend(content.lines().map(str::to_owned).collect::<Vec<_>>());
    }
    lines.sort();
    let mut expected = facts.clone();
    expected.sort();
    assert_eq!(lines, expected);
    let usual = scene.ask("POST", "/api/memory/summarize", Value::Null).await.fine();
    assert_eq!(usual["candidates"], 0, "without a body, by the setting: {usual}");
    let undone = scene.post(&format!("/api/memory/runs/{}/undo", text(&done["runId"])), json!({})).await;
    assert!(undone["restored"].as_u64() >= Some(60), "{undone}");
    assert_eq!(scene.total().await, 60);
}
