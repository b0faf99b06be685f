//! Every operation that the interface's description has.

use std::time::Duration;

use axum::http::Method;
use http_body_util::BodyExt;
use recollect::rest;
use serde_json::{Map, Value, json};
use tower::ServiceExt;

use super::{Filled, ProbeAnswer, RecordNames, WORDS, stranger};
use crate::rest::api::{Api, house};

/// One request: an operation, with another tenant's name in one place.
struct ForeignNameCase {
    operation: String,
    method: Method,
    path: String,
    query: Vec<(String, String)>,
    body: Value,
}

/// The parameters that say nothing about whose something is.
const NEUTRAL: &[&str] = &[
    "limit",
    "page",
    "offset",
    "type",
    "category",
    "role",
    "since",
    "until",
    "order",
    "depth",
    "dead",
    "after",
    "dry_run",
    "older_than",
    "If-Match",
    "Last-Event-ID",
    "relation",
    "page_size",
    "delete_linked",
    "format",
    "embeddings",
    "include_deleted",
    "conversations",
    "dedup",
    "as",
    "distil",
    "check",
    "categories",
    "keywords",
    "metadata",
    "start_date",
    "end_date",
    "show_expired",
    "top_k",
    "org_id",
    "version",
    "output_format",
];

/// What stands in a path, by the operation: whoever adds one says here what its names are.
fn in_path(operation: &str, name: &str, ids: &RecordNames) -> String {
    let id = match (operation, name) {
        ("getMemory" | "updateMemory" | "deleteMemory" | "memoryHistory" | "deleteFact", "id") => &ids.memory,
        ("mem0Get" | "mem0Update" | "mem0Delete" | "mem0History", "id") => &ids.memory,
        ("mem0DeleteEntity", "type") => return "user".to_owned(),
        ("mem0DeleteEntity", "name") => &ids.user,
        ("rehydrateMemory" | "feedbackOfMemory", "id") => &ids.memory,
        ("undoRun", "id") => &ids.run,
        ("deleteRule", "id") => &ids.rule,
        ("getSession" | "deleteSession" | "endSession", "id") => &ids.session,
        ("deleteEpisode", "id") => &ids.episode,
        ("deleteOverride", "id") => &ids.line,
        ("getAgent" | "updateAgent" | "editAgent" | "deleteAgent", "id") => &ids.agent,
        ("revokeKey", "id") => &ids.key,
        // Nobody's name leads to one; that another tenant's stays is told where they are tested.
        ("deleteCrisis", "id") => return CRISIS.to_owned(),
        _ => panic!(
            "the path of {operation} has {name}, which this test does not know; say here what it names"
        ),
    };
    id.clone()
}

const CRISIS: &str = "cr_01890a5d-ac96-774b-bcce-b302099a8057";

/// The path with another's names in it.
fn filled(operation: &str, path: &str, ids: &RecordNames) -> String {
    let mut whole = String::new();
    let mut rest = path;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}').expect("a whole name");
        whole.push_str(before);
        whole.push_str(&in_path(operation, name, ids));
        rest = after;
    }
    whole + rest
}

/// A parameter with another's name, where it can have one.
fn in_query(operation: &str, name: &str, ids: &RecordNames) -> Option<String> {
    match name {
        "session_id" | "run_id" => Some(ids.session.clone()),
        "agent_id" => Some(ids.agent.clone()),
        "user_id" => Some(ids.user.clone()),
        "project_id" => Some(ids.session.clone()),
        "api_key_id" => Some(ids.key.clone()),
        "app_id" => Some(ids.memory_key.clone()),
        "q" => Some(WORDS.replace(' ', "+")),
        "filters" => Some(format!("%7B%22user_id%22:%22{}%22%7D", ids.user)),
        "entity" => Some("works".to_owned()),
        "confirm" => Some("all".to_owned()),
        name if NEUTRAL.contains(&name) => None,
        other => panic!("{operation} has the parameter {other}, which this test does not know"),
    }
}

/// A body that names another's records wherever it can.
fn body(operation: &str, ids: &RecordNames) -> Value {
    let owner = json!({ "agent_id": ids.agent, "user_id": ids.user });
    let with = |fields: Value| -> Value {
        let fields = fields.as_object().cloned().expect("an object");
        Value::Object(owner.as_object().cloned().into_iter().flatten().chain(fields).collect())
    };
    let camel =
        json!({ "agentId": ids.agent, "userId": ids.user, "sessionId": ids.session, "apiKeyId": ids.key });
    let camel_with = |fields: Value| -> Value {
        let fields = fields.as_object().cloned().expect("an object");
        Value::Object(camel.as_object().cloned().into_iter().flatten().chain(fields).collect())
    };
    match operation {
        "createMemory" => camel_with(json!({ "content": "anything", "key": ids.memory_key })),
        "updateMemory" => {
            json!({ "content": "taken over", "key": ids.memory_key, "metadata": { "id": ids.memory } })
        }
        "judgeMemories" => json!({ "memoryId": ids.memory, "memoryIds": [ids.rule], "judgement": "wrong",
            "source": "person", "sessionId": ids.session, "turnId": ids.turn, "agentId": ids.agent, "userId": ids.user }),
        "mem0Feedback" => json!({ "memory_id": ids.memory, "feedback": "VERY_NEGATIVE" }),
        "mergeMemories" => json!({ "traceIds": [ids.memory, ids.rule] }),
        "forget" => json!({ "ids": [ids.memory], "dryRun": true }),
        "search" => {
            with(json!({ "query": WORDS, "session_id": ids.session, "conversation_id": ids.session }))
        }
        "recordCrisis" => with(
            json!({ "session_id": ids.session, "level": 1, "reason": "a test", "classifier_path": "person" }),
        ),
        "context" => {
            with(json!({ "message": format!("what about the {WORDS}?"), "session_id": ids.session }))
        }
        "retrievePreview" => camel_with(json!({ "query": WORDS })),
        "summarize" => {
            json!({ "olderThanDays": 1, "agentId": ids.agent, "userId": ids.user, "apiKeyId": ids.key })
        }
        "ingest" => with(json!({ "conversation_id": ids.session, "turns": [{ "user": "hello" }],
                                 "messages": null, "id": ids.turn })),
        "endSession" => owner.clone(),
        "tend" => json!({}),
        "relearn" => json!({ "userId": ids.user, "dryRun": true }),
        "reindex" => json!({ "force": true }),
        "createAgent" => json!({ "id": ids.agent, "name": "Mine" }),
        "updateAgent" | "editAgent" => json!({ "name": "Mine" }),
        "editIdentity" => json!({ "text": "Mine" }),
        "addOverride" => json!({ "text": "Mine" }),
        "createKey" => json!({ "agents": [ids.agent] }),
        "putSettings" => json!({ "recallTopK": 5 }),
        "sync" => json!({ "reread": 1 }),
        "switchRecall" => json!({ "enabled": false }),
        "mem0Add" => with(json!({ "messages": [{ "role": "user", "content": "hello" }],
                                  "run_id": ids.session, "app_id": ids.memory_key })),
        "mem0List" => json!({ "filters": { "user_id": ids.user }, "user_id": ids.user, "agent_id": ids.agent,
                              "run_id": ids.session }),
        "mem0Search" => with(json!({ "query": WORDS, "run_id": ids.session })),
        "mem0Update" => json!({ "text": "taken over" }),
        "mem0BatchUpdate" => json!({ "memories": [{ "memory_id": ids.memory, "text": "taken over" }] }),
        "mem0BatchDelete" => json!({ "memories": [{ "memory_id": ids.memory }, { "memory_id": ids.rule }] }),
        "chatCompletions" => json!({ "model": "recollect/recall", "user": ids.user,
            "messages": [{ "role": "user", "content": format!("what do you know about the {WORDS}?") }] }),
        // A line of an export that counts uses of another's memory.
        "importMemory" => json!({ "item": "counter", "memory": ids.memory,
                                  "value": { "use_count": 1, "source_count": 0 } }),
        "embeddings" => json!({ "model": "recollect/embed", "input": WORDS }),
        other => panic!("{other} takes a body that this test does not know; say here how it names records"),
    }
}

/// Fields of a body that hold ids must be tried, whatever their spelling; whose it is, is named everywhere.
fn with_owner(
    document: &Value,
    operation: &str,
    described: &Value,
    mut tried: Value,
    ids: &RecordNames,
) -> Value {
    let mut schema = &described["requestBody"]["content"]["application/json"]["schema"];
    while let Some(reference) = schema["$ref"].as_str() {
        schema = document.pointer(&reference[1..]).unwrap_or_else(|| panic!("{reference} is described"));
    }
    let plain = |name: &str| name.to_lowercase().replace('_', "");
    let empty = Map::new();
    for name in schema["properties"].as_object().unwrap_or(&empty).keys() {
        let is_id = plain(name) == "key" || plain(name).ends_with("id") || plain(name).ends_with("ids");
        let fields = tried.as_object_mut().expect("an object");
        if !is_id || fields.keys().any(|known| plain(known) == plain(name)) {
            continue;
        }
        let value = match name.as_str() {
            "agent_id" => &ids.agent,
            "user_id" => &ids.user,
            "session_id" | "project_id" | "run_id" => &ids.session,
            "app_id" => &ids.memory_key,
            _ => panic!("{operation} takes `{name}`, which is not tried"),
        };
        fields.insert(name.clone(), value.as_str().into());
    }
    tried
}

/// Each operation, and for each parameter that can hold another's name once more with that one alone.
fn cases(document: &Value, ids: &RecordNames) -> Vec<ForeignNameCase> {
    let mut cases = Vec::new();
    for (path, methods) in document["paths"].as_object().expect("paths") {
        for (method, described) in methods.as_object().expect("methods") {
            let operation = described["operationId"].as_str().unwrap_or(path).to_owned();
            let filled = filled(&operation, path, ids);
            let has_body = !described["requestBody"].is_null();
            let body = if has_body { body(&operation, ids) } else { Value::Null };
            let body = if has_body { with_owner(document, &operation, described, body, ids) } else { body };
            let method: Method = method.to_uppercase().parse().expect("a method");
            let parameters = described["parameters"].as_array().cloned().unwrap_or_default();
            let names = parameters.iter().filter(|one| one["in"] != "path").map(|one| one["name"].as_str());
            let tried = names.map(|name| name.expect("a name")).filter_map(|name| {
                in_query(&operation, name, ids).map(|value| vec![(name.to_owned(), value)])
            });
            for query in tried.chain([Vec::new()]) {
                let (operation, path) = (operation.clone(), filled.clone());
                cases.push(ForeignNameCase {
                    operation,
                    method: method.clone(),
                    path,
                    query,
                    body: body.clone(),
                });
            }
        }
    }
    cases
}

async fn answer(api: &Api, case: &ForeignNameCase) -> ProbeAnswer {
    let query: Vec<String> = case.query.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let path =
        if query.is_empty() { case.path.clone() } else { format!("{}?{}", case.path, query.join("&")) };
    let request = api.request(case.method.clone(), &path, &case.body);
    let response = api.router.clone().oneshot(request).await.expect("an answer");
    let status = response.status().as_u16();
    let mut body = response.into_body();
    let mut text = String::new();
    // A stream of events does not end; what it has to say at once is enough.
    while let Ok(Some(frame)) = tokio::time::timeout(Duration::from_millis(700), body.frame()).await {
        let data = frame.expect("sound").into_data().expect("data");
        text.push_str(&String::from_utf8_lossy(&data));
    }
    let body = serde_json::from_str(&text).unwrap_or(Value::Null);
    ProbeAnswer { status, text, body }
}

#[tokio::test]
async fn every_operation_of_the_description_keeps_to_its_tenant() {
    let house = house();
    let first = Filled::new(&house).await;
    let before = first.dump().await;
    let document: Value = serde_json::from_str(rest::openapi::text()).expect("JSON");
    let (ours, nobodys) = (cases(&document, &first.ids), cases(&document, &RecordNames::made_up()));
    assert!(ours.len() > 60, "only {} cases", ours.len());
    // Whoever only reads needs no tenant of its own.
    let readers = [stranger(&house, "reader-1").await, stranger(&house, "reader-2").await];
    for (number, (about_ours, about_nobodys)) in ours.iter().zip(&nobodys).enumerate() {
        let what = format!("{} {} {:?}", about_ours.method, about_ours.operation, about_ours.query);
        let [one, other] = match about_ours.method == Method::GET {
            true => readers.clone(),
            false => [
                stranger(&house, &format!("other-{number}-1")).await,
                stranger(&house, &format!("other-{number}-2")).await,
            ],
        };
        let (told, told_of_nobody) = (answer(&one, about_ours).await, answer(&other, about_nobodys).await);
        // This house has no embedding model, which it may say.
        assert!(told.status < 500 || told.status == 503, "{what}: {}", told.text);
        let asked = format!("{} {:?} {}", about_ours.path, about_ours.query, about_ours.body);
        first.compare(&what, &asked, &told, &told_of_nobody);
        assert_eq!(first.dump().await, before, "{what} changed another tenant");
    }
}

/// The walk would see a leak: the tenant itself is told what others are not.
#[tokio::test]
async fn the_owner_is_told() {
    let house = house();
    let first = Filled::new(&house).await;
    let document: Value = serde_json::from_str(rest::openapi::text()).expect("JSON");
    let telling = [
        "getMemory",
        "getSession",
        "getAgent",
        "getIdentity",
        "transcript",
        "search",
        "listFacts",
        "listRules",
        "listEpisodes",
        "listSessions",
        "graph",
        "listOverrides",
        "listKeys",
        "context",
        "exportMemory",
    ];
    for name in telling {
        let cases = cases(&document, &first.ids);
        let mut told = false;
        for case in cases.iter().filter(|case| case.operation == name) {
            told |= answer(&first.api, case).await.text.to_lowercase().contains(super::MARKER);
        }
        assert!(told, "{name} shows nothing even to its owner");
    }
}
