//! `POST /memory/ingest`: a conversation, kept and learned from before the answer goes out.

use axum::Json;
use axum::extract::State;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::body::Body;
use super::schema::{GivenId, MomentOrDay, RoleWord};
use crate::app::AppState;
use crate::conversation;
use crate::ops::Caller;
use crate::ops::ingest::Ingested;
use crate::problem::Problem;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::default().routes(routes!(ingest))
}

/// A conversation: `turns` or `messages`, not both.
#[derive(ToSchema)]
pub struct Conversation {
    #[schema(value_type = GivenId)]
    pub conversation_id: String,
    #[schema(value_type = Option<GivenId>)]
    pub agent_id: Option<String>,
    #[schema(value_type = Option<GivenId>)]
    pub user_id: Option<String>,
    /// When it took place, for what says no time of its own.
    #[schema(value_type = Option<MomentOrDay>)]
    pub session_date: Option<String>,
    #[schema(min_items = 1, max_items = 5000)]
    pub turns: Option<Vec<Pair>>,
    #[schema(min_items = 1, max_items = 10000)]
    pub messages: Option<Vec<Message>>,
    /// Only keep what was said, and learn nothing from it.
    pub skip_extraction: Option<bool>,
}

/// What the user said and what was answered; either may be missing.
#[derive(ToSchema)]
pub struct Pair {
    pub user: Option<String>,
    pub assistant: Option<String>,
    #[schema(value_type = Option<MomentOrDay>)]
    pub date: Option<String>,
}

#[derive(ToSchema)]
#[schema(as = ConversationMessage)]
pub struct Message {
    #[schema(value_type = RoleWord)]
    pub role: String,
    /// Text, or a list of parts of which those with `text` count.
    #[schema(value_type = Content)]
    pub content: String,
    #[schema(max_length = 200)]
    pub name: Option<String>,
    #[schema(max_length = 200)]
    pub id: Option<String>,
    #[schema(value_type = Option<MomentOrDay>)]
    pub date: Option<String>,
}

#[derive(serde::Serialize, ToSchema)]
#[serde(untagged)]
pub enum Content {
    Text(String),
    Parts(Vec<Part>),
}

#[derive(serde::Serialize, ToSchema)]
pub struct Part {
    pub text: Option<String>,
}

/// Take in a conversation that took place elsewhere
///
/// It is kept and, unless told otherwise, learned from before the answer goes out. Messages that the conversation
/// already has are not stored twice.
#[utoipa::path(post, path = super::INGEST, tag = "conversations", operation_id = "ingest",
    request_body = Conversation, responses((status = 200, description = "What came of it", body = Ingested)))]
async fn ingest(
    State(state): State<AppState>,
    caller: Caller,
    body: Body,
) -> Result<Json<Ingested>, Problem> {
    let request = conversation::request(&body.fields())?;
    super::ask(&state, &caller, request).await.map(Json)
}
