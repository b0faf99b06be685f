//! The published schema of our JSON exports, `docs/reference/export-schema.json`, made from code: closed lists of words come from
//! the types that know them. A test holds real exports to it.
//!
//! It says what must be there and of which type. What may be added later is not forbidden: readers pass over fields that they do not know.

use memory::types::{
    Corpus, EntityType, JudgedBy, Judgement, Kind, Layer, LinkKind, Origin, Part, ProcessingOutcome,
    RecordKind, Role, RunState, Scope, Status, Verdict,
};
use serde_json::{Map, Value, json};

use super::header::FORMAT;

/// The whole schema, as it is published.
pub fn text() -> String {
    let mut text = serde_json::to_string_pretty(&schema()).expect("a schema is plain data");
    text.push('\n');
    text
}

pub fn schema() -> Value {
    let mut definitions = Map::new();
    definitions.insert("header".into(), header());
    definitions.insert("item".into(), one_of(&ITEMS.map(|(name, _)| name), "item_"));
    for (name, fields) in ITEMS {
        definitions.insert(format!("item_{name}"), object("item", name, fields));
    }
    definitions.insert("record".into(), one_of(&RECORDS.map(|(name, _)| name), "record_"));
    for (name, fields) in RECORDS {
        definitions.insert(format!("record_{name}"), object("record", name, fields));
        definitions.insert(format!("body_{name}"), fields_of(fields));
    }
    for (name, fields) in SHAPES {
        definitions.insert((*name).into(), fields_of(fields));
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A Recollect export",
        "description": "One document (`json`). In JSON lines the first line is an object with `recollect` alone, each line \
            that follows is an item, and the last line is an object with `recollect_end`. Fields that are not described may be added.",
        "type": "object",
        "required": ["recollect", "items"],
        "properties": {
            "recollect": { "$ref": "#/$defs/header" },
            "items": { "type": "array", "items": { "$ref": "#/$defs/item" } },
        },
        "$defs": definitions,
    })
}

fn header() -> Value {
    let parts: Vec<&str> = Part::ALL.iter().map(|part| part.as_str()).collect();
    json!({
        "type": "object",
        "required": ["format", "version", "exported_at", "tenant", "extent", "counts"],
        "properties": {
            "format": { "type": "integer", "minimum": 1, "maximum": FORMAT },
            "version": { "type": "string", "description": "The program that wrote it" },
            "exported_at": kind("time"),
            "tenant": { "type": "string" },
            "extent": { "type": "object", "description": "What was asked for" },
            "counts": {
                "type": "object",
                "description": "How many items of each part follow, in this order of parts",
                "propertyNames": { "enum": parts },
                "additionalProperties": { "type": "integer", "minimum": 0 },
            },
        },
    })
}

fn one_of(names: &[&str], prefix: &str) -> Value {
    let all: Vec<Value> =
        names.iter().map(|name| json!({ "$ref": format!("#/$defs/{prefix}{name}") })).collect();
    json!({ "oneOf": all })
}

/// An object whose tag says which it is.
fn object(tag: &str, name: &str, fields: &[(&str, &str)]) -> Value {
    let mut object = fields_of(fields);
    object["properties"][tag] = json!({ "const": name });
    if let Some(required) = object["required"].as_array_mut() {
        required.insert(0, tag.into());
    }
    object
}

fn fields_of(fields: &[(&str, &str)]) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for (name, word) in fields {
        let plain = word.trim_end_matches('?');
        properties.insert((*name).to_owned(), kind(plain));
        if plain == *word {
            required.push(Value::from(*name));
        }
    }
    json!({ "type": "object", "required": required, "properties": properties })
}

/// What a word of the tables below means.
fn kind(word: &str) -> Value {
    if let Some(of) = word.strip_suffix("[]") {
        return json!({ "type": "array", "items": kind(of) });
    }
    let words = |all: &[&str]| json!({ "enum": all });
    macro_rules! closed {
        ($type:ty) => {
            words(&<$type>::ALL.iter().map(|one| one.as_str()).collect::<Vec<_>>())
        };
    }
    match word {
        "text" => json!({ "type": "string" }),
        "yes" => json!({ "type": "boolean" }),
        "count" => json!({ "type": "integer", "minimum": 0 }),
        "number" => json!({ "type": "number" }),
        "any" => json!({}),
        "map" => json!({ "type": "object" }),
        "time" => json!({ "type": "string", "format": "date-time" }),
        "kind" => closed!(Kind),
        "layer" => closed!(Layer),
        "scope" => closed!(Scope),
        "status" => closed!(Status),
        "origin" => closed!(Origin),
        "role" => closed!(Role),
        "verdict" => closed!(Verdict),
        "entity_type" => closed!(EntityType),
        "link_kind" => closed!(LinkKind),
        "corpus" => closed!(Corpus),
        "judgement" => closed!(Judgement),
        "judged_by" => closed!(JudgedBy),
        "run_state" => closed!(RunState),
        "outcome" => closed!(ProcessingOutcome),
        "record_kind" => closed!(RecordKind),
        "actor" => words(&["person", "model", "heuristic", "tool", "import", "tend"]),
        other => json!({ "$ref": format!("#/$defs/{other}") }),
    }
}

type Fields = &'static [(&'static str, &'static str)];

/// The items, by their tag. A `?` marks what may be missing.
const ITEMS: [(&str, Fields); 16] = [
    ("record", &[("value", "record"), ("next_index", "count?")]),
    ("turn", &[("value", "turn")]),
    ("setting", &[("name", "text"), ("value", "any")]),
    (
        "history",
        &[
            ("place", "count"),
            ("at", "time"),
            ("by", "actor"),
            ("run", "text?"),
            ("reason", "text?"),
            ("of", "record_ref"),
            ("before", "record?"),
            ("purged", "yes?"),
        ],
    ),
    ("counter", &[("memory", "text"), ("value", "counters")]),
    (
        "counted",
        &[
            ("run", "text"),
            ("memory", "text"),
            ("use_count", "count"),
            ("source_count", "count"),
            ("last_used_at", "time?"),
            ("last_used_before", "time?"),
        ],
    ),
    ("archive", &[("value", "archived_text"), ("run", "text?")]),
    ("access", &[("value", "archive_access")]),
    ("feedback", &[("value", "feedback_entry")]),
    ("pending", &[("value", "pending_turn")]),
    ("redo", &[("value", "redo_entry")]),
    ("derivation", &[("child", "node"), ("parent", "node"), ("run", "text?")]),
    ("block", &[("value", "prompt_block")]),
    ("vector", &[("corpus", "corpus"), ("id", "text"), ("signature", "text"), ("vector", "number[]")]),
    ("processing", &[("value", "processing_entry")]),
    ("receipt", &[("value", "purge_receipt")]),
];

/// The records that have versions and history, by their tag.
const RECORDS: [(&str, Fields); 11] = [
    ("memory", MEMORY),
    (
        "episode",
        &[
            ("id", "text"),
            ("version", "count"),
            ("session", "session_key"),
            ("summary", "text"),
            ("topics", "text[]?"),
            ("decisions", "text[]?"),
            ("key_dates", "text[]?"),
            ("action_items", "text[]?"),
            ("salience", "number"),
            ("origin", "origin"),
            ("status", "status"),
            ("started_at", "time"),
            ("ended_at", "time"),
            ("created_at", "time"),
            ("updated_at", "time"),
        ],
    ),
    (
        "session",
        &[
            ("key", "session_key"),
            ("version", "count"),
            ("title", "text?"),
            ("started_at", "time"),
            ("last_turn_at", "time"),
            ("ended_at", "time?"),
            ("metadata", "map?"),
        ],
    ),
    (
        "entity",
        &[
            ("id", "text"),
            ("version", "count"),
            ("owner", "owner"),
            ("name", "text"),
            ("type", "entity_type"),
            ("aliases", "text[]?"),
            ("status", "status"),
            ("created_at", "time"),
            ("updated_at", "time"),
        ],
    ),
    (
        "relation",
        &[
            ("id", "text"),
            ("version", "count"),
            ("owner", "owner"),
            ("subject", "text"),
            ("predicate", "text"),
            ("object", "text"),
            ("confidence", "number"),
            ("valid_from", "time?"),
            ("valid_until", "time?"),
            ("status", "status"),
            ("created_at", "time"),
            ("updated_at", "time"),
        ],
    ),
    (
        "link",
        &[
            ("id", "text"),
            ("version", "count"),
            ("from", "text"),
            ("to", "text"),
            ("kind", "link_kind"),
            ("weight", "number"),
            ("created_at", "time"),
            ("updated_at", "time"),
        ],
    ),
    (
        "held",
        &[
            ("id", "text"),
            ("version", "count"),
            ("session", "session_key"),
            ("memory", "body_memory"),
            ("verdict", "verdict"),
            ("reason", "text"),
            ("sources", "text[]"),
            ("created_at", "time"),
        ],
    ),
    (
        "profile",
        &[
            ("id", "text"),
            ("version", "count"),
            ("user", "text"),
            ("number", "count"),
            ("text", "text"),
            ("difference", "text?"),
            ("sources", "text[][]?"),
            ("edited", "map?"),
            ("checked_at", "time?"),
            ("origin", "origin"),
            ("created_at", "time"),
        ],
    ),
    (
        "override",
        &[
            ("id", "text"),
            ("version", "count"),
            ("user", "text"),
            ("text", "text"),
            ("memory", "text?"),
            ("origin", "origin"),
            ("created_at", "time"),
        ],
    ),
    (
        "agent",
        &[
            ("id", "text"),
            ("version", "count"),
            ("name", "text"),
            ("description", "text?"),
            ("personality", "map?"),
            ("created_at", "time"),
            ("updated_at", "time"),
        ],
    ),
    (
        "run",
        &[
            ("id", "text"),
            ("version", "count"),
            ("job", "text"),
            ("state", "run_state"),
            ("cursor", "text?"),
            ("counts", "map?"),
            ("started_at", "time"),
            ("finished_at", "time?"),
        ],
    ),
];

const MEMORY: Fields = &[
    ("id", "text"),
    ("version", "count"),
    ("tenant", "text"),
    ("agent", "text"),
    ("user", "text"),
    ("session", "text?"),
    ("scope", "scope"),
    ("layer", "layer"),
    ("kind", "kind"),
    ("key", "text?"),
    ("content", "text"),
    ("subject", "text?"),
    ("predicate", "text?"),
    ("object", "text?"),
    ("evidence", "text?"),
    ("confidence", "number"),
    ("salience", "number"),
    ("strength", "number"),
    ("stability_days", "number"),
    ("pinned", "yes?"),
    ("origin", "origin"),
    ("tags", "text[]?"),
    ("emotion", "map?"),
    ("metadata", "map?"),
    ("valid_from", "time?"),
    ("valid_until", "time?"),
    ("expires_at", "time?"),
    ("status", "status"),
    ("superseded_by", "text?"),
    ("content_hash", "text"),
    ("created_at", "time"),
    ("updated_at", "time"),
];

/// What stands inside items and records.
const SHAPES: &[(&str, Fields)] = &[
    ("owner", &[("agent", "text"), ("user", "text")]),
    ("session_key", &[("agent", "text"), ("user", "text"), ("session", "text")]),
    ("record_ref", &[("kind", "record_kind"), ("id", "text")]),
    ("node", &[("kind", "text"), ("id", "text")]),
    (
        "turn",
        &[
            ("id", "text"),
            ("external_id", "text?"),
            ("session", "session_key"),
            ("index", "count"),
            ("role", "role"),
            ("speaker", "text?"),
            ("text", "text"),
            ("tokens", "count"),
            ("at", "time"),
            ("partial", "yes?"),
        ],
    ),
    (
        "counters",
        &[
            ("use_count", "count"),
            ("source_count", "count"),
            ("last_used_at", "time?"),
            ("used", "count?"),
            ("ignored", "count?"),
            ("wrong", "count?"),
        ],
    ),
    (
        "archived_text",
        &[
            ("memory", "text"),
            ("text", "text"),
            ("hash", "text"),
            ("archived_at", "time"),
            ("last_access_at", "time?"),
        ],
    ),
    ("archive_access", &[("memory", "text"), ("at", "time"), ("intact", "yes")]),
    (
        "feedback_entry",
        &[
            ("memory", "text"),
            ("judgement", "judgement"),
            ("by", "judged_by"),
            ("session", "session_key?"),
            ("turn", "text?"),
            ("at", "time"),
        ],
    ),
    (
        "pending_turn",
        &[
            ("turn", "text"),
            ("session", "session_key"),
            ("since", "time"),
            ("failures", "count"),
            ("last_error", "text?"),
            ("dead", "yes"),
        ],
    ),
    (
        "redo_entry",
        &[
            ("session", "session_key"),
            ("since", "time"),
            ("failures", "count"),
            ("last_error", "text?"),
            ("dead", "yes"),
        ],
    ),
    (
        "prompt_block",
        &[
            ("hash", "text"),
            ("session", "session_key"),
            ("text", "text"),
            ("tokens", "count"),
            ("memories", "text[]"),
            ("turns", "text[]"),
            ("episodes", "text[]"),
            ("at", "time"),
            ("dropped", "yes?"),
        ],
    ),
    (
        "processing_entry",
        &[
            ("at", "time"),
            ("task", "text"),
            ("model", "text?"),
            ("input_tokens", "count"),
            ("output_tokens", "count"),
            ("cost", "number?"),
            ("duration_ms", "count"),
            ("outcome", "outcome"),
            ("detail", "text?"),
        ],
    ),
    (
        "purge_receipt",
        &[
            ("id", "text"),
            ("at", "time"),
            ("removed", "map"),
            ("rewritten", "map"),
            ("hash", "text"),
            ("beyond", "text[]"),
        ],
    ),
];
