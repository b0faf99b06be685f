//! What a message of Claude's export says: its text, and what stands beside it.
//!
//! Older exports have the text as one field. Newer ones have blocks too (text, calls of tools and their results, thoughts) and fill the old
//! field with what remains of them, a placeholder where a block is no text.

use serde_json::{Map, Value};

use crate::lenient;

/// What exports write for blocks that the old field cannot show.
const PLACEHOLDER: &str = "This block is not supported on your current device yet.";

#[derive(Default)]
pub struct ClaudeContent {
    pub text: String,
    /// Who says it, and what.
    pub aside: Vec<(String, String)>,
}

pub fn read(message: &Map<String, Value>) -> ClaudeContent {
    let mut content = ClaudeContent::default();
    let mut texts: Vec<String> = Vec::new();
    match message.get("content") {
        Some(Value::Array(blocks)) => {
            blocks.iter().for_each(|block| take(block, &mut texts, &mut content.aside))
        }
        Some(Value::String(text)) => texts.push(text.clone()),
        Some(block @ Value::Object(_)) => take(block, &mut texts, &mut content.aside),
        _ => {}
    }
    let field = lenient::text_of(message, &["text"]).unwrap_or_default();
    content.text = whole(texts, field);
    attached(message, &mut content);
    content
}

/// The blocks' text, unless the old field has more than they.
fn whole(texts: Vec<String>, field: String) -> String {
    let mut more = field.replace(PLACEHOLDER, "").replace("```", "");
    for text in &texts {
        let text = text.trim().replace("```", "");
        match more.find(&text) {
            Some(at) if !text.is_empty() => more.replace_range(at..at + text.len(), ""),
            _ => {}
        }
    }
    let blocks = texts.join("\n\n");
    match (blocks.trim().is_empty(), more.trim().is_empty()) {
        (true, false) => field,
        (_, true) => blocks,
        // Both say something that the other does not.
        (false, false) if blocks.contains(field.trim()) => blocks,
        (false, false) if texts.iter().all(|text| field.contains(text.trim())) => field,
        (false, false) => format!("{field}\n\n{blocks}"),
    }
}

fn take(block: &Value, texts: &mut Vec<String>, aside: &mut Vec<(String, String)>) {
    let fields = match block {
        Value::Object(fields) => fields,
        other => return texts.extend(lenient::text(other)),
    };
    let named = |usual: &str| lenient::text_of(fields, &["name"]).unwrap_or_else(|| usual.to_owned());
    match fields.get("type").and_then(Value::as_str).unwrap_or_default() {
        "thinking" => aside.extend(
            lenient::text_of(fields, &["thinking", "text"]).map(|text| ("thinking".to_owned(), text)),
        ),
        "tool_use" | "server_tool_use" => {
            let input = fields.get("input").filter(|input| !input.is_null()).map(Value::to_string);
            aside.push((named("tool"), input.unwrap_or_else(|| "called".to_owned())));
        }
        "tool_result" | "web_search_tool_result" => {
            let mut said = Vec::new();
            if let Some(result) = lenient::field(fields, &["content", "message"]) {
                result_text(result, &mut said, 0);
            }
            aside.push((named("tool"), said.join("\n")));
        }
        "image" | "document" => {
            let name = lenient::text_of(fields, &["file_name", "title", "name"]).unwrap_or_default();
            texts.push(format!("[image: {name}]").replace(": ]", "]"));
        }
        _ => texts.extend(lenient::text_of(fields, &["text", "content", "transcript"])),
    }
}

/// Levels of a tool's result that are looked at.
const DEPTH: usize = 6;

fn result_text(value: &Value, said: &mut Vec<String>, depth: usize) {
    match value {
        Value::Array(items) if depth < DEPTH => {
            items.iter().for_each(|item| result_text(item, said, depth + 1))
        }
        Value::Object(fields) if depth < DEPTH => {
            let titles = ["title", "url"].iter().filter_map(|name| fields.get(*name).and_then(lenient::text));
            said.extend(titles);
            if let Some(inner) = lenient::field(fields, &["text", "content"]) {
                result_text(inner, said, depth + 1);
            }
        }
        other => said.extend(lenient::text(other)),
    }
}

/// Files leave a mark with their names; what was read out of them stands beside the message.
fn attached(message: &Map<String, Value>, content: &mut ClaudeContent) {
    let mut marks: Vec<String> = Vec::new();
    for list in ["attachments", "files", "files_v2"] {
        for file in message.get(list).and_then(Value::as_array).into_iter().flatten() {
            let Some(file) = file.as_object() else { continue };
            let name = lenient::text_of(file, &["file_name", "name"]);
            let mark = match &name {
                Some(name) => format!("[file: {name}]"),
                None if file.contains_key("extracted_content") => "[pasted text]".to_owned(),
                None => continue,
            };
            if !marks.contains(&mark) {
                marks.push(mark);
            }
            if let Some(text) = lenient::text_of(file, &["extracted_content"]) {
                content.aside.push((name.unwrap_or_else(|| "attachment".to_owned()), text));
            }
        }
    }
    let mut text = std::mem::take(&mut content.text);
    for mark in marks {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&mark);
    }
    content.text = text;
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn said(message: Value) -> ClaudeContent {
        read(message.as_object().expect("an object"))
    }

    #[test]
    fn blocks_and_the_old_field_give_the_text_once() {
        let cases = [
            (json!({"text": "hi"}), "hi"),
            (json!({"text": "hi", "content": []}), "hi"),
            (json!({"text": "hi", "content": [{"type": "text", "text": "hi"}]}), "hi"),
            (
                json!({"text": "", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}),
                "a\n\nb",
            ),
            (
                json!({"text": "a\n```\nThis block is not supported on your current device yet.\n```\nb",
                "content": [{"type": "text", "text": "a"}, {"type": "tool_use", "name": "t"}, {"type": "text", "text": "b"}]}),
                "a\n\nb",
            ),
            (json!({"text": "a and more", "content": [{"type": "text", "text": "a"}]}), "a and more"),
            (json!({"text": "one", "content": [{"type": "text", "text": "two"}]}), "one\n\ntwo"),
            (json!({"text": null, "content": "bare"}), "bare"),
            (json!({"text": 5, "content": {"text": "5"}}), "5"),
            (json!({}), ""),
        ];
        for (message, expected) in cases {
            assert_eq!(said(message.clone()).text, expected, "{message}");
        }
    }

    #[test]
    fn tools_thoughts_and_files_stand_beside_it() {
        let content = said(json!({
            "text": "",
            "content": [
                {"type": "thinking", "thinking": "hm"},
                {"type": "tool_use", "name": "search", "input": {"query": "tea"}},
                {"type": "tool_result", "name": "search", "content": [{"type": "text", "text": "found"}, {"title": "T", "url": "u"}]},
                {"type": "text", "text": "here"},
            ],
            "attachments": [{"file_name": "a.pdf", "extracted_content": "page"}, {"file_name": "", "extracted_content": "log"}],
            "files": [{"file_name": "a.pdf"}, {"file_uuid": "x"}],
        }));
        assert_eq!(content.text, "here\n[file: a.pdf]\n[pasted text]");
        let aside: Vec<(&str, &str)> =
            content.aside.iter().map(|(who, text)| (who.as_str(), text.as_str())).collect();
        assert_eq!(
            aside,
            [
                ("thinking", "hm"),
                ("search", "{\"query\":\"tea\"}"),
                ("search", "found\nT\nu"),
                ("a.pdf", "page"),
                ("attachment", "log")
            ]
        );
    }
}
