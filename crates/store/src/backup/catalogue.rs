//! The folder of all backups, and the choice of one.
//!
//! A backup's folder is named by the moment it began, so that names sort by time. Names that begin with a dot are under way or
//! being taken away; what a broken-off run left there is removed by the next one. A lock in the folder lets one
//! backup at a time be made.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use memory::types::Time;

use super::{
    BackupError, BackupResult, FORMAT, FORMAT_VERSION, MANIFEST, MANIFEST_HASH, Manifest, at, files,
};
use crate::limits;

const LOCK: &str = ".lock";
const PARTIAL: &str = ".partial-";
const LEAVING: &str = ".leaving-";

/// A folder of backups.
#[derive(Debug)]
pub struct Shelf {
    folder: PathBuf,
}

/// One backup that is complete.
#[derive(Debug, Clone)]
pub struct Generation {
    pub name: String,
    pub folder: PathBuf,
}

/// The right to change the shelf; given up when dropped.
#[derive(Debug)]
pub struct CatalogueLock {
    _lock: File,
}

impl Shelf {
    pub fn at(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// The backups there are, oldest first.
    pub fn generations(&self) -> BackupResult<Vec<Generation>> {
        let entries = match std::fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(at(&self.folder)(error)),
        };
        let mut generations = Vec::new();
        for entry in entries {
            let entry = entry.map_err(at(&self.folder))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if moment(&name).is_some() && entry.path().is_dir() {
                generations.push(Generation { name, folder: entry.path() });
            }
        }
        generations.sort_by(|left, right| left.name.cmp(&right.name));
        Ok(generations)
    }

    /// The newest backup, the one of that name, or the newest that began no later than that time.
    pub fn choose(&self, wanted: Option<&str>) -> BackupResult<Generation> {
        let mut generations = self.generations()?;
        let folder = self.folder.display();
        let Some(newest) = generations.last().cloned() else {
            return Err(BackupError::Nothing(format!("there is no backup in {folder}")));
        };
        let Some(wanted) = wanted else { return Ok(newest) };
        if let Some(place) = generations.iter().position(|generation| generation.name == wanted) {
            return Ok(generations.swap_remove(place));
        }
        let time = moment(wanted).or_else(|| wanted.parse().ok()).ok_or_else(|| BackupError::Refused {
            message: format!("`{wanted}` is neither a backup's name, such as {}, nor a time", newest.name),
            hint: "`recollect backup DIR --list` lists what there is",
        })?;
        let before = generations.into_iter().rfind(|it| moment(&it.name).is_some_and(|begun| begun <= time));
        before.ok_or_else(|| BackupError::Nothing(format!("no backup in {folder} is as old as {wanted}")))
    }

    /// Makes the folder where it is missing, takes the right to change it, and tidies up after whoever was broken off.
    pub(super) fn hold(&self) -> BackupResult<CatalogueLock> {
        files::make_folders(&self.folder)?;
        let path = self.folder.join(LOCK);
        let lock = File::options().create(true).write(true).truncate(false).open(&path).map_err(at(&path))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let message = format!("another backup into {} is under way", self.folder.display());
                return Err(BackupError::Busy(message));
            }
            Err(TryLockError::Error(error)) => return Err(at(&path)(error)),
        }
        files::settle(&path)?;
        self.tidy()?;
        Ok(CatalogueLock { _lock: lock })
    }

    fn tidy(&self) -> BackupResult<()> {
        for entry in std::fs::read_dir(&self.folder).map_err(at(&self.folder))? {
            let entry = entry.map_err(at(&self.folder))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with(PARTIAL) || name.starts_with(LEAVING) {
                std::fs::remove_dir_all(entry.path()).map_err(at(&entry.path()))?;
            }
        }
        Ok(())
    }

    /// A folder to fill, under a name that nobody takes for a backup.
    pub(super) fn begin(&self, made_at: Time) -> BackupResult<Generation> {
        let name = name_of(made_at);
        let folder = self.folder.join(format!("{PARTIAL}{name}"));
        files::make_folder(&folder)?;
        Ok(Generation { name, folder })
    }

    /// From here on it counts.
    pub(super) fn finish(&self, partial: Generation) -> BackupResult<Generation> {
        let folder = self.folder.join(&partial.name);
        files::settle_folder(&partial.folder)?;
        std::fs::rename(&partial.folder, &folder).map_err(at(&folder))?;
        files::settle_folder(&self.folder)?;
        Ok(Generation { folder, ..partial })
    }

    /// Takes away all but the newest; zero keeps all. Says which went.
    pub(super) fn prune(&self, keep: usize) -> BackupResult<Vec<String>> {
        let generations = self.generations()?;
        let surplus = if keep == 0 { 0 } else { generations.len().saturating_sub(keep) };
        let mut gone = Vec::new();
        for generation in generations.into_iter().take(surplus) {
            // Renamed first, so that one that is half gone is not taken for a backup.
            let leaving = self.folder.join(format!("{LEAVING}{}", generation.name));
            std::fs::rename(&generation.folder, &leaving).map_err(at(&generation.folder))?;
            std::fs::remove_dir_all(&leaving).map_err(at(&leaving))?;
            gone.push(generation.name);
        }
        Ok(gone)
    }
}

impl Generation {
    /// What it says it holds. Refuses a manifest that is not as it was written, or that this program does not understand.
    pub fn manifest(&self) -> BackupResult<Manifest> {
        let path = self.folder.join(MANIFEST);
        let damaged = |what: &str| BackupError::Damaged(format!("the backup {}: {what}", self.name));
        let found = std::fs::metadata(&path).map_err(|_| damaged("its manifest is missing"))?;
        if found.len() > limits::BACKUP_MANIFEST_BYTES {
            return Err(damaged("its manifest is too large to be one"));
        }
        let text = std::fs::read(&path).map_err(at(&path))?;
        let hash = std::fs::read_to_string(self.folder.join(MANIFEST_HASH));
        let hash = hash.map_err(|_| damaged("the hash of its manifest is missing"))?;
        if hash.split_whitespace().next() != Some(files::hash_of(&text).as_str()) {
            return Err(damaged("its manifest is not as it was written"));
        }
        let head: ManifestHead =
            serde_json::from_slice(&text).map_err(|_| damaged("its manifest cannot be read"))?;
        if head.format != FORMAT {
            return Err(damaged("its manifest is not one of a backup"));
        }
        if head.version > FORMAT_VERSION {
            let message = format!(
                "the backup {} has version {}, and this program knows versions up to {FORMAT_VERSION}",
                self.name, head.version
            );
            return Err(BackupError::Newer(message));
        }
        let manifest: Manifest =
            serde_json::from_slice(&text).map_err(|_| damaged("its manifest cannot be read"))?;
        match manifest.files.iter().find(|entry| !entry.is_sound()) {
            Some(_) => Err(damaged("its manifest names a file that no backup has")),
            None => Ok(manifest),
        }
    }

    pub(super) fn write_manifest(&self, manifest: &Manifest) -> BackupResult<()> {
        let mut text = serde_json::to_vec_pretty(manifest).expect("a manifest is plain data");
        text.push(b'\n');
        files::write(&self.folder.join(MANIFEST), &text)?;
        let line = format!("{}  {MANIFEST}\n", files::hash_of(&text));
        files::write(&self.folder.join(MANIFEST_HASH), line.as_bytes())
    }
}

/// What is read before the rest, which a newer version may have changed.
#[derive(serde::Deserialize)]
struct ManifestHead {
    format: String,
    version: u32,
}

/// `2026-11-15T11:30:05.123456Z` as `2026-11-15T11-30-05.123456Z`: not every file system takes colons.
pub fn name_of(time: Time) -> String {
    time.to_string().replace(':', "-")
}

fn moment(name: &str) -> Option<Time> {
    let (date, clock) = name.split_once('T')?;
    if clock.contains(':') || !clock.ends_with('Z') {
        return None;
    }
    format!("{date}T{}", clock.replace('-', ":")).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_times() {
        let time: Time = "2026-11-15T11:30:05.123456Z".parse().expect("a time");
        assert_eq!(name_of(time), "2026-11-15T11-30-05.123456Z");
        assert_eq!(moment(&name_of(time)), Some(time));
        assert_eq!(moment(".partial-2026-11-15T11-30-05.123456Z"), None);
        assert_eq!(moment("lost+found"), None);
    }
}
