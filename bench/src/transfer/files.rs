//! Files of other systems' formats, made up, the same in every run, written as they are made so that any size can be had.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use serde_json::{Value, json};
use testkit::Random;

use crate::text::Sentences;

/// Sentences that texts are put together from. Making each word anew would take longer than importing it.
const SENTENCES: usize = 20_000;
/// Messages of a conversation.
const MESSAGES: usize = 20;
/// When it all began, in seconds.
const BEGINNING: u64 = 1_700_000_000;

/// What a file looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileShape {
    Chatgpt,
    Claude,
    Csv,
    Mem0,
    Agentos,
    Ingest,
}

impl FileShape {
    pub fn extension(self) -> &'static str {
        match self {
            FileShape::Chatgpt | FileShape::Claude | FileShape::Mem0 | FileShape::Agentos => "json",
            FileShape::Csv => "csv",
            FileShape::Ingest => "jsonl",
        }
    }

    /// What stands before, between and after the records.
    fn frame(self) -> (&'static str, &'static str, &'static str) {
        match self {
            FileShape::Chatgpt | FileShape::Claude => ("[\n", ",\n", "\n]\n"),
            FileShape::Mem0 => ("{\"results\": [\n", ",\n", "\n]}\n"),
            FileShape::Agentos => ("{\"meta\": {\"version\": \"1\"}, \"traces\": [\n", ",\n", "\n]}\n"),
            FileShape::Csv => ("content,type,scope,tags,source\n", "\n", "\n"),
            FileShape::Ingest => ("", "\n", "\n"),
        }
    }
}

/// Writes records until the file has that many bytes.
pub fn make(path: &Path, shape: FileShape, bytes: u64) -> anyhow::Result<()> {
    let mut file = BufWriter::with_capacity(1 << 20, File::create(path)?);
    let mut texts = Texts::seeded(7);
    let (before, between, after) = shape.frame();
    file.write_all(before.as_bytes())?;
    let (mut written, mut number) = (before.len() as u64, 0);
    while written < bytes {
        let record = record(shape, number, &mut texts);
        if number > 0 {
            file.write_all(between.as_bytes())?;
        }
        file.write_all(record.as_bytes())?;
        written += (record.len() + between.len()) as u64;
        number += 1;
    }
    file.write_all(after.as_bytes())?;
    file.flush()?;
    Ok(())
}

fn record(shape: FileShape, number: u64, texts: &mut Texts) -> String {
    match shape {
        FileShape::Chatgpt => chatgpt(number, texts).to_string(),
        FileShape::Claude => claude(number, texts).to_string(),
        FileShape::Mem0 => mem0(number, texts).to_string(),
        FileShape::Agentos => agentos(number, texts).to_string(),
        FileShape::Ingest => ingest(number, texts).to_string(),
        FileShape::Csv => {
            let note = texts.note(number);
            format!("\"{note}, and \"\"so on\"\"\",semantic,user,\"bench,row\",made up {number}")
        }
    }
}

/// Texts out of a stock of sentences.
struct Texts {
    stock: Vec<String>,
    random: Random,
}

impl Texts {
    fn seeded(seed: u64) -> Self {
        let mut sentences = Sentences::seeded(seed);
        Self { stock: (0..SENTENCES).map(|_| sentences.turn()).collect(), random: Random::seeded(seed) }
    }

    fn message(&mut self) -> String {
        let count = 1 + self.random.below(4);
        let some: Vec<&str> = (0..count).map(|_| self.random.choose(&self.stock).as_str()).collect();
        some.join(". ")
    }

    /// One that no other is the same as: equal ones are stored once.
    fn note(&mut self, number: u64) -> String {
        format!("note {number} says {}", self.random.choose(&self.stock))
    }
}

fn roles(place: usize) -> (&'static str, &'static str) {
    if place.is_multiple_of(2) { ("user", "human") } else { ("assistant", "assistant") }
}

/// When a message was said.
fn second(number: u64, place: usize) -> u64 {
    BEGINNING + number * 3_600 + place as u64 * 30
}

fn date(number: u64, place: usize) -> String {
    memory::types::Time::from_microseconds((second(number, place) * 1_000_000) as i64).to_string()
}

/// A tree of one branch, with the root that has no message and the answers of a tool now and then.
fn chatgpt(number: u64, texts: &mut Texts) -> Value {
    let id = |place: usize| format!("c{number}n{place}");
    let mut mapping = serde_json::Map::new();
    mapping.insert(id(0), json!({ "id": id(0), "message": null, "parent": null, "children": [id(1)] }));
    for place in 1..=MESSAGES {
        let role = if place % 10 == 0 { "tool" } else { roles(place - 1).0 };
        let children = if place < MESSAGES { vec![id(place + 1)] } else { Vec::new() };
        let message = json!({
            "id": id(place),
            "author": { "role": role, "name": null, "metadata": {} },
            "create_time": second(number, place),
            "content": { "content_type": "text", "parts": [texts.message()] },
            "status": "finished_successfully",
            "end_turn": true,
            "weight": 1.0,
            "metadata": { "model_slug": "made-up", "timestamp_": "absolute" },
            "recipient": "all",
        });
        let node =
            json!({ "id": id(place), "message": message, "parent": id(place - 1), "children": children });
        mapping.insert(id(place), node);
    }
    json!({
        "title": format!("Talk {number}"),
        "create_time": second(number, 0),
        "update_time": second(number, MESSAGES),
        "mapping": mapping,
        "current_node": id(MESSAGES),
        "conversation_id": format!("c{number}"),
        "is_archived": false,
    })
}

fn claude(number: u64, texts: &mut Texts) -> Value {
    let message = |place: usize| {
        let text = texts.message();
        json!({
            "uuid": format!("c{number}m{place}"),
            "text": text,
            "content": [{ "type": "text", "text": text }],
            "sender": roles(place).1,
            "created_at": date(number, place),
            "updated_at": date(number, place),
            "attachments": [],
            "files": [],
        })
    };
    let messages: Vec<Value> = (0..MESSAGES).map(message).collect();
    json!({
        "uuid": format!("c{number}"),
        "name": format!("Talk {number}"),
        "created_at": date(number, 0),
        "updated_at": date(number, MESSAGES),
        "account": { "uuid": "made-up" },
        "chat_messages": messages,
    })
}

fn mem0(number: u64, texts: &mut Texts) -> Value {
    json!({
        "id": format!("00000000-0000-4000-8000-{number:012x}"),
        "memory": texts.note(number),
        "hash": format!("{number:032x}"),
        "user_id": format!("user-{}", number % 50),
        "metadata": { "source": "made up" },
        "categories": ["bench"],
        "created_at": date(number, 0),
        "updated_at": date(number, 1),
    })
}

fn agentos(number: u64, texts: &mut Texts) -> Value {
    json!({
        "id": format!("mt_{number:x}"),
        "type": "semantic",
        "scope": "user",
        "content": texts.note(number),
        "strength": 0.8,
        "tags": ["bench"],
        "emotions": {},
        "metadata": { "source": "made up" },
        "createdAt": second(number, 0) * 1_000,
        "lastAccessed": second(number, 1) * 1_000,
        "retrievalCount": 3,
    })
}

fn ingest(number: u64, texts: &mut Texts) -> Value {
    let turns: Vec<Value> =
        (0..MESSAGES / 2).map(|_| json!({ "user": texts.message(), "assistant": texts.message() })).collect();
    json!({ "conversation_id": format!("c{number}"), "session_date": date(number, 0), "turns": turns })
}

/// Bytes of a file, or of all files of a folder.
pub fn bytes(path: &Path) -> anyhow::Result<u64> {
    if !path.is_dir() {
        return Ok(std::fs::metadata(path)?.len());
    }
    let mut sum = 0;
    for entry in std::fs::read_dir(path)? {
        sum += bytes(&entry?.path())?;
    }
    Ok(sum)
}

/// Takes away a file or a folder, if it is there.
pub fn remove(path: &Path) -> anyhow::Result<()> {
    if path.is_dir() {
        std::fs::remove_dir_all(path)?;
    } else if path.exists() {
        std::fs::remove_file(path)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_sound_and_as_large_as_asked() {
        let folder = tempfile::tempdir().expect("a folder");
        for shape in [
            FileShape::Chatgpt,
            FileShape::Claude,
            FileShape::Csv,
            FileShape::Mem0,
            FileShape::Agentos,
            FileShape::Ingest,
        ] {
            let path = folder.path().join(format!("{shape:?}"));
            make(&path, shape, 100_000).expect("made");
            let size = bytes(&path).expect("there");
            assert!((100_000..140_000).contains(&size), "{shape:?} has {size}");
            let text = std::fs::read_to_string(&path).expect("text");
            match shape {
                FileShape::Csv => assert!(text.lines().count() > 100),
                FileShape::Ingest => {
                    for line in text.lines() {
                        serde_json::from_str::<Value>(line).expect("a line of JSON");
                    }
                }
                _ => drop(serde_json::from_str::<Value>(&text).expect("JSON")),
            }
        }
    }
}
