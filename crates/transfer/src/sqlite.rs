//! Our own database as a file: read like any other export, out of a copy.
//!
//! The file may be of an older version, and may be in use; it is copied first, and the copy is brought to this version's schema. What is
//! in it then comes out as the same items that a JSON export has.

use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use memory::error::StoreError;
use memory::ports::Snapshot;
use memory::types::{Extent, Item, Part};
use tempfile::TempDir;

use super::import_model::{FilePiece, FilePieces, ImportedRecord, UnreadableFile};
use crate::limits;

/// Whether these are the tables of one of ours.
pub fn recognise(tables: &[String]) -> bool {
    ["memory", "turn", "history", "change_log", "setting"]
        .iter()
        .all(|name| tables.iter().any(|table| table == name))
}

pub fn read(path: &Path) -> Result<FilePieces, UnreadableFile> {
    let name = super::file_name(path);
    let broken = |message: String| UnreadableFile { place: name.clone(), message };
    let tables = store::tables_of_file(path)
        .map_err(|_| broken("it cannot be read as a database: it is damaged, encrypted, or none".into()))?;
    if !recognise(&tables) {
        return Err(broken("it is no database of ours; expected the tables memory, turn and history".into()));
    }
    let copy = copied(path).map_err(|error| broken(format!("it cannot be copied: {error}")))?;
    let (sender, pieces) = sync_channel(limits::PIECES_AHEAD);
    std::thread::Builder::new()
        .name("database".to_owned())
        .spawn(move || read_out(&copy, &name, &sender))
        .map_err(|error| UnreadableFile {
            place: super::file_name(path),
            message: format!("no thread for it: {error}"),
        })?;
    Ok(Box::new(ReceivedPieces(pieces)))
}

/// What another thread reads.
struct ReceivedPieces(Receiver<Result<FilePiece, UnreadableFile>>);

impl Iterator for ReceivedPieces {
    type Item = Result<FilePiece, UnreadableFile>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.recv().ok()
    }
}

const COPY: &str = "copy.sqlite3";

/// The log ahead of the database goes along: it holds what was written last.
fn copied(path: &Path) -> std::io::Result<TempDir> {
    let folder = TempDir::new()?;
    std::fs::copy(path, folder.path().join(COPY))?;
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    if Path::new(&log).is_file() {
        std::fs::copy(&log, folder.path().join(format!("{COPY}-wal")))?;
    }
    Ok(folder)
}

fn read_out(copy: &TempDir, name: &str, sender: &SyncSender<Result<FilePiece, UnreadableFile>>) {
    let broken = |message: String| UnreadableFile { place: name.to_owned(), message };
    let runtime = match tokio::runtime::Builder::new_current_thread().build() {
        Ok(runtime) => runtime,
        Err(error) => return drop(sender.send(Err(broken(error.to_string())))),
    };
    if let Err(error) = runtime.block_on(every_item(copy, sender)) {
        let message = match error {
            StoreError::Locked(why) => why,
            other => {
                tracing::warn!(%other, "a database could not be read out");
                "it is damaged: not all of it can be read".to_owned()
            }
        };
        let _ = sender.send(Err(broken(message)));
    }
}

async fn every_item(
    copy: &TempDir,
    sender: &SyncSender<Result<FilePiece, UnreadableFile>>,
) -> Result<(), StoreError> {
    let mut snapshot = store::read_file(&copy.path().join(COPY), &Extent::everything()).await?;
    for part in Part::ALL {
        let mut number = 0_u64;
        let mut after = None;
        while let Some((last, items)) = page(&mut *snapshot, *part, after.as_deref()).await? {
            for item in items {
                number += 1;
                let what = Ok(ImportedRecord::Item(Box::new(item)));
                // Whoever stopped listening has seen enough.
                if sender.send(Ok(FilePiece { place: format!("{part} {number}"), what })).is_err() {
                    return Ok(());
                }
            }
            after = Some(last);
        }
    }
    Ok(())
}

async fn page(
    snapshot: &mut dyn Snapshot,
    part: Part,
    after: Option<&str>,
) -> Result<Option<(String, Vec<Item>)>, StoreError> {
    snapshot.page(part, after, limits::EXPORT_PAGE_ITEMS).await
}
