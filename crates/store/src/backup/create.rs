//! Makes a backup of a data folder, while others use it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memory::ports::Clock;
use memory::types::{TenantId, Time};
use serde::Serialize;

use super::catalogue::{Generation, Shelf};
use super::{
    BackupEntry, BackupError, BackupProgress, BackupResult, CONFIG, CONTROL, EntryKind, FORMAT,
    FORMAT_VERSION, Manifest, OTHER, TENANTS, at, copy, files, sql_at, tenant_path,
};
use crate::layout;

/// Files of a data folder that mean nothing elsewhere or later: the server's lock and socket, and what was typed into a
/// terminal chat, which is no memory and which no purge reaches.
const LEFT_OUT: [&str; 3] = ["serve.lock", "recollect.sock", "chat_history"];

/// What is backed up.
#[derive(Clone)]
pub struct BackupSource {
    /// The data folder.
    pub data: PathBuf,
    /// The configuration file, where there is one.
    pub config: Option<PathBuf>,
    /// The version of this program.
    pub program: String,
    /// What the backup is dated by.
    pub clock: Arc<dyn Clock>,
}

/// A backup that was made.
#[derive(Debug, Clone, Serialize)]
pub struct BackupTaken {
    pub name: String,
    pub folder: PathBuf,
    #[serde(flatten)]
    pub manifest: Manifest,
    /// Older ones that went.
    pub pruned: Vec<String>,
}

impl BackupSource {
    /// Bytes that may have to be copied.
    pub fn bytes(&self) -> u64 {
        let sizes = |folder: &Path| {
            let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
            let files = entries.filter_map(|entry| entry.metadata().ok()).filter(std::fs::Metadata::is_file);
            files.map(|found| found.len()).sum::<u64>()
        };
        sizes(&self.data) + sizes(&self.data.join(TENANTS))
    }
}

/// Makes a backup, and takes away all but the newest `keep`; zero keeps all. Whatever goes wrong, the backups that are
/// there stay as they are.
pub fn take(
    source: &BackupSource,
    folder: &Path,
    keep: usize,
    progress: &mut BackupProgress<'_>,
) -> BackupResult<BackupTaken> {
    if !source.data.join(CONTROL).exists() && tenant_files(&source.data)?.is_empty() {
        let message = format!("there is nothing to back up in {}", source.data.display());
        return Err(BackupError::Nothing(message));
    }
    must_be_apart(&source.data, folder)?;
    let shelf = Shelf::at(folder);
    let _held = shelf.hold()?;
    let earlier = earlier(&shelf)?;
    let made_at = source.clock.now();
    let generation = shelf.begin(made_at)?;
    let mut taking = BackupRun { source, earlier, generation: &generation, entries: Vec::new(), progress };
    let filled = taking.fill();
    let files = std::mem::take(&mut taking.entries);
    let manifest = Manifest {
        format: FORMAT.to_owned(),
        version: FORMAT_VERSION,
        program: source.program.clone(),
        made_at,
        finished_at: source.clock.now(),
        files,
    };
    if let Err(error) = filled.and_then(|()| generation.write_manifest(&manifest)) {
        // What cannot be removed now, the next backup removes.
        let _ = std::fs::remove_dir_all(&generation.folder);
        return Err(error);
    }
    let Generation { name, folder } = shelf.finish(generation)?;
    Ok(BackupTaken { name, folder, manifest, pruned: shelf.prune(keep)? })
}

/// The newest backup that can be built upon. One that cannot be read is no reason not to make another.
fn earlier(shelf: &Shelf) -> BackupResult<Option<(Generation, Manifest)>> {
    let newest_first = shelf.generations()?.into_iter().rev();
    let readable = newest_first.filter_map(|generation| {
        let manifest = generation.manifest().ok()?;
        Some((generation, manifest))
    });
    Ok({ readable }.next())
}

/// A backup inside of what it backs up would grow with itself, and go with it.
fn must_be_apart(data: &Path, folder: &Path) -> BackupResult<()> {
    let whole = |path: &Path| -> BackupResult<PathBuf> {
        let absolute = std::path::absolute(path).map_err(at(path))?;
        let there = absolute.ancestors().find_map(|part| Some((part, part.canonicalize().ok()?)));
        Ok(match there {
            Some((part, real)) => real.join(absolute.strip_prefix(part).unwrap_or(Path::new(""))),
            None => absolute,
        })
    };
    let (data, folder) = (whole(data)?, whole(folder)?);
    if folder.starts_with(&data) {
        let message = format!("{} lies inside the data folder {}", folder.display(), data.display());
        return Err(BackupError::Refused { message, hint: "name a folder elsewhere, best on another disk" });
    }
    Ok(())
}

struct BackupRun<'t, 'p> {
    source: &'t BackupSource,
    earlier: Option<(Generation, Manifest)>,
    generation: &'t Generation,
    entries: Vec<BackupEntry>,
    progress: &'t mut BackupProgress<'p>,
}

impl BackupRun<'_, '_> {
    /// The control database first: whatever tenant it knows is there by then.
    fn fill(&mut self) -> BackupResult<()> {
        // Files that the control database does not know are somebody's memory all the same.
        let mut tenants = tenant_files(&self.source.data)?;
        if self.source.data.join(CONTROL).exists() {
            self.database(CONTROL.to_owned(), EntryKind::Control, None)?;
            tenants.extend(known_tenants(&self.generation.folder.join(CONTROL))?);
        }
        files::make_folder(&self.generation.folder.join(TENANTS))?;
        for tenant in tenants {
            // One that was never opened has no file yet.
            if self.source.data.join(tenant_path(&tenant)).exists() {
                self.database(tenant_path(&tenant), EntryKind::Tenant, Some(tenant))?;
            }
        }
        files::settle_folder(&self.generation.folder.join(TENANTS))?;
        self.others()?;
        match self.source.config.clone() {
            Some(config) => self.file(&config, CONFIG.to_owned(), EntryKind::Config),
            None => Ok(()),
        }
    }

    fn database(&mut self, path: String, kind: EntryKind, tenant: Option<TenantId>) -> BackupResult<()> {
        let (from, to) = (self.source.data.join(&path), self.generation.folder.join(&path));
        // Before the copy: what is written in between shows the next time, if only as a change that is none.
        let seen = copy::look(&from, self.source.clock.now());
        let known = self.known(&path);
        let length = std::fs::metadata(&from).map_or(0, |found| found.len());
        (self.progress)(&path, 0);
        if let Some((known, file)) = known.clone().filter(|(known, _)| seen.is_some() && known.seen == seen) {
            files::link(&file, &to)?;
            self.entries.push(BackupEntry { copied: false, ..known });
            (self.progress)(&path, length);
            return Ok(());
        }
        let copied_at = self.source.clock.now();
        copy::copy(&from, &to)?;
        let entry = self.describe(path, kind, tenant, copied_at)?;
        let facts = copy::facts(&copy::open_copy(&to)?, &to)?;
        let entry = BackupEntry {
            schema_version: Some(facts.schema_version),
            change_number: facts.change_number,
            seen: seen.clone(),
            ..entry
        };
        (self.progress)("", length);
        match known.filter(|(known, _)| known.sha256 == entry.sha256) {
            Some((known, file)) => {
                std::fs::remove_file(&to).map_err(at(&to))?;
                files::link(&file, &to)?;
                self.entries.push(BackupEntry { copied: false, seen, ..known });
            }
            None => self.entries.push(entry),
        }
        Ok(())
    }

    /// What the last backup has under this path, where its file still has the length it had.
    fn known(&self, path: &str) -> Option<(BackupEntry, PathBuf)> {
        let (generation, manifest) = self.earlier.as_ref()?;
        let entry = manifest.files.iter().find(|entry| entry.path == path)?;
        let file = generation.folder.join(path);
        let whole = std::fs::metadata(&file).is_ok_and(|found| found.len() == entry.bytes);
        whole.then(|| (entry.clone(), file))
    }

    fn describe(
        &self,
        path: String,
        kind: EntryKind,
        tenant: Option<TenantId>,
        copied_at: Time,
    ) -> BackupResult<BackupEntry> {
        let (bytes, sha256) = files::hash(&self.generation.folder.join(&path), &mut |_, _| ())?;
        let (schema_version, change_number, seen, from) = (None, None, None, None);
        let copied = true;
        Ok(BackupEntry {
            path,
            kind,
            tenant,
            schema_version,
            change_number,
            bytes,
            sha256,
            copied_at,
            copied,
            seen,
            from,
        })
    }

    /// Whatever else lies in the data folder itself.
    fn others(&mut self) -> BackupResult<()> {
        let data = self.source.data.clone();
        let mut names = Vec::new();
        for entry in std::fs::read_dir(&data).map_err(at(&data))? {
            let entry = entry.map_err(at(&data))?;
            let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
            if let Some(name) = entry.file_name().to_str().filter(|name| is_file && is_wanted(name)) {
                names.push(name.to_owned());
            }
        }
        if names.is_empty() {
            return Ok(());
        }
        names.sort();
        let folder = self.generation.folder.join(OTHER);
        files::make_folder(&folder)?;
        for name in names {
            self.file(&data.join(&name), format!("{OTHER}/{name}"), EntryKind::Other)?;
        }
        files::settle_folder(&folder)
    }

    fn file(&mut self, from: &Path, path: String, kind: EntryKind) -> BackupResult<()> {
        let copied_at = self.source.clock.now();
        let to = self.generation.folder.join(&path);
        files::copy(from, &to, self.progress)?;
        let entry = self.describe(path, kind, None, copied_at)?;
        let origin = (kind == EntryKind::Config).then(|| from.to_owned());
        self.entries.push(BackupEntry { from: origin, ..entry });
        Ok(())
    }
}

fn is_wanted(name: &str) -> bool {
    let of_control = name.strip_prefix(CONTROL).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'));
    let passing = name.ends_with(".log") || name.ends_with(".tmp") || name.starts_with('.');
    !of_control && !passing && !LEFT_OUT.contains(&name)
}

/// The tenants that have a file.
pub fn tenant_files(data: &Path) -> BackupResult<BTreeSet<TenantId>> {
    layout::tenant_files(data).map_err(at(&data.join(TENANTS)))
}

/// The tenants that a control database knows.
fn known_tenants(control: &Path) -> BackupResult<Vec<TenantId>> {
    let connection = copy::open_copy(control)?;
    let read = || {
        let mut statement = connection.prepare("SELECT id FROM tenant ORDER BY id")?;
        let ids = statement.query_map([], |row| row.get::<_, String>(0))?;
        ids.collect::<rusqlite::Result<Vec<String>>>()
    };
    let ids = read().map_err(|error| sql_at(control, error))?;
    Ok(ids.iter().filter_map(|id| id.parse().ok()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_means_nothing_elsewhere_is_left_out() {
        for name in [
            "control.sqlite3",
            "control.sqlite3-wal",
            "serve.lock",
            "recollect.sock",
            "chat_history",
            "x.log",
        ] {
            assert!(!is_wanted(name), "{name}");
        }
        assert!(is_wanted("receipt.key") && is_wanted("control.sqlite3x"));
    }
}
