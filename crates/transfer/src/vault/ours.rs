//! Notes that we wrote, back as the records they were.
//!
//! A record comes in before whatever names it: memories, sessions and entities when their note is first read, links, relations and
//! what was derived from what when all notes have been. What a person changed in a note counts: its text is the text, its tags are
//! the tags, and words written below the mark are part of the memory.

use memory::types::{
    Agent, ArchivedText, Counters, Edited, Entity, Episode, Item, Kind, Link, Memory, MemoryId, Node, Origin,
    Override, Owner, ProfileVersion, Record, Relation, Scope, Session, TenantId, Time, Turn, content_hash,
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::front::record_fields;
use super::{MARK, VERSION, names, text};

/// A note of ours, cut into its properties and its text.
pub struct Ours<'a> {
    pub kind: &'a str,
    pub front: Map<String, Value>,
    pub body: &'a str,
    pub written_at: Option<Time>,
}

/// The kind that a note of ours says it is; `None` for anybody else's.
pub fn kind_of(front: &Map<String, Value>) -> Option<Result<String, String>> {
    let mark = front.get(MARK)?.as_str()?;
    let (kind, version) = mark.split_once(' ').unwrap_or((mark, "1"));
    // Without its id it is a copy that a person made, and a memory of its own.
    if !front.contains_key("id") && !matches!(kind, "session" | "identity") {
        return None;
    }
    if !matches!(kind, "memory" | "episode" | "session" | "entity" | "agent" | "identity") {
        return None;
    }
    Some(match version.parse::<u32>() {
        Ok(version) if version <= VERSION => Ok(kind.to_owned()),
        _ => Err(format!("it was written by a newer version ({mark}); expected {kind} {VERSION} at most")),
    })
}

/// What can come in at once, and whether there is more to come in when all notes have been read.
pub struct First {
    pub items: Vec<Item>,
    pub memory: Option<MemoryId>,
    /// 0 for what others of the second reading name, 1 for the others.
    pub later: Option<u8>,
}

pub fn first(note: Ours<'_>) -> Result<First, String> {
    match note.kind {
        "memory" => memory(note),
        "session" => session(note),
        "entity" => {
            let later = note.front.contains_key("relations").then_some(1);
            let entity: Entity = record(without(note.front, &["relations"]))?;
            Ok(First { items: vec![item(entity)], memory: None, later })
        }
        "agent" => {
            let mut fields = record_fields(note.front);
            fields.insert("description".into(), Value::from(text::parts(note.body).0));
            Ok(First { items: vec![item(from::<Agent>(fields)?)], memory: None, later: None })
        }
        "episode" => Ok(First { items: Vec::new(), memory: None, later: Some(0) }),
        _ => Ok(First { items: Vec::new(), memory: None, later: Some(1) }),
    }
}

pub fn second(mut note: Ours<'_>) -> Result<Vec<Item>, String> {
    match note.kind {
        "memory" => {
            let id: MemoryId = property(&note.front, "id")?;
            let mut items = list(&note.front, "links", |mut fields| {
                fields.insert("from".into(), Value::from(id.as_str()));
                let link: Link = from(fields.clone())?;
                let of = Node::Link(link.id.clone());
                with_sources(link, &fields, &of)
            })?;
            items.extend(sources(&record_fields(note.front), &Node::Memory(id))?);
            Ok(items)
        }
        "entity" => {
            let id = note.front.get("id").cloned().unwrap_or_default();
            list(&note.front, "relations", |mut fields| {
                fields.insert("subject".into(), id.clone());
                let relation: Relation = from(fields.clone())?;
                let of = Node::Relation(relation.id.clone());
                with_sources(relation, &fields, &of)
            })
        }
        "episode" => {
            let (summary, _) = text::parts(note.body);
            note.front.insert("summary".into(), Value::from(summary));
            let fields = record_fields(note.front);
            let episode: Episode = from(fields.clone())?;
            let of = Node::Episode(episode.id.clone());
            with_sources(episode, &fields, &of)
        }
        "session" => turns(&note),
        "identity" => identity(note),
        _ => Ok(Vec::new()),
    }
}

fn memory(note: Ours<'_>) -> Result<First, String> {
    let id: MemoryId = property(&note.front, "id")?;
    let is_of_version_1 =
        note.front.get(MARK).and_then(Value::as_str).is_some_and(|mark| !mark.ends_with(" 2"));
    let (content, tail) = text::parts(note.body);
    let is_linked =
        tail.contains('[') || ["links", "derivedFrom"].iter().any(|name| note.front.contains_key(*name));
    let later = is_linked.then_some(1);
    let mut items = Vec::new();
    if let Some(counters) = note.front.get("counters").and_then(Value::as_object) {
        let value: Counters = from(record_fields(counters.clone()))?;
        items.push(Item::Counter { memory: id.clone(), value });
    }
    if let Some(archived) = note.front.get("archived").and_then(Value::as_object) {
        let mut fields = record_fields(archived.clone());
        fields.insert("memory".into(), Value::from(id.as_str()));
        let run = fields.remove("run").and_then(|run| run.as_str()?.parse().ok());
        items.push(Item::Archive { value: from::<ArchivedText>(fields)?, run });
    }
    let at = note.written_at.unwrap_or(Time::MIN);
    let mut fields = record_fields(without(note.front, &["links", "counters", "archived", "derivedFrom"]));
    if let Some(layer) = fields.remove("type") {
        fields.insert("layer".into(), layer);
    }
    // What a person took out of the properties is as in a new memory.
    let usual = Memory::new(id.clone(), TenantId::local(), &Owner::unnamed(), Kind::Fact, String::new(), at);
    let Ok(Value::Object(mut whole)) = serde_json::to_value(usual) else { return Err("no memory".into()) };
    whole.extend(fields);
    let hash = whole.get("content_hash").and_then(Value::as_str).unwrap_or_default().to_owned();
    let mut memory: Memory = from(whole)?;
    if is_of_version_1 && memory.scope == Scope::User {
        // Then `user` was this user with this agent.
        memory.scope = Scope::Agent;
    }
    memory.content = content;
    edit(&mut memory, &hash, tail, note.written_at);
    items.insert(0, item(memory));
    Ok(First { items, memory: Some(id), later })
}

/// What a person changed. The words of a memory whose text they rewrote are theirs, and what was read out of the old ones is gone.
fn edit(memory: &mut Memory, hash: &str, tail: &str, written_at: Option<Time>) {
    let added = text::added(tail);
    let known: Vec<String> = memory.tags.iter().map(|tag| names::tag(tag)).collect();
    let new = added.tags.into_iter().filter(|tag| !known.contains(tag));
    memory.tags.extend(new);
    if !added.text.is_empty() {
        memory.content = format!("{}\n\n{}", memory.content.trim_end(), added.text);
    }
    memory.content_hash = content_hash(&memory.content);
    if memory.content_hash == hash || hash == content_hash("") {
        return;
    }
    (memory.subject, memory.predicate, memory.object, memory.evidence) = (None, None, None, None);
    memory.origin = Origin::Person;
    memory.version += 1;
    memory.updated_at = written_at.map_or(memory.updated_at, |written| written.max(memory.updated_at));
}

/// A conversation. The turns of its first part come with it; those of others when it is there.
fn session(note: Ours<'_>) -> Result<First, String> {
    if note.front.get("part").and_then(Value::as_u64).unwrap_or(1) > 1 {
        return Ok(First { items: Vec::new(), memory: None, later: Some(0) });
    }
    let next_index = note.front.get("nextIndex").and_then(Value::as_u64);
    let session: Session = record(without(note.front.clone(), &["part", "nextIndex"]))?;
    let mut items = vec![Item::Record { value: Box::new(session.into()), next_index }];
    items.extend(turns(&note)?);
    Ok(First { items, memory: None, later: None })
}

fn turns(note: &Ours<'_>) -> Result<Vec<Item>, String> {
    let key = note.front.get("key").cloned().unwrap_or_default();
    let mut marks: Vec<usize> = note.body.match_indices(text::TURN).map(|(at, _)| at).collect();
    marks.push(note.body.rfind(text::END).unwrap_or(note.body.len()));
    let mut items = Vec::new();
    for bounds in marks.windows(2) {
        let part = note.body.get(bounds[0] + text::TURN.len()..bounds[1]).unwrap_or_default();
        let (known, rest) = part.split_once(" -->").ok_or("a turn's mark does not end; expected `-->`")?;
        // After the mark's line, who said it and a blank line.
        let said = rest.splitn(4, '\n').nth(3).unwrap_or_default();
        let said = said.strip_suffix("\n\n").unwrap_or(said);
        let mut fields: Map<String, Value> =
            serde_json::from_str(known).map_err(|_| "a turn's mark cannot be read; expected JSON in it")?;
        fields.insert("text".into(), Value::from(text::unescape(said)));
        fields.insert("session".into(), key.clone());
        let turn: Turn = from(fields)?;
        items.push(Item::Turn { value: Box::new(turn) });
    }
    Ok(items)
}

fn identity(mut note: Ours<'_>) -> Result<Vec<Item>, String> {
    let user = note.front.get("user").cloned().unwrap_or_default();
    let mut items = list(&note.front, "overrides", |mut fields| {
        fields.insert("user".into(), user.clone());
        from::<Override>(fields).map(|held| vec![item(held)])
    })?;
    if let Some(Value::Object(profile)) = note.front.remove("profile") {
        let mut fields = record_fields(profile);
        let hash = fields.remove("text_hash");
        let (said, _) = text::parts(note.body);
        let is_edited = hash.is_some_and(|hash| hash.as_str() != Some(&content_hash(&said)));
        fields.insert("text".into(), Value::from(said));
        fields.insert("user".into(), user);
        let mut profile: ProfileVersion = from(fields)?;
        if is_edited {
            let at = note.written_at.unwrap_or(profile.created_at);
            profile.edited = Some(Edited { at, lines: profile.text.lines().count(), removed: Vec::new() });
            profile.sources = Vec::new();
            profile.origin = Origin::Person;
        }
        let of = Node::Profile(profile.id.clone());
        items.push(item(profile));
        items.extend(sources(&record_fields(note.front), &of)?);
    }
    Ok(items)
}

/// A record, and what it was made from.
fn with_sources(
    record: impl Into<Record>,
    fields: &Map<String, Value>,
    of: &Node,
) -> Result<Vec<Item>, String> {
    let mut items = vec![item(record)];
    items.extend(sources(fields, of)?);
    Ok(items)
}

fn sources(fields: &Map<String, Value>, child: &Node) -> Result<Vec<Item>, String> {
    list(fields, "derived_from", |fields| {
        let source = fields.get("from").and_then(Value::as_str).unwrap_or_default();
        let parent = source.split_once(':').and_then(|(kind, id)| Node::from_parts(kind, id));
        let parent = parent.ok_or("derivedFrom names nothing; expected such as `turn:tu_…`")?;
        let run = fields.get("run").and_then(Value::as_str).and_then(|run| run.parse().ok());
        Ok(vec![Item::Derivation { child: child.clone(), parent, run }])
    })
}

/// What each entry of a list comes to.
fn list(
    front: &Map<String, Value>,
    name: &str,
    each: impl Fn(Map<String, Value>) -> Result<Vec<Item>, String>,
) -> Result<Vec<Item>, String> {
    let entries = front.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let mut items = Vec::new();
    for entry in entries {
        let fields =
            entry.as_object().cloned().ok_or_else(|| format!("{name} has an entry without fields"))?;
        items.extend(each(record_fields(fields))?);
    }
    Ok(items)
}

fn without(mut front: Map<String, Value>, names: &[&str]) -> Map<String, Value> {
    front.remove(MARK);
    for name in names {
        front.remove(*name);
    }
    front
}

fn property<T: std::str::FromStr<Err: std::fmt::Display>>(
    front: &Map<String, Value>,
    name: &str,
) -> Result<T, String> {
    let text = front.get(name).and_then(Value::as_str).ok_or_else(|| format!("it has no {name}"))?;
    text.parse().map_err(|error| format!("its {name} cannot be read: {error}"))
}

fn record<T: DeserializeOwned>(front: Map<String, Value>) -> Result<T, String> {
    from(record_fields(front))
}

fn from<T: DeserializeOwned>(fields: Map<String, Value>) -> Result<T, String> {
    serde_json::from_value(Value::Object(fields))
        .map_err(|error| format!("its properties do not fit: {error}"))
}

fn item(record: impl Into<Record>) -> Item {
    Item::Record { value: Box::new(record.into()), next_index: None }
}
