//! Authentication: the only maker of a [`Pass`], without which no tenant's store opens.
//!
//! `Pass` has private fields, so code outside this file cannot write one down, nor change one that it was given:
//!
//! ```compile_fail,E0451
//! fn forged(given: store::Pass) -> store::Pass {
//!     store::Pass { tenant: memory::types::TenantId::local(), ..given }
//! }
//! ```
//!
//! ```compile_fail,E0616
//! fn promoted(mut given: store::Pass) -> store::Pass {
//!     given.role = store::Role::Operator;
//!     given
//! }
//! ```

use std::fmt;
use std::str::FromStr;

use memory::error::StoreError;
use memory::types::{AgentId, KeyBounds, TenantId, Time, UnknownWord, UserId};
use serde::{Deserialize, Serialize};

use crate::keys::{KeyId, KeyUser, Ring};
use crate::secret::KeySecret;
use crate::tenants::Tenants;

/// What a caller shows.
#[derive(Debug, Clone)]
pub enum Credential {
    /// A request from this very machine, while no key exists.
    Loopback,
    /// Whoever can open the data folder: the command line, and the server's socket that only its owner may use.
    Operator { tenant: TenantId },
    /// A key, which says itself to which tenant it belongs.
    Key(KeySecret),
}

/// What a caller may do; each may what those before it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Ask, and change nothing.
    Read,
    /// Everything about memories.
    Memory,
    /// The tenant's settings, agents and keys too.
    Admin,
    /// What reaches beyond one tenant. No key gives it.
    Operator,
}

impl Role {
    pub fn as_str(self) -> &'static str {
        match self {
            Role::Read => "read",
            Role::Memory => "memory",
            Role::Admin => "admin",
            Role::Operator => "operator",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

/// Reads the roles that a key may have.
impl FromStr for Role {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        let given = [Role::Read, Role::Memory, Role::Admin];
        let expected = "read, memory, admin".to_owned();
        let unknown = || UnknownWord { what: "role", given: memory::error::shown(text), expected };
        given.into_iter().find(|role| role.as_str() == text.trim()).ok_or_else(unknown)
    }
}

/// Proof that a caller may use a tenant, and how far.
#[derive(Debug, Clone)]
pub struct Pass {
    tenant: TenantId,
    role: Role,
    agents: Option<Vec<AgentId>>,
    user: KeyUser,
    shares_user: bool,
    holder: Holder,
}

/// Who holds a pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Holder {
    Loopback,
    Operator,
    Key(KeyId),
}

impl Holder {
    /// As the record of decisions names them.
    pub fn as_str(&self) -> &str {
        match self {
            Holder::Loopback => "loopback",
            Holder::Operator => "operator",
            Holder::Key(id) => id.as_str(),
        }
    }
}

impl Pass {
    pub fn tenant(&self) -> &TenantId {
        &self.tenant
    }

    pub fn role(&self) -> Role {
        self.role
    }

    /// The only agents that the caller may speak for; none means all.
    pub fn agents(&self) -> Option<&[AgentId]> {
        self.agents.as_deref()
    }

    /// The only user whom the caller may speak for; none means anybody.
    pub fn user(&self) -> Option<&UserId> {
        self.user.only()
    }

    /// How far the caller sees, whatever is asked.
    pub fn bounds(&self) -> KeyBounds {
        KeyBounds {
            agents: self.agents.clone().unwrap_or_default(),
            user: self.user.only().cloned(),
            shares_user: self.shares_user,
        }
    }

    pub fn holder(&self) -> &Holder {
        &self.holder
    }
}

/// Why a caller got no pass.
#[derive(Debug, thiserror::Error)]
pub enum Denied {
    #[error("keys exist, and none is shown")]
    NoKey,
    #[error("the key is mistyped or cut off: its last characters do not fit the rest")]
    Malformed,
    #[error("there is no such key")]
    UnknownKey,
    #[error("the key expired")]
    Expired { id: KeyId, tenant: TenantId },
    #[error("the key was revoked")]
    Revoked { id: KeyId, tenant: TenantId },
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Denied {
    /// One word for the record.
    pub fn reason(&self) -> &'static str {
        match self {
            Denied::NoKey => "no_key",
            Denied::Malformed => "malformed_key",
            Denied::UnknownKey => "unknown_key",
            Denied::Expired { .. } => "expired_key",
            Denied::Revoked { .. } => "revoked_key",
            Denied::Store(_) => "store_failed",
        }
    }

    /// The key that was shown and its tenant, where it was a real one.
    pub fn key(&self) -> Option<(&KeyId, &TenantId)> {
        match self {
            Denied::Expired { id, tenant } | Denied::Revoked { id, tenant } => Some((id, tenant)),
            _ => None,
        }
    }
}

impl Tenants {
    /// Looks at what the caller shows and says which tenant it opens.
    pub async fn authenticate(&self, credential: Credential) -> Result<Pass, Denied> {
        self.authenticate_at(credential, self.clock().now()).await
    }

    /// The same by another clock, which decides what has expired.
    pub async fn authenticate_at(&self, credential: Credential, now: Time) -> Result<Pass, Denied> {
        match credential {
            Credential::Operator { tenant } => Ok(Pass::whole(tenant, Role::Operator, Holder::Operator)),
            Credential::Loopback if self.needs_key().await? => Err(Denied::NoKey),
            Credential::Loopback => Ok(Pass::whole(TenantId::local(), Role::Admin, Holder::Loopback)),
            Credential::Key(secret) if !secret.is_well_formed() => Err(Denied::Malformed),
            Credential::Key(secret) => Pass::by_key(&*self.control().ring().await?, &secret, now),
        }
    }
}

impl Pass {
    fn whole(tenant: TenantId, role: Role, holder: Holder) -> Self {
        Self { tenant, role, agents: None, user: KeyUser::Anybody, shares_user: false, holder }
    }

    fn by_key(ring: &Ring, secret: &KeySecret, now: Time) -> Result<Self, Denied> {
        let key = ring.find(secret).ok_or(Denied::UnknownKey)?;
        let (id, tenant) = (key.id.clone(), key.tenant.clone());
        if key.revoked_at.is_some() {
            return Err(Denied::Revoked { id, tenant });
        }
        if key.is_expired(now) {
            return Err(Denied::Expired { id, tenant });
        }
        Ok(Self {
            tenant,
            role: key.role,
            agents: key.agents.clone(),
            user: key.user.clone(),
            shares_user: key.shares_user,
            holder: Holder::Key(id),
        })
    }
}
