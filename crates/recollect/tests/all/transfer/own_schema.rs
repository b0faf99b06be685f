//! Real exports, held to the schema that is published.

use std::sync::Arc;

use memory::types::{Actor, Item, Part, RunId};
use serde_json::{Value, json};
use transfer::schema::schema;

use super::own;

/// As much of JSON Schema as ours uses. Gives what is wrong, with its place.
fn wrong(root: &Value, schema: &Value, value: &Value, place: &str) -> Option<String> {
    if let Some(reference) = schema["$ref"].as_str() {
        let to = root.pointer(&reference[1..]).unwrap_or_else(|| panic!("{reference} leads nowhere"));
        if let Some(message) = wrong(root, to, value, place) {
            return Some(message);
        }
    }
    if let Some(any) = schema["anyOf"].as_array()
        && any.iter().all(|one| wrong(root, one, value, place).is_some())
    {
        return Some(format!("{place}: fits none of the choices"));
    }
    if let Some(all) = schema["oneOf"].as_array() {
        let fitting = all.iter().filter(|one| wrong(root, one, value, place).is_none()).count();
        if fitting != 1 {
            let near = all.iter().filter_map(|one| wrong(root, one, value, place)).min_by_key(String::len);
            return Some(format!("{place}: fits {fitting} of the choices; {near:?}"));
        }
    }
    if schema.get("const").is_some_and(|only| only != value) {
        return Some(format!("{place}: {value} is not {}", schema["const"]));
    }
    if schema["enum"].as_array().is_some_and(|all| !all.contains(value)) {
        return Some(format!("{place}: {value} is not listed"));
    }
    let is = |of: &Value| match of.as_str().expect("a type's name") {
        "null" => value.is_null(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64(),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("the type {other}"),
    };
    let fits = match &schema["type"] {
        Value::Null => true,
        Value::Array(types) => types.iter().any(is),
        one => is(one),
    };
    if !fits {
        return Some(format!("{place}: {value} is no {}", schema["type"]));
    }
    let required = schema["required"].as_array().into_iter().flatten();
    if let Some(missing) = required.filter_map(Value::as_str).find(|name| value.get(name).is_none()) {
        return Some(format!("{place}: {missing} is missing"));
    }
    let properties = schema["properties"].as_object().into_iter().flatten();
    for (name, of) in properties {
        if let Some(inner) = value.get(name)
            && let Some(message) = wrong(root, of, inner, &format!("{place}.{name}"))
        {
            return Some(message);
        }
    }
    let elements = value.as_array().into_iter().flatten().enumerate();
    let of = &schema["items"];
    elements
        .filter(|_| of.is_object())
        .find_map(|(number, one)| wrong(root, of, one, &format!("{place}[{number}]")))
}

#[test]
fn real_exports_fit_the_schema_that_is_published() {
    let home = own::filled();
    let path = own::export(&home, "all.json", &["--include-deleted", "--embeddings"]);
    let document: Value = serde_json::from_slice(&std::fs::read(path).expect("read")).expect("JSON");
    let schema = schema();
    assert_eq!(wrong(&schema, &schema, &document, "$"), None);
    let mut odd = document.clone();
    odd["items"][0]["item"] = json!("nonsense");
    assert!(wrong(&schema, &schema, &odd, "$").is_some(), "the check would notice");
    let mut poor = document;
    poor["recollect"].as_object_mut().expect("an object").remove("format");
    assert!(wrong(&schema, &schema, &poor, "$").is_some());
}

/// Items that a small store does not have, so that no kind goes unchecked.
#[test]
fn every_part_has_its_place_in_the_schema() {
    let schema = schema();
    let clock = Arc::new(testkit::ManualClock::default());
    let memory = testkit::build::memory(&clock, "tea");
    let run: RunId = "ru_01890a5d-ac96-774b-bcce-b302099a8057".parse().expect("an id");
    let items = [
        Item::from(memory::types::Record::from(memory.clone())),
        Item::from(memory::types::Record::from(testkit::build::held(&clock, "s", "tea"))),
        Item::from(memory::types::Record::from(testkit::build::link(&clock, &memory.id, &memory.id))),
        Item::Turn { value: Box::new(testkit::build::turn(&clock, "s", "tea")) },
        Item::Counted {
            run: run.clone(),
            memory: memory.id.clone(),
            use_count: 1,
            source_count: 0,
            last_used_at: None,
            last_used_before: Some(memory.created_at),
        },
        Item::History {
            place: 0,
            at: memory.created_at,
            by: Actor::Tend,
            run: Some(run),
            reason: None,
            of: memory::types::RecordRef::memory(&memory.id),
            before: Some(Box::new(memory.into())),
            purged: false,
        },
    ];
    for item in items {
        let written = serde_json::to_value(&item).expect("an item");
        assert_eq!(wrong(&schema, &schema["$defs"]["Item"], &written, "$"), None, "{written}");
    }
    let listed = schema["$defs"]["Header"]["properties"]["counts"]["propertyNames"]["enum"].as_array();
    assert_eq!(listed.expect("a list").len(), Part::ALL.len());
}
