//! A vault, read note by note.
//!
//! Twice: first our own notes, whose memories the second reading may link to; then what names others. A note that somebody wrote is
//! told apart from ours by its front-matter, and waits for the second reading, when every name is known.

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::Path;

use memory::text::fold;
use memory::types::{Item, Link, LinkId, LinkKind, MemoryId, Time, content_hash};

use super::files::{NoteText, VaultFiles};
use super::foreign::{self, ForeignNote, name_of};
use super::markdown::{self, LinkTarget};
use super::ours::{self, First, Ours};
use super::{front, text};
use serde_json::{Map, Value};

use crate::TransferFormat;
use crate::import_model::{Abandonment, FilePiece, FilePieces, ImportedRecord, UnreadableFile};

/// Notes that are looked at to tell whose vault it is.
const LOOKED_AT: usize = 20;

/// Reads the notes at a path: a file, a folder, or an archive of one.
pub fn read(path: &Path, abandonment: &Abandonment) -> Result<FilePieces, UnreadableFile> {
    let mut files = VaultFiles::list(path)?;
    let queue = files.aside.drain(..).collect();
    let names = NoteLookup::of(&files);
    Ok(Box::new(VaultReader {
        files,
        names,
        ours: HashMap::new(),
        known: HashSet::new(),
        first: 0,
        later: Vec::new(),
        second: None,
        queue,
        is_broken: false,
        abandonment: abandonment.clone(),
    }))
}

/// Which of the two formats of notes a folder or an archive is, if it has notes at all.
pub fn recognise(path: &Path) -> Option<TransferFormat> {
    let mut files = VaultFiles::list(path).ok()?;
    if files.notes.iter().all(|note| !super::files::is_note(note)) {
        return None;
    }
    let looked_at = if files.is_obsidian { 0 } else { files.notes.len().min(LOOKED_AT) };
    let mut has_wikilinks = |index| matches!(files.read(index), Ok(Ok(note)) if note.text.contains("[["));
    let is_obsidian = looked_at == 0 || (0..looked_at).any(&mut has_wikilinks);
    Some(if is_obsidian { TransferFormat::Obsidian } else { TransferFormat::Markdown })
}

/// What notes are called, and how one finds them by that.
struct NoteLookup {
    /// Notes by the last part of their path without its ending, folded.
    by_name: HashMap<String, Vec<usize>>,
}

impl NoteLookup {
    fn of(files: &VaultFiles) -> Self {
        let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, path) in files.notes.iter().enumerate() {
            by_name.entry(fold(last(&name_of(path)))).or_default().push(index);
        }
        Self { by_name }
    }

    /// The note that a link in the note at `from` leads to: the one at that path, else the nearest with that name. Capitals do not
    /// count; where nothing fits so, accents do not either, because systems spell the same name in two ways.
    fn find(&self, notes: &[String], from: &str, target: &LinkTarget) -> Option<usize> {
        let wanted = if super::files::is_note(&target.to) { name_of(&target.to) } else { target.to.clone() };
        let wanted = wanted.trim_start_matches("./").trim_start_matches('/');
        let candidates = self.by_name.get(&fold(last(wanted)))?;
        let spellings: [fn(&str) -> String; 2] = [str::to_lowercase, fold];
        spellings.into_iter().find_map(|spelled| {
            let search = NoteSearch { notes, candidates, folder: spelled(folder_of(from)), spelled };
            search.find(&spelled(wanted), target.is_path)
        })
    }
}

/// A search among the notes of one name, in one spelling.
struct NoteSearch<'a> {
    notes: &'a [String],
    candidates: &'a [usize],
    folder: String,
    spelled: fn(&str) -> String,
}

impl NoteSearch<'_> {
    fn path(&self, index: usize) -> String {
        (self.spelled)(&name_of(&self.notes[index]))
    }

    fn find(&self, wanted: &str, is_path: bool) -> Option<usize> {
        let exactly = |way: &str| self.candidates.iter().copied().find(|index| self.path(*index) == way);
        let beside = joined(&self.folder, wanted);
        let first = if is_path { exactly(&beside).or_else(|| exactly(wanted)) } else { exactly(wanted) };
        first.or_else(|| exactly(&beside)).or_else(|| {
            let ending = format!("/{}", wanted.trim_start_matches("../"));
            let fits = |index: &usize| format!("/{}", self.path(*index)).ends_with(&ending);
            let fitting = self.candidates.iter().copied().filter(fits);
            fitting.min_by_key(|index| {
                let path = self.path(*index);
                (folder_of(&path) != self.folder, path.matches('/').count(), *index)
            })
        })
    }
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// A way, taken from a folder.
fn joined(folder: &str, way: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in way.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            other => parts.push(other),
        }
    }
    parts.join("/")
}

struct VaultReader {
    files: VaultFiles,
    names: NoteLookup,
    /// The memories of our notes, by the note's number.
    ours: HashMap<usize, MemoryId>,
    known: HashSet<MemoryId>,
    /// The next note of the first reading.
    first: usize,
    /// Notes that are read again, and when: those that others name first, the notes of others last.
    later: Vec<(u8, usize)>,
    second: Option<std::vec::IntoIter<(u8, usize)>>,
    queue: VecDeque<FilePiece>,
    is_broken: bool,
    abandonment: Abandonment,
}

/// When the notes of others come.
const FOREIGN: u8 = 9;

impl VaultReader {
    /// Reads one more note, or says that there is none.
    fn advance(&mut self) -> Result<bool, UnreadableFile> {
        // The first reading of a vault may go through a hundred thousand notes before there is a piece to hand over.
        if self.abandonment.has_happened() {
            return Err(UnreadableFile {
                place: String::new(),
                message: "nobody waits for it any more".to_owned(),
            });
        }
        if self.first < self.files.notes.len() {
            let index = self.first;
            self.first += 1;
            match self.files.read(index)? {
                Ok(note) => self.look(index, &note),
                Err(message) => self.push(index, Err(message)),
            }
            return Ok(true);
        }
        if self.second.is_none() {
            self.later.sort_unstable();
            self.second = Some(std::mem::take(&mut self.later).into_iter());
        }
        let Some((rank, index)) = self.second.as_mut().and_then(Iterator::next) else { return Ok(false) };
        match self.files.read(index)? {
            Ok(note) if rank == FOREIGN => self.take_foreign(index, &note),
            Ok(note) => self.take_rest(index, &note),
            Err(message) => self.push(index, Err(message)),
        }
        Ok(true)
    }

    fn push(&mut self, index: usize, what: Result<ImportedRecord, String>) {
        self.queue.push_back(FilePiece { place: self.files.notes[index].clone(), what });
    }

    /// The first reading of a note.
    fn look(&mut self, index: usize, note: &NoteText) {
        match as_ours(note) {
            None => self.later.push((FOREIGN, index)),
            Some(Err(message)) => self.push(index, Err(message)),
            Some(Ok((kind, front, body))) => {
                let read = Ours { kind: &kind, front, body, written_at: note.written_at };
                match ours::first(read) {
                    Ok(First { memory: Some(id), .. }) if !self.known.insert(id.clone()) => {
                        let message = format!(
                            "another note has the id {id} too; take the property out of the one that is a copy"
                        );
                        self.push(index, Err(message));
                    }
                    Ok(first) => {
                        self.later.extend(first.later.map(|rank| (rank, index)));
                        self.ours.extend(first.memory.map(|id| (index, id)));
                        first
                            .items
                            .into_iter()
                            .for_each(|item| self.push(index, Ok(ImportedRecord::Item(Box::new(item)))));
                    }
                    Err(message) => self.push(index, Err(message)),
                }
            }
        }
    }

    /// The second reading of a note of ours.
    fn take_rest(&mut self, index: usize, note: &NoteText) {
        let Some(Ok((kind, front, body))) = as_ours(note) else { return };
        let added = self.added_links(index, &front, body, note.written_at);
        match ours::second(Ours { kind: &kind, front, body, written_at: note.written_at }) {
            Ok(items) => items
                .into_iter()
                .chain(added)
                .for_each(|item| self.push(index, Ok(ImportedRecord::Item(Box::new(item))))),
            Err(message) => self.push(index, Err(message)),
        }
    }

    /// Links that a person added below the mark, to other notes of ours.
    fn added_links(
        &self,
        index: usize,
        front: &Map<String, Value>,
        body: &str,
        written_at: Option<Time>,
    ) -> Vec<Item> {
        let Some(from) = self.ours.get(&index) else { return Vec::new() };
        let text = |name: &str| front.get(name).and_then(Value::as_str);
        let links = front.get("links").and_then(Value::as_array).into_iter().flatten();
        let mut known: Vec<&str> = links.filter_map(|link| link.get("to")?.as_str()).collect();
        known.extend([text("supersededBy"), text("id")].into_iter().flatten());
        let created = written_at.or_else(|| text("createdAt")?.parse().ok()).unwrap_or(Time::MIN);
        let below = markdown::scan(text::parts(body).1);
        let notes = &self.files.notes;
        let targets = below.links.iter().filter_map(|target| self.names.find(notes, &notes[index], target));
        let targets =
            targets.filter_map(|target| self.ours.get(&target)).filter(|to| !known.contains(&to.as_str()));
        targets.map(|to| new_link(from, to, created)).collect()
    }

    fn take_foreign(&mut self, index: usize, note: &NoteText) {
        let path = &self.files.notes[index];
        let resolve = |target: &LinkTarget| self.name_of_target(index, target);
        let found = ForeignNote { path, text: &note.text, written_at: note.written_at };
        let pieces = foreign::pieces(&found, &resolve);
        self.queue.extend(pieces);
    }

    /// What the target of a link is called by whoever takes it in: a memory of ours by its id, another note by its path, one that
    /// does not exist by its name. Files that are no notes are nothing.
    fn name_of_target(&self, from: usize, target: &LinkTarget) -> Option<String> {
        let notes = &self.files.notes;
        match self.names.find(notes, &notes[from], target) {
            Some(index) if index == from => None,
            Some(index) => {
                Some(self.ours.get(&index).map_or_else(|| name_of(&notes[index]), ToString::to_string))
            }
            None => {
                let has_ending = last(&target.to).rsplit_once('.').is_some_and(|(_, ending)| {
                    (1..=5).contains(&ending.len()) && ending.bytes().all(|sign| sign.is_ascii_alphanumeric())
                });
                let is_file = self.files.attachments.contains(&last(&target.to).to_lowercase());
                (!(is_file || target.is_embed && has_ending)).then(|| target.to.clone())
            }
        }
    }
}

/// A link that has the same id every time it is read.
fn new_link(from: &MemoryId, to: &MemoryId, at: Time) -> Item {
    let digits = content_hash(&format!("{from} {to}"));
    let parts = [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..32]];
    let id: LinkId =
        format!("{}{}", LinkId::PREFIX, parts.join("-")).parse().expect("thirty-two digits are a UUID");
    let (from, to, kind) = (from.clone(), to.clone(), LinkKind::Related);
    let link = Link { id, version: 1, from, to, kind, weight: 1.0, created_at: at, updated_at: at };
    Item::Record { value: Box::new(link.into()), next_index: None }
}

type OurParts<'a> = (String, Map<String, Value>, &'a str);

/// A note's parts, if it is ours.
fn as_ours(note: &NoteText) -> Option<Result<OurParts<'_>, String>> {
    let cut = front::cut(&note.text);
    let yaml = cut.front.filter(|yaml| yaml.contains(super::MARK))?;
    let front = front::parse(yaml).ok()?;
    Some(ours::kind_of(&front)?.map(|kind| (kind, front, cut.body)))
}

impl Iterator for VaultReader {
    type Item = Result<FilePiece, UnreadableFile>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(piece) = self.queue.pop_front() {
                return Some(Ok(piece));
            }
            if self.is_broken {
                return None;
            }
            match self.advance() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(broken) => {
                    self.is_broken = true;
                    return Some(Err(broken));
                }
            }
        }
    }
}
