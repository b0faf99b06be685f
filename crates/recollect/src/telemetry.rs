//! Traces by OTLP over HTTP, for whoever configured a collector: one trace from a chat's request to the commit of what was
//! learned from it.
//!
//! [`spans`] are the steps as they are traced, [`watch`] reads the model's own account out of an answer that passes by, and
//! [`waiting`] remembers which requests a session's turns came with, so that the pass that distils them later goes on in the
//! same trace. Spans hold names, numbers and outcomes, and never what anybody said.
//!
//! Off unless configured, and then a step costs a look at a flag. On, spans go into a bounded queue that a thread of its own
//! sends in batches; what does not fit or cannot be sent is dropped, and the log says so once. Nobody ever waits for it but
//! the end of the process, for a moment.

mod spans;
mod waiting;
mod watch;

use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use axum::http::Response;
use bytes::Bytes;
use http_body_util::{BodyExt, Limited};
use memory::trace::TARGET;
use opentelemetry::KeyValue;
use opentelemetry::trace::TracerProvider;
use opentelemetry_http::{HttpClient, HttpError, Request};
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{BatchConfigBuilder, BatchSpanProcessor, SdkTracerProvider};
use tokio::runtime::Handle;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::{Layer, Registry};

pub use spans::{
    TracePlace, answered, capture, core_model, propagate, recall, recognise, request, trouble, upstream, used,
};
pub use waiting::{TracedPass, WaitingTraces};
pub use watch::AnswerWatch;

use crate::config::Config;
use crate::limits;

/// Where collectors take traces, below the address that is configured.
const TRACES: &str = "/v1/traces";

/// Set once, before anything is served.
static ON: AtomicBool = AtomicBool::new(false);

/// Whether anybody looks at traces.
fn is_on() -> bool {
    ON.load(Ordering::Relaxed)
}

/// What the subscriber of this process asks to be told.
pub type BoxedLayer = Box<dyn Layer<Registry> + Send + Sync>;

/// The sending of traces, to be ended in order.
pub struct Telemetry {
    provider: SdkTracerProvider,
}

/// Begins to trace where a collector is configured. The layer belongs into the process's subscriber.
pub fn start(config: &Config, runtime: &Handle) -> Option<(Telemetry, BoxedLayer)> {
    if config.otlp_endpoint.is_empty() {
        return None;
    }
    let sender = BatchSender { runtime: runtime.clone(), is_failing: AtomicBool::new(false) };
    let exporter = SpanExporter::builder()
        .with_http()
        .with_protocol(Protocol::HttpBinary)
        .with_endpoint(address(&config.otlp_endpoint))
        .with_timeout(limits::TRACES_WITHIN)
        .with_http_client(sender)
        .build()
        .inspect_err(|error| tracing::warn!(%error, "traces are not sent"))
        .ok()?;
    let batches = BatchConfigBuilder::default().with_max_queue_size(limits::SPANS_WAITING).build();
    let processor = BatchSpanProcessor::builder(exporter).with_batch_config(batches).build();
    let provider =
        SdkTracerProvider::builder().with_span_processor(processor).with_resource(resource(config)).build();
    let layer = tracing_opentelemetry::layer()
        .with_tracer(provider.tracer("recollect"))
        .with_location(false)
        .with_threads(false)
        .with_target(false)
        .with_tracked_inactivity(false)
        .with_filter(Targets::new().with_target(TARGET, LevelFilter::INFO));
    ON.store(true, Ordering::Relaxed);
    Some((Telemetry { provider }, Box::new(layer)))
}

impl Telemetry {
    /// Sends what is left, as far as a moment reaches.
    pub async fn stop(self) {
        // It waits for its own thread, which sends through this runtime.
        let stopping = move || self.provider.shutdown_with_timeout(limits::TRACES_LEAVE_WITHIN);
        if let Ok(Err(error)) = tokio::task::spawn_blocking(stopping).await {
            tracing::debug!(%error, "the last traces were not sent");
        }
    }
}

/// Collectors are configured by where they are; some write the whole way.
fn address(endpoint: &str) -> String {
    let endpoint = endpoint.trim_end_matches('/');
    if endpoint.ends_with(TRACES) { endpoint.to_owned() } else { format!("{endpoint}{TRACES}") }
}

fn resource(config: &Config) -> Resource {
    // What OTEL_RESOURCE_ATTRIBUTES says is taken by the builder itself.
    Resource::builder()
        .with_service_name(config.service_name.clone())
        .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
        .build()
}

/// Sends batches with the client that everything else uses. The thread that asks has no runtime, so this one lends its own.
#[derive(Debug)]
struct BatchSender {
    runtime: Handle,
    /// So that a collector that is away is told of once, and not with every batch.
    is_failing: AtomicBool,
}

#[async_trait]
impl HttpClient for BatchSender {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let sent = self.runtime.spawn(send(request)).await.unwrap_or_else(|gone| Err(gone.into()));
        let failing = !sent.as_ref().is_ok_and(|answer| answer.status().is_success());
        if failing != self.is_failing.swap(failing, Ordering::Relaxed) {
            match (&sent, failing) {
                (Ok(answer), true) => {
                    tracing::warn!(status = answer.status().as_u16(), "the collector does not take traces");
                }
                (Err(_), true) => tracing::warn!("traces cannot be sent: the collector cannot be reached"),
                (_, false) => tracing::info!("traces are sent again"),
            }
        }
        sent
    }
}

async fn send(request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
    let (parts, body) = request.into_parts();
    let answer = models::http::client()
        .request(parts.method, parts.uri.to_string())
        .headers(parts.headers)
        .timeout(limits::TRACES_WITHIN)
        .body(body)
        .send()
        .await?;
    let (parts, body) = Response::<reqwest::Body>::from(answer).into_parts();
    let body = Limited::new(body, limits::COLLECTOR_ANSWER_BYTES).collect().await?.to_bytes();
    Ok(Response::from_parts(parts, body))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_to_the_collector_is_completed_once() {
        for given in ["http://c:4318", "http://c:4318/", "http://c:4318/v1/traces"] {
            assert_eq!(address(given), "http://c:4318/v1/traces");
        }
        assert_eq!(address("https://c/otlp"), "https://c/otlp/v1/traces");
    }
}
