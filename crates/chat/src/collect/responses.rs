//! An answer of the Responses interface: items, whole or piece by piece, and the name by which the next request may go on.

use crate::wire::responses;
use serde_json::{Value, json};

use super::{CollectedReply, grow};

/// The events behind which nothing comes, where all went well. Each repeats the whole answer.
pub const ENDS: &[&str] = &["response.completed", "response.incomplete"];

/// What an item costs even where it says nothing, so that a stream of empty ones ends too.
const ITEM_BYTES: usize = 16;

#[derive(Debug, Default)]
pub struct ResponsesPieces {
    id: Option<String>,
    items: Vec<ResponseItem>,
    complete: bool,
}

#[derive(Debug, Default)]
struct ResponseItem {
    index: u64,
    /// As it began or, once it is done, as it is.
    value: Value,
    texts: Vec<(u64, Option<String>)>,
    /// What a tool is called with.
    input: Option<String>,
}

impl ResponsesPieces {
    /// Takes an event's piece; gives the bytes that are kept of it.
    pub fn take(&mut self, event: &Value) -> usize {
        let index = event["output_index"].as_u64().unwrap_or(0);
        match event["type"].as_str().unwrap_or_default() {
            "response.created" => {
                self.id = event["response"]["id"].as_str().map(str::to_owned);
                0
            }
            "response.output_item.added" => self.item(index).begin(&event["item"]),
            "response.output_item.done" => self.item(index).end(&event["item"]),
            "response.output_text.delta" | "response.refusal.delta" => {
                let part = event["content_index"].as_u64().unwrap_or(0);
                grow(self.item(index).text(part), &event["delta"])
            }
            "response.function_call_arguments.delta" | "response.custom_tool_call_input.delta" => {
                grow(&mut self.item(index).input, &event["delta"])
            }
            end if ENDS.contains(&end) => {
                self.complete = true;
                0
            }
            _ => 0,
        }
    }

    fn item(&mut self, index: u64) -> &mut ResponseItem {
        let place = self.items.iter().position(|item| item.index == index).unwrap_or_else(|| {
            self.items.push(ResponseItem { index, ..ResponseItem::default() });
            self.items.len() - 1
        });
        &mut self.items[place]
    }

    pub fn is_complete(&self) -> bool {
        self.complete
    }

    pub fn reply(mut self, partial: bool) -> Option<CollectedReply> {
        self.items.sort_by_key(|item| item.index);
        let items: Vec<Value> = self.items.into_iter().map(ResponseItem::whole).collect();
        CollectedReply::said(responses::said(&items), self.id, partial)
    }
}

impl ResponseItem {
    fn text(&mut self, part: u64) -> &mut Option<String> {
        let place = self.texts.iter().position(|(index, _)| *index == part).unwrap_or_else(|| {
            self.texts.push((part, None));
            self.texts.len() - 1
        });
        &mut self.texts[place].1
    }

    fn begin(&mut self, item: &Value) -> usize {
        self.value = json!({ "type": item["type"], "call_id": item["call_id"], "name": item["name"] });
        self.value.to_string().len() + ITEM_BYTES
    }

    /// The whole item says what its pieces said; where a server sends no pieces, this is all there is.
    fn end(&mut self, item: &Value) -> usize {
        let kept = |value: &Option<String>| value.as_ref().map_or(0, String::len);
        let before = self.texts.iter().map(|(_, text)| kept(text)).sum::<usize>() + kept(&self.input);
        let begun = self.begin(item);
        self.texts.clear();
        let parts = item["content"].as_array().map(Vec::as_slice).unwrap_or_default();
        let says =
            |part: &Value| part["text"].as_str().or_else(|| part["refusal"].as_str()).map(str::to_owned);
        if item["type"] == "message" {
            self.texts = (0..).zip(parts.iter().map(says)).collect();
        }
        let input = item["arguments"].as_str().or_else(|| item["input"].as_str()).map(str::to_owned);
        self.input = input.or(self.input.take());
        let now = self.texts.iter().map(|(_, text)| kept(text)).sum::<usize>() + kept(&self.input);
        begun + now.saturating_sub(before)
    }

    fn whole(mut self) -> Value {
        self.texts.sort_by_key(|(index, _)| *index);
        let part = |text: String| json!({ "type": "output_text", "text": text });
        let texts: Vec<Value> = self.texts.into_iter().filter_map(|(_, text)| text.map(part)).collect();
        if !texts.is_empty() {
            return json!({ "type": "message", "content": texts });
        }
        if let Some(input) = self.input {
            self.value["arguments"] = Value::from(input.as_str());
            self.value["input"] = Value::from(input);
        }
        self.value
    }
}

/// The reply of a whole answer.
pub fn whole(answer: &Value, partial: bool) -> Option<CollectedReply> {
    let items = answer["output"].as_array()?;
    let id = answer["id"].as_str().map(str::to_owned);
    // One that is still being worked on has no end yet, and one that failed never will.
    let unfinished =
        matches!(answer["status"].as_str(), Some("queued" | "in_progress" | "failed" | "cancelled"));
    CollectedReply::said(responses::said(items), id, partial || unfinished)
}

#[cfg(test)]
mod tests {
    use crate::Dialect;

    use super::super::tests::collected;
    use super::*;

    fn event(name: &str, mut data: Value) -> String {
        data["type"] = Value::from(name);
        format!("event: {name}\ndata: {data}\n\n")
    }

    fn stream() -> String {
        let message = json!({ "type": "message", "role": "assistant", "content": [] });
        let call = json!({ "type": "function_call", "call_id": "c1", "name": "look", "arguments": "" });
        let done =
            json!({ "type": "function_call", "call_id": "c1", "name": "look", "arguments": "{\"a\":1}" });
        [
            event("response.created", json!({ "response": { "id": "resp_1" } })),
            event(
                "response.output_item.added",
                json!({ "output_index": 0, "item": { "type": "reasoning" } }),
            ),
            event("response.output_item.added", json!({ "output_index": 1, "item": message })),
            event(
                "response.output_text.delta",
                json!({ "output_index": 1, "content_index": 0, "delta": "Grü" }),
            ),
            event(
                "response.output_text.delta",
                json!({ "output_index": 1, "content_index": 0, "delta": "ße" }),
            ),
            event("response.output_item.added", json!({ "output_index": 2, "item": call })),
            event("response.function_call_arguments.delta", json!({ "output_index": 2, "delta": "{\"a\":" })),
            event("response.function_call_arguments.delta", json!({ "output_index": 2, "delta": "1}" })),
            event("response.output_item.done", json!({ "output_index": 2, "item": done })),
        ]
        .concat()
    }

    #[test]
    fn a_stream_says_what_a_whole_answer_says() {
        let answer = json!({ "id": "resp_1", "status": "completed", "output": [
            { "type": "reasoning", "id": "r", "summary": [] },
            { "type": "message", "role": "assistant", "content": [{ "type": "output_text", "text": "Grüße", "annotations": [] }] },
            { "type": "function_call", "call_id": "c1", "name": "look", "arguments": "{\"a\":1}" },
        ] });
        let whole = collected(Dialect::Responses, false, &answer.to_string(), 7).expect("a reply");
        assert_eq!((whole.id.as_deref(), whole.partial), (Some("resp_1"), false));
        assert_eq!(whole.message["content"][0]["text"], "Grüße");
        let text = stream() + &event("response.completed", json!({ "response": answer }));
        for piece in [1, 7, 100, 10_000] {
            assert_eq!(collected(Dialect::Responses, true, &text, piece).as_ref(), Some(&whole), "{piece}");
        }
    }

    #[test]
    fn what_is_cut_off_is_partial() {
        assert!(collected(Dialect::Responses, true, &stream(), 50).expect("a reply").partial);
        let nothing = event("response.created", json!({ "response": { "id": "resp_1" } }));
        assert_eq!(collected(Dialect::Responses, true, &nothing, 5), None);
        let queued = json!({ "id": "resp_1", "status": "queued", "output": [] });
        assert_eq!(collected(Dialect::Responses, false, &queued.to_string(), 5), None);
        assert_eq!(collected(Dialect::Responses, false, r#"{"error":{"message":"no"}}"#, 5), None);
    }
}
