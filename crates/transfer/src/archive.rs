//! The files of an export: one by itself, a folder of them, or the zip archive as it was downloaded.
//!
//! Nothing of an archive is ever written to the disk, so no name in it can lead anywhere; names that try to are told of and left out.
//! An entry is unpacked by a thread of its own that stays a few pieces ahead of whoever reads: memory is bounded whatever it unpacks to,
//! and one that unpacks to more than any export would ends the import.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use zip::ZipArchive;
use zip::result::ZipError;

use super::import_model::{FilePiece, FilePieces, ImportedRecord, UnreadableFile};
use super::json_stream::{DocumentShape, JsonWalk, Met, Opened, glimpse};
use crate::limits;

/// What a reader reads from.
pub type Bytes = Box<dyn Read + Send>;

/// The files of an export.
pub struct ArchiveFiles {
    pub parts: Vec<ArchiveFile>,
    /// What is not looked at, though it may have been meant.
    pub aside: Vec<FilePiece>,
    /// Whether it is one file, which is taken whatever its name.
    pub single: bool,
}

/// One file of it.
pub struct ArchiveFile {
    /// Within the archive or the folder, with `/` between.
    pub name: String,
    source: ArchiveSource,
}

enum ArchiveSource {
    File(PathBuf),
    Entry { archive: PathBuf, index: usize, packed_bytes: u64, unpacked: Arc<AtomicU64> },
}

/// The files at a path, by what the path is and not by its name.
pub fn parts(path: &Path) -> Result<ArchiveFiles, UnreadableFile> {
    let name = path
        .file_name()
        .map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned());
    let unreadable = |error: io::Error| broken(&name, format!("it cannot be read: {error}"));
    if path.metadata().map_err(unreadable)?.is_dir() {
        let mut found = ArchiveFiles { parts: Vec::new(), aside: Vec::new(), single: false };
        folder(path, "", 0, &mut found).map_err(unreadable)?;
        found.parts.sort_by(|one, other| one.name.cmp(&other.name));
        return Ok(found);
    }
    if is_archive(path).map_err(unreadable)? {
        return entries(path, &name);
    }
    let part = ArchiveFile { name, source: ArchiveSource::File(path.to_owned()) };
    Ok(ArchiveFiles { parts: vec![part], aside: Vec::new(), single: true })
}

/// Whether the file is a zip archive, by how it begins.
pub fn is_archive(path: &Path) -> io::Result<bool> {
    let mut start = [0; 4];
    let mut file = File::open(path)?;
    match file.read_exact(&mut start) {
        Ok(()) => Ok(matches!(&start, b"PK\x03\x04" | b"PK\x05\x06" | b"PK\x07\x08")),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

/// What the export's first file of a name shows of its shape.
pub fn first_glimpse(path: &Path, wanted: impl Fn(&str) -> bool) -> Option<DocumentShape> {
    let parts = parts(path).ok()?;
    let part = parts.parts.iter().find(|part| parts.single || wanted(&part.name))?;
    glimpse(part.open().ok()?)
}

/// A file's name without the folders it stands in.
pub fn base(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

fn broken(place: &str, message: impl Into<String>) -> UnreadableFile {
    UnreadableFile { place: place.to_owned(), message: message.into() }
}

/// Links are not followed: a folder that was sent may point anywhere.
fn folder(path: &Path, prefix: &str, depth: usize, found: &mut ArchiveFiles) -> io::Result<()> {
    for entry in path.read_dir()? {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let kind = entry.file_type()?;
        if kind.is_dir() && depth < limits::EXPORT_FOLDER_DEPTH {
            folder(&entry.path(), &format!("{name}/"), depth + 1, found)?;
        } else if kind.is_file() && found.parts.len() < limits::ARCHIVE_ENTRIES {
            found.parts.push(ArchiveFile { name, source: ArchiveSource::File(entry.path()) });
        }
    }
    Ok(())
}

fn entries(path: &Path, name: &str) -> Result<ArchiveFiles, UnreadableFile> {
    let file = File::open(path).map_err(|error| broken(name, format!("it cannot be read: {error}")))?;
    let whole = file.metadata().map_or(u64::MAX, |metadata| metadata.len());
    let archive = ZipArchive::new(BufReader::new(file)).map_err(|error| damaged(name, &error))?;
    if archive.len() > limits::ARCHIVE_ENTRIES {
        let message = format!(
            "the archive has {} entries; expected at most {}",
            archive.len(),
            limits::ARCHIVE_ENTRIES
        );
        return Err(broken(name, message));
    }
    let unpacked = Arc::new(AtomicU64::new(0));
    let mut found = ArchiveFiles { parts: Vec::new(), aside: Vec::new(), single: false };
    for index in 0..archive.len() {
        let entry = archive.by_index_data(index).map_err(|error| damaged(name, &error))?;
        let Ok(given) = entry.name() else { continue };
        let given = given.replace('\\', "/");
        if entry.is_dir() || given.split('/').any(|step| step == "__MACOSX") || base(&given).starts_with("._")
        {
            continue;
        }
        if !is_inside(&given) || entry.is_symlink() {
            let message = "its name leads out of the archive; expected one inside it".to_owned();
            found.aside.push(FilePiece { place: printable(&given), what: Err(message) });
        } else if given.to_ascii_lowercase().ends_with(".zip") {
            let why = "an archive inside the archive is not opened".to_owned();
            found.aside.push(FilePiece { place: printable(&given), what: Ok(ImportedRecord::LeftOut(why)) });
        } else {
            let packed_bytes = entry.compressed_size().min(whole);
            let (archive, unpacked) = (path.to_owned(), Arc::clone(&unpacked));
            found.parts.push(ArchiveFile {
                name: given,
                source: ArchiveSource::Entry { archive, index, packed_bytes, unpacked },
            });
        }
    }
    found.parts.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(found)
}

/// Whether a name stays inside: no root, no drive, no way up.
fn is_inside(name: &str) -> bool {
    let drive = name.as_bytes().get(1) == Some(&b':');
    !name.starts_with('/') && !drive && !name.contains('\0') && name.split('/').all(|step| step != "..")
}

fn printable(name: &str) -> String {
    super::lenient::cut(name, 200)
        .chars()
        .map(|sign| if sign.is_control() { '\u{fffd}' } else { sign })
        .collect()
}

fn damaged(place: &str, error: &ZipError) -> UnreadableFile {
    let message = match error {
        ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) | ZipError::InvalidPassword => {
            "it is encrypted; unpack it with its password and import what is inside".to_owned()
        }
        ZipError::UnsupportedArchive(_) | ZipError::CompressionMethodNotSupported(_) => {
            "it is packed in a way that is not read here; unpack it and import what is inside".to_owned()
        }
        _ => "the archive is damaged; download it again".to_owned(),
    };
    broken(place, message)
}

impl ArchiveFile {
    /// Its bytes, from the beginning.
    pub fn open(&self) -> Result<Bytes, UnreadableFile> {
        match &self.source {
            ArchiveSource::File(path) => {
                let file = File::open(path);
                let file = file.map_err(|error| broken(&self.name, format!("it cannot be read: {error}")))?;
                Ok(Box::new(file))
            }
            ArchiveSource::Entry { archive, index, packed_bytes, unpacked } => {
                let unreadable = |_| broken(&self.name, "the archive cannot be read on");
                let file = File::open(archive).map_err(unreadable)?;
                let mut archive =
                    ZipArchive::new(BufReader::new(file)).map_err(|error| damaged(&self.name, &error))?;
                // Here and not in the thread, so that what is wrong with it is said as what it is.
                archive.by_index(*index).map_err(|error| damaged(&self.name, &error)).map(drop)?;
                let (sender, pieces) = sync_channel(limits::UNPACKED_PIECES);
                let job = Unpacking {
                    index: *index,
                    packed_bytes: *packed_bytes,
                    unpacked: Arc::clone(unpacked),
                    sender,
                };
                let thread = std::thread::Builder::new().name("unpack".to_owned());
                thread.spawn(move || job.run(archive)).map_err(unreadable)?;
                Ok(Box::new(UnpackedStream { pieces, piece: Vec::new(), at: 0, ended: false }))
            }
        }
    }

    /// The whole of a small file.
    pub fn whole(&self) -> Result<Result<Vec<u8>, String>, UnreadableFile> {
        let mut bytes = Vec::new();
        let most = limits::ELEMENT_BYTES as u64;
        let read = self.open()?.take(most + 1).read_to_end(&mut bytes);
        read.map_err(|error| broken(&self.name, format!("it cannot be read on: {error}")))?;
        let large = bytes.len() as u64 > most;
        Ok(if large { Err(format!("it is larger than {} MiB", most / (1024 * 1024))) } else { Ok(bytes) })
    }
}

struct Unpacking {
    index: usize,
    packed_bytes: u64,
    unpacked: Arc<AtomicU64>,
    sender: SyncSender<io::Result<Vec<u8>>>,
}

impl Unpacking {
    /// Ends when the entry does, or when nobody reads any more.
    fn run(self, mut archive: ZipArchive<BufReader<File>>) {
        let mut entry = match archive.by_index(self.index) {
            Ok(entry) => entry,
            Err(_) => return drop(self.sender.send(Err(io::Error::other("the archive is damaged")))),
        };
        let mut own = 0;
        loop {
            let mut piece = vec![0; limits::UNPACKED_PIECE_BYTES];
            let read = match entry.read(&mut piece) {
                Ok(read) => self.within(&mut own, read as u64).map(|()| read),
                Err(_) => Err(io::Error::other("the archive is damaged; download it again")),
            };
            let done = matches!(read, Ok(0) | Err(_));
            let sent = self.sender.send(read.map(|read| {
                piece.truncate(read);
                piece
            }));
            if done || sent.is_err() {
                return;
            }
        }
    }

    fn within(&self, own: &mut u64, read: u64) -> io::Result<()> {
        *own += read;
        let all = self.unpacked.fetch_add(read, Ordering::Relaxed) + read;
        let swells =
            *own > limits::ARCHIVE_HARMLESS_BYTES && *own / self.packed_bytes.max(1) > limits::ARCHIVE_RATIO;
        if all > limits::ARCHIVE_BYTES || swells {
            return Err(io::Error::other(
                "it unpacks to far more than an export would; it was made to do harm",
            ));
        }
        Ok(())
    }
}

/// What the thread unpacked, as a stream.
struct UnpackedStream {
    pieces: Receiver<io::Result<Vec<u8>>>,
    piece: Vec<u8>,
    at: usize,
    ended: bool,
}

impl Read for UnpackedStream {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.at == self.piece.len() {
            if self.ended {
                return Ok(0);
            }
            match self.pieces.recv() {
                Ok(Ok(piece)) if piece.is_empty() => self.ended = true,
                Ok(Ok(piece)) => (self.piece, self.at) = (piece, 0),
                Ok(Err(error)) => return Err(error),
                // The thread sends an empty piece at the end; without one it did not get there.
                Err(_) => return Err(io::Error::other("the archive cannot be read on")),
            }
        }
        let left = &self.piece[self.at..];
        let count = left.len().min(into.len());
        into[..count].copy_from_slice(&left[..count]);
        self.at += count;
        Ok(count)
    }
}

/// Walks the JSON files one after another and makes pieces of what they contain.
pub fn walk<F>(parts: Vec<ArchiveFile>, aside: Vec<FilePiece>, opened: Opened, each: F) -> FilePieces
where
    F: FnMut(&str, Met) -> Vec<FilePiece> + Send + 'static,
{
    Box::new(Walked { parts: parts.into(), current: None, opened, each, ready: aside.into(), ended: false })
}

struct Walked<F> {
    parts: VecDeque<ArchiveFile>,
    current: Option<(String, JsonWalk<Bytes>)>,
    opened: Opened,
    each: F,
    ready: VecDeque<FilePiece>,
    ended: bool,
}

impl<F: FnMut(&str, Met) -> Vec<FilePiece>> Walked<F> {
    fn advance(&mut self) -> Result<Option<FilePiece>, UnreadableFile> {
        loop {
            if let Some(piece) = self.ready.pop_front() {
                return Ok(Some(piece));
            }
            match &mut self.current {
                Some((name, walk)) => match walk.next().transpose()? {
                    Some(met) => self.ready.extend((self.each)(name, met)),
                    None => self.current = None,
                },
                None => match self.parts.pop_front() {
                    Some(part) => {
                        let walk = JsonWalk::new(&part.name, part.open()?, self.opened);
                        self.current = Some((part.name, walk));
                    }
                    None => return Ok(None),
                },
            }
        }
    }
}

impl<F: FnMut(&str, Met) -> Vec<FilePiece>> Iterator for Walked<F> {
    type Item = Result<FilePiece, UnreadableFile>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let piece = self.advance().transpose();
        self.ended = !matches!(piece, Some(Ok(_)));
        piece
    }
}
