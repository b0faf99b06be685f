//! What stays and tells again what is purged by its id: turns, quotations, digests, candidates, lines and blocks of the same users.
//!
//! By these it is found by what the memories say and rest on, so it goes before them: a purge that is cut off finds the rest by
//! repeating. What says the words that a purge names is not this file's: it goes as a whole ([`super::scan`]).

use std::collections::BTreeSet;

use super::copies::{self, Copies};
use super::decision::{self, Fate};
use super::progress::PurgePortion;
use super::redact::ForgetWords;
use super::reversible;
use super::{Purge, PurgeTarget, is_late};
use crate::error::StoreResult;
use crate::limits;
use crate::types::{MemoryId, Record, RecordKind, Time, UserId};

/// Kinds of records that tell in their own words what memories say. The lines of a profile name what they rest on, and go by that.
const KINDS: [RecordKind; 6] = [
    RecordKind::Memory,
    RecordKind::Episode,
    RecordKind::Held,
    RecordKind::Override,
    RecordKind::Relation,
    RecordKind::Session,
];

/// Whose records are looked at, and for what.
struct Retelling<'a> {
    words: ForgetWords<'a>,
    users: BTreeSet<&'a UserId>,
    gone: BTreeSet<&'a MemoryId>,
}

impl Purge<'_> {
    /// Takes out of what stays whatever tells of these memories.
    pub(super) async fn cut_retellings(&mut self, ids: &[MemoryId]) -> StoreResult<()> {
        // Where words are asked for, what says them goes as a whole, and what does not say them stays.
        if self.target.is_whole() || self.target.query.is_some() {
            return Ok(());
        }
        let memories = self.store.memories(ids).await?;
        let statements = copies::statements_of(self.store, self.analyser, self.target, &memories).await?;
        // What says the words that are asked for goes as a whole, with its turn.
        let target = PurgeTarget { query: None, ..self.target.clone() };
        let copies = Copies {
            store: self.store,
            analyser: self.analyser,
            target: &target,
            memories: &memories,
            statements: &statements,
        };
        let telling = copies.telling_turns(limits::READ_IDS, true).await?;
        let mut work = PurgePortion::default();
        for told in telling {
            if !self.words().match_text(&told.turn.text) && !self.is_noted("cut", told.turn.id.as_str()) {
                work.cut(told);
            }
        }
        self.commit(work).await?;
        let retelling = Retelling {
            words: copies.words(),
            users: copies::users(&memories),
            gone: memories.iter().map(|memory| &memory.id).collect(),
        };
        for kind in KINDS {
            self.retold_records(kind, &retelling).await?;
        }
        self.retold_blocks(&retelling).await
    }

    async fn retold_records(&mut self, kind: RecordKind, retelling: &Retelling<'_>) -> StoreResult<()> {
        let mut after = 0;
        loop {
            let rows = self.store.records_after(kind, after, limits::PURGE_ROWS).await?;
            let Some((last, _)) = rows.last() else { return Ok(()) };
            after = *last;
            let mut work = PurgePortion::default();
            for (_, record) in rows {
                let theirs = reversible::user_of(&record).is_some_and(|user| retelling.users.contains(user));
                let noted = self.is_noted(record.kind().as_str(), &record.id());
                if !theirs || noted || !self.is_in_bounds(&record) {
                    continue;
                }
                match self.retold(&record, retelling).await? {
                    Fate::Stays => {}
                    Fate::Goes => {
                        work.texts.extend(super::scan::said_by(&record));
                        work.purge(record.reference());
                    }
                    Fate::Rewritten(clean) => work.rewrite(clean),
                }
            }
            match self.commit(work).await {
                // The next pass comes by again.
                Err(error) if is_late(&error) => {}
                other => other?,
            }
        }
    }

    fn is_in_bounds(&self, record: &Record) -> bool {
        match record {
            Record::Memory(memory) => self.target.filter.bounds.admits(memory),
            _ => self.target.reaches(record),
        }
    }

    async fn retold(&self, record: &Record, retelling: &Retelling<'_>) -> StoreResult<Fate> {
        Ok(match record {
            Record::Memory(memory) if retelling.gone.contains(&memory.id) => Fate::Stays,
            Record::Memory(memory) => {
                let bare = decision::bare(memory, &retelling.words);
                if bare == **memory { Fate::Stays } else { Fate::Rewritten(bare.into()) }
            }
            Record::Relation(relation) => {
                let sentence = reversible::sentence(self.store, relation).await?;
                if retelling.words.match_text(&sentence) { Fate::Goes } else { Fate::Stays }
            }
            other => decision::of(other, &retelling.words, self.clock.now()),
        })
    }

    async fn retold_blocks(&mut self, retelling: &Retelling<'_>) -> StoreResult<()> {
        let (mut at, mut hash) = (Time::MIN, String::new());
        loop {
            let blocks = self.store.blocks_after(at, &hash, limits::PURGE_ROWS).await?;
            let Some(last) = blocks.last() else { return Ok(()) };
            (at, hash) = (last.at, last.hash.clone());
            let telling = blocks.into_iter().filter(|block| {
                !self.is_noted("block", &block.hash)
                    && retelling.users.contains(&block.session.user)
                    && self.target.admits_key(&block.session)
                    && block.text.lines().any(|line| retelling.words.match_text(line))
            });
            let mut work = PurgePortion::default();
            work.drop_blocks(telling.map(|block| block.hash).collect());
            self.commit(work).await?;
        }
    }
}
