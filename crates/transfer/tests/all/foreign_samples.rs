//! Every sample of others' exports, held against a walk of its own over the file: no message that says something is missing.

use std::path::PathBuf;

use serde_json::Value;
use transfer::{archive, chatgpt, claude};

use super::foreign::{ForeignReader, Scratch, all, conversations, errors};
use testkit::folder::{shared_data, zipped};

fn samples(folder: &str) -> Vec<PathBuf> {
    let Some(samples) = shared_data(&format!("exports/{folder}")) else { return Vec::new() };
    let listed = samples.read_dir().expect("a folder");
    let mut paths: Vec<PathBuf> = listed.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

/// Every text of a ChatGPT message: its parts that are text, and the fields that contents have instead of parts.
fn chatgpt_texts(document: &Value) -> Vec<String> {
    let mut texts = Vec::new();
    for conversation in document.as_array().expect("a list") {
        for node in conversation["mapping"].as_object().expect("a mapping").values() {
            let content = &node["message"]["content"];
            let parts = content["parts"].as_array().into_iter().flatten().filter_map(Value::as_str);
            let fields = ["text", "thoughts", "content"].iter().filter_map(|name| content[*name].as_str());
            texts.extend(parts.chain(fields).filter(|text| !text.trim().is_empty()).map(str::to_owned));
        }
    }
    texts
}

fn claude_texts(document: &Value) -> Vec<String> {
    let mut texts = Vec::new();
    for conversation in document.as_array().expect("a list") {
        for message in conversation["chat_messages"].as_array().expect("messages") {
            texts.extend(message["text"].as_str().map(str::to_owned));
            for file in message["attachments"].as_array().into_iter().flatten() {
                texts.extend(file["extracted_content"].as_str().map(str::to_owned));
            }
        }
    }
    texts.retain(|text| !text.trim().is_empty());
    texts
}

fn check(
    folder: &str,
    reader: ForeignReader,
    texts: fn(&Value) -> Vec<String>,
    recognise: fn(&archive::ArchiveFiles) -> bool,
) {
    for path in samples(folder) {
        let bytes = std::fs::read(&path).expect("a sample");
        let document: Value = serde_json::from_slice(&bytes).expect("JSON");
        assert!(recognise(&archive::parts(&path).expect("a file")), "{}", path.display());
        let scratch = Scratch::new();
        let archived =
            scratch.file("export.zip", zipped(&[("user.json", b"{}"), ("a/conversations.json", &bytes)]));
        for path in [&path, &archived] {
            let pieces = all(reader, path).expect("a whole file");
            assert_eq!(errors(&pieces), Vec::<String>::new(), "{}", path.display());
            let read = conversations(pieces);
            let expected = texts(&document);
            assert!(!expected.is_empty());
            for text in &expected {
                let times = read
                    .iter()
                    .flat_map(|one| &one.turns)
                    .filter(|turn| turn.text.contains(text.as_str()))
                    .count();
                let wanted = expected.iter().filter(|other| other.contains(text.as_str())).count();
                assert_eq!(times, wanted, "{}: {text}", path.display());
            }
            assert!(
                read.iter().all(|one| !one.id.is_empty() && one.turns.iter().all(|turn| turn.at.is_some()))
            );
        }
    }
}

#[test]
fn every_message_of_the_chatgpt_samples_arrives() {
    check("chatgpt", chatgpt::read, chatgpt_texts, |parts| {
        let seen = transfer::json_stream::glimpse(parts.parts[0].open().expect("opens")).expect("JSON");
        chatgpt::recognise(&seen) && !claude::recognise(&seen)
    });
}

#[test]
fn every_message_of_the_claude_samples_arrives() {
    check("claude", claude::read, claude_texts, |parts| {
        let seen = transfer::json_stream::glimpse(parts.parts[0].open().expect("opens")).expect("JSON");
        claude::recognise(&seen) && !chatgpt::recognise(&seen)
    });
}
