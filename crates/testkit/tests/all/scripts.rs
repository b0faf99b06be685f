//! Who decides what is said: rules, then the queue, then the fallback, then the echo; and scripts in files.

use std::time::Duration;

use serde_json::json;
use testkit::llm::{Llm, RequestMatcher, ScriptedReply, read_script};

use crate::client::{CHAT, get, post};

async fn say(llm: &Llm, text: &str) -> String {
    let request = json!({ "model": "m", "messages": [{ "role": "system", "content": "S" }, { "role": "user", "content": text }] });
    let answer = post(llm, CHAT, &request).await;
    match answer.json()["choices"][0]["message"]["content"].as_str() {
        Some(said) => said.to_owned(),
        None => answer.status.to_string(),
    }
}

#[tokio::test]
async fn rules_then_the_queue_then_the_fallback() {
    let llm = Llm::start().await;
    llm.when(RequestMatcher::contains("rain").times(1), ScriptedReply::text("once"));
    llm.when(
        RequestMatcher::user_contains("rain").and_system_contains("S").and_model("m"),
        ScriptedReply::text("rule"),
    );
    llm.when(RequestMatcher::system_contains("rain"), ScriptedReply::text("never"));
    llm.replies([ScriptedReply::text("first"), ScriptedReply::text("second")]);
    llm.respond_with(|seen| ScriptedReply::text(format!("{} messages", seen.messages().len())));
    get(&llm, "/v1/models").await;
    let mut said = Vec::new();
    for text in ["a", "rain", "rain", "b", "c"] {
        said.push(say(&llm, text).await);
    }
    assert_eq!(said, ["first", "once", "rule", "second", "2 messages"]);
    llm.clear_script();
    assert_eq!(say(&llm, "rain").await, "You said: rain");
}

#[tokio::test]
async fn a_rule_by_path_reaches_what_the_queue_does_not() {
    let llm = Llm::start().await;
    llm.reply(ScriptedReply::text("queued"));
    llm.when(RequestMatcher::path("/v1/embeddings"), ScriptedReply::unavailable());
    assert_eq!(post(&llm, "/v1/embeddings", &json!({ "input": "x" })).await.status, 503);
    assert_eq!(llm.queued(), 1);
    assert_eq!(say(&llm, "x").await, "queued");
}

#[tokio::test]
async fn a_script_is_read_from_toml_and_json() {
    let folder = tempfile::tempdir().expect("a folder");
    let toml = folder.path().join("script.toml");
    let json = folder.path().join("script.json");
    let text = r#"
        [[replies]]
        when_contains = "busy"
        status = 429
        headers = { retry-after = "2" }
        times = 1
        [[replies]]
        when_contains = "pieces"
        stream = ["a", "b"]
        delay_ms = 1
        [[replies]]
        when_contains = "json"
        json = { memories = [] }
        [[replies]]
        when_contains = "tool"
        tool_call = { name = "f", arguments = { x = 1 } }
        [[replies]]
        when_contains = "fail"
        fail = "500"
        [[replies]]
        reply = "otherwise"
    "#;
    std::fs::write(&toml, text).expect("the file can be written");
    let same: serde_json::Value = toml::from_str(text).expect("the script is TOML");
    std::fs::write(&json, same["replies"].to_string()).expect("the file can be written");
    for path in [toml, json] {
        let llm = Llm::start().await;
        for (when, reply) in read_script(&path, Duration::ZERO).expect("the script is good") {
            llm.when(when, reply);
        }
        let mut said = Vec::new();
        for text in ["busy", "busy", "pieces", "json", "tool", "fail"] {
            said.push(say(&llm, text).await);
        }
        assert_eq!(said, ["429", "otherwise", "ab", r#"{"memories":[]}"#, "200", "500"]);
    }
}

#[test]
fn a_bad_script_says_what_is_wrong() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("script.toml");
    for (text, expected) in [
        ("replies = 1", "not what was expected"),
        ("[[replies]]\nrepply = 'x'", "unknown field `repply`"),
        ("[[replies]]\n[[replies]]\nfail = 'fire'", "reply 2: there is no failure called \"fire\""),
    ] {
        std::fs::write(&path, text).expect("the file can be written");
        let error = read_script(&path, Duration::ZERO).expect_err("the script is bad").to_string();
        assert!(error.contains(expected), "{error}");
    }
}
