//! The tools of OmniRoute's memory, by their names, parameters and answers.
//!
//! There, `apiKeyId` says whose memory it is. Here who calls was decided before any tool runs, so it is not needed; where it is given
//! it must be a key of this tenant, and the call is about that key's user.

use memory::text::tokens;
use memory::types::MemoryId;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use super::clear::{self, OlderThan};
use super::search::rounded;
use super::write::safe_to_repeat;
use crate::compat;
use crate::compat::memory_view::MemoryView;
use crate::mcp::spec::{Spec, ToolAbout, ToolAnswer, ToolEffect, object};
use crate::mcp::tool_context::ToolContext;
use crate::ops::add::Add;
use crate::ops::list::ListMemories;
use crate::ops::search::{Search, SearchPlace};
use crate::ops::select::Selection;
use crate::problem::Problem;
use crate::request::values::{GivenSession, OmnirouteRows, OmnirouteTokens};
use crate::schema::{AnyObject, OmnirouteType};

/// What `omniroute_memory_search` takes.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct OmnirouteSearchArguments {
    /// Not needed: the connection says whose memory it is. One of your own keys, for the memory of its user
    api_key_id: Option<String>,
    /// What to look for
    query: Option<String>,
    /// Only this type
    r#type: Option<OmnirouteType>,
    /// How many tokens at most
    #[serde(default)]
    max_tokens: OmnirouteTokens,
    /// How many memories at most
    #[serde(default)]
    limit: OmnirouteRows,
}

/// What `omniroute_memory_add` takes.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct OmnirouteAddArguments {
    /// Not needed: the connection says whose memory it is. One of your own keys, for the memory of its user
    api_key_id: Option<String>,
    /// The conversation it belongs to
    session_id: Option<GivenSession>,
    /// What sort of memory it is
    r#type: OmnirouteType,
    /// A stable name, such as preference:editor
    #[schema(min_length = 1)]
    key: String,
    /// The sentence to remember
    #[schema(min_length = 1)]
    content: String,
    /// Anything to keep beside it
    #[serde(default)]
    #[schema(value_type = AnyObject)]
    metadata: Map<String, Value>,
}

/// What `omniroute_memory_clear` takes.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct OmnirouteClearArguments {
    /// Not needed: the connection says whose memory it is. One of your own keys, for the memory of its user
    api_key_id: Option<String>,
    /// Only this type
    r#type: Option<OmnirouteType>,
    /// Only what was written before this moment
    older_than: Option<OlderThan>,
}

pub fn tools() -> Vec<Spec> {
    vec![search_tool(), add_tool(), clear_tool()]
}

fn search_tool() -> Spec {
    let about = ToolAbout {
        name: "omniroute_memory_search",
        title: "Search memories",
        description: "\
Search memories by query or type, within a budget of tokens; without a query, the newest.
Use it before you answer anything that may depend on the person or on earlier work. At least one memory comes back where \
any matches.
Example: {\"query\": \"preferred database\", \"maxTokens\": 500}",
        output: wrapped(json!({
            "memories": { "type": "array", "items": { "type": "object" } },
            "count": { "type": "integer" },
            "totalTokens": { "type": "integer" },
        })),
        does: ToolEffect::Read,
    };
    Spec::theirs(about, |desk, given| Box::pin(search(desk, given)))
}

async fn search(desk: &ToolContext, given: OmnirouteSearchArguments) -> Result<ToolAnswer, Problem> {
    let mut filter = narrowed(desk, given.r#type);
    desk.narrow_to_key(given.api_key_id.as_deref(), &mut filter.user).await?;
    let limit = given.limit.0;
    let query = given.query.filter(|query| !query.trim().is_empty());
    let is_asked = query.is_some();
    let found: Vec<Value> =
        match query {
            Some(query) => {
                let top_k = Some(limit);
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
    let (memories, spent) = within(found, given.max_tokens.0);
    // The newest are shown to who asks for nothing, which is a look.
    if is_asked {
        let id = |memory: &Value| -> Option<MemoryId> { memory["id"].as_str()?.parse().ok() };
        desk.count_uses(memories.iter().filter_map(id).collect()).await;
    }
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
    let about = ToolAbout {
        name: "omniroute_memory_add",
        title: "Remember something",
        description: "\
Store one memory under a key. Writing under the same key again replaces it and merges its metadata.
Use it for what will still matter later: a preference or fact (factual, semantic), an event (episodic), how something is \
done (procedural). Not for small talk or secrets.
Example: {\"type\": \"factual\", \"key\": \"preference:editor\", \"content\": \"Mara uses Helix.\"}",
        output: wrapped(json!({ "memory": { "type": "object" }, "message": { "type": "string" } })),
        does: ToolEffect::Add,
    };
    Spec::theirs(about, |desk, given| Box::pin(add(desk, given)))
}

async fn add(desk: &ToolContext, given: OmnirouteAddArguments) -> Result<ToolAnswer, Problem> {
    let mut user = desk.who.user.clone();
    desk.narrow_to_key(given.api_key_id.as_deref(), &mut user).await?;
    let OmnirouteType(sort) = given.r#type;
    let request = Add {
        content: given.content,
        key: Some(given.key),
        layer: sort.layer(),
        kind: sort.kind(),
        agent: desk.who.agent.clone(),
        user,
        session: given.session_id.map(|session| session.0).or_else(|| desk.who.session.clone()),
        metadata: given.metadata,
        by_tool: true,
        ..Add::default()
    };
    let added = desk.ask(request).await.map_err(safe_to_repeat)?;
    let message = "Memory created successfully";
    let data = json!({ "memory": MemoryView::from(*added.memory), "message": message });
    Ok(ToolAnswer::done(json!({ "success": true, "data": data }), format!("{message}: {}", added.id)))
}

/// What this client looks at, of one type where it is said.
fn narrowed(desk: &ToolContext, word: Option<OmnirouteType>) -> Selection {
    let mut filter = desk.selection();
    if let Some(OmnirouteType(sort)) = word {
        compat::narrow(&mut filter, sort);
    }
    filter
}

fn clear_tool() -> Spec {
    let about = ToolAbout {
        name: "omniroute_memory_clear",
        title: "Forget many memories",
        description: "\
Forget memories, all of them or those of a type or older than a moment. It is done at once, without asking back: their \
owner can undo it.
Use it only when the person has asked for exactly this.
Example: {\"type\": \"episodic\", \"olderThan\": \"2026-01-31T00:00:00Z\"}",
        output: wrapped(json!({ "deletedCount": { "type": "integer" }, "message": { "type": "string" } })),
        does: ToolEffect::Change,
    };
    Spec::theirs(about, |desk, given| Box::pin(clear_all(desk, given)))
}

async fn clear_all(desk: &ToolContext, given: OmnirouteClearArguments) -> Result<ToolAnswer, Problem> {
    let mut filter = narrowed(desk, given.r#type);
    desk.narrow_to_key(given.api_key_id.as_deref(), &mut filter.user).await?;
    let cleared = clear::matching(desk, filter, given.older_than, false).await?;
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
