//! Who distils: a model, where one is there and enough was said for it, else the patterns.
//!
//! One call for a pass. Whatever goes wrong with it, the patterns distil at once and the session is put on the redo list:
//! the model gets another chance, and nothing waits for it. New to a model is also what was said before there was enough
//! to ask it about.

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::{Value, json};

use super::commit::PassTally;
use super::decide::session_asks_to_forget;
use super::draft::{Candidate, Draft};
use super::heuristic;
use super::model::{self, prompt::PromptMaterial};
use super::session_pass::{DIGEST_CHARACTERS, Learner, SessionSnapshot, said_by_user};
use super::told;
use crate::error::{ModelError, StoreResult};
use crate::limits;
use crate::ports::ChatModel;
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
        let enough = is_enough(&matter.turns);
        let mut fell_back = None;
        if let (Some(model), true) = (&self.tools.model, enough) {
            let new = self.new_to_model(matter).await?;
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
        let redo = match (&self.tools.model, enough) {
            (Some(_), false) => RedoMark::Leave,
            _ => RedoMark::Put,
        };
        let about = matter.turns.iter().map(|turn| turn.id.clone()).collect();
        Ok(DraftWithOrigin { draft, about, new: matter.pending.clone(), model: None, fell_back, redo })
    }

    /// The turns that wait; all of them where too little had been said before for a model to be asked.
    async fn new_to_model(&self, matter: &mut SessionSnapshot) -> StoreResult<HashSet<TurnId>> {
        let earlier: Vec<&Turn> =
            matter.turns.iter().filter(|turn| !matter.pending.contains(&turn.id)).collect();
        if earlier.is_empty() || said_by_user(earlier.iter().copied()) >= DIGEST_CHARACTERS {
            return Ok(matter.pending.clone());
        }
        self.read_again(matter).await
    }

    /// All turns, those among them that were distilled before: what a person did about them since stays done.
    pub(super) async fn read_again(&self, matter: &mut SessionSnapshot) -> StoreResult<HashSet<TurnId>> {
        matter.again = true;
        let key = &matter.session.key;
        let mut filter = Filter { statuses: vec![Status::Active, Status::Deleted], ..Filter::ever() };
        (filter.agent, filter.user) = (Some(key.agent.clone()), Some(key.user.clone()));
        filter.session = Some(key.session.clone());
        let mut made =
            self.tools.store.list_memories(&filter, PageRequest::first(limits::PAGE_ROWS)).await?.items;
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
        let identity = self.identity_lines(key).await?;
        let mut filter = Filter::current(self.tools.clock.now());
        (filter.agent, filter.user) = (Some(key.agent.clone()), Some(key.user.clone()));
        let page = PageRequest::first(limits::DISTIL_EPISODES + 1);
        // Of a session that is read again much later, those before it and not those of today.
        let before = Filter { until: Some(matter.session.last_turn_at), ..filter.clone() };
        let mut episodes = self.tools.store.list_episodes(&before, page).await?.items;
        episodes.retain(|episode| episode.session != *key);
        let mut reach = Filter { in_reach_of: Some(key.owner()), ..Filter::current(self.tools.clock.now()) };
        if matter.session.agent_only {
            reach.bounds.agents = vec![key.agent.clone()];
        }
        let known = self.related(matter, &new, &reach).await?;
        let material = PromptMaterial {
            now: self.tools.clock.now(),
            turns: &matter.turns,
            new: &new,
            identity: &identity,
            episodes: &episodes,
            known: &known,
        };
        let distilled = match model::distil(&**model, &material).await {
            Ok(distilled) => distilled,
            Err(error) => return Ok(Err(error)),
        };
        let mut draft = distilled.draft;
        let unseen: HashSet<TurnId> = distilled.written.left_out.intersection(&new).cloned().collect();
        if !unseen.is_empty() {
            // The middle of a very long session, which the prompt had no room for.
            draft.candidates.extend(self.by_patterns(matter, &unseen).await?.candidates);
        }
        let whole = matter.turns.iter().all(|turn| new.contains(&turn.id));
        Ok(Ok(DraftWithOrigin {
            draft,
            about: matter.turns.iter().map(|turn| turn.id.clone()).collect(),
            new,
            model: Some(model.name().to_owned()),
            fell_back: None,
            redo: if whole { RedoMark::Clear } else { RedoMark::Leave },
        }))
    }

    async fn by_patterns(&self, matter: &SessionSnapshot, new: &HashSet<TurnId>) -> StoreResult<Draft> {
        let key = &matter.session.key;
        let (said, earlier): (Vec<Turn>, Vec<Turn>) =
            matter.turns.iter().cloned().partition(|turn| new.contains(&turn.id));
        let mut filter = Filter::current(self.tools.clock.now());
        (filter.agent, filter.user) = (Some(key.agent.clone()), Some(key.user.clone()));
        let entities =
            self.tools.store.list_entities(&filter, PageRequest::first(limits::PAGE_ROWS)).await?.items;
        let known_names: Vec<String> =
            entities.into_iter().flat_map(|entity| entity.aliases.into_iter().chain([entity.name])).collect();
        let zone = self.tools.settings.zone();
        let context = heuristic::SessionBackground {
            earlier: &earlier,
            known_names: &known_names,
            zone: Some(&zone),
        };
        let mut draft = heuristic::distil(&said, context, &self.tools.analyser);
        if let Some(judge) = &self.tools.judge {
            told::improve(&mut draft, &matter.turns, new, &**judge, &self.tools.analyser, &zone);
        }
        Ok(draft)
    }

    async fn identity_lines(&self, key: &SessionKey) -> StoreResult<Vec<String>> {
        let overrides = self.tools.store.overrides(&key.user).await?;
        let profile = self.tools.store.profile(&key.user).await?;
        Ok(overrides.into_iter().map(|known| known.text).chain(profile.map(|profile| profile.text)).collect())
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
        let rules = self.tools.store.list_memories(&rules, PageRequest::first(RELATED_EACH)).await?.items;
        ids.extend(rules.into_iter().map(|rule| rule.id));
        let mut seen = HashSet::new();
        ids.retain(|id| seen.insert(id.clone()));
        ids.truncate(limits::DISTIL_KNOWN);
        self.tools.store.memories(&ids).await
    }
}

/// The user's turns that what is known is compared with, and how many memories each may bring.
const RELATED_TURNS: usize = 8;
const RELATED_EACH: usize = 8;

/// Whether there is enough for a model to be asked: something was said, and nobody asked that it be forgotten.
pub(super) fn is_enough(turns: &[Turn]) -> bool {
    said_by_user(turns) >= DIGEST_CHARACTERS && !session_asks_to_forget(turns)
}
