//! Names of things, as types, so that a user cannot be passed where a session is wanted.
//!
//! Two families. *Given* ids come from outside (tenant, agent, user, session) and are checked once, here, when they
//! enter. *Made* ids (`mt_…`, `ep_…`) are a prefix and a UUIDv7, so they sort by the time they were made.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::limits;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IdError {
    #[error("the {what} id is empty; expected 1 to {max} bytes", max = limits::GIVEN_ID_BYTES)]
    Empty { what: &'static str },
    #[error("the {what} id has {bytes} bytes; expected at most {max}", max = limits::GIVEN_ID_BYTES)]
    TooLong { what: &'static str, bytes: usize },
    #[error("the {what} id contains a control character")]
    ControlCharacter { what: &'static str },
    #[error(
        "`{given}` cannot name a tenant; expected 1 to {max} characters of a-z, 0-9, `-` and `_`, beginning with a letter or digit",
        max = limits::TENANT_ID_BYTES
    )]
    Tenant { given: String },
    #[error("`{given}` is not a {what} id; expected `{prefix}` and a UUID")]
    Made { what: &'static str, prefix: &'static str, given: String },
}

/// An id is read from text and goes out as text.
macro_rules! as_text {
    ($name:ident) => {
        impl TryFrom<String> for $name {
            type Error = IdError;

            fn try_from(text: String) -> Result<Self, IdError> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str(&self.0)
            }
        }
    };
}

macro_rules! given_id {
    ($(#[$doc:meta])* $name:ident, $what:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// The id that stands in when nobody says.
            pub fn unnamed() -> Self {
                Self("default".to_owned())
            }

            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                checked_given($what, text).map(Self)
            }
        }

        as_text!($name);
    };
}

fn checked_given(what: &'static str, text: &str) -> Result<String, IdError> {
    let text = text.trim();
    if text.is_empty() {
        return Err(IdError::Empty { what });
    }
    if text.len() > limits::GIVEN_ID_BYTES {
        return Err(IdError::TooLong { what, bytes: text.len() });
    }
    if text.chars().any(char::is_control) {
        return Err(IdError::ControlCharacter { what });
    }
    Ok(text.to_owned())
}

given_id!(
    /// Which assistant is speaking.
    AgentId,
    "agent"
);
given_id!(
    /// Whose memory it is.
    UserId,
    "user"
);
given_id!(
    /// One conversation, as its client calls it. Two users may use the same name; see [`SessionKey`].
    SessionId,
    "session"
);

given_id!(
    /// What a user works on, across agents and conversations.
    ProjectId,
    "project"
);

/// The hard wall: nothing crosses it. Also a file name, hence the narrow alphabet.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
pub struct TenantId(String);

impl TenantId {
    /// The tenant of whoever sits at this machine.
    pub fn local() -> Self {
        Self("local".to_owned())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for TenantId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        let fits = (1..=limits::TENANT_ID_BYTES).contains(&text.len());
        let alphabet = text.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_'));
        let begins_well = text.starts_with(|c: char| c.is_ascii_alphanumeric());
        if fits && alphabet && begins_well {
            return Ok(Self(text.to_owned()));
        }
        Err(IdError::Tenant { given: crate::types::shown(text) })
    }
}

as_text!(TenantId);

macro_rules! made_id {
    ($(#[$doc:meta])* $name:ident, $what:literal, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            pub const PREFIX: &'static str = $prefix;

            pub fn from_uuid(uuid: Uuid) -> Self {
                Self(format!("{}{}", $prefix, uuid.hyphenated()))
            }

            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                let uuid = text.strip_prefix($prefix).and_then(|rest| Uuid::try_parse(rest).ok());
                uuid.map(Self::from_uuid).ok_or_else(|| IdError::Made {
                    what: $what,
                    prefix: $prefix,
                    given: $crate::types::shown(text),
                })
            }
        }

        as_text!($name);
    };
}

made_id!(MemoryId, "memory", "mt_");
made_id!(TurnId, "turn", "tu_");
made_id!(EpisodeId, "episode", "ep_");
made_id!(EntityId, "entity", "en_");
made_id!(RelationId, "relation", "re_");
made_id!(LinkId, "link", "li_");
made_id!(HeldId, "held candidate", "hc_");
made_id!(ProfileId, "profile version", "pf_");
made_id!(OverrideId, "override", "ov_");
made_id!(RunId, "run", "ru_");
made_id!(VeilId, "veil", "vl_");
made_id!(CrisisId, "crisis record", "cr_");

/// Whose memory, with which assistant.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Owner {
    pub agent: AgentId,
    pub user: UserId,
}

impl Owner {
    pub fn unnamed() -> Self {
        Self { agent: AgentId::unnamed(), user: UserId::unnamed() }
    }
}

/// A session's full name. Clients count their conversations from one, so the session id alone would let two users
/// of the same tenant fall into one conversation.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct SessionKey {
    pub agent: AgentId,
    pub user: UserId,
    pub session: SessionId,
}

/// A conversation among those of all tenants.
pub type TenantSession = (TenantId, SessionKey);

impl SessionKey {
    pub fn new(owner: &Owner, session: SessionId) -> Self {
        Self { agent: owner.agent.clone(), user: owner.user.clone(), session }
    }

    pub fn owner(&self) -> Owner {
        Owner { agent: self.agent.clone(), user: self.user.clone() }
    }
}

/// The key as one string. The separator is a control character, which no given id may contain.
impl fmt::Display for SessionKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}\u{1f}{}\u{1f}{}", self.agent, self.user, self.session)
    }
}

impl FromStr for SessionKey {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        let mut parts = text.split('\u{1f}');
        let mut part = || parts.next().unwrap_or_default();
        Ok(Self { agent: part().parse()?, user: part().parse()?, session: part().parse()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn given_ids_are_checked_when_they_enter() {
        assert_eq!("  ada ".parse::<UserId>().expect("trimmed").as_str(), "ada");
        assert!(matches!("".parse::<AgentId>(), Err(IdError::Empty { what: "agent" })));
        assert!(matches!("a\nb".parse::<UserId>(), Err(IdError::ControlCharacter { .. })));
        let long = "x".repeat(limits::GIVEN_ID_BYTES + 1);
        assert!(matches!(long.parse::<SessionId>(), Err(IdError::TooLong { .. })));
    }

    #[test]
    fn tenants_cannot_leave_their_folder() {
        for bad in ["", "../x", "A", "a/b", "-a", ".", "ä", "a b"] {
            assert!(bad.parse::<TenantId>().is_err(), "{bad:?} must not name a tenant");
        }
        assert!("team-7_eu".parse::<TenantId>().is_ok());
    }

    #[test]
    fn made_ids_carry_their_kind() {
        let id = MemoryId::from_uuid(Uuid::now_v7());
        assert!(id.as_str().starts_with("mt_"));
        assert_eq!(id.as_str().parse::<MemoryId>().expect("round trip"), id);
        assert!(id.as_str().parse::<TurnId>().is_err());
    }

    #[test]
    fn a_session_key_survives_being_text() {
        let key = SessionKey::new(&Owner::unnamed(), "one".parse().expect("an id"));
        assert_eq!(key.to_string().parse::<SessionKey>().expect("round trip"), key);
    }
}
