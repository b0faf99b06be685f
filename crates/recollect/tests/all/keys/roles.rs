//! Every operation against every role; and keys that are bound to agents.

use std::collections::BTreeSet;

use recollect::ops::{Access, Caller, Operation, Outcome, Services};
use recollect::problem::{Code, Problem};
use serde_json::{Value, json};
use store::Role;

use super::{execute, house, key, let_in, operator};

const MEMORY: &str = "mt_01890a5d-ac96-774b-bcce-b302099a8057";
const KEY: &str = "key_01890a5d-ac96-774b-bcce-b302099a8057";

/// What each operation needs, said once more and by hand: an operation that is not here fails the tests.
fn table() -> Vec<(Role, Value)> {
    use Role::{Admin, Memory, Operator, Read};
    vec![
        (Memory, json!({ "operation": "add", "content": "likes tea" })),
        (
            Memory,
            json!({ "operation": "ingest", "session": "s", "messages": [{ "role": "user", "content": "hi" }] }),
        ),
        (Memory, json!({ "operation": "tell_zone", "time_zone": "Europe/Lisbon" })),
        (Read, json!({ "operation": "context", "message": "what do I like?" })),
        (Read, json!({ "operation": "search", "query": "tea" })),
        (Read, json!({ "operation": "search", "query": "tea", "counts_use": true })),
        (Memory, json!({ "operation": "count_uses", "ids": [MEMORY] })),
        (Read, json!({ "operation": "list" })),
        (Read, json!({ "operation": "show", "id": MEMORY })),
        (Read, json!({ "operation": "why", "id": MEMORY })),
        (Memory, json!({ "operation": "update", "id": MEMORY, "content": "likes coffee" })),
        (
            Memory,
            json!({ "operation": "update_many", "updates": [{ "id": MEMORY, "content": "likes coffee" }] }),
        ),
        (Memory, json!({ "operation": "forget", "ids": [MEMORY] })),
        (Memory, json!({ "operation": "forget", "all": true })),
        (Memory, json!({ "operation": "clear", "all": true, "dry_run": true })),
        (Read, json!({ "operation": "receipts" })),
        (Memory, json!({ "operation": "feedback", "ids": [MEMORY], "judgement": "used", "by": "agent" })),
        (Read, json!({ "operation": "feedback_list", "id": MEMORY })),
        (Memory, json!({ "operation": "merge", "ids": [MEMORY] })),
        (Memory, json!({ "operation": "summarize", "older_than_days": 30, "dry_run": true })),
        (Read, json!({ "operation": "preview", "query": "tea" })),
        (Read, json!({ "operation": "tally" })),
        (Read, json!({ "operation": "engine" })),
        (Read, json!({ "operation": "health" })),
        (Admin, json!({ "operation": "reindex" })),
        (Admin, json!({ "operation": "doctor" })),
        (Admin, json!({ "operation": "doctor", "fix": true })),
        (Memory, json!({ "operation": "tend", "dry_run": true })),
        (Read, json!({ "operation": "runs_list" })),
        (Memory, json!({ "operation": "undo", "run": "ru_01890a5d-ac96-774b-bcce-b302099a8057" })),
        (Read, json!({ "operation": "rehydrate", "id": MEMORY })),
        (Read, json!({ "operation": "history", "id": MEMORY })),
        (Read, json!({ "operation": "stats" })),
        (Read, json!({ "operation": "sessions_list" })),
        (Read, json!({ "operation": "session_show", "session": "s" })),
        (Memory, json!({ "operation": "session_end", "session": "s" })),
        (Memory, json!({ "operation": "session_remove", "session": "s" })),
        (Read, json!({ "operation": "episodes_list" })),
        (Memory, json!({ "operation": "episode_remove", "id": "ep_01890a5d-ac96-774b-bcce-b302099a8057" })),
        (Read, json!({ "operation": "transcript" })),
        (Read, json!({ "operation": "memory_status" })),
        (Read, json!({ "operation": "changes" })),
        (Memory, json!({ "operation": "sync" })),
        (Admin, json!({ "operation": "relearn", "dry_run": true })),
        (Read, json!({ "operation": "pending_list" })),
        (Memory, json!({ "operation": "pending_retry" })),
        (Read, json!({ "operation": "graph_show" })),
        (Read, json!({ "operation": "graph_search", "relation": "likes" })),
        (Read, json!({ "operation": "identity_show" })),
        (Memory, json!({ "operation": "identity_edit", "text": "likes tea" })),
        (Read, json!({ "operation": "identity_versions" })),
        (Memory, json!({ "operation": "identity_refresh" })),
        (Memory, json!({ "operation": "override_add", "text": "is called Ada" })),
        (Memory, json!({ "operation": "override_remove", "which": "is called Ada" })),
        (Read, json!({ "operation": "agents_list" })),
        (Read, json!({ "operation": "agent_show", "id": "tutor" })),
        (Admin, json!({ "operation": "agent_create", "id": "tutor" })),
        (Admin, json!({ "operation": "agent_edit", "id": "tutor" })),
        (Admin, json!({ "operation": "agent_delete", "id": "tutor" })),
        (Admin, json!({ "operation": "agent_import", "config": {} })),
        (Read, json!({ "operation": "settings_list" })),
        (Read, json!({ "operation": "settings_get", "name": "enabled" })),
        (Admin, json!({ "operation": "settings_set", "name": "enabled", "value": true })),
        (
            Operator,
            json!({ "operation": "settings_set", "name": "enabled", "value": true, "everywhere": true }),
        ),
        (Admin, json!({ "operation": "settings_put", "values": { "enabled": true } })),
        (Admin, json!({ "operation": "settings_reset", "name": "enabled" })),
        (Operator, json!({ "operation": "settings_reset", "name": "enabled", "everywhere": true })),
        (Admin, json!({ "operation": "key_create", "role": "read" })),
        (Admin, json!({ "operation": "keys_list" })),
        (Operator, json!({ "operation": "keys_list", "everywhere": true })),
        (Admin, json!({ "operation": "key_revoke", "id": KEY })),
        (Operator, json!({ "operation": "keys_open" })),
        (Admin, json!({ "operation": "audit_list" })),
        (
            Memory,
            json!({ "operation": "crisis_report", "session": "s", "level": 1, "reason": "a test", "path": "person" }),
        ),
        (Admin, json!({ "operation": "crisis_list" })),
        (Admin, json!({ "operation": "crisis_remove", "id": "cr_01890a5d-ac96-774b-bcce-b302099a8057" })),
        (Operator, json!({ "operation": "audit_list", "everywhere": true })),
    ]
}

fn read(operation: &Value) -> Operation {
    serde_json::from_value(operation.clone()).unwrap_or_else(|error| panic!("{operation}: {error}"))
}

fn is_denied(answer: &Result<Outcome, Problem>) -> bool {
    answer.as_ref().is_err_and(|problem| problem.code == Code::Denied)
}

#[test]
fn every_operation_is_in_the_table() {
    let known: BTreeSet<&str> = Operation::ROLES.iter().map(|(name, _)| *name).collect();
    let held: BTreeSet<&str> = table().iter().map(|(_, operation)| read(operation).name()).collect();
    let missing: Vec<_> = known.difference(&held).collect();
    assert!(missing.is_empty(), "say in this file which role may do {missing:?}");
}

#[test]
fn who_may_only_read_changes_nothing() {
    for (role, operation) in table() {
        let operation = read(&operation);
        assert_eq!(operation.needs(), role, "{}", operation.name());
        assert!(
            role > Role::Read || operation.access() == Access::Reads,
            "{} changes something",
            operation.name()
        );
    }
}

#[tokio::test]
async fn each_role_may_what_it_may_and_no_more() {
    let house = house();
    let mut callers: Vec<(Role, Caller)> = vec![(Role::Operator, operator(&house, "acme").await)];
    for role in [Role::Read, Role::Memory, Role::Admin] {
        callers.push((role, let_in(&house, &key(&house, "acme", role, &[]).await.key).await));
    }
    for (needs, operation) in table() {
        for (role, caller) in &callers {
            let answer = execute(&house, caller, operation.clone()).await;
            assert_eq!(is_denied(&answer), *role < needs, "{role} {operation}: {answer:?}");
        }
    }
    let denied = execute(&house, &callers[1].1, json!({ "operation": "sync" })).await.expect_err("read only");
    assert_eq!(denied.message, "Sync needs the role memory, and this key has the role read");
}

/// Whoever administers a tenant sees and touches its keys, and nobody else's.
#[tokio::test]
async fn keys_of_other_tenants_are_not_there() {
    let house = house();
    let admin = let_in(&house, &key(&house, "acme", Role::Admin, &[]).await.key).await;
    let other = key(&house, "other", Role::Memory, &[]).await;
    let Ok(Outcome::KeysList(listed)) = execute(&house, &admin, json!({ "operation": "keys_list" })).await
    else {
        panic!("an admin may list")
    };
    assert_eq!(listed.keys.len(), 1);
    let revoke = json!({ "operation": "key_revoke", "id": other.row.key.id });
    let refused = execute(&house, &admin, revoke).await.expect_err("another tenant's");
    assert_eq!(refused.code, Code::NotFound);
    let_in(&house, &other.key).await;
    let made = execute(&house, &admin, json!({ "operation": "key_create", "role": "admin" })).await;
    let Ok(Outcome::KeyCreate(made)) = made else { panic!("an admin may make keys: {made:?}") };
    assert_eq!(made.row.key.tenant, super::tenant("acme"), "and only for its own tenant");
    let Ok(Outcome::AuditList(audit)) = execute(&house, &admin, json!({ "operation": "audit_list" })).await
    else {
        panic!("an admin may look")
    };
    let acme = super::tenant("acme");
    assert!(audit.decisions.iter().all(|row| row.decision.tenant.as_ref() == Some(&acme)));
}

// ---- agents

async fn add(house: &Services, caller: &Caller, agent: Option<&str>) -> Result<String, Problem> {
    let mut operation = json!({ "operation": "add", "content": format!("of {agent:?}") });
    if let Some(agent) = agent {
        operation["agent"] = json!(agent);
    }
    match execute(house, caller, operation).await? {
        Outcome::Add(added) => Ok(added.id.as_str().to_owned()),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_key_of_one_agent_speaks_for_it_unasked() {
    let house = house();
    let caller = let_in(&house, &key(&house, "acme", Role::Memory, &["tutor"]).await.key).await;
    add(&house, &caller, None).await.expect("the key's own");
    add(&house, &caller, Some("tutor")).await.expect("named");
    let refused = add(&house, &caller, Some("coach")).await.expect_err("another agent");
    assert_eq!(refused.code, Code::Denied);
    assert_eq!(refused.message, "this key may not speak for agent coach");
    assert_eq!(refused.hint.as_deref(), Some("this key is for tutor"));
    let Ok(Outcome::List(listed)) =
        execute(&house, &operator(&house, "acme").await, json!({ "operation": "list" })).await
    else {
        panic!("listed")
    };
    assert!(listed.memories.iter().all(|memory| memory.agent.as_str() == "tutor"), "{listed:?}");
}

#[tokio::test]
async fn a_key_of_several_agents_must_name_one() {
    let house = house();
    let caller = let_in(&house, &key(&house, "acme", Role::Memory, &["tutor", "coach"]).await.key).await;
    add(&house, &caller, Some("coach")).await.expect("one of them");
    for operation in [json!({ "operation": "list" }), json!({ "operation": "search", "query": "of" })] {
        let refused = execute(&house, &caller, operation.clone()).await.expect_err("none is named");
        assert_eq!(
            (refused.code, refused.message.contains("expected one")),
            (Code::Denied, true),
            "{operation}"
        );
    }
}

/// By id too: what another agent knows is not there, read or written, and nothing says that it is.
#[tokio::test]
async fn what_other_agents_know_is_not_there() {
    let house = house();
    let everyone = let_in(&house, &key(&house, "acme", Role::Memory, &[]).await.key).await;
    let tutor = let_in(&house, &key(&house, "acme", Role::Memory, &["tutor"]).await.key).await;
    let own = add(&house, &tutor, None).await.expect("added");
    let coachs = add(&house, &everyone, Some("coach")).await.expect("added");
    let by_id = |id: &str| {
        vec![
            json!({ "operation": "show", "id": id }),
            json!({ "operation": "why", "id": id }),
            json!({ "operation": "history", "id": id }),
            json!({ "operation": "update", "id": id, "pinned": true }),
            json!({ "operation": "forget", "ids": [id], "confirmed": true }),
        ]
    };
    for (hidden, missing) in by_id(&coachs).into_iter().zip(by_id(MEMORY)) {
        let refused = execute(&house, &tutor, hidden.clone()).await.expect_err("another agent's");
        let unknown = execute(&house, &tutor, missing).await.expect_err("nobody's");
        assert_eq!((refused.code, unknown.code), (Code::NotFound, Code::NotFound), "{hidden}");
        assert_eq!(refused.message.replace(&coachs, ""), unknown.message.replace(MEMORY, ""), "{hidden}");
    }
    for operation in by_id(&own) {
        execute(&house, &tutor, operation.clone())
            .await
            .unwrap_or_else(|error| panic!("{operation}: {error:?}"));
    }
    for operation in ["sync", "stats", "pending_list"] {
        let answer = execute(&house, &tutor, json!({ "operation": operation })).await;
        assert!(is_denied(&answer), "{operation} is about all agents: {answer:?}");
    }
    let shown = execute(&house, &everyone, json!({ "operation": "show", "id": coachs })).await;
    assert!(shown.is_ok(), "untouched: {shown:?}");
}
