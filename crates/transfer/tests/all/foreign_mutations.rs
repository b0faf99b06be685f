//! Files of which something is wrong somewhere: no reader panics or hangs, and no message is lost but the one that was changed.

use proptest::prelude::*;
use serde_json::{Value, json};
use transfer::import_model::ImportedRecord;
use transfer::{agentos, chatgpt, claude, csv, ingest, mem0};

use super::foreign::{ForeignReader, Scratch, all, of};
use testkit::folder::zipped;

/// A document, and where in it what is said stands.
struct Sample {
    reader: ForeignReader,
    document: Value,
    said: Vec<(String, String)>,
}

fn chatgpt_sample() -> Sample {
    let mut mapping = json!({"root": {"id": "root", "parent": null, "children": ["n0"], "message": null}});
    let mut said = Vec::new();
    for number in 0..8_usize {
        let parent = if number == 0 {
            "root".to_owned()
        } else {
            format!("n{}", if number == 5 { 2 } else { number - 1 })
        };
        let text = format!("said {number}.");
        let content = match number {
            3 => json!({"content_type": "code", "language": "python", "text": text}),
            4 => {
                json!({"content_type": "multimodal_text", "parts": [{"content_type": "image_asset_pointer", "asset_pointer": "sediment://f"}, text]})
            }
            _ => json!({"content_type": "text", "parts": [text]}),
        };
        mapping[format!("n{number}")] = json!({
            "id": format!("n{number}"), "parent": parent, "children": [format!("n{}", number + 1)],
            "message": {
                "id": format!("m{number}"), "author": {"role": if number % 2 == 0 { "user" } else { "assistant" }, "name": null, "metadata": {}},
                "create_time": 1_700_000_000 + number, "content": content, "recipient": "all", "weight": 1.0, "metadata": {"model_slug": "m"},
            },
        });
        said.push((format!("/0/mapping/n{number}/message"), text));
    }
    let document = json!([{
        "id": "c", "conversation_id": "c", "title": "T", "create_time": 1_700_000_000.5, "update_time": null, "current_node": "n7", "mapping": mapping,
        "gizmo_id": null, "is_archived": false, "is_starred": null,
    }, {"id": "d", "title": null, "mapping": {"x": {"message": {"author": {"role": "user"}, "content": {"parts": ["alone"]}}}}}]);
    said.push(("/1/mapping/x/message".to_owned(), "alone".to_owned()));
    Sample { reader: chatgpt::read, document, said }
}

fn claude_sample() -> Sample {
    let mut said = Vec::new();
    let mut messages = Vec::new();
    for number in 0..6_usize {
        let text = format!("said {number}.");
        let parent = if number == 4 { 1 } else { number.saturating_sub(1) };
        messages.push(json!({
            "uuid": format!("m{number}"), "sender": if number % 2 == 0 { "human" } else { "assistant" }, "text": text, "parent_message_uuid": format!("m{parent}"),
            "content": [{"type": "text", "text": text}], "created_at": "2026-01-01T00:00:00Z", "attachments": [], "files": [{"file_name": "f"}],
        }));
        said.push((format!("/0/chat_messages/{number}"), text));
    }
    let document = json!([{"uuid": "c", "name": "N", "created_at": "2026-01-01T00:00:00Z", "account": {"uuid": "u"}, "chat_messages": messages}]);
    Sample { reader: claude::read, document, said }
}

fn mem0_sample() -> Sample {
    let mut said = Vec::new();
    let mut results = Vec::new();
    for number in 0..6_usize {
        let text = format!("said {number}.");
        results.push(json!({"id": format!("m{number}"), "memory": text, "metadata": {"a": 1}, "categories": ["x"], "user_id": "u", "created_at": "2026-01-01"}));
        said.push((format!("/results/{number}"), text));
    }
    let document = json!({"results": results, "relations": [{"source": "a", "relationship": "b", "target": "c"}], "next": null});
    Sample { reader: mem0::read, document, said }
}

fn agentos_sample() -> Sample {
    let document = json!({
        "meta": {"schema_version": "1"},
        "traces": [{"id": "t0", "type": "semantic", "scope": "user", "content": "said 0.", "tags": ["a"], "emotions": {}, "metadata": {}, "createdAt": 1}, {"id": "t1", "content": "said 1."}],
        "nodes": [{"id": "n", "type": "person", "label": "Ada", "properties": {}}],
        "edges": [{"source_id": "t0", "target_id": "t1", "type": "x", "weight": 1}],
        "conversations": [{"id": "c", "title": "T", "created_at": 1, "metadata": {}}],
        "messages": [{"id": "m2", "conversation_id": "c", "role": "user", "content": "said 2.", "created_at": 2}, {"id": "m3", "conversation_id": "c", "role": "assistant", "content": "said 3."}],
        "documents": [{"id": "d", "path": "p", "title": "D"}],
        "chunks": [{"id": "k", "document_id": "d", "content": "said 4.", "chunk_index": 0}],
    });
    let places = ["/traces/0", "/traces/1", "/messages/0", "/messages/1", "/chunks/0"];
    let said = places
        .iter()
        .enumerate()
        .map(|(number, place)| ((*place).to_owned(), format!("said {number}.")))
        .collect();
    Sample { reader: agentos::read, document, said }
}

fn samples() -> Vec<Sample> {
    vec![chatgpt_sample(), claude_sample(), mem0_sample(), agentos_sample()]
}

/// Every place in a document, as JSON pointers.
fn places(value: &Value, at: &str, all: &mut Vec<String>) {
    let inner: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), value)).collect(),
        Value::Array(items) => {
            items.iter().enumerate().map(|(number, value)| (number.to_string(), value)).collect()
        }
        _ => Vec::new(),
    };
    for (name, value) in inner {
        let place = format!("{at}/{name}");
        places(value, &place, all);
        all.push(place);
    }
}

/// Drops what stands there, or puts something else there.
fn change(document: &mut Value, place: &str, other: usize) {
    let replacements = [
        json!(null),
        json!(7),
        json!("other"),
        json!([]),
        json!([1, null, {"a": {}}]),
        json!({}),
        json!({"id": []}),
        json!(true),
        json!(1e300),
        json!("\u{0}"),
    ];
    let (outer, name) = place.rsplit_once('/').expect("a pointer");
    match (replacements.get(other), document.pointer_mut(outer)) {
        (None, Some(Value::Object(fields))) => drop(fields.remove(name)),
        // Dropping an element would move the places of those behind it.
        (None, _) => *document.pointer_mut(place).expect("a place") = Value::Null,
        (Some(replacement), _) => *document.pointer_mut(place).expect("a place") = replacement.clone(),
    }
}

fn related(one: &str, other: &str) -> bool {
    let inside = |outer: &str, inner: &str| inner == outer || inner.starts_with(&format!("{outer}/"));
    inside(one, other) || inside(other, one)
}

fn texts(sample: &Sample, document: &Value) -> Vec<String> {
    let pieces = of(sample.reader, document.to_string()).expect("a document that is JSON is whole");
    let mut texts = Vec::new();
    for piece in pieces {
        match piece.what {
            Ok(ImportedRecord::Conversation(conversation)) => {
                let ids: std::collections::HashSet<&str> =
                    conversation.turns.iter().map(|turn| turn.id.as_str()).collect();
                assert_eq!(ids.len(), conversation.turns.len(), "ids are unique");
                texts.extend(conversation.turns.into_iter().map(|turn| turn.text));
            }
            Ok(ImportedRecord::Memory(note)) => texts.push(note.content),
            _ => {}
        }
    }
    texts
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_change_anywhere_costs_no_other_message(
        which in 0_usize..4,
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0_usize..11), 1..4),
    ) {
        let sample = samples().swap_remove(which);
        let mut document = sample.document.clone();
        let mut changed = Vec::new();
        for (index, other) in changes {
            let mut all = Vec::new();
            places(&document, "", &mut all);
            // What is replaced whole may leave nothing to change.
            if all.is_empty() {
                break;
            }
            let place = index.get(&all).clone();
            change(&mut document, &place, other);
            changed.push(place);
        }
        let read = texts(&sample, &document);
        for (place, text) in &sample.said {
            let untouched = !changed.iter().any(|changed| related(changed, place));
            prop_assert!(!untouched || read.iter().any(|read| read.contains(text.as_str())), "{text} after {changed:?}: {read:?}");
        }
    }

    #[test]
    fn bytes_that_are_cut_or_changed_neither_panic_nor_hang(
        which in 0_usize..4,
        cut in any::<prop::sample::Index>(),
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        packed in any::<bool>(),
    ) {
        let sample = samples().swap_remove(which);
        let mut bytes = sample.document.to_string().into_bytes();
        if packed {
            bytes = zipped(&[("conversations.json", &bytes)]);
        }
        for (index, byte) in flips {
            let at = index.index(bytes.len());
            bytes[at] = byte;
        }
        let length = cut.index(bytes.len() * 2).min(bytes.len());
        let scratch = Scratch::new();
        let path = scratch.file("file", &bytes[..length]);
        let lines: ForeignReader = |path| ingest::read(path, |_| Err("no line is taken".to_owned()));
        for reader in [sample.reader, csv::read, lines, chatgpt::read] {
            let _ = all(reader, &path).map(|pieces| pieces.len());
        }
    }
}

#[test]
fn an_unchanged_document_says_everything() {
    for sample in samples() {
        let read = texts(&sample, &sample.document);
        for (_, text) in &sample.said {
            assert_eq!(read.iter().filter(|read| read.contains(text.as_str())).count(), 1, "{text}");
        }
    }
}
