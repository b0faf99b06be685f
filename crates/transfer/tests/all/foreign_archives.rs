//! Archives that were made to do harm, and archives that came to harm.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use transfer::import_model::Abandonment;
use transfer::limits;
use transfer::{chatgpt, claude, vault};

use super::foreign::{Scratch, all, conversations, errors, left_out, notes, read_notes};
use testkit::folder::zipped;

fn chats(text: &str) -> String {
    json!([{"id": "c", "title": "T", "mapping": {"q": {"message": {"author": {"role": "user"}, "content": {"parts": [text]}}}}}]).to_string()
}

#[test]
fn names_that_lead_out_are_refused_and_nothing_is_written() {
    let scratch = Scratch::new();
    let (good, bad) = (chats("good"), chats("bad"));
    let archive = zipped(&[
        ("../../conversations.json", bad.as_bytes()),
        ("/tmp/conversations.json", bad.as_bytes()),
        ("a/../../conversations.json", bad.as_bytes()),
        ("C:\\conversations.json", bad.as_bytes()),
        ("export/conversations.json", good.as_bytes()),
        ("export/more.zip", &zipped(&[("conversations.json", bad.as_bytes())])),
    ]);
    let path = scratch.file("export/inner/download.zip", archive);
    let pieces = all(chatgpt::read, &path).expect("the rest is read");
    assert_eq!(errors(&pieces).len(), 4, "{:?}", errors(&pieces));
    assert!(errors(&pieces).iter().all(|error| error.contains("leads out of the archive")));
    assert_eq!(left_out(&pieces), ["export/more.zip: an archive inside the archive is not opened"]);
    let read = conversations(pieces);
    assert_eq!((read.len(), read[0].turns[0].text.as_str()), (1, "good"));
    let written: Vec<_> = walk(scratch.folder());
    assert_eq!(written, ["download.zip"]);
}

fn walk(folder: &std::path::Path) -> Vec<String> {
    let mut names = Vec::new();
    for entry in folder.read_dir().expect("lists").map(|entry| entry.expect("an entry")) {
        if entry.file_type().expect("a type").is_dir() {
            names.extend(walk(&entry.path()));
        } else {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names
}

#[test]
fn an_archive_that_swells_ends_early() {
    let scratch = Scratch::new();
    let mut bomb = b"[".to_vec();
    bomb.resize(40 * 1024 * 1024, b' ');
    let archive = zipped(&[("conversations.json", &bomb)]);
    assert!(archive.len() < 100_000, "it packs well: {}", archive.len());
    let path = scratch.file("bomb.zip", archive);
    let started = Instant::now();
    let broken = all(chatgpt::read, &path).expect_err("it swells").to_string();
    assert!(broken.contains("made to do harm"), "{broken}");
    assert!(started.elapsed() < Duration::from_secs(20));
}

#[test]
fn notes_that_swell_end_early_also_between_honest_ones() {
    let scratch = Scratch::new();
    let blank = vec![b' '; 12 * 1024 * 1024];
    // What does not pack, so that the archive as a whole looks honest.
    let mut state = 1_u64;
    let noise: Vec<u8> = (0..1024 * 1024)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 56) as u8
        })
        .collect();
    let swelling =
        [("a.md", &blank[..]), ("b.md", &blank[..]), ("c.md", &blank[..]), ("d.md", b"never read")];
    let mut hidden = swelling.to_vec();
    hidden.push(("picture.png", &noise[..]));
    for entries in [&swelling[..], &hidden[..]] {
        let path = scratch.file("bomb.zip", zipped(entries));
        let mut pieces = read_notes(&path).expect("its names are read");
        let broken = pieces.next().expect("an end").expect_err("it swells").to_string();
        assert!(broken.contains("c.md") && broken.contains("made to do harm"), "{broken}");
        assert!(pieces.next().is_none(), "nothing comes after");
    }
    // One page of nothing but lines is somebody's page, and read twice it still is one.
    let harmless = [("a.md", &blank[..]), ("b.md", &blank[..]), ("d.md", b"read")];
    let path = scratch.file("pages.zip", zipped(&harmless));
    let read = notes(all(read_notes, &path).expect("within the bounds"));
    assert!(read.iter().any(|note| note.content.ends_with("read")));
}

#[test]
fn m8_notes_with_deep_front_matter_come_in_as_text() {
    let scratch = Scratch::new();
    let deep = format!("---\na: {}\n---\nThe text.\n", "[".repeat(6_000_000));
    let long = format!("---\na: {}\n---\nThe text.\n", "x ".repeat(100_000));
    let path =
        scratch.file("deep.zip", zipped(&[("deep.md", deep.as_bytes()), ("long.md", long.as_bytes())]));
    let read = all(read_notes, &path).expect("an archive");
    let troubles: Vec<&String> = read.iter().filter_map(|piece| piece.what.as_ref().err()).collect();
    assert_eq!(troubles.len(), 2, "{troubles:?}");
    assert!(
        troubles.iter().all(|trouble| trouble.contains("too long, or too deeply nested")),
        "{troubles:?}"
    );
    let texts = notes(read.into_iter().filter(|piece| piece.what.is_ok()).collect());
    assert_eq!(texts.iter().filter(|note| note.content.contains("The text.")).count(), 2);
}

#[test]
fn m8_a_vault_is_not_read_on_when_nobody_waits_for_it() {
    let scratch = Scratch::new();
    let names: Vec<String> = (0..1_000).map(|number| format!("{number}.md")).collect();
    let entries: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b"A note."[..])).collect();
    let path = scratch.file("vault.zip", zipped(&entries));
    let looks = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&looks);
    let abandonment = Abandonment::when(move || counted.fetch_add(1, Ordering::Relaxed) >= 10);
    let mut pieces = vault::read(&path, &abandonment).expect("its names are read");
    assert!(pieces.next().expect("an end").is_err(), "left before the first piece");
    assert!(pieces.next().is_none());
    assert_eq!(looks.load(Ordering::Relaxed), 11, "ten notes were looked at, and then no more");
}

#[test]
fn entries_that_share_their_bytes_are_measured_by_the_archive() {
    let scratch = Scratch::new();
    // Packs a hundred times, which by itself is no harm.
    let mut page = String::new();
    let mut state = 1_u64;
    while page.len() < 2 * 1024 * 1024 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        page.push_str(&format!("{:016x}", state));
        page.push_str(&" ".repeat(1_600));
    }
    let count = 40;
    let mut entries: Vec<(String, &[u8])> = vec![("000.md".to_owned(), page.as_bytes())];
    entries.extend((1..count).map(|number| (format!("{number:03}.md"), &b""[..])));
    let named: Vec<(&str, &[u8])> = entries.iter().map(|(name, bytes)| (name.as_str(), *bytes)).collect();
    let mut archive = zipped(&named);
    // Every entry of the directory is made to lead to the first one's bytes.
    let places: Vec<usize> = archive
        .windows(4)
        .enumerate()
        .filter(|(_, bytes)| *bytes == b"PK\x01\x02")
        .map(|(at, _)| at)
        .collect();
    assert_eq!(places.len(), count);
    let first = archive[places[0]..places[0] + 46].to_vec();
    for at in &places[1..] {
        archive[at + 16..at + 28].copy_from_slice(&first[16..28]);
        archive[at + 42..at + 46].copy_from_slice(&first[42..46]);
    }
    assert!(page.len() / archive.len() < 200, "one of them is no harm: {}", archive.len());
    let path = scratch.file("shared.zip", archive);
    let broken = all(read_notes, &path).expect_err("together they swell").to_string();
    assert!(broken.contains("made to do harm"), "{broken}");
}

#[test]
fn more_entries_than_any_export_has_are_refused() {
    let scratch = Scratch::new();
    let path = scratch.file("many.zip", crowded(limits::ARCHIVE_ENTRIES + 1));
    for reader in [read_notes, chatgpt::read] {
        let broken = all(reader, &path).expect_err("too many").to_string();
        assert!(broken.contains("200001 entries; expected at most 200000"), "{broken}");
    }
}

/// An archive of so many empty notes, which share their bytes.
fn crowded(count: usize) -> Vec<u8> {
    let one = zipped(&[("0000000.md", b"")]);
    let find = |mark: &[u8]| one.windows(4).position(|bytes| bytes == mark).expect("a mark");
    let (directory, end) = (find(b"PK\x01\x02"), find(b"PK\x05\x06"));
    let mut archive = one[..directory].to_vec();
    for number in 0..count {
        let mut entry = one[directory..end].to_vec();
        entry[46..53].copy_from_slice(format!("{number:07}").as_bytes());
        archive.extend(entry);
    }
    let (long_end, bytes) = (archive.len() as u64, (end - directory) as u64 * count as u64);
    // The longer end, since the usual one counts to 65,535.
    archive.extend(b"PK\x06\x06");
    archive.extend(44_u64.to_le_bytes());
    archive.extend([45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    for number in [count as u64, count as u64, bytes, directory as u64] {
        archive.extend(number.to_le_bytes());
    }
    archive.extend(b"PK\x06\x07\0\0\0\0");
    archive.extend(long_end.to_le_bytes());
    archive.extend([1, 0, 0, 0]);
    archive.extend(b"PK\x05\x06\0\0\0\0");
    archive.extend([0xff; 12]);
    archive.extend([0, 0]);
    archive
}

#[test]
fn a_name_longer_than_a_memory_is_cut_and_its_note_comes_in() {
    let scratch = Scratch::new();
    let name = format!("{}.md", "ä".repeat(10_000));
    let body = "A line of a long note.\n".repeat(2_000);
    let path = scratch.file("long.zip", zipped(&[(&name, body.as_bytes())]));
    let read = notes(all(read_notes, &path).expect("an archive"));
    assert!(read.len() > 1);
    assert!(read.iter().all(|note| note.content.len() <= memory::limits::MEMORY_CONTENT_BYTES));
    assert!(read[0].content.starts_with("ää"));
    assert_eq!(
        read.iter().map(|note| note.content.matches("A line of a long note.").count()).sum::<usize>(),
        2_000
    );
}

#[test]
fn damaged_and_encrypted_archives_say_so() {
    let scratch = Scratch::new();
    let noise: String =
        (0_u64..5_000).map(|number| format!("{:x} ", number.wrapping_mul(0x9e37_79b9_7f4a_7c15))).collect();
    let whole = zipped(&[("conversations.json", chats(&noise).as_bytes())]);
    assert_eq!(
        conversations(all(chatgpt::read, &scratch.file("whole.zip", &whole)).expect("whole")).len(),
        1
    );

    let short = scratch.file("short.zip", &whole[..whole.len() / 2]);
    let broken = all(chatgpt::read, &short).expect_err("it is cut off").to_string();
    assert!(broken.contains("damaged"), "{broken}");

    let mut flipped = whole.clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 0xff;
    flipped[middle + 1] ^= 0xff;
    let broken =
        all(chatgpt::read, &scratch.file("flipped.zip", flipped)).expect_err("its bytes changed").to_string();
    assert!(!broken.is_empty());

    let mut locked = whole.clone();
    let directory = locked.windows(4).rposition(|bytes| bytes == b"PK\x01\x02").expect("a directory");
    locked[6] |= 1;
    locked[directory + 8] |= 1;
    let broken =
        all(chatgpt::read, &scratch.file("locked.zip", locked)).expect_err("it is locked").to_string();
    assert!(broken.contains("encrypted"), "{broken}");
}

#[test]
fn archives_without_conversations_say_what_was_expected() {
    let scratch = Scratch::new();
    let empty = scratch.file("empty.zip", zipped(&[("photo.png", b"x")]));
    for reader in [chatgpt::read, claude::read] {
        let broken = all(reader, &empty).expect_err("nothing to read").to_string();
        assert!(broken.contains("no conversations.json"), "{broken}");
    }
    assert!(all(chatgpt::read, &scratch.folder().join("none.zip")).is_err());
    assert!(all(chatgpt::read, &scratch.file("x.zip", b"PK")).is_err());
}
