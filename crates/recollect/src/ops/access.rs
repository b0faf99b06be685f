//! Who may do what: the one place that compares what an operation needs with what its caller may.
//!
//! Two questions. Is the caller's role enough? And, for a key that is bound to agents: is the operation about those
//! alone? A key of one agent need not name it; a key of several must. What belongs to another agent is not there for
//! it, as if it were another tenant's. Every answer, yes or no, is recorded.

use memory::ports::ReadStore;
use memory::types::{AgentId, MemoryId};
use store::{Decision, Denied, Role};

use super::{Caller, House, Operation, Visit, no_memory};
use crate::problem::{Code, Problem};

/// What of a tenant an operation touches.
pub(super) enum Reach<'o> {
    /// What one agent knows; which, the caller may have left open.
    Agent(&'o mut Option<AgentId>),
    /// Memories by their ids.
    Memories(Vec<MemoryId>),
    /// Nothing that an agent knows.
    NoAgent,
    /// What all agents know.
    AllAgents,
}

impl Operation {
    /// The least role that may do it.
    pub fn needs(&self) -> Role {
        let beyond_its_tenant = match self {
            Operation::SettingsSet(request) => request.everywhere,
            Operation::SettingsReset(request) => request.everywhere,
            Operation::KeysList(request) => request.everywhere,
            Operation::AuditList(request) => request.everywhere,
            _ => false,
        };
        if beyond_its_tenant { Role::Operator } else { self.usual_role() }
    }

    /// Every operation says what it touches: one that is added does not compile until it does.
    pub(super) fn reach(&mut self) -> Reach<'_> {
        use Operation as Op;
        match self {
            Op::Add(request) => Reach::Agent(&mut request.agent),
            Op::Ingest(request) => Reach::Agent(&mut request.agent),
            Op::Context(request) => Reach::Agent(&mut request.agent),
            Op::Search(request) => Reach::Agent(&mut request.filter.agent),
            Op::List(request) => Reach::Agent(&mut request.filter.agent),
            Op::Clear(request) => Reach::Agent(&mut request.filter.agent),
            Op::Preview(request) => Reach::Agent(&mut request.agent),
            Op::Summarize(request) => Reach::Agent(&mut request.agent),
            Op::Tally(request) => Reach::Agent(&mut request.agent),
            Op::Merge(request) => Reach::Memories(request.ids.clone()),
            Op::Engine(_) | Op::Health(_) | Op::SettingsPut(_) => Reach::NoAgent,
            Op::Reindex(_) | Op::Doctor(_) => Reach::AllAgents,
            Op::Tend(_) | Op::RunsList(_) | Op::Undo(_) => Reach::AllAgents,
            // Kinds and numbers, of whatever was purged.
            Op::Receipts(_) => Reach::AllAgents,
            Op::Rehydrate(request) => Reach::Memories(vec![request.id.clone()]),
            Op::SessionsList(request) => Reach::Agent(&mut request.agent),
            Op::SessionShow(request) => Reach::Agent(&mut request.which.agent),
            Op::SessionEnd(request) => Reach::Agent(&mut request.which.agent),
            Op::SessionRemove(request) => Reach::Agent(&mut request.which.agent),
            Op::EpisodesList(request) => Reach::Agent(&mut request.agent),
            Op::EpisodeRemove(request) => Reach::Agent(&mut request.agent),
            Op::Transcript(request) => Reach::Agent(&mut request.agent),
            Op::MemoryStatus(request) => Reach::Agent(&mut request.agent),
            // The log says of a record only which it is, and not whose.
            Op::Changes(_) => Reach::AllAgents,
            Op::GraphShow(request) => Reach::Agent(&mut request.agent),
            Op::GraphSearch(request) => Reach::Agent(&mut request.agent),
            Op::Forget(request) => match request.ids.is_empty() {
                true => Reach::Agent(&mut request.filter.agent),
                false => Reach::Memories(request.ids.clone()),
            },
            Op::Feedback(request) => match request.ids.is_empty() {
                true => Reach::Agent(&mut request.agent),
                false => Reach::Memories(request.ids.clone()),
            },
            Op::FeedbackList(request) => Reach::Memories(vec![request.id.clone()]),
            Op::Show(request) => Reach::Memories(vec![request.id.clone()]),
            Op::Why(request) => Reach::Memories(vec![request.id.clone()]),
            Op::Update(request) => Reach::Memories(vec![request.id.clone()]),
            Op::History(request) => Reach::Memories(vec![request.id.clone()]),
            Op::SettingsList(_) | Op::SettingsGet(_) | Op::SettingsSet(_) | Op::SettingsReset(_) => {
                Reach::NoAgent
            }
            Op::KeyCreate(_) | Op::KeysList(_) | Op::KeyRevoke(_) | Op::AuditList(_) => Reach::NoAgent,
            Op::Stats(_) | Op::Sync(_) | Op::PendingList(_) | Op::PendingRetry(_) => Reach::AllAgents,
            // A key that is bound to agents sees those alone in both.
            Op::AgentsList(_) | Op::AgentShow(_) => Reach::NoAgent,
            Op::AgentCreate(_) | Op::AgentEdit(_) | Op::AgentDelete(_) | Op::AgentImport(_) => {
                Reach::AllAgents
            }
            // Who a user is was learned by all agents, and is told to all.
            Op::IdentityShow(_) | Op::IdentityEdit(_) | Op::IdentityVersions(_) | Op::IdentityRefresh(_) => {
                Reach::AllAgents
            }
            Op::OverrideAdd(_) | Op::OverrideRemove(_) => Reach::AllAgents,
        }
    }
}

/// A no, with its word for the record.
pub(super) struct Refusal {
    reason: &'static str,
    problem: Problem,
}

impl House {
    /// Whether a caller may do something that is no operation, such as to chat, for an agent. Where the caller names no
    /// agent and its key has one, that one is filled in.
    pub fn permit(
        &self,
        caller: &Caller,
        what: &str,
        needs: Role,
        agent: &mut Option<AgentId>,
    ) -> Result<(), Problem> {
        let decided = enough(caller, what, needs).and_then(|()| of_agent(caller, agent));
        self.decide(caller, what, decided)
    }

    /// Whether a caller may do an operation, as far as that can be told without looking at memories.
    pub(super) fn permit_operation(&self, caller: &Caller, operation: &mut Operation) -> Result<(), Problem> {
        let (name, needs) = (operation.name(), operation.needs());
        let decided = enough(caller, name, needs).and_then(|()| match operation.reach() {
            Reach::Agent(agent) => of_agent(caller, agent),
            Reach::AllAgents => of_all(caller, name),
            Reach::Memories(_) | Reach::NoAgent => Ok(()),
        });
        self.decide(caller, name, decided)
    }

    fn decide(&self, caller: &Caller, what: &str, decided: Result<(), Refusal>) -> Result<(), Problem> {
        let reason = decided.as_ref().err().map(|refusal| refusal.reason);
        self.record(caller, what, reason);
        decided.map_err(|refusal| refusal.problem)
    }

    /// Records what was decided about a caller who is known; with a reason, that it was a no.
    pub fn record(&self, caller: &Caller, what: &str, reason: Option<&str>) {
        self.tenants.audit(Decision {
            at: self.clock.now(),
            request: caller.request.clone(),
            caller: caller.pass.holder().as_str().to_owned(),
            tenant: Some(caller.tenant().clone()),
            operation: what.to_owned(),
            allowed: reason.is_none(),
            reason: reason.map(str::to_owned),
        });
    }

    /// Records that somebody was not let in at all.
    pub fn record_stranger(&self, request: Option<&str>, what: &str, reason: &str, denied: Option<&Denied>) {
        let key = denied.and_then(Denied::key);
        self.tenants.audit(Decision {
            at: self.clock.now(),
            request: request.map(str::to_owned),
            caller: key.map_or("unknown", |(id, _)| id.as_str()).to_owned(),
            tenant: key.map(|(_, tenant)| tenant.clone()),
            operation: what.to_owned(),
            allowed: false,
            reason: Some(reason.to_owned()),
        });
    }
}

impl Visit<'_> {
    /// What belongs to other agents does not exist for a key that is bound to its own.
    pub(super) async fn hide_other_agents(&self, operation: &mut Operation) -> Result<(), Problem> {
        let Some(allowed) = self.caller.agents() else { return Ok(()) };
        let name = operation.name();
        let Reach::Memories(ids) = operation.reach() else { return Ok(()) };
        let memories = self.tenant.memories(&ids).await?;
        match memories.iter().find(|memory| !allowed.contains(&memory.agent)) {
            None => Ok(()),
            Some(hidden) => {
                self.house.record(self.caller, name, Some("other_agent"));
                Err(no_memory(&hidden.id))
            }
        }
    }
}

fn enough(caller: &Caller, what: &str, needs: Role) -> Result<(), Refusal> {
    let has = caller.role();
    if has >= needs {
        return Ok(());
    }
    let problem = match needs {
        Role::Operator => {
            let message = format!("{what} for all tenants is the operator's alone");
            Problem::new(Code::Denied, message).hint("use the command line on the server's machine")
        }
        _ => {
            let message = format!("{what} needs the role {needs}, and this key has the role {has}");
            Problem::new(Code::Denied, message)
                .hint(format!("`recollect keys create --role {needs}` makes one that may"))
        }
    };
    Err(Refusal { reason: "role", problem })
}

fn of_agent(caller: &Caller, named: &mut Option<AgentId>) -> Result<(), Refusal> {
    let Some(allowed) = caller.agents() else { return Ok(()) };
    let refused = |reason, message: String| {
        let names: Vec<&str> = allowed.iter().map(AgentId::as_str).collect();
        let hint = format!("this key is for {}", names.join(", "));
        Err(Refusal { reason, problem: Problem::new(Code::Denied, message).hint(hint) })
    };
    match (&named, allowed) {
        (Some(agent), allowed) if allowed.contains(agent) => Ok(()),
        (Some(agent), _) => refused("agent", format!("this key may not speak for agent {agent}")),
        (None, [only]) => {
            *named = Some(only.clone());
            Ok(())
        }
        (None, _) => {
            refused("agent_missing", "no agent is named, and this key is for several; expected one".into())
        }
    }
}

fn of_all(caller: &Caller, what: &str) -> Result<(), Refusal> {
    if caller.agents().is_none() {
        return Ok(());
    }
    let message = format!("{what} is about all agents, and this key is bound to some");
    let problem = Problem::new(Code::Denied, message).hint("use a key that is bound to none");
    Err(Refusal { reason: "agent", problem })
}
