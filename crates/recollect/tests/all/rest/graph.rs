//! `GET /api/memory/graph`.

use serde_json::{Value, json};

use super::api::{Api, fields};

const GRAPH: &str = "/api/memory/graph";

fn predicates(graph: &Value) -> Vec<&str> {
    let relations = graph["relations"].as_array().expect("a list");
    let mut names: Vec<&str> = relations.iter().map(|one| one["predicate"].as_str().expect("text")).collect();
    names.sort_unstable();
    names
}

#[tokio::test]
async fn the_graph_is_shown_around_a_name_by_a_relation_and_whole() {
    let api = Api::new().await;
    api.talk(
        "march",
        &["My name is Ada. I work at Acme Corp, and I live in Irvine since last week, by the sea."],
    )
    .await;
    let all = api.get(GRAPH).await;
    assert_eq!((all.status, fields(&all.body)), (200, vec!["cut", "entities", "relations"]));
    assert_eq!(predicates(&all.body), ["LIVES_IN", "WORKS_AT"], "{}", all.text);
    let (entity, relation) = (&all.body["entities"][0], &all.body["relations"][0]);
    assert_eq!(
        fields(entity),
        ["agentId", "aliases", "createdAt", "distance", "id", "name", "type", "updatedAt", "userId"]
    );
    assert_eq!(
        fields(relation),
        ["confidence", "createdAt", "id", "object", "predicate", "subject", "validFrom", "validUntil"]
    );
    let near = api.get("/api/memory/graph?entity=acme%20corp&depth=1").await;
    assert_eq!(predicates(&near.body), ["WORKS_AT"], "{}", near.text);
    let by = api.get("/api/memory/graph?relation=lives%20in").await;
    assert_eq!(predicates(&by.body), ["LIVES_IN"], "{}", by.text);
    assert_eq!(api.get("/api/memory/graph?userId=nobody").await.body["relations"], json!([]));
    assert_eq!(api.get("/api/memory/graph?entity=zebra").await.status, 404);
    for wrong in ["depth=0", "depth=9", "depth=x", "entity=ada&relation=x"] {
        assert_eq!(api.get(&format!("{GRAPH}?{wrong}")).await.status, 400, "{wrong}");
    }
}
