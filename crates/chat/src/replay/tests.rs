//! One request after the other, and what of it a provider sees.

pub(crate) mod client;
mod prefix;

use serde_json::{Value, json};

use super::*;
use crate::chain::Chain;
use memory::recall::gate::GateDecision;
use memory::types::{MemoryId, Owner, SessionKey};

pub fn now() -> Time {
    "2026-05-01T12:00:00Z".parse().expect("a time")
}

fn key(name: &str) -> SessionKey {
    SessionKey::new(&Owner::unnamed(), name.parse().expect("a session"))
}

pub fn memory_id(number: u64) -> MemoryId {
    MemoryId::from_uuid(uuid::Uuid::from_u64_pair(1, number))
}

/// A line and the memory behind it.
type ToldLine<'a> = (&'a str, Option<u64>);

/// A context with these sections, each a heading and its lines.
pub fn context(sections: &[(&str, &[ToldLine<'_>])]) -> Context {
    let line = |(text, memory): &ToldLine<'_>| Line {
        text: (*text).to_owned(),
        memory_ids: memory.iter().map(|number| memory_id(*number)).collect(),
        ..Line::default()
    };
    let parts = sections.iter().map(|(heading, lines)| {
        let lines: Vec<&str> = lines.iter().map(|(text, _)| *text).collect();
        format!("## {heading}\n{}", lines.join("\n"))
    });
    let block = parts.collect::<Vec<_>>().join("\n\n");
    let gate = GateDecision { fire: true, section: Section::Pinned, reason: String::new(), score: 1.0 };
    let lines = sections.iter().flat_map(|(_, lines)| lines.iter().map(line)).collect();
    Context { gate, tokens: tokens::estimate(&block), block, lines, path: None }
}

/// A request and what is needed to ask about it.
struct GivenChat {
    tenant: TenantId,
    body: Vec<u8>,
    chat: ChatBody,
    continuation: Continuation,
    settings: Settings,
}

impl GivenChat {
    fn new(body: Value) -> Self {
        let body = serde_json::to_vec(&body).expect("JSON");
        let chat = ChatBody::read(&body).expect("a request");
        let start = Chain::start(&Owner::unnamed().agent, &Owner::unnamed().user);
        let messages: Vec<_> = chat.messages.iter().map(|message| message.as_message()).collect();
        let hashes = crate::chain::hashes(start, &messages, &Default::default());
        let continuation = Continuation {
            key: key("s1"),
            hashes,
            end: start,
            known_before: 0,
            is_new: true,
            user_message_known: false,
            in_view_from: None,
        };
        Self { tenant: TenantId::local(), body, chat, continuation, settings: Settings::default() }
    }

    fn recognised(&self) -> Recognised {
        Recognised {
            tenant: self.tenant.clone(),
            chat: Arc::new(self.chat.clone()),
            continuation: self.continuation.clone(),
            work_only: false,
        }
    }

    /// With these blocks in the store.
    fn replayed(&self, stored: Vec<Block>) -> Replayed {
        self.recognised().replayed(stored, Vec::new(), &InjectionDecisions::default())
    }

    fn inject(&self, replayed: &Replayed, context: Option<&Context>) -> Injection {
        let model = self.chat.envelope.model_name();
        let target = Target {
            body: &self.body,
            provider: None,
            model,
            renamed: None,
            settings: &self.settings,
            placement: None,
            refused: &[],
        };
        replayed.inject(&target, context, now())
    }
}

fn two_turns() -> Value {
    json!({ "messages": [
        { "role": "user", "content": "one" },
        { "role": "assistant", "content": "1" },
        { "role": "user", "content": "two" },
    ] })
}

fn contents(body: &[u8]) -> Vec<String> {
    let body: Value = serde_json::from_slice(body).expect("JSON");
    let content = |message: &Value| message["content"].as_str().unwrap_or_default().to_owned();
    body["messages"].as_array().expect("a list").iter().map(content).collect()
}

#[test]
fn without_memory_the_bytes_are_the_clients() {
    let given = GivenChat::new(two_turns());
    let injection = given.inject(&given.replayed(Vec::new()), None);
    assert_eq!(injection.body, given.body);
    assert_eq!((injection.block, injection.tokens, injection.section), (None, 0, None));
    let empty = context(&[]);
    assert_eq!(given.inject(&given.replayed(Vec::new()), Some(&empty)).body, given.body);
}

#[test]
fn a_block_is_fenced_and_says_what_it_rests_on() {
    let given = GivenChat::new(two_turns());
    let context = context(&[
        ("Rules", &[("- be brief", Some(1))]),
        ("Memories", &[("- likes tea", Some(2)), ("- has a cat", None)]),
    ]);
    let injection = given.inject(&given.replayed(Vec::new()), Some(&context));
    let block = injection.block.expect("a block");
    let id = &given.continuation.hashes[2].to_string()[..FENCE_ID_DIGITS];
    assert_eq!(block.text, marks::fence(&context.block, id));
    assert_eq!(block.memories, [memory_id(1), memory_id(2)]);
    assert_eq!((injection.memories, injection.new_tokens), (2, block.tokens));
    assert_eq!(injection.section, Some(Section::Pinned));
    assert_eq!(contents(&injection.body), ["one", "1", block.text.as_str(), "two"]);
}

#[test]
fn old_blocks_stand_where_they_were_and_are_not_repeated() {
    let given = GivenChat::new(two_turns());
    let old = Block {
        hash: given.recognised().block_keys()[0].clone(),
        session: key("s1"),
        text: marks::fence("## Memories\n- likes tea\n- always here", "x"),
        tokens: 10,
        memories: vec![memory_id(1)],
        turns: Vec::new(),
        episodes: Vec::new(),
        at: now(),
        standing: Vec::new(),
        standing_tokens: 0,
        dropped: false,
    };
    let replay = given.replayed(vec![old.clone()]);
    assert_eq!(contents(&given.inject(&replay, None).body), [old.text.as_str(), "one", "1", "two"]);
    let fresh = context(&[
        ("Always", &[("- always here", None)]),
        ("Memories", &[("- likes tea", Some(1)), ("- likes rye", Some(1)), ("- has a cat", Some(2))]),
    ]);
    let block = given.inject(&replay, Some(&fresh)).block.expect("a block");
    let (stripped, id) = (block.text.clone(), &given.continuation.hashes[2].to_string()[..FENCE_ID_DIGITS]);
    // The changed words of a memory are news; what stands there already is none.
    assert_eq!(stripped, marks::fence("## Memories\n- likes rye\n- has a cat", id));
    let known = context(&[("Always", &[("- always here", None)]), ("Memories", &[("- likes tea", Some(1))])]);
    let injection = given.inject(&replay, Some(&known));
    assert_eq!((injection.block, injection.prefix_hits, injection.tokens), (None, 1, 10));
}

#[test]
fn near_the_end_of_a_budget_blocks_get_shorter_and_are_never_absent() {
    let mut given = GivenChat::new(two_turns());
    let words = "a line of some length that is told for the message and costs what it costs, ";
    let lines: Vec<String> = (1..=9).map(|number| format!("- {number} {}", words.repeat(2))).collect();
    let listed: Vec<(&str, Option<u64>)> =
        lines.iter().zip(1..).map(|(line, number)| (line.as_str(), Some(number))).collect();
    let mut fresh = context(&[("About the user", &[("- lives in Irvine", Some(20))]), ("Memories", &listed)]);
    fresh.lines[0].standing = true;
    let whole = given.inject(&given.replayed(Vec::new()), Some(&fresh));
    let block = whole.block.expect("a block");
    assert_eq!((whole.left_out, block.standing.len()), (0, 1));
    assert!(block.standing_tokens > 0 && block.standing_tokens < block.tokens, "{block:?}");
    let old = Block {
        hash: given.recognised().block_keys()[0].clone(),
        text: "old".to_owned(),
        tokens: 1_000,
        standing_tokens: 100,
        memories: Vec::new(),
        ..block
    };
    let replay = given.replayed(vec![old]);
    let mut told = Vec::new();
    for budget in [0, 500, 1_060, 4_000] {
        given.settings.session_budget_tokens = budget;
        let injection = given.inject(&replay, Some(&fresh));
        let block = injection.block.expect("who the user is comes whatever is left");
        assert!(block.text.contains("lives in Irvine"), "{budget}: {}", block.text);
        assert_eq!(block.memories.len() + injection.left_out, 10, "{budget}: what is left out is counted");
        told.push(block.memories.len() - 1);
    }
    assert_eq!((told[0], told[3]), (0, 9), "{told:?}");
    assert!(0 < told[1] && told[1] < told[2] && told[2] < 9, "{told:?}");
}

#[test]
fn of_a_full_context_what_matches_is_told_first() {
    let mut given = GivenChat::new(two_turns());
    let words =
        "a line of some length that costs what it costs, whoever asks for it and whenever, ".repeat(2);
    let base: Vec<String> = (1..=9).map(|number| format!("- {number} {words}")).collect();
    let base: Vec<ToldLine<'_>> = base.iter().map(|line| (line.as_str(), None)).collect();
    let mut full = context(&[
        ("Current Date", &[("2026-05-01 (Friday)", None)]),
        (full::MEMORIES, &base),
        (full::RELEVANT_EXCERPTS, &[("- the boat is called Andorinha", Some(1))]),
        (full::RELEVANT_MEMORIES, &[("- the boat lies in Cascais", Some(2))]),
    ]);
    full.lines[0].standing = true;
    given.settings.session_budget_tokens = 120;
    let injection = given.inject(&given.replayed(Vec::new()), Some(&full));
    let text = injection.block.expect("a block").text;
    assert!(text.contains("2026-05-01") && text.contains("Andorinha") && text.contains("Cascais"), "{text}");
    assert!(text.contains("- 1 ") && !text.contains("- 9 "), "{text}");
    assert!(injection.left_out > 0 && text.find("- 1 ") < text.find("Andorinha"), "in their order: {text}");
}

#[test]
fn what_is_forgotten_is_left_out_and_counted_once() {
    let given = GivenChat::new(two_turns());
    let gone = Block {
        hash: given.recognised().block_keys()[0].clone(),
        session: key("s1"),
        text: String::new(),
        tokens: 0,
        memories: Vec::new(),
        turns: Vec::new(),
        episodes: Vec::new(),
        at: now(),
        standing: Vec::new(),
        standing_tokens: 0,
        dropped: true,
    };
    let decisions = InjectionDecisions::default();
    let misses = || {
        let replay = given.recognised().replayed(vec![gone.clone()], Vec::new(), &decisions);
        assert_eq!(given.inject(&replay, None).body, given.body);
        replay.misses
    };
    assert_eq!((misses(), misses()), (1, 0));
}

#[test]
fn a_message_is_decided_on_once() {
    let mut given = GivenChat::new(two_turns());
    let (decisions, other) = (InjectionDecisions::default(), "other".parse().expect("a tenant"));
    assert!(given.replayed(Vec::new()).decides(&decisions));
    assert!(!given.replayed(Vec::new()).decides(&decisions));
    given.tenant = other;
    assert!(given.replayed(Vec::new()).decides(&decisions));
    given.continuation.user_message_known = true;
    assert!(!given.replayed(Vec::new()).decides(&InjectionDecisions::default()));
}

#[test]
fn another_name_of_the_model_is_the_only_other_change() {
    let given = GivenChat::new(
        serde_json::json!({ "model": "there/m", "messages": [{ "role": "user", "content": "one" }] }),
    );
    let renamed = wire::rename_model(given.chat.envelope.model.as_ref().expect("named"), "m");
    let settings = &given.settings;
    let target = Target {
        body: &given.body,
        provider: Some("there"),
        model: "m",
        renamed: Some(&renamed),
        settings,
        placement: None,
        refused: &[],
    };
    let injection = given.replayed(Vec::new()).inject(&target, None, now());
    let expected = String::from_utf8(given.body.clone()).expect("text").replace("there/m", "m");
    assert_eq!(String::from_utf8(injection.body).expect("text"), expected);
}

#[test]
fn the_same_words_in_another_session_have_another_block() {
    let (one, mut other) = (GivenChat::new(two_turns()), GivenChat::new(two_turns()));
    other.continuation.key = key("s2");
    assert_ne!(one.recognised().block_keys(), other.recognised().block_keys());
    assert_eq!(one.recognised().fence_id(2), other.recognised().fence_id(2));
}
