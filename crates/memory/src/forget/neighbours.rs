//! What was known only through what is forgotten: the people and things that it named, what held between them, and the topics of digests.
//!
//! Such a neighbour says little by itself, and tells that there was something. It goes if all its words are among those that are forgotten
//! and nothing that stays says them: no turn as far as it is still told, and no memory. What somebody put into the graph without a conversation behind it
//! stays unless it is named.

use std::collections::{BTreeSet, HashMap};

use crate::error::StoreResult;
use crate::limits;
use crate::ports::ReadStore;
use crate::text::similarity::word_set;
use crate::text::{Analyser, query};
use crate::types::{
    Corpus, Entity, Episode, Filter, MemoryId, Node, Owner, Record, RecordKind, Relation, RelationId, Status,
    Turn, TurnId,
};

use super::Purge;
use super::progress::PurgePortion;

/// How conversations call the user in the graph: who speaks is known by speaking.
const USER: &str = "User";

/// What is forgotten, and what of the rest still tells something.
pub(super) struct Neighbours<'a, S: ReadStore + ?Sized> {
    pub store: &'a S,
    pub analyser: &'a Analyser,
    /// Every word that is forgotten.
    pub words: BTreeSet<String>,
    /// Turns of which something is about to be hidden, as they are then.
    pub left: HashMap<TurnId, String>,
    /// Memories that are about to go.
    pub gone: BTreeSet<MemoryId>,
    /// Relations that go.
    pub relations: BTreeSet<RelationId>,
}

impl<S: ReadStore + ?Sized> Neighbours<'_, S> {
    /// Whether a name has no word that is not among the forgotten ones.
    fn is_among_forgotten(&self, name: &str) -> bool {
        let words = word_set(name, self.analyser);
        !words.is_empty() && words.is_subset(&self.words)
    }

    /// Whether anything that stays of this owner's says a name.
    async fn is_told(&self, name: &str, owner: &Owner) -> StoreResult<bool> {
        let wanted = word_set(name, self.analyser);
        let filter = Filter { user: Some(owner.user.clone()), ..Filter::ever() };
        let asked = query::plain(name, self.analyser);
        let limit = limits::COPIES_LOOKED_AT;
        let nominees = self.store.nominate(Corpus::Turns, &asked, &filter, limit).await?;
        let ids: Vec<TurnId> = nominees.into_iter().filter_map(|nominee| nominee.id.parse().ok()).collect();
        let turns = self.store.turns(&ids).await?;
        Ok(turns.iter().any(|turn| self.says(turn, &wanted))
            || self.is_known(&wanted, &asked, &filter).await?)
    }

    fn says(&self, turn: &Turn, wanted: &BTreeSet<String>) -> bool {
        let text = self.left.get(&turn.id).unwrap_or(&turn.text);
        wanted.is_subset(&word_set(text, self.analyser))
    }

    /// Whether a memory that stays has all of some words.
    async fn is_known(
        &self,
        wanted: &BTreeSet<String>,
        asked: &query::Query,
        filter: &Filter,
    ) -> StoreResult<bool> {
        let limit = limits::COPIES_LOOKED_AT;
        let nominees = self.store.nominate(Corpus::Memories, asked, filter, limit).await?;
        let ids: Vec<MemoryId> = nominees.into_iter().filter_map(|nominee| nominee.id.parse().ok()).collect();
        let memories = self.store.memories(&ids).await?;
        Ok(memories.iter().any(|memory| {
            memory.status != Status::Deleted
                && !self.gone.contains(&memory.id)
                && wanted.is_subset(&word_set(&memory.content, self.analyser))
        }))
    }

    /// Whether a relation was said only where it is forgotten.
    pub async fn takes_relation(&self, relation: &Relation) -> StoreResult<bool> {
        let ends = [relation.subject.as_str().to_owned(), relation.object.as_str().to_owned()];
        let names: Vec<String> =
            self.store.entities(&ends).await?.into_iter().map(|entity| entity.name).collect();
        let others: Vec<&str> = names.iter().map(String::as_str).filter(|name| *name != USER).collect();
        let named = others.join(" ");
        if others.is_empty() || !self.is_among_forgotten(&named) {
            return Ok(false);
        }
        let parents = self.store.parents(&Node::Relation(relation.id.clone())).await?;
        let said = parents.into_iter().filter_map(|parent| match parent {
            Node::Turn(id) => Some(id),
            _ => None,
        });
        let said: Vec<TurnId> = said.collect();
        if said.is_empty() {
            return Ok(false);
        }
        let wanted = word_set(&named, self.analyser);
        let still = self.store.turns(&said).await?.iter().any(|turn| self.says(turn, &wanted));
        let filter = Filter { user: Some(relation.owner.user.clone()), ..Filter::ever() };
        let asked = query::plain(&named, self.analyser);
        Ok(!still && !self.is_known(&wanted, &asked, &filter).await?)
    }

    /// An entity without what nothing that stays says: all of it, where that is its name.
    pub async fn entity(&self, entity: &Entity) -> StoreResult<EntityLeft> {
        let mut clean = entity.clone();
        clean.aliases.clear();
        for alias in &entity.aliases {
            // Conversations give other names to the user alone; what else an entity is called somebody wrote into the graph.
            let theirs = entity.name == USER && self.is_among_forgotten(alias);
            if !theirs || self.is_told(alias, &entity.owner).await? {
                clean.aliases.push(alias.clone());
            }
        }
        if entity.name != USER && self.is_among_forgotten(&entity.name) && clean.aliases.is_empty() {
            let id = entity.id.as_str().to_owned();
            let holds = |relation: &Relation| {
                relation.status == Status::Active && !self.relations.contains(&relation.id)
            };
            let leads = self.store.relations_of(&[id]).await?.iter().any(holds);
            if !leads && !self.is_told(&entity.name, &entity.owner).await? {
                return Ok(EntityLeft::Nothing);
            }
        }
        if clean.aliases.len() == entity.aliases.len() {
            return Ok(EntityLeft::All);
        }
        Ok(EntityLeft::Part(clean))
    }

    /// Takes the topics out of a digest that nothing else says any more. Says whether there were any.
    pub async fn thin_topics(&self, episode: &mut Episode) -> StoreResult<bool> {
        let lists = [&episode.decisions, &episode.action_items];
        let rest: Vec<&str> =
            lists.into_iter().flatten().map(String::as_str).chain([episode.summary.as_str()]).collect();
        let rest = word_set(&rest.join("\n"), self.analyser);
        let owner = episode.session.owner();
        let before = episode.topics.len();
        let mut topics = Vec::with_capacity(before);
        for topic in std::mem::take(&mut episode.topics) {
            let repeated = word_set(&topic, self.analyser).is_subset(&rest);
            if repeated || !self.is_among_forgotten(&topic) || self.is_told(&topic, &owner).await? {
                topics.push(topic);
            }
        }
        episode.topics = topics;
        Ok(episode.topics.len() < before)
    }
}

/// What is left of an entity.
pub(super) enum EntityLeft {
    All,
    /// It loses names.
    Part(Entity),
    Nothing,
}

impl Purge<'_> {
    /// What was known only through what went: looked for when that is gone, by the words of what went.
    pub(super) async fn neighbours(&mut self) -> StoreResult<()> {
        let texts = &self.progress.traces.texts;
        if self.run.is_none() || texts.is_empty() || self.target.is_whole() {
            return Ok(());
        }
        let words = texts.iter().flat_map(|text| word_set(text, self.analyser)).collect();
        let mut neighbours = Neighbours {
            store: self.store,
            analyser: self.analyser,
            words,
            left: HashMap::new(),
            gone: BTreeSet::new(),
            relations: BTreeSet::new(),
        };
        for kind in [RecordKind::Relation, RecordKind::Entity, RecordKind::Episode] {
            let mut after = 0;
            loop {
                let rows = self.store.records_after(kind, after, limits::PURGE_ROWS).await?;
                let Some((last, _)) = rows.last() else { break };
                after = *last;
                let mut work = PurgePortion::default();
                for (_, record) in rows.into_iter().filter(|(_, record)| self.is_theirs(record)) {
                    self.plan_neighbour(&mut neighbours, record, &mut work).await?;
                }
                match self.commit(work).await {
                    // The next pass comes by again.
                    Err(error) if super::is_late(&error) => {}
                    other => other?,
                }
            }
        }
        Ok(())
    }

    /// Whether a record belongs to somebody of whom something went.
    fn is_theirs(&self, record: &Record) -> bool {
        let user = super::reversible::user_of(record);
        self.target.reaches(record) && user.is_some_and(|user| self.progress.users.contains(user))
    }

    async fn plan_neighbour(
        &self,
        neighbours: &mut Neighbours<'_, dyn crate::ports::Store + '_>,
        record: Record,
        work: &mut PurgePortion,
    ) -> StoreResult<()> {
        match record {
            Record::Relation(relation) => {
                let taken = neighbours.takes_relation(&relation).await?;
                if taken {
                    neighbours.relations.insert(relation.id.clone());
                    work.purge(Record::from(*relation).reference());
                }
            }
            Record::Entity(entity) => match neighbours.entity(&entity).await? {
                EntityLeft::All => {}
                EntityLeft::Part(clean) => {
                    work.rewrite(Entity { updated_at: self.clock.now(), ..clean }.into());
                }
                // Its name is no sentence: others that have it in them stay.
                EntityLeft::Nothing => {
                    work.purge(Record::from(*entity).reference());
                }
            },
            Record::Episode(episode) => {
                let mut clean = *episode;
                if neighbours.thin_topics(&mut clean).await? {
                    clean.updated_at = self.clock.now();
                    work.rewrite(clean.into());
                }
            }
            _ => {}
        }
        Ok(())
    }
}
