//! Keys: made, listed, revoked; and the ring of all of them in memory, by which a secret is recognised.
//!
//! A secret's first characters are kept readable; they find the row, and the hash of the whole is compared in constant
//! time.
//!
//! The [`Ring`] is a follower: before it answers it reads one number of the control database, and all keys again if
//! that has risen. So a key that another process made or revoked counts for the very next request.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use memory::error::{Invalid, StoreError, StoreResult};
use memory::types::{AgentId, IdError, TenantId, Time, UserId};
use parking_lot::Mutex;
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq;
use uuid::Uuid;

use crate::control::Control;
use crate::door;
use crate::limits;
use crate::pass::Role;
use crate::secret::{KeySecret, SECRET_MARK, fill};
use crate::tenants::Tenants;

/// A key's name for people and logs: `key_` and a UUIDv7.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct KeyId(String);

/// A key as it may be shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApiKey {
    pub id: KeyId,
    /// The secret's first characters.
    pub prefix: String,
    pub tenant: TenantId,
    pub role: Role,
    pub name: String,
    /// The only agents it may speak for; none means all.
    pub agents: Option<Vec<AgentId>>,
    /// Whose memory it speaks for.
    pub user: KeyUser,
    /// Where it has agents: whether it sees what its user has with any agent.
    pub shares_user: bool,
    pub created_at: Time,
    pub expires_at: Option<Time>,
    pub revoked_at: Option<Time>,
    /// To the minute or so.
    pub last_used_at: Option<Time>,
}

/// A key that is to be made.
#[derive(Debug, Clone)]
pub struct NewKey {
    pub tenant: TenantId,
    pub role: Role,
    pub name: String,
    pub agents: Option<Vec<AgentId>>,
    /// None gives it a user of its own; one that administers speaks for anybody.
    pub user: Option<KeyUser>,
    pub shares_user: bool,
    pub expires_at: Option<Time>,
}

/// Whose memory a key speaks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum KeyUser {
    /// Whoever a request names; `default` where it names nobody.
    Anybody,
    One(UserId),
}

impl KeyUser {
    pub const ANYBODY: &str = "*";

    /// The only user it may speak for.
    pub fn only(&self) -> Option<&UserId> {
        match self {
            KeyUser::Anybody => None,
            KeyUser::One(user) => Some(user),
        }
    }
}

impl fmt::Display for KeyUser {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.only().map_or(Self::ANYBODY, UserId::as_str))
    }
}

impl FromStr for KeyUser {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        if text.trim() == Self::ANYBODY {
            return Ok(KeyUser::Anybody);
        }
        text.parse().map(KeyUser::One)
    }
}

impl TryFrom<String> for KeyUser {
    type Error = IdError;

    fn try_from(text: String) -> Result<Self, IdError> {
        text.parse()
    }
}

impl From<KeyUser> for String {
    fn from(user: KeyUser) -> String {
        user.to_string()
    }
}

impl ApiKey {
    pub fn is_expired(&self, now: Time) -> bool {
        self.expires_at.is_some_and(|end| end <= now)
    }
}

impl KeyId {
    const MARK: &str = "key_";

    fn from_uuid(uuid: Uuid) -> Self {
        Self(format!("{}{}", Self::MARK, uuid.hyphenated()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for KeyId {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        let uuid = text.trim().strip_prefix(Self::MARK).and_then(|uuid| Uuid::try_parse(uuid).ok());
        uuid.map(Self::from_uuid).ok_or_else(|| {
            let given = memory::error::shown(text);
            // A secret given by mistake must not come back in an error that somebody logs.
            let given = if given.starts_with(SECRET_MARK) {
                "the key itself".to_owned()
            } else {
                format!("`{given}`")
            };
            Invalid::new(format!("{given} is not a key's id; expected `{}` and a UUID", Self::MARK))
        })
    }
}

impl TryFrom<String> for KeyId {
    type Error = Invalid;

    fn try_from(text: String) -> Result<Self, Invalid> {
        text.parse()
    }
}

impl From<KeyId> for String {
    fn from(id: KeyId) -> String {
        id.0
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// All keys, as they stood at one generation.
#[derive(Debug, Default)]
pub struct Ring {
    generation: i64,
    /// By the readable beginning of their secrets.
    by_prefix: HashMap<String, Vec<HashedKey>>,
    /// Whether requests must show one.
    pub(crate) is_needed: bool,
}

#[derive(Debug)]
struct HashedKey {
    key: ApiKey,
    salt: Vec<u8>,
    hash: Vec<u8>,
}

impl Ring {
    /// The key whose secret this is. Hashes are compared in constant time, so that how long it takes tells nothing about
    /// how nearly somebody guessed.
    pub(crate) fn find(&self, secret: &KeySecret) -> Option<&ApiKey> {
        let mut alike = self.by_prefix.get(secret.prefix())?.iter();
        alike.find(|held| secret.hash(&held.salt).ct_eq(&held.hash).into()).map(|held| &held.key)
    }

    fn read(connection: &Connection, generation: i64) -> rusqlite::Result<Self> {
        let mut statement =
            connection.prepare_cached(&format!("SELECT {COLUMNS}, salt, hash FROM api_key"))?;
        let held = |row: &Row<'_>| Ok(HashedKey { key: key(row)?, salt: row.get(12)?, hash: row.get(13)? });
        let is_needed = door::is_shut(connection)?;
        let mut ring = Ring { generation, is_needed, ..Ring::default() };
        for held in statement.query_map([], held)? {
            let held = held?;
            // A key that stands is needed, whatever became of the door.
            ring.is_needed |= held.key.revoked_at.is_none();
            ring.by_prefix.entry(held.key.prefix.clone()).or_default().push(held);
        }
        Ok(ring)
    }
}

const COLUMNS: &str = "id, prefix, tenant, role, name, agents, created_at, expires_at, revoked_at, last_used_at, user, shares_user";

fn key(row: &Row<'_>) -> rusqlite::Result<ApiKey> {
    let agents: Option<String> = row.get(5)?;
    Ok(ApiKey {
        id: KeyId(row.get(0)?),
        prefix: row.get(1)?,
        tenant: parsed(row, 2)?,
        role: parsed(row, 3)?,
        name: row.get(4)?,
        agents: agents
            .map(|agents| serde_json::from_str(&agents))
            .transpose()
            .map_err(|error| unread(5, error))?,
        user: parsed(row, 10)?,
        shares_user: row.get(11)?,
        created_at: parsed(row, 6)?,
        expires_at: maybe(row, 7)?,
        revoked_at: maybe(row, 8)?,
        last_used_at: maybe(row, 9)?,
    })
}

/// A stored word. One that does not read is an error and never a key with other rights.
pub(crate) fn parsed<T: FromStr<Err: std::error::Error + Send + Sync + 'static>>(
    row: &Row<'_>,
    column: usize,
) -> rusqlite::Result<T> {
    row.get::<_, String>(column)?.parse().map_err(|error| unread(column, error))
}

pub(crate) fn maybe<T: FromStr<Err: std::error::Error + Send + Sync + 'static>>(
    row: &Row<'_>,
    column: usize,
) -> rusqlite::Result<Option<T>> {
    let text: Option<String> = row.get(column)?;
    text.map(|text| text.parse().map_err(|error| unread(column, error))).transpose()
}

fn unread(column: usize, error: impl std::error::Error + Send + Sync + 'static) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, Box::new(error))
}

impl Control {
    /// The keys as they stand now, in whichever process they were changed.
    ///
    /// One row that lies in memory, read in microseconds: where nobody holds the connection it is read here, because the way
    /// to another thread and back would take longer than all else that is done for a request.
    pub(crate) async fn ring(&self) -> StoreResult<Arc<Ring>> {
        let here = self.try_with(|connection| current(connection, &self.ring));
        if let Some(Ok(ring)) = here {
            return Ok(ring);
        }
        let kept = Arc::clone(&self.ring);
        self.with(move |connection| current(connection, &kept)).await
    }
}

fn current(connection: &Connection, kept: &Mutex<Arc<Ring>>) -> rusqlite::Result<Arc<Ring>> {
    let generation: i64 =
        connection.prepare_cached("SELECT number FROM key_generation")?.query_row([], |row| row.get(0))?;
    let mut kept = kept.lock();
    if kept.generation != generation {
        // The number was read before the rows: rows that are newer than it are only read once more.
        *kept = Arc::new(Ring::read(connection, generation)?);
    }
    Ok(Arc::clone(&kept))
}

impl Tenants {
    /// Whether requests must show a key: from the first one on, until the operator says otherwise.
    pub async fn needs_key(&self) -> StoreResult<bool> {
        Ok(self.control().ring().await?.is_needed)
    }

    /// Makes a key; the secret is known to nobody but the caller from here on.
    pub async fn create_key(&self, new: NewKey, id: Uuid, now: Time) -> StoreResult<(KeySecret, ApiKey)> {
        let new = checked(new, now)?;
        let id = KeyId::from_uuid(id);
        let user = match (new.user, new.role) {
            (Some(user), _) => user,
            (None, Role::Admin) => KeyUser::Anybody,
            (None, _) => self.own_user(&new.tenant, &new.name, &id).await?,
        };
        let secret = KeySecret::random()?;
        let mut salt = vec![0; 16];
        fill(&mut salt)?;
        let hash = secret.hash(&salt);
        let key = ApiKey {
            id,
            prefix: secret.prefix().to_owned(),
            tenant: new.tenant,
            role: new.role,
            name: new.name,
            agents: new.agents,
            user,
            shares_user: new.shares_user,
            created_at: now,
            expires_at: new.expires_at,
            revoked_at: None,
            last_used_at: None,
        };
        let kept = key.clone();
        self.mark_key()?;
        let made = self.control().with(move |connection| insert(connection, &kept, &salt, &hash)).await?;
        if !made {
            let message = format!("there are {} keys, and no more are kept", limits::KEYS);
            return Err(Invalid::new(message).into());
        }
        Ok((secret, key))
    }

    /// The user of a key to whom none is given: called as the key is, unless the name is no id or another key's user is
    /// called so; then as the key's id.
    async fn own_user(&self, tenant: &TenantId, name: &str, id: &KeyId) -> StoreResult<KeyUser> {
        let named = name.parse::<KeyUser>().ok().filter(|user| user.only().is_some());
        let taken = self.keys(Some(tenant)).await?;
        match named.filter(|user| taken.iter().all(|key| key.user != *user)) {
            Some(user) => Ok(user),
            None => id.as_str().parse().map_err(|error: IdError| StoreError::Failed(error.to_string())),
        }
    }

    /// All keys, or those of one tenant; the newest first.
    pub async fn keys(&self, tenant: Option<&TenantId>) -> StoreResult<Vec<ApiKey>> {
        let tenant = tenant.map(|tenant| tenant.as_str().to_owned());
        let sql = format!("SELECT {COLUMNS} FROM api_key WHERE ?1 IS NULL OR tenant = ?1 ORDER BY id DESC");
        self.control()
            .with(move |connection| connection.prepare_cached(&sql)?.query_map([tenant], key)?.collect())
            .await
    }

    /// Revokes a key, of any tenant or of one alone; nothing where there is no such key. Once revoked, always revoked.
    pub async fn revoke_key(
        &self,
        id: &KeyId,
        tenant: Option<&TenantId>,
        now: Time,
    ) -> StoreResult<Option<ApiKey>> {
        let (id, tenant) = (id.as_str().to_owned(), tenant.map(|tenant| tenant.as_str().to_owned()));
        self.control()
            .with(move |connection| {
                connection
                    .prepare_cached(
                        "UPDATE api_key SET revoked_at = ?3
                         WHERE id = ?1 AND (?2 IS NULL OR tenant = ?2) AND revoked_at IS NULL",
                    )?
                    .execute(params![id, tenant, now.to_string()])?;
                let sql =
                    format!("SELECT {COLUMNS} FROM api_key WHERE id = ?1 AND (?2 IS NULL OR tenant = ?2)");
                connection.prepare_cached(&sql)?.query_row(params![id, tenant], key).optional()
            })
            .await
    }
}

/// Says false when there are as many as there may be.
fn insert(connection: &Connection, key: &ApiKey, salt: &[u8], hash: &[u8]) -> rusqlite::Result<bool> {
    let agents = key.agents.as_ref().map(|agents| serde_json::to_string(agents).expect("agents are text"));
    let mut statement = connection.prepare_cached(
        "INSERT INTO api_key (id, prefix, tenant, role, name, agents, created_at, expires_at, salt, hash,
                              user, shares_user)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12 WHERE (SELECT count(*) FROM api_key) < ?13",
    )?;
    door::write(connection, true)?;
    let rows = statement.execute(params![
        key.id.as_str(),
        key.prefix,
        key.tenant.as_str(),
        key.role.as_str(),
        key.name,
        agents,
        key.created_at.to_string(),
        key.expires_at.map(|time| time.to_string()),
        salt,
        hash,
        key.user.to_string(),
        key.shares_user,
        limits::KEYS as i64,
    ])?;
    Ok(rows == 1)
}

fn checked(mut new: NewKey, now: Time) -> Result<NewKey, Invalid> {
    new.name = new.name.trim().to_owned();
    if new.name.len() > limits::KEY_NAME_BYTES || new.name.chars().any(char::is_control) {
        let message = format!("expected at most {} bytes without control characters", limits::KEY_NAME_BYTES);
        return Err(Invalid::field("name", message));
    }
    if new.expires_at.is_some_and(|end| end <= now) {
        return Err(Invalid::field(
            "expires_at",
            "the key would be expired at once; expected a time to come",
        ));
    }
    if new.role == Role::Operator {
        return Err(Invalid::field("role", "no key makes an operator; expected read, memory or admin"));
    }
    if new.role == Role::Admin && new.user.as_ref().is_some_and(|user| user.only().is_some()) {
        // It could make itself a key that speaks for anybody.
        let message = "a key for one user cannot have the role admin, which is over all of them";
        return Err(Invalid::field("role", message).hint("choose read or memory, or name no user"));
    }
    if new.shares_user && new.agents.is_none() {
        let message = "a key that is bound to no agent sees what its user has with any agent anyway";
        return Err(Invalid::field("shares_user", message).hint("name agents, or leave it out"));
    }
    if let Some(agents) = &mut new.agents {
        agents.sort();
        agents.dedup();
        if agents.is_empty() || agents.len() > limits::KEY_AGENTS {
            let message =
                format!("{} agents are named; expected from 1 to {}", agents.len(), limits::KEY_AGENTS);
            return Err(Invalid::field("agents", message));
        }
        if new.role == Role::Admin {
            // It could make itself a key for all agents.
            let message = "a key for some agents cannot have the role admin, which is over all of them";
            return Err(Invalid::field("role", message).hint("choose read or memory, or name no agents"));
        }
    }
    Ok(new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_given_as_an_id_is_not_repeated() {
        let secret = KeySecret::random().expect("randomness");
        let refused = secret.reveal().parse::<KeyId>().expect_err("not an id");
        assert!(!refused.message.contains(&secret.reveal()[3..]), "{}", refused.message);
        let id = KeyId::from_uuid(Uuid::now_v7());
        assert_eq!(id.as_str().parse::<KeyId>().expect("round trip"), id);
    }
}
