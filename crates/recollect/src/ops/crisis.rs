//! Records that somebody spoke of harm to themselves: write one, list them, remove them.
//!
//! They stand apart from memory: nothing here is put into a prompt, found by a search or part of an export. Who writes one needs no
//! more than a key that may write; who reads and removes them answers for safety, and is an admin.

use memory::ports::WriteStore;
use memory::text::secrets::Masker;
use memory::types::{
    Actor, AgentId, Batch, Change, ClassifierPath, CrisisId, CrisisNote, CrisisRecord, Owner, SessionId,
    SessionKey, Time, UserId,
};
use serde::{Deserialize, Serialize};

use super::OpContext;
use crate::limits;
use crate::problem::Problem;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CrisisReport {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<UserId>,
    pub session: SessionId,
    pub level: u8,
    pub reason: String,
    pub path: ClassifierPath,
    /// When it was noticed; now unless said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Time>,
    /// How long the record is kept; 0 until somebody removes it, and as the setting says unless said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retention_days: Option<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CrisisReported {
    pub id: CrisisId,
    pub until: Option<Time>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CrisisList {
    /// Those of one conversation; its agent and user are the unnamed ones unless said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<UserId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CrisesListed {
    /// The latest first.
    pub records: Vec<CrisisRecord>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CrisisRemove {
    pub id: CrisisId,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CrisisRemoved {
    pub deleted: bool,
}

pub(super) async fn report(visit: &OpContext<'_>, request: CrisisReport) -> Result<CrisisReported, Problem> {
    check(&request)?;
    let settings = visit.tenant.settings().await?;
    let masker = Masker::new(&settings.secret_patterns)?;
    let days = request.retention_days.map_or(settings.crisis_retention_days, i64::from);
    let at = request.at.unwrap_or(visit.now);
    let until = (days > 0).then(|| at.plus_seconds(86_400 * days));
    if until.is_some_and(|until| until <= visit.now) {
        let message =
            format!("`detectedAt`: it was more than {days} days ago, which is as long as it is kept");
        return Err(Problem::field("detectedAt", message).hint("say a longer `retentionDays`"));
    }
    let owner = owner(request.agent, request.user);
    let id = CrisisId::from_uuid(visit.house.clock.uuid());
    let note = CrisisNote {
        id: id.clone(),
        session: SessionKey::new(&owner, request.session),
        turn: None,
        level: request.level,
        reason: masker.mask(request.reason.trim()).text,
        path: request.path,
        at,
        until,
    };
    let batch = Batch::new(Actor::Tool, visit.now).with(Change::NoteCrisis { note: Box::new(note) });
    visit.tenant.apply(batch).await?;
    Ok(CrisisReported { id, until })
}

fn check(request: &CrisisReport) -> Result<(), Problem> {
    if request.level > CrisisNote::GRAVEST {
        let message = format!("`level`: it is {}; expected from 0 to {}", request.level, CrisisNote::GRAVEST);
        return Err(Problem::field("level", message));
    }
    let characters = request.reason.trim().chars().count();
    if characters == 0 || characters > limits::CRISIS_REASON_CHARACTERS {
        let message = format!(
            "`reason`: it has {characters} characters; expected from 1 to {}",
            limits::CRISIS_REASON_CHARACTERS
        );
        return Err(Problem::field("reason", message).hint("say why, and not what was said"));
    }
    Ok(())
}

pub(super) async fn list(visit: &OpContext<'_>, request: CrisisList) -> Result<CrisesListed, Problem> {
    let limit = request.limit.unwrap_or(limits::USUAL_ROWS).clamp(1, memory::limits::PAGE_ROWS);
    let owner = owner(request.agent, request.user);
    let of = request.session.map(|session| SessionKey::new(&owner, session));
    Ok(CrisesListed { records: visit.tenant.crises(of, visit.now, limit).await? })
}

pub(super) async fn remove(visit: &OpContext<'_>, request: CrisisRemove) -> Result<CrisisRemoved, Problem> {
    let batch = Batch::new(Actor::Person, visit.now).with(Change::RemoveCrises { ids: vec![request.id] });
    let written = visit.tenant.apply(batch).await?;
    Ok(CrisisRemoved { deleted: written.removed > 0 })
}

fn owner(agent: Option<AgentId>, user: Option<UserId>) -> Owner {
    Owner { agent: agent.unwrap_or_else(AgentId::unnamed), user: user.unwrap_or_else(UserId::unnamed) }
}
