//! `memory_reflect` and `rehydrate_memory`: tidying up, and what a memory said before it was shortened.

use serde::Deserialize;
use serde_json::json;
use utoipa::ToSchema;

use crate::mcp::spec::{Spec, ToolAbout, ToolAnswer, ToolEffect, object};
use crate::mcp::tool_context::ToolContext;
use crate::ops::rehydrate::{Rehydrate, Rehydrated};
use crate::ops::tend::{Tend, TendState};
use crate::problem::{Code, Problem};

/// What `memory_reflect` takes.
#[derive(Debug, Deserialize, ToSchema)]
#[expect(dead_code, reason = "clients that name a topic are served all the same")]
struct ReflectArguments {
    /// Taken and not needed: all of memory is tidied up
    topic: Option<String>,
}

/// What `rehydrate_memory` takes.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RehydrateArguments {
    /// The id of a memory, as a search gave it
    trace_id: String,
}

pub fn memory_reflect() -> Spec {
    let count = |description: &str| json!({ "type": "integer", "description": description });
    let about = ToolAbout {
        name: "memory_reflect",
        title: "Tidy up memory",
        description: "\
Tidy up memory now: put away what has faded, merge what says the same, strengthen what belongs together, draw insights where a \
model is configured, and turn often used events into facts. What a person wrote or pinned stays as it is, and a run can be undone.
Use it rarely, when much was added or the person asks for it: it also happens by itself in the background. If a run is \
already under way, it returns at once with zeros.
Example: {}",
        output: object(
            json!({
                "pruned": count("Memories put into the archive"),
                "merged": count("Memories that went because another says the same"),
                "derived": count("Insights made"),
                "compacted": count("Events that became facts"),
                "durationMs": count("How long it took"),
            }),
            &["pruned", "merged", "derived", "compacted", "durationMs"],
        ),
        does: ToolEffect::ChangeOnce,
    };
    Spec::ours(about, |desk, given| Box::pin(reflect(desk, given)))
}

async fn reflect(desk: &ToolContext, _: ReflectArguments) -> Result<ToolAnswer, Problem> {
    let tended = desk.ask(Tend::default()).await?;
    let data = json!({
        "pruned": tended.pruned,
        "merged": tended.merged,
        "derived": tended.derived,
        "compacted": tended.compacted,
        "durationMs": tended.duration_ms,
    });
    let so_far = match tended.state {
        TendState::Busy => {
            return Ok(ToolAnswer::done(data, "Memory is already being tidied up; nothing was begun."));
        }
        TendState::Running => "It goes on in the background. So far",
        TendState::Done | TendState::Rehearsed => "Done",
    };
    let text = format!(
        "{so_far}: {} put away, {} merged, {} insights, {} events became facts.",
        tended.pruned, tended.merged, tended.derived, tended.compacted
    );
    Ok(ToolAnswer::done(data, text))
}

pub fn rehydrate_memory() -> Spec {
    let about = ToolAbout {
        name: super::REHYDRATE,
        title: "Read a memory's original words",
        description: "\
Give the original words of a memory that was shortened with age. `verbatimContent` is null when it was never shortened.
Use it when a memory you found is a gist and its exact wording matters. The traceId comes from a search.
Example: {\"traceId\": \"mt_0198…\"}",
        output: object(
            json!({
                "verbatimContent": { "type": ["string", "null"] },
                "archivedAt": { "type": ["integer", "null"], "description": "When it was shortened, in milliseconds since 1970" },
            }),
            &["verbatimContent", "archivedAt"],
        ),
        does: ToolEffect::Read,
    };
    Spec::ours(about, |desk, given| Box::pin(rehydrate(desk, given)))
}

async fn rehydrate(desk: &ToolContext, given: RehydrateArguments) -> Result<ToolAnswer, Problem> {
    let nothing = Rehydrated { verbatim_content: None, archived_at: None };
    let found = match given.trace_id.parse() {
        Ok(id) => match desk.ask(Rehydrate { id }).await {
            Err(problem) if problem.code == Code::NotFound => nothing,
            other => other?,
        },
        Err(_) => nothing,
    };
    let archived_at = found.archived_at.map(|at| at.microseconds() / 1_000);
    let data = json!({ "verbatimContent": found.verbatim_content, "archivedAt": archived_at });
    Ok(match found.verbatim_content {
        Some(text) => ToolAnswer::recalled(data, text),
        None => ToolAnswer::done(
            data,
            "There is no longer wording: it was never shortened, or there is no such memory.",
        ),
    })
}
