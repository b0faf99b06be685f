//! The tools of other systems, by their names.

use serde_json::{Value, json};

use super::{Home, StdioClient, names};

#[test]
fn mem0s_tools_work_by_their_names() {
    let home = Home::new();
    let mut client = StdioClient::start(&home, &["--profile", "mem0", "--user", "mara"]);
    let expected = [
        "add_memory",
        "search_memories",
        "get_memories",
        "get_memory",
        "update_memory",
        "delete_memory",
        "delete_all_memories",
    ];
    assert_eq!(names(&client.request("tools/list", json!({})), "tools"), expected);
    let added = client.call(
        "add_memory",
        json!({ "text": "Mara prefers window seats.", "metadata": { "source": "chat" } }),
    );
    assert_eq!(added["results"][0]["event"], "ADD");
    let id = added["results"][0]["id"].clone();
    client.call("add_memory", json!({ "text": "Otto prefers aisle seats.", "user_id": "otto", "run_id": "r1", "enable_graph": true }));
    let found = client.call("search_memories", json!({ "query": "seats" }));
    assert_eq!(found["results"].as_array().map(Vec::len), Some(1), "the user of the connection: {found}");
    assert_eq!(found["results"][0]["memory"], "Mara prefers window seats.");
    let otto = json!({ "AND": [{ "user_id": "otto" }, { "created_at": { "gte": "2020-01-01" } }] });
    let found = client.call("search_memories", json!({ "query": "seats", "filters": otto, "limit": 3 }));
    assert_eq!(found["results"][0]["user_id"], "otto");
    let listed = client.call("get_memories", json!({ "page": 1, "page_size": 5 }));
    assert_eq!((listed["count"].as_u64(), listed["results"][0]["id"].clone()), (Some(1), id.clone()));
    assert_eq!(client.call("get_memory", json!({ "memory_id": id }))["metadata"]["source"], "chat");
    let updated =
        client.call("update_memory", json!({ "memory_id": id, "text": "Mara prefers aisle seats." }));
    assert_eq!(updated["memory"], "Mara prefers aisle seats.");
    client.call("delete_memory", json!({ "memory_id": id }));
    let refused = client.refusal("delete_memory", json!({ "memory_id": id }));
    assert!(refused.contains("there is no memory"), "{refused}");
    for filters in
        [json!([]), json!({ "created_at": { "gte": "soon" } }), json!({ "user_id": { "near": "a" } })]
    {
        let refused = client.refusal("get_memories", json!({ "filters": filters }));
        assert!(refused.contains("expected"), "{refused}");
    }
    let all = client.call("delete_all_memories", json!({ "user_id": "otto" }));
    assert_eq!(all["deleted"], 1);
}

#[test]
fn mem0s_filters_are_those_of_its_interface() {
    let home = Home::new();
    let mut client = StdioClient::start(&home, &["--profile", "mem0", "--user", "mara"]);
    for (user, text, place) in [
        ("mara", "Mara prefers window seats.", "plane"),
        ("otto", "Otto prefers aisle seats.", "plane"),
        ("ida", "Ida prefers seats at the front.", "bus"),
    ] {
        let given =
            json!({ "text": text, "user_id": user, "metadata": { "place": place }, "app_id": "trips" });
        client.call("add_memory", given);
    }
    let texts = |listed: Value| {
        let rows = listed["results"].as_array().cloned().unwrap_or_default();
        let mut texts: Vec<String> =
            rows.iter().filter_map(|row| row["memory"].as_str().map(str::to_owned)).collect();
        texts.sort();
        texts
    };
    for (filters, expected) in [
        (json!({ "OR": [{ "user_id": "otto" }, { "user_id": "ida" }] }), vec!["Ida", "Otto"]),
        (json!({ "user_id": { "in": ["mara", "otto"] } }), vec!["Mara", "Otto"]),
        (json!({ "AND": [{ "user_id": "*" }, { "NOT": { "place": "plane" } }] }), vec!["Ida"]),
        (
            json!({ "AND": [{ "user_id": "*" }, { "app_id": "trips" }, { "keywords": { "icontains": "AISLE" } }] }),
            vec!["Otto"],
        ),
        (json!({ "NOT": { "place": "bus" } }), vec!["Mara"]),
        (json!({ "OR": [] }), vec![]),
    ] {
        for (tool, given) in [
            ("get_memories", json!({ "filters": filters })),
            ("search_memories", json!({ "query": "seats", "filters": filters })),
        ] {
            let found = texts(client.call(tool, given));
            let names: Vec<&str> = found.iter().filter_map(|text| text.split(' ').next()).collect();
            assert_eq!(names, expected, "{tool} with {filters}");
        }
    }
}

/// Clients of other systems send arguments of their own; only one that looks like a scope or a filter is refused.
#[test]
fn what_only_other_systems_know_is_passed_over() {
    let home = Home::new();
    let mut client = StdioClient::start(&home, &["--profile", "mem0", "--user", "mara"]);
    let given = json!({ "text": "Mara sails.", "org_id": "o1", "output_format": "v1.1", "runId": "r 1" });
    client.call("add_memory", given);
    let found = client.call("search_memories", json!({ "query": "sails", "version": "v2", "top_k": 3 }));
    assert_eq!(found["results"].as_array().map(Vec::len), Some(1), "{found}");
    for (tool, arguments, name) in [
        ("search_memories", json!({ "query": "sails", "filer": { "user_id": "otto" } }), "filer"),
        ("delete_all_memories", json!({ "usr_id": "otto" }), "usr_id"),
        ("delete_all_memories", json!({ "app_id": "trips" }), "app_id"),
    ] {
        let refused = client.refusal(tool, arguments);
        assert!(refused.contains(&format!("`{name}`")), "{tool}: {refused}");
    }
    assert_eq!(client.call("get_memories", json!({}))["count"], 1, "nothing went");
}

#[test]
fn mem0s_messages_are_learned_from() {
    let home = Home::new();
    let mut client = StdioClient::start(&home, &["--profile", "mem0"]);
    let messages = json!([
        { "role": "user", "content": "My name is Mara and I live in Lisbon. I prefer window seats when I fly." },
        { "role": "assistant", "content": "Noted, window seats it is." },
    ]);
    let added = client.call(
        "add_memory",
        json!({ "text": "seats", "messages": messages, "user_id": "mara", "run_id": "talk" }),
    );
    assert!(added["results"].as_array().is_some_and(|rows| !rows.is_empty()), "{added}");
    let everyone = client.refusal("delete_all_memories", json!({}));
    assert!(everyone.contains("at least one of user_id"), "{everyone}");
}

#[test]
fn omniroutes_tools_work_by_their_names() {
    let home = Home::new();
    let mut client = StdioClient::start(&home, &["--profile", "omniroute"]);
    let listed = names(&client.request("tools/list", json!({})), "tools");
    assert_eq!(listed, ["omniroute_memory_search", "omniroute_memory_add", "omniroute_memory_clear"]);
    let add = |content: &str| json!({ "type": "factual", "key": "preference:editor", "content": content, "metadata": { "n": 1 } });
    let first = client.call("omniroute_memory_add", add("Mara uses Vim."));
    let second = client.call("omniroute_memory_add", add("Mara uses Helix."));
    assert_eq!(
        first["data"]["memory"]["id"], second["data"]["memory"]["id"],
        "the same key is the same memory"
    );
    let found = client.call("omniroute_memory_search", json!({ "query": "editor Helix", "limit": 3 }));
    assert_eq!(found["data"]["memories"][0]["content"], "Mara uses Helix.");
    let newest = client.call("omniroute_memory_search", json!({ "maxTokens": 1 }));
    assert_eq!(newest["data"]["count"], 1, "one at least");
    let cleared = client.call("omniroute_memory_clear", json!({ "olderThan": "2020-01-01" }));
    assert_eq!(cleared["data"]["deletedCount"], 0);
    for tool in ["omniroute_memory_search", "omniroute_memory_clear"] {
        let foreign = client.refusal(tool, json!({ "apiKeyId": "key_of_nobody" }));
        assert!(foreign.contains("there is no key key_of_nobody; expected one of yours"), "{foreign}");
    }
    assert_eq!(
        client.call("omniroute_memory_clear", json!({ "type": "factual" }))["data"]["deletedCount"],
        1
    );
}

#[test]
fn a_key_that_is_named_to_omniroutes_tools_means_its_user() {
    let home = Home::new();
    let key = |user: &str| home.json(&["keys", "create", "--user", user])["id"].clone();
    let (adas, bobs) = (key("ada"), key("bob"));
    let mut client = StdioClient::start(&home, &["--profile", "omniroute"]);
    for (owner, text) in [(&adas, "Ada sails."), (&bobs, "Bob rows.")] {
        let given = json!({ "apiKeyId": owner, "type": "factual", "key": "sport", "content": text });
        client.call("omniroute_memory_add", given);
    }
    let both = client.call("omniroute_memory_search", json!({}));
    assert_eq!(both["data"]["count"], 2, "the same key of two users is two memories: {both}");
    let found = client.call("omniroute_memory_search", json!({ "apiKeyId": adas }));
    assert_eq!(
        (&found["data"]["count"], &found["data"]["memories"][0]["content"]),
        (&json!(1), &json!("Ada sails."))
    );
    let cleared = client.call("omniroute_memory_clear", json!({ "apiKeyId": adas }));
    assert_eq!(cleared["data"]["deletedCount"], 1);
    let left = client.call("omniroute_memory_search", json!({}));
    assert_eq!(left["data"]["memories"][0]["content"], "Bob rows.", "{left}");
}
