//! What passes through is not changed: not a byte of the body, not a status, not a header that matters.

use axum::http::HeaderMap;
use serde_json::{Value, json};
use testkit::llm::{RequestMatcher, ScriptedReply};

use super::{Rig, answer, user};

/// Spaces, order, duplicate and unknown keys, long numbers, escapes: everything that parsing and writing would change.
const ODD: &str = "{ \"temperature\": 1.0000000000000000001, \"x_unknown\":{\"b\":1,\"a\":[ ]},\n\t\"messages\" : [ {\"content\":\
    \"caf\\u00e9 \\ud83d\\ude00\",\"role\":\"user\",\"extra\":true} ],\"model\":\"m\",\"seed\":12345678901234567890123,\
    \"logprobs\":true,\"n\":2,\"x_unknown\":2,\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\",\"parameters\":{}}}]}";

#[tokio::test]
async fn the_body_goes_upstream_as_it_came() {
    let rig = Rig::new().await;
    for memory in ["on", "off", "read", "write"] {
        let request = rig.post("/v1/chat/completions").header("x-recollect-memory", memory).body(ODD);
        assert_eq!(answer(request).await.status, 200);
        assert_eq!(rig.seen().text(), ODD, "memory {memory}");
    }
}

#[tokio::test]
async fn parts_that_are_not_text_pass_and_so_do_bodies_that_nobody_understands() {
    let rig = Rig::new().await;
    let image = json!({ "model": "m", "messages": [{ "role": "user", "content": [
        { "type": "text", "text": "What is this?" },
        { "type": "image_url", "image_url": { "url": "data:image/png;base64,AAAA", "detail": "low" } },
        { "type": "input_audio", "input_audio": { "data": "AAAA", "format": "wav" } },
    ] }] });
    rig.chat(&image).await;
    assert_eq!(rig.seen().text(), image.to_string());
    rig.llm.fallback(ScriptedReply::status(400, json!({ "error": { "message": "what?" } })));
    for body in ["not json", "[1,2]", "{}", r#"{"messages":[7]}"#, r#"{"messages":"x","model":3}"#, ""] {
        let request = rig.post("/v1/chat/completions").body(body);
        let answer = answer(request).await;
        assert_eq!(
            (answer.status, answer.json()["error"]["message"].as_str()),
            (400, Some("what?")),
            "{body}"
        );
        assert_eq!(rig.seen().text(), body);
    }
}

#[tokio::test]
async fn only_the_providers_name_is_taken_from_the_model() {
    let rig = Rig::new().await;
    let body = ODD.replace("\"m\"", "\"scripted/vendor/m\"");
    answer(rig.post("/v1/chat/completions").body(body)).await;
    assert_eq!(rig.seen().text(), ODD.replace("\"m\"", "\"vendor/m\""));
}

#[tokio::test]
async fn answers_come_back_byte_for_byte() {
    let rig = Rig::new().await;
    let whole = "{\"choices\" : [ {\"message\":{\"role\":\"assistant\",\"content\":\"h\\u00ef\"},\"logprobs\":null} ],\r\n \"z\":1.50}";
    let stream = ": a comment\r\n\r\nevent: odd\nid: 7\ndata: {\"choices\":[{\"delta\":{\"content\":\"h\"}}]}\n\ndata:{\"x\":\ndata: 1}\n\n\
                  data: {\"choices\":[],\"usage\":{\"total_tokens\":1}}\r\rretry: 3\n\ndata: [DONE]\n\n: after the end\n\n";
    let endless = "data: {\"choices\":[{\"delta\":{\"content\":\"no end\"}}]}\n\n";
    for memory in ["on", "off"] {
        for (status, kind, body) in [
            (200, "application/json", whole),
            (201, "application/json; charset=utf-8", "[]"),
            (200, "text/event-stream", stream),
            (200, "text/event-stream; charset=utf-8", endless),
            (200, "text/event-stream", ""),
            (200, "text/plain", "neither"),
            (
                400,
                "application/json",
                "{\"error\":{\"message\":\"no\",\"type\":\"t\",\"param\":null,\"code\":\"c\"}}",
            ),
            (429, "application/json", "{\"error\":{\"message\":\"slow down\"}}"),
            (503, "text/html", "<h1>down</h1>"),
        ] {
            for reply in [
                ScriptedReply::raw(status, kind, body),
                ScriptedReply::raw(status, kind, body).with_byte_delay(std::time::Duration::from_micros(50)),
            ] {
                rig.llm.reply(reply.with_header("x-upstream", "kept").with_header("retry-after", "7"));
                let answer = rig.chat_with(&[("x-recollect-memory", memory)], &user("hello there")).await;
                assert_eq!((answer.status, answer.text().as_str()), (status, body), "memory {memory}");
                assert_eq!(answer.header("content-type"), kind);
                assert_eq!((answer.header("x-upstream"), answer.header("retry-after")), ("kept", "7"));
                assert!(answer.headers.contains_key("x-recollect-section"));
            }
        }
    }
}

#[tokio::test]
async fn every_scripted_answer_is_what_a_direct_call_gets() {
    let rig = Rig::new().await;
    let tool = || {
        ScriptedReply::tool_call("look", json!({ "at": "sea" })).and_tool_call("look", json!({ "at": "sky" }))
    };
    let replies: [fn() -> ScriptedReply; 6] = [
        || ScriptedReply::text("Grüße 👋"),
        || ScriptedReply::pieces(["a", "", "b\n", "c"]),
        || ScriptedReply::error(401, "Incorrect API key provided."),
        || ScriptedReply::wrong_types(),
        || ScriptedReply::garbage_sse(),
        || ScriptedReply::text("cut").with_finish("length").with_usage(5, 7),
    ];
    let all = replies.into_iter().map(|make| make()).chain([tool()]);
    for reply in all {
        for stream in [false, true] {
            let mut body = user("x");
            body["stream"] = json!(stream);
            let mut got = Vec::new();
            for (base, headers) in
                [(rig.llm.root_url(), [("x-a", "b")]), (rig.url.clone(), [("x-recollect-memory", "on")])]
            {
                rig.llm.reply(reply.clone());
                let request = rig.client.post(format!("{base}/v1/chat/completions")).body(body.to_string());
                let request =
                    headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
                let answer = answer(request).await;
                got.push((answer.status, without_numbers(&answer.bytes)));
            }
            assert_eq!(got[0], got[1], "{reply:?}");
        }
    }
}

/// The scripted model counts its answers; digits are what differs.
fn without_numbers(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).chars().filter(|character| !character.is_ascii_digit()).collect()
}

#[tokio::test]
async fn headers_pass_and_ours_do_not() {
    let rig = Rig::new().await;
    let given = [
        ("authorization", "Bearer sk-theirs"),
        ("openai-organization", "org-1"),
        ("x-stainless-lang", "python"),
        ("user-agent", "OpenAI/Python 2"),
        ("x-request-id", "trace-1"),
        ("x-recollect-session-id", "s"),
        ("x-recollect-user-id", "u"),
        ("x-recollect-agent-id", "a"),
        ("x-recollect-anything", "x"),
        ("x-omniroute-session-id", "s"),
        ("x-osaurus-agent-id", "a"),
    ];
    rig.chat_with(&given, &user("hi there")).await;
    let seen = rig.seen();
    for (name, value) in &given[..5] {
        assert_eq!(seen.header(name), *value);
    }
    let names = |headers: &HeaderMap| headers.keys().map(|name| name.as_str().to_owned()).collect::<Vec<_>>();
    let ours =
        |name: &&String| name.contains("recollect") || name.contains("osaurus") || name.contains("omniroute");
    let left: Vec<String> = names(&seen.headers).into_iter().filter(|name| ours(&name)).collect();
    assert_eq!(left, ["x-recollect-hop"], "but for the mark by which a request that comes round is known");
    rig.chat(&user("hi again")).await;
    assert_eq!(rig.seen().header("x-request-id"), "", "an id that we made is nobody else's business");
}

#[tokio::test]
async fn mistakes_in_our_headers_are_told_in_their_shape() {
    let rig = Rig::new().await;
    let answer = rig.chat_with(&[("x-recollect-memory", "of")], &user("x")).await;
    let error = answer.json()["error"].clone();
    assert_eq!(
        (answer.status, &error["type"], &error["param"]),
        (400, &json!("invalid_request_error"), &json!("x-recollect-memory"))
    );
    assert!(error["message"].as_str().expect("text").contains("expected on, off, read or write"), "{error}");
    let long = "s".repeat(5_000);
    let answer = rig.chat_with(&[("x-recollect-session-id", &long)], &user("x")).await;
    assert_eq!(answer.status, 400);
    assert_eq!(rig.llm.requests().len(), 0);
}

#[tokio::test]
async fn the_upstreams_own_key_is_used_where_it_has_one() {
    let rig = Rig::with(|house| {
        let upstream =
            house.models.upstreams().all()[0].clone().with_key(models::ProviderSecret::new("sk-ours"));
        let upstreams = models::Upstreams::new(vec![upstream], None);
        house.models = std::sync::Arc::new(recollect::core_model::Models::new(upstreams));
    })
    .await;
    rig.chat_with(&[("authorization", "Bearer sk-theirs"), ("x-api-key", "sk-theirs")], &user("x")).await;
    assert_eq!((rig.seen().header("authorization"), rig.seen().header("x-api-key")), ("Bearer sk-ours", ""));
}

#[tokio::test]
async fn an_answer_may_rely_on_a_tool_call_and_its_result() {
    let rig = Rig::new().await;
    rig.llm.when(
        RequestMatcher::contains("\"tool_call_id\"").times(1),
        ScriptedReply::text("It is 12 degrees."),
    );
    rig.llm.reply(ScriptedReply::tool_call("weather", json!({ "city": "Porto" })));
    let mut messages = vec![json!({ "role": "user", "content": "How warm is it in Porto?" })];
    let first = rig.chat(&json!({ "model": "m", "messages": messages })).await.json();
    let message: Value = first["choices"][0]["message"].clone();
    let id = message["tool_calls"][0]["id"].clone();
    messages.push(message);
    messages.push(json!({ "role": "tool", "tool_call_id": id, "content": "12" }));
    let body = json!({ "model": "m", "messages": messages });
    rig.chat(&body).await;
    assert_eq!(rig.seen().text(), body.to_string(), "nothing comes between a call and its result");
    let said = rig.only_session().await;
    assert_eq!(said.len(), 4, "{said:?}");
}
