//! A purge by command beside a running server, with a term that differs from its neighbour in the last digit, in two tenants:
//! afterwards the files are opened and every table, index, page and frame of the log is looked through.

use std::path::PathBuf;

use serde_json::{Value, json};
use testkit::traces;

use crate::support::{Home, RunningServer, ran};

const GOES: &str = "quokkas9172";
const STAYS: &str = "quokkas9173";

fn database(home: &Home, tenant: &str) -> PathBuf {
    home.data().join("tenants").join(format!("{tenant}.sqlite3"))
}

/// Says something about the term in every way that a client can.
fn tell(home: &Home, server: &RunningServer, tenant: &str, term: &str, session: &str) {
    let run = |arguments: &[&str]| -> Value {
        let mut command = home.command();
        command.args(arguments).args(["--tenant", tenant, "--json"]);
        if !matches!(arguments[0], "update" | "feedback" | "forget") {
            command.args(["--agent", "keeper"]);
        }
        let done = ran(&mut command);
        assert_eq!(done.code, Some(0), "{arguments:?}: {done:?}");
        serde_json::from_str(&done.stdout).expect("JSON")
    };
    let id = |answer: &Value| answer["id"].as_str().expect("an id").to_owned();
    let first =
        id(&run(&["add", &format!("Ada keeps {term} in the barn"), "--tag", term, "--session", session]));
    run(&["add", &format!("Ada's barn of {session} is red")]);
    let edited = id(&run(&["add", &format!("Ada feeds {term} at noon in {session}")]));
    run(&["update", &edited, "--content", &format!("Ada feeds nobody at noon in {session}")]);
    let gone = id(&run(&["add", &format!("Ada sold {term} in {session}")]));
    run(&["forget", &gone, "--yes"]);
    run(&["identity", "override", "add", &format!("Never sell {term}")]);
    let said = |role: &str, content: String| json!({ "role": role, "content": content });
    let ingest = json!({
        "agent_id": "keeper", "conversation_id": session,
        "messages": [
            said("user", format!("I keep {term} in my barn. I decided to buy hay for {term} in May.")),
            said("assistant", format!("{term} are lovely animals.")),
            said("user", format!("My name is Ada and I live in Bergen. We talked about the roof of {session} too.")),
            said("assistant", "Noted.".to_owned()),
        ],
    });
    if tenant == "local" {
        let (status, answer) = server.post("/memory/ingest", &ingest);
        assert_eq!(status, 200, "{answer}");
    }
    run(&["identity", "refresh"]);
    run(&["context", &format!("what about {term}?")]);
    run(&["feedback", &first, "used"]);
}

/// What tables say of a term, but for the pages of full-text indexes, which are built otherwise each time, and for profiles,
/// which tell of both, and for what a memory is about, which is found behind everybody's back.
fn told(database: &std::path::Path, term: &str) -> Vec<String> {
    let mut told = traces::of(database, term);
    told.retain(|place| {
        let differs = place.starts_with("bytes") || place.contains("_fts_") || place.starts_with("profile.");
        !differs
    });
    let mut told: Vec<String> = told.iter().map(|place| without_category(place)).collect();
    told.sort();
    told
}

fn without_category(place: &str) -> String {
    let Some((before, behind)) = place.split_once("\"category\":\"") else { return place.to_owned() };
    let (_, behind) = behind.split_once("\",").expect("a category is not what a memory ends with");
    format!("{before}{}", behind.replacen("\"sensitive\":true,", "", 1))
}

#[test]
fn the_term_is_nowhere_and_its_neighbours_are_all_there() {
    let home = Home::new();
    let server = home.serve();
    for tenant in ["local", "zoo"] {
        tell(&home, &server, tenant, GOES, "first");
        tell(&home, &server, tenant, STAYS, "second");
    }
    let (local, zoo) = (database(&home, "local"), database(&home, "zoo"));
    let before = told(&local, STAYS);
    assert!(told(&local, GOES).len() > 12 && before.len() > 12, "{before:#?}");
    let others = (told(&zoo, GOES), told(&zoo, STAYS));

    let would = home.json(&["forget", "--agent", "keeper", "--match", GOES, "--purge"]);
    assert_eq!((&would["done"], told(&local, GOES).len() > 12), (&json!(false), true));
    let purged = home.json(&["forget", "--agent", "keeper", "--match", GOES, "--purge", "--yes"]);
    assert_eq!((&purged["done"], &purged["purged"]), (&json!(true), &json!(true)), "{purged}");
    assert_eq!(purged["kinds"], would["kinds"], "as it said it would");
    for kind in ["memories", "turns", "overrides", "profile_lines", "history"] {
        assert!(purged["kinds"][kind].as_u64().is_some_and(|count| count > 0), "{kind}: {purged}");
    }
    receipt_is_clean(&home, &server, &purged);

    for gone in [GOES, "9172", "Ada keeps quokkas9172", "Ada keeps quokkas9172 in the barn"] {
        assert_eq!(traces::of(&local, gone), [""; 0], "{gone}, with the server running");
    }
    assert_eq!(told(&local, STAYS), before, "the neighbour");
    let mut profiles = traces::of(&local, STAYS).into_iter().filter(|place| place.starts_with("profile."));
    assert!(
        profiles.next_back().is_some_and(|profile| profile.contains("Ada keeps quokkas9173 in the barn"))
    );
    assert_eq!((told(&zoo, GOES), told(&zoo, STAYS)), others, "the other tenant");
    found(&home);
    let (code, _) = {
        server.signal("TERM");
        server.wait()
    };
    assert_eq!(code, Some(0));
    assert_eq!(traces::of(&local, GOES), [""; 0], "nor does the server leave it behind");
    assert!(!traces::of(&zoo, GOES).is_empty());
}

fn found(home: &Home) {
    let search = |query: &str| home.json(&["search", query, "--agent", "keeper"])["results"].clone();
    assert!(!search(GOES).to_string().contains("9172"));
    assert!(search(STAYS).to_string().contains("Ada keeps quokkas9173 in the barn"));
    assert!(search("barn of first").to_string().contains("Ada's barn of first is red"), "what else was said");
    let context = home.json(&["context", &format!("what about {GOES} and {STAYS}?"), "--agent", "keeper"]);
    let block =
        context["context"]["block"].as_str().or(context["block"].as_str()).unwrap_or_default().to_owned();
    assert!(!block.contains("9172"), "{context}");
}

fn receipt_is_clean(home: &Home, server: &RunningServer, purged: &Value) {
    let receipt = &purged["receipt"];
    assert!(receipt["hash"].as_str().is_some_and(|hash| hash.len() == 64), "{receipt}");
    assert!(receipt["beyond"].to_string().contains("backups"), "{receipt}");
    assert_eq!(receipt["removed"], purged["kinds"]);
    assert!(!receipt.to_string().contains("quokka") && !receipt.to_string().contains("Ada"), "{receipt}");
    assert_eq!(home.json(&["receipts"])["receipts"][0], *receipt);
    let listed = server.http("GET /api/memory/receipts HTTP/1.1");
    let listed: Value = serde_json::from_str(&listed.body).expect("JSON");
    assert_eq!(listed["receipts"][0]["hash"], receipt["hash"]);
    let undo = home.run(["undo", receipt["id"].as_str().expect("a run")]);
    assert_eq!(undo.code, Some(1));
    assert!(undo.stderr.contains("a purge is for good"), "{undo:?}");
}
