//! `memory_feedback`: what became of a memory that an assistant was given.

use memory::types::{JudgedBy, Judgement, MemoryId};
use serde_json::json;

use crate::fields::Fields;
use crate::mcp::spec::{Spec, ToolAnswer, ToolEffect, object};
use crate::mcp::tool_context::ToolContext;
use crate::ops::feedback::Feedback;
use crate::problem::{Code, Problem};

pub fn memory_feedback() -> Spec {
    let words: Vec<&str> = Judgement::ALL.iter().map(|word| word.as_str()).collect();
    Spec {
        name: "memory_feedback",
        title: "Judge a memory",
        description: "\
Say whether a memory that you were given helped: `used` when your reply rests on it, `ignored` when it had nothing to do with \
the matter, `wrong` when it is not so or the person says that it is out of date.
Use it after a reply, for the memories that mattered or misled. What is used is remembered longer; what is wrong loses trust, \
and the second time it is put away, unless a person wrote it. To correct a memory instead, memory_update.
Example: {\"traceId\": \"mt_0198…\", \"judgement\": \"used\"}",
        input: object(
            json!({
                "traceId": { "type": "string", "description": "The id of the memory, as a search gave it" },
                "judgement": { "type": "string", "enum": words, "description": "What became of it" },
            }),
            &["traceId", "judgement"],
        ),
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
        work: |desk, given| Box::pin(judge(desk, given)),
    }
}

async fn judge(desk: &ToolContext, given: Fields<'_>) -> Result<ToolAnswer, Problem> {
    let id: MemoryId = given.parsed("traceId")?.ok_or_else(|| given.wrong("traceId", "it is missing"))?;
    let judgement: Judgement = given
        .parsed("judgement")?
        .ok_or_else(|| given.wrong("judgement", "it is missing; expected a word"))?;
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
