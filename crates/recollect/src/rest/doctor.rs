//! `GET /api/memory/doctor`: a check-up of the caller's tenant. It reports and never repairs; repairing is the command line's.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::QueryParams;
use crate::app::AppState;
use crate::ops::Caller;
use crate::ops::doctor::{Diagnosis, Doctor};
use crate::problem::Problem;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::default().routes(routes!(doctor))
}

/// Which checks.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct DoctorQuery {
    /// Only these, separated by commas: codes, areas, or what codes begin with.
    #[serde(default)]
    check: String,
}

/// What is wrong with the store and what it remembers
///
/// Looks at everything and changes nothing. Each finding has a stable code, how many there are and which, never what they say. Needs
/// the role admin.
#[utoipa::path(get, path = "/api/memory/doctor", tag = "engine", operation_id = "doctor",
    params(QueryParams<DoctorQuery>),
    responses((status = 200, description = "How the store is", body = Diagnosis)))]
async fn doctor(
    State(state): State<AppState>,
    caller: Caller,
    QueryParams(asked): QueryParams<DoctorQuery>,
) -> Result<Json<Diagnosis>, Problem> {
    let names = asked.check.split(',').map(str::trim);
    let checks = names.filter(|name| !name.is_empty()).map(str::to_owned).collect();
    let diagnosis = state.house.ask(&caller, Doctor { fix: false, checks }).await?;
    Ok(Json(*diagnosis))
}
