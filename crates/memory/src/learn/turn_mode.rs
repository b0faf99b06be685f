//! What an agent wants to keep of what is said, and turn mode, in which each turn is stored at once.
//!
//! ```text
//! draft → categories → importance (salience and what the agent's character adds) → threshold → the best of each turn
//! ```
//!
//! The same sieve stands behind the heuristic distiller and behind a model, in turn mode for everybody and in every other mode for an agent
//! that has a character or thresholds of its own. What goes on is judged, compared and committed as ever; in turn mode waiting for
//! the session's end falls away. An agent whose file switches learning off keeps nothing in any mode.

use std::collections::HashMap;

use super::commit::PassTally;
use super::decide::Judgement;
use super::draft::{Candidate, Draft};
use super::heuristic;
use super::session_pass::Learner;
use super::verify::{ComparedMemory, Relationship, same_values};
use crate::error::StoreResult;
use crate::outdated::words;
use crate::personality::{Category, Tuning};
use crate::settings::{ExtractionMode, Settings};
use crate::text::{Analyser, emotion, fold};
use crate::toolkit::Toolkit;
use crate::types::StatementDurability;
use crate::types::{AgentId, Batch, Change, Expect, Kind, Record, Turn, TurnId, Verdict};

/// Whether every turn is learned from by itself.
pub fn in_turn_mode(settings: &Settings) -> bool {
    settings.extraction_mode == ExtractionMode::Turn
}

impl Learner {
    /// The learner as the agent's character has it, and the character.
    pub(super) async fn tuned(&self, agent: &AgentId) -> StoreResult<(Self, Tuning)> {
        let tuning = Tuning::of(&*self.tools.store, agent, &self.tools.settings).await?;
        let mut settings = self.tools.settings.clone();
        // The setting is the base; what the character adds to the usual threshold moves it.
        let base = settings.verification_semantic_dedup_threshold;
        let shift = tuning.dedup_threshold - Tuning::neutral(&settings).dedup_threshold;
        settings.verification_semantic_dedup_threshold = (base + shift).clamp(0.0, 1.0);
        let tools = Toolkit { settings, ..self.tools.clone() };
        Ok((Self { tools }, tuning))
    }
}

/// Whether the facts of a turn are weighed: in turn mode, and wherever an agent is not like any other.
fn is_sifted(tuning: &Tuning, settings: &Settings) -> bool {
    in_turn_mode(settings) || *tuning != Tuning::neutral(settings)
}

/// Leaves in a draft what the agent wants to keep of it. `said` are the turns that the draft is about.
pub fn sift(draft: &mut Draft, said: &[Turn], tuning: &Tuning, settings: &Settings, tally: &mut PassTally) {
    if !tuning.enabled {
        tally.dropped += draft.candidates.len() as u64;
        draft.candidates.clear();
        draft.entities.clear();
        draft.relations.clear();
        return;
    }
    if !is_sifted(tuning, settings) {
        return;
    }
    if tuning.emotional_context {
        add_feelings(draft, said);
    }
    let weighed: Vec<Candidate> = std::mem::take(&mut draft.candidates)
        .into_iter()
        .filter_map(|one| weigh(one, tuning, tally))
        .collect();
    draft.candidates = best_of_each_turn(weighed, tuning, tally);
}

/// Statements of feeling that no rule for what happened has read already.
fn add_feelings(draft: &mut Draft, said: &[Turn]) {
    for feeling in heuristic::feelings::find(said) {
        let known = draft.candidates.iter().any(|candidate| {
            Category::of(candidate) == Category::EmotionalContext && candidate.evidence == feeling.evidence
        });
        if !known {
            draft.candidates.push(feeling);
        }
    }
}

/// Gives a candidate its category and importance; none where the agent does not keep its sort, or it weighs too little.
fn weigh(mut candidate: Candidate, tuning: &Tuning, tally: &mut PassTally) -> Option<Candidate> {
    let category = Category::of(&candidate);
    let importance = tuning.importance(category, candidate.salience);
    let feels = category == Category::EmotionalContext;
    if feels && !tuning.emotional_context {
        tally.dropped += 1;
        return None;
    }
    if importance < tuning.importance_threshold {
        tally.dropped += 1;
        tally.below_threshold += 1;
        return None;
    }
    candidate.category = category.name().to_owned();
    candidate.salience = importance as f32;
    if !candidate.tags.iter().any(|tag| tag == category.name()) {
        candidate.tags.push(category.name().to_owned());
    }
    candidate.emotion = match candidate.emotion {
        // A feeling without its feeling would be nothing.
        found if tuning.sentiment || feels => found.or_else(|| emotion::of_text(&candidate.evidence)),
        _ => None,
    };
    Some(candidate)
}

impl Category {
    /// By what whoever made it called it, else by its kind.
    pub(super) fn of(candidate: &Candidate) -> Self {
        let named =
            |name: &str| Self::ALL.iter().find(|(_, own)| *own == name).map(|(category, _)| *category);
        let feels = candidate.predicate.as_deref().is_some_and(|predicate| predicate.starts_with("FEELS"));
        if let Some(category) = named(&candidate.category) {
            return category;
        }
        if candidate.tags.iter().any(|tag| tag == "correction") {
            return Self::Correction;
        }
        match candidate.kind {
            Kind::Event if feels => Self::EmotionalContext,
            Kind::Event => Self::Episodic,
            Kind::Preference | Kind::Rule => Self::UserPreference,
            Kind::Goal => Self::Goal,
            Kind::Commitment => Self::ActionItem,
            Kind::Correction => Self::Correction,
            Kind::Fact | Kind::Decision | Kind::Relationship | Kind::Skill => Self::Knowledge,
        }
    }
}

/// The most important facts of each turn, as many as the agent takes; of equals, those said first.
fn best_of_each_turn(candidates: Vec<Candidate>, tuning: &Tuning, tally: &mut PassTally) -> Vec<Candidate> {
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    order.sort_by(|a, b| candidates[*b].salience.total_cmp(&candidates[*a].salience).then(a.cmp(b)));
    let mut taken: HashMap<Option<TurnId>, usize> = HashMap::new();
    let mut kept = vec![false; candidates.len()];
    for place in order {
        // What was said for the moment is dropped behind this, and takes nobody's place.
        if candidates[place].durability == StatementDurability::Turn {
            kept[place] = true;
            continue;
        }
        let seats = taken.entry(candidates[place].sources.first().cloned()).or_default();
        if *seats < tuning.facts_per_turn {
            *seats += 1;
            kept[place] = true;
        } else {
            tally.dropped += 1;
            tally.over_turn_limit += 1;
        }
    }
    candidates.into_iter().zip(kept).filter_map(|(candidate, kept)| kept.then_some(candidate)).collect()
}

/// In turn mode nothing waits for its session's end but a wish about answers, which would be in every prompt from then on.
pub fn at_once(judgement: Judgement, candidate: &Candidate, settings: &Settings) -> Judgement {
    let waits = judgement.verdict == Verdict::CommitAtSessionEnd && candidate.kind != Kind::Rule;
    if !in_turn_mode(settings) || !waits {
        return judgement;
    }
    Judgement { verdict: Verdict::CommitNow, reason: "important enough to be kept with its turn".into() }
}

/// In turn mode a statement that adds no word to a known one of the same sort, and means the same, is known. Elsewhere
/// everything that names another object stands by itself.
pub fn unless_contained(
    found: (Relationship, String),
    candidate: &Candidate,
    standing: &ComparedMemory<'_>,
    settings: &Settings,
    analyser: &Analyser,
) -> (Relationship, String) {
    let memory = standing.memory;
    let Some(cosine) = standing.cosine.filter(|_| in_turn_mode(settings)) else { return found };
    let same = |left: &Option<String>, right: &Option<String>| {
        left.as_deref().map(fold) == right.as_deref().map(fold)
    };
    let near = found.0 == Relationship::Unrelated
        && cosine >= settings.verification_semantic_dedup_threshold
        && candidate.kind == memory.kind
        && same(&candidate.subject, &memory.subject)
        && same(&candidate.predicate, &memory.predicate)
        && same_values(&candidate.content, &memory.content);
    if near && words(&candidate.content, analyser).is_subset(&words(&memory.content, analyser)) {
        let reason = format!("says nothing that is not known (cosine {cosine:.2})");
        return (Relationship::Duplicate, reason);
    }
    found
}

/// Writes down how important the facts of a turn are, where whoever reads them looks.
pub fn note_importance(batch: &mut Batch, tuning: &Tuning, settings: &Settings) {
    if !is_sifted(tuning, settings) {
        return;
    }
    for change in &mut batch.changes {
        if let Change::Put { record: Record::Memory(memory), expect: Expect::Absent } = change {
            let importance = (f64::from(memory.salience) * 1e4).round() / 1e4;
            memory.metadata.insert("importance".into(), importance.into());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Layer;

    #[test]
    fn kinds_have_categories() {
        let candidate = |kind: Kind| Candidate {
            content: "User did something".into(),
            kind,
            layer: Layer::Semantic,
            key: None,
            category: "test".into(),
            subject: None,
            predicate: None,
            object: None,
            evidence: "I did".into(),
            sources: Vec::new(),
            confidence: 0.8,
            salience: 0.5,
            tags: Vec::new(),
            emotion: None,
            valid_from: None,
            valid_until: None,
            durability: StatementDurability::Lasting,
            single_valued: false,
            made_by: "test".into(),
            advice: None,
            matter: None,
            changes: false,
            changing: 0.0,
            core: None,
            dated: None,
            sensitive: false,
            put_right: false,
        };
        for (kind, category) in [
            (Kind::Preference, Category::UserPreference),
            (Kind::Event, Category::Episodic),
            (Kind::Goal, Category::Goal),
            (Kind::Fact, Category::Knowledge),
            (Kind::Correction, Category::Correction),
            (Kind::Commitment, Category::ActionItem),
        ] {
            assert_eq!(Category::of(&candidate(kind)), category, "{kind}");
        }
        let feels = Candidate { predicate: Some("FEELS_SAD".into()), ..candidate(Kind::Event) };
        assert_eq!(Category::of(&feels), Category::EmotionalContext);
        let named = Candidate { category: "goal".into(), ..candidate(Kind::Fact) };
        assert_eq!(Category::of(&named), Category::Goal);
        let corrects = Candidate { tags: vec!["correction".into()], ..candidate(Kind::Fact) };
        assert_eq!(Category::of(&corrects), Category::Correction);
    }
}
