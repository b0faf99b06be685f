//! Memories that were written elsewhere, and what they point to.
//!
//! Equal content of the same layer, scope and owner is one memory: the one that is here gains the tags it lacks. What stands under
//! a note's key stays, and gains them too. What a note points to by a name that stands in the file becomes a link; a name that
//! never comes is kept in the note's metadata, so that nothing is lost.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use memory::error::StoreError;
use memory::limits::{MEMORY_CONTENT_BYTES, PAGE_ROWS, TAG_BYTES, TAGS};
use memory::ports::ReadStore;
use memory::types::{
    Batch, Change, Counters, Expect, Kind, Link, LinkId, LinkKind, Memory, MemoryId, Origin, Owner, Time,
};
use serde_json::Value;

use super::ImportRun;
use super::conversations::{bounded, split};
use crate::error::Error;
use crate::import_model::{ImportedMemory, Pointer};
use crate::lenient;
use crate::limits;

/// Notes on their way, and who points to whom.
#[derive(Default)]
pub struct MemoryIntake {
    waiting: Vec<WaitingMemory>,
    bytes: usize,
    /// Names that stand in the file.
    names: HashSet<String>,
    /// What the names became.
    ids: HashMap<String, MemoryId>,
    pointers: Vec<(MemoryId, String, LinkKind, f32)>,
    uses: Vec<(MemoryId, u64)>,
}

struct WaitingMemory {
    place: String,
    /// Or only, part of its note.
    is_first: bool,
    memory: Memory,
    use_count: u64,
    name: Option<String>,
    links: Vec<Pointer>,
}

impl MemoryIntake {
    /// The first look: which names there will be.
    pub(super) fn announce(&mut self, note: &ImportedMemory) {
        if let Some(name) = &note.name
            && self.names.len() < limits::IMPORT_NAMES
        {
            self.names.insert(name.clone());
        }
    }
}

impl ImportRun<'_> {
    pub(super) async fn note(&mut self, place: String, note: ImportedMemory) -> Result<(), Error> {
        let owner = match self.whose.owner(note.agent.as_ref(), note.user.as_ref()) {
            Ok(owner) => owner,
            Err(message) => {
                self.report.trouble(place, message);
                return Ok(());
            }
        };
        if note.content.trim().is_empty() {
            self.report.trouble(place, "it has no content; expected a text");
            return Ok(());
        }
        for waiting in self.memories(place, &owner, note) {
            if let Err(invalid) = memory::validate::memory(&waiting.memory) {
                self.report.trouble(waiting.place, invalid.message);
                continue;
            }
            self.notes.bytes += waiting.memory.content.len() + 500;
            self.notes.waiting.push(waiting);
        }
        if self.notes.waiting.len() >= limits::IMPORT_CHANGES || self.notes.bytes >= limits::IMPORT_BYTES {
            self.flush_notes().await?;
        }
        Ok(())
    }

    /// A note as a memory, or as several where it is too long for one.
    fn memories(&self, place: String, owner: &Owner, mut note: ImportedMemory) -> Vec<WaitingMemory> {
        let links = self.known_links(&mut note);
        let tags = fitting_tags(&mut note);
        let content = std::mem::take(&mut note.content);
        let parts = split(content.trim(), MEMORY_CONTENT_BYTES);
        let count = parts.len();
        let mut waiting = Vec::with_capacity(count);
        let mut links = Some(links);
        for (number, part) in parts.into_iter().enumerate() {
            let mut memory = self.memory(owner, &note, part, &tags);
            if count > 1 {
                memory.metadata.insert("part".to_owned(), (number + 1).into());
                memory.metadata.insert("parts".to_owned(), count.into());
            }
            let is_first = number == 0;
            memory.key = note.key.clone().filter(|_| is_first);
            waiting.push(WaitingMemory {
                place: if is_first { place.clone() } else { format!("{place}, part {}", number + 1) },
                is_first,
                memory,
                use_count: if is_first { note.use_count.unwrap_or(0) } else { 0 },
                name: note.name.clone().filter(|_| is_first),
                links: links.take().unwrap_or_default(),
            });
        }
        waiting
    }

    pub(super) fn memory(
        &self,
        owner: &Owner,
        note: &ImportedMemory,
        content: &str,
        tags: &[String],
    ) -> Memory {
        let id = MemoryId::from_uuid(self.clock.uuid());
        let made: Time = note.created_at.unwrap_or(self.run.started_at);
        let kind = note.kind.unwrap_or(if note.layer == Some(memory::types::Layer::Episodic) {
            Kind::Event
        } else {
            Kind::Fact
        });
        let tenant = self.tenant.id().clone();
        let mut memory = Memory::new(id, tenant, owner, kind, content.to_owned(), made);
        memory.layer = note.layer.unwrap_or(memory.layer);
        memory.scope = self.whose.scope(note.scope);
        memory.session.clone_from(&note.session);
        memory.updated_at = note.updated_at.unwrap_or(made).max(made);
        memory.origin = Origin::Import;
        memory.tags = tags.to_vec();
        memory.metadata = bounded(note.metadata.clone());
        (memory.expires_at, memory.valid_from, memory.valid_until) =
            (note.expires_at, note.valid_from, note.valid_until);
        memory.salience = note.salience.unwrap_or(memory.salience);
        memory.confidence = note.confidence.unwrap_or(memory.confidence);
        memory.strength = note.strength.unwrap_or(memory.strength);
        memory.clamp();
        memory
    }

    /// The pointers whose names will come, or that are ids of memories; the others go into the metadata.
    fn known_links(&self, note: &mut ImportedMemory) -> Vec<Pointer> {
        let (known, unknown): (Vec<Pointer>, Vec<Pointer>) =
            std::mem::take(&mut note.links).into_iter().partition(|pointer| {
                self.notes.names.contains(&pointer.to) || pointer.to.parse::<MemoryId>().is_ok()
            });
        if !unknown.is_empty() {
            let names: Vec<Value> = unknown.into_iter().map(|pointer| pointer.to.into()).collect();
            note.metadata.entry("links").or_insert(Value::Array(names));
        }
        known
    }

    pub(super) async fn flush_notes(&mut self) -> Result<(), Error> {
        let waiting = std::mem::take(&mut self.notes.waiting);
        self.notes.bytes = 0;
        let ready = self.without_standing(waiting).await?;
        if ready.is_empty() {
            return Ok(());
        }
        let batch = ready.iter().fold(self.batch(), |batch, waiting| self.with(batch, waiting));
        match self.apply(batch).await {
            Ok(written) => {
                for (waiting, (of, _)) in ready.into_iter().zip(written.records) {
                    self.noted(waiting, &of.id);
                }
            }
            Err(StoreError::Invalid(_) | StoreError::Conflict { .. } | StoreError::NotFound(_)) => {
                for waiting in ready {
                    let batch = self.with(self.batch(), &waiting);
                    match self.apply(batch).await {
                        Ok(written) => {
                            let id = written.records.first().map(|(of, _)| of.id.clone()).unwrap_or_default();
                            self.noted(waiting, &id);
                        }
                        Err(
                            error @ (StoreError::Invalid(_)
                            | StoreError::Conflict { .. }
                            | StoreError::NotFound(_)),
                        ) => {
                            self.report.trouble(waiting.place, error.to_string());
                        }
                        Err(error) => return Err(error.into()),
                    }
                }
            }
            Err(error) => return Err(error.into()),
        }
        self.count_uses().await
    }

    /// The notes under whose keys nothing stands, with all of their parts. What stands under a key may be newer than the file: it stays.
    async fn without_standing(&mut self, waiting: Vec<WaitingMemory>) -> Result<Vec<WaitingMemory>, Error> {
        let mut ready = Vec::with_capacity(waiting.len());
        let mut stands = false;
        for waiting in waiting {
            if waiting.is_first {
                let standing = self.under_its_key(&waiting.memory).await?;
                stands = standing.is_some();
                if let Some(standing) = standing {
                    self.keep(waiting, standing).await?;
                    continue;
                }
            }
            match stands {
                true => self.report.count("memory", false),
                false => ready.push(waiting),
            }
        }
        Ok(ready)
    }

    async fn under_its_key(&self, memory: &Memory) -> Result<Option<Memory>, Error> {
        let Some(key) = &memory.key else { return Ok(None) };
        let standing = self.tenant.memories_by_key(&memory.owner(), std::slice::from_ref(key)).await?;
        let belongs = |known: &Memory| known.belonging() == memory.belonging();
        let theirs = standing.iter().position(belongs);
        Ok(theirs.map_or_else(|| standing.first().cloned(), |place| standing.get(place).cloned()))
    }

    /// Leaves what stands under the note's key as it is, but for the tags that it lacks.
    async fn keep(&mut self, waiting: WaitingMemory, standing: Memory) -> Result<(), Error> {
        let mut wider = standing.clone();
        for tag in &waiting.memory.tags {
            if wider.tags.len() < TAGS && !wider.tags.contains(tag) {
                wider.tags.push(tag.clone());
            }
        }
        if wider.tags != standing.tags {
            wider.updated_at = self.clock.now();
            match self.apply(self.batch().replace(wider)).await {
                Ok(_) => {}
                Err(
                    error @ (StoreError::Invalid(_) | StoreError::Conflict { .. } | StoreError::NotFound(_)),
                ) => {
                    self.report.trouble(waiting.place, error.to_string());
                    return Ok(());
                }
                Err(error) => return Err(error.into()),
            }
        }
        self.noted(waiting, standing.id.as_str());
        Ok(())
    }

    fn with(&self, batch: Batch, waiting: &WaitingMemory) -> Batch {
        let memory = Box::new(waiting.memory.clone());
        batch.with(match (&waiting.memory.key, self.options.no_dedup) {
            (Some(_), _) => Change::Upsert { memory },
            (None, false) => Change::AddNew { memory },
            (None, true) => Change::Put { record: (*memory).into(), expect: Expect::Absent },
        })
    }

    /// How often the new ones were used where they come from.
    async fn count_uses(&mut self) -> Result<(), Error> {
        let uses = std::mem::take(&mut self.notes.uses);
        if uses.is_empty() || self.options.dry_run {
            return Ok(());
        }
        let mut batch = self.batch();
        for (memory, use_count) in uses {
            let counts = Counters { use_count, ..Counters::default() };
            batch = batch.with(Change::AddCounts { memory, counts });
        }
        self.apply(batch).await?;
        Ok(())
    }

    fn noted(&mut self, waiting: WaitingMemory, id: &str) {
        let own = waiting.memory.id.as_str() == id;
        // A dry run writes nothing that a later note of the same file could meet.
        let again =
            self.options.dry_run && !self.options.no_dedup && !self.seen.insert(print_of(&waiting.memory));
        self.report.count("memory", own && !again);
        let Ok(id) = id.parse::<MemoryId>() else { return };
        if own && waiting.use_count > 0 {
            self.notes.uses.push((id.clone(), waiting.use_count));
        }
        if let Some(name) = waiting.name
            && self.notes.ids.len() < limits::IMPORT_NAMES
        {
            self.notes.ids.insert(name, id.clone());
        }
        for pointer in waiting.links {
            if self.notes.pointers.len() >= limits::IMPORT_NAMES {
                let message = format!("more than {} links; this one is left out", limits::IMPORT_NAMES);
                self.report.trouble(waiting.place.clone(), message);
                break;
            }
            self.notes.pointers.push((id.clone(), pointer.to, pointer.kind, pointer.weight));
        }
    }

    /// Makes links of what notes point to, once all of them are here.
    pub(super) async fn link_notes(&mut self) -> Result<(), Error> {
        let pointers = std::mem::take(&mut self.notes.pointers);
        for some in pointers.chunks(limits::IMPORT_CHANGES.min(PAGE_ROWS)) {
            let mut wanted: Vec<(MemoryId, MemoryId, LinkKind, f32)> = Vec::new();
            for (from, to, kind, weight) in some {
                let to = self.notes.ids.get(to).cloned().or_else(|| to.parse().ok());
                if let Some(to) = to.filter(|to| to != from)
                    && !wanted.iter().any(|(one, other, of, _)| (one, other, of) == (from, &to, kind))
                {
                    wanted.push((from.clone(), to, *kind, *weight));
                }
            }
            let ends: Vec<MemoryId> = wanted.iter().map(|(_, to, ..)| to.clone()).collect();
            let ends = self.tenant.memories(&ends).await?;
            let allowed = self.whose.allowed.as_ref();
            let reached =
                ends.iter().filter(|memory| allowed.is_none_or(|agents| agents.contains(&memory.agent)));
            let there: HashSet<&MemoryId> = reached.map(|memory| &memory.id).collect();
            wanted.retain(|(_, to, ..)| there.contains(to));
            self.link(wanted).await?;
        }
        Ok(())
    }

    async fn link(&mut self, wanted: Vec<(MemoryId, MemoryId, LinkKind, f32)>) -> Result<(), Error> {
        if wanted.is_empty() {
            return Ok(());
        }
        let sources: Vec<MemoryId> = wanted.iter().map(|(from, ..)| from.clone()).collect();
        let here: HashSet<(MemoryId, MemoryId, LinkKind)> = self
            .tenant
            .links_of(&sources)
            .await?
            .into_iter()
            .map(|link| (link.from, link.to, link.kind))
            .collect();
        let mut batch = self.batch();
        let now = self.clock.now();
        for (from, to, kind, weight) in wanted {
            let is_new = !here.contains(&(from.clone(), to.clone(), kind));
            self.report.count_beside("link", is_new);
            if is_new {
                let id = LinkId::from_uuid(self.clock.uuid());
                batch = batch.insert(Link {
                    id,
                    version: 1,
                    from,
                    to,
                    kind,
                    weight,
                    created_at: now,
                    updated_at: now,
                });
            }
        }
        if !batch.changes.is_empty() {
            self.apply(batch).await?;
        }
        Ok(())
    }
}

/// As many tags as a memory has room for, each as long as it may be; the others go into the metadata.
fn fitting_tags(note: &mut ImportedMemory) -> Vec<String> {
    let mut tags: Vec<String> = Vec::new();
    let mut rest: Vec<Value> = Vec::new();
    for tag in std::mem::take(&mut note.tags) {
        let tag = tag.trim();
        let short = lenient::cut(tag, TAG_BYTES).to_owned();
        if short.is_empty() || tags.contains(&short) {
            continue;
        }
        match tags.len() < TAGS {
            true => tags.push(short),
            false => rest.push(tag.into()),
        }
    }
    if !rest.is_empty() {
        note.metadata.insert("more_tags".to_owned(), Value::Array(rest));
    }
    tags
}

/// What makes two memories one, shortened.
fn print_of(memory: &Memory) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&memory.content_hash, memory.belonging(), memory.layer, &memory.key).hash(&mut hasher);
    hasher.finish()
}
