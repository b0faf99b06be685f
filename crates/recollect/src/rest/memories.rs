//! `GET /api/memory` and `GET|PUT|DELETE /api/memory/{id}`: what is remembered, as rows.
//!
//! Names are those that clients of this route know: camel case, `type` for the layer, `apiKeyId` passed over because the
//! caller's own key decides.

use std::collections::BTreeMap;
use std::str::FromStr;

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use memory::types::{Emotion, Kind, Layer, Memory, MemoryId, Status, Time};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::body::{self, Fields};
use crate::app::AppState;
use crate::ops::Caller;
use crate::limits;
use crate::ops::forget::Forget;
use crate::ops::list::List;
use crate::ops::select::Selection;
use crate::ops::show::Show;
use crate::ops::update::{Moment, Update};
use crate::problem::{Code, Problem};

/// A memory on the wire.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    id: String,
    content: String,
    /// The layer, in the word that clients use.
    r#type: &'static str,
    kind: &'static str,
    key: Option<String>,
    scope: &'static str,
    layer: &'static str,
    session_id: Option<String>,
    agent_id: String,
    user_id: String,
    tags: Vec<String>,
    metadata: Map<String, Value>,
    subject: Option<String>,
    predicate: Option<String>,
    object: Option<String>,
    evidence: Option<String>,
    emotion: Option<Emotion>,
    confidence: f32,
    salience: f32,
    pinned: bool,
    origin: &'static str,
    status: &'static str,
    superseded_by: Option<String>,
    version: u64,
    valid_from: Option<Time>,
    valid_until: Option<Time>,
    expires_at: Option<Time>,
    created_at: Time,
    updated_at: Time,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Rows {
    data: Vec<Row>,
    total: u64,
    limit: usize,
    offset: usize,
    /// From 1.
    page: usize,
    total_pages: u64,
}

pub async fn list(
    State(state): State<AppState>,
    caller: Caller,
    query: Result<Query<BTreeMap<String, String>>, QueryRejection>,
) -> Result<Json<Rows>, Problem> {
    let unread = |rejection: QueryRejection| Problem::invalid(format!("the query string: {rejection}"));
    let Query(asked) = query.map_err(unread)?;
    let limit = whole(&asked, "limit")?.unwrap_or(limits::PAGE_USUAL_ROWS);
    if !(1..=limits::PAGE_MOST_ROWS).contains(&limit) {
        let message = format!("it is {limit}; expected from 1 to {}", limits::PAGE_MOST_ROWS);
        return Err(wrong("limit", message));
    }
    let offset = match (whole(&asked, "offset")?, whole(&asked, "page")?) {
        (Some(offset), _) => offset,
        (None, Some(0)) => return Err(wrong("page", "it is 0; expected 1 for the first")),
        (None, Some(page)) => (page - 1).saturating_mul(limit),
        (None, None) => 0,
    };
    let request = List {
        filter: selection(&asked)?,
        matching: given(&asked, "q").map(str::to_owned),
        limit: Some(limit),
        offset,
        oldest_first: false,
    };
    let listed = super::ask(&state, &caller, request).await?;
    Ok(Json(Rows {
        data: listed.memories.into_iter().map(Row::from).collect(),
        total: listed.total,
        limit,
        offset,
        page: offset / limit + 1,
        total_pages: listed.total.div_ceil(limit as u64),
    }))
}

fn selection(asked: &BTreeMap<String, String>) -> Result<Selection, Problem> {
    let mut selection = Selection {
        agent: parsed(asked, "agentId")?,
        user: parsed(asked, "userId")?,
        session: parsed(asked, "sessionId")?,
        ..Selection::default()
    };
    if let Some(word) = given(asked, "type") {
        match sort(word)? {
            Sort::Layer(layer) => selection.layers.push(layer),
            Sort::Kind(kind) => selection.kinds.push(kind),
        }
    }
    Ok(selection)
}

/// What `type` may mean: a layer, in our words or `factual`; else a kind.
enum Sort {
    Layer(Layer),
    Kind(Kind),
}

fn sort(word: &str) -> Result<Sort, Problem> {
    if let Ok(layer) = word.parse() {
        return Ok(Sort::Layer(layer));
    }
    let words = |all: &[&'static str]| all.join(", ");
    word.parse().map(Sort::Kind).map_err(|_| {
        let layers: Vec<&str> = Layer::ALL.iter().map(|layer| layer.as_str()).collect();
        let kinds: Vec<&str> = Kind::ALL.iter().map(|kind| kind.as_str()).collect();
        let given: String = word.chars().take(60).collect();
        wrong("type", format!("`{given}` is none; expected {}, or {}", words(&layers), words(&kinds)))
    })
}

pub async fn show(
    State(state): State<AppState>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<Row>, Problem> {
    row(&state, &caller, known_id(&id)?).await.map(Json)
}

pub async fn update(
    State(state): State<AppState>,
    caller: Caller,
    Path(id): Path<String>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<Value>, Problem> {
    let body = body::read(body)?;
    let id = known_id(&id)?;
    row(&state, &caller, id.clone()).await?;
    let request = change(id.clone(), &Fields::of(&body)?)?;
    super::ask(&state, &caller, Box::new(request)).await?;
    let memory = row(&state, &caller, id).await?;
    Ok(Json(json!({ "success": true, "memory": memory })))
}

fn change(id: MemoryId, body: &Fields<'_>) -> Result<Update, Problem> {
    let mut update = Update::of(id);
    update.expect_version = body.whole("version")?.map(|version| version as u64);
    update.content = body.text("content")?.map(str::to_owned);
    if update.content.as_deref().is_some_and(|content| content.trim().is_empty()) {
        return Err(body.wrong("content", "it is empty; expected what is to be remembered"));
    }
    update.key = emptied(body, "key")?;
    update.kind = body.parsed("kind")?;
    update.layer = body.parsed("layer")?;
    update.scope = body.parsed("scope")?;
    match body.text("type")?.map(sort).transpose()? {
        Some(Sort::Layer(layer)) => update.layer = update.layer.or(Some(layer)),
        Some(Sort::Kind(kind)) => update.kind = update.kind.or(Some(kind)),
        None => {}
    }
    if body.has("tags") {
        update.tags = Some(body.words("tags")?);
    }
    if let Some(metadata) = body.get("metadata") {
        let object = metadata.as_object();
        update.metadata = object.ok_or_else(|| body.wrong("metadata", "expected an object"))?.clone();
    }
    update.pinned = body.switch("pinned")?;
    update.valid_from = moment(body, "validFrom")?;
    update.valid_until = moment(body, "validUntil")?;
    update.expires_at = moment(body, "expiresAt")?;
    Ok(update)
}

/// A text that `null` takes away.
fn emptied(body: &Fields<'_>, name: &str) -> Result<Option<String>, Problem> {
    let text = body.text(name)?.map(str::to_owned);
    Ok(text.or_else(|| body.has(name).then(String::new)))
}

/// A time that `null` takes away.
fn moment(body: &Fields<'_>, name: &str) -> Result<Option<Moment>, Problem> {
    let time: Option<Time> = body.parsed(name)?;
    Ok(time.map(Moment::At).or_else(|| body.has(name).then_some(Moment::Never)))
}

pub async fn delete(
    State(state): State<AppState>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<Value>, Problem> {
    let id = known_id(&id)?;
    let request = Forget { ids: vec![id.clone()], confirmed: true, ..Forget::default() };
    let forgotten = super::ask(&state, &caller, request).await?;
    if forgotten.count == 0 {
        return Err(no_memory(id.as_str()));
    }
    Ok(Json(json!({ "success": true, "deleted": true })))
}

/// A memory that is there. One that was deleted is not, over this route.
async fn row(state: &AppState, caller: &Caller, id: MemoryId) -> Result<Row, Problem> {
    let shown = super::ask(state, caller, Show { id }).await?;
    if shown.memory.status == Status::Deleted {
        return Err(no_memory(shown.memory.id.as_str()));
    }
    Ok(shown.memory.into())
}

/// What cannot be an id names no memory.
fn known_id(id: &str) -> Result<MemoryId, Problem> {
    id.parse().map_err(|_| no_memory(id))
}

fn no_memory(id: &str) -> Problem {
    let id: String = id.chars().take(60).collect();
    Problem::new(Code::NotFound, format!("there is no memory {id}"))
        .hint("GET /api/memory lists what there is")
}

/// A parameter that says something; `?q=` says nothing.
fn given<'q>(asked: &'q BTreeMap<String, String>, name: &str) -> Option<&'q str> {
    asked.get(name).map(String::as_str).filter(|text| !text.trim().is_empty())
}

fn parsed<T: FromStr<Err: std::fmt::Display>>(
    asked: &BTreeMap<String, String>,
    name: &str,
) -> Result<Option<T>, Problem> {
    given(asked, name).map(|text| text.parse().map_err(|error| wrong(name, error))).transpose()
}

fn whole(asked: &BTreeMap<String, String>, name: &str) -> Result<Option<usize>, Problem> {
    let number = |text: &str| text.parse().map_err(|_| wrong(name, "expected a whole number"));
    given(asked, name).map(number).transpose()
}

fn wrong(name: &str, message: impl std::fmt::Display) -> Problem {
    Problem::field(name, format!("`{name}`: {message}"))
}

impl From<Memory> for Row {
    fn from(memory: Memory) -> Self {
        Self {
            id: memory.id.as_str().to_owned(),
            content: memory.content,
            r#type: memory.layer.as_str(),
            kind: memory.kind.as_str(),
            key: memory.key,
            scope: memory.scope.as_str(),
            layer: memory.layer.as_str(),
            session_id: memory.session.map(|session| session.as_str().to_owned()),
            agent_id: memory.agent.as_str().to_owned(),
            user_id: memory.user.as_str().to_owned(),
            tags: memory.tags,
            metadata: memory.metadata,
            subject: memory.subject,
            predicate: memory.predicate,
            object: memory.object,
            evidence: memory.evidence,
            emotion: memory.emotion,
            confidence: memory.confidence,
            salience: memory.salience,
            pinned: memory.pinned,
            origin: memory.origin.as_str(),
            status: memory.status.as_str(),
            superseded_by: memory.superseded_by.map(|id| id.as_str().to_owned()),
            version: memory.version,
            valid_from: memory.valid_from,
            valid_until: memory.valid_until,
            expires_at: memory.expires_at,
            created_at: memory.created_at,
            updated_at: memory.updated_at,
        }
    }
}
