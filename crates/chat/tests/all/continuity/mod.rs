//! Two hundred conversations at once, from clients that name none of them: every turn ends in its conversation, once.
//!
//! Clients begin with the same few words and often get the same first reply; they edit, ask again, call tools, send side
//! calls, drop the beginning of long conversations, and send the next request before the last reply is stored. The
//! truth is kept beside them and compared with what the store has. Conversations that were alike to the word until they
//! parted cannot be told apart by anybody, so what is compared is which conversations there are, and not their names.

mod clients;

use std::collections::BTreeMap;
use std::sync::Arc;

use chat::continuity::{self, Continuation, ContinuityRequest, Recent, incoming};
use chat::{ChatBody, side_calls};
use memory::learn::capture::{self, IncomingMessage};
use memory::ports::{Clock, Store};
use memory::text::secrets::Masker;
use memory::types::{Filter, Owner, PageRequest, SessionKey, TenantId};
use serde_json::Value;
use testkit::ManualClock;
use tokio::task::JoinSet;

use clients::{Client, ClientRequest, Dice};
use testkit::subject::{Subject, sqlite_file, sqlite_memory};

const CONVERSATIONS: usize = 200;
const ROUNDS: usize = 80;
/// Conversations that send something in one round, at the same time.
const AT_ONCE: usize = 24;

/// What a proxy has besides the store.
struct ContinuityProxy {
    store: Arc<dyn Store>,
    clock: ManualClock,
    recent: Recent,
    masker: Masker,
}

impl ContinuityProxy {
    async fn find(&self, chat: &ChatBody) -> Continuation {
        let asking = ContinuityRequest {
            tenant: &TenantId::local(),
            owner: &Owner::unnamed(),
            session: None,
            messages: &chat.messages,
            masker: &self.masker,
            recent: &self.recent,
        };
        continuity::find(&*self.store, asking, &self.clock).await.expect("the store answers")
    }

    async fn append(&self, key: &SessionKey, messages: Vec<IncomingMessage>) {
        let now = self.clock.now();
        let captured = capture::prepare(key, messages, now, &self.clock, &self.masker);
        capture::append(&*self.store, captured.turns, true, false, now).await.expect("the store takes it");
    }
}

/// Sends a request. The client has the reply when this is over; what is stored behind its back is still on its way.
async fn send(proxy: Arc<ContinuityProxy>, request: ClientRequest, behind: &mut JoinSet<()>) {
    let body = request.body.to_string();
    let chat = ChatBody::read(body.as_bytes()).expect("a request");
    if side_calls::recognise(&chat).is_some() {
        assert!(request.is_side_call, "{body}");
        return;
    }
    assert!(!request.is_side_call, "{body}");
    let found = proxy.find(&chat).await;
    let (content, calls) = (&request.reply["content"], request.reply.get("tool_calls"));
    let identity = incoming::reply_identity(found.end, content, calls, &proxy.masker);
    let mut turns = incoming::incoming(&chat.messages, &found);
    proxy.recent.forwarded(&TenantId::local(), &found.key, identity);
    turns.push(incoming::reply(identity, content, calls, false));
    behind.spawn(async move {
        // The reply comes after the message that it answers, in two writes.
        let reply = turns.pop().expect("the reply is the last");
        proxy.append(&found.key, turns).await;
        proxy.append(&found.key, vec![reply]).await;
    });
}

/// What the store has of every session, as one text each.
async fn stored(subject: &Subject) -> BTreeMap<String, usize> {
    let mut conversations = BTreeMap::new();
    let mut offset = 0;
    loop {
        let page = PageRequest { offset, ..PageRequest::first(100) };
        let page = subject.store.list_sessions(&Filter::ever(), page).await.expect("readable");
        for session in &page.items {
            let turns = subject.store.session_turns(&session.key, 0, 10_000).await.expect("readable");
            let lines: Vec<String> =
                turns.iter().map(|turn| format!("{}: {}", turn.role, turn.text)).collect();
            *conversations.entry(lines.join("\n")).or_default() += 1;
        }
        offset += page.items.len();
        if page.items.is_empty() || offset as u64 >= page.total {
            return conversations;
        }
    }
}

async fn simulate(subject: Subject, seed: u64) {
    let mut dice = Dice::new(seed);
    let mut clients: Vec<Client> = (0..CONVERSATIONS).map(|number| Client::new(number, &mut dice)).collect();
    let proxy = Arc::new(ContinuityProxy {
        store: Arc::clone(&subject.store),
        clock: ManualClock::seeded(seed as u16),
        recent: Recent::default(),
        masker: Masker::default(),
    });
    let mut behind = JoinSet::new();
    for _ in 0..ROUNDS {
        proxy.clock.tick();
        // Neighbours, so that many send again in the next round.
        let first = dice.below(CONVERSATIONS / 2) + dice.below(CONVERSATIONS / 2);
        let senders = (first..first + AT_ONCE).map(|number| number % CONVERSATIONS);
        let requests: Vec<ClientRequest> = senders.map(|number| clients[number].next(&mut dice)).collect();
        let mut sending = JoinSet::new();
        for request in requests {
            let proxy = Arc::clone(&proxy);
            sending.spawn(async move {
                let mut behind = JoinSet::new();
                send(proxy, request, &mut behind).await;
                behind
            });
        }
        // Half of the time the next round begins while the last one is still being stored.
        while let Some(sent) = sending.join_next().await {
            let mut still = sent.expect("no request fails");
            if dice.below(2) == 0 {
                while still.join_next().await.is_some() {}
            } else {
                behind.spawn(async move { while still.join_next().await.is_some() {} });
            }
        }
    }
    while let Some(done) = behind.join_next().await {
        done.expect("everything is stored");
    }
    let mut expected: BTreeMap<String, usize> = BTreeMap::new();
    for truth in clients.iter().map(Client::truth).filter(|truth| !truth.is_empty()) {
        *expected.entry(truth).or_default() += 1;
    }
    let often = |habit: fn(&clients::Habits) -> usize| {
        clients.iter().map(|client| habit(&client.habits)).sum::<usize>()
    };
    let counts = [
        often(|habits| habits.repetitions),
        often(|habits| habits.edits),
        often(|habits| habits.side_calls),
        often(|habits| habits.calls),
        often(|habits| habits.dropped),
    ];
    assert!(counts.iter().all(|count| *count >= 20), "too tame to show anything: {counts:?}");
    let found = stored(&subject).await;
    let missing: Vec<&String> =
        expected.keys().filter(|truth| found.get(*truth) != expected.get(*truth)).collect();
    let extra: Vec<&String> = found.keys().filter(|kept| found.get(*kept) != expected.get(*kept)).collect();
    assert!(
        missing.is_empty() && extra.is_empty(),
        "seed {seed}: of {} conversations {} differ, as\n{:#?}\nwhich became\n{:#?}",
        expected.len(),
        missing.len(),
        missing.first(),
        extra.first()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn every_turn_ends_in_its_conversation_once() {
    for seed in 1..=4 {
        simulate(sqlite_memory().await, seed).await;
    }
    simulate(sqlite_file().await, 5).await;
}

/// The same value, for a client's list of messages.
fn user(text: &str) -> Value {
    serde_json::json!({ "role": "user", "content": text })
}
