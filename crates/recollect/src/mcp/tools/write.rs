//! `memory_add`, `memory_update`, `memory_delete`, `memory_merge`: what an agent may write.

use memory::types::{Layer, MemoryId};
use serde::Deserialize;
use serde_json::json;
use transfer::compat::words::TypeFilter;
use utoipa::ToSchema;

use crate::mcp::spec::{Spec, ToolAbout, ToolAnswer, ToolEffect, object};
use crate::mcp::tool_context::ToolContext;
use crate::ops::add::Add;
use crate::ops::forget::Forget;
use crate::ops::merge::Merge;
use crate::ops::update::Update;
use crate::problem::{Code, Problem};
use crate::request::values::{GivenSession, MemoryName};
use crate::request::wrong;
use crate::schema::{ToolScope, ToolType};

/// What `memory_add` takes.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct AddArguments {
    /// The sentence to remember
    content: String,
    /// semantic: facts and preferences; episodic, unless said: events; procedural: how to do something; prospective: to be done
    r#type: Option<ToolType>,
    /// Who will see it: this conversation (thread), this user with this agent (agent), this user with any agent (user), this agent with any user (persona), everyone (organization)
    scope: Option<ToolScope>,
    /// Words to find it by
    #[serde(default)]
    tags: Vec<String>,
    /// The conversation it belongs to; needed for the scope thread
    session_id: Option<GivenSession>,
}

/// What `memory_update` takes.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct UpdateArguments {
    /// The id of a memory, as memory_add or a search gave it
    trace_id: String,
    /// The new sentence, instead of the old one
    content: Option<String>,
    /// The new tags, instead of the old ones
    tags: Option<Vec<String>>,
}

/// What `memory_delete` takes.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct DeleteArguments {
    /// The id of a memory, as memory_add or a search gave it
    trace_id: String,
    /// Why, for the history
    reason: Option<String>,
}

/// What `memory_merge` takes.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MergeArguments {
    /// The memories to combine, at least two
    #[schema(min_items = 2, max_items = 100)]
    trace_ids: Vec<MemoryName>,
    /// What the merged memory says
    content: Option<String>,
}

pub fn memory_add() -> Spec {
    let about = ToolAbout {
        name: "memory_add",
        title: "Remember something",
        description: "\
Store one thing in long-term memory, as one self-contained sentence with names instead of pronouns.
Use it when the person tells you something that will still matter in a month: a fact or preference (type semantic), an \
event (episodic), how something is done (procedural), something to be done later (prospective).
Do not use it for small talk, for secrets, for your own guesses, or for what a search just returned. If an older memory \
is now wrong, use memory_update on it instead.
The same content with the same type and scope is stored once: then the known id comes back.
Example: {\"content\": \"Mara prefers dark mode and TypeScript.\", \"type\": \"semantic\", \"tags\": [\"preference\"]}",
        output: object(
            json!({
                "traceId": { "type": "string" },
                "created": { "type": "boolean", "description": "False when it was already known" },
            }),
            &["traceId", "created"],
        ),
        does: ToolEffect::Add,
    };
    Spec::ours(about, |desk, given| Box::pin(add(desk, given)))
}

async fn add(desk: &ToolContext, given: AddArguments) -> Result<ToolAnswer, Problem> {
    let sort = given.r#type.map_or(TypeFilter::Layer(Layer::Episodic), |word| word.0);
    let request = Add {
        content: given.content,
        layer: sort.layer(),
        kind: sort.kind(),
        agent: desk.who.agent.clone(),
        user: desk.who.user.clone(),
        session: given.session_id.map(|session| session.0).or_else(|| desk.who.session.clone()),
        scope: given.scope.map(|scope| scope.0),
        tags: given.tags,
        by_tool: true,
        ..Add::default()
    };
    let added = desk.ask(request).await.map_err(safe_to_repeat)?;
    let text = match added.created {
        true => format!("Remembered as {}.", added.id),
        false => format!("This was already remembered, as {}.", added.id),
    };
    Ok(ToolAnswer::done(json!({ "traceId": added.id.as_str(), "created": added.created }), text))
}

/// An add that may or may not have been done can be repeated: the same is never stored twice.
pub fn safe_to_repeat(problem: Problem) -> Problem {
    match problem.code {
        Code::Unavailable => problem.hint("call it again with the same content: it is stored once"),
        _ => problem,
    }
}

pub fn memory_update() -> Spec {
    let about = ToolAbout {
        name: "memory_update",
        title: "Correct a memory",
        description: "\
Replace the content or the tags of one memory. What is not given stays as it is; the earlier wording is kept in its history.
Use it when something you found is outdated or imprecise (\"moved from Berlin to Lisbon\"). Do not use it to add an unrelated \
fact: that is memory_add.
The traceId comes from memory_add or a search. `updated` is false when there is no such memory.
Example: {\"traceId\": \"mt_0198…\", \"content\": \"Mara lives in Lisbon.\"}",
        output: object(json!({ "updated": { "type": "boolean" } }), &["updated"]),
        does: ToolEffect::Change,
    };
    Spec::ours(about, |desk, given| Box::pin(update(desk, given)))
}

async fn update(desk: &ToolContext, given: UpdateArguments) -> Result<ToolAnswer, Problem> {
    let UpdateArguments { trace_id, content, tags } = given;
    if content.is_none() && tags.is_none() {
        return Err(Problem::invalid("nothing to change is given; expected `content`, `tags` or both"));
    }
    let answer = |updated: bool, text: String| Ok(ToolAnswer::done(json!({ "updated": updated }), text));
    let Ok(id) = trace_id.parse::<MemoryId>() else {
        return answer(false, nothing_there());
    };
    let request = Update { content, tags, by_tool: true, ..Update::of(id.clone()) };
    match desk.ask(Box::new(request)).await {
        Ok(updated) if updated.changed => answer(true, format!("{id} is changed.")),
        Ok(_) => answer(true, format!("{id} already was like this.")),
        Err(problem) if problem.code == Code::NotFound => answer(false, nothing_there()),
        Err(problem) => Err(problem),
    }
}

pub fn memory_delete() -> Spec {
    let about = ToolAbout {
        name: "memory_delete",
        title: "Forget a memory",
        description: "\
Take one memory out of everything that is searched and recalled. Its owner can bring it back; history keeps it.
Use it when a memory is wrong or harmful, or when the person asks you to forget it. If it is merely outdated, memory_update \
keeps what is still true. To forget many at once, memory_clear.
The traceId comes from a search. `deleted` is false when there is no such memory.
Example: {\"traceId\": \"mt_0198…\", \"reason\": \"the person asked for it\"}",
        output: object(json!({ "deleted": { "type": "boolean" } }), &["deleted"]),
        does: ToolEffect::Change,
    };
    Spec::ours(about, |desk, given| Box::pin(delete(desk, given)))
}

async fn delete(desk: &ToolContext, given: DeleteArguments) -> Result<ToolAnswer, Problem> {
    let deleted = match given.trace_id.parse() {
        Ok(id) => forget(desk, id, given.reason).await?,
        Err(_) => false,
    };
    let text = if deleted { "It is forgotten.".to_owned() } else { nothing_there() };
    Ok(ToolAnswer::done(json!({ "deleted": deleted }), text))
}

/// Whether there was one to forget.
pub async fn forget(desk: &ToolContext, id: MemoryId, reason: Option<String>) -> Result<bool, Problem> {
    match desk.ask(Forget { ids: vec![id], confirmed: true, reason, ..Forget::default() }).await {
        Ok(forgotten) => Ok(forgotten.count > 0),
        Err(problem) if problem.code == Code::NotFound => Ok(false),
        Err(problem) => Err(problem),
    }
}

pub fn memory_merge() -> Spec {
    let about = ToolAbout {
        name: "memory_merge",
        title: "Make one memory of several",
        description: "\
Combine two or more memories into one. Tags are united, links are moved over, the sources point to the new one and are no \
longer found by themselves.
Use it when a search shows several memories that say the same or parts of the same. Give `content` as one clear sentence; \
without it the sources' sentences are put one after the other. Do not merge memories that contradict each other: correct \
or delete the wrong one.
Example: {\"traceIds\": [\"mt_0198…\", \"mt_0199…\"], \"content\": \"Mara deploys with Docker Compose, blue-green, on Fridays.\"}",
        output: object(
            json!({
                "mergedTraceId": { "type": "string" },
                "sourcesDeleted": { "type": "integer", "description": "How many memories it replaces" },
            }),
            &["mergedTraceId", "sourcesDeleted"],
        ),
        does: ToolEffect::ChangeOnce,
    };
    Spec::ours(about, |desk, given| Box::pin(merge(desk, given)))
}

async fn merge(desk: &ToolContext, given: MergeArguments) -> Result<ToolAnswer, Problem> {
    let ids: Vec<MemoryId> = given.trace_ids.into_iter().map(|id| id.0).collect();
    if ids.len() < 2 {
        return Err(wrong("traceIds", format!("{} is given; expected at least two", ids.len())));
    }
    let merged = desk.ask(Merge { ids, content: given.content, by_tool: true }).await?;
    let data = json!({ "mergedTraceId": merged.id.as_str(), "sourcesDeleted": merged.sources });
    Ok(ToolAnswer::done(data, format!("{} memories are now one, {}.", merged.sources, merged.id)))
}

fn nothing_there() -> String {
    "Nothing was changed: there is no memory with this id, or it is already forgotten. A search gives ids."
        .to_owned()
}
