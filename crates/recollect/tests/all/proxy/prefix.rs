//! The prompt's beginning stays the same from turn to turn, to the byte, so that a provider's cache keeps hitting.
//!
//! Fifty turns with tool calls, a regeneration, a branch and one forget. What the upstream saw last must begin what it sees
//! next, except once where something is forgotten, and at the branch, where everything before the edited message stays.

use chat::Envelope;
use memory::ports::ReadStore;
use recollect::ops::add::Add;
use recollect::ops::forget::Forget;
use serde_json::{Value, json};
use testkit::llm::ScriptedReply;

use super::Rig;

const FACTS: [(&str, &str); 6] = [
    ("My boat is called Andorinha and lies in Cascais.", "What did I tell you about my boat?"),
    ("My brother Rui plays the cello.", "Which instrument does my brother play?"),
    ("My favourite tea is lapsang souchong.", "Do you remember my favourite tea?"),
    ("My dentist is in Rua do Ouro.", "Where did I say my dentist is?"),
    ("My bicycle is a red Peugeot from 1978.", "What do you know about my bicycle?"),
    ("My piano teacher was born in Tallinn.", "Where was my piano teacher born?"),
];

struct PrefixTalk<'r> {
    rig: &'r Rig,
    messages: Vec<Value>,
    /// The list of messages that the upstream saw last, without its closing bracket.
    seen: String,
    breaks: usize,
}

impl PrefixTalk<'_> {
    /// Sends the conversation as it is and takes the reply into it.
    async fn send(&mut self) {
        let body = json!({ "model": "m", "messages": self.messages });
        let answer = self.rig.chat(&body).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        self.messages.push(answer.json()["choices"][0]["message"].clone());
        let list = self.list();
        self.breaks += usize::from(!list.starts_with(&self.seen));
        self.seen = list;
    }

    fn list(&self) -> String {
        let seen = self.rig.seen();
        let span = Envelope::read(&seen.body).expect("readable").messages.expect("messages");
        String::from_utf8(seen.body[span.start..span.end - 1].to_vec()).expect("text")
    }

    async fn says(&mut self, text: String) {
        self.messages.push(json!({ "role": "user", "content": text }));
        self.send().await;
    }

    fn blocks(&self) -> usize {
        self.seen.matches("<recollect-memory id=").count()
    }
}

async fn remembering() -> (Rig, Vec<memory::types::MemoryId>) {
    let rig = Rig::new().await;
    let mut ids = Vec::new();
    for (fact, _) in FACTS {
        let add: Add = serde_json::from_value(json!({ "content": fact })).expect("an add");
        ids.push(rig.ask(add).await.id);
    }
    (rig, ids)
}

#[tokio::test]
async fn each_prompt_begins_with_the_one_before() {
    let (rig, ids) = remembering().await;
    let system = vec![json!({ "role": "system", "content": "You are a friend.\nBe kind." })];
    let mut talk = PrefixTalk { rig: &rig, messages: system, seen: String::new(), breaks: 0 };
    let mut forgotten = 0;
    for turn in 0..50 {
        if turn % 6 == 3 {
            rig.llm.reply(ScriptedReply::tool_call("look_up", json!({ "turn": turn })));
        }
        let text = match FACTS.get(turn / 4).filter(|_| turn % 4 == 0) {
            Some((_, question)) => (*question).to_owned(),
            None => format!("Please count to {turn} in a funny voice."),
        };
        talk.says(text).await;
        if let Some(call) = talk.messages.last().and_then(|last| last["tool_calls"].get(0)).cloned() {
            talk.messages.push(json!({ "role": "tool", "tool_call_id": call["id"], "content": "found" }));
            talk.send().await;
        }
        match turn {
            20 => {
                // Regenerated: the reply is dropped and the same asked again.
                talk.messages.pop();
                talk.send().await;
            }
            30 => {
                assert_eq!(talk.breaks, 0, "until the forget");
                let told = FACTS.iter().position(|(fact, _)| talk.seen.contains(fact));
                forgotten = told.expect("something was recalled");
                let forget = json!({ "ids": [ids[forgotten]], "confirmed": true });
                rig.ask(serde_json::from_value::<Forget>(forget).expect("a forget")).await;
            }
            31 => assert_eq!(talk.breaks, 1, "the forget, once"),
            40 => branch(&mut talk).await,
            _ => {}
        }
    }
    assert_eq!(talk.breaks, 2, "the forget and the branch");
    assert!(talk.blocks() >= 2, "{} blocks", talk.blocks());
    assert!(!talk.seen.contains(FACTS[forgotten].0), "what is forgotten is gone");
}

/// An earlier message is edited: everything before it stays as it was.
async fn branch(talk: &mut PrefixTalk<'_>) {
    let at = talk.messages.iter().rposition(|message| message["role"] == "user").expect("somebody spoke");
    let at = talk.messages[..at].iter().rposition(|message| message["role"] == "user").expect("twice");
    talk.messages.truncate(at + 1);
    talk.messages[at]["content"] = json!("Let me put that differently, please.");
    let before = talk.seen.clone();
    talk.send().await;
    let edited = talk.seen.find("Let me put that").expect("it is there");
    let same = before.bytes().zip(talk.seen.bytes()).take_while(|(a, b)| a == b).count();
    assert!(same + 40 >= edited, "the same up to the edit: {same} of {edited}");
}

#[tokio::test]
async fn blocks_are_kept_across_a_restart() {
    let (rig, _) = remembering().await;
    let mut talk = PrefixTalk { rig: &rig, messages: Vec::new(), seen: String::new(), breaks: 0 };
    talk.says(FACTS[0].1.to_owned()).await;
    assert_eq!(talk.blocks(), 1);
    // Another server on the same store knows nothing but what is stored.
    let (url, serving) = super::serve(&rig.house, super::PATIENT).await;
    talk.messages.push(json!({ "role": "user", "content": "And what else?" }));
    let body = json!({ "model": "m", "messages": talk.messages });
    let request = rig.client.post(format!("{url}/v1/chat/completions")).body(body.to_string());
    assert_eq!(super::answer(request).await.status, 200);
    assert!(talk.list().starts_with(&talk.seen), "{}", talk.list());
    serving.abort();
}

#[tokio::test]
async fn what_is_asked_again_gets_the_same_block() {
    let (rig, _) = remembering().await;
    let headers = [("x-recollect-session-id", "s")];
    let body = super::user(FACTS[0].1);
    rig.chat_with(&headers, &body).await;
    let first = rig.seen().text().into_owned();
    assert!(first.contains("Andorinha"), "{first}");
    rig.chat_with(&headers, &body).await;
    assert_eq!(rig.seen().text(), first);
    let use_counts = async || {
        let tenant = rig.tenant().await;
        let filter = memory::types::Filter::ever();
        let page = memory::types::PageRequest::first(100);
        let all = tenant.list_memories(&filter, page).await.expect("listed").items;
        let ids: Vec<_> = all.into_iter().map(|memory| memory.id).collect();
        tenant.counters(&ids).await.expect("counted").values().map(|counters| counters.use_count).sum::<u64>()
    };
    super::until("the use is counted", async || use_counts().await >= 1).await;
}
