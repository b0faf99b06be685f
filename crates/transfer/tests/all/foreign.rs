//! What the tests of foreign formats share: files that are written, read, and looked at.

use std::path::{Path, PathBuf};

use memory::types::Role;
use serde_json::Value;
use transfer::import_model::{
    Abandonment, FilePiece, FilePieces, ImportedConversation, ImportedMemory, ImportedRecord, UnreadableFile,
};
use transfer::{agentos_sqlite, vault};

pub type ForeignReader = fn(&Path) -> Result<FilePieces, UnreadableFile>;

/// A file of its own, gone with the test.
pub struct Scratch {
    folder: tempfile::TempDir,
}

impl Scratch {
    pub fn new() -> Self {
        Self { folder: testkit::folder::scratch() }
    }

    pub fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("folders are made");
        std::fs::write(&path, bytes).expect("a file is written");
        path
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }
}

/// Everything a file comes to, or why it is broken.
pub fn all(reader: ForeignReader, path: &Path) -> Result<Vec<FilePiece>, UnreadableFile> {
    reader(path)?.collect()
}

/// Notes, and a database, for somebody who waits to the end.
pub fn read_notes(path: &Path) -> Result<FilePieces, UnreadableFile> {
    vault::read(path, &Abandonment::never())
}

pub fn read_brain(path: &Path) -> Result<FilePieces, UnreadableFile> {
    agentos_sqlite::read(path, &Abandonment::never())
}

/// The same of a text.
pub fn of(reader: ForeignReader, text: impl AsRef<[u8]>) -> Result<Vec<FilePiece>, UnreadableFile> {
    let scratch = Scratch::new();
    all(reader, &scratch.file("file", text))
}

pub fn of_json(reader: ForeignReader, json: &Value) -> Vec<FilePiece> {
    of(reader, json.to_string()).expect("a whole file")
}

pub fn conversations(pieces: Vec<FilePiece>) -> Vec<ImportedConversation> {
    let conversation = |piece: FilePiece| match piece.what {
        Ok(ImportedRecord::Conversation(conversation)) => Some(*conversation),
        _ => None,
    };
    pieces.into_iter().filter_map(conversation).collect()
}

pub fn notes(pieces: Vec<FilePiece>) -> Vec<ImportedMemory> {
    let note = |piece: FilePiece| match piece.what {
        Ok(ImportedRecord::Memory(note)) => Some(*note),
        _ => None,
    };
    pieces.into_iter().filter_map(note).collect()
}

/// The errors, with their places.
pub fn errors(pieces: &[FilePiece]) -> Vec<String> {
    let error =
        |piece: &FilePiece| piece.what.as_ref().err().map(|message| format!("{}: {message}", piece.place));
    pieces.iter().filter_map(error).collect()
}

pub fn left_out(pieces: &[FilePiece]) -> Vec<String> {
    let why = |piece: &FilePiece| match &piece.what {
        Ok(ImportedRecord::LeftOut(why)) => Some(format!("{}: {why}", piece.place)),
        _ => None,
    };
    pieces.iter().filter_map(why).collect()
}

/// A conversation in a line: who says what.
pub fn script(conversation: &ImportedConversation) -> Vec<(Role, &str)> {
    conversation.turns.iter().map(|turn| (turn.role, turn.text.as_str())).collect()
}
