//! Take in a conversation that took place elsewhere: its messages become the turns of a session.
//!
//! Sending the same conversation again stores nothing twice. A message is known by the id that its client gave it; one
//! without an id gets a name from what it is and where it stands, so that a resent history meets the same names.

use memory::error::Invalid;
use memory::learn::capture::{self, IncomingMessage};
use memory::learn::session_pass::PassTrigger;
use memory::settings::ExtractionMode;
use memory::text::secrets::Masker;
use memory::types::{AgentId, Owner, Role, SessionId, SessionKey, Time, Turn, UserId, content_hash};
use serde::{Deserialize, Serialize};

use super::OpContext;
use super::sessions::{Passed, is_zero, pass};
use super::zones::{self, TellZone};
use crate::learning;
use crate::limits;
use crate::problem::Problem;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ingest {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<UserId>,
    pub session: SessionId,
    /// In the order in which they were said.
    pub messages: Vec<IngestMessage>,
    /// Only keep what was said, and learn nothing from it.
    #[serde(default)]
    pub skip_extraction: bool,
    /// Where the user is, as their client tells: a name such as `Europe/Lisbon`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IngestMessage {
    pub role: Role,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// A message that says nothing (a bare tool call) is left out.
    pub content: String,
    /// The id under which the client knows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// When it was said; now unless known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Time>,
}

impl IngestMessage {
    /// Said now, by nobody who is named, under no id.
    pub fn of(role: Role, content: impl Into<String>) -> Self {
        Self { role, name: None, content: content.into(), id: None, at: None }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Ingested {
    pub status: String,
    #[schema(value_type = String)]
    pub conversation_id: SessionId,
    /// Messages stored now.
    pub turns_ingested: usize,
    /// Messages that the conversation already had.
    pub turns_known: u64,
    /// Secrets masked before anything was stored.
    pub secrets_masked: usize,
    /// What came of learning from them: `distilled`, `no_signals`, `skipped:…`, `empty:…`, `dead_letter:…` or `error:…`.
    pub distillation: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub episode_id: Option<String>,
    /// Memories made.
    pub memories: u64,
    /// The model that distilled it; nothing where what is built in did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Why a model that was asked did not; what is built in did, and the model is asked again later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fell_back: Option<String>,
    /// What the model came up with that nobody said, and that was left out.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unsupported: u64,
    /// The commit's number in the tenant's change log.
    pub change: u64,
}

pub(super) async fn ingest(visit: &OpContext<'_>, request: Ingest) -> Result<Ingested, Problem> {
    check(&request)?;
    if let Some(time_zone) = request.time_zone.clone() {
        zones::tell(visit, TellZone { user: request.user.clone(), time_zone }).await?;
    }
    let settings = visit.tenant.settings().await?;
    let owner = Owner {
        agent: request.agent.unwrap_or_else(AgentId::unnamed),
        user: request.user.unwrap_or_else(UserId::unnamed),
    };
    let key = SessionKey::new(&owner, request.session.clone());
    if !settings.enabled {
        return Ok(Ingested::nothing(request.session, "skipped:memory is switched off"));
    }
    let messages = request.messages.into_iter().enumerate().map(|(place, said)| incoming(&key, place, said));
    let masker = Masker::new(&settings.secret_patterns)?;
    let captured = capture::prepare(&key, messages.collect(), visit.now, &*visit.house.clock, &masker);
    if captured.turns.is_empty() {
        return Ok(Ingested::nothing(request.session, "no_signals"));
    }
    let pending = !request.skip_extraction;
    let agent_only = visit.caller.bounds().is_agent_only();
    let written = capture::append(&visit.tenant, captured.turns, pending, agent_only, visit.now).await?;
    if pending {
        // Before the pass, so that a client who hangs up in the middle of it leaves nothing behind that nobody attends to.
        learning::appended(visit.house, visit.tenant.id(), &key, &settings, visit.now);
    }
    let learned = match (request.skip_extraction, settings.extraction_mode) {
        (true, _) => None,
        (false, ExtractionMode::Manual) => Some("skipped:extraction is by hand; `sync` does it".to_owned()),
        (false, _) => None,
    };
    let mut answer = Ingested {
        turns_ingested: written.turns.len(),
        turns_known: written.known_turns,
        secrets_masked: captured.masked.values().sum(),
        change: written.number,
        ..Ingested::nothing(request.session, "skipped:requested")
    };
    if let Some(why) = learned {
        answer.distillation = why;
    } else if !request.skip_extraction {
        answer.learned(pass(visit, key, PassTrigger::End).await?);
    }
    Ok(answer)
}

impl Ingested {
    fn nothing(conversation_id: SessionId, distillation: &str) -> Self {
        Self {
            status: "ok".to_owned(),
            conversation_id,
            turns_ingested: 0,
            turns_known: 0,
            secrets_masked: 0,
            distillation: distillation.to_owned(),
            episode_id: None,
            memories: 0,
            model: None,
            fell_back: None,
            unsupported: 0,
            change: 0,
        }
    }

    fn learned(&mut self, passed: Passed) {
        self.distillation = passed.distillation;
        self.episode_id = passed.episode_id;
        self.memories = passed.memories;
        self.model = passed.model;
        self.fell_back = passed.fell_back;
        self.unsupported = passed.unsupported;
    }
}

fn check(request: &Ingest) -> Result<(), Problem> {
    if request.messages.len() > limits::INGESTED_MESSAGES {
        let (given, most) = (request.messages.len(), limits::INGESTED_MESSAGES);
        let message = format!("{given} messages in one call; expected at most {most}");
        return Err(Problem::field("messages", message).hint("send a long conversation in parts"));
    }
    for (place, message) in request.messages.iter().enumerate() {
        let id = message.id.as_deref().unwrap_or_default();
        if id.starts_with(MADE) {
            let text = format!("ids that begin with `{MADE}` are ours; expected another");
            return Err(Problem::field(format!("messages[{place}].id"), text));
        }
        message_bounds(message).map_err(|invalid| {
            let field = format!("messages[{place}].{}", invalid.field.unwrap_or("content"));
            Problem::field(field, invalid.message)
        })?;
    }
    Ok(())
}

/// The bounds that the store draws, checked here so that the error says which message.
fn message_bounds(message: &IngestMessage) -> Result<(), Invalid> {
    let bytes = |field: &'static str, text: &str, most: usize| match text.len() {
        given if given <= most => Ok(()),
        given => Err(Invalid::field(field, format!("it has {given} bytes; expected at most {most}"))),
    };
    bytes("content", &message.content, memory::limits::TURN_TEXT_BYTES)?;
    bytes("name", message.name.as_deref().unwrap_or_default(), memory::limits::GIVEN_ID_BYTES)?;
    bytes("id", message.id.as_deref().unwrap_or_default(), memory::limits::GIVEN_ID_BYTES)
}

fn incoming(key: &SessionKey, place: usize, message: IngestMessage) -> IncomingMessage {
    let id = message.id.clone().unwrap_or_else(|| made_id(key, place, &message));
    IncomingMessage {
        role: message.role,
        name: message.name,
        text: message.content,
        id: Some(id),
        at: message.at,
        partial: false,
    }
}

/// What the names of messages that came without an id begin with.
const MADE: &str = "recollect:";

/// The same message at the same place of the same conversation has the same name.
pub(crate) fn made_id(key: &SessionKey, place: usize, message: &IngestMessage) -> String {
    let whole = format!("{}\u{1f}{place}\u{1f}{}\u{1f}{}", key.session, message.role, message.content);
    format!("{MADE}{}", content_hash(&whole))
}

/// The id by which whoever sent a turn knows it: the one it came with, else ours.
pub fn given_id(turn: &Turn) -> String {
    match &turn.external_id {
        Some(id) if !id.starts_with(MADE) => id.clone(),
        _ => turn.id.as_str().to_owned(),
    }
}
