//! Memory as a folder of notes: Markdown that people read and edit, and Obsidian's vaults.
//!
//! Going out ([`export`]), every memory is a note: front-matter that carries all of its record, the content byte for byte, and below a mark
//! what is written for readers: tags and links. Going in ([`read`]), a note of ours is the record it was, with what a person changed
//! in it; anybody else's note is a memory of its own, with its tags, its properties and the notes it names.
//!
//! `notes` is where notes go, `names` what they are called, `front` and `text` how they are written and read, `spool` what puts
//! items in order; `export` and `write` go out, `files`, `read`, `ours`, `foreign`, `markdown` and `split` come in.

mod export;
mod files;
mod foreign;
mod front;
mod markdown;
mod names;
mod notes;
mod ours;
mod read;
mod split;
mod spool;
mod text;
mod write;

pub use export::{ExportError, VaultCounts, export};
pub use notes::{Folder, NoteSink, Zip};
pub use read::{read, recognise};

/// The property by which a note of ours is known, and the version of what follows it.
const MARK: &str = "recollect";
const VERSION: u32 = 2;

/// The fields of a memory's metadata that tell which note it was, so that it goes out under the name under which others link to
/// it, and which part of a note that was too long for one memory.
const NOTE_PATH: &str = "notePath";
const NOTE_PART: &str = "notePart";

/// Where whoever takes notes in keeps the names that they point to and that no note has.
const UNWRITTEN: &str = "links";

/// For whom notes are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flavour {
    /// Links are relative paths.
    Markdown,
    /// Links are `[[wikilinks]]`, and tags stand in the text.
    Obsidian,
}
