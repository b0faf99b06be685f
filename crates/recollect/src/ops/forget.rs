//! Remove memories and what belongs to them, or say what would be removed.
//!
//! Unless confirmed, nothing is changed and the answer is the count by kind and the first lines. Confirmed, they are marked
//! deleted and their copies are hidden in one run, which history keeps and which can be undone as a whole. With `purge`
//! ([`purge`]) everything goes for good, what was made from it too, and a receipt says how much it was.

mod choose;
mod purge;

use std::collections::BTreeMap;

use memory::error::StoreError;
use memory::forget::PurgeTarget;
use memory::forget::reversible::{self, ForgetRun, Reversible};
use memory::limits::READ_IDS;
use memory::ports::Store;
use memory::types::{Actor, Memory, MemoryId, Receipt, RunId};
use serde::{Deserialize, Serialize};

use self::choose::{ChosenMemories, choose};
pub(super) use self::choose::{count_matching, filter};
use super::OpContext;
use super::select::Selection;
use crate::limits;
use crate::problem::{Code, Problem};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Forget {
    /// These, and no others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ids: Vec<MemoryId>,
    /// Refuse unless the one that is named is at this version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expect_version: Option<u64>,
    /// Those that contain all of these words, or what the query's operators say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matching: Option<String>,
    /// Those that these filters let through.
    pub filter: Selection,
    /// Everything that the filters let through, even if there are none.
    pub all: bool,
    /// Do it, instead of saying what would be done.
    pub confirmed: bool,
    /// For good.
    pub purge: bool,
    /// Why, for the history.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Forgotten {
    /// False when the answer only says what would be done.
    pub done: bool,
    pub purged: bool,
    /// How many memories.
    pub count: usize,
    /// How many of everything, by kind.
    #[serde(default)]
    pub kinds: BTreeMap<String, u64>,
    /// What stays and is written without it, by kind.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rewritten: BTreeMap<String, u64>,
    /// More than one call may take match; repeat it.
    pub more: bool,
    /// The first of them, newest first.
    pub first: Vec<MemoryPreview>,
    /// That nothing matches, and so nothing was changed or would be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// What can be undone as a whole, unless it was a purge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunId>,
    /// What it did not reach.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beyond: Vec<String>,
    /// What a purge did, without what it was about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receipt: Option<Receipt>,
}

impl Forgotten {
    /// Of anything.
    pub fn total(&self) -> u64 {
        self.kinds.values().chain(self.rewritten.values()).sum()
    }
}

/// Enough of a memory to recognise it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MemoryPreview {
    pub id: MemoryId,
    pub content: String,
}

impl From<&Memory> for MemoryPreview {
    fn from(memory: &Memory) -> Self {
        Self { id: memory.id.clone(), content: memory.content.clone() }
    }
}

pub(super) async fn forget(visit: &OpContext<'_>, request: Forget) -> Result<Forgotten, Problem> {
    check(&request)?;
    for _ in 1..limits::FORGET_ATTEMPTS {
        match attempt(visit, &request).await {
            Err(ForgetFailure::Conflict) => continue,
            other => return other.map(told).map_err(Problem::from),
        }
    }
    attempt(visit, &request).await.map(told).map_err(Problem::from)
}

/// Whoever names somebody who is not there is told that nothing matched.
fn told(mut forgotten: Forgotten) -> Forgotten {
    if forgotten.total() == 0 {
        forgotten.note = Some("nothing here matches, and nothing is changed".to_owned());
    }
    forgotten
}

pub(super) fn check(request: &Forget) -> Result<(), Problem> {
    if request.ids.is_empty() && request.matching.is_none() && request.filter.is_empty() && !request.all {
        let message = "nothing is named; expected ids, a query, a filter, or everything";
        return Err(Problem::invalid(message).hint("unless confirmed, it only says what would be removed"));
    }
    if !request.ids.is_empty() && (request.matching.is_some() || request.all) {
        return Err(Problem::invalid("ids are named beside a query or everything; expected one of them"));
    }
    if request.ids.len() > READ_IDS {
        let message = format!("{} ids are named; expected at most {}", request.ids.len(), READ_IDS);
        return Err(Problem::invalid(message));
    }
    if request.filter.as_of.is_some() || request.filter.known_at.is_some() {
        return Err(Problem::invalid(
            "forget works on what there is today; as_of and known_at cannot be given",
        ));
    }
    Ok(())
}

/// Why an attempt did not go through.
enum ForgetFailure {
    /// Somebody changed one of them in the meantime: choose again.
    Conflict,
    Problem(Problem),
}

impl From<Problem> for ForgetFailure {
    fn from(problem: Problem) -> Self {
        ForgetFailure::Problem(problem)
    }
}

impl From<StoreError> for ForgetFailure {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Conflict { .. } => ForgetFailure::Conflict,
            error => ForgetFailure::Problem(error.into()),
        }
    }
}

impl From<ForgetFailure> for Problem {
    fn from(failed: ForgetFailure) -> Self {
        match failed {
            ForgetFailure::Problem(problem) => problem,
            ForgetFailure::Conflict => {
                Problem::new(Code::Busy, "others keep changing these memories").hint("try again in a moment")
            }
        }
    }
}

async fn attempt(visit: &OpContext<'_>, request: &Forget) -> Result<Forgotten, ForgetFailure> {
    let target = target(visit, request)?;
    if request.purge {
        return purge::purge(visit, request, &target).await;
    }
    let ChosenMemories { mut memories, mut more } = choose(visit, request).await?;
    let analyser = visit.tenant.analyser();
    if !target.is_whole() && !more {
        memories.extend(reversible::twins(&visit.tenant, analyser, &target, &memories).await?);
    }
    let room = limits::FORGOTTEN_AT_ONCE;
    more |= memories.len() > room;
    memories.truncate(room);
    let plan: Reversible<'_, dyn Store> = Reversible {
        store: &visit.tenant,
        analyser,
        target: &target,
        memories: &memories,
        asides: &[],
        spared: &[],
        clock: &*visit.house.clock,
        now: visit.now,
    };
    let done = request.confirmed;
    let (run, besides) = if done {
        let run = ForgetRun {
            by: Actor::Person,
            reason: request.reason.clone(),
            notes: serde_json::Map::new(),
            also: Vec::new(),
        };
        let carried = reversible::carry_out(&plan, room, run).await?;
        visit.house.contexts.drop_all_of(visit.tenant.id());
        carried
    } else {
        (None, plan.besides(room - memories.len()).await?)
    };
    more |= besides.more;
    let mut kinds = besides.kinds;
    if !memories.is_empty() {
        kinds.insert("memories".to_owned(), memories.len() as u64);
    }
    let first = memories.iter().take(limits::FORGOTTEN_NAMED).map(MemoryPreview::from).collect();
    let rewritten = besides.rewritten;
    let beyond = match kinds.is_empty() && rewritten.is_empty() {
        true => Vec::new(),
        false => BEYOND.iter().map(|text| (*text).to_owned()).collect(),
    };
    Ok(Forgotten {
        done,
        purged: false,
        count: memories.len(),
        kinds,
        rewritten,
        more,
        first,
        note: None,
        run,
        beyond,
        receipt: None,
    })
}

/// What no forgetting reaches.
const BEYOND: &[&str] = &[
    "backups that were made before",
    "exports that were made before",
    "what upstream providers of models were sent and keep",
    "what clients keep themselves: their histories and logs",
];

/// What is meant, as the core says it.
fn target(visit: &OpContext<'_>, request: &Forget) -> Result<PurgeTarget, Problem> {
    let query = request.matching.as_deref().map(|text| choose::all_words(visit, text)).transpose()?;
    // What is known of users across agents is not for a key that is bound to some.
    let identity = visit.caller.bounds().agents.is_empty();
    Ok(PurgeTarget { ids: request.ids.clone(), query, filter: filter(request), identity })
}
