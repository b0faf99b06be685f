//! `memory_feedback`: what became of a memory that an assistant was given.

use memory::types::{JudgedBy, Judgement};
use serde::Deserialize;
use serde_json::json;
use utoipa::ToSchema;

use crate::mcp::spec::{Spec, ToolAbout, ToolAnswer, ToolEffect, object};
use crate::mcp::tool_context::ToolContext;
use crate::ops::feedback::Feedback;
use crate::problem::{Code, Problem};
use crate::request::values::MemoryName;
use crate::schema::JudgementWord;

/// What `memory_feedback` takes.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct FeedbackArguments {
    /// The id of the memory, as a search gave it
    trace_id: MemoryName,
    /// What became of it
    judgement: JudgementWord,
}

pub fn memory_feedback() -> Spec {
    let words: Vec<&str> = Judgement::ALL.iter().map(|word| word.as_str()).collect();
    let about = ToolAbout {
        name: "memory_feedback",
        title: "Judge a memory",
        description: "\
Say whether a memory that you were given helped: `used` when your reply rests on it, `ignored` when it had nothing to do with \
the matter, `wrong` when it is not so or the person says that it is out of date.
Use it after a reply, for the memories that mattered or misled. What is used is remembered longer; what is wrong loses trust, \
and the second time it is put away, unless a person wrote it. To correct a memory instead, memory_update.
Example: {\"traceId\": \"mt_0198…\", \"judgement\": \"used\"}",
        output: object(
            json!({
                "traceId": { "type": "string" },
                "judgement": { "type": "string", "enum": words },
                "status": { "type": "string", "description": "What the memory is now: active, or archived" },
                "used": { "type": "integer", "description": "Replies that used it" },
                "ignored": { "type": "integer", "description": "Replies that passed it over" },
                "wrong": { "type": "integer", "description": "How often it was called wrong" },
            }),
            &["traceId", "judgement", "status", "used", "ignored", "wrong"],
        ),
        does: ToolEffect::ChangeOnce,
    };
    Spec::ours(about, |desk, given| Box::pin(judge(desk, given)))
}

async fn judge(desk: &ToolContext, given: FeedbackArguments) -> Result<ToolAnswer, Problem> {
    let (id, judgement) = (given.trace_id.0, given.judgement.0);
    let session = desk.who.session.clone();
    let request = Feedback { session, ..Feedback::of(vec![id.clone()], judgement, JudgedBy::Agent) };
    let taken = desk.ask(request).await?;
    let gone = || Problem::new(Code::NotFound, format!("there is no memory {id}"));
    let judged = taken.judged.into_iter().next().ok_or_else(gone)?;
    let counts = &judged.counters;
    let data = json!({
        "traceId": judged.id,
        "judgement": judged.judgement,
        "status": judged.status,
        "used": counts.used,
        "ignored": counts.ignored,
        "wrong": counts.wrong,
    });
    let text = match &judged.changed {
        Some(why) => format!("Noted: {judgement}. The memory is now {}, because {why}.", judged.status),
        None => format!("Noted: {judgement}."),
    };
    Ok(ToolAnswer::done(data, text))
}
