//! The one table of what a person may tune about memory's behaviour.
//!
//! Each setting stands here once: its name (as the systems we unify call it, camelCase), other names, type and range,
//! default, why that default, and who reads it. Checking, the reference page, `recollect settings` and the typed
//! struct that code reads all come from this table, so a setting cannot exist without a reader's field, and a
//! reader cannot use a setting that is not listed.

mod choices;
pub mod foreign;

use std::collections::BTreeMap;

use serde_json::Value;

use crate::error::Invalid;
use crate::limits;

use crate::text::secrets;
use crate::types::UserId;
pub use choices::{
    ContextMode, ExtractionMode, FeedbackMode, FirstTurnDigest, Fusion, GateMode, InjectionPlacement,
    LineStyle, Strategy,
};

/// What a setting may be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Type {
    Switch,
    Integer {
        min: i64,
        max: i64,
    },
    Number {
        min: f64,
        max: f64,
    },
    Choice(&'static [&'static str]),
    Text {
        max_bytes: usize,
    },
    Patterns {
        max_bytes: usize,
    },
    /// A name of the time zone database; empty for the machine's own.
    TimeZone,
    /// The same for each of some users.
    UserTimeZones,
}

impl Type {
    /// The allowed values, for people.
    pub fn allowed(&self) -> String {
        match self {
            Type::Switch => "true or false".to_owned(),
            Type::Integer { min, max } => format!("a whole number from {min} to {max}"),
            Type::Number { min, max } => format!("a number from {min} to {max}"),
            Type::Choice(words) => format!("one of {}", words.join(", ")),
            Type::Text { max_bytes } => format!("text of at most {max_bytes} bytes"),
            Type::TimeZone => "a time zone such as Europe/Berlin, or nothing for the machine's".to_owned(),
            Type::UserTimeZones => {
                format!("a time zone for each of at most {} users, as {ZONES_EXAMPLE}", limits::ZONED_USERS)
            }
            Type::Patterns { max_bytes } => {
                format!("patterns of secrets, separated by `;` or line breaks, of at most {max_bytes} bytes")
            }
        }
    }
}

/// One row of the table.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    pub name: &'static str,
    pub aliases: &'static [&'static str],
    pub kind: Type,
    pub about: &'static str,
    /// Why this default, where systems disagree or the reason is not plain.
    pub reason: &'static str,
    pub read_by: &'static str,
}

/// A Rust type that a setting's value turns into.
trait FromValue: Sized {
    fn from_value(value: &Value) -> Self;
    fn to_value(&self) -> Value;
}

impl FromValue for bool {
    fn from_value(value: &Value) -> Self {
        value.as_bool().expect("checked to be a switch")
    }
    fn to_value(&self) -> Value {
        Value::Bool(*self)
    }
}

impl FromValue for i64 {
    fn from_value(value: &Value) -> Self {
        value.as_i64().expect("checked to be whole")
    }
    fn to_value(&self) -> Value {
        Value::from(*self)
    }
}

impl FromValue for f64 {
    fn from_value(value: &Value) -> Self {
        value.as_f64().expect("checked to be a number")
    }
    fn to_value(&self) -> Value {
        Value::from(*self)
    }
}

impl FromValue for String {
    fn from_value(value: &Value) -> Self {
        value.as_str().expect("checked to be text").to_owned()
    }
    fn to_value(&self) -> Value {
        Value::from(self.as_str())
    }
}

/// How users' time zones are written.
const ZONES_EXAMPLE: &str = "{\"mara\": \"Europe/Lisbon\"}";

impl FromValue for BTreeMap<String, String> {
    fn from_value(value: &Value) -> Self {
        let zones = value.as_object().expect("checked to be users with their zones").iter();
        let zone = |(user, zone): (&String, &Value)| Some((user.clone(), zone.as_str()?.to_owned()));
        zones.filter_map(zone).collect()
    }
    fn to_value(&self) -> Value {
        self.iter().map(|(user, zone)| (user.clone(), Value::from(zone.as_str()))).collect()
    }
}

macro_rules! settings {
    ($( $field:ident: $type:ty = $default:expr, $name:literal $(| $alias:literal)*, $kind:expr,
        about $about:literal, reason $reason:literal, read_by $read_by:literal; )+) => {
        /// Every setting, in the order of the reference page.
        pub static TABLE: &[Setting] = &[ $( Setting {
            name: $name,
            aliases: &[$($alias),*],
            kind: $kind,
            about: $about,
            reason: $reason,
            read_by: $read_by,
        } ),+ ];

        /// The effective values, as code reads them.
        #[derive(Debug, Clone, PartialEq)]
        pub struct Settings { $( pub $field: $type ),+ }

        impl Default for Settings {
            fn default() -> Self {
                Self { $( $field: $default.into() ),+ }
            }
        }

        impl Settings {
            /// The effective value under the setting's name.
            pub fn get(&self, setting: &Setting) -> Value {
                match setting.name {
                    $( $name => self.$field.to_value(), )+
                    other => unreachable!("{other} is not in the table"),
                }
            }

            fn put(&mut self, setting: &Setting, value: &Value) {
                match setting.name {
                    $( $name => self.$field = <$type>::from_value(value), )+
                    other => unreachable!("{other} is not in the table"),
                }
            }
        }
    };
}

settings! {
    enabled: bool = true, "enabled" | "memoryEnabled", Type::Switch,
        about "The master switch of what happens by itself. Off: nothing is put into prompts and nothing is captured; what is stored stays, and what a person asks for (add, search, forget) is still done.",
        reason "On in one system and off in another that put 2,000 tokens into every request. On, because a memory that has to be switched on is none. It costs some 200 tokens a conversation, which providers cache after the first turn; a message that needs nothing adds none.",
        read_by "context, ingest, the background worker, serve at its start, and stats";
    recall_enabled: bool = true, "recallEnabled" | "proactiveRecall", Type::Switch,
        about "Whether memory speaks unasked. Off: nothing is put into prompts, while conversations are still captured and learned from, and search still answers.",
        reason "On: being reminded is what a memory is for. Off by itself it can be tried what a model does without, and nothing is missed meanwhile.",
        read_by "context and the chat proxy";
    require_owner: bool = false, "requireOwner", Type::Switch,
        about "Refuse a write that names neither a user nor a session, instead of using `default`.",
        reason "A laptop has one user; a service that serves many should switch this on so that a forgotten id is an error and never a shared memory.",
        read_by "add and ingest on every surface; ingest wants the user, because what is learned is theirs";
    shared_memory: bool = false, "sharedMemory", Type::Switch,
        about "Whether those who say no user's name over the network share one memory: then each of them is told unasked who the user is, as if they were one person. Off: where nobody is named, nothing is told unasked; what a message asks for is still found. On this machine without keys one person is meant in any case.",
        reason "Off: several people behind one key would be introduced as each other.",
        read_by "context and the chat proxy";
    time_zone: String = "", "timeZone" | "tz", Type::TimeZone,
        about "Where people say what they say: \"tomorrow\" and \"Friday\" are read by the calendar of this time zone, and an appointment is over when its day ends there. Empty means the machine's own.",
        reason "A laptop is where its user is. A server that serves people elsewhere should be told.",
        read_by "learning, context and search";
    time_zones: BTreeMap<String, String> = BTreeMap::<String, String>::new(), "timeZones", Type::UserTimeZones,
        about "Where single users are, by their ids: what one of them says is read by the calendar of their own time zone, before that of timeZone. `recollect settings set timeZone Europe/Lisbon --user mara` sets one.",
        reason "Nobody is named: most stores have one user, whose zone is the machine's or timeZone.",
        read_by "learning, context and search";
    client_time_zones: BTreeMap<String, String> = BTreeMap::<String, String>::new(), "clientTimeZones", Type::UserTimeZones,
        about "Where single users are, as their clients told last: by the header X-Recollect-Time-Zone or the field time_zone. It counts where timeZones says nothing of a user, and before timeZone.",
        reason "Written by requests, so that what is learned after them is read by the right calendar.",
        read_by "learning, dates; context and the chat proxy, the day";
    recall_top_k: i64 = 10, "recallTopK" | "topK" | "top_k", Type::Integer { min: 1, max: 100 },
        about "How many results a search gives when it does not say.",
        reason "The systems we unify say 30, 20 and 10. People read ten; a context is bounded by tokens and not by this.",
        read_by "search on every surface";
    max_entries_per_agent: i64 = 10_000, "maxEntriesPerAgent", Type::Integer { min: 0, max: 1_000_000 },
        about "Active memories of one user with one agent. Beyond it an add is refused, and learning archives the least recently used that no person wrote. 0 means no bound.",
        reason "500 elsewhere, where every entry was a candidate for every prompt. Search here does not slow down with them, so the bound only stops a runaway.",
        read_by "add on every surface, and learning";
    search_strategy: Strategy = Strategy::Hybrid, "searchStrategy" | "strategy" | "retrievalStrategy" | "memoryStrategy", Type::Choice(Strategy::WORDS),
        about "How a search that does not say looks for things: by words and meaning, by meaning alone, or the newest first.",
        reason "Words and meaning together beat either alone on every set we measure.",
        read_by "search and context";
    fusion: Fusion = Fusion::Weighted, "fusion", Type::Choice(Fusion::WORDS),
        about "How the opinions of words and meaning become one score: a weighted sum, or reciprocal rank fusion.",
        reason "The systems we unify use reciprocal rank fusion; on LoCoMo it ranks worse than words alone, and the weighted sum far better.",
        read_by "search and context";
    rrf_k: i64 = 60, "rrfK" | "memoryRrfK", Type::Integer { min: 0, max: 1000 },
        about "The constant of reciprocal rank fusion; larger values let lower ranks count for more.",
        reason "60 is the value of its first publication and of the systems we unify.",
        read_by "search with `fusion` = rrf";
    candidates_per_engine: i64 = 100, "candidatesPerEngine", Type::Integer { min: 10, max: 1000 },
        about "How many documents words and meaning each may propose before they are scored.",
        reason "Past a hundred nothing that ends among the first twenty is added.",
        read_by "search and context";
    weight_text: f64 = 1.0, "weightText", Type::Number { min: 0.0, max: 10.0 },
        about "What the words of the text itself count.",
        reason "The unit in which the other weights are given.",
        read_by "search and context";
    weight_window: f64 = 1.0, "weightWindow", Type::Number { min: 0.0, max: 10.0 },
        about "What the words of a turn together with the turns around it count.",
        reason "Chosen by nested cross-validation over conversations.",
        read_by "search and context over the transcript";
    weight_dense: f64 = 0.8, "weightDense", Type::Number { min: 0.0, max: 10.0 },
        about "What the closeness in meaning counts.",
        reason "Chosen by nested cross-validation over conversations.",
        read_by "search and context";
    weight_dense_window: f64 = 0.2, "weightDenseWindow", Type::Number { min: 0.0, max: 10.0 },
        about "What the closeness in meaning of a turn together with the turns around it counts.",
        reason "Chosen by nested cross-validation over conversations.",
        read_by "search and context over the transcript";
    weight_neighbours: f64 = 0.1, "weightNeighbours", Type::Number { min: 0.0, max: 2.0 },
        about "Which share of the score of the turn before and of the turn after a turn gets.",
        reason "An answer often stands next to the words of the question. Chosen by nested cross-validation.",
        read_by "search and context over the transcript";
    weight_session: f64 = 0.5, "weightSession", Type::Number { min: 0.0, max: 2.0 },
        about "Which share of the mean of its session's five best turns a turn gets.",
        reason "A session that speaks of the matter is likelier to hold the answer. Chosen by nested cross-validation.",
        read_by "search and context over the transcript";
    weight_speaker: f64 = 0.4, "weightSpeaker", Type::Number { min: 0.0, max: 2.0 },
        about "What it counts that the question names one speaker and the turn is theirs.",
        reason "Chosen by nested cross-validation over conversations.",
        read_by "search and context over the transcript";
    weight_role: f64 = 0.6, "weightRole", Type::Number { min: 0.0, max: 2.0 },
        about "What it counts that the user said it and not an assistant.",
        reason "In conversations with an assistant, most of what is asked for later was said by the user. Chosen by nested cross-validation.",
        read_by "search and context over the transcript";
    weight_time: f64 = 0.4, "weightTime", Type::Number { min: 0.0, max: 2.0 },
        about "What it counts that the question speaks of a time and the document is of that time.",
        reason "A soft signal: people misremember when.",
        read_by "search and context";
    weight_recency: f64 = 0.05, "weightRecency", Type::Number { min: 0.0, max: 2.0 },
        about "What being recent counts for memories and episodes.",
        reason "Enough to order what is otherwise equal.",
        read_by "search and context";
    weight_salience: f64 = 0.05, "weightSalience", Type::Number { min: 0.0, max: 2.0 },
        about "What a memory's or episode's salience counts, as it is today.",
        reason "Enough to order what is otherwise equal.",
        read_by "search and context";
    weight_strength: f64 = 0.05, "weightStrength", Type::Number { min: 0.0, max: 2.0 },
        about "What a memory's strength counts, as it is today.",
        reason "Enough to order what is otherwise equal.",
        read_by "search and context";
    weight_graph: f64 = 0.2, "weightGraph", Type::Number { min: 0.0, max: 2.0 },
        about "What it counts that a memory speaks of somebody or something connected to what the question names.",
        reason "A name is a strong hint, and a relation away half of it; the words themselves still decide.",
        read_by "search and context over memories";
    weight_emotion: f64 = 0.05, "weightEmotion", Type::Number { min: 0.0, max: 2.0 },
        about "What it counts that a memory felt as the question feels.",
        reason "Enough to order what is otherwise equal.",
        read_by "search and context over memories";
    weight_feedback: f64 = 0.05, "weightFeedback", Type::Number { min: 0.0, max: 2.0 },
        about "What it counts that replies used a memory where it was recalled; as much is taken off where it was passed over or called wrong.",
        reason "Enough to order what is otherwise equal: what is often used must not crowd out what is asked for.",
        read_by "search and context over memories";
    feedback_mode: FeedbackMode = FeedbackMode::Overlap, "feedbackMode", Type::Choice(FeedbackMode::WORDS),
        about "Whether a stored reply is compared with the memories that stood in its prompt, to learn which of them it used: by their words, or not at all.",
        reason "It costs no model call and nobody waits for it. What people and agents say themselves is taken either way.",
        read_by "the proxy, when a reply is stored";
    temporal_decay_half_life_days: i64 = 30, "temporalDecayHalfLifeDays", Type::Integer { min: 1, max: 365 },
        about "After how many days being recent counts half.",
        reason "As in the systems we unify.",
        read_by "search and context, with `weightRecency`";
    mmr_lambda: f64 = 0.7, "mmrLambda", Type::Number { min: 0.0, max: 1.0 },
        about "Relevance against variety among memories and episodes: 1 keeps the order of the scores, 0 wants only variety.",
        reason "As in the systems we unify. The transcript is left in the order of its scores: there, neighbours that repeat a word are evidence.",
        read_by "search and context";
    mmr_fetch_multiplier: f64 = 2.0, "mmrFetchMultiplier", Type::Number { min: 1.0, max: 10.0 },
        about "How many times the wanted number of results are considered for variety.",
        reason "As in the systems we unify.",
        read_by "search and context";
    window_turns: i64 = 2, "windowTurns", Type::Integer { min: 0, max: 10 },
        about "How many turns before and after a found turn come along as its window.",
        reason "As in the systems we unify.",
        read_by "search over the transcript, `window_ids`";
    secret_patterns: String = "", "secretPatterns", Type::Patterns { max_bytes: limits::SETTING_TEXT_BYTES },
        about "What else is a secret here and is masked before anything is stored, besides keys, tokens, private keys, cards and passwords: patterns on lines of their own or separated by `;`, such as `acme-*`, `EMP-\\d{6}` or `acme-[0-9a-f]{32}`. `?` is one character, `*` any number of them up to a space.",
        reason "The secrets that everybody has are known; those that only one house has must be named. Masking cannot be switched off.",
        read_by "capture";
    verification_enabled: bool = true, "verificationEnabled", Type::Switch,
        about "Compare what is learned with what is known before it is stored.",
        reason "Off, every restatement becomes one more memory.",
        read_by "learning, the reconcile step";
    verification_jaccard_dedup_threshold: f64 = 0.6, "verificationJaccardDedupThreshold", Type::Number { min: 0.0, max: 1.0 },
        about "Statements of one kind that share more than this of their words are the same.",
        reason ".6 in one system and .85 in another; .6, because a changed number or polarity is told apart before words are counted.",
        read_by "learning, the verify step";
    verification_semantic_dedup_threshold: f64 = 0.85, "verificationSemanticDedupThreshold", Type::Number { min: 0.0, max: 1.0 },
        about "Statements of one kind that are closer in meaning than this, and share words too, are the same.",
        reason "As in the systems we unify; meaning alone would drop value updates.",
        read_by "learning, the verify step";
    max_active_rules: i64 = 20, "maxActiveRules", Type::Integer { min: 1, max: 200 },
        about "Standing instructions of one user with one agent that are active; one more archives the oldest that no person wrote.",
        reason "Every active rule goes into every prompt; 20 as in the system this comes from.",
        read_by "learning, the commit step";
    graph_depth: i64 = 2, "graphDepth", Type::Integer { min: 1, max: 4 },
        about "How many relations away a walk of the knowledge graph goes when it does not say.",
        reason "As in the systems we unify; past four everything is connected to everything.",
        read_by "the graph's search and walk";
    relevance_gate_mode: GateMode = GateMode::Judged, "relevanceGateMode" | "gateMode", Type::Choice(GateMode::WORDS),
        about "How it is decided what a message gets: everything known is weighed for it by a judge, and a new conversation begins with a portrait of the user (`judged`; `learned` is its older name); or the message is asked what it wants, by phrases alone (`heuristic`) or by the core model (`llm`, within `gateDeadlineMs`; where it is late or there is none, by a trained gate); or nothing is asked (`off`: every message gets the best lines of any section). Only `judged` has a portrait.",
        reason "Most messages that need memory do not ask for it: a gate left two thirds of them with nothing.",
        read_by "context";
    gate_deadline_ms: i64 = 1_500, "gateDeadlineMs", Type::Integer { min: 50, max: 30_000 },
        about "Milliseconds that a message waits for the core model to say what it wants, with `relevanceGateMode` = llm; they come on top of what a chat waits for memory. Later answers count for nothing, and a trained gate decides.",
        reason "A remote model answers in about a second; the tenth that it once had was met by none.",
        read_by "context, with `relevanceGateMode` = llm";
    context_mode: ContextMode = ContextMode::Compact, "contextMode", Type::Choice(ContextMode::WORDS),
        about "What a block is made of: the section that the gate chose under one budget, or all sections, each under its own. With `full` the date, profile, memories, summaries and relationships come with every message, and what matches the message comes when the gate fires.",
        reason "The full context cost its system up to 17,000 tokens a turn, which is why it was replaced there.",
        read_by "context";
    portrait_tokens: i64 = 180, "portraitTokens", Type::Integer { min: 0, max: 2_000 },
        about "Tokens of the portrait at the beginning of a conversation: the day, standing instructions, who the user is. 0 switches it off.",
        reason "Some ten short sentences; providers keep the beginning of a prompt, so that it is paid in full once in a conversation.",
        read_by "context with `relevanceGateMode` = judged";
    first_turn_digest: FirstTurnDigest = FirstTurnDigest::Continues, "firstTurnDigest", Type::Choice(FirstTurnDigest::WORDS),
        about "Whether a new conversation is told how the last one ended: where its first message goes on from it, always, or never.",
        reason "Always cost every greeting a summary of something else.",
        read_by "context with `relevanceGateMode` = judged";
    line_style: LineStyle = LineStyle::Plain, "lineStyle", Type::Choice(LineStyle::WORDS),
        about "How a line of a block tells a memory: as a short sentence (`plain`), or as subject, predicate and object with the words it rests on, where these are known (`triple`).",
        reason "A sentence is what a model reads best and costs half; the other is how one of the systems we unify writes it.",
        read_by "context";
    memory_budget_tokens: i64 = 230, "memoryBudgetTokens" | "maxTokens" | "memoryMaxTokens", Type::Integer { min: 100, max: 4_000 },
        about "Tokens that what is found for one message may take beside overrides and the portrait (or rules). A ceiling, not a target: what does not help is not said.",
        reason "800 in one system and 2,000 in another, which put them into every request and was switched off by its users for it. What helps with one message fits into 230.",
        read_by "context with `contextMode` = compact";
    rules_budget_tokens: i64 = 200, "rulesBudgetTokens", Type::Integer { min: 0, max: 4_000 },
        about "Tokens that the active rules may take, with every message. Where a judge weighs (`relevanceGateMode` = judged) rules stand in the portrait and count to `portraitTokens`.",
        reason "A handful of instructions; more are better said in a system prompt.",
        read_by "context";
    episodic_query_days: i64 = 30, "episodicQueryDays" | "retentionDays" | "memoryRetentionDays", Type::Integer { min: 0, max: 3_650 },
        about "Summaries of sessions older than this many days are not matched by a message; 0 means any age. The latest one still comes on a session's first turn.",
        reason "As in the system it comes from: old summaries crowd out what is current, and the transcript has no such bound. Another system's `retentionDays` bounds how far back is looked and deletes nothing, so it means this.",
        read_by "context";
    profile_max_tokens: i64 = 2_000, "profileMaxTokens", Type::Integer { min: 100, max: 50_000 },
        about "Tokens of the user's profile: of the text that is generated, and of its part in a full context.",
        reason "As in the system it comes from.",
        read_by "learning, the identity step, and context with `contextMode` = full";
    profile_regenerate_threshold: i64 = 10, "profileRegenerateThreshold", Type::Integer { min: 1, max: 1_000 },
        about "Memories learned or changed after which the user's profile is generated again. The first profile comes after three, or after this many where that is fewer.",
        reason "10 as in the system it comes from, whose most was 100. A first profile of a few facts is worth more than none.",
        read_by "learning, the identity step";
    working_memory_budget_tokens: i64 = 3_000, "workingMemoryBudgetTokens", Type::Integer { min: 50, max: 10_000 },
        about "Tokens of the memories in a full context, and as many again for those that match the message.",
        reason "As in the system it comes from.",
        read_by "context with `contextMode` = full";
    summary_budget_tokens: i64 = 3_000, "summaryBudgetTokens", Type::Integer { min: 50, max: 10_000 },
        about "Tokens of the summaries in a full context, and as many again for those that match the message.",
        reason "As in the system it comes from.",
        read_by "context with `contextMode` = full";
    graph_budget_tokens: i64 = 300, "graphBudgetTokens", Type::Integer { min: 50, max: 5_000 },
        about "Tokens of the key relationships in a full context.",
        reason "As in the system it comes from.",
        read_by "context with `contextMode` = full";
    chunk_budget_tokens: i64 = 3_000, "chunkBudgetTokens", Type::Integer { min: 50, max: 20_000 },
        about "Tokens of the conversation excerpts that match the message in a full context.",
        reason "As in the system it comes from.",
        read_by "context with `contextMode` = full";
    full_budget_tokens: i64 = 20_000, "fullBudgetTokens", Type::Integer { min: 500, max: 200_000 },
        about "Tokens of a full context in all. Where it is less than the sections' budgets together, the sections of lower priority are cut first.",
        reason "The sections' default budgets together are 17,300, so by default it cuts nothing.",
        read_by "context with `contextMode` = full";
    injection_placement: InjectionPlacement = InjectionPlacement::BeforeLastUser, "injectionPlacement", Type::Choice(InjectionPlacement::WORDS),
        about "Where in a prompt memory goes: as a system message of its own just before the user's latest message, as the first message, at the end of the client's system message, or at the beginning of the user's message. A model without a system role gets a user message instead, and one that wants a single system message gets it there; a request with `cache_control` gets it before the user's message.",
        reason "One system puts it first and one into the user's message. First changes the beginning of every prompt, so that no prompt cache ever hits; in the user's message it looks as if the user had said it.",
        read_by "the chat proxy";
    session_budget_tokens: i64 = 4_000, "sessionBudgetTokens", Type::Integer { min: 0, max: 200_000 },
        about "Tokens that everything recalled into one conversation may take together. What was put in earlier stays where it is. Near its end blocks get shorter, and each message may still be told a line or two; the portrait, overrides and what else comes along always stand outside of it.",
        reason "Five full blocks, and most messages get none. Taking old blocks out instead would change the prompt's beginning and cost its cache.",
        read_by "the chat proxy";
    extraction_mode: ExtractionMode = ExtractionMode::SessionEnd, "extractionMode", Type::Choice(ExtractionMode::WORDS),
        about "When conversations are learned from: when they pause or end, after every turn, or only when somebody says `sync`.",
        reason "As in the systems we unify.",
        read_by "the background worker and ingest";
    summary_debounce_seconds: i64 = 60, "summaryDebounceSeconds", Type::Integer { min: 10, max: 3600 },
        about "Seconds without a new turn after which a conversation is distilled.",
        reason "As in the systems we unify.",
        read_by "the background worker";
    importance_threshold: f64 = 0.4, "importanceThreshold", Type::Number { min: 0.0, max: 1.0 },
        about "With `extractionMode` = turn: facts of a turn that are less important than this are not kept. An agent's own file and its character move it.",
        reason "As in the system this comes from.",
        read_by "learning in turn mode";
    max_facts_per_turn: i64 = 3, "maxFactsPerTurn" | "maxPerTurn", Type::Integer { min: 0, max: 100 },
        about "With `extractionMode` = turn: how many facts of one turn are kept, the most important first. An agent's own file and its character move it.",
        reason "As in the system this comes from.",
        read_by "learning in turn mode";
    observer_token_threshold: i64 = 30_000, "observerTokenThreshold", Type::Integer { min: 1_000, max: 1_000_000 },
        about "Tokens of a conversation that wait to be learned from, past which that happens without waiting for a pause, and the observer makes notes of them.",
        reason "As in the system this comes from.",
        read_by "the background worker and learning, the observer";
    reflector_token_threshold: i64 = 40_000, "reflectorTokenThreshold", Type::Integer { min: 1_000, max: 1_000_000 },
        about "Tokens of the observer's notes about one user with one agent, past which they are folded into lasting memories.",
        reason "As in the system this comes from.",
        read_by "learning, the reflector";
    session_idle_minutes: i64 = 20, "sessionIdleMinutes", Type::Integer { min: 1, max: 1440 },
        about "Minutes without a new turn after which a conversation counts as ended, and what was held of it is promoted.",
        reason "As in the system this comes from.",
        read_by "the background worker";
    core_model_provider: String = "", "coreModelProvider" | "core_model_provider", Type::Text { max_bytes: 64 },
        about "The configured upstream whose model helps with learning; empty means the default upstream, once `coreModelName` names a model.",
        reason "Empty: no model is needed for anything to work, and none is called before somebody says so.",
        read_by "whatever asks the core model: learning, and the gate with `relevanceGateMode` = llm";
    core_model_name: String = "", "coreModelName" | "core_model_name" | "coreModel", Type::Text { max_bytes: 256 },
        about "The model that helps with learning, as its server calls it; empty means none.",
        reason "Empty: no model is needed for anything to work, and none is called before somebody says so.",
        read_by "whatever asks the core model: learning, and the gate with `relevanceGateMode` = llm";
    model_daily_calls: i64 = 0, "modelDailyCalls" | "model_daily_calls", Type::Integer { min: 0, max: 1_000_000_000 },
        about "Calls of the core model that a tenant may make in a day (UTC); beyond it learning goes on without a model. 0 means no bound.",
        reason "No bound: calls are few, one for each pass over a conversation. Who pays for many tenants sets one.",
        read_by "the core model, before each call";
    model_daily_tokens: i64 = 0, "modelDailyTokens" | "model_daily_tokens", Type::Integer { min: 0, max: 1_000_000_000_000 },
        about "Tokens that a tenant's core model may read and write in a day (UTC); beyond it learning goes on without a model. 0 means no bound.",
        reason "No bound, as with `modelDailyCalls`.",
        read_by "the core model, before each call";
    model_daily_cost: f64 = 0.0, "modelDailyCost" | "model_daily_cost", Type::Number { min: 0.0, max: 1_000_000.0 },
        about "What a tenant's core model may cost in a day (UTC), by the upstream's configured prices; beyond it learning goes on without a model. 0 means no bound.",
        reason "No bound, as with `modelDailyCalls`; without configured prices nothing has a cost.",
        read_by "the core model, before each call";
    consolidation_interval_hours: i64 = 24, "consolidationIntervalHours", Type::Integer { min: 1, max: 168 },
        about "Hours between two passes of upkeep. When one is due is stored, so that a restart neither puts it off nor repeats it.",
        reason "As in the system this comes from.",
        read_by "the upkeep scheduler";
    salience_floor: f64 = 0.2, "salienceFloor", Type::Number { min: 0.0, max: 1.0 },
        about "A memory whose salience has faded below this is put into the archive, once its strength is low too and it was not used for 30 days.",
        reason "As in the system this comes from, which deletes; here it is archived and can come back.",
        read_by "upkeep, evict";
    strength_floor: f64 = 0.05, "strengthFloor" | "pruneThreshold", Type::Number { min: 0.0, max: 1.0 },
        about "What counts as low strength when it is decided whether a memory goes into the archive.",
        reason "As in the system this comes from. An ordinary memory that nobody uses gets there after a year and a half.",
        read_by "upkeep, evict";
    gist_enabled: bool = true, "gistEnabled" | "temporalGist", Type::Switch,
        about "Whether long memories that are 60 days old and hardly used are shortened. What they said is archived first and can be had back word for word.",
        reason "On: a long text that nobody asks for takes room from those that are.",
        read_by "upkeep, gist";
    auto_summarize: bool = false, "autoSummarize", Type::Switch,
        about "Whether upkeep takes old memories together by itself, as `summarize` does by hand.",
        reason "Off, as in the system this comes from: a summary says less than what it is of.",
        read_by "upkeep, summarise";
    summarize_after_days: i64 = 180, "summarizeAfterDays", Type::Integer { min: 1, max: 36_500 },
        about "With `autoSummarize`: days after which memories are old enough to be taken together.",
        reason "Half a year: what somebody still speaks of is younger, or was said again.",
        read_by "upkeep, summarise";
    summarize_beyond_tokens: i64 = 0, "summarizeBeyondTokens", Type::Integer { min: 0, max: 100_000_000 },
        about "With `autoSummarize`: tokens of one user's memories with one agent beyond which the oldest are taken together before they are old enough. 0 means no bound.",
        reason "No bound: what is put into prompts has its own budget.",
        read_by "upkeep, summarise";
    episode_retention_days: i64 = 365, "episodeRetentionDays" | "summaryRetentionDays", Type::Integer { min: 0, max: 3_650 },
        about "Days after which digests of conversations, and what was said in them, are deleted for good. 0 keeps them forever. What was learned from them stays.",
        reason "Three systems disagree: 365 days, 180 days, and 30 days of looking back. The longest, because this cannot be undone and the others only saved room.",
        read_by "upkeep, prune";
    archive_retention_days: i64 = 365, "archiveRetentionDays", Type::Integer { min: 0, max: 3_650 },
        about "Days after which a text that was archived when its memory was shortened is deleted for good, counted from when it was last asked for. 0 keeps them forever.",
        reason "As in the system this comes from.",
        read_by "upkeep, prune";
    log_retention_days: i64 = 90, "logRetentionDays", Type::Integer { min: 0, max: 3_650 },
        about "Days after which rows of the processing log, of the log of accesses to archived texts and of feedback are deleted; what feedback came to stays counted. 0 keeps them forever.",
        reason "A quarter: long enough to look into a bill, and `stats` sums up 30 days.",
        read_by "upkeep, prune";
    forgotten_retention_days: i64 = 30, "forgottenRetentionDays", Type::Integer { min: 0, max: 3_650 },
        about "Days after which what was forgotten goes for good: memories, digests and relations that are marked deleted, and what is hidden of conversations. Until then the forgetting can be undone. 0 keeps it forever.",
        reason "As long as a run can be undone.",
        read_by "upkeep, prune";
    crisis_log: bool = false, "crisisLog", Type::Switch,
        about "Whether the built-in judge records that somebody spoke of harm to themselves: when, how grave, by which way it was noticed, and a hash of the conversation; never what was said. The record stands apart from memory, comes into no prompt, search or export, and `GET /api/audit/crisis` lists it to admins. Other programs can write such records over the interface whether this is on or not.",
        reason "Off: who records that somebody was in despair must have somebody who reads it.",
        read_by "learning";
    crisis_retention_days: i64 = 90, "crisisRetentionDays", Type::Integer { min: 0, max: 3_650 },
        about "Days after which the record of a crisis is deleted for good, unless it says otherwise itself. 0 keeps it until somebody removes it.",
        reason "As in the system this comes from.",
        read_by "learning and `POST /api/audit/crisis`; what is over is deleted by upkeep, prune";
    undo_days: i64 = 30, "undoDays", Type::Integer { min: 0, max: 3_650 },
        about "Days within which a run of upkeep or a bulk change can be undone. 0 means always.",
        reason "A month: after that, too much rests on what the run left.",
        read_by "`recollect undo` and its API";
}

/// Finds a setting by its name or another name for it, whatever the case.
pub fn find(name: &str) -> Result<&'static Setting, Invalid> {
    let wanted = name.trim();
    let named = |candidate: &str| candidate.eq_ignore_ascii_case(wanted);
    let found =
        TABLE.iter().find(|setting| named(setting.name) || setting.aliases.iter().any(|alias| named(alias)));
    found.ok_or_else(|| {
        let near =
            TABLE.iter().map(|setting| setting.name).min_by_key(|candidate| distance(wanted, candidate));
        let hint = near.map(|near| format!("did you mean `{near}`? `recollect settings list` shows all"));
        Invalid { field: Some("name"), message: format!("there is no setting `{wanted}`"), hint }
    })
}

impl Setting {
    /// Reads a value as it is written on a command line.
    pub fn parse(&self, text: &str) -> Result<Value, Invalid> {
        let text = text.trim();
        let value = match self.kind {
            Type::Switch => match text.to_ascii_lowercase().as_str() {
                "true" | "on" | "yes" | "1" => Value::Bool(true),
                "false" | "off" | "no" | "0" => Value::Bool(false),
                _ => return Err(self.refuse(text)),
            },
            Type::Integer { .. } => text.parse::<i64>().map(Value::from).map_err(|_| self.refuse(text))?,
            Type::Number { .. } => text.parse::<f64>().map(Value::from).map_err(|_| self.refuse(text))?,
            Type::Choice(_) | Type::Text { .. } | Type::Patterns { .. } | Type::TimeZone => Value::from(text),
            Type::UserTimeZones => serde_json::from_str(text).map_err(|_| self.refuse(text))?,
        };
        self.check(&value)
    }

    /// Checks a value against type and range and returns it as it is stored.
    pub fn check(&self, value: &Value) -> Result<Value, Invalid> {
        if let (Type::Patterns { .. }, Some(patterns)) = (self.kind, value.as_str()) {
            secrets::validate(patterns)?;
        }
        let checked = match self.kind {
            Type::Switch => value.as_bool().map(Value::Bool),
            Type::Integer { min, max } => whole(value).filter(|n| (min..=max).contains(n)).map(Value::from),
            Type::Number { min, max } => value.as_f64().filter(|n| (min..=max).contains(n)).map(Value::from),
            Type::Choice(words) => value
                .as_str()
                .and_then(|given| words.iter().find(|word| word.eq_ignore_ascii_case(given)))
                .map(|word| Value::from(*word)),
            Type::TimeZone => value.as_str().filter(|name| name.is_empty() || is_zone(name)).map(Value::from),
            Type::UserTimeZones => value
                .as_object()
                .filter(|zones| zones.len() <= limits::ZONED_USERS)
                .filter(|zones| zones.keys().all(|user| user.parse::<UserId>().is_ok()))
                .filter(|zones| zones.values().all(|zone| zone.as_str().is_some_and(is_zone)))
                .map(|zones| Value::Object(zones.clone())),
            Type::Text { max_bytes } | Type::Patterns { max_bytes } => value
                .as_str()
                .filter(|text| text.len() <= max_bytes.min(limits::SETTING_TEXT_BYTES))
                .map(Value::from),
        };
        checked.ok_or_else(|| match value {
            Value::String(text) => self.refuse(text),
            other => self.refuse(&other.to_string()),
        })
    }

    fn refuse(&self, given: &str) -> Invalid {
        let given = crate::error::shown(given);
        Invalid::field(
            "value",
            format!("`{given}` is not allowed for {}; expected {}", self.name, self.kind.allowed()),
        )
    }
}

/// Whether the time zone database has it.
pub fn is_zone(name: &str) -> bool {
    jiff::tz::TimeZone::get(name).is_ok()
}

/// 30 and 30.0 are the same whole number; 30.5 is none.
fn whole(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| value.as_f64().filter(|n| n.fract() == 0.0 && n.abs() < 9e15).map(|n| n as i64))
}

impl Settings {
    /// Where a user is: their own zone, else the one that is set for all, else the machine's.
    pub fn zone_of(&self, user: &UserId) -> jiff::tz::TimeZone {
        let told = || self.client_time_zones.get(user.as_str());
        match self.time_zones.get(user.as_str()).or_else(told).unwrap_or(&self.time_zone).as_str() {
            "" => jiff::tz::TimeZone::system(),
            name => jiff::tz::TimeZone::get(name).unwrap_or(jiff::tz::TimeZone::UTC),
        }
    }

    /// The defaults, with those values in place that are known and allowed. A value that an older or newer version
    /// stored and that no longer fits is left out: memory must not stop working over it.
    pub fn from_stored<'a>(layers: impl IntoIterator<Item = &'a BTreeMap<String, Value>>) -> Self {
        let mut settings = Self::default();
        for layer in layers {
            for (name, value) in layer {
                if let Ok(setting) = find(name)
                    && let Ok(value) = setting.check(value)
                {
                    settings.put(setting, &value);
                }
            }
        }
        settings
    }
}

/// Edits between two names, to guess what was meant. Names are short, so the plain table will do.
pub fn distance(left: &str, right: &str) -> usize {
    strsim::levenshtein(&left.to_ascii_lowercase(), &right.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_allowed_and_every_name_is_unique() {
        let defaults = Settings::default();
        let mut names = std::collections::BTreeSet::new();
        for setting in TABLE {
            setting.check(&defaults.get(setting)).expect("a default must be allowed");
            for name in setting.aliases.iter().chain([&setting.name]) {
                assert!(names.insert(name.to_ascii_lowercase()), "{name} stands twice");
            }
            assert!(!setting.read_by.is_empty() && !setting.reason.is_empty(), "{}", setting.name);
        }
    }

    #[test]
    fn a_bad_value_names_the_range() {
        let setting = find("recallTopK").expect("in the table");
        let error = setting.parse("999999").expect_err("out of range").message;
        assert_eq!(error, "`999999` is not allowed for recallTopK; expected a whole number from 1 to 100");
        assert!(setting.parse("ten").is_err());
        assert_eq!(setting.parse("12").expect("in range"), Value::from(12));
        assert_eq!(setting.check(&Value::from(12.0)).expect("whole"), Value::from(12));
    }

    #[test]
    fn a_users_own_zone_comes_before_everybodys() {
        let zones = find("timeZones").expect("in the table");
        let checked = zones.parse(r#"{"mara": "Pacific/Auckland"}"#).expect("a user and a zone");
        let stored = BTreeMap::from([
            ("timeZones".to_owned(), checked),
            ("timeZone".to_owned(), Value::from("Europe/Berlin")),
        ]);
        let settings = Settings::from_stored([&stored]);
        let zone = |user: &str| {
            let zone = settings.zone_of(&user.parse().expect("a user"));
            zone.iana_name().map(str::to_owned)
        };
        assert_eq!(zone("mara").as_deref(), Some("Pacific/Auckland"));
        assert_eq!(zone("otto").as_deref(), Some("Europe/Berlin"));
        for wrong in [r#"{"mara": "Middle/Earth"}"#, r#"{"mara": ""}"#, r#"{" ": "UTC"}"#, "UTC", "[]"] {
            let refused = zones.parse(wrong).expect_err(wrong);
            assert!(refused.message.contains("expected a time zone for each"), "{}", refused.message);
        }
    }

    #[test]
    fn an_unknown_name_gets_the_nearest() {
        let hint = find("recalTopK").expect_err("unknown").hint.expect("a hint");
        assert!(hint.contains("`recallTopK`"), "{hint}");
        assert_eq!(find("top_k").expect("an alias").name, "recallTopK");
    }

    #[test]
    fn stored_values_that_no_longer_fit_are_left_out() {
        let stored = BTreeMap::from([
            ("recallTopK".to_owned(), Value::from(7)),
            ("maxEntriesPerAgent".to_owned(), Value::from("many")),
            ("goneLongAgo".to_owned(), Value::from(1)),
        ]);
        let settings = Settings::from_stored([&stored]);
        assert_eq!(settings.recall_top_k, 7);
        assert_eq!(settings.max_entries_per_agent, Settings::default().max_entries_per_agent);
    }
}
