//! What an agent's character does to learning and recall: six traits, and the numbers that follow from them.
//!
//! The traits are those of HEXACO, each from 0 to 1 and .5 where nothing is said. They stand in the agent's own file in
//! several spellings, all of which are read. Everything derived is computed once, in [`Tuning`], so that whoever reads a
//! number reads it from there and none is computed for nobody. A neutral character changes nothing.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::settings::Settings;
use crate::text::json;
use crate::types::AgentId;

/// A character, each trait from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Traits {
    pub openness: f64,
    pub conscientiousness: f64,
    pub extraversion: f64,
    pub agreeableness: f64,
    pub emotionality: f64,
    pub honesty: f64,
}

/// Above this a trait is marked, and below [`WEAK`] its opposite is.
const STRONG: f64 = 0.6;
const WEAK: f64 = 0.4;

/// What a trait is when nobody says.
const NEUTRAL: f64 = 0.5;

impl Default for Traits {
    fn default() -> Self {
        Self {
            openness: NEUTRAL,
            conscientiousness: NEUTRAL,
            extraversion: NEUTRAL,
            agreeableness: NEUTRAL,
            emotionality: NEUTRAL,
            honesty: NEUTRAL,
        }
    }
}

impl Traits {
    /// The traits by name, and the other names under which files give them.
    pub const NAMES: [(&'static str, &'static [&'static str]); 6] = [
        ("openness", &["opennesstoexperience", "o"]),
        ("conscientiousness", &["c"]),
        ("extraversion", &["extroversion", "x"]),
        ("agreeableness", &["a"]),
        ("emotionality", &["emotional", "e"]),
        ("honesty", &["honestyhumility", "h"]),
    ];

    /// Reads a personality as an agent's file gives it: plain keys, or those of a `hexaco` or `traits` object in it.
    pub fn read(personality: &Map<String, Value>) -> Self {
        let mut traits = Self::default();
        traits.take(personality);
        for (name, inner) in personality {
            if let Some(inner) = inner.as_object().filter(|_| is_folder(name)) {
                traits.take(inner);
            }
        }
        traits
    }

    fn take(&mut self, given: &Map<String, Value>) {
        for (name, value) in given {
            if let (Some(name), Some(number)) = (Self::named(name), json::number(value)) {
                *self.by_name(name) = number.clamp(0.0, 1.0);
            }
        }
    }

    /// The name of a trait in any of its spellings.
    pub fn named(name: &str) -> Option<&'static str> {
        let plain = plain(name);
        let known = |(own, others): &&(&'static str, &'static [&'static str])| {
            *own == plain || others.contains(&plain.as_str())
        };
        Self::NAMES.iter().find(known).map(|(own, _)| *own)
    }

    fn by_name(&mut self, name: &str) -> &mut f64 {
        match name {
            "openness" => &mut self.openness,
            "conscientiousness" => &mut self.conscientiousness,
            "extraversion" => &mut self.extraversion,
            "agreeableness" => &mut self.agreeableness,
            "emotionality" => &mut self.emotionality,
            _ => &mut self.honesty,
        }
    }

    /// Each with its name, for people.
    pub fn listed(&self) -> [(&'static str, f64); 6] {
        Self::NAMES.map(|(name, _)| (name, *self.clone().by_name(name)))
    }
}

/// Whether a key of a personality holds the traits in an object of its own.
pub fn is_folder(name: &str) -> bool {
    ["hexaco", "traits"].contains(&plain(name).as_str())
}

/// `Honesty-Humility`, `honesty_humility` and `honestyHumility` are one word.
fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// What an agent's file says about learning by itself; settings speak where it does not.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AutoIngest {
    pub enabled: bool,
    pub importance_threshold: f64,
    pub max_per_turn: usize,
}

/// Facts of one turn that an agent's file may ask for. More is a transcript, which is kept anyway.
pub const FACTS_PER_TURN_MAXIMUM: usize = 100;

impl AutoIngest {
    /// The key in an agent's personality under which the block stands.
    pub const KEY: &'static str = "autoIngest";

    pub fn usual(settings: &Settings) -> Self {
        Self {
            enabled: true,
            importance_threshold: settings.importance_threshold,
            max_per_turn: usize::try_from(settings.max_facts_per_turn).unwrap_or(1),
        }
    }

    pub fn read(personality: &Map<String, Value>, settings: &Settings) -> Self {
        let mut block = Self::usual(settings);
        let Some(given) = personality.get(Self::KEY).and_then(Value::as_object) else { return block };
        if let Some(enabled) = given.get("enabled").and_then(json::flag) {
            block.enabled = enabled;
        }
        if let Some(threshold) = given.get("importanceThreshold").and_then(json::number) {
            block.importance_threshold = threshold.clamp(0.0, 1.0);
        }
        if let Some(most) = given.get("maxPerTurn").and_then(json::number) {
            block.max_per_turn = most.round().clamp(0.0, FACTS_PER_TURN_MAXIMUM as f64) as usize;
        }
        block
    }
}

/// The key in an agent's personality under which stands what of a user the agent is introduced to.
pub const PORTRAIT_CATEGORIES: &str = "portraitCategories";

/// The only categories of the portrait that this agent's conversations begin with, where its record names any.
pub fn portrait_categories(personality: &Map<String, Value>) -> Option<Vec<String>> {
    let named = personality.get(PORTRAIT_CATEGORIES)?.as_array()?;
    Some(named.iter().filter_map(|category| category.as_str().map(str::to_owned)).collect())
}

/// What a fact of one turn is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    UserPreference,
    Episodic,
    Goal,
    Knowledge,
    Correction,
    ActionItem,
    EmotionalContext,
}

impl Category {
    pub const ALL: [(Category, &'static str); 7] = [
        (Category::UserPreference, "user_preference"),
        (Category::Episodic, "episodic"),
        (Category::Goal, "goal"),
        (Category::Knowledge, "knowledge"),
        (Category::Correction, "correction"),
        (Category::ActionItem, "action_item"),
        (Category::EmotionalContext, "emotional_context"),
    ];

    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(category, _)| *category == self).map_or("knowledge", |(_, name)| name)
    }
}

/// Everything that follows from a character.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Tuning {
    pub traits: Traits,
    /// Whether anything is learned from this agent's conversations by itself.
    pub enabled: bool,
    /// Facts of a turn that are less important are not kept.
    pub importance_threshold: f64,
    pub facts_per_turn: usize,
    /// How close in meaning two statements must be to be the same.
    pub dedup_threshold: f64,
    /// Results that a search which does not say gives beyond the usual, and lines that memories are sure of in a context.
    pub extra_results: usize,
    /// Whether statements of feeling are facts.
    pub emotional_context: bool,
    /// Whether a memory keeps how it felt.
    pub sentiment: bool,
    /// What the thresholds of the observer, the reflector and of upkeep are multiplied with.
    pub compaction_factor: f64,
}

/// How close in meaning two statements must be: usually, for a conscientious agent, for an honest one.
const DEDUP: f64 = 0.85;
const DEDUP_TIGHT: f64 = 0.92;
const DEDUP_LOOSE: f64 = 0.75;

/// The bounds between which openness moves the importance threshold, and how far a whole trait moves it.
const THRESHOLD_LOWEST: f64 = 0.2;
const THRESHOLD_HIGHEST: f64 = 0.7;
const THRESHOLD_SLOPE: f64 = 0.4;

/// Facts a turn that openness does not go beyond.
const FACTS_OPEN: usize = 5;

const EXTRA_RESULTS: usize = 2;
const SOONER: f64 = 0.75;

impl Tuning {
    pub fn new(traits: Traits, block: AutoIngest) -> Self {
        let Traits { openness, conscientiousness, agreeableness, emotionality, honesty, .. } = traits;
        let (threshold, facts) = opened(openness, block);
        let mut dedup = DEDUP;
        if conscientiousness > STRONG {
            dedup += DEDUP_TIGHT - DEDUP;
        }
        if honesty > STRONG {
            dedup += DEDUP_LOOSE - DEDUP;
        }
        Self {
            traits,
            enabled: block.enabled,
            importance_threshold: threshold,
            facts_per_turn: facts,
            dedup_threshold: dedup,
            extra_results: if agreeableness > STRONG { EXTRA_RESULTS } else { 0 },
            emotional_context: openness > STRONG || emotionality > STRONG,
            sentiment: emotionality > STRONG,
            compaction_factor: if conscientiousness > STRONG { SOONER } else { 1.0 },
        }
    }

    /// An agent about whom nothing is known.
    pub fn neutral(settings: &Settings) -> Self {
        Self::new(Traits::default(), AutoIngest::usual(settings))
    }

    pub fn read(personality: &Map<String, Value>, settings: &Settings) -> Self {
        Self::new(Traits::read(personality), AutoIngest::read(personality, settings))
    }

    /// The tuning of an agent as the store knows it.
    pub async fn of(
        store: &(impl crate::ports::ReadStore + ?Sized),
        agent: &AgentId,
        settings: &Settings,
    ) -> crate::error::StoreResult<Self> {
        let known = store.agent(agent).await?;
        Ok(known.map_or_else(|| Self::neutral(settings), |known| Self::read(&known.personality, settings)))
    }

    /// What a category's importance gains.
    pub fn boost(&self, category: Category) -> f64 {
        let when = |strong: f64, gain: f64| if strong > STRONG { gain } else { 0.0 };
        let traits = &self.traits;
        match category {
            Category::ActionItem => when(traits.conscientiousness, 0.15),
            Category::Goal => when(traits.conscientiousness, 0.1),
            Category::UserPreference => when(traits.agreeableness, 0.15),
            Category::EmotionalContext | Category::Episodic => when(traits.emotionality, 0.1),
            Category::Correction => when(traits.honesty, 0.2),
            Category::Knowledge => 0.0,
        }
    }

    /// How important a fact is to this agent: never more than 1.
    pub fn importance(&self, category: Category, salience: f32) -> f64 {
        // Rounded, because the nearest binary to .4 must not fall below a threshold of .4.
        let boosted = (f64::from(salience) + self.boost(category)).clamp(0.0, 1.0);
        (boosted * 1e4).round() / 1e4
    }

    /// A token threshold as this agent has it.
    pub fn sooner(&self, tokens: i64) -> u64 {
        (tokens.max(1) as f64 * self.compaction_factor).round().max(1.0) as u64
    }
}

/// What openness makes of the threshold and of the number of facts.
fn opened(openness: f64, block: AutoIngest) -> (f64, usize) {
    let (base, facts) = (block.importance_threshold, block.max_per_turn);
    let moved = (base - (openness - NEUTRAL) * THRESHOLD_SLOPE).max(0.0);
    let moved = (moved * 1e4).round() / 1e4;
    if openness > STRONG {
        // A file that asks for a lower threshold or for more facts than openness gives is not overruled.
        (
            moved.max(THRESHOLD_LOWEST.min(base)),
            if facts == 0 { 0 } else { (facts + 1).min(FACTS_OPEN.max(facts)) },
        )
    } else if openness < WEAK {
        (moved.min(THRESHOLD_HIGHEST.max(base)), facts.saturating_sub(1).max(facts.min(1)))
    } else {
        (base, facts)
    }
}

#[cfg(test)]
mod tests;
