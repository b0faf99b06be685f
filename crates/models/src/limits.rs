//! Every bound of the models, with its unit and its reason: connections and answers of other servers, when they are asked again
//! and when no more, how much of a text is looked at, what is kept in memory. The sizes of the networks are theirs (`judge/weights.rs`).

use std::num::NonZeroUsize;
use std::time::Duration;

/// Seconds to connect. A server that is there takes milliseconds, one across the world a second.
pub const CONNECT_TIMEOUT_SECONDS: u64 = 10;

/// Idle connections kept to one server, and for how many seconds. Most servers close theirs after a minute or more.
pub const IDLE_CONNECTIONS_PER_HOST: usize = 64;
pub const IDLE_SECONDS: u64 = 50;

/// Seconds between two signs of life on a connection that is in use, so that a dead one is noticed.
pub const KEEP_ALIVE_SECONDS: u64 = 30;

/// Seconds that an answer for ourselves may take, from connecting to its last byte.
pub const ANSWER_TIMEOUT_SECONDS: u64 = 60;

/// Bytes of an answer. What we ask for fits into a few dozen kilobytes; past this, reading stops.
pub const ANSWER_BYTES: usize = 1024 * 1024;

/// Bytes of an error's explanation that are looked at.
pub const EXPLANATION_BYTES: usize = 64 * 1024;

/// Waits before the second, third and fourth try.
pub const RETRY_WAITS: [Duration; 3] =
    [Duration::from_secs(1), Duration::from_secs(2), Duration::from_secs(4)];

/// A server that wants a longer pause than this is not waited for: whoever asked has better things to do.
pub const RETRY_LONGEST: Duration = Duration::from_secs(60);

/// Failures in a row after which a model is asked no more for a while.
pub const BREAKER_FAILURES: u32 = 5;

/// Seconds of that while, before one request probes it.
pub const BREAKER_OPEN_SECONDS: u64 = 60;

/// Models of which something is known at once. Tenants choose names freely, so there must be an end to it.
pub const MODELS_KNOWN: usize = 1_024;

/// Tokens of one text that are looked at. A mean over more words than this no longer moves, and a 100 MB
/// message must not hold a core: the first 8,192 tokens are about 30 KB of English.
pub const EMBEDDED_TOKENS: usize = 8_192;

/// Bytes of one text that are looked at, for text that has no tokens to count (spaces, control characters).
pub const EMBEDDED_BYTES: usize = 1 << 18;

/// A longer word is not looked at but unknown; a longer run without spaces is cut there.
pub const WORD_CHARS: usize = 100;

/// Pieces of words whose reading is kept, each some 1.6 KB: people use a few thousand.
pub const PIECES_KEPT: NonZeroUsize = NonZeroUsize::new(4_096).expect("not nothing");

/// Bytes of a sentence that are looked at.
pub const SENTENCE_BYTES: usize = 600;

/// Texts whose encoding is kept for the next comparison, each some 40 to 100 KB: what is known of a user is compared with every new sentence.
pub const ENCODINGS_KEPT: usize = 384;

/// Texts whose sketch is kept, each some 2 KB: what is known of a user is weighed for every message.
pub const SKETCHES_KEPT: NonZeroUsize = NonZeroUsize::new(12_288).expect("not nothing");

/// Messages whose reading is kept, each a few hundred bytes: what was said is read whenever it is found again.
pub const READINGS_KEPT: NonZeroUsize = NonZeroUsize::new(8_192).expect("not nothing");

/// Messages of which it is kept what the listener heard in them, each some hundred bytes a sentence: a pass may come by the same message more than once.
pub const HEARINGS_KEPT: NonZeroUsize = NonZeroUsize::new(512).expect("not nothing");

/// Pairs of statements of which it is kept what the listener said, each a few hundred bytes: a pass asks of the same pairs more than once.
pub const VERDICTS_KEPT: NonZeroUsize = NonZeroUsize::new(4_096).expect("not nothing");

/// Bytes of a message whose reading is kept; longer ones are rare, and would take more room than all others.
pub const READING_BYTES: usize = 2_048;

/// Pieces of words of a sentence that the judge reads.
pub const SENTENCE_PIECES: usize = 72;
