//! A vault that somebody keeps, where the sample is there: held against a walk of its own over the folder.

use std::fs;
use std::path::{Path, PathBuf};

use transfer::Format;
use transfer::incoming::{Incoming, Note};
use transfer::vault::recognise;

use super::foreign::{SAMPLES, read_notes as read};

/// The sample, or a word that it is not there.
pub fn sample() -> Option<PathBuf> {
    let path = Path::new(SAMPLES).parent()?.join("vault/kepano");
    if path.is_dir() {
        return Some(path);
    }
    eprintln!("skipped: there is no vault at {}", path.display());
    None
}

/// Every note's name and text, found without the reader.
pub fn notes_on_disk(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(notes_on_disk(&path));
        } else if path.extension().is_some_and(|ending| ending == "md") {
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            found.push((name, fs::read_to_string(&path).expect("text")));
        }
    }
    found
}

/// A note's text below its properties.
pub fn below_properties(text: &str) -> &str {
    let Some(rest) = text.strip_prefix("---\n") else { return text.trim() };
    rest.split_once("\n---").map_or("", |(_, body)| body).trim()
}

/// Every `[[link]]`, as it is written.
pub fn written_links(text: &str) -> Vec<&str> {
    text.split("[[").skip(1).filter_map(|rest| rest.split_once("]]")).map(|(link, _)| link).collect()
}

#[test]
fn every_note_of_the_sample_is_read_whole() {
    let Some(path) = sample() else { return };
    assert_eq!(recognise(&path), Some(Format::Obsidian));
    let mut notes: Vec<Note> = Vec::new();
    for piece in read(&path).expect("a vault") {
        let piece = piece.expect("readable to the end");
        match piece.what {
            Ok(Incoming::Memory(note)) => notes.push(*note),
            other => panic!("{}: {other:?}", piece.place),
        }
    }
    let on_disk = notes_on_disk(&path);
    assert_eq!(notes.len(), on_disk.len(), "none of them is long");
    assert!(on_disk.len() > 50);
    for (name, text) in &on_disk {
        let body = below_properties(text);
        let note =
            notes.iter().find(|note| note.content.starts_with(name.as_str()) && note.content.ends_with(body));
        let note = note.unwrap_or_else(|| panic!("{name} is not there"));
        let kept = format!("{} {}", note.content, serde_json::to_string(&note.metadata).expect("JSON"));
        for link in written_links(text) {
            assert!(kept.contains(&format!("[[{link}]]")), "{name} lost [[{link}]]");
        }
    }
    let names: Vec<&str> = notes.iter().filter_map(|note| note.name.as_deref()).collect();
    let links = notes.iter().flat_map(|note| &note.links);
    let (found, unwritten): (Vec<_>, Vec<_>) = links.partition(|link| names.contains(&link.to.as_str()));
    assert!(found.len() > 50 && !unwritten.is_empty(), "{} found, {} not", found.len(), unwritten.len());
    assert!(notes.iter().all(|note| note.created_at.is_some()));
}
