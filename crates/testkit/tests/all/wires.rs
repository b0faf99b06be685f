//! Every wire, whole and streamed: the shapes that real clients rely on.

use serde_json::{Value, json};
use testkit::llm::{Llm, ScriptedReply};

use crate::client::{CHAT, call, get, post};

fn ask(text: &str) -> Value {
    json!({ "model": "scripted-1", "messages": [{ "role": "user", "content": text }] })
}

/// The request with more fields in it.
fn with(mut request: Value, more: Value) -> Value {
    let fields = request.as_object_mut().expect("a request is an object");
    fields.extend(more.as_object().expect("fields").clone());
    request
}

/// What the deltas at this pointer make together.
fn joined(events: &[Value], pointer: &str) -> String {
    events.iter().filter_map(|event| event.pointer(pointer)).filter_map(Value::as_str).collect()
}

#[tokio::test]
async fn chat_whole_and_the_headers_and_fields_that_a_proxy_must_keep() {
    let llm = Llm::start().await;
    let answer = post(&llm, CHAT, &ask("Hi!")).await;
    assert_eq!((answer.status, answer.complete), (200, true));
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(answer.header("x-upstream-marker"), Some("scripted"));
    assert_eq!(answer.header("x-ratelimit-remaining-requests"), Some("4999"));
    let json = answer.json();
    assert_eq!(json["choices"][0]["message"]["content"], "You said: Hi!");
    assert_eq!(json["choices"][0]["finish_reason"], "stop");
    assert_eq!(json["choices"][0]["logprobs"], Value::Null);
    assert_eq!(json["id"], "chatcmpl-000001");
    assert_eq!(json["system_fingerprint"], "fp_scripted");
    assert!(json["usage"]["total_tokens"].as_u64() > Some(0));
    // Parsed and written again, this would be another text.
    assert_ne!(json.to_string(), answer.text());
    assert!(answer.text().contains(r#""zeta":1.10,"alpha":1e2,"big":123456789012345678901234567890"#));
}

#[tokio::test]
async fn chat_with_choices_and_logprobs() {
    let llm = Llm::start().await;
    let request = with(ask("one two"), json!({ "n": 3, "logprobs": true, "top_logprobs": 2 }));
    let json = post(&llm, CHAT, &request).await.json();
    assert_eq!(json["choices"].as_array().map(Vec::len), Some(3));
    let tokens = json["choices"][2]["logprobs"]["content"].as_array().expect("logprobs");
    assert_eq!(
        tokens.iter().map(|token| token["token"].as_str().expect("text")).collect::<String>(),
        "You said: one two"
    );
    assert_eq!(tokens[0]["top_logprobs"].as_array().map(Vec::len), Some(2));

    let events = post(&llm, CHAT, &with(request, json!({ "stream": true }))).await.json_events();
    for index in 0..3 {
        let own: Vec<Value> =
            events.iter().filter(|event| event["choices"][0]["index"] == index).cloned().collect();
        assert_eq!(joined(&own, "/choices/0/delta/content"), "You said: one two");
        assert_eq!(joined(&own, "/choices/0/logprobs/content/0/token"), "You said: one two");
        assert_eq!(own.last().expect("a last event")["choices"][0]["finish_reason"], "stop");
    }
}

#[tokio::test]
async fn chat_streamed_with_and_without_usage() {
    let llm = Llm::start().await;
    let request = with(ask("Hi!"), json!({ "stream": true }));
    let answer = post(&llm, CHAT, &request).await;
    assert_eq!(answer.header("content-type"), Some("text/event-stream; charset=utf-8"));
    assert!(answer.complete);
    assert_eq!(answer.events().last().map(String::as_str), Some("[DONE]"));
    let events = answer.json_events();
    assert_eq!(events[0]["choices"][0]["delta"]["role"], "assistant");
    assert_eq!(joined(&events, "/choices/0/delta/content"), "You said: Hi!");
    assert!(events.iter().all(|event| event.get("usage").is_none()));

    let request = with(request, json!({ "stream_options": { "include_usage": true } }));
    let events = post(&llm, CHAT, &request).await.json_events();
    let (last, before) = events.split_last().expect("events");
    assert!(before.iter().all(|event| event["usage"].is_null() && event.get("usage").is_some()));
    assert_eq!(last["choices"], json!([]));
    assert_eq!(last["usage"]["completion_tokens"], 3);
}

#[tokio::test]
async fn chat_calls_tools_whole_and_in_fragments() {
    let llm = Llm::start().await;
    let arguments = json!({ "city": "Zürich", "days": [1, 2, 3] });
    let reply = ScriptedReply::tool_call("weather", arguments.clone()).and_tool_call("clock", json!({}));
    llm.replies([reply.clone(), reply]);
    let choice = post(&llm, CHAT, &ask("Weather?")).await.json()["choices"][0].take();
    assert_eq!(choice["finish_reason"], "tool_calls");
    assert_eq!(choice["message"]["content"], Value::Null);
    let calls = &choice["message"]["tool_calls"];
    assert_eq!(calls[0]["function"]["arguments"], arguments.to_string());
    assert_eq!(calls[1]["function"]["name"], "clock");

    let events = post(&llm, CHAT, &with(ask("Weather?"), json!({ "stream": true }))).await.json_events();
    let deltas: Vec<Value> = events
        .iter()
        .filter_map(|event| event.pointer("/choices/0/delta/tool_calls/0"))
        .filter(|call| call["index"] == 0)
        .cloned()
        .collect();
    assert!(deltas.len() > 3, "the arguments come in fragments");
    assert_eq!(
        (deltas[0]["id"].as_str(), deltas[0]["function"]["name"].as_str()),
        (Some("call_000002_0_0"), Some("weather"))
    );
    assert_eq!(joined(&deltas, "/function/arguments"), arguments.to_string());
}

#[tokio::test]
async fn an_echo_calls_the_tool_that_is_demanded_and_gives_json_where_json_is_wanted() {
    let llm = Llm::start().await;
    let tools = json!([{ "type": "function", "function": { "name": "save", "parameters": {} } }]);
    let json =
        post(&llm, CHAT, &with(ask("x"), json!({ "tools": tools, "tool_choice": "required" }))).await.json();
    assert_eq!(json["choices"][0]["message"]["tool_calls"][0]["function"]["name"], "save");
    let json = post(&llm, CHAT, &with(ask("x"), json!({ "response_format": { "type": "json_object" } })))
        .await
        .json();
    assert_eq!(json["choices"][0]["message"]["content"], r#"{"echo":"You said: x"}"#);
}

#[tokio::test]
async fn responses_whole_streamed_and_with_a_tool() {
    let llm = Llm::start().await;
    let request = json!({ "model": "scripted-1", "input": "Hi!", "instructions": "Be brief." });
    let json = post(&llm, "/v1/responses", &request).await.json();
    assert_eq!(json["output"][0]["content"][0]["text"], "You said: Hi!");
    assert_eq!(
        (json["status"].as_str(), json["instructions"].as_str()),
        (Some("completed"), Some("Be brief."))
    );

    llm.reply(ScriptedReply::text("Let me see.").and_tool_call("find", json!({ "what": "keys" })));
    let events = post(&llm, "/v1/responses", &with(request, json!({ "stream": true }))).await.json_events();
    let types: Vec<&str> = events.iter().filter_map(|event| event["type"].as_str()).collect();
    assert_eq!(
        types[..4],
        [
            "response.created",
            "response.in_progress",
            "response.output_item.added",
            "response.content_part.added"
        ]
    );
    assert_eq!(types.last(), Some(&"response.completed"));
    assert!((0..).zip(&events).all(|(number, event)| event["sequence_number"] == number));
    let of =
        |wanted: &str| events.iter().filter(|event| event["type"] == wanted).cloned().collect::<Vec<_>>();
    assert_eq!(joined(&of("response.output_text.delta"), "/delta"), "Let me see.");
    assert_eq!(joined(&of("response.function_call_arguments.delta"), "/delta"), r#"{"what":"keys"}"#);
    let output = &events.last().expect("a last event")["response"]["output"];
    assert_eq!(
        (output[0]["type"].as_str(), output[1]["type"].as_str()),
        (Some("message"), Some("function_call"))
    );
}

#[tokio::test]
async fn messages_whole_streamed_and_with_a_tool() {
    let llm = Llm::start().await;
    let request =
        with(ask("Hi!"), json!({ "max_tokens": 100, "system": [{ "type": "text", "text": "Be brief." }] }));
    let json = post(&llm, "/v1/messages", &request).await.json();
    assert_eq!(json["content"][0]["text"], "You said: Hi!");
    assert_eq!(json["stop_reason"], "end_turn");
    assert_eq!(llm.requests()[0].system_text(), "Be brief.");

    llm.reply(ScriptedReply::text("Let me see.").and_tool_call("find", json!({ "what": "keys" })));
    let events =
        post(&llm, "/v1/messages", &with(request.clone(), json!({ "stream": true }))).await.json_events();
    let types: Vec<&str> = events.iter().filter_map(|event| event["type"].as_str()).collect();
    assert_eq!(types[..4], ["message_start", "content_block_start", "ping", "content_block_delta"]);
    assert_eq!(types[types.len() - 3..], ["content_block_stop", "message_delta", "message_stop"]);
    assert_eq!(joined(&events, "/delta/text"), "Let me see.");
    assert_eq!(joined(&events, "/delta/partial_json"), r#"{"what":"keys"}"#);
    assert_eq!(joined(&events, "/delta/stop_reason"), "tool_use");

    let counted = post(&llm, "/v1/messages/count_tokens", &request).await.json();
    assert!(counted["input_tokens"].as_u64() > Some(0));
    let error = call(&llm, "POST", "/v1/messages", "", "{}").await;
    assert_eq!((error.status, error.json()["error"]["type"].as_str()), (400, Some("invalid_request_error")));
}

#[tokio::test]
async fn completions_embeddings_and_models() {
    let llm = Llm::start().await;
    let request = json!({ "model": "scripted-1", "prompt": "Hi!" });
    let json = post(&llm, "/v1/completions", &request).await.json();
    assert_eq!(json["choices"][0]["text"], "You said: Hi!");
    let events = post(&llm, "/v1/completions", &with(request, json!({ "stream": true }))).await.json_events();
    assert_eq!(joined(&events, "/choices/0/text"), "You said: Hi!");

    let request = json!({ "model": "e", "input": ["red car", "a red car", "blue"], "dimensions": 16 });
    let json = post(&llm, "/v1/embeddings", &request).await.json();
    let vector = |index: usize| {
        let numbers = json["data"][index]["embedding"].as_array().expect("a vector");
        numbers.iter().filter_map(Value::as_f64).collect::<Vec<_>>()
    };
    let cosine = |a: usize, b: usize| vector(a).iter().zip(vector(b)).map(|(x, y)| x * y).sum::<f64>();
    assert_eq!(vector(0).len(), 16);
    assert!((cosine(0, 0) - 1.0).abs() < 1e-6 && cosine(0, 1) > cosine(0, 2));
    let request = json!({ "model": "e", "input": "red", "dimensions": 3, "encoding_format": "base64" });
    let written = post(&llm, "/v1/embeddings", &request).await.json()["data"][0]["embedding"].take();
    assert_eq!(written.as_str().map(str::len), Some(16), "three numbers of four bytes");

    let models = get(&llm, "/v1/models").await.json();
    assert_eq!(models["data"][0]["id"], "scripted-1");
    assert_eq!(get(&llm, "/v1/models/scripted-1").await.json()["object"], "model");
    assert_eq!(get(&llm, "/v1/models/none").await.status, 404);
    let models = call(&llm, "GET", "/v1/models", "anthropic-version: 2023-06-01\r\n", "").await.json();
    assert_eq!(models["data"][0]["type"], "model");
}

#[tokio::test]
async fn what_a_server_cannot_take_is_an_error_of_its_wire() {
    let llm = Llm::start().await;
    let broken = call(&llm, "POST", CHAT, "", "{").await;
    assert_eq!(
        (broken.status, broken.json()["error"]["type"].as_str()),
        (400, Some("invalid_request_error"))
    );
    assert_eq!(post(&llm, CHAT, &json!({ "model": "x" })).await.status, 400);
    assert_eq!(post(&llm, CHAT, &json!({ "model": "x", "messages": [] })).await.status, 400);
    assert_eq!(post(&llm, "/v1/nowhere", &json!({})).await.status, 404);
    llm.require_key("sk-right");
    assert_eq!(post(&llm, CHAT, &ask("Hi!")).await.json()["error"]["code"], "invalid_api_key");
    let body = ask("Hi!").to_string();
    assert_eq!(call(&llm, "POST", CHAT, "authorization: Bearer sk-right\r\n", &body).await.status, 200);
    assert_eq!(call(&llm, "POST", "/v1/messages", "x-api-key: sk-right\r\n", &body).await.status, 200);
}
