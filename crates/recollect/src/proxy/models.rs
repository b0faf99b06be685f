//! `GET /v1/models`: what can be asked for here: the upstreams' models and our own.
//!
//! A model of the default upstream goes by its own name. Where several upstreams are configured each model is also there
//! as `upstream/model`, which is how it is asked for. An upstream that does not answer is left out, and a header names it:
//! a client that starts with this list must not fail because one of several servers is down.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, Method, Uri};
use axum::response::{IntoResponse, Response};
use axum::{Json, body::Body};
use bytes::Bytes;
use chat::Dialect;
use http_body_util::{BodyExt, Limited};
use models::{Upstream, Upstreams};
use serde_json::{Value, json};

use super::forward::{self, Outgoing};
use super::refusal::{Admitted, ProxyRefusal, no_upstream};
use super::{EMBED_MODEL, OWN_PREFIX, RECALL_MODEL, tee};
use crate::app::AppState;
use crate::limits;
use crate::problem::{Code, Problem};

/// Names the upstreams that did not answer.
const ABSENT: &str = "x-recollect-upstreams-absent";

/// When our own models were made, in seconds since 1970: clients sort by it and want a number.
const OWN_CREATED: i64 = 1_767_225_600;

pub async fn list(
    State(state): State<AppState>,
    Admitted(_): Admitted,
    headers: HeaderMap,
) -> Result<Response, ProxyRefusal> {
    let upstreams = super::upstreams(&state.house);
    // All at once: a server that is down takes as long as it takes, and the others need not wait for it in turn.
    let ask_one = |upstream: &Upstream| {
        let (upstream, headers, instance) =
            (upstream.clone(), headers.clone(), Arc::clone(&state.house.instance));
        tokio::spawn(async move { ask(&upstream, &instance, &headers).await })
    };
    let asked: Vec<_> = upstreams.all().iter().map(ask_one).collect();
    let mut data = own();
    let mut absent = Vec::new();
    for (upstream, asked) in upstreams.all().iter().zip(asked) {
        match asked.await.ok().flatten() {
            Some(models) => data.extend(named(upstreams, upstream, models)),
            None => absent.push(upstream.name.as_str()),
        }
    }
    let mut response = Json(json!({ "object": "list", "data": data })).into_response();
    if let Ok(absent) = HeaderValue::from_str(&absent.join(", "))
        && !absent.is_empty()
    {
        response.headers_mut().insert(ABSENT, absent);
    }
    Ok(response)
}

pub async fn show(
    State(state): State<AppState>,
    Path(id): Path<String>,
    uri: Uri,
    Admitted(_): Admitted,
    headers: HeaderMap,
) -> Result<Response, ProxyRefusal> {
    if let Some(model) = own().into_iter().find(|model| model["id"] == id.as_str()) {
        return Ok(Json(model).into_response());
    }
    if id.starts_with(OWN_PREFIX) {
        let message = format!("there is no model `{id}`");
        let hint = format!("ours are {RECALL_MODEL} and {EMBED_MODEL}");
        return Err(Problem::new(Code::NotFound, message).hint(hint).into());
    }
    let (upstream, _) =
        super::upstreams(&state.house).choose(&id).ok_or_else(|| no_upstream(Dialect::Chat))?;
    // As the client wrote it: a name may hold escapes that mean something to its server.
    let written = uri.path().strip_prefix(super::MODELS).unwrap_or_default().trim_start_matches('/');
    let name = match written.split_once('/') {
        Some((provider, rest)) if provider.eq_ignore_ascii_case(&upstream.name) => rest,
        _ => written,
    };
    let (path, body) = (format!("models/{name}"), Bytes::new());
    let outgoing = Outgoing {
        upstream,
        instance: &state.house.instance,
        method: Method::GET,
        path: &path,
        headers: &headers,
        body,
        readable: false,
    };
    let (response, body) = forward::response(forward::send(outgoing).await?);
    Ok(response.map(|()| tee::plain(body)))
}

fn own() -> Vec<Value> {
    let model =
        |id: &str| json!({ "id": id, "object": "model", "created": OWN_CREATED, "owned_by": "recollect" });
    vec![model(RECALL_MODEL), model(EMBED_MODEL)]
}

/// An upstream's models, or nothing where it does not answer properly and in time.
async fn ask(upstream: &Upstream, instance: &str, headers: &HeaderMap) -> Option<Vec<Value>> {
    let (method, body) = (Method::GET, Bytes::new());
    let outgoing = Outgoing { upstream, instance, method, path: "models", headers, body, readable: true };
    let answer = async {
        let answer = forward::send(outgoing).await.ok().filter(|answer| answer.status().is_success())?;
        let (_, body) = forward::response(answer);
        let body =
            Limited::new(Body::new(body), chat::limits::COLLECTED_BYTES).collect().await.ok()?.to_bytes();
        let mut answer: Value = serde_json::from_slice(&body).ok()?;
        match answer.get_mut("data")?.take() {
            Value::Array(models) => Some(models),
            _ => None,
        }
    };
    tokio::time::timeout(limits::MODELS_WITHIN, answer).await.ok().flatten()
}

/// The models under the names by which they are asked for here.
fn named(upstreams: &Upstreams, upstream: &Upstream, models: Vec<Value>) -> Vec<Value> {
    let is_default = upstreams.default_one().is_some_and(|default| default.name == upstream.name);
    let several = upstreams.all().len() > 1;
    let mut named = Vec::with_capacity(models.len() * 2);
    for mut model in models {
        let Some(id) = model["id"].as_str().map(str::to_owned) else { continue };
        if model.get("object").is_none() {
            model["object"] = Value::from("model");
        }
        if is_default {
            named.push(model.clone());
        }
        if several || !is_default {
            model["id"] = Value::from(format!("{}/{id}", upstream.name));
            named.push(model);
        }
    }
    named
}

#[cfg(test)]
mod tests {
    use models::UpstreamWire;

    use super::*;

    #[test]
    fn models_are_named_as_they_are_asked_for() {
        let one = |name: &str| Upstream::new(name, UpstreamWire::OpenAi, "http://x");
        let ids = |upstreams: &Upstreams, name: &str| {
            let upstream = upstreams.find(name).expect("configured");
            let models = named(upstreams, upstream, vec![json!({ "id": "m" }), json!({ "no": "id" })]);
            models.iter().map(|model| model["id"].as_str().expect("text").to_owned()).collect::<Vec<_>>()
        };
        let alone = Upstreams::new(vec![one("a")], None);
        assert_eq!(ids(&alone, "a"), ["m"]);
        let several = Upstreams::new(vec![one("a"), one("b")], Some("b"));
        assert_eq!(ids(&several, "a"), ["a/m"]);
        assert_eq!(ids(&several, "b"), ["m", "b/m"]);
    }
}
