//! Reading what a block is made from: the only part of assembly that touches the store.

use std::collections::{BTreeSet, HashMap};

use super::{ContextRequest, Disclosure, viewed};
use crate::error::StoreResult;
use crate::limits;
use crate::personality::Tuning;
use crate::ports::ReadStore;
use crate::recall::assemble::{self, Base, BlockMaterial, Line, LineCandidate, lines};
use crate::recall::gate::{GateDecision, Section};
use crate::recall::search::Glance;
use crate::recall::{Hit, HitSource, Path, SearchRequest};
use crate::settings::ContextMode;
use crate::text::time;
use crate::types::{
    Corpus, Entity, Episode, Filter, Kind, Memory, MemoryId, Override, PageRequest, Relation, SessionKey,
    Time, Turn, Viewer,
};

/// Entities whose relations a full context tells.
const RELATED_ENTITIES: usize = 50;

/// The fewest tokens that a line takes, for bounding how many are read to fill a budget.
const LINE_TOKENS: i64 = 8;

impl Glance<'_> {
    /// What the block is made from, and which way the search went. Where nobody says who speaks, it is made from what was asked for.
    pub(super) async fn gather(
        &self,
        request: &ContextRequest,
        disclosure: &Disclosure,
        gate: &GateDecision,
    ) -> StoreResult<(BlockMaterial, Option<Path>)> {
        let introduces = disclosure.introduces;
        let full = introduces && self.tools.settings.context_mode == ContextMode::Full;
        let mut material = BlockMaterial {
            now: request.now,
            overrides: if introduces { self.override_lines(request).await? } else { Vec::new() },
            rules: if disclosure.instructs() { self.rules(request).await? } else { Vec::new() },
            profile: Vec::new(),
            latest_episode: None,
            found: Vec::new(),
            base: Base::default(),
            extra_lines: 0,
        };
        if request.first_turn && introduces {
            material.latest_episode = self.latest_episode(request).await?;
        }
        if full || gate.section == Section::Identity {
            material.profile = self.about_user(request).await?;
        }
        if full {
            material.base = self.base(request).await?;
        }
        let mut path = None;
        if gate.fire {
            (material.found, path) = self.found(request, gate).await?;
            let tuning = Tuning::of(&self.view, &request.viewer.owner.agent, &self.tools.settings).await?;
            material.extra_lines = tuning.extra_results;
        }
        Ok((material, path))
    }

    /// The user's overrides. One that rests on a memory is not for a viewer from whom the memory is kept.
    pub(super) async fn overrides_for(&self, viewer: &Viewer) -> StoreResult<Vec<Override>> {
        let mut overrides = self.view.overrides(&viewer.owner.user).await?;
        if viewer.agent_only {
            let ids: Vec<MemoryId> = overrides.iter().filter_map(|line| line.memory.clone()).collect();
            let memories = self.view.memories(&ids).await?;
            let hidden =
                |id: &MemoryId| memories.iter().any(|known| known.id == *id && !viewer.may_know(known));
            overrides.retain(|line| !line.memory.as_ref().is_some_and(hidden));
        }
        Ok(overrides)
    }

    /// The same as lines of a block.
    pub(super) async fn override_lines(&self, request: &ContextRequest) -> StoreResult<Vec<Line>> {
        Ok(self.overrides_for(&request.viewer).await?.iter().map(Line::of_override).collect())
    }

    /// Active rules that the viewer sees, the newest first.
    pub(super) async fn rules(&self, request: &ContextRequest) -> StoreResult<Vec<Line>> {
        let filter = Filter { kinds: vec![Kind::Rule], ..viewed(request) };
        let rules = self.view.list_memories(&filter, PageRequest::first(limits::RULES_SHOWN)).await?;
        Ok(rules.items.iter().map(Line::of_rule).collect())
    }

    /// How the last session before this one ended, however long ago.
    pub(super) async fn latest_episode(&self, request: &ContextRequest) -> StoreResult<Option<Line>> {
        // The session at hand may have an episode already, if it was resumed.
        let latest = self.view.list_episodes(&viewed(request), PageRequest::first(2)).await?;
        let own = own_session(request);
        let latest = latest.items.iter().find(|episode| Some(&episode.session) != own.as_ref());
        Ok(latest.map(|episode| Line::of_episode(episode, assemble::line_tokens(&self.tools.settings))))
    }

    /// What a search of every corpus finds for the message.
    pub(super) async fn found(
        &self,
        request: &ContextRequest,
        gate: &GateDecision,
    ) -> StoreResult<(Vec<LineCandidate>, Option<Path>)> {
        let wanted = usize::try_from(self.found_tokens() / LINE_TOKENS).unwrap_or(0);
        let wanted = wanted.clamp(1, limits::SEARCH_RESULTS);
        let mut candidates = Vec::new();
        let mut paths = Vec::new();
        for corpus in [Corpus::Memories, Corpus::Episodes, Corpus::Turns] {
            let filter = self.matched(request, corpus);
            let (hits, path) = self.find(request, corpus, filter, wanted).await?;
            paths.push(path);
            candidates.extend(self.worth_a_line(request, hits));
        }
        let has_episode = candidates.iter().any(|candidate| candidate.corpus == Corpus::Episodes);
        if gate.section == Section::Episode && !has_episode {
            let best = candidates.iter().map(|candidate| candidate.score).fold(0.0, f64::max);
            candidates.extend(self.episodes_then(request, best).await?);
        }
        let searched = paths.iter().find(|path| **path != Path::SkippedEmptyStore);
        Ok((candidates, searched.or(paths.first()).copied()))
    }

    /// The largest budget that found lines are to fill.
    fn found_tokens(&self) -> i64 {
        let settings = &self.tools.settings;
        match settings.context_mode {
            ContextMode::Compact => settings.memory_budget_tokens,
            ContextMode::Full => settings.chunk_budget_tokens.max(settings.working_memory_budget_tokens),
        }
    }

    /// What may be matched by the message: of episodes, only those that are not too old.
    fn matched(&self, request: &ContextRequest, corpus: Corpus) -> Filter {
        let days = self.tools.settings.episodic_query_days;
        let bounded = corpus == Corpus::Episodes && days > 0;
        let since = bounded.then(|| request.now.plus_seconds(-days * 86_400));
        Filter { since, ..viewed(request) }
    }

    /// A search for the message in one corpus.
    pub(super) async fn find(
        &self,
        request: &ContextRequest,
        corpus: Corpus,
        filter: Filter,
        top_k: usize,
    ) -> StoreResult<(Vec<Hit>, Path)> {
        let search =
            SearchRequest::new(&request.message, vec![corpus], filter, &self.tools.settings, request.now);
        // A chat message's quotes and capital words are not operators, and neighbours are found as lines of their own.
        let search = SearchRequest { operators: false, window: 0, top_k, ..search };
        let result = self.search(&search).await?;
        Ok((result.hits, result.path))
    }

    fn worth_a_line(&self, request: &ContextRequest, hits: Vec<Hit>) -> Vec<LineCandidate> {
        let tokens = assemble::line_tokens(&self.tools.settings);
        let words = lines::telling_words(&request.message);
        let own = own_session(request);
        let mut candidates = Vec::with_capacity(hits.len());
        for hit in hits {
            let line = match &hit.source {
                // Rules come along anyway, under their own budget.
                HitSource::Memory(memory) if memory.kind == Kind::Rule => continue,
                HitSource::Memory(memory) => Line::of_memory(memory, tokens),
                HitSource::Episode(episode) => Line::of_episode(episode, tokens),
                HitSource::Turn(turn) if !says_something_new(turn, request, own.as_ref()) => continue,
                HitSource::Turn(turn) => Line::of_turn(turn, &words, tokens),
            };
            candidates.push(LineCandidate { corpus: hit.corpus(), score: hit.score, line });
        }
        candidates
    }

    /// Where the message asks for what happened and shares no word with any summary, the newest ones, of the time that it
    /// speaks of if it does. They count as the best of what was found, because they are what was asked for.
    async fn episodes_then(&self, request: &ContextRequest, score: f64) -> StoreResult<Vec<LineCandidate>> {
        let mut filter = self.matched(request, Corpus::Episodes);
        if let Some(span) = time::find(&request.message, request.now.date()).first() {
            let start = Time::from_date(span.start);
            filter.since = Some(filter.since.map_or(start, |since| since.max(start)));
            filter.until = Some(Time::from_date(span.end));
        }
        let episodes = self.view.list_episodes(&filter, PageRequest::first(8)).await?;
        let tokens = assemble::line_tokens(&self.tools.settings);
        let candidate = |episode: &Episode| LineCandidate {
            corpus: Corpus::Episodes,
            score,
            line: Line::of_episode(episode, tokens),
        };
        Ok(episodes.items.iter().map(candidate).collect())
    }

    /// The sections of a full context that do not depend on the message.
    async fn base(&self, request: &ContextRequest) -> StoreResult<Base> {
        let settings = &self.tools.settings;
        let tokens = assemble::line_tokens(settings);
        let rows = |budget: i64| {
            let rows = usize::try_from(budget / LINE_TOKENS).unwrap_or(0);
            PageRequest::first(rows.clamp(1, limits::PAGE_ROWS))
        };
        let filter = viewed(request);
        let mut memories =
            self.view.list_memories(&filter, rows(settings.working_memory_budget_tokens)).await?.items;
        memories.retain(|memory| memory.kind != Kind::Rule);
        // The sort is stable: equals stay newest first.
        memories.sort_by(|a, b| standing(b).total_cmp(&standing(a)));
        let episodes = self.view.list_episodes(&filter, rows(settings.summary_budget_tokens)).await?.items;
        Ok(Base {
            memories: memories.iter().map(|memory| Line::of_memory(memory, tokens)).collect(),
            episodes: episodes.iter().map(|episode| Line::of_episode(episode, tokens)).collect(),
            relationships: self.relationships(request).await?,
        })
    }

    /// `Subject predicate Object`, as far as it holds now, the surest first.
    async fn relationships(&self, request: &ContextRequest) -> StoreResult<Vec<Line>> {
        let entities =
            self.view.list_entities(&viewed(request), PageRequest::first(RELATED_ENTITIES)).await?;
        let ids: Vec<String> = entities.items.iter().map(|entity| entity.id.as_str().to_owned()).collect();
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let mut relations = self.view.relations_of(&ids).await?;
        relations.retain(|relation| relation.owner == request.viewer.owner && holds(relation, request.now));
        relations.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
        let ends = relations.iter().flat_map(|relation| [&relation.subject, &relation.object]);
        let ends: BTreeSet<String> = ends.map(|id| id.as_str().to_owned()).collect();
        let named = self.view.entities(&ends.into_iter().collect::<Vec<_>>()).await?;
        let names: HashMap<&str, &Entity> = named.iter().map(|entity| (entity.id.as_str(), entity)).collect();
        let line = |relation: &Relation| {
            let name = |id: &str| names.get(id).map(|entity| entity.name.as_str());
            let (subject, object) = (name(relation.subject.as_str())?, name(relation.object.as_str())?);
            Some(Line::plain(&format!("{subject} {} {object}", relation.predicate)))
        };
        Ok(relations.iter().filter_map(line).collect())
    }
}

fn own_session(request: &ContextRequest) -> Option<SessionKey> {
    let session = request.viewer.session.clone()?;
    Some(SessionKey::new(&request.viewer.owner, session))
}

/// The message itself may be stored by now, and what the prompt shows already need not be said again.
fn says_something_new(turn: &Turn, request: &ContextRequest, own: Option<&SessionKey>) -> bool {
    let in_view = Some(&turn.session) == own && request.in_view_from.is_some_and(|from| turn.index >= from);
    let text = turn.text.trim();
    lines::is_speech(turn) && !in_view && !text.is_empty() && text != request.message.trim()
}

/// Pinned before everything, then by salience.
fn standing(memory: &Memory) -> f32 {
    if memory.pinned { f32::INFINITY } else { memory.salience }
}

fn holds(relation: &Relation, now: Time) -> bool {
    relation.valid_from.is_none_or(|from| from <= now) && relation.valid_until.is_none_or(|until| now < until)
}
