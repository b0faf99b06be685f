//! Going through the records of a tenant, kind by kind, in portions.

use std::collections::BTreeSet;

use super::decision::{self, Fate};
use super::progress::PurgePortion;
use super::{Purge, is_late};
use crate::error::StoreResult;
use crate::limits;
use crate::text::query;
use crate::types::{
    Corpus, Entity, Filter, MemoryId, PageRequest, Record, RecordKind, SessionKey, TurnId, UserId, Veil,
};

impl Purge<'_> {
    /// Memories that are chosen, and everything that was made from them.
    pub(super) async fn memories(&mut self) -> StoreResult<()> {
        if !self.target.ids.is_empty() {
            for ids in self.target.ids.chunks(limits::PURGE_ROWS) {
                self.purge_memories(ids).await?;
            }
            return Ok(());
        }
        let mut after = 0;
        loop {
            let rows = self.store.records_after(RecordKind::Memory, after, limits::PURGE_ROWS).await?;
            let Some((last, _)) = rows.last() else { return Ok(()) };
            after = *last;
            let chosen = rows.into_iter().filter_map(|(_, record)| match record {
                Record::Memory(memory) if self.target.admits(&memory) => Some(*memory),
                _ => None,
            });
            let mut gone: Vec<MemoryId> = Vec::new();
            let mut work = PurgePortion::default();
            for memory in chosen {
                let fate = match &self.target.query {
                    Some(_) => decision::of_memory(&memory, &self.words()),
                    None => Fate::Goes,
                };
                match fate {
                    Fate::Goes => gone.push(memory.id),
                    Fate::Rewritten(record) => work.rewrite(record),
                    Fate::Stays => {}
                }
            }
            match self.commit(work).await {
                // The next pass comes by again.
                Err(error) if is_late(&error) => {}
                other => other?,
            }
            self.purge_memories(&gone).await?;
        }
    }

    async fn purge_memories(&mut self, ids: &[MemoryId]) -> StoreResult<()> {
        if ids.is_empty() {
            return Ok(());
        }
        self.cut_retellings(ids).await?;
        for _ in 0..limits::TEND_RACES {
            let memories = self.store.memories(ids).await?;
            match self.purge_with_all_made_from(memories, Vec::new()).await {
                Err(error) if is_late(&error) => {}
                other => return other,
            }
        }
        let memories = self.store.memories(ids).await?;
        self.purge_with_all_made_from(memories, Vec::new()).await
    }

    /// Turns of which something is hidden that says it: words do not find them.
    async fn hidden_turns(&mut self) -> StoreResult<()> {
        let mut after = 0;
        loop {
            let rows = self.store.records_after(RecordKind::Veil, after, limits::PURGE_ROWS).await?;
            let Some((last, _)) = rows.last() else { return Ok(()) };
            after = *last;
            let reached =
                rows.into_iter().map(|(_, record)| record).filter(|record| self.target.reaches(record));
            let veils = reached.filter_map(|record| Veil::try_from(record).ok());
            let ids: BTreeSet<TurnId> = veils.flat_map(|veil| veil.hidden).map(|part| part.turn).collect();
            let said = self.store.turns_as_said(&ids.into_iter().collect::<Vec<_>>()).await?;
            let saying = said.into_iter().filter(|turn| self.words().match_text(&turn.text));
            let ids: Vec<TurnId> = saying.map(|turn| turn.id).collect();
            if !ids.is_empty() {
                self.purge_turns(&ids).await?;
            }
        }
    }

    /// What was said, and everything that was made from it.
    pub(super) async fn turns(&mut self) -> StoreResult<()> {
        if let Some(query) = self.target.query.clone() {
            self.hidden_turns().await?;
            let filter = self.target.conversations();
            loop {
                let found = self.store.nominate(Corpus::Turns, &query, &filter, limits::READ_IDS).await?;
                let ids: Vec<TurnId> = found.iter().filter_map(|nominee| nominee.id.parse().ok()).collect();
                for ids in ids.chunks(limits::PURGE_ROWS) {
                    self.purge_turns(ids).await?;
                }
                if ids.is_empty() || self.run.is_none() {
                    return Ok(());
                }
            }
        }
        let mut after = 0;
        loop {
            let rows = self.store.records_after(RecordKind::Session, after, limits::PURGE_ROWS).await?;
            let Some((last, _)) = rows.last() else { return Ok(()) };
            after = *last;
            for (_, record) in rows {
                if let Record::Session(session) = record
                    && self.target.admits_key(&session.key)
                {
                    self.turns_of(&session.key).await?;
                }
            }
        }
    }

    async fn turns_of(&mut self, key: &SessionKey) -> StoreResult<()> {
        let mut from = 0;
        loop {
            let turns = self.store.session_turns(key, from, limits::PURGE_ROWS).await?;
            let Some(last) = turns.last() else { return Ok(()) };
            from = last.index + 1;
            let ids: Vec<TurnId> = turns.into_iter().map(|turn| turn.id).collect();
            self.purge_turns(&ids).await?;
        }
    }

    async fn purge_turns(&mut self, ids: &[TurnId]) -> StoreResult<()> {
        for _ in 0..limits::TEND_RACES {
            let turns = self.store.turns(ids).await?;
            match self.purge_with_all_made_from(Vec::new(), turns).await {
                Err(error) if is_late(&error) => {}
                other => return other,
            }
        }
        let turns = self.store.turns(ids).await?;
        self.purge_with_all_made_from(Vec::new(), turns).await
    }

    /// All records of a kind, each by its fate.
    pub(super) async fn records(&mut self, kind: RecordKind) -> StoreResult<()> {
        let mut after = 0;
        loop {
            let mut next = after;
            for attempt in 0..=limits::TEND_RACES {
                let rows = self.store.records_after(kind, after, limits::PURGE_ROWS).await?;
                let Some((last, _)) = rows.last() else { return Ok(()) };
                next = *last;
                let work = self.planned(rows).await?;
                match self.commit(work).await {
                    Err(error) if is_late(&error) && attempt < limits::TEND_RACES => {}
                    other => {
                        other?;
                        break;
                    }
                }
            }
            after = next;
        }
    }

    async fn planned(&self, rows: Vec<(i64, Record)>) -> StoreResult<PurgePortion> {
        let mut work = PurgePortion::default();
        for (_, record) in rows {
            if self.is_noted(record.kind().as_str(), &record.id()) {
                continue;
            }
            match self.fate(&record).await? {
                Fate::Stays => {}
                Fate::Goes => {
                    work.texts.extend(said_by(&record));
                    work.remove("profile_lines", lines_of(&record));
                    if let Some(node) = super::closure::node_of(&record) {
                        work.drop_blocks(self.blocks_made_from(&node).await?);
                    }
                    work.purge(record.reference());
                }
                Fate::Rewritten(clean) => {
                    work.texts.extend(said_by(&record));
                    work.remove("profile_lines", lines_of(&record).saturating_sub(lines_of(&clean)));
                    work.rewrite(clean);
                }
            }
        }
        Ok(work)
    }

    async fn fate(&self, record: &Record) -> StoreResult<Fate> {
        if !self.target.reaches(record) {
            return Ok(Fate::Stays);
        }
        let in_session = self.target.filter.session.is_some();
        let whole = self.target.is_whole();
        let fate = match (record, whole) {
            (Record::Profile(_) | Record::Override(_), true) => match self.target.is_whole_identity() {
                true => Fate::Goes,
                false => Fate::Stays,
            },
            // A relation that was said in one conversation goes with its turns.
            (Record::Relation(_), true) if in_session => Fate::Stays,
            (Record::Entity(entity), _) if in_session => self.orphan(entity).await?,
            (_, true) => Fate::Goes,
            (_, false) => decision::of(record, &self.words(), self.clock.now()),
        };
        match record {
            Record::Profile(profile) if fate != Fate::Stays => self.known_to_agent(&profile.user, fate).await,
            Record::Override(line) if fate != Fate::Stays => self.known_to_agent(&line.user, fate).await,
            _ => Ok(fate),
        }
    }

    /// What an agent is told of a user is in its reach; of users it never met it is told nothing.
    async fn known_to_agent(&self, user: &UserId, fate: Fate) -> StoreResult<Fate> {
        let Some(agent) = &self.target.filter.agent else { return Ok(fate) };
        let theirs = Filter { agent: Some(agent.clone()), user: Some(user.clone()), ..Filter::ever() };
        let one = PageRequest::first(1);
        let met = self.store.list_sessions(&theirs, one).await?.total > 0
            || self.store.list_memories(&theirs, one).await?.total > 0;
        Ok(if met { fate } else { Fate::Stays })
    }

    /// An entity goes with a conversation if nothing leads to it any more and nobody mentions it.
    async fn orphan(&self, entity: &Entity) -> StoreResult<Fate> {
        let says = self.target.query.is_none() || self.words().match_text(&entity.name);
        let id = entity.id.as_str().to_owned();
        if !says || !self.store.relations_of(&[id]).await?.is_empty() {
            return Ok(Fate::Stays);
        }
        let named = query::plain(&entity.name, self.analyser);
        let (agent, user) = (entity.owner.agent.clone(), entity.owner.user.clone());
        let theirs = Filter { agent: Some(agent), user: Some(user), ..Filter::ever() };
        for corpus in Corpus::ALL {
            if !self.store.nominate(*corpus, &named, &theirs, 1).await?.is_empty() {
                return Ok(Fate::Stays);
            }
        }
        Ok(Fate::Goes)
    }
}

/// How long a profile is.
fn lines_of(record: &Record) -> usize {
    match record {
        Record::Profile(profile) => profile.text.lines().count(),
        _ => 0,
    }
}

/// What a record says, to be looked for in the files when it is gone.
pub(super) fn said_by(record: &Record) -> Vec<String> {
    match record {
        Record::Memory(memory) => vec![memory.content.clone()],
        Record::Episode(episode) => vec![episode.searchable_text()],
        Record::Session(session) => session.title.clone().into_iter().collect(),
        Record::Entity(entity) => vec![entity.name.clone()],
        Record::Held(held) => vec![held.memory.content.clone()],
        Record::Profile(profile) => profile.text.lines().map(str::to_owned).collect(),
        Record::Override(line) => vec![line.text.clone()],
        _ => Vec::new(),
    }
}
