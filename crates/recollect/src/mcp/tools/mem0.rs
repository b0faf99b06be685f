//! The tools of mem0's server, by their names, parameters and answers.
//!
//! `user_id`, `agent_id` and `run_id` are our user, agent and session. Filters and rows are those of mem0's interface over HTTP.
//! Applications are not told apart here: `app_id` is kept as metadata of what is added, and refused where everything of somebody is
//! deleted, because passing it over would match too much.

use memory::types::{Memory, MemoryId, Role, SessionId};
use serde_json::{Value, json};
use transfer::compat::mem0::filter::{FilterTest, Mem0Field};
use transfer::compat::mem0::row::{APP, Mem0Memory};

use super::omniroute::metadata;
use super::search::{bounded, rounded};
use super::write::{forget, safe_to_repeat};
use crate::compat::find::{Finder, Mem0Hit};
use crate::fields::{self, Fields};
use crate::limits;
use crate::mcp::spec::{Spec, ToolAnswer, ToolEffect, object};
use crate::mcp::tool_context::ToolContext;
use crate::ops::add::Add;
use crate::ops::clear::Clear;
use crate::ops::ingest::{Ingest, IngestMessage};
use crate::ops::list::ListMemories;
use crate::ops::select::Selection;
use crate::ops::show::Show;
use crate::ops::update::Update;
use crate::problem::{Code, Problem};

const USUAL_RESULTS: usize = 10;

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
    Spec {
        name: "add_memory",
        title: "Remember something",
        description: "\
Store a preference, a fact or a snippet of conversation. `text` is kept as it stands; with `messages`, what the person says in \
them is learned from instead.
Use it for what will still matter in a month, one self-contained sentence each. Not for small talk or secrets.
Example: {\"text\": \"Mara prefers window seats.\", \"user_id\": \"mara\"}",
        input: object(
            json!({
                "text": word("Plain sentence to store; required even if `messages` are given"),
                "messages": { "type": "array", "items": { "type": "object", "properties": {
                    "role": { "type": "string" }, "content": { "type": "string" } }, "required": ["role", "content"] },
                    "description": "A conversation to learn from, in the order in which it was said" },
                "user_id": word("Whose memory it is"),
                "agent_id": word("Which agent knows it"),
                "app_id": word("Kept as metadata"),
                "run_id": word("The conversation it belongs to"),
                "metadata": { "type": "object", "description": "Anything to keep beside it" },
                "enable_graph": { "type": "boolean", "description": "Taken and not needed: the graph is always kept" },
            }),
            &["text"],
        ),
        output: results(),
        does: ToolEffect::Add,
        work: |desk, given| Box::pin(add(desk, given)),
    }
}

async fn add(desk: &ToolContext, given: Fields<'_>) -> Result<ToolAnswer, Problem> {
    let messages = given.objects("messages")?.unwrap_or_default();
    if !messages.is_empty() {
        return learn(desk, &given, &messages).await;
    }
    let mut request = Add {
        content: given.required("text")?.to_owned(),
        agent: given.id("agent_id")?.or_else(|| desk.who.agent.clone()),
        user: given.id("user_id")?.or_else(|| desk.who.user.clone()),
        session: given.id("run_id")?,
        metadata: metadata(&given)?,
        by_tool: true,
        ..Add::default()
    };
    if let Some(application) = given.text("app_id")? {
        request.metadata.insert(APP.to_owned(), application.into());
    }
    let content = request.content.clone();
    let added = desk.ask(request).await.map_err(safe_to_repeat)?;
    let event = if added.created { "ADD" } else { "NONE" };
    let row = json!({ "id": added.id.as_str(), "memory": content, "event": event });
    Ok(ToolAnswer::done(json!({ "results": [row] }), format!("{event} {}", added.id)))
}

/// What the person says in a conversation becomes memories, and the conversation a session.
async fn learn(
    desk: &ToolContext,
    given: &Fields<'_>,
    messages: &[Fields<'_>],
) -> Result<ToolAnswer, Problem> {
    let message = |message: &Fields<'_>| {
        let role: Role = message.parsed("role")?.ok_or_else(|| message.wrong("role", "it is missing"))?;
        let content = message.required("content")?.to_owned();
        Ok(IngestMessage::of(role, content))
    };
    let messages = fields::all(messages.iter().map(message))?;
    let before = desk.now();
    let named: Option<SessionId> = given.id("run_id")?;
    let session = match named {
        Some(session) => session,
        None => format!("mcp-{}", before.microseconds()).parse().map_err(Problem::ours)?,
    };
    let filter = Selection {
        agent: given.id("agent_id")?.or_else(|| desk.who.agent.clone()),
        user: given.id("user_id")?.or_else(|| desk.who.user.clone()),
        session: Some(session.clone()),
        since: Some(before),
        ..Selection::default()
    };
    let (agent, user) = (filter.agent.clone(), filter.user.clone());
    let learned = desk.ask(Ingest { agent, user, session, messages, skip_extraction: false }).await?;
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
    Spec {
        name: "search_memories",
        title: "Search memories",
        description: "\
Find memories by meaning and by words, best first.
Use it before you answer anything that may depend on the person. Filters: {\"AND\": [{\"user_id\": \"mara\"}, \
{\"created_at\": {\"gte\": \"2026-01-01\"}}]}; by agent with agent_id, by conversation with run_id; OR and NOT as AND.
Example: {\"query\": \"seat preferences\", \"filters\": {\"AND\": [{\"user_id\": \"mara\"}]}}",
        input: object(
            json!({
                "query": word("What to find, in plain words"),
                "filters": filter_schema(),
                "limit": { "type": "integer", "minimum": 1, "maximum": 100, "default": USUAL_RESULTS, "description": "How many results at most" },
                "enable_graph": { "type": "boolean", "description": "Taken and not needed" },
            }),
            &["query"],
        ),
        output: results(),
        does: ToolEffect::Read,
        work: |desk, given| Box::pin(search(desk, given)),
    }
}

async fn search(desk: &ToolContext, given: Fields<'_>) -> Result<ToolAnswer, Problem> {
    let test = narrowed(desk, &given)?;
    let (query, limit) = (given.required("query")?, bounded(&given, "limit", USUAL_RESULTS, 100)?);
    let finder = Finder { asks: desk, test: &test, statuses: Vec::new() };
    let found = finder.best(query, limit).await?;
    let text = match found.is_empty() {
        true => "Nothing is remembered about this.".to_owned(),
        false => lines(found.iter().map(|found| &found.memory)),
    };
    let row = |found: Mem0Hit| Mem0Memory::of(found.memory, Some(rounded(found.score))).shown(&[]);
    let rows: Vec<Value> = found.into_iter().map(row).collect();
    Ok(ToolAnswer::recalled(json!({ "results": rows }), text))
}

fn get_memories() -> Spec {
    Spec {
        name: "get_memories",
        title: "Page through memories",
        description: "\
List memories by filters, newest first, page by page.
Use it for an overview; to find something in particular, search_memories. Filters as there.
Example: {\"filters\": {\"AND\": [{\"user_id\": \"mara\"}]}, \"page\": 1, \"page_size\": 20}",
        input: object(
            json!({
                "filters": filter_schema(),
                "page": { "type": "integer", "minimum": 1, "default": 1, "description": "Which page, from 1" },
                "page_size": { "type": "integer", "minimum": 1, "maximum": limits::PAGE_MOST_ROWS, "default": USUAL_RESULTS, "description": "Memories of a page" },
                "enable_graph": { "type": "boolean", "description": "Taken and not needed" },
            }),
            &[],
        ),
        output: object(
            json!({ "count": { "type": "integer" }, "results": { "type": "array", "items": { "type": "object" } } }),
            &["count", "results"],
        ),
        does: ToolEffect::Read,
        work: |desk, given| Box::pin(page(desk, given)),
    }
}

async fn page(desk: &ToolContext, given: Fields<'_>) -> Result<ToolAnswer, Problem> {
    let test = narrowed(desk, &given)?;
    let size = bounded(&given, "page_size", USUAL_RESULTS, limits::PAGE_MOST_ROWS)?;
    let page = bounded(&given, "page", 1, limits::PAGE_FARTHEST / size)?;
    let finder = Finder { asks: desk, test: &test, statuses: Vec::new() };
    let (memories, total) = finder.page(size, (page - 1) * size).await?;
    let text = format!("{total} in all, page {page}\n{}", lines(memories.iter()));
    let rows: Vec<Value> = memories.into_iter().map(row).collect();
    Ok(ToolAnswer::recalled(json!({ "count": total, "results": rows }), text))
}

fn get_memory() -> Spec {
    Spec {
        name: "get_memory",
        title: "Read one memory",
        description: "\
Fetch one memory by its id, with everything kept beside it. Use it when a search has given you the id and you need its \
metadata or dates; a search already gives the text.
Example: {\"memory_id\": \"mt_0198…\"}",
        input: object(json!({ "memory_id": memory_id_schema() }), &["memory_id"]),
        output: memory_schema(),
        does: ToolEffect::Read,
        work: |desk, given| Box::pin(get(desk, given)),
    }
}

async fn get(desk: &ToolContext, given: Fields<'_>) -> Result<ToolAnswer, Problem> {
    let shown = desk.ask(Show { id: memory_id(&given)? }).await?;
    let content = shown.memory.content.clone();
    Ok(ToolAnswer::recalled(row(shown.memory), content))
}

fn update_memory() -> Spec {
    Spec {
        name: "update_memory",
        title: "Correct a memory",
        description: "\
Overwrite the text of one memory; the earlier wording is kept in its history. Use it when something you found is outdated \
or imprecise, with the id that a search gave.
Example: {\"memory_id\": \"mt_0198…\", \"text\": \"Mara lives in Lisbon.\"}",
        input: object(
            json!({ "memory_id": memory_id_schema(), "text": word("The new sentence") }),
            &["memory_id", "text"],
        ),
        output: memory_schema(),
        does: ToolEffect::Change,
        work: |desk, given| Box::pin(update(desk, given)),
    }
}

async fn update(desk: &ToolContext, given: Fields<'_>) -> Result<ToolAnswer, Problem> {
    let id = memory_id(&given)?;
    let content = Some(given.required("text")?.to_owned());
    desk.ask(Box::new(Update { content, by_tool: true, ..Update::of(id.clone()) })).await?;
    let shown = desk.ask(Show { id }).await?;
    Ok(ToolAnswer::done(row(shown.memory), "Memory updated successfully!"))
}

fn delete_memory() -> Spec {
    Spec {
        name: "delete_memory",
        title: "Forget a memory",
        description: "\
Forget one memory. Use it when it is wrong or the person asks you to, with the id that a search gave; its owner can bring \
it back.
Example: {\"memory_id\": \"mt_0198…\"}",
        input: object(json!({ "memory_id": memory_id_schema() }), &["memory_id"]),
        output: object(json!({ "message": { "type": "string" } }), &["message"]),
        does: ToolEffect::Change,
        work: |desk, given| Box::pin(delete(desk, given)),
    }
}

async fn delete(desk: &ToolContext, given: Fields<'_>) -> Result<ToolAnswer, Problem> {
    let id = memory_id(&given)?;
    if !forget(desk, id.clone(), None).await? {
        return Err(Problem::new(Code::NotFound, format!("there is no memory {id}")));
    }
    let message = "Memory deleted successfully!";
    Ok(ToolAnswer::done(json!({ "message": message }), message))
}

fn delete_all() -> Spec {
    Spec {
        name: "delete_all_memories",
        title: "Forget everything of somebody",
        description: "\
Forget all memories of a user, an agent or a conversation. Use it only when the person has asked for exactly this; their \
owner can undo it. At least one of user_id, agent_id and run_id must be known.
Example: {\"user_id\": \"mara\"}",
        input: object(
            json!({
                "user_id": word("Whose memories"),
                "agent_id": word("Only what this agent knows"),
                "app_id": word("Not supported"),
                "run_id": word("Only of this conversation"),
            }),
            &[],
        ),
        output: object(
            json!({ "message": { "type": "string" }, "deleted": { "type": "integer" } }),
            &["message", "deleted"],
        ),
        does: ToolEffect::Change,
        work: |desk, given| Box::pin(delete_everything(desk, given)),
    }
}

async fn delete_everything(desk: &ToolContext, given: Fields<'_>) -> Result<ToolAnswer, Problem> {
    refuse_application(given.get("app_id"))?;
    let filter = Selection {
        agent: given.id("agent_id")?.or_else(|| desk.who.agent.clone()),
        user: given.id("user_id")?.or_else(|| desk.who.user.clone()),
        session: given.id("run_id")?,
        ..Selection::default()
    };
    if filter == Selection::default() {
        let message = "nobody is named; expected at least one of user_id, agent_id and run_id";
        return Err(Problem::field("user_id", message));
    }
    let cleared = desk.ask(Clear { filter, ..Clear::default() }).await?;
    let message = "Memories deleted successfully!";
    Ok(ToolAnswer::done(json!({ "message": message, "deleted": cleared.count }), message))
}

/// What `filters` let through; whose memory it is stays that of the connection where they do not say.
fn narrowed(desk: &ToolContext, given: &Fields<'_>) -> Result<FilterTest, Problem> {
    let said = given.get("filters").map(|filters| FilterTest::read("filters", filters)).transpose()?;
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

fn refuse_application(given: Option<&Value>) -> Result<(), Problem> {
    let message = "`app_id`: applications are not told apart here; expected user_id, agent_id or run_id";
    given.map_or(Ok(()), |_| Err(Problem::field(APP, message)))
}

/// A memory, as mem0 has it.
fn row(memory: Memory) -> Value {
    Mem0Memory::of(memory, None).shown(&[])
}

fn lines<'a>(memories: impl Iterator<Item = &'a Memory>) -> String {
    memories.map(|memory| format!("- {} ({})", memory.content, memory.id)).collect::<Vec<_>>().join("\n")
}

fn memory_id(given: &Fields<'_>) -> Result<MemoryId, Problem> {
    let text = given.required("memory_id")?;
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

fn memory_id_schema() -> Value {
    json!({ "type": "string", "description": "The id of a memory, as a search gave it" })
}

fn filter_schema() -> Value {
    json!({ "type": "object", "description": "Conditions on user_id, agent_id, run_id, created_at, categories, keywords and keys of the metadata, joined by AND, OR and NOT" })
}

fn word(description: &str) -> Value {
    json!({ "type": "string", "description": description })
}
