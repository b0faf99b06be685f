//! Take in a conversation that took place elsewhere: its messages become the turns of a session.
//!
//! Sending the same conversation again stores nothing twice. A message is known by the id that its client gave it; one
//! without an id gets a name from what it is and where it stands, so that a resent history meets the same names.

use memory::error::Invalid;
use memory::ports::WriteStore;
use memory::text::tokens;
use memory::types::{
    Actor, AgentId, Batch, Change, Owner, Role, SessionId, SessionKey, Time, Turn, TurnId, UserId,
    content_hash,
};
use serde::{Deserialize, Serialize};

use super::Visit;
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
    pub messages: Vec<Message>,
    /// Only keep what was said, and learn nothing from it.
    #[serde(default)]
    pub skip_extraction: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Message {
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

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ingested {
    pub status: String,
    pub conversation_id: SessionId,
    /// Messages stored now.
    pub turns_ingested: usize,
    /// Messages that the conversation already had.
    pub turns_known: u64,
    /// What came of learning from them.
    pub distillation: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The commit's number in the tenant's change log.
    pub change: u64,
}

pub(super) async fn ingest(visit: &Visit<'_>, request: Ingest) -> Result<Ingested, Problem> {
    check(&request)?;
    let owner = Owner {
        agent: request.agent.unwrap_or_else(AgentId::unnamed),
        user: request.user.unwrap_or_else(UserId::unnamed),
    };
    let key = SessionKey::new(&owner, request.session.clone());
    let spoken = request.messages.into_iter().enumerate().filter(|(_, said)| !said.content.trim().is_empty());
    let turns: Vec<Turn> = spoken.map(|(place, said)| turn(visit, &key, place, said)).collect();
    // What is to be learned from waits, so that nothing is lost until somebody learns.
    let change = Change::AppendTurns { turns, pending: !request.skip_extraction };
    let written = visit.tenant.apply(Batch::new(Actor::Import, visit.now).with(change)).await?;
    let (distillation, hint) = match request.skip_extraction {
        true => ("skipped:requested", None),
        false => (
            "skipped:extraction_unavailable",
            Some(
                "this version does not learn from conversations yet; the turns are stored and wait"
                    .to_owned(),
            ),
        ),
    };
    Ok(Ingested {
        status: "ok".to_owned(),
        conversation_id: request.session,
        turns_ingested: written.turns.len(),
        turns_known: written.known_turns,
        distillation: distillation.to_owned(),
        hint,
        change: written.number,
    })
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
fn message_bounds(message: &Message) -> Result<(), Invalid> {
    let bytes = |field: &'static str, text: &str, most: usize| match text.len() {
        given if given <= most => Ok(()),
        given => Err(Invalid::field(field, format!("it has {given} bytes; expected at most {most}"))),
    };
    bytes("content", &message.content, memory::limits::TURN_TEXT_BYTES)?;
    bytes("name", message.name.as_deref().unwrap_or_default(), memory::limits::GIVEN_ID_BYTES)?;
    bytes("id", message.id.as_deref().unwrap_or_default(), memory::limits::GIVEN_ID_BYTES)
}

fn turn(visit: &Visit<'_>, key: &SessionKey, place: usize, message: Message) -> Turn {
    let external_id = message.id.clone().unwrap_or_else(|| made_id(key, place, &message));
    Turn {
        id: TurnId::from_uuid(visit.house.clock.uuid()),
        external_id: Some(external_id),
        session: key.clone(),
        index: 0,
        role: message.role,
        speaker: message.name,
        tokens: u32::try_from(tokens::estimate(&message.content)).unwrap_or(u32::MAX),
        text: message.content,
        at: message.at.unwrap_or(visit.now),
        partial: false,
    }
}

/// What the names of messages that came without an id begin with.
const MADE: &str = "recollect:";

/// The same message at the same place of the same conversation has the same name.
fn made_id(key: &SessionKey, place: usize, message: &Message) -> String {
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
