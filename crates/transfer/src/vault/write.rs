//! What the notes look like: a memory, an episode, a conversation, an entity, an agent, who the user is.
//!
//! Plain functions from records to text. What a note says twice, once in front-matter and once for readers, is read back from the
//! front-matter only; what it says once is its text.

use memory::types::{
    Agent, ArchivedText, Counters, Entity, Episode, Link, Memory, Node, Override, ProfileVersion, Relation,
    RunId, Session, Turn, content_hash,
};
use serde::Serialize;
use serde_json::{Value, json};

use super::front::{Front, entry};
use super::{Flavour, names, text};

/// Another note that this one names.
#[derive(Debug, Clone)]
pub struct Reference {
    /// Its path in the vault, without `.md`. A name that no note has stands as it is.
    pub path: String,
    /// What holds between the two.
    pub why: String,
}

impl Reference {
    /// As an item of a list, seen from a note at `from`.
    fn item(&self, flavour: Flavour, from: &str) -> String {
        format!("- {} — {}\n", self.link(flavour, from), text::one_line(&self.why))
    }

    fn link(&self, flavour: Flavour, from: &str) -> String {
        let name = self.path.rsplit('/').next().unwrap_or(&self.path);
        match flavour {
            Flavour::Obsidian => format!("[[{name}]]"),
            Flavour::Markdown => {
                format!(
                    "[{}]({})",
                    name.replace(['[', ']'], "-"),
                    names::relative(from, &format!("{}.md", self.path))
                )
            }
        }
    }
}

/// What something was made from, and by which run.
pub type Sources = Vec<(Node, Option<RunId>)>;

/// What belongs to a memory and stands beside it in the store.
#[derive(Debug, Default)]
pub struct Beside {
    pub links: Vec<(Link, Sources)>,
    pub counters: Option<Counters>,
    pub archived: Option<(ArchivedText, Option<RunId>)>,
    pub sources: Sources,
}

pub fn memory(
    memory: &Memory,
    beside: &Beside,
    related: &[Reference],
    flavour: Flavour,
    path: &str,
) -> String {
    let mut front = Front::of("memory");
    let mut record = entry(memory, &["layer", "tenant", "content"]);
    front.put("id", memory.id.as_str());
    front.put("type", memory.layer.as_str());
    for name in ["kind", "scope", "strength", "tags", "createdAt"] {
        if let Some(value) = record.as_object_mut().and_then(|fields| fields.remove(name)) {
            front.put(name, value);
        }
    }
    front.put_fields(record, &["id"]);
    if let Some(counters) = &beside.counters {
        front.put("counters", entry(counters, &[]));
    }
    if let Some((archived, run)) = &beside.archived {
        let mut fields = entry(archived, &["memory"]);
        if let Some(run) = run {
            fields["run"] = Value::from(run.as_str());
        }
        front.put("archived", fields);
    }
    put_sources(&mut front, &beside.sources);
    if !beside.links.is_empty() {
        front.put("links", entries(&beside.links, "from"));
    }
    let mut note = front.write();
    push_text(&mut note, &memory.content);
    if flavour == Flavour::Obsidian && !memory.tags.is_empty() {
        let tags: Vec<String> = memory.tags.iter().map(|tag| format!("#{}", names::tag(tag))).collect();
        note.push_str(&format!("\n{}\n", tags.join(" ")));
    }
    push_related(&mut note, related, flavour, path);
    note
}

fn put_sources(front: &mut Front, sources: &Sources) {
    if !sources.is_empty() {
        front.put("derivedFrom", sources_value(sources));
    }
}

fn sources_value(sources: &Sources) -> Value {
    let source = |(node, run): &(Node, Option<RunId>)| match run {
        Some(run) => json!({ "from": node.to_string(), "run": run }),
        None => json!({ "from": node.to_string() }),
    };
    sources.iter().map(source).collect()
}

/// Records that begin at the note they stand in, each with what it was made from.
fn entries<T: Serialize>(records: &[(T, Sources)], without: &str) -> Vec<Value> {
    let with_sources = |(record, sources): &(T, Sources)| {
        let mut fields = entry(record, &[without]);
        if !sources.is_empty() {
            fields["derivedFrom"] = sources_value(sources);
        }
        fields
    };
    records.iter().map(with_sources).collect()
}

fn push_text(note: &mut String, content: &str) {
    note.push_str(&text::escape(content));
    note.push_str(&format!("\n{}\n", text::END));
}

fn push_related(note: &mut String, related: &[Reference], flavour: Flavour, path: &str) {
    if related.is_empty() {
        return;
    }
    note.push_str(&format!("\n{}\n\n", text::RELATED));
    for reference in related {
        note.push_str(&reference.item(flavour, path));
    }
}

pub fn episode(
    episode: &Episode,
    sources: &Sources,
    related: &[Reference],
    flavour: Flavour,
    path: &str,
) -> String {
    let mut front = Front::of("episode");
    front.put_fields(entry(episode, &["summary"]), &[]);
    put_sources(&mut front, sources);
    let mut note = front.write();
    push_text(&mut note, &episode.summary);
    let lists = [
        ("Topics", &episode.topics),
        ("Decisions", &episode.decisions),
        ("Dates", &episode.key_dates),
        ("To do", &episode.action_items),
    ];
    for (title, items) in lists.into_iter().filter(|(_, items)| !items.is_empty()) {
        note.push_str(&format!("\n## {title}\n\n"));
        for item in items {
            note.push_str(&format!("- {}\n", text::one_line(item)));
        }
    }
    push_related(&mut note, related, flavour, path);
    note
}

/// The beginning of a transcript, or of one more part of a long one.
pub fn session(session: &Session, next_index: Option<u64>, part: usize) -> String {
    let mut front = Front::of("session");
    front.put_fields(entry(session, &[]), &[]);
    if let Some(next) = next_index {
        front.put("nextIndex", next);
    }
    front.put("part", part);
    let title = session.title.as_deref().map(text::one_line).filter(|title| !title.is_empty());
    format!(
        "{}# {}\n\n",
        front.write(),
        title.unwrap_or_else(|| text::one_line(session.key.session.as_str()))
    )
}

/// One turn of a transcript. What is known of it stands in a comment; `>` is written so that it cannot end it.
pub fn turn(turn: &Turn) -> String {
    let mut known = serde_json::to_value(turn).expect("a turn contains nothing that JSON cannot hold");
    if let Some(fields) = known.as_object_mut() {
        fields.remove("text");
        fields.remove("session");
    }
    let known = known.to_string().replace('>', "\\u003e");
    let speaker = text::one_line(turn.speaker.as_deref().unwrap_or(turn.role.as_str()));
    let at = turn.at.timestamp().strftime("%Y-%m-%d %H:%M");
    format!("{}{known} -->\n**{speaker}** · {at}\n\n{}\n\n", text::TURN, text::escape(&turn.text))
}

pub fn entity(
    entity: &Entity,
    relations: &[(Relation, Sources)],
    related: &[Reference],
    flavour: Flavour,
    path: &str,
) -> String {
    let mut front = Front::of("entity");
    front.put_fields(entry(entity, &[]), &[]);
    if !relations.is_empty() {
        front.put("relations", entries(relations, "subject"));
    }
    let mut note = format!("{}# {}\n\n{}\n", front.write(), text::one_line(&entity.name), entity.entity_type);
    if !entity.aliases.is_empty() {
        let aliases: Vec<String> = entity.aliases.iter().map(|alias| text::one_line(alias)).collect();
        note.push_str(&format!("\nAlso: {}\n", aliases.join(", ")));
    }
    push_related(&mut note, related, flavour, path);
    note
}

pub fn agent(agent: &Agent) -> String {
    let mut front = Front::of("agent");
    front.put_fields(entry(agent, &["description"]), &[]);
    let mut note = front.write();
    push_text(&mut note, &agent.description);
    note
}

/// Who a user is: the profile as it stands, and what is always shown.
pub fn identity(
    user: &str,
    profile: Option<&ProfileVersion>,
    sources: &Sources,
    overrides: &[Override],
) -> String {
    let mut front = Front::of("identity");
    front.put("user", user);
    if let Some(profile) = profile {
        let mut fields = entry(profile, &["text", "user"]);
        fields["textHash"] = Value::from(content_hash(&profile.text));
        front.put("profile", fields);
    }
    put_sources(&mut front, sources);
    if !overrides.is_empty() {
        front.put("overrides", overrides.iter().map(|held| entry(held, &["user"])).collect::<Vec<_>>());
    }
    let mut note = front.write();
    push_text(&mut note, profile.map_or("", |profile| &profile.text));
    if !overrides.is_empty() {
        note.push_str("\n## Always shown\n\n");
        for held in overrides {
            note.push_str(&format!("- {}\n", text::one_line(&held.text)));
        }
    }
    note
}
