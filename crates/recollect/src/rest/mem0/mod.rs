//! mem0's interface as its users know it, so that its own clients work with only the address changed.
//!
//! mem0 has two: the paths of the server that people run themselves, and the versioned paths of the hosted service, which
//! its Python and Node packages use. Both are here and answer the same; the first are described, the second are further
//! addresses of the same handlers, with and without a slash at the end. `user_id` is the user, `agent_id` the agent and
//! `run_id` the conversation. What Recollect does not have is refused by name ([`absent`]). Their clients send fields of their own,
//! which pass; what looks like a name or a filter and is none is refused ([`crate::request::names`]).
//!
//! These clients read `detail` of a refusal, so it stands beside the `error` that all refusals have.

pub mod absent;
pub mod add;
pub mod entities;
pub mod feedback;
pub mod list;
pub mod memory;
pub mod remove;
pub mod row;
pub mod search;
pub mod values;
pub mod whose;

use axum::Json;
use axum::body::{Body, to_bytes};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::middleware::map_response;
use axum::response::Response;
use axum::routing::{self, MethodRouter};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::AppState;
use crate::ops::Caller;

const MEMORIES: &str = "/memories";

pub fn routes() -> OpenApiRouter<AppState> {
    let described = OpenApiRouter::default()
        .routes(routes!(list::get_all, add::add, remove::delete_all))
        .routes(routes!(list::get_some))
        .routes(routes!(search::search))
        .routes(routes!(memory::get, memory::update, memory::delete))
        .routes(routes!(memory::history))
        .routes(routes!(remove::reset))
        .routes(routes!(remove::batch_update, remove::batch_delete))
        .routes(routes!(entities::list))
        .routes(routes!(entities::delete))
        .routes(routes!(feedback::feedback))
        .routes(routes!(ping));
    let all = aliases().into_iter().chain(absent::routes());
    let routes = all.fold(described, |routes, (path, methods)| routes.route(&path, methods));
    routes.layer(map_response(with_detail))
}

/// The further addresses of what is described above.
fn aliases() -> Vec<(String, MethodRouter<AppState>)> {
    let whole = || routing::get(list::get_all).post(add::add).delete(remove::delete_all);
    let one = || routing::get(memory::get).put(memory::update).delete(memory::delete);
    let batch = || routing::put(remove::batch_update).delete(remove::batch_delete);
    let mut aliases = Vec::new();
    let mut also = |path: &str, methods: &dyn Fn() -> MethodRouter<AppState>| {
        aliases.extend([path.to_owned(), format!("{path}/")].map(|path| (path, methods())));
    };
    also("/v1/memories", &whole);
    also("/v3/memories/add", &|| routing::post(add::add));
    also("/v2/memories", &|| routing::post(list::get_some));
    for path in ["/v1/memories/search", "/v2/memories/search", "/v3/memories/search"] {
        also(path, &|| routing::post(search::search));
    }
    also("/v1/memories/{id}", &one);
    also("/v1/memories/{id}/history", &|| routing::get(memory::history));
    also("/v1/entities/{type}/{name}", &|| routing::delete(entities::delete));
    // Of these one address is described; the others follow.
    aliases.extend([
        ("/memories/".to_owned(), whole()),
        ("/memories/{id}/".to_owned(), one()),
        ("/memories/{id}/history/".to_owned(), routing::get(memory::history)),
        ("/search/".to_owned(), routing::post(search::search)),
        ("/v3/memories".to_owned(), routing::post(list::get_some)),
        ("/v1/batch".to_owned(), batch()),
        ("/v1/entities".to_owned(), routing::get(entities::list)),
        ("/v2/entities/{type}/{name}".to_owned(), routing::delete(entities::delete)),
        ("/v1/ping".to_owned(), routing::get(ping)),
        ("/v1/feedback".to_owned(), routing::post(feedback::feedback)),
    ]);
    aliases
}

/// That the key is good, and what it opens.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Mem0Ping)]
pub struct Pong {
    status: &'static str,
    /// The tenant, in both of these clients' words for it.
    org_id: String,
    project_id: String,
    #[schema(required)]
    user_email: Option<String>,
}

/// Whether the key is good, as mem0's clients ask when they start
#[utoipa::path(get, path = "/v1/ping/", tag = "mem0", operation_id = "mem0Ping",
    responses((status = 200, description = "It is", body = Pong)))]
async fn ping(caller: Caller) -> Json<Pong> {
    let tenant = caller.tenant().as_str().to_owned();
    Json(Pong { status: "ok", org_id: tenant.clone(), project_id: tenant, user_email: None })
}

/// Says a refusal in the words that these clients read, too.
async fn with_detail(response: Response) -> Response {
    if !(response.status().is_client_error() || response.status().is_server_error()) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let is_json = parts.headers.get(CONTENT_TYPE).is_some_and(|sort| sort == "application/json");
    let Ok(bytes) = to_bytes(body, crate::limits::BODY_BYTES).await else {
        return Response::from_parts(parts, Body::empty());
    };
    let mut said: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    let text = |name: &str| said["error"][name].as_str().map(str::to_owned);
    let Some(message) = text("message").filter(|_| is_json) else {
        return Response::from_parts(parts, Body::from(bytes));
    };
    let detail = match text("hint") {
        Some(hint) => format!("{message} ({hint})"),
        None => message,
    };
    said["detail"] = detail.into();
    parts.headers.remove(CONTENT_LENGTH);
    Response::from_parts(parts, Body::from(said.to_string()))
}
