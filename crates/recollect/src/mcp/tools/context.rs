//! `memory_context` and `get_identity`: what an assistant should know before it answers.

use memory::text::marks;
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::mcp::spec::{Spec, ToolAbout, ToolAnswer, ToolEffect, object};
use crate::mcp::tool_context::ToolContext;
use crate::ops::context::ContextOperation;
use crate::ops::identity::IdentityShow;
use crate::problem::Problem;
use crate::request::values::{GivenSession, Nothing};

/// What `memory_context` takes.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ContextArguments {
    /// What the person says, as it stands
    message: String,
    /// The conversation it is said in
    session_id: Option<GivenSession>,
}

pub fn memory_context() -> Spec {
    let about = ToolAbout {
        name: "memory_context",
        title: "What to know for a message",
        description: "\
Give the block of memory that belongs to a message of the person's: who they are, what was discussed, what is always to be \
kept in mind. It is small, and empty for messages that need no memory.
Use it once at the beginning of a turn, with the person's message as it stands, when nothing else puts memory into your \
prompt. Use memory_search when you look for something in particular.
Example: {\"message\": \"What did we decide about the database?\"}",
        output: object(
            json!({
                "block": { "type": "string", "description": "For the prompt; empty where there is nothing to say" },
                "tokens": { "type": "integer" },
                "section": { "type": "string", "description": "Which part of memory was asked for" },
                "reason": { "type": "string" },
                "lines": { "type": "array", "items": { "type": "object", "properties": {
                    "text": { "type": "string" },
                    "traceIds": { "type": "array", "items": { "type": "string" } },
                }, "required": ["text", "traceIds"] } },
            }),
            &["block", "tokens", "section", "reason", "lines"],
        ),
        does: ToolEffect::Read,
    };
    Spec::ours(about, |desk, given| Box::pin(context(desk, given)))
}

async fn context(desk: &ToolContext, given: ContextArguments) -> Result<ToolAnswer, Problem> {
    let request = ContextOperation {
        message: given.message,
        agent: desk.who.agent.clone(),
        user: desk.who.user.clone(),
        session: given.session_id.map(|session| session.0).or_else(|| desk.who.session.clone()),
        project: None,
        as_of: None,
        explain: false,
        counts_use: true,
    };
    let context = desk.ask(request).await?;
    let line =
        |line: &crate::ops::context::ContextLine| json!({ "text": line.text, "traceIds": line.memory_ids });
    let lines: Vec<Value> = context.lines.iter().map(line).collect();
    let nothing = context.block.trim().is_empty();
    let data = json!({
        "block": if nothing { String::new() } else { marks::fence(&context.block, "memory_context") },
        "tokens": context.tokens,
        "section": context.gate.section.to_string(),
        "reason": context.gate.reason,
        "lines": lines,
    });
    Ok(match nothing {
        true => ToolAnswer::done(data, format!("This message needs no memory: {}.", context.gate.reason)),
        false => ToolAnswer::recalled(data, context.block),
    })
}

pub fn get_identity() -> Spec {
    let about = ToolAbout {
        name: "get_identity",
        title: "Who the person is",
        description: "\
Give the person's profile and what is always to be kept in mind about them (name, language, allergies, how they want to \
be addressed).
Use it at the start of a conversation or when asked \"what do you know about me\". It takes no parameters; for one question \
about the person, memory_search is cheaper.",
        output: object(
            json!({
                "user_id": { "type": "string" },
                "profile": { "type": ["string", "null"] },
                "profile_version": { "type": ["integer", "null"] },
                "overrides": { "type": "array", "items": { "type": "string" }, "description": "What always holds" },
            }),
            &["user_id", "profile", "profile_version", "overrides"],
        ),
        does: ToolEffect::Read,
    };
    Spec::ours(about, |desk, _: Nothing| Box::pin(identity(desk)))
}

async fn identity(desk: &ToolContext) -> Result<ToolAnswer, Problem> {
    let identity = desk.ask(IdentityShow { user: desk.who.user.clone() }).await?;
    let overrides: Vec<&str> = identity.overrides.iter().map(|always| always.text.as_str()).collect();
    let data = json!({
        "user_id": identity.user.as_str(),
        "profile": identity.profile.as_ref().map(|profile| &profile.text),
        "profile_version": identity.profile.as_ref().map(|profile| profile.number),
        "overrides": overrides,
    });
    Ok(match portrait(&identity) {
        Some(text) => ToolAnswer::recalled(data, text),
        None => ToolAnswer::done(data, "Nothing is known about this person yet."),
    })
}

/// Who somebody is, as text.
pub fn portrait(identity: &memory::types::Identity) -> Option<String> {
    let mut parts: Vec<String> = Vec::new();
    if !identity.overrides.is_empty() {
        let lines = identity.overrides.iter().map(|always| format!("- {}", always.text));
        parts.push(format!("Always:\n{}", lines.collect::<Vec<_>>().join("\n")));
    }
    parts.extend(identity.profile.as_ref().map(|profile| profile.text.clone()));
    (!parts.is_empty()).then(|| parts.join("\n\n"))
}
