//! `/api/memory/facts` and `/api/memory/rules`.

use serde_json::json;

use super::api::{Api, is_page};

const NOBODYS: &str = "mt_01890a5d-ac96-774b-bcce-b302099a8057";

async fn filled() -> (Api, String, String) {
    let api = Api::new().await;
    let fact = api.add(json!({ "content": "likes green tea", "user": "ada" })).await;
    api.add(json!({ "content": "lives in Irvine" })).await;
    let rule =
        api.add(json!({ "content": "Answer in Spanish", "kind": "rule", "layer": "procedural" })).await;
    (api, fact, rule)
}

#[tokio::test]
async fn each_layer_is_listed_alone() {
    let (api, fact, rule) = filled().await;
    let facts = api.get("/api/memory/facts").await;
    is_page(&facts);
    assert_eq!(facts.column("content"), ["lives in Irvine", "likes green tea"]);
    assert_eq!((&facts.rows()[1]["id"], &facts.rows()[1]["type"]), (&json!(fact), &json!("semantic")));
    let rules = api.get("/api/memory/rules").await;
    is_page(&rules);
    assert_eq!((&rules.rows()[0]["id"], &rules.body["total"]), (&json!(rule), &json!(1)));
}

#[tokio::test]
async fn lists_are_filtered_and_paged() {
    let (api, _, _) = filled().await;
    assert_eq!(api.get("/api/memory/facts?userId=ada").await.column("content"), ["likes green tea"]);
    assert_eq!(api.get("/api/memory/facts?q=irvine").await.column("content"), ["lives in Irvine"]);
    assert_eq!(api.get("/api/memory/facts?q=spanish").await.rows().len(), 0, "that is a rule");
    let second = api.get("/api/memory/facts?limit=1&page=2").await;
    assert_eq!(second.column("content"), ["likes green tea"]);
    assert_eq!(
        (&second.body["total"], &second.body["offset"], &second.body["totalPages"]),
        (&json!(2), &json!(1), &json!(2))
    );
    for wrong in ["limit=0", "limit=201", "limit=x", "page=0", "offset=-1"] {
        assert_eq!(api.get(&format!("/api/memory/facts?{wrong}")).await.status, 400, "{wrong}");
    }
}

/// Double delete: true, then false.
#[tokio::test]
async fn deleting_twice_is_true_then_false() {
    let (api, fact, rule) = filled().await;
    for (path, id, other) in [("facts", &fact, &rule), ("rules", &rule, &fact)] {
        let delete = async |id: &str| api.delete(&format!("/api/memory/{path}/{id}")).await;
        if path == "facts" {
            assert_eq!(delete(other).await.body, json!({ "deleted": false }), "a rule is no fact");
        }
        for expected in [true, false] {
            let reply = delete(id).await;
            assert_eq!((reply.status, reply.body), (200, json!({ "deleted": expected })), "{path}");
        }
        for nothing in [NOBODYS, "nonsense"] {
            let reply = delete(nothing).await;
            assert_eq!((reply.status, reply.body), (200, json!({ "deleted": false })));
        }
    }
    assert_eq!(api.get("/api/memory/rules").await.body["total"], 0);
    assert_eq!(api.get("/api/memory/facts").await.body["total"], 1);
}
