//! `memory_clear`: forget by type and age, after a look at how much that is.

use memory::types::Time;
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};
use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::search::narrow;
use crate::mcp::spec::{Spec, ToolAbout, ToolAnswer, ToolEffect, object};
use crate::mcp::tool_context::ToolContext;
use crate::ops::clear::{Clear, Cleared};
use crate::ops::select::Selection;
use crate::problem::Problem;
use crate::schema::ToolType;

/// What `memory_clear` takes.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ClearArguments {
    /// Only this type
    r#type: Option<ToolType>,
    /// Only what was written before: a day (2026-01-31), a moment (2026-01-31T12:00:00Z), or days ago (90d)
    older_than: Option<OlderThan>,
    /// Only count
    #[serde(default = "counted_first")]
    #[schema(default = true)]
    dry_run: bool,
    /// Needed to forget everything, with neither type nor olderThan
    confirm: Option<ClearedWhole>,
}

/// The word without which not everything goes.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum ClearedWhole {
    All,
}

fn counted_first() -> bool {
    true
}

pub fn memory_clear() -> Spec {
    let about = ToolAbout {
        name: "memory_clear",
        title: "Forget many memories",
        description: "\
Count, or forget, all memories of a type or older than some time. Without `dryRun: false` it only counts.
Use it only when the person asks to clear memories. First call it as it is and tell the person the number; forget with \
`dryRun: false` once they agree. Everything at once also wants `confirm: \"all\"`. For a single memory, memory_delete.
Example: {\"type\": \"episodic\", \"olderThan\": \"90d\"}, then the same with \"dryRun\": false",
        output: object(
            json!({
                "deleted": { "type": "integer", "description": "How many were forgotten" },
                "matched": { "type": "integer", "description": "How many it is about" },
                "dryRun": { "type": "boolean" },
            }),
            &["deleted", "matched", "dryRun"],
        ),
        does: ToolEffect::Change,
    };
    Spec::ours(about, |desk, given| Box::pin(clear(desk, given)))
}

async fn clear(desk: &ToolContext, given: ClearArguments) -> Result<ToolAnswer, Problem> {
    let dry_run = given.dry_run;
    let everything = given.r#type.is_none() && given.older_than.is_none();
    if everything && !dry_run && given.confirm.is_none() {
        let message =
            "neither `type` nor `olderThan` is given, which means everything; expected `confirm`: \"all\"";
        return Err(Problem::field("confirm", message).hint("without `dryRun`: false it only counts"));
    }
    let mut filter = desk.selection();
    narrow(&mut filter, given.r#type);
    let cleared = matching(desk, filter, given.older_than, dry_run).await?;
    let deleted = if dry_run { 0 } else { cleared.count };
    let text = match dry_run {
        true => {
            format!("{} memories match. Nothing is forgotten yet: `dryRun`: false does it.", cleared.count)
        }
        false => format!("{deleted} memories are forgotten."),
    };
    Ok(ToolAnswer::done(json!({ "deleted": deleted, "matched": cleared.count, "dryRun": dry_run }), text))
}

/// Everything that the filter lets through and that is as old.
pub async fn matching(
    desk: &ToolContext,
    mut filter: Selection,
    older_than: Option<OlderThan>,
    dry_run: bool,
) -> Result<Cleared, Problem> {
    filter.until = older_than.map(|age| age.before(desk.now()));
    desk.ask(Clear { filter, all: true, dry_run, ..Clear::default() }).await
}

/// A moment, or a number of days before now.
#[derive(Debug, Clone, Copy)]
pub enum OlderThan {
    Days(u32),
    Moment(Time),
}

impl OlderThan {
    fn before(self, now: Time) -> Time {
        match self {
            OlderThan::Days(days) => now.plus_seconds(-86_400 * i64::from(days)),
            OlderThan::Moment(moment) => moment,
        }
    }
}

impl<'de> Deserialize<'de> for OlderThan {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        let text = match Value::deserialize(reader)? {
            Value::String(text) => text,
            other => other.to_string(),
        };
        if let Ok(days) = text.trim().trim_end_matches('d').parse() {
            return Ok(OlderThan::Days(days));
        }
        let moment = text.parse().map(OlderThan::Moment);
        moment.map_err(|error| D::Error::custom(format!("{error}, or days such as 90d")))
    }
}

impl PartialSchema for OlderThan {
    fn schema() -> RefOr<Schema> {
        let kinds = SchemaType::from_iter([Type::String, Type::Integer]);
        RefOr::T(Schema::Object(ObjectBuilder::new().schema_type(kinds).build()))
    }
}

impl ToSchema for OlderThan {}
