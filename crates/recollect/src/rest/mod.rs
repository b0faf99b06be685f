//! What HTTP clients may ask: one file a route or a few that belong together, each with the request as it comes over the
//! wire.
//!
//! Thin: what was asked is read, becomes an operation, and the operation's answer goes back. Names and spellings of the
//! wire stay in here. A field or parameter that a route does not know, and one that is wrong, is a 400 that names it; on the routes
//! of other systems ([`foreign`]) their own fields pass.
//!
//! How a route is made:
//! 1. Its file has `pub fn routes() -> OpenApiRouter<AppState>` that lists its handlers with `routes!(…)`; handlers of
//!    the same path stand in one `routes!`, other paths in others. The list below merges it.
//! 2. A handler has `#[utoipa::path(…)]`: method, `path`, `tag` (one of [`openapi::TAGS`]), an `operation_id`,
//!    `params(Query<T>)` or `request_body = T`, and the answers that are its own. Its first doc line becomes the summary. What any route can
//!    answer is added by [`openapi`]: 401, 403, 429, 500 and 503 to all that know a caller, 400 and 413 where there is a
//!    body, 400 where there are parameters, 404 where there is a name in the path.
//! 3. It takes [`Caller`] (which authenticates), then [`extract::PathId`] for the name in the path, and last what is asked:
//!    [`extract::QueryParams`], [`extract::Body`] or [`extract::AnyBody`] of the request's struct, or [`extract::Bare`] where nothing can be
//!    said; each refuses in the one shape of errors. It gives `Result<Json<T>, Problem>`, by asking the operation of [`crate::ops::Services`].
//! 4. A request is one struct that derives `Deserialize` and `ToSchema`: its description is what reads it ([`crate::request`]). Names
//!    are in snake case; other spellings are understood by themselves. Whose it is, and the page, are parts of
//!    [`crate::request::values`], as are ids, moments and bounded numbers; words are those of [`schema`]. A field that may be left out
//!    is an `Option` or has `#[serde(default)]`.
//! 5. An answer derives `ToSchema`: the operation's own where it is what the wire wants, else a type of the route's file. Ids and
//!    times are `#[schema(value_type = …)]` of [`schema`], closed lists of words too, so that their words come from the code that
//!    knows them.
//! 6. `cargo xtask generate` writes `docs/reference/openapi.json` anew.

pub mod agents;
pub mod context;
pub mod crisis;
pub mod doctor;
pub mod engine;
pub mod episodes;
pub mod events;
pub mod extract;
pub mod facts;
pub mod feedback;
pub mod foreign;
pub mod forget;
pub mod graph;
pub mod identity;
pub mod ingest;
pub mod keys;
pub mod learning;
pub mod mem0;
pub mod memories;
pub mod memory;
pub mod openapi;
pub mod page;
pub mod pending;
pub mod preview;
pub mod probes;
pub mod search;
pub mod sessions;
pub mod settings;
pub mod status;
pub mod tend;
pub mod transcript;
pub mod transfer;
pub mod upkeep;

use axum::Router;
use utoipa_axum::router::OpenApiRouter;

use crate::app::AppState;
use crate::schema;

pub const INGEST: &str = "/memory/ingest";
pub const SEARCH: &str = "/api/memory/search";
pub const CONTEXT: &str = "/api/memory/context";

/// Everything that answers over HTTP but the chat proxy, with its description.
fn described() -> OpenApiRouter<AppState> {
    OpenApiRouter::with_openapi(openapi::head())
        .merge(memories::routes())
        .merge(memory::routes())
        .merge(search::routes())
        .merge(context::routes())
        .merge(ingest::routes())
        .merge(learning::routes())
        .merge(mem0::routes())
        .merge(preview::routes())
        .merge(upkeep::routes())
        .merge(tend::routes())
        .merge(engine::routes())
        .merge(doctor::routes())
        .merge(settings::routes())
        .merge(facts::routes())
        .merge(feedback::routes())
        .merge(forget::routes())
        .merge(episodes::routes())
        .merge(sessions::routes())
        .merge(transcript::routes())
        .merge(transfer::routes())
        .merge(pending::routes())
        .merge(agents::routes())
        .merge(identity::routes())
        .merge(graph::routes())
        .merge(keys::routes())
        .merge(crisis::routes())
        .merge(status::routes())
        .merge(events::routes())
        .merge(probes::routes())
}

pub fn routes() -> Router<AppState> {
    let (routes, _) = described().split_for_parts();
    routes.merge(openapi::routes())
}
