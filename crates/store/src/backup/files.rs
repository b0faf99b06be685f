//! Files as a backup needs them: for their owner alone, on the disk before anybody relies on them, hashed as they pass.

use memory::types::hex;
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::{BackupProgress, BackupResult, at};

/// Bytes read at once while hashing: large enough that the calls cost nothing, small enough to stay in the cache.
const CHUNK_BYTES: usize = 256 * 1024;

/// A new folder that only its owner may look into.
pub fn make_folder(path: &Path) -> BackupResult<()> {
    DirBuilder::new().mode(0o700).create(path).map_err(at(path))
}

/// The same, where it may be there and its parents may be missing.
pub fn make_folders(path: &Path) -> BackupResult<()> {
    DirBuilder::new().mode(0o700).recursive(true).create(path).map_err(at(path))
}

/// A new file that only its owner may read, complete on the disk when this returns.
pub fn write(path: &Path, content: &[u8]) -> BackupResult<()> {
    let mut file = create(path)?;
    file.write_all(content).and_then(|()| file.sync_all()).map_err(at(path))
}

pub fn create(path: &Path) -> BackupResult<File> {
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path).map_err(at(path))
}

/// Its bytes are on the disk, and it is its owner's alone.
pub fn settle(path: &Path) -> BackupResult<()> {
    let settle = || {
        std::fs::set_permissions(path, PermissionsExt::from_mode(0o600))?;
        File::open(path)?.sync_all()
    };
    settle().map_err(at(path))
}

/// What a folder's names point to is on the disk.
pub fn settle_folder(path: &Path) -> BackupResult<()> {
    File::open(path).and_then(|folder| folder.sync_all()).map_err(at(path))
}

/// Bytes and SHA-256 of a file.
pub fn hash(path: &Path, progress: &mut BackupProgress<'_>) -> BackupResult<(u64, String)> {
    let file = File::open(path).map_err(at(path))?;
    pass(file, &mut io::sink(), path, progress)
}

/// Copies a file and says what passed.
pub fn copy(from: &Path, to: &Path, progress: &mut BackupProgress<'_>) -> BackupResult<(u64, String)> {
    let source = File::open(from).map_err(at(from))?;
    let mut target = create(to)?;
    let passed = pass(source, &mut target, to, progress)?;
    target.sync_all().map_err(at(to))?;
    Ok(passed)
}

fn pass(
    mut from: File,
    to: &mut dyn Write,
    path: &Path,
    progress: &mut BackupProgress<'_>,
) -> BackupResult<(u64, String)> {
    let (mut hasher, mut bytes, mut chunk) = (Sha256::new(), 0, vec![0; CHUNK_BYTES]);
    loop {
        let read = from.read(&mut chunk).map_err(at(path))?;
        if read == 0 {
            break;
        }
        hasher.update(&chunk[..read]);
        to.write_all(&chunk[..read]).map_err(at(path))?;
        bytes += read as u64;
        progress("", read as u64);
    }
    Ok((bytes, hex(&hasher.finalize())))
}

pub fn hash_of(content: &[u8]) -> String {
    hex(&Sha256::digest(content))
}

/// The same file under a second name; a copy where the file system knows no second names.
pub fn link(from: &Path, to: &Path) -> BackupResult<()> {
    match std::fs::hard_link(from, to) {
        Ok(()) => Ok(()),
        Err(_) => copy(from, to, &mut |_, _| ()).map(drop),
    }
}

/// Puts the folder `new` in the place of `old`, and `old` where `new` was, at one stroke.
///
/// A file system that cannot do that gets two renames, with a moment in between in which nothing is in place.
pub fn exchange(new: &Path, old: &Path, aside: &Path) -> BackupResult<PathBuf> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    match renameat_with(CWD, new, CWD, old, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(new.to_owned()),
        Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS | rustix::io::Errno::NOTSUP) => {
            std::fs::rename(old, aside).map_err(at(old))?;
            std::fs::rename(new, old).map_err(at(old))?;
            Ok(aside.to_owned())
        }
        Err(error) => Err(at(old)(error.into())),
    }
}

/// The folder that a path lies in.
pub fn parent(path: &Path) -> PathBuf {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned()
}

/// A path beside another, its name made longer.
pub fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(ending);
    parent(path).join(name)
}
