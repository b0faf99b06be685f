//! `/mcp`: the tools over streamable HTTP, for whoever has a key.
//!
//! Each request is answered by itself, as JSON: nothing is kept between two of them, so there are no sessions to bound, to
//! lose at a restart, or to steal. Keys, the `Host` and the `Origin` were looked at before a request comes here
//! ([`crate::auth`]). Headers say whose memory it is, as for chats; `?profile=` and `?tools=` choose tools.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde::Deserialize;
use utoipa::ToSchema;

use super::McpServer;
use super::tool_context::{ToolContext, ToolOwner};
use super::tools::{Profile, ToolSelection};
use crate::app::AppState;
use crate::ops::Caller;
use crate::problem::Problem;
use crate::proxy::identity_headers;
use crate::rest::extract::QueryParams;

pub const PATH: &str = "/mcp";

pub fn routes() -> Router<AppState> {
    Router::new().route(PATH, any(answer))
}

/// Which tools.
#[derive(Debug, Default, Deserialize, ToSchema)]
struct ToolsQuery {
    /// Whose names they have.
    profile: Option<String>,
    /// Only these, separated by commas.
    #[serde(default)]
    tools: String,
}

async fn answer(
    State(state): State<AppState>,
    caller: Caller,
    QueryParams(asked): QueryParams<ToolsQuery>,
    request: Request,
) -> Response {
    let server = match server(&state, caller, &asked, &request) {
        Ok(server) => server,
        Err(problem) => return problem.into_response(),
    };
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(crate::limits::BODY_BYTES)
        // The door has checked both, by the names that the configuration lists.
        .disable_allowed_hosts()
        .disable_allowed_origins();
    let sessions = Arc::new(NeverSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(server.clone()), sessions, config);
    service.handle(request).await.map(Body::new)
}

fn server(
    state: &AppState,
    caller: Caller,
    asked: &ToolsQuery,
    request: &Request,
) -> Result<McpServer, Problem> {
    let profile = asked.profile.as_deref().map_or(Ok(Profile::Default), Profile::named)?;
    let only =
        asked.tools.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect();
    let said = identity_headers::ChatIdentity::of(request.headers())?;
    let who = ToolOwner { agent: said.agent, user: said.user, session: said.session };
    let desk = ToolContext::within(state.house.clone(), caller, who);
    Ok(McpServer::new(desk, &ToolSelection::new(profile, only)?))
}
