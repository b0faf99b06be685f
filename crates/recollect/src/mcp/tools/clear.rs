//! `memory_clear`: forget by type and age, after a look at how much that is.

use memory::types::Time;
use serde_json::{Value, json};

use super::search::narrow;
use super::write::LAYERS;
use crate::fields::Fields;
use crate::mcp::spec::{Spec, ToolAnswer, ToolEffect, object};
use crate::mcp::tool_context::ToolContext;
use crate::ops::clear::{Clear, Cleared};
use crate::problem::Problem;

pub fn memory_clear() -> Spec {
    Spec {
        name: "memory_clear",
        title: "Forget many memories",
        description: "\
Count, or forget, all memories of a type or older than some time. Without `dryRun: false` it only counts.
Use it only when the person asks to clear memories. First call it as it is and tell the person the number; forget with \
`dryRun: false` once they agree. Everything at once also wants `confirm: \"all\"`. For a single memory, memory_delete.
Example: {\"type\": \"episodic\", \"olderThan\": \"90d\"}, then the same with \"dryRun\": false",
        input: object(
            json!({
                "type": { "type": "string", "enum": LAYERS, "description": "Only this type" },
                "olderThan": { "type": "string",
                    "description": "Only what was written before: a day (2026-01-31), a moment (2026-01-31T12:00:00Z), or days ago (90d)" },
                "dryRun": { "type": "boolean", "default": true, "description": "Only count" },
                "confirm": { "type": "string", "enum": ["all"], "description": "Needed to forget everything, with neither type nor olderThan" },
            }),
            &[],
        ),
        output: object(
            json!({
                "deleted": { "type": "integer", "description": "How many were forgotten" },
                "matched": { "type": "integer", "description": "How many it is about" },
                "dryRun": { "type": "boolean" },
            }),
            &["deleted", "matched", "dryRun"],
        ),
        does: ToolEffect::Change,
        work: |desk, given| Box::pin(clear(desk, given)),
    }
}

async fn clear(desk: &ToolContext, given: Fields<'_>) -> Result<ToolAnswer, Problem> {
    let dry_run = given.switch("dryRun")?.unwrap_or(true);
    let confirmed = given.text("confirm")? == Some("all");
    let everything = given.get("type").is_none() && given.get("olderThan").is_none();
    if everything && !dry_run && !confirmed {
        let message =
            "neither `type` nor `olderThan` is given, which means everything; expected `confirm`: \"all\"";
        return Err(Problem::field("confirm", message).hint("without `dryRun`: false it only counts"));
    }
    let cleared = matching(desk, &given, dry_run).await?;
    let deleted = if dry_run { 0 } else { cleared.count };
    let text = match dry_run {
        true => {
            format!("{} memories match. Nothing is forgotten yet: `dryRun`: false does it.", cleared.count)
        }
        false => format!("{deleted} memories are forgotten."),
    };
    Ok(ToolAnswer::done(json!({ "deleted": deleted, "matched": cleared.count, "dryRun": dry_run }), text))
}

/// Everything of the client's that `type` and `olderThan` let through.
pub async fn matching(desk: &ToolContext, given: &Fields<'_>, dry_run: bool) -> Result<Cleared, Problem> {
    let mut filter = desk.selection();
    narrow(&mut filter, given.text("type")?)?;
    filter.until = older_than(given, desk.now())?;
    desk.ask(Clear { filter, all: true, dry_run, ..Clear::default() }).await
}

/// A day, a moment, or a number of days before now.
fn older_than(given: &Fields<'_>, now: Time) -> Result<Option<Time>, Problem> {
    let text = match given.get("olderThan") {
        None => return Ok(None),
        Some(Value::Number(days)) => days.to_string(),
        Some(_) => given.required("olderThan")?.to_owned(),
    };
    if let Ok(days) = text.trim().trim_end_matches('d').parse::<u32>() {
        return Ok(Some(now.plus_seconds(-86_400 * i64::from(days))));
    }
    let moment =
        text.parse().map_err(|error| given.wrong("olderThan", format!("{error}, or days such as 90d")))?;
    Ok(Some(moment))
}
