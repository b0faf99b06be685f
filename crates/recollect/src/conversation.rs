//! A conversation as it comes from outside: pairs of what user and assistant said, or messages.
//!
//! `POST /memory/ingest` takes one as its body and `recollect ingest` one a line; both are read here, so that both take and
//! refuse the same.

use memory::types::{Role, Time};
use serde_json::Value;

use crate::fields::{self, Fields};
use crate::ops::ingest::{Ingest, Message};
use crate::problem::Problem;

pub fn request(body: &Fields<'_>) -> Result<Ingest, Problem> {
    let missing = || body.wrong("conversation_id", "it is missing; expected the conversation's name");
    let session = body.id("conversation_id")?.ok_or_else(missing)?;
    let date: Option<Time> = body.parsed("session_date")?;
    let messages = match (body.objects("turns")?, body.objects("messages")?) {
        (Some(turns), None) => {
            let pairs = fields::all(turns.iter().map(|turn| pair(turn, date)))?;
            pairs.into_iter().flatten().collect()
        }
        (None, Some(messages)) => fields::all(messages.iter().map(|said| message(said, date)))?,
        (Some(_), Some(_)) => {
            return Err(Problem::invalid("both `turns` and `messages` are given; expected one"));
        }
        (None, None) => {
            return Err(Problem::field(
                "turns",
                "neither `turns` nor `messages` is given; expected one of them",
            )
            .hint("turns: [{user, assistant, date?}], or messages: [{role, content, name?, id?, date?}]"));
        }
    };
    if messages.is_empty() {
        let name = if body.get("turns").is_some() { "turns" } else { "messages" };
        return Err(body.wrong(name, "it is empty; expected what was said"));
    }
    Ok(Ingest {
        agent: body.id("agent_id")?,
        user: body.id("user_id")?,
        session,
        messages,
        skip_extraction: body.switch("skip_extraction")?.unwrap_or(false),
    })
}

/// What the user said and what was answered; either may be missing.
fn pair(turn: &Fields<'_>, session_date: Option<Time>) -> Result<[Message; 2], Problem> {
    let (user, assistant) = (turn.text("user")?, turn.text("assistant")?);
    if user.is_none() && assistant.is_none() {
        return Err(turn.wrong("user", "neither user nor assistant says anything; expected text"));
    }
    let at = turn.parsed("date")?.or(session_date);
    let said = |role: Role, text: Option<&str>| {
        let content = text.unwrap_or_default().to_owned();
        Message { role, name: None, content, id: None, at }
    };
    Ok([said(Role::User, user), said(Role::Assistant, assistant)])
}

fn message(message: &Fields<'_>, session_date: Option<Time>) -> Result<Message, Problem> {
    let missing = || message.wrong("role", "it is missing; expected user, assistant, system or tool");
    Ok(Message {
        role: message.parsed("role")?.ok_or_else(missing)?,
        name: message.text("name")?.map(str::to_owned),
        content: content(message)?,
        id: message.id("id")?.filter(|id: &String| !id.is_empty()),
        at: message.parsed("date")?.or(session_date),
    })
}

/// Text, or a list of parts of which those that are text count. A tool call's message has no content.
fn content(message: &Fields<'_>) -> Result<String, Problem> {
    match message.get("content") {
        None if message.has("content") || message.has("tool_calls") => Ok(String::new()),
        None => Err(message.wrong("content", "it is missing; expected text")),
        Some(Value::String(text)) => Ok(text.clone()),
        Some(Value::Array(_)) => {
            let parts = message.objects("content")?.unwrap_or_default();
            let mut texts = Vec::with_capacity(parts.len());
            for part in &parts {
                texts.extend(part.text("text")?);
            }
            Ok(texts.join("\n"))
        }
        Some(_) => Err(message.wrong("content", "expected text, or a list of parts with `text`")),
    }
}
