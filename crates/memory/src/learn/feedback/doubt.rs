//! What becomes of a memory that is called wrong.
//!
//! An agent may err, so its first word only halves the confidence, and its second, about another reply, puts the memory into
//! the archive. A person's word is enough. What a person wrote, pinned or changed is for people alone to take out. Archived is
//! out of recall and not gone: whoever applies this does so in a run that can be undone.

use std::collections::BTreeSet;

use crate::types::{FeedbackEntry, JudgedBy, Judgement, Memory, Status, Time};

/// What is left of the confidence in a memory that an agent calls wrong.
const LEFT: f32 = 0.5;

/// Replies that agents must call it wrong for.
const AGREEING: usize = 2;

/// A memory as it is from then on, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Doubted {
    pub memory: Memory,
    pub reason: &'static str,
}

/// Whether a judgement changes the memory. `said` is what was said of it before, `is_theirs` that a person wrote, pinned or
/// changed it.
pub fn doubt(
    memory: &Memory,
    said: &[FeedbackEntry],
    new: &FeedbackEntry,
    is_theirs: bool,
) -> Option<Doubted> {
    if new.judgement != Judgement::Wrong || memory.status != Status::Active {
        return None;
    }
    let archived = |reason: &'static str| {
        let mut memory = Memory { status: Status::Archived, ..changed(memory, new.at) };
        memory.metadata.insert(Memory::WRONG.into(), reason.into());
        Some(Doubted { memory, reason })
    };
    if new.by == JudgedBy::Person {
        return archived("a person says that it is wrong");
    }
    if is_theirs {
        return None;
    }
    let wrong = |entry: &&FeedbackEntry| entry.judgement == Judgement::Wrong && entry.by == new.by;
    let mut replies: BTreeSet<String> = said.iter().filter(wrong).map(about).collect();
    if !replies.insert(about(new)) {
        return None;
    }
    if replies.len() >= AGREEING {
        return archived("two replies found it wrong");
    }
    let confidence = memory.confidence * LEFT;
    Some(Doubted {
        memory: Memory { confidence, ..changed(memory, new.at) },
        reason: "a reply found it wrong",
    })
}

fn changed(memory: &Memory, at: Time) -> Memory {
    Memory { updated_at: at, ..memory.clone() }
}

/// The reply that a judgement is about. Who names neither reply nor conversation is heard once a day.
fn about(entry: &FeedbackEntry) -> String {
    match (&entry.turn, &entry.session) {
        (Some(turn), _) => turn.as_str().to_owned(),
        (None, Some(session)) => session.to_string(),
        (None, None) => entry.at.date().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Kind, Owner, SessionKey, TenantId};

    fn entry(by: JudgedBy, session: Option<&str>, at: Time) -> FeedbackEntry {
        let memory = memory().id;
        let session =
            session.map(|name| SessionKey::new(&Owner::unnamed(), name.parse().expect("a session")));
        FeedbackEntry { memory, judgement: Judgement::Wrong, by, session, turn: None, at }
    }

    fn memory() -> Memory {
        let id = "mt_01890a5d-ac96-774b-bcce-b302099a8057".parse().expect("an id");
        let mut memory =
            Memory::new(id, TenantId::local(), &Owner::unnamed(), Kind::Fact, "x".into(), Time::MIN);
        memory.confidence = 0.8;
        memory
    }

    #[test]
    fn agents_must_agree_and_a_person_need_not() {
        let (memory, now) = (memory(), Time::MIN.plus_seconds(3 * 86_400));
        let agent = |session| entry(JudgedBy::Agent, session, now);
        let first = doubt(&memory, &[], &agent(Some("a")), false).expect("doubted");
        assert_eq!((first.memory.status, first.memory.confidence), (Status::Active, 0.4));
        assert_eq!(doubt(&memory, &[agent(Some("a"))], &agent(Some("a")), false), None, "said already");
        let second = doubt(&memory, &[agent(Some("a"))], &agent(Some("b")), false).expect("archived");
        assert_eq!((second.memory.status, second.memory.confidence), (Status::Archived, 0.8));
        assert_eq!(doubt(&memory, &[agent(None)], &agent(None), false), None, "once a day");
        let yesterday = entry(JudgedBy::Agent, None, now.plus_seconds(-86_400));
        assert!(doubt(&memory, &[yesterday], &agent(None), false).is_some());
        assert_eq!(doubt(&memory, &[agent(Some("a"))], &agent(Some("b")), true), None, "a person's own");
        let person = entry(JudgedBy::Person, None, now);
        let gone = doubt(&memory, &[], &person, true).expect("a person may");
        assert_eq!(gone.memory.status, Status::Archived);
        let used = FeedbackEntry { judgement: Judgement::Used, ..person.clone() };
        assert_eq!(doubt(&memory, &[], &used, false), None);
        let archived = Memory { status: Status::Archived, ..memory };
        assert_eq!(doubt(&archived, &[], &person, false), None);
    }
}
