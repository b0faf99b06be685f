//! The published schema of our JSON exports, `docs/reference/export-schema.json`, made from the types that are written. A test holds real
//! exports to it.
//!
//! It says what a reader of ours needs, and of which type. What may be added later is not forbidden: readers pass over fields that
//! they do not know.

use memory::types::Item;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

use super::header::Header;

/// The whole schema, as it is published.
pub fn text() -> String {
    let mut text = serde_json::to_string_pretty(&schema()).expect("a schema is plain data");
    text.push('\n');
    text
}

pub fn schema() -> Value {
    let mut types = SchemaSettings::draft2020_12().into_generator();
    let (header, item) = (types.subschema_for::<Header>(), types.subschema_for::<Item>());
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A Recollect export",
        "description": "One document (`json`). In JSON lines the first line is an object with `recollect` alone, each line \
            that follows is an item, and the last line is an object with `recollect_end`. Fields that are not described may be added.",
        "type": "object",
        "required": ["recollect", "items"],
        "properties": {
            "recollect": header,
            "items": { "type": "array", "items": item },
        },
        "$defs": types.take_definitions(true),
    })
}
