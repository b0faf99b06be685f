//! A client, a proxy in front of a provider, and a store in memory: the whole path of a request without HTTP or SQL.

use std::collections::BTreeMap;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Poll, Waker};

use async_trait::async_trait;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{context, memory_id, now};
use crate::continuity::{self, Continuation, ContinuityRequest, Recent, TurnLookup, incoming};
use crate::{ChatBody, Injection, InjectionDecisions, Recognised, Target};
use memory::error::StoreResult;
use memory::ports::{Clock, KnownTurn};
use memory::recall::context::Context;
use memory::settings::Settings;
use memory::text::secrets::Masker;
use memory::types::{Block, Owner, Role, SessionId, SessionKey, TenantId, Time, Turn, TurnId, content_hash};

/// Turns in the order in which they were appended, and blocks.
#[derive(Default)]
pub struct StoredTurns {
    pub turns: Vec<(SessionKey, String, Role, String)>,
    pub blocks: BTreeMap<String, Block>,
}

impl StoredTurns {
    fn append(&mut self, session: &SessionKey, id: String, role: Role, text: &str) {
        if !self.turns.iter().any(|(other, known, _, _)| other == session && *known == id) {
            self.turns.push((session.clone(), id, role, text.to_owned()));
        }
    }

    fn known(&self, wanted: impl Fn(&str, Role, &str) -> bool) -> Vec<KnownTurn> {
        let mut known = Vec::new();
        for (row, (session, id, role, text)) in self.turns.iter().enumerate() {
            if wanted(id, *role, text) {
                let of_it = |turns: &[(SessionKey, String, Role, String)]| {
                    turns.iter().filter(|(other, ..)| other == session).count()
                };
                known.push(KnownTurn {
                    external_id: id.clone(),
                    text_hash: Some(content_hash(text)),
                    session: session.clone(),
                    index: of_it(&self.turns[..row]) as u64,
                    role: *role,
                    at: now(),
                    is_last: of_it(&self.turns[row + 1..]) == 0,
                    brought: false,
                });
            }
        }
        known.reverse();
        known
    }

    /// Everything that rests on the memory loses its text.
    pub fn forget(&mut self, memory: u64) {
        for block in self.blocks.values_mut().filter(|block| block.memories.contains(&memory_id(memory))) {
            *block = Block {
                text: String::new(),
                tokens: 0,
                memories: Vec::new(),
                standing: Vec::new(),
                standing_tokens: 0,
                dropped: true,
                ..block.clone()
            };
        }
    }
}

#[async_trait]
impl TurnLookup for StoredTurns {
    async fn places_of(&self, external_ids: &[String]) -> StoreResult<Vec<KnownTurn>> {
        Ok(self.known(|id, _, _| external_ids.iter().any(|wanted| wanted == id)))
    }

    async fn replies_like(&self, text_hashes: &[String], limit: usize) -> StoreResult<Vec<KnownTurn>> {
        let mut known =
            self.known(|_, role, text| role == Role::Assistant && text_hashes.contains(&content_hash(text)));
        known.truncate(limit);
        Ok(known)
    }

    async fn has_session(&self, key: &SessionKey) -> StoreResult<bool> {
        Ok(self.turns.iter().any(|(session, ..)| session == key))
    }

    async fn turns_after(&self, key: &SessionKey, index: u64) -> StoreResult<Vec<Turn>> {
        let of_it = self.turns.iter().filter(|(session, ..)| session == key).enumerate();
        let behind = of_it.filter(|(place, _)| *place as u64 > index);
        let turn = |(place, (session, id, role, text)): (usize, &(SessionKey, String, Role, String))| Turn {
            id: TurnId::from_uuid(Uuid::from_u64_pair(2, place as u64)),
            external_id: Some(id.clone()),
            session: session.clone(),
            index: place as u64,
            role: *role,
            speaker: None,
            text: text.clone(),
            tokens: 0,
            at: now(),
            partial: false,
        };
        Ok(behind.map(turn).collect())
    }
}

/// Runs what never waits.
pub fn finish<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    match future.as_mut().poll(&mut std::task::Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("a list in memory never waits"),
    }
}

/// Counts instead of drawing lots.
#[derive(Default)]
pub struct CountedIds(AtomicU64);

impl Clock for CountedIds {
    fn now(&self) -> Time {
        now()
    }

    fn uuid(&self) -> Uuid {
        Uuid::from_u64_pair(0, self.0.fetch_add(1, Ordering::Relaxed))
    }
}

/// What stands between the client and the provider.
#[derive(Default)]
pub struct ReplayProxy {
    pub stored: StoredTurns,
    pub recent: Recent,
    pub decisions: InjectionDecisions,
    pub ids: CountedIds,
    pub masker: Masker,
    pub settings: Settings,
    /// How often a context was looked for.
    pub looked: usize,
}

impl ReplayProxy {
    /// Which conversation a request belongs to.
    pub fn find(&self, body: &Value, session: Option<&SessionId>) -> Continuation {
        let chat = ChatBody::read(body.to_string().as_bytes()).expect("a request");
        let asking = ContinuityRequest {
            tenant: &TenantId::local(),
            owner: &Owner::unnamed(),
            session,
            messages: &chat.messages,
            masker: &self.masker,
            recent: &self.recent,
        };
        finish(continuity::find(&self.stored, asking, &self.ids)).expect("it never fails")
    }

    /// One request: what goes upstream, with the reply remembered.
    pub fn ask(&mut self, body: &Value, reply: &Value) -> Injection {
        let bytes = serde_json::to_vec(body).expect("JSON");
        let chat = Arc::new(ChatBody::read(&bytes).expect("a request"));
        let continuation = self.find(body, None);
        let recognised = Recognised {
            tenant: TenantId::local(),
            chat: Arc::clone(&chat),
            continuation: continuation.clone(),
            work_only: false,
        };
        let keys = recognised.block_keys();
        let blocks = keys.iter().filter_map(|key| self.stored.blocks.get(key).cloned()).collect();
        let replayed = recognised.replayed(blocks, Vec::new(), &self.decisions);
        let decides = replayed.decides(&self.decisions);
        let context = decides.then(|| recalled(&chat.messages[chat.last_user().expect("it is open")].text()));
        self.looked += usize::from(decides);
        let (model, settings) = (chat.envelope.model_name(), &self.settings);
        let target = Target {
            body: &bytes,
            provider: None,
            model,
            renamed: None,
            settings,
            placement: None,
            refused: &[],
        };
        let injection = replayed.inject(&target, context.as_ref(), now());
        if let Some(block) = injection.block.clone() {
            self.stored.blocks.insert(block.hash.clone(), block);
        }
        self.capture(&chat, &continuation, reply);
        injection
    }

    /// Stores what is new in a request, and its reply.
    pub fn capture(&mut self, chat: &ChatBody, continuation: &Continuation, reply: &Value) {
        for message in incoming::incoming(&chat.messages, continuation) {
            let id = message.id.clone().expect("each has its identity");
            self.stored.append(&continuation.key, id, message.role, &message.text);
        }
        let calls = reply.get("tool_calls");
        let identity = incoming::reply_identity(continuation.end, &reply["content"], calls, &self.masker);
        let said = incoming::reply(identity, &reply["content"], calls, false);
        self.recent.forwarded(&TenantId::local(), &continuation.key, identity);
        self.stored.append(&continuation.key, identity.to_string(), Role::Assistant, &said.text);
    }
}

/// What is recalled for a message: a rule always, and a memory for every third.
fn recalled(message: &str) -> Context {
    let number: u64 = message.chars().filter(char::is_ascii_digit).collect::<String>().parse().unwrap_or(0);
    let fact = format!("- fact {number}");
    if number.is_multiple_of(3) {
        context(&[("Rules", &[("- be brief", Some(1_000))]), ("Memories", &[(&fact, Some(number))])])
    } else {
        context(&[("Rules", &[("- be brief", Some(1_000))])])
    }
}

/// What a chat client keeps and sends.
#[derive(Default)]
pub struct ReplayClient {
    pub messages: Vec<Value>,
}

impl ReplayClient {
    pub fn body(&self) -> Value {
        json!({ "model": "m", "messages": self.messages, "temperature": 0.5 })
    }

    pub fn says(&mut self, text: impl Into<String>) {
        self.messages.push(json!({ "role": "user", "content": text.into() }));
    }

    /// Sends the conversation and keeps the reply.
    pub fn sends(&mut self, proxy: &mut ReplayProxy, reply: Value) -> Injection {
        let injection = proxy.ask(&self.body(), &reply);
        self.messages.push(reply);
        injection
    }
}

pub fn answer(text: impl Into<String>) -> Value {
    json!({ "role": "assistant", "content": text.into() })
}

pub fn call(id: usize) -> Value {
    let call = json!({ "id": format!("c{id}"), "type": "function", "function": { "name": "look", "arguments": "{\"n\": 1}" } });
    json!({ "role": "assistant", "content": null, "tool_calls": [call] })
}

pub fn result(id: usize) -> Value {
    json!({ "role": "tool", "tool_call_id": format!("c{id}"), "content": "sunny" })
}
