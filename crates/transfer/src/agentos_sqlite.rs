//! An AgentOS brain as its database.
//!
//! Its tables are gone through as the lists of the document are; columns that a version does not have are missing fields. A database that
//! was copied while it was in use has its last changes in a log beside it: then both are copied aside and read together, so that
//! nothing of it is missed and nothing of it is touched.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use store::foreign::{self, ForeignError};
use tempfile::TempDir;

use super::agentos::{self, AgentosRecord, AgentosTable};
use super::import_model::{Abandonment, FilePieces, UnreadableFile};

/// Whether a database is a brain, by its tables.
pub fn recognise(path: &Path) -> bool {
    Brain::open(path).is_ok_and(|brain| brain.tables.iter().any(|table| table == "memory_traces"))
}

pub fn read(path: &Path, abandonment: &Abandonment) -> Result<FilePieces, UnreadableFile> {
    let abandonment = abandonment.clone();
    let brain = Arc::new(Brain::open(path)?);
    if !brain.tables.iter().any(|table| AgentosTable::named(table).is_some()) {
        return Err(brain.broken("it has none of the tables of an AgentOS brain, such as memory_traces"));
    }
    agentos::brain(move || {
        let (brain, abandonment) = (Arc::clone(&brain), abandonment.clone());
        let tables: Vec<String> =
            brain.tables.iter().filter(|table| AgentosTable::named(table).is_some()).cloned().collect();
        Ok(Box::new(tables.into_iter().flat_map(move |table| brain.rows(&table, abandonment.clone()))))
    })
}

struct Brain {
    name: String,
    path: PathBuf,
    tables: Vec<String>,
    /// Where it was copied to; the copy goes with it.
    _copy: Option<TempDir>,
}

impl Brain {
    fn open(path: &Path) -> Result<Self, UnreadableFile> {
        let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let mut brain = Self { name, path: path.to_owned(), tables: Vec::new(), _copy: None };
        let log = beside(path, "-wal");
        if log.metadata().is_ok_and(|log| log.len() > 0) {
            let copied = copied(path, &log);
            let (folder, copy) =
                copied.map_err(|error| brain.broken(format!("it cannot be copied aside: {error}")))?;
            foreign::settle(&copy).map_err(|error| brain.failed(&error))?;
            (brain.path, brain._copy) = (copy, Some(folder));
        }
        brain.tables =
            foreign::tables(&brain.path).map_err(|error| brain.failed(&error))?.into_keys().collect();
        Ok(brain)
    }

    fn broken(&self, message: impl Into<String>) -> UnreadableFile {
        UnreadableFile { place: self.name.clone(), message: message.into() }
    }

    fn failed(&self, error: &ForeignError) -> UnreadableFile {
        self.broken(error.to_string())
    }

    fn rows(
        self: &Arc<Self>,
        table: &str,
        abandonment: Abandonment,
    ) -> Box<dyn Iterator<Item = Result<AgentosRecord, UnreadableFile>> + Send> {
        let Some(list) = AgentosTable::named(table) else { return Box::new(std::iter::empty()) };
        let brain = Arc::clone(self);
        match foreign::rows(&brain.path, table, move || abandonment.has_happened()) {
            Err(error) => Box::new(std::iter::once(Err(brain.failed(&error)))),
            Ok(rows) => Box::new(rows.enumerate().map(move |(number, row)| {
                let mut fields = row.map_err(|error| brain.failed(&error))?;
                fields.remove("embedding");
                Ok(AgentosRecord {
                    list,
                    place: format!("{} {}", list.one(), number + 1),
                    fields: Ok(fields),
                })
            })),
        }
    }
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

fn copied(path: &Path, log: &Path) -> std::io::Result<(TempDir, PathBuf)> {
    let folder = tempfile::tempdir()?;
    let copy = folder.path().join("brain.sqlite");
    std::fs::copy(path, &copy)?;
    std::fs::copy(log, beside(&copy, "-wal"))?;
    Ok((folder, copy))
}
