//! Read what was said once more, with today's learner.
//!
//! For each user the stored turns go through the write path again, in a store in memory that begins with what people touched; how that
//! differs from what stands is decided by [`memory::learn::relearn`] and written as one run, which `undo` takes back. Turns that still wait to be
//! learned from are left to the ordinary way. No model is asked: a machine that was paid to read them is not paid again. One process at a time does it,
//! by the lease of upkeep.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use memory::error::{StoreError, StoreResult};
use memory::learn::capture;
use memory::learn::relearn::{
    JOB, LEARNER_MARK, LEARNER_VERSION, RelearnEffect, RelearnPlan, RelearnedRecords, ReplayClock,
    StandingRecords, differences,
};
use memory::learn::session_pass::{Learner, PassTrigger};
use memory::limits::{BATCH_CHANGES, PAGE_ROWS, PASS_TURNS};
use memory::ports::{ReadStore, WriteStore};
use memory::text::fold;
use memory::toolkit::Toolkit;
use memory::types::{
    Actor, Batch, Change, EpisodeId, Filter, Job, Memory, MemoryId, Node, Order, PageRequest, Record,
    RecordKind, RecordRef, Run, RunId, RunState, Session, Status, Turn, TurnId, UserId,
};
use serde::{Deserialize, Serialize};
use store::Tenant;

use super::{GuardedTenants, OpContext, Services};
use crate::limits;
use crate::problem::{Code, Problem};
use crate::tending;

/// All pages of a list, the oldest first.
macro_rules! every_page {
    ($tenant:expr, $list:ident, $filter:expr) => {{
        let mut all = Vec::new();
        loop {
            let page =
                PageRequest { limit: PAGE_ROWS, offset: all.len(), order: Order::Oldest, counted: false };
            let some = $tenant.$list($filter, page).await?.items;
            let last = some.len() < PAGE_ROWS;
            all.extend(some);
            if last {
                break all;
            }
        }
    }};
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Relearn {
    /// Only this user's conversations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<UserId>,
    /// Only say what would be changed.
    pub dry_run: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Relearned {
    pub dry_run: bool,
    pub users: usize,
    pub sessions: usize,
    /// Turns that were read.
    pub turns: usize,
    /// Memories that are new.
    pub added: usize,
    /// Memories that hold otherwise, or at another time, than was thought.
    pub changed: usize,
    /// Memories that today's learner would not learn; they are archived.
    pub retired: usize,
    /// Memories that would be learned just as they stand.
    pub unchanged: usize,
    /// Memories that a person touched, or a model or another program made; they stay.
    pub kept: usize,
    pub digests: usize,
    pub entities: usize,
    /// What can be undone as a whole; nothing where nothing was changed.
    #[schema(required)]
    pub run_id: Option<String>,
    /// The first of what is changed.
    pub examples: Vec<RelearnExample>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct RelearnExample {
    /// `added`, `changed`, `retired`, `digest` or `entity`.
    pub effect: String,
    pub text: String,
}

pub(super) async fn relearn(visit: &OpContext<'_>, request: Relearn) -> Result<Relearned, Problem> {
    let Some(lease) = tending::lease(visit.house, &visit.tenant).await? else {
        let message = "upkeep, an undo or another reading is at work on this tenant";
        return Err(Problem::new(Code::Busy, message).hint("try again when it is done"));
    };
    let work = RelearnWork { house: visit.house, tenant: &visit.tenant, request };
    let done = lease.during(work.all()).await?;
    lease.give_back().await?;
    let lost = || Problem::new(Code::Busy, "another process took over").hint("ask again");
    done.ok_or_else(lost)?
}

/// Whether a tenant holds conversations that an older learner read.
pub async fn is_offered(tenant: &Tenant) -> StoreResult<bool> {
    let read_by = tenant.job(LEARNER_MARK).await?.and_then(|job| job.mark);
    if read_by.as_deref() == Some(LEARNER_VERSION) {
        return Ok(false);
    }
    Ok(!tenant.list_sessions(&Filter::ever(), PageRequest::first(1)).await?.items.is_empty())
}

struct RelearnWork<'w> {
    house: &'w Services,
    tenant: &'w Tenant,
    request: Relearn,
}

impl RelearnWork<'_> {
    async fn all(&self) -> Result<Relearned, Problem> {
        let mut done = Relearned { dry_run: self.request.dry_run, ..Relearned::default() };
        let mut run = None;
        for (user, sessions) in self.sessions().await? {
            done.users += 1;
            done.sessions += sessions.len();
            self.user(&user, &sessions, &mut done, &mut run).await?;
        }
        if let Some(run) = run {
            done.run_id = Some(run.id.as_str().to_owned());
            self.end(run, &done).await?;
        }
        if !self.request.dry_run && self.request.user.is_none() {
            let now = self.house.clock.now();
            let mark = Some(LEARNER_VERSION.to_owned());
            let job = Job { name: LEARNER_MARK.to_owned(), due_at: now, last_run_at: Some(now), mark };
            self.tenant.apply(Batch::new(Actor::Tend, now).with(Change::PutJob { job })).await?;
        }
        Ok(done)
    }

    /// The conversations of each user, in the order in which they ended.
    async fn sessions(&self) -> StoreResult<BTreeMap<UserId, Vec<Session>>> {
        let filter = Filter { user: self.request.user.clone(), ..Filter::ever() };
        let all = every_page!(self.tenant, list_sessions, &filter);
        let mut by_user: BTreeMap<UserId, Vec<Session>> = BTreeMap::new();
        for session in all {
            by_user.entry(session.key.user.clone()).or_default().push(session);
        }
        for sessions in by_user.values_mut() {
            sessions
                .sort_by(|left, right| (left.last_turn_at, &left.key).cmp(&(right.last_turn_at, &right.key)));
        }
        Ok(by_user)
    }

    async fn user(
        &self,
        user: &UserId,
        sessions: &[Session],
        done: &mut Relearned,
        run: &mut Option<Run>,
    ) -> Result<(), Problem> {
        let mut lost = 0;
        loop {
            let said = self.said(sessions).await?;
            let turns: HashSet<TurnId> =
                said.iter().flat_map(|(_, turns)| turns).map(|turn| turn.id.clone()).collect();
            let standing = self.standing(user).await?;
            let read = self.read_again(&standing, &said, turns).await?;
            let now = self.house.clock.now();
            let plan = differences(&standing, &read, self.tenant.analyser(), now);
            match self.write(&plan, run).await {
                Err(StoreError::Conflict { .. } | StoreError::NotFound(_))
                    if lost < limits::RELEARN_RACES =>
                {
                    lost += 1
                }
                Err(error) => return Err(error.into()),
                Ok(()) => {
                    done.turns += read.turns.len();
                    done.kept += standing.kept(&read.turns).len();
                    done.count(&plan);
                    if !plan.changes.is_empty() && !self.request.dry_run {
                        self.refresh_profile(user).await?;
                    }
                    return Ok(());
                }
            }
        }
    }

    /// What was said and has been learned from already.
    async fn said<'s>(&self, sessions: &'s [Session]) -> StoreResult<Vec<(&'s Session, Vec<Turn>)>> {
        let mut said = Vec::new();
        for session in sessions {
            let waiting = self.tenant.pending_of(&session.key).await?;
            let waiting: HashSet<TurnId> = waiting.into_iter().map(|turn| turn.turn).collect();
            let mut turns: Vec<Turn> = Vec::new();
            let mut from = 0;
            loop {
                let some = self.tenant.session_turns(&session.key, from, PASS_TURNS).await?;
                let Some(last) = some.last() else { break };
                from = last.index + 1;
                turns.extend(some.into_iter().filter(|turn| !waiting.contains(&turn.id)));
            }
            said.push((session, turns));
        }
        Ok(said)
    }

    /// Everything that stands of a user, and who had a hand in it.
    async fn standing(&self, user: &UserId) -> StoreResult<StandingRecords> {
        let statuses = vec![Status::Active, Status::Superseded, Status::Archived, Status::Deleted];
        let filter = Filter { user: Some(user.clone()), statuses, ..Filter::ever() };
        let memories = every_page!(self.tenant, list_memories, &filter);
        let episodes = every_page!(self.tenant, list_episodes, &filter);
        let entities = every_page!(self.tenant, list_entities, &filter);
        let mut of_people = HashSet::new();
        let mut tended = HashSet::new();
        for some in memories.chunks(PAGE_ROWS) {
            let ids: Vec<String> = some.iter().map(|memory| memory.id.as_str().to_owned()).collect();
            of_people.extend(self.tenant.touched_by_people(RecordKind::Memory, &ids).await?);
            let named: Vec<MemoryId> = some.iter().map(|memory| memory.id.clone()).collect();
            let judged = self.tenant.feedback_of(&named, PAGE_ROWS).await?;
            of_people.extend(judged.into_iter().map(|entry| entry.memory.as_str().to_owned()));
            for memory in some.iter().filter(|memory| memory.status != Status::Active) {
                let events = self.tenant.history(&RecordRef::memory(&memory.id)).await?;
                if events.last().is_some_and(|event| event.by == Actor::Tend) {
                    tended.insert(memory.id.clone());
                }
            }
        }
        for (kind, ids) in [
            (RecordKind::Episode, episodes.iter().map(|one| one.id.as_str().to_owned()).collect::<Vec<_>>()),
            (RecordKind::Entity, entities.iter().map(|one| one.id.as_str().to_owned()).collect()),
        ] {
            for some in ids.chunks(PAGE_ROWS) {
                of_people.extend(self.tenant.touched_by_people(kind, some).await?);
            }
        }
        let sources = sources(self.tenant, &memories).await?;
        let mut said_before: HashMap<MemoryId, HashSet<String>> = HashMap::new();
        for memory in memories.iter().filter(|memory| of_people.contains(memory.id.as_str())) {
            let events = self.tenant.history(&RecordRef::memory(&memory.id)).await?;
            let said = events.into_iter().filter_map(|event| match event.before {
                Some(Record::Memory(before)) => Some(fold(&before.content)),
                _ => None,
            });
            said_before.insert(memory.id.clone(), said.collect());
        }
        Ok(StandingRecords { memories, of_people, said_before, tended, sources, episodes, entities })
    }

    /// Lets the turns go through the write path again, beside what may not be replaced.
    async fn read_again(
        &self,
        standing: &StandingRecords,
        said: &[(&Session, Vec<Turn>)],
        turns: HashSet<TurnId>,
    ) -> Result<RelearnedRecords, Problem> {
        let clock = Arc::new(ReplayClock::new(Arc::clone(&self.house.clock)));
        let tenants = self.house.tenants().beside_in_memory(clock.clone())?;
        let house = Services {
            tenants: GuardedTenants(tenants),
            clock: clock.clone(),
            worker: None,
            ..self.house.clone()
        };
        let beside = house.attend(self.tenant.id()).await?;
        self.seed(&beside, standing, &turns).await?;
        if house.embedder.is_some() {
            beside.load_vectors().await?;
        }
        let tools = house.tools_under(&beside, self.tenant.settings().await?);
        let learner = Learner { tools: Toolkit { model: None, ..tools } };
        for (session, turns) in said {
            for some in turns.chunks(PASS_TURNS / 2) {
                let Some(last) = some.last() else { continue };
                clock.set(last.at);
                capture::append(&beside, some.to_vec(), true, session.agent_only, last.at).await?;
                let over = session.ended_at.is_some() && some.last() == turns.last();
                let trigger = if over { PassTrigger::End } else { PassTrigger::Debounce };
                learner.pass(&session.key, trigger).await?;
            }
        }
        let read = harvest(&beside, turns).await?;
        drop(learner);
        house.tenants.close().await;
        Ok(read)
    }

    /// What the reading begins with: agents, and memories that stay whatever is read.
    async fn seed(
        &self,
        beside: &Tenant,
        standing: &StandingRecords,
        turns: &HashSet<TurnId>,
    ) -> StoreResult<()> {
        let now = self.house.clock.now();
        let kept = standing.kept(turns).into_iter();
        let records: Vec<memory::types::Record> = kept
            .map(|memory| Memory { version: 1, superseded_by: None, ..memory.clone() }.into())
            .chain(self.tenant.agents().await?.into_iter().map(Into::into))
            .collect();
        for some in records.chunks(BATCH_CHANGES / 2) {
            let batch = Batch::new(Actor::Person, now);
            let batch = some.iter().cloned().fold(batch, |batch, record| batch.insert(record));
            beside.apply(batch).await?;
        }
        Ok(())
    }

    async fn write(&self, plan: &RelearnPlan, run: &mut Option<Run>) -> StoreResult<()> {
        if self.request.dry_run || plan.changes.is_empty() {
            return Ok(());
        }
        let now = self.house.clock.now();
        let run = match run {
            Some(run) => run,
            None => {
                let begun = Run {
                    id: RunId::from_uuid(self.house.clock.uuid()),
                    version: 1,
                    job: JOB.to_owned(),
                    state: RunState::Running,
                    cursor: None,
                    counts: serde_json::Map::new(),
                    started_at: now,
                    finished_at: None,
                };
                self.tenant.apply(Batch::new(Actor::Heuristic, now).insert(begun.clone())).await?;
                run.insert(begun)
            }
        };
        for some in plan.changes.chunks(BATCH_CHANGES / 2) {
            let mut batch = Batch::new(Actor::Heuristic, now).in_run(run.id.clone()).because("read again");
            batch.changes = some.to_vec();
            self.tenant.apply(batch).await?;
        }
        Ok(())
    }

    async fn end(&self, run: Run, done: &Relearned) -> StoreResult<()> {
        let now = self.house.clock.now();
        let counts = [
            ("sessions", done.sessions),
            ("added", done.added),
            ("changed", done.changed),
            ("retired", done.retired),
            ("digests", done.digests),
        ];
        let counts = counts.into_iter().map(|(name, count)| (name.to_owned(), count.into())).collect();
        let run = Run { state: RunState::Done, finished_at: Some(now), counts, ..run };
        self.tenant.apply(Batch::new(Actor::Heuristic, now).replace(run)).await.map(drop)
    }

    async fn refresh_profile(&self, user: &UserId) -> Result<(), Problem> {
        let mut learner = self.house.learner(self.tenant).await?;
        learner.tools.model = None;
        if let Err(error) = learner.refresh_identity(user).await {
            tracing::warn!(%error, "the identity could not be refreshed");
        }
        Ok(())
    }
}

impl Relearned {
    fn count(&mut self, plan: &RelearnPlan) {
        self.unchanged += plan.unchanged;
        for (effect, text) in &plan.effects {
            let (name, count) = match effect {
                RelearnEffect::Added => ("added", &mut self.added),
                RelearnEffect::Changed => ("changed", &mut self.changed),
                RelearnEffect::Retired => ("retired", &mut self.retired),
                RelearnEffect::Digest => ("digest", &mut self.digests),
                RelearnEffect::Entity => ("entity", &mut self.entities),
            };
            *count += 1;
            if self.examples.len() < limits::RELEARN_EXAMPLES {
                self.examples.push(RelearnExample { effect: name.to_owned(), text: text.clone() });
            }
        }
    }
}

/// What the reading came to.
async fn harvest(beside: &Tenant, turns: HashSet<TurnId>) -> StoreResult<RelearnedRecords> {
    let statuses = vec![Status::Active, Status::Superseded, Status::Archived, Status::Deleted];
    let filter = Filter { statuses, ..Filter::ever() };
    let memories = every_page!(beside, list_memories, &filter);
    let episodes = every_page!(beside, list_episodes, &filter);
    let entities = every_page!(beside, list_entities, &filter);
    let sources = sources(beside, &memories).await?;
    let mut episode_sources: HashMap<EpisodeId, Vec<TurnId>> = HashMap::new();
    for episode in &episodes {
        let parents = beside.parents(&Node::Episode(episode.id.clone())).await?;
        episode_sources.insert(episode.id.clone(), turns_of(parents));
    }
    Ok(RelearnedRecords { memories, sources, episodes, episode_sources, entities, turns })
}

/// The turns that memories were learned from.
async fn sources(tenant: &Tenant, memories: &[Memory]) -> StoreResult<HashMap<MemoryId, Vec<TurnId>>> {
    let mut sources: HashMap<MemoryId, Vec<TurnId>> = HashMap::new();
    for some in memories.chunks(PAGE_ROWS) {
        let nodes: Vec<Node> = some.iter().map(|memory| Node::Memory(memory.id.clone())).collect();
        for (child, parent) in tenant.parents_of(&nodes).await? {
            if let (Node::Memory(child), Node::Turn(turn)) = (child, parent) {
                sources.entry(child).or_default().push(turn);
            }
        }
    }
    Ok(sources)
}

fn turns_of(nodes: Vec<Node>) -> Vec<TurnId> {
    let turns = nodes.into_iter().filter_map(|node| match node {
        Node::Turn(turn) => Some(turn),
        _ => None,
    });
    turns.collect()
}
