//! Archives that were made to do harm, and archives that came to harm.

use std::time::{Duration, Instant};

use recollect::transfer::{chatgpt, claude};
use serde_json::json;

use super::foreign::{Scratch, all, conversations, errors, left_out, zipped};

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
