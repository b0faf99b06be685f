//! What came of an import.

use std::collections::BTreeMap;

use memory::types::RunId;
use serde::Serialize;

use crate::TransferFormat;
use crate::limits;

/// What came of an import, for the command line and over HTTP alike.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub struct ImportReport {
    /// Memories, conversations and other records that are new here.
    pub imported: u64,
    /// Those that were here already, or say the same as one that is.
    pub skipped: u64,
    /// What could not be taken in: the first hundred.
    pub errors: Vec<Trouble>,
    /// How many more there are.
    #[serde(skip_serializing_if = "is_zero")]
    pub more_errors: u64,
    /// As what the file was read.
    pub format: &'static str,
    /// By kind of record, and of what stands beside records.
    pub kinds: BTreeMap<String, KindCounts>,
    /// Secrets in conversations that were masked.
    pub secrets_masked: u64,
    /// The run, by which `undo` takes the import back; none where nothing changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub run: Option<RunId>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub dry_run: bool,
}

/// How many of a kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct KindCounts {
    pub imported: u64,
    pub skipped: u64,
}

/// A record that could not be taken in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = ImportTrouble)]
pub struct Trouble {
    /// Where in the file.
    #[serde(rename = "where")]
    pub place: String,
    pub message: String,
}

impl ImportReport {
    pub fn new(format: TransferFormat, dry_run: bool) -> Self {
        Self {
            imported: 0,
            skipped: 0,
            errors: Vec::new(),
            more_errors: 0,
            format: format.as_str(),
            kinds: BTreeMap::new(),
            secrets_masked: 0,
            run: None,
            dry_run,
        }
    }

    /// A record that is new here, or not.
    pub fn count(&mut self, kind: &str, is_new: bool) {
        self.count_beside(kind, is_new);
        match is_new {
            true => self.imported += 1,
            false => self.skipped += 1,
        }
    }

    /// Something that stands beside records: told by its kind, and not counted as one.
    pub fn count_beside(&mut self, kind: &str, is_new: bool) {
        let tallied = self.kinds.entry(kind.to_owned()).or_default();
        match is_new {
            true => tallied.imported += 1,
            false => tallied.skipped += 1,
        }
    }

    pub fn trouble(&mut self, place: String, message: impl Into<String>) {
        if self.errors.len() >= limits::IMPORT_ERRORS {
            self.more_errors += 1;
            return;
        }
        self.errors.push(Trouble { place, message: message.into() });
    }

    pub fn all_errors(&self) -> u64 {
        self.errors.len() as u64 + self.more_errors
    }
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}
