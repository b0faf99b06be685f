//! The protocol itself: who we are, what there is, how mistakes are said, how it ends.

use std::time::Duration;

use memory::ports::{Clock, ReadStore, WriteStore};
use memory::types::{Actor, Batch, Change, Filter, PageRequest, TenantId};
use serde_json::{Value, json};
use store::{Credential, SystemClock, Tenants, TenantsOptions};

use super::{Home, StdioClient, names};

#[test]
fn it_says_who_it_is_and_what_there_is() {
    let home = Home::new();
    let mut client = StdioClient::spawn(&home, &[]);
    let answer = client.request(
        "initialize",
        json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } }),
    );
    let server = &answer["result"];
    assert_eq!(server["serverInfo"]["name"], "recollect");
    assert_eq!(server["serverInfo"]["version"], env!("CARGO_PKG_VERSION"));
    assert!(server["instructions"].as_str().expect("text").contains("Look first"));
    for capability in ["tools", "resources", "prompts"] {
        assert!(server["capabilities"][capability].is_object(), "{capability}: {server}");
    }
    client.notify("notifications/initialized", json!({}));
    let tools = client.request("tools/list", json!({}));
    let expected = [
        "memory_search",
        "memory_context",
        "memory_add",
        "memory_update",
        "memory_delete",
        "memory_merge",
        "search_memory",
        "get_identity",
        "memory_clear",
        "memory_feedback",
        "memory_reflect",
    ];
    assert_eq!(names(&tools, "tools"), expected);
    for tool in tools["result"]["tools"].as_array().expect("a list") {
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
        assert_eq!(tool["outputSchema"]["type"], "object", "{tool}");
        let hints = &tool["annotations"];
        let name = tool["name"].as_str().expect("a name");
        let reads = ["memory_search", "memory_context", "search_memory", "get_identity", "rehydrate_memory"]
            .contains(&name);
        assert_eq!(hints["readOnlyHint"], reads, "{name}");
        assert_eq!(hints["destructiveHint"], !reads && name != "memory_add", "{name}");
        assert_eq!(hints["openWorldHint"], false, "{name}");
    }
    assert_eq!(names(&client.request("resources/list", json!({})), "resources"), ["identity"]);
    let templates = client.request("resources/templates/list", json!({}));
    assert_eq!(templates["result"]["resourceTemplates"][0]["uriTemplate"], "memory://sessions/{id}");
    assert_eq!(names(&client.request("prompts/list", json!({})), "prompts"), ["recall"]);
    assert_eq!(client.end(), (Vec::new(), Some(0)), "it ends with its client");
}

#[test]
fn protocol_faults_are_protocol_errors() {
    let home = Home::new();
    let mut client = StdioClient::start(&home, &[]);
    let answer = client.request("tools/call", json!({ "name": "memory_serch", "arguments": {} }));
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    assert!(answer["error"]["message"].as_str().expect("text").contains("memory_search"), "{answer}");
    let answer = client.request("nonsense/method", json!({}));
    assert_eq!(answer["error"]["code"], -32601, "{answer}");
    let answer = client.request("resources/read", json!({ "uri": "memory://nothing" }));
    assert!(answer["error"]["message"].as_str().expect("text").contains("memory://identity"), "{answer}");
    let answer = client.request("prompts/get", json!({ "name": "recall", "arguments": {} }));
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    client.call("memory_add", json!({ "content": "It goes on after mistakes." }));
}

#[test]
fn calls_under_way_at_the_end_are_answered() {
    let home = Home::new();
    let mut client = StdioClient::start(&home, &[]);
    let asked: Vec<u64> = (0..20)
        .map(|number| {
            let arguments = json!({ "content": format!("Number {number} was said at the last moment.") });
            client.ask("tools/call", json!({ "name": "memory_add", "arguments": arguments }))
        })
        .collect();
    let (said, code) = client.end();
    assert_eq!(code, Some(0));
    let mut answered: Vec<u64> = said.iter().filter_map(|message| message["id"].as_u64()).collect();
    answered.sort_unstable();
    assert_eq!(answered, asked);
    assert_eq!(home.json(&["list"])["total"], 20);
}

#[test]
fn a_cancelled_call_is_not_answered_and_the_next_one_is() {
    let home = Home::new();
    home.add("Mara has a sailing boat.");
    let mut client = StdioClient::start(&home, &[]);
    let id = client.ask("tools/call", json!({ "name": "memory_search", "arguments": { "query": "boat" } }));
    client.notify("notifications/cancelled", json!({ "requestId": id, "reason": "changed my mind" }));
    let ping = client.ask("ping", json!({}));
    let mut said: Vec<Value> = Vec::new();
    while !said.iter().any(|message| message["id"] == ping) {
        said.push(client.hear(super::PATIENCE).expect("the ping is answered"));
    }
    // The search may have been faster than the word that it is not wanted.
    said.extend(client.hear(Duration::from_millis(300)));
    assert!(said.len() <= 2, "{said:?}");
    client.call("memory_search", json!({ "query": "boat" }));
}

#[test]
fn a_write_that_is_cancelled_is_whole() {
    let home = Home::new();
    let mut client = StdioClient::start(&home, &[]);
    let arguments = json!({ "content": "It was cancelled too late." });
    let id = client.ask("tools/call", json!({ "name": "memory_add", "arguments": arguments }));
    client.notify("notifications/cancelled", json!({ "requestId": id }));
    client.end();
    let total = home.json(&["list"])["total"].as_u64().expect("a number");
    assert!(total <= 1, "{total}");
    let mut client = StdioClient::start(&home, &[]);
    client.call("memory_add", json!({ "content": "It was cancelled too late." }));
    assert_eq!(home.json(&["list"])["total"], 1);
}

#[test]
fn who_leaves_at_once_or_talks_nonsense_is_told_by_the_exit_code() {
    let home = Home::new();
    assert_eq!(home.feed(&["mcp"], "").code, Some(0), "just looking");
    let ran = home.feed(&["mcp"], "what do you know about me?\n");
    assert_eq!(ran.stdout.trim().lines().filter(|line| !line.starts_with('{')).count(), 0, "{ran:?}");
}

#[test]
fn tools_are_chosen_by_name() {
    let home = Home::new();
    let mut client = StdioClient::start(&home, &["--tools", "memory_search,memory_add"]);
    assert_eq!(names(&client.request("tools/list", json!({})), "tools"), ["memory_search", "memory_add"]);
    let answer = client.request("tools/call", json!({ "name": "memory_clear", "arguments": {} }));
    assert_eq!(answer["error"]["code"], -32602, "what is not offered is not there: {answer}");
    let ran = home.run(["mcp", "--tools", "memory_serch"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("did you mean `memory_search`?"), "{}", ran.stderr);
}

/// The table in the guide is for people; it must not know fewer or other tools than there are.
#[test]
fn the_guide_names_every_tool() {
    let guide = std::fs::read_to_string(testkit::folder::project_root().join("docs/mcp.md")).expect("there");
    for profile in recollect::mcp::tools::Profile::ALL {
        for tool in profile.tools() {
            assert!(
                guide.contains(&format!("`{}`", tool.name())),
                "docs/mcp.md does not name {}",
                tool.name()
            );
        }
    }
    let rows = guide.lines().filter(|line| line.starts_with("| `memory_") || line.starts_with("| `search_"));
    let names = rows.filter_map(|row| row.split('`').nth(1));
    let known = recollect::mcp::tools::Profile::Default.tools();
    for name in names {
        assert!(known.iter().any(|tool| tool.name() == name), "docs/mcp.md names {name}, which is not there");
    }
}

#[test]
fn settings_of_programs_are_printed() {
    let home = Home::new();
    for (program, servers) in [
        ("claude-desktop", "mcpServers"),
        ("claude-code", "mcpServers"),
        ("cursor", "mcpServers"),
        ("vscode", "servers"),
    ] {
        let ran = home.run(["mcp", "--print-config", program, "--data", "./here", "--user", "mara"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let settings: Value = serde_json::from_str(&ran.stdout).expect("stdout is the settings alone");
        let server = &settings[servers]["recollect"];
        assert!(server["command"].as_str().expect("a path").ends_with("recollect"), "{settings}");
        let data = home.path().join("here");
        assert_eq!(server["args"], json!(["mcp", "--data", data.display().to_string(), "--user", "mara"]));
    }
}

/// What was shortened can be asked back for, and only then is there a tool for it.
#[test]
fn archived_words_bring_their_tool() {
    let home = Home::new();
    home.add("The first words of a long story.");
    let listed = |home: &Home| {
        let mut client = StdioClient::start(home, &[]);
        names(&client.request("tools/list", json!({})), "tools")
    };
    assert!(!listed(&home).contains(&"rehydrate_memory".to_owned()));
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let tenants =
            Tenants::open_folder(&home.data(), TenantsOptions::default()).expect("the folder opens");
        let operator = Credential::Operator { tenant: TenantId::local() };
        let pass = tenants.authenticate(operator).await.expect("the operator may");
        let tenant = tenants.open(&pass).await.expect("the tenant opens");
        let page = tenant.list_memories(&Filter::ever(), PageRequest::first(1)).await.expect("listed");
        let (memory, now) = (page.items[0].clone(), SystemClock.now());
        let archive = Change::Archive { memory: memory.id, text: memory.content };
        tenant.apply(Batch::new(Actor::Tend, now).with(archive)).await.expect("archived");
        drop(tenant);
        tenants.close().await;
    });
    assert!(listed(&home).contains(&"rehydrate_memory".to_owned()));
}
