//! After a purge: nothing of it is left in the files, and that is made sure of by reading them.
//!
//! SQLite overwrites what is deleted, but not every copy of it: when a page is split, what moved to the new page stays behind in
//! the unused middle of the old one, and the full-text index keeps a word as the signpost of a page whose first word it was. So
//! the log is emptied first, then the file is read as bytes and searched for what was purged; where a trace is found, the indexes
//! that hold it are built anew and the whole file is written anew (`VACUUM`).
//!
//! A word by which others are still found is no trace. A word that nobody has any more, and a whole sentence, are.

use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use memory::error::{StoreError, StoreResult};
use memory::text::Analyser;
use memory::types::{Erased, Traces};
use parking_lot::Mutex;
use rusqlite::Connection;

use super::byte_search::Needles;
use super::writer::scrub;
use super::{DatabasePlace, TenantInner, failed, search};

/// Full-text indexes, by the table that they are of.
const INDEXES: [&str; 3] = ["memory", "episode", "turn"];

/// Bytes of a word from which on it says something by itself: shorter ones occur in any file by chance.
const WORD_BYTES: usize = 5;

/// Bytes of a text that are searched for: long enough to be that text alone, short enough to lie on one page.
const TEXT_BYTES: std::ops::RangeInclusive<usize> = 16..=96;

/// Bytes of the file that are read at once.
const CHUNK: usize = 1 << 20;

/// Database files that are kept open for reading; of more the bytes are not looked at, and they are always written anew.
const OPEN_FILES: usize = 64;

/// Files are never closed again while the process lives: closing any descriptor of a database drops the locks that the process
/// has on it, SQLite's among them, and another process could then take the log away under our feet.
static FILES: Mutex<Option<OpenFiles>> = Mutex::new(None);

/// By device and inode.
type OpenFiles = HashMap<(u64, u64), Arc<File>>;

pub fn erase(inner: &TenantInner, traces: &Traces) -> StoreResult<Erased> {
    // A resting reader may still hold an old end of the log, and what is kept of words is not to outlive them.
    inner.readers.lock().clear();
    *inner.frequencies.lock() = search::Frequencies::default();
    inner.decks.clear();
    let connection = inner.writer.lock();
    let DatabasePlace::File(path) = &inner.place else {
        // Nothing is on a disk; what is free in memory is written anew all the same.
        connection.execute_batch("VACUUM").map_err(failed)?;
        return Ok(Erased { rewritten: true, remains: false });
    };
    scrub(&connection)?;
    let (words, texts) = sought(&connection, &inner.analyser, &traces.texts)?;
    let everything = Needles::new(words.iter().chain(&texts)).map_err(too_many)?;
    // What is too short to be looked for by its bytes is taken to be there.
    let many = traces.many || traces.texts.iter().any(|text| is_too_short(&inner.analyser, text));
    let found = many || !everything.is_empty() && file_holds(path, &everything)?;
    if !found {
        return Ok(Erased { rewritten: false, remains: remains(inner, path, traces)? });
    }
    for table in INDEXES {
        if many || index_holds(&connection, table, &everything)? {
            let sql = format!("INSERT INTO {table}_fts ({table}_fts) VALUES ('rebuild')");
            connection.execute_batch(&sql).map_err(failed)?;
        }
    }
    write_anew(&connection)?;
    scrub(&connection)?;
    Ok(Erased { rewritten: true, remains: remains(inner, path, traces)? })
}

/// Whether the words that were named are still somewhere, in what the purge was not about.
fn remains(inner: &TenantInner, path: &Path, traces: &Traces) -> StoreResult<bool> {
    let Some(named) = &traces.named else { return Ok(false) };
    let words = inner.analyser.analyse(named).surface;
    let words = Needles::new(words.iter().filter(|word| word.len() >= WORD_BYTES)).map_err(too_many)?;
    Ok(!words.is_empty() && file_holds(path, &words)?)
}

/// The whole file anew. On the disk and not in memory, where it may not fit.
fn write_anew(connection: &Connection) -> StoreResult<()> {
    connection.pragma_update(None, "temp_store", "FILE").map_err(failed)?;
    let done = connection.execute_batch("VACUUM").map_err(failed);
    connection.pragma_update(None, "temp_store", "MEMORY").map_err(failed)?;
    done
}

/// What would be a trace: words that no document has any more, and the texts as they are stored and as they are indexed.
fn sought(
    connection: &Connection,
    analyser: &Analyser,
    given: &[String],
) -> StoreResult<(BTreeSet<String>, BTreeSet<String>)> {
    let (mut words, mut texts) = (BTreeSet::new(), BTreeSet::new());
    for text in given {
        let analysed = analyser.analyse(text);
        texts.extend(distinctive(text));
        texts.extend(distinctive(&analysed.surface.join(" ")));
        texts.extend(distinctive(&analysed.stems.join(" ")));
        words.extend(analysed.surface.into_iter().chain(analysed.stems));
    }
    words.retain(|word| word.len() >= WORD_BYTES);
    let mut gone = BTreeSet::new();
    for word in words {
        if !is_used(connection, &word)? {
            gone.insert(word);
        }
    }
    Ok((gone, texts))
}

/// Neither a word of it nor the whole can be told from what stands in any file by chance.
fn is_too_short(analyser: &Analyser, text: &str) -> bool {
    let words = analyser.analyse(text).surface;
    !text.trim().is_empty() && distinctive(text).is_none() && words.iter().all(|word| word.len() < WORD_BYTES)
}

/// A piece of the text that stands in a JSON body as it is.
fn distinctive(text: &str) -> Option<String> {
    let pieces = text.split(|c: char| c == '"' || c == '\\' || c.is_control());
    let longest = pieces.max_by_key(|piece| piece.len())?.trim();
    let end = longest.floor_char_boundary(*TEXT_BYTES.end());
    (end >= *TEXT_BYTES.start()).then(|| longest[..end].to_owned())
}

fn is_used(connection: &Connection, word: &str) -> StoreResult<bool> {
    for table in INDEXES {
        let sql = format!("SELECT 1 FROM {table}_vocab WHERE term = ?1");
        let mut statement = connection.prepare_cached(&sql).map_err(failed)?;
        if statement.exists([word]).map_err(failed)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn too_many(error: aho_corasick::BuildError) -> StoreError {
    StoreError::Failed(format!("more words to look for than a search can hold: {error}"))
}

/// Whether an index holds a trace: in its pages, or among the words that lead to them.
fn index_holds(connection: &Connection, table: &str, needles: &Needles) -> StoreResult<bool> {
    for sql in [format!("SELECT term FROM {table}_fts_idx"), format!("SELECT block FROM {table}_fts_data")] {
        let mut statement = connection.prepare(&sql).map_err(failed)?;
        let mut rows = statement.query([]).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            let bytes = row.get_ref(0).map_err(failed)?;
            if bytes.as_bytes().is_ok_and(|bytes| needles.is_in(bytes)) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

#[cfg(unix)]
fn file_holds(path: &Path, needles: &Needles) -> StoreResult<bool> {
    use std::os::unix::fs::FileExt;
    let Some(file) = opened(path).map_err(|error| unreadable_file(&error))? else { return Ok(true) };
    let mut buffer = vec![0; CHUNK + needles.longest()];
    let mut at = 0;
    loop {
        let mut filled = 0;
        while filled < buffer.len() {
            match file.read_at(&mut buffer[filled..], at + filled as u64) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(unreadable_file(&error)),
            }
        }
        if needles.is_in(&buffer[..filled]) {
            return Ok(true);
        }
        if filled < buffer.len() {
            return Ok(false);
        }
        // What lies across the edge of two chunks is in the second one as a whole.
        at += CHUNK as u64;
    }
}

/// The file, opened once; nothing where too many are open already.
#[cfg(unix)]
fn opened(path: &Path) -> std::io::Result<Option<Arc<File>>> {
    use std::os::unix::fs::MetadataExt;
    let metadata = std::fs::metadata(path)?;
    let place = (metadata.dev(), metadata.ino());
    let mut files = FILES.lock();
    let files = files.get_or_insert_with(HashMap::new);
    if let Some(file) = files.get(&place) {
        return Ok(Some(Arc::clone(file)));
    }
    if files.len() >= OPEN_FILES {
        return Ok(None);
    }
    let file = Arc::new(File::open(path)?);
    files.insert(place, Arc::clone(&file));
    Ok(Some(file))
}

/// Where locks are not looked at like that nobody knows, so the file is written anew every time.
#[cfg(not(unix))]
fn file_holds(_path: &Path, _needles: &Needles) -> StoreResult<bool> {
    Ok(true)
}

fn unreadable_file(error: &std::io::Error) -> StoreError {
    StoreError::Failed(format!("the database cannot be read as a file: {error}"))
}
