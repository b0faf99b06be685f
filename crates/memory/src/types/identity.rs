//! Who the user is, across agents: a generated, versioned profile, and the overrides that are always shown.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{MemoryId, Origin, OverrideId, ProfileId, Time, UserId};

/// One generation of the profile. The newest is the profile.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProfileVersion {
    pub id: ProfileId,
    pub version: u64,
    pub user: UserId,
    /// 1 for the first profile of the user, and so on.
    pub number: u64,
    pub text: String,
    /// What changed against the version before, line by line.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub difference: String,
    /// For each line of the text, the memories that it rests on; none for a line that a person wrote.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<Vec<MemoryId>>,
    /// What a person made of the profile, which every generation keeps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edited: Option<Edited>,
    /// When it was last compared with what is known and found to say it all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checked_at: Option<Time>,
    pub origin: Origin,
    pub created_at: Time,
}

/// A person's say about the profile, carried from version to version until they hand it back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Edited {
    /// When it was said; only what was learned later is added.
    pub at: Time,
    /// How many of the text's first lines are theirs, and stay as they are.
    pub lines: usize,
    /// Lines that they took out, and that do not come back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<String>,
}

/// A statement that is always shown, whatever the gate says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Override {
    pub id: OverrideId,
    pub version: u64,
    pub user: UserId,
    pub text: String,
    /// The memory that a machine made it from; it stands as long as that one does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<MemoryId>,
    pub origin: Origin,
    pub created_at: Time,
}

/// The user's profile and overrides, as one reads them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Identity {
    pub user: UserId,
    pub profile: Option<ProfileVersion>,
    pub overrides: Vec<Override>,
}
