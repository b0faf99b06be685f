//! The bounds that only the surfaces draw, with their units and reasons. Those of memory itself are in
//! [`memory::limits`].

use std::time::Duration;

/// Bytes of a request id that a client may choose: it goes into every log line of the request.
pub const REQUEST_ID_BYTES: usize = 128;

/// How long readiness waits for the store. Probes come every few seconds and must not pile up.
pub const READY_WITHIN: Duration = Duration::from_secs(2);

/// How long a command waits for the running server. A purge of ten thousand memories takes some seconds; a server that
/// is silent for minutes hangs.
pub const CALL_WITHIN: Duration = Duration::from_secs(120);

/// Bytes of a socket's path that every system takes: Linux allows 107, macOS 103.
pub const SOCKET_PATH_BYTES: usize = 100;

/// Messages that one call may bring: a year of daily talk, and still one commit of a second or two.
pub const INGESTED_MESSAGES: usize = 10_000;

/// Fields that one answer says are wrong.
pub const FIELDS_NAMED: usize = 20;

/// Rows of a list when nobody says: a screenful.
pub const USUAL_ROWS: usize = 20;

/// Rows of a page over HTTP: when nobody says, and at most.
pub const PAGE_USUAL_ROWS: usize = 50;
pub const PAGE_MOST_ROWS: usize = 200;

/// Memories that a list by words ranks and counts.
pub const LISTED_MATCHES: usize = 1_000;

/// Memories that one forget removes, in one batch together with the record of its run.
pub const FORGOTTEN_AT_ONCE: usize = memory::limits::BATCH_CHANGES - 1;

/// How often a forget that lost a race to another writer chooses again.
pub const FORGET_ATTEMPTS: usize = 3;

/// Memories that a forget names in its answer; the others it counts.
pub const FORGOTTEN_NAMED: usize = 10;

/// How long a purge tries to empty the log while others keep it open, and how long it waits in between: readers hold
/// it for milliseconds.
pub const SCRUB_WITHIN: Duration = Duration::from_secs(10);
pub const SCRUB_AGAIN_AFTER: Duration = Duration::from_millis(10);

/// Tenants that an error names.
pub const TENANTS_NAMED: usize = 20;

/// Characters of a memory in one line of a list; `show` has them all.
pub const LINE_CHARACTERS: usize = 160;

/// Seconds that one process alone may distil a session; a pass takes milliseconds, and a dead process must not block for long.
pub const DISTIL_LEASE_SECONDS: i64 = 30;

/// Failed passes after which turns are dead letters, for a person to look at.
pub const DISTIL_FAILURES: u32 = 5;

/// Sessions that the background worker keeps in mind; those beyond are found again at the next start, or by `sync`.
pub const WAITING_SESSIONS: usize = 10_000;

/// Seconds after which the worker looks again at a session that it could not attend to.
pub const RETRY_SECONDS: i64 = 60;

/// Milliseconds between two looks at what is due.
pub const WORKER_TICK_MS: u64 = 500;

/// How long a pass waits for another that is at the same session, and how often it looks.
pub const LEASE_WITHIN: Duration = Duration::from_secs(5);
pub const LEASE_AGAIN_AFTER: Duration = Duration::from_millis(20);
