//! Agents: which assistants there are, what each is like, and what follows from it.
//!
//! An agent needs no record: whoever writes under a name makes one that is listed with what it has. A record adds what
//! distinguishes it, a name, a description and a character, and taking it away takes only that away.

pub mod config;

use std::collections::HashMap;

use memory::limits::{GIVEN_ID_BYTES, SEARCH_RESULTS, SETTING_TEXT_BYTES};
use memory::personality::{AutoIngest, FACTS_PER_TURN_MAXIMUM, Traits, Tuning};
use memory::ports::{AgentCount, ReadStore, WriteStore};
use memory::recall::SearchRequest;
use memory::types::{Actor, Agent, AgentId, Batch, Change, Expect, RecordKind, RecordRef, Time};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::OpContext;
use crate::problem::{Code, Problem};

/// An agent with what it has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentLine {
    pub id: AgentId,
    pub name: String,
    pub description: String,
    /// Active memories, of all users.
    pub memory_entry_count: u64,
    pub session_count: u64,
    pub created_at: Time,
    pub updated_at: Time,
    /// False for an agent that only appears through what was written under its name.
    pub recorded: bool,
    /// The version of its record, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AgentsList {}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentsListed {
    pub agents: Vec<AgentLine>,
}

pub(super) async fn list(visit: &OpContext<'_>, _: AgentsList) -> Result<AgentsListed, Problem> {
    let records = visit.tenant.agents().await?;
    let records: HashMap<&AgentId, &Agent> = records.iter().map(|agent| (&agent.id, agent)).collect();
    let counts = visit.tenant.agent_counts().await?;
    let seen = counts.iter().filter(|count| sees(visit, &count.agent));
    let agents = seen.map(|count| line(count, records.get(&count.agent).copied()));
    Ok(AgentsListed { agents: agents.collect() })
}

/// Other agents do not exist for a key that is bound to its own.
fn sees(visit: &OpContext<'_>, agent: &AgentId) -> bool {
    visit.caller.agents().is_none_or(|allowed| allowed.contains(agent))
}

fn line(count: &AgentCount, record: Option<&Agent>) -> AgentLine {
    AgentLine {
        id: count.agent.clone(),
        name: record.map_or_else(|| count.agent.as_str().to_owned(), |agent| agent.name.clone()),
        description: record.map(|agent| agent.description.clone()).unwrap_or_default(),
        memory_entry_count: count.memories,
        session_count: count.sessions,
        created_at: record.map_or(count.first_at, |agent| agent.created_at),
        updated_at: record.map_or(count.last_at, |agent| agent.updated_at),
        recorded: record.is_some(),
        version: record.map(|agent| agent.version),
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentShow {
    pub id: AgentId,
}

/// An agent, its character, and everything that follows from it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AgentShown {
    #[serde(flatten)]
    pub line: AgentLine,
    /// As it is stored: what was said about the agent, and nothing else.
    pub personality: Map<String, Value>,
    /// What that comes to, with the settings in force.
    pub tuning: Tuning,
}

pub(super) async fn show(visit: &OpContext<'_>, request: AgentShow) -> Result<Box<AgentShown>, Problem> {
    if !sees(visit, &request.id) {
        return Err(no_agent(&request.id));
    }
    shown(visit, &request.id).await.map(Box::new)
}

async fn shown(visit: &OpContext<'_>, id: &AgentId) -> Result<AgentShown, Problem> {
    let record = visit.tenant.agent(id).await?;
    let counts = visit.tenant.agent_counts().await?;
    let count = counts.iter().find(|count| count.agent == *id).ok_or_else(|| no_agent(id))?;
    let settings = visit.tenant.settings().await?;
    let personality = record.as_ref().map(|agent| agent.personality.clone()).unwrap_or_default();
    let tuning = Tuning::read(&personality, &settings);
    Ok(AgentShown { line: line(count, record.as_ref()), personality, tuning })
}

/// What can be said about an agent. What is left out stays as it is, or as it usually is.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct About {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Traits by name, each from 0 to 1, and `autoIngest`.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub personality: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentCreate {
    pub id: AgentId,
    #[serde(default)]
    pub about: About,
}

pub(super) async fn create(visit: &OpContext<'_>, request: AgentCreate) -> Result<Box<AgentShown>, Problem> {
    if visit.tenant.agent(&request.id).await?.is_some() {
        let message = format!("there is an agent `{}` already", request.id);
        return Err(Problem::new(Code::Conflict, message).hint("`recollect agents edit` changes it"));
    }
    let agent = config::merged(blank(&request.id, visit.now), request.about, visit.now)?;
    put(visit, agent, Expect::Absent).await
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentEdit {
    pub id: AgentId,
    #[serde(default)]
    pub about: About,
    /// Refuse unless its record is at this version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expect_version: Option<u64>,
}

pub(super) async fn edit(visit: &OpContext<'_>, request: AgentEdit) -> Result<Box<AgentShown>, Problem> {
    let Some(known) = visit.tenant.agent(&request.id).await? else {
        let message = format!("there is no record of an agent `{}`", request.id);
        let hint = "`recollect agents create` makes one; `recollect agents list` shows them";
        return Err(Problem::new(Code::NotFound, message).hint(hint));
    };
    let expect = Expect::Version(request.expect_version.unwrap_or(known.version));
    let agent = config::merged(known, request.about, visit.now)?;
    put(visit, agent, expect).await
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentDelete {
    pub id: AgentId,
    /// Refuse unless its record is at this version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expect_version: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentDeleted {
    pub id: AgentId,
    /// What the agent has stays: its active memories and its sessions.
    pub memories_kept: u64,
    pub sessions_kept: u64,
}

pub(super) async fn delete(visit: &OpContext<'_>, request: AgentDelete) -> Result<AgentDeleted, Problem> {
    let known = visit.tenant.agent(&request.id).await?.ok_or_else(|| no_agent(&request.id))?;
    let of = RecordRef { kind: RecordKind::Agent, id: request.id.as_str().to_owned() };
    let expect = Expect::Version(request.expect_version.unwrap_or(known.version));
    let change = Change::Remove { of, expect };
    visit.tenant.apply(Batch::new(Actor::Person, visit.now).with(change)).await?;
    let counts = visit.tenant.agent_counts().await?;
    let left = counts.iter().find(|count| count.agent == request.id);
    Ok(AgentDeleted {
        id: request.id,
        memories_kept: left.map_or(0, |count| count.memories),
        sessions_kept: left.map_or(0, |count| count.sessions),
    })
}

/// Read in the agent's own file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentImport {
    /// The whole of an `agent.config.json`.
    pub config: Value,
    /// Under which id, where the file does not say or another is wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<AgentId>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AgentImported {
    #[serde(flatten)]
    pub agent: AgentShown,
    /// False where the agent had a record, which now says what the file says.
    pub created: bool,
    /// Paths of the file that mean nothing here.
    pub ignored: Vec<String>,
}

pub(super) async fn import(
    visit: &OpContext<'_>,
    request: AgentImport,
) -> Result<Box<AgentImported>, Problem> {
    let read = config::read(&request.config, request.id)?;
    let known = visit.tenant.agent(&read.id).await?;
    let created = known.is_none();
    let expect = known.as_ref().map_or(Expect::Absent, |known| Expect::Version(known.version));
    // The file is the whole truth about a character: what it no longer says is neutral again.
    let before = known.map(|known| Agent { personality: Map::new(), ..known });
    let before = before.unwrap_or_else(|| blank(&read.id, visit.now));
    let agent = config::merged(before, read.about, visit.now)?;
    let agent = *put(visit, agent, expect).await?;
    Ok(Box::new(AgentImported { agent, created, ignored: read.ignored }))
}

/// How many results a search that does not say gives: some more for an agent whose character wants them.
pub(super) async fn usual_results(visit: &OpContext<'_>, asked: &SearchRequest) -> Result<usize, Problem> {
    let Some(agent) = &asked.filter.agent else { return Ok(asked.top_k) };
    let settings = visit.tenant.settings().await?;
    let tuning = Tuning::of(&visit.tenant, agent, &settings).await?;
    Ok((asked.top_k + tuning.extra_results).min(SEARCH_RESULTS))
}

fn blank(id: &AgentId, now: Time) -> Agent {
    Agent {
        id: id.clone(),
        version: 1,
        name: id.as_str().to_owned(),
        description: String::new(),
        personality: Map::new(),
        created_at: now,
        updated_at: now,
    }
}

async fn put(visit: &OpContext<'_>, agent: Agent, expect: Expect) -> Result<Box<AgentShown>, Problem> {
    let id = agent.id.clone();
    let change = Change::Put { record: agent.into(), expect };
    visit.tenant.apply(Batch::new(Actor::Person, visit.now).with(change)).await?;
    shown(visit, &id).await.map(Box::new)
}

fn no_agent(id: &AgentId) -> Problem {
    Problem::new(Code::NotFound, format!("there is no agent `{id}`"))
        .hint("`recollect agents list` shows them")
}
