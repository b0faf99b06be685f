//! The tools of mem0's server, by their names, parameters and answers.
//!
//! `user_id`, `agent_id` and `run_id` are our user, agent and session. Filters and rows are those of mem0's interface over HTTP.
//! Applications are not told apart here: `app_id` is kept as metadata of what is added, and refused where everything of somebody is
//! deleted, because passing it over would match too much.

use memory::types::{Memory, MemoryId};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use transfer::compat::mem0::filter::{FilterTest, Mem0Field};
use transfer::compat::mem0::row::{APP, Mem0Memory};

use utoipa::ToSchema;

use super::search::rounded;
use super::write::{forget, safe_to_repeat};
use crate::compat::find::{Finder, Mem0Hit};
use crate::compat::mem0_names::{Mem0Names, Mem0Owner};
use crate::limits;
use crate::mcp::spec::{Spec, ToolAbout, ToolAnswer, ToolEffect, object};
use crate::mcp::tool_context::ToolContext;
use crate::ops::add::Add;
use crate::ops::clear::Clear;
use crate::ops::ingest::{Ingest, IngestMessage};
use crate::ops::list::ListMemories;
use crate::ops::select::Selection;
use crate::ops::show::Show;
use crate::ops::update::Update;
use crate::problem::{Code, Problem};
use crate::request::values::{
    GivenAgent, GivenName, GivenSession, GivenUser, Mem0PageNumber, ToolPageRows, ToolRows,
};
use crate::schema::{AnyObject, RoleWord};

/// What `add_memory` takes.
#[derive(Debug, Deserialize, ToSchema)]
#[expect(dead_code, reason = "a graph is always kept, whether a client asks for it or not")]
struct Mem0AddArguments {
    /// Plain sentence to store; required even if `messages` are given
    text: String,
    /// A conversation to learn from, in the order in which it was said
    #[serde(default)]
    messages: Vec<Mem0ToolMessage>,
    #[serde(default)]
    whose: Mem0Names,
    /// Anything to keep beside it
    #[serde(default)]
    #[schema(value_type = AnyObject)]
    metadata: Map<String, Value>,
    /// Taken and not needed: the graph is always kept
    enable_graph: Option<bool>,
}

#[derive(Debug, Deserialize, ToSchema)]
struct Mem0ToolMessage {
    role: RoleWord,
    content: String,
}

/// What `search_memories` takes.
#[derive(Debug, Deserialize, ToSchema)]
#[expect(dead_code, reason = "a graph is always looked at, whether a client asks for it or not")]
struct Mem0SearchArguments {
    /// What to find, in plain words
    query: String,
    /// Conditions on user_id, agent_id, run_id, created_at, categories, keywords and keys of the metadata, joined by AND, OR and NOT
    #[schema(value_type = Option<AnyObject>)]
    filters: Option<Map<String, Value>>,
    /// How many results at most
    #[serde(default)]
    limit: ToolRows,
    /// Taken and not needed
    enable_graph: Option<bool>,
}

/// What `get_memories` takes.
#[derive(Debug, Deserialize, ToSchema)]
#[expect(dead_code, reason = "a graph is always looked at, whether a client asks for it or not")]
struct Mem0PageArguments {
    /// Conditions, as those of search_memories
    #[schema(value_type = Option<AnyObject>)]
    filters: Option<Map<String, Value>>,
    /// Which page, from 1
    page: Option<Mem0PageNumber>,
    /// Memories of a page
    #[serde(default)]
    page_size: ToolPageRows,
    /// Taken and not needed
    enable_graph: Option<bool>,
}

/// What `get_memory` and `delete_memory` take.
#[derive(Debug, Deserialize, ToSchema)]
struct Mem0IdArguments {
    /// The id of a memory, as a search gave it
    memory_id: String,
}

/// What `update_memory` takes.
#[derive(Debug, Deserialize, ToSchema)]
struct Mem0UpdateArguments {
    /// The id of a memory, as a search gave it
    memory_id: String,
    /// The new sentence
    text: String,
}

/// What `delete_all_memories` takes.
#[derive(Debug, Deserialize, ToSchema)]
struct Mem0DeleteAllArguments {
    /// Whose memories
    user_id: Option<GivenUser>,
    /// Only what this agent knows
    agent_id: Option<GivenAgent>,
    /// Only of this conversation
    run_id: Option<GivenSession>,
    /// Not supported
    app_id: Option<GivenName>,
}

pub fn tools() -> Vec<Spec> {
    vec![
        add_memory(),
        search_memories(),
        get_memories(),
        get_memory(),
        update_memory(),
        delete_memory(),
        delete_all(),
    ]
}

fn add_memory() -> Spec {
    let about = ToolAbout {
        name: "add_memory",
        title: "Remember something",
        description: "\
Store a preference, a fact or a snippet of conversation. `text` is kept as it stands; with `messages`, what the person says in \
them is learned from instead.
Use it for what will still matter in a month, one self-contained sentence each. Not for small talk or secrets.
Example: {\"text\": \"Mara prefers window seats.\", \"user_id\": \"mara\"}",
        output: results(),
        does: ToolEffect::Add,
    };
    Spec::theirs(about, |desk, given| Box::pin(add(desk, given)))
}

async fn add(desk: &ToolContext, given: Mem0AddArguments) -> Result<ToolAnswer, Problem> {
    let whose = of_connection(desk, given.whose);
    if !given.messages.is_empty() {
        return learn(desk, whose, given.messages).await;
    }
    let mut request = Add {
        content: given.text,
        agent: whose.agent,
        user: whose.user,
        session: whose.run,
        metadata: given.metadata,
        by_tool: true,
        ..Add::default()
    };
    if let Some(application) = whose.app {
        request.metadata.insert(APP.to_owned(), application.into());
    }
    let content = request.content.clone();
    let added = desk.ask(request).await.map_err(safe_to_repeat)?;
    let event = if added.created { "ADD" } else { "NONE" };
    let row = json!({ "id": added.id.as_str(), "memory": content, "event": event });
    Ok(ToolAnswer::done(json!({ "results": [row] }), format!("{event} {}", added.id)))
}

/// Whom a call names, else whom the connection is for.
fn of_connection(desk: &ToolContext, named: Mem0Names) -> Mem0Owner {
    let named = named.owner();
    Mem0Owner {
        agent: named.agent.or_else(|| desk.who.agent.clone()),
        user: named.user.or_else(|| desk.who.user.clone()),
        ..named
    }
}

/// What the person says in a conversation becomes memories, and the conversation a session.
async fn learn(
    desk: &ToolContext,
    whose: Mem0Owner,
    messages: Vec<Mem0ToolMessage>,
) -> Result<ToolAnswer, Problem> {
    let messages = messages.into_iter().map(|said| IngestMessage::of(said.role.0, said.content)).collect();
    let before = desk.now();
    let session = match whose.run {
        Some(session) => session,
        None => format!("mcp-{}", before.microseconds()).parse().map_err(Problem::ours)?,
    };
    let (agent, user) = (whose.agent, whose.user);
    let filter = Selection {
        agent: agent.clone(),
        user: user.clone(),
        session: Some(session.clone()),
        since: Some(before),
        ..Selection::default()
    };
    let learned =
        desk.ask(Ingest { agent, user, session, messages, skip_extraction: false, time_zone: None }).await?;
    let listed = desk
        .ask(ListMemories { filter, limit: Some(limits::PAGE_USUAL_ROWS), ..ListMemories::default() })
        .await?;
    let row = |memory: &Memory| json!({ "id": memory.id.as_str(), "memory": memory.content, "event": "ADD" });
    let rows: Vec<Value> = listed.memories.iter().map(row).collect();
    let text = format!(
        "{} messages stored, {} memories learned ({}).",
        learned.turns_ingested,
        rows.len(),
        learned.distillation
    );
    Ok(ToolAnswer::done(json!({ "results": rows }), text))
}

fn search_memories() -> Spec {
    let about = ToolAbout {
        name: "search_memories",
        title: "Search memories",
        description: "\
Find memories by meaning and by words, best first.
Use it before you answer anything that may depend on the person. Filters: {\"AND\": [{\"user_id\": \"mara\"}, \
{\"created_at\": {\"gte\": \"2026-01-01\"}}]}; by agent with agent_id, by conversation with run_id; OR and NOT as AND.
Example: {\"query\": \"seat preferences\", \"filters\": {\"AND\": [{\"user_id\": \"mara\"}]}}",
        output: results(),
        does: ToolEffect::Read,
    };
    Spec::theirs(about, |desk, given| Box::pin(search(desk, given)))
}

async fn search(desk: &ToolContext, given: Mem0SearchArguments) -> Result<ToolAnswer, Problem> {
    let test = narrowed(desk, given.filters)?;
    let finder = Finder { asks: desk, test: &test, statuses: Vec::new() };
    let found = finder.best(&given.query, given.limit.0).await?;
    desk.count_uses(found.iter().map(|found| found.memory.id.clone()).collect()).await;
    let text = match found.is_empty() {
        true => "Nothing is remembered about this.".to_owned(),
        false => lines(found.iter().map(|found| &found.memory)),
    };
    let row = |found: Mem0Hit| Mem0Memory::of(found.memory, Some(rounded(found.score))).shown(&[]);
    let rows: Vec<Value> = found.into_iter().map(row).collect();
    Ok(ToolAnswer::recalled(json!({ "results": rows }), text))
}

fn get_memories() -> Spec {
    let about = ToolAbout {
        name: "get_memories",
        title: "Page through memories",
        description: "\
List memories by filters, newest first, page by page.
Use it for an overview; to find something in particular, search_memories. Filters as there.
Example: {\"filters\": {\"AND\": [{\"user_id\": \"mara\"}]}, \"page\": 1, \"page_size\": 20}",
        output: object(
            json!({ "count": { "type": "integer" }, "results": { "type": "array", "items": { "type": "object" } } }),
            &["count", "results"],
        ),
        does: ToolEffect::Read,
    };
    Spec::theirs(about, |desk, given| Box::pin(page(desk, given)))
}

async fn page(desk: &ToolContext, given: Mem0PageArguments) -> Result<ToolAnswer, Problem> {
    let test = narrowed(desk, given.filters)?;
    let (size, page) = (given.page_size.0, given.page.map_or(1, |page| page.0));
    let finder = Finder { asks: desk, test: &test, statuses: Vec::new() };
    let (memories, total) = finder.page(size, (page - 1) * size).await?;
    let text = format!("{total} in all, page {page}\n{}", lines(memories.iter()));
    let rows: Vec<Value> = memories.into_iter().map(row).collect();
    Ok(ToolAnswer::recalled(json!({ "count": total, "results": rows }), text))
}

fn get_memory() -> Spec {
    let about = ToolAbout {
        name: "get_memory",
        title: "Read one memory",
        description: "\
Fetch one memory by its id, with everything kept beside it. Use it when a search has given you the id and you need its \
metadata or dates; a search already gives the text.
Example: {\"memory_id\": \"mt_0198…\"}",
        output: memory_schema(),
        does: ToolEffect::Read,
    };
    Spec::theirs(about, |desk, given| Box::pin(get(desk, given)))
}

async fn get(desk: &ToolContext, given: Mem0IdArguments) -> Result<ToolAnswer, Problem> {
    let shown = desk.ask(Show { id: memory_id(&given.memory_id)? }).await?;
    let content = shown.memory.content.clone();
    Ok(ToolAnswer::recalled(row(shown.memory), content))
}

fn update_memory() -> Spec {
    let about = ToolAbout {
        name: "update_memory",
        title: "Correct a memory",
        description: "\
Overwrite the text of one memory; the earlier wording is kept in its history. Use it when something you found is outdated \
or imprecise, with the id that a search gave.
Example: {\"memory_id\": \"mt_0198…\", \"text\": \"Mara lives in Lisbon.\"}",
        output: memory_schema(),
        does: ToolEffect::Change,
    };
    Spec::theirs(about, |desk, given| Box::pin(update(desk, given)))
}

async fn update(desk: &ToolContext, given: Mem0UpdateArguments) -> Result<ToolAnswer, Problem> {
    let (id, content) = (memory_id(&given.memory_id)?, Some(given.text));
    desk.ask(Box::new(Update { content, by_tool: true, ..Update::of(id.clone()) })).await?;
    let shown = desk.ask(Show { id }).await?;
    Ok(ToolAnswer::done(row(shown.memory), "Memory updated successfully!"))
}

fn delete_memory() -> Spec {
    let about = ToolAbout {
        name: "delete_memory",
        title: "Forget a memory",
        description: "\
Forget one memory. Use it when it is wrong or the person asks you to, with the id that a search gave; its owner can bring \
it back.
Example: {\"memory_id\": \"mt_0198…\"}",
        output: object(json!({ "message": { "type": "string" } }), &["message"]),
        does: ToolEffect::Change,
    };
    Spec::theirs(about, |desk, given| Box::pin(delete(desk, given)))
}

async fn delete(desk: &ToolContext, given: Mem0IdArguments) -> Result<ToolAnswer, Problem> {
    let id = memory_id(&given.memory_id)?;
    if !forget(desk, id.clone(), None).await? {
        return Err(Problem::new(Code::NotFound, format!("there is no memory {id}")));
    }
    let message = "Memory deleted successfully!";
    Ok(ToolAnswer::done(json!({ "message": message }), message))
}

fn delete_all() -> Spec {
    let about = ToolAbout {
        name: "delete_all_memories",
        title: "Forget everything of somebody",
        description: "\
Forget all memories of a user, an agent or a conversation. Use it only when the person has asked for exactly this; their \
owner can undo it. At least one of user_id, agent_id and run_id must be known.
Example: {\"user_id\": \"mara\"}",
        output: object(
            json!({ "message": { "type": "string" }, "deleted": { "type": "integer" } }),
            &["message", "deleted"],
        ),
        does: ToolEffect::Change,
    };
    Spec::theirs(about, |desk, given| Box::pin(delete_everything(desk, given)))
}

async fn delete_everything(desk: &ToolContext, given: Mem0DeleteAllArguments) -> Result<ToolAnswer, Problem> {
    let Mem0DeleteAllArguments { user_id, agent_id, run_id, app_id } = given;
    let named = Mem0Names { user_id, agent_id, run_id, app_id };
    let Mem0Owner { user, agent, run: session, app } = of_connection(desk, named);
    if app.is_some() {
        let message = "`app_id`: applications are not told apart here; expected user_id, agent_id or run_id";
        return Err(Problem::field(APP, message));
    }
    let filter = Selection { agent, user, session, ..Selection::default() };
    if filter == Selection::default() {
        let message = "nobody is named; expected at least one of user_id, agent_id and run_id";
        return Err(Problem::field("user_id", message));
    }
    let cleared = desk.ask(Clear { filter, ..Clear::default() }).await?;
    let message = "Memories deleted successfully!";
    Ok(ToolAnswer::done(json!({ "message": message, "deleted": cleared.count }), message))
}

/// What `filters` let through; whose memory it is stays that of the connection where they do not say.
fn narrowed(desk: &ToolContext, filters: Option<Map<String, Value>>) -> Result<FilterTest, Problem> {
    let said = filters.map(|filters| FilterTest::read("filters", &Value::Object(filters))).transpose()?;
    let said = said.unwrap_or_else(FilterTest::none);
    let (agent, user) = (desk.who.agent.as_ref(), desk.who.user.as_ref());
    let usual = [
        (Mem0Field::Agent, agent.map(|agent| agent.as_str())),
        (Mem0Field::User, user.map(|user| user.as_str())),
    ];
    let usual = usual.into_iter().filter(|(field, _)| !said.mentions(field));
    let mut tests: Vec<FilterTest> =
        usual.filter_map(|(field, name)| name.map(|name| FilterTest::equals(field, name))).collect();
    tests.push(said);
    Ok(FilterTest::All(tests))
}

/// A memory, as mem0 has it.
fn row(memory: Memory) -> Value {
    Mem0Memory::of(memory, None).shown(&[])
}

fn lines<'a>(memories: impl Iterator<Item = &'a Memory>) -> String {
    memories.map(|memory| format!("- {} ({})", memory.content, memory.id)).collect::<Vec<_>>().join("\n")
}

fn memory_id(text: &str) -> Result<MemoryId, Problem> {
    let shown = memory::error::shown(text);
    text.parse().map_err(|_| Problem::new(Code::NotFound, format!("there is no memory {shown}")))
}

fn memory_schema() -> Value {
    let mut schema =
        object(json!({ "id": { "type": "string" }, "memory": { "type": "string" } }), &["id", "memory"]);
    schema["additionalProperties"] = true.into();
    schema
}

fn results() -> Value {
    let row = memory_schema();
    object(json!({ "results": { "type": "array", "items": row } }), &["results"])
}
