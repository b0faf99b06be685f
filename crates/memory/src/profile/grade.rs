//! Which memories say who the user is, and what about them: the order in which a profile tells it.
//!
//! A memory is sorted by its key, its predicate or the category that its rule gave it, and by its kind. What passes (events,
//! commitments) and what is an instruction (rules, which come along anyway) is no part of a profile.

use crate::types::{Kind, Memory, Origin, Scope, Status, Time};

/// What a line of the profile is about, in the order in which the profile tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProfileGroup {
    Person,
    Health,
    Home,
    Work,
    People,
    Preferences,
    Skills,
    Habits,
    Goals,
    Decisions,
}

/// Metadata of a memory that was said to be kept.
pub const EXPLICIT: (&str, &str) = ("durability", "explicit");

/// Metadata of a memory that a person does not want to be said always, although it could be.
pub const NOT_ALWAYS: &str = "notAlways";

/// How sure a model must be of who the user is for that to be always said.
const SURE: f32 = 0.9;

/// Rules that are about the user with any assistant, and not about one assistant's work.
const PERSONAL_RULES: &[&str] = &["rule:answer_language", "rule:form_of_address"];

impl ProfileGroup {
    /// Where a memory belongs in a profile; nowhere, if it passes or instructs.
    pub fn of(memory: &Memory) -> Option<ProfileGroup> {
        match memory.kind {
            Kind::Rule | Kind::Event | Kind::Commitment => return None,
            Kind::Relationship => return Some(ProfileGroup::People),
            Kind::Preference => return Some(ProfileGroup::Preferences),
            Kind::Skill => return Some(ProfileGroup::Skills),
            Kind::Goal => return Some(ProfileGroup::Goals),
            Kind::Decision => return Some(ProfileGroup::Decisions),
            Kind::Fact | Kind::Correction => {}
        }
        Some(match category(memory) {
            "identity" => ProfileGroup::Person,
            "health" => ProfileGroup::Health,
            "home" => ProfileGroup::Home,
            "work" => ProfileGroup::Work,
            _ => ProfileGroup::Habits,
        })
    }

    /// How much being of this group is worth beside a memory's own standing, when not everything fits.
    pub fn weight(self) -> f64 {
        match self {
            ProfileGroup::Person => 1.0,
            ProfileGroup::Health => 0.8,
            ProfileGroup::Home | ProfileGroup::Work => 0.6,
            ProfileGroup::People => 0.4,
            ProfileGroup::Preferences | ProfileGroup::Goals => 0.2,
            ProfileGroup::Skills | ProfileGroup::Habits | ProfileGroup::Decisions => 0.0,
        }
    }
}

/// What of a fact about the user its predicate tells, where neither key nor category does: a model's facts come without.
const PREDICATES: &[(&str, &[&str])] = &[
    ("identity", &["NAMED", "GOES_BY", "AGE", "BIRTHDAY", "BORN", "PRONOUNS", "NATIVE_LANGUAGE", "FROM"]),
    ("health", &["ALLERGIC_TO", "DIAGNOSED_WITH", "SUFFERS_FROM", "HAS_CONDITION", "TAKES", "CANNOT_EAT"]),
    ("home", &["LIVES_IN"]),
    ("work", &["WORKS_AT", "WORKS_AS", "WORKS_IN"]),
];

/// What its key begins with, else what its predicate tells, else what its rule called it. The key comes first because a
/// category may be another system's word, such as `factual`.
fn category(memory: &Memory) -> &str {
    let told = |name: &&str| PREDICATES.iter().any(|(category, _)| category == name);
    let keyed = memory.key.as_deref().and_then(|key| key.split_once(':')).map(|(category, _)| category);
    let of_user = memory.subject.as_deref().is_some_and(|subject| subject.eq_ignore_ascii_case("user"));
    let predicate = memory.predicate.as_deref().filter(|_| of_user);
    let by_predicate = || {
        let (category, _) =
            PREDICATES.iter().find(|(_, known)| predicate.is_some_and(|p| known.contains(&p)))?;
        Some(*category)
    };
    let named = || memory.metadata.get("category").and_then(|value| value.as_str());
    keyed.filter(told).or_else(by_predicate).or_else(|| named().filter(told)).unwrap_or_default()
}

/// Whether a memory counts towards the profile: it holds now, and not for one conversation alone.
pub fn counts(memory: &Memory, now: Time) -> bool {
    stands(memory, now) && is_of_user(memory)
}

/// It is about the user wherever they are, and not only in a conversation or a project.
fn is_of_user(memory: &Memory) -> bool {
    !matches!(memory.scope, Scope::Thread | Scope::Project)
}

/// Whether a memory holds now.
pub fn stands(memory: &Memory, now: Time) -> bool {
    memory.status == Status::Active
        && memory.valid_from.is_none_or(|from| from <= now)
        && memory.valid_until.is_none_or(|until| now < until)
        && memory.expires_at.is_none_or(|expires| now < expires)
}

/// Whether it says who the user is: what answers "what's my name?" before there is a profile.
pub fn says_who(memory: &Memory) -> bool {
    matches!(
        ProfileGroup::of(memory),
        Some(ProfileGroup::Person | ProfileGroup::Health | ProfileGroup::Home | ProfileGroup::Work)
    )
}

/// Whether it is to be said always: who the user is, what their health asks for and how they want to be spoken to, where
/// that was said to be kept or a model is sure of it. What a person wrote is theirs to say always or not.
pub fn is_always_said(memory: &Memory) -> bool {
    let personal = matches!(ProfileGroup::of(memory), Some(ProfileGroup::Person | ProfileGroup::Health))
        || memory.kind == Kind::Rule
            && memory.key.as_deref().is_some_and(|key| PERSONAL_RULES.contains(&key));
    let sure = match memory.origin {
        Origin::Heuristic => is_explicit(memory),
        Origin::Model => is_explicit(memory) || memory.confidence >= SURE,
        Origin::Person | Origin::Tool | Origin::Import => false,
    };
    personal && sure && is_of_user(memory) && !memory.metadata.contains_key(NOT_ALWAYS)
}

pub fn is_explicit(memory: &Memory) -> bool {
    memory.metadata.get(EXPLICIT.0).is_some_and(|value| value == EXPLICIT.1)
}
