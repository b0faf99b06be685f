//! `POST /memory/ingest`: a conversation, kept and learned from before the answer goes out.

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::Body;
use crate::app::AppState;
use crate::conversation::ConversationBody;
use crate::ops::Caller;
use crate::ops::ingest::Ingested;
use crate::problem::Problem;
use crate::proxy::identity_headers;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::default().routes(routes!(ingest))
}

/// Take in a conversation that took place elsewhere
///
/// It is kept and, unless told otherwise, learned from before the answer goes out. Messages that the conversation
/// already has are not stored twice.
#[utoipa::path(post, path = super::INGEST, tag = "conversations", operation_id = "ingest",
    request_body(content = ConversationBody, example = json!({ "conversation_id": "trip",
        "messages": [{ "role": "user", "content": "I moved to Irvine in May." }] })),
    responses((status = 200, description = "What came of it", body = Ingested)))]
async fn ingest(
    State(state): State<AppState>,
    caller: Caller,
    headers: HeaderMap,
    Body(body): Body<ConversationBody>,
) -> Result<Json<Ingested>, Problem> {
    let mut request = body.request()?;
    if request.time_zone.is_none() {
        request.time_zone = identity_headers::time_zone(&headers)?;
    }
    state.house.ask(&caller, request).await.map(Json)
}
