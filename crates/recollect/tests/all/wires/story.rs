//! What it is for: what is told in one conversation is there in the next, on whichever wire.

use memory::types::Role;
use recollect::ops::sessions::SessionEnd;
use serde_json::{Value, json};

use super::{BOTH, Rig, TestedWire, WireTalk, post, rig};

const QUESTION: &str = "What is my sister allergic to?";

/// The first session tells facts and ends.
async fn told(wire: TestedWire, stream: bool) -> Rig {
    let rig = rig().await;
    let mut talk = WireTalk::new(&rig, wire, stream);
    for text in [
        "I live in Lisbon and I work as a marine biologist.",
        "My sister Ana is allergic to peanuts.",
        "Thanks!",
    ] {
        talk.says(&[("x-recollect-session-id", "first")], text).await;
    }
    let which = serde_json::from_value(json!({ "session": "first" })).expect("a session");
    let passed = rig.ask(SessionEnd { which }).await;
    assert!(passed.memories > 0, "{passed:?}");
    rig
}

fn is_block(text: &Value) -> bool {
    let text = text.as_str().expect("text");
    text.starts_with("<recollect-memory id=") && text.contains("peanuts")
}

#[tokio::test]
async fn the_next_session_knows_what_was_told() {
    for (wire, stream) in BOTH.into_iter().flat_map(|wire| [(wire, false), (wire, true)]) {
        let rig = told(wire, stream).await;
        let (answer, _) = WireTalk::new(&rig, wire, stream).says(&[], QUESTION).await;
        let seen = rig.seen();
        let messages = seen.messages();
        match wire {
            TestedWire::Responses => {
                assert_eq!((messages.len(), &messages[0]["role"]), (2, &json!("system")), "{messages:#?}");
                assert!(is_block(&messages[0]["content"][0]["text"]));
                assert_eq!(messages[1], json!({ "role": "user", "content": QUESTION }));
            }
            TestedWire::Messages => {
                assert_eq!((messages.len(), &messages[0]["role"]), (1, &json!("user")), "{messages:#?}");
                assert!(is_block(&messages[0]["content"][0]["text"]), "a part of its own");
                assert_eq!(messages[0]["content"][1], json!({ "type": "text", "text": QUESTION }));
            }
        }
        assert_ne!(answer.header("x-recollect-section"), "none");
        assert!(answer.header("x-recollect-tokens").parse::<u64>().expect("a number") > 10);
        assert!(answer.header("x-recollect-memories").parse::<u64>().expect("a number") > 0);
        assert!(answer.header("x-recollect-session").starts_with("chat-"));
    }
}

#[tokio::test]
async fn a_text_in_place_of_a_list_keeps_its_bytes() {
    let rig = told(TestedWire::Responses, false).await;
    let body = r#"{ "input" :"What is my s\u0069ster allergic to?", "model":"m" }"#;
    post(&rig, TestedWire::Responses, &[], body).await;
    let seen = rig.seen();
    assert!(
        seen.text().contains(r#""content":"What is my s\u0069ster allergic to?"}], "model":"m" }"#),
        "{}",
        seen.text()
    );
    assert!(is_block(&seen.messages()[0]["content"][0]["text"]));
    let body = json!({ "model": "m", "instructions": "Be brief.", "input": QUESTION });
    post(&rig, TestedWire::Responses, &[("x-recollect-memory", "read")], &body).await;
    assert_eq!(rig.seen().json["instructions"], "Be brief.");
    assert!(rig.seen().text().contains("peanuts"));
}

#[tokio::test]
async fn with_memory_off_the_upstream_sees_nothing_and_nothing_is_kept() {
    for wire in BOTH {
        let rig = told(wire, false).await;
        let body = wire.user(QUESTION);
        let answer = post(&rig, wire, &[("x-recollect-memory", "off")], &body).await;
        assert_eq!(
            (rig.seen().text().into_owned(), answer.header("x-recollect-section")),
            (body.to_string(), "none")
        );
        rig.set("enabled", json!(false)).await;
        post(&rig, wire, &[], &body).await;
        assert_eq!(rig.seen().text(), body.to_string());
        assert_eq!(rig.sessions().await.len(), 1, "the first alone");
    }
}

#[tokio::test]
async fn who_speaks_may_stand_in_the_body() {
    for wire in BOTH {
        let rig = told(wire, false).await;
        let mut body = wire.user(QUESTION);
        match wire {
            TestedWire::Responses => body["user"] = json!("somebody"),
            TestedWire::Messages => body["metadata"] = json!({ "user_id": "somebody" }),
        }
        post(&rig, wire, &[], &body).await;
        assert!(!rig.seen().text().contains("peanuts"), "somebody else's memory");
        post(&rig, wire, &[("x-recollect-user-id", "default")], &body).await;
        assert!(rig.seen().text().contains("peanuts"));
    }
}

#[tokio::test]
async fn a_wire_is_no_wall() {
    let rig = told(TestedWire::Messages, true).await;
    post(&rig, TestedWire::Responses, &[], TestedWire::Responses.user(QUESTION)).await;
    assert!(rig.seen().text().contains("peanuts"));
    rig.chat(&super::super::proxy::user(QUESTION)).await;
    assert!(rig.seen().text().contains("peanuts"));
}

#[tokio::test]
async fn a_conversation_is_one_session_with_its_tools() {
    for (wire, stream) in BOTH.into_iter().flat_map(|wire| [(wire, false), (wire, true)]) {
        let rig = rig().await;
        let mut talk = WireTalk::new(&rig, wire, stream);
        talk.says(&[], "My cat is called Miso.").await;
        rig.llm.reply(testkit::llm::ScriptedReply::tool_call("weather", json!({ "city": "Porto", "at": 7 })));
        let (_, result) = talk.says(&[], "How warm is it in Porto?").await;
        talk.messages.push(result.expect("a tool is called"));
        let before = wire.body(&talk.messages)
            [if wire == TestedWire::Responses { "input" } else { "messages" }]
        .clone();
        talk.send(&[]).await;
        assert_eq!(json!(rig.seen().messages()), before, "nothing comes between a call and its result");
        talk.says(&[], "Thanks.").await;
        let said = rig.only_session().await;
        let roles: Vec<Role> = said.iter().map(|(role, _)| *role).collect();
        use Role::{Assistant, Tool, User};
        assert_eq!(roles, [User, Assistant, User, Assistant, Tool, Assistant, User, Assistant], "{said:?}");
        assert!(said[3].1.contains("[calls weather"), "{said:?}");
        assert_eq!(said[4].1, "found");
    }
}

#[tokio::test]
async fn a_model_that_answers_from_memory_alone() {
    for wire in BOTH {
        let rig = told(wire, false).await;
        let before = rig.llm.requests().len();
        let mut body = wire.user(QUESTION);
        body["model"] = json!("recollect/recall");
        let whole = post(&rig, wire, &[], &body).await;
        let text = |answer: &Value| match wire {
            TestedWire::Responses => {
                answer["output"][0]["content"][0]["text"].as_str().expect("text").to_owned()
            }
            TestedWire::Messages => answer["content"][0]["text"].as_str().expect("text").to_owned(),
        };
        assert!(text(&whole.json()).contains("peanuts"), "{}", whole.text());
        body["stream"] = json!(true);
        let streamed = post(&rig, wire, &[], &body).await;
        assert!(streamed.header("content-type").starts_with("text/event-stream"));
        let said = text(&wire.assembled(&streamed.text()));
        assert!(said.starts_with("What I remember:\n") && said.contains("peanuts"), "{said}");
        assert_eq!(rig.llm.requests().len(), before, "no model is asked");
        let sessions = rig.sessions().await;
        let replies = sessions.values().flatten().filter(|turn| turn.text == "(answered from memory)");
        assert_eq!(replies.count(), 2);
    }
}
