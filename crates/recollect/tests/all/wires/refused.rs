//! What is wrong is told in the words of the wire that was asked.

use std::sync::Arc;

use models::{Upstream, Upstreams};
use recollect::core_model::Models;
use serde_json::{Value, json};
use testkit::llm::ScriptedReply;

use super::super::proxy::answer;
use super::{BOTH, ProxyAnswer, Rig, TestedWire, post, rig};

/// The kind of an error and its message, which stand in the same place in both; that it is one stands in Anthropic's only.
fn error(wire: TestedWire, answer: &ProxyAnswer) -> (u16, String, String) {
    let body = answer.json();
    assert_eq!(body["type"] == "error", wire == TestedWire::Messages, "{body}");
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    (answer.status, text(&body["error"]["type"]), text(&body["error"]["message"]))
}

#[tokio::test]
async fn mistakes_in_our_headers() {
    let rig = rig().await;
    for wire in BOTH {
        let answer = post(&rig, wire, &[("x-recollect-memory", "of")], wire.user("x")).await;
        let (status, kind, message) = error(wire, &answer);
        assert_eq!((status, kind.as_str()), (400, "invalid_request_error"));
        assert!(message.contains("expected on, off, read or write"), "{message}");
        let strange = post(&rig, wire, &[("x-recollect-key", "rk_nobody")], wire.user("x")).await;
        assert_eq!(error(wire, &strange).1, "authentication_error");
        let other = wire.user("x").to_string().replace("\"m\"", "\"recollect/other\"");
        assert_eq!(error(wire, &post(&rig, wire, &[], other).await).1, "not_found_error");
        let wrong = answer_to_get(&rig, wire).await;
        assert_eq!(error(wire, &wrong).0, 405);
    }
    assert_eq!(rig.llm.requests().len(), 0);
}

async fn answer_to_get(rig: &Rig, wire: TestedWire) -> ProxyAnswer {
    answer(rig.client.get(format!("{}{}", rig.url, wire.path()))).await
}

#[tokio::test]
async fn nobody_to_ask() {
    let none = Rig::with(|house| house.models = Arc::default()).await;
    for wire in BOTH {
        let answer = post(&none, wire, &[], wire.user("Hello.")).await;
        let (status, kind, message) = error(wire, &answer);
        let (expected, hint) = match wire {
            TestedWire::Responses => ("api_error", "hint: set OPENAI_API_KEY"),
            TestedWire::Messages => ("overloaded_error", "hint: set ANTHROPIC_API_KEY"),
        };
        assert_eq!((status, kind.as_str()), (503, expected));
        assert!(message.contains(hint), "{message}");
        assert_eq!(answer.header("x-should-retry"), "false");
    }
    // The other wire's server is none, unless it is named.
    let one = Rig::new().await;
    assert_eq!(post(&one, TestedWire::Messages, &[], TestedWire::Messages.user("Hello.")).await.status, 503);
    assert_eq!(one.llm.requests().len(), 0);
    let named = TestedWire::Messages.user("Hello.").to_string().replace("\"m\"", "\"scripted/m\"");
    assert_eq!(post(&one, TestedWire::Messages, &[], named).await.status, 200);
    let claude = Rig::with(|house| {
        let base = house.models.upstreams().all()[0].base_url.clone();
        let upstream = Upstream::new("claude", models::UpstreamWire::Anthropic, &base);
        house.models = Arc::new(Models::new(Upstreams::new(vec![upstream], None)));
    })
    .await;
    assert_eq!(
        post(&claude, TestedWire::Responses, &[], TestedWire::Responses.user("Hello.")).await.status,
        503
    );
    assert_eq!(
        post(&claude, TestedWire::Messages, &[], TestedWire::Messages.user("Hello.")).await.status,
        200
    );
}

#[tokio::test]
async fn an_upstream_that_breaks_off() {
    let rig = rig().await;
    for wire in BOTH {
        rig.llm.reply(ScriptedReply::disconnect());
        let (status, kind, message) = error(wire, &post(&rig, wire, &[], wire.user("Hello.")).await);
        assert_eq!((status, kind.as_str()), (502, "api_error"));
        assert!(message.contains("broke off"), "{message}");
    }
}

#[tokio::test]
async fn usual_models_are_put_in() {
    let rig = Rig::with(|house| {
        super::both(house);
        let usual =
            |upstream: &Upstream| Upstream { default_model: Some("usual".into()), ..upstream.clone() };
        let all = house.models.upstreams().all().iter().map(usual).collect();
        house.models = Arc::new(Models::new(Upstreams::new(all, None)));
    })
    .await;
    for wire in BOTH {
        let body = json!({ "messages": [{ "role": "user", "content": "x" }], "input": "x" });
        assert_eq!(post(&rig, wire, &[], &body).await.status, 200);
        assert_eq!(rig.seen().model(), "usual");
    }
}
