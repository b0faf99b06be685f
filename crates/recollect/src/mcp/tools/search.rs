//! `memory_search` over memories, and `search_memory` over memories, digests or what was said.

use memory::types::{Scope, Time};
use serde_json::{Value, json};

use super::write::LAYERS;
use crate::compat;
use crate::fields::Fields;
use crate::mcp::spec::{Spec, ToolAnswer, ToolEffect, object};
use crate::mcp::tool_context::ToolContext;
use crate::ops::search::{Search, SearchHit, SearchPlace, SearchResults};

use crate::ops::select::Selection;
use crate::problem::Problem;

/// Results of `memory_search`: when nobody says, and at most.
const USUAL_RESULTS: usize = 10;
const MOST_RESULTS: usize = 100;
/// And of `search_memory`, with the days that it looks back.
const MOST_IN_SCOPE: usize = 50;
const USUAL_DAYS: usize = 365;
const MOST_DAYS: usize = 36_500;

pub fn memory_search() -> Spec {
    Spec {
        name: "memory_search",
        title: "Search memories",
        description: "\
Find what is remembered, by words and by meaning, best first.
Use it before you answer anything that may depend on the person: their preferences, plans, people, work, or what was \
decided earlier. Ask in plain words (\"deployment preferences\"); quotes, AND, OR, NOT and word* also work. If nothing comes \
back, try other words once. For what was said in a conversation, word for word, use search_memory with scope transcript.
Example: {\"query\": \"where does Mara live\", \"limit\": 5}",
        input: object(
            json!({
                "query": { "type": "string", "description": "What to look for" },
                "type": { "type": "string", "enum": LAYERS, "description": "Only this type" },
                "scope": { "type": "string", "enum": ["thread", "project", "agent", "user", "persona", "organization"], "description": "Only what has this scope" },
                "limit": { "type": "integer", "minimum": 1, "maximum": MOST_RESULTS, "default": USUAL_RESULTS, "description": "How many results at most" },
            }),
            &["query"],
        ),
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
        work: |desk, given| Box::pin(memories(desk, given)),
    }
}

async fn memories(desk: &ToolContext, given: Fields<'_>) -> Result<ToolAnswer, Problem> {
    let mut filter = desk.selection();
    filter.scopes.extend(given.parsed::<Scope>("scope")?);
    narrow(&mut filter, given.text("type")?)?;
    let query = given.required("query")?.to_owned();
    let top_k = Some(bounded(&given, "limit", USUAL_RESULTS, MOST_RESULTS)?);
    // The parts of a score say how strong a memory is today.
    let request =
        Search { query, place: SearchPlace::Pinned, top_k, filter, explain: true, ..Search::default() };
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

pub fn search_memory() -> Spec {
    Spec {
        name: "search_memory",
        title: "Search one kind of memory",
        description: "\
Search one kind of memory: `pinned` (facts that are remembered), `episodes` (digests of earlier conversations) or \
`transcript` (what was said, word for word).
Use `episodes` for \"what did we talk about last week\", `transcript` for exact words, `pinned` for facts; memory_search is the \
same for facts with more filters.
Example: {\"scope\": \"episodes\", \"query\": \"the trip to Japan\", \"days\": 30}",
        input: object(
            json!({
                "scope": { "type": "string", "enum": ["pinned", "episodes", "transcript"], "description": "Where to look" },
                "query": { "type": "string", "description": "What to look for" },
                "agent_id": { "type": "string", "description": "Only what this agent knows" },
                "days": { "type": "integer", "minimum": 1, "maximum": MOST_DAYS, "default": USUAL_DAYS,
                    "description": "How many days to look back; facts are found whatever their age unless it is given" },
                "top_k": { "type": "integer", "minimum": 1, "maximum": MOST_IN_SCOPE, "default": USUAL_RESULTS, "description": "How many results at most" },
            }),
            &["scope", "query"],
        ),
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
        work: |desk, given| Box::pin(in_scope(desk, given)),
    }
}

async fn in_scope(desk: &ToolContext, given: Fields<'_>) -> Result<ToolAnswer, Problem> {
    let place = match given.required("scope")? {
        "pinned" => SearchPlace::Pinned,
        "episodes" => SearchPlace::Episodes,
        "transcript" => SearchPlace::Transcript,
        _ => return Err(given.wrong("scope", "it is unknown; expected pinned, episodes or transcript")),
    };
    let filter = Selection {
        agent: given.id("agent_id")?.or_else(|| desk.who.agent.clone()),
        since: since(desk, &given, place)?,
        ..desk.selection()
    };
    let query = given.required("query")?.to_owned();
    let top_k = Some(bounded(&given, "top_k", USUAL_RESULTS, MOST_IN_SCOPE)?);
    let found = desk.ask(Search { query, place, top_k, filter, ..Search::default() }).await?;
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
fn since(desk: &ToolContext, given: &Fields<'_>, place: SearchPlace) -> Result<Option<Time>, Problem> {
    if place == SearchPlace::Pinned && given.get("days").is_none() {
        return Ok(None);
    }
    let days = bounded(given, "days", USUAL_DAYS, MOST_DAYS)?;
    Ok(Some(desk.now().plus_seconds(-86_400 * i64::try_from(days).expect("it is bounded"))))
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
pub fn narrow(filter: &mut Selection, word: Option<&str>) -> Result<(), Problem> {
    if let Some(word) = word {
        compat::narrow(filter, compat::sort(word)?);
    }
    Ok(())
}

/// A number from 1 on.
pub fn bounded(given: &Fields<'_>, name: &str, usual: usize, most: usize) -> Result<usize, Problem> {
    match given.whole(name)? {
        None => Ok(usual),
        Some(number) if (1..=most).contains(&number) => Ok(number),
        Some(number) => Err(given.wrong(name, format!("it is {number}; expected from 1 to {most}"))),
    }
}

pub fn rounded(number: f64) -> f64 {
    (number * 10_000.0).round() / 10_000.0
}
