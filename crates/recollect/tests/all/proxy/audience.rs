//! Who is told what: memory is somebody's, a server may be one for work, and no model's words are a user's.

use std::sync::Arc;

use memory::ports::{ReadStore, WriteStore};
use memory::types::{Actor, Batch};
use models::{MemoryShare, Upstream, UpstreamWire, Upstreams};
use recollect::core_model::Models;
use recollect::ops::add::Add;
use recollect::ops::agents::AgentCreate;
use recollect::ops::identity::OverrideAdd;
use recollect::ops::keys::KeyCreate;
use serde_json::{Value, json};
use testkit::{ManualClock, build};

use super::{Rig, user};

const LIFE: [&str; 5] = [
    "My name is Mara",
    "I live in Irvine",
    "I am allergic to peanuts",
    "I use pnpm in all my projects",
    "The Kestrel project is written in Rust with Postgres",
];

async fn known(rig: Rig) -> Rig {
    for fact in LIFE {
        remember(&rig, fact, json!({})).await;
    }
    remember(&rig, "Always answer in short sentences", json!({ "kind": "rule", "layer": "procedural" }))
        .await;
    rig
}

async fn remember(rig: &Rig, content: &str, more: Value) -> memory::types::MemoryId {
    let mut add = more;
    add["content"] = json!(content);
    rig.ask(serde_json::from_value::<Add>(add).expect("an add")).await.id
}

async fn key(rig: &Rig, user: &str) -> String {
    let request = json!({ "role": "memory", "agents": [], "user": user });
    let created = rig.ask(serde_json::from_value::<KeyCreate>(request).expect("a request")).await;
    created.key.reveal().to_owned()
}

async fn told(rig: &Rig, headers: &[(&str, &str)], message: &str) -> String {
    let answer = rig.chat_with(headers, &user(message)).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    rig.seen().text().into_owned()
}

#[tokio::test]
async fn nobody_who_is_not_named_is_introduced_over_the_network() {
    let rig = known(Rig::new().await).await;
    rig.ask(serde_json::from_value::<OverrideAdd>(json!({ "text": "I am a nurse" })).expect("an override"))
        .await;
    let hello = told(&rig, &[], "Hello there!").await;
    for line in ["Mara", "Irvine", "peanuts", "short sentences", "I am a nurse"] {
        assert!(hello.contains(line), "on this machine one person is meant: {hello}");
    }
    let (anybody, mara) = (key(&rig, "*").await, key(&rig, "default").await);
    let (anybody, mara) = (("x-recollect-key", anybody.as_str()), ("x-recollect-key", mara.as_str()));
    let hello = told(&rig, &[anybody], "Hello there!").await;
    assert_eq!(hello, user("Hello there!").to_string(), "nothing is told unasked");
    let asked = told(&rig, &[anybody], "What am I allergic to, what should I avoid eating?").await;
    assert!(asked.contains("peanuts") && !asked.contains("Irvine"), "what is asked for is found: {asked}");
    for headers in [&[mara][..], &[anybody, ("x-recollect-user-id", "default")]] {
        assert!(told(&rig, headers, "Hello there!").await.contains("Irvine"), "who is named is introduced");
    }
    rig.set("sharedMemory", json!(true)).await;
    assert!(told(&rig, &[anybody], "Hello there!").await.contains("Irvine"), "as somebody chose");
}

/// Whichever way the context is made, and whatever of it comes unasked.
#[tokio::test]
async fn nobody_who_is_not_named_is_introduced_in_any_mode() {
    let rig = known(Rig::new().await).await;
    rig.ask(serde_json::from_value::<OverrideAdd>(json!({ "text": "I am a nurse" })).expect("an override"))
        .await;
    end_a_session(&rig).await;
    let (anybody, mara) = (key(&rig, "*").await, key(&rig, "default").await);
    let (anybody, mara) = (("x-recollect-key", anybody.as_str()), ("x-recollect-key", mara.as_str()));
    rig.set("firstTurnDigest", json!("always")).await;
    for (mode, context) in
        [("judged", "compact"), ("heuristic", "compact"), ("off", "compact"), ("heuristic", "full")]
    {
        rig.set("relevanceGateMode", json!(mode)).await;
        rig.set("contextMode", json!(context)).await;
        let session = |who: &str| format!("{who}-{mode}-{context}");
        let (one, other) = (session("mara"), session("anybody"));
        let introduced = told(&rig, &[mara, ("x-recollect-session-id", &one)], "Hello there!").await;
        for line in ["I am a nurse", "short sentences", "balcony"] {
            assert!(introduced.contains(line), "{mode} {context}: who is named is introduced: {introduced}");
        }
        let seen = told(&rig, &[anybody, ("x-recollect-session-id", &other)], "Hello there!").await;
        for line in ["I am a nurse", "short sentences", "balcony", "Mara", "Irvine", "peanuts"] {
            assert!(!seen.contains(line), "{mode} {context}: {seen}");
        }
    }
    let asked = told(&rig, &[anybody], "Do you remember what I am allergic to?").await;
    assert!(
        asked.contains("peanuts") && !asked.contains("I am a nurse"),
        "what is asked for is found: {asked}"
    );
}

/// A conversation that is over, and has a digest.
async fn end_a_session(rig: &Rig) {
    let clock = ManualClock::default();
    let digest =
        build::episode(&clock, "before", "The user compared flats, and chose the one with a balcony.");
    let batch = Batch::new(Actor::Tool, clock.tick()).insert(digest);
    rig.tenant().await.apply(batch).await.expect("written");
}

#[tokio::test]
async fn the_same_holds_for_who_asks_for_a_context() {
    let rig = known(Rig::new().await).await;
    let anybody = key(&rig, "*").await;
    let context = async |body: Value| {
        let request =
            rig.post("/api/memory/context").header("x-recollect-key", &anybody).body(body.to_string());
        super::answer(request).await.json()["block"].clone()
    };
    assert_eq!(context(json!({ "message": "Hello there!" })).await, "");
    assert!(
        context(json!({ "message": "Hello there!", "user_id": "default" }))
            .await
            .to_string()
            .contains("Mara")
    );
}

#[tokio::test]
async fn requests_that_no_person_wrote_get_nothing_and_teach_nothing() {
    let rig = known(Rig::new().await).await;
    let words = "I live in Ulaanbaatar and my name is Zebedee. What am I allergic to?";
    for header in [
        ("x-claude-code-agent-id", "agent-1"),
        ("x-openai-subagent", "collab_spawn"),
        ("x-codex-turn-metadata", "{\"thread_source\":\"subagent\"}"),
        ("x-codex-turn-metadata", "{\"request_kind\":\"compaction\"}"),
    ] {
        assert_eq!(told(&rig, &[header], words).await, user(words).to_string(), "{header:?}");
    }
    let titled = "Generate a concise, 3-5 word title for this conversation. Respond with JSON only.";
    let task = format!("### Task:\n{titled}\n<chat_history>USER: hi</chat_history>");
    assert!(!told(&rig, &[], &task).await.contains("Irvine"));
    // Nobody speaks.
    let silent = json!({ "model": "m", "messages": [{ "role": "system", "content": "Say hello." }] });
    assert_eq!(rig.chat(&silent).await.status, 200);
    assert_eq!(rig.seen().text(), silent.to_string());
    assert!(rig.sessions().await.values().flatten().all(|turn| !turn.text.contains("Zebedee")));
}

async fn shared_with(share: MemoryShare) -> Rig {
    let rig = Rig::with(|house| {
        let base = house.models.upstreams().all()[0].base_url.clone();
        let office = Upstream { memory: share, ..Upstream::new("office", UpstreamWire::OpenAi, &base) };
        let home = Upstream::new("home", UpstreamWire::OpenAi, &base);
        house.models = Arc::new(Models::new(Upstreams::new(vec![home, office], None)));
    });
    known(rig.await).await
}

fn says(model: &str, messages: &[Value]) -> Value {
    json!({ "model": model, "messages": messages })
}

#[tokio::test]
async fn a_server_for_work_is_told_what_work_needs_and_nothing_else() {
    let rig = shared_with(MemoryShare::Work).await;
    for text in ["I have diabetes and take metformin", "Always write commit messages in English"] {
        let add = json!({ "text": text });
        rig.ask(serde_json::from_value::<OverrideAdd>(add).expect("an override")).await;
    }
    let hello = json!({ "role": "user", "content": "Hello there!" });
    rig.chat(&says("office/m", std::slice::from_ref(&hello))).await;
    let seen = rig.seen().text().into_owned();
    for line in ["Mara", "short sentences", "pnpm", "Kestrel"] {
        assert!(seen.contains(line), "{line}: {seen}");
    }
    for line in ["Irvine", "peanuts", "diabetes"] {
        assert!(!seen.contains(line), "{line}: {seen}");
    }
    for question in [
        "What am I allergic to, what should I avoid eating?",
        "Where do I live?",
        "What do you know about me?",
        "What did I say about my illness last week?",
    ] {
        rig.chat(&says("office/m", &[json!({ "role": "user", "content": question })])).await;
        let seen = rig.seen().text().into_owned();
        assert!(
            !seen.contains("peanuts") && !seen.contains("Irvine") && !seen.contains("diabetes"),
            "{seen}"
        );
    }
    // What another server was told is not put back for this one.
    let answer = rig.chat(&says("home/m", std::slice::from_ref(&hello))).await;
    assert!(rig.seen().text().contains("peanuts"));
    let reply = answer.json()["choices"][0]["message"].clone();
    let next = json!({ "role": "user", "content": "Count to three." });
    rig.chat(&says("office/m", &[hello.clone(), reply.clone(), next.clone()])).await;
    assert!(!rig.seen().text().contains("peanuts"), "{}", rig.seen().text());
    rig.chat(&says("home/m", &[hello, reply, next])).await;
    assert!(rig.seen().text().contains("peanuts"), "and stands where it stood for the first");
    // Whatever decides what a message gets.
    for mode in ["heuristic", "off"] {
        rig.set("relevanceGateMode", json!(mode)).await;
        let asked = json!({ "role": "user", "content": "Do you remember what I am allergic to?" });
        rig.chat(&says("office/m", &[asked])).await;
        assert!(!rig.seen().text().contains("peanuts"), "{mode}: {}", rig.seen().text());
    }
}

/// Our own model is no server: whatever the default one may be told, it answers from everything.
#[tokio::test]
async fn the_built_in_model_is_told_everything() {
    for share in [MemoryShare::Work, MemoryShare::Off] {
        let rig = Rig::with(|house| {
            let base = house.models.upstreams().all()[0].base_url.clone();
            let office = Upstream { memory: share, ..Upstream::new("office", UpstreamWire::OpenAi, &base) };
            house.models = Arc::new(Models::new(Upstreams::new(vec![office], None)));
        });
        let rig = known(rig.await).await;
        let asked = json!({ "role": "user", "content": "What am I allergic to?" });
        let answer = rig.chat(&says("recollect/recall", &[asked])).await.text();
        assert!(answer.contains("peanuts"), "{answer}");
    }
}

#[tokio::test]
async fn a_server_without_memory_is_told_nothing_and_still_teaches() {
    let rig = shared_with(MemoryShare::Off).await;
    let body = says(
        "office/m",
        &[json!({ "role": "user", "content": "What am I allergic to? My cat is called Miso." })],
    );
    rig.chat(&body).await;
    assert!(!rig.seen().text().contains("peanuts"), "{}", rig.seen().text());
    assert!(rig.sessions().await.values().flatten().any(|turn| turn.text.contains("Miso")), "it is kept");
}

#[tokio::test]
async fn an_agent_is_introduced_to_what_its_record_says_and_coding_agents_to_what_work_needs() {
    let rig = known(Rig::new().await).await;
    let create =
        json!({ "id": "cook", "about": { "personality": { "portraitCategories": ["diet", "health"] } } });
    rig.ask(serde_json::from_value::<AgentCreate>(create).expect("a request")).await;
    let hello = told(&rig, &[("x-recollect-agent-id", "cook")], "Hello there!").await;
    assert!(hello.contains("peanuts"), "{hello}");
    for line in ["Mara", "Irvine", "short sentences", "Kestrel"] {
        assert!(!hello.contains(line), "{line}: {hello}");
    }
    let coding = [("user-agent", "claude-cli/2.1.325 (external, cli)")];
    let hello = told(&rig, &coding, "Hello there!").await;
    for line in ["Mara", "short sentences", "pnpm", "Kestrel"] {
        assert!(hello.contains(line), "{line}: {hello}");
    }
    assert!(!hello.contains("Irvine") && !hello.contains("peanuts"), "{hello}");
    // A word that there is not is refused.
    let request =
        rig.post("/agents").body(json!({ "name": "x", "portrait_categories": ["moods"] }).to_string());
    let refused = super::answer(request).await;
    assert_eq!(refused.status, 400, "{}", refused.text());
    assert!(refused.text().contains("instruction"), "{}", refused.text());
}

#[tokio::test]
async fn what_an_agent_is_not_introduced_to_it_is_not_told_later_either() {
    let rig = known(Rig::new().await).await;
    let create = json!({ "id": "cook", "about": { "personality": { "portraitCategories": ["diet"] } } });
    rig.ask(serde_json::from_value::<AgentCreate>(create).expect("a request")).await;
    for (agent, instructed) in [("cook", false), ("valet", true)] {
        let agent = [("x-recollect-agent-id", agent)];
        let hello = json!({ "role": "user", "content": "Hello there!" });
        let answer = rig.chat_with(&agent, &says("m", std::slice::from_ref(&hello))).await;
        let reply = answer.json()["choices"][0]["message"].clone();
        rig.sessions().await;
        for mode in ["judged", "heuristic"] {
            rig.set("relevanceGateMode", json!(mode)).await;
            let next = json!({ "role": "user", "content": format!("Count to three, {mode}.") });
            rig.chat_with(&agent, &says("m", &[hello.clone(), reply.clone(), next])).await;
            let seen = rig.seen().text().into_owned();
            assert_eq!(seen.contains("short sentences"), instructed, "{mode} {agent:?}: {seen}");
        }
        rig.set("relevanceGateMode", json!("judged")).await;
    }
}

#[tokio::test]
async fn being_introduced_is_no_use_of_what_is_told() {
    let rig = Rig::new().await;
    let home = remember(&rig, "I live in Irvine", json!({})).await;
    let diet = remember(&rig, "I am allergic to peanuts", json!({})).await;
    let uses = async || {
        rig.sessions().await;
        let counters = rig.tenant().await.counters(&[home.clone(), diet.clone()]).await.expect("readable");
        [&home, &diet].map(|id| counters.get(id).map_or(0, |counters| counters.use_count))
    };
    assert!(told(&rig, &[], "Hello there!").await.contains("Irvine"));
    assert_eq!(uses().await, [0, 0], "it stood there whatever was said");
    let asked = told(&rig, &[], "What should I avoid eating at the restaurant tonight?").await;
    assert!(asked.contains("Irvine") && asked.contains("peanuts"), "{asked}");
    super::until("it is counted", async || uses().await == [0, 1]).await;
}
