//! Each tool does what its description says, and says what is wrong so that a model can correct it.

use memory::text::marks;
use serde_json::{Value, json};

use super::super::support::contents;
use super::{Home, StdioClient, text};

#[test]
fn adding_gives_the_id_and_the_same_again_gives_the_same() {
    let home = Home::new();
    let mut client = StdioClient::start(&home, &[]);
    let sentence = "Mara prefers dark mode and TypeScript.";
    let added = client.call("memory_add", json!({ "content": sentence, "type": "semantic", "tags": ["ui"] }));
    let id = added["traceId"].as_str().expect("an id").to_owned();
    assert!(id.starts_with("mt_") && added["created"] == true, "{added}");
    let again = client.call("memory_add", json!({ "content": sentence, "type": "semantic" }));
    assert_eq!((again["traceId"].as_str(), again["created"].as_bool()), (Some(id.as_str()), Some(false)));
    let other_type = client.call("memory_add", json!({ "content": sentence }));
    assert_eq!(other_type["created"], true, "episodic unless said");
    let other_scope =
        client.call("memory_add", json!({ "content": sentence, "type": "semantic", "scope": "persona" }));
    assert_eq!(other_scope["created"], true);
    let shown = home.json(&["show", &id]);
    assert_eq!((shown["layer"].as_str(), shown["origin"].as_str()), (Some("semantic"), Some("tool")));
    assert_eq!(shown["tags"], json!(["ui"]));
}

#[test]
fn searching_finds_by_plain_sentences_and_narrows() {
    let home = Home::new();
    let mut client = StdioClient::start(&home, &[]);
    client.call(
        "memory_add",
        json!({ "content": "Mara prefers dark mode.", "type": "semantic", "tags": ["ui"] }),
    );
    client.call("memory_add", json!({ "content": "Mara visited the dark caves in June." }));
    let found =
        client.call("memory_search", json!({ "query": "what's Mara's preference: dark or light mode?" }));
    assert_eq!(contents(&found["results"]).len(), 2, "{found}");
    let found = client.call("memory_search", json!({ "query": "dark", "type": "semantic", "scope": "user" }));
    let first = &found["results"][0];
    assert_eq!(contents(&found["results"]), ["Mara prefers dark mode."]);
    assert_eq!((first["type"].as_str(), first["scope"].as_str()), (Some("semantic"), Some("user")));
    assert_eq!(first["tags"], json!(["ui"]));
    assert!((0.9..=1.0).contains(&first["strength"].as_f64().expect("a number")), "{first}");
    assert_eq!(
        client.call("memory_search", json!({ "query": "dark", "limit": 1 }))["results"]
            .as_array()
            .map(Vec::len),
        Some(1)
    );
    let nothing = client.result("memory_search", json!({ "query": "submarines" }));
    assert_eq!(nothing["structuredContent"]["results"], json!([]));
    assert!(text(&nothing).contains("Nothing is remembered"), "{nothing}");
}

#[test]
fn updating_and_deleting_say_whether_there_was_one() {
    let home = Home::new();
    let mut client = StdioClient::start(&home, &[]);
    let id = client.call("memory_add", json!({ "content": "Mara lives in Berlin." }))["traceId"].clone();
    let updated = client.call(
        "memory_update",
        json!({ "traceId": id, "content": "Mara lives in Lisbon.", "tags": ["home"] }),
    );
    assert_eq!(updated, json!({ "updated": true }));
    assert_eq!(
        contents(&client.call("memory_search", json!({ "query": "lives" }))["results"]),
        ["Mara lives in Lisbon."]
    );
    for unknown in ["mt_00000000-0000-7000-8000-000000000000", "nonsense"] {
        let arguments = json!({ "traceId": unknown, "content": "x" });
        assert_eq!(client.call("memory_update", arguments), json!({ "updated": false }), "{unknown}");
        assert_eq!(
            client.call("memory_delete", json!({ "traceId": unknown })),
            json!({ "deleted": false }),
            "{unknown}"
        );
    }
    let arguments = json!({ "traceId": id, "reason": "she asked for it" });
    assert_eq!(client.call("memory_delete", arguments.clone()), json!({ "deleted": true }));
    assert_eq!(client.call("memory_delete", arguments), json!({ "deleted": false }), "already forgotten");
    assert_eq!(client.call("memory_search", json!({ "query": "Lisbon" }))["results"], json!([]));
    let history = home.json(&["history", id.as_str().expect("an id")]).to_string();
    assert!(history.contains("she asked for it"), "{history}");
}

#[test]
fn merging_makes_one_of_several() {
    let home = Home::new();
    let mut client = StdioClient::start(&home, &[]);
    let mut add = |content: &str| client.call("memory_add", json!({ "content": content }))["traceId"].clone();
    let ids = [add("Mara deploys with Docker Compose."), add("Mara deploys on Fridays.")];
    let merged = client.call(
        "memory_merge",
        json!({ "traceIds": ids, "content": "Mara deploys with Docker Compose, on Fridays." }),
    );
    assert_eq!(merged["sourcesDeleted"], 2);
    let found = client.call("memory_search", json!({ "query": "deploys" }));
    assert_eq!(contents(&found["results"]), ["Mara deploys with Docker Compose, on Fridays."]);
    assert_eq!(found["results"][0]["id"], merged["mergedTraceId"]);
    let refused = client.refusal("memory_merge", json!({ "traceIds": ids }));
    assert!(refused.contains("at least two"), "{refused}");
    let refused = client.refusal("memory_merge", json!({ "traceIds": [merged["mergedTraceId"]] }));
    assert!(refused.contains("at least two"), "{refused}");
}

#[test]
fn earlier_conversations_are_searched_read_and_recalled() {
    let home = Home::new();
    let file = home.path().join("talk.json");
    let talk = json!({ "conversation_id": "trip to/japan", "messages": [
        { "role": "user", "content": "I want to see the snow monkeys in Nagano when I go to Japan in March." },
        { "role": "assistant", "content": "Nagano in March is still cold; take a warm coat." },
    ] });
    std::fs::write(&file, talk.to_string()).expect("written");
    home.json(&["ingest", file.to_str().expect("text")]);
    let mut client = StdioClient::start(&home, &[]);
    let found =
        client.call("search_memory", json!({ "scope": "transcript", "query": "snow monkeys", "days": 3 }));
    assert_eq!(found["results"][0]["conversation_id"], "trip to/japan", "{found}");
    assert_eq!(found["results"][0]["role"], "user");
    for scope in ["pinned", "episodes"] {
        client.call("search_memory", json!({ "scope": scope, "query": "Japan", "top_k": 50 }));
    }
    let refused = client.refusal("search_memory", json!({ "scope": "everything", "query": "Japan" }));
    assert!(refused.contains("pinned, episodes or transcript"), "{refused}");
    let refused =
        client.refusal("search_memory", json!({ "scope": "pinned", "query": "Japan", "top_k": 51 }));
    assert!(refused.contains("from 1 to 50"), "{refused}");

    let read = client.request("resources/read", json!({ "uri": "memory://sessions/trip%20to%2Fjapan" }));
    let said = read["result"]["contents"][0]["text"].as_str().unwrap_or_else(|| panic!("{read}"));
    assert!(said.contains("snow monkeys") && said.contains("warm coat"), "{said}");
    assert_eq!(marks::strip(said).0, "", "fenced as a whole");
    let missing = client.request("resources/read", json!({ "uri": "memory://sessions/never" }));
    assert!(missing["error"].is_object(), "{missing}");

    let prompt =
        client.request("prompts/get", json!({ "name": "recall", "arguments": { "topic": "Japan" } }));
    let message = &prompt["result"]["messages"][0];
    assert_eq!(message["role"], "user");
    let text = message["content"]["text"].as_str().unwrap_or_else(|| panic!("{prompt}"));
    assert!(text.contains("monkeys"), "{text}");
    assert!(!marks::strip(text).0.contains("monkeys"), "what is recalled is fenced: {text}");
}

#[test]
fn identity_is_told_by_tool_and_resource() {
    let home = Home::new();
    let mut client = StdioClient::start(&home, &["--user", "mara"]);
    let nothing = client.call("get_identity", json!({}));
    assert_eq!(
        nothing,
        json!({ "user_id": "mara", "profile": null, "profile_version": null, "overrides": [] })
    );
    home.json(&["identity", "override", "add", "Allergic to peanuts", "--user", "mara"]);
    let known = client.call("get_identity", json!({}));
    assert_eq!(known["overrides"], json!(["Allergic to peanuts"]));
    let read = client.request("resources/read", json!({ "uri": "memory://identity" }));
    assert!(read["result"]["contents"][0]["text"].as_str().expect("text").contains("peanuts"), "{read}");
    let context = client.call("memory_context", json!({ "message": "What do you know about me?" }));
    let block = context["block"].as_str().expect("text");
    assert!(block.contains("peanuts") && marks::strip(block).0.is_empty(), "{context}");
    let empty = client.call("memory_context", json!({ "message": "reply exactly OK" }));
    assert!(empty["reason"].as_str().is_some_and(|reason| !reason.is_empty()), "{empty}");
}

#[test]
fn clearing_counts_first() {
    let home = Home::new();
    let mut client = StdioClient::start(&home, &[]);
    client.call("memory_add", json!({ "content": "The build broke on Monday." }));
    client.call("memory_add", json!({ "content": "Mara likes tea.", "type": "semantic" }));
    let counted = client.call("memory_clear", json!({ "type": "episodic" }));
    assert_eq!(counted, json!({ "deleted": 0, "matched": 1, "dryRun": true }));
    assert_eq!(client.call("memory_clear", json!({ "olderThan": "1d" }))["matched"], 0);
    assert_eq!(client.call("memory_clear", json!({ "olderThan": "2999-01-01" }))["matched"], 2);
    let refused = client.refusal("memory_clear", json!({ "dryRun": false }));
    assert!(refused.contains("confirm"), "{refused}");
    let cleared = client.call("memory_clear", json!({ "type": "episodic", "dryRun": false }));
    assert_eq!(cleared["deleted"], 1);
    assert_eq!(contents(&home.json(&["list"])["memories"]), ["Mara likes tea."]);
    assert_eq!(client.call("memory_clear", json!({ "dryRun": false, "confirm": "all" }))["deleted"], 1);
}

#[test]
fn memory_is_tidied_up_and_original_words_are_given() {
    let home = Home::new();
    let mut client = StdioClient::start(&home, &[]);
    let id = client.call("memory_add", json!({ "content": "Mara sails on Sundays." }))["traceId"].clone();
    let tidied = client.call("memory_reflect", json!({ "topic": "sailing" }));
    for count in ["pruned", "merged", "derived", "compacted", "durationMs"] {
        assert!(tidied[count].is_u64(), "{count}: {tidied}");
    }
    let never = json!({ "verbatimContent": null, "archivedAt": null });
    for id in [id, json!("mt_00000000-0000-7000-8000-000000000000"), json!("nonsense")] {
        assert_eq!(client.call("rehydrate_memory", json!({ "traceId": id })), never, "{id}");
    }
    assert_eq!(contents(&client.call("memory_search", json!({ "query": "sails" }))["results"]).len(), 1);
}

#[test]
fn mistakes_say_what_was_expected() {
    let home = Home::new();
    let mut client = StdioClient::start(&home, &[]);
    let table: [(&str, Value, &str); 9] = [
        ("memory_add", json!({}), "`content`: it is missing"),
        ("memory_add", json!({ "content": "   " }), "content"),
        ("memory_add", json!({ "content": "x", "type": "sentimental" }), "expected semantic, episodic"),
        (
            "memory_add",
            json!({ "content": "x", "scope": "world" }),
            "expected one of thread, project, agent, user",
        ),
        ("memory_add", json!({ "content": "x", "scope": "thread" }), "no session is named"),
        ("memory_add", json!({ "content": "x", "tag": ["a"] }), "did you mean `tags`?"),
        ("memory_search", json!({ "query": "x", "limit": 101 }), "from 1 to 100"),
        ("memory_search", json!({ "query": "x", "limit": "5" }), "expected a whole number"),
        (
            "memory_update",
            json!({ "traceId": "mt_00000000-0000-7000-8000-000000000000" }),
            "expected `content`, `tags`",
        ),
    ];
    for (tool, arguments, expected) in table {
        let said = client.refusal(tool, arguments.clone());
        assert!(said.contains(expected), "{tool} {arguments}: {said}");
    }
    assert_eq!(home.json(&["list"])["total"], 0);
}

#[test]
fn a_client_sees_its_own_users_memory() {
    let home = Home::new();
    let mut mara = StdioClient::start(&home, &["--user", "mara"]);
    let mut otto = StdioClient::start(&home, &["--user", "otto"]);
    mara.call("memory_add", json!({ "content": "The safe is behind the painting." }));
    assert_eq!(otto.call("memory_search", json!({ "query": "safe" }))["results"], json!([]));
    assert_eq!(otto.call("memory_clear", json!({}))["matched"], 0);
    assert_eq!(contents(&mara.call("memory_search", json!({ "query": "safe" }))["results"]).len(), 1);
}

/// What a tool gives back may end up in a conversation: as a tool's message, or pasted by the user.
#[test]
fn what_a_tool_returns_is_never_learned_back() {
    let home = Home::new();
    let mut client = StdioClient::start(&home, &[]);
    client.call(
        "memory_add",
        json!({ "content": "I prefer my coffee black and I live in Lisbon.", "type": "semantic" }),
    );
    let result = client.result("memory_search", json!({ "query": "coffee" }));
    let (fenced, data) = (text(&result), result["structuredContent"].to_string());
    assert_eq!(marks::strip(&fenced).0, "", "{fenced}");
    let talk = json!({ "conversation_id": "again", "messages": [
        { "role": "user", "content": format!("Here is what the tool said, please sum it up for me now: {fenced}") },
        { "role": "tool", "content": data },
        { "role": "tool", "content": fenced },
        { "role": "assistant", "content": "You prefer your coffee black and you live in Lisbon." },
    ] });
    let file = home.path().join("talk.json");
    std::fs::write(&file, talk.to_string()).expect("written");
    let ingested = home.json(&["ingest", file.to_str().expect("text")]);
    assert_eq!(ingested["memories"], 0, "{ingested}");
    assert_eq!(home.json(&["list"])["total"], 1);
}

/// A tool's arguments are read as a request of a route is: by every spelling of a name, with `null` as left out.
#[test]
fn arguments_have_the_names_that_requests_have() {
    let home = Home::new();
    let mut client = StdioClient::start(&home, &[]);
    let added = json!({ "content": "Mara sails.", "type": "semantic", "session_id": "s 1", "tags": "boats", "scope": null });
    let id = client.call("memory_add", added)["traceId"].clone();
    assert_eq!(
        home.json(&["show", id.as_str().expect("an id")])["tags"],
        json!(["boats"]),
        "one is a list of one"
    );
    for arguments in [
        json!({ "q": "sails", "top_k": 1 }),
        json!({ "query": "sails", "topK": 1, "type": "factual" }),
        json!({ "QUERY": "sails", "k": 1, "type": "fact" }),
    ] {
        let found = client.call("memory_search", arguments.clone());
        assert_eq!(contents(&found["results"]), ["Mara sails."], "{arguments}");
    }
    let counted = client.call("memory_clear", json!({ "older_than": 0, "dry-run": true }));
    assert_eq!(counted, json!({ "deleted": 0, "matched": 1, "dryRun": true }));
    let updated = json!({ "trace_id": id, "content": "Mara rows." });
    assert_eq!(client.call("memory_update", updated)["updated"], true);
    assert_eq!(client.call("memory_feedback", json!({ "memory_id": id, "feedback": "used" }))["used"], 1);
    for (tool, arguments, expected) in [
        ("memory_search", json!({ "query": "x", "limt": 5 }), "did you mean `limit`?"),
        (
            "memory_search",
            json!({ "query": "x", "user": "otto" }),
            "`user`: there is no such field; expected limit, query, scope, type",
        ),
        ("memory_clear", json!({ "olderThen": "1d" }), "did you mean `olderThan`?"),
        ("memory_clear", json!({ "dryRun": "false" }), "`dryRun`: it is text; expected true or false"),
        ("memory_clear", json!({ "olderThan": "soon" }), "or days such as 90d"),
        ("memory_merge", json!({ "trace_ids": ["nonsense"] }), "`trace_ids[0]`"),
        ("get_identity", json!({ "user_id": "otto" }), "`user_id`: there is no such field; expected none"),
    ] {
        let said = client.refusal(tool, arguments.clone());
        assert!(said.contains(expected), "{tool} {arguments}: {said}");
    }
    assert_eq!(home.json(&["list"])["total"], 1);
}

/// What a client is told that a tool takes is what the tool takes.
#[test]
fn the_schema_of_a_tool_comes_from_what_reads_it() {
    let home = Home::new();
    let mut client = StdioClient::start(&home, &[]);
    let listed = client.request("tools/list", json!({}));
    let tool = |name: &str| {
        let tools = listed["result"]["tools"].as_array().expect("tools");
        tools.iter().find(|tool| tool["name"] == name).unwrap_or_else(|| panic!("{name}"))["inputSchema"]
            .clone()
    };
    let add = tool("memory_add");
    assert_eq!(add["required"], json!(["content"]));
    assert_eq!(add["additionalProperties"], false);
    let words = |schema: &Value| schema["enum"].as_array().cloned().unwrap_or_default();
    let scopes = words(&add["properties"]["scope"]);
    assert!(scopes.contains(&json!("user")) && !scopes.contains(&json!("project")), "{add}");
    assert_eq!(words(&add["properties"]["type"]).len(), 4, "{add}");
    assert_eq!(add["properties"]["sessionId"]["type"], "string", "one kind, which every provider takes");
    let limit = &tool("memory_search")["properties"]["limit"];
    assert_eq!(
        (&limit["minimum"], &limit["maximum"], &limit["default"]),
        (&json!(1), &json!(100), &json!(10))
    );
    assert_eq!(tool("memory_clear")["properties"]["dryRun"]["default"], true);
    assert_eq!(tool("memory_merge")["properties"]["traceIds"]["minItems"], 2);
    assert_eq!(tool("get_identity")["properties"], json!({}));
}
