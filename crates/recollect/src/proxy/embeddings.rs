//! `POST /v1/embeddings`: vectors of texts, from the model that is part of the binary or from an upstream.
//!
//! Ours answers to `recollect/embed`, and to any name where nobody else could: with no upstream at all, having vectors
//! beats having none, and the answer's `model` says whose they are. With one, a name that is not ours goes there, because
//! vectors of two models must never be mixed unnoticed.

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::{HeaderMap, Method};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chat::wire::{self, Envelope};
use memory::ports::Embedder;
use memory::text::tokens;
use serde_json::{Value, json};

use super::forward::{self, Outgoing};
use super::refusal::{Admitted, ProxyRefusal};
use super::{EMBED_MODEL, OWN_PREFIX, tee};
use crate::app::AppState;
use crate::fields::{Fields, what};
use crate::limits;
use crate::problem::{Code, Problem};

pub async fn embeddings(
    State(state): State<AppState>,
    Admitted(_): Admitted,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, ProxyRefusal> {
    let body = super::read(body)?;
    let envelope = Envelope::read(&body).map_err(|error| Problem::invalid(error.to_string()))?;
    let model = envelope.model.as_ref().map_or("", |model| model.text.as_str());
    let upstreams = super::upstreams(&state.house);
    let chosen =
        if model.is_empty() || model.starts_with(OWN_PREFIX) { None } else { upstreams.choose(model) };
    let Some((upstream, name)) = chosen else {
        let embedder = state.house.embedder.as_deref();
        return Ok(Json(local(embedder, &body).await?).into_response());
    };
    let body = match &envelope.model {
        Some(written) if written.text != name => {
            Bytes::from(wire::apply(&body, vec![wire::rename_model(written, name)]))
        }
        _ => body,
    };
    let (method, path) = (Method::POST, "embeddings");
    let instance = &state.house.instance;
    let outgoing = Outgoing { upstream, instance, method, path, headers: &headers, body, readable: false };
    let (response, body) = forward::response(forward::send(outgoing).await?);
    Ok(response.map(|()| tee::plain(body)))
}

async fn local(embedder: Option<&dyn Embedder>, body: &[u8]) -> Result<Value, Problem> {
    let embedder = embedder.ok_or_else(|| {
        Problem::new(Code::Unavailable, "no embedding model is loaded; words alone are searched")
    })?;
    let body: Value = serde_json::from_slice(body)
        .map_err(|error| Problem::invalid(format!("the body is not JSON: {error}")))?;
    let fields = Fields::of(&body)?;
    let texts = input(&fields)?;
    let dimensions = dimensions(&fields, embedder.dimensions())?;
    let as_base64 = match fields.text("encoding_format")? {
        None | Some("float") => false,
        Some("base64") => true,
        Some(other) => {
            return Err(fields.wrong("encoding_format", format!("`{other}`; expected float or base64")));
        }
    };
    let vectors = embedder.embed(&texts).await.map_err(Problem::ours)?;
    let data = vectors.into_iter().enumerate().map(|(index, vector)| {
        let vector = cut(vector, dimensions);
        let embedding = if as_base64 { packed(&vector) } else { json!(vector) };
        json!({ "object": "embedding", "index": index, "embedding": embedding })
    });
    let data: Vec<Value> = data.collect();
    let used: usize = texts.iter().map(|text| tokens::estimate(text)).sum();
    let usage = json!({ "prompt_tokens": used, "total_tokens": used });
    Ok(json!({ "object": "list", "data": data, "model": EMBED_MODEL, "usage": usage }))
}

fn input(fields: &Fields<'_>) -> Result<Vec<String>, Problem> {
    let text = |place: String, value: &Value| match value {
        Value::String(text) if text.is_empty() => Err(fields.wrong(&place, "it is empty; expected text")),
        Value::String(text) => Ok(text.clone()),
        Value::Number(_) | Value::Array(_) => Err(fields
            .wrong(&place, "tokens cannot be read here, because every model has its own; expected text")
            .hint("send texts; in LangChain set check_embedding_ctx_length to false")),
        other => Err(fields.wrong(&place, format!("it is {}; expected text", what(other)))),
    };
    let texts: Vec<String> = match fields.get("input") {
        None => return Err(fields.wrong("input", "it is missing; expected text or a list of texts")),
        Some(Value::Array(items)) => {
            let item = |(at, item)| text(format!("input[{at}]"), item);
            items.iter().enumerate().map(item).collect::<Result<_, _>>()?
        }
        Some(one) => vec![text("input".to_owned(), one)?],
    };
    match texts.len() {
        0 => Err(fields.wrong("input", "it is empty; expected text or a list of texts")),
        given if given > limits::EMBEDDED_TEXTS => {
            let most = limits::EMBEDDED_TEXTS;
            Err(fields.wrong("input", format!("it has {given} texts; expected at most {most}")))
        }
        _ => Ok(texts),
    }
}

fn dimensions(fields: &Fields<'_>, own: usize) -> Result<usize, Problem> {
    match fields.whole("dimensions")? {
        None => Ok(own),
        Some(wanted) if (1..=own).contains(&wanted) => Ok(wanted),
        Some(wanted) => Err(fields.wrong("dimensions", format!("{wanted}; expected 1 to {own}"))),
    }
}

/// The first numbers of a vector, of unit length again.
fn cut(mut vector: Vec<f32>, dimensions: usize) -> Vec<f32> {
    if dimensions >= vector.len() {
        return vector;
    }
    vector.truncate(dimensions);
    let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt();
    if length > 0.0 {
        vector.iter_mut().for_each(|number| *number /= length);
    }
    vector
}

/// The numbers as 32-bit little endian, in base64: what the interface's own clients ask for.
fn packed(vector: &[f32]) -> Value {
    let bytes: Vec<u8> = vector.iter().flat_map(|number| number.to_le_bytes()).collect();
    Value::from(STANDARD.encode(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn embedded(body: Value) -> Result<Value, Problem> {
        local(Some(&models::Builtin), body.to_string().as_bytes()).await
    }

    #[tokio::test]
    async fn a_text_or_a_list_in_either_encoding() {
        let one = embedded(json!({ "input": "a red boat" })).await.expect("fine");
        let own = one["data"][0]["embedding"].as_array().expect("numbers").clone();
        assert_eq!((own.len(), &one["model"]), (models::Builtin.dimensions(), &json!(EMBED_MODEL)));
        assert_eq!(one["usage"]["prompt_tokens"], 3);
        let body = json!({ "input": ["x", "a red boat"], "encoding_format": "base64" });
        let two = embedded(body).await.expect("fine");
        let bytes = STANDARD.decode(two["data"][1]["embedding"].as_str().expect("text")).expect("base64");
        let first = f32::from_le_bytes(bytes[..4].try_into().expect("four"));
        assert_eq!(json!(first), own[0]);
        let short = embedded(json!({ "input": "a red boat", "dimensions": 8 })).await.expect("fine");
        let short: Vec<f64> = short["data"][0]["embedding"]
            .as_array()
            .expect("numbers")
            .iter()
            .map(|number| number.as_f64().expect("a number"))
            .collect();
        let length: f64 = short.iter().map(|number| number * number).sum();
        assert!(short.len() == 8 && (length - 1.0).abs() < 1e-5);
    }

    #[tokio::test]
    async fn mistakes_name_what_was_expected() {
        for (body, part) in [
            (json!({}), "missing"),
            (json!({ "input": [] }), "empty"),
            (json!({ "input": ["a", ""] }), "`input[1]`: it is empty"),
            (json!({ "input": [1, 2, 3] }), "tokens cannot be read"),
            (json!({ "input": [[1, 2], [3]] }), "tokens cannot be read"),
            (json!({ "input": "a", "dimensions": 5_000 }), "expected 1 to"),
            (json!({ "input": "a", "encoding_format": "hex" }), "float or base64"),
        ] {
            let problem = embedded(body.clone()).await.expect_err("refused");
            assert!(problem.message.contains(part), "{body}: {}", problem.message);
        }
    }
}
