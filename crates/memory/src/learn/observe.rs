//! The observer and the reflector: what becomes of a conversation that never pauses.
//!
//! ```text
//! many tokens wait → the ordinary pass, and notes: dated sentences, each with the turn it was said in
//! many tokens of notes → reflect: folded into lasting memories by the ordinary steps, the notes archived
//! ```
//!
//! A note is an episodic memory that searches find like any other and that nothing else rests on: what a pass learns is
//! never compared with one, so that archiving notes takes nothing away. Both steps ask the core model where there is one
//! and do without where there is none or it fails.

mod notes;
mod reflect;

use std::collections::HashSet;

use jiff::tz::TimeZone;
use serde_json::{Map, Value};

use super::commit::BatchBuilder;
use super::control::session_asks_to_forget;
use super::session_pass::{Learner, SessionSnapshot};
use crate::error::StoreResult;
use crate::personality::Tuning;
use crate::text::emotion;
use crate::types::{
    Change, Expect, Kind, Layer, Memory, MemoryId, Node, Origin, ProcessingEntry, ProcessingOutcome,
    SessionKey, Time, TurnId,
};

/// The tag of a note, and the name of the mark in its metadata.
pub const TAG: &str = "observation";

/// Whether a memory is a note of the observer's.
pub fn is_note(memory: &Memory) -> bool {
    memory.metadata.get(TAG).and_then(Value::as_bool).unwrap_or(false)
}

/// How much a note matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Priority {
    Low,
    Medium,
    High,
}

impl Priority {
    fn of(weight: f32) -> Self {
        match weight {
            weight if weight >= 0.7 => Self::High,
            weight if weight >= 0.5 => Self::Medium,
            _ => Self::Low,
        }
    }

    fn named(name: &str) -> Option<Self> {
        match name.trim().to_ascii_lowercase().as_str() {
            "high" => Some(Self::High),
            "medium" => Some(Self::Medium),
            "low" => Some(Self::Low),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Medium => "medium",
            Self::Low => "low",
        }
    }

    fn salience(self) -> f32 {
        match self {
            Self::High => 0.8,
            Self::Medium => 0.6,
            Self::Low => 0.4,
        }
    }
}

/// One thing written down.
#[derive(Debug, Clone, PartialEq)]
struct Observation {
    /// One sentence, without its date.
    says: String,
    quote: String,
    turn: TurnId,
    said_at: Time,
    priority: Priority,
}

impl Learner {
    /// The turns of a session that wait, where they are so many that the observer is to look at them.
    pub(super) async fn unobserved(&self, key: &SessionKey, tuning: &Tuning) -> StoreResult<HashSet<TurnId>> {
        let threshold = tuning.sooner(self.tools.settings.observer_token_threshold);
        if !tuning.enabled || self.tools.store.pending_tokens(key).await? < threshold {
            return Ok(HashSet::new());
        }
        let waiting = self.tools.store.pending_of(key).await?;
        Ok(waiting.into_iter().filter(|turn| !turn.dead).map(|turn| turn.turn).collect())
    }

    /// Makes notes of turns that were just distilled, and folds notes if there are many by now. Says how many were made.
    ///
    /// Behind the pass and not in it, because a model may take its time, and what was learned must not wait for that.
    pub(super) async fn observe(
        &self,
        key: &SessionKey,
        many: &HashSet<TurnId>,
        tuning: &Tuning,
    ) -> StoreResult<u64> {
        if many.is_empty() {
            return Ok(0);
        }
        let SessionSnapshot { session, turns, .. } = self.matter(key).await?;
        if session_asks_to_forget(&turns) {
            return Ok(0);
        }
        let now = self.tools.clock.now();
        let zone = self.tools.settings.zone_of(&key.user);
        let (mut notes, origin) = match self.notes_by_model(&turns, many, now, &zone).await {
            Some(notes) => (notes, Origin::Model),
            None => (notes::by_heuristic(&turns, many, &self.tools.analyser), Origin::Heuristic),
        };
        // What was forgotten while a model thought is not written down.
        let ids: Vec<TurnId> = notes.iter().map(|note| note.turn.clone()).collect();
        let there: HashSet<TurnId> =
            self.tools.store.turns(&ids).await?.into_iter().map(|turn| turn.id).collect();
        notes.retain(|note| there.contains(&note.turn));
        let scope = session.teaches();
        let mut writing =
            BatchBuilder::new(self.tools.tenant.clone(), key, scope, origin, now, &*self.tools.clock);
        for note in &notes {
            self.write_note(&mut writing, note, origin, &zone);
        }
        if origin == Origin::Heuristic {
            let detail = format!("{} turns became {} notes", many.len(), notes.len());
            writing.change(Change::Log { entry: logged("observe", now, detail) });
        }
        self.tools.store.apply(writing.batch).await?;
        self.reflect(&key.owner(), tuning).await?;
        Ok(notes.len() as u64)
    }

    fn write_note(
        &self,
        writing: &mut BatchBuilder<'_>,
        note: &Observation,
        origin: Origin,
        zone: &TimeZone,
    ) {
        let id = MemoryId::from_uuid(writing.clock.uuid());
        let content = format!("{}: {}", note.said_at.date_in(zone), note.says);
        let owner = writing.session.owner();
        let mut memory =
            Memory::new(id.clone(), self.tools.tenant.clone(), &owner, Kind::Event, content, writing.now);
        memory.session = Some(writing.session.session.clone());
        memory.scope = writing.scope;
        memory.layer = Layer::Episodic;
        memory.evidence = Some(note.quote.clone());
        memory.confidence = 0.7;
        memory.salience = note.priority.salience();
        memory.origin = origin;
        memory.emotion = emotion::of_text(&note.quote);
        memory.tags = vec![TAG.to_owned(), format!("priority-{}", note.priority.name())];
        memory.metadata = Map::from_iter([
            (TAG.to_owned(), true.into()),
            ("priority".to_owned(), note.priority.name().into()),
            ("saidAt".to_owned(), note.said_at.to_string().into()),
            ("turn".to_owned(), note.turn.as_str().into()),
            ("source".to_owned(), origin.as_str().into()),
            ("why".to_owned(), "the conversation grew long without a pause".into()),
        ]);
        writing.change(Change::Put { record: memory.into(), expect: Expect::Absent });
        writing.derive(Node::Memory(id), std::slice::from_ref(&note.turn));
    }
}

/// What a step that asked no model says of itself; a model's calls are written down by whoever makes them.
fn logged(task: &str, at: Time, detail: String) -> ProcessingEntry {
    ProcessingEntry {
        at,
        task: task.to_owned(),
        model: None,
        input_tokens: 0,
        output_tokens: 0,
        cost: 0.0,
        duration_ms: 0,
        outcome: ProcessingOutcome::Succeeded,
        detail: Some(detail),
    }
}
