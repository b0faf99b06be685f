//! The text of a ChatGPT message, whose content has a dozen shapes.
//!
//! Text is taken as it is. What is no text (a picture, a recording, a file) leaves a mark with its name, in square brackets, so that the
//! conversation can still be followed and the picture be asked for. Shapes that are not known are searched for text fields.

use serde_json::{Map, Value};

use crate::lenient;

/// Fields in which contents keep their text, in the order in which they are looked for.
const TEXTS: &[&str] = &["text", "content", "result", "summary", "transcript", "caption", "message"];

/// All that a message says.
pub fn text(message: &Map<String, Value>) -> String {
    let files = AttachedFiles::of(message);
    let mut said: Vec<String> = Vec::new();
    match message.get("content") {
        Some(Value::Object(content)) => object(content, &files, &mut said),
        Some(other) => part(other, &files, &mut said),
        None => {}
    }
    if said.is_empty()
        && let Some(text) = lenient::text_of(message, &["text"])
    {
        said.push(text);
    }
    files.unmentioned(&mut said);
    said.join("\n")
}

fn object(content: &Map<String, Value>, files: &AttachedFiles<'_>, said: &mut Vec<String>) {
    let kind = content.get("content_type").and_then(Value::as_str).unwrap_or_default();
    match kind {
        "user_editable_context" => texts(content, &["user_profile", "user_instructions"], said),
        "model_editable_context" => texts(content, &["model_set_context", "repo_summary"], said),
        "tether_browsing_display" => texts(content, &["result", "summary"], said),
        "sonic_webpage" | "tether_quote" => texts(content, &["title", "url"], said),
        "system_error" => texts(content, &["name"], said),
        "thoughts" => thoughts(content.get("thoughts"), said),
        _ => {}
    }
    let before = said.len();
    if let Some(parts) = lenient::field(content, &["parts"]) {
        part(parts, files, said);
    }
    // Beside parts a text would be the same again, and these two were taken above.
    if said.len() == before && !matches!(kind, "tether_browsing_display" | "thoughts") {
        asset(content, files, said);
        if said.len() == before
            && let Some(value) =
                TEXTS.iter().find_map(|name| content.get(*name).filter(|value| has_text(value)))
        {
            part(value, files, said);
        }
    }
}

fn texts(content: &Map<String, Value>, names: &[&str], said: &mut Vec<String>) {
    said.extend(names.iter().filter_map(|name| content.get(*name).and_then(lenient::text)));
}

fn has_text(value: &Value) -> bool {
    match value {
        Value::String(text) => !text.trim().is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(_) => true,
        _ => false,
    }
}

/// A text, or a list of thoughts with a heading each.
fn thoughts(value: Option<&Value>, said: &mut Vec<String>) {
    match value {
        Some(Value::Array(list)) => {
            for thought in list {
                match thought {
                    Value::Object(thought) => texts(thought, &["summary", "content"], said),
                    other => said.extend(lenient::text(other)),
                }
            }
        }
        Some(other) => said.extend(lenient::text(other)),
        None => {}
    }
}

/// Levels of parts within parts that are looked at. Exports have two.
const DEPTH: usize = 8;

fn part(value: &Value, files: &AttachedFiles<'_>, said: &mut Vec<String>) {
    parts_at(value, files, said, 0);
}

fn parts_at(value: &Value, files: &AttachedFiles<'_>, said: &mut Vec<String>, depth: usize) {
    match value {
        Value::Array(parts) if depth < DEPTH => {
            for part in parts {
                parts_at(part, files, said, depth + 1);
            }
        }
        Value::Object(fields) => {
            let before = said.len();
            asset(fields, files, said);
            if said.len() > before || depth >= DEPTH {
                return;
            }
            for name in TEXTS.iter().chain(&["parts"]) {
                if let Some(inner) = fields.get(*name).filter(|value| has_text(value)) {
                    return parts_at(inner, files, said, depth + 1);
                }
            }
        }
        other => said.extend(lenient::text(other)),
    }
}

/// A mark for what is no text: what it is, its name, and what it was made from.
fn asset(fields: &Map<String, Value>, files: &AttachedFiles<'_>, said: &mut Vec<String>) {
    let kind = fields.get("content_type").and_then(Value::as_str).unwrap_or_default();
    let nested = ["asset_pointer", "audio_asset_pointer", "video_container_asset_pointer"];
    let pointer = nested.iter().find_map(|name| match fields.get(*name)? {
        Value::String(pointer) => Some(pointer.as_str()),
        Value::Object(inner) => inner.get("asset_pointer")?.as_str(),
        _ => None,
    });
    let what = match kind {
        "image_asset_pointer" => "image",
        kind if kind.contains("audio") && !kind.contains("transcription") => "audio",
        kind if kind.contains("video") => "video",
        _ if pointer.is_some() => "file",
        _ => return,
    };
    let name = pointer.map(|pointer| files.name(pointer)).unwrap_or_default();
    let metadata = fields.get("metadata");
    let made = |tool: &str, field: &str| {
        metadata.and_then(|metadata| lenient::text(metadata.get(tool)?.get(field)?))
    };
    let prompt = made("dalle", "prompt")
        .or_else(|| made("generation", "prompt"))
        .or_else(|| lenient::text_of(fields, &["caption"]));
    said.push(match prompt {
        Some(prompt) => format!("[{what}: {name}: {prompt}]"),
        None if name.is_empty() => format!("[{what}]"),
        None => format!("[{what}: {name}]"),
    });
}

/// The files that came with the message: id and name.
struct AttachedFiles<'v>(Vec<(Option<&'v str>, &'v str)>);

impl<'v> AttachedFiles<'v> {
    fn of(message: &'v Map<String, Value>) -> Self {
        let listed = message.get("metadata").and_then(|metadata| metadata.get("attachments")?.as_array());
        let file = |file: &'v Value| {
            let text =
                |name: &str| file.get(name).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
            Some((text("id"), text("name").or_else(|| text("file_name"))?))
        };
        Self(listed.into_iter().flatten().filter_map(file).collect())
    }

    /// What an asset is called: as its sender named it, else the last part of its address.
    fn name(&self, pointer: &str) -> String {
        let own = self.0.iter().find(|(id, _)| id.is_some_and(|id| pointer.contains(id)));
        let tail = || pointer.rsplit('/').next().unwrap_or(pointer);
        own.map_or_else(tail, |(_, name)| name).to_owned()
    }

    /// Marks for those that nothing in the text points to.
    fn unmentioned(&self, said: &mut Vec<String>) {
        for (_, name) in &self.0 {
            if !said.iter().any(|text| text.starts_with('[') && text.contains(name)) {
                said.push(format!("[file: {name}]"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn said(content: Value) -> String {
        text(json!({"content": content}).as_object().expect("an object"))
    }

    #[test]
    fn every_shape_gives_its_text() {
        let cases = [
            (json!({"content_type": "text", "parts": ["a", null, 7, "b"]}), "a\n7\nb"),
            (json!({"parts": "just text"}), "just text"),
            (json!("bare"), "bare"),
            (json!(["a", {"text": "b"}]), "a\nb"),
            (json!({"content_type": "code", "language": "python", "text": "print(1)"}), "print(1)"),
            (json!({"content_type": "execution_output", "text": "1"}), "1"),
            (
                json!({"content_type": "thoughts", "thoughts": [{"summary": "S", "content": "C"}, "t"]}),
                "S\nC\nt",
            ),
            (json!({"content_type": "thoughts", "thoughts": "plain"}), "plain"),
            (json!({"content_type": "reasoning_recap", "content": "Thought for 3s"}), "Thought for 3s"),
            (json!({"content_type": "tether_quote", "title": "T", "url": "u", "text": "q"}), "T\nu\nq"),
            (
                json!({"content_type": "sonic_webpage", "url": "u", "title": "T", "text": "page", "snippet": "s"}),
                "T\nu\npage",
            ),
            (json!({"content_type": "tether_browsing_display", "result": "r", "summary": "s"}), "r\ns"),
            (json!({"content_type": "system_error", "name": "Robots", "text": "denied"}), "Robots\ndenied"),
            (
                json!({"content_type": "user_editable_context", "user_profile": "P", "user_instructions": "I"}),
                "P\nI",
            ),
            (json!({"content_type": "model_editable_context", "model_set_context": "M"}), "M"),
            (json!({"content_type": "brand_new", "summary": "still here"}), "still here"),
            (json!({"content_type": "text", "parts": []}), ""),
            (json!(null), ""),
            (json!({"content_type": 5, "parts": {"text": "odd"}}), "odd"),
            (json!({"parts": [{"content_type": "audio_transcription", "text": "spoken"}]}), "spoken"),
        ];
        for (content, expected) in cases {
            assert_eq!(said(content.clone()), expected, "{content}");
        }
    }

    #[test]
    fn pictures_leave_a_mark_with_their_name() {
        let picture = json!({"content_type": "multimodal_text", "parts": [
            "Look:",
            {"content_type": "image_asset_pointer", "asset_pointer": "sediment://file_1", "metadata": {"dalle": {"prompt": "a red cat"}}},
            {"content_type": "real_time_user_audio_video_asset_pointer", "audio_asset_pointer": {"asset_pointer": "sediment://file_2"}},
            {"asset_pointer": "file-service://file-3"},
        ]});
        assert_eq!(said(picture), "Look:\n[image: file_1: a red cat]\n[audio: file_2]\n[file: file-3]");
        let message = json!({
            "content": {"parts": [{"content_type": "image_asset_pointer", "asset_pointer": "sediment://file_9"}, "what is this?"]},
            "metadata": {"attachments": [{"id": "file_9", "name": "cat.png"}, {"name": "notes.pdf"}, 3, {"id": "x"}]},
        });
        assert_eq!(
            text(message.as_object().expect("an object")),
            "[image: cat.png]\nwhat is this?\n[file: notes.pdf]"
        );
    }
}
