//! What a language's folder says of feelings: "I feel lonely", "I'm anxious about the exam".

use super::rule::DistilRule;
use crate::types::{Kind, StatementDurability};

/// How a language states a feeling, and the words for feelings.
#[derive(Debug)]
pub(crate) struct Feelings {
    pub rules: &'static [DistilRule],
    pub words: &'static str,
    /// Of the words, those that feel good; the others feel bad.
    pub good: &'static str,
}

/// Felt by somebody now. Less salient than what is usually kept: without a character that wants it, it would fall through.
pub(super) const FEELING: DistilRule = DistilRule::family(Kind::Event, "emotional_context", 0.65, 0.35)
    .between("User", "{feeling}")
    .lasts(StatementDurability::Session);

/// A feeling and what it is about.
pub(super) const ABOUT: DistilRule = FEELING.between("User", "{object}");

pub(super) const SAYS: &str = "User feels {feeling}";
pub(super) const SAYS_ABOUT: &str = "User feels {feeling} {base} {object}";
pub(super) const PREDICATE: &str = "FEELS_{feeling}";
