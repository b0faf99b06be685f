//! `memory_search` over memories, and `search_memory` over memories, digests or what was said.

use memory::types::Time;
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::compat;
use crate::mcp::spec::{Spec, ToolAbout, ToolAnswer, ToolEffect, object};
use crate::mcp::tool_context::ToolContext;
use crate::ops::search::{Search, SearchHit, SearchPlace, SearchResults};
use crate::ops::select::Selection;
use crate::problem::Problem;
use crate::request::values::{GivenAgent, LookBackDays, PlaceRows, ToolRows};
use crate::schema::{ScopeWord, ToolType};

/// What `memory_search` takes.
#[derive(Debug, Deserialize, ToSchema)]
struct SearchArguments {
    /// What to look for
    query: String,
    /// Only this type
    r#type: Option<ToolType>,
    /// Only what has this scope
    scope: Option<ScopeWord>,
    /// How many results at most
    #[serde(default)]
    limit: ToolRows,
}

pub fn memory_search() -> Spec {
    let about = ToolAbout {
        name: "memory_search",
        title: "Search memories",
        description: "\
Find what is remembered, by words and by meaning, best first.
Use it before you answer anything that may depend on the person: their preferences, plans, people, work, or what was \
decided earlier. Ask in plain words (\"deployment preferences\"); quotes, AND, OR, NOT and word* also work. If nothing comes \
back, try other words once. For what was said in a conversation, word for word, use search_memory with scope transcript.
Example: {\"query\": \"where does Mara live\", \"limit\": 5}",
        output: object(
            json!({ "results": { "type": "array", "items": {
                "type": "object",
                "properties": {
                    "id": { "type": "string" },
                    "content": { "type": "string" },
                    "type": { "type": "string" },
                    "scope": { "type": "string" },
                    "strength": { "type": "number", "description": "How well it is still remembered, 0 to 1" },
                    "tags": { "type": "array", "items": { "type": "string" } },
                    "score": { "type": "number" },
                    "createdAt": { "type": "string" },
                },
                "required": ["id", "content", "type", "scope", "strength", "tags"],
            } } }),
            &["results"],
        ),
        does: ToolEffect::Read,
    };
    Spec::ours(about, |desk, given| Box::pin(memories(desk, given)))
}

async fn memories(desk: &ToolContext, given: SearchArguments) -> Result<ToolAnswer, Problem> {
    let mut filter = desk.selection();
    filter.scopes.extend(given.scope.map(|scope| scope.0));
    narrow(&mut filter, given.r#type);
    let (query, top_k) = (given.query, Some(given.limit.0));
    // The parts of a score say how strong a memory is today.
    let (place, explain, counts_use) = (SearchPlace::Pinned, true, true);
    let request = Search { query, place, top_k, filter, explain, counts_use, ..Search::default() };
    let found = desk.ask(request).await?;
    let results: Vec<Value> = found.results.iter().map(memory_row).collect();
    Ok(ToolAnswer::recalled(json!({ "results": results }), lines(&found)))
}

fn memory_row(hit: &SearchHit) -> Value {
    let strength =
        hit.scores.as_ref().and_then(|scores| scores.get("strength")).map_or(1.0, |part| part.value);
    json!({
        "id": hit.id,
        "content": hit.content,
        "type": hit.layer.map(|layer| layer.as_str()),
        "scope": hit.visibility.map(|scope| scope.as_str()),
        "strength": rounded(strength),
        "tags": hit.tags,
        "score": rounded(hit.score),
        "createdAt": hit.created_at,
    })
}

/// What `search_memory` takes.
#[derive(Debug, Deserialize, ToSchema)]
struct PlaceArguments {
    /// Where to look
    scope: ToolPlace,
    /// What to look for
    query: String,
    /// Only what this agent knows
    agent_id: Option<GivenAgent>,
    /// How many days to look back; facts are found whatever their age unless it is given
    days: Option<LookBackDays>,
    /// How many results at most
    #[serde(default)]
    top_k: PlaceRows,
}

/// One kind of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ToSchema)]
#[schema(rename_all = "snake_case")]
enum ToolPlace {
    Pinned,
    Episodes,
    Transcript,
}

impl<'de> Deserialize<'de> for ToolPlace {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        match String::deserialize(reader)?.as_str() {
            "pinned" => Ok(ToolPlace::Pinned),
            "episodes" => Ok(ToolPlace::Episodes),
            "transcript" => Ok(ToolPlace::Transcript),
            _ => Err(D::Error::custom("it is unknown; expected pinned, episodes or transcript")),
        }
    }
}

impl From<ToolPlace> for SearchPlace {
    fn from(place: ToolPlace) -> Self {
        match place {
            ToolPlace::Pinned => SearchPlace::Pinned,
            ToolPlace::Episodes => SearchPlace::Episodes,
            ToolPlace::Transcript => SearchPlace::Transcript,
        }
    }
}

pub fn search_memory() -> Spec {
    let about = ToolAbout {
        name: "search_memory",
        title: "Search one kind of memory",
        description: "\
Search one kind of memory: `pinned` (facts that are remembered), `episodes` (digests of earlier conversations) or \
`transcript` (what was said, word for word).
Use `episodes` for \"what did we talk about last week\", `transcript` for exact words, `pinned` for facts; memory_search is the \
same for facts with more filters.
Example: {\"scope\": \"episodes\", \"query\": \"the trip to Japan\", \"days\": 30}",
        output: object(
            json!({ "results": { "type": "array", "items": {
                "type": "object",
                "properties": {
                    "id": { "type": "string" },
                    "scope": { "type": "string" },
                    "content": { "type": "string" },
                    "score": { "type": "number" },
                    "created_at": { "type": "string" },
                    "agent_id": { "type": "string" },
                    "conversation_id": { "type": ["string", "null"] },
                    "role": { "type": ["string", "null"], "description": "Who said it, in a transcript" },
                },
                "required": ["id", "scope", "content", "score", "created_at"],
            } } }),
            &["results"],
        ),
        does: ToolEffect::Read,
    };
    Spec::ours(about, |desk, given| Box::pin(in_place(desk, given)))
}

async fn in_place(desk: &ToolContext, given: PlaceArguments) -> Result<ToolAnswer, Problem> {
    let filter = Selection {
        agent: given.agent_id.map(|agent| agent.0).or_else(|| desk.who.agent.clone()),
        since: since(desk.now(), given.scope, given.days),
        ..desk.selection()
    };
    let (query, place, top_k) = (given.query, given.scope.into(), Some(given.top_k.0));
    let request = Search { query, place, top_k, filter, counts_use: true, ..Search::default() };
    let found = desk.ask(request).await?;
    let row = |hit: &SearchHit| {
        json!({
            "id": hit.id,
            "scope": hit.scope,
            "content": hit.content,
            "score": rounded(hit.score),
            "created_at": hit.created_at,
            "agent_id": hit.agent_id.as_str(),
            "conversation_id": hit.source.conversation_id,
            "role": hit.role,
        })
    };
    let results: Vec<Value> = found.results.iter().map(row).collect();
    Ok(ToolAnswer::recalled(json!({ "results": results }), lines(&found)))
}

/// A fact does not cease to be one because it was written long ago.
fn since(now: Time, place: ToolPlace, days: Option<LookBackDays>) -> Option<Time> {
    if place == ToolPlace::Pinned && days.is_none() {
        return None;
    }
    let days = i64::try_from(days.unwrap_or_default().0).expect("it is bounded");
    Some(now.plus_seconds(-86_400 * days))
}

/// One line a result, with what a model needs to go on with it.
pub fn lines(found: &SearchResults) -> String {
    if found.results.is_empty() {
        return "Nothing is remembered about this.".to_owned();
    }
    let line = |hit: &SearchHit| {
        let day: String = hit.created_at.to_string().chars().take("2026-01-01".len()).collect();
        let sort = match (hit.layer, hit.role) {
            (Some(layer), _) => format!("{layer}, {day}"),
            (None, Some(role)) => format!("{role}, {day}"),
            (None, None) => day,
        };
        let tags = if hit.tags.is_empty() { String::new() } else { format!(" #{}", hit.tags.join(" #")) };
        format!("- [{sort}] {}{tags} ({})", hit.content, hit.id)
    };
    found.results.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// `type` as a filter.
pub fn narrow(filter: &mut Selection, word: Option<ToolType>) {
    if let Some(ToolType(sort)) = word {
        compat::narrow(filter, sort);
    }
}

pub fn rounded(number: f64) -> f64 {
    (number * 10_000.0).round() / 10_000.0
}
