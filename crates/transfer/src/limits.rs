//! The bounds on files that come and go, with their units and reasons. Those of memory itself are in [`memory::limits`].

/// Bytes of one record of a file that is imported: the longest conversations take a few tens of megabytes, and a record is
/// held in memory several times over while it is read.
pub const ELEMENT_BYTES: usize = 64 * 1024 * 1024;

/// Bytes of one row of a table, and of one line of conversations to take in: as much as one request may bring. A row that
/// is longer has a quote that was never closed.
pub const ROW_BYTES: usize = 8 * 1024 * 1024;

/// Records, and bytes, at the beginning of a file that are looked at to tell what it is. The first record is always looked at.
pub const GLIMPSE_RECORDS: usize = 16;
pub const GLIMPSE_BYTES: u64 = 4 * 1024 * 1024;

/// Entries of an archive: exports come with a file for every picture.
pub const ARCHIVE_ENTRIES: usize = 200_000;

/// Bytes that all entries read from an archive come to, unpacked: sixteen times the largest export that is heard of.
pub const ARCHIVE_BYTES: u64 = 16 * 1024 * 1024 * 1024;

/// How many times larger than packed an entry may be, once it is past the bytes that do no harm. Text packs ten to thirty
/// times; only what was made to do harm packs more.
pub const ARCHIVE_RATIO: u64 = 200;
pub const ARCHIVE_HARMLESS_BYTES: u64 = 32 * 1024 * 1024;

/// Bytes that travel at once from the thread that unpacks to the one that reads, and how many such pieces may wait.
pub const UNPACKED_PIECE_BYTES: usize = 64 * 1024;
pub const UNPACKED_PIECES: usize = 4;

/// Folders below a folder that is imported in which an export's files are looked for.
pub const EXPORT_FOLDER_DEPTH: usize = 4;

/// Items of an export that are read from the store at once; a page also ends where they are large.
pub const EXPORT_PAGE_ITEMS: usize = 500;

/// Pieces of a file that one thread reads ahead of the one that takes them in. A piece may be a conversation of many megabytes.
pub const PIECES_AHEAD: usize = 4;

/// Changes, and bytes of texts, that an import writes at once: few enough that others' writes get their turn in between.
pub const IMPORT_CHANGES: usize = 256;
pub const IMPORT_BYTES: usize = 1024 * 1024;

/// Records of a file that could not be taken in which an import names; the others it counts.
pub const IMPORT_ERRORS: usize = 100;

/// Names by which records of one file refer to each other, and such references: a few hundred bytes each.
pub const IMPORT_NAMES: usize = 1_000_000;

/// Keys of one file, for each of which an import knows the last row: some 70 bytes each.
pub const IMPORT_KEYS: usize = 1_000_000;

/// Bytes of a conversation's title that are kept.
pub const TITLE_BYTES: usize = 500;

/// Bytes of a file's beginning that are looked at to tell tables and notes from other files.
pub const DETECT_BYTES: u64 = 64 * 1024;

/// Bytes of one note that is read: a hundred times a long one, and a part of a transcript with its longest turn fits.
pub const NOTE_BYTES: u64 = 16 * 1024 * 1024;

/// Bytes of a note's front-matter that somebody wrote: a hundred times a long one.
pub const FRONT_MATTER_BYTES: usize = 64 * 1024;

/// Lists and maps within each other that front-matter may have, counted too high rather than too low: reading costs so many steps
/// for each of its bytes.
pub const FRONT_MATTER_NESTING: usize = 1_024;

/// Notes of one vault: their names are held in memory, some hundred bytes each.
pub const VAULT_NOTES: usize = 1_000_000;

/// Folders within folders of a vault: deeper than anybody files notes.
pub const VAULT_DEPTH: usize = 64;

/// Links that one note's memory gets. An index of everything stays readable in its text.
pub const NOTE_LINKS: usize = 500;

/// Bytes after which a transcript goes on in another note: editors open it without waiting.
pub const TRANSCRIPT_BYTES: usize = 4 * 1024 * 1024;

/// Fields of a document, beside its records, that errors name: as many as a reader takes in at a glance.
pub const OUTER_FIELDS: usize = 40;

/// Levels and conditions of a filter that mem0's clients send. People write a handful; a program that sends more means
/// something else.
pub const FILTER_DEPTH: usize = 16;
pub const FILTER_CONDITIONS: usize = 256;
