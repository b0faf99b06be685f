//! What can be asked of Recollect, as one closed list, and the one place that does it.
//!
//! Every surface (command line, socket, REST, later MCP) builds an [`Operation`] and hands it to [`execute`]. One
//! file each holds an operation's request, its answer and how it is done; none of them knows who asked or how the
//! answer is shown. Both are plain data that survive JSON, which is how the command line lets a running server do the work.

pub mod add;
pub mod context;
pub mod explain;
pub mod forget;
pub mod graph;
pub mod history;
pub mod ingest;
pub mod list;
pub mod pending;
pub mod search;
pub mod select;
pub mod sessions;
pub mod settings;
pub mod show;
pub mod stats;
pub mod update;
pub mod why;

use std::sync::Arc;

use memory::ports::{Clock, Embedder};
use memory::recall::Recaller;
use memory::recall::context::ContextCache;
use memory::recall::gate::Learned;
use memory::types::{MemoryId, RecordRef, TenantId, Time};
use serde::{Deserialize, Serialize};
use store::{Credential, Denied, Pass, SystemClock, Tenant, Tenants};

use crate::config::nearest;
use crate::gate;
use crate::learning::worker::Worker;
use crate::limits;
use crate::problem::{Code, Problem};

/// What all operations share. Cheap to clone.
#[derive(Clone)]
pub struct House {
    pub tenants: Tenants,
    pub clock: Arc<dyn Clock>,
    /// Embeds questions; the store embeds what is written by the same.
    pub embedder: Option<Arc<dyn Embedder>>,
    /// Decides which messages need memory; without one, phrases alone decide.
    pub gate: Option<Arc<dyn Learned>>,
    /// Contexts just made; shared, because clients ask twice over different connections.
    pub contexts: Arc<ContextCache>,
    /// A question waits until all vectors are loaded. For a command, which asks once and ends; a server's keywords answer
    /// meanwhile.
    pub waits_for_vectors: bool,
    /// Who learns in the background, where somebody does: a server. A command learns while it runs.
    pub worker: Option<Worker>,
}

/// Who asks: somebody whom the store let in to one tenant.
pub struct Caller {
    pass: Pass,
}

/// One operation under way: the caller's tenant, opened, at one moment.
pub(crate) struct Visit<'h> {
    pub house: &'h House,
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
pub trait Request: Into<Operation> {
    type Answer;

    fn answer(outcome: Outcome) -> Option<Self::Answer>;
}

macro_rules! operations {
    ($( $(#[$doc:meta])* $name:ident($request:ty) -> $answer:ty, $access:ident, by $work:path; )+) => {
        /// Everything that can be asked.
        #[derive(Debug, Clone, Serialize, Deserialize)]
        #[serde(tag = "operation", rename_all = "snake_case")]
        pub enum Operation { $( $(#[$doc])* $name($request) ),+ }

        /// Everything that can be answered.
        #[derive(Debug, Clone, Serialize, Deserialize)]
        #[serde(tag = "outcome", rename_all = "snake_case")]
        pub enum Outcome { $( $name($answer) ),+ }

        impl Operation {
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

            impl Request for $request {
                type Answer = $answer;

                fn answer(outcome: Outcome) -> Option<$answer> {
                    if let Outcome::$name(answer) = outcome { Some(answer) } else { None }
                }
            }
        )+

        async fn dispatch(visit: &Visit<'_>, operation: Operation) -> Result<Outcome, Problem> {
            match operation { $( Operation::$name(request) => $work(visit, request).await.map(Outcome::$name) ),+ }
        }
    };
}

operations! {
    /// Remember one thing.
    Add(add::Add) -> add::Added, Creates, by add::add;
    /// Take in a conversation that took place elsewhere.
    Ingest(ingest::Ingest) -> ingest::Ingested, Creates, by ingest::ingest;
    /// What a message would get to know.
    Context(context::Context) -> context::Contextual, Reads, by context::context;
    /// Find what is remembered about something.
    Search(search::Search) -> search::Found, Reads, by search::search;
    /// Page through what is remembered.
    List(list::List) -> list::Listed, Reads, by list::list;
    /// One memory with everything known about it.
    Show(show::Show) -> Box<show::Shown>, Reads, by show::show;
    /// Why a memory is there.
    Why(why::Why) -> Box<why::Explained>, Reads, by why::why;
    /// Change a memory.
    Update(Box<update::Update>) -> update::Updated, Changes, by update::update;
    /// Remove memories, or say what would be removed.
    Forget(forget::Forget) -> forget::Forgotten, Changes, by forget::forget;
    /// What happened to a memory.
    History(history::History) -> history::Happened, Reads, by history::history;
    /// How much there is of everything.
    Stats(stats::Stats) -> Box<stats::Counted>, Reads, by stats::stats;
    /// Page through conversations, the latest first.
    SessionsList(sessions::SessionsList) -> sessions::SessionsListed, Reads, by sessions::list;
    /// One conversation with what it came to.
    SessionShow(sessions::SessionShow) -> Box<sessions::SessionShown>, Reads, by sessions::show;
    /// A conversation is over: learn from it what there is to learn.
    SessionEnd(sessions::SessionEnd) -> sessions::Passed, Changes, by sessions::end;
    /// Learn now from everything that waits.
    Sync(pending::Sync) -> pending::Synced, Changes, by pending::sync;
    /// What waits to be learned from, and what failed.
    PendingList(pending::PendingList) -> pending::PendingListed, Reads, by pending::list;
    /// Try again what failed too often.
    PendingRetry(pending::PendingRetry) -> pending::Synced, Changes, by pending::retry;
    /// The knowledge graph around a name.
    GraphShow(graph::GraphShow) -> memory::graph::Subgraph, Reads, by graph::show;
    /// The knowledge graph by a relation.
    GraphSearch(graph::GraphSearch) -> memory::graph::Subgraph, Reads, by graph::search;
    SettingsList(settings::SettingsList) -> settings::SettingsListed, Reads, by settings::list;
    SettingsGet(settings::SettingsGet) -> settings::SettingValue, Reads, by settings::get;
    SettingsSet(settings::SettingsSet) -> settings::SettingValue, Creates, by settings::set;
    SettingsReset(settings::SettingsReset) -> settings::SettingValue, Changes, by settings::reset;
}

/// Does an operation for a caller.
pub async fn execute(house: &House, caller: &Caller, operation: Operation) -> Result<Outcome, Problem> {
    let tenant = caller.pass.tenant();
    if operation.access() != Access::Creates {
        house.must_know(tenant).await?;
    }
    let visit = Visit { house, tenant: house.tenants.open(&caller.pass).await?, now: house.clock.now() };
    dispatch(&visit, operation).await
}

impl House {
    pub fn new(tenants: Tenants, embedder: Option<Arc<dyn Embedder>>) -> Self {
        let (clock, contexts) = (Arc::new(SystemClock), Arc::default());
        Self {
            tenants,
            clock,
            embedder,
            gate: gate::builtin(),
            contexts,
            waits_for_vectors: false,
            worker: None,
        }
    }

    /// Lets somebody in who shows a credential.
    pub async fn admit(&self, credential: Credential) -> Result<Caller, Problem> {
        match self.tenants.authenticate(credential).await {
            Ok(pass) => Ok(Caller { pass }),
            Err(Denied::Store(error)) => Err(error.into()),
        }
    }

    /// The caller's tenant, opened.
    pub async fn open(&self, caller: &Caller) -> Result<Tenant, Problem> {
        Ok(self.tenants.open(&caller.pass).await?)
    }

    /// A name for a lease: this process and this once, so that two tasks of one process exclude each other too.
    pub fn holder(&self) -> String {
        format!("process {} {}", std::process::id(), self.clock.uuid().simple())
    }

    /// A slip of the pen must not make a tenant. The one of this machine exists as soon as it is asked for.
    async fn must_know(&self, tenant: &TenantId) -> Result<(), Problem> {
        if *tenant == TenantId::local() || self.tenants.exists(tenant).await? {
            return Ok(());
        }
        let known = self.tenants.list().await?;
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

impl Visit<'_> {
    fn memory_id(&self) -> MemoryId {
        MemoryId::from_uuid(self.house.clock.uuid())
    }

    /// The read path's tools for this tenant.
    async fn recaller(&self) -> Result<Recaller, Problem> {
        if self.house.waits_for_vectors && self.house.embedder.is_some() {
            self.tenant.load_vectors().await?;
        }
        Ok(Recaller {
            store: Arc::new(self.tenant.clone()),
            embedder: self.house.embedder.clone(),
            reranker: None,
            settings: self.tenant.settings().await?,
        })
    }
}

fn no_memory(id: &MemoryId) -> Problem {
    let of = RecordRef::memory(id);
    Problem::new(Code::NotFound, format!("there is no {of}")).hint("`recollect list` shows what there is")
}
