//! What a person attaches to a conversation: who they are, an earlier conversation, and the prompt `recall`.
//!
//! All of it is fenced as recalled text: a client puts it into the person's own message, which is learned from.

use memory::text::marks;
use memory::types::{SessionId, Turn};
use rmcp::ErrorData;
use rmcp::model::{
    GetPromptRequestParams, GetPromptResult, Prompt, PromptArgument, PromptMessage, ReadResourceResult,
    Resource, ResourceContents, ResourceTemplate, Role,
};

use super::tool_context::ToolContext;
use super::tools::context::portrait;
use super::tools::search::lines;
use crate::limits;
use crate::ops::context::ContextOperation;
use crate::ops::identity::IdentityShow;
use crate::ops::search::{Search, SearchPlace};
use crate::ops::sessions::{SessionShow, SessionShown, Which};
use crate::problem::{Code, Problem};

const IDENTITY: &str = "memory://identity";
const SESSIONS: &str = "memory://sessions/";
const MARKDOWN: &str = "text/markdown";
const RECALL: &str = "recall";

pub fn list() -> Vec<Resource> {
    vec![
        Resource::new(IDENTITY, "identity")
            .with_title("Who I am")
            .with_description("The person's profile, and what is always to be kept in mind about them")
            .with_mime_type(MARKDOWN),
    ]
}

pub fn templates() -> Vec<ResourceTemplate> {
    vec![
        ResourceTemplate::new(format!("{SESSIONS}{{id}}"), "session")
            .with_title("An earlier conversation")
            .with_description("Its digest and what was said in it")
            .with_mime_type(MARKDOWN),
    ]
}

pub async fn read(desk: &ToolContext, uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let (name, text) = if uri == IDENTITY {
        ("identity", identity(desk).await.map_err(protocol_error)?)
    } else if let Some(id) = uri.strip_prefix(SESSIONS) {
        ("session", session(desk, id).await.map_err(protocol_error)?)
    } else {
        let message = format!("there is no such resource; expected {IDENTITY} or {SESSIONS}ID");
        return Err(ErrorData::resource_not_found(message, None));
    };
    let contents = ResourceContents::text(marks::fence(&text, name), uri).with_mime_type(MARKDOWN);
    Ok(ReadResourceResult::new(vec![contents]))
}

async fn identity(desk: &ToolContext) -> Result<String, Problem> {
    let identity = desk.ask(IdentityShow { user: desk.who.user.clone() }).await?;
    Ok(portrait(&identity).unwrap_or_else(|| "Nothing is known about this person yet.".to_owned()))
}

async fn session(desk: &ToolContext, escaped: &str) -> Result<String, Problem> {
    let nothing = || Problem::new(Code::NotFound, "there is no such conversation");
    let session: SessionId = unescaped(escaped).and_then(|id| id.parse().ok()).ok_or_else(nothing)?;
    let which = Which { session, agent: desk.who.agent.clone(), user: desk.who.user.clone() };
    let shown = desk.ask(SessionShow { which }).await?;
    Ok(told(&shown))
}

/// The digest, then what was said; of a very long conversation its end.
fn told(shown: &SessionShown) -> String {
    let line = |turn: &Turn| {
        format!("{} ({}): {}", turn.speaker.as_deref().unwrap_or(turn.role.as_str()), turn.at, turn.text)
    };
    let mut kept: Vec<String> = Vec::new();
    let mut bytes = 0;
    for line in shown.turns.iter().rev().map(line) {
        bytes += line.len();
        if bytes > limits::RESOURCE_BYTES {
            kept.push("(what was said before is left out)".to_owned());
            break;
        }
        kept.push(line);
    }
    kept.reverse();
    let said = kept.join("\n\n");
    match &shown.line.episode {
        Some(episode) => format!("# Digest\n\n{}\n\n# What was said\n\n{said}", episode.summary),
        None => format!("# What was said\n\n{said}"),
    }
}

/// `%20` and its like, as they were meant; none where they are broken.
fn unescaped(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        rest = behind;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let (digits, behind) = rest.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
        rest = behind;
    }
    String::from_utf8(bytes).ok()
}

pub fn prompts() -> Vec<Prompt> {
    let topic = PromptArgument::new("topic").with_description("What to recall").with_required(true);
    let description = "Begin with what is remembered about something";
    vec![Prompt::new(RECALL, Some(description), Some(vec![topic])).with_title("Recall")]
}

pub async fn prompt(
    desk: &ToolContext,
    request: &GetPromptRequestParams,
) -> Result<GetPromptResult, ErrorData> {
    if request.name != RECALL {
        return Err(ErrorData::invalid_params(format!("there is no such prompt; expected {RECALL}"), None));
    }
    let topic =
        request.arguments.as_ref().and_then(|given| given.get("topic")).and_then(|topic| topic.as_str());
    let Some(topic) = topic.map(str::trim).filter(|topic| !topic.is_empty()) else {
        let message = "`topic` is missing; expected what to recall, as text";
        return Err(ErrorData::invalid_params(message, None));
    };
    let block = recalled(desk, topic).await.map_err(protocol_error)?;
    let text = format!(
        "What do you remember about {topic}? Below is what memory has; say what is relevant and what is missing.\n\n{}",
        marks::fence(&block, RECALL)
    );
    let message = PromptMessage::new_text(Role::User, text);
    Ok(GetPromptResult::new(vec![message]).with_description(format!("What is remembered about {topic}")))
}

/// The block that a question about it would get; where that is empty, what a search finds.
async fn recalled(desk: &ToolContext, topic: &str) -> Result<String, Problem> {
    let who = desk.who.clone();
    let message = format!("What do you remember about {topic}?");
    let context = desk
        .ask(ContextOperation {
            message,
            agent: who.agent,
            user: who.user,
            session: who.session,
            project: None,
            as_of: None,
            explain: false,
            counts_use: true,
        })
        .await?;
    if !context.block.trim().is_empty() {
        return Ok(context.block);
    }
    let (query, filter) = (topic.to_owned(), desk.selection());
    let place = SearchPlace::All;
    let found = desk.ask(Search { query, place, filter, counts_use: true, ..Search::default() }).await?;
    Ok(lines(&found))
}

/// Resources and prompts have no other way to say what is wrong.
fn protocol_error(problem: Problem) -> ErrorData {
    match problem.code {
        Code::NotFound => ErrorData::resource_not_found(problem.message, None),
        Code::Internal => ErrorData::internal_error(problem.message, None),
        _ => ErrorData::invalid_params(problem.message, None),
    }
}

#[cfg(test)]
mod tests {
    use super::unescaped;

    #[test]
    fn names_of_conversations_may_be_escaped() {
        assert_eq!(unescaped("a%20b%2Fc").as_deref(), Some("a b/c"));
        assert_eq!(unescaped("plain").as_deref(), Some("plain"));
        for broken in ["%", "%2", "%zz", "%ff"] {
            assert_eq!(unescaped(broken), None, "{broken}");
        }
    }
}
