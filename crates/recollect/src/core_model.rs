//! The core model: which model helps with learning, what it may take, and what it took.
//!
//! A tenant's settings choose it among the configured upstreams; empty settings choose none, and everything works by
//! rules. [`Models`] is shared by the whole process, so that all tenants heed the same breaker. [`CoreModel`] is one
//! tenant's way to it: each call is first held against the day's allowance and then written into the tenant's processing
//! log, however it ended, and never with what it was about. Calls under way at once are not counted against each
//! other, so an allowance may be overshot by as many as there are.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use async_trait::async_trait;
use memory::error::ModelError;
use memory::ports::{ChatModel, Clock, Completion, Prompt, Store, Usage};
use memory::settings::Settings;
use memory::text::tokens;
use memory::types::{Actor, Batch, Change, ProcessingEntry, ProcessingOutcome, Time};
use models::{BreakerState, ChatClient, ChatClients, MemoryShare, Upstreams};
use parking_lot::Mutex;
use store::Tenant;
use tracing::Instrument;

use crate::ops::Services;
use crate::{limits, metrics, telemetry};

/// The clients of all models, with what is known of each.
#[derive(Default)]
pub struct Models {
    clients: ChatClients,
    /// Providers that a setting names and nobody configured, and those that are told no memory, so that each is told of once.
    missed: Mutex<BTreeSet<String>>,
}

impl Models {
    pub fn new(upstreams: Upstreams) -> Models {
        Self::with_clients(ChatClients::new(upstreams))
    }

    pub fn with_clients(clients: ChatClients) -> Models {
        Models { clients, missed: Mutex::default() }
    }

    pub fn upstreams(&self) -> &Upstreams {
        self.clients.upstreams()
    }

    /// The breaker of each model that was called, by `upstream/model`.
    pub fn breakers(&self) -> BTreeMap<String, BreakerState> {
        self.clients.breakers()
    }

    /// The client of the model that the settings choose.
    pub fn chosen(&self, settings: &Settings) -> Option<ChatClient> {
        let (provider, name) = (settings.core_model_provider.trim(), settings.core_model_name.trim());
        if name.is_empty() {
            return None;
        }
        let chosen = match provider {
            "" => self.upstreams().choose(name),
            provider => self.upstreams().find(provider).map(|upstream| (upstream, name)),
        };
        let Some((upstream, _)) = chosen else {
            self.miss(provider);
            return None;
        };
        if self.is_kept_from(settings) {
            self.keep_from(&upstream.name);
            return None;
        }
        chosen.map(|(upstream, model)| self.clients.client(upstream, model))
    }

    /// What the settings choose that is no model of ours: the setting, and what was expected.
    pub fn unchosen(&self, settings: &Settings) -> Option<(&'static str, String)> {
        let (provider, name) = (settings.core_model_provider.trim(), settings.core_model_name.trim());
        let names = self.upstreams().names();
        if !provider.is_empty() && self.upstreams().find(provider).is_none() {
            return Some(("coreModelProvider", self.expected(provider)));
        }
        if self.is_kept_from(settings) {
            let why = "the default server is told no memory (`memory = \"off\"`), so no model learns; name it to have it learn all the same";
            return Some(("coreModelName", why.to_owned()));
        }
        let chosen = name.is_empty() || !names.is_empty();
        (!chosen).then(|| ("coreModelName", "no server of models is configured".to_owned()))
    }

    /// Whether the model would be one of a server that is told no memory, and that is only the default: who learns is shown what is known and
    /// what was said. Where the settings name the server, that is the operator's word.
    fn is_kept_from(&self, settings: &Settings) -> bool {
        let (provider, name) = (settings.core_model_provider.trim(), settings.core_model_name.trim());
        let prefix = name.split_once('/').map(|(prefix, _)| prefix);
        let is_named =
            !provider.is_empty() || prefix.is_some_and(|prefix| self.upstreams().find(prefix).is_some());
        let default = self.upstreams().default_one();
        !name.is_empty() && !is_named && default.is_some_and(|upstream| upstream.memory == MemoryShare::Off)
    }

    /// Why a provider is not taken, with the names that are.
    pub fn expected(&self, provider: &str) -> String {
        match self.upstreams().names().join("`, `") {
            names if names.is_empty() => {
                format!("`{provider}` is no configured server of models, and none is configured")
            }
            names => format!("`{provider}` is no configured server of models; expected `{names}`"),
        }
    }

    fn keep_from(&self, upstream: &str) {
        let mut missed = self.missed.lock();
        if missed.len() < limits::PROVIDERS_MISSED && missed.insert(upstream.to_owned()) {
            tracing::warn!(
                upstream,
                "the default upstream is told no memory, so it is no core model unless the settings name it"
            );
        }
    }

    fn miss(&self, provider: &str) {
        let mut missed = self.missed.lock();
        if missed.len() < limits::PROVIDERS_MISSED && missed.insert(provider.to_owned()) {
            let configured = self.upstreams().names().join(", ");
            tracing::warn!(provider, configured, "the core model's provider is not a configured upstream");
        }
    }
}

impl Services {
    /// The model that helps this tenant, where its settings choose one.
    pub fn core_model(&self, tenant: &Tenant, settings: &Settings) -> Option<Arc<dyn ChatModel>> {
        let client = self.models.chosen(settings)?;
        Some(Arc::new(CoreModel {
            client,
            store: Arc::new(tenant.clone()),
            clock: self.clock.clone(),
            allowance: Allowance::of(settings),
        }))
    }
}

/// One tenant's way to its model.
struct CoreModel {
    client: ChatClient,
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    allowance: Allowance,
}

#[async_trait]
impl ChatModel for CoreModel {
    fn name(&self) -> &str {
        self.client.name()
    }

    async fn complete(&self, prompt: Prompt<'_>) -> Result<Completion, ModelError> {
        let sent_tokens = (tokens::estimate(prompt.system) + tokens::estimate(prompt.user)) as u64;
        let allowed = self.allowed().await;
        let note = CallRecord {
            model: self,
            task: prompt.task,
            started: Instant::now(),
            sent_tokens,
            settled: false,
        };
        let outcome = match allowed {
            Ok(()) => {
                let span = telemetry::core_model(self.client.upstream(), self.client.name(), prompt.task);
                let outcome = self.client.complete(prompt).instrument(span.clone()).await;
                telemetry::used(&span, &outcome);
                outcome
            }
            Err(refused) => Err(refused),
        };
        note.settle(&outcome).await;
        outcome
    }
}

impl CoreModel {
    async fn allowed(&self) -> Result<(), ModelError> {
        if self.allowance.is_endless() {
            return Ok(());
        }
        let usage = self.store.usage_since(start_of_day(self.clock.now())).await;
        let usage = usage.map_err(|error| {
            tracing::warn!(%error, "what models took today cannot be read");
            ModelError::Unavailable("what it took today cannot be read".to_owned())
        })?;
        self.allowance.check(&usage)
    }
}

/// What kind of failure it was, in a word.
fn class(error: &ModelError) -> &'static str {
    match error {
        ModelError::Refused(_) => "refused",
        ModelError::RateLimited { .. } => "rate limited",
        ModelError::Unavailable(_) => "unavailable",
        ModelError::TimedOut => "timed out",
        ModelError::BreakerOpen => "breaker open",
        ModelError::Capped(_) => "allowance used up",
        ModelError::BadAnswer(_) => "bad answer",
    }
}

async fn write(store: Arc<dyn Store>, entry: ProcessingEntry) {
    let batch = Batch::new(Actor::Model, entry.at).with(Change::Log { entry });
    if let Err(error) = store.apply(batch).await {
        tracing::warn!(%error, "a call of a model could not be written into the processing log");
    }
}

/// A call that must be written down. A caller with a deadline may give up on it at any await, and what was sent until then
/// counts all the same.
struct CallRecord<'m> {
    model: &'m CoreModel,
    task: &'static str,
    started: Instant,
    /// What was sent, for when no answer says how much it was.
    sent_tokens: u64,
    settled: bool,
}

impl CallRecord<'_> {
    async fn settle(mut self, outcome: &Result<Completion, ModelError>) {
        let entry = self.entry(outcome);
        self.settled = true;
        metrics::model_called(self.task, entry.outcome);
        write(self.model.store.clone(), entry).await;
    }

    fn entry(&self, outcome: &Result<Completion, ModelError>) -> ProcessingEntry {
        let (input_tokens, output_tokens) = match outcome {
            Ok(completion) => (completion.input_tokens, completion.output_tokens),
            // The server was at it, and will charge for it.
            Err(ModelError::TimedOut) => (self.sent_tokens, 0),
            Err(_) => (0, 0),
        };
        let how = match outcome {
            Ok(_) => ProcessingOutcome::Succeeded,
            Err(ModelError::BreakerOpen | ModelError::Capped(_)) => ProcessingOutcome::Skipped,
            Err(_) => ProcessingOutcome::Failed,
        };
        ProcessingEntry {
            at: self.model.clock.now(),
            task: self.task.to_owned(),
            model: Some(self.model.name().to_owned()),
            input_tokens,
            output_tokens,
            cost: self.model.client.upstream().cost(input_tokens, output_tokens),
            duration_ms: u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX),
            outcome: how,
            detail: outcome.as_ref().err().map(|error| class(error).to_owned()),
        }
    }
}

impl Drop for CallRecord<'_> {
    fn drop(&mut self) {
        if self.settled {
            return;
        }
        let mut entry = self.entry(&Err(ModelError::TimedOut));
        entry.detail = Some("given up".to_owned());
        metrics::model_called(self.task, entry.outcome);
        // Outside a runtime the process is ending, and with it the call.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(write(self.model.store.clone(), entry));
        }
    }
}

/// What a tenant's model may take in a day; 0 is no bound.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Allowance {
    calls: u64,
    tokens: u64,
    cost: f64,
}

impl Allowance {
    fn of(settings: &Settings) -> Allowance {
        Allowance {
            calls: settings.model_daily_calls.unsigned_abs(),
            tokens: settings.model_daily_tokens.unsigned_abs(),
            cost: settings.model_daily_cost,
        }
    }

    fn is_endless(&self) -> bool {
        self.calls == 0 && self.tokens == 0 && self.cost <= 0.0
    }

    fn check(&self, today: &Usage) -> Result<(), ModelError> {
        let tokens = today.input_tokens.saturating_add(today.output_tokens);
        let used_up = if self.calls > 0 && today.calls >= self.calls {
            format!("{} of {} calls", today.calls, self.calls)
        } else if self.tokens > 0 && tokens >= self.tokens {
            format!("{tokens} of {} tokens", self.tokens)
        } else if self.cost > 0.0 && today.cost >= self.cost {
            format!("{:.4} of {}", today.cost, self.cost)
        } else {
            return Ok(());
        };
        Err(ModelError::Capped(used_up))
    }
}

/// Midnight UTC, when allowances begin anew.
pub fn start_of_day(now: Time) -> Time {
    Time::from_date(now.date())
}

#[cfg(test)]
mod tests {
    use super::*;
    use models::{Upstream, UpstreamWire};

    #[test]
    fn an_allowance_bites_when_it_is_used_up() {
        let check = |calls, tokens, cost, expected: Option<&str>| {
            let today = Usage { calls: 3, failed_calls: 1, input_tokens: 90, output_tokens: 10, cost: 0.5 };
            let said = match (Allowance { calls, tokens, cost }).check(&today) {
                Ok(()) => None,
                Err(ModelError::Capped(why)) => Some(why),
                Err(other) => panic!("{other}"),
            };
            assert_eq!(said.as_deref(), expected);
        };
        check(0, 0, 0.0, None);
        check(4, 101, 0.51, None);
        check(3, 0, 0.0, Some("3 of 3 calls"));
        check(0, 100, 0.0, Some("100 of 100 tokens"));
        check(0, 0, 0.5, Some("0.5000 of 0.5"));
        assert!(Allowance::of(&Settings::default()).is_endless(), "by default there is none");
    }

    #[test]
    fn settings_choose_the_model() {
        let list = vec![
            Upstream::new("openai", UpstreamWire::OpenAi, "http://a"),
            Upstream::new("local", UpstreamWire::OpenAi, "http://b"),
        ];
        let models = Models::new(Upstreams::new(list, None));
        let check = |provider: &str, name: &str, expected: Option<&str>| {
            let settings = Settings {
                core_model_provider: provider.to_owned(),
                core_model_name: name.to_owned(),
                ..Settings::default()
            };
            let chosen = models.chosen(&settings);
            assert_eq!(chosen.as_ref().map(ChatModel::name), expected, "{provider} {name}");
        };
        check("", "", None);
        check("openai", " ", None);
        check("", "small", Some("openai/small"));
        check("", "local/small", Some("local/small"));
        check("local", "meta/small", Some("local/meta/small"));
        check("elsewhere", "small", None);
        assert_eq!(models.missed.lock().len(), 1);
        assert!(
            Models::default()
                .chosen(&Settings { core_model_name: "x".into(), ..Settings::default() })
                .is_none()
        );
    }

    #[test]
    fn a_server_that_is_told_no_memory_learns_only_where_it_is_named() {
        let share = |memory| Upstream { memory, ..Upstream::new("office", UpstreamWire::OpenAi, "http://a") };
        let home = Upstream::new("home", UpstreamWire::OpenAi, "http://b");
        let check = |memory, provider: &str, name: &str, expected: Option<&str>| {
            let models = Models::new(Upstreams::new(vec![share(memory), home.clone()], None));
            let settings = Settings {
                core_model_provider: provider.to_owned(),
                core_model_name: name.to_owned(),
                ..Settings::default()
            };
            assert_eq!(models.chosen(&settings).as_ref().map(ChatModel::name), expected, "{provider} {name}");
            let found = models.unchosen(&settings).is_some();
            assert_eq!(found, !name.is_empty() && expected.is_none(), "doctor says so: {provider} {name}");
        };
        check(MemoryShare::Off, "", "small", None);
        check(MemoryShare::Off, "", "meta/small", None);
        check(MemoryShare::Off, "", "", None);
        check(MemoryShare::Off, "office", "small", Some("office/small"));
        check(MemoryShare::Off, "", "office/small", Some("office/small"));
        check(MemoryShare::Off, "", "home/small", Some("home/small"));
        check(MemoryShare::Work, "", "small", Some("office/small"));
    }

    #[test]
    fn a_day_begins_at_midnight() {
        let time = |text: &str| text.parse::<Time>().expect("a time");
        assert_eq!(start_of_day(time("2026-05-01T23:59:59.9Z")), time("2026-05-01"));
        assert_eq!(start_of_day(time("2026-05-01")), time("2026-05-01"));
    }
}
