//! Every bound of the mind, with its unit and its reason. Nothing here grows with what strangers send.
//!
//! The store and the server have bounds of their own, in their own `limits.rs`.

use std::num::NonZeroUsize;

/// Letters of a sentence that may ask a memory for something. A longer one is a text without stops, and asks for nothing.
pub const WISH_LETTERS: usize = 1_000;

/// Characters of what somebody wrote that an error repeats: enough to know it by.
pub const SHOWN_CHARACTERS: usize = 80;

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

/// Rows that a read of the past (`known_at`) walks, since history has no search index.
pub const KNOWN_AT_ROWS: usize = 50_000;

/// Rows of the change log that a follower asks for at a time.
pub const CHANGES_AT_ONCE: usize = 1_000;

/// Bytes of one setting's text.
pub const SETTING_TEXT_BYTES: usize = 4 * 1024;

/// Users of a tenant who may have a time zone of their own: all of them are read with every setting.
pub const ZONED_USERS: usize = 1_000;

/// Texts embedded in one go.
pub const EMBED_TEXTS: usize = 256;

/// Bytes of a message that the gate looks at, from both ends: it must answer in microseconds whatever is pasted.
pub const GATE_BYTES: usize = 4 * 1024;

/// Assembled contexts that are kept for the same question asked again, for all tenants together, and for how long.
pub const CONTEXT_CACHE_ENTRIES: usize = 256;
pub const CONTEXT_CACHE_SECONDS: i64 = 10;

/// Turns of the user's behind the one that began a game of roles, and seconds between two of them, within which it goes on by itself. Few play longer,
/// and who plays on proposes it anew; what is told behind a game that nobody ended would else never be learned.
pub const ROLE_GAME_TURNS: usize = 20;
pub const ROLE_GAME_PAUSE_SECONDS: i64 = 3_600;

/// Tenants whose look-ups are counted apart; one more begins the counting anew.
pub const COUNTED_TENANTS: usize = 10_000;

/// Owners whose entities' names are kept at hand for the gate, and how many names of each.
pub const KNOWN_NAMES_OWNERS: NonZeroUsize = NonZeroUsize::new(256).expect("more than none");
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

/// Memories of a user that a profile is chosen from, the newest; as many as a few reads bring.
pub const PROFILE_MEMORIES: usize = 5 * PAGE_ROWS;

/// Facts that a profile is made from at most. Each is a line, and a model is shown all of them.
pub const PROFILE_FACTS: usize = 200;

/// Tokens of one line of a profile: a sentence, not a page.
pub const PROFILE_LINE_TOKENS: usize = 100;

/// Bytes of a profile that a person writes: more than the largest budget lets through, and still one record.
pub const PROFILE_BYTES: usize = 256 * 1024;

/// Generated versions of a profile that are kept; what a person wrote is kept besides.
pub const PROFILE_VERSIONS: usize = 50;

/// Lines that a person took out of a profile and that are remembered so that they stay out.
pub const PROFILE_REMOVED_LINES: usize = 1_000;

/// Overrides of one user. All of them go into every prompt.
pub const OVERRIDES: usize = 50;

/// Bytes of one override: a statement, since all of them go into every prompt.
pub const OVERRIDE_BYTES: usize = 1024;

/// Facts about who the user is, learned since the profile was made, that an answer to "who am I" tells besides.
pub const FRESH_FACTS: usize = 20;

/// Tokens of the conversation in a distilling prompt. With everything else the prompt stays under 24,000, which every model of
/// today takes and which costs little; a longer conversation keeps its beginning and its end.
pub const DISTIL_CONVERSATION_TOKENS: usize = 16_000;

/// Calls of a model in one pass, at most: what one prompt has no room for, of a very long conversation, is read in the next.
pub const DISTIL_PARTS: usize = 4;

/// Characters of one message in that prompt: of the user's new ones, which are what is distilled, and of all others, which
/// are only there to be understood. A longer one keeps its beginning and its end.
pub const DISTIL_MESSAGE_CHARACTERS: usize = 3_000;
pub const DISTIL_CONTEXT_CHARACTERS: usize = 600;

/// Known memories that a distilling prompt shows, and characters of each: enough to recognise what is said again.
pub const DISTIL_KNOWN: usize = 40;
pub const DISTIL_KNOWN_CHARACTERS: usize = 200;

/// Earlier episodes that a distilling prompt shows, and characters of each.
pub const DISTIL_EPISODES: usize = 3;
pub const DISTIL_EPISODE_CHARACTERS: usize = 600;

/// Characters of the profile and the overrides in a distilling prompt.
pub const DISTIL_IDENTITY_CHARACTERS: usize = 1_500;

/// Tokens of a distilling answer: forty memories with everything said about them.
pub const DISTIL_ANSWER_TOKENS: u32 = 6_000;

/// What is taken from one answer, at most: a model that gives more repeats itself or was talked into it.
pub const ANSWER_MEMORIES: usize = 40;
pub const ANSWER_ENTITIES: usize = 60;
pub const ANSWER_RELATIONS: usize = 60;
pub const ANSWER_LIST_ITEMS: usize = 12;

/// Characters of an answer's texts: a sentence to remember, a quote, a summary of three sentences, a name or a list's item.
pub const ANSWER_CONTENT_CHARACTERS: usize = 500;
pub const ANSWER_QUOTE_CHARACTERS: usize = 1_000;
pub const ANSWER_SUMMARY_CHARACTERS: usize = 1_000;
pub const ANSWER_NAME_CHARACTERS: usize = 120;
pub const ANSWER_ITEM_CHARACTERS: usize = 300;

/// Tokens of the gate's question to the core model: what it says of a message is one word and a number.
pub const GATE_ANSWER_TOKENS: u32 = 60;

/// Notes that the observer makes of one batch of turns: one for every few hundred tokens of the usual threshold.
pub const OBSERVER_NOTES: usize = 60;

/// Notes that the reflector folds at a time; each is a change of its batch.
pub const REFLECTOR_NOTES: usize = 4 * PAGE_ROWS;

/// Notes that the reflector shows the core model, the newest, and the memories that it may make of them.
pub const REFLECTOR_PROMPT_NOTES: usize = 1_000;
pub const REFLECTOR_MEMORIES: usize = 100;

/// Memories that are looked at at once for what they are about: the judge takes about a millisecond a sentence.
pub const CLASSIFIED_ROWS: usize = 50;

/// Rows that a step of upkeep looks at before it commits what it came to: a few milliseconds of the tenant's writer.
pub const TEND_ROWS: usize = 200;

/// Portions with nothing to do that are gone through before how far it came is written down.
pub const TEND_PORTIONS: usize = 10;

/// Runs that are looked through for one that was left unfinished and for the last that ended well.
pub const RUNS_LOOKED_AT: usize = 100;

/// Times that upkeep plans a portion again when somebody else wrote in between; then what still fits is done one by one.
pub const TEND_RACES: usize = 3;

/// Nominees that may say the same as a memory or an episode.
pub const ALIKE: usize = 12;

/// Memories of one block that are linked with each other: the pairs of these are what one commit writes.
pub const CO_ACTIVATED: usize = 12;

/// Memories that an insight is derived from at most, and insights that one pass asks a model for.
pub const CLUSTER_MEMORIES: usize = 24;
pub const INSIGHTS_ASKED: usize = 10;

/// Tokens of an insight: a sentence.
pub const INSIGHT_TOKENS: u32 = 300;

/// Characters from which on a memory is long enough to be shortened, and tokens that are left of it.
pub const GIST_FROM_CHARACTERS: usize = 280;
pub const GIST_TOKENS: usize = 48;

/// What a rehearsal of upkeep names of each step.
pub const REHEARSED: usize = 200;

/// Records of a run that an undo looks at before it commits.
pub const UNDO_RECORDS: usize = 200;

/// Records that the answer to an undo names as left alone.
pub const UNDO_NAMED: usize = 100;

/// Entries of each list of a digest that was made without a model: what is more is no digest.
pub const DIGEST_ITEMS: usize = 10;

/// Tokens of a summary at most, and of what a model reads for one.
pub const SUMMARY_MOST_TOKENS: usize = 400;
pub const SUMMARY_READ_TOKENS: usize = 12_000;

/// Examples that a check names; the others it counts. As many as a person looks at.
pub const CHECKUP_EXAMPLES: usize = 10;

/// Memories that a check-up compares by meaning with all others, the oldest first: each costs a scan of all vectors.
pub const CHECKUP_NEAR_ROWS: usize = 20_000;

/// Blocks of prompts whose lines are compared with memories that nobody said.
pub const CHECKUP_BLOCKS: usize = 5_000;

/// Bytes of one record that comes from elsewhere: a memory with everything that belongs to it, ten times over.
pub const RECORD_BYTES: usize = 1024 * 1024;

/// Bytes of a reply that are compared with the memories that stood in its prompt: ten thousand words, after which a reply
/// is a document and says a word of everything.
pub const JUDGED_REPLY_BYTES: usize = 64 * 1024;

/// Judgements that are read at once: of a memory's latest replies, of a conversation, of a portion of blocks.
pub const JUDGEMENTS_READ: usize = 5_000;

/// Memories of a foreign file that are compared with those behind them: word for word, at 16 bytes each, and by nearly the same
/// words or by what they speak of, at some hundreds.
pub const AUDIT_MEMORIES: usize = 5_000_000;
pub const AUDIT_SKETCHES: usize = 200_000;

/// Turns that are looked at for copies of one memory that is forgotten, the likeliest first, and parts of turns that one veil hides:
/// a conversation has one or a few.
pub const COPIES_LOOKED_AT: usize = 200;
pub const VEIL_PARTS: usize = 500;

/// Rows that a purge looks at before it commits what it came to, and changes of one of its batches: a few milliseconds of the
/// tenant's writer.
pub const PURGE_ROWS: usize = 200;
pub const PURGE_CHANGES: usize = 1_000;

/// Times that a purge goes through a tenant until it finds nothing more. What is written meanwhile needs one more each.
pub const PURGE_PASSES: usize = 6;

/// Texts, and bytes of them, that are looked for in the files after a purge; past either the files are written anew unseen.
pub const PURGE_TRACES: usize = 2_000;
pub const PURGE_TRACED_BYTES: usize = 1024 * 1024;

/// Memories that the answer to a purge names; the others are counted.
pub const PURGE_NAMED: usize = 10;

/// The newest memories of a user that are weighed for each message; of a longer life a search adds what it finds.
pub const WEIGHED_MEMORIES: usize = 300;

/// Sentences of a turn that the judge reads at once when it listens for a crisis.
pub const CRISIS_SENTENCES_AT_ONCE: usize = 120;

/// How often it does so for one turn: of what is longer than any talk, the rest is held against the words that leave no doubt.
pub const CRISIS_SLICES_READ: usize = 8;

/// Bytes of a text in which wordings are looked for: more than anybody says of one matter, and few enough that looking is not felt.
pub const WORDING_BYTES: usize = 128 << 10;

/// Bytes that are looked at together: longer than any sentence, so that what is far apart is not joined.
pub const WORDING_PIECE_BYTES: usize = 2_000;

/// Characters of one line that tells a memory for a message.
pub const RECOLLECTION_CHARACTERS: usize = 300;

/// Memories of a user, the newest ones, among which what is over is looked for before something that was said is told. What was learned from the
/// very turns is looked up beside them.
pub const OUTDATED_MEMORIES: usize = 300;

/// Viewers whose newest memories are kept at hand, each two lists of some 200 KB at most.
pub const SHELVES_KEPT: NonZeroUsize = NonZeroUsize::new(128).expect("more than none");

/// Memories that may have changed before such a list is read anew instead.
pub const SHELF_CHANGES: usize = 64;

/// Seconds after which a list of what holds is read anew, because something may have begun to.
pub const SHELF_SECONDS: i64 = 60;

/// How far around a nominated turn turns are looked at: one as a candidate itself, one more as that candidate's neighbour.
pub const SCORED_NEIGHBOURS: u64 = 2;

/// Turns and digests of which sentences are read before they are told: a budget holds fewer.
pub const SPEECH_LINES: usize = 16;

/// Of what a search finds of what was said, the best that are weighed for a message: each is read by the judge.
pub const WEIGHED_SPEECH: usize = 24;

/// Turns before and behind one that was found among which its answer may stand.
pub const SPEECH_WINDOW: u64 = 4;

/// How far ahead something that ends by itself is due soon, and belongs to who the user is.
pub const DUE_SOON_SECONDS: i64 = 14 * 86_400;

/// Words of a search that are looked for as they are written where neither words nor meaning found anything, and as many as may be parts of words.
pub const LIKE_WORDS: usize = 16;
pub const LIKE_PARTS: usize = 2;
