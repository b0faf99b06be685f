//! Lists and searches that are narrowed, and their pages.

use serde_json::{Value, json};

use super::{get, post, router, store, texts};

async fn filled() -> axum::Router {
    let router = router();
    let rows = [
        ("tea in the morning", json!({ "user_id": "ada", "metadata": { "topic": "drink", "level": 1 } })),
        ("tea with the queen", json!({ "user_id": "ada", "run_id": "s1", "metadata": { "topic": "event" } })),
        ("tea ceremony", json!({ "user_id": "bob", "agent_id": "coach" })),
        ("green tea", json!({ "user_id": "eve", "metadata": { "topic": "drink", "level": 7 } })),
    ];
    for (text, more) in rows {
        store(&router, text, more).await;
    }
    router
}

#[tokio::test]
async fn searches_and_lists_take_the_same_filters() {
    let router = filled().await;
    let expected: [(Value, &[&str]); 9] = [
        (json!({ "user_id": "ada" }), &["tea in the morning", "tea with the queen"]),
        (json!({ "AND": [{ "user_id": "ada" }, { "run_id": "*" }] }), &["tea with the queen"]),
        (
            json!({ "OR": [{ "user_id": "bob" }, { "run_id": "s1" }] }),
            &["tea ceremony", "tea with the queen"],
        ),
        (json!({ "user_id": { "in": ["bob", "eve"] } }), &["green tea", "tea ceremony"]),
        (json!({ "metadata": { "topic": "drink" } }), &["green tea", "tea in the morning"]),
        (json!({ "topic": "drink", "level": { "gt": 3 } }), &["green tea"]),
        (json!({ "NOT": [{ "topic": "drink" }] }), &["tea ceremony", "tea with the queen"]),
        (json!({ "keywords": { "icontains": "GREEN" } }), &["green tea"]),
        (json!({ "created_at": { "lt": "2020-01-01" } }), &[]),
    ];
    for (filters, expected) in expected {
        let listed = post(&router, "/v3/memories/", json!({ "filters": filters })).await;
        let asked = json!({ "query": "tea", "filters": filters });
        let found = post(&router, "/v2/memories/search/", asked).await;
        let sorted = |answer: &Value| {
            let mut texts: Vec<String> = texts(answer).into_iter().map(str::to_owned).collect();
            texts.sort();
            texts
        };
        assert_eq!(sorted(&listed), expected, "list {filters}");
        assert_eq!(sorted(&found), expected, "search {filters}");
        assert_eq!(listed["count"], expected.len(), "{filters}");
    }
}

#[tokio::test]
async fn names_beside_the_query() {
    let router = filled().await;
    let found = post(&router, "/search", json!({ "query": "tea", "user_id": "bob" })).await;
    assert_eq!(texts(&found), ["tea ceremony"]);
    let few = json!({ "query": "tea", "top_k": 2, "fields": ["memory"] });
    let found = post(&router, "/search/", few).await;
    assert_eq!(found["results"].as_array().map(Vec::len), Some(2));
    let keys: Vec<&String> = found["results"][0].as_object().expect("an object").keys().collect();
    assert_eq!(keys, ["id", "memory"]);
    let found =
        post(&router, "/search", json!({ "query": "tea", "user_id": { "in": ["bob", "eve"] } })).await;
    assert_eq!(texts(&found).len(), 2, "a condition stands beside the query as it does inside filters");
    let coded = "%7B%22user_id%22%3A%22bob%22%7D";
    assert_eq!(texts(&get(&router, &format!("/memories?filters={coded}")).await), ["tea ceremony"]);
    let several = get(&router, "/memories?user_id=bob&user_id=eve").await;
    assert_eq!(texts(&several), ["green tea", "tea ceremony"], "a list in the address");
    let found = post(&router, "/search?user_id=bob", json!({ "query": "tea", "top_k": 5, "limit": 9 })).await;
    assert_eq!(texts(&found), ["tea ceremony"], "in the query, and with the words of two versions");
    let none = json!({ "query": "tea", "threshold": 1000.0 });
    assert_eq!(texts(&post(&router, "/search", none).await).len(), 0);
}

#[tokio::test]
async fn a_list_is_read_page_by_page_and_counts_all() {
    let router = filled().await;
    let first = post(&router, "/v3/memories/?page=1&page_size=3", json!({ "filters": {} })).await;
    assert_eq!((texts(&first).len(), &first["count"], &first["previous"]), (3, &json!(4), &Value::Null));
    assert_eq!(first["next"], "/v3/memories/?page=2&page_size=3");
    let second = post(&router, "/v3/memories/?page=2&page_size=3", json!({ "filters": {} })).await;
    assert_eq!((texts(&second), &second["next"]), (vec!["tea in the morning"], &Value::Null));
    let narrowed = get(&router, "/v1/memories/?user_id=ada&page_size=1").await;
    assert_eq!((&narrowed["count"], texts(&narrowed)), (&json!(2), vec!["tea with the queen"]));
    assert_eq!(narrowed["next"], "/v1/memories/?user_id=ada&page=2&page_size=1");
}

#[tokio::test]
async fn five_are_found_if_five_are_there() {
    let router = router();
    for number in 0..5 {
        let more = json!({ "user_id": "ada", "metadata": { "rare": true } });
        store(&router, &format!("tea note that is rare, number {number}"), more).await;
    }
    for number in 0..450 {
        store(&router, &format!("tea tea tea {number}"), json!({ "user_id": "ada" })).await;
    }
    let asked = json!({ "query": "tea", "filters": { "user_id": "ada", "rare": true }, "top_k": 5 });
    let found = post(&router, "/v3/memories/search/", asked).await;
    assert_eq!(texts(&found).len(), 5, "{found}");
}
