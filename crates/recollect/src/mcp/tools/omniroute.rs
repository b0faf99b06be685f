//! The tools of OmniRoute's memory, by their names, parameters and answers.
//!
//! There, `apiKeyId` says whose memory it is. Here a key opens a tenant, and who calls was decided before any tool runs: it is not
//! needed, and where it is given it must be a key of this tenant.

use memory::text::tokens;
use serde_json::{Map, Value, json};
use transfer::compat::words::{OMNIROUTE_TYPES, TypeFilter};

use super::clear;
use super::search::{bounded, narrow, rounded};
use super::write::safe_to_repeat;
use crate::compat::memory_view::MemoryView;
use crate::compat::sort;
use crate::fields::Fields;
use crate::mcp::spec::{Spec, ToolAnswer, ToolEffect, object};
use crate::mcp::tool_context::ToolContext;
use crate::ops::add::Add;
use crate::ops::list::ListMemories;
use crate::ops::search::{Search, SearchPlace};
use crate::problem::Problem;

/// Tokens of an answer: when nobody says, and at most.
const USUAL_TOKENS: usize = 2_000;
const MOST_TOKENS: usize = 8_000;
const USUAL_RESULTS: usize = 20;
const MOST_RESULTS: usize = 100;

pub fn tools() -> Vec<Spec> {
    vec![search_tool(), add_tool(), clear_tool()]
}

fn search_tool() -> Spec {
    Spec {
        name: "omniroute_memory_search",
        title: "Search memories",
        description: "\
Search memories by query or type, within a budget of tokens; without a query, the newest.
Use it before you answer anything that may depend on the person or on earlier work. At least one memory comes back where \
any matches.
Example: {\"query\": \"preferred database\", \"maxTokens\": 500}",
        input: object(
            json!({
                "apiKeyId": api_key(),
                "query": { "type": "string", "description": "What to look for" },
                "type": { "type": "string", "enum": OMNIROUTE_TYPES, "description": "Only this type" },
                "maxTokens": { "type": "integer", "minimum": 1, "maximum": MOST_TOKENS, "default": USUAL_TOKENS, "description": "How many tokens at most" },
                "limit": { "type": "integer", "minimum": 1, "maximum": MOST_RESULTS, "default": USUAL_RESULTS, "description": "How many memories at most" },
            }),
            &[],
        ),
        output: wrapped(json!({
            "memories": { "type": "array", "items": { "type": "object" } },
            "count": { "type": "integer" },
            "totalTokens": { "type": "integer" },
        })),
        does: ToolEffect::Read,
        work: |desk, given| Box::pin(search(desk, given)),
    }
}

async fn search(desk: &ToolContext, given: Fields<'_>) -> Result<ToolAnswer, Problem> {
    desk.must_own(given.text("apiKeyId")?).await?;
    let mut filter = desk.selection();
    narrow(&mut filter, given.text("type")?)?;
    let limit = bounded(&given, "limit", USUAL_RESULTS, MOST_RESULTS)?;
    let budget = bounded(&given, "maxTokens", USUAL_TOKENS, MOST_TOKENS)?;
    let found: Vec<Value> =
        match given.text("query")?.filter(|query| !query.trim().is_empty()) {
            Some(query) => {
                let (query, top_k) = (query.to_owned(), Some(limit));
                let found = desk
                    .ask(Search { query, place: SearchPlace::Pinned, top_k, filter, ..Search::default() })
                    .await?;
                found.results.iter().map(|hit| json!({
                "id": hit.id, "type": hit.layer, "content": hit.content, "score": rounded(hit.score),
                "sessionId": hit.source.conversation_id, "createdAt": hit.created_at,
            })).collect()
            }
            None => {
                let listed =
                    desk.ask(ListMemories { filter, limit: Some(limit), ..ListMemories::default() }).await?;
                listed.memories.into_iter().map(|memory| json!(MemoryView::from(memory))).collect()
            }
        };
    let (memories, spent) = within(found, budget);
    let content = |memory: &Value| format!("- {}", memory["content"].as_str().unwrap_or_default());
    let text = match memories.is_empty() {
        true => "Nothing is remembered about this.".to_owned(),
        false => memories.iter().map(content).collect::<Vec<_>>().join("\n"),
    };
    let data = json!({ "memories": memories, "count": memories.len(), "totalTokens": spent });
    Ok(ToolAnswer::recalled(json!({ "success": true, "data": data }), text))
}

/// As many as the budget holds, and one at least.
fn within(found: Vec<Value>, budget: usize) -> (Vec<Value>, usize) {
    let mut spent = 0;
    let mut kept = Vec::new();
    for memory in found {
        let cost = tokens::estimate(memory["content"].as_str().unwrap_or_default()) as usize;
        if !kept.is_empty() && spent + cost > budget {
            break;
        }
        spent += cost;
        kept.push(memory);
    }
    (kept, spent)
}

fn add_tool() -> Spec {
    Spec {
        name: "omniroute_memory_add",
        title: "Remember something",
        description: "\
Store one memory under a key. Writing under the same key again replaces it and merges its metadata.
Use it for what will still matter later: a preference or fact (factual, semantic), an event (episodic), how something is \
done (procedural). Not for small talk or secrets.
Example: {\"type\": \"factual\", \"key\": \"preference:editor\", \"content\": \"Mara uses Helix.\"}",
        input: object(
            json!({
                "apiKeyId": api_key(),
                "sessionId": { "type": "string", "description": "The conversation it belongs to" },
                "type": { "type": "string", "enum": OMNIROUTE_TYPES, "description": "What sort of memory it is" },
                "key": { "type": "string", "minLength": 1, "description": "A stable name, such as preference:editor" },
                "content": { "type": "string", "minLength": 1, "description": "The sentence to remember" },
                "metadata": { "type": "object", "description": "Anything to keep beside it" },
            }),
            &["type", "key", "content"],
        ),
        output: wrapped(json!({ "memory": { "type": "object" }, "message": { "type": "string" } })),
        does: ToolEffect::Add,
        work: |desk, given| Box::pin(add(desk, given)),
    }
}

async fn add(desk: &ToolContext, given: Fields<'_>) -> Result<ToolAnswer, Problem> {
    desk.must_own(given.text("apiKeyId")?).await?;
    let mut request = Add {
        content: given.required("content")?.to_owned(),
        key: Some(given.required("key")?.to_owned()),
        agent: desk.who.agent.clone(),
        user: desk.who.user.clone(),
        session: given.id("sessionId")?.or_else(|| desk.who.session.clone()),
        metadata: metadata(&given)?,
        by_tool: true,
        ..Add::default()
    };
    match sort(given.required("type")?)? {
        TypeFilter::Layer(layer) => request.layer = Some(layer),
        TypeFilter::Kind(kind) => request.kind = Some(kind),
    }
    let added = desk.ask(request).await.map_err(safe_to_repeat)?;
    let message = "Memory created successfully";
    let data = json!({ "memory": MemoryView::from(*added.memory), "message": message });
    Ok(ToolAnswer::done(json!({ "success": true, "data": data }), format!("{message}: {}", added.id)))
}

/// The field `metadata`, which is an object where it is given.
pub fn metadata(given: &Fields<'_>) -> Result<Map<String, Value>, Problem> {
    match given.get("metadata") {
        None => Ok(Map::new()),
        Some(Value::Object(object)) => Ok(object.clone()),
        Some(_) => Err(given.wrong("metadata", "expected an object")),
    }
}

fn clear_tool() -> Spec {
    Spec {
        name: "omniroute_memory_clear",
        title: "Forget many memories",
        description: "\
Forget memories, all of them or those of a type or older than a moment. It is done at once, without asking back: their \
owner can undo it.
Use it only when the person has asked for exactly this.
Example: {\"type\": \"episodic\", \"olderThan\": \"2026-01-31T00:00:00Z\"}",
        input: object(
            json!({
                "apiKeyId": api_key(),
                "type": { "type": "string", "enum": OMNIROUTE_TYPES, "description": "Only this type" },
                "olderThan": { "type": "string", "description": "Only what was written before this moment" },
            }),
            &[],
        ),
        output: wrapped(json!({ "deletedCount": { "type": "integer" }, "message": { "type": "string" } })),
        does: ToolEffect::Change,
        work: |desk, given| Box::pin(clear_all(desk, given)),
    }
}

async fn clear_all(desk: &ToolContext, given: Fields<'_>) -> Result<ToolAnswer, Problem> {
    desk.must_own(given.text("apiKeyId")?).await?;
    let cleared = clear::matching(desk, &given, false).await?;
    let message = format!("Cleared {} memories", cleared.count);
    let data = json!({ "deletedCount": cleared.count, "message": message });
    Ok(ToolAnswer::done(json!({ "success": true, "data": data }), message))
}

fn wrapped(properties: Value) -> Value {
    let names: Vec<String> =
        properties.as_object().map(|properties| properties.keys().cloned().collect()).unwrap_or_default();
    let data = json!({ "type": "object", "properties": properties, "required": names });
    object(json!({ "success": { "type": "boolean" }, "data": data }), &["success", "data"])
}

fn api_key() -> Value {
    json!({ "type": "string", "description": "Not needed: the connection says whose memory it is. One of your own keys, or none" })
}
