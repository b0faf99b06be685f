//! Every operation that the socket takes. Whoever may open it may name any tenant, but one call reaches one tenant only.

use std::collections::BTreeSet;

use axum::body::Body;
use axum::http::Request;
use http_body_util::BodyExt;
use recollect::app::{AppState, operator_app};
use recollect::ops::{Operation, Services};
use serde_json::{Value, json};
use tower::ServiceExt;

use super::{Filled, ProbeAnswer, RecordNames, WORDS, stranger};
use crate::rest::api::house;

/// Every operation, with another tenant's names wherever it takes names. Left out is only what is the operator's by
/// design and says so: to revoke a key of any tenant, and what is asked about all of them at once.
fn operations(ids: &RecordNames) -> Vec<Value> {
    let which = json!({ "session": ids.session, "agent": ids.agent, "user": ids.user });
    let of = |name: &str, fields: Value| {
        let mut whole = json!({ "operation": name });
        whole.as_object_mut().expect("an object").extend(fields.as_object().cloned().expect("an object"));
        whole
    };
    let owner = json!({ "agent": ids.agent, "user": ids.user });
    let filter = json!({ "agent": ids.agent, "user": ids.user, "session": ids.session });
    let message = json!([{ "role": "user", "content": "hello" }]);
    vec![
        of(
            "add",
            json!({ "content": "x", "key": ids.memory_key, "agent": ids.agent, "user": ids.user, "session": ids.session }),
        ),
        of(
            "ingest",
            json!({ "session": ids.session, "agent": ids.agent, "user": ids.user, "messages": message }),
        ),
        of(
            "context",
            json!({ "message": WORDS, "agent": ids.agent, "user": ids.user, "session": ids.session }),
        ),
        of("search", json!({ "query": WORDS })),
        of("search", json!({ "query": WORDS, "filter": filter })),
        of("list", json!({ "filter": filter })),
        of("list", json!({ "matching": WORDS })),
        of("show", json!({ "id": ids.memory })),
        of("why", json!({ "id": ids.memory })),
        of("update", json!({ "id": ids.memory, "content": "taken over" })),
        of("update_many", json!({ "updates": [{ "id": ids.memory, "content": "taken over" }] })),
        of("forget", json!({ "ids": [ids.memory], "confirmed": true })),
        of("forget", json!({ "ids": [ids.memory], "confirmed": true, "purge": true })),
        of("forget", json!({ "filter": filter, "confirmed": true })),
        of("forget", json!({ "matching": WORDS, "confirmed": true, "purge": true })),
        of("clear", json!({ "filter": filter })),
        of("clear", json!({ "all": true })),
        of("merge", json!({ "ids": [ids.memory, ids.rule] })),
        of("count_uses", json!({ "ids": [ids.memory] })),
        of("feedback", json!({ "ids": [ids.memory], "judgement": "wrong", "by": "person" })),
        of(
            "feedback",
            json!({ "judgement": "used", "by": "agent", "agent": ids.agent, "user": ids.user, "session": ids.session }),
        ),
        of("feedback_list", json!({ "id": ids.memory })),
        of("summarize", json!({ "older_than_days": 1, "agent": ids.agent, "user": ids.user })),
        of(
            "preview",
            json!({ "query": WORDS, "agent": ids.agent, "user": ids.user, "session": ids.session }),
        ),
        of("tally", json!({ "agent": ids.agent })),
        of("tend", json!({})),
        of("runs_list", json!({})),
        of("receipts", json!({})),
        of("undo", json!({ "run": ids.run })),
        of("rehydrate", json!({ "id": ids.memory })),
        of("engine", json!({})),
        of("health", json!({})),
        of("reindex", json!({ "force": true })),
        of("doctor", json!({})),
        of("doctor", json!({ "fix": true })),
        of("history", json!({ "id": ids.memory })),
        of("stats", json!({})),
        of("sessions_list", owner.clone()),
        of("session_show", which.clone()),
        of("session_show", json!({ "session": ids.session })),
        of("session_end", which.clone()),
        of("session_remove", which.clone()),
        of("episodes_list", filter.clone()),
        of("episode_remove", json!({ "id": ids.episode })),
        of("transcript", filter.clone()),
        of("transcript", json!({ "matching": WORDS })),
        of("memory_status", owner.clone()),
        of("changes", json!({ "after": 0 })),
        of("sync", json!({})),
        of("pending_list", json!({})),
        of("pending_retry", json!({})),
        of("graph_show", json!({ "name": "works" })),
        of("graph_show", owner.clone()),
        of("graph_search", json!({ "relation": "lives in", "agent": ids.agent, "user": ids.user })),
        of("relearn", json!({ "user": ids.user, "dry_run": true })),
        of("tell_zone", json!({ "user": ids.user, "time_zone": "Europe/Lisbon" })),
        of("identity_show", json!({ "user": ids.user })),
        of("identity_edit", json!({ "user": ids.user, "text": "Mine" })),
        of("identity_versions", json!({ "user": ids.user })),
        of("identity_refresh", json!({ "user": ids.user })),
        of("override_add", json!({ "user": ids.user, "text": "Mine" })),
        of("override_remove", json!({ "user": ids.user, "which": ids.line })),
        of("agents_list", json!({})),
        of("agent_show", json!({ "id": ids.agent })),
        of("agent_create", json!({ "id": ids.agent })),
        of("agent_edit", json!({ "id": ids.agent, "about": { "name": "Mine" } })),
        of("agent_delete", json!({ "id": ids.agent })),
        of("agent_import", json!({ "id": ids.agent, "config": { "name": "Mine" } })),
        of("settings_list", json!({})),
        of("settings_get", json!({ "name": "enabled" })),
        of("settings_set", json!({ "name": "recallTopK", "value": 5 })),
        of("settings_put", json!({ "values": { "recallTopK": 5 } })),
        of("settings_reset", json!({ "name": "recallTopK" })),
        of("key_create", json!({ "role": "read", "agents": [ids.agent] })),
        of("keys_list", json!({})),
        of("audit_list", json!({ "limit": 1 })),
        of(
            "crisis_report",
            json!({ "session": ids.session, "agent": ids.agent, "user": ids.user, "level": 1, "reason": "a test", "path": "person" }),
        ),
        of("crisis_list", json!({ "session": ids.session, "agent": ids.agent, "user": ids.user })),
        of("crisis_remove", json!({ "id": "cr_01890a5d-ac96-774b-bcce-b302099a8057" })),
    ]
}

const OPERATORS: [&str; 2] = ["KeyRevoke", "KeysOpen"];

#[test]
fn every_operation_is_tried() {
    let read = |operation: Value| -> Operation {
        serde_json::from_value(operation.clone()).unwrap_or_else(|error| panic!("{operation}: {error}"))
    };
    let tried: BTreeSet<&str> =
        operations(&RecordNames::made_up()).into_iter().map(|one| read(one).name()).collect();
    let known = Operation::ROLES.iter().map(|(name, _)| *name);
    let missing: Vec<&str> =
        known.filter(|name| !tried.contains(name) && !OPERATORS.contains(name)).collect();
    assert!(missing.is_empty(), "say in this file how {missing:?} name records");
}

async fn call(house: &Services, tenant: &str, operation: &Value) -> ProbeAnswer {
    let call = json!({ "version": env!("CARGO_PKG_VERSION"), "tenant": tenant, "operation": operation });
    let request = Request::post("/rpc").body(Body::from(call.to_string())).expect("a request");
    let response = operator_app(AppState::new(house.clone())).oneshot(request).await.expect("an answer");
    let status = response.status().as_u16();
    let bytes = response.into_body().collect().await.expect("a body").to_bytes();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let body = serde_json::from_str(&text).unwrap_or(Value::Null);
    ProbeAnswer { status, text, body }
}

#[tokio::test]
async fn every_operation_of_the_socket_keeps_to_its_tenant() {
    let house = house();
    let first = Filled::new(&house).await;
    let before = first.dump().await;
    let pairs = operations(&first.ids).into_iter().zip(operations(&RecordNames::made_up()));
    for (number, (about_ours, about_nobodys)) in pairs.enumerate() {
        let names = [format!("other-{number}-1"), format!("other-{number}-2")];
        for name in &names {
            stranger(&house, name).await;
        }
        let told = call(&house, &names[0], &about_ours).await;
        let told_of_nobody = call(&house, &names[1], &about_nobodys).await;
        assert!(told.status < 500, "{about_ours}: {}", told.text);
        first.compare(&about_ours.to_string(), &about_ours.to_string(), &told, &told_of_nobody);
        assert_eq!(first.dump().await, before, "{about_ours} changed another tenant");
    }
}
