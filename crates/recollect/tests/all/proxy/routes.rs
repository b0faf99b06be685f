//! Everything beside chats with an upstream: models, embeddings, and the model that answers from memory.

use std::sync::Arc;

use memory::types::Role;
use models::{Upstream, UpstreamWire, Upstreams};
use recollect::core_model::Models;
use recollect::ops::sessions::SessionEnd;
use serde_json::{Value, json};
use testkit::llm::{Llm, RequestMatcher, ScriptedReply};

use super::{ProxyAnswer, Rig, answer, user};

async fn get(rig: &Rig, path: &str) -> ProxyAnswer {
    answer(rig.client.get(format!("{}{path}", rig.url)).header("authorization", "Bearer sk-theirs")).await
}

fn ids(list: &Value) -> Vec<&str> {
    let data = list["data"].as_array().expect("a list");
    data.iter().map(|model| model["id"].as_str().expect("an id")).collect()
}

#[tokio::test]
async fn models_are_the_upstreams_and_ours() {
    let other = Llm::start().await;
    let second = Upstream::new("second", UpstreamWire::OpenAi, &other.base_url());
    let rig = Rig::with(|house| {
        let first = house.models.upstreams().all()[0].clone();
        house.models = Arc::new(Models::new(Upstreams::new(vec![first, second], None)));
    })
    .await;
    let model =
        |id: &str| json!({ "object": "list", "data": [{ "id": id, "object": "model", "context": 7 }] });
    rig.llm.when(RequestMatcher::path("/v1/models"), ScriptedReply::json(model("a")));
    other.when(RequestMatcher::path("/v1/models"), ScriptedReply::json(model("b")));
    let list = get(&rig, "/v1/models").await;
    assert_eq!(ids(&list.json()), ["recollect/recall", "recollect/embed", "a", "scripted/a", "second/b"]);
    assert_eq!(list.json()["data"][2]["context"], 7, "what the upstream says of a model is kept");
    assert_eq!(rig.seen().header("authorization"), "Bearer sk-theirs");
    other.refuse();
    let list = get(&rig, "/v1/models").await;
    assert_eq!(ids(&list.json()), ["recollect/recall", "recollect/embed", "a", "scripted/a"]);
    assert_eq!(list.header("x-recollect-upstreams-absent"), "second");
}

#[tokio::test]
async fn one_model_is_described_by_its_name() {
    let rig = Rig::new().await;
    assert_eq!(get(&rig, "/v1/models/recollect/recall").await.json()["owned_by"], "recollect");
    let missing = get(&rig, "/v1/models/recollect/nothing").await;
    assert_eq!((missing.status, missing.json()["error"]["type"].as_str()), (404, Some("not_found_error")));
    for (asked, path) in
        [("m", "/v1/models/m"), ("scripted/m", "/v1/models/m"), ("vendor/m%20x", "/v1/models/vendor/m%20x")]
    {
        rig.llm.when(RequestMatcher::path(path), ScriptedReply::json(json!({ "id": "m" })));
        assert_eq!(get(&rig, &format!("/v1/models/{asked}")).await.json()["id"], "m", "{asked}");
        assert_eq!(rig.seen().path, path);
    }
    let nothing = Rig::with(|house| house.models = Arc::default()).await;
    assert_eq!(ids(&get(&nothing, "/v1/models").await.json()), ["recollect/recall", "recollect/embed"]);
}

#[tokio::test]
async fn embeddings_are_ours_or_the_upstreams() {
    let rig = Rig::new().await;
    let embed =
        async |rig: &Rig, body: Value| answer(rig.post("/v1/embeddings").body(body.to_string())).await;
    let ours = embed(&rig, json!({ "model": "recollect/embed", "input": ["a", "b"] })).await.json();
    assert_eq!((ours["data"].as_array().expect("two").len(), &ours["model"]), (2, &json!("recollect/embed")));
    assert_eq!(rig.llm.requests().len(), 0);
    let body = json!({ "model": "scripted/e", "input": [[1, 2]], "x": 1 });
    rig.llm.when(RequestMatcher::path("/v1/embeddings"), ScriptedReply::json(json!({ "from": "upstream" })));
    assert_eq!(embed(&rig, body).await.json()["from"], "upstream");
    assert_eq!(rig.seen().json, json!({ "model": "e", "input": [[1, 2]], "x": 1 }));
    let wrong = embed(&rig, json!({ "model": "recollect/embed", "input": [[1, 2]] })).await;
    assert_eq!((wrong.status, wrong.json()["error"]["param"].as_str()), (400, Some("input[0]")));
    let nothing = Rig::with(|house| house.models = Arc::default()).await;
    let local = embed(&nothing, json!({ "model": "text-embedding-3-small", "input": "a" })).await.json();
    assert_eq!(local["model"], "recollect/embed", "the answer says whose vectors they are");
}

#[tokio::test]
async fn a_model_that_answers_from_memory_alone() {
    let rig = Rig::with(|house| house.models = Arc::default()).await;
    let recall = |text: &str, stream: bool| {
        let mut body = user(text);
        (body["model"], body["stream"]) = (json!("recollect/recall"), json!(stream));
        body["stream_options"] = json!({ "include_usage": true });
        body
    };
    let headers = [("x-recollect-session-id", "told")];
    let first = rig.chat_with(&headers, &recall("My sister Ana is allergic to peanuts.", false)).await.json();
    assert_eq!(first["choices"][0]["finish_reason"], "stop");
    let which = serde_json::from_value(json!({ "session": "told" })).expect("a session");
    rig.ask(SessionEnd { which }).await;
    let answer = rig.chat(&recall("What is Ana allergic to?", false)).await;
    let text = answer.json()["choices"][0]["message"]["content"].as_str().expect("text").to_owned();
    assert!(text.contains("peanuts") && text.contains("source: mt_"), "{text}");
    assert_eq!(answer.json()["model"], "recollect/recall");
    assert!(answer.header("x-recollect-memories").parse::<u64>().expect("a number") > 0);
    let stream = rig.chat(&recall("What is Ana allergic to?", true)).await;
    assert!(stream.header("content-type").starts_with("text/event-stream"));
    let events: Vec<&str> =
        std::str::from_utf8(&stream.bytes).expect("text").split_terminator("\n\n").collect();
    assert_eq!(events.last(), Some(&"data: [DONE]"));
    assert!(events[events.len() - 2].contains("\"total_tokens\""), "{events:#?}");
    let unknown = rig.chat(&json!({ "model": "recollect/other", "messages": [] })).await;
    assert_eq!((unknown.status, unknown.json()["error"]["code"].as_str()), (404, Some("not_found")));
    // What it said is not in the transcript: it would be found again, and outlive a forget.
    let sessions = rig.sessions().await;
    let replies = sessions.values().flatten().filter(|turn| turn.role == Role::Assistant);
    assert!(replies.into_iter().all(|turn| !turn.text.contains("peanuts")), "{sessions:?}");
    assert_eq!(sessions.values().flatten().filter(|turn| turn.role == Role::User).count(), 3);
}

#[tokio::test]
async fn nothing_there_is_told_in_their_shape() {
    let rig = Rig::new().await;
    let missing = answer(rig.post("/v1/nothing/there").body("{}")).await;
    assert_eq!((missing.status, missing.json()["error"]["type"].as_str()), (404, Some("not_found_error")));
    let wrong = get(&rig, "/v1/chat/completions").await;
    assert_eq!((wrong.status, wrong.json()["error"]["type"].as_str()), (405, Some("invalid_request_error")));
}
