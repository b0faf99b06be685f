//! Why an export or an import did not come about, by what whoever asked for it must do.
//!
//! What is wrong with one record of a file is no error: it stands in the import's report. The surfaces add their hints, because only they
//! know what their flags and parameters are called.

use std::io;
use std::path::{Path, PathBuf};

use memory::error::{Invalid, StoreError};

use crate::import_model::UnreadableFile;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Name another file.
    #[error("{} cannot be read: {error}", path.display())]
    Unreadable { path: PathBuf, error: io::Error },
    #[error("{} is empty; expected an export", .0.display())]
    Empty(PathBuf),
    /// Say what the file is.
    #[error("what {} is cannot be told: in this {what}, expected {looked_for}", path.display())]
    UnknownFormat { path: PathBuf, what: &'static str, looked_for: &'static str },
    /// Mend the file: nothing of it was taken in.
    #[error(transparent)]
    Broken(#[from] UnreadableFile),
    /// Split the file: nothing of it was taken in.
    #[error("the file has more than {most} keys; expected at most that many in one file")]
    TooManyKeys { most: usize },
    /// Choose another place, or say that what is there may go.
    #[error("{} is there already; expected a new file", .0.display())]
    FileExists(PathBuf),
    #[error("{} is not empty; expected a new folder", .0.display())]
    FolderNotEmpty(PathBuf),
    #[error("{} is a folder; expected a file", .0.display())]
    FolderExists(PathBuf),
    /// Choose another place, or make room there.
    #[error("{} cannot be written: {error}", path.display())]
    Unwritable { path: PathBuf, error: io::Error },
    #[error("the notes cannot be written: {0}")]
    NotesUnwritable(io::Error),
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What the import's [`Distiller`](crate::intake::Distiller) met, as it is.
    #[error(transparent)]
    Distilling(Box<dyn std::error::Error + Send + Sync>),
    /// A thread of ours fell over.
    #[error(transparent)]
    Thread(#[from] tokio::task::JoinError),
}

impl Error {
    pub(crate) fn unwritable(path: &Path, error: io::Error) -> Self {
        Self::Unwritable { path: path.to_owned(), error }
    }
}

impl From<Invalid> for Error {
    fn from(invalid: Invalid) -> Self {
        Self::Store(StoreError::Invalid(invalid))
    }
}
