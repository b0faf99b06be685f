//! What can be asked of Recollect, as one closed list, and the one place that does it.
//!
//! Every surface (command line, socket, REST, MCP) builds an [`Operation`] and hands it to [`execute`]. One
//! file each holds an operation's request, its answer and how it is done; none of them knows who asked or how the
//! answer is shown. Both are plain data that survive JSON, which is how the command line lets a running server do the work.
//! [`access`] says who may. What is no plain data (files, streams, chats, backups) is a row too, in
//! [`errands`].

pub mod access;
pub mod add;
pub mod agents;
pub mod audit;
pub mod backup;
pub mod changes;
pub mod clear;
pub mod context;
pub mod crisis;
pub mod doctor;
pub mod engine;
pub mod episodes;
pub mod errands;
pub mod explain;
pub mod feedback;
pub mod forget;
pub mod graph;
pub mod history;
pub mod identity;
pub mod ingest;
pub mod keys;
pub mod list;
pub mod merge;
pub mod pending;
pub mod preview;
pub mod receipts;
pub mod rehydrate;
pub mod reindex;
pub mod relearn;
pub mod runs;
pub mod search;
pub mod select;
pub mod sessions;
pub mod settings;
pub mod show;
pub mod stats;
pub mod status;
pub mod summarize;
pub mod tally;
pub mod tend;
pub mod transcript;
pub mod update;
pub mod uses;
pub mod why;
pub mod zones;

use std::sync::Arc;

use memory::error::StoreResult;
use memory::ports::{Clock, Embedder, SpeechJudge};
use memory::recall::Recaller;
use memory::recall::context::ContextCache;
use memory::recall::gate::GateModel;
use memory::types::{AgentId, KeyBounds, MemoryId, RecordRef, TenantId, Time, UserId};
use serde::{Deserialize, Serialize};
use store::{Credential, Denied, Gauges, Holder, Pass, Role, Tenant, Tenants};

use crate::backlog::Backlog;
use crate::config::nearest;
use crate::core_model::Models;
use crate::gate;
use crate::learning::worker::Worker;
use crate::limits;
use crate::problem::{Code, Problem};
use crate::telemetry::WaitingTraces;
use tokio::sync::Semaphore;

/// What all operations share. Cheap to clone.
#[derive(Clone)]
pub struct Services {
    pub tenants: GuardedTenants,
    pub clock: Arc<dyn Clock>,
    /// Embeds questions; the store embeds what is written by the same.
    pub embedder: Option<Arc<dyn Embedder>>,
    /// Reads what people say.
    pub judge: Arc<dyn SpeechJudge>,
    /// Decides which messages need memory; without one, phrases alone decide.
    pub gate: Option<Arc<dyn GateModel>>,
    /// Contexts just made; shared, because clients ask twice over different connections.
    pub contexts: Arc<ContextCache>,
    /// A question waits until all vectors are loaded. For a command, which asks once and ends; a server's keywords answer
    /// meanwhile.
    pub waits_for_vectors: bool,
    /// Who learns in the background, where somebody does: a server. A command learns while it runs.
    pub worker: Option<Worker>,
    /// What was asked of each tenant; shared, because stats tell of all requests.
    pub tallies: Arc<tally::Tallies>,
    /// The clients of configured models; shared, because all tenants heed the same breakers.
    pub models: Arc<Models>,
    /// Which requests brought the turns that wait to be distilled; shared by those who capture and those who distil.
    pub waiting_traces: Arc<WaitingTraces>,
    /// Seats for those who listen to changes: a listener holds one for hours, so they are few.
    pub listeners: Arc<Semaphore>,
    /// What was said in chats and is not stored yet; shared, because who leaves waits for all of it.
    pub backlog: Backlog,
    /// Where clients said lately that their users are; shared, because one client uses many connections.
    pub zones: zones::ToldZones,
    /// This server's name on the way of a request, by which one that comes round is known.
    pub instance: Arc<str>,
}

/// The tenants of the house, which operations alone open. What says nothing of what anybody remembers is for all.
#[derive(Clone)]
pub struct GuardedTenants(Tenants);

impl GuardedTenants {
    pub async fn list(&self) -> Result<Vec<TenantId>, Problem> {
        Ok(self.0.list().await?)
    }

    pub fn gauges(&self) -> Gauges {
        self.0.gauges()
    }

    /// Whether somebody must show a key.
    pub async fn needs_key(&self) -> Result<bool, Problem> {
        Ok(self.0.needs_key().await?)
    }

    /// Whether keys are needed and there is none.
    pub async fn lost_its_keys(&self) -> Result<bool, Problem> {
        Ok(self.0.lost_its_keys().await?)
    }

    /// Takes a name for itself for a while, or takes it longer; false where somebody else has it.
    pub(crate) async fn lease(&self, name: &str, holder: &str, seconds: i64, now: Time) -> StoreResult<bool> {
        self.0.lease(name, holder, seconds, now).await
    }

    pub(crate) async fn release_lease(&self, name: &str, holder: &str) -> StoreResult<bool> {
        self.0.release_lease(name, holder).await
    }

    /// Leaves the stores in order.
    pub async fn close(&self) {
        self.0.close().await;
    }
}

/// Who asks: somebody whom the store let in to one tenant.
#[derive(Debug, Clone)]
pub struct Caller {
    pass: Pass,
    /// The id of the request, for the record of decisions.
    request: Option<String>,
}

/// One operation under way: the caller's tenant, opened, at one moment.
pub(crate) struct OpContext<'h> {
    pub house: &'h Services,
    pub caller: &'h Caller,
    pub tenant: Tenant,
    pub now: Time,
}

/// What an operation does to a tenant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Changes nothing, and may be asked again.
    Reads,
    /// Changes what is there.
    Changes,
    /// Makes something new, the tenant too if need be.
    Creates,
}

/// A request that knows what its answer looks like.
pub trait OperationRequest: Into<Operation> {
    type Answer;

    fn answer(outcome: Outcome) -> Option<Self::Answer>;

    /// The same, where another answer than its own can only be a mistake of ours.
    fn answer_of(outcome: Outcome) -> Result<Self::Answer, Problem> {
        Self::answer(outcome).ok_or_else(|| Problem::ours("the answer is not one to the question"))
    }
}

macro_rules! operations {
    ($( $(#[$doc:meta])* $name:ident($request:ty) -> $answer:ty, $access:ident, $role:ident, by $work:path; )+) => {
        /// Everything that can be asked.
        #[derive(Debug, Clone, Serialize, Deserialize)]
        #[serde(tag = "operation", rename_all = "snake_case")]
        pub enum Operation { $( $(#[$doc])* $name($request) ),+ }

        /// Everything that can be answered.
        #[derive(Debug, Clone, Serialize, Deserialize)]
        #[serde(tag = "outcome", rename_all = "snake_case")]
        pub enum Outcome { $( $name($answer) ),+ }

        impl Operation {
            /// Every operation's name, with the least role that may do it within its tenant.
            pub const ROLES: &'static [(&'static str, Role)] = &[$( (stringify!($name), Role::$role) ),+];

            fn usual_role(&self) -> Role {
                match self { $( Operation::$name(_) => Role::$role ),+ }
            }

            pub fn access(&self) -> Access {
                match self { $( Operation::$name(_) => Access::$access ),+ }
            }

            /// The operation's name, for logs.
            pub fn name(&self) -> &'static str {
                match self { $( Operation::$name(_) => stringify!($name) ),+ }
            }
        }

        $(
            impl From<$request> for Operation {
                fn from(request: $request) -> Operation {
                    Operation::$name(request)
                }
            }

            impl OperationRequest for $request {
                type Answer = $answer;

                fn answer(outcome: Outcome) -> Option<$answer> {
                    if let Outcome::$name(answer) = outcome { Some(answer) } else { None }
                }
            }
        )+

        async fn dispatch(visit: &OpContext<'_>, operation: Operation) -> Result<Outcome, Problem> {
            // Each on the heap: the frame of the largest would otherwise be that of all.
            match operation { $( Operation::$name(request) => Box::pin($work(visit, request)).await.map(Outcome::$name) ),+ }
        }
    };
}

operations! {
    /// Remember one thing.
    Add(add::Add) -> add::Added, Creates, Memory, by add::add;
    /// Take in a conversation that took place elsewhere.
    Ingest(ingest::Ingest) -> ingest::Ingested, Creates, Memory, by ingest::ingest;
    /// Tell where a user is.
    TellZone(zones::TellZone) -> zones::ZoneTold, Creates, Memory, by zones::tell;
    /// What a message would get to know.
    Context(context::ContextOperation) -> context::Contextual, Reads, Read, by context::context;
    /// Find what is remembered about something.
    Search(search::Search) -> search::SearchResults, Reads, Read, by search::search;
    /// Count that memories were served for a message.
    CountUses(uses::CountUses) -> uses::UsesCounted, Changes, Memory, by uses::count_uses;
    /// Page through what is remembered.
    List(list::ListMemories) -> list::MemoriesListed, Reads, Read, by list::list;
    /// One memory with everything known about it.
    Show(show::Show) -> Box<show::Shown>, Reads, Read, by show::show;
    /// Why a memory is there.
    Why(why::Why) -> Box<why::Explained>, Reads, Read, by why::why;
    /// Change a memory.
    Update(Box<update::Update>) -> update::Updated, Changes, Memory, by update::update;
    /// Change several memories, all or none.
    UpdateMany(update::UpdateMany) -> update::UpdatedMany, Changes, Memory, by update::update_many;
    /// Remove memories, or say what would be removed.
    Forget(forget::Forget) -> forget::Forgotten, Changes, Memory, by forget::forget;
    /// What purges said of themselves.
    Receipts(receipts::Receipts) -> receipts::ReceiptsListed, Reads, Read, by receipts::list;
    /// Remove everything that matches, or count it.
    Clear(clear::Clear) -> clear::Cleared, Changes, Memory, by clear::clear;
    /// Say what became of memories that were recalled.
    Feedback(feedback::Feedback) -> feedback::FeedbackTaken, Changes, Memory, by feedback::feedback;
    /// What was said of a memory's use.
    FeedbackList(feedback::FeedbackList) -> feedback::FeedbackListed, Reads, Read, by feedback::list;
    /// Make one memory of several.
    Merge(merge::Merge) -> merge::Merged, Changes, Memory, by merge::merge;
    /// Take old memories together.
    Summarize(summarize::Summarize) -> summarize::Summarized, Changes, Memory, by summarize::summarize;
    /// What would be retrieved for a question, and which way.
    Preview(preview::Preview) -> preview::Previewed, Reads, Read, by preview::preview;
    /// How much there is by layer, and how often asking found something.
    Tally(tally::Tally) -> tally::TallyReport, Reads, Read, by tally::tally;
    /// How the engines behind search are.
    Engine(engine::Engine) -> engine::EngineStatus, Reads, Read, by engine::status;
    /// Whether what is written can be found.
    Health(engine::Health) -> engine::Healthy, Reads, Read, by engine::health;
    /// Make vectors that are missing, or all of them anew.
    Reindex(reindex::Reindex) -> reindex::Reindexing, Changes, Admin, by reindex::reindex;
    /// Read what was said once more, with today's learner, or say what that would change.
    Relearn(relearn::Relearn) -> relearn::Relearned, Changes, Admin, by relearn::relearn;
    /// Keep memory up now, or say what that would do.
    Tend(tend::Tend) -> Box<tend::Tended>, Changes, Memory, by tend::tend;
    /// What is wrong with a store, and putting it right.
    Doctor(doctor::Doctor) -> Box<doctor::Diagnosis>, Changes, Admin, by doctor::doctor;
    /// What was done as a whole.
    RunsList(runs::RunsList) -> runs::RunsListed, Reads, Read, by runs::list;
    /// Take back what was done as a whole.
    Undo(runs::Undo) -> runs::UndoneRun, Changes, Memory, by runs::undo;
    /// What a memory said before it was shortened.
    Rehydrate(rehydrate::Rehydrate) -> rehydrate::Rehydrated, Reads, Read, by rehydrate::rehydrate;
    /// What happened to a memory.
    History(history::History) -> history::MemoryHistory, Reads, Read, by history::history;
    /// How much there is of everything.
    Stats(stats::Stats) -> Box<stats::StatsReport>, Reads, Read, by stats::stats;
    /// Page through conversations, the latest first.
    SessionsList(sessions::SessionsList) -> sessions::SessionsListed, Reads, Read, by sessions::list;
    /// One conversation with what it came to.
    SessionShow(sessions::SessionShow) -> Box<sessions::SessionShown>, Reads, Read, by sessions::show;
    /// A conversation is over: learn from it what there is to learn.
    SessionEnd(sessions::SessionEnd) -> sessions::Passed, Changes, Memory, by sessions::end;
    /// Take away a conversation's digest.
    SessionRemove(episodes::SessionRemove) -> episodes::EpisodeRemoved, Changes, Memory, by episodes::remove_of;
    /// Page through digests of conversations, the latest first.
    EpisodesList(episodes::EpisodesList) -> episodes::EpisodesListed, Reads, Read, by episodes::list;
    EpisodeRemove(episodes::EpisodeRemove) -> episodes::EpisodeRemoved, Changes, Memory, by episodes::remove;
    /// What was said, word for word.
    Transcript(transcript::Transcript) -> transcript::TurnsListed, Reads, Read, by transcript::list;
    /// How much is remembered of somebody, and how.
    MemoryStatus(status::MemoryStatus) -> Box<status::MemoryState>, Reads, Read, by status::status;
    /// What was changed, commit by commit.
    Changes(changes::Changes) -> changes::ChangesListed, Reads, Read, by changes::changes;
    /// Learn now from everything that waits.
    Sync(pending::Sync) -> pending::Synced, Changes, Memory, by pending::sync;
    /// What waits to be learned from, and what failed.
    PendingList(pending::PendingList) -> pending::PendingListed, Reads, Read, by pending::list;
    /// Try again what failed too often.
    PendingRetry(pending::PendingRetry) -> pending::Synced, Changes, Memory, by pending::retry;
    /// The knowledge graph around a name.
    GraphShow(graph::GraphShow) -> memory::graph::Subgraph, Reads, Read, by graph::show;
    /// The knowledge graph by a relation.
    GraphSearch(graph::GraphSearch) -> memory::graph::Subgraph, Reads, Read, by graph::search;
    /// Who a user is: the profile and the overrides.
    IdentityShow(identity::IdentityShow) -> Box<memory::types::Identity>, Reads, Read, by identity::show;
    /// Write the profile, or hand it back.
    IdentityEdit(identity::IdentityEdit) -> Box<identity::ProfileChanged>, Creates, Memory, by identity::edit;
    IdentityVersions(identity::IdentityVersions) -> identity::VersionsListed, Reads, Read, by identity::versions;
    /// Generate the profile now.
    IdentityRefresh(identity::IdentityRefresh) -> Box<identity::ProfileChanged>, Changes, Memory, by identity::refresh;
    /// Say always that something is so.
    OverrideAdd(identity::OverrideAdd) -> Box<identity::OverrideAdded>, Creates, Memory, by identity::override_add;
    OverrideRemove(identity::OverrideRemove) -> Box<memory::types::Override>, Changes, Memory, by identity::override_remove;
    /// Which assistants there are.
    AgentsList(agents::AgentsList) -> agents::AgentsListed, Reads, Read, by agents::list;
    /// One assistant, its character and what follows from it.
    AgentShow(agents::AgentShow) -> Box<agents::AgentShown>, Reads, Read, by agents::show;
    /// Say who an assistant is.
    AgentCreate(agents::AgentCreate) -> Box<agents::AgentShown>, Creates, Admin, by agents::create;
    /// Change what is said about an assistant.
    AgentEdit(agents::AgentEdit) -> Box<agents::AgentShown>, Changes, Admin, by agents::edit;
    /// Take away what is said about an assistant, and nothing else.
    AgentDelete(agents::AgentDelete) -> agents::AgentDeleted, Changes, Admin, by agents::delete;
    /// Read in an assistant's own file.
    AgentImport(agents::AgentImport) -> Box<agents::AgentImported>, Creates, Admin, by agents::import;
    SettingsList(settings::SettingsList) -> settings::SettingsListed, Reads, Read, by settings::list;
    SettingsGet(settings::SettingsGet) -> settings::SettingValue, Reads, Read, by settings::get;
    SettingsSet(settings::SettingsSet) -> settings::SettingValue, Creates, Admin, by settings::set;
    /// Change several, all or none.
    SettingsPut(settings::SettingsPut) -> settings::SettingsListed, Creates, Admin, by settings::put_all;
    SettingsReset(settings::SettingsReset) -> settings::SettingValue, Changes, Admin, by settings::reset;
    /// Make a key; its secret is shown once.
    KeyCreate(keys::KeyCreate) -> Box<keys::KeyCreated>, Creates, Admin, by keys::create;
    KeysList(keys::KeysList) -> keys::KeysListed, Reads, Admin, by keys::list;
    /// Let this machine in without a key again.
    KeysOpen(keys::KeysOpen) -> keys::KeysOpened, Changes, Operator, by keys::open;
    KeyRevoke(keys::KeyRevoke) -> Box<keys::KeyRevoked>, Changes, Admin, by keys::revoke;
    /// Who was let in to what, and who was not.
    AuditList(audit::AuditList) -> audit::AuditListed, Reads, Admin, by audit::list;
    /// Record that somebody spoke of harm to themselves, apart from memory.
    CrisisReport(crisis::CrisisReport) -> crisis::CrisisReported, Creates, Memory, by crisis::report;
    CrisisList(crisis::CrisisList) -> crisis::CrisesListed, Reads, Admin, by crisis::list;
    CrisisRemove(crisis::CrisisRemove) -> crisis::CrisisRemoved, Changes, Admin, by crisis::remove;
}

/// Does an operation for a caller who may.
pub async fn execute(
    house: &Services,
    caller: &Caller,
    mut operation: Operation,
) -> Result<Outcome, Problem> {
    house.permit_operation(caller, &mut operation)?;
    if operation.access() != Access::Reads {
        let done = done(house, caller, operation).await;
        house.wrote(caller.tenant());
        return done;
    }
    // All of its reads on one thread.
    let (house, caller) = (house.clone(), caller.clone());
    store::on_blocking_thread(async move { done(&house, &caller, operation).await }).await
}

async fn done(house: &Services, caller: &Caller, mut operation: Operation) -> Result<Outcome, Problem> {
    let visit = house.enter(caller, operation.access()).await?;
    visit.settle_owner(&mut operation).await?;
    visit.hide_others(&mut operation).await?;
    dispatch(&visit, operation).await
}

impl Caller {
    pub fn tenant(&self) -> &TenantId {
        self.pass.tenant()
    }

    pub fn role(&self) -> Role {
        self.pass.role()
    }

    /// The only agents that the caller may speak for; none means all.
    pub fn agents(&self) -> Option<&[AgentId]> {
        self.pass.agents()
    }

    /// The only user that the caller may speak for; none means anybody.
    pub fn user(&self) -> Option<&UserId> {
        self.pass.user()
    }

    /// How far the caller sees, whatever is asked.
    pub fn bounds(&self) -> KeyBounds {
        self.pass.bounds()
    }

    /// Whether one person is meant where nobody is named: who sits at this machine and needs no key.
    pub fn is_one_person(&self) -> bool {
        !matches!(self.pass.holder(), Holder::Key(_))
    }

    /// A key's id, `loopback` or `operator`.
    pub fn holder(&self) -> &str {
        self.pass.holder().as_str()
    }

    /// The same caller, asking in a request that has this id.
    pub fn in_request(self, id: Option<&str>) -> Self {
        Self { request: id.map(str::to_owned), ..self }
    }
}

impl Services {
    pub fn new(tenants: Tenants, embedder: Option<Arc<dyn Embedder>>) -> Self {
        let (clock, contexts): (Arc<dyn Clock>, _) = (tenants.clock(), Arc::default());
        let instance = clock.uuid().simple().to_string().into();
        Self {
            tenants: GuardedTenants(tenants),
            clock,
            embedder,
            judge: Arc::new(models::BuiltinJudge::default()),
            gate: gate::builtin(),
            contexts,
            waits_for_vectors: false,
            worker: None,
            tallies: Arc::default(),
            models: Arc::default(),
            waiting_traces: Arc::default(),
            listeners: Arc::new(Semaphore::new(crate::limits::FOLLOWERS)),
            backlog: Backlog::default(),
            zones: zones::ToldZones::default(),
            instance,
        }
    }

    /// Lets somebody in who shows a credential.
    pub async fn admit(&self, credential: Credential) -> Result<Caller, Problem> {
        self.authenticate(credential).await.map_err(Problem::from)
    }

    /// The same, with what the store says where it does not.
    pub(crate) async fn authenticate(&self, credential: Credential) -> Result<Caller, Denied> {
        let pass = self.tenants().authenticate_at(credential, self.clock.now()).await?;
        Ok(Caller { pass, request: None })
    }

    /// Does an operation for a caller, and gives the answer that belongs to it.
    pub async fn ask<R: OperationRequest>(&self, caller: &Caller, request: R) -> Result<R::Answer, Problem> {
        R::answer_of(execute(self, caller, request.into()).await?)
    }

    /// A tenant, opened for who works on it unasked: learning and upkeep. Who asks for something goes through the table.
    pub async fn attend(&self, tenant: &TenantId) -> Result<Tenant, Problem> {
        let caller = self.admit(Credential::Operator { tenant: tenant.clone() }).await?;
        Ok(self.tenants().open(&caller.pass).await?)
    }

    /// The caller's tenant, opened for what was permitted.
    async fn enter<'h>(&'h self, caller: &'h Caller, access: Access) -> Result<OpContext<'h>, Problem> {
        // Who has a key has its tenant too, and is told nothing of others.
        if access != Access::Creates && caller.role() == Role::Operator {
            self.must_know(caller.tenant()).await?;
        }
        let tenant = self.tenants().open(&caller.pass).await?;
        Ok(OpContext { house: self, caller, tenant, now: self.clock.now() })
    }

    /// Something was written in a tenant: what is done about it afterwards is the worker's, where there is one.
    pub(crate) fn wrote(&self, tenant: &TenantId) {
        if let Some(worker) = &self.worker {
            worker.written(tenant);
        }
    }

    fn tenants(&self) -> &Tenants {
        &self.tenants.0
    }

    /// A name for a lease: this process and this once, so that two tasks of one process exclude each other too.
    pub fn holder(&self) -> String {
        format!("process {} {}", std::process::id(), self.clock.uuid().simple())
    }

    /// A slip of the pen must not make a tenant. The one of this machine exists as soon as it is asked for.
    async fn must_know(&self, tenant: &TenantId) -> Result<(), Problem> {
        if *tenant == TenantId::local() || self.tenants().exists(tenant).await? {
            return Ok(());
        }
        let known = self.tenants().list().await?;
        let names: Vec<&str> = known.iter().map(TenantId::as_str).take(limits::TENANTS_NAMED).collect();
        let hint = match nearest(tenant.as_str(), names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if names.is_empty() => "there are no tenants yet; adding something makes one".to_owned(),
            None if names.len() < known.len() => {
                format!("{} exist, among them {}", known.len(), names.join(", "))
            }
            None => format!("known are {}", names.join(", ")),
        };
        Err(Problem::new(Code::UnknownTenant, format!("there is no tenant `{tenant}`")).hint(hint))
    }
}

impl OpContext<'_> {
    fn memory_id(&self) -> MemoryId {
        MemoryId::from_uuid(self.house.clock.uuid())
    }

    /// The read path's tools for this tenant.
    async fn recaller(&self) -> Result<Recaller, Problem> {
        if self.house.waits_for_vectors && self.house.embedder.is_some() {
            self.tenant.load_vectors().await?;
        }
        self.house.recaller(&self.tenant).await
    }
}

fn no_memory(id: &MemoryId) -> Problem {
    let of = RecordRef::memory(id);
    Problem::new(Code::NotFound, format!("there is no {of}")).hint("`recollect list` shows what there is")
}
