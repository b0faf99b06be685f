//! Memory never breaks a chat: strict templates get it where they take it, and a prompt that is refused is tried once more without.

use std::sync::Arc;

use memory::ports::ReadStore;
use memory::settings::InjectionPlacement;
use memory::types::{Filter, Order, PageRequest, Time};
use models::{Upstream, UpstreamWire, Upstreams};
use recollect::core_model::Models;
use recollect::ops::add::Add;
use serde_json::{Value, json};
use testkit::ManualClock;
use testkit::llm::{ScriptedReply, SeenRequest};

use super::counted::{read, serve};
use super::{ProxyAnswer, Rig};
use crate::support::Home;

const BOAT: &str = "What did I tell you about my boat?";
const MARK: &str = "<recollect-memory";

/// One system message, and that one first, as strict chat templates want it.
fn strict(seen: &SeenRequest) -> ScriptedReply {
    let late = seen.messages().iter().skip(1).any(|message| message["role"] == "system");
    match late {
        true => ScriptedReply::error(400, "System message must be at the beginning."),
        false => ScriptedReply::text("A boat."),
    }
}

/// No system message at all.
fn without_system(seen: &SeenRequest) -> ScriptedReply {
    match seen.messages().iter().any(|message| message["role"] == "system") {
        true => ScriptedReply::error(422, "System role not supported"),
        false => ScriptedReply::text("A boat."),
    }
}

fn without_memory(seen: &SeenRequest) -> ScriptedReply {
    match seen.text().contains(MARK) {
        true => ScriptedReply::error(400, "The chat template knows no such turn."),
        false => ScriptedReply::text("A boat."),
    }
}

async fn sailor() -> Rig {
    with_boat(Rig::new().await).await
}

async fn with_boat(rig: Rig) -> Rig {
    let add = json!({ "content": "My boat is called Andorinha." });
    rig.ask(serde_json::from_value::<Add>(add).expect("an add")).await;
    rig
}

fn asked(model: &str) -> Value {
    let system = json!({ "role": "system", "content": "Be brief." });
    json!({ "model": model, "messages": [system, { "role": "user", "content": BOAT }] })
}

async fn chat(rig: &Rig, model: &str) -> (ProxyAnswer, usize) {
    let before = rig.llm.requests().len();
    let answer = rig.chat(&asked(model)).await;
    (answer, rig.llm.requests().len() - before)
}

#[tokio::test]
async fn a_refused_prompt_is_tried_once_more_without_memory_and_the_place_is_remembered() {
    let rig = sailor().await;
    rig.llm.respond_with(strict);
    let (answer, sent) = chat(&rig, "house-model").await;
    assert_eq!((answer.status, sent), (200, 2), "{}", answer.text());
    assert_eq!(rig.seen().text(), asked("house-model").to_string(), "as the client wrote it");
    assert_eq!((answer.header("x-recollect-tokens"), answer.header("x-recollect-section")), ("0", "none"));
    let (answer, sent) = chat(&rig, "house-model").await;
    assert_eq!((answer.status, sent), (200, 1), "{}", answer.text());
    let seen = rig.seen();
    assert!(seen.system_text().contains("Be brief.") && seen.system_text().contains("Andorinha"));
    assert_eq!(seen.system_texts().len(), 1, "where this template takes it");
    // Another model of the same upstream was never asked.
    let (_, sent) = chat(&rig, "other-model").await;
    assert_eq!(sent, 2);
}

#[tokio::test]
async fn who_takes_no_system_message_gets_memory_in_the_users_own_and_who_takes_none_gets_none() {
    let rig = sailor().await;
    rig.llm.respond_with(without_system);
    let plain = json!({ "model": "m", "messages": [{ "role": "user", "content": BOAT }] });
    let mut sent = Vec::new();
    for _ in 0..3 {
        let before = rig.llm.requests().len();
        assert_eq!(rig.chat(&plain).await.status, 200);
        sent.push(rig.llm.requests().len() - before);
    }
    assert_eq!(sent, [2, 2, 1], "a message of its own, the first message, then the user's");
    assert!(rig.seen().last_user_text().contains("Andorinha"), "{}", rig.seen().text());

    let rig = sailor().await;
    rig.llm.respond_with(without_memory);
    let mut sent = Vec::new();
    for _ in 0..5 {
        let (answer, times) = chat(&rig, "m").await;
        assert_eq!(answer.status, 200);
        sent.push(times);
    }
    assert_eq!(sent, [2, 2, 2, 1, 1], "after the third place it is left alone");
    assert_eq!(rig.seen().text(), asked("m").to_string());
}

#[tokio::test]
async fn what_is_not_about_the_prompt_is_passed_on_as_it_is() {
    for status in [401, 403, 404, 408, 413, 429, 500] {
        let rig = sailor().await;
        rig.llm.fallback(ScriptedReply::error(status, "no"));
        let (answer, sent) = chat(&rig, "m").await;
        assert_eq!((answer.status, sent), (status, 1));
    }
    // Refused with and without: the client hears what it would have heard without memory.
    let rig = sailor().await;
    rig.llm.fallback(ScriptedReply::error(400, "unknown model"));
    let (answer, sent) = chat(&rig, "m").await;
    assert_eq!((answer.status, sent), (400, 2));
    assert!(answer.text().contains("unknown model"));
    // That says nothing about the place.
    rig.llm.fallback(ScriptedReply::text("A boat."));
    chat(&rig, "m").await;
    assert_eq!(rig.seen().system_texts().len(), 2, "as ever: {}", rig.seen().text());
    // A request without memory in it is sent once, whatever comes of it.
    let rig = Rig::new().await;
    rig.llm.fallback(ScriptedReply::error(400, "no"));
    let (answer, sent) = chat(&rig, "m").await;
    assert_eq!((answer.status, sent), (400, 1));
}

#[tokio::test]
async fn a_prompt_that_is_too_long_says_nothing_about_the_place() {
    let rig = sailor().await;
    rig.llm.respond_with(|seen| match seen.text().contains(MARK) {
        true => ScriptedReply::error(400, "This model's maximum context length is 40 tokens."),
        false => ScriptedReply::text("A boat."),
    });
    for _ in 0..2 {
        let (answer, sent) = chat(&rig, "m").await;
        assert_eq!((answer.status, sent), (200, 2));
    }
    rig.llm.fallback(ScriptedReply::text("A boat."));
    chat(&rig, "m").await;
    assert_eq!(rig.seen().system_texts().len(), 2, "{}", rig.seen().text());
}

#[tokio::test]
async fn a_refusal_that_names_no_place_is_tried_again_and_not_remembered() {
    let rig = sailor().await;
    rig.llm.respond_with(|seen| match seen.text().contains(MARK) {
        true => ScriptedReply::error(400, "Something went wrong."),
        false => ScriptedReply::text("A boat."),
    });
    for _ in 0..4 {
        let (answer, sent) = chat(&rig, "m").await;
        assert_eq!((answer.status, sent), (200, 2));
    }
    rig.llm.fallback(ScriptedReply::text("A boat."));
    chat(&rig, "m").await;
    assert_eq!(rig.seen().system_texts().len(), 2, "where it ever was: {}", rig.seen().text());
    // What is about the words themselves is nobody's to try again.
    for code in ["content_filter", "tool_use_failed", "json_validate_failed"] {
        let refusal = json!({ "error": { "code": code, "message": "The role of this system is clear." } });
        rig.llm.fallback(ScriptedReply::status(400, refusal.clone()));
        let (answer, sent) = chat(&rig, "m").await;
        assert_eq!((answer.status, sent, answer.json()), (400, 1, refusal));
    }
}

#[tokio::test]
async fn a_second_attempt_that_fails_otherwise_leaves_the_first_answer() {
    for (status, told) in [(429, 400), (503, 400), (401, 400), (422, 422)] {
        let rig = sailor().await;
        rig.llm.respond_with(move |seen| match seen.text().contains(MARK) {
            true => ScriptedReply::error(400, "Roles must alternate.").with_header("x-kept", "yes"),
            false => ScriptedReply::error(status, "Not now."),
        });
        let (answer, sent) = chat(&rig, "m").await;
        assert_eq!((answer.status, sent), (told, 2), "{status}");
        let is_first = told == 400;
        assert_eq!(answer.text().contains("Roles must alternate."), is_first, "{}", answer.text());
        assert_eq!(answer.header("x-kept") == "yes", is_first);
        rig.llm.fallback(ScriptedReply::text("A boat."));
        chat(&rig, "m").await;
        assert_eq!(rig.seen().system_texts().len(), 2, "nothing is known of the place");
    }
}

#[tokio::test]
async fn a_refusal_whose_body_stalls_is_passed_on() {
    let rig = sailor().await;
    rig.llm.fallback(ScriptedReply::error(400, "Roles must alternate.").hang_after(0));
    let request = rig.post("/v1/chat/completions").body(asked("m").to_string());
    let answer = tokio::time::timeout(crate::support::PATIENCE, request.send()).await;
    let answer = answer.expect("the head does not wait for the body").expect("an answer");
    assert_eq!((answer.status().as_u16(), rig.llm.requests().len()), (400, 1));
    drop(answer);
    // A long one is passed on whole.
    let long = format!("Roles must alternate. {}", "again ".repeat(40_000));
    rig.llm.respond_with({
        let long = long.clone();
        move |seen| match seen.text().contains(MARK) {
            true => ScriptedReply::raw(400, "text/plain", long.clone()),
            false => ScriptedReply::error(429, "Not now."),
        }
    });
    let (answer, _) = chat(&rig, "m").await;
    assert_eq!((answer.status, answer.text() == long), (400, true));
}

/// A block that no model ever saw does not stand in the conversation: it is not put back, and nothing rests on it.
#[tokio::test]
async fn what_was_sent_without_memory_is_remembered_so() {
    let rig = sailor().await;
    rig.set("portraitTokens", json!(0)).await;
    rig.llm.respond_with(|seen| match seen.text().contains(MARK) {
        true => ScriptedReply::error(400, "This model's maximum context length is 40 tokens."),
        false => ScriptedReply::text("Your boat is called Andorinha."),
    });
    let mut messages = Vec::new();
    rig.says(&[], &mut messages, BOAT).await;
    assert_eq!(rig.llm.requests().len(), 2);
    for text in ["What is the capital of France?", "Thanks!"] {
        rig.says(&[], &mut messages, text).await;
    }
    assert_eq!(rig.llm.requests().len(), 4, "later turns go out once");
    rig.sessions().await;
    let tenant = rig.tenant().await;
    let page = PageRequest { limit: 10, offset: 0, order: Order::Oldest, counted: true };
    let memories = tenant.list_memories(&Filter::ever(), page).await.expect("listed").items;
    let ids: Vec<_> = memories.into_iter().map(|memory| memory.id).collect();
    let counters = tenant.counters(&ids).await.expect("counted");
    assert!(!ids.is_empty() && counters.values().all(|of| of.use_count + of.used + of.ignored == 0));
}

#[tokio::test]
async fn it_is_remembered_for_a_day() {
    let clock = Arc::new(ManualClock::default());
    clock.set("2026-11-16T08:00:00Z".parse::<Time>().expect("a time"));
    let rig = with_boat(Rig::with(|house| house.clock = clock.clone()).await).await;
    rig.llm.respond_with(strict);
    assert_eq!(chat(&rig, "m").await.1, 2);
    clock.advance_seconds(23 * 3_600);
    assert_eq!(chat(&rig, "m").await.1, 1);
    clock.advance_seconds(2 * 3_600);
    assert_eq!(chat(&rig, "m").await.1, 2, "a server may have another template by now");
}

#[tokio::test]
async fn strict_families_are_known_by_their_names() {
    let rig = sailor().await;
    rig.llm.respond_with(strict);
    for model in [
        "qwen3-32b",
        "qwen2.5:7b",
        "Qwen/Qwen2.5-7B-Instruct",
        "mistral-small-latest",
        "mistralai/Mixtral-8x7B",
    ] {
        let (answer, sent) = chat(&rig, model).await;
        assert_eq!((answer.status, sent), (200, 1), "{model}");
        assert!(rig.seen().system_text().contains("Andorinha"), "{model}");
    }
    rig.llm.respond_with(without_system);
    let body = json!({ "model": "gemma-2-9b-it", "messages": [{ "role": "user", "content": BOAT }] });
    assert_eq!(rig.chat(&body).await.status, 200);
    let seen = rig.seen();
    assert_eq!(seen.messages().len(), 1);
    assert!(seen.last_user_text().contains("Andorinha") && seen.last_user_text().contains(BOAT));
}

#[tokio::test]
async fn a_place_that_is_said_for_an_upstream_counts_for_all_its_models() {
    let rig = Rig::new().await;
    let (address, mut house) = (rig.llm.base_url(), rig.house.clone());
    let upstream = |placement| Upstream {
        placement: Some(placement),
        ..Upstream::new("house", UpstreamWire::OpenAi, &address)
    };
    let rig = with_boat(rig).await;
    for (placement, holds) in [
        (
            InjectionPlacement::SystemAppend,
            (|seen: &SeenRequest| seen.system_text().contains("Andorinha")) as fn(&SeenRequest) -> bool,
        ),
        (InjectionPlacement::LastUser, |seen| seen.last_user_text().contains("Andorinha")),
    ] {
        house.models = Arc::new(Models::new(Upstreams::new(vec![upstream(placement)], None)));
        let (url, serving) = super::serve(&house, super::PATIENT).await;
        let request = rig.client.post(format!("{url}/v1/chat/completions")).body(asked("any").to_string());
        let answer = super::answer(request.header("content-type", "application/json")).await;
        assert_eq!(answer.status, 200);
        assert_eq!(rig.seen().messages().len(), 2);
        assert!(holds(&rig.seen()), "{}", rig.seen().text());
        serving.abort();
    }
}

#[test]
fn what_was_refused_is_counted() {
    let (home, llm) = (Home::new(), testkit::llm::Llm::start_blocking());
    let server = serve(&home, &llm);
    home.add("My boat is called Andorinha.");
    llm.respond_with(strict);
    // A server of its own has its usual patience, and a busy machine may let a request go without memory.
    let refused = || llm.requests().iter().any(|seen| seen.system_texts().len() > 1);
    let deadline = std::time::Instant::now() + crate::support::PATIENCE;
    while !refused() && std::time::Instant::now() < deadline {
        server.post("/v1/chat/completions", &asked("m"));
    }
    server.post("/v1/chat/completions", &asked("m"));
    let name = "recollect_placements_refused_total{upstream=\"openai\",outcome=\"remembered\"}";
    assert_eq!(read(&server).get(name), Some(&1.0), "{:#?}", read(&server));
}

/// With `read` nothing is stored, and what stood in the prompt stands there again all the same.
#[tokio::test]
async fn read_replays_blocks_as_on_does() {
    for named in [false, true] {
        let rig = sailor().await;
        let headers: &[(&str, &str)] = match named {
            true => &[("x-recollect-memory", "read"), ("x-recollect-session-id", "mine")],
            false => &[("x-recollect-memory", "read")],
        };
        let mut messages = Vec::new();
        rig.says(headers, &mut messages, BOAT).await;
        let first = rig.seen().text().into_owned();
        assert!(first.contains("Andorinha"));
        let asked = &first[first.find("\"messages\":[").expect("a list")..first.rfind(']').expect("its end")];
        rig.says(headers, &mut messages, "Count to three, please.").await;
        let second = rig.seen().text().into_owned();
        assert!(second.contains(asked), "the prompt begins as it began: {second}");
        // Asked again, as after a broken connection.
        messages.pop();
        let again = json!({ "model": "m", "messages": messages });
        assert_eq!(rig.chat_with(headers, &again).await.status, 200);
        assert_eq!(rig.seen().text(), second, "a retried request is the same request");
        let stored = rig.sessions().await;
        assert!(stored.values().all(Vec::is_empty), "nothing of what was said is kept: {stored:?}");
    }
}
