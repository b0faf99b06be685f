//! Brings a data folder back: staged beside the one in use, then put in its place at one stroke.
//!
//! Until that stroke nothing of the folder in use is touched, and after it the old one lies beside the new one and is never deleted. A
//! process that is killed leaves one of the two in place. What it leaves beside is told apart by a mark: a folder with
//! the mark is a stage that was never finished and is removed by the next restore; one without may be what was replaced, and
//! is kept.

use std::fs::{File, TryLockError};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use memory::types::{TenantId, Time};
use rusqlite::OpenFlags;
use serde::Serialize;

use super::catalogue::{Generation, name_of};
use super::create::tenant_files;
use super::purged::{self, PurgedCounts};
use super::{
    BackupEntry, BackupError, BackupProgress, BackupResult, CONTROL, EntryKind, Manifest, TENANTS, at, copy,
    files, sql_at,
};
use crate::limits;
use crate::sqlite::{DatabasePlace, connect};
use crate::{TenantsOptions, WriteDurability, migrate};

/// A stage that is not finished has this file in it, locked by whoever fills it.
const MARK: &str = ".unfinished";

/// What a restore came to.
#[derive(Debug, Clone, Serialize)]
pub struct RestoredBackup {
    /// The backup's name.
    pub name: String,
    pub data: PathBuf,
    pub tenants: Vec<TenantId>,
    pub bytes: u64,
    /// Databases of an older version that were brought up to date.
    pub migrated: usize,
    /// What was purged after the backup was made.
    pub purged: PurgedCounts,
    /// Keys that were revoked after the backup was made, and are so again.
    pub keys_revoked: usize,
    /// Where the data lies that was there before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved_to: Option<PathBuf>,
}

/// A data folder that is complete, beside the one that it is to replace.
#[derive(Debug)]
pub struct Staged {
    pub(super) folder: PathBuf,
    pub(super) restored: RestoredBackup,
    /// When the stage was made: what it replaces is named after that.
    pub(super) made_at: Time,
    /// Held until the stage is finished, so that nobody tidies it away.
    mark: File,
}

/// What is to be brought back, and how.
pub struct Wanted<'w> {
    pub generation: &'w Generation,
    /// As it was verified.
    pub manifest: &'w Manifest,
    pub data: &'w Path,
    /// This tenant alone.
    pub tenant: Option<&'w TenantId>,
    /// How stores are opened, for what has to be written into the stage.
    pub options: TenantsOptions,
    /// What was purged since the backup comes back too.
    pub with_purged: bool,
}

/// Whether a data folder holds memory, which would be replaced.
pub fn is_occupied(data: &Path) -> BackupResult<bool> {
    Ok(data.join(CONTROL).exists() || !tenant_files(data)?.is_empty())
}

/// Makes the folder that is to be the new one. Nothing that is in use is changed.
pub async fn stage(wanted: Wanted<'_>, progress: &mut BackupProgress<'_>) -> BackupResult<Staged> {
    wanted.tenants()?;
    let data = std::path::absolute(wanted.data).map_err(at(wanted.data))?;
    files::make_folders(&files::parent(&data))?;
    must_be_replaceable(&data)?;
    tidy(&data, wanted.options.clock.now())?;
    must_be_alone(&data)?;
    let folder = files::beside(&data, &format!(".restoring-{}", wanted.options.clock.uuid().simple()));
    files::make_folder(&folder)?;
    let filled = fill(&wanted, &data, &folder, progress).await;
    if filled.is_err() {
        // What cannot be removed now, the next restore removes.
        let _ = std::fs::remove_dir_all(&folder);
    }
    filled
}

async fn fill(
    wanted: &Wanted<'_>,
    data: &Path,
    folder: &Path,
    progress: &mut BackupProgress<'_>,
) -> BackupResult<Staged> {
    let mark = files::create(&folder.join(MARK))?;
    mark.try_lock().map_err(|error| at(folder)(error.into()))?;
    files::make_folder(&folder.join(TENANTS))?;
    let mut restored = RestoredBackup {
        name: wanted.generation.name.clone(),
        data: data.to_owned(),
        tenants: Vec::new(),
        bytes: 0,
        migrated: 0,
        purged: PurgedCounts::default(),
        keys_revoked: 0,
        moved_to: None,
    };
    for entry in wanted.entries() {
        let Some(place) = entry.place() else { continue };
        let to = folder.join(place);
        progress(&entry.path, 0);
        put(&wanted.generation.folder.join(&entry.path), &to, entry, progress)?;
        restored.bytes += entry.bytes;
        restored.migrated += usize::from(bring_up_to_date(entry, &to)?);
        restored.tenants.extend(entry.tenant.clone());
    }
    for tenant in &restored.tenants {
        let gone = purged::since(data, folder, tenant)?;
        let gone = purged::settle(gone, folder, tenant, wanted).await?;
        restored.purged.add(&gone);
    }
    if wanted.tenant.is_none() {
        restored.keys_revoked = carry_over(data, folder)?;
    }
    settle(folder)?;
    Ok(Staged { folder: folder.to_owned(), restored, made_at: wanted.options.clock.now(), mark })
}

impl Wanted<'_> {
    /// The tenants that come back; none is no answer where one was named.
    pub fn tenants(&self) -> BackupResult<Vec<&TenantId>> {
        let tenants: Vec<&TenantId> = self.entries().filter_map(|entry| entry.tenant.as_ref()).collect();
        match self.tenant.filter(|_| tenants.is_empty()) {
            None => Ok(tenants),
            Some(missing) => {
                let known = self.manifest.files.iter().filter_map(|entry| entry.tenant.as_ref());
                let known: Vec<&str> = known.map(TenantId::as_str).collect();
                let name = &self.generation.name;
                let message =
                    format!("the backup {name} has no tenant `{missing}`, but {}", known.join(", "));
                Err(BackupError::Nothing(message))
            }
        }
    }

    fn entries(&self) -> impl Iterator<Item = &BackupEntry> {
        self.manifest.files.iter().filter(|entry| match self.tenant {
            Some(tenant) => entry.tenant.as_ref() == Some(tenant),
            None => true,
        })
    }
}

/// Copies a file, and compares once more: it may have changed since it was verified.
fn put(from: &Path, to: &Path, entry: &BackupEntry, progress: &mut BackupProgress<'_>) -> BackupResult<()> {
    let (_, sha256) = files::copy(from, to, progress)?;
    match sha256 == entry.sha256 {
        true => Ok(()),
        false => Err(BackupError::Damaged(format!("{} does not have the bytes it had", from.display()))),
    }
}

/// What is put in place opens in this version. Says whether there was anything to do.
fn bring_up_to_date(entry: &BackupEntry, path: &Path) -> BackupResult<bool> {
    let migrations = match entry.kind {
        EntryKind::Control => migrate::CONTROL,
        EntryKind::Tenant => migrate::TENANT,
        EntryKind::Other | EntryKind::Config => return Ok(false),
    };
    let mut connection = connect(&DatabasePlace::File(path.to_owned()), WriteDurability::Full)?;
    migrate::migrate(&mut connection, migrations)?;
    Ok((entry.schema_version.unwrap_or(0) as usize) < migrations.len())
}

/// What the control database in use knows better than its copy: which keys were revoked, or one would open doors again because
/// the data became older, and the key of the receipts that come along. Says how many keys of the copy were revoked once more.
fn carry_over(data: &Path, staged: &Path) -> BackupResult<usize> {
    let (current, control) = (data.join(CONTROL), staged.join(CONTROL));
    if !current.exists() || !control.exists() {
        return Ok(0);
    }
    let carry = || {
        let connection = copy::open(&current, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        let carry = || {
            connection.execute("ATTACH ?1 AS copy", [control.to_string_lossy()])?;
            let has = |table: &str| {
                let sql = "SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = ?1";
                connection.prepare(sql)?.exists([table])
            };
            if has("receipt_key")? {
                connection
                    .execute("INSERT OR IGNORE INTO copy.receipt_key SELECT * FROM main.receipt_key", [])?;
            }
            if !has("api_key")? {
                return Ok(0);
            }
            // One that is younger than this backup may be in the next that is restored.
            connection.execute(
                "INSERT INTO copy.api_key (id, tenant, role, name, agents, prefix, salt, hash, created_at,
                     expires_at, revoked_at, last_used_at)
                 SELECT id, tenant, role, name, agents, prefix, salt, hash, created_at, expires_at, revoked_at,
                     last_used_at
                 FROM main.api_key WHERE revoked_at IS NOT NULL AND id NOT IN (SELECT id FROM copy.api_key)",
                [],
            )?;
            connection.execute(
                "UPDATE copy.api_key SET revoked_at =
                     (SELECT revoked_at FROM main.api_key known WHERE known.id = copy.api_key.id)
                 WHERE revoked_at IS NULL
                 AND id IN (SELECT id FROM main.api_key WHERE revoked_at IS NOT NULL)",
                [],
            )
        };
        carry().map_err(|error| sql_at(&current, error))
    };
    match carry() {
        // A damaged database is what restores are for.
        Err(BackupError::Damaged(what)) => {
            tracing::warn!(what, "which keys were revoked cannot be read from the data that is replaced");
            Ok(0)
        }
        other => other,
    }
}

/// Everything in the stage is on the disk, and its owner's alone.
fn settle(folder: &Path) -> BackupResult<()> {
    for inner in [folder.to_owned(), folder.join(TENANTS)] {
        for entry in std::fs::read_dir(&inner).map_err(at(&inner))? {
            let entry = entry.map_err(at(&inner))?;
            if entry.file_type().is_ok_and(|kind| kind.is_file()) {
                files::settle(&entry.path())?;
            }
        }
        files::settle_folder(&inner)?;
    }
    Ok(())
}

impl Staged {
    /// Where it lies until it is in place.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What it holds.
    pub fn restored(&self) -> &RestoredBackup {
        &self.restored
    }

    /// Puts it in place of the data folder, which is kept beside it.
    pub fn install(self) -> BackupResult<RestoredBackup> {
        let Staged { folder, mut restored, made_at, mark } = self;
        let data = restored.data.clone();
        let aside = aside(&data, made_at);
        std::fs::remove_file(folder.join(MARK)).map_err(at(&folder))?;
        files::settle_folder(&folder)?;
        let is_there = std::fs::read_dir(&data).is_ok_and(|mut entries| entries.next().is_some());
        if is_there {
            let old = files::exchange(&folder, &data, &aside)?;
            if old != aside {
                std::fs::rename(&old, &aside).map_err(at(&aside))?;
            }
            restored.moved_to = Some(aside);
        } else {
            std::fs::rename(&folder, &data).map_err(at(&data))?;
        }
        files::settle_folder(&files::parent(&data))?;
        drop(mark);
        Ok(restored)
    }

    /// Takes the stage away again.
    pub fn discard(self) -> BackupResult<()> {
        std::fs::remove_dir_all(&self.folder).map_err(at(&self.folder))
    }
}

/// A name for what is replaced, that nothing has yet.
pub(super) fn aside(data: &Path, now: Time) -> PathBuf {
    let stamp = name_of(now);
    files::beside(data, &format!(".before-restore-{stamp}"))
}

/// A folder that other disks are mounted on cannot change its name.
fn must_be_replaceable(data: &Path) -> BackupResult<()> {
    let Ok(found) = std::fs::symlink_metadata(data) else { return Ok(()) };
    let refuse =
        |what: &str, hint| Err(BackupError::Refused { message: format!("{} {what}", data.display()), hint });
    if found.is_symlink() {
        return refuse("is a symbolic link, which cannot be exchanged", "name the folder that it points to");
    }
    if !found.is_dir() {
        return refuse("is not a folder", "name one with --data DIR");
    }
    let parent = files::parent(data);
    let above = std::fs::metadata(&parent).map_err(at(&parent))?;
    if above.dev() != found.dev() {
        return refuse(
            "is where a disk is mounted, which cannot be exchanged",
            "restore into a folder on that disk with --data DIR, and serve that",
        );
    }
    Ok(())
}

/// Nobody else has the store open. Everybody who has holds the control database, and SQLite says so. One that is too damaged to be
/// asked is nobody's.
fn must_be_alone(data: &Path) -> BackupResult<()> {
    let control = data.join(CONTROL);
    if !control.exists() {
        return Ok(());
    }
    let alone = || {
        let connection = copy::open(&control, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        let ask = || {
            connection.busy_timeout(Duration::from_millis(limits::RESTORE_ALONE_MS))?;
            connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
            connection.execute_batch("BEGIN EXCLUSIVE; COMMIT")
        };
        ask().map_err(|error| sql_at(&control, error))
    };
    match alone() {
        Err(BackupError::Store(memory::error::StoreError::Busy(_))) => {
            let message = format!("another process has the store in {} open", data.display());
            Err(BackupError::Busy(message))
        }
        Err(BackupError::Damaged(what)) => {
            tracing::warn!(what, "whether others use the store cannot be asked");
            Ok(())
        }
        other => other,
    }
}

/// Takes away stages that were never finished, and names what was replaced as what it is.
fn tidy(data: &Path, now: Time) -> BackupResult<()> {
    let parent = files::parent(data);
    let name = data.file_name().unwrap_or_default().to_string_lossy().into_owned();
    for entry in std::fs::read_dir(&parent).map_err(at(&parent))? {
        let path = entry.map_err(at(&parent))?.path();
        let own = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !own.starts_with(&format!("{name}.restoring-")) {
            continue;
        }
        match File::options().write(true).open(path.join(MARK)) {
            Ok(mark) => match mark.try_lock() {
                Ok(()) => std::fs::remove_dir_all(&path).map_err(at(&path))?,
                Err(TryLockError::WouldBlock) => {
                    let message = format!("another restore into {} is under way", data.display());
                    return Err(BackupError::Busy(message));
                }
                Err(TryLockError::Error(error)) => return Err(at(&path)(error)),
            },
            Err(_) => std::fs::rename(&path, aside(data, now)).map_err(at(&path))?,
        }
    }
    Ok(())
}
