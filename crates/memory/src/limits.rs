//! Every bound of the house, with its unit and its reason. Nothing here grows with what strangers send.

/// Bytes of one memory's content. A memory is a sentence; a page is a document and belongs into a session.
pub const MEMORY_CONTENT_BYTES: usize = 16 * 1024;

/// Bytes of the evidence quote.
pub const EVIDENCE_BYTES: usize = 4 * 1024;

/// Bytes of one turn's text. Large enough for a pasted file, small enough that a request of them fits in memory.
pub const TURN_TEXT_BYTES: usize = 1024 * 1024;

/// Bytes of a memory's metadata, written as JSON.
pub const METADATA_BYTES: usize = 32 * 1024;

/// Tags on one memory, and bytes of each.
pub const TAGS: usize = 64;
pub const TAG_BYTES: usize = 128;

/// Bytes of an upsert key.
pub const KEY_BYTES: usize = 256;

/// Bytes of subject, predicate or object.
pub const TRIPLE_PART_BYTES: usize = 1024;

/// Bytes of an id that a client gives (agent, user, session). Long enough for a URL used as a name.
pub const GIVEN_ID_BYTES: usize = 200;

/// Bytes of a tenant's id, which is also a file name.
pub const TENANT_ID_BYTES: usize = 64;

/// Bytes of a query that are looked at. More words than this do not make a question clearer.
pub const QUERY_BYTES: usize = 100 * 1024;

/// Results of one search, and rows of one page of a list.
pub const SEARCH_RESULTS: usize = 200;
pub const PAGE_ROWS: usize = 1_000;

/// Rows that one set-based read may name.
pub const READ_IDS: usize = 10_000;

/// Changes in one batch: bounds how long one caller holds the tenant's writer.
pub const BATCH_CHANGES: usize = 10_000;

/// Batches that share one commit. Past this the fsync is no longer the cost, and the first caller waits for the last.
pub const GROUP_COMMIT_BATCHES: usize = 256;

/// Batches in a group from which on the writer pauses before it takes the next one, and for how long: those who were just
/// answered come back within that time, and without the pause two halves of the callers would take turns, a sync each.
pub const GATHER_BATCHES: usize = 8;
pub const GATHER_MICROSECONDS: u64 = 300;

/// Batches that may wait for a tenant's writer before callers are told to come back.
pub const WRITE_QUEUE_BATCHES: usize = 4_096;

/// Threads that write, for all tenants together. Writers mostly wait for the disk, so a few more than cores.
pub const WRITER_THREADS: usize = 8;

/// Reader connections of one tenant. Readers never wait for the writer in WAL mode; two keep both cores busy.
pub const READERS_PER_TENANT: usize = 4;

/// Tenants held open at once, however many exist; the least recently used idle one is closed for the next.
pub const OPEN_TENANTS: usize = 256;

/// File descriptors that one open tenant may need: the writer's and its readers' database and log, and the index.
pub const DESCRIPTORS_PER_TENANT: usize = 2 * (1 + READERS_PER_TENANT) + 1;

/// Milliseconds to wait for another process's write before giving up.
pub const BUSY_TIMEOUT_MS: u64 = 10_000;

/// Seconds that a shutdown waits for work under way.
pub const DRAIN_SECONDS: u64 = 10;

/// Bytes of a request's body.
pub const BODY_BYTES: usize = 8 * 1024 * 1024;

/// Rows that a read of the past (`known_at`) walks, since history has no search index.
pub const KNOWN_AT_ROWS: usize = 50_000;

/// Rows of the change log that a follower asks for at a time.
pub const CHANGES_AT_ONCE: usize = 1_000;

/// Rows that a LIKE scan, the last tier of search, walks.
pub const LIKE_ROWS: usize = 100_000;

/// Bytes of one setting's or override's text.
pub const SETTING_TEXT_BYTES: usize = 4 * 1024;

/// Vectors of one corpus held in memory for one tenant: at 256 dimensions about 600 MiB. Past it keywords answer alone.
pub const INDEX_VECTORS: usize = 2_000_000;

/// Vectors that a question waits for to be loaded; more are loaded behind its back while keywords answer.
pub const INDEX_LOAD_INLINE: usize = 20_000;

/// Texts embedded in one go.
pub const EMBED_TEXTS: usize = 256;

/// Bytes of a message that the gate looks at, from both ends: it must answer in microseconds whatever is pasted.
pub const GATE_BYTES: usize = 4 * 1024;

/// Assembled contexts that are kept for the same question asked again, for all tenants together, and for how long.
pub const CONTEXT_CACHE_ENTRIES: usize = 256;
pub const CONTEXT_CACHE_SECONDS: i64 = 10;

/// Owners whose entities' names are kept at hand for the gate, and how many names of each.
pub const KNOWN_NAMES_OWNERS: usize = 256;
pub const KNOWN_NAMES: usize = PAGE_ROWS;

/// Active rules that come along with every message.
pub const RULES_SHOWN: usize = 20;

/// Turns that a pass looks at; of a longer session its beginning and its end.
pub const PASS_TURNS: usize = 2_000;

/// Held candidates of one owner that are kept, so that a later session may support them.
pub const HELD_PER_OWNER: usize = 500;

/// Messages of one capture. A client that sends more sends a history that is long stored.
pub const CAPTURE_MESSAGES: usize = 10_000;

/// Bytes of a fence's mark, attributes and all. What is longer was never one of ours.
pub const MARK_TAG_BYTES: usize = 256;

/// Times a text is looked through for secrets that masking brought to light. Two is what ordinary text needs.
pub const MASK_ROUNDS: usize = 8;

/// Secret patterns that a person may add: each costs two passes over every message.
pub const SECRET_PATTERNS: usize = 16;

/// Characters of a secret pattern, repetitions written out: they are the bits of one 128-bit number, with room to carry.
pub const SECRET_PATTERN_POSITIONS: usize = 120;

/// Characters of a secret pattern that are not wildcards, at least; fewer would mask ordinary text.
pub const SECRET_PATTERN_SURE: usize = 3;
