//! What a check-up can put right without changing what is remembered: everything that is computed from something else, and rows
//! that nothing stands behind. Each is found anew inside the transaction that mends it, so that a mend is never late.

use serde::{Deserialize, Serialize};

use super::RecordKind;

/// One thing to put right.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "mend", rename_all = "snake_case")]
pub enum Mend {
    /// Tables, indexes and triggers that are missing or not as they should be.
    Schema,
    /// The database's own indexes.
    Indexes,
    /// Words of documents: missing, stray, or not those of their text.
    Words,
    /// The full-text index over those words.
    WordIndex,
    /// Vectors that no document stands behind, and those that are none. The missing ones are made elsewhere.
    Vectors,
    /// Vectors of these rows, which are not those of their texts: they go, and are made anew.
    DropVectors { table: String, rows: Vec<i64> },
    /// How many vectors there are.
    VectorCounts,
    /// How many documents there are, and how long.
    Corpora,
    /// Where sessions go on, and when they last spoke.
    Sessions,
    /// Names under which entities are found.
    EntityNames,
    /// Hashes of contents.
    Hashes,
    /// Derivations whose ends are gone.
    Derivations,
    /// Counts of memories that are gone.
    Counters,
    /// Archived texts of memories that are gone.
    Archives,
    /// An archived text that does not fit its hash: what history still has of it takes its place, or it goes.
    DamagedArchives,
    /// Marks of turns and sessions that are gone.
    Waiting,
    /// Prompts' blocks that hold what their reader may not see.
    Blocks,
    /// A row that cannot be read or does not belong here goes. Whoever asks for this has put it aside first.
    Discard { kind: Aside, row: i64 },
}

/// What a row that is put aside was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Aside {
    Record(RecordKind),
    Turn,
    Block,
    Archive,
    /// What a record was before a change; the row's number is the change's, and this its place within.
    History(i64),
}
