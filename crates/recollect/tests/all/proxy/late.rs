//! Memory is far too slow: conversations are recognised long after their chats went on, or nothing can be written. What was
//! forwarded is stored all the same, in its order and in its conversation.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use memory::ports::Clock;
use memory::types::{Role, Time, Turn};
use recollect::backlog::Backlog;
use recollect::proxy::Patience;
use serde_json::{Value, json};
use testkit::llm::{Llm, ScriptedReply, SeenRequest};
use uuid::Uuid;

use super::{Rig, counted, user};
use crate::support::Home;

/// Every request goes on before anything of memory can be done.
const NONE: Patience = Patience { read: Duration::ZERO, replay: Duration::ZERO };

/// A clock that takes its time to make an id: each new conversation needs one to be recognised, each turn to be stored.
struct Slow {
    clock: Arc<dyn Clock>,
    pause: Duration,
}

impl Clock for Slow {
    fn now(&self) -> Time {
        self.clock.now()
    }

    fn uuid(&self) -> Uuid {
        std::thread::sleep(self.pause);
        self.clock.uuid()
    }
}

/// The model repeats what it was told, so that every reply is another one; `alike` makes all replies the same.
fn echo(rig: &Rig, alike: bool) {
    rig.llm.respond_with(move |seen: &SeenRequest| {
        let said = if alike { "I see.".to_owned() } else { format!("You said: {}", seen.last_user_text()) };
        ScriptedReply::pieces([said])
    });
}

async fn converse(client: reqwest::Client, url: String, number: usize, rounds: usize) {
    let mut messages: Vec<Value> = Vec::new();
    for round in 0..rounds {
        messages
            .push(json!({ "role": "user", "content": format!("Conversation {number}, message {round}.") }));
        let body = json!({ "model": "m", "stream": true, "messages": messages }).to_string();
        let request = client.post(&url).header("x-request-id", format!("r-{number}-{round}")).body(body);
        let answer = request.send().await.expect("an answer").text().await.expect("whole");
        assert!(answer.ends_with("data: [DONE]\n\n"), "{answer}");
        let pieces = answer.lines().filter_map(|line| line.strip_prefix("data: {"));
        let text: String = pieces
            .filter_map(|line| serde_json::from_str::<Value>(&format!("{{{line}")).ok())
            .filter_map(|chunk| chunk["choices"][0]["delta"]["content"].as_str().map(str::to_owned))
            .collect();
        messages.push(json!({ "role": "assistant", "content": text }));
    }
}

async fn all_at_once(rig: &Rig, conversations: usize, rounds: usize) {
    let url = format!("{}/v1/chat/completions", rig.url);
    let talking: Vec<_> = (0..conversations)
        .map(|number| tokio::spawn(converse(rig.client.clone(), url.clone(), number, rounds)))
        .collect();
    for talk in talking {
        talk.await.expect("every answer came");
    }
}

/// Each conversation is one session, whole and in its order.
async fn check_stored(rig: &Rig, conversations: usize, rounds: usize) {
    let sessions = rig.sessions().await;
    assert_eq!(sessions.len(), conversations, "a session each");
    for turns in sessions.values() {
        let number = turns[0].text.split([' ', ',']).nth(1).expect("numbered").to_owned();
        let users: Vec<&Turn> = turns.iter().filter(|turn| turn.role == Role::User).collect();
        assert_eq!((turns.len(), users.len()), (2 * rounds, rounds), "of {number}: {turns:#?}");
        for (round, turn) in users.iter().enumerate() {
            assert_eq!(turn.text, format!("Conversation {number}, message {round}."));
        }
        assert!(turns.iter().skip(1).step_by(2).all(|turn| turn.role == Role::Assistant && !turn.partial));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_conversations_that_are_recognised_late_are_stored_in_order() {
    let rig = Rig::patient(NONE, |house| {
        house.clock = Arc::new(Slow { clock: house.clock.clone(), pause: Duration::from_millis(5) });
    })
    .await;
    echo(&rig, false);
    all_at_once(&rig, 40, 4).await;
    check_stored(&rig, 40, 4).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn replies_that_are_all_alike_wait_for_each_other_and_never_for_themselves() {
    let rig = Rig::patient(NONE, |house| {
        house.clock = Arc::new(Slow { clock: house.clock.clone(), pause: Duration::from_millis(2) });
    })
    .await;
    echo(&rig, true);
    all_at_once(&rig, 12, 4).await;
    check_stored(&rig, 12, 4).await;
}

/// Holds the store's lock for writing, as another program would.
fn lock(data: &Path) -> rusqlite::Connection {
    let other = rusqlite::Connection::open(data.join("tenants/local.sqlite3")).expect("opened");
    other.execute_batch("BEGIN IMMEDIATE").expect("locked");
    other
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_store_that_cannot_write_for_longer_than_it_waits_loses_nothing() {
    let rig = Rig::patient(NONE, |_| {}).await;
    echo(&rig, false);
    // Makes the tenant.
    rig.set("enabled", json!(true)).await;
    let other = lock(rig._folder.path());
    all_at_once(&rig, 30, 3).await;
    assert!(
        rig.house.backlog.unstored() > 0 && rig.sessions_now().await.is_empty(),
        "nothing can be written"
    );
    // Longer than the store itself waits for the other program.
    tokio::time::sleep(Duration::from_millis(store::limits::BUSY_TIMEOUT_MS + 1_000)).await;
    other.execute_batch("ROLLBACK").expect("unlocked");
    check_stored(&rig, 30, 3).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn beyond_the_bound_the_ends_of_answers_wait_and_nothing_is_lost() {
    const ROOM: usize = 5;
    let rig = Rig::with(|house| {
        house.backlog = Backlog::of_bytes(ROOM * recollect::limits::UNSTORED_LEAST_BYTES);
    })
    .await;
    echo(&rig, false);
    rig.set("enabled", json!(true)).await;
    let other = lock(rig._folder.path());
    let url = format!("{}/v1/chat/completions", rig.url);
    let mut talking: Vec<_> =
        (0..20).map(|number| tokio::spawn(converse(rig.client.clone(), url.clone(), number, 1))).collect();
    let finished =
        |talking: &[tokio::task::JoinHandle<()>]| talking.iter().filter(|talk| talk.is_finished()).count();
    super::until("those for whom there is room have their end", async || finished(&talking) == ROOM).await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(finished(&talking), ROOM, "the others wait");
    other.execute_batch("ROLLBACK").expect("unlocked");
    for talk in talking.drain(..) {
        talk.await.expect("every end comes");
    }
    check_stored(&rig, 20, 1).await;
}

/// A real server is told to stop while chats that were answered wait for a store that somebody else holds.
#[test]
fn what_was_answered_is_stored_before_the_process_ends() {
    const CHATS: usize = 8;
    let (home, llm) = (Home::new(), Llm::start_blocking());
    llm.respond_with(|seen: &SeenRequest| {
        ScriptedReply::text(format!("You said: {}", seen.last_user_text()))
    });
    home.add("Makes the tenant");
    let mut server = counted::serve(&home, &llm);
    let other = lock(&home.data());
    for number in 0..CHATS {
        let (status, answer) =
            server.post("/v1/chat/completions", &user(&format!("Chat number {number} of mine.")));
        assert_eq!(status, 200, "{answer}");
    }
    let turns = |connection: &rusqlite::Connection| -> Vec<String> {
        let mut statement = connection.prepare("SELECT text FROM turn ORDER BY text").expect("a table");
        let texts = statement.query_map([], |row| row.get(0)).expect("read");
        texts.collect::<Result<_, _>>().expect("texts")
    };
    assert_eq!(turns(&other), [""; 0], "nothing can be written yet");
    server.signal("TERM");
    server.wait_for("stopping");
    other.execute_batch("ROLLBACK").expect("unlocked");
    let (code, said) = server.wait();
    assert_eq!(code, Some(0), "{said:#?}");
    assert!(!said.iter().any(|line| line.contains("could not all be stored")), "{said:#?}");
    let replies = (0..CHATS).map(|number| format!("You said: Chat number {number} of mine."));
    let messages = (0..CHATS).map(|number| format!("Chat number {number} of mine."));
    assert_eq!(turns(&other), messages.chain(replies).collect::<Vec<_>>());
}
