//! The notes at a path: one file, a folder of them, or a zip archive of such a folder.
//!
//! Which notes there are is listed first, because a link is understood only by whoever knows all names; their texts are read one at a
//! time. Links on the disk are not followed and hidden files not looked at: neither is what somebody wrote down. An archive stays open
//! from note to note, since finding one anew in a hundred thousand takes as long as listing them. One that unpacks to more than notes
//! would ends the import.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use memory::types::Time;
use zip::ZipArchive;

use crate::archive::is_archive;
use crate::import_model::{FilePiece, ImportedRecord, UnreadableFile};
use crate::limits;

/// What a vault has.
pub struct VaultFiles {
    source: VaultSource,
    /// Paths within, with `/` between; sorted, so that two readings go the same way.
    pub notes: Vec<String>,
    /// Where each note is in the archive.
    entries: Vec<usize>,
    /// Names of files that are no notes, in small letters: links to them are no links to notes.
    pub attachments: HashSet<String>,
    /// What was left out, and why.
    pub aside: Vec<FilePiece>,
    /// Whether Obsidian keeps its settings here.
    pub is_obsidian: bool,
}

enum VaultSource {
    Folder(PathBuf),
    Single(PathBuf),
    Archive(Box<ZipArchive<BufReader<File>>>, UnpackedBytes),
}

/// What was unpacked of an archive so far. Notes are read twice and count once.
struct UnpackedBytes {
    /// The archive's own bytes. Entries may share theirs, so that what each says it is packed to may come to more.
    whole: u64,
    counted: HashSet<usize>,
    all: u64,
    /// Bytes of the notes that are much larger than packed. A single page of one sign is no harm.
    swollen: u64,
}

impl UnpackedBytes {
    fn of(whole: u64) -> Self {
        Self { whole, counted: HashSet::new(), all: 0, swollen: 0 }
    }

    /// Whether the archive stays within its bounds with this note.
    fn admits(&mut self, entry: usize, packed: u64, unpacked: u64) -> bool {
        if self.counted.insert(entry) {
            self.all += unpacked;
            let swells = unpacked / packed.min(self.whole).max(1) > limits::ARCHIVE_RATIO;
            self.swollen += if swells { unpacked } else { 0 };
        }
        let all_swells =
            self.all > limits::ARCHIVE_HARMLESS_BYTES && self.all / self.whole.max(1) > limits::ARCHIVE_RATIO;
        self.all <= limits::ARCHIVE_BYTES && self.swollen <= limits::ARCHIVE_HARMLESS_BYTES && !all_swells
    }
}

/// A note as it was read.
pub struct NoteText {
    pub text: String,
    /// When the file was last written.
    pub written_at: Option<Time>,
}

impl VaultFiles {
    pub fn list(path: &Path) -> Result<Self, UnreadableFile> {
        let unreadable = |error: io::Error| broken(path, format!("it cannot be read: {error}"));
        let metadata = path.metadata().map_err(unreadable)?;
        if metadata.is_dir() {
            let mut files = Self::empty(VaultSource::Folder(path.to_owned()));
            files.walk(path, "", 0).map_err(unreadable)?;
            files.sort();
            return files.bounded(path);
        }
        if is_archive(path).map_err(unreadable)? {
            return Self::archive(path);
        }
        let mut files = Self::empty(VaultSource::Single(path.to_owned()));
        files.notes.push(path.file_name().unwrap_or_default().to_string_lossy().into_owned());
        files.entries.push(0);
        Ok(files)
    }

    fn empty(source: VaultSource) -> Self {
        let (notes, entries, aside) = (Vec::new(), Vec::new(), Vec::new());
        Self { source, notes, entries, attachments: HashSet::new(), aside, is_obsidian: false }
    }

    fn walk(&mut self, folder: &Path, prefix: &str, depth: usize) -> io::Result<()> {
        for entry in folder.read_dir()? {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else {
                let place = format!("{prefix}{}", entry.file_name().to_string_lossy());
                self.aside.push(FilePiece { place, what: Err("its name is no text; expected UTF-8".into()) });
                continue;
            };
            let path = format!("{prefix}{name}");
            let kind = entry.file_type()?;
            if name.starts_with('.') {
                self.is_obsidian |= name == ".obsidian";
            } else if kind.is_symlink() {
                let why = "a link to somewhere else is not followed".to_owned();
                self.aside.push(FilePiece { place: path, what: Ok(ImportedRecord::LeftOut(why)) });
            } else if kind.is_dir() && depth < limits::VAULT_DEPTH {
                self.walk(&entry.path(), &format!("{path}/"), depth + 1)?;
            } else if kind.is_dir() {
                let what = Err(format!("folders are nested deeper than {}", limits::VAULT_DEPTH));
                self.aside.push(FilePiece { place: path, what });
            } else if kind.is_file() {
                self.add(path, 0);
            }
            if self.notes.len() > limits::VAULT_NOTES {
                return Ok(());
            }
        }
        Ok(())
    }

    fn archive(path: &Path) -> Result<Self, UnreadableFile> {
        let unreadable = |error: io::Error| broken(path, format!("it cannot be read: {error}"));
        let damaged = |_| broken(path, "the archive is damaged; make it anew".to_owned());
        let file = File::open(path).map_err(unreadable)?;
        let whole = file.metadata().map_err(unreadable)?.len();
        let archive = ZipArchive::new(BufReader::new(file)).map_err(damaged)?;
        if archive.len() > limits::ARCHIVE_ENTRIES {
            let (entries, most) = (archive.len(), limits::ARCHIVE_ENTRIES);
            let message = format!(
                "the archive has {entries} entries; expected at most {most}; unpack it and import the folder"
            );
            return Err(broken(path, message));
        }
        let mut found = Self::empty(VaultSource::Single(PathBuf::new()));
        for index in 0..archive.len() {
            let entry = archive.by_index_data(index).map_err(damaged)?;
            let Ok(name) = entry.name().map(|name| name.replace('\\', "/")) else { continue };
            let hidden =
                name.split('/').any(|part| part.starts_with('.') && part != ".." || part == "__MACOSX");
            found.is_obsidian |= name.split('/').any(|part| part == ".obsidian");
            if entry.is_dir() || hidden {
                continue;
            }
            if entry.is_symlink() || !stays_inside(&name) {
                let place: String = name.chars().filter(|sign| !sign.is_control()).take(200).collect();
                let what = Err("its name leads out of the archive; expected one inside it".to_owned());
                found.aside.push(FilePiece { place, what });
            } else {
                found.add(name, index);
            }
        }
        found.source = VaultSource::Archive(Box::new(archive), UnpackedBytes::of(whole));
        found.sort();
        found.drop_wrapping_folder();
        found.bounded(path)
    }

    fn add(&mut self, path: String, entry: usize) {
        if is_note(&path) {
            self.notes.push(path);
            self.entries.push(entry);
        } else if let Some(name) = path.rsplit('/').next() {
            self.attachments.insert(name.to_lowercase());
        }
    }

    fn sort(&mut self) {
        let mut both: Vec<(String, usize)> = self.notes.drain(..).zip(self.entries.drain(..)).collect();
        both.sort();
        (self.notes, self.entries) = both.into_iter().unzip();
    }

    /// An archive of a folder has that folder's name before every path; it says nothing of the notes.
    fn drop_wrapping_folder(&mut self) {
        let Some((first, _)) = self.notes.first().and_then(|path| path.split_once('/')) else { return };
        let wrapping = format!("{first}/");
        let means_something = super::foreign::layer_of_folder(first).is_some();
        if !means_something && self.notes.iter().all(|path| path.starts_with(&wrapping)) {
            self.notes.iter_mut().for_each(|path| drop(path.drain(..wrapping.len())));
        }
    }

    fn bounded(self, path: &Path) -> Result<Self, UnreadableFile> {
        if self.notes.len() <= limits::VAULT_NOTES {
            return Ok(self);
        }
        Err(broken(
            path,
            format!("it has more than {} notes; import it folder by folder", limits::VAULT_NOTES),
        ))
    }

    /// One note. The inner error is the note's, the outer one the vault's.
    pub fn read(&mut self, index: usize) -> Result<Result<NoteText, String>, UnreadableFile> {
        let name = &self.notes[index];
        let read = match &mut self.source {
            VaultSource::Folder(folder) => from_disk(&folder.join(name)),
            VaultSource::Single(path) => from_disk(path),
            VaultSource::Archive(archive, unpacked) => {
                let damaged = |_| UnreadableFile {
                    place: name.clone(),
                    message: "the archive is damaged here; make it anew".into(),
                };
                let entry = archive.by_index(self.entries[index]).map_err(damaged)?;
                let (written_at, packed) =
                    (entry.last_modified().and_then(archive_time), entry.compressed_size());
                let bytes = bytes(entry).map_err(|_| damaged(zip::result::ZipError::FileNotFound))?;
                let length = bytes.as_ref().map_or(limits::NOTE_BYTES, |bytes| bytes.len() as u64);
                if !unpacked.admits(self.entries[index], packed, length) {
                    let message = "the archive unpacks to far more than notes would; it was made to do harm";
                    return Err(UnreadableFile { place: name.clone(), message: message.to_owned() });
                }
                Ok((bytes, written_at))
            }
        };
        Ok(read.and_then(|(bytes, written_at)| {
            let bytes = bytes.ok_or_else(|| {
                format!("it is larger than {} MiB; split it", limits::NOTE_BYTES / (1024 * 1024))
            })?;
            let text = String::from_utf8(bytes).map_err(|_| "it is no text in UTF-8; save it as UTF-8")?;
            Ok(NoteText { text, written_at })
        }))
    }
}

fn broken(path: &Path, message: String) -> UnreadableFile {
    UnreadableFile { place: path.display().to_string(), message }
}

/// Whether a file is a note, by its name.
pub fn is_note(path: &str) -> bool {
    let ending = path.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    matches!(ending.as_deref(), Some("md" | "markdown"))
}

fn stays_inside(name: &str) -> bool {
    let drive = name.as_bytes().get(1) == Some(&b':');
    !name.starts_with('/') && !drive && !name.contains('\0') && name.split('/').all(|part| part != "..")
}

type NoteBytes = (Option<Vec<u8>>, Option<Time>);

fn from_disk(path: &Path) -> Result<NoteBytes, String> {
    let unreadable = |error: io::Error| format!("it cannot be read: {error}");
    // Asked again, because a file may have become a link since it was listed.
    let is_link = fs::symlink_metadata(path).map_err(unreadable)?.is_symlink();
    if is_link {
        return Err("a link to somewhere else is not followed".into());
    }
    let file = File::open(path).map_err(unreadable)?;
    let written = file.metadata().and_then(|metadata| metadata.modified()).ok();
    let written_at = written.and_then(|time| Timestamp::try_from(time).ok()).map(Time::from_timestamp);
    Ok((bytes(file).map_err(unreadable)?, written_at))
}

/// All of it, or nothing where it is too much.
fn bytes(from: impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    from.take(limits::NOTE_BYTES + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= limits::NOTE_BYTES).then_some(bytes))
}

/// An archive's times have no zone; the first day that they can say is how many programs say nothing.
fn archive_time(time: zip::DateTime) -> Option<Time> {
    if time.year() <= 1980 {
        return None;
    }
    let number = |value: u8| i8::try_from(value).ok();
    let civil = jiff::civil::DateTime::new(
        i16::try_from(time.year()).ok()?,
        number(time.month())?,
        number(time.day())?,
        number(time.hour())?,
        number(time.minute())?,
        number(time.second())?,
        0,
    );
    Some(Time::from_timestamp(civil.ok()?.to_zoned(TimeZone::UTC).ok()?.timestamp()))
}
