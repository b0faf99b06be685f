//! The distiller from outside: a text goes in, memories come out.

mod english;
mod falsehoods;
mod ignored;
mod languages;
mod session;

use uuid::Uuid;

use super::{SessionBackground, distil};
use crate::learn::draft::{Candidate, Draft};
use crate::text::Analyser;
use crate::types::{Kind, Owner, Role, SessionKey, Time, Turn, TurnId};

/// A Saturday in May.
const TODAY: &str = "2023-05-20T10:00:00Z";

fn turn(index: u64, role: Role, text: &str) -> Turn {
    Turn {
        id: TurnId::from_uuid(Uuid::from_u128(u128::from(index) + 1)),
        external_id: None,
        session: SessionKey::new(&Owner::unnamed(), "one".parse().expect("an id")),
        index,
        role,
        speaker: None,
        text: text.to_owned(),
        tokens: 0,
        at: TODAY.parse().expect("a time"),
        partial: false,
    }
}

/// The user says something.
pub(super) fn said(text: &str) -> Turn {
    turn(0, Role::User, text)
}

fn distilled(texts: &[&str]) -> Draft {
    let turns: Vec<Turn> = (0..).zip(texts).map(|(index, text)| turn(index, Role::User, text)).collect();
    distil(&turns, SessionBackground::default(), &Analyser::default())
}

fn candidates(text: &str) -> Vec<Candidate> {
    distilled(&[text]).candidates
}

/// Exactly these memories come out, in this order: kind, content, key.
fn check(text: &str, expected: &[(Kind, &str, &str)]) {
    let found: Vec<(Kind, String, String)> = candidates(text)
        .into_iter()
        .map(|candidate| (candidate.kind, candidate.content, candidate.key.unwrap_or_default()))
        .collect();
    let expected: Vec<(Kind, String, String)> = expected
        .iter()
        .map(|(kind, content, key)| (*kind, (*content).to_owned(), (*key).to_owned()))
        .collect();
    assert_eq!(found, expected, "{text}");
}

/// Nothing comes out.
fn check_nothing(texts: &[&str]) {
    for text in texts {
        check(text, &[]);
    }
}

fn day(time: Option<Time>) -> String {
    time.map(|time| time.date().to_string()).unwrap_or_default()
}
