//! What passes through is not changed: not a byte of a body, not a status, not a header that matters.

use serde_json::json;
use testkit::llm::{RequestMatcher, ScriptedReply};

use super::super::proxy::answer;
use super::{BOTH, TestedWire, post, rig};

/// Spaces, order, duplicate and unknown keys, long numbers, escapes, parts of every kind.
fn odd(wire: TestedWire) -> &'static str {
    match wire {
        TestedWire::Responses => {
            "{ \"temperature\": 1.0000000000000000001, \"x_unknown\":{\"b\":1,\"a\":[ ]},\n\t\"input\" : [ {\"content\":[{\"type\":\
             \"input_text\",\"text\":\"caf\\u00e9 \\ud83d\\ude00\"},{\"type\":\"input_image\",\"image_url\":\"data:image/png;base64,AA\"}],\
             \"role\":\"user\",\"extra\":true} ],\"model\":\"m\",\"seed\":12345678901234567890123,\"x_unknown\":2,\"store\":false,\
             \"include\":[\"reasoning.encrypted_content\"],\"tools\":[{\"type\":\"function\",\"name\":\"f\",\"parameters\":{}}]}"
        }
        TestedWire::Messages => {
            "{ \"temperature\": 1.0000000000000000001, \"x_unknown\":{\"b\":1,\"a\":[ ]},\n\t\"messages\" : [ {\"content\":[{\"type\":\
             \"text\",\"text\":\"caf\\u00e9 \\ud83d\\ude00\",\"cache_control\":{\"type\":\"ephemeral\"}},{\"type\":\"image\",\"source\":\
             {\"type\":\"base64\",\"media_type\":\"image/png\",\"data\":\"AA\"}}],\"role\":\"user\",\"extra\":true} ],\"model\":\"m\",\
             \"max_tokens\":12345678901234567890123,\"x_unknown\":2,\"system\":[{\"type\":\"text\",\"text\":\"\\u0062e kind\"}],\
             \"thinking\":{\"type\":\"enabled\",\"budget_tokens\":1024},\"tools\":[{\"name\":\"f\",\"input_schema\":{}}]}"
        }
    }
}

#[tokio::test]
async fn bodies_go_upstream_as_they_came() {
    let rig = rig().await;
    for wire in BOTH {
        for memory in ["on", "off", "read", "write"] {
            let answer = post(&rig, wire, &[("x-recollect-memory", memory)], odd(wire)).await;
            assert_eq!((answer.status, rig.seen().text().as_ref()), (200, odd(wire)), "{wire:?} {memory}");
            assert_eq!(rig.seen().path, wire.path());
        }
        rig.llm.fallback(ScriptedReply::status(400, json!({ "error": { "message": "what?" } })));
        for body in [
            "not json",
            "[1,2]",
            "{}",
            r#"{"messages":[7],"input":[7]}"#,
            r#"{"messages":"x","input":3}"#,
            "",
        ] {
            let answer = post(&rig, wire, &[], body).await;
            assert_eq!(
                (answer.status, answer.json()["error"]["message"].as_str()),
                (400, Some("what?")),
                "{body}"
            );
            assert_eq!(rig.seen().text(), body);
        }
        rig.llm.fallback(ScriptedReply::echo());
    }
}

#[tokio::test]
async fn only_the_providers_name_is_taken_from_the_model() {
    let rig = rig().await;
    for (wire, named) in [
        (TestedWire::Responses, "scripted"),
        (TestedWire::Messages, "claude"),
        (TestedWire::Messages, "scripted"),
    ] {
        post(&rig, wire, &[], odd(wire).replace("\"m\"", &format!("\"{named}/vendor/m\""))).await;
        assert_eq!(rig.seen().text(), odd(wire).replace("\"m\"", "\"vendor/m\""));
    }
}

#[tokio::test]
async fn every_scripted_answer_is_what_a_direct_call_gets() {
    let rig = rig().await;
    let calls = || {
        ScriptedReply::tool_call("look", json!({ "at": "sea" })).and_tool_call("look", json!({ "at": "sky" }))
    };
    let replies = [
        ScriptedReply::text("Grüße 👋"),
        ScriptedReply::pieces(["a", "", "b\n", "c"]),
        ScriptedReply::error(401, "Incorrect API key provided."),
        ScriptedReply::error(529, "Overloaded"),
        ScriptedReply::wrong_types(),
        ScriptedReply::garbage_sse(),
        ScriptedReply::text("cut").with_finish("length").with_usage(5, 7),
        ScriptedReply::text("in bytes").with_byte_delay(std::time::Duration::from_micros(50)),
        calls(),
    ];
    for wire in BOTH {
        for reply in &replies {
            for stream in [false, true] {
                let mut body = wire.user("x");
                body["stream"] = json!(stream);
                let mut got = Vec::new();
                for base in [rig.llm.root_url(), rig.url.clone()] {
                    rig.llm.reply(reply.clone());
                    let request = rig.client.post(format!("{base}{}", wire.path())).body(body.to_string());
                    let answer = answer(request).await;
                    got.push((answer.status, without_numbers(&answer.bytes)));
                }
                assert_eq!(got[0], got[1], "{wire:?} {reply:?}");
            }
        }
    }
}

/// The scripted model counts its answers; digits are what differs.
fn without_numbers(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).chars().filter(|character| !character.is_ascii_digit()).collect()
}

#[tokio::test]
async fn keys_versions_and_queries_pass_and_what_is_ours_does_not() {
    let rig = rig().await;
    let given = [
        ("x-api-key", "sk-theirs"),
        ("anthropic-version", "2099-01-01"),
        ("anthropic-beta", "context-1m"),
        ("x-recollect-user-id", "u"),
    ];
    let request = rig.post("/v1/messages?beta=true").body(TestedWire::Messages.user("hi there").to_string());
    let request = given.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    assert_eq!(answer(request).await.status, 200);
    let seen = rig.seen();
    for (name, value) in &given[..3] {
        assert_eq!(seen.header(name), *value);
    }
    assert_eq!((seen.query.as_deref(), seen.header("x-recollect-user-id")), (Some("beta=true"), ""));
    post(
        &rig,
        TestedWire::Messages,
        &[("authorization", "Bearer theirs")],
        TestedWire::Messages.user("hi again"),
    )
    .await;
    assert_eq!((rig.seen().header("authorization"), rig.seen().header("x-api-key")), ("Bearer theirs", ""));
    assert!(!rig.seen().header("anthropic-version").is_empty(), "one is always named");
}

#[tokio::test]
async fn an_upstreams_own_key_goes_where_its_wire_has_it() {
    let rig = super::Rig::with(|house| {
        super::both(house);
        let keyed =
            |upstream: &models::Upstream| upstream.clone().with_key(models::ProviderSecret::new("sk-ours"));
        let all = house.models.upstreams().all().iter().map(keyed).collect();
        house.models =
            std::sync::Arc::new(recollect::core_model::Models::new(models::Upstreams::new(all, None)));
    })
    .await;
    let theirs = [("authorization", "Bearer theirs"), ("x-api-key", "theirs")];
    post(&rig, TestedWire::Messages, &theirs, TestedWire::Messages.user("x")).await;
    assert_eq!((rig.seen().header("x-api-key"), rig.seen().header("authorization")), ("sk-ours", ""));
    post(&rig, TestedWire::Responses, &theirs, TestedWire::Responses.user("x")).await;
    assert_eq!((rig.seen().header("x-api-key"), rig.seen().header("authorization")), ("", "Bearer sk-ours"));
}

#[tokio::test]
async fn what_stands_beside_passes_through() {
    let rig = rig().await;
    let counted = rig
        .post("/v1/messages/count_tokens")
        .body(json!({ "model": "claude/m", "messages": [{ "role": "user", "content": "x" }] }).to_string());
    assert!(answer(counted).await.json()["input_tokens"].as_u64().expect("a number") > 0);
    assert_eq!((rig.seen().model(), rig.seen().path.as_str()), ("m", "/v1/messages/count_tokens"));
    for (method, path) in [
        ("GET", "/v1/responses/resp_1?include=x"),
        ("DELETE", "/v1/responses/resp_1"),
        ("GET", "/v1/responses/resp_1/input_items"),
        ("POST", "/v1/responses/resp_1/cancel"),
        ("GET", "/v1/messages/batches"),
    ] {
        let (bare, query) = path.split_once('?').map_or((path, None), |(bare, query)| (bare, Some(query)));
        rig.llm.when(RequestMatcher::path(bare).times(1), ScriptedReply::json(json!({ "id": path })));
        let request = rig.client.request(method.parse().expect("a method"), format!("{}{path}", rig.url));
        assert_eq!(answer(request).await.json()["id"], path);
        let seen = rig.seen();
        assert_eq!((seen.method.as_str(), seen.path.as_str(), seen.query.as_deref()), (method, bare, query));
    }
    assert!(rig.sessions().await.is_empty(), "nothing of it is remembered");
}
