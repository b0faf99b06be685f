//! Checks a backup without believing anything it says: every file is there, has the bytes it had, is a database that its own engine
//! finds whole, says of itself what the manifest says, and is none that this program is too old for.

use std::collections::HashSet;
use std::os::unix::fs::MetadataExt;

use rusqlite::Connection;

use super::catalogue::Generation;
use super::{
    BackupEntry, BackupError, BackupProgress, BackupResult, EntryKind, Manifest, at, copy, files, sql_at,
};
use crate::migrate;

/// Files that were found whole: those of several backups may be one and the same file.
#[derive(Debug, Default)]
pub struct Checked(HashSet<(u64, u64, String)>);

/// Checks a whole backup, and gives its manifest if it can be relied upon.
pub fn verify(
    generation: &Generation,
    checked: &mut Checked,
    progress: &mut BackupProgress<'_>,
) -> BackupResult<Manifest> {
    let manifest = generation.manifest()?;
    for entry in &manifest.files {
        progress(&entry.path, 0);
        check(generation, entry, checked, progress)?;
    }
    Ok(manifest)
}

fn check(
    generation: &Generation,
    entry: &BackupEntry,
    checked: &mut Checked,
    progress: &mut BackupProgress<'_>,
) -> BackupResult<()> {
    must_be_known(entry)?;
    let path = generation.folder.join(&entry.path);
    let damaged =
        |what: String| BackupError::Damaged(format!("the backup {}: {} {what}", generation.name, entry.path));
    let found = std::fs::metadata(&path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => damaged("is missing".to_owned()),
        _ => at(&path)(error),
    })?;
    if found.len() != entry.bytes {
        return Err(damaged(format!("has {} bytes instead of {}", found.len(), entry.bytes)));
    }
    let key = (found.dev(), found.ino(), entry.sha256.clone());
    if checked.0.contains(&key) {
        progress("", entry.bytes);
        return Ok(());
    }
    let (_, sha256) = files::hash(&path, progress)?;
    if sha256 != entry.sha256 {
        return Err(damaged("does not have the bytes it had".to_owned()));
    }
    if matches!(entry.kind, EntryKind::Control | EntryKind::Tenant) {
        let connection = copy::open_copy(&path)?;
        let facts = copy::facts(&connection, &path)?;
        if (Some(facts.schema_version), facts.change_number) != (entry.schema_version, entry.change_number) {
            return Err(damaged("is not what the manifest says of it".to_owned()));
        }
        if !is_whole(&connection).map_err(|error| sql_at(&path, error))? {
            return Err(damaged("is a damaged database".to_owned()));
        }
    }
    checked.0.insert(key);
    Ok(())
}

/// Whether SQLite finds nothing wrong with it, rows and indexes compared.
fn is_whole(connection: &Connection) -> rusqlite::Result<bool> {
    let said: String = connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    Ok(said == "ok")
}

/// A database of a newer program is refused before it is looked into.
fn must_be_known(entry: &BackupEntry) -> BackupResult<()> {
    let known = match entry.kind {
        EntryKind::Control => migrate::CONTROL.len(),
        EntryKind::Tenant => migrate::TENANT.len(),
        EntryKind::Other | EntryKind::Config => return Ok(()),
    };
    let version = entry.schema_version.unwrap_or(0);
    if version as usize > known {
        let message = format!(
            "{} has schema version {version}, and this program knows versions up to {known}",
            entry.path
        );
        return Err(BackupError::Newer(message));
    }
    Ok(())
}
