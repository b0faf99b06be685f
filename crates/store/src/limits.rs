//! Every bound of the store, with its unit and its reason: connections, threads, queues, indexes, keys, backups. Bounds of
//! what is stored are the mind's (`memory::limits`).

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

/// Reader connections of one tenant. Readers never wait for the writer in WAL mode; four questions read at once, which is
/// as many as a small machine has cores.
pub const READERS_PER_TENANT: usize = 4;

/// Tenants held open at once, however many exist; the least recently used idle one is closed for the next.
pub const OPEN_TENANTS: usize = 256;

/// Times that a caller asks for a seat while all open tenants are in use, and milliseconds between two: requests last
/// milliseconds, so after two seconds something holds the seats that does not let go.
pub const SEAT_ATTEMPTS: u32 = 200;
pub const SEAT_WAIT_MS: u64 = 10;

/// Threads on which requests read, for each core and at the least: some of them wait for a commit or a model.
pub const ASIDE_PER_CORE: usize = 4;
pub const ASIDE_AT_LEAST: usize = 8;

/// Milliseconds that a request waits for such a thread before it reads without one: less than a busy one takes to be done.
pub const ASIDE_WAIT_MS: u64 = 25;

/// How far upkeep steps back for others on the processor, from 0 to 19: a tenth of what a request gets, so that a lock it holds is
/// free again soon also where all cores are busy.
pub const UPKEEP_NICENESS: i32 = 10;

/// File descriptors that one open tenant may need: the writer's and its readers' database and log, and the index.
pub const DESCRIPTORS_PER_TENANT: usize = 2 * (1 + READERS_PER_TENANT) + 1;

/// Milliseconds to wait for another process's write before giving up.
pub const BUSY_TIMEOUT_MS: u64 = 10_000;

/// Seconds that a shutdown waits for work under way.
pub const DRAIN_SECONDS: u64 = 10;

/// Rows that a LIKE scan, the last tier of search, walks.
pub const LIKE_ROWS: usize = 100_000;

/// Vectors of one corpus held in memory for one tenant: at 256 dimensions about 600 MiB. Past it keywords answer alone.
pub const INDEX_VECTORS: usize = 2_000_000;

/// Words of one corpus held in memory for one tenant, at some ten bytes each: about 100 MiB. Past it FTS5 nominates.
pub const INDEX_WORDS: i64 = 10_000_000;

/// Bytes of rows that searches looked at lately, over all tenants of the process: about 40,000 rows of some 1.6 KB.
pub const DECK_BYTES: usize = 64 * 1024 * 1024;

/// Changed documents that the words in memory catch up with at a question; with more they are loaded anew behind its back.
pub const INDEX_CHANGES: usize = 20_000;

/// Vectors that a question waits for to be loaded; more are loaded behind its back while keywords answer.
pub const INDEX_LOAD_INLINE: usize = 20_000;

/// Keys that may exist, revoked ones included: all of them are kept in memory and read anew when one changes.
pub const KEYS: usize = 10_000;

/// Bytes of a key's name, and agents that one key may be bound to.
pub const KEY_NAME_BYTES: usize = 200;
pub const KEY_AGENTS: usize = 100;

/// Seconds within which a key's last use is not written again: it is for people, and must not cost a write a request.
pub const KEY_USE_SECONDS: i64 = 60;

/// Access decisions that are kept, the newest: days of a busy server in some 20 MB.
pub const AUDIT_ROWS: i64 = 100_000;

/// Decisions that may wait to be written, and how many are written at once. A request never waits for them: what comes
/// while the queue is full is counted and lost.
pub const AUDIT_QUEUE: usize = 16_384;
pub const AUDIT_BATCH: usize = 1_024;

/// Milliseconds for which decisions are gathered before they are written: a commit each would cost more than the requests.
pub const AUDIT_GATHER_MS: u64 = 50;

/// About how many bytes of items one page of a snapshot holds, so that an export takes as much memory whatever it is of.
pub const SNAPSHOT_PAGE_BYTES: usize = 1024 * 1024;

/// Seconds after which turns that wait to be learned from are stuck: a server learns within minutes, a day covers one that rested.
pub const PENDING_STUCK_SECONDS: i64 = 86_400;

/// Seconds after which a run that nobody is at was abandoned, and after which a lease that ran out was.
pub const RUN_STALE_SECONDS: i64 = 900;
pub const LEASE_LEFT_SECONDS: i64 = 3_600;

/// Bytes of a backup's manifest that are read: a hundred thousand tenants with room to spare.
pub const BACKUP_MANIFEST_BYTES: u64 = 64 * 1024 * 1024;

/// Milliseconds that somebody who has a store open may take to let go of it before a restore is refused.
pub const RESTORE_ALONE_MS: u64 = 2_000;

/// Records that a restore purges again in one batch.
pub const RESTORE_PURGES: usize = 500;

/// Bytes of one value in a stranger's database: the longest conversations take a few tens of megabytes.
pub const FOREIGN_VALUE_BYTES: i32 = 64 * 1024 * 1024;

/// Steps of SQLite's machine that reading a stranger's table may take: so many whatever the file, and so many for each of its bytes.
/// A row of thirty columns takes some forty, and at least five bytes.
pub const FOREIGN_STEPS: u64 = 10_000_000;
pub const FOREIGN_STEPS_A_BYTE: u64 = 32;

/// Steps between two looks whether anybody still waits for a stranger's rows: a fraction of a millisecond.
pub const FOREIGN_STEPS_BETWEEN: u16 = 10_000;
