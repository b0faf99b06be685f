//! What was known only through what is forgotten goes with it: people and things in the graph, what holds between them, topics of
//! digests; and no export tells any of it.

use serde_json::{Value, json};

use crate::support::{Home, RunningServer};

const OF: [&str; 4] = ["--agent", "keeper", "--user", "ada"];

fn says(server: &RunningServer, session: &str, texts: &[&str]) {
    let said = texts.iter().map(|text| json!({ "role": "user", "content": text })).collect::<Vec<_>>();
    let body =
        json!({ "agent_id": "keeper", "user_id": "ada", "conversation_id": session, "messages": said });
    let (status, answer) = server.post("/memory/ingest", &body);
    assert_eq!(status, 200, "{answer}");
}

type Told = (Home, RunningServer);

fn told() -> Told {
    let home = Home::new();
    let server = home.serve();
    says(
        &server,
        "work",
        &["I work at Bosch in Stuttgart as an engineer.", "My cat is called Miso and she likes the garden."],
    );
    says(&server, "family", &["My brother Tom lives in Hull. We decided to paint the kitchen green."]);
    (home, server)
}

fn ask(home: &Home, arguments: &[&str]) -> Value {
    home.json(&[arguments, &OF[..]].concat())
}

/// Everything that lists and exports tell without being asked for what is deleted.
fn places((home, server): &Told) -> Vec<(&'static str, String)> {
    let export = |format: &str| {
        let path = home.path().join(format!("export.{format}"));
        let _ = std::fs::remove_dir_all(&path).or_else(|_| std::fs::remove_file(&path));
        let to = path.display().to_string();
        let ran = home.run(["export", "--format", format, &to]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        std::fs::read_to_string(&path).expect("an export").to_lowercase()
    };
    let low = |value: Value| value.to_string().to_lowercase();
    vec![
        ("the graph", low(ask(home, &["graph", "show"]))),
        ("sessions", low(ask(home, &["sessions", "list"]))),
        (
            "digests",
            server.http("GET /api/memory/episodes?agentId=keeper&userId=ada HTTP/1.1").body.to_lowercase(),
        ),
        ("memories", low(ask(home, &["list"]))),
        ("pending", low(home.json(&["pending"]))),
        ("export json", export("json")),
        ("export jsonl", export("jsonl")),
    ]
}

fn telling(told: &Told, words: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for (place, text) in places(told) {
        for word in words.iter().filter(|word| text.contains(**word)) {
            let at = text.find(word).unwrap_or_default();
            let from = text.floor_char_boundary(at.saturating_sub(120));
            found.push(format!("{place} tells {word}: …{}…", &text[from..text.floor_char_boundary(at + 40)]));
        }
    }
    found
}

fn id_of(home: &Home, word: &str) -> Vec<String> {
    let listed = ask(home, &["list"]);
    let memories = listed["memories"].as_array().expect("a list").clone();
    let says = |memory: &&Value| memory["content"].as_str().is_some_and(|text| text.contains(word));
    memories.iter().filter(says).map(|memory| memory["id"].as_str().expect("an id").to_owned()).collect()
}

#[test]
fn by_id_softly() {
    let told = told();
    let home = &told.0;
    assert!(telling(&told, &["bosch", "stuttgart"]).len() > 3, "{:?}", telling(&told, &["bosch"]));
    let ids = id_of(home, "Bosch");
    let arguments: Vec<&str> =
        ["forget"].into_iter().chain(ids.iter().map(String::as_str)).chain(["--yes"]).collect();
    let done = home.json(&arguments);
    assert_eq!(telling(&told, &["bosch", "stuttgart"]), Vec::<String>::new(), "{done}");
    for word in ["miso", "hull", "tom"] {
        assert!(!telling(&told, &[word]).is_empty(), "{word} stays");
    }
    home.json(&["undo", done["run"].as_str().expect("a run")]);
    let graph = ask(home, &["graph", "show"]).to_string();
    assert!(graph.contains("Bosch") && graph.contains("Stuttgart"), "brought back: {graph}");
}

#[test]
fn by_id_for_good() {
    let told = told();
    let home = &told.0;
    let ids = id_of(home, "Bosch");
    let arguments: Vec<&str> =
        ["forget"].into_iter().chain(ids.iter().map(String::as_str)).chain(["--purge", "--yes"]).collect();
    let done = home.json(&arguments);
    assert_eq!(telling(&told, &["bosch", "stuttgart"]), Vec::<String>::new(), "{done}");
    for word in ["miso", "hull", "tom"] {
        assert!(!telling(&told, &[word]).is_empty(), "{word} stays");
    }
}

#[test]
fn by_words() {
    for more in [&["--yes"][..], &["--purge", "--yes"]] {
        let told = told();
        let home = &told.0;
        let done = ask(home, &[&["forget", "--match", "Bosch"], more].concat());
        assert_eq!(telling(&told, &["bosch", "stuttgart"]), Vec::<String>::new(), "{more:?}: {done}");
        assert!(!telling(&told, &["hull"]).is_empty());
    }
}

#[test]
fn by_session() {
    for more in [&["--yes"][..], &["--purge", "--yes"]] {
        let told = told();
        let home = &told.0;
        let done = ask(home, &[&["forget", "--session", "work"], more].concat());
        assert_eq!(telling(&told, &["bosch", "stuttgart", "miso"]), Vec::<String>::new(), "{more:?}: {done}");
        assert!(!telling(&told, &["hull"]).is_empty());
    }
}

#[test]
fn what_others_still_tell_stays() {
    let told = told();
    let home = &told.0;
    says(&told.1, "again", &["Bosch has a new canteen in Stuttgart, my colleagues love it."]);
    let ids: Vec<String> = id_of(home, "Bosch");
    let done = home.json(&["forget", &ids[0], "--yes"]);
    let graph = ask(home, &["graph", "show"]).to_string();
    assert!(graph.contains("Stuttgart"), "{done}: {graph}");
}
