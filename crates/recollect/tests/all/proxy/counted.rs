//! The numbers of a server: what is counted is right, and everything that is exported is explained.

use std::collections::BTreeMap;
use std::process::Command;

use recollect::metrics::TABLE;
use serde_json::json;
use testkit::llm::{Llm, ScriptedReply};

use super::super::support::{Home, PATIENCE, RunningServer};
use super::user;

/// Samples by name and labels.
pub fn read(server: &RunningServer) -> BTreeMap<String, f64> {
    let reply = server.http("GET /metrics HTTP/1.1");
    assert_eq!(reply.status, 200);
    let sample = |line: &str| {
        let (name, value) = line.rsplit_once(' ')?;
        Some((name.to_owned(), value.parse().ok()?))
    };
    reply.body.lines().filter(|line| !line.starts_with('#')).filter_map(sample).collect()
}

pub fn serve(home: &Home, llm: &Llm) -> RunningServer {
    RunningServer::start(&mut serving(home, llm))
}

/// The same for tests in which no chat may go on without memory, however busy the machine is.
fn serve_patiently(home: &Home, llm: &Llm) -> RunningServer {
    RunningServer::start(serving(home, llm).env("RECOLLECT_SERVER_MEMORY_WAIT_MS", "60000"))
}

fn serving(home: &Home, llm: &Llm) -> Command {
    let mut command = home.command();
    command.args(["serve", "--listen", "127.0.0.1:0"]);
    command
        .env_remove("OPENAI_API_KEY")
        .env_remove("ANTHROPIC_API_KEY")
        .env("RECOLLECT_SERVER_DRAIN_SECONDS", "120")
        .env("OPENAI_BASE_URL", llm.base_url());
    command
}

#[test]
fn what_happens_is_counted() {
    let (home, llm) = (Home::new(), Llm::start_blocking());
    let server = serve_patiently(&home, &llm);
    home.add("My boat Andorinha has a leak.");
    llm.reply(ScriptedReply::text("A boat."));
    llm.reply(ScriptedReply::server_error());
    for text in ["What did I tell you about my boat?", "What is the capital of France?"] {
        server.post("/v1/chat/completions", &user(text));
    }
    server.post("/v1/chat/completions", &json!({ "model": "recollect/nothing", "messages": [] }));
    // The second message is stored while its answer, which nothing waits for, is already back.
    let captured = |numbers: &BTreeMap<String, f64>| {
        numbers.get("recollect_captured_turns_total{role=\"user\"}") == Some(&2.0)
    };
    let deadline = std::time::Instant::now() + PATIENCE;
    let mut numbers = read(&server);
    while !captured(&numbers) && std::time::Instant::now() < deadline {
        numbers = read(&server);
    }
    let one = |name: &str| numbers.get(name).copied().unwrap_or_else(|| panic!("{name} in {numbers:#?}"));
    let chat = |status: u16| {
        one(&format!(
            "recollect_requests_total{{method=\"POST\",route=\"/v1/chat/completions\",status=\"{status}\"}}"
        ))
    };
    assert_eq!((chat(200), chat(500), chat(404)), (1.0, 1.0, 1.0));
    assert_eq!(one("recollect_gate_decisions_total{section=\"none\"}"), 1.0);
    assert_eq!(one("recollect_captured_turns_total{role=\"user\"}"), 2.0);
    assert_eq!(one("recollect_captured_turns_total{role=\"assistant\"}"), 1.0);
    assert!(one("recollect_injected_tokens_total{kind=\"new\"}") > 0.0);
    assert_eq!(one("recollect_injected_memories_total"), 1.0);
    assert_eq!(one("recollect_recall_seconds_count"), 2.0);
    assert_eq!(one("recollect_upstream_answers_total{upstream=\"openai\",status=\"500\"}"), 1.0);
    assert_eq!(one("recollect_open_tenants"), 1.0);
    assert_eq!(one("recollect_learning_queue_sessions"), 2.0);
    assert_eq!(one("recollect_context_cache_total{outcome=\"miss\"}"), 2.0);
    assert_eq!(one("recollect_chats_under_way"), 0.0);
    for name in numbers.keys() {
        let bare = name.split('{').next().expect("a name");
        let known = |metric: &&recollect::metrics::Metric| {
            let rest = bare.strip_prefix(metric.name);
            rest.is_some_and(|rest| ["", "_bucket", "_sum", "_count"].contains(&rest))
        };
        assert!(TABLE.iter().any(|metric| known(&metric)), "{name} is not in the table");
        assert!(!name.contains("boat") && !name.contains("Andorinha"), "{name}");
    }
}

#[test]
fn a_prefix_that_a_forget_changed_is_counted() {
    let (home, llm) = (Home::new(), Llm::start_blocking());
    let server = serve_patiently(&home, &llm);
    let id = home.add("My boat is called Andorinha.");
    let mut messages = Vec::new();
    for text in ["What did I tell you about my boat?", "Tell me more.", "And more.", "And more still."] {
        if text == "And more." {
            home.json(&["forget", &id, "--purge", "--yes"]);
        }
        messages.push(json!({ "role": "user", "content": text }));
        let (status, answer) =
            server.post("/v1/chat/completions", &json!({ "model": "m", "messages": messages }));
        assert_eq!(status, 200, "{answer}");
        messages.push(answer["choices"][0]["message"].clone());
    }
    let numbers = read(&server);
    assert_eq!(numbers.get("recollect_prefixes_total{outcome=\"hit\"}"), Some(&1.0), "{numbers:#?}");
    assert_eq!(numbers.get("recollect_prefixes_total{outcome=\"miss\"}"), Some(&1.0));
}
