//! What mem0's filters mean.

use memory::types::{Kind, Owner, TenantId};
use serde_json::json;

use super::*;

fn memory() -> Memory {
    let owner = Owner { agent: "planner".parse().expect("an id"), user: "u1".parse().expect("an id") };
    let id = "mt_01980000-0000-7000-8000-000000000001".parse().expect("an id");
    let at = "2026-05-01T12:00:00Z".parse().expect("a time");
    let content = "Likes Pizza on Fridays".to_owned();
    let mut memory = Memory::new(id, TenantId::local(), &owner, Kind::Preference, content, at);
    memory.tags = vec!["food".into()];
    memory.metadata = json!({ "level": 3, "topics": ["a", "b"], "place": "Oslo", "app_id": "ios" })
        .as_object()
        .expect("an object")
        .clone();
    memory
}

fn check(filter: Value, expected: bool) {
    let test = FilterTest::read("filters", &filter).expect("a sound filter");
    assert_eq!(test.holds(&memory()), expected, "{filter}");
}

#[test]
fn fields_and_operators() {
    for passes in [
        json!({}),
        json!({ "user_id": "u1" }),
        json!({ "user_id": { "eq": "u1" }, "agent_id": "planner" }),
        json!({ "user_id": { "in": ["u0", "u1"] } }),
        json!({ "user_id": "*", "agent_id": "*", "run_id": null }),
        json!({ "run_id": { "ne": "r1" } }),
        json!({ "created_at": { "gte": "2026-05-01", "lte": "2026-05-01" } }),
        json!({ "created_at": { "gt": 1_777_000_000, "lt": "2026-05-01T12:00:00.000001Z" } }),
        json!({ "keywords": { "icontains": "pizza" } }),
        json!({ "categories": { "contains": "prefer" } }),
        json!({ "categories": { "in": ["food"] } }),
        json!({ "metadata": { "place": "Oslo", "level": { "gte": 3 } } }),
        json!({ "place": "Oslo" }),
        json!({ "topics": "b" }),
        json!({ "app_id": "ios" }),
        json!({ "memory_ids": ["mt_01980000-0000-7000-8000-000000000001"] }),
        json!({ "missing": { "ne": 1 } }),
    ] {
        check(passes, true);
    }
    for fails in [
        json!({ "user_id": "u2" }),
        json!({ "user_id": { "ne": "u1" } }),
        json!({ "run_id": "*" }),
        json!({ "created_at": { "gt": "2026-05-01" } }),
        json!({ "created_at": { "lt": "2026-05-01" } }),
        json!({ "keywords": { "contains": "pizza" } }),
        json!({ "categories": { "in": ["foo"] } }),
        json!({ "metadata": { "level": { "lt": 3 } } }),
        json!({ "level": "3" }),
        json!({ "missing": 1 }),
    ] {
        check(fails, false);
    }
}

#[test]
fn and_or_not() {
    let (yes, no) = (json!({ "user_id": "u1" }), json!({ "user_id": "u2" }));
    check(json!({ "AND": [yes, { "agent_id": "planner" }] }), true);
    check(json!({ "AND": [yes, no] }), false);
    check(json!({ "OR": [no, yes] }), true);
    check(json!({ "OR": [no] }), false);
    check(json!({ "NOT": [no, { "place": "Rome" }] }), true);
    check(json!({ "NOT": yes }), false);
    check(json!({ "AND": [yes, { "NOT": { "categories": { "in": ["spam"] } } }] }), true);
    check(json!({ "AND": [yes, { "OR": [{ "place": "Rome" }, { "level": 3 }] }] }), true);
}

#[test]
fn mistakes_are_named() {
    let said = |filter: Value| FilterTest::read("filters", &filter).expect_err("a mistake").to_string();
    assert!(said(json!([])).contains("`filters`: expected an object"));
    assert!(said(json!({ "user_id": { "near": 1 } })).contains("`filters.user_id.near`"));
    assert!(
        said(json!({ "AND": [{ "created_at": { "gte": "soon" } }] }))
            .contains("filters.AND[0].created_at.gte")
    );
    let many: Vec<Value> = (0..300).map(|number| json!({ "n": number })).collect();
    assert!(said(json!({ "OR": many })).contains("256 conditions"));
    let deep = (0..40).fold(json!({ "user_id": "u1" }), |inside, _| json!({ "NOT": inside }));
    assert!(said(deep).contains("16 levels"));
}

#[test]
fn what_a_filter_speaks_of_is_known_however_deep() {
    let test =
        FilterTest::read("filters", &json!({ "OR": [{ "NOT": { "user_id": "u1" } }, { "place": "Oslo" }] }));
    let test = test.expect("a sound filter");
    assert!(test.mentions(&Mem0Field::User) && !test.mentions(&Mem0Field::Agent));
}
