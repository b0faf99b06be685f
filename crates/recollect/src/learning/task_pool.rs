//! Who is at work for the worker: live sessions, a few at a time; the backlog of an earlier process, one at a time; and, when
//! nothing else is under way, one session for a model to do again.

use std::collections::HashMap;

use memory::types::TenantSession;
use tokio::task::{Id, JoinSet};

use super::redo::redo;
use super::worker::Worker;
use crate::limits;
use crate::ops::Services;
use crate::problem::Problem;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TaskLane {
    Live,
    Backlog,
    Redo,
}

pub(super) struct Finished {
    pub name: TenantSession,
    pub lane: TaskLane,
    /// Whether the model was found to be away.
    pub is_absent: Result<bool, Problem>,
}

#[derive(Default)]
pub(super) struct Crew {
    tasks: JoinSet<Result<bool, Problem>>,
    at: HashMap<Id, (TenantSession, TaskLane)>,
}

impl Crew {
    pub fn is_idle(&self) -> bool {
        self.at.is_empty()
    }

    pub fn has_room(&self, lane: TaskLane) -> bool {
        let busy = self.at.values().filter(|(_, other)| *other == lane).count();
        match lane {
            TaskLane::Live => busy < limits::LIVE_PASSES,
            TaskLane::Backlog | TaskLane::Redo => busy == 0,
        }
    }

    pub fn is_at(&self, name: &TenantSession) -> bool {
        self.at.values().any(|(other, _)| other == name)
    }

    pub fn attend(&mut self, worker: &Worker, house: &Services, name: TenantSession, lane: TaskLane) {
        let (worker, house, (tenant, key)) = (worker.clone(), house.clone(), name.clone());
        let task = self.tasks.spawn(async move {
            if lane != TaskLane::Redo {
                return worker.attend(&house, &tenant, &key).await.map(|()| false);
            }
            let opened = house.attend(&tenant).await?;
            Ok(redo(&house, &opened, &key).await?.is_absent)
        });
        self.at.insert(task.id(), (name, lane));
    }

    /// Waits for the next one to finish; never returns while nobody is at work.
    pub async fn finished(&mut self) -> Finished {
        loop {
            let (id, is_absent) = match self.tasks.join_next_with_id().await {
                None => std::future::pending().await,
                Some(Ok((id, is_absent))) => (id, is_absent),
                Some(Err(error)) => (error.id(), Err(Problem::ours(error))),
            };
            if let Some((name, lane)) = self.at.remove(&id) {
                return Finished { name, lane, is_absent };
            }
        }
    }

    /// Stops everybody, and says what they were at.
    pub async fn stop(&mut self) -> Vec<(TenantSession, TaskLane)> {
        self.tasks.shutdown().await;
        self.at.drain().map(|(_, at)| at).collect()
    }
}
