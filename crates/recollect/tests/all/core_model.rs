//! The core model as a tenant meets it: chosen by settings, held to an allowance, written down whatever happens.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::http::StatusCode;
use axum::routing::post;
use memory::error::ModelError;
use memory::ports::{ChatModel, Completion, Prompt, ReadStore};
use memory::types::{ProcessingEntry, ProcessingOutcome, Time};
use models::{ChatClients, ProviderSecret, Timer, Upstream, UpstreamWire, Upstreams};
use recollect::core_model::Models;
use recollect::ops::settings::SettingsSet;
use recollect::ops::stats::{ModelUse, Stats};
use recollect::ops::{OperationRequest, Services};
use serde_json::{Value, json};
use store::{Tenant, Tenants, TenantsOptions};
use tempfile::TempDir;
use testkit::ManualClock;

use super::support::Home;
use crate::model::ImmediateTimer;
use crate::scene;

const ANSWER: &str = r#"{"choices": [{"message": {"content": "A secret answer."}}],
                         "usage": {"prompt_tokens": 1000, "completion_tokens": 500}}"#;

/// A house whose upstream answers as it is told.
struct UpstreamScene {
    house: Services,
    clock: Arc<ManualClock>,
    timer: Arc<ImmediateTimer>,
    asked: Arc<AtomicUsize>,
    status: Arc<Mutex<u16>>,
    _folder: TempDir,
}

impl UpstreamScene {
    async fn new() -> UpstreamScene {
        let (asked, status) = (Arc::new(AtomicUsize::new(0)), Arc::new(Mutex::new(200)));
        let base_url = upstream(asked.clone(), status.clone()).await;
        let upstream = Upstream {
            input_price: 2.0,
            output_price: 8.0,
            ..Upstream::new("test", UpstreamWire::OpenAi, &base_url)
        };
        let upstreams = Upstreams::new(vec![upstream.with_key(ProviderSecret::new("sk-secret"))], None);
        let (clock, timer) = (Arc::new(ManualClock::default()), Arc::new(ImmediateTimer::default()));
        let models = Arc::new(Models::with_clients(ChatClients::with_timer(upstreams, timer.clone())));
        let folder = testkit::folder::scratch();
        let tenants =
            Tenants::open_folder(folder.path(), TenantsOptions::default()).expect("the folder opens");
        let house = Services { clock: clock.clone(), models, ..Services::new(tenants, None) };
        UpstreamScene { house, clock, timer, asked, status, _folder: folder }
    }

    fn answers(&self, status: u16) {
        *self.status.lock().expect("not poisoned") = status;
    }

    async fn tenant(&self) -> Tenant {
        scene::tenant(&self.house).await
    }

    async fn ask<R: OperationRequest>(&self, request: R) -> R::Answer {
        scene::ask(&self.house, request).await.expect("it is done")
    }

    async fn set(&self, name: &str, value: Value) {
        self.ask(SettingsSet { name: name.to_owned(), value, everywhere: false }).await;
    }

    async fn model(&self) -> Option<Arc<dyn ChatModel>> {
        let tenant = self.tenant().await;
        let settings = tenant.settings().await.expect("readable");
        self.house.core_model(&tenant, &settings)
    }

    async fn complete(&self) -> Result<Completion, ModelError> {
        self.clock.tick();
        self.model().await.expect("one is chosen").complete(prompt()).await
    }

    async fn used(&self) -> ModelUse {
        self.ask(Stats {}).await.models
    }

    /// The latest entry of the log.
    async fn latest(&self) -> ProcessingEntry {
        self.tenant().await.processing_log(1).await.expect("readable").remove(0)
    }

    fn count(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

fn prompt() -> Prompt<'static> {
    Prompt { task: "distil", system: "Be brief.", user: "A secret matter.", schema: None, max_tokens: 100 }
}

/// Answers with the status that is set; 0 is silence.
async fn upstream(asked: Arc<AtomicUsize>, status: Arc<Mutex<u16>>) -> String {
    let answer = move || {
        asked.fetch_add(1, Ordering::SeqCst);
        let status = *status.lock().expect("not poisoned");
        async move {
            if status == 0 {
                tokio::time::sleep(Duration::from_secs(30)).await;
            }
            (StatusCode::from_u16(status).unwrap_or_default(), ANSWER)
        }
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("bound");
    let router = Router::new().route("/v1/chat/completions", post(answer));
    tokio::spawn(async move { axum::serve(listener, router).await });
    format!("http://{address}/v1")
}

#[tokio::test]
async fn none_is_called_before_settings_choose_one() {
    let scene = UpstreamScene::new().await;
    assert!(scene.model().await.is_none());
    scene.set("coreModelName", json!("small")).await;
    assert_eq!(scene.model().await.expect("the default upstream's").name(), "test/small");
    let elsewhere =
        SettingsSet { name: "core_model_provider".into(), value: json!("elsewhere"), everywhere: false };
    let refused = scene::ask(&scene.house, elsewhere).await.expect_err("an unknown provider is no model");
    assert!(refused.message.contains("expected `test`"), "{}", refused.message);
    scene.set("coreModelProvider", json!("test")).await;
    assert_eq!(scene.used().await.core_model.as_deref(), Some("test/small"));
    assert_eq!(scene.count(), 0);
}

#[tokio::test]
async fn every_call_is_written_down_without_what_it_was_about() {
    let scene = UpstreamScene::new().await;
    scene.set("coreModelName", json!("small")).await;
    scene.complete().await.expect("answered");
    let entry = scene.latest().await;
    assert_eq!((entry.task.as_str(), entry.model.as_deref()), ("distil", Some("test/small")));
    assert_eq!(
        (entry.input_tokens, entry.output_tokens, entry.outcome),
        (1000, 500, ProcessingOutcome::Succeeded)
    );
    assert!((entry.cost - 0.006).abs() < 1e-9, "{}", entry.cost);
    for (status, detail) in
        [(401, "refused"), (429, "rate limited"), (503, "unavailable"), (400, "bad answer")]
    {
        scene.answers(status);
        scene.complete().await.expect_err("it fails");
        let entry = scene.latest().await;
        assert_eq!((entry.outcome, entry.detail.as_deref()), (ProcessingOutcome::Failed, Some(detail)));
    }
    let used = scene.used().await;
    assert_eq!((used.today.calls, used.today.failed_calls, used.calls.len()), (5, 4, 5));
    assert_eq!((used.today.input_tokens, used.today.output_tokens), (1000, 500));
    let written = serde_json::to_string(&scene.used().await).expect("JSON");
    assert!(!written.contains("secret"), "{written}");
}

#[tokio::test]
async fn allowances_bite_until_midnight() {
    for (setting, value) in
        [("modelDailyCalls", json!(2)), ("modelDailyTokens", json!(3000)), ("modelDailyCost", json!(0.012))]
    {
        let scene = UpstreamScene::new().await;
        scene.clock.set("2026-05-01T22:00:00Z".parse::<Time>().expect("a time"));
        scene.set("coreModelName", json!("small")).await;
        scene.set(setting, value).await;
        scene.complete().await.expect("the first");
        scene.complete().await.expect("the second");
        for _ in 0..2 {
            let error = scene.complete().await.expect_err("used up");
            assert!(matches!(error, ModelError::Capped(_)), "{setting}: {error}");
        }
        let entry = scene.latest().await;
        assert_eq!(
            (entry.outcome, entry.detail.as_deref()),
            (ProcessingOutcome::Skipped, Some("allowance used up"))
        );
        assert_eq!((scene.count(), scene.used().await.today.calls), (2, 2), "{setting}");
        scene.clock.set("2026-05-02T00:00:00Z".parse::<Time>().expect("a time"));
        scene.complete().await.expect("a new day");
        let used = scene.used().await;
        assert_eq!((used.today.calls, used.last_30_days.calls), (1, 3));
    }
}

#[tokio::test]
async fn a_breaker_is_shared_and_seen() {
    let scene = UpstreamScene::new().await;
    scene.set("coreModelName", json!("small")).await;
    scene.answers(500);
    for _ in 0..5 {
        assert!(matches!(scene.complete().await, Err(ModelError::Unavailable(_))));
    }
    let asked = scene.count();
    assert!(matches!(scene.complete().await, Err(ModelError::BreakerOpen)));
    assert_eq!(scene.count(), asked, "no call was made");
    let entry = scene.latest().await;
    assert_eq!((entry.outcome, entry.detail.as_deref()), (ProcessingOutcome::Skipped, Some("breaker open")));
    assert_eq!(scene.used().await.breaker.as_deref(), Some("open"));
    scene.timer.sleep(Duration::from_secs(60)).await;
    assert_eq!(scene.used().await.breaker.as_deref(), Some("half_open"));
    scene.answers(200);
    scene.complete().await.expect("the probe");
    assert_eq!(scene.used().await.breaker.as_deref(), Some("closed"));
    assert_eq!(scene.house.models.breakers().len(), 1);
}

#[tokio::test]
async fn a_call_that_was_given_up_on_counts() {
    let scene = UpstreamScene::new().await;
    scene.set("coreModelName", json!("small")).await;
    scene.answers(0);
    assert!(tokio::time::timeout(Duration::from_millis(150), scene.complete()).await.is_err());
    for _ in 0..100 {
        if scene.used().await.today.calls == 1 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let entry = scene.latest().await;
    assert_eq!((entry.outcome, entry.detail.as_deref()), (ProcessingOutcome::Failed, Some("given up")));
    assert_eq!(entry.input_tokens, 3 + 4, "estimated");
}

#[test]
fn stats_say_nothing_of_models_until_there_is_something() {
    let home = Home::new();
    assert_eq!(home.run(["add", "x"]).code, Some(0));
    let shown = home.run(["stats"]);
    assert!(!shown.stdout.contains("model"), "{shown:?}");
    let mut command = home.command();
    command.env("OPENAI_BASE_URL", "http://127.0.0.1:1").args(["settings", "set", "coreModelName", "small"]);
    assert_eq!(super::support::ran(&mut command).code, Some(0));
    let mut command = home.command();
    let shown = super::support::ran(command.env("OPENAI_BASE_URL", "http://127.0.0.1:1").args(["stats"]));
    assert!(shown.stdout.contains("openai/small"), "{shown:?}");
    assert_eq!(home.json(&["stats"])["models"]["today"]["calls"], 0);
}
