//! Records with as little said as a test needs to say. Everything else is the default of its kind.

use memory::ports::Clock;
use memory::types::{
    Entity, EntityId, EntityType, Episode, EpisodeId, HeldCandidate, HeldId, Kind, Link, LinkId, LinkKind,
    Memory, MemoryId, Origin, Owner, Role, SessionId, SessionKey, Status, TenantId, Turn, TurnId, Verdict,
};

use crate::ManualClock;

/// An owner by the names of agent and user.
pub fn owner(agent: &str, user: &str) -> Owner {
    Owner { agent: agent.parse().expect("an agent's name"), user: user.parse().expect("a user's name") }
}

pub fn session_id(session: &str) -> SessionId {
    session.parse().expect("a session's name")
}

/// A session of the unnamed owner.
pub fn session_key(session: &str) -> SessionKey {
    SessionKey::new(&Owner::unnamed(), session_id(session))
}

/// A fact of the unnamed owner.
pub fn memory(clock: &ManualClock, content: &str) -> Memory {
    memory_of(clock, &Owner::unnamed(), content)
}

pub fn memory_of(clock: &ManualClock, owner: &Owner, content: &str) -> Memory {
    let id = MemoryId::from_uuid(clock.uuid());
    Memory::new(id, TenantId::local(), owner, Kind::Fact, content.to_owned(), clock.now())
}

/// What a user said in a session of the unnamed owner. The index is the store's to give.
pub fn turn(clock: &ManualClock, session: &str, text: &str) -> Turn {
    turn_in(clock, &session_key(session), text)
}

pub fn turn_in(clock: &ManualClock, session: &SessionKey, text: &str) -> Turn {
    Turn {
        id: TurnId::from_uuid(clock.uuid()),
        external_id: None,
        session: session.clone(),
        index: 0,
        role: Role::User,
        speaker: None,
        text: text.to_owned(),
        tokens: memory::text::tokens::estimate(text) as u32,
        at: clock.now(),
        partial: false,
    }
}

pub fn episode(clock: &ManualClock, session: &str, summary: &str) -> Episode {
    let now = clock.now();
    Episode {
        id: EpisodeId::from_uuid(clock.uuid()),
        version: 1,
        session: session_key(session),
        summary: summary.to_owned(),
        topics: Vec::new(),
        decisions: Vec::new(),
        key_dates: Vec::new(),
        action_items: Vec::new(),
        salience: 0.5,
        origin: Origin::Model,
        status: Status::Active,
        started_at: now,
        ended_at: now,
        created_at: now,
        updated_at: now,
    }
}

/// A candidate that waits for the end of its session.
pub fn held(clock: &ManualClock, session: &str, content: &str) -> HeldCandidate {
    HeldCandidate {
        id: HeldId::from_uuid(clock.uuid()),
        version: 1,
        session: session_key(session),
        memory: memory(clock, content),
        verdict: Verdict::CommitAtSessionEnd,
        reason: "said once".to_owned(),
        sources: Vec::new(),
        created_at: clock.now(),
    }
}

pub fn entity(clock: &ManualClock, name: &str, aliases: &[&str]) -> Entity {
    Entity {
        id: EntityId::from_uuid(clock.uuid()),
        version: 1,
        owner: Owner::unnamed(),
        name: name.to_owned(),
        entity_type: EntityType::Person,
        aliases: aliases.iter().map(|&alias| alias.to_owned()).collect(),
        status: Status::Active,
        created_at: clock.now(),
        updated_at: clock.now(),
    }
}

pub fn link(clock: &ManualClock, from: &MemoryId, to: &MemoryId) -> Link {
    Link {
        id: LinkId::from_uuid(clock.uuid()),
        version: 1,
        from: from.clone(),
        to: to.clone(),
        kind: LinkKind::Related,
        weight: 1.0,
        created_at: clock.now(),
        updated_at: clock.now(),
    }
}
