//! `POST /memories`: take in messages, and learn from them or store them as they are.
//!
//! With `infer`, which is the default, the messages become a conversation, named by `run_id` or by itself, that is learned
//! from before the answer goes out; the answer lists what is new. Without, each message is a memory, word for word.

use axum::Json;
use axum::extract::State;
use memory::types::{AgentId, Memory, MemoryId, Role, Scope, Time, UserId};
use serde::Serialize;
use serde_json::{Map, Value, json};
use transfer::compat::mem0::row::{self, APP};
use utoipa::ToSchema;

use super::super::schema::AnyObject;
use super::asked::Mem0Body;
use super::whose::Mem0Owner;
use crate::app::AppState;
use crate::conversation;
use crate::fields::Fields;
use crate::ops::Caller;
use crate::ops::add::Add;
use crate::ops::ingest::{Ingest, IngestMessage};
use crate::ops::list::ListMemories;
use crate::ops::select::Selection;
use crate::ops::show::Show;
use crate::ops::update::{TimeChange, Update};
use crate::problem::{Problem, ProblemBody};
use transfer::compat::mem0::filter;

/// Messages, and whose they are: at least one of `user_id`, `agent_id` and `run_id`.
#[derive(ToSchema)]
#[schema(as = Mem0Add)]
pub struct AddBody {
    /// Messages; one alone and plain text are taken too.
    #[schema(min_items = 1, max_items = 10000)]
    pub messages: Vec<Mem0MessageBody>,
    /// Whose memory it is.
    #[schema(min_length = 1, max_length = 200)]
    pub user_id: String,
    /// Of which assistant.
    #[schema(min_length = 1, max_length = 200)]
    pub agent_id: Option<String>,
    /// Of which conversation.
    #[schema(min_length = 1, max_length = 200)]
    pub run_id: Option<String>,
    /// Kept as a key of the metadata.
    #[schema(min_length = 1, max_length = 200)]
    pub app_id: Option<String>,
    #[schema(value_type = Option<AnyObject>)]
    pub metadata: Option<Value>,
    /// Learn from the messages, which is the default; `false` stores each as it is.
    pub infer: Option<bool>,
}

#[derive(ToSchema)]
#[schema(as = Mem0Said)]
pub struct Mem0MessageBody {
    #[schema(value_type = super::super::schema::RoleWord)]
    pub role: String,
    pub content: String,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Mem0Added)]
pub struct Mem0AddAnswer {
    results: Vec<Mem0Event>,
}

/// What became of something.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Mem0Event)]
pub struct Mem0Event {
    id: String,
    memory: String,
    /// `ADD`, `UPDATE` where it takes the place of another, `NONE` where it was known.
    event: &'static str,
    /// What it takes the place of.
    #[serde(skip_serializing_if = "Option::is_none")]
    previous_memory: Option<String>,
    /// Who said it, where it was stored as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
}

/// Take in messages as mem0 does
///
/// Also at `/v1/memories/` and `/v3/memories/add/`.
#[utoipa::path(post, path = super::MEMORIES, tag = "mem0", operation_id = "mem0Add", request_body = AddBody,
    responses((status = 200, description = "What is new", body = Mem0AddAnswer),
        (status = 409, description = "Somebody was faster", body = ProblemBody),
        (status = 422, description = "A bound that a setting draws is reached", body = ProblemBody)))]
pub async fn add(
    State(state): State<AppState>,
    caller: Caller,
    body: Mem0Body,
) -> Result<Json<Mem0AddAnswer>, Problem> {
    let request = Addition::read(&body.fields(), &state)?;
    let results = match body.fields().switch("infer")?.unwrap_or(true) {
        true => request.learn(&state, &caller).await?,
        false => request.store(&state, &caller).await?,
    };
    Ok(Json(Mem0AddAnswer { results }))
}

struct Addition {
    whose: Mem0Owner,
    conversation: Ingest,
    /// Put on everything that comes of it.
    metadata: Map<String, Value>,
    at: Option<Time>,
    expires_at: Option<Time>,
}

impl Addition {
    fn read(body: &Fields<'_>, state: &AppState) -> Result<Self, Problem> {
        let whose = Mem0Owner::of_body(body)?;
        if whose.is_nobody() {
            let message = "nobody is named; expected at least one of user_id, agent_id and run_id";
            return Err(
                Problem::field("user_id", message).hint("say whose memory it is, such as user_id: \"alex\"")
            );
        }
        let mut metadata = match body.get("metadata") {
            None => Map::new(),
            Some(Value::Object(object)) => object.clone(),
            Some(_) => return Err(body.wrong("metadata", "expected an object")),
        };
        if let Some(app) = &whose.app {
            metadata.insert(APP.to_owned(), app.as_str().into());
        }
        let at = moment(body, "timestamp")?;
        let unnamed = || row::unnamed_run(&state.house.clock.uuid().simple().to_string());
        let run = whose.run.clone().unwrap_or_else(unnamed);
        let conversation = conversation(body, &whose, run.as_str(), at)?;
        Ok(Self { whose, conversation, metadata, at, expires_at: moment(body, "expiration_date")? })
    }

    async fn learn(self, state: &AppState, caller: &Caller) -> Result<Vec<Mem0Event>, Problem> {
        // A key that is bound to an agent fills it in where none is named.
        let agent =
            self.conversation.agent.clone().or_else(|| caller.agents().is_none().then(AgentId::unnamed));
        let selection = Selection {
            user: self.conversation.user.clone().or_else(|| caller.user().is_none().then(UserId::unnamed)),
            agent,
            session: Some(self.conversation.session.clone()),
            since: Some(state.house.clock.now()),
            ..Selection::default()
        };
        super::ask(state, caller, self.conversation).await?;
        let request = ListMemories {
            filter: selection,
            limit: Some(memory::limits::PAGE_ROWS),
            oldest_first: true,
            ..ListMemories::default()
        };
        let learned = super::ask(state, caller, request).await?.memories;
        let mut events = Vec::with_capacity(learned.len());
        for memory in learned {
            mark(state, caller, &memory.id, &self.metadata, self.expires_at).await?;
            let previous_memory = replaced(state, caller, &memory).await;
            let event = if previous_memory.is_some() { "UPDATE" } else { "ADD" };
            let id = memory.id.as_str().to_owned();
            events.push(Mem0Event { id, memory: memory.content, event, previous_memory, role: None });
        }
        Ok(events)
    }

    /// Each message as a memory. What the application's instructions to the assistant say is no memory of anybody.
    async fn store(self, state: &AppState, caller: &Caller) -> Result<Vec<Mem0Event>, Problem> {
        let now = state.house.clock.now();
        let said =
            |message: &IngestMessage| message.role != Role::System && !message.content.trim().is_empty();
        let mut events = Vec::new();
        for message in self.conversation.messages.iter().filter(|message| said(message)) {
            let request = Add {
                content: message.content.clone(),
                user: self.whose.user.clone(),
                agent: self.whose.agent.clone(),
                session: self.whose.run.clone(),
                scope: scope(&self.whose),
                metadata: self.metadata.clone(),
                // A time that is still to come would hide it until then.
                valid_from: self.at.filter(|at| *at <= now),
                expires_at: self.expires_at,
                ..Add::default()
            };
            let added = super::ask(state, caller, request).await?;
            let event = if added.created { "ADD" } else { "NONE" };
            let (id, memory) = (added.id.as_str().to_owned(), message.content.trim().to_owned());
            let role = Some(message.role.as_str());
            events.push(Mem0Event { id, memory, event, previous_memory: None, role });
        }
        Ok(events)
    }
}

/// Who sees it follows from who is named: a user, as usual; else the assistant, whoever it talks to; else the conversation.
fn scope(whose: &Mem0Owner) -> Option<Scope> {
    match (&whose.user, &whose.agent, &whose.run) {
        (None, Some(_), _) => Some(Scope::Persona),
        (None, None, Some(_)) => Some(Scope::Thread),
        _ => None,
    }
}

/// The messages in the shape in which conversations come from elsewhere: plain text and a message alone are taken too.
fn conversation(
    body: &Fields<'_>,
    whose: &Mem0Owner,
    run: &str,
    at: Option<Time>,
) -> Result<Ingest, Problem> {
    let messages = match body.get("messages") {
        None => return Err(body.wrong("messages", "it is missing; expected what was said")),
        Some(Value::String(text)) => json!([{ "role": "user", "content": text }]),
        Some(one @ Value::Object(_)) => json!([one]),
        Some(other) => other.clone(),
    };
    let mut whole = json!({ "conversation_id": run, "messages": messages });
    if let (Some(at), Value::Object(whole)) = (at, &mut whole) {
        whole.insert("session_date".to_owned(), at.to_string().into());
    }
    let request = conversation::read(whole)?;
    Ok(Ingest { user: whose.user.clone(), agent: whose.agent.clone(), ..request })
}

/// A day, a moment or seconds since 1970.
pub fn moment(body: &Fields<'_>, name: &str) -> Result<Option<Time>, Problem> {
    let read = |value| filter::moment(value).ok_or_else(|| body.wrong(name, "expected a day or a moment"));
    body.get(name).map(read).transpose()
}

/// Puts what the client wants to find again on a memory that was learned.
async fn mark(
    state: &AppState,
    caller: &Caller,
    id: &MemoryId,
    metadata: &Map<String, Value>,
    expires_at: Option<Time>,
) -> Result<(), Problem> {
    if metadata.is_empty() && expires_at.is_none() {
        return Ok(());
    }
    let mut update = Update::of(id.clone());
    update.metadata = metadata.clone();
    update.expires_at = expires_at.map(TimeChange::At);
    super::ask(state, caller, Box::new(update)).await.map(drop)
}

/// What a learned memory takes the place of.
async fn replaced(state: &AppState, caller: &Caller, memory: &Memory) -> Option<String> {
    let id = memory.metadata.get("supersedes")?.as_str()?.parse().ok()?;
    let shown = super::ask(state, caller, Show { id }).await.ok()?;
    Some(shown.memory.content)
}
