//! What is sent and what is read, on both wires.

use super::*;

#[tokio::test]
async fn openai_is_asked_and_read() {
    let bench = ChatBench::new(UpstreamWire::OpenAi, vec![openai_says("{\"a\": 1}")]).await;
    let schema = json!({"type": "object", "properties": {"a": {"type": "integer"}}});
    let completion = bench.client().complete(prompt(Some(&schema))).await.expect("answered");
    assert_eq!(completion, Completion { text: "{\"a\": 1}".into(), input_tokens: 11, output_tokens: 7 });
    assert_eq!(bench.client().name(), "test/some-model");
    let asked = &bench.server.asked()[0];
    assert_eq!(asked.path, "/v1/chat/completions");
    assert_eq!(asked.headers["authorization"], format!("Bearer {KEY}"));
    assert_eq!(asked.headers["content-type"], "application/json");
    let expected = json!({
        "model": "some-model",
        "temperature": 0,
        "max_tokens": 500,
        "messages": [
            { "role": "system", "content": "You distil." },
            { "role": "user", "content": "A private matter." },
        ],
        "response_format": {
            "type": "json_schema",
            "json_schema": { "name": "distil", "schema": schema, "strict": false },
        },
    });
    assert_eq!(asked.body, expected);
}

#[tokio::test]
async fn anthropic_is_asked_and_its_tool_is_the_answer() {
    let answer = json!({
        "content": [{ "type": "text", "text": "Here:" }, { "type": "tool_use", "name": "distil", "input": { "a": 1 } }],
        "usage": { "input_tokens": 5, "cache_read_input_tokens": 100, "output_tokens": 3 },
    });
    let plain =
        json!({ "content": [{ "type": "text", "text": "Just " }, { "type": "text", "text": "text" }] });
    let bench = ChatBench::new(
        UpstreamWire::Anthropic,
        vec![ServerBehaviour::json(answer), ServerBehaviour::json(plain)],
    )
    .await;
    let schema = json!({"type": "object"});
    let completion = bench.client().complete(prompt(Some(&schema))).await.expect("answered");
    assert_eq!(completion, Completion { text: "{\"a\":1}".into(), input_tokens: 105, output_tokens: 3 });
    let completion = bench.ask().await.expect("answered");
    assert_eq!(completion.text, "Just text");
    assert_eq!((completion.input_tokens, completion.output_tokens), (3 + 5, 3), "estimated");
    let asked = bench.server.asked();
    assert_eq!(asked[0].path, "/v1/messages");
    assert_eq!(asked[0].headers["x-api-key"], KEY);
    assert_eq!(asked[0].headers["anthropic-version"], "2023-06-01");
    assert!(!asked[0].headers.contains_key("authorization"));
    assert_eq!(asked[0].body["tool_choice"], json!({"type": "tool", "name": "distil"}));
    assert_eq!(asked[0].body["tools"][0]["input_schema"], schema);
    assert_eq!(
        (&asked[0].body["system"], &asked[0].body["max_tokens"]),
        (&json!("You distil."), &json!(500))
    );
    assert!(asked[1].body.get("tools").is_none());
}

#[tokio::test]
async fn a_server_without_schemas_is_asked_for_less_and_that_is_remembered() {
    let no_schema =
        ServerBehaviour::status(400, r#"{"error": {"message": "response_format type json_schema unknown"}}"#);
    let no_object = ServerBehaviour::status(422, r#"{"detail": "response_format: extra field"}"#);
    let replies = vec![no_schema, no_object, openai_says("{}"), openai_says("{}")];
    let bench = ChatBench::new(UpstreamWire::OpenAi, replies).await;
    let schema = json!({"type": "object", "title": "Mine"});
    bench.client().complete(prompt(Some(&schema))).await.expect("answered in the end");
    bench.client().complete(prompt(Some(&schema))).await.expect("answered at once");
    let formats: Vec<Value> =
        bench.server.asked().iter().map(|asked| asked.body["response_format"]["type"].clone()).collect();
    assert_eq!(formats, [json!("json_schema"), json!("json_object"), Value::Null, Value::Null]);
    let system = bench.server.asked()[3].body["messages"][0]["content"].to_string();
    assert!(
        system.contains("JSON schema") && system.contains("Mine"),
        "the prompt says it instead: {system}"
    );
    assert!(bench.timer.waits().is_empty(), "a refusal is not waited out");
    let other = bench.clients.client(&bench.upstream, "other-model");
    other.complete(prompt(Some(&schema))).await.expect("answered");
    assert_eq!(bench.server.asked()[4].body["response_format"]["type"], "json_schema", "another model may");
}

#[tokio::test]
async fn a_refusal_for_another_reason_is_not_negotiated() {
    let bench = ChatBench::new(
        UpstreamWire::OpenAi,
        vec![ServerBehaviour::status(
            400,
            r#"{"error": {"code": "context_length_exceeded", "message": "A private matter. is too long"}}"#,
        )],
    )
    .await;
    let error = bench.client().complete(prompt(Some(&json!({})))).await.expect_err("refused");
    assert_eq!(
        error.to_string(),
        "the model's answer cannot be used: the server answered 400: context_length_exceeded"
    );
    check_discreet(&error);
    assert_eq!(bench.count(), 1);
}

#[tokio::test]
async fn answers_that_say_nothing_are_errors() {
    for answer in [
        "<html>Sign in</html>",
        "[]",
        "{}",
        r#"{"choices": []}"#,
        r#"{"choices": [{"message": {"content": "  "}}]}"#,
        r#"{"choices": [{"message": {"content": null, "refusal": "No."}}]}"#,
        r#"{"error": {"code": "overloaded", "message": "sk-very-secret"}}"#,
    ] {
        let bench = ChatBench::new(UpstreamWire::OpenAi, vec![ServerBehaviour::status(200, answer)]).await;
        let error = bench.ask().await.expect_err(answer);
        assert!(matches!(error, ModelError::BadAnswer(_)), "{error}");
        check_discreet(&error);
        assert_eq!(bench.count(), 1, "not tried again");
    }
}

#[tokio::test]
async fn parts_are_put_together_and_tokens_are_estimated() {
    let answer = json!({ "choices": [{ "message": { "content": [{ "type": "text", "text": "one " }, { "type": "text", "text": "two" }] } }] });
    let bench = ChatBench::new(UpstreamWire::OpenAi, vec![ServerBehaviour::json(answer)]).await;
    let completion = bench.ask().await.expect("answered");
    assert_eq!(completion, Completion { text: "one two".into(), input_tokens: 3 + 5, output_tokens: 2 });
}

#[tokio::test]
async fn configured_headers_go_along_and_a_missing_key_makes_no_call() {
    let mut bench = ChatBench::new(UpstreamWire::OpenAi, vec![openai_says("hello")]).await;
    bench.upstream.headers.push(("X-Team".into(), ProviderSecret::new("seven")));
    bench.ask().await.expect("answered");
    assert_eq!(bench.server.asked()[0].headers["x-team"], "seven");
    bench.upstream.key = None;
    bench.ask().await.expect("answered: a server on one's own machine needs no key");
    assert!(!bench.server.asked()[1].headers.contains_key("authorization"));
    bench.upstream.key_variable = Some("MY_KEY".into());
    let error = bench.ask().await.expect_err("no key");
    assert_eq!(error.to_string(), "the model refused the key: the variable MY_KEY is not set");
    assert_eq!(bench.count(), 2);
}
