//! What an application does with mem0: add, search, list, read, correct, look back, remove.

use axum::http::Method;
use serde_json::{Value, json};

use super::{ask, delete, get, post, router, store, texts, well};

#[tokio::test]
async fn what_is_said_is_learned_and_found() {
    let router = router();
    let said = json!({
        "messages": [
            { "role": "user", "content": "I moved to Lisbon last month. I'm allergic to peanuts." },
            { "role": "assistant", "content": "Noted, you like opera." },
        ],
        "user_id": "alex",
        "metadata": { "source": "onboarding" },
        "expiration_date": "2999-01-01",
    });
    let added = post(&router, "/v3/memories/add/", said).await;
    let events = added["results"].as_array().expect("a list");
    assert!(!events.is_empty(), "{added}");
    for event in events {
        assert_eq!(event["event"], "ADD", "{event}");
        assert!(event["id"].as_str().expect("an id").starts_with("mt_"), "{event}");
    }
    let all = texts(&added).join("\n");
    assert!(all.contains("Lisbon") && all.contains("peanuts") && !all.contains("opera"), "{all}");
    let asked =
        json!({ "query": "Where does Alex live: Lisbon?", "filters": { "AND": [{ "user_id": "alex" }] } });
    let found = post(&router, "/v3/memories/search/", asked).await;
    let best = &found["results"][0];
    assert!(best["memory"].as_str().expect("text").contains("Lisbon"), "{found}");
    assert_eq!(
        (&best["user_id"], &best["agent_id"], &best["run_id"]),
        (&json!("alex"), &Value::Null, &Value::Null)
    );
    assert_eq!(best["metadata"]["source"], "onboarding");
    assert!(best["expiration_date"].as_str().expect("a time").starts_with("2999"), "{best}");
    for name in ["hash", "score", "created_at", "updated_at", "categories"] {
        assert!(!best[name].is_null(), "{name}: {best}");
    }
}

#[tokio::test]
async fn what_takes_the_place_of_another_is_an_update() {
    let router = router();
    let say = |text: &str| json!({ "messages": text, "user_id": "alex" });
    post(&router, "/memories", say("I live in Berlin.")).await;
    let changed = post(&router, "/memories", say("I live in Madrid now.")).await;
    let event = &changed["results"][0];
    assert_eq!(event["event"], "UPDATE", "{changed}");
    assert!(event["previous_memory"].as_str().expect("text").contains("Berlin"), "{changed}");
    let current = texts(&get(&router, "/memories?user_id=alex").await).join("\n");
    assert!(current.contains("Madrid") && !current.contains("Berlin"), "{current}");
    let id = event["id"].as_str().expect("an id");
    delete(&router, &format!("/v1/memories/{id}/?delete_linked=True")).await;
    let left = get(&router, "/api/memory").await;
    assert_eq!(left["total"], 0, "{left}");
}

#[tokio::test]
async fn stored_as_it_is() {
    let router = router();
    let messages = json!([
        { "role": "system", "content": "Be brief." },
        { "role": "user", "content": "Perhaps tea." },
        { "role": "assistant", "content": "Tea it is." },
    ]);
    let body = json!({ "messages": messages, "agent_id": "waiter", "run_id": "r1", "infer": false });
    let added = post(&router, "/v1/memories/", body.clone()).await;
    assert_eq!(texts(&added), ["Perhaps tea.", "Tea it is."]);
    assert_eq!(
        (&added["results"][0]["event"], &added["results"][1]["role"]),
        (&json!("ADD"), &json!("assistant"))
    );
    let one = json!({ "messages": { "role": "user", "content": "Or coffee." }, "run_id": 7, "infer": false });
    assert_eq!(
        texts(&post(&router, "/memories", one).await),
        ["Or coffee."],
        "one message, and a run that is counted"
    );
    let again = post(&router, "/v1/memories", body).await;
    assert_eq!(again["results"][0]["event"], "NONE", "{again}");
    let listed = get(&router, "/memories?agent_id=waiter&run_id=r1").await;
    assert_eq!(listed["count"], 2);
    let first = &listed["results"][0];
    assert_eq!(
        (&first["user_id"], &first["agent_id"], &first["run_id"]),
        (&Value::Null, &json!("waiter"), &json!("r1"))
    );
}

#[tokio::test]
async fn one_memory_from_its_beginning_to_its_end() {
    let router = router();
    let id = store(&router, "Plays chess", json!({ "user_id": "kim", "metadata": { "a": 1, "b": 2 } })).await;
    let path = format!("/v1/memories/{id}/");
    let change = json!({ "text": "Plays go", "metadata": { "b": 3 } });
    let updated = well(ask(&router, Method::PUT, &path, change).await);
    assert_eq!((&updated["memory"], &updated["text"]), (&json!("Plays go"), &json!("Plays go")));
    let read = get(&router, &path).await;
    assert_eq!((&read["memory"], &read["metadata"]), (&json!("Plays go"), &json!({ "b": 3 })));
    for (change, expected) in [(json!("2999-01-01"), true), (Value::Null, false)] {
        well(ask(&router, Method::PUT, &path, json!({ "expiration_date": change })).await);
        let ends = get(&router, &path).await["expiration_date"].clone();
        assert_eq!(ends.as_str().is_some_and(|ends| ends.starts_with("2999")), expected, "{change}: {ends}");
    }
    let deleted = delete(&router, &format!("/memories/{id}")).await;
    assert_eq!(deleted["message"], "Memory deleted successfully!");
    assert_eq!(ask(&router, Method::GET, &path, Value::Null).await.0, 404);
    let history = get(&router, &format!("{path}history/")).await;
    let told: Vec<[&Value; 3]> = history
        .as_array()
        .expect("a list")
        .iter()
        .map(|event| [&event["event"], &event["old_memory"], &event["new_memory"]])
        .collect();
    let expected = json!([
        ["ADD", null, "Plays chess"],
        ["UPDATE", "Plays chess", "Plays go"],
        ["UPDATE", "Plays go", "Plays go"],
        ["UPDATE", "Plays go", "Plays go"],
        ["DELETE", "Plays go", null],
    ]);
    assert_eq!(json!(told), expected);
    assert_eq!(history[0]["memory_id"], json!(id));
}

#[tokio::test]
async fn entities_and_scoped_removal() {
    let router = router();
    store(&router, "one", json!({ "user_id": "a", "run_id": "r1" })).await;
    store(&router, "two", json!({ "user_id": "a", "app_id": "ios" })).await;
    store(&router, "three", json!({ "user_id": "b", "agent_id": "bot" })).await;
    let entities = get(&router, "/v1/entities/").await;
    let named: Vec<String> = entities["results"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|entity| {
            format!("{} {} {}", entity["type"], entity["name"], entity["total_memories"]).replace('"', "")
        })
        .collect();
    assert_eq!(named, ["agent bot 1", "app ios 1", "run r1 1", "user a 2", "user b 1"]);
    delete(&router, "/v1/memories/?user_id=a&app_id=ios").await;
    assert_eq!(texts(&get(&router, "/memories?user_id=a").await), ["one"]);
    delete(&router, "/memories?user_id=a").await;
    assert_eq!(texts(&get(&router, "/memories").await), ["three"], "nobody else's is touched");
    delete(&router, "/v2/entities/agent/bot/").await;
    assert_eq!(get(&router, "/v1/memories").await["count"], 0);
}

#[tokio::test]
async fn several_memories_are_changed_and_removed_in_one_call() {
    let router = router();
    let first = store(&router, "one", json!({ "user_id": "a" })).await;
    let second = store(&router, "two", json!({ "user_id": "a" })).await;
    let changes = json!({ "memories": [{ "memory_id": first, "text": "eins" }, { "memory_id": second, "text": "zwei" }] });
    well(ask(&router, Method::PUT, "/v1/batch/", changes).await);
    assert_eq!(texts(&get(&router, "/memories").await), ["zwei", "eins"]);
    let gone = json!({ "memories": [{ "memory_id": first }, { "memory_id": second }] });
    well(ask(&router, Method::DELETE, "/v1/batch/", gone).await);
    assert_eq!(get(&router, "/memories").await["count"], 0);
}

#[tokio::test]
async fn a_batch_with_an_unknown_memory_changes_nothing() {
    let router = router();
    let first = store(&router, "one", json!({ "user_id": "a", "metadata": { "n": 1 } })).await;
    let second = store(&router, "two", json!({ "user_id": "a" })).await;
    let unknown = "mt_01980000-0000-7000-8000-000000000001";
    let changes = json!({ "memories": [
        { "memory_id": first, "text": "eins", "metadata": {} },
        { "memory_id": unknown, "text": "nichts" },
        { "memory_id": second, "text": "zwei" },
    ] });
    let gone = json!({ "memories": [
        { "memory_id": first }, { "memory_id": unknown }, { "memory_id": second },
    ] });
    for (method, body) in [(Method::PUT, changes), (Method::DELETE, gone)] {
        let (status, answer) = ask(&router, method.clone(), "/v1/batch/", body).await;
        assert_eq!(status, 404, "{method}: {answer}");
        assert!(answer["error"]["message"].as_str().expect("words").contains(unknown), "{method}: {answer}");
        assert!(answer["error"]["hint"].as_str().expect("a hint").contains("as a whole"), "{answer}");
        assert_eq!(texts(&get(&router, "/memories").await), ["two", "one"], "{method}");
    }
    let path = format!("/v1/memories/{first}/");
    assert_eq!(get(&router, &path).await["metadata"], json!({ "n": 1 }));
    assert_eq!(get(&router, &format!("{path}history/")).await.as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn a_memory_that_a_batch_names_twice_is_changed_twice() {
    let router = router();
    let id = store(&router, "one", json!({ "user_id": "a", "metadata": { "n": 1 } })).await;
    let changes = json!({ "memories": [
        { "memory_id": id, "text": "eins" },
        { "memory_id": id, "metadata": { "m": 2 } },
    ] });
    well(ask(&router, Method::PUT, "/v1/batch/", changes).await);
    let read = get(&router, &format!("/v1/memories/{id}/")).await;
    assert_eq!((&read["memory"], &read["metadata"]), (&json!("eins"), &json!({ "m": 2 })));
}
