//! Reading what a block is made from: the only part of assembly that touches the store.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::said::{self, OutdatedSpeech};
use super::{ContextRequest, Disclosure, viewed};
use crate::error::StoreResult;
use crate::limits;
use crate::personality::Tuning;
use crate::ports::ReadStore;
use crate::recall::assemble::{self, Base, BlockMaterial, Line, LineCandidate, lines};
use crate::recall::gate::{GateDecision, Section};
use crate::recall::search::Glance;
use crate::recall::weights::PartWeights;
use crate::recall::{Hit, HitSource, Path, ScoreParts, SearchRequest};
use crate::settings::{ContextMode, FirstTurnDigest};
use crate::text::time;
use crate::types::{
    Corpus, Entity, Episode, Filter, Kind, Memory, MemoryId, Override, PageRequest, Relation, Role,
    SessionKey, Time, Turn, TurnId, Viewer,
};

/// Entities whose relations a full context tells.
const RELATED_ENTITIES: usize = 50;

/// The fewest tokens that a line takes, for bounding how many are read to fill a budget.
const LINE_TOKENS: i64 = 8;

/// Summaries of the days that a message speaks of.
const EPISODES_THEN: usize = 8;

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
            today: request.today(),
            overrides: if introduces { self.override_lines(request).await? } else { Vec::new() },
            rules: if disclosure.instructs() { self.rules(request).await? } else { Vec::new() },
            profile: Vec::new(),
            latest_episode: None,
            found: Vec::new(),
            base: Base::default(),
            extra_lines: 0,
        };
        // Whether a message goes on from the last conversation is for the judge to say; here it does where it asks for it.
        let wants_digest = match self.tools.settings.first_turn_digest {
            FirstTurnDigest::Always => true,
            FirstTurnDigest::Continues => full || gate.section == Section::Episode,
            FirstTurnDigest::Off => false,
        };
        if request.first_turn
            && introduces
            && wants_digest
            && let Some(latest) = self.latest_episode(request).await?
        {
            material.latest_episode = self.episode_line(request, &latest).await?;
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
        let rules = self.view.list_memories(&filter, PageRequest::newest(limits::RULES_SHOWN)).await?;
        let style = self.tools.settings.line_style;
        Ok(rules.items.iter().map(|rule| Line::of_rule(rule, style)).collect())
    }

    /// How the last session before this one ended, however long ago.
    pub(super) async fn latest_episode(&self, request: &ContextRequest) -> StoreResult<Option<Episode>> {
        // The session at hand may have an episode already, if it was resumed.
        let latest = self.view.list_episodes(&viewed(request), PageRequest::newest(2)).await?;
        let own = own_session(request);
        Ok(latest.items.into_iter().find(|episode| Some(&episode.session) != own.as_ref()))
    }

    /// An episode as a line, as far as what it says still holds.
    pub(super) async fn episode_line(
        &self,
        request: &ContextRequest,
        episode: &Episode,
    ) -> StoreResult<Option<Line>> {
        let outdated = self.outdated(request, &[]).await?;
        let told = said::told_episode(episode, &outdated, &self.tools.analyser);
        Ok(told
            .map(|told| Line::of_episode(&told, assemble::line_tokens(&self.tools.settings), &request.zone)))
    }

    /// The same without what these words tell already, which are told beside it.
    pub(super) async fn episode_line_beside(
        &self,
        request: &ContextRequest,
        episode: &Episode,
        told: &[String],
    ) -> StoreResult<Option<Line>> {
        let outdated = self.outdated(request, &[]).await?;
        let left = said::told_episode(episode, &outdated, &self.tools.analyser);
        let left = left.and_then(|episode| said::beside(episode, told));
        let tokens = assemble::line_tokens(&self.tools.settings);
        Ok(left.map(|episode| Line::of_episode(&episode, tokens, &request.zone)))
    }

    /// What a search of every corpus finds for the message.
    pub(super) async fn found(
        &self,
        request: &ContextRequest,
        gate: &GateDecision,
    ) -> StoreResult<(Vec<LineCandidate>, Option<Path>)> {
        let corpora = [Corpus::Memories, Corpus::Episodes, Corpus::Turns];
        let days = time::find(&request.message, request.today()).first().map(|span| {
            let start = Time::from_date_in(span.start, &request.zone);
            let end = Time::from_date_in(span.end, &request.zone);
            SpokenSpan { start, end, only: false }
        });
        let (hits, path) = self.hits_for(request, gate, &corpora, days, limits::SEARCH_RESULTS).await?;
        let lines = self.worth_a_line(request, hits).await?;
        Ok((lines, path))
    }

    /// The same of some corpora, at most so many of each, as it was found. Where only some days are meant, nothing else is looked at, and whatever was said then counts.
    pub(super) async fn hits_for(
        &self,
        request: &ContextRequest,
        gate: &GateDecision,
        corpora: &[Corpus],
        days: Option<SpokenSpan>,
        most: usize,
    ) -> StoreResult<(Vec<Hit>, Option<Path>)> {
        let wanted = usize::try_from(self.found_tokens() / LINE_TOKENS).unwrap_or(0);
        let wanted = wanted.clamp(1, most.min(limits::SEARCH_RESULTS));
        let only = days.filter(|days| days.only);
        let mut found = Vec::new();
        let mut paths = Vec::new();
        for &corpus in corpora {
            let filter = self.matched(request, corpus);
            let filter = only.map_or_else(|| filter.clone(), |days| days.within(&filter));
            let search = self.search_request(request, corpus, filter, wanted);
            let result = self.search(&search).await?;
            paths.push(result.path);
            found.extend(result.hits);
        }
        let best = found.iter().map(|hit| hit.score).fold(0.0, f64::max);
        let has_episode = found.iter().any(|hit| hit.corpus() == Corpus::Episodes);
        if only.is_some() || gate.section == Section::Episode && !has_episode {
            let have: HashSet<String> = found.iter().map(|hit| hit.id().to_owned()).collect();
            let then = self.said_then(request, best, days).await?;
            found.extend(then.into_iter().filter(|hit| !have.contains(hit.id())));
        }
        let searched = paths.iter().find(|path| **path != Path::SkippedEmptyStore);
        Ok((found, searched.or(paths.first()).copied()))
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
        let result = self.search(&self.search_request(request, corpus, filter, top_k)).await?;
        Ok((result.hits, result.path))
    }

    /// A chat message's quotes and capital words are not operators, and neighbours are found as lines of their own.
    fn search_request(
        &self,
        request: &ContextRequest,
        corpus: Corpus,
        filter: Filter,
        top_k: usize,
    ) -> SearchRequest {
        let search =
            SearchRequest::new(request.asked_text(), vec![corpus], filter, &self.tools.settings, request.now);
        SearchRequest { operators: false, window: 0, top_k, ..search }
    }

    /// What was found as lines, without what is over.
    async fn worth_a_line(
        &self,
        request: &ContextRequest,
        hits: Vec<Hit>,
    ) -> StoreResult<Vec<LineCandidate>> {
        let tokens = assemble::line_tokens(&self.tools.settings);
        let style = self.tools.settings.line_style;
        let words = lines::telling_words(&request.message);
        let own = own_session(request);
        let analyser = &self.tools.analyser;
        let outdated = match hits.iter().any(|hit| hit.corpus() != Corpus::Memories) {
            true => self.outdated(request, &turn_ids(&hits)).await?,
            false => OutdatedSpeech::default(),
        };
        let mut candidates = Vec::with_capacity(hits.len());
        for hit in hits {
            let line = match &hit.source {
                // Rules come along anyway, under their own budget.
                HitSource::Memory(memory) if memory.kind == Kind::Rule => continue,
                HitSource::Memory(memory) => Some(Line::of_memory(memory, tokens, style)),
                HitSource::Episode(episode) => said::told_episode(episode, &outdated, analyser)
                    .map(|episode| Line::of_episode(&episode, tokens, &request.zone)),
                HitSource::Turn(turn) if !says_something_new(turn, request, own.as_ref()) => continue,
                HitSource::Turn(turn) if said::only_acknowledges(turn, analyser) => continue,
                HitSource::Turn(turn) => outdated.rest_of(turn, analyser).map(|text| {
                    Line::of_turn(&Turn { text, ..(**turn).clone() }, &words, tokens, &request.zone)
                }),
            };
            let candidate = |line| LineCandidate { corpus: hit.corpus(), score: hit.score, line };
            candidates.extend(line.map(candidate));
        }
        Ok(candidates)
    }

    /// Where the message asks for what happened and shares no word with any summary, the newest ones, of the time that it
    /// speaks of if it does, and what the user said then where nothing else is meant. They count as the best of what was found, because they are
    /// what was asked for.
    async fn said_then(
        &self,
        request: &ContextRequest,
        score: f64,
        days: Option<SpokenSpan>,
    ) -> StoreResult<Vec<Hit>> {
        let filter = self.matched(request, Corpus::Episodes);
        let filter = days.map_or_else(|| filter.clone(), |days| days.within(&filter));
        let episodes = self.view.list_episodes(&filter, PageRequest::newest(EPISODES_THEN)).await?.items;
        let hit = |source: HitSource| Hit {
            row: 0,
            score,
            parts: ScoreParts::default(),
            weights: PartWeights::default(),
            source,
            window: Vec::new(),
        };
        let mut found: Vec<Hit> =
            episodes.into_iter().map(|episode| hit(HitSource::Episode(Box::new(episode)))).collect();
        if let Some(days) = days.filter(|days| days.only) {
            let filter = days.within(&self.matched(request, Corpus::Turns));
            let page = PageRequest::newest(limits::SPEECH_LINES);
            let turns = self.view.list_turns(&filter, Some(Role::User), page).await?.items;
            found.extend(turns.into_iter().map(|turn| hit(HitSource::Turn(Box::new(turn)))));
        }
        Ok(found)
    }

    /// The sections of a full context that do not depend on the message.
    async fn base(&self, request: &ContextRequest) -> StoreResult<Base> {
        let settings = &self.tools.settings;
        let (tokens, style) = (assemble::line_tokens(settings), settings.line_style);
        let rows = |budget: i64| {
            let rows = usize::try_from(budget / LINE_TOKENS).unwrap_or(0);
            PageRequest::newest(rows.clamp(1, limits::PAGE_ROWS))
        };
        let filter = viewed(request);
        let mut memories =
            self.view.list_memories(&filter, rows(settings.working_memory_budget_tokens)).await?.items;
        memories.retain(|memory| memory.kind != Kind::Rule);
        // The sort is stable: equals stay newest first.
        memories.sort_by(|a, b| standing(b).total_cmp(&standing(a)));
        let episodes = self.view.list_episodes(&filter, rows(settings.summary_budget_tokens)).await?.items;
        let outdated =
            if episodes.is_empty() { OutdatedSpeech::default() } else { self.outdated(request, &[]).await? };
        let told = |episode: &Episode| said::told_episode(episode, &outdated, &self.tools.analyser);
        let episodes = episodes.iter().filter_map(told);
        Ok(Base {
            memories: memories.iter().map(|memory| Line::of_memory(memory, tokens, style)).collect(),
            episodes: episodes.map(|episode| Line::of_episode(&episode, tokens, &request.zone)).collect(),
            relationships: self.relationships(request).await?,
        })
    }

    /// `Subject predicate Object`, as far as it holds now, the surest first.
    async fn relationships(&self, request: &ContextRequest) -> StoreResult<Vec<Line>> {
        let entities =
            self.view.list_entities(&viewed(request), PageRequest::newest(RELATED_ENTITIES)).await?;
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

/// Days that a message speaks of.
#[derive(Debug, Clone, Copy)]
pub(super) struct SpokenSpan {
    pub start: Time,
    pub end: Time,
    /// Nothing from other days is meant.
    pub only: bool,
}

impl SpokenSpan {
    /// The filter with these days alone.
    fn within(&self, filter: &Filter) -> Filter {
        let since = Some(filter.since.map_or(self.start, |since| since.max(self.start)));
        Filter { since, until: Some(self.end), ..filter.clone() }
    }
}

/// The turns among what was found.
pub(super) fn turn_ids<'a>(hits: impl IntoIterator<Item = &'a Hit>) -> Vec<TurnId> {
    let turns = hits.into_iter().filter_map(|hit| match &hit.source {
        HitSource::Turn(turn) => Some(turn.id.clone()),
        _ => None,
    });
    turns.collect()
}

pub(super) fn own_session(request: &ContextRequest) -> Option<SessionKey> {
    let session = request.viewer.session.clone()?;
    Some(SessionKey::new(&request.viewer.owner, session))
}

/// The message itself may be stored by now, and what the prompt shows already need not be said again.
pub(super) fn says_something_new(turn: &Turn, request: &ContextRequest, own: Option<&SessionKey>) -> bool {
    let in_view = Some(&turn.session) == own && request.in_view_from.is_some_and(|from| turn.index >= from);
    let text = turn.text.trim();
    let repeats =
        text == request.message.trim() || request.follows.as_deref().is_some_and(|said| said.trim() == text);
    lines::is_speech(turn) && !in_view && !text.is_empty() && !repeats
}

/// Pinned before everything, then by salience.
fn standing(memory: &Memory) -> f32 {
    if memory.pinned { f32::INFINITY } else { memory.salience }
}

fn holds(relation: &Relation, now: Time) -> bool {
    relation.valid_from.is_none_or(|from| from <= now) && relation.valid_until.is_none_or(|until| now < until)
}
