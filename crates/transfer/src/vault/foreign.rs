//! A note that somebody wrote: one memory of its title and its text, or several where it is long.
//!
//! Properties become metadata, tags and folders become tags, and every note that it names becomes a link. Nothing is lost: what does not fit
//! into one field goes into another, and front-matter that cannot be read is kept as it is.

use memory::limits::{MEMORY_CONTENT_BYTES, METADATA_BYTES, TAG_BYTES, TAGS};
use memory::types::{Layer, LinkKind, Time};
use serde_json::{Map, Value};

use super::front::{self, Unread};
use super::markdown::{self, LinkTarget};
use super::{NOTE_PART, NOTE_PATH, split, text};
use crate::compat::words;
use crate::import_model::{FilePiece, ImportedMemory, ImportedRecord, Pointer};
use crate::lenient;
use crate::limits;

/// Properties under which people and programs keep when a note was made and when it was changed.
const CREATED: &[&str] = &[
    "createdAt",
    "created_at",
    "created",
    "date created",
    "date_created",
    "dateCreated",
    "creation_date",
    "date",
];
const UPDATED: &[&str] =
    &["updatedAt", "updated_at", "updated", "modified", "date modified", "date_modified", "last_modified"];

/// Where front-matter that cannot be read is kept.
const UNREAD: &str = "frontMatter";

/// Bytes of metadata that properties may take; the rest is for what is added to them.
const PROPERTY_BYTES: usize = METADATA_BYTES * 2 / 3;

/// Finds the note that a link leads to: the name under which it comes in, or nothing.
pub type Resolve<'a> = &'a dyn Fn(&LinkTarget) -> Option<String>;

/// A note as it was found.
pub struct ForeignNote<'a> {
    pub path: &'a str,
    pub text: &'a str,
    pub written_at: Option<Time>,
}

/// The layer that a folder's name means.
pub fn layer_of_folder(name: &str) -> Option<Layer> {
    Layer::ALL.iter().copied().find(|layer| layer.as_str().eq_ignore_ascii_case(name))
}

/// What a note comes to. A slip in its front-matter is told of besides.
pub fn pieces(found: &ForeignNote<'_>, resolve: Resolve<'_>) -> Vec<FilePiece> {
    let mut out = Vec::new();
    let mut cut = front::cut(found.text);
    let mut properties = Map::new();
    match front::parse_foreign(cut.front.unwrap_or_default()) {
        Ok(read) => properties = read,
        // Words between two rules across the page are text.
        Err(Unread::NoProperties) => cut = front::SplitNote { front: None, body: found.text },
        Err(Unread::NoYaml(line)) => {
            let place =
                line.map_or_else(|| found.path.to_owned(), |line| format!("{}, line {line}", found.path));
            out.push(unread(place, "no YAML"));
            properties.insert(UNREAD.into(), Value::from(cut.front.unwrap_or_default()));
        }
        Err(Unread::TooMuch) => {
            out.push(unread(found.path.to_owned(), "too long, or too deeply nested"));
            properties.insert(UNREAD.into(), Value::from(cut.front.unwrap_or_default()));
        }
    }
    let mut body = cut.body.trim_matches(['\r', '\n']).trim_end().to_owned();
    let too_large = serde_json::to_string(&properties).map_or(0, |written| written.len()) > PROPERTY_BYTES;
    let mut kept = properties.clone();
    if too_large {
        body = format!("{}\n\n{body}", cut.front.unwrap_or_default().trim_end());
        kept.clear();
    }
    let note = Whole { found, properties, kept, body };
    out.extend(note.memories(resolve));
    out
}

/// Tells that front-matter was not read, and that it is not lost.
fn unread(place: String, why: &str) -> FilePiece {
    FilePiece { place, what: Err(format!("its front-matter is {why}; the note came in and has it as text")) }
}

/// A note, read.
struct Whole<'a> {
    found: &'a ForeignNote<'a>,
    properties: Map<String, Value>,
    /// Those that fit into metadata.
    kept: Map<String, Value>,
    body: String,
}

impl Whole<'_> {
    fn title(&self) -> &str {
        let file = self.found.path.rsplit('/').next().unwrap_or(self.found.path);
        // An archive may have names longer than a memory.
        lenient::cut(file.rsplit_once('.').map_or(file, |(name, _)| name), crate::limits::TITLE_BYTES)
    }

    /// The name under which other notes find it.
    fn name(&self) -> String {
        name_of(self.found.path)
    }

    fn layer(&self) -> Option<Layer> {
        let said =
            ["type", "layer"].iter().find_map(|name| self.properties.get(*name)?.as_str()?.parse().ok());
        said.or_else(|| self.folders().find_map(layer_of_folder))
    }

    fn folders(&self) -> impl Iterator<Item = &str> {
        let folders = self.found.path.rsplit_once('/').map_or("", |(folders, _)| folders);
        folders.split('/').filter(|folder| !folder.is_empty())
    }

    /// Whether it is a memory that another system wrote as a note: then its file's name is no title.
    fn is_memory(&self) -> bool {
        let says_layer = self
            .properties
            .get("type")
            .and_then(Value::as_str)
            .is_some_and(|word| word.parse::<Layer>().is_ok());
        says_layer && ["id", "scope", "strength"].iter().any(|name| self.properties.contains_key(*name))
    }

    fn memories(&self, resolve: Resolve<'_>) -> Vec<FilePiece> {
        let texts = self.texts();
        let count = texts.len();
        let mut pieces = Vec::new();
        for (index, (content, part)) in texts.into_iter().enumerate() {
            let number = index + 1;
            let mut note = self.common();
            let mut found = markdown::scan(part);
            if index == 0 {
                let below = markdown::scan(&self.body[self.own_text().len()..]);
                note.tags.extend(below.tags);
                found.links.extend(below.links);
                note.tags.extend(self.own_tags());
                property_links(&Value::Object(self.properties.clone()), &mut found.links);
            }
            note.tags.append(&mut found.tags);
            note.tags = bounded_tags(note.tags);
            note.links = pointers(&found.links, resolve);
            note.content = content;
            note.name = Some(self.name());
            if count > 1 {
                note.metadata.insert(NOTE_PART.into(), Value::from(number));
                note.name = Some(part_name(&self.name(), number));
                let neighbours = [
                    number.checked_sub(1).filter(|before| *before > 0),
                    Some(number + 1).filter(|next| *next <= count),
                ];
                let to = |neighbour| related(part_name(&self.name(), neighbour));
                note.links.extend(neighbours.into_iter().flatten().map(to));
            }
            let place = if count > 1 {
                format!("{}, part {number}", self.found.path)
            } else {
                self.found.path.to_owned()
            };
            pieces.push(FilePiece { place, what: Ok(ImportedRecord::Memory(Box::new(note))) });
        }
        pieces
    }

    /// The contents of its memories, each with the part of the text that it has.
    fn texts(&self) -> Vec<(String, &str)> {
        let title = self.title();
        let body = self.own_text();
        if body.trim().is_empty() {
            return vec![(self.of_properties(), "")];
        }
        let heading = body.lines().next().and_then(|line| line.strip_prefix("# "));
        let has_title =
            self.is_memory() || heading.is_some_and(|heading| heading.trim().eq_ignore_ascii_case(title));
        let prefix = |number: usize, count: usize| match (number, count) {
            (1, _) if has_title => String::new(),
            (1, _) => format!("{title}\n\n"),
            _ => format!("{title} ({number}/{count})\n\n"),
        };
        // Room for the longest of these titles.
        let parts = split::split(body, MEMORY_CONTENT_BYTES - title.len() - 40);
        let count = parts.len();
        parts
            .into_iter()
            .enumerate()
            .map(|(index, part)| (format!("{}{part}", prefix(index + 1, count)), part))
            .collect()
    }

    /// The text without what another system lists below it.
    fn own_text(&self) -> &str {
        if self.is_memory() { without_tail(&self.body) } else { &self.body }
    }

    /// A note without a text says its title and its properties.
    fn of_properties(&self) -> String {
        let mut out = self.title().to_owned();
        for (name, value) in &self.properties {
            let said = said(value);
            if !said.is_empty() && out.len() + said.len() + name.len() < MEMORY_CONTENT_BYTES - 8 {
                out.push_str(if out.len() == self.title().len() { "\n\n" } else { "\n" });
                out.push_str(&format!("{name}: {said}"));
            }
        }
        out
    }

    fn common(&self) -> ImportedMemory {
        let of = &self.properties;
        let number = |name: &str| of.get(name).and_then(lenient::share);
        let mut metadata = Map::new();
        for (name, value) in &self.kept {
            let taken = [NOTE_PATH, NOTE_PART].contains(&name.as_str());
            metadata.insert(if taken { format!("{name}_") } else { name.clone() }, value.clone());
        }
        if metadata.get("tags").is_some_and(|tags| property_tags(tags).len() <= TAGS) {
            metadata.remove("tags");
        }
        metadata.insert(NOTE_PATH.into(), Value::from(self.found.path));
        ImportedMemory {
            layer: self.layer(),
            kind: of.get("kind").and_then(Value::as_str).and_then(|word| word.parse().ok()),
            scope: of.get("scope").and_then(Value::as_str).and_then(words::scope),
            strength: number("strength"),
            confidence: number("confidence"),
            salience: number("salience"),
            created_at: time_of(of, CREATED).or_else(|| day_of(self.title())).or(self.found.written_at),
            updated_at: time_of(of, UPDATED),
            tags: self.folder_tags(),
            metadata,
            ..ImportedMemory::default()
        }
    }

    fn folder_tags(&self) -> Vec<String> {
        self.folders().filter(|folder| layer_of_folder(folder).is_none()).map(str::to_owned).collect()
    }

    fn own_tags(&self) -> Vec<String> {
        ["tags", "tag"].iter().filter_map(|name| self.properties.get(*name)).flat_map(property_tags).collect()
    }
}

/// A path as a name: without its ending.
pub fn name_of(path: &str) -> String {
    path.rsplit_once('.').map_or(path, |(name, _)| name).to_owned()
}

fn part_name(name: &str, number: usize) -> String {
    if number == 1 { name.to_owned() } else { format!("{name} ({number})") }
}

fn related(to: String) -> Pointer {
    Pointer { to, kind: LinkKind::Related, weight: 1.0 }
}

/// The notes that links lead to, each once. Names of notes that are not there go along as they are written.
fn pointers(links: &[LinkTarget], resolve: Resolve<'_>) -> Vec<Pointer> {
    let mut names: Vec<String> = Vec::new();
    for link in links {
        let Some(name) = resolve(link) else { continue };
        if !names.contains(&name) && names.len() < limits::NOTE_LINKS {
            names.push(name);
        }
    }
    names.into_iter().map(related).collect()
}

/// Wikilinks in properties are links, as in Obsidian.
fn property_links(value: &Value, into: &mut Vec<LinkTarget>) {
    match value {
        Value::String(text) => into.extend(markdown::wikilinks(text)),
        Value::Array(items) => items.iter().for_each(|item| property_links(item, into)),
        Value::Object(fields) => fields.values().for_each(|field| property_links(field, into)),
        _ => {}
    }
}

/// A list, or one text with commas or spaces between.
fn property_tags(value: &Value) -> Vec<String> {
    let clean = |word: &str| word.trim().trim_start_matches('#').to_owned();
    let tags: Vec<String> = match value {
        Value::Array(items) => items.iter().filter_map(lenient::text).map(|tag| clean(&tag)).collect(),
        Value::String(text) if text.contains(',') => text.split(',').map(clean).collect(),
        Value::String(text) => text.split_whitespace().map(clean).collect(),
        other => lenient::text(other).into_iter().collect(),
    };
    tags.into_iter().filter(|tag| !tag.is_empty()).collect()
}

/// As many as a memory has, each once and none too long; those beyond are in the text or in the metadata.
fn bounded_tags(tags: Vec<String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for tag in tags {
        let tag = lenient::cut(&tag, TAG_BYTES).to_owned();
        if !kept.contains(&tag) && kept.len() < TAGS {
            kept.push(tag);
        }
    }
    kept
}

/// The text of a memory that another system wrote, without the tags and links that it lists below.
fn without_tail(body: &str) -> &str {
    let own = body.find(&format!("\n{}", text::RELATED)).unwrap_or(body.len());
    let before = match text::added(&body[own..]).text.is_empty() {
        true => body[..own].trim_end(),
        false => body,
    };
    let (text_before, last) = before.rsplit_once('\n').unwrap_or(("", before));
    let only_tags =
        !text_before.trim().is_empty() && text::added(last).text.is_empty() && last.trim().starts_with('#');
    if only_tags { text_before.trim_end() } else { before }
}

fn said(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(said).filter(|item| !item.is_empty()).collect();
            items.join(", ")
        }
        other => other.to_string(),
    }
}

/// A moment among properties. A small number is a year or a count, and not a second of 1970.
fn time_of(properties: &Map<String, Value>, names: &[&str]) -> Option<Time> {
    let telling = |value: &&Value| lenient::number(value).is_none_or(|number| number >= 1e9);
    names.iter().find_map(|name| properties.get(*name).filter(telling).and_then(lenient::time))
}

/// The day that a daily note is called after.
fn day_of(title: &str) -> Option<Time> {
    title.get(..10).filter(|day| day.as_bytes().get(4) == Some(&b'-')).and_then(|day| day.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notes(path: &str, text: &str) -> Vec<ImportedMemory> {
        let found = ForeignNote { path, text, written_at: Some(Time::MIN) };
        let pieces = pieces(&found, &|target| Some(target.to.clone()));
        pieces
            .into_iter()
            .filter_map(|piece| match piece.what {
                Ok(ImportedRecord::Memory(note)) => Some(*note),
                _ => None,
            })
            .collect()
    }

    #[test]
    fn a_note_is_its_title_and_text() {
        let note = &notes(
            "Trips/Japan.md",
            "---\ntags: [travel, food]\nloc: \"[[Kyoto]]\"\ndate: 2023-09-12\n---\n\nWent with [[Ann|her]]. #fun\n",
        )[0];
        assert_eq!(note.content, "Japan\n\nWent with [[Ann|her]]. #fun");
        assert_eq!(note.tags, ["Trips", "travel", "food", "fun"]);
        let links: Vec<&str> = note.links.iter().map(|link| link.to.as_str()).collect();
        assert_eq!(links, ["Ann", "Kyoto"]);
        assert_eq!(note.name.as_deref(), Some("Trips/Japan"));
        assert_eq!(
            note.created_at.map(|time| time.to_string()).as_deref(),
            Some("2023-09-12T00:00:00.000000Z")
        );
        assert_eq!(note.metadata["loc"], "[[Kyoto]]");
        assert!(!note.metadata.contains_key("tags"));
        assert_eq!(note.layer, None);
    }

    #[test]
    fn folders_say_the_layer_and_memories_of_others_are_their_text() {
        assert_eq!(notes("episodic/a.md", "x")[0].layer, Some(Layer::Episodic));
        assert_eq!(notes("a/Procedural/b.md", "x")[0].tags, ["a"]);
        let text = "---\nid: mt_abc123\ntype: semantic\nscope: user\nstrength: 0.87\ntags:\n- preference\n- language\ncreatedAt: 2024-03-24T12:34:56Z\n---\n\nUser prefers TypeScript over Python\n\n#preference #language\n\n### Related\n- [[mt_def456]] — deployment preferences\n";
        let note = &notes("semantic/mt_abc123.md", text)[0];
        assert_eq!(note.content, "User prefers TypeScript over Python");
        assert_eq!(note.tags, ["preference", "language"]);
        assert_eq!(note.strength, Some(0.87));
        assert_eq!(note.links[0].to, "mt_def456");
    }

    #[test]
    fn bad_front_matter_costs_nothing() {
        let found = ForeignNote { path: "a.md", text: "---\nx: [\n---\nThe text", written_at: None };
        let pieces = pieces(&found, &|_| None);
        assert_eq!(pieces.len(), 2);
        assert!(pieces[0].what.is_err());
        assert!(pieces[0].place.starts_with("a.md, line "), "{}", pieces[0].place);
        let note = &notes("a.md", found.text)[0];
        assert_eq!(note.content, "a\n\nThe text");
        assert_eq!(note.metadata[UNREAD], "x: [\n");
    }

    #[test]
    fn a_note_without_text_says_its_properties() {
        let note = &notes("Japan.md", "---\nloc:\n  - Kyoto\n  - Nara\nend:\nstart: 2023-09-12\n---\n")[0];
        assert_eq!(note.content, "Japan\n\nloc: Kyoto, Nara\nstart: 2023-09-12");
        assert_eq!(notes("Empty.md", "")[0].content, "Empty");
    }

    #[test]
    fn a_long_note_is_several_that_are_linked() {
        let body = "A sentence that says something. ".repeat(1_200);
        let notes = notes("Long.md", &body);
        assert_eq!(notes.len(), 3);
        let joined: String =
            notes.iter().map(|note| note.content.split_once("\n\n").expect("a title").1).collect();
        assert_eq!(joined.trim_end(), body.trim_end());
        assert!(notes.iter().all(|note| note.content.len() <= MEMORY_CONTENT_BYTES));
        assert_eq!(notes[1].name.as_deref(), Some("Long (2)"));
        let ends: Vec<&str> = notes[1].links.iter().map(|link| link.to.as_str()).collect();
        assert_eq!(ends, ["Long", "Long (3)"]);
    }

    #[test]
    fn a_heading_that_is_the_title_is_not_said_twice() {
        assert_eq!(notes("Plan.md", "# Plan\n\nDo it.")[0].content, "# Plan\n\nDo it.");
    }
}
