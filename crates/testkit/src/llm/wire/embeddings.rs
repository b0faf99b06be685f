//! `POST /v1/embeddings` and `GET /v1/models`: what a server knows beside speaking.
//!
//! A vector is made of hashed words, so that equal texts are equal, texts that share words are near, and every run
//! gives the same.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::json::{Json, object};
use super::{CREATED_SECONDS, Rendered, errors};
use crate::llm::SeenRequest;

/// Small, because tests compare vectors and do not search well with them.
const DEFAULT_DIMENSIONS: usize = 64;

const MODELS: [&str; 3] = ["scripted-1", "scripted-mini", "scripted-embedding"];

pub(super) fn whole(seen: &SeenRequest) -> Json {
    let inputs = inputs(&seen.json["input"]);
    let dimensions =
        seen.json["dimensions"].as_u64().map_or(DEFAULT_DIMENSIONS, |count| count.clamp(1, 8192) as usize);
    let data: Vec<Json> = (0_usize..)
        .zip(&inputs)
        .map(|(index, text)| {
            let vector = vector(text, dimensions);
            let written = if seen.json["encoding_format"] == "base64" {
                let bytes: Vec<u8> = vector.iter().flat_map(|number| number.to_le_bytes()).collect();
                Json(format!("\"{}\"", STANDARD.encode(&bytes)))
            } else {
                Json(serde_json::to_string(&vector).expect("numbers are JSON"))
            };
            object! { "object": "embedding", "index": index, "embedding": written }
        })
        .collect();
    let tokens: usize = inputs.iter().map(|text| text.len() / 4 + 1).sum();
    object! {
        "object": "list",
        "data": data,
        "model": seen.model(),
        "usage": object! { "prompt_tokens": tokens, "total_tokens": tokens },
    }
}

/// A text, texts, a list of tokens, or lists of tokens: the wire allows all four.
fn inputs(input: &Value) -> Vec<String> {
    match input {
        Value::String(text) => vec![text.clone()],
        Value::Array(list) if list.iter().all(Value::is_number) => vec![input.to_string()],
        Value::Array(list) => {
            list.iter().map(|item| item.as_str().map_or_else(|| item.to_string(), str::to_owned)).collect()
        }
        _ => Vec::new(),
    }
}

fn vector(text: &str, dimensions: usize) -> Vec<f32> {
    let mut vector = vec![0.0_f32; dimensions];
    let words = text.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty());
    for word in words {
        let hash = hash(&word.to_lowercase());
        let sign = if hash >> 63 == 0 { 1.0 } else { -1.0 };
        vector[(hash % dimensions as u64) as usize] += sign;
    }
    let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt();
    if length == 0.0 {
        vector[0] = 1.0;
    } else {
        vector.iter_mut().for_each(|number| *number /= length);
    }
    vector
}

/// FNV-1a: the standard library's hash may change between versions.
fn hash(word: &str) -> u64 {
    word.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The list, or one of them by its name; in Anthropic's words for Anthropic's clients.
pub(super) fn models(seen: &SeenRequest) -> Rendered {
    let anthropic = errors::is_anthropic(seen);
    let model = |id: &str| {
        if anthropic {
            object! { "type": "model", "id": id, "display_name": id, "created_at": "2026-01-01T00:00:00Z" }
        } else {
            object! { "id": id, "object": "model", "created": CREATED_SECONDS, "owned_by": "testkit" }
        }
    };
    if let Some(id) = seen.path.strip_prefix("/v1/models/") {
        return match MODELS.iter().find(|known| **known == id) {
            Some(known) => Rendered::whole(200, model(known).0),
            None => {
                Rendered::whole(404, errors::body(404, &format!("The model '{id}' does not exist"), seen).0)
            }
        };
    }
    let data: Vec<Json> = MODELS.iter().map(|id| model(id)).collect();
    let list = if anthropic {
        object! { "data": data, "has_more": false, "first_id": MODELS[0], "last_id": MODELS[MODELS.len() - 1] }
    } else {
        object! { "object": "list", "data": data }
    };
    Rendered::whole(200, list.0)
}
