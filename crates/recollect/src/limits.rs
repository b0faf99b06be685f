//! The bounds that only the surfaces draw, with their units and reasons. Those of memory itself are in
//! [`memory::limits`], those of the store in [`store::limits`].

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

/// Connections from the network that are open at once, where the limit on open files allows as many: an idle one costs some ten
/// kilobytes, so this many cost less than a hundred megabytes.
pub const CONNECTIONS: usize = 8_192;

/// Connections over the Unix socket: commands of one person, and what programs of theirs run beside them.
pub const SOCKET_CONNECTIONS: usize = 1_024;

/// How long the head of a request may take, counted from when its connection is free; an idle connection is closed after it too.
/// Clients keep idle connections for a few seconds, and open another where one is gone.
pub const HEAD_WITHIN: Duration = Duration::from_secs(30);

/// How long nothing may come of a body that is being read: longer than a network drops out for.
pub const BODY_STALLS: Duration = Duration::from_secs(60);

/// Messages that one call may bring: a year of daily talk, and still one commit of a second or two.
pub const INGESTED_MESSAGES: usize = 10_000;

/// Results of a tool: when nobody says, at most, and at most where it looks at one kind of memory.
pub const TOOL_USUAL_ROWS: usize = 10;
pub const TOOL_ROWS: usize = 100;
pub const TOOL_PLACE_ROWS: usize = 50;
/// Days that a tool looks back: when nobody says, and at most.
pub const TOOL_USUAL_DAYS: usize = 365;
pub const TOOL_DAYS: usize = 36_500;
/// Rows and tokens of an answer of OmniRoute's tool, as its documents have them.
pub const OMNIROUTE_USUAL_ROWS: usize = 20;
pub const OMNIROUTE_USUAL_TOKENS: usize = 2_000;
pub const OMNIROUTE_TOKENS: usize = 8_000;

/// Fields that one answer says are wrong.
pub const FIELDS_NAMED: usize = 20;

/// Rows of a list when nobody says: a screenful.
pub const USUAL_ROWS: usize = 20;

/// Rows of a page over HTTP: when nobody says, and at most.
pub const PAGE_USUAL_ROWS: usize = 50;
pub const PAGE_MOST_ROWS: usize = 200;

/// How far into a list one may page: farther than any list is long, and still a number that stores can count with.
pub const PAGE_FARTHEST: usize = 1_000_000_000;

/// Memories that a list by words ranks and counts.
pub const LISTED_MATCHES: usize = 1_000;

/// Memories that one forget removes, in one batch together with the record of its run.
pub const FORGOTTEN_AT_ONCE: usize = memory::limits::BATCH_CHANGES - 1;

/// Batches that clearing takes at most: a million memories, and an end where somebody keeps writing.
pub const CLEAR_BATCHES: usize = 128;

/// Memories that are counted before they are forgotten by words.
pub const COUNTED_MATCHES: usize = CLEAR_BATCHES * FORGOTTEN_AT_ONCE;

/// How long the health check waits for its round trip: a store that takes longer is not well.
pub const HEALTH_WITHIN: Duration = Duration::from_secs(5);

/// Runs that are looked through for the last one of a kind.
pub const RUNS_SEARCHED: usize = 1_000;

/// Seconds that one process alone may make vectors anew, renewed after each batch of them.
pub const REINDEX_LEASE_SECONDS: i64 = 60;

/// Batches of vectors after which a run writes down how far it is: often enough to look at, seldom enough to cost nothing.
pub const REINDEX_BATCHES_TOLD: u64 = 8;

/// How often the command line asks how far vectors are.
pub const REINDEX_POLL: Duration = Duration::from_millis(100);

/// Memories that one merge makes one of: more do not read as one.
pub const MERGED_AT_ONCE: usize = 100;

/// Times a user's conversations are read again where somebody writes meanwhile, and how many of the changes an answer names.
pub const RELEARN_RACES: usize = 3;
pub const RELEARN_EXAMPLES: usize = 40;

/// Memories that one call takes into summaries, in one batch with these and the record of the run.
pub const SUMMARISED_AT_ONCE: usize = memory::limits::BATCH_CHANGES / 3;

/// Days back that a summary may begin: a century.
pub const SUMMARISED_DAYS: usize = 36_500;

/// Bytes of a refusal that are read to see what it is about.
pub const REFUSAL_BYTES: usize = 64 * 1024;

/// How long a refusal is read for that: one whose body stalls is passed on as it comes.
pub const REFUSAL_WITHIN: Duration = Duration::from_secs(2);

/// Parts of a form that are looked through for the model it names, bytes of what stands above each, and of the name.
pub const FORM_PARTS: usize = 64;
pub const FORM_HEAD_BYTES: usize = 4 * 1024;
pub const MODEL_NAME_BYTES: usize = 512;

/// Characters of why a crisis was recorded: a sentence or two, and not what was said.
pub const CRISIS_REASON_CHARACTERS: usize = 500;

/// Days that a record may ask to be kept: a decade, as long as any setting of that sort.
pub const KEPT_DAYS: usize = 3_650;

/// Tokens and rows that a preview of retrieval may ask for.
pub const PREVIEW_TOKENS: usize = 16_000;
pub const PREVIEW_ROWS: usize = 100;

/// How often a forget that lost a race to another writer chooses again.
pub const FORGET_ATTEMPTS: usize = 3;

/// Memories that a forget names in its answer; the others it counts.
pub const FORGOTTEN_NAMED: usize = 10;

/// How long a purge tries to empty the log while others keep it open, and how long it waits in between: readers hold
/// it for milliseconds.
pub const SCRUB_WITHIN: Duration = Duration::from_secs(10);
pub const SCRUB_AGAIN_AFTER: Duration = Duration::from_millis(10);

/// Sessions that a person is told of when what waits is learned from; the others are counted, and JSON has them all.
pub const SYNCED_SHOWN: usize = 20;

/// Tenants that an error names.
pub const TENANTS_NAMED: usize = 20;

/// Characters of a memory in one line of a list; `show` has them all.
pub const LINE_CHARACTERS: usize = 160;

/// Seconds that one process alone may distil a session; whoever takes longer renews, and a dead process must not block for long.
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

/// How often a lease is renewed while a model thinks: three times in its life, so that one slow write loses nothing.
pub const LEASE_RENEW_AFTER: Duration = Duration::from_secs(DISTIL_LEASE_SECONDS as u64 / 3);

/// Live sessions that are distilled at once. A model that takes a minute over one must not hold up the others, and a server
/// that serves one model well serves a few calls at a time.
pub const LIVE_PASSES: usize = 4;

/// Seconds between two looks for sessions that a model should do again, tenants of one look, and sessions of one tenant in
/// one look: a model that comes back after a year finds work, and never a stampede.
pub const REDO_LOOK_SECONDS: i64 = 60;
pub const REDO_TENANTS: usize = 32;
pub const REDO_AT_ONCE: usize = 20;

/// How long `sync` lets a model do sessions again; whoever waits for the command gives up after [`CALL_WITHIN`].
pub const SYNC_REDO_WITHIN: Duration = Duration::from_secs(60);

/// Unknown providers of models that are told of, each once: a log is no list of everybody's slips.
pub const PROVIDERS_MISSED: usize = 256;

/// Calls of models that `stats` shows: the last few say what goes on.
pub const CALLS_SHOWN: usize = 5;

/// Rows of the processing log that are looked through for them.
pub const LOG_ROWS_SEARCHED: usize = 200;

/// Days of model usage that `stats` sums up beside today's.
pub const USAGE_DAYS: i64 = 30;

/// Bytes of a chat request: a long conversation with a few images in it.
pub const CHAT_BODY_BYTES: usize = 32 * 1024 * 1024;

/// How long the whole read path may hold up a chat request. People notice a fifth of a second.
pub const READ_WITHIN: Duration = Duration::from_millis(150);

/// The share of that in which the conversation is recognised and what stood in its prompt is found again. It comes first,
/// because a prompt that loses its blocks loses its cache.
pub const REPLAY_WITHIN: Duration = Duration::from_millis(100);

/// How long a request waits for what was said just before in its conversation to be stored.
pub const SETTLE_WITHIN: Duration = Duration::from_millis(40);

/// How long the end of an answer waits for its reply to be stored before it goes on behind the answer. A commit takes a few
/// milliseconds.
pub const CAPTURE_WAIT: Duration = Duration::from_millis(20);

/// Bytes of chats that may wait to be stored behind their answers, and as many of clients that went away. A store that
/// hangs for a minute leaves that much of a busy server; beyond it the ends of answers wait.
pub const UNSTORED_BYTES: usize = 256 * 1024 * 1024;

/// What a chat that waits costs at least, however short it is: its tasks and its request's headers.
pub const UNSTORED_LEAST_BYTES: usize = 4 * 1024;

/// The first and the longest pause between two tries of a store that is busy.
pub const BUSY_RETRY_FIRST: Duration = Duration::from_millis(50);
pub const BUSY_RETRY_MOST: Duration = Duration::from_secs(5);

/// How long it may take to judge what a reply made of the memories before it.
pub const JUDGE_WITHIN: Duration = Duration::from_secs(30);

/// Bytes of a chat request that are read at once; longer ones are read on a thread of their own.
pub const PARSED_AT_ONCE_BYTES: usize = 256 * 1024;

/// Servers of this kind that a request may pass on its way: more is a circle that nobody meant.
pub const HOPS: usize = 8;

/// How often an address is decoded to find what it hides. Nobody encodes twice but to hide something.
pub const ADDRESS_DECODINGS: usize = 4;

/// How long an upstream may take to list its models before the list is given without them.
pub const MODELS_WITHIN: Duration = Duration::from_secs(5);

/// Texts of one call for embeddings, as many as OpenAI takes.
pub const EMBEDDED_TEXTS: usize = 2_048;

/// How long the model that answers from memory may look for an answer.
pub const RECALL_WITHIN: Duration = Duration::from_secs(10);

/// How often what was measured is folded into its histograms, so that an unread `/metrics` holds little.
pub const METRICS_UPKEEP: Duration = Duration::from_secs(5);

/// Keys whose requests are counted at once; past this those that rest are forgotten. As many as there may be keys.
pub const RATE_BUCKETS: usize = store::limits::KEYS;

/// Entries of the change log that a follower is given at a time, and records that are named of one commit: an import of
/// everything is one commit, of which nobody wants to hear every id.
pub const CHANGES_FOLLOWED: usize = 500;
pub const CHANGES_NAMED: usize = 100;

/// Followers of changes that are served at once. Each costs a look at its tenant's log every so often.
pub const FOLLOWERS: usize = 256;

/// How long a follower waits between two looks at the log: soon enough for eyes.
pub const FOLLOW_AGAIN_AFTER: Duration = Duration::from_millis(250);

/// How often a silent follower is told that the server is still there, and is looked at whether it still may listen.
/// Proxies in between close what is silent for half a minute.
pub const FOLLOW_HEARTBEAT: Duration = Duration::from_secs(10);

/// Events that wait for a follower who reads slowly; then nothing more is read for it until it does.
pub const EVENTS_WAITING: usize = 16;

/// Ways into which a filter of mem0's clients is split for the store; more are asked as one that is wider.
pub const FILTER_ALTERNATIVES: usize = 32;

/// Searches over ever shorter stretches of time, until enough of what they find passes such a filter.
pub const NARROWED_SEARCHES: usize = 64;

/// Memories that are walked through for such a filter.
pub const WALKED_ROWS: usize = 100_000;

/// Memories that one batch of mem0's clients changes or removes.
pub const BATCH_MEMORIES: usize = 1_000;

/// Calls of tools that one client has under way at once; more wait in line.
pub const TOOL_CALLS_AT_ONCE: usize = 16;

/// Bytes of a conversation that is attached to another: as much as a model reads at once.
pub const RESOURCE_BYTES: usize = 256 * 1024;

/// Spans that wait to be sent to the collector; those beyond are dropped. A few hundred chats.
pub const SPANS_WAITING: usize = 4_096;

/// How long one batch of spans may take to its collector, and how long the end of the process waits for the last.
pub const TRACES_WITHIN: Duration = Duration::from_secs(10);
pub const TRACES_LEAVE_WITHIN: Duration = Duration::from_secs(5);

/// Bytes of a collector's answer: it says which spans it refused, in a sentence.
pub const COLLECTOR_ANSWER_BYTES: usize = 64 * 1024;

/// Requests that a pass over a session is linked to in traces. Nobody follows more.
pub const TRACES_LINKED: usize = 32;

/// How long a line typed or piped into a terminal chat may be: as long as a message that anybody would read.
pub const CHAT_LINE_BYTES: usize = 1024 * 1024;

/// Lines that a terminal chat remembers of what was typed.
pub const CHAT_HISTORY_LINES: usize = 1_000;

/// Bytes that a terminal chat takes of an answer that is no stream, such as an error.
pub const CHAT_ANSWER_BYTES: usize = 4 * 1024 * 1024;

/// Memories that a terminal chat names at its end; the others it counts.
pub const CHAT_LEARNED_NAMED: usize = 50;

/// How long a terminal chat waits at its end for what was said last to be stored.
pub const CHAT_LEAVE_WITHIN: Duration = Duration::from_secs(5);

/// How long a chat waits until it is written down where its client says that the user is; later it is told again.
pub const ZONE_TOLD_WITHIN: Duration = Duration::from_millis(100);

/// How often the scheduler looks which tenants there are, and how long it rests when nothing is due.
pub const TEND_LOOK: Duration = Duration::from_secs(60);

/// How long upkeep rests between two portions, at least; a portion that took longer is followed by a rest as long as it took,
/// so that half of a core and of the tenant's writer is others'.
pub const TEND_PAUSE: Duration = Duration::from_millis(10);

/// Seconds after which the scheduler looks at a tenant that is not due: a setting may have changed when it is.
pub const TEND_LOOK_AGAIN_SECONDS: i64 = 3_600;

/// How long who asks a server for upkeep waits for it to end: less than [`CALL_WITHIN`], and than proxies wait.
pub const TEND_ANSWER_WITHIN: Duration = Duration::from_secs(50);

/// Runs that are listed unless more are asked for, and that the scheduler's state shows.
pub const RUNS_LISTED: usize = 20;
pub const RUNS_RENDERED: usize = 3;

/// Judgements of a conversation that are looked at before one of its replies is judged: what the last few replies were about.
pub const JUDGED_BEFORE: usize = 200;

/// Memories that are judged in one request.
pub const JUDGED_AT_ONCE: usize = 100;

/// Judgements that are shown of a memory unless more are asked for.
pub const JUDGEMENTS_LISTED: usize = 50;

/// Seconds after which upkeep that is due and was not done is worth a word: a day covers a machine that was off overnight.
pub const UPKEEP_LATE_SECONDS: i64 = 86_400;

/// Other tenants that a check-up tries to look into, and memories of each, and of each scope, that it searches for.
pub const PROBED_TENANTS: usize = 10;
pub const PROBED_SEARCHES: usize = 20;

/// Records that a repair changes in one commit.
pub const REPAIRED_AT_ONCE: usize = 200;

/// How often a repair looks for junk again, because one piece settled may show another.
pub const JUNK_ROUNDS: usize = 5;

/// How long a check-up waits for a configured server of models to take a connection.
pub const UPSTREAM_PROBE_WITHIN: Duration = Duration::from_secs(2);

/// Room on the disk under which a check-up says a word, and the length of a write-ahead log from which it does: four times what a
/// log is cut back to.
pub const DISK_LEAST_BYTES: u64 = 256 << 20;
pub const DISK_LOG_BYTES: u64 = 256 << 20;

/// Bytes of a file that comes in over HTTP. It waits on the disk, not in memory.
pub const IMPORT_BODY_BYTES: usize = 4 * 1024 * 1024 * 1024;

/// Chunks of an export that wait for a client to take them.
pub const EXPORT_CHUNKS: usize = 4;

/// Examples of a finding that a terminal shows.
pub const EXAMPLES_SHOWN: usize = 5;

/// How long a client may take nothing of an export before it is given up: what it looks at keeps the store's log from being cut.
pub const EXPORT_STALLS: Duration = Duration::from_secs(60);

/// Bytes of a request's body, on every door: a long conversation with a few pasted files.
pub const BODY_BYTES: usize = 8 * 1024 * 1024;

/// Memories and turns that isolation probes ask for, of each tenant and scope.
pub const CHECKUP_PROBES: usize = 50;

/// How long a conversation rests before who the user is is told anew: providers keep the beginning of a prompt for an hour at most.
pub const PORTRAIT_REST_SECONDS: i64 = 3_600;
