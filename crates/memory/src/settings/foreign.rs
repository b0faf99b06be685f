//! Settings of other systems that have no switch here.
//!
//! Their settings come as one document, and a document that says what is so here in any case is taken as it stands. A value that
//! asks for something that is not here is refused by its name, with what there is instead: a switch that nothing reads would lie.

use serde_json::Value;

use crate::error::Invalid;

/// One of them: what it may be, and why it may be nothing else.
struct ForeignSetting {
    names: &'static [&'static str],
    /// As JSON writes them; nothing said is fine in any case.
    granted: &'static [&'static str],
    instead: &'static str,
}

const TABLE: &[ForeignSetting] = &[
    ForeignSetting {
        names: &["skillsEnabled"],
        granted: &["false"],
        instead: "there are no skills here to be put into requests",
    },
    ForeignSetting {
        names: &["embeddingBackend"],
        granted: &["\"mlx\"", "\"builtin\""],
        instead: "the built-in model makes vectors; RECOLLECT_EMBEDDING_BACKEND=none switches them off for the whole server",
    },
    ForeignSetting {
        names: &["embeddingModel"],
        granted: &["\"nomic-embed-text-v1.5\"", "\"builtin\""],
        instead: "the built-in model makes vectors, whichever another system would use",
    },
    ForeignSetting {
        names: &["embeddingSource", "memoryEmbeddingSource"],
        granted: &["\"auto\"", "\"static\""],
        instead: "the built-in table of vectors is the source; RECOLLECT_EMBEDDING_BACKEND=none switches it off for the whole server",
    },
    ForeignSetting {
        names: &["embeddingProviderModel", "memoryEmbeddingProviderModel", "memoryEmbeddingModel"],
        granted: &[],
        instead: "no provider is asked for vectors; expected null",
    },
    ForeignSetting {
        names: &["transformersEnabled", "memoryTransformersEnabled"],
        granted: &["false"],
        instead: "no other model of vectors can be loaded",
    },
    ForeignSetting {
        names: &["staticEnabled", "memoryStaticEnabled"],
        granted: &["true", "false"],
        instead: "expected true or false; the built-in table of vectors is there in any case",
    },
    ForeignSetting {
        names: &["rerankEnabled", "memoryRerankEnabled"],
        granted: &["false"],
        instead: "nothing is ranked by another model; `recollect search --explain` shows what ranks",
    },
    ForeignSetting {
        names: &["rerankProviderModel", "memoryRerankModel"],
        granted: &[],
        instead: "nothing is ranked by another model; expected null",
    },
    ForeignSetting {
        names: &["vectorStore", "memoryVectorStore"],
        granted: &["\"auto\"", "\"sqlite-vec\""],
        instead: "vectors stand in the tenant's own SQLite file",
    },
    ForeignSetting {
        names: &["qdrantEnabled"],
        granted: &["false"],
        instead: "no Qdrant is asked: vectors stand in the tenant's own SQLite file",
    },
];

/// What says where and how another system's index of vectors is reached. Such a document is complete, whether the index is used or not: these are
/// taken while it is switched off, and are in no force.
const OF_QDRANT: [&str; 6] = [
    "qdrantHost",
    "qdrantPort",
    "qdrantApiKey",
    "qdrantCollection",
    "qdrantEmbeddingModel",
    "qdrantQuantization",
];

/// Whether a setting belongs to an index of vectors that is not here.
pub fn is_of_absent_index(name: &str) -> bool {
    OF_QDRANT.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// Whether this is another system's setting, and then whether what it says is so here.
pub fn granted(name: &str, value: &Value) -> Option<Result<(), Invalid>> {
    let is_named =
        |setting: &&ForeignSetting| setting.names.iter().any(|known| known.eq_ignore_ascii_case(name));
    let setting = TABLE.iter().find(is_named)?;
    let written = value.to_string();
    if value.is_null() || setting.granted.contains(&written.as_str()) {
        return Some(Ok(()));
    }
    let message = format!("{} cannot be had: {}", crate::error::shown(&written), setting.instead);
    Some(Err(Invalid { field: Some("name"), message, hint: None }))
}
