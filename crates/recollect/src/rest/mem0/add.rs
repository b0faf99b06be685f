//! `POST /memories`: take in messages, and learn from them or store them as they are.
//!
//! With `infer`, which is the default, the messages become a conversation, named by `run_id` or by itself, that is learned
//! from before the answer goes out; the answer lists what is new. Without, each message is a memory, word for word.

use axum::Json;
use axum::extract::State;
use memory::types::{AgentId, Memory, MemoryId, Role, Scope, Time, UserId};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use transfer::compat::mem0::row::{self, APP};
use utoipa::ToSchema;

use super::super::extract::Body;
use super::super::schema::AnyObject;
use super::values::{Mem0Messages, Mem0Moment};
use crate::app::AppState;
use crate::compat::mem0_names::{Mem0Names, Mem0Owner, NamesInside};
use crate::conversation;
use crate::ops::Caller;
use crate::ops::add::Add;
use crate::ops::ingest::{Ingest, IngestMessage};
use crate::ops::list::ListMemories;
use crate::ops::select::Selection;
use crate::ops::show::Show;
use crate::ops::update::{TimeChange, Update};
use crate::problem::{Problem, ProblemBody};
use crate::request::wrong;

/// Messages, and whose they are: at least one of `user_id`, `agent_id` and `run_id`.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = Mem0Add)]
pub struct Mem0AddBody {
    /// Messages; one alone and plain text are taken too.
    messages: Mem0Messages,
    #[serde(default)]
    whose: Mem0Names,
    /// Whose it is, where it is not said beside the messages.
    filters: Option<NamesInside>,
    /// Kept with everything that comes of it.
    #[serde(default)]
    #[schema(value_type = Option<AnyObject>)]
    metadata: Option<Map<String, Value>>,
    /// Learn from the messages, which is the default; `false` stores each as it is.
    infer: Option<bool>,
    /// When it was said.
    timestamp: Option<Mem0Moment>,
    /// From when on it is not to be shown.
    expiration_date: Option<Mem0Moment>,
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
#[utoipa::path(post, path = super::MEMORIES, tag = "mem0", operation_id = "mem0Add",
    request_body(content = Mem0AddBody, example = json!({ "user_id": "alex",
        "messages": [{ "role": "user", "content": "I moved to Lisbon last month." }] })),
    responses((status = 200, description = "What is new", body = Mem0AddAnswer),
        (status = 409, description = "Somebody was faster", body = ProblemBody),
        (status = 422, description = "A bound that a setting draws is reached", body = ProblemBody)))]
pub async fn add(
    State(state): State<AppState>,
    caller: Caller,
    Body(body): Body<Mem0AddBody>,
) -> Result<Json<Mem0AddAnswer>, Problem> {
    let learns = body.infer.unwrap_or(true);
    let request = Addition::read(body, &state)?;
    let results = match learns {
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
    fn read(body: Mem0AddBody, state: &AppState) -> Result<Self, Problem> {
        let whose = body.whose.or_inside(body.filters);
        if whose.is_nobody() {
            let message = "nobody is named; expected at least one of user_id, agent_id and run_id";
            return Err(
                Problem::field("user_id", message).hint("say whose memory it is, such as user_id: \"alex\"")
            );
        }
        let mut metadata = body.metadata.unwrap_or_default();
        if let Some(app) = &whose.app {
            metadata.insert(APP.to_owned(), app.as_str().into());
        }
        let at = body.timestamp.map(|at| at.0);
        let messages = conversation::said(body.messages.0, at)?;
        if messages.is_empty() {
            return Err(wrong("messages", "it is empty; expected what was said"));
        }
        let session = match &whose.run {
            Some(run) => run.clone(),
            None => {
                let unnamed = row::unnamed_run(&state.house.clock.uuid().simple().to_string());
                unnamed.as_str().parse().map_err(Problem::ours)?
            }
        };
        let conversation = Ingest {
            user: whose.user.clone(),
            agent: whose.agent.clone(),
            session,
            messages,
            skip_extraction: false,
            time_zone: None,
        };
        Ok(Self { whose, conversation, metadata, at, expires_at: body.expiration_date.map(|at| at.0) })
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
        state.house.ask(caller, self.conversation).await?;
        let request = ListMemories {
            filter: selection,
            limit: Some(memory::limits::PAGE_ROWS),
            oldest_first: true,
            ..ListMemories::default()
        };
        let learned = state.house.ask(caller, request).await?.memories;
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
            let added = state.house.ask(caller, request).await?;
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
    state.house.ask(caller, Box::new(update)).await.map(drop)
}

/// What a learned memory takes the place of.
async fn replaced(state: &AppState, caller: &Caller, memory: &Memory) -> Option<String> {
    let id = memory.metadata.get("supersedes")?.as_str()?.parse().ok()?;
    let shown = state.house.ask(caller, Show { id }).await.ok()?;
    Some(shown.memory.content)
}
