//! What becomes of messages on their way into the transcript.

use std::sync::atomic::{AtomicU64, Ordering};

use proptest::prelude::*;
use uuid::Uuid;

use super::*;
use crate::text::secrets::SecretKind;
use crate::types::Owner;

/// Counts instead of drawing lots.
#[derive(Default)]
struct CountedIds(AtomicU64);

impl Clock for CountedIds {
    fn now(&self) -> Time {
        Time::MIN
    }

    fn uuid(&self) -> Uuid {
        Uuid::from_u64_pair(0, self.0.fetch_add(1, Ordering::Relaxed))
    }
}

fn now() -> Time {
    "2026-05-01T12:00:00Z".parse().expect("a time")
}

fn captured(messages: Vec<IncomingMessage>) -> Captured {
    let session = SessionKey::new(&Owner::unnamed(), "s1".parse().expect("a session"));
    prepare(&session, messages, now(), &CountedIds::default(), &Masker::default())
}

fn user(text: &str) -> IncomingMessage {
    IncomingMessage::new(Role::User, text)
}

fn identities(captured: &Captured) -> Vec<Option<String>> {
    captured.turns.iter().map(|turn| turn.external_id.clone()).collect()
}

#[test]
fn a_message_becomes_a_turn() {
    let earlier: Time = "2026-04-01".parse().expect("a date");
    let told = IncomingMessage {
        name: Some("Ada".into()),
        id: Some(" m1 ".into()),
        at: Some(earlier),
        ..user("I like tea")
    };
    let captured = captured(vec![
        told,
        IncomingMessage { partial: true, ..IncomingMessage::new(Role::Assistant, "Good to") },
    ]);
    let [first, second] = captured.turns.as_slice() else { panic!("two turns") };
    assert_eq!((first.speaker.as_deref(), first.external_id.as_deref()), (Some("Ada"), Some("m1")));
    assert_eq!((first.at, first.tokens, first.partial), (earlier, 3, false));
    assert_eq!((second.at, second.partial, second.external_id.as_deref()), (now(), true, None));
}

#[test]
fn recalled_spans_and_secrets_do_not_get_through() {
    let told = format!("{}\nmy password is hunter2, ok?", marks::fence("User likes tea", "b1"));
    let captured = captured(vec![user(&told)]);
    assert_eq!(captured.turns[0].text, "\nmy password is [masked:password], ok?");
    assert_eq!((captured.stripped, captured.masked), (1, MaskCounts::from([(SecretKind::Password, 1)])));
}

#[test]
fn what_is_left_out_says_why() {
    let captured = captured(vec![user(" \n"), user("hi"), user(&marks::fence("x", "1"))]);
    let reasons: Vec<_> = captured.left_out.iter().map(|left| (left.message, left.reason)).collect();
    assert_eq!(reasons, [(0, LeftOutReason::Empty), (2, LeftOutReason::OnlyRecalled)]);
    assert_eq!(captured.turns.len(), 1);
}

#[test]
fn too_many_messages_are_left_out() {
    let captured = captured(vec![user("hi"); limits::CAPTURE_MESSAGES + 1]);
    assert_eq!(captured.turns.len(), limits::CAPTURE_MESSAGES);
    assert_eq!(
        captured.left_out,
        [LeftOut { message: limits::CAPTURE_MESSAGES, reason: LeftOutReason::TooMany }]
    );
}

#[test]
fn long_messages_are_cut_between_characters() {
    let long = format!("x{}", "é".repeat(limits::TURN_TEXT_BYTES));
    let captured = captured(vec![user("short"), user(&long)]);
    assert_eq!(captured.cut, [TruncatedMessage { message: 1, bytes: long.len() }]);
    assert_eq!(captured.turns[1].text.len(), limits::TURN_TEXT_BYTES - 1);
    captured.turns.iter().try_for_each(crate::validate::turn).expect("the store takes it");
}

#[test]
fn long_ids_and_names_are_bounded_and_stay_the_same() {
    let long = "n".repeat(1_000);
    let told = IncomingMessage { id: Some(long.clone()), name: Some(long), ..user("hi") };
    let (one, other) = (captured(vec![told.clone()]), captured(vec![told]));
    one.turns.iter().try_for_each(crate::validate::turn).expect("the store takes it");
    assert_eq!(identities(&one), identities(&other));
}

#[test]
fn without_an_id_every_message_is_new() {
    assert_eq!(identities(&captured(vec![user("yes"), user("yes")])), [None, None]);
}

#[test]
fn only_what_was_said_waits_to_be_distilled() {
    let roles = [Role::System, Role::User, Role::Assistant, Role::Tool, Role::Assistant];
    let turns = captured(roles.into_iter().map(|role| IncomingMessage::new(role, "text")).collect()).turns;
    let runs = |pending: bool| -> Vec<(usize, bool)> {
        let shown = |change: &Change| match change {
            Change::AppendTurns { turns, pending } => (turns.len(), *pending),
            other => panic!("an append expected, not {other:?}"),
        };
        batch(turns.clone(), pending, now()).changes.iter().map(shown).collect()
    };
    assert_eq!(runs(true), [(1, false), (2, true), (1, false), (1, true)]);
    assert_eq!(runs(false), [(5, false)]);
}

proptest! {
    #[test]
    fn whatever_comes_in_can_be_stored(texts in proptest::collection::vec(any::<String>(), 0..5)) {
        let messages: Vec<_> = texts.iter().map(|text| user(text)).collect();
        let captured = captured(messages);
        prop_assert_eq!(captured.turns.len() + captured.left_out.len(), texts.len());
        for turn in &captured.turns {
            prop_assert!(crate::validate::turn(turn).is_ok());
        }
    }
}
