//! Going out: a snapshot of a tenant, written in one of our formats, to a file, a folder or whoever reads along.
//!
//! JSON and JSON lines come in chunks as the snapshot is read, so that a stream needs no more memory than a page. A file appears
//! under its name only when all of it is written, and for its owner alone.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use memory::ports::{Snapshot, Views};
use memory::types::{Extent, Part, TenantId, Time};
use store::Tenant;
use tempfile::NamedTempFile;

use super::TransferFormat;
use super::header::{Ended, ExportTrailer, FORMAT, Headed, Header};
use super::vault::{self, ExportError, Flavour, Folder, Zip};
use crate::error::Error;
use crate::limits;

/// What an export came to.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct ExportReport {
    pub format: &'static str,
    /// Items of all parts; of notes, how many were written.
    pub exported: u64,
    /// By part, or by kind of note.
    pub counts: BTreeMap<String, u64>,
}

/// JSON or JSON lines, chunk by chunk.
pub struct Encoding {
    snapshot: Box<dyn Snapshot>,
    is_lines: bool,
    header: Header,
    /// The part being read, and where in it.
    part: usize,
    after: Option<String>,
    stage: ExportStage,
    /// Items so far.
    pub written: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ExportStage {
    Header,
    Items,
    Over,
}

impl Encoding {
    pub async fn new(
        tenant: &Tenant,
        extent: &Extent,
        format: TransferFormat,
        now: Time,
    ) -> Result<Self, Error> {
        let mut snapshot = tenant.snapshot(extent).await?;
        let counts = counted(&mut *snapshot).await?;
        let header = header(tenant.id(), extent, counts, now);
        let is_lines = format == TransferFormat::JsonLines;
        Ok(Self { snapshot, is_lines, header, part: 0, after: None, stage: ExportStage::Header, written: 0 })
    }

    /// How many items there will be.
    pub fn total(&self) -> u64 {
        self.header.counts.values().sum()
    }

    pub fn exported(&self) -> ExportReport {
        let format = if self.is_lines { TransferFormat::JsonLines } else { TransferFormat::Json };
        ExportReport { format: format.as_str(), exported: self.written, counts: self.header.counts.clone() }
    }

    /// The next bytes; nothing at the end.
    pub async fn next(&mut self) -> Result<Option<Vec<u8>>, Error> {
        match self.stage {
            ExportStage::Header => {
                self.stage = ExportStage::Items;
                Ok(Some(self.beginning()))
            }
            ExportStage::Items => match self.page().await? {
                Some(bytes) => Ok(Some(bytes)),
                None => {
                    self.stage = ExportStage::Over;
                    Ok(Some(self.end()))
                }
            },
            ExportStage::Over => Ok(None),
        }
    }

    fn beginning(&self) -> Vec<u8> {
        let headed = written(&Headed { recollect: self.header.clone() });
        if self.is_lines {
            return [headed, b"\n".to_vec()].concat();
        }
        // The document goes on where the object would close.
        let open = headed.strip_suffix(b"}").unwrap_or(&headed);
        [open, b",\n\"items\":["].concat()
    }

    fn end(&self) -> Vec<u8> {
        if self.is_lines {
            let ended = Ended { recollect_end: ExportTrailer { items: self.written } };
            return [written(&ended), b"\n".to_vec()].concat();
        }
        b"\n]}\n".to_vec()
    }

    async fn page(&mut self) -> Result<Option<Vec<u8>>, Error> {
        while let Some(part) = Part::ALL.get(self.part) {
            let page = self.snapshot.page(*part, self.after.as_deref(), limits::EXPORT_PAGE_ITEMS).await?;
            let Some((last, items)) = page else {
                (self.part, self.after) = (self.part + 1, None);
                continue;
            };
            self.after = Some(last);
            let mut bytes = Vec::new();
            for item in &items {
                if !self.is_lines {
                    bytes.extend_from_slice(if self.written > 0 { b",\n" } else { b"\n" });
                }
                bytes.extend(written(item));
                if self.is_lines {
                    bytes.push(b'\n');
                }
                self.written += 1;
            }
            return Ok(Some(bytes));
        }
        Ok(None)
    }
}

/// How many items there are, by part.
async fn counted(snapshot: &mut dyn Snapshot) -> Result<BTreeMap<String, u64>, Error> {
    let mut counts = BTreeMap::new();
    for part in Part::ALL {
        let count = snapshot.count(*part).await?;
        if count > 0 {
            counts.insert(part.to_string(), count);
        }
    }
    Ok(counts)
}

fn header(tenant: &TenantId, extent: &Extent, counts: BTreeMap<String, u64>, now: Time) -> Header {
    Header {
        format: FORMAT,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        exported_at: now,
        tenant: tenant.clone(),
        extent: extent.clone(),
        counts,
    }
}

fn written(value: &impl serde::Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("items are plain data")
}

/// What is told of while an export goes on: items so far, and of how many.
pub type ExportObserver<'a> = &'a mut (dyn FnMut(u64, u64) + Send);

/// Where an export goes and whether something that is there may go for it.
pub struct ExportTarget<'a> {
    pub path: &'a Path,
    pub force: bool,
}

/// Writes an export to a path: a file, or a folder of notes (a zip of them, where the path ends so).
pub async fn to_path(
    tenant: &Tenant,
    extent: &Extent,
    format: TransferFormat,
    target: ExportTarget<'_>,
    now: Time,
    telling: ExportObserver<'_>,
) -> Result<ExportReport, Error> {
    let folder =
        matches!(format, TransferFormat::Markdown | TransferFormat::Obsidian) && !is_zip(target.path);
    if folder {
        return notes_in_folder(tenant, extent, format, &target).await;
    }
    if target.path.exists() && !target.force {
        return Err(Error::FileExists(target.path.to_owned()));
    }
    if target.path.is_dir() {
        return Err(Error::FolderExists(target.path.to_owned()));
    }
    let beside = beside(target.path);
    let unwritable = |error: std::io::Error| Error::unwritable(target.path, error);
    let mut file = NamedTempFile::new_in(&beside).map_err(unwritable)?;
    let exported = match format {
        TransferFormat::Json | TransferFormat::JsonLines => {
            let mut encoding = Encoding::new(tenant, extent, format, now).await?;
            pour(&mut encoding, file.as_file_mut(), telling).await.map_err(|failed| failed.of(target.path))?
        }
        _ => {
            let (made, exported) = to_file(tenant, extent, format, &beside).await?;
            file = made;
            exported
        }
    };
    file.as_file().sync_all().map_err(unwritable)?;
    if format == TransferFormat::Sqlite {
        // A log that an earlier database left there would be read into this one.
        for ending in ["-wal", "-shm"] {
            let mut left = target.path.as_os_str().to_owned();
            left.push(ending);
            let _ = std::fs::remove_file(left);
        }
    }
    let kept = match target.force {
        true => file.persist(target.path).map(drop),
        false => file.persist_noclobber(target.path).map(drop),
    };
    kept.map_err(|error| unwritable(error.error))?;
    Ok(exported)
}

/// Writes an export that is no stream (a database, a zip of notes) into a file of its own in a folder.
pub async fn to_file(
    tenant: &Tenant,
    extent: &Extent,
    format: TransferFormat,
    folder: &Path,
) -> Result<(NamedTempFile, ExportReport), Error> {
    let unwritable = |error: std::io::Error| Error::unwritable(folder, error);
    let file = NamedTempFile::new_in(folder).map_err(unwritable)?;
    let exported = match format {
        TransferFormat::Sqlite => {
            let mut snapshot = tenant.snapshot(&Extent { embeddings: true, ..extent.clone() }).await?;
            let counts = counted(&mut *snapshot).await?;
            drop(snapshot);
            tenant.copy_into(file.path(), extent).await?;
            ExportReport { format: format.as_str(), exported: counts.values().sum(), counts }
        }
        _ => {
            let mut snapshot = tenant.snapshot(extent).await?;
            let out = file.reopen().map_err(unwritable)?;
            let mut zip = Zip::new(std::io::BufWriter::new(out));
            let exported =
                vault::export(&mut *snapshot, &mut zip, flavour(format)).await.map_err(notes_failed)?;
            zip.finish().and_then(|mut out| out.flush()).map_err(unwritable)?;
            of_notes(format, &exported)
        }
    };
    Ok((file, exported))
}

async fn notes_in_folder(
    tenant: &Tenant,
    extent: &Extent,
    format: TransferFormat,
    target: &ExportTarget<'_>,
) -> Result<ExportReport, Error> {
    let failed = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => Error::FolderNotEmpty(target.path.to_owned()),
        _ => Error::unwritable(target.path, error),
    };
    let mut folder = Folder::create(target.path, target.force).map_err(failed)?;
    let mut snapshot = tenant.snapshot(extent).await?;
    let exported = vault::export(&mut *snapshot, &mut folder, flavour(format)).await.map_err(notes_failed)?;
    folder.finish().map_err(failed)?;
    Ok(of_notes(format, &exported))
}

fn flavour(format: TransferFormat) -> Flavour {
    if format == TransferFormat::Obsidian { Flavour::Obsidian } else { Flavour::Markdown }
}

fn of_notes(format: TransferFormat, exported: &vault::VaultCounts) -> ExportReport {
    let counts = [
        ("memory", exported.memories),
        ("link", exported.links),
        ("episode", exported.episodes),
        ("session", exported.sessions),
        ("turn", exported.turns),
        ("entity", exported.entities),
        ("relation", exported.relations),
    ];
    let counts = counts.into_iter().filter(|(_, count)| *count > 0);
    let counts = counts.map(|(kind, count)| (kind.to_owned(), count)).collect();
    ExportReport { format: format.as_str(), exported: exported.notes, counts }
}

fn notes_failed(error: ExportError) -> Error {
    match error {
        ExportError::Store(error) => error.into(),
        ExportError::Write(error) => Error::NotesUnwritable(error),
    }
}

/// Why pouring stopped: the store's fault, or the file's.
pub enum Stopped {
    Store(Error),
    Write(std::io::Error),
}

impl Stopped {
    fn of(self, path: &Path) -> Error {
        match self {
            Stopped::Store(error) => error,
            Stopped::Write(error) => Error::unwritable(path, error),
        }
    }
}

/// All of an encoding into a file, or whatever takes bytes.
pub async fn pour(
    encoding: &mut Encoding,
    out: &mut (dyn Write + Send),
    telling: ExportObserver<'_>,
) -> Result<ExportReport, Stopped> {
    let total = encoding.total();
    while let Some(bytes) = encoding.next().await.map_err(Stopped::Store)? {
        out.write_all(&bytes).map_err(Stopped::Write)?;
        telling(encoding.written, total);
    }
    out.flush().map_err(Stopped::Write)?;
    Ok(encoding.exported())
}

/// The folder that a file will stand in, where what becomes it is written first.
fn beside(path: &Path) -> PathBuf {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned()
}

pub fn is_zip(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("zip"))
}

/// The format that a path's ending suggests: JSON unless it says otherwise.
pub fn by_ending(path: &Path) -> TransferFormat {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    match ending.as_deref() {
        Some("jsonl" | "ndjson") => TransferFormat::JsonLines,
        Some("db" | "sqlite" | "sqlite3") => TransferFormat::Sqlite,
        _ => TransferFormat::Json,
    }
}

/// Copies a finished file to whoever reads along.
pub fn copy(file: &mut File, out: &mut dyn Write) -> std::io::Result<u64> {
    std::io::copy(file, out)
}
