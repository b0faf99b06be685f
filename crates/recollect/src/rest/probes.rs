//! `GET /healthz`, `GET /readyz` and `GET /metrics`: for those who watch the server.

use axum::Json;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::AppState;
use crate::ops::Caller;
use crate::problem::{Code, Problem, ProblemBody};
use crate::{limits, metrics};

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::default().routes(routes!(healthz)).routes(routes!(readyz)).routes(routes!(numbers))
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Alive {
    /// `ok`.
    status: &'static str,
    version: &'static str,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReadyBody {
    /// `ready`.
    status: &'static str,
    /// Tenants whose stores are open now.
    #[schema(minimum = 0)]
    open_tenants: u64,
}

/// Whether the process is alive
///
/// Says nothing about the store, so that a slow disk gets nobody restarted.
#[utoipa::path(get, path = "/healthz", tag = "server", operation_id = "healthz",
    responses((status = 200, description = "It is", body = Alive)))]
async fn healthz() -> Json<Alive> {
    Json(Alive { status: "ok", version: env!("CARGO_PKG_VERSION") })
}

/// Whether the store answers
#[utoipa::path(get, path = "/readyz", tag = "server", operation_id = "readyz", responses(
    (status = 200, description = "It does", body = ReadyBody),
    (status = 503, description = "It does not", body = ProblemBody),
))]
async fn readyz(State(state): State<AppState>) -> Result<Json<ReadyBody>, Problem> {
    match tokio::time::timeout(limits::READY_WITHIN, state.house.tenants.list()).await {
        Ok(Ok(_)) => {
            let open_tenants = state.house.tenants.gauges().open_tenants as u64;
            Ok(Json(ReadyBody { status: "ready", open_tenants }))
        }
        Ok(Err(error)) => {
            tracing::error!(%error, "not ready");
            Err(not_ready())
        }
        Err(_) => Err(not_ready()),
    }
}

fn not_ready() -> Problem {
    Problem::new(Code::Unavailable, "the store does not answer").hint("the log says why")
}

/// Everything that is counted, for Prometheus
#[utoipa::path(get, path = "/metrics", tag = "server", operation_id = "metrics",
    responses((status = 200, description = "Numbers, one a line", body = String, content_type = "text/plain")))]
async fn numbers(State(state): State<AppState>, _: Caller) -> Response {
    let format = [(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
    (format, metrics::render(&state.house)).into_response()
}
