//! What it is for: what is told in one conversation is there in the next.

use memory::types::{Role, Scope};
use recollect::ops::add::Add;
use recollect::ops::keys::KeyCreate;
use recollect::ops::list::ListMemories;
use recollect::ops::sessions::SessionEnd;
use serde_json::{Value, json};

use super::{Rig, user};

/// The first session tells facts and ends.
async fn told() -> Rig {
    let rig = Rig::new().await;
    let mut messages = Vec::new();
    for text in [
        "I live in Lisbon and I work as a marine biologist.",
        "My sister Ana is allergic to peanuts.",
        "Thanks!",
    ] {
        rig.says(&[("x-recollect-session-id", "first")], &mut messages, text).await;
    }
    let which = serde_json::from_value(json!({ "session": "first" })).expect("a session");
    let passed = rig.ask(SessionEnd { which }).await;
    assert!(passed.memories > 0, "{passed:?}");
    rig
}

#[tokio::test]
async fn the_next_session_knows_what_was_told() {
    let rig = told().await;
    let answer = rig.chat(&user("What is my sister allergic to?")).await;
    let seen = rig.seen();
    let messages = seen.messages();
    assert_eq!(messages.len(), 2, "{messages:#?}");
    let block = messages[0]["content"].as_str().expect("text");
    assert_eq!(messages[0]["role"], "system", "an own message just before the question");
    assert!(block.starts_with("<recollect-memory id=") && block.contains("peanuts"), "{block}");
    assert_eq!(messages[1], json!({ "role": "user", "content": "What is my sister allergic to?" }));
    assert_ne!(answer.header("x-recollect-section"), "none");
    assert!(answer.header("x-recollect-tokens").parse::<u64>().expect("a number") > 10);
    assert!(answer.header("x-recollect-memories").parse::<u64>().expect("a number") > 0);
    assert!(answer.header("x-recollect-session").starts_with("chat-"));
}

#[tokio::test]
async fn a_message_that_needs_nothing_gets_nothing() {
    let rig = Rig::new().await;
    rig.set("portraitTokens", json!(0)).await;
    let add = json!({ "content": "My sister Ana is allergic to peanuts." });
    rig.ask(serde_json::from_value::<Add>(add).expect("an add")).await;
    let body = user("Write a haiku about the sea.");
    let answer = rig.chat(&body).await;
    assert_eq!(rig.seen().text(), body.to_string());
    assert_eq!((answer.header("x-recollect-section"), answer.header("x-recollect-tokens")), ("none", "0"));
}

#[tokio::test]
async fn with_memory_off_the_upstream_sees_nothing_and_nothing_is_kept() {
    let rig = told().await;
    let body = user("What is my sister allergic to?");
    let off: [(&str, &str); 2] = [("x-recollect-memory", "off"), ("x-omniroute-no-memory", "yes")];
    for header in off {
        let answer = rig.chat_with(&[header], &body).await;
        assert_eq!((answer.status, rig.seen().text().into_owned()), (200, body.to_string()), "{header:?}");
        assert_eq!(
            (answer.header("x-recollect-section"), answer.header("x-recollect-memories")),
            ("none", "0")
        );
    }
    rig.set("enabled", json!(false)).await;
    rig.chat(&body).await;
    assert_eq!(rig.seen().text(), body.to_string());
    rig.set("enabled", json!(true)).await;
    rig.set("requireOwner", json!(true)).await;
    let answer = rig.chat(&body).await;
    assert_eq!((answer.status, rig.seen().text().into_owned()), (200, body.to_string()));
    assert_eq!(answer.header("x-recollect-section"), "none");
    assert_eq!(rig.sessions().await.len(), 1, "the first alone");
    let mut named = body.clone();
    named["user"] = json!("default");
    assert_ne!(rig.chat(&named).await.header("x-recollect-section"), "none");
}

#[tokio::test]
async fn reading_and_writing_are_apart() {
    let rig = told().await;
    let question = "What is my sister allergic to?";
    rig.chat_with(&[("x-recollect-memory", "read")], &user(question)).await;
    assert!(rig.seen().system_text().contains("peanuts"));
    assert_eq!(rig.sessions().await.len(), 1, "read: nothing is kept");
    rig.chat_with(&[("x-recollect-memory", "write")], &user(question)).await;
    assert_eq!(rig.seen().text(), user(question).to_string());
    assert_eq!(rig.sessions().await.len(), 2, "write: it is kept");
}

#[tokio::test]
async fn a_user_has_memories_of_their_own_with_any_agent() {
    let rig = told().await;
    let question = "What is my sister allergic to?";
    let with = async |headers: &[(&str, &str)], body: Value| {
        rig.chat_with(headers, &body).await;
        rig.seen().text().contains("peanuts")
    };
    assert!(with(&[], user(question)).await);
    assert!(!with(&[("x-recollect-user-id", "other")], user(question)).await);
    assert!(with(&[("x-osaurus-agent-id", "other")], user(question)).await, "what is learned is the user's");
    let mut body = user(question);
    body["user"] = json!("somebody");
    assert!(!with(&[], body).await);
}

/// A chat with a key that is bound to an agent teaches what the user has with that agent; where the key shares the user, what the
/// user has with any.
#[tokio::test]
async fn what_a_bound_keys_chats_teach_is_its_agents_alone_unless_it_shares_the_user() {
    let rig = Rig::new().await;
    for (shares_user, session, says, scope) in [
        (false, "own", "My printer jams whenever I use thick paper.", Scope::Agent),
        (true, "shared", "My sister Ana is allergic to peanuts.", Scope::User),
    ] {
        let key = json!({ "role": "memory", "agents": ["coach"], "user": "ada", "shares_user": shares_user });
        let key = rig.ask(serde_json::from_value::<KeyCreate>(key).expect("a request")).await.key;
        let headers = [("x-recollect-key", key.reveal()), ("x-recollect-session-id", session)];
        rig.says(&headers, &mut Vec::new(), says).await;
        rig.house.backlog.settled(crate::support::PATIENCE).await;
        let which = json!({ "agent": "coach", "user": "ada", "session": session });
        let which = serde_json::from_value(which).expect("a session");
        assert!(rig.ask(SessionEnd { which }).await.memories > 0, "{says}");
        let filter = json!({ "filter": { "session": session } });
        let learned = rig.ask(serde_json::from_value::<ListMemories>(filter).expect("a list")).await.memories;
        assert!(!learned.is_empty() && learned.iter().all(|memory| memory.scope == scope), "{learned:#?}");
    }
    let anybody = json!({ "role": "memory", "user": "*" });
    let anybody = rig.ask(serde_json::from_value::<KeyCreate>(anybody).expect("a request")).await.key;
    // Who the user is was learned by all agents and is told to all; what is looked for here is not that.
    rig.set("portraitTokens", json!(0)).await;
    let knows = async |agent: &str, question: &str, word: &str| {
        let headers = [
            ("x-recollect-key", anybody.reveal()),
            ("x-recollect-user-id", "ada"),
            ("x-recollect-agent-id", agent),
            ("x-recollect-memory", "read"),
        ];
        rig.chat_with(&headers, &user(question)).await;
        rig.seen().system_text().contains(word)
    };
    for agent in ["coach", "clerk"] {
        assert!(knows(agent, "What is my sister allergic to?", "peanuts").await, "{agent}");
    }
    assert!(knows("coach", "With which paper does my printer jam?", "thick").await);
    assert!(!knows("clerk", "With which paper does my printer jam?", "thick").await);
}

#[tokio::test]
async fn what_was_said_is_stored_before_the_answer_ends() {
    let rig = Rig::new().await;
    let mut messages = vec![json!({ "role": "system", "content": "Be brief." })];
    for text in ["My cat is called Miso.", "And my dog is called Udon."] {
        rig.says(&[], &mut messages, text).await;
    }
    let said = rig.only_session().await;
    let expected = [
        (Role::User, "My cat is called Miso."),
        (Role::Assistant, "You said: My cat is called Miso."),
        (Role::User, "And my dog is called Udon."),
        (Role::Assistant, "You said: And my dog is called Udon."),
    ];
    let said: Vec<(Role, &str)> = said.iter().map(|(role, text)| (*role, text.as_str())).collect();
    assert_eq!(said, expected);
}
