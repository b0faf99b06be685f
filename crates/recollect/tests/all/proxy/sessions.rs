//! Whose words are whose: two hundred conversations at once, none of them named.
//!
//! All begin with the same words and get the same first reply; messages are edited and replies regenerated on the
//! way. Afterwards every conversation is one session with its turns, each once and in order.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use memory::types::Role;
use serde_json::{Value, json};
use testkit::llm::ScriptedReply;

use super::{Rig, user};

const CONVERSATIONS: usize = 200;

/// What was said in one conversation, in the order in which it was said.
type Truth = Vec<(Role, String)>;

struct SessionClient {
    rig: Arc<Rig>,
    messages: Vec<Value>,
    truth: Truth,
}

impl SessionClient {
    async fn send(&mut self) {
        let mut body = json!({ "model": "m", "messages": self.messages });
        body["stream"] = json!(self.truth.len().is_multiple_of(3));
        let answer = self.rig.chat(&body).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        let reply = said(&answer.text());
        self.truth.push((Role::Assistant, reply.clone()));
        self.messages.push(json!({ "role": "assistant", "content": reply }));
    }

    async fn says(&mut self, text: &str) {
        self.messages.push(json!({ "role": "user", "content": text }));
        self.truth.push((Role::User, text.to_owned()));
        self.send().await;
    }

    async fn regenerates(&mut self) {
        self.messages.pop();
        self.send().await;
    }

    async fn edits(&mut self, text: &str) {
        self.messages.pop();
        self.messages.pop();
        self.says(text).await;
    }
}

/// The text of an answer, whole or streamed.
fn said(answer: &str) -> String {
    if let Ok(whole) = serde_json::from_str::<Value>(answer) {
        return whole["choices"][0]["message"]["content"].as_str().expect("text").to_owned();
    }
    let events =
        answer.lines().filter_map(|line| serde_json::from_str::<Value>(line.strip_prefix("data: ")?).ok());
    events.filter_map(|event| event["choices"][0]["delta"]["content"].as_str().map(str::to_owned)).collect()
}

async fn converse(rig: Arc<Rig>, number: usize) -> Truth {
    let mut client = SessionClient { rig, messages: Vec::new(), truth: Vec::new() };
    client.says("Hello!").await;
    client.says(&format!("It is about case {number}.")).await;
    if number.is_multiple_of(4) {
        client.regenerates().await;
    }
    client.says("Go on.").await;
    if number.is_multiple_of(5) {
        client.edits("Go on, but slower.").await;
    }
    if number.is_multiple_of(7) {
        client.regenerates().await;
        client.regenerates().await;
    }
    client.says("Thanks.").await;
    client.truth
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_hundred_conversations_stay_apart() {
    let rig = Arc::new(Rig::new().await);
    // Everybody gets the same first reply, so that all conversations are alike until their second message.
    rig.llm.respond_with(|seen| match seen.messages().len() {
        1 => ScriptedReply::text("Hello, what can I do for you?"),
        _ => ScriptedReply::text(format!("Reply number {} to what you said.", seen.number)),
    });
    let conversations = (0..CONVERSATIONS).map(|number| tokio::spawn(converse(Arc::clone(&rig), number)));
    let conversations: Vec<_> = conversations.collect();
    let mut truth = Vec::new();
    for conversation in conversations {
        truth.push(conversation.await.expect("talked"));
    }
    let expected: usize = truth.iter().map(Vec::len).sum();
    // The last replies may still be on their way.
    let deadline = Instant::now() + Duration::from_secs(10);
    let mut sessions = rig.sessions().await;
    while sessions.values().map(Vec::len).sum::<usize>() < expected && Instant::now() < deadline {
        sessions = rig.sessions().await;
    }
    let mut stored: Vec<Truth> = sessions
        .into_values()
        .map(|turns| turns.into_iter().map(|turn| (turn.role, turn.text)).collect())
        .collect();
    // Which of two equal beginnings goes on is nobody's to say, so conversations are compared by all they hold.
    stored.sort();
    truth.sort();
    let count = |all: &[Truth]| {
        let mut counts = BTreeMap::new();
        all.iter().for_each(|one| *counts.entry(one.len()).or_insert(0) += 1);
        counts
    };
    assert_eq!(count(&stored), count(&truth));
    for (stored, truth) in stored.iter().zip(&truth) {
        assert_eq!(stored, truth);
    }
}

#[tokio::test]
async fn side_calls_of_clients_are_not_learned_from() {
    let rig = Rig::new().await;
    let mut messages = Vec::new();
    rig.says(&[], &mut messages, "My parrot is called Kiwi.").await;
    let title = "### Task:\nGenerate a concise, 3-5 word title with an emoji summarizing the chat history.\n### Output:\n\
                 JSON format: { \"title\": \"your concise title here\" }\n### Chat History:\n<chat_history>\nUSER: My parrot is \
                 called Kiwi.\nASSISTANT: How lovely!\n</chat_history>";
    for text in [title, &title.replace("Generate a concise, 3-5 word title", "Generate 1-3 broad tags")] {
        let answer = rig.chat(&user(text)).await;
        assert_eq!((answer.status, answer.header("x-recollect-section")), (200, "none"));
        assert_eq!(rig.seen().text(), user(text).to_string());
    }
    assert_eq!(rig.only_session().await.len(), 2);
}

#[tokio::test]
async fn a_named_session_is_one_session_whatever_is_sent() {
    let rig = Rig::new().await;
    for text in ["One.", "Two.", "Two."] {
        rig.chat_with(&[("x-omniroute-session-id", "given")], &user(text)).await;
    }
    let sessions = rig.sessions().await;
    assert_eq!(sessions.keys().collect::<Vec<_>>(), ["given"]);
    let texts: Vec<&str> = sessions["given"].iter().map(|turn| turn.text.as_str()).collect();
    assert_eq!(
        texts,
        ["One.", "You said: One.", "Two.", "You said: Two."],
        "resent messages are stored once"
    );
}

#[tokio::test]
async fn secrets_are_masked_before_anything_is_stored() {
    let rig = Rig::new().await;
    let mut messages = Vec::new();
    rig.says(&[], &mut messages, "My API key is sk-abcdefghijklmnopqrstuvwxyz0123456789ABCDEF.").await;
    assert!(rig.seen().text().contains("sk-abcdefghijklmnop"), "the upstream sees what was said");
    rig.says(&[], &mut messages, "Forget that.").await;
    let said = rig.only_session().await;
    assert_eq!(said.len(), 4, "{said:?}");
    assert!(said.iter().all(|(_, text)| !text.contains("sk-abcdefghijklmnop")), "{said:?}");
}
