//! Conversations that the upstream keeps: a request names what it comes after and brings only what is new.

use std::sync::Arc;

use memory::types::Role;
use models::{MemoryShare, Upstream, UpstreamWire, Upstreams};
use recollect::core_model::Models;
use recollect::ops::add::Add;
use serde_json::{Value, json};
use testkit::llm::ScriptedReply;

use super::{Rig, TestedWire, post, rig};

async fn says(rig: &Rig, more: Value, input: Value) -> Value {
    let mut body = json!({ "model": "m", "input": input });
    body.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    let answer = post(rig, TestedWire::Responses, &[], &body).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    match body["stream"] == true {
        true => TestedWire::Responses.assembled(&answer.text()),
        false => answer.json(),
    }
}

async fn texts(rig: &Rig) -> Vec<String> {
    rig.only_session().await.into_iter().map(|(_, text)| text).collect()
}

#[tokio::test]
async fn a_response_is_gone_on_from() {
    let rig = rig().await;
    let mut id = says(&rig, json!({}), json!("One.")).await["id"].clone();
    for (text, stream) in [("Yes.", false), ("Yes.", true), ("Three.", true), ("Yes.", false)] {
        let more = json!({ "previous_response_id": id, "stream": stream });
        id = says(&rig, more, json!(text)).await["id"].clone();
    }
    let said = texts(&rig).await;
    let users: Vec<&String> = said.iter().step_by(2).collect();
    assert_eq!(users, ["One.", "Yes.", "Yes.", "Three.", "Yes."], "the same words twice are two messages");
    assert_eq!(said.len(), 10);
}

#[tokio::test]
async fn what_is_asked_again_is_stored_once() {
    let rig = rig().await;
    let id = says(&rig, json!({}), json!("One.")).await["id"].clone();
    for reply in ["Fine.", "Better."] {
        rig.llm.reply(ScriptedReply::text(reply));
        says(&rig, json!({ "previous_response_id": id }), json!("Two.")).await;
    }
    assert_eq!(texts(&rig).await, ["One.", "You said: One.", "Two.", "Fine.", "Better."]);
}

#[tokio::test]
async fn tools_are_part_of_it() {
    let rig = rig().await;
    rig.llm.reply(ScriptedReply::tool_call("weather", json!({ "city": "Porto" })));
    let first = says(&rig, json!({}), json!("How warm is it in Porto?")).await;
    let result = TestedWire::Responses.result(&first).expect("a call");
    let body = json!({ "previous_response_id": first["id"] });
    rig.llm.reply(ScriptedReply::text("Twelve degrees."));
    says(&rig, body, json!([result])).await;
    assert_eq!(rig.seen().messages().len(), 1, "nothing comes between a call and its result");
    let roles: Vec<Role> = rig.only_session().await.into_iter().map(|(role, _)| role).collect();
    assert_eq!(roles, [Role::User, Role::Assistant, Role::Tool, Role::Assistant]);
}

#[tokio::test]
async fn a_conversation_has_a_name_of_its_own() {
    let rig = rig().await;
    for text in ["One.", "Yes.", "Yes."] {
        says(&rig, json!({ "conversation": { "id": "conv_1" } }), json!(text)).await;
    }
    let said = texts(&rig).await;
    assert_eq!(said.iter().step_by(2).collect::<Vec<_>>(), ["One.", "Yes.", "Yes."]);
    assert_eq!(rig.sessions().await.keys().collect::<Vec<_>>(), ["conv_1"]);
}

#[tokio::test]
async fn memory_comes_once_and_before_what_is_new() {
    let rig = rig().await;
    let add = json!({ "content": "My boat is called Andorinha." });
    rig.ask(serde_json::from_value::<Add>(add).expect("an add")).await;
    let first = says(&rig, json!({}), json!("What did I tell you about my boat?")).await;
    assert!(rig.seen().text().contains("Andorinha"));
    says(
        &rig,
        json!({ "previous_response_id": first["id"] }),
        json!("Please count to three in a funny voice."),
    )
    .await;
    let sent = json!({ "model": "m", "input": "Please count to three in a funny voice.", "previous_response_id": first["id"] });
    assert_eq!(rig.seen().json, sent, "what stands there already is the upstream's");
}

#[tokio::test]
async fn what_was_said_there_is_not_said_again() {
    let rig = rig().await;
    for fact in ["My boat is called Andorinha.", "My boat lies in Cascais."] {
        rig.ask(serde_json::from_value::<Add>(json!({ "content": fact })).expect("an add")).await;
    }
    let mut id = json!(null);
    let mut told = Vec::new();
    for question in ["What did I tell you about my boat?", "What else did I tell you about my boat?"] {
        id = says(&rig, json!({ "previous_response_id": id }), json!(question)).await["id"].clone();
        told.push(rig.seen().system_text().matches("Andorinha").count());
    }
    assert_eq!(told, [1, 0]);
}

#[tokio::test]
async fn a_response_is_known_after_a_restart() {
    let rig = rig().await;
    let id = says(&rig, json!({}), json!("One.")).await["id"].clone();
    // Another server on the same store knows nothing but what is stored.
    let (url, serving) = super::super::proxy::serve(&rig.house, super::super::proxy::PATIENT).await;
    let body = json!({ "model": "m", "input": "Two.", "previous_response_id": id });
    let request = rig.client.post(format!("{url}/v1/responses")).body(body.to_string());
    assert_eq!(super::super::proxy::answer(request).await.status, 200);
    assert_eq!(texts(&rig).await.iter().step_by(2).collect::<Vec<_>>(), ["One.", "Two."]);
    serving.abort();
}

#[tokio::test]
async fn a_name_that_nobody_knows_begins_a_session() {
    let rig = rig().await;
    let id = says(&rig, json!({}), json!("One.")).await["id"].clone();
    says(&rig, json!({ "previous_response_id": "resp_elsewhere" }), json!("Two.")).await;
    assert_eq!(rig.sessions().await.len(), 2);
    let other = [("x-recollect-user-id", "other")];
    let body = json!({ "model": "m", "input": "Three.", "previous_response_id": id });
    post(&rig, TestedWire::Responses, &other, &body).await;
    assert_eq!(rig.sessions().await.len(), 3, "another user's response is not theirs");
}

#[tokio::test]
async fn a_request_without_memory_of_its_own_is_sent_once_whatever_comes_of_it() {
    let rig = rig().await;
    let add = json!({ "content": "My boat is called Andorinha." });
    rig.ask(serde_json::from_value::<Add>(add).expect("an add")).await;
    let first = says(&rig, json!({}), json!("What did I tell you about my boat?")).await;
    assert!(rig.seen().text().contains("Andorinha"));
    let before = rig.llm.requests().len();
    rig.llm.reply(ScriptedReply::error(400, "Roles must alternate."));
    let body =
        json!({ "model": "m", "input": "Please count to three.", "previous_response_id": first["id"] });
    let answer = post(&rig, TestedWire::Responses, &[], &body).await;
    assert_eq!((answer.status, rig.llm.requests().len() - before), (400, 1), "{}", answer.text());
}

/// The upstream holds what it was sent, and it was sent without: what the block says is still to be told.
#[tokio::test]
async fn what_was_refused_is_not_taken_for_told() {
    let rig = rig().await;
    let add = json!({ "content": "My boat is called Andorinha." });
    rig.ask(serde_json::from_value::<Add>(add).expect("an add")).await;
    rig.llm.reply(ScriptedReply::error(400, "Input is too long."));
    let first = says(&rig, json!({}), json!("What did I tell you about my boat?")).await;
    assert!(!rig.seen().text().contains("Andorinha"), "{}", rig.seen().text());
    rig.sessions().await;
    let more = json!({ "previous_response_id": first["id"] });
    says(&rig, more, json!("What did I tell you about my boat, please?")).await;
    assert!(rig.seen().text().contains("Andorinha"), "{}", rig.seen().text());
}

/// A server for work has blocks of its own, and they count as told as any do.
#[tokio::test]
async fn memory_comes_once_to_a_server_for_work_too() {
    let rig = Rig::with(|house| {
        let base = house.models.upstreams().all()[0].base_url.clone();
        let office =
            Upstream { memory: MemoryShare::Work, ..Upstream::new("office", UpstreamWire::OpenAi, &base) };
        house.models = Arc::new(Models::new(Upstreams::new(vec![office], None)));
    })
    .await;
    let add = json!({ "content": "The Kestrel project is written in Rust with Postgres." });
    rig.ask(serde_json::from_value::<Add>(add).expect("an add")).await;
    let first = says(&rig, json!({}), json!("What is the Kestrel project written in?")).await;
    assert!(rig.seen().text().contains("Postgres"), "{}", rig.seen().text());
    let more = json!({ "previous_response_id": first["id"] });
    says(&rig, more, json!("What is the Kestrel project written in, again?")).await;
    assert!(!rig.seen().text().contains("Postgres"), "{}", rig.seen().text());
}
