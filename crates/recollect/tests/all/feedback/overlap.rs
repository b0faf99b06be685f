//! A reply is compared with what was recalled for it, on every wire, streamed or not, and no chat knows of it.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::Stdio;
use std::sync::Arc;

use memory::ports::ReadStore;
use memory::types::{JudgedBy, Judgement, MemoryId, Role};
use models::{Upstream, Upstreams};
use recollect::core_model::Models;
use recollect::ops::Services;
use serde_json::{Value, json};
use testkit::llm::{Llm, ScriptedReply};

use super::{learned, said, tenant_of, told};
use crate::proxy::{ProxyAnswer, Rig, answer, until};
use crate::support::Home;

const QUESTION: &str = "What do you remember about my sister?";
const PEANUTS: &str = "My sister Ana is allergic to peanuts";
const CELLO: &str = "My sister plays the cello in Porto";

fn both(house: &mut Services) {
    let openai = house.models.upstreams().all()[0].clone();
    let anthropic = Upstream::new("claude", models::UpstreamWire::Anthropic, &openai.base_url);
    house.models = Arc::new(Models::new(Upstreams::new(vec![openai, anthropic], None)));
}

async fn rig() -> (Rig, MemoryId, MemoryId) {
    let rig = Rig::with(both).await;
    let (peanuts, cello) = (learned(&rig.house, PEANUTS).await, learned(&rig.house, CELLO).await);
    (rig, peanuts, cello)
}

fn body(path: &str, messages: Value) -> Value {
    match path {
        "/v1/responses" => json!({ "model": "m", "input": messages }),
        "/v1/messages" => json!({ "model": "m", "max_tokens": 900, "messages": messages }),
        _ => json!({ "model": "m", "messages": messages }),
    }
}

async fn ask(rig: &Rig, path: &str, headers: &[(&str, &str)], body: &Value) -> ProxyAnswer {
    let request = rig.post(path).body(body.to_string());
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    let answer = answer(request).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    rig.house.backlog.settled(crate::support::PATIENCE).await;
    answer
}

fn words(pairs: &[(&str, &[Judgement])]) -> BTreeMap<String, Vec<Judgement>> {
    pairs.iter().map(|(content, words)| ((*content).to_owned(), words.to_vec())).collect()
}

#[tokio::test]
async fn every_wire_tells_what_its_reply_used() {
    use Judgement::{Ignored, Used};
    for path in ["/v1/chat/completions", "/v1/responses", "/v1/messages"] {
        for stream in [false, true] {
            let (rig, peanuts, cello) = rig().await;
            rig.llm.reply(ScriptedReply::text("Ana must not eat peanuts: she is allergic to them."));
            let mut body = body(path, json!([{ "role": "user", "content": QUESTION }]));
            body["stream"] = json!(stream);
            ask(&rig, path, &[], &body).await;
            let expected = words(&[(PEANUTS, &[Used]), (CELLO, &[Ignored])]);
            assert_eq!(told(&rig.house).await, expected, "{path} {stream}");
            let entry = said(&rig.house, &peanuts).await.remove(0);
            let turns = rig.sessions().await.into_values().next().expect("a session");
            let reply = turns.iter().find(|turn| turn.role == Role::Assistant).expect("the reply");
            assert_eq!((entry.turn.as_ref(), entry.by), (Some(&reply.id), JudgedBy::Overlap));
            assert_eq!(entry.session.as_ref(), Some(&reply.session));
            let counters =
                tenant_of(&rig.house).await.counters(&[peanuts.clone(), cello.clone()]).await.expect("read");
            let (used, passed_over) = (&counters[&peanuts], &counters[&cello]);
            assert_eq!((used.use_count, used.used, used.ignored), (1, 1, 0));
            assert!(used.last_used_at.is_some());
            assert_eq!((passed_over.use_count, passed_over.used, passed_over.ignored), (1, 0, 1));
            assert_eq!(passed_over.last_used_at, None, "to be shown is not to be used");
        }
    }
}

#[tokio::test]
async fn what_the_question_says_proves_nothing() {
    let (rig, ..) = rig().await;
    rig.llm.reply(ScriptedReply::text("Your sister? I would ask your sister, I remember little about her."));
    ask(&rig, "/v1/chat/completions", &[], &body("", json!([{ "role": "user", "content": QUESTION }]))).await;
    let expected = words(&[(PEANUTS, &[Judgement::Ignored]), (CELLO, &[Judgement::Ignored])]);
    assert_eq!(told(&rig.house).await, expected);
}

#[tokio::test]
async fn nothing_is_judged_where_memory_may_not_write() {
    let chat = "/v1/chat/completions";
    let asked = body(chat, json!([{ "role": "user", "content": QUESTION }]));
    let (rig, ..) = rig().await;
    rig.llm.fallback(ScriptedReply::text("Ana is allergic to peanuts."));
    for header in
        [("x-recollect-memory", "off"), ("x-recollect-memory", "read"), ("x-omniroute-no-memory", "1")]
    {
        ask(&rig, chat, &[header], &asked).await;
        assert_eq!(told(&rig.house).await, BTreeMap::new(), "{header:?}");
    }
    rig.set("feedbackMode", json!("off")).await;
    ask(&rig, chat, &[("x-recollect-session-id", "off")], &asked).await;
    assert_eq!(told(&rig.house).await, BTreeMap::new(), "switched off");
    rig.set("feedbackMode", json!("overlap")).await;
    rig.set("enabled", json!(false)).await;
    ask(&rig, chat, &[("x-recollect-session-id", "disabled")], &asked).await;
    assert_eq!(told(&rig.house).await, BTreeMap::new(), "memory is off");
    rig.set("enabled", json!(true)).await;
    ask(&rig, chat, &[("x-recollect-session-id", "on")], &asked).await;
    assert_eq!(told(&rig.house).await[PEANUTS], [Judgement::Used]);
}

#[tokio::test]
async fn our_own_answers_are_no_use() {
    let (rig, peanuts, _) = rig().await;
    let asked = json!({ "model": "recollect/recall", "messages": [{ "role": "user", "content": QUESTION }] });
    let answer = ask(&rig, "/v1/chat/completions", &[], &asked).await;
    assert!(answer.text().contains("peanuts"), "{}", answer.text());
    let counted = async || {
        let ids = [peanuts.clone()];
        tenant_of(&rig.house).await.counters(&ids).await.expect("read").get(&peanuts).cloned()
    };
    until("the use is counted", async || counted().await.is_some_and(|counts| counts.use_count == 1)).await;
    assert_eq!(told(&rig.house).await, BTreeMap::new());
}

/// While tools are called a reply has not come to its end: what it has not used yet, it may still use. And what the call used
/// was used, whatever the words say that come behind it.
#[tokio::test]
async fn a_reply_that_calls_a_tool_passes_nothing_over() {
    let (rig, ..) = rig().await;
    let chat = "/v1/chat/completions";
    rig.llm.replies([
        ScriptedReply::tool_call("look_up", json!({ "name": "Ana" })),
        ScriptedReply::text("The look-up found nothing that was new."),
    ]);
    let mut messages = vec![json!({ "role": "user", "content": QUESTION })];
    let headers = [("x-recollect-session-id", "tools")];
    let first = ask(&rig, chat, &headers, &body(chat, json!(messages))).await;
    assert_eq!(told(&rig.house).await, words(&[(PEANUTS, &[Judgement::Used])]), "its name is in the call");
    let call = first.json()["choices"][0]["message"].clone();
    let id = call["tool_calls"][0]["id"].clone();
    messages.push(call);
    messages.push(json!({ "role": "tool", "tool_call_id": id, "content": "found" }));
    ask(&rig, chat, &headers, &body(chat, json!(messages))).await;
    let expected = words(&[(PEANUTS, &[Judgement::Used]), (CELLO, &[Judgement::Ignored])]);
    assert_eq!(told(&rig.house).await, expected, "the block of before is what the reply is about");
}

/// What was recalled for an earlier message is not judged again by every later reply.
#[tokio::test]
async fn a_block_is_judged_with_its_own_reply() {
    let (rig, ..) = rig().await;
    let chat = "/v1/chat/completions";
    rig.llm.replies([
        ScriptedReply::text("Ana is allergic to peanuts."),
        ScriptedReply::text("You are welcome."),
    ]);
    let headers = [("x-recollect-session-id", "two")];
    let mut messages = vec![json!({ "role": "user", "content": QUESTION })];
    let first = ask(&rig, chat, &headers, &body(chat, json!(messages))).await;
    messages.push(first.json()["choices"][0]["message"].clone());
    messages.push(json!({ "role": "user", "content": "Thanks!" }));
    ask(&rig, chat, &headers, &body(chat, json!(messages))).await;
    assert_eq!(told(&rig.house).await[PEANUTS], [Judgement::Used]);
    assert_eq!(told(&rig.house).await[CELLO], [Judgement::Ignored]);
}

/// The chat in the terminal goes the same way.
#[test]
fn the_terminals_chat_is_told_from_too() {
    let (home, llm) = (Home::new(), Llm::start_blocking());
    let (peanuts, cello) = (home.add(PEANUTS), home.add(CELLO));
    llm.reply(ScriptedReply::text("Ana must not eat peanuts: she is allergic to them."));
    let mut command = home.command();
    command.args(["chat"]).env("OPENAI_BASE_URL", llm.base_url());
    for name in ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"] {
        command.env_remove(name);
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary starts");
    child.stdin.take().expect("piped").write_all(QUESTION.as_bytes()).expect("a line fits a pipe");
    let output = child.wait_with_output().expect("the binary ends");
    assert!(output.status.success(), "{output:?}");
    let counts = |id: &str| home.json(&["feedback", id])["counters"].clone();
    assert_eq!((&counts(&peanuts)["used"], &counts(&peanuts)["ignored"]), (&json!(1), &json!(0)));
    assert_eq!((&counts(&cello)["used"], &counts(&cello)["ignored"]), (&json!(0), &json!(1)));
}
