//! A snapshot of a store, as notes.
//!
//! Twice over the memories: once to give each its name, so that whatever links to it knows what it is called, and once to write them.
//! What belongs to a memory or a conversation and comes at another time is spooled in between. Held in memory are names, not texts.

use std::collections::{BTreeSet, HashMap};
use std::io;

use memory::error::StoreError;
use memory::ports::Snapshot;
use memory::types::{
    Agent, Entity, Episode, Item, Memory, Node, Override, Part, ProfileVersion, Record, Relation, Session,
};

use super::names::{self, NoteNames};
use super::notes::NoteSink;
use super::spool::{Filling, VaultSpool};
use super::write::{self, Beside, Reference, Sources};
use super::{Flavour, NOTE_PART, NOTE_PATH, UNWRITTEN, text};
use crate::limits;

/// How many notes of each kind were written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VaultCounts {
    pub notes: u64,
    pub memories: u64,
    pub links: u64,
    pub episodes: u64,
    pub sessions: u64,
    pub turns: u64,
    pub entities: u64,
    pub relations: u64,
}

#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The notes could not be written: no room, no permission, the reader has gone.
    #[error("the notes cannot be written: {0}")]
    Write(#[from] io::Error),
}

/// Writes everything that the snapshot has and notes can carry.
pub async fn export(
    snapshot: &mut dyn Snapshot,
    into: &mut dyn NoteSink,
    flavour: Flavour,
) -> Result<VaultCounts, ExportError> {
    let mut index = NoteIndex::default();
    index.names.claim("identity", "");
    index.name_memories(snapshot).await?;
    index.name_entities(snapshot).await?;
    let spool = spool(snapshot, &mut *into).await?;
    let mut going = Going { index, spool, into, flavour, exported: VaultCounts::default() };
    going.agents(snapshot).await?;
    going.memories(snapshot).await?;
    going.entities(snapshot).await?;
    going.sessions(snapshot).await?;
    going.episodes(snapshot).await?;
    going.identities(snapshot).await?;
    Ok(going.exported)
}

/// Every item of a part, page by page.
macro_rules! each {
    ($snapshot:expr, $part:expr, |$item:ident| $body:block) => {{
        let mut after: Option<String> = None;
        while let Some((place, items)) = $snapshot.page($part, after.as_deref(), limits::EXPORT_PAGE_ITEMS).await? {
            for $item in items $body
            after = Some(place);
        }
    }};
}

/// The same of records of one type.
macro_rules! each_record {
    ($snapshot:expr, $part:expr, $type:ty, |$record:ident| $body:block) => {
        each!($snapshot, $part, |item| {
            if let Item::Record { value, .. } = item
                && let Ok($record) = <$type>::try_from(*value)
            $body
        })
    };
}

/// What notes are called.
#[derive(Default)]
struct NoteIndex {
    names: NoteNames,
    /// Paths without `.md`, by the id's number.
    memories: HashMap<u128, Box<str>>,
    entities: HashMap<u128, Box<str>>,
    /// Entities by their names and other names, in small letters.
    named: HashMap<Box<str>, u128>,
}

impl NoteIndex {
    async fn name_memories(&mut self, snapshot: &mut dyn Snapshot) -> Result<(), ExportError> {
        each_record!(snapshot, Part::Memory, Memory, |memory| {
            let mark = names::short(memory.id.as_str());
            // A note that came from somewhere keeps its name, because others link to it by that.
            let name = match given_name(&memory) {
                Some(name) => self.names.claim(&name, &mark),
                None => {
                    let mut slug = names::slug(&memory.content);
                    if slug.is_empty() {
                        memory.kind.as_str().clone_into(&mut slug);
                    }
                    self.names.claim(&format!("{slug}-{mark}"), &names::digest(memory.id.as_str()))
                }
            };
            self.memories.insert(number(memory.id.as_str()), format!("{}/{name}", memory.layer).into());
        });
        Ok(())
    }

    async fn name_entities(&mut self, snapshot: &mut dyn Snapshot) -> Result<(), ExportError> {
        each_record!(snapshot, Part::Entity, Entity, |entity| {
            let key = number(entity.id.as_str());
            let name = self.names.claim(&entity.name, &names::short(entity.id.as_str()));
            self.entities.insert(key, format!("entities/{name}").into());
            for known in std::iter::once(&entity.name).chain(&entity.aliases) {
                self.named.entry(known.to_lowercase().into()).or_insert(key);
            }
        });
        Ok(())
    }

    /// The entity that a part of a triple names.
    fn entity_called(&self, name: Option<&str>) -> Option<&str> {
        let key = self.named.get(name?.to_lowercase().as_str())?;
        self.entities.get(key).map(AsRef::as_ref)
    }
}

/// The name of the note that a memory was.
fn given_name(memory: &Memory) -> Option<String> {
    let path = memory.metadata.get(NOTE_PATH)?.as_str()?;
    let file = path.rsplit('/').next().unwrap_or(path);
    let name = file.rsplit_once('.').map_or(file, |(name, _)| name);
    match memory.metadata.get(NOTE_PART).and_then(serde_json::Value::as_u64) {
        Some(part) if part > 1 => Some(format!("{name} ({part})")),
        _ => Some(name.to_owned()),
    }
}

/// The number of a made id, which is shorter to keep than its text.
fn number(id: &str) -> u128 {
    let digits: String = id.rsplit('_').next().unwrap_or(id).chars().filter(|digit| *digit != '-').collect();
    u128::from_str_radix(&digits, 16).unwrap_or_default()
}

/// Lays down what belongs to others.
async fn spool(snapshot: &mut dyn Snapshot, into: &mut dyn NoteSink) -> Result<VaultSpool, ExportError> {
    let mut filling = Filling::new(into.scratch()?);
    let parts = [
        Part::Turn,
        Part::Counter,
        Part::Archive,
        Part::Relation,
        Part::Link,
        Part::Profile,
        Part::Override,
        Part::Derivation,
    ];
    for part in parts {
        each!(snapshot, part, |item| {
            if let Some(group) = group_of(&item) {
                filling.push(&group, &item)?;
            }
        });
    }
    Ok(filling.finish()?)
}

fn group_of(item: &Item) -> Option<String> {
    Some(match item {
        Item::Turn { value } => format!("turns {}", value.session),
        Item::Counter { memory, .. } => format!("memory {memory}"),
        Item::Archive { value, .. } => format!("memory {}", value.memory),
        Item::Derivation { child, .. } => child.to_string(),
        Item::Record { value, .. } => match &**value {
            Record::Link(link) => format!("memory {}", link.from),
            Record::Relation(relation) => format!("entity {}", relation.subject),
            Record::Profile(profile) => format!("profile {}", profile.user),
            Record::Override(held) => format!("override {}", held.user),
            _ => return None,
        },
        _ => return None,
    })
}

struct Going<'a> {
    index: NoteIndex,
    spool: VaultSpool,
    into: &'a mut dyn NoteSink,
    flavour: Flavour,
    exported: VaultCounts,
}

impl Going<'_> {
    fn note(&mut self, path: &str, text: &str) -> io::Result<()> {
        self.exported.notes += 1;
        self.into.note(&format!("{path}.md"), text)
    }

    async fn agents(&mut self, snapshot: &mut dyn Snapshot) -> Result<(), ExportError> {
        each_record!(snapshot, Part::Agent, Agent, |agent| {
            let id = agent.id.as_str();
            let name = self.index.names.claim(&format!("agent {id}"), &names::digest(id));
            self.note(&format!("agents/{name}"), &write::agent(&agent))?;
        });
        Ok(())
    }

    async fn memories(&mut self, snapshot: &mut dyn Snapshot) -> Result<(), ExportError> {
        each_record!(snapshot, Part::Memory, Memory, |memory| {
            let Some(path) = self.index.memories.get(&number(memory.id.as_str())).map(ToString::to_string)
            else {
                continue;
            };
            let beside = self.beside(&memory)?;
            let related = self.related(&memory, &beside);
            self.exported.memories += 1;
            self.exported.links += beside.links.len() as u64;
            self.note(&path, &write::memory(&memory, &beside, &related, self.flavour, &path))?;
        });
        Ok(())
    }

    fn beside(&mut self, memory: &Memory) -> io::Result<Beside> {
        let mut beside = Beside::default();
        for item in self.spool.all(&format!("memory {}", memory.id))? {
            match item {
                Item::Counter { value, .. } => beside.counters = Some(value),
                Item::Archive { value, run } => beside.archived = Some((value, run)),
                Item::Record { value, .. } => {
                    if let Record::Link(link) = *value {
                        let sources = self.sources(&Node::Link(link.id.clone()))?;
                        beside.links.push((*link, sources));
                    }
                }
                _ => {}
            }
        }
        beside.sources = self.sources(&Node::Memory(memory.id.clone()))?;
        Ok(beside)
    }

    fn sources(&mut self, of: &Node) -> io::Result<Sources> {
        let items = self.spool.all(&of.to_string())?;
        let parents = items.into_iter().filter_map(|item| match item {
            // What blocks are made of is of no use where the prompts are not.
            Item::Derivation { parent: Node::Block(_), .. } => None,
            Item::Derivation { parent, run, .. } => Some((parent, run)),
            _ => None,
        });
        Ok(parents.collect())
    }

    /// The notes that a memory's note names: those it is linked to, what replaced it, and whom it is about.
    fn related(&self, memory: &Memory, beside: &Beside) -> Vec<Reference> {
        let mut related: Vec<Reference> = Vec::new();
        for (link, _) in &beside.links {
            if let Some(path) = self.index.memories.get(&number(link.to.as_str())) {
                let why = format!("{} {}", link.kind.as_str().replace('_', " "), link.weight);
                related.push(Reference { path: path.to_string(), why });
            }
        }
        let later =
            memory.superseded_by.as_ref().and_then(|id| self.index.memories.get(&number(id.as_str())));
        if let Some(path) = later {
            related.push(Reference { path: path.to_string(), why: "superseded by".into() });
        }
        related.extend(self.unwritten(memory));
        for (part, why) in [(&memory.subject, "subject"), (&memory.object, "object")] {
            if let Some(path) = self.index.entity_called(part.as_deref()) {
                related.push(Reference { path: path.to_owned(), why: why.into() });
            }
        }
        related
    }

    /// Wikilinks that led nowhere when the note came in stay wikilinks.
    fn unwritten(&self, memory: &Memory) -> Vec<Reference> {
        let names = memory.metadata.get(UNWRITTEN).and_then(serde_json::Value::as_array);
        if self.flavour == Flavour::Markdown || !memory.metadata.contains_key(NOTE_PATH) {
            return Vec::new();
        }
        let names = names.into_iter().flatten().filter_map(serde_json::Value::as_str);
        let reference = |name: &str| match self.index.memories.get(&number(name)) {
            Some(path) if name.starts_with("mt_") => {
                Some(Reference { path: path.to_string(), why: "named".into() })
            }
            _ if name.contains(['[', ']', '\n', '|']) || name.contains("://") => None,
            _ => Some(Reference { path: name.to_owned(), why: "named".into() }),
        };
        names.filter_map(reference).collect()
    }

    async fn entities(&mut self, snapshot: &mut dyn Snapshot) -> Result<(), ExportError> {
        each_record!(snapshot, Part::Entity, Entity, |entity| {
            let Some(path) = self.index.entities.get(&number(entity.id.as_str())).map(ToString::to_string)
            else {
                continue;
            };
            let items = self.spool.all(&format!("entity {}", entity.id))?;
            let mut relations: Vec<(Relation, Sources)> = Vec::new();
            for relation in records::<Relation>(items) {
                let sources = self.sources(&Node::Relation(relation.id.clone()))?;
                relations.push((relation, sources));
            }
            let related: Vec<Reference> = relations
                .iter()
                .filter_map(|(relation, _)| {
                    let path = self.index.entities.get(&number(relation.object.as_str()))?;
                    Some(Reference { path: path.to_string(), why: relation.predicate.clone() })
                })
                .collect();
            self.exported.entities += 1;
            self.exported.relations += relations.len() as u64;
            self.note(&path, &write::entity(&entity, &relations, &related, self.flavour, &path))?;
        });
        Ok(())
    }

    async fn sessions(&mut self, snapshot: &mut dyn Snapshot) -> Result<(), ExportError> {
        each!(snapshot, Part::Session, |item| {
            let Item::Record { value, next_index } = item else { continue };
            let Ok(session) = Session::try_from(*value) else { continue };
            let title = session.title.as_deref().unwrap_or(session.key.session.as_str());
            let key = session.key.to_string();
            let stem = format!("{} {}", session.started_at.date(), names::slug(title));
            let name =
                self.index.names.claim(&format!("{stem}-{}", names::digest(&key)), &names::short(&key));
            self.exported.sessions += 1;
            self.transcript(&session, next_index, &name)?;
        });
        Ok(())
    }

    /// A conversation as a note, or as several where it is long.
    fn transcript(&mut self, session: &Session, next_index: Option<u64>, name: &str) -> io::Result<()> {
        let group = format!("turns {}", session.key);
        let mut part = 1;
        let mut note = write::session(session, next_index, part);
        for place in self.spool.places(&group) {
            let Some(Item::Turn { value }) = self.spool.read(&group, place)? else { continue };
            if note.len() > limits::TRANSCRIPT_BYTES {
                self.finish_transcript(name, part, &note)?;
                part += 1;
                note = write::session(session, next_index, part);
            }
            note.push_str(&write::turn(&value));
            self.exported.turns += 1;
        }
        self.finish_transcript(name, part, &note)
    }

    fn finish_transcript(&mut self, name: &str, part: usize, note: &str) -> io::Result<()> {
        let name = if part == 1 { name.to_owned() } else { format!("{name} ({part})") };
        self.note(&format!("sessions/{name}"), &format!("{note}{}\n", text::END))
    }

    async fn episodes(&mut self, snapshot: &mut dyn Snapshot) -> Result<(), ExportError> {
        each_record!(snapshot, Part::Episode, Episode, |episode| {
            let id = episode.id.as_str();
            let stem = format!("{} {}", episode.started_at.date(), names::slug(&episode.summary));
            let name = self.index.names.claim(&format!("{stem}-{}", names::short(id)), &names::digest(id));
            let path = format!("episodes/{name}");
            let sources = self.sources(&Node::Episode(episode.id.clone()))?;
            self.exported.episodes += 1;
            self.note(&path, &write::episode(&episode, &sources, &[], self.flavour, &path))?;
        });
        Ok(())
    }

    async fn identities(&mut self, snapshot: &mut dyn Snapshot) -> Result<(), ExportError> {
        let mut users = BTreeSet::new();
        each_record!(snapshot, Part::Profile, ProfileVersion, |profile| {
            users.insert(profile.user);
        });
        each_record!(snapshot, Part::Override, Override, |held| {
            users.insert(held.user);
        });
        for user in users {
            let group = format!("profile {user}");
            let mut newest: Option<ProfileVersion> = None;
            for place in self.spool.places(&group) {
                let version =
                    self.spool.read(&group, place)?.map(|item| records::<ProfileVersion>(vec![item]));
                let version = version.into_iter().flatten().next();
                let number = newest.as_ref().map(|newest| newest.number);
                newest = version.filter(|version| Some(version.number) > number).or(newest);
            }
            let overrides: Vec<Override> = records(self.spool.all(&format!("override {user}"))?);
            let sources = match &newest {
                Some(profile) => self.sources(&Node::Profile(profile.id.clone()))?,
                None => Sources::new(),
            };
            let name = match user.as_str() {
                "default" => "identity".to_owned(),
                other => self.index.names.claim(&format!("identity {other}"), &names::digest(other)),
            };
            self.note(&name, &write::identity(user.as_str(), newest.as_ref(), &sources, &overrides))?;
        }
        Ok(())
    }
}

/// The records of one type among items.
fn records<T: TryFrom<Record>>(items: Vec<Item>) -> Vec<T> {
    let records = items.into_iter().filter_map(|item| match item {
        Item::Record { value, .. } => T::try_from(*value).ok(),
        _ => None,
    });
    records.collect()
}
