//! The law of the prefix: what went upstream once is how the next request begins.

use super::client::{ReplayClient, ReplayProxy, answer, call, result};
use crate::{ChatBody, Injection};
use memory::types::Role;

/// The messages as they went upstream, without the brackets around them.
fn sent(injection: &Injection) -> Vec<u8> {
    let chat = ChatBody::read(&injection.body).expect("a request");
    injection.body[chat.span.start + 1..chat.span.end - 1].to_vec()
}

/// Requests in their order, each compared with the one before.
#[derive(Default)]
struct PrefixUpstream {
    sent: Vec<Vec<u8>>,
    breaks: Vec<usize>,
    misses: usize,
}

impl PrefixUpstream {
    fn takes(&mut self, injection: &Injection) {
        let sent = sent(injection);
        if self.sent.last().is_some_and(|before| !sent.starts_with(before)) {
            self.breaks.push(self.sent.len());
        }
        assert!(calls_are_answered_at_once(injection), "something stands between a call and its result");
        self.misses += injection.prefix_misses;
        self.sent.push(sent);
    }
}

fn calls_are_answered_at_once(injection: &Injection) -> bool {
    let chat = ChatBody::read(&injection.body).expect("a request");
    chat.messages.windows(2).all(|pair| !pair[0].calls_tools() || pair[1].role == Role::Tool)
}

#[test]
fn every_prompt_begins_as_the_one_before() {
    let (mut proxy, mut client, mut upstream) =
        (ReplayProxy::default(), ReplayClient::default(), PrefixUpstream::default());
    let mut branched_from = None;
    for turn in 0..50 {
        if turn == 30 {
            // An earlier message is edited: everything behind it is gone.
            let users = client.messages.iter().enumerate().filter(|(_, message)| message["role"] == "user");
            let edited = users.map(|(place, _)| place).nth(25).expect("there are thirty");
            client.messages.truncate(edited);
            branched_from = Some(upstream.sent.len());
        }
        if turn == 45 {
            proxy.stored.forget(3);
        }
        client.says(format!("message {turn}"));
        if turn % 10 == 7 {
            upstream.takes(&client.sends(&mut proxy, call(turn)));
            client.messages.push(result(turn));
        }
        upstream.takes(&client.sends(&mut proxy, answer(format!("reply {turn}"))));
        if turn == 40 {
            // Asked again: the last reply goes, another comes.
            client.messages.pop();
            upstream.takes(&client.sends(&mut proxy, answer("another reply")));
        }
    }
    let branch = branched_from.expect("there was one");
    let [at_branch, at_forget] = upstream.breaks[..] else { panic!("two breaks, not {:?}", upstream.breaks) };
    assert_eq!(at_branch, branch);
    // Up to the edited message the branch is what went out before it was first said.
    let before_edit = 25 + 2;
    assert!(upstream.sent[branch].starts_with(&upstream.sent[before_edit - 1]));
    let asked_before_forget = 45 + 4 + 1;
    assert_eq!((at_forget, upstream.misses), (asked_before_forget, 1));
    assert_eq!(proxy.looked, 50, "a message is decided on once");
    let sessions: std::collections::BTreeSet<_> =
        proxy.stored.turns.iter().map(|(session, ..)| session).collect();
    assert_eq!(sessions.len(), 1);
    // Fifty messages and replies, five calls with their results, and the reply of the message asked again.
    assert_eq!(proxy.stored.turns.len(), 50 + 50 + 5 + 5 + 1);
}

#[test]
fn what_was_said_is_not_said_again() {
    let (mut proxy, mut client) = (ReplayProxy::default(), ReplayClient::default());
    for turn in 0..4 {
        client.says(format!("message {turn}"));
        client.sends(&mut proxy, answer(format!("reply {turn}")));
    }
    let texts: Vec<&str> = proxy.stored.blocks.values().map(|block| block.text.as_str()).collect();
    assert_eq!(texts.iter().filter(|text| text.contains("be brief")).count(), 1);
    assert_eq!(texts.len(), 2, "a rule and the first fact, then another fact: {texts:?}");
}

#[test]
fn a_client_that_drops_the_beginning_keeps_its_session_and_its_blocks() {
    let (mut proxy, mut client) = (ReplayProxy::default(), ReplayClient::default());
    let long = |turn: usize| answer(format!("This is the long and telling reply with the number {turn}."));
    for turn in 0..10 {
        client.says(format!("message {turn}"));
        client.sends(&mut proxy, long(turn));
    }
    client.messages.drain(..12);
    let mut upstream = PrefixUpstream::default();
    for turn in 10..20 {
        client.says(format!("message {turn}"));
        upstream.takes(&client.sends(&mut proxy, long(turn)));
    }
    assert_eq!((upstream.breaks, proxy.looked), (Vec::new(), 20));
    let sessions: std::collections::BTreeSet<_> =
        proxy.stored.turns.iter().map(|(session, ..)| session).collect();
    assert_eq!((sessions.len(), proxy.stored.turns.len()), (1, 40));
}
