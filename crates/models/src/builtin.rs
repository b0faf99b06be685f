//! The built-in table behind the core's door for embedders.

use async_trait::async_trait;
use memory::error::ModelError;
use memory::ports::Embedder;

use crate::StaticTable;

/// The embedder that is always there. It answers in microseconds, so it does so on the caller's thread.
#[derive(Debug, Clone, Copy, Default)]
pub struct Builtin;

#[async_trait]
impl Embedder for Builtin {
    fn signature(&self) -> &str {
        StaticTable::builtin().signature()
    }

    fn dimensions(&self) -> usize {
        StaticTable::builtin().dimensions()
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, ModelError> {
        let table = StaticTable::builtin();
        Ok(texts.iter().map(|text| table.embed(text)).collect())
    }

    fn coverage(&self, text: &str) -> f32 {
        StaticTable::builtin().known_share(text)
    }
}
