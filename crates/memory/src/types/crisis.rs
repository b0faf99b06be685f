//! That somebody spoke of harm to themselves: a record for those who answer for safety.
//!
//! It stands apart from memory. It says when, how grave, by which way it was noticed and in short why, and of the conversation
//! only a keyed hash; never what was said. No prompt, search or export of memories reads it, and it goes when its time is over.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::memory::words;
use super::{CrisisId, SessionKey, Time, TurnId};

words! {
    /// Which way a crisis was noticed.
    ClassifierPath, "classifier path" {
        /// A model judged the message.
        LlmPrimary = "llm_primary",
        /// Nobody could judge the message, and it was treated as one.
        ClassifierUnavailable = "classifier_unavailable",
        /// Somebody listened while it was spoken.
        VoiceConcurrent = "voice_concurrent",
        /// What was spoken was judged afterwards.
        VoicePostTurn = "voice_post_turn",
        Person = "person",
        /// The built-in judge, by words that leave no doubt.
        BuiltinWords = "builtin_words",
        /// The built-in judge, by what is meant.
        BuiltinJudge = "builtin_judge",
    }
}

/// What is to be recorded. The store keeps a hash of the conversation and of the turn in place of their names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CrisisNote {
    pub id: CrisisId,
    pub session: SessionKey,
    /// The message; one that is read again is recorded once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<TurnId>,
    /// From 0, nothing, to [`CrisisNote::GRAVEST`].
    pub level: u8,
    /// Why, without what was said.
    pub reason: String,
    pub path: ClassifierPath,
    pub at: Time,
    /// When the record goes by itself; none keeps it until somebody removes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Time>,
}

impl CrisisNote {
    pub const GRAVEST: u8 = 3;
}

/// What is recorded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CrisisRecord {
    pub id: CrisisId,
    /// A keyed hash: the same for all records of a conversation, and nobody's name.
    pub session_hash: String,
    pub level: u8,
    pub reason: String,
    pub path: ClassifierPath,
    pub at: Time,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Time>,
}
