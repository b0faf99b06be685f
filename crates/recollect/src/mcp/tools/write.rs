//! `memory_add`, `memory_update`, `memory_delete`, `memory_merge`: what an agent may write.

use memory::types::MemoryId;
use serde_json::{Value, json};
use transfer::compat::words::TypeFilter;

use crate::compat::sort;
use crate::fields::Fields;
use crate::mcp::spec::{Spec, ToolAnswer, ToolEffect, object};
use crate::mcp::tool_context::ToolContext;
use crate::ops::add::Add;
use crate::ops::forget::Forget;
use crate::ops::merge::Merge;
use crate::ops::update::Update;
use crate::problem::{Code, Problem};

pub const LAYERS: [&str; 4] = ["episodic", "semantic", "procedural", "prospective"];
const SCOPES: [&str; 5] = ["thread", "agent", "user", "persona", "organization"];

pub fn memory_add() -> Spec {
    Spec {
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
        input: object(
            json!({
                "content": text("The sentence to remember"),
                "type": { "type": "string", "enum": LAYERS, "default": "episodic",
                    "description": "semantic: facts and preferences; episodic: events; procedural: how to do something; prospective: to be done" },
                "scope": { "type": "string", "enum": SCOPES,
                    "description": "Who will see it: this conversation (thread), this user with this agent (agent), this user with any agent (user), this agent with any user (persona), everyone (organization)" },
                "tags": { "type": "array", "items": { "type": "string" }, "default": [],
                    "description": "Words to find it by" },
                "sessionId": { "type": "string", "description": "The conversation it belongs to; needed for the scope thread" },
            }),
            &["content"],
        ),
        output: object(
            json!({
                "traceId": { "type": "string" },
                "created": { "type": "boolean", "description": "False when it was already known" },
            }),
            &["traceId", "created"],
        ),
        does: ToolEffect::Add,
        work: |desk, given| Box::pin(add(desk, given)),
    }
}

async fn add(desk: &ToolContext, given: Fields<'_>) -> Result<ToolAnswer, Problem> {
    let mut request = Add {
        content: given.required("content")?.to_owned(),
        agent: desk.who.agent.clone(),
        user: desk.who.user.clone(),
        session: given.id("sessionId")?.or_else(|| desk.who.session.clone()),
        scope: given.parsed("scope")?,
        tags: given.words("tags")?,
        by_tool: true,
        ..Add::default()
    };
    match sort(given.text("type")?.unwrap_or("episodic"))? {
        TypeFilter::Layer(layer) => request.layer = Some(layer),
        TypeFilter::Kind(kind) => request.kind = Some(kind),
    }
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
    Spec {
        name: "memory_update",
        title: "Correct a memory",
        description: "\
Replace the content or the tags of one memory. What is not given stays as it is; the earlier wording is kept in its history.
Use it when something you found is outdated or imprecise (\"moved from Berlin to Lisbon\"). Do not use it to add an unrelated \
fact: that is memory_add.
The traceId comes from memory_add or a search. `updated` is false when there is no such memory.
Example: {\"traceId\": \"mt_0198…\", \"content\": \"Mara lives in Lisbon.\"}",
        input: object(
            json!({
                "traceId": trace_id(),
                "content": text("The new sentence, instead of the old one"),
                "tags": { "type": "array", "items": { "type": "string" }, "description": "The new tags, instead of the old ones" },
            }),
            &["traceId"],
        ),
        output: object(json!({ "updated": { "type": "boolean" } }), &["updated"]),
        does: ToolEffect::Change,
        work: |desk, given| Box::pin(update(desk, given)),
    }
}

async fn update(desk: &ToolContext, given: Fields<'_>) -> Result<ToolAnswer, Problem> {
    let content = given.text("content")?.map(str::to_owned);
    let tags = given.get("tags").map(|_| given.words("tags")).transpose()?;
    if content.is_none() && tags.is_none() {
        return Err(Problem::invalid("nothing to change is given; expected `content`, `tags` or both"));
    }
    let answer = |updated: bool, text: String| Ok(ToolAnswer::done(json!({ "updated": updated }), text));
    let Ok(id) = given.required("traceId")?.parse::<MemoryId>() else {
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
    Spec {
        name: "memory_delete",
        title: "Forget a memory",
        description: "\
Take one memory out of everything that is searched and recalled. Its owner can bring it back; history keeps it.
Use it when a memory is wrong or harmful, or when the person asks you to forget it. If it is merely outdated, memory_update \
keeps what is still true. To forget many at once, memory_clear.
The traceId comes from a search. `deleted` is false when there is no such memory.
Example: {\"traceId\": \"mt_0198…\", \"reason\": \"the person asked for it\"}",
        input: object(
            json!({ "traceId": trace_id(), "reason": text("Why, for the history") }),
            &["traceId"],
        ),
        output: object(json!({ "deleted": { "type": "boolean" } }), &["deleted"]),
        does: ToolEffect::Change,
        work: |desk, given| Box::pin(delete(desk, given)),
    }
}

async fn delete(desk: &ToolContext, given: Fields<'_>) -> Result<ToolAnswer, Problem> {
    let reason = given.text("reason")?.map(str::to_owned);
    let deleted = match given.required("traceId")?.parse() {
        Ok(id) => forget(desk, id, reason).await?,
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
    Spec {
        name: "memory_merge",
        title: "Make one memory of several",
        description: "\
Combine two or more memories into one. Tags are united, links are moved over, the sources point to the new one and are no \
longer found by themselves.
Use it when a search shows several memories that say the same or parts of the same. Give `content` as one clear sentence; \
without it the sources' sentences are put one after the other. Do not merge memories that contradict each other: correct \
or delete the wrong one.
Example: {\"traceIds\": [\"mt_0198…\", \"mt_0199…\"], \"content\": \"Mara deploys with Docker Compose, blue-green, on Fridays.\"}",
        input: object(
            json!({
                "traceIds": { "type": "array", "items": { "type": "string" }, "minItems": 2, "maxItems": 100,
                    "description": "The memories to combine, at least two" },
                "content": text("What the merged memory says"),
            }),
            &["traceIds"],
        ),
        output: object(
            json!({
                "mergedTraceId": { "type": "string" },
                "sourcesDeleted": { "type": "integer", "description": "How many memories it replaces" },
            }),
            &["mergedTraceId", "sourcesDeleted"],
        ),
        does: ToolEffect::ChangeOnce,
        work: |desk, given| Box::pin(merge(desk, given)),
    }
}

async fn merge(desk: &ToolContext, given: Fields<'_>) -> Result<ToolAnswer, Problem> {
    let ids: Vec<MemoryId> = given.words("traceIds")?;
    if ids.len() < 2 {
        let message = format!("`traceIds`: {} is given; expected at least two", ids.len());
        return Err(Problem::field("traceIds", message));
    }
    let merged =
        desk.ask(Merge { ids, content: given.text("content")?.map(str::to_owned), by_tool: true }).await?;
    let data = json!({ "mergedTraceId": merged.id.as_str(), "sourcesDeleted": merged.sources });
    Ok(ToolAnswer::done(data, format!("{} memories are now one, {}.", merged.sources, merged.id)))
}

fn nothing_there() -> String {
    "Nothing was changed: there is no memory with this id, or it is already forgotten. A search gives ids."
        .to_owned()
}

fn trace_id() -> Value {
    json!({ "type": "string", "description": "The id of a memory, as memory_add or a search gave it" })
}

fn text(description: &str) -> Value {
    json!({ "type": "string", "description": description })
}
