//! What an export of ours holds, as it was there.
//!
//! Memories that were in the store before under other ids give their tags to those, and whatever names them later names those
//! instead. Which they are is found out in the first look at the file, against the store as it was then: two memories of one file that
//! say the same were two where they come from, and stay two.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use memory::error::StoreError;
use memory::ports::ReadStore;
use memory::types::{
    Change, Item, Memory, MemoryId, Node, Part, Record, RecordKind, RestoredItem, Status, Written,
    content_hash,
};
use store::Role;

use super::ImportRun;
use crate::error::Error;
use crate::limits;

/// Items on their way.
#[derive(Default)]
pub struct ItemIntake {
    waiting: Vec<(String, Item)>,
    bytes: usize,
    /// Memories of the file that were looked at and not yet looked up.
    looked_at: Vec<Memory>,
    /// Ids of all memories in the file, shortened: none of them is somebody else's like.
    in_file: HashSet<u64>,
    /// Memories of the file whose like is here: which it is.
    likes: HashMap<MemoryId, MemoryId>,
}

impl ImportRun<'_> {
    /// The first look: memories whose like is here under another id.
    pub(super) async fn look_at_item(&mut self, item: &Item) -> Result<(), Error> {
        let Item::Record { value, .. } = item else { return Ok(()) };
        let Record::Memory(memory) = &**value else { return Ok(()) };
        if self.options.no_dedup {
            return Ok(());
        }
        self.items.in_file.insert(short(memory.id.as_str()));
        if memory.status != Status::Active {
            return Ok(());
        }
        let mut item = item.clone();
        if self.whose.take(&mut item).is_err() {
            return Ok(());
        }
        if let Item::Record { value, .. } = item
            && let Record::Memory(memory) = *value
        {
            self.items.looked_at.push(*memory);
        }
        if self.items.looked_at.len() >= limits::IMPORT_CHANGES {
            self.look_up().await?;
        }
        Ok(())
    }

    /// The end of the first look.
    pub(super) async fn looked(&mut self) -> Result<(), Error> {
        self.look_up().await?;
        let in_file = std::mem::take(&mut self.items.in_file);
        self.items.likes.retain(|_, like| !in_file.contains(&short(like.as_str())));
        Ok(())
    }

    async fn look_up(&mut self) -> Result<(), Error> {
        let memories = std::mem::take(&mut self.items.looked_at);
        if memories.is_empty() {
            return Ok(());
        }
        let hashes: Vec<String> = memories.iter().map(|memory| content_hash(&memory.content)).collect();
        let here = self.tenant.memories_by_hash(&hashes).await?;
        if here.is_empty() {
            return Ok(());
        }
        let ids: Vec<MemoryId> = memories.iter().map(|memory| memory.id.clone()).collect();
        let known: HashSet<MemoryId> =
            self.tenant.memories(&ids).await?.into_iter().map(|memory| memory.id).collect();
        for memory in memories.iter().filter(|memory| !known.contains(&memory.id)) {
            let like = here.iter().find(|(_, standing)| is_like(standing, memory));
            if let Some((_, like)) = like {
                self.items.likes.insert(memory.id.clone(), like.id.clone());
            }
        }
        Ok(())
    }

    pub(super) async fn item(&mut self, place: String, mut item: Item) -> Result<(), Error> {
        let part = item.part();
        if self.role < Role::Admin && needs_admin(part) {
            self.report.count_beside(part.as_str(), false);
            return Ok(());
        }
        if let Err(message) = self
            .whose
            .take(&mut item)
            .and_then(|()| memory::validate::item(&item).map_err(|invalid| invalid.message))
        {
            self.report.trouble(place, message);
            return Ok(());
        }
        if self.leads_away(&mut item) {
            self.report.count_beside(part.as_str(), false);
            return Ok(());
        }
        if self.whose.allowed.is_some() && !self.is_theirs(&item).await? {
            self.report
                .trouble(place, "it is about what belongs to an agent that this key may not speak for");
            return Ok(());
        }
        self.items.bytes += about(&item);
        self.items.waiting.push((place, item));
        if self.items.waiting.len() >= limits::IMPORT_CHANGES || self.items.bytes >= limits::IMPORT_BYTES {
            self.flush_items().await?;
        }
        Ok(())
    }

    /// Names the memory that is here where the item names its like; true where the item has nothing to say then.
    fn leads_away(&self, item: &mut Item) -> bool {
        let likes = &self.items.likes;
        if likes.is_empty() {
            return false;
        }
        let renamed = |id: &mut MemoryId| {
            if let Some(like) = likes.get(id) {
                *id = like.clone();
            }
        };
        match item {
            // What happened to the other one is not the history of this one.
            Item::History { of, .. } => {
                of.kind == RecordKind::Memory
                    && of.id.parse().is_ok_and(|id: MemoryId| likes.contains_key(&id))
            }
            Item::Counter { memory, .. } | Item::Counted { memory, .. } => likes.contains_key(memory),
            Item::Archive { value, .. } => likes.contains_key(&value.memory),
            Item::Access { value } => likes.contains_key(&value.memory),
            Item::Feedback { value } => likes.contains_key(&value.memory),
            Item::Vector { id, .. } => id.parse().is_ok_and(|id: MemoryId| likes.contains_key(&id)),
            Item::Record { value, .. } => {
                if let Record::Link(link) = &mut **value {
                    renamed(&mut link.from);
                    renamed(&mut link.to);
                    return link.from == link.to;
                }
                false
            }
            Item::Derivation { child, parent, .. } => {
                for node in [&mut *child, &mut *parent] {
                    if let Node::Memory(id) = node {
                        renamed(id);
                    }
                }
                child == parent
            }
            _ => false,
        }
    }

    /// For a key that is bound to agents: what names memories may name only theirs.
    async fn is_theirs(&mut self, item: &Item) -> Result<bool, Error> {
        let named: Vec<MemoryId> = match item {
            Item::Record { value, .. } => match &**value {
                Record::Link(link) => vec![link.from.clone(), link.to.clone()],
                _ => return Ok(true),
            },
            Item::Turn { .. } | Item::Pending { .. } | Item::Redo { .. } => return Ok(true),
            Item::Counter { memory, .. } => vec![memory.clone()],
            Item::Archive { value, .. } => vec![value.memory.clone()],
            Item::Feedback { value } => vec![value.memory.clone()],
            _ => return Ok(false),
        };
        // What they name may still be on its way.
        self.flush_items().await?;
        let allowed = self.whose.allowed.clone().unwrap_or_default();
        let memories = self.tenant.memories(&named).await?;
        Ok(memories.iter().all(|memory| allowed.contains(&memory.agent)))
    }

    pub(super) async fn flush_items(&mut self) -> Result<(), Error> {
        let waiting = std::mem::take(&mut self.items.waiting);
        self.items.bytes = 0;
        if waiting.is_empty() {
            return Ok(());
        }
        match self.restore(&waiting).await {
            Ok(written) => {
                for ((place, item), restored) in waiting.into_iter().zip(written.restored) {
                    self.restored(place, &item, restored);
                }
            }
            // One of them is refused: each by itself, so that the others come in.
            Err(StoreError::Invalid(_) | StoreError::Conflict { .. } | StoreError::NotFound(_)) => {
                for one in waiting {
                    match self.restore(std::slice::from_ref(&one)).await {
                        Ok(mut written) => {
                            let restored = written.restored.pop().unwrap_or(RestoredItem::Known);
                            self.restored(one.0, &one.1, restored);
                        }
                        Err(
                            error @ (StoreError::Invalid(_)
                            | StoreError::Conflict { .. }
                            | StoreError::NotFound(_)),
                        ) => {
                            self.report.trouble(one.0, error.to_string());
                        }
                        Err(error) => return Err(error.into()),
                    }
                }
            }
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }

    async fn restore(&mut self, items: &[(String, Item)]) -> Result<Written, StoreError> {
        let mut batch = self.batch();
        for (_, item) in items {
            let unite = matches!(item, Item::Record { value, .. } if self.unites(value));
            batch = batch.with(Change::Restore { item: Box::new(item.clone()), unite });
        }
        self.apply(batch).await
    }

    fn unites(&self, record: &Record) -> bool {
        matches!(record, Record::Memory(memory) if self.items.likes.contains_key(&memory.id))
    }

    fn restored(&mut self, place: String, item: &Item, restored: RestoredItem) {
        let part = item.part();
        let counts = is_counted(part);
        let mut count = |is_new: bool| match counts {
            true => self.report.count(part.as_str(), is_new),
            false => self.report.count_beside(part.as_str(), is_new),
        };
        match restored {
            RestoredItem::New => count(true),
            RestoredItem::Known | RestoredItem::SameAs { .. } => count(false),
            // In a dry run what it needs would have come with the file.
            RestoredItem::Missing { .. } if self.options.dry_run => count(true),
            RestoredItem::Missing { what } => {
                self.report.trouble(place, format!("{what} is not here, and it needs it"))
            }
            RestoredItem::Taken { what } => {
                self.report.trouble(place, format!("there is no place for it: {what}"))
            }
        }
    }
}

fn short(id: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}

fn is_like(standing: &Memory, other: &Memory) -> bool {
    standing.id != other.id
        && standing.status == Status::Active
        && content_hash(&standing.content) == content_hash(&other.content)
        && (standing.belonging(), standing.layer) == (other.belonging(), other.layer)
}

/// What a person would count; the rest stands beside it.
fn is_counted(part: Part) -> bool {
    matches!(
        part,
        Part::Memory
            | Part::Session
            | Part::Episode
            | Part::Entity
            | Part::Relation
            | Part::Link
            | Part::Held
            | Part::Profile
            | Part::Override
            | Part::Agent
            | Part::Setting
    )
}

fn needs_admin(part: Part) -> bool {
    part.is_administration() || matches!(part, Part::History | Part::Counted)
}

/// About how many bytes it takes.
fn about(item: &Item) -> usize {
    match item {
        Item::Turn { value } => value.text.len(),
        Item::Record { value, .. } => match &**value {
            Record::Memory(memory) => memory.content.len() + 500,
            Record::Profile(profile) => profile.text.len() * 2,
            _ => 1_000,
        },
        Item::History { before: Some(_), .. } => 1_500,
        Item::Vector { vector, .. } => vector.len() * 4,
        Item::Block { value } => value.text.len(),
        Item::Archive { value, .. } => value.text.len(),
        _ => 200,
    }
}
