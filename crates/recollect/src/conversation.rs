//! A conversation as it comes from outside: pairs of what user and assistant said, or messages.
//!
//! `POST /memory/ingest` takes one as its body and `recollect ingest` one a line; both are this struct, so that both take and
//! refuse the same.

use memory::types::{Role, SessionId, Time};
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::fields::{self, what};
use crate::ops::ingest::{Ingest, IngestMessage};
use crate::problem::Problem;
use crate::request::names::Clients;
use crate::request::values::{self, GivenName, GivenSession, MomentOrDay, NamedOwner};
use crate::request::{self, RequestFields, RequestManner, wrong};
use crate::schema::RoleWord;

/// A conversation: `turns` or `messages`, not both.
#[derive(Debug, Deserialize, ToSchema)]
pub struct ConversationBody {
    conversation_id: GivenSession,
    #[serde(default)]
    whose: NamedOwner,
    /// When it took place, for what says no time of its own.
    session_date: Option<MomentOrDay>,
    #[schema(min_items = 1, max_items = 5000)]
    turns: Option<Vec<Pair>>,
    #[schema(min_items = 1, max_items = 10000)]
    messages: Option<Vec<ConversationMessage>>,
    /// Only keep what was said, and learn nothing from it.
    #[serde(default)]
    skip_extraction: bool,
    /// Where the user is, for "tomorrow" and the like: a name such as `Europe/Lisbon`.
    time_zone: Option<String>,
}

/// What the user said and what was answered; either may be missing.
#[derive(Debug, Deserialize, ToSchema)]
pub struct Pair {
    user: Option<String>,
    assistant: Option<String>,
    date: Option<MomentOrDay>,
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct ConversationMessage {
    role: RoleWord,
    /// Text, or a list of parts of which those with `text` count. `null` where a tool is called.
    #[serde(default, deserialize_with = "values::change")]
    #[schema(value_type = Option<Content>)]
    content: Option<Option<Content>>,
    #[schema(max_length = 200)]
    name: Option<String>,
    id: Option<GivenName>,
    date: Option<MomentOrDay>,
    /// A message that calls tools may say nothing.
    #[schema(value_type = Option<Vec<Object>>)]
    tool_calls: Option<Vec<Value>>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum Content {
    Text(String),
    Parts(Vec<Part>),
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct Part {
    text: Option<String>,
}

/// Reads one line of a file, or a body that is put together elsewhere.
pub fn read(line: Value) -> Result<Ingest, Problem> {
    let body: Map<String, Value> = match line {
        Value::Object(body) => body,
        other => return Err(Problem::invalid(format!("it is {}; expected a JSON object", what(&other)))),
    };
    let manner = RequestManner { clients: Clients::Theirs, defaults: &[] };
    request::read::<ConversationBody>(RequestFields { body, ..RequestFields::default() }, manner)?.request()
}

impl ConversationBody {
    pub fn request(self) -> Result<Ingest, Problem> {
        let date = self.session_date.map(Time::from);
        let (name, messages) = match (self.turns, self.messages) {
            (Some(turns), None) => {
                let pairs = turns.into_iter().enumerate().map(|(place, turn)| turn.messages(place, date));
                ("turns", fields::all(pairs)?.into_iter().flatten().collect())
            }
            (None, Some(messages)) => ("messages", said(messages, date)?),
            (Some(_), Some(_)) => {
                return Err(Problem::invalid("both `turns` and `messages` are given; expected one"));
            }
            (None, None) => {
                let message = "neither `turns` nor `messages` is given; expected one of them";
                return Err(Problem::field("turns", message).hint(
                    "turns: [{user, assistant, date?}], or messages: [{role, content, name?, id?, date?}]",
                ));
            }
        };
        let messages: Vec<IngestMessage> = messages;
        if messages.is_empty() {
            return Err(wrong(name, "it is empty; expected what was said"));
        }
        Ok(Ingest {
            agent: self.whose.agent(),
            user: self.whose.user(),
            session: SessionId::from(self.conversation_id),
            messages,
            skip_extraction: self.skip_extraction,
            time_zone: self.time_zone,
        })
    }
}

/// What messages say; those without a time of their own are of the given one.
pub fn said(messages: Vec<ConversationMessage>, at: Option<Time>) -> Result<Vec<IngestMessage>, Problem> {
    fields::all(messages.into_iter().enumerate().map(|(place, said)| said.message(place, at)))
}

impl Pair {
    fn messages(self, place: usize, session_date: Option<Time>) -> Result<[IngestMessage; 2], Problem> {
        if self.user.is_none() && self.assistant.is_none() {
            let path = format!("turns[{place}].user");
            return Err(wrong(&path, "neither user nor assistant says anything; expected text"));
        }
        let at = self.date.map(Time::from).or(session_date);
        let said = |role: Role, text: Option<String>| IngestMessage {
            at,
            ..IngestMessage::of(role, text.unwrap_or_default())
        };
        Ok([said(Role::User, self.user), said(Role::Assistant, self.assistant)])
    }
}

impl ConversationMessage {
    /// Plain text, as the user's.
    pub fn of_user(text: String) -> Self {
        let content = Some(Some(Content::Text(text)));
        Self { role: RoleWord(Role::User), content, name: None, id: None, date: None, tool_calls: None }
    }

    fn message(self, place: usize, session_date: Option<Time>) -> Result<IngestMessage, Problem> {
        let content = match self.content {
            Some(Some(Content::Text(text))) => text,
            Some(Some(Content::Parts(parts))) => {
                parts.into_iter().filter_map(|part| part.text).collect::<Vec<_>>().join("\n")
            }
            Some(None) => String::new(),
            None if self.tool_calls.is_some() => String::new(),
            None => {
                let path = format!("messages[{place}].content");
                return Err(wrong(&path, "it is missing; expected text"));
            }
        };
        Ok(IngestMessage {
            role: self.role.0,
            name: self.name,
            content,
            id: self.id.map(|id| id.0).filter(|id| !id.is_empty()),
            at: self.date.map(Time::from).or(session_date),
        })
    }
}
