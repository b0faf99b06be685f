//! Conversations: list them, read one with what it came to, end one.

use memory::forget::wishes::ASKED_IN;
use memory::learn::session_pass::PassTrigger;
use memory::limits::{PAGE_ROWS, READ_IDS, RUNS_LOOKED_AT};
use memory::ports::ReadStore;
use memory::types::{
    AgentId, Episode, Filter, HeldCandidate, Order, Owner, PageRequest, Run, RunId, RunState, Session,
    SessionId, SessionKey, Turn, UserId,
};
use serde::{Deserialize, Serialize};

use super::OpContext;
use crate::learning;
use crate::limits;
use crate::problem::{Code, Problem};

/// Which conversation: by its name, and its owner where two owners use the name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Which {
    pub session: SessionId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<UserId>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SessionsList {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<UserId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    pub offset: usize,
}

/// A conversation with the digest it came to, if it came to one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SessionLine {
    #[serde(flatten)]
    pub session: Session,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub episode: Option<Episode>,
    /// Turns that wait to be distilled.
    pub pending: usize,
    /// Runs by which something was forgotten because it was asked for in the conversation; they can be undone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forgotten_on_request: Vec<RunId>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SessionsListed {
    pub sessions: Vec<SessionLine>,
    pub total: u64,
    pub offset: usize,
}

pub(super) async fn list(visit: &OpContext<'_>, request: SessionsList) -> Result<SessionsListed, Problem> {
    let limit = request.limit.unwrap_or(limits::USUAL_ROWS);
    if !(1..=PAGE_ROWS).contains(&limit) {
        let message = format!("a page of {limit} rows is asked for; expected from 1 to {PAGE_ROWS}");
        return Err(Problem::invalid(message));
    }
    let mut filter = Filter::current(visit.now);
    (filter.agent, filter.user) = (request.agent, request.user);
    let page = PageRequest { limit, offset: request.offset, order: Order::Newest, counted: true };
    let page = visit.tenant.list_sessions(&filter, page).await?;
    let runs = visit.tenant.runs(RUNS_LOOKED_AT).await?;
    let mut sessions = Vec::with_capacity(page.items.len());
    for session in page.items {
        let episode = visit.tenant.episode_of(&session.key).await?;
        let pending = visit.tenant.pending_of(&session.key).await?.len();
        let forgotten_on_request = asked_in(&runs, &session.key);
        sessions.push(SessionLine { session, episode, pending, forgotten_on_request });
    }
    Ok(SessionsListed { sessions, total: page.total, offset: request.offset })
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionShow {
    #[serde(flatten)]
    pub which: Which,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SessionShown {
    #[serde(flatten)]
    pub line: SessionLine,
    pub turns: Vec<Turn>,
    pub held: Vec<HeldCandidate>,
}

pub(super) async fn show(visit: &OpContext<'_>, request: SessionShow) -> Result<Box<SessionShown>, Problem> {
    let session = find(visit, &request.which).await?;
    let key = session.key.clone();
    let line = SessionLine {
        session,
        episode: visit.tenant.episode_of(&key).await?,
        pending: visit.tenant.pending_of(&key).await?.len(),
        forgotten_on_request: asked_in(&visit.tenant.runs(RUNS_LOOKED_AT).await?, &key),
    };
    let turns = visit.tenant.session_turns(&key, 0, READ_IDS).await?;
    let held = visit.tenant.held(&key).await?;
    Ok(Box::new(SessionShown { line, turns, held }))
}

/// The runs by which wishes of a conversation were heeded, as far as they were not undone.
fn asked_in(runs: &[Run], key: &SessionKey) -> Vec<RunId> {
    let asked = key.to_string();
    let of = |run: &&Run| {
        run.state == RunState::Done && run.counts.get(ASKED_IN).is_some_and(|session| *session == asked)
    };
    runs.iter().filter(of).map(|run| run.id.clone()).collect()
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionEnd {
    #[serde(flatten)]
    pub which: Which,
}

/// What a pass over a session came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Passed {
    #[schema(value_type = crate::schema::SessionName)]
    pub session: SessionKey,
    pub distillation: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub episode_id: Option<String>,
    pub turns: usize,
    pub memories: u64,
    pub superseded: u64,
    pub held: u64,
    /// The model that distilled it; nothing where patterns did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Why a model that was asked did not; it is asked again later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fell_back: Option<String>,
    /// What the model came up with that nobody said, and that was left out.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unsupported: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
pub(super) fn is_zero(count: &u64) -> bool {
    *count == 0
}

pub(super) async fn end(visit: &OpContext<'_>, request: SessionEnd) -> Result<Passed, Problem> {
    let session = find(visit, &request.which).await?;
    pass(visit, session.key, PassTrigger::End).await
}

/// Distils a session and says what came of it.
pub(super) async fn pass(
    visit: &OpContext<'_>,
    key: SessionKey,
    occasion: PassTrigger,
) -> Result<Passed, Problem> {
    let outcome = learning::distil(visit.house, &visit.tenant, &key, occasion).await?;
    Ok(Passed::of(key, outcome))
}

impl Passed {
    pub(super) fn of(session: SessionKey, outcome: learning::PassOutcome) -> Self {
        let report = outcome.report;
        let tally = report.as_ref().map(|report| report.tally.clone()).unwrap_or_default();
        let episode = report.as_ref().and_then(|report| report.episode.as_ref());
        Self {
            session,
            distillation: outcome.distillation,
            episode_id: episode.map(|id| id.as_str().to_owned()),
            turns: report.as_ref().map_or(0, |report| report.turns),
            memories: tally.inserted,
            superseded: tally.superseded,
            held: tally.held,
            model: report.as_ref().and_then(|report| report.model.clone()),
            unsupported: report.as_ref().map_or(0, |report| report.unsupported),
            fell_back: report.and_then(|report| report.fell_back),
        }
    }
}

/// The one session of that name. Where several owners use it, the owner must be said.
pub(super) async fn find(visit: &OpContext<'_>, which: &Which) -> Result<Session, Problem> {
    if let (Some(agent), Some(user)) = (&which.agent, &which.user) {
        let key = SessionKey::new(&Owner { agent: agent.clone(), user: user.clone() }, which.session.clone());
        let found = visit.tenant.session(&key).await?;
        return found.ok_or_else(|| no_session(&which.session));
    }
    let mut filter = Filter::current(visit.now);
    (filter.agent, filter.user, filter.session) =
        (which.agent.clone(), which.user.clone(), Some(which.session.clone()));
    let mut found = visit.tenant.list_sessions(&filter, PageRequest::first(2)).await?.items;
    match found.len() {
        1 => Ok(found.remove(0)),
        0 => Err(no_session(&which.session)),
        _ => {
            let message =
                format!("several owners have a session `{}`; expected its agent and user too", which.session);
            Err(Problem::invalid(message).hint("say --agent and --user"))
        }
    }
}

fn no_session(id: &SessionId) -> Problem {
    Problem::new(Code::NotFound, format!("there is no session `{id}`"))
        .hint("`recollect sessions list` shows them")
}
