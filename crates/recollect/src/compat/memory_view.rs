//! A memory as rows of the wire know it.
//!
//! Names are those that clients of these routes know: camel case, and `type` for the layer.

use memory::types::{Emotion, Memory, Time};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::schema::{
    AnyObject, KindWord, LayerWord, MomentSchema, OriginWord, ProvenanceWord, ScopeWord, StatusWord,
};

/// A memory.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Memory)]
pub struct MemoryView {
    id: String,
    content: String,
    /// The layer, in the word that clients use.
    #[schema(value_type = LayerWord)]
    r#type: &'static str,
    #[schema(value_type = KindWord)]
    kind: &'static str,
    /// Its stable name: writing under it again changes this memory.
    #[schema(required)]
    key: Option<String>,
    #[schema(value_type = ScopeWord)]
    scope: &'static str,
    #[schema(value_type = LayerWord)]
    layer: &'static str,
    #[schema(required)]
    session_id: Option<String>,
    /// What it is about, where that is one of the user's projects.
    #[schema(required)]
    project_id: Option<String>,
    agent_id: String,
    user_id: String,
    /// A word for the matter.
    #[schema(required)]
    category: Option<String>,
    tags: Vec<String>,
    #[schema(value_type = AnyObject)]
    metadata: Map<String, Value>,
    #[schema(required)]
    subject: Option<String>,
    #[schema(required)]
    predicate: Option<String>,
    #[schema(required)]
    object: Option<String>,
    /// The words it rests on.
    #[schema(required)]
    evidence: Option<String>,
    #[schema(required, value_type = Option<Feeling>)]
    emotion: Option<Emotion>,
    #[schema(minimum = 0, maximum = 1)]
    confidence: f32,
    #[schema(minimum = 0, maximum = 1)]
    salience: f32,
    /// By a person: no machine takes it away.
    pinned: bool,
    #[schema(value_type = OriginWord)]
    origin: &'static str,
    /// Whose words it rests on.
    #[schema(value_type = ProvenanceWord)]
    provenance: &'static str,
    /// Not to be shown unasked.
    sensitive: bool,
    #[schema(value_type = StatusWord)]
    status: &'static str,
    #[schema(required)]
    superseded_by: Option<String>,
    /// What `If-Match` and `version` are compared with.
    #[schema(minimum = 1)]
    version: u64,
    #[schema(required, value_type = Option<MomentSchema>)]
    valid_from: Option<Time>,
    #[schema(required, value_type = Option<MomentSchema>)]
    valid_until: Option<Time>,
    #[schema(required, value_type = Option<MomentSchema>)]
    expires_at: Option<Time>,
    #[schema(value_type = MomentSchema)]
    created_at: Time,
    #[schema(value_type = MomentSchema)]
    updated_at: Time,
}

/// How it felt.
#[derive(ToSchema)]
pub struct Feeling {
    #[schema(minimum = -1, maximum = 1)]
    pub valence: f32,
    #[schema(minimum = 0, maximum = 1)]
    pub arousal: f32,
}

impl MemoryView {
    pub fn version(&self) -> u64 {
        self.version
    }
}

impl From<Memory> for MemoryView {
    fn from(memory: Memory) -> Self {
        let provenance = memory.rests_on().as_str();
        Self {
            provenance,
            sensitive: memory.sensitive,
            project_id: memory.project.map(|project| project.as_str().to_owned()),
            category: memory.category,
            id: memory.id.as_str().to_owned(),
            content: memory.content,
            r#type: memory.layer.as_str(),
            kind: memory.kind.as_str(),
            key: memory.key,
            scope: memory.scope.as_str(),
            layer: memory.layer.as_str(),
            session_id: memory.session.map(|session| session.as_str().to_owned()),
            agent_id: memory.agent.as_str().to_owned(),
            user_id: memory.user.as_str().to_owned(),
            tags: memory.tags,
            metadata: memory.metadata,
            subject: memory.subject,
            predicate: memory.predicate,
            object: memory.object,
            evidence: memory.evidence,
            emotion: memory.emotion,
            confidence: memory.confidence,
            salience: memory.salience,
            pinned: memory.pinned,
            origin: memory.origin.as_str(),
            status: memory.status.as_str(),
            superseded_by: memory.superseded_by.map(|id| id.as_str().to_owned()),
            version: memory.version,
            valid_from: memory.valid_from,
            valid_until: memory.valid_until,
            expires_at: memory.expires_at,
            created_at: memory.created_at,
            updated_at: memory.updated_at,
        }
    }
}
