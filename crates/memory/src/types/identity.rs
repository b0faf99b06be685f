//! Who the user is, across agents: a generated, versioned profile, and the overrides that are always shown.

use serde::{Deserialize, Serialize};

use super::{Origin, OverrideId, ProfileId, Time, UserId};

/// One generation of the profile. The newest is the profile.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
    pub origin: Origin,
    pub created_at: Time,
}

/// A statement that is always shown, whatever the gate says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Override {
    pub id: OverrideId,
    pub version: u64,
    pub user: UserId,
    pub text: String,
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
