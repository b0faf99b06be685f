//! Every bound on reading chats, with its reason.

use std::num::NonZeroUsize;

/// Messages of the latest conversations, for all tenants together, of which it is remembered in memory that a block was
/// decided on, and replies that were just forwarded: what a store holds it tells itself, this bridges the moment before.
pub const RECENT_DECISIONS: NonZeroUsize = NonZeroUsize::new(16_384).expect("more than none");
pub const RECENT_REPLIES: NonZeroUsize = NonZeroUsize::new(16_384).expect("more than none");

/// Upstreams with models of which it is remembered where they would not have memory; far more than anybody asks in a day.
pub const REFUSED_PLACEMENTS: NonZeroUsize = NonZeroUsize::new(1_024).expect("more than none");

/// Seconds that it is remembered: a day, after which a server may have another template.
pub const REFUSAL_REMEMBERED_SECONDS: i64 = 86_400;

/// Sessions that are remembered for one reply which several conversations got.
pub const RECENT_SESSIONS_OF_REPLY: usize = 256;

/// Characters of a reply from which on its text alone says which conversation it is from; "Sure!" does not.
pub const TELLING_REPLY_CHARACTERS: usize = 40;

/// Replies of one request that are looked up by their text, the latest ones, and turns that may come back for them.
pub const REPLIES_BY_TEXT: usize = 64;
pub const REPLIES_LIKE: usize = 256;

/// Answers that a title, a few tags or suggestions need at most; whoever asks for more wants something else.
pub const SIDE_CALL_TOKENS: u64 = 300;

/// Bytes that are kept of a reply while it passes by. Many times the longest that models give.
pub const COLLECTED_BYTES: usize = 4 * 1024 * 1024;
