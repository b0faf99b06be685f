//! Keys: make, list, revoke. Whoever administers a tenant does so for its keys; the operator for all.

use memory::types::{AgentId, TenantId, Time};
use serde::{Deserialize, Serialize};
use store::{ApiKey, KeyId, KeySecret, KeyUser, NewKey, Role};

use super::{Caller, OpContext, Services};
use crate::problem::{Code, Problem};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyCreate {
    pub role: Role,
    /// What it is for, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The only agents that it may speak for; none means all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<AgentId>,
    /// Whose memory it speaks for: one user's id, or `*` for anybody. A user of its own when nobody says; with the role admin
    /// anybody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<KeyUser>,
    /// Where agents are named: it sees what its user has with any agent, too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shares_user: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Time>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyCreated {
    /// The secret, which is shown this once.
    pub key: KeySecret,
    #[serde(flatten)]
    pub row: KeyRow,
    /// Until now requests needed no key; from now on they do.
    pub first: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct KeysList {
    /// Those of all tenants.
    pub everywhere: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeysListed {
    /// The newest first.
    pub keys: Vec<KeyRow>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyRevoke {
    pub id: KeyId,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyRevoked {
    #[serde(flatten)]
    pub row: KeyRow,
    /// No key is left, and requests still need one until the operator says otherwise.
    pub last: bool,
}

/// Requests from this machine need no key any more.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct KeysOpen {}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeysOpened {
    /// False when they needed none before.
    pub changed: bool,
}

/// A key as it is shown: all of it but the secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyRow {
    #[serde(flatten)]
    pub key: ApiKey,
    pub status: KeyStatus,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyStatus {
    Active,
    Expired,
    Revoked,
}

impl KeyRow {
    fn new(key: ApiKey, now: Time) -> Self {
        let status = match (&key.revoked_at, key.is_expired(now)) {
            (Some(_), _) => KeyStatus::Revoked,
            (None, true) => KeyStatus::Expired,
            (None, false) => KeyStatus::Active,
        };
        Self { key, status }
    }
}

pub(super) async fn create(visit: &OpContext<'_>, request: KeyCreate) -> Result<Box<KeyCreated>, Problem> {
    let tenants = visit.house.tenants();
    let first = !tenants.needs_key().await?;
    let new = NewKey {
        tenant: visit.tenant.id().clone(),
        role: request.role,
        name: request.name.unwrap_or_default(),
        agents: Some(request.agents).filter(|agents| !agents.is_empty()),
        user: request.user,
        shares_user: request.shares_user,
        expires_at: request.expires_at,
    };
    let (key, row) = tenants.create_key(new, visit.house.clock.uuid(), visit.now).await?;
    Ok(Box::new(KeyCreated { key, row: KeyRow::new(row, visit.now), first }))
}

pub(super) async fn list(visit: &OpContext<'_>, request: KeysList) -> Result<KeysListed, Problem> {
    let tenant = (!request.everywhere).then(|| visit.tenant.id());
    let keys = visit.house.tenants().keys(tenant).await?;
    Ok(KeysListed { keys: keys.into_iter().map(|key| KeyRow::new(key, visit.now)).collect() })
}

pub(super) async fn revoke(visit: &OpContext<'_>, request: KeyRevoke) -> Result<Box<KeyRevoked>, Problem> {
    let tenants = visit.house.tenants();
    let Some(key) = tenants.revoke_key(&request.id, own_tenant(visit), visit.now).await? else {
        let message = format!("there is no key {}", request.id);
        return Err(Problem::new(Code::NotFound, message).hint("`recollect keys list` shows what there is"));
    };
    let last = !tenants.has_standing_key().await?;
    Ok(Box::new(KeyRevoked { row: KeyRow::new(key, visit.now), last }))
}

pub(super) async fn open(visit: &OpContext<'_>, _: KeysOpen) -> Result<KeysOpened, Problem> {
    let tenants = visit.house.tenants();
    let changed = tenants.needs_key().await?;
    tenants.open_door().await?;
    Ok(KeysOpened { changed })
}

/// The tenant whose keys the caller may touch; none means all.
fn own_tenant<'v>(visit: &'v OpContext<'_>) -> Option<&'v TenantId> {
    (visit.caller.role() < Role::Operator).then(|| visit.tenant.id())
}

impl Services {
    /// For whom a key of the caller's tenant speaks. To who speaks for one user, the keys of other users are not there.
    pub(crate) async fn user_of_key(
        &self,
        caller: &Caller,
        wanted: &str,
    ) -> Result<Option<KeyUser>, Problem> {
        let keys = self.tenants().keys(Some(caller.tenant())).await?;
        let user = keys.into_iter().find(|key| key.id.as_str() == wanted).map(|key| key.user);
        let is_anothers = |user: &KeyUser| match (caller.user(), user.only()) {
            (Some(own), Some(only)) => own != only,
            _ => false,
        };
        Ok(user.filter(|user| !is_anothers(user)))
    }
}
