//! Conversations side by side, and which of them a request is part of.

use serde_json::{Value, json};

use super::*;
use crate::replay::tests::client::{ReplayClient, ReplayProxy, answer, call, result};
use crate::wire::ChatBody;
use memory::types::SessionKey;

/// The session that the request is taken to be part of, after which the reply is kept.
fn exchange(proxy: &mut ReplayProxy, client: &mut ReplayClient, says: &str, reply: &str) -> SessionKey {
    client.says(says);
    let key = take(proxy, &client.body(), reply);
    client.messages.push(answer(reply));
    key
}

fn take(proxy: &mut ReplayProxy, body: &Value, reply: &str) -> SessionKey {
    let continuation = proxy.find(body, None);
    let chat = ChatBody::read(body.to_string().as_bytes()).expect("a request");
    proxy.capture(&chat, &continuation, &answer(reply));
    continuation.key
}

fn texts(proxy: &ReplayProxy, key: &SessionKey) -> Vec<String> {
    let of_it = proxy.stored.turns.iter().filter(|(session, ..)| session == key);
    of_it.map(|(_, _, _, text)| text.clone()).collect()
}

#[test]
fn one_message_begins_a_session_and_its_reply_continues_it() {
    let (mut proxy, mut client) = (ReplayProxy::default(), ReplayClient::default());
    client.messages.push(json!({ "role": "system", "content": "It is noon." }));
    let key = exchange(&mut proxy, &mut client, "hi", "hello");
    assert!(key.session.as_str().starts_with("chat-"));
    client.messages[0] = json!({ "role": "system", "content": "It is one o'clock." });
    assert_eq!(exchange(&mut proxy, &mut client, "I like tea", "noted"), key);
    assert_eq!(texts(&proxy, &key), ["hi", "hello", "I like tea", "noted"]);
    let continuation = proxy.find(&client.body(), None);
    assert_eq!((continuation.known_before, continuation.is_new), (5, false));
    assert!(continuation.user_message_known);
}

#[test]
fn equal_beginnings_are_equal_until_a_reply_differs() {
    let mut proxy = ReplayProxy::default();
    let mut clients: Vec<ReplayClient> = (0..3).map(|_| ReplayClient::default()).collect();
    let keys: Vec<SessionKey> = clients
        .iter_mut()
        .enumerate()
        .map(|(number, client)| exchange(&mut proxy, client, "hi", &format!("hello {number}")))
        .collect();
    for (client, key) in clients.iter_mut().zip(&keys).rev() {
        assert_eq!(exchange(&mut proxy, client, "and now?", "well"), *key);
    }
}

#[test]
fn of_equal_conversations_each_request_gets_one_of_its_own() {
    let mut proxy = ReplayProxy::default();
    let mut clients: Vec<ReplayClient> = (0..5).map(|_| ReplayClient::default()).collect();
    for client in &mut clients {
        exchange(&mut proxy, client, "hi", "hello");
    }
    // All at once: nothing of it is stored when the next one asks.
    let found: Vec<Continuation> = clients
        .iter_mut()
        .enumerate()
        .map(|(number, client)| {
            client.says(format!("my number is {number}"));
            proxy.find(&client.body(), None)
        })
        .collect();
    let sessions: std::collections::BTreeSet<_> = found.iter().map(|found| found.key.clone()).collect();
    assert_eq!(sessions.len(), 5);
    assert!(found.iter().all(|found| !found.user_message_known && found.known_before == 2));
    // The same request again is the same message of the same session, though it is not stored yet.
    let again = proxy.find(&clients[2].body(), None);
    assert_eq!((&again.key, again.user_message_known), (&found[2].key, true));
}

#[test]
fn an_edit_is_a_branch_and_a_repetition_is_none() {
    let (mut proxy, mut client) = (ReplayProxy::default(), ReplayClient::default());
    let key = exchange(&mut proxy, &mut client, "hi", "hello");
    exchange(&mut proxy, &mut client, "I like tea", "noted");
    client.messages.pop();
    assert_eq!(take(&mut proxy, &client.body(), "very well"), key);
    client.messages.pop();
    assert_eq!(exchange(&mut proxy, &mut client, "I like coffee", "oh"), key);
    assert_eq!(
        texts(&proxy, &key),
        ["hi", "hello", "I like tea", "noted", "very well", "I like coffee", "oh"]
    );
}

#[test]
fn an_edited_reply_is_stored_and_stays_in_its_session() {
    let (mut proxy, mut client) = (ReplayProxy::default(), ReplayClient::default());
    let key = exchange(&mut proxy, &mut client, "hi", "hello");
    exchange(&mut proxy, &mut client, "I like tea", "noted");
    *client.messages.last_mut().expect("a reply") = answer("noted, with milk");
    assert_eq!(exchange(&mut proxy, &mut client, "right", "good"), key);
    let expected = ["hi", "hello", "I like tea", "noted", "noted, with milk", "right", "good"];
    assert_eq!(texts(&proxy, &key), expected);
}

#[test]
fn rounds_of_tools_are_one_conversation() {
    let (mut proxy, mut client) = (ReplayProxy::default(), ReplayClient::default());
    client.says("how is the weather?");
    client.sends(&mut proxy, call(1));
    client.messages.push(result(1));
    let found = proxy.find(&client.body(), None);
    assert_eq!((found.known_before, found.is_new, found.user_message_known), (2, false, true));
    client.sends(&mut proxy, answer("sunny"));
    assert_eq!(
        texts(&proxy, &found.key),
        ["how is the weather?", "[calls look {\"n\": 1}]", "sunny", "sunny"]
    );
}

#[test]
fn a_history_that_nobody_knows_begins_a_session_with_all_of_it() {
    let (mut proxy, mut client) = (ReplayProxy::default(), ReplayClient::default());
    client.says("hi");
    client.messages.push(answer("hello from elsewhere"));
    let key = exchange(&mut proxy, &mut client, "I like tea", "noted");
    assert_eq!(texts(&proxy, &key), ["hi", "hello from elsewhere", "I like tea", "noted"]);
    client.messages.pop();
    assert_eq!(take(&mut proxy, &client.body(), "noted again"), key);
}

#[test]
fn a_dropped_beginning_is_found_by_the_text_of_replies() {
    let long =
        |number: usize| format!("A reply that is long enough to be told from others, number {number}.");
    let (mut proxy, mut client) = (ReplayProxy::default(), ReplayClient::default());
    let mut key = None;
    for number in 0..4 {
        key = Some(exchange(&mut proxy, &mut client, &format!("message {number}"), &long(number)));
    }
    let key = key.expect("four exchanges");
    let whole = client.messages.clone();
    for (dropped, rest) in [(2, 6), (3, 5), (6, 2), (7, 1)] {
        client.messages = whole[dropped..].to_vec();
        client.says("and now?");
        let found = proxy.find(&client.body(), None);
        assert_eq!((&found.key, found.known_before, found.is_new), (&key, rest, false), "{dropped} dropped");
        client.messages = whole.clone();
        client.says("and now?");
        assert_eq!(found.hashes.last(), proxy.find(&client.body(), None).hashes.last());
    }
    // A summary in place of the beginning.
    client.messages = vec![json!({ "role": "user", "content": "Summary: four messages." })];
    client.messages.extend(whole[6..].to_vec());
    client.says("and now?");
    assert_eq!(proxy.find(&client.body(), None).key, key);
}

#[test]
fn a_common_greeting_does_not_join_conversations() {
    let greeting = "Hello! How can I help you today? Ask me anything you like.";
    let (mut proxy, mut client) = (ReplayProxy::default(), ReplayClient::default());
    exchange(&mut proxy, &mut client, "hi", greeting);
    let mut other = ReplayClient::default();
    other.says("good morning");
    other.messages.push(answer(greeting));
    other.says("what is rye?");
    assert!(proxy.find(&other.body(), None).is_new);
}

#[test]
fn a_named_session_is_the_one_named() {
    let (mut proxy, mut client) = (ReplayProxy::default(), ReplayClient::default());
    exchange(&mut proxy, &mut client, "hi", "hello");
    client.says("and now?");
    let named: SessionId = "mine".parse().expect("a session");
    let found = proxy.find(&client.body(), Some(&named));
    assert_eq!((found.key.session.as_str(), found.known_before, found.is_new), ("mine", 0, true));
    let chat = ChatBody::read(client.body().to_string().as_bytes()).expect("a request");
    proxy.capture(&chat, &found, &answer("well"));
    let again = proxy.find(&client.body(), Some(&named));
    assert_eq!((again.known_before, again.is_new, again.user_message_known), (3, false, true));
}

#[test]
fn messages_by_themselves_in_a_named_session_are_each_a_message() {
    let (mut proxy, named) = (ReplayProxy::default(), "mine".parse::<SessionId>().expect("a session"));
    let mut ask = |text: &str| {
        let mut client = ReplayClient::default();
        client.says(text);
        let found = proxy.find(&client.body(), Some(&named));
        let chat = ChatBody::read(client.body().to_string().as_bytes()).expect("a request");
        proxy.capture(&chat, &found, &answer("well"));
        found.user_message_known
    };
    let known = ["yes", "yes", "what do I like?", "yes", "what do I like?"].map(&mut ask);
    assert_eq!(known, [false, true, false, false, false], "only what is asked again at once is known");
    let key = SessionKey::new(&Owner::unnamed(), named);
    let expected = ["yes", "well", "what do I like?", "well", "yes", "well", "what do I like?", "well"];
    assert_eq!(texts(&proxy, &key), expected);
}

#[test]
fn tenants_and_owners_do_not_meet() {
    let (mut proxy, mut client) = (ReplayProxy::default(), ReplayClient::default());
    exchange(&mut proxy, &mut client, "hi", "hello");
    client.says("and now?");
    let chat = ChatBody::read(client.body().to_string().as_bytes()).expect("a request");
    let other: TenantId = "other".parse().expect("a tenant");
    let ada = Owner { user: "ada".parse().expect("a user"), ..Owner::unnamed() };
    let empty = ReplayProxy::default();
    let local = TenantId::local();
    for (tenant, owner, stored) in [(&other, Owner::unnamed(), &empty.stored), (&local, ada, &proxy.stored)] {
        let asking = ContinuityRequest {
            tenant,
            owner: &owner,
            session: None,
            messages: &chat.messages,
            masker: &proxy.masker,
            recent: &proxy.recent,
        };
        let found = crate::replay::tests::client::finish(find(stored, asking, &proxy.ids));
        assert!(found.expect("it never fails").is_new);
    }
}

#[test]
fn a_reply_is_known_before_it_is_stored() {
    let (proxy, mut client) = (ReplayProxy::default(), ReplayClient::default());
    client.says("hi");
    let begun = proxy.find(&client.body(), None);
    let reply = answer("hello");
    let identity = incoming::reply_identity(begun.end, &reply["content"], None, &proxy.masker);
    proxy.recent.forwarded(&TenantId::local(), &begun.key, identity);
    client.messages.push(reply);
    client.says("and now?");
    let found = proxy.find(&client.body(), None);
    assert_eq!((&found.key, found.hashes[1], found.is_new), (&begun.key, identity, false));
    // Nothing of it is in the store, so all of it is captured: what comes second is left out there.
    assert_eq!(found.known_before, 0);
}
