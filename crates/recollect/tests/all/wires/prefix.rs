//! The prompt's beginning stays the same from turn to turn, to the byte, so that a provider's cache keeps hitting.
//!
//! Thirty turns with tool calls, a regeneration, a branch and one forget, as in the first dialect. And marks for the prompt
//! cache that wander from message to message, as clients move them: what lies before them stays as it was.

use memory::types::MemoryId;
use recollect::ops::add::Add;
use recollect::ops::forget::Forget;
use serde_json::{Value, json};
use testkit::llm::ScriptedReply;

use super::{BOTH, Rig, TestedWire, WireTalk, rig};

const FACTS: [(&str, &str); 6] = [
    ("My boat is called Andorinha and lies in Cascais.", "What did I tell you about my boat?"),
    ("My brother Rui plays the cello.", "Which instrument does my brother play?"),
    ("My favourite tea is lapsang souchong.", "Do you remember my favourite tea?"),
    ("My dentist is in Rua do Ouro.", "Where did I say my dentist is?"),
    ("My bicycle is a red Peugeot from 1978.", "What do you know about my bicycle?"),
    ("My piano teacher was born in Tallinn.", "Where was my piano teacher born?"),
];

async fn remembering() -> (Rig, Vec<MemoryId>) {
    let rig = rig().await;
    let mut ids = Vec::new();
    for (fact, _) in FACTS {
        let add: Add = serde_json::from_value(json!({ "content": fact })).expect("an add");
        ids.push(rig.ask(add).await.id);
    }
    (rig, ids)
}

/// A conversation whose prompts are compared.
struct Watched<'r> {
    talk: WireTalk<'r>,
    /// What the upstream saw last, without its closing bracket.
    seen: String,
    breaks: usize,
}

impl Watched<'_> {
    async fn send(&mut self) -> Option<Value> {
        let (_, result) = self.talk.send(&[]).await;
        let list = self.talk.wire.list(&self.talk.rig.seen().body);
        self.breaks += usize::from(!list.starts_with(&self.seen));
        self.seen = list;
        result
    }

    /// Says something and, where a tool is called, brings what it gave.
    async fn says(&mut self, text: &str) {
        self.talk.messages.push(json!({ "role": "user", "content": text }));
        if let Some(result) = self.send().await {
            self.talk.messages.push(result);
            self.send().await;
        }
    }

    fn drop_reply(&mut self) {
        while self.talk.messages.last().is_some_and(|last| last["content"].is_array()) {
            self.talk.messages.pop();
        }
    }

    /// An earlier message is edited: everything before it stays as it was.
    async fn branch(&mut self) {
        let users = |messages: &[Value]| messages.iter().rposition(|message| message["content"].is_string());
        let at = users(&self.talk.messages).expect("somebody spoke");
        let at = users(&self.talk.messages[..at]).expect("twice");
        self.talk.messages.truncate(at + 1);
        self.talk.messages[at]["content"] = json!("Let me put that differently, please.");
        let before = self.seen.clone();
        self.send().await;
        let edited = self.seen.find("Let me put that").expect("it is there");
        let same = before.bytes().zip(self.seen.bytes()).take_while(|(a, b)| a == b).count();
        assert!(same + 60 >= edited, "the same up to the edit: {same} of {edited}");
    }

    fn blocks(&self) -> usize {
        self.seen.matches("<recollect-memory id=").count()
    }
}

async fn thirty_turns(wire: TestedWire, stream: bool) {
    let (rig, ids) = remembering().await;
    // An echo would repeat what was recalled, and the client would send it back.
    rig.llm.respond_with(|seen| ScriptedReply::text(format!("This is reply number {}.", seen.number)));
    let mut watched = Watched { talk: WireTalk::new(&rig, wire, stream), seen: String::new(), breaks: 0 };
    let mut forgotten = 0;
    for turn in 0..30 {
        if turn % 6 == 3 {
            rig.llm.reply(ScriptedReply::tool_call("look_up", json!({ "turn": turn })));
        }
        let counting = format!("Please count to {turn} in a funny voice.");
        let question = FACTS.get(turn / 4).filter(|_| turn % 4 == 0);
        watched.says(question.map_or(counting.as_str(), |(_, question)| question)).await;
        match turn {
            10 => {
                watched.drop_reply();
                watched.send().await;
            }
            20 => {
                assert_eq!(watched.breaks, 0, "until the forget");
                let told = FACTS.iter().position(|(fact, _)| watched.seen.contains(fact));
                forgotten = told.expect("something was recalled");
                let forget = json!({ "ids": [ids[forgotten]], "confirmed": true });
                rig.ask(serde_json::from_value::<Forget>(forget).expect("a forget")).await;
            }
            21 => assert_eq!(watched.breaks, 1, "the forget, once"),
            25 => watched.branch().await,
            _ => {}
        }
    }
    assert_eq!(watched.breaks, 2, "the forget and the branch");
    assert!(watched.blocks() >= 2, "{} blocks", watched.blocks());
    assert!(!watched.seen.contains(FACTS[forgotten].0), "what is forgotten is gone");
    assert_eq!(rig.sessions().await.len(), 1);
}

#[tokio::test]
async fn each_prompt_begins_with_the_one_before() {
    for wire in BOTH {
        thirty_turns(wire, false).await;
    }
}

#[tokio::test]
async fn each_streamed_prompt_begins_with_the_one_before() {
    for wire in BOTH {
        thirty_turns(wire, true).await;
    }
}

const MARK: &str = r#""cache_control":{"type":"ephemeral"},"#;

/// The conversation as a client sends it that has its last message cached, and the one before for the next time.
fn marked(messages: &[Value]) -> Value {
    let mut messages = messages.to_vec();
    for message in messages.iter_mut().filter(|message| message["role"] == "user") {
        if let Some(text) = message["content"].as_str() {
            message["content"] = json!([{ "type": "text", "text": text }]);
        }
    }
    let users = messages.iter_mut().rev().filter(|message| message["role"] == "user").take(2);
    for message in users {
        let last = message["content"].as_array_mut().and_then(|parts| parts.last_mut()).expect("a part");
        last["cache_control"] = json!({ "type": "ephemeral" });
    }
    json!({ "model": "m", "max_tokens": 9, "messages": messages })
}

#[tokio::test]
async fn what_a_client_has_cached_is_a_prefix_of_the_next_prompt() {
    let (rig, _) = remembering().await;
    let (mut messages, mut cached, mut blocks) = (Vec::new(), String::new(), 0);
    for turn in 0..12 {
        if turn % 5 == 3 {
            rig.llm.reply(ScriptedReply::tool_call("look_up", json!({ "turn": turn })));
        }
        let counting = format!("Please count to {turn} in a funny voice.");
        let question = FACTS.get(turn / 2).filter(|_| turn % 2 == 0);
        let text = question.map_or(counting.as_str(), |(_, question)| question);
        messages.push(json!({ "role": "user", "content": text }));
        loop {
            let answer = super::post(&rig, TestedWire::Messages, &[], marked(&messages)).await;
            assert_eq!(answer.status, 200, "{}", answer.text());
            messages.extend(TestedWire::Messages.kept(&answer.json()));
            let list = TestedWire::Messages.list(&rig.seen().body);
            // Marks are no part of what is cached; what stands before the last one is.
            let plain = list.replace(MARK, "");
            assert!(plain.starts_with(&cached), "turn {turn}:\n{cached}\n{plain}");
            let until = list.rfind(MARK).expect("a mark");
            cached = list[..until].replace(MARK, "");
            blocks = plain.matches("<recollect-memory id=").count();
            let Some(result) = TestedWire::Messages.result(&answer.json()) else { break };
            messages.push(result);
        }
    }
    assert!(blocks >= 3, "{blocks} blocks");
}
