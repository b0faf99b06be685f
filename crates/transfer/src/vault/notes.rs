//! Where notes go: a folder on the disk, or a zip archive that is written as it is sent.
//!
//! A folder comes into being whole. Everything is written beside it first and moved at the end, so that an export that fails half way
//! leaves what was there as it was. No name leads out of it.

use std::fs::{self, DirBuilder, File};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Component, Path, PathBuf};

use tempfile::TempDir;
use zip::ZipWriter;
use zip::write::{SimpleFileOptions, StreamWriter};

/// Takes notes, one at a time.
pub trait NoteSink: Send {
    /// A note at a path within, with `/` between its parts.
    fn note(&mut self, path: &str, text: &str) -> io::Result<()>;

    /// A file without a name for what must be put in order first; it is gone when it is closed.
    fn scratch(&self) -> io::Result<File> {
        tempfile::tempfile()
    }
}

/// A folder of notes.
pub struct Folder {
    target: PathBuf,
    staging: TempDir,
}

impl Folder {
    /// A folder that is not there yet, or is empty; with `force` notes are added to one that has files, over those of the same name.
    pub fn create(target: &Path, force: bool) -> io::Result<Self> {
        let message =
            |what: &str| io::Error::new(io::ErrorKind::AlreadyExists, format!("{} {what}", target.display()));
        match fs::read_dir(target) {
            Ok(mut entries) => {
                if !force && entries.next().is_some() {
                    return Err(message(
                        "has files in it; expected an empty folder or one that is not there yet",
                    ));
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(_) if target.exists() => {
                return Err(message("is a file; expected a folder"));
            }
            Err(error) => return Err(error),
        }
        let beside = match target.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        fs::create_dir_all(beside)?;
        let staging = tempfile::Builder::new().prefix(".recollect-export-").tempdir_in(beside)?;
        Ok(Self { target: target.to_owned(), staging })
    }

    /// Moves what was written to where it belongs.
    pub fn finish(self) -> io::Result<()> {
        // A folder that is there stays the one it is, with its owner and permissions.
        if self.target.exists() {
            return merge(self.staging.path(), &self.target);
        }
        let staged = self.staging.keep();
        fs::rename(&staged, &self.target).inspect_err(|_| drop(fs::remove_dir_all(&staged)))
    }
}

impl NoteSink for Folder {
    fn note(&mut self, path: &str, text: &str) -> io::Result<()> {
        let path = inside(path)?;
        let path = self.staging.path().join(path);
        if let Some(parent) = path.parent() {
            make_private(parent)?;
        }
        let mut file = File::options().write(true).create_new(true).mode(PRIVATE_FILE).open(&path)?;
        file.write_all(text.as_bytes())
    }

    /// On the disk that the notes go to, which has the room.
    fn scratch(&self) -> io::Result<File> {
        tempfile::tempfile_in(self.staging.path())
    }
}

/// What is remembered is its owner's to read, wherever it is written.
const PRIVATE_FILE: u32 = 0o600;
const PRIVATE_FOLDER: u32 = 0o700;

/// Makes the folders that are not there, for their owner alone.
fn make_private(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(PRIVATE_FOLDER).create(folder)
}

/// A path that stays within.
fn inside(path: &str) -> io::Result<&Path> {
    let relative = Path::new(path);
    let stays = !path.is_empty() && relative.components().all(|part| matches!(part, Component::Normal(_)));
    if stays && !path.contains('\\') {
        return Ok(relative);
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "a note's name leads out of its folder"))
}

/// Moves files into a folder that is there. A link in their way is not followed, since it may lead anywhere.
fn merge(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if fs::symlink_metadata(&target).is_ok_and(|found| found.is_symlink()) {
            let message = format!("{} is a link; expected a folder or a file", target.display());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        if entry.file_type()?.is_dir() {
            make_private(&target)?;
            merge(&entry.path(), &target)?;
        } else {
            fs::rename(entry.path(), target)?;
        }
    }
    Ok(())
}

/// A zip archive of notes, written from its beginning to its end.
pub struct Zip<W: Write> {
    archive: ZipWriter<StreamWriter<W>>,
}

impl<W: Write> Zip<W> {
    pub fn new(out: W) -> Self {
        Self { archive: ZipWriter::new_stream(out) }
    }

    /// Writes the list of what is in it, without which it is not an archive.
    pub fn finish(self) -> io::Result<W> {
        Ok(self.archive.finish()?.into_inner())
    }
}

impl<W: Write + Send> NoteSink for Zip<W> {
    fn note(&mut self, path: &str, text: &str) -> io::Result<()> {
        inside(path)?;
        self.archive.start_file(path, SimpleFileOptions::default())?;
        self.archive.write_all(text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_comes_whole_or_not_at_all() {
        let home = tempfile::tempdir().expect("a folder");
        let target = home.path().join("vault");
        let mut folder = Folder::create(&target, false).expect("nothing is there");
        folder.note("semantic/a.md", "one").expect("written");
        assert!(!target.exists(), "before the end there is nothing");
        drop(folder);
        assert_eq!(fs::read_dir(home.path()).expect("read").count(), 0, "what failed leaves nothing");

        let mut folder = Folder::create(&target, false).expect("nothing is there");
        folder.note("semantic/a.md", "one").expect("written");
        folder.finish().expect("moved");
        assert_eq!(fs::read_to_string(target.join("semantic/a.md")).expect("a note"), "one");
        assert_eq!(fs::read_dir(home.path()).expect("read").count(), 1);

        let refused = Folder::create(&target, false).map(drop).expect_err("it has files");
        assert!(refused.to_string().contains("expected an empty folder"), "{refused}");
        let mut folder = Folder::create(&target, true).expect("forced");
        folder.note("semantic/a.md", "two").expect("written");
        folder.note("episodic/b.md", "new").expect("written");
        folder.finish().expect("moved");
        assert_eq!(fs::read_to_string(target.join("semantic/a.md")).expect("a note"), "two");
        assert_eq!(fs::read_to_string(target.join("episodic/b.md")).expect("a note"), "new");
    }

    #[test]
    fn no_name_leads_out() {
        let home = tempfile::tempdir().expect("a folder");
        let mut folder = Folder::create(&home.path().join("vault"), false).expect("nothing is there");
        for path in ["../a.md", "/a.md", "a/../../b.md", "", "..", "a\\..\\b.md"] {
            assert!(folder.note(path, "x").is_err(), "{path:?}");
        }
        let mut zip = Zip::new(Vec::new());
        assert!(zip.note("../a.md", "x").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_the_way_is_not_followed() {
        let home = tempfile::tempdir().expect("a folder");
        let (target, elsewhere) = (home.path().join("vault"), home.path().join("elsewhere"));
        fs::create_dir_all(&target).expect("made");
        fs::create_dir_all(&elsewhere).expect("made");
        std::os::unix::fs::symlink(&elsewhere, target.join("semantic")).expect("linked");
        let mut folder = Folder::create(&target, true).expect("forced");
        folder.note("semantic/a.md", "x").expect("written beside");
        assert!(folder.finish().is_err());
        assert_eq!(fs::read_dir(&elsewhere).expect("read").count(), 0);
    }
}
