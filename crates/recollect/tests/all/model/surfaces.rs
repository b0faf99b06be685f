//! The same through the binary: a real server and real commands, with a model that a variable names.

use std::process::Command;

use serde_json::json;
use testkit::llm::{Llm, RequestMatcher, ScriptedReply};

use super::{DISTILS, SAID, answer, good};
use crate::support::{Home, RunningServer, ran};

fn with_model(home: &Home, llm: &Llm) -> Command {
    let mut command = home.command();
    command.env("OPENAI_BASE_URL", llm.base_url()).env("OPENAI_API_KEY", "sk-test");
    command
}

fn distilling(llm: &Llm) -> usize {
    llm.requests().iter().filter(|seen| seen.system_text().contains(DISTILS)).count()
}

#[test]
fn a_server_learns_with_a_model_and_says_so() {
    let (home, llm) = (Home::new(), Llm::start_blocking());
    llm.fallback(ScriptedReply::prose());
    assert_eq!(home.run(["settings", "set", "coreModelName", "small"]).code, Some(0));
    let unsaid = json!({"content": "User owns a boat", "quote": "I own a boat"});
    let mut said = good();
    said["memories"].as_array_mut().expect("a list").push(unsaid);
    llm.when(RequestMatcher::system_contains(DISTILS), ScriptedReply::distilled(said));
    let server = RunningServer::start(with_model(&home, &llm).args(["serve", "--listen", "127.0.0.1:0"]));
    let body = json!({"conversation_id": "garden", "messages": [{"role": "user", "content": SAID}]});
    let (status, ingested) = server.post("/memory/ingest", &body);
    assert_eq!((status, &ingested["distillation"]), (200, &json!("distilled")), "{ingested}");
    assert_eq!((&ingested["model"], &ingested["unsupported"]), (&json!("openai/small"), &json!(1)));
    assert!(home.search("roses").contains(&"User prefers roses to tulips because they come back".to_owned()));
    assert_eq!(distilling(&llm), 1);
    let shown = home.run(["sessions", "show", "garden"]);
    assert!(shown.stdout.contains("garden in Lyon"), "the model's digest: {shown:?}");
    server.kill();
}

#[test]
fn what_a_model_could_not_do_is_listed_and_done_by_hand() {
    let (home, llm) = (Home::new(), Llm::start_blocking());
    llm.fallback(ScriptedReply::prose());
    let ingest = r#"{"conversation_id": "garden", "messages": [{"role": "user", "content": "SAID"}]}"#;
    let fed = home.feed(&["ingest", "-"], &ingest.replace("SAID", SAID));
    assert_eq!(fed.code, Some(0), "{fed:?}");
    let waits = home.run(["pending"]);
    assert!(waits.stderr.contains("1 distilled without a model"), "{waits:?}");
    assert_eq!(home.json(&["pending"])["redo"][0]["session"]["session"], "garden");
    assert_eq!(home.run(["settings", "set", "coreModelName", "small"]).code, Some(0));
    let failed = ran(with_model(&home, &llm).args(["sync", "--reread", "5"]));
    assert!(failed.stdout.contains("garden  error:"), "{failed:?}");
    let listed = home.run(["pending"]);
    assert!(listed.stdout.contains("waiting for one, 1 failure"), "{listed:?}");
    llm.when(RequestMatcher::system_contains(DISTILS), ScriptedReply::distilled(answer(json!([]))));
    let done = ran(with_model(&home, &llm).arg("sync"));
    assert!(done.stdout.contains("garden  distilled") && done.stdout.contains("by openai/small"), "{done:?}");
    assert!(home.json(&["pending"]).get("redo").is_none());
}
