//! Who distils: a model, where one is there and something was said, else the patterns and the judge of speech.
//!
//! One call for a pass. Whatever goes wrong with it, what is built in distils at once and the session is put on the redo list:
//! the model gets another chance, and nothing waits for it. New to a model is everything that none has read: also what was said
//! while it was away, and the single word that was not worth a call.

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::{Value, json};

use super::commit::PassTally;
use super::control::session_asks_to_forget;
use super::draft::{Candidate, Draft};
use super::heuristic;
use super::model::{self, prompt::PromptMaterial};
use super::observe::is_note;
use super::session_pass::{Learner, SessionSnapshot};
use super::{tasks, told};
use crate::error::{ModelError, StoreResult};
use crate::limits;
use crate::ports::ChatModel;
use crate::profile::{compose, grade};
use crate::text::query;
use crate::types::{
    Corpus, Filter, Kind, Memory, MemoryId, Origin, PageRequest, Role, SessionKey, Status, Turn, TurnId,
};

/// What a pass does to the session's mark on the redo list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RedoMark {
    /// A model should look at it again.
    Put,
    /// A model has seen all of it.
    Clear,
    Leave,
}

/// A draft, with what it is about and who made it.
#[derive(Clone)]
pub(super) struct DraftWithOrigin {
    pub draft: Draft,
    /// The turns that it was made from.
    pub about: HashSet<TurnId>,
    /// Those of them that may give candidates.
    pub new: HashSet<TurnId>,
    /// The model that made it.
    pub model: Option<String>,
    /// Why a model that was asked did not make it.
    pub fell_back: Option<String>,
    /// The place of the last turn that a model has read.
    pub read_to: Option<u64>,
    pub redo: RedoMark,
}

impl DraftWithOrigin {
    /// The waiting turns that are distilled by this: what came later waits on. Of a very long session the middle is not
    /// read at all, and does not wait for ever.
    pub fn covered(&self, matter: &SessionSnapshot) -> Vec<TurnId> {
        let came_later: HashSet<&TurnId> =
            matter.turns.iter().map(|turn| &turn.id).filter(|id| !self.about.contains(*id)).collect();
        let mut covered: Vec<TurnId> =
            matter.pending.iter().filter(|id| !came_later.contains(id)).cloned().collect();
        covered.sort();
        covered
    }

    pub fn candidates(&self) -> impl Iterator<Item = &Candidate> {
        self.draft
            .candidates
            .iter()
            .filter(|candidate| candidate.sources.iter().any(|id| self.new.contains(id)))
    }

    /// A model's draft also holds what patterns found where the prompt had no room; a model's candidates carry its opinion.
    pub fn origin_of(&self, candidate: &Candidate) -> Origin {
        match candidate.advice {
            None if self.model.is_some() => Origin::Heuristic,
            _ => self.draft.origin,
        }
    }

    /// For the processing log: counts and names, never what it was about.
    pub fn detail(&self, tally: &PassTally) -> Value {
        let mut detail = serde_json::to_value(tally).unwrap_or_default();
        detail["distiller"] = json!(self.draft.origin);
        if let Some(model) = &self.model {
            detail["model"] = json!(model);
            detail["unsupported"] = json!(self.draft.unsupported);
        }
        if let Some(why) = &self.fell_back {
            detail["fellBack"] = json!(why);
        }
        detail
    }
}

impl Learner {
    /// Whether nothing that a draft was made from is gone.
    pub(super) async fn still_stands(&self, drafted: &DraftWithOrigin) -> StoreResult<bool> {
        let about: Vec<TurnId> = drafted.about.iter().cloned().collect();
        Ok(self.tools.store.turns(&about).await?.len() == about.len())
    }

    /// What the new turns come to; the earlier ones only serve the digest. `may_ask` says whether a model may be called.
    pub(super) async fn distil(
        &self,
        matter: &mut SessionSnapshot,
        may_ask: bool,
    ) -> StoreResult<DraftWithOrigin> {
        let mut fell_back = None;
        let new = self.new_to_model(matter).await?;
        let worth_it = self.tools.model.is_some() && self.is_worth_reading(&matter.turns, &new);
        if let (Some(model), true) = (&self.tools.model, worth_it) {
            if !may_ask {
                fell_back = Some("what it was told was forgotten while it answered".to_owned());
            } else {
                match self.ask(model, matter, new).await? {
                    Ok(drafted) => return Ok(drafted),
                    Err(error) => fell_back = Some(error.to_string()),
                }
            }
        }
        let draft = self.by_patterns(matter, &matter.pending).await?;
        let redo = match (&self.tools.model, worth_it) {
            (Some(_), false) => RedoMark::Leave,
            _ => RedoMark::Put,
        };
        let about = matter.turns.iter().map(|turn| turn.id.clone()).collect();
        let new = matter.pending.clone();
        Ok(DraftWithOrigin { draft, about, new, model: None, fell_back, read_to: None, redo })
    }

    /// The turns that wait, and those before them that no model has read.
    async fn new_to_model(&self, matter: &mut SessionSnapshot) -> StoreResult<HashSet<TurnId>> {
        let read_to = matter.session.read_by_model;
        let unread = |turn: &&Turn| read_to.is_none_or(|read| turn.index > read);
        let unread: HashSet<TurnId> =
            matter.turns.iter().filter(unread).map(|turn| turn.id.clone()).collect();
        if self.tools.model.is_none() || unread.is_subset(&matter.pending) {
            return Ok(matter.pending.clone());
        }
        self.read_again(matter).await?;
        Ok(unread.union(&matter.pending).cloned().collect())
    }

    /// All turns, those among them that were distilled before: what a person did about them since stays done.
    pub(super) async fn read_again(&self, matter: &mut SessionSnapshot) -> StoreResult<HashSet<TurnId>> {
        matter.again = true;
        let key = &matter.session.key;
        let mut filter = Filter { statuses: vec![Status::Active, Status::Deleted], ..Filter::ever() };
        (filter.agent, filter.user) = (Some(key.agent.clone()), Some(key.user.clone()));
        filter.session = Some(key.session.clone());
        let mut made =
            self.tools.store.list_memories(&filter, PageRequest::newest(limits::PAGE_ROWS)).await?.items;
        made.retain(|memory| memory.status == Status::Deleted || memory.origin == Origin::Person);
        matter.settled_by_person = made;
        Ok(matter.turns.iter().map(|turn| turn.id.clone()).collect())
    }

    /// Asks the model, once.
    pub(super) async fn ask(
        &self,
        model: &Arc<dyn ChatModel>,
        matter: &SessionSnapshot,
        new: HashSet<TurnId>,
    ) -> StoreResult<Result<DraftWithOrigin, ModelError>> {
        let key = &matter.session.key;
        let mut filter = Filter::current(self.tools.clock.now());
        (filter.agent, filter.user) = (Some(key.agent.clone()), Some(key.user.clone()));
        let page = PageRequest::newest(limits::DISTIL_EPISODES + 1);
        // Of a session that is read again much later, those before it and not those of today.
        let before = Filter { until: Some(matter.session.last_turn_at), ..filter.clone() };
        let mut episodes = self.tools.store.list_episodes(&before, page).await?.items;
        episodes.retain(|episode| episode.session != *key);
        let known = self.known_to_model(matter, &new).await?;
        let identity = self.identity_lines(key, &known).await?;
        let zone = self.tools.settings.zone_of(&key.user);
        let material = PromptMaterial {
            now: self.tools.clock.now(),
            zone: &zone,
            turns: &matter.turns,
            new: &new,
            identity: &identity,
            episodes: &episodes,
            known: &known,
        };
        let (mut draft, unseen) = match read_in_parts(&**model, material).await {
            Ok(read) => read,
            Err(error) => return Ok(Err(error)),
        };
        if let Some(judge) = &self.tools.judge {
            told::review(&mut draft, &matter.turns, &new, &**judge);
        }
        if !unseen.is_empty() {
            // The middle of an endless session, which no prompt had room for.
            draft.candidates.extend(self.by_patterns(matter, &unseen).await?.candidates);
        }
        Ok(Ok(DraftWithOrigin {
            draft,
            about: matter.turns.iter().map(|turn| turn.id.clone()).collect(),
            new,
            model: Some(model.name().to_owned()),
            fell_back: None,
            read_to: matter.turns.iter().map(|turn| turn.index).max(),
            redo: RedoMark::Clear,
        }))
    }

    async fn by_patterns(&self, matter: &SessionSnapshot, new: &HashSet<TurnId>) -> StoreResult<Draft> {
        let key = &matter.session.key;
        let (said, earlier): (Vec<Turn>, Vec<Turn>) =
            matter.turns.iter().cloned().partition(|turn| new.contains(&turn.id));
        let mut filter = Filter::current(self.tools.clock.now());
        (filter.agent, filter.user) = (Some(key.agent.clone()), Some(key.user.clone()));
        let entities =
            self.tools.store.list_entities(&filter, PageRequest::newest(limits::PAGE_ROWS)).await?.items;
        let known_names: Vec<String> =
            entities.into_iter().flat_map(|entity| entity.aliases.into_iter().chain([entity.name])).collect();
        let zone = self.tools.settings.zone_of(&key.user);
        let context =
            heuristic::SessionBackground { earlier: &earlier, known_names: &known_names, zone: Some(&zone) };
        let mut draft = heuristic::distil(&said, context, &self.tools.analyser);
        if let Some(judge) = &self.tools.judge {
            told::improve(&mut draft, &matter.turns, new, &**judge, &self.tools.analyser, &zone);
            tasks::take_out(&mut draft);
        }
        Ok(draft)
    }

    /// Who the user is beyond what is known: the lines of overrides and profile that rest on nothing which is over, and say
    /// more than the memories that are shown anyway. What a person wrote rests on nothing and stays.
    async fn identity_lines(&self, key: &SessionKey, known: &[Memory]) -> StoreResult<Vec<String>> {
        let overrides = self.tools.store.overrides(&key.user).await?;
        let profile = self.tools.store.profile(&key.user).await?;
        let lines: Vec<(String, Vec<MemoryId>)> = overrides
            .into_iter()
            .map(|line| (line.text, line.memory.into_iter().collect()))
            .chain(profile.iter().flat_map(compose::told).map(|line| (line.text, line.sources)))
            .collect();
        let sources: Vec<MemoryId> = lines.iter().flat_map(|(_, sources)| sources.clone()).collect();
        let found = self.tools.store.memories(&sources).await?;
        let now = self.tools.clock.now();
        let stands =
            |id: &MemoryId| found.iter().any(|memory| memory.id == *id && grade::stands(memory, now));
        let shown = |id: &MemoryId| known.iter().any(|memory| memory.id == *id);
        let tells = |sources: &[MemoryId]| {
            sources.is_empty() || sources.iter().all(stands) && !sources.iter().all(shown)
        };
        Ok(lines.into_iter().filter(|(_, sources)| tells(sources)).map(|(text, _)| text).collect())
    }

    /// What is known and can be named: what is near what the user said, what waits for support, and the newest, as far as there
    /// is room; in the order in which it became known. What has not begun yet is known too.
    async fn known_to_model(
        &self,
        matter: &SessionSnapshot,
        new: &HashSet<TurnId>,
    ) -> StoreResult<Vec<Memory>> {
        let key = &matter.session.key;
        let mut filter =
            Filter { in_reach_of: Some(key.owner()), statuses: vec![Status::Active], ..Filter::ever() };
        if matter.session.agent_only {
            filter.bounds.agents = vec![key.agent.clone()];
        }
        let mut known = self.related(matter, new, &filter).await?;
        let held = self.tools.store.held_of(&key.owner(), HELD_SHOWN).await?;
        known.extend(held.into_iter().map(|held| held.memory));
        let newest = PageRequest::newest(limits::DISTIL_KNOWN);
        known.extend(self.tools.store.list_memories(&filter, newest).await?.items);
        let now = self.tools.clock.now();
        let is_over = |memory: &Memory| {
            memory.valid_until.is_some_and(|until| until <= now)
                || memory.expires_at.is_some_and(|expires| expires <= now)
        };
        let mut seen = HashSet::new();
        known.retain(|memory| !is_over(memory) && !is_note(memory) && seen.insert(memory.id.clone()));
        known.truncate(limits::DISTIL_KNOWN);
        known.sort_by(|a, b| (a.created_at, &a.id).cmp(&(b.created_at, &b.id)));
        Ok(known)
    }

    /// Whether there is something for a model to read: a word or two of the user's that none has read, and nobody asked that
    /// nothing be kept.
    pub(super) fn is_worth_reading(&self, turns: &[Turn], new: &HashSet<TurnId>) -> bool {
        let silenced = match &self.tools.judge {
            Some(judge) => told::is_silenced(&**judge, turns) || told::orders_silence(turns),
            None => session_asks_to_forget(turns),
        };
        let said = |turn: &&Turn| turn.role == Role::User && new.contains(&turn.id);
        !silenced && turns.iter().filter(said).any(|turn| says_something(&turn.text))
    }

    /// What is known and might be said again or changed: near what the user said, by words and by meaning, and the rules.
    async fn related(
        &self,
        matter: &SessionSnapshot,
        new: &HashSet<TurnId>,
        filter: &Filter,
    ) -> StoreResult<Vec<Memory>> {
        let said: Vec<String> = matter
            .turns
            .iter()
            .filter(|turn| turn.role == Role::User && new.contains(&turn.id))
            .map(|turn| turn.text.chars().take(limits::DISTIL_CONTEXT_CHARACTERS).collect())
            .collect();
        let mut ids: Vec<MemoryId> = Vec::new();
        let mut longest = said.clone();
        longest.sort_by_key(|text| std::cmp::Reverse(text.len()));
        longest.truncate(RELATED_TURNS);
        for text in &longest {
            let query = query::plain(text, &self.tools.analyser);
            let near = self.tools.store.nominate(Corpus::Memories, &query, filter, RELATED_EACH).await?;
            ids.extend(near.iter().filter_map(|nominee| nominee.id.parse().ok()));
        }
        if let Some(embedder) = &self.tools.embedder
            && let Ok(vectors) = embedder.embed(&longest).await
        {
            for vector in &vectors {
                let signature = embedder.signature();
                let near = self
                    .tools
                    .store
                    .nominate_near(Corpus::Memories, signature, vector, filter, RELATED_EACH)
                    .await?;
                let near = near.unwrap_or_default();
                ids.extend(near.iter().filter_map(|(nominee, _)| nominee.id.parse().ok()));
            }
        }
        let rules = Filter { kinds: vec![Kind::Rule], ..filter.clone() };
        let rules = self.tools.store.list_memories(&rules, PageRequest::newest(RELATED_EACH)).await?.items;
        ids.extend(rules.into_iter().map(|rule| rule.id));
        let mut seen = HashSet::new();
        ids.retain(|id| seen.insert(id.clone()));
        ids.truncate(limits::DISTIL_KNOWN);
        self.tools.store.memories(&ids).await
    }
}

/// Asks a model about a conversation, and about what the prompt had no room for again, so that it reads everything that is new to it. Returns also what
/// is left for those who need no prompt.
async fn read_in_parts(
    model: &dyn ChatModel,
    material: PromptMaterial<'_>,
) -> Result<(Draft, HashSet<TurnId>), ModelError> {
    let first = model::distil(model, &material).await?;
    let mut draft = first.draft;
    let mut unseen: HashSet<TurnId> = first.written.left_out.intersection(material.new).cloned().collect();
    for _ in 1..limits::DISTIL_PARTS {
        if unseen.is_empty() {
            break;
        }
        let turns: Vec<Turn> =
            material.turns.iter().filter(|turn| unseen.contains(&turn.id)).cloned().collect();
        let Ok(part) = model::distil(model, &PromptMaterial { turns: &turns, ..material }).await else {
            break;
        };
        unseen.retain(|id| part.written.left_out.contains(id));
        draft.add_part(part.draft);
    }
    Ok((draft, unseen))
}

/// A greeting, a "thanks" and an "ok" are one word; a statement has two at least. Scripts without spaces count by their signs.
fn says_something(text: &str) -> bool {
    let words = text.split_whitespace().filter(|word| word.chars().any(char::is_alphanumeric)).count();
    let unspaced =
        text.chars().filter(|character| *character >= '\u{2e80}' && character.is_alphabetic()).count();
    words >= 2 || unspaced >= UNSPACED_SIGNS
}

/// Signs of a script without spaces that can tell something.
const UNSPACED_SIGNS: usize = 3;

/// What waits for support that a model is shown, at most.
const HELD_SHOWN: usize = 8;

/// The user's turns that what is known is compared with, and how many memories each may bring.
const RELATED_TURNS: usize = 8;
const RELATED_EACH: usize = 8;
