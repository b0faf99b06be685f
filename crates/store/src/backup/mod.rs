//! Backups: the whole data folder as it can be brought back, made while others write, and checked before it is trusted.
//!
//! A backup is a folder of its own, `DIR/TIME/`, that is complete or not there: it is filled under another name and renamed
//! when everything in it is on the disk. `create` makes one, `copy` copies one database at one moment, `catalogue` is the folder of all
//! backups, `verify` believes nothing, `restore` brings a whole folder back and `single_tenant` one of them, `purged` keeps away
//! what was purged since.
//!
//! The control database is copied first and the tenants that it knows afterwards, so that a key in a backup never speaks of
//! a tenant that is missing in it. Each database is of one moment; two databases may be of moments some seconds apart.

mod catalogue;
mod copy;
mod create;
mod files;
mod purged;
mod restore;
mod single_tenant;
mod verify;

use std::io;
use std::path::{Path, PathBuf};

use memory::error::StoreError;
use memory::types::{TenantId, Time};
use serde::{Deserialize, Serialize};

use crate::layout::{CONTROL, TENANTS, tenant_path};
pub use catalogue::{Generation, Shelf};
pub use create::{BackupSource, BackupTaken, take};
pub use purged::{PurgedCounts, foresee};
pub use restore::{RestoredBackup, Staged, Wanted, is_occupied, stage};
pub use verify::{Checked, verify};

/// The version of the manifest's shape; a program refuses one that it does not know.
const FORMAT_VERSION: u32 = 1;

/// What a manifest calls itself, so that no other JSON is taken for one.
const FORMAT: &str = "recollect-backup";

const MANIFEST: &str = "manifest.json";
/// The manifest's own hash, as `sha256sum -c` reads it.
const MANIFEST_HASH: &str = "manifest.sha256";

const OTHER: &str = "other";
const CONFIG: &str = "recollect.toml";

/// What a backup holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    pub format: String,
    pub version: u32,
    /// The version of the program that made it.
    pub program: String,
    /// When it began: everything that was acknowledged before is in it.
    pub made_at: Time,
    pub finished_at: Time,
    pub files: Vec<BackupEntry>,
}

/// One file of a backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupEntry {
    /// Below the backup's folder.
    pub path: String,
    pub kind: EntryKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<TenantId>,
    /// Of a database: the number of its last migration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema_version: Option<u32>,
    /// Of a tenant: the last number of its change log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change_number: Option<u64>,
    pub bytes: u64,
    pub sha256: String,
    /// When the copy was made; earlier than the backup where nothing had changed since.
    pub copied_at: Time,
    /// False where the file of an earlier backup stands for it.
    pub copied: bool,
    /// How the files looked that it was copied from, where that can show that nothing changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<String>,
    /// Of the configuration: where it lay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryKind {
    /// Tenants, keys, defaults of settings.
    Control,
    /// One tenant's memory.
    Tenant,
    /// Another file of the data folder.
    Other,
    /// The configuration file, which lies elsewhere and is not put back by itself.
    Config,
}

impl Manifest {
    /// Bytes of all files.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|entry| entry.bytes).sum()
    }

    /// How many tenants are in it.
    pub fn tenants(&self) -> usize {
        self.files.iter().filter(|entry| entry.tenant.is_some()).count()
    }
}

impl BackupEntry {
    /// Where it belongs in a data folder; nowhere where it lies outside of one.
    fn place(&self) -> Option<PathBuf> {
        match self.kind {
            EntryKind::Control | EntryKind::Tenant => Some(PathBuf::from(&self.path)),
            EntryKind::Other => self.path.strip_prefix("other/").map(PathBuf::from),
            EntryKind::Config => None,
        }
    }

    /// Whether the path is the one that we write for such an entry: a manifest must not lead out of its folder.
    fn is_sound(&self) -> bool {
        match (self.kind, &self.tenant) {
            (EntryKind::Control, None) => self.path == CONTROL,
            (EntryKind::Tenant, Some(tenant)) => self.path == tenant_path(tenant),
            (EntryKind::Other, None) => self.path.strip_prefix("other/").is_some_and(is_plain_name),
            (EntryKind::Config, None) => self.path == CONFIG,
            _ => false,
        }
    }
}

/// A single name that stays where it is put.
fn is_plain_name(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    let first = parts.next();
    matches!(first, Some(std::path::Component::Normal(_))) && parts.next().is_none() && !name.contains('/')
}

/// How far something long has come: what it is at, and bytes done since the last word.
pub type BackupProgress<'p> = dyn FnMut(&str, u64) + 'p;

/// Why there is no backup, or why one was not restored, by what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// Make room, or set permissions right.
    #[error("{path}: {error}")]
    File { path: PathBuf, error: io::Error },
    /// Use another backup.
    #[error("{0}")]
    Damaged(String),
    /// Use a newer program.
    #[error("{0}")]
    Newer(String),
    /// See to the data itself.
    #[error("{0}")]
    Broken(String),
    /// Ask otherwise.
    #[error("{message}")]
    Refused { message: String, hint: &'static str },
    /// There is none.
    #[error("{0}")]
    Nothing(String),
    /// Wait for somebody else.
    #[error("{0}")]
    Busy(String),
    #[error(transparent)]
    Store(#[from] StoreError),
}

pub type BackupResult<T> = Result<T, BackupError>;

/// Names the file with the error.
fn at(path: &Path) -> impl FnOnce(io::Error) -> BackupError {
    let path = path.to_owned();
    move |error| BackupError::File { path, error }
}

/// An error of SQLite about one file.
fn sql_at(path: &Path, error: rusqlite::Error) -> BackupError {
    use rusqlite::ErrorCode;
    let path = path.to_owned();
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => BackupError::File { path, error: io::ErrorKind::StorageFull.into() },
        Some(ErrorCode::CannotOpen) => {
            BackupError::File { path, error: io::Error::other("cannot be opened") }
        }
        Some(ErrorCode::SystemIoFailure) => {
            BackupError::File { path, error: io::Error::other("the disk refused to read or write") }
        }
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => {
            BackupError::Damaged(format!("{} is damaged, or not a database", path.display()))
        }
        _ => crate::sqlite::failed(error).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_leads_nowhere_else() {
        let entry = |kind, path: &str, tenant: Option<&str>| BackupEntry {
            path: path.to_owned(),
            kind,
            tenant: tenant.map(|tenant| tenant.parse().expect("a tenant")),
            schema_version: None,
            change_number: None,
            bytes: 0,
            sha256: String::new(),
            copied_at: Time::from_microseconds(0),
            copied: true,
            seen: None,
            from: None,
        };
        assert!(entry(EntryKind::Control, "control.sqlite3", None).is_sound());
        assert!(entry(EntryKind::Tenant, "tenants/local.sqlite3", Some("local")).is_sound());
        assert!(entry(EntryKind::Other, "other/secret", None).is_sound());
        for path in ["other/../x", "other/a/b", "other/", "other/.", "other//etc/passwd", "/etc/passwd"] {
            assert!(!entry(EntryKind::Other, path, None).is_sound(), "{path}");
        }
        assert!(!entry(EntryKind::Tenant, "tenants/other.sqlite3", Some("local")).is_sound());
        assert!(!entry(EntryKind::Tenant, "tenants/../x.sqlite3", None).is_sound());
        assert!(!entry(EntryKind::Control, "../control.sqlite3", None).is_sound());
    }
}
