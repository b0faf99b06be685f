//! One candidate memory of a model's answer: what it says, whom it quotes, and what the model thinks should become of it.

use serde_json::Value;

use super::answer::{self, AnswerContext, USER, field, line, lines, share, validity};
use super::evidence::{Evidence, surrounding};
use crate::learn::draft::{Advice, Candidate};
use crate::learn::heuristic;
use crate::limits;
use crate::text::{clip, emotion, json};
use crate::types::StatementDurability;
use crate::types::{Emotion, Kind, MemoryId, Turn, Verdict};

/// Why an item gave no candidate.
pub(super) struct UnusableItem {
    /// Because nobody said it, and not because it could not be read.
    pub unsupported: bool,
}

/// How sure a statement is that does not say.
const USUAL_CONFIDENCE: f32 = 0.7;
/// And how salient.
const USUAL_SALIENCE: f32 = 0.5;

impl AnswerContext<'_> {
    pub(super) fn candidate(
        &self,
        item: &Value,
        is_rule: bool,
        evidence: &Evidence<'_>,
    ) -> Result<Candidate, UnusableItem> {
        let unreadable = UnusableItem { unsupported: false };
        let text = if item.is_string() { item } else { field(item, &["content", "rule", "text"]) };
        let Some(content) = line(text, limits::ANSWER_CONTENT_CHARACTERS) else { return Err(unreadable) };
        let Some(kind) = kind(item, is_rule) else { return Err(unreadable) };
        let quote = json::text(field(item, &["quote", "evidence", "evidence_quote"])).unwrap_or_default();
        let handle = answer::place(field(item, &["turn"])).filter(|at| *at < self.speech.len());
        let Some(turn) = evidence.of_quote(&quote, handle) else {
            return Err(UnusableItem { unsupported: true });
        };
        let part = |name: &str| line(field(item, &[name]), limits::ANSWER_NAME_CHARACTERS);
        let subject = answer::name(field(item, &["subject"]));
        let predicate = answer::predicate(field(item, &["predicate"]));
        let slot = predicate.as_deref().and_then(heuristic::slot_of);
        let of_user = subject.as_deref() == Some(USER);
        let key = slot.clone().filter(|_| of_user);
        let category =
            key.as_deref().and_then(|key| key.split(':').next()).unwrap_or(kind.as_str()).to_owned();
        let (valid_from, valid_until) = validity(item);
        let layer = json::text(field(item, &["layer"])).and_then(|word| word.parse().ok());
        Ok(Candidate {
            matter: None,
            changes: false,
            layer: layer.unwrap_or(kind.usual_layer()),
            kind,
            key,
            category,
            object: part("object"),
            single_valued: slot.is_some(),
            subject,
            predicate,
            confidence: share(field(item, &["confidence"])).unwrap_or(USUAL_CONFIDENCE),
            salience: share(field(item, &["salience", "importance"])).unwrap_or(USUAL_SALIENCE),
            tags: lines(
                field(item, &["tags"]),
                limits::ANSWER_LIST_ITEMS,
                limits::ANSWER_NAME_CHARACTERS / 2,
            ),
            emotion: emotion(field(item, &["emotion"])).or_else(|| emotion::of_text(&quote)),
            valid_from,
            valid_until,
            durability: durability(item, kind, turn, &quote),
            sources: vec![turn.id.clone()],
            evidence: said(turn, &quote),
            made_by: self.model.to_owned(),
            advice: Some(self.advice(item)),
            content,
        })
    }

    fn advice(&self, item: &Value) -> Advice {
        let known = |value: &Value| -> Option<MemoryId> {
            // A handle has a letter, so that a bare number cannot be one by accident.
            let named = json::text(value).filter(|text| text.contains(['m', 'M']))?;
            let place = answer::place(&Value::String(named))?;
            self.known.get(place).filter(|_| place < limits::DISTIL_KNOWN).map(|memory| memory.id.clone())
        };
        let many = |names: &[&str]| -> Vec<MemoryId> {
            let mut ids: Vec<MemoryId> =
                json::list(field(item, names)).into_iter().filter_map(known).collect();
            ids.sort();
            ids.dedup();
            ids
        };
        let verdict = json::text(field(item, &["policy", "verdict"])).and_then(|word| verdict(&word));
        Advice {
            verdict,
            reason: line(field(item, &["policy_reason", "reason"]), limits::ANSWER_ITEM_CHARACTERS)
                .unwrap_or_default(),
            confidence: share(field(item, &["policy_confidence"])).unwrap_or(0.0),
            same_as: known(field(item, &["same_as"])),
            replaces: many(&["replaces", "supersedes"]),
            coexists: !many(&["beside", "coexists"]).is_empty(),
        }
    }
}

/// Nothing said is a fact; a word that is none of ours is nobody's.
fn kind(item: &Value, is_rule: bool) -> Option<Kind> {
    if is_rule {
        return Some(Kind::Rule);
    }
    match json::text(field(item, &["kind", "category", "type"])) {
        Some(word) => word.replace(['-', ' '], "_").parse().ok(),
        None => Some(Kind::Fact),
    }
}

fn verdict(word: &str) -> Option<Verdict> {
    let word = word.trim().to_lowercase().replace(['-', ' '], "_");
    match word.as_str() {
        "commit" | "now" => Some(Verdict::CommitNow),
        "hold" | "session_end" => Some(Verdict::CommitAtSessionEnd),
        "repetition" | "repeat" => Some(Verdict::RequireRepetition),
        other => other.parse().ok(),
    }
}

/// The user's own words decide where they say how long it holds; a model's "explicit" without such words is only lasting,
/// and its "for the moment" only of the session.
fn durability(item: &Value, kind: Kind, turn: &Turn, quote: &str) -> StatementDurability {
    if let Some(said) = heuristic::durability(surrounding(&turn.text, quote)) {
        return said;
    }
    match json::text(field(item, &["durability"])).unwrap_or_default().to_lowercase().as_str() {
        "session" | "turn" => StatementDurability::Session,
        "" if kind == Kind::Event => StatementDurability::Session,
        _ => StatementDurability::Lasting,
    }
}

fn emotion(value: &Value) -> Option<Emotion> {
    let valence = json::number(value.get("valence")?)?.clamp(-1.0, 1.0) as f32;
    let arousal = value.get("arousal").and_then(json::number).unwrap_or(0.0).clamp(0.0, 1.0) as f32;
    Some(Emotion { valence, arousal })
}

/// The words as the user wrote them, where the model's copy is not exact.
fn said(turn: &Turn, quote: &str) -> String {
    let words = if turn.text.contains(quote) { quote } else { surrounding(&turn.text, quote) };
    clip(words.trim(), limits::ANSWER_QUOTE_CHARACTERS)
}
