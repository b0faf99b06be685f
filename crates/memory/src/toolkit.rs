//! What recall, learning and upkeep work with for one tenant.
//!
//! The three share one store, one clock and one way of splitting text into words, so they share one box of tools:
//! whoever makes it decides once, and a step that calls another's (upkeep finds what it wrote by a search, learning
//! compares with what is recalled) hands it on whole.

use std::sync::Arc;

use crate::ports::{ChatModel, Clock, Embedder, SpeechJudge, Store};
use crate::settings::Settings;
use crate::text::Analyser;
use crate::types::TenantId;

/// One tenant's tools. Cheap to clone but for the settings.
#[derive(Clone)]
pub struct Toolkit {
    pub tenant: TenantId,
    pub store: Arc<dyn Store>,
    /// Without one, words alone are compared.
    pub embedder: Option<Arc<dyn Embedder>>,
    /// Reads what people say; without one, patterns alone do.
    pub judge: Option<Arc<dyn SpeechJudge>>,
    /// The core model, where there is one.
    pub model: Option<Arc<dyn ChatModel>>,
    pub clock: Arc<dyn Clock>,
    pub settings: Settings,
    /// Splits text into words as the store's index does.
    pub analyser: Arc<Analyser>,
}
