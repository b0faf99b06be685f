//! Everything that was made from what goes, and what becomes of it.
//!
//! What was made from it alone goes with it. What was made from other things too stays, without what it had from there: a summary
//! loses the sentence, an insight that cannot be taken apart is said again from the statements that are left. What a person wrote
//! stays as long as it does not say it. The leaves go first, so that the derivations lead whoever has to begin again to the rest.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::decision::{self, Fate};
use super::progress::PurgePortion;
use super::statements::ForgottenStatements;
use super::{Purge, is_late};
use crate::error::StoreResult;
use crate::learn::identity::forget::{self, IdentityLeaving};
use crate::learn::identity::overrides;
use crate::limits;
use crate::profile::compose;
use crate::profile::template::ProfileLine;
use crate::tend::{derive, summarise};
use crate::text::tokens;
use crate::types::{
    Change, Erasure, Memory, MemoryId, Node, ProfileVersion, Record, RecordKind, RecordRef, SessionKey,
    Status, Turn, TurnId, UserId, content_hash,
};

/// What goes, in the order in which it was found.
#[derive(Default)]
pub(super) struct ErasureClosure {
    pub(super) nodes: HashSet<Node>,
    order: Vec<Node>,
    memories: HashMap<MemoryId, Memory>,
    /// Made from it, and from something else too.
    pub(super) partly: BTreeSet<Node>,
}

impl ErasureClosure {
    fn add(&mut self, node: Node) -> bool {
        let is_new = self.nodes.insert(node.clone());
        if is_new {
            self.order.push(node);
        }
        is_new
    }

    pub(super) fn memories_that_go(&self) -> impl Iterator<Item = &Memory> {
        let gone = self.memories.iter().filter(|(id, _)| self.nodes.contains(&Node::Memory((*id).clone())));
        gone.map(|(_, memory)| memory)
    }

    fn contents(&self) -> impl Iterator<Item = &str> {
        self.memories_that_go().map(|memory| memory.content.as_str())
    }

    pub(super) fn gone_memories(&self) -> Vec<Memory> {
        let of = |node: &Node| match node {
            Node::Memory(id) => self.memories.get(id).cloned(),
            _ => None,
        };
        self.order.iter().filter_map(of).collect()
    }
}

/// The node of a record that something can be made from.
pub fn node_of(record: &Record) -> Option<Node> {
    match record {
        Record::Memory(memory) => Some(Node::Memory(memory.id.clone())),
        Record::Episode(episode) => Some(Node::Episode(episode.id.clone())),
        Record::Relation(relation) => Some(Node::Relation(relation.id.clone())),
        Record::Profile(profile) => Some(Node::Profile(profile.id.clone())),
        _ => None,
    }
}

impl Purge<'_> {
    /// Purges these with all that was made from them, in one plan.
    pub(super) async fn purge_with_all_made_from(
        &mut self,
        memories: Vec<Memory>,
        turns: Vec<Turn>,
    ) -> StoreResult<()> {
        let mut gone = ErasureClosure::default();
        let turns: Vec<Turn> =
            turns.into_iter().filter(|turn| !self.is_noted("turn", turn.id.as_str())).collect();
        for memory in memories {
            if self.is_noted("memory", memory.id.as_str()) {
                continue;
            }
            if self.keeps_a_part(&memory).await? {
                gone.partly.insert(Node::Memory(memory.id.clone()));
                gone.memories.insert(memory.id.clone(), memory);
                continue;
            }
            gone.add(Node::Memory(memory.id.clone()));
            gone.memories.insert(memory.id.clone(), memory);
        }
        for turn in &turns {
            gone.add(Node::Turn(turn.id.clone()));
        }
        let mut work = self.followed(&mut gone).await?;
        self.plan_digests(&gone, &mut work).await?;
        self.plan_rest(&gone, &turns, &mut work).await?;
        self.forget_identity(&gone, Some(&mut work)).await?;
        self.commit(work).await?;
        // Once more, because a profile may have been made meanwhile.
        self.forget_identity(&gone, None).await
    }

    /// A statement that was made from several others, of which some stay, is written anew from those.
    async fn keeps_a_part(&self, memory: &Memory) -> StoreResult<bool> {
        if self.target.query.is_none() {
            return Ok(false);
        }
        Ok(!self.remaining(memory, &HashSet::new()).await?.is_empty())
    }

    /// The memories that this one was made from, that stay, and that do not say it.
    async fn remaining(&self, memory: &Memory, gone: &HashSet<Node>) -> StoreResult<Vec<Memory>> {
        if !memory.tags.iter().any(|tag| tag == derive::TAG || tag == summarise::TAG) && !is_merged(memory) {
            return Ok(Vec::new());
        }
        let parents = self.store.parents(&Node::Memory(memory.id.clone())).await?;
        let ids: Vec<MemoryId> = parents
            .into_iter()
            .filter(|parent| !gone.contains(parent))
            .filter_map(|parent| match parent {
                Node::Memory(id) => Some(id),
                _ => None,
            })
            .collect();
        let mut parents = self.store.memories(&ids).await?;
        parents.retain(|parent| {
            parent.status != Status::Deleted && !decision::memory_says(parent, &self.words())
        });
        Ok(parents)
    }

    /// Everything that goes along, and the parts that stay. A part of which nothing is left goes too, with what was made from it.
    async fn followed(&self, gone: &mut ErasureClosure) -> StoreResult<PurgePortion> {
        loop {
            self.follow(gone).await?;
            let mut work = PurgePortion::default();
            let emptied = self.plan_parts(gone, &mut work).await?;
            if emptied.is_empty() {
                return Ok(work);
            }
            for memory in emptied {
                let node = Node::Memory(memory.id.clone());
                gone.partly.remove(&node);
                gone.add(node);
                gone.memories.insert(memory.id.clone(), memory);
            }
        }
    }

    /// Walks from what goes to what was made from it, until nothing more goes.
    async fn follow(&self, gone: &mut ErasureClosure) -> StoreResult<()> {
        let mut next: Vec<Node> = gone.order.clone();
        while !next.is_empty() {
            for node in std::mem::take(&mut next) {
                for child in self.store.children(&node).await? {
                    let followed = matches!(child, Node::Memory(_) | Node::Episode(_) | Node::Relation(_));
                    let is_new = !gone.nodes.contains(&child) && !self.is_noted(child.kind(), child.id());
                    if followed && is_new {
                        gone.partly.insert(child);
                    }
                }
            }
            for child in gone.partly.clone() {
                if self.goes_along(&child, gone).await? {
                    gone.partly.remove(&child);
                    gone.add(child.clone());
                    next.push(child);
                }
            }
        }
        Ok(())
    }

    /// Whether a child was made from what goes and from nothing else.
    async fn goes_along(&self, child: &Node, gone: &mut ErasureClosure) -> StoreResult<bool> {
        let parents = self.store.parents(child).await?;
        if !parents.iter().all(|parent| gone.nodes.contains(parent)) {
            return Ok(false);
        }
        let Node::Memory(id) = child else { return Ok(true) };
        if !gone.memories.contains_key(id) {
            let read = self.store.memories(std::slice::from_ref(id)).await?;
            gone.memories.extend(read.into_iter().map(|memory| (memory.id.clone(), memory)));
        }
        let Some(memory) = gone.memories.get(id) else { return Ok(false) };
        Ok(!decision::is_theirs(memory) && !self.rests_on_another_sentence(memory, &parents))
    }

    /// Only a sentence of the turn is meant, and the memory quotes another.
    fn rests_on_another_sentence(&self, memory: &Memory, parents: &[Node]) -> bool {
        let said = parents.iter().all(|parent| matches!(parent, Node::Turn(_)));
        let quote = memory.evidence.as_deref().filter(|quote| !quote.trim().is_empty());
        let quotes_another = quote.is_some_and(|quote| !self.words().match_text(quote));
        self.target.query.is_some() && said && quotes_another && !decision::memory_says(memory, &self.words())
    }

    /// Memories that stay: without what they had from what goes. Gives those of which nothing is left.
    async fn plan_parts(&self, gone: &ErasureClosure, work: &mut PurgePortion) -> StoreResult<Vec<Memory>> {
        let mut emptied = Vec::new();
        let ids: Vec<MemoryId> = gone
            .partly
            .iter()
            .filter_map(|node| match node {
                Node::Memory(id) => Some(id.clone()),
                _ => None,
            })
            .collect();
        let said = ForgottenStatements::of_memories(gone.memories_that_go(), [], self.analyser);
        for memory in self.store.memories(&ids).await? {
            let remaining = self.remaining(&memory, &gone.nodes).await?;
            match self.without(&memory, &remaining, &said, gone) {
                Fate::Stays => continue,
                Fate::Goes => {
                    emptied.push(memory);
                    continue;
                }
                Fate::Rewritten(record) => {
                    work.rewrite(record);
                    if self.has_archive(&memory.id).await? {
                        work.remove("archives", 1);
                        work.erase(Erasure::Archive { memory: memory.id.clone() });
                    }
                }
            }
            work.texts.push(memory.content.clone());
        }
        Ok(emptied)
    }

    fn without(
        &self,
        memory: &Memory,
        remaining: &[Memory],
        said: &ForgottenStatements,
        gone: &ErasureClosure,
    ) -> Fate {
        let words = self.words();
        let mut clean = decision::bare(memory, &words);
        let quotes_gone = |quote: &str| gone.contents().any(|content| content.contains(quote));
        clean.evidence = clean.evidence.filter(|quote| !quotes_gone(quote));
        let cut = words.without(&memory.content, said);
        if let Some(rest) = cut {
            clean.content = rest;
        } else if memory.tags.iter().any(|tag| tag == derive::TAG) && !remaining.is_empty() {
            // What a model made of several statements cannot be taken apart.
            clean.content = retold(remaining);
        }
        clean.tags.retain(|tag| !words.match_text(tag));
        if clean.content.trim().is_empty() && !decision::is_theirs(memory) {
            clean.content = retold(remaining);
        }
        if clean.content.trim().is_empty() || decision::memory_says(&clean, &words) {
            return Fate::Goes;
        }
        if clean == *memory {
            return Fate::Stays;
        }
        clean.content_hash = content_hash(&clean.content);
        clean.updated_at = self.clock.now();
        Fate::Rewritten(clean.into())
    }

    /// What goes, leaves first.
    async fn plan_rest(
        &self,
        gone: &ErasureClosure,
        turns: &[Turn],
        work: &mut PurgePortion,
    ) -> StoreResult<()> {
        let memories: Vec<MemoryId> = gone.gone_memories().into_iter().map(|memory| memory.id).collect();
        for ids in memories.chunks(limits::PURGE_ROWS) {
            work.remove("links", self.store.links_of(ids).await?.len());
        }
        let mut blocks = BTreeSet::new();
        for node in gone.order.iter().rev() {
            blocks.extend(self.blocks_made_from(node).await?);
            match node {
                Node::Memory(id) => {
                    if self.has_archive(id).await? {
                        work.remove("archives", 1);
                    }
                    work.purge(RecordRef::memory(id));
                }
                Node::Episode(id) => work.purge(reference(RecordKind::Episode, id.as_str())),
                Node::Relation(id) => work.purge(reference(RecordKind::Relation, id.as_str())),
                _ => {}
            }
        }
        work.drop_blocks(blocks.into_iter().collect());
        self.plan_turns(turns, work).await?;
        let memories = gone.gone_memories();
        let sessions: BTreeSet<SessionKey> = memories.iter().filter_map(session_of).collect();
        // Of what is purged nothing is left that a model could be held to, so it does not read those conversations again.
        work.changes.extend(sessions.into_iter().map(|session| Change::ClearRedo { session }));
        work.texts.extend(memories.iter().map(|memory| memory.content.clone()));
        work.memories.extend(memories);
        Ok(())
    }

    async fn plan_turns(&self, turns: &[Turn], work: &mut PurgePortion) -> StoreResult<()> {
        if turns.is_empty() {
            return Ok(());
        }
        let ids: Vec<TurnId> = turns.iter().map(|turn| turn.id.clone()).collect();
        let sessions: BTreeSet<&SessionKey> = turns.iter().map(|turn| &turn.session).collect();
        let mut waiting = 0;
        for key in sessions {
            let pending = self.store.pending_of(key).await?;
            waiting += pending.iter().filter(|pending| ids.contains(&pending.turn)).count();
        }
        work.remove("pending", waiting);
        work.remove("turns", ids.len());
        work.ids.extend(ids.iter().map(|id| format!("turn:{id}")));
        work.texts.extend(turns.iter().map(|turn| turn.text.clone()));
        work.changes.push(Change::PurgeTurns { turns: ids });
        Ok(())
    }

    /// The lines of a version that rest on these; those that a rehearsal has counted already are left out.
    fn lines_resting_on(&self, version: &ProfileVersion, ids: &HashSet<MemoryId>) -> Vec<String> {
        let is_noted = self.is_noted("profile", version.id.as_str());
        let rests = |line: &ProfileLine| line.sources.iter().any(|id| ids.contains(id));
        let lines = compose::told(version).into_iter().filter(rests).map(|line| line.text);
        lines.filter(|line| !is_noted || !self.words().match_text(line)).collect()
    }

    /// Lines of profiles and overrides that rest on memories which go. With work it is counted.
    async fn forget_identity(
        &self,
        gone: &ErasureClosure,
        work: Option<&mut PurgePortion>,
    ) -> StoreResult<()> {
        let memories = gone.gone_memories();
        if memories.is_empty() {
            return Ok(());
        }
        if let Some(work) = work {
            let ids: HashSet<MemoryId> = memories.iter().map(|memory| memory.id.clone()).collect();
            let users: BTreeSet<&UserId> = memories.iter().map(|memory| &memory.user).collect();
            for user in users {
                let versions = self.store.profile_versions(user).await?;
                let lines = versions.iter().flat_map(|version| self.lines_resting_on(version, &ids)).count();
                work.remove("profile_lines", lines);
                let standing = self.store.overrides(user).await?;
                work.remove("overrides", overrides::resting_on(standing, &ids).len());
            }
        }
        if self.run.is_none() {
            return Ok(());
        }
        for _ in 0..limits::TEND_RACES {
            match forget::forget(self.store, &memories, IdentityLeaving::Purged, self.clock.now()).await {
                Err(error) if is_late(&error) => {}
                other => return other,
            }
        }
        forget::forget(self.store, &memories, IdentityLeaving::Purged, self.clock.now()).await
    }
}

/// A person or upkeep made one of several.
fn is_merged(memory: &Memory) -> bool {
    memory.content.contains(". ") || memory.content.contains("; ")
}

/// The statements that are left, one after the other.
fn retold(statements: &[Memory]) -> String {
    let said: Vec<&str> =
        statements.iter().map(|memory| memory.content.trim().trim_end_matches('.')).collect();
    tokens::cut_to_tokens(&said.join("; "), limits::SUMMARY_MOST_TOKENS).to_owned()
}

pub(super) fn session_of(memory: &Memory) -> Option<SessionKey> {
    memory.session.clone().map(|session| SessionKey::new(&memory.owner(), session))
}

fn reference(kind: RecordKind, id: &str) -> RecordRef {
    RecordRef { kind, id: id.to_owned() }
}
