//! What a distiller makes of a session's turns, before anything is decided about it.
//!
//! The heuristic distiller and a model give the same type, so that the steps behind them need not know which it was.
//! A candidate always says which user's turn it rests on and quotes it: what nobody said cannot become a memory.

use serde::{Deserialize, Serialize};

use crate::limits;
use crate::types::{
    Emotion, EntityType, Episode, Kind, Layer, MemoryId, Origin, StatementDurability, Time, TurnId, Verdict,
};

/// Something that might be worth remembering.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// In the third person: "User prefers TypeScript".
    pub content: String,
    pub kind: Kind,
    pub layer: Layer,
    /// Stable name for restating, such as `preference:typescript`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// What the pattern is called: preference, decision, pattern, identity, …; goes into the metadata.
    pub category: String,
    /// What it is about, in the judge's words: health, work, people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matter: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// In capitals: `PREFERS`, `LIVES_IN`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub predicate: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object: Option<String>,
    /// The user's own words.
    pub evidence: String,
    /// The user's turns it rests on, first the one that is quoted.
    pub sources: Vec<TurnId>,
    pub confidence: f32,
    pub salience: f32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub emotion: Option<Emotion>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_from: Option<Time>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_until: Option<Time>,
    pub durability: StatementDurability,
    /// One value at a time: a new one replaces the old (home, employer, name, favourite editor).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub single_valued: bool,
    /// It speaks of a change.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub changes: bool,
    /// The chance of that, as the judge hears it.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub changing: f32,
    /// The chance that it belongs in front of every conversation, as the judge hears it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub core: Option<f32>,
    /// The chance that it is over with a day, as the judge hears it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dated: Option<f32>,
    /// Told only where a message calls for it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sensitive: bool,
    /// What it rests on was put right: not those words are held against others but what they came to mean.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub put_right: bool,
    /// Which rule or model made it, for "why".
    pub made_by: String,
    /// What the model thinks should become of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advice: Option<Advice>,
}

/// A model's opinion of one of its candidates. The guards stand above it, and below a certain confidence it counts for nothing.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Advice {
    /// When it should be kept, if at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    pub confidence: f32,
    /// The known memory that says the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_as: Option<MemoryId>,
    /// The known memories that no longer hold because of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replaces: Vec<MemoryId>,
    /// It was compared with what is known and stands beside it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub coexists: bool,
    /// The known memory that goes and of which this still holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub carried_from: Option<MemoryId>,
}

/// The digest of a session, as far as it goes.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct EpisodeDraft {
    /// One to three sentences.
    pub summary: String,
    #[serde(default)]
    pub topics: Vec<String>,
    #[serde(default)]
    pub decisions: Vec<String>,
    #[serde(default)]
    pub key_dates: Vec<String>,
    #[serde(default)]
    pub action_items: Vec<String>,
    #[serde(default)]
    pub salience: f32,
}

impl EpisodeDraft {
    /// Keeps what an earlier digest of the same session knows to have been decided or promised. Of too many, the latest.
    pub fn go_on_from(&mut self, standing: &Episode) {
        let lists =
            [(&mut self.decisions, &standing.decisions), (&mut self.action_items, &standing.action_items)];
        for (list, before) in lists {
            let mut all = before.clone();
            all.extend(std::mem::take(list).into_iter().filter(|item| !before.contains(item)));
            let over = all.len().saturating_sub(limits::DIGEST_ITEMS);
            *list = all.split_off(over);
        }
        self.salience = self.salience.max(standing.salience);
    }
}

/// Somebody or something that was named.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EntityDraft {
    pub name: String,
    #[serde(rename = "type")]
    pub entity_type: EntityType,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    pub sources: Vec<TurnId>,
}

/// Two of them and what holds between them, by name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RelationDraft {
    pub subject: String,
    pub predicate: String,
    pub object: String,
    pub confidence: f32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_from: Option<Time>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_until: Option<Time>,
    pub sources: Vec<TurnId>,
}

/// Everything that one pass over a session's turns came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Draft {
    pub origin: Origin,
    /// `None` where there was nothing to digest.
    pub episode: Option<EpisodeDraft>,
    pub candidates: Vec<Candidate>,
    pub entities: Vec<EntityDraft>,
    pub relations: Vec<RelationDraft>,
    /// What the user asked to be forgotten, or not to be kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wishes: Vec<ForgetWish>,
    /// Candidates whose quote nobody said, and which are therefore not among the candidates.
    #[serde(default)]
    pub unsupported: u64,
}

/// A request to forget something, in the user's words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForgetWish {
    pub turn: TurnId,
    pub said: String,
    /// The known memories that are meant, where a model names them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<MemoryId>,
}

impl Draft {
    /// Takes in what was made of a later part of the same session, whose digest the first part has.
    pub fn add_part(&mut self, part: Draft) {
        self.candidates.extend(part.candidates);
        self.entities.extend(part.entities);
        self.relations.extend(part.relations);
        self.wishes.extend(part.wishes);
        self.unsupported += part.unsupported;
        if self.episode.is_none() {
            self.episode = part.episode;
        }
    }

    /// Takes out what a candidate says of the graph and among the digest's lists, for a candidate that does not hold any more.
    pub fn leave_out(&mut self, candidate: &Candidate) {
        if let Some(episode) = &mut self.episode {
            episode.decisions.retain(|item| *item != candidate.content);
            episode.action_items.retain(|item| *item != candidate.content);
        }
        self.relations.retain(|relation| {
            (Some(&relation.subject), Some(&relation.predicate), Some(&relation.object))
                != (candidate.subject.as_ref(), candidate.predicate.as_ref(), candidate.object.as_ref())
        });
    }
}

impl Candidate {
    /// The words by which it is held against what is known.
    pub fn meant(&self) -> &str {
        if self.put_right { &self.content } else { &self.evidence }
    }
}

fn is_nothing(chance: &f32) -> bool {
    *chance <= 0.0
}
