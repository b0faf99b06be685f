//! Who may do what: the one place that compares what an operation needs with what its caller may.
//!
//! Three questions. Is the caller's role enough? For a key that is bound to agents: is the operation about those alone? For a
//! key that speaks for one user: is it about that user? A key of one agent, or of one user, need not name it; a key of several
//! agents must name one. What belongs to another agent or user is not there for it, as if it were another tenant's. Every
//! answer, yes or no, is recorded.

use memory::ports::ReadStore;
use memory::types::{AgentId, MemoryId, SessionId, UserId};
use store::{AccessDecision, Denied, Role};

use super::select::Selection;
use super::{Caller, OpContext, Operation, Services, no_memory};
use crate::problem::{Code, Problem};

/// What of a tenant an operation touches.
pub(super) enum Reach<'o> {
    /// What one user has with one agent; the caller may have left either open.
    Owner(OwnerFields<'o>),
    /// Memories by filters.
    Selection(&'o mut Selection),
    /// Numbers about one agent's memories.
    Agent(&'o mut Option<AgentId>),
    /// What all agents know of one user.
    User(&'o mut Option<UserId>),
    /// Memories by their ids.
    Memories(Vec<MemoryId>),
    /// Nothing that anybody knows.
    Nobody,
    /// A user, of whom it tells nothing.
    OwnUser(&'o mut Option<UserId>),
    /// What all agents know of everybody.
    Everybody,
}

/// The fields of a request that say whose it is.
pub(super) struct OwnerFields<'o> {
    agent: &'o mut Option<AgentId>,
    user: &'o mut Option<UserId>,
    /// Where the request can name a conversation.
    session: Option<&'o SessionId>,
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
        macro_rules! owner {
            ($request:expr) => {{
                let request = $request;
                Reach::Owner(OwnerFields {
                    agent: &mut request.agent,
                    user: &mut request.user,
                    session: None,
                })
            }};
            ($request:expr, $session:expr) => {{
                let request = $request;
                Reach::Owner(OwnerFields {
                    agent: &mut request.agent,
                    user: &mut request.user,
                    session: request.session.as_ref(),
                })
            }};
        }
        match self {
            Op::Add(request) => owner!(request, session),
            Op::Ingest(request) => Reach::Owner(OwnerFields {
                agent: &mut request.agent,
                user: &mut request.user,
                session: Some(&request.session),
            }),
            Op::CrisisReport(request) => Reach::Owner(OwnerFields {
                agent: &mut request.agent,
                user: &mut request.user,
                session: Some(&request.session),
            }),
            Op::Context(request) => owner!(request, session),
            Op::Preview(request) => owner!(request, session),
            Op::Summarize(request) => owner!(request),
            Op::SessionsList(request) => owner!(request),
            Op::SessionShow(request) => of_session(&mut request.which),
            Op::SessionEnd(request) => of_session(&mut request.which),
            Op::SessionRemove(request) => of_session(&mut request.which),
            Op::EpisodesList(request) => owner!(request, session),
            Op::EpisodeRemove(request) => owner!(request),
            Op::Transcript(request) => owner!(request, session),
            Op::MemoryStatus(request) => owner!(request),
            Op::GraphShow(request) => owner!(request),
            Op::GraphSearch(request) => owner!(request),
            Op::Search(request) => Reach::Selection(&mut request.filter),
            Op::List(request) => Reach::Selection(&mut request.filter),
            Op::Clear(request) => Reach::Selection(&mut request.filter),
            Op::Forget(request) => match request.ids.is_empty() {
                true => Reach::Selection(&mut request.filter),
                false => Reach::Memories(request.ids.clone()),
            },
            Op::Feedback(request) => match request.ids.is_empty() {
                true => owner!(request, session),
                false => Reach::Memories(request.ids.clone()),
            },
            Op::Tally(request) => Reach::Agent(&mut request.agent),
            Op::Merge(request) => Reach::Memories(request.ids.clone()),
            Op::CountUses(request) => Reach::Memories(request.ids.clone()),
            Op::Rehydrate(request) => Reach::Memories(vec![request.id.clone()]),
            Op::FeedbackList(request) => Reach::Memories(vec![request.id.clone()]),
            Op::Show(request) => Reach::Memories(vec![request.id.clone()]),
            Op::Why(request) => Reach::Memories(vec![request.id.clone()]),
            Op::Update(request) => Reach::Memories(vec![request.id.clone()]),
            Op::UpdateMany(request) => {
                Reach::Memories(request.updates.iter().map(|update| update.id.clone()).collect())
            }
            Op::History(request) => Reach::Memories(vec![request.id.clone()]),
            // Who a user is was learned by all agents, and is told to all.
            // It tells nothing of a user, and every client of theirs knows it.
            Op::TellZone(request) => Reach::OwnUser(&mut request.user),
            Op::IdentityShow(request) => Reach::User(&mut request.user),
            Op::IdentityEdit(request) => Reach::User(&mut request.user),
            Op::IdentityVersions(request) => Reach::User(&mut request.user),
            Op::IdentityRefresh(request) => Reach::User(&mut request.user),
            Op::OverrideAdd(request) => Reach::User(&mut request.user),
            Op::OverrideRemove(request) => Reach::User(&mut request.user),
            Op::Engine(_) | Op::Health(_) | Op::SettingsPut(_) => Reach::Nobody,
            Op::SettingsList(_) | Op::SettingsGet(_) | Op::SettingsSet(_) | Op::SettingsReset(_) => {
                Reach::Nobody
            }
            Op::KeyCreate(_) | Op::KeysList(_) | Op::KeyRevoke(_) | Op::KeysOpen(_) => Reach::Nobody,
            Op::AuditList(_) => Reach::Nobody,
            // A key that is bound to agents sees those alone in both.
            Op::AgentsList(_) | Op::AgentShow(_) => Reach::Nobody,
            Op::AgentCreate(_) | Op::AgentEdit(_) | Op::AgentDelete(_) | Op::AgentImport(_) => {
                Reach::Everybody
            }
            Op::Reindex(_) | Op::Relearn(_) | Op::Doctor(_) => Reach::Everybody,
            Op::Tend(_) | Op::RunsList(_) | Op::Undo(_) => Reach::Everybody,
            // Whose a record is, its hash does not tell.
            Op::CrisisList(_) | Op::CrisisRemove(_) => Reach::Everybody,
            // Kinds and numbers, of whatever was purged.
            Op::Receipts(_) => Reach::Everybody,
            // The log says of a record only which it is, and not whose.
            Op::Changes(_) => Reach::Everybody,
            Op::Stats(_) | Op::Sync(_) | Op::PendingList(_) | Op::PendingRetry(_) => Reach::Everybody,
        }
    }
}

fn of_session(which: &mut super::sessions::Which) -> Reach<'_> {
    let session = Some(&which.session);
    Reach::Owner(OwnerFields { agent: &mut which.agent, user: &mut which.user, session })
}

/// A no, with its word for the record.
pub(super) struct AccessRefusal {
    reason: &'static str,
    problem: Problem,
}

impl Services {
    /// Whether a caller may do an operation, as far as that can be told without looking at memories.
    pub(super) fn permit_operation(&self, caller: &Caller, operation: &mut Operation) -> Result<(), Problem> {
        let (name, needs) = (operation.name(), operation.needs());
        let decided = enough(caller, name, needs).and_then(|()| match operation.reach() {
            Reach::Owner(whose) => of_agent(caller, whose.agent).and_then(|()| of_user(caller, whose.user)),
            Reach::Selection(selection) => of_selection(caller, selection),
            Reach::Agent(agent) => of_agent(caller, agent),
            Reach::OwnUser(user) => of_user(caller, user),
            Reach::User(user) => of_all_agents(caller, name).and_then(|()| of_user(caller, user)),
            Reach::Everybody => of_all_agents(caller, name).and_then(|()| of_all_users(caller, name)),
            Reach::Memories(_) | Reach::Nobody => Ok(()),
        });
        self.decide(caller, name, decided)
    }

    pub(super) fn decide<T>(
        &self,
        caller: &Caller,
        what: &str,
        decided: Result<T, AccessRefusal>,
    ) -> Result<T, Problem> {
        let reason = decided.as_ref().err().map(|refusal| refusal.reason);
        self.record(caller, what, reason);
        decided.map_err(|refusal| refusal.problem)
    }

    /// Records what was decided about a caller who is known; with a reason, that it was a no.
    pub fn record(&self, caller: &Caller, what: &str, reason: Option<&str>) {
        self.tenants().audit(AccessDecision {
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
        self.tenants().audit(AccessDecision {
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

impl OpContext<'_> {
    /// With the setting `requireOwner` somebody is named, or a conversation, which is then its own owner: what is said in two
    /// of them does not meet because nobody said whose they are. The operator, who keeps the house, may ask about everybody.
    pub(super) async fn settle_owner(&self, operation: &mut Operation) -> Result<(), Problem> {
        let reads_as_operator = self.caller.role() == Role::Operator
            && !matches!(operation, Operation::Add(_) | Operation::Ingest(_));
        if reads_as_operator || !self.tenant.settings().await?.require_owner {
            return Ok(());
        }
        let (user, session) = match operation.reach() {
            Reach::Owner(whose) => (whose.user, whose.session),
            // What a key may see is not named, but it says whose it is.
            Reach::Selection(selection) if selection.bounds.user.is_some() => return Ok(()),
            Reach::Selection(selection) => (&mut selection.user, selection.session.as_ref()),
            Reach::User(user) => (user, None),
            Reach::OwnUser(_) => return Ok(()),
            Reach::Agent(_) | Reach::Memories(_) | Reach::Nobody | Reach::Everybody => return Ok(()),
        };
        settle_user(user, session)
    }

    /// What belongs to other agents or other users does not exist for a key that is bound to its own.
    pub(super) async fn hide_others(&self, operation: &mut Operation) -> Result<(), Problem> {
        let bounds = self.caller.bounds();
        if bounds.is_none() {
            return Ok(());
        }
        let name = operation.name();
        let Reach::Memories(ids) = operation.reach() else { return Ok(()) };
        let memories = self.tenant.memories(&ids).await?;
        match memories.iter().find(|memory| !bounds.admits(memory)) {
            None => Ok(()),
            Some(hidden) => {
                let owner = bounds.user.as_ref().is_none_or(|user| *user == hidden.user);
                let reason = if owner { "other_agent" } else { "other_user" };
                self.house.record(self.caller, name, Some(reason));
                Err(no_memory(&hidden.id))
            }
        }
    }
}

/// Under `requireOwner`: the user who is named, else the conversation as its own owner, else nobody and a refusal.
pub fn settle_user(user: &mut Option<UserId>, session: Option<&SessionId>) -> Result<(), Problem> {
    if user.is_some() {
        return Ok(());
    }
    let Some(session) = session else {
        let message = "neither a user nor a session is named, and the setting requireOwner asks for one";
        return Err(Problem::invalid(message).hint("say whose memory it is: name a user or a session"));
    };
    *user = Some(session.as_str().parse().map_err(Problem::ours)?);
    Ok(())
}

pub(super) fn enough(caller: &Caller, what: &str, needs: Role) -> Result<(), AccessRefusal> {
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
    Err(AccessRefusal { reason: "role", problem })
}

/// Where the caller names no agent and its key has one, that one is filled in.
pub(super) fn of_agent(caller: &Caller, named: &mut Option<AgentId>) -> Result<(), AccessRefusal> {
    let Some(allowed) = caller.agents() else { return Ok(()) };
    let refused = |reason, message: String| {
        let names: Vec<&str> = allowed.iter().map(AgentId::as_str).collect();
        let hint = format!("this key is for {}", names.join(", "));
        Err(AccessRefusal { reason, problem: Problem::new(Code::Denied, message).hint(hint) })
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

/// Filters name whom the caller may ask about, and the rest is left to the bounds: what a key implies is not what somebody
/// named, and a removal must name something.
fn of_selection(caller: &Caller, selection: &mut Selection) -> Result<(), AccessRefusal> {
    // A key of several agents says which, as everywhere.
    let mut agent = selection.agent.clone();
    of_agent(caller, &mut agent)?;
    of_user(caller, &mut selection.user.clone())?;
    selection.bounds = caller.bounds();
    Ok(())
}

pub(super) fn of_user(caller: &Caller, named: &mut Option<UserId>) -> Result<(), AccessRefusal> {
    let Some(only) = caller.user() else { return Ok(()) };
    match named {
        Some(user) if user == only => Ok(()),
        Some(user) => {
            let message = format!("this key may not speak for user {user}");
            let problem = Problem::new(Code::Denied, message).hint(format!("this key is for user {only}"));
            Err(AccessRefusal { reason: "user", problem })
        }
        None => {
            *named = Some(only.clone());
            Ok(())
        }
    }
}

fn of_all_agents(caller: &Caller, what: &str) -> Result<(), AccessRefusal> {
    if caller.agents().is_none() {
        return Ok(());
    }
    let message = format!("{what} is about all agents, and this key is bound to some");
    let problem = Problem::new(Code::Denied, message).hint("use a key that is bound to none");
    Err(AccessRefusal { reason: "agent", problem })
}

fn of_all_users(caller: &Caller, what: &str) -> Result<(), AccessRefusal> {
    let Some(only) = caller.user() else { return Ok(()) };
    let message = format!("{what} is about all users, and this key is for user {only}");
    let hint = "`recollect keys create --speaks-for-anybody` makes one that may";
    Err(AccessRefusal { reason: "user", problem: Problem::new(Code::Denied, message).hint(hint) })
}
