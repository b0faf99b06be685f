//! One candidate memory of a model's answer: what it says, whom it quotes, and what the model thinks should become of it.

use serde_json::Value;

use super::answer::{self, AnswerContext, USER, field, line, lines, share, validity};
use super::evidence::{Evidence, surrounding};
use crate::learn::draft::{Advice, Candidate, RelationDraft};
use crate::learn::heuristic;
use crate::limits;
use crate::text::{clip, emotion, json};
use crate::types::StatementDurability;
use crate::types::{Emotion, Kind, Memory, Turn, TurnId, Verdict};

/// Why an item gave no candidate.
pub(super) struct UnusableItem {
    /// Because nobody said it, and not because it could not be read.
    pub unsupported: bool,
}

/// How sure a statement is that says so in a way nobody can read, and one that does not say: it quotes the user.
const UNREADABLE_CONFIDENCE: f32 = 0.7;
const QUOTED_CONFIDENCE: f32 = 0.9;
/// How salient it is where neither a model nor the judge of speech says.
pub const USUAL_SALIENCE: f32 = 0.5;

impl AnswerContext<'_> {
    pub(super) fn candidate(
        &self,
        item: &Value,
        is_rule: bool,
        evidence: &Evidence<'_>,
    ) -> Result<Candidate, UnusableItem> {
        let unreadable = UnusableItem { unsupported: false };
        let advice = self.advice(item);
        let same = advice.same_as.as_ref().and_then(|id| self.known.iter().find(|known| known.id == *id));
        if !field(item, &["from"]).is_null() {
            return Err(unreadable);
        }
        let text = if item.is_string() { item } else { field(item, &["text", "content", "rule"]) };
        let content = line(text, limits::ANSWER_CONTENT_CHARACTERS);
        // What says the same as a known memory needs no words of its own.
        let content = content.or_else(|| same.map(|known| known.content.clone()));
        let Some(content) = content else { return Err(unreadable) };
        let Some(kind) = kind(item, is_rule, same) else { return Err(unreadable) };
        let quote = json::text(field(item, &["quote", "evidence", "evidence_quote"])).unwrap_or_default();
        let handle = answer::place(field(item, &["turn"])).filter(|at| *at < self.speech.len());
        let Some(turn) = evidence.of_quote(&quote, handle) else {
            return Err(UnusableItem { unsupported: true });
        };
        let part = |name: &str| line(field(item, &[name]), limits::ANSWER_NAME_CHARACTERS);
        let subject = answer::name(field(item, &["subject"])).or_else(|| subject_of(&content));
        let predicate = answer::predicate(field(item, &["predicate"]));
        let slot = predicate.as_deref().and_then(heuristic::slot_of);
        let of_user = subject.as_deref() == Some(USER);
        let key = slot.clone().filter(|_| of_user);
        let category =
            key.as_deref().and_then(|key| key.split(':').next()).unwrap_or(kind.as_str()).to_owned();
        let (valid_from, valid_until) = validity(item, turn.at);
        let layer = json::text(field(item, &["layer"])).and_then(|word| word.parse().ok());
        Ok(Candidate {
            matter: None,
            changes: !advice.replaces.is_empty(),
            changing: 0.0,
            core: None,
            dated: None,
            sensitive: false,
            put_right: false,
            layer: layer.unwrap_or(kind.usual_layer()),
            kind,
            key,
            category,
            object: part("object"),
            single_valued: slot.is_some(),
            subject,
            predicate,
            confidence: confidence(field(item, &["confidence"])),
            salience: share(field(item, &["salience", "importance"])).unwrap_or(USUAL_SALIENCE),
            tags: lines(
                field(item, &["tags"]),
                limits::ANSWER_LIST_ITEMS,
                limits::ANSWER_NAME_CHARACTERS / 2,
            ),
            emotion: emotion(field(item, &["emotion"])).or_else(|| emotion::of_text(&quote)),
            valid_from: Some(valid_from),
            valid_until,
            durability: durability(item, turn, &quote),
            sources: vec![turn.id.clone()],
            evidence: said(turn, &quote),
            made_by: self.model.to_owned(),
            advice: Some(advice),
            content,
        })
    }

    /// What still holds of a known memory that goes. Of one that is to be forgotten the old words are not kept.
    pub(super) fn carried(&self, known: &Memory, text: String, turn: &TurnId, forgotten: bool) -> Candidate {
        let evidence = known.evidence.clone().filter(|evidence| !forgotten && !evidence.is_empty());
        let advice = Advice {
            verdict: Some(Verdict::CommitNow),
            reason: "what still holds of what was told before".to_owned(),
            confidence: 1.0,
            carried_from: Some(known.id.clone()),
            coexists: true,
            ..Advice::default()
        };
        Candidate {
            matter: known.category.clone(),
            changes: false,
            changing: 0.0,
            core: known.heard_core(),
            dated: None,
            sensitive: known.sensitive,
            put_right: false,
            layer: known.layer,
            kind: known.kind,
            key: None,
            category: known.kind.as_str().to_owned(),
            subject: subject_of(&text),
            predicate: None,
            object: None,
            single_valued: false,
            confidence: known.confidence,
            salience: known.salience,
            tags: known.tags.clone(),
            emotion: None,
            valid_from: known.valid_from,
            valid_until: known.valid_until,
            durability: StatementDurability::Lasting,
            sources: vec![turn.clone()],
            evidence: evidence.unwrap_or_else(|| text.clone()),
            made_by: self.model.to_owned(),
            advice: Some(advice),
            content: text,
        }
    }

    fn advice(&self, item: &Value) -> Advice {
        // What a model lists it wants kept, unless it says otherwise.
        let verdict = match json::text(field(item, &["policy", "verdict"])) {
            _ if json::flag(field(item, &["passing"])) == Some(true) => Some(Verdict::RequireRepetition),
            Some(word) => verdict(&word),
            None => Some(Verdict::CommitNow),
        };
        let weight = field(item, &["policy_confidence"]);
        Advice {
            verdict,
            reason: line(field(item, &["policy_reason", "reason"]), limits::ANSWER_ITEM_CHARACTERS)
                .unwrap_or_default(),
            confidence: if weight.is_null() { 1.0 } else { share(weight).unwrap_or(0.0) },
            same_as: self.known_ids(field(item, &["same_as"])).into_iter().next(),
            replaces: self.known_ids(field(item, &["replaces", "supersedes"])),
            coexists: !self.known_ids(field(item, &["beside", "coexists"])).is_empty(),
            carried_from: None,
        }
    }
}

impl Candidate {
    /// Says a relation as a triple, with the slot that it has where the user is its subject.
    pub(super) fn take_triple(&mut self, relation: &RelationDraft) {
        let slot = heuristic::slot_of(&relation.predicate);
        self.single_valued = slot.is_some();
        self.key = slot.filter(|_| relation.subject == USER);
        if let Some(category) = self.key.as_deref().and_then(|key| key.split(':').next()) {
            self.category = category.to_owned();
        }
        self.subject = Some(relation.subject.clone());
        self.predicate = Some(relation.predicate.clone());
        self.object = Some(relation.object.clone());
    }
}

fn confidence(value: &Value) -> f32 {
    match value {
        Value::Null => QUOTED_CONFIDENCE,
        value => share(value).unwrap_or(UNREADABLE_CONFIDENCE),
    }
}

/// A sentence that begins with the user is about the user; whom another is about its words must say.
fn subject_of(content: &str) -> Option<String> {
    let rest = content.strip_prefix(USER)?;
    let possessive = rest.starts_with(['\'', '’']);
    (!possessive && !rest.starts_with(char::is_alphanumeric)).then(|| USER.to_owned())
}

/// Nothing said is a fact; a word that is none of ours is nobody's.
fn kind(item: &Value, is_rule: bool, same: Option<&Memory>) -> Option<Kind> {
    if is_rule {
        return Some(Kind::Rule);
    }
    match json::text(field(item, &["kind", "category", "type"])) {
        Some(word) => word.replace(['-', ' '], "_").parse().ok(),
        None => Some(same.map_or(Kind::Fact, |known| known.kind)),
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
fn durability(item: &Value, turn: &Turn, quote: &str) -> StatementDurability {
    if let Some(said) = heuristic::durability(surrounding(&turn.text, quote)) {
        return said;
    }
    match json::text(field(item, &["durability"])).unwrap_or_default().to_lowercase().as_str() {
        "session" | "turn" => StatementDurability::Session,
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
