//! The clients of all upstreams, and what is known of each model whoever calls it.

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::Mutex;

use super::ChatClient;
use super::breaker::{Breaker, BreakerState};
use super::timer::{SystemTimer, Timer};
use super::wire::Manners;
use crate::limits;
use crate::{Upstream, Upstreams};

/// What is known of one model of one upstream.
pub struct ModelState {
    pub breaker: Breaker,
    manners: Mutex<Manners>,
}

impl ModelState {
    fn new(upstream: &Upstream) -> ModelState {
        ModelState { breaker: Breaker::default(), manners: Mutex::new(Manners::new(upstream.schema)) }
    }

    pub fn manners(&self) -> Manners {
        *self.manners.lock()
    }

    pub fn remember(&self, manners: Manners) {
        *self.manners.lock() = manners;
    }
}

/// Makes clients. Two clients of the same model share its breaker.
pub struct ChatClients {
    upstreams: Upstreams,
    timer: Arc<dyn Timer>,
    /// By `upstream/model`. Locked only to look up.
    lanes: Mutex<BTreeMap<String, Arc<ModelState>>>,
}

impl Default for ChatClients {
    fn default() -> Self {
        Self::new(Upstreams::default())
    }
}

impl ChatClients {
    pub fn new(upstreams: Upstreams) -> ChatClients {
        Self::with_timer(upstreams, Arc::new(SystemTimer::default()))
    }

    pub fn with_timer(upstreams: Upstreams, timer: Arc<dyn Timer>) -> ChatClients {
        ChatClients { upstreams, timer, lanes: Mutex::default() }
    }

    pub fn upstreams(&self) -> &Upstreams {
        &self.upstreams
    }

    /// The client of a model; the upstream need not be one of the configured.
    pub fn client(&self, upstream: &Upstream, model: &str) -> ChatClient {
        let name = format!("{}/{model}", upstream.name);
        ChatClient {
            lane: self.lane(&name, upstream),
            upstream: Arc::new(upstream.clone()),
            model: model.to_owned(),
            name,
            timer: self.timer.clone(),
        }
    }

    /// The breaker of each model that was ever called, by `upstream/model`.
    pub fn breakers(&self) -> BTreeMap<String, BreakerState> {
        let now = self.timer.elapsed();
        self.lanes.lock().iter().map(|(name, lane)| (name.clone(), lane.breaker.state(now))).collect()
    }

    fn lane(&self, name: &str, upstream: &Upstream) -> Arc<ModelState> {
        let mut lanes = self.lanes.lock();
        if let Some(lane) = lanes.get(name) {
            return lane.clone();
        }
        if lanes.len() >= limits::MODELS_KNOWN {
            // What nobody calls just now can be learned again.
            lanes.retain(|_, lane| Arc::strong_count(lane) > 1);
        }
        let lane = Arc::new(ModelState::new(upstream));
        if lanes.len() < limits::MODELS_KNOWN {
            lanes.insert(name.to_owned(), lane.clone());
        }
        lane
    }
}
