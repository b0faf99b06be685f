//! A vault that somebody keeps, where the sample is there: held against a walk of its own over the folder.

use testkit::vault::{below_properties, notes_on_disk, sample, written_links};
use transfer::TransferFormat;
use transfer::import_model::{ImportedMemory, ImportedRecord};
use transfer::vault::recognise;

use super::foreign::read_notes as read;

#[test]
fn every_note_of_the_sample_is_read_whole() {
    let Some(path) = sample() else { return };
    assert_eq!(recognise(&path), Some(TransferFormat::Obsidian));
    let mut notes: Vec<ImportedMemory> = Vec::new();
    for piece in read(&path).expect("a vault") {
        let piece = piece.expect("readable to the end");
        match piece.what {
            Ok(ImportedRecord::Memory(note)) => notes.push(*note),
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
