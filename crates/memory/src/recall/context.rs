//! A message's context: gate, retrieve, fuse and assemble in one call.
//!
//! What the proxy puts into a prompt and what `recollect context` shows come from here. The gate is asked first, and a
//! message that needs nothing costs three small reads: the head of the log, the overrides and the rules. The answer is
//! kept for a few seconds ([`ContextCache`]), because clients retry and ask twice; any write makes it old at once.

mod about;
mod answer;
mod cache;
mod corrected;
mod dating;
mod disclosure;
mod follow_up;
mod gather;
mod judged;
mod portrait;
mod private;
mod said;
mod shelf;
mod when;

use std::borrow::Cow;
use std::sync::Arc;

use async_trait::async_trait;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use tracing::Instrument;

pub use self::cache::{ContextCache, Counts};
pub use self::corrected::PromptMemories;
pub use self::disclosure::{Disclosure, NAME, WORK};
use super::assemble::{self, Line};
use super::gate::{self, GateDecision, GateModel, Inputs, KnownNames};
use super::search::{Glance, asked_text};
use super::{Path, Recaller};
use crate::error::{ModelError, StoreResult};
use crate::follower::AsOf;
use crate::limits;
use crate::ports::{ChatModel, Embedder, ReadStore, RequestView};
use crate::settings::{ContextMode, GateMode, Settings};
use crate::text::tokens;
use crate::toolkit::Toolkit;
use crate::trace;
use crate::types::{
    Actor, Batch, Change, Corpus, Filter, MemoryId, PageRequest, TenantId, Time, Validity, Viewer,
};

/// Memories among which a strong match is looked for.
const STRONGEST_OF: usize = 3;

/// Whose context, for which message.
#[derive(Debug, Clone)]
pub struct ContextRequest {
    pub tenant: TenantId,
    pub message: String,
    pub viewer: Viewer,
    /// The first turn of a session is told how the last one ended.
    pub first_turn: bool,
    /// Who the user is stood in the prompt and does no longer.
    pub introduces_anew: bool,
    /// Turns of the viewer's session from this index on are in the prompt already, and are not repeated.
    pub in_view_from: Option<u64>,
    /// What stands in the prompt by earlier blocks.
    pub stands: Arc<PromptMemories>,
    pub disclosure: Disclosure,
    pub now: Time,
    /// The moment is one of the past: what was true then, as far as is known today.
    pub as_of: bool,
    /// What the user said before, where the message is understood by it.
    pub follows: Option<String>,
    /// Where the user is: by that calendar days are read and told. The recaller sets it from the settings, whatever it is given.
    pub zone: TimeZone,
}

impl ContextRequest {
    /// A message in the middle of a session.
    pub fn new(tenant: TenantId, message: impl Into<String>, viewer: Viewer, now: Time) -> Self {
        let message = message.into();
        let disclosure = Disclosure::default();
        Self {
            tenant,
            message,
            viewer,
            first_turn: false,
            introduces_anew: false,
            in_view_from: None,
            stands: Arc::default(),
            disclosure,
            now,
            as_of: false,
            follows: None,
            zone: TimeZone::UTC,
        }
    }

    /// The same, by the calendar of its user.
    fn located(&self, settings: &Settings) -> Self {
        Self { zone: settings.zone_of(&self.viewer.owner.user), ..self.clone() }
    }

    /// The day it is for the user.
    fn today(&self) -> Date {
        self.now.date_in(&self.zone)
    }

    /// Whether who the user is is told.
    fn introduces(&self) -> bool {
        self.first_turn || self.introduces_anew
    }

    /// What is looked for: the message, with what it goes on from.
    fn asked_text(&self) -> Cow<'_, str> {
        match &self.follows {
            Some(before) => Cow::Owned(format!("{before}\n{}", self.message)),
            None => Cow::Borrowed(&self.message),
        }
    }
}

/// What the caller keeps from one request to the next.
#[derive(Clone, Copy, Default)]
pub struct Aids<'a> {
    pub learned: Option<&'a dyn GateModel>,
    pub cache: Option<&'a ContextCache>,
    /// The core model for the gate, which answers within the caller's deadline or with an error.
    pub model: Option<&'a dyn ChatModel>,
}

/// What a message gets.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Context {
    pub gate: GateDecision,
    /// Empty where there is nothing to say.
    pub block: String,
    pub tokens: usize,
    pub lines: Vec<Line>,
    /// Which way the search went; nothing where none was made.
    pub path: Option<Path>,
}

impl Context {
    /// Memory, or only what it says unasked, is off: nothing, not even what otherwise always comes along.
    fn switched_off(what: &str) -> Self {
        let gate = GateDecision {
            fire: false,
            section: gate::Section::None,
            reason: format!("{what} is switched off"),
            score: 0.0,
        };
        Self { gate, block: String::new(), tokens: 0, lines: Vec::new(), path: None }
    }

    /// The memories behind the lines, each once.
    pub fn memory_ids(&self) -> Vec<MemoryId> {
        Self::ids_of(&self.lines, |_| true)
    }

    /// The same of the lines that are told for the message: what is told in any case is no use of it.
    pub fn used_ids(&self) -> Vec<MemoryId> {
        Self::ids_of(&self.lines, |line| !line.standing)
    }

    fn ids_of(lines: &[Line], counts: impl Fn(&Line) -> bool) -> Vec<MemoryId> {
        let counted = lines.iter().filter(|line| counts(line));
        let mut ids: Vec<MemoryId> = counted.flat_map(|line| line.memory_ids.clone()).collect();
        ids.sort();
        ids.dedup();
        ids
    }
}

impl Recaller {
    pub async fn context(&self, request: &ContextRequest, aids: Aids<'_>) -> StoreResult<Arc<Context>> {
        if !self.tools.settings.enabled || !self.tools.settings.recall_enabled {
            let what = if self.tools.settings.enabled { "recall" } else { "memory" };
            return Ok(Arc::new(Context::switched_off(what)));
        }
        let request = &request.located(&self.tools.settings);
        // Read before everything else: what is written meanwhile makes the answer old, never the other way round.
        let view = self.tools.store.view();
        let head = view.head().await?;
        // What was true once is asked for by few, and never twice.
        let aids = if request.as_of { Aids { cache: None, ..aids } } else { aids };
        let kept = aids
            .cache
            .and_then(|cache| cache.get(request, head, &self.tools.settings, aids.learned.is_some()));
        if let Some(context) = kept {
            return Ok(context);
        }
        let context = Arc::new(self.assembled(request, aids, head, view).await?);
        if let Some(cache) = aids.cache {
            cache.put(request, head, &self.tools.settings, aids.learned.is_some(), &context);
        }
        Ok(context)
    }

    /// Counts the memories of a context as used. Apart from [`Recaller::context`], because a preview uses nothing, and
    /// because it writes: who serves a chat calls it behind the answer, where nobody waits and a failure costs a count.
    pub async fn count_use(&self, context: &Context, now: Time) -> StoreResult<()> {
        let memories = context.used_ids();
        if !memories.is_empty() {
            let batch = Batch::new(Actor::Tool, now).with(Change::Touch { memories, at: now });
            self.tools.store.apply(batch).await?;
        }
        Ok(())
    }

    async fn assembled(
        &self,
        request: &ContextRequest,
        aids: Aids<'_>,
        head: u64,
        view: RequestView,
    ) -> StoreResult<Context> {
        // What work needs is known by what it is about, which the judge alone tells.
        let work_only = request.disclosure.work_only;
        if let Some(judge) = self.tools.judge.clone().filter(|_| work_only || self.weighs()) {
            drop(view);
            return self.judged(request, aids, &*judge, head).await;
        }
        if work_only {
            return Ok(Context::switched_off("what a server for work may be told"));
        }
        let names = self.known_names(&view, request, aids, head).await?;
        // The gate may wait for a model.
        drop(view);
        let asking = self.asking();
        let span = tracing::info_span!(target: trace::TARGET, "gate");
        let gate = asking.decide(request, aids, &names).instrument(span).await?;
        let span =
            tracing::info_span!(target: trace::TARGET, "retrieve", recollect.section = gate.section.as_str());
        if gate.fire {
            asking.embed_ahead(&request.message).await;
        }
        let disclosure = self.disclosure(request).await?;
        let now = asking.now();
        let (material, path) = now.gather(request, &disclosure, &gate).instrument(span).await?;
        drop(now);
        let block = assemble::assemble(&material, &gate, &self.tools.settings).without_harm();
        let text = block.text();
        Ok(Context { tokens: tokens::estimate(&text), block: text, lines: block.into_lines(), gate, path })
    }

    /// Whether what is known is weighed for each message, instead of asking the message what it wants.
    fn weighs(&self) -> bool {
        let settings = &self.tools.settings;
        settings.relevance_gate_mode == GateMode::Judged && settings.context_mode == ContextMode::Compact
    }

    /// The names of the viewer's entities, kept by the cache until an entity changes.
    async fn known_names(
        &self,
        view: &RequestView,
        request: &ContextRequest,
        aids: Aids<'_>,
        head: u64,
    ) -> StoreResult<Arc<KnownNames>> {
        if let Some(known) = aids.cache.and_then(|cache| cache.names(&request.tenant, &request.viewer.owner))
        {
            let AsOf { number, state: names } = known;
            if number == head {
                return Ok(names);
            }
            if !entity_changed(view, number).await? {
                // They are as good as read now, and the next request looks from here on.
                if let Some(cache) = aids.cache {
                    cache.put_names(&request.tenant, &request.viewer.owner, head, &names);
                }
                return Ok(names);
            }
        }
        let filter = viewed(request);
        let page = view.list_entities(&filter, PageRequest::newest(limits::KNOWN_NAMES)).await?;
        let names = page.items.iter().flat_map(|entity| std::iter::once(&entity.name).chain(&entity.aliases));
        let names = Arc::new(KnownNames::of(names.map(String::as_str)));
        if let Some(cache) = aids.cache {
            cache.put_names(&request.tenant, &request.viewer.owner, head, &names);
        }
        Ok(names)
    }

    /// The same recaller for one message, which it embeds once for the gate and every search.
    fn asking(&self) -> Recaller {
        let once = |embedder: &Arc<dyn Embedder>| {
            let once = EmbedOnce { embedder: embedder.clone(), answered: Mutex::default() };
            Arc::new(once) as Arc<dyn Embedder>
        };
        let embedder = self.tools.embedder.as_ref().map(once);
        Recaller { tools: Toolkit { embedder, ..self.tools.clone() } }
    }

    /// The gate's word: the core model's where it is asked and answers, else the gate's own.
    async fn decide(
        &self,
        request: &ContextRequest,
        aids: Aids<'_>,
        names: &KnownNames,
    ) -> StoreResult<GateDecision> {
        let local = self.decide_alone(request, aids.learned, names).await?;
        let asks =
            self.tools.settings.relevance_gate_mode == GateMode::Llm && !gate::is_settled(&request.message);
        match aids.model.filter(|_| asks) {
            Some(model) => Ok(gate::ask(model, &request.message, local).await),
            None => Ok(local),
        }
    }

    /// The same without the core model.
    async fn decide_alone(
        &self,
        request: &ContextRequest,
        learned: Option<&dyn GateModel>,
        names: &KnownNames,
    ) -> StoreResult<GateDecision> {
        self.decide_within(None, request, learned, names).await
    }

    /// The same within a moment, where one is held already and the message was embedded before. A search for a strong match is made only where
    /// it could change it.
    async fn decide_within(
        &self,
        held: Option<&Glance<'_>>,
        request: &ContextRequest,
        learned: Option<&dyn GateModel>,
        names: &KnownNames,
    ) -> StoreResult<GateDecision> {
        let message = request.asked_text();
        let mode = self.tools.settings.relevance_gate_mode;
        let vector = match learned.filter(|_| mode.is_learned()) {
            Some(model) => self.vector_for(model, &message).await,
            None => None,
        };
        let mut inputs = Inputs {
            mode,
            learned,
            vector: vector.as_deref(),
            names,
            strongest: None,
            reference: request.today(),
        };
        let decision = gate::decide(&message, &inputs);
        if !gate::is_undecided(&decision, &inputs) {
            return Ok(decision);
        }
        let own;
        let now = match held {
            Some(now) => now,
            None => {
                self.embed_ahead(&message).await;
                own = self.now();
                &own
            }
        };
        let (found, _) = now.find(request, Corpus::Memories, viewed(request), STRONGEST_OF).await?;
        inputs.strongest = Some(found.iter().map(|hit| gate::match_strength(&hit.parts)).fold(0.0, f64::max));
        Ok(gate::decide(&message, &inputs))
    }

    /// Has the message embedded before a view is taken, which waits for nobody: the searches find the answer kept.
    async fn embed_ahead(&self, message: &str) {
        if let Some(embedder) = &self.tools.embedder {
            // Where it fails, the searches are told so from memory.
            let _ = embedder.embed(&[asked_text(message).to_owned()]).await;
        }
    }

    /// The message's vector, where there is one that the model can read. What a search would cut is no question.
    async fn vector_for(&self, model: &dyn GateModel, message: &str) -> Option<Vec<f32>> {
        let embedder = self.tools.embedder.as_ref().filter(|embedder| model.reads(embedder.signature()))?;
        if message.len() > limits::QUERY_BYTES {
            return None;
        }
        embedder.embed(&[message.to_owned()]).await.ok()?.into_iter().next()
    }
}

async fn entity_changed(view: &RequestView, since: u64) -> StoreResult<bool> {
    let changes = view.changes_since(since, limits::CHANGES_AT_ONCE).await?;
    // Too many to look through is as good as changed.
    Ok(changes.is_none_or(|changes| {
        changes.len() >= limits::CHANGES_AT_ONCE || changes.iter().any(|entry| entry.kind == "entity")
    }))
}

/// What the viewer may see.
fn viewed(request: &ContextRequest) -> Filter {
    let validity = match request.as_of {
        true => Validity::AsOf { then: request.now },
        false => Validity::Current { now: request.now },
    };
    Filter { viewer: Some(request.viewer.clone()), ..Filter::at(validity) }
}

/// An embedder that keeps its answer for the last single text, failures too: a slow one is waited for once.
struct EmbedOnce {
    embedder: Arc<dyn Embedder>,
    /// Held for a look, never while the embedder is asked.
    answered: Mutex<Option<(String, EmbeddingResult)>>,
}

type EmbeddingResult = Result<Vec<Vec<f32>>, ModelError>;

#[async_trait]
impl Embedder for EmbedOnce {
    fn signature(&self) -> &str {
        self.embedder.signature()
    }

    fn dimensions(&self) -> usize {
        self.embedder.dimensions()
    }

    async fn embed(&self, texts: &[String]) -> EmbeddingResult {
        let [text] = texts else { return self.embedder.embed(texts).await };
        let kept = self.answered.lock().clone();
        if let Some((_, answer)) = kept.filter(|(asked, _)| asked == text) {
            return answer;
        }
        let answer = self.embedder.embed(texts).await;
        let kept = (text.clone(), answer.clone());
        *self.answered.lock() = Some(kept);
        answer
    }

    fn coverage(&self, text: &str) -> f32 {
        self.embedder.coverage(text)
    }
}
