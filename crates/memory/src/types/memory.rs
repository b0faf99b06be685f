//! One thing remembered, one sentence long, with its evidence.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{AgentId, MemoryId, Owner, ProjectId, SessionId, TenantId, Time, UserId};

/// A word that is not in one of the closed lists below.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{given}` is not a {what}; expected one of {expected}")]
pub struct UnknownWord {
    pub what: &'static str,
    pub given: String,
    pub expected: String,
}

/// A closed list of words: one name each, with the names that other systems use for the same thing.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident, $what:literal { $( $(#[$vdoc:meta])* $variant:ident = $word:literal $(| $alias:literal)* ),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
        pub enum $name {
            $( $(#[$vdoc])* #[serde(rename = $word)] $variant ),+
        }

        impl $name {
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            pub fn as_str(self) -> &'static str {
                match self { $( Self::$variant => $word ),+ }
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::types::UnknownWord;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text.trim().to_ascii_lowercase().as_str() {
                    $( $word $(| $alias)* => Ok(Self::$variant), )+
                    _ => Err($crate::types::UnknownWord {
                        what: $what,
                        given: $crate::types::shown(text),
                        expected: [$($word),+].join(", "),
                    }),
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.pad(self.as_str())
            }
        }
    };
}
pub(super) use words;

words! {
    /// What sort of remembering it is.
    Layer, "layer" {
        Semantic = "semantic" | "factual",
        Episodic = "episodic",
        Procedural = "procedural",
        Prospective = "prospective",
    }
}

words! {
    /// What the sentence says.
    Kind, "kind" {
        Fact = "fact" | "knowledge" | "factual",
        Preference = "preference" | "user_preference",
        Decision = "decision",
        Correction = "correction",
        Commitment = "commitment" | "action_item" | "action item",
        Relationship = "relationship",
        Skill = "skill",
        Goal = "goal",
        Event = "event" | "episodic" | "emotional_context" | "emotional context",
        Rule = "rule",
    }
}

impl Kind {
    /// The layer a kind lives in when nobody says.
    pub fn usual_layer(self) -> Layer {
        match self {
            Kind::Event | Kind::Decision => Layer::Episodic,
            Kind::Rule => Layer::Procedural,
            Kind::Commitment | Kind::Goal => Layer::Prospective,
            Kind::Fact | Kind::Preference | Kind::Correction | Kind::Relationship | Kind::Skill => {
                Layer::Semantic
            }
        }
    }
}

words! {
    /// Who sees it.
    Scope, "scope" {
        /// This session.
        Thread = "thread" | "session",
        /// This user in this project, with any agent.
        Project = "project",
        /// This user with this agent.
        Agent = "agent",
        /// This user with any agent; the default.
        User = "user" | "apikey",
        /// This agent with any user.
        Persona = "persona",
        /// Everyone in the tenant.
        Organization = "organization" | "global",
    }
}

words! {
    /// Where the sentence comes from.
    Origin, "origin" {
        Person = "person",
        Model = "model",
        Heuristic = "heuristic",
        Tool = "tool",
        Import = "import",
    }
}

impl Scope {
    /// The user has it with any agent: which agent heard it says nothing about who sees it.
    pub fn is_shared_by_agents(self) -> bool {
        matches!(self, Scope::User | Scope::Project)
    }
}

words! {
    /// Whose words the sentence rests on. Read by whoever shows a memory, and by the work on judgement, which weighs it.
    Provenance, "provenance" {
        /// The person said it.
        OwnWords = "own_words",
        /// An assistant wrote it by a tool.
        Tool = "tool",
        /// A file of another system said it.
        Import = "import",
        /// The person passed on what somebody else wrote.
        Quoted = "quoted",
    }
}

impl From<Origin> for Provenance {
    fn from(origin: Origin) -> Self {
        match origin {
            // What is distilled rests on the person's turns alone.
            Origin::Person | Origin::Model | Origin::Heuristic => Provenance::OwnWords,
            Origin::Tool => Provenance::Tool,
            Origin::Import => Provenance::Import,
        }
    }
}

words! {
    /// Whether it counts today.
    Status, "status" {
        Active = "active",
        Held = "held",
        Superseded = "superseded",
        Archived = "archived",
        Deleted = "deleted",
    }
}

/// How it felt: valence from -1 (bad) to 1 (good), arousal from 0 (calm) to 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Emotion {
    pub valence: f32,
    pub arousal: f32,
}

/// One thing remembered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Memory {
    pub id: MemoryId,
    /// Counts the writes; a decision made on a read names the version it read.
    pub version: u64,
    pub tenant: TenantId,
    pub agent: AgentId,
    pub user: UserId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    /// What it is about, where the scope is `project` or somebody said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<ProjectId>,
    pub scope: Scope,
    pub layer: Layer,
    pub kind: Kind,
    /// A word for the matter (health, work). Whoever adds may give one, lists show it and filter by it; the work on
    /// judgement lets the learner fill it in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// Stable name for restating: one live memory per [`Belonging`] and key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    pub content: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub predicate: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object: Option<String>,
    /// The user's own words that it rests on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
    pub confidence: f32,
    pub salience: f32,
    pub strength: f32,
    /// Days after which an unused memory's strength has fallen to 1/e.
    pub stability_days: f32,
    /// By a person; never merged away, evicted or rewritten.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pinned: bool,
    pub origin: Origin,
    /// Whose words it rests on, where that is not what the origin implies; see [`Memory::rests_on`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provenance: Option<Provenance>,
    /// Not to be shown unasked: in no portrait, and to no server that is told what work needs alone. A person or the learner sets it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sensitive: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub emotion: Option<Emotion>,
    #[serde(default, skip_serializing_if = "serde_json::Map::is_empty")]
    pub metadata: serde_json::Map<String, serde_json::Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_from: Option<Time>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_until: Option<Time>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Time>,
    pub status: Status,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<MemoryId>,
    pub content_hash: String,
    pub created_at: Time,
    pub updated_at: Time,
}

impl Memory {
    /// Days an untouched ordinary memory keeps its strength above 1/e: an ordinary fact must live for months.
    pub const STARTING_STABILITY_DAYS: f32 = 180.0;

    /// A memory with the defaults of its kind. The caller sets what it knows better.
    pub fn new(id: MemoryId, tenant: TenantId, owner: &Owner, kind: Kind, content: String, at: Time) -> Self {
        Self {
            id,
            version: 1,
            tenant,
            agent: owner.agent.clone(),
            user: owner.user.clone(),
            session: None,
            project: None,
            scope: Scope::User,
            layer: kind.usual_layer(),
            kind,
            category: None,
            key: None,
            content_hash: content_hash(&content),
            content,
            subject: None,
            predicate: None,
            object: None,
            evidence: None,
            confidence: 1.0,
            salience: 0.5,
            strength: 1.0,
            stability_days: Self::STARTING_STABILITY_DAYS,
            pinned: false,
            origin: Origin::Person,
            provenance: None,
            sensitive: false,
            tags: Vec::new(),
            emotion: None,
            metadata: serde_json::Map::new(),
            valid_from: None,
            valid_until: None,
            expires_at: None,
            status: Status::Active,
            superseded_by: None,
            created_at: at,
            updated_at: at,
        }
    }

    /// Who made it, where it is in the user's own words: the judge of speech.
    pub const BY_JUDGE: &str = "judge";

    /// Metadata: the memory of which this is what goes on.
    pub const REST_OF: &str = "restOf";

    /// Metadata: the chance, in percent, that it belongs in front of every conversation.
    pub const CORE: &str = "core";

    /// Metadata: what the user says in it that they are called.
    pub const OWN_NAME: &str = "ownName";

    /// Metadata: what it rests on was put right by what was said next, or answers a question; what it says is what was meant.
    pub const PUT_RIGHT: &str = "putRight";

    pub fn is_put_right(&self) -> bool {
        self.metadata.contains_key(Self::PUT_RIGHT)
    }

    /// What the user says in it that they are called.
    pub fn own_name(&self) -> Option<&str> {
        self.metadata.get(Self::OWN_NAME)?.as_str()
    }

    /// The chance that it belongs in front of every conversation, where a judge heard it said.
    pub fn heard_core(&self) -> Option<f32> {
        self.metadata.get(Self::CORE)?.as_f64().map(|percent| percent as f32 / 100.0)
    }

    /// Metadata of a memory that went because the same is said better: nothing of what it told is over.
    pub const RESTATED: &str = "restated";

    /// Metadata of a memory that was called wrong, and went.
    pub const WRONG: &str = "wrong";

    /// Whether what it says no longer holds, or never did: it ended, was replaced, called wrong or forgotten. What made room for others,
    /// was merged or is said better elsewhere is not over.
    pub fn is_over(&self, now: Time) -> bool {
        let ended = |end: Option<Time>| end.is_some_and(|end| end <= now);
        match self.status {
            Status::Deleted => true,
            _ if self.metadata.contains_key(Self::RESTATED) => false,
            _ => ended(self.valid_until) || ended(self.expires_at) || self.was_wrong(),
        }
    }

    /// Whether it is active and what it says holds at this moment.
    pub fn holds(&self, now: Time) -> bool {
        let later = |end: Option<Time>| end.is_none_or(|end| end > now);
        self.status == Status::Active
            && self.valid_from.is_none_or(|from| from <= now)
            && later(self.valid_until)
            && later(self.expires_at)
    }

    /// Whether it was called wrong.
    pub fn was_wrong(&self) -> bool {
        self.status == Status::Archived && self.metadata.contains_key(Self::WRONG)
    }

    /// Whether it is kept in the user's own words.
    pub fn is_verbatim(&self) -> bool {
        self.metadata.get("rule").is_some_and(|rule| rule == Self::BY_JUDGE)
    }

    pub fn owner(&self) -> Owner {
        Owner { agent: self.agent.clone(), user: self.user.clone() }
    }

    /// Whose words it rests on.
    pub fn rests_on(&self) -> Provenance {
        self.provenance.unwrap_or(self.origin.into())
    }

    /// Whose it is, and who sees it.
    pub fn belonging(&self) -> Belonging {
        Belonging {
            agent: (!self.scope.is_shared_by_agents()).then(|| self.agent.clone()),
            user: self.user.clone(),
            scope: self.scope,
            session: self.session.clone().filter(|_| self.scope == Scope::Thread),
            project: self.project.clone().filter(|_| self.scope == Scope::Project),
        }
    }

    /// Whether a statement of this user to this agent restates or replaces it: both made it, or it is the user's with any
    /// agent. What holds in a project is not replaced by what is said outside of it.
    pub fn is_within_reach_of(&self, owner: &Owner) -> bool {
        let same_agent = self.agent == owner.agent && self.scope != Scope::Project;
        self.user == owner.user && (self.scope == Scope::User || same_agent)
    }

    /// Puts numbers back into their ranges; a model's 1.5 means "very".
    pub fn clamp(&mut self) {
        for share in [&mut self.confidence, &mut self.salience, &mut self.strength] {
            *share = if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) };
        }
        if !self.stability_days.is_finite() || self.stability_days <= 0.0 {
            self.stability_days = Self::STARTING_STABILITY_DAYS;
        }
        if let Some(emotion) = &mut self.emotion {
            emotion.valence = if emotion.valence.is_nan() { 0.0 } else { emotion.valence.clamp(-1.0, 1.0) };
            emotion.arousal = if emotion.arousal.is_nan() { 0.0 } else { emotion.arousal.clamp(0.0, 1.0) };
        }
    }

    /// The sentence as a person reads it in a list: `[kind] Subject PREDICATE Object — "quote"` where there is a triple.
    pub fn line(&self) -> String {
        let (Some(subject), Some(predicate), Some(object)) = (&self.subject, &self.predicate, &self.object)
        else {
            return self.content.clone();
        };
        match &self.evidence {
            Some(quote) => format!("[{}] {subject} {predicate} {object} — \"{quote}\"", self.kind),
            None => format!("[{}] {subject} {predicate} {object}", self.kind),
        }
    }
}

/// Whose a memory is. Two memories can stand for each other only where this is the same: which agent heard it counts where the
/// agent decides who sees it, the session only in a thread, the project only in a project.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Belonging {
    pub agent: Option<AgentId>,
    pub user: UserId,
    pub scope: Scope,
    pub session: Option<SessionId>,
    pub project: Option<ProjectId>,
}

/// How often it was used. Kept apart from the memory, outside history and outside cache invalidation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Counters {
    pub use_count: u64,
    pub source_count: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_used_at: Option<Time>,
    /// Replies that made use of it, that went another way, and that it misled.
    #[serde(default)]
    pub used: u64,
    #[serde(default)]
    pub ignored: u64,
    #[serde(default)]
    pub wrong: u64,
}

/// SHA-256 of the content, in hexadecimal: equal contents are found without comparing them.
pub fn content_hash(content: &str) -> String {
    hex(&Sha256::digest(content.trim().as_bytes()))
}

/// Bytes in hexadecimal, in small letters.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_systems_words_are_understood() {
        assert_eq!("factual".parse::<Layer>(), Ok(Layer::Semantic));
        assert_eq!("user_preference".parse::<Kind>(), Ok(Kind::Preference));
        assert_eq!("apiKey".parse::<Scope>(), Ok(Scope::User));
        assert_eq!("global".parse::<Scope>(), Ok(Scope::Organization));
        let error = "nonsense".parse::<Layer>().expect_err("not a layer").to_string();
        assert!(error.contains("semantic, episodic, procedural, prospective"), "{error}");
    }

    #[test]
    fn numbers_out_of_range_are_clamped() {
        let id = "mt_01890a5d-ac96-774b-bcce-b302099a8057".parse().expect("an id");
        let mut memory =
            Memory::new(id, TenantId::local(), &Owner::unnamed(), Kind::Fact, "x".into(), Time::MIN);
        (memory.salience, memory.confidence) = (1.5, -0.2);
        memory.emotion = Some(Emotion { valence: -4.0, arousal: f32::NAN });
        memory.clamp();
        assert_eq!((memory.salience, memory.confidence), (1.0, 0.0));
        assert_eq!(memory.emotion, Some(Emotion { valence: -1.0, arousal: 0.0 }));
    }

    #[test]
    fn a_triple_reads_as_a_line() {
        let id = "mt_01890a5d-ac96-774b-bcce-b302099a8057".parse().expect("an id");
        let content = "User worries about work".to_owned();
        let mut memory =
            Memory::new(id, TenantId::local(), &Owner::unnamed(), Kind::Relationship, content, Time::MIN);
        assert_eq!(memory.line(), "User worries about work");
        memory.subject = Some("User".into());
        memory.predicate = Some("WORRIES_ABOUT".into());
        memory.object = Some("work".into());
        memory.evidence = Some("my boss is terrible".into());
        assert_eq!(memory.line(), "[relationship] User WORRIES_ABOUT work — \"my boss is terrible\"");
    }
}
