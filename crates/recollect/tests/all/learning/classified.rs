//! Memories that came by another door than a conversation get their category and their mark of privacy from the judge, behind everybody's back.

use memory::learn::classify;
use memory::ports::{Clock, ReadStore, WriteStore};
use memory::types::{Actor, Batch, Expect, Memory, RecordRef};
use recollect::ops::add::Add;
use recollect::ops::update::Update;
use serde_json::{Value, json};
use testkit::build;

use super::{Scene, until};
use crate::support::{Home, HttpReply, RunningServer};

fn add(content: &str) -> Add {
    Add { content: content.to_owned(), ..Add::default() }
}

impl Scene {
    async fn memory(&self, content: &str) -> Memory {
        let known = self.matching(&memory::types::Filter::ever()).await;
        known.into_iter().find(|memory| memory.content == content).unwrap_or_else(|| panic!("{content}"))
    }

    async fn update(&self, change: Update) {
        self.ask(Box::new(change)).await.expect("updated");
    }

    async fn classify(&self, after: i64) -> classify::Classified {
        let learner = self.tenant().await.tools(Default::default(), self.clock.clone());
        let tools = memory::toolkit::Toolkit { judge: Some(self.house.judge.clone()), ..learner };
        classify::slice(&tools, after).await.expect("classified")
    }
}

fn mcp(server: &RunningServer, body: &str) -> HttpReply {
    server.send(&format!(
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2025-06-18\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    ))
}

async fn listed(server: &RunningServer) -> Vec<Value> {
    let reply = server.http("GET /api/memory?limit=100 HTTP/1.1");
    let body: Value = serde_json::from_str(&reply.body).unwrap_or_else(|_| panic!("{}", reply.body));
    body["data"].as_array().unwrap_or_else(|| panic!("{body}")).clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_comes_by_every_other_door_gets_its_category_by_itself() {
    let home = Home::new();
    home.add("I get panic attacks on trains");
    let server = home.serve();
    let (status, answer) = server.post("/api/memory", &json!({ "content": "My rent is 900 euros a month" }));
    assert_eq!(status, 201, "{answer}");
    let stored = json!({ "messages": [{ "role": "user", "content": "I work as a nurse in Leeds" }], "infer": false, "user_id": "default" });
    assert_eq!(server.post("/memories", &stored).0, 200);
    let called = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "memory_add", "arguments": { "content": "My sister Ana lives in Porto" } } });
    assert_eq!(mcp(&server, &called.to_string()).status, 200);
    let lines = "{\"memory\":\"I have been saving for a house, 400 a month\",\"user_id\":\"default\"}\n";
    let imported = server.post_text("/api/memory/import", lines);
    assert_eq!(imported.status, 200, "{}", imported.body);
    let all = async || {
        let known = listed(&server).await;
        known.len() == 5 && known.iter().all(|memory| memory["category"].is_string())
    };
    until("all of them have their category", all).await;
    let known = listed(&server).await;
    let of = |word: &str| {
        let found =
            known.iter().find(|memory| memory["content"].as_str().is_some_and(|text| text.contains(word)));
        let found = found.unwrap_or_else(|| panic!("{word}: {known:#?}"));
        (found["category"].as_str().expect("a word"), found["sensitive"] == true, found["version"].clone())
    };
    assert_eq!(of("panic"), ("feeling", true, json!(1)), "what was there before the server");
    assert_eq!(of("900 euros"), ("money", true, json!(1)));
    assert_eq!(of("nurse"), ("work", false, json!(1)));
    assert_eq!(of("Porto"), ("people", false, json!(1)));
    assert_eq!(of("saving"), ("money", true, json!(1)));
}

#[tokio::test]
async fn a_category_is_no_change_of_what_a_person_wrote() {
    let scene = Scene::new();
    scene.ask(add("I get panic attacks on trains")).await.expect("added");
    let given = Add { category: Some("garden".into()), ..add("I grow beans") };
    scene.ask(given).await.expect("added");
    let before = scene.memory("I get panic attacks on trains").await;
    scene.clock.advance_seconds(3_600);
    assert_eq!(scene.classify(0).await.memories, 1, "one has its category from who added it");
    let after = scene.memory("I get panic attacks on trains").await;
    assert_eq!((after.category.as_deref(), after.sensitive), (Some("feeling"), true));
    assert_eq!(Memory { category: None, sensitive: false, ..after.clone() }, before);
    assert_eq!(scene.memory("I grow beans").await.category.as_deref(), Some("garden"));
    let events = scene.tenant().await.history(&RecordRef::memory(&after.id)).await.expect("history");
    assert_eq!(events.len(), 1, "no line of history but that it was written: {events:#?}");
    assert_eq!(scene.classify(0).await.memories, 0, "nothing is judged twice");
}

#[tokio::test]
async fn a_walk_goes_on_behind_the_row_where_it_stopped() {
    let scene = Scene::new();
    let many = memory::limits::CLASSIFIED_ROWS + 5;
    let mut batch = Batch::new(Actor::Import, scene.clock.now());
    for number in 0..many {
        batch = batch.insert(build::memory(&scene.clock, &format!("I keep {number} bees")));
    }
    scene.tenant().await.apply(batch).await.expect("in order");
    let first = scene.classify(0).await;
    assert_eq!((first.memories, first.more), (memory::limits::CLASSIFIED_ROWS, true));
    let second = scene.classify(first.last).await;
    assert_eq!((second.memories, second.more), (5, false));
    let one = scene.memory("I keep 3 bees").await;
    let rewritten = Memory { content: "I keep no bees".into(), category: None, ..one };
    let by_hand = Batch::new(Actor::Person, scene.clock.now());
    let change = memory::types::Change::Put { expect: Expect::Version(1), record: rewritten.into() };
    scene.tenant().await.apply(by_hand.with(change)).await.expect("in order");
    assert_eq!(scene.classify(second.last).await.memories, 0, "no walk goes back");
    assert_eq!(scene.classify(0).await.memories, 1, "the next process begins anew");
}

#[tokio::test]
async fn who_says_whether_it_is_private_has_the_last_word() {
    let scene = Scene::new();
    let open = Add { sensitive: Some(false), ..add("I get panic attacks on trains") };
    let said = scene.ask(open).await.expect("added").memory;
    assert_eq!((said.category.as_deref(), said.sensitive), (Some("feeling"), false));
    let later = scene.ask(add("My salary is 4100 euros a month")).await.expect("added").id;
    scene.update(Update { sensitive: Some(false), ..Update::of(later) }).await;
    scene.classify(0).await;
    assert!(!scene.memory("My salary is 4100 euros a month").await.sensitive);
}

#[tokio::test]
async fn a_category_that_was_heard_follows_the_new_words() {
    let scene = Scene::new();
    let id = scene.ask(add("I work as a nurse in Leeds")).await.expect("added").id;
    scene.classify(0).await;
    assert_eq!(scene.memory("I work as a nurse in Leeds").await.category.as_deref(), Some("work"));
    let words = "I get panic attacks on trains".to_owned();
    scene.update(Update { content: Some(words.clone()), ..Update::of(id.clone()) }).await;
    let now = scene.memory(&words).await;
    assert_eq!((now.category.as_deref(), now.sensitive), (Some("feeling"), true));
    scene.update(Update { category: Some("garden".into()), ..Update::of(id.clone()) }).await;
    scene.update(Update { content: Some("I work in a bakery".into()), ..Update::of(id) }).await;
    assert_eq!(scene.memory("I work in a bakery").await.category.as_deref(), Some("garden"));
}
