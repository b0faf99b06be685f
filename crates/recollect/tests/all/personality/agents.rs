//! `recollect agents`: told by people, read from files, known by use.

use serde_json::{Value, json};

use crate::support::Home;

fn ids(home: &Home) -> Vec<String> {
    let listed = home.json(&["agents", "list"]);
    let agents = listed["agents"].as_array().expect("a list");
    agents.iter().map(|agent| agent["id"].as_str().expect("an id").to_owned()).collect()
}

fn file(home: &Home, config: &Value) -> String {
    let path = home.path().join("agent.config.json");
    std::fs::write(&path, config.to_string()).expect("written");
    path.display().to_string()
}

#[test]
fn an_agents_own_file_is_read_in() {
    let home = Home::new();
    let config = json!({
        "id": "coach",
        "name": "Coach",
        "description": "Helps to run further",
        "model": "something",
        "personality": { "hexaco": { "openness": 0.9, "honestyHumility": "0.2" }, "tone": "dry" },
        "storage": { "autoIngest": { "enabled": true, "importanceThreshold": 0.3, "maxPerTurn": 4 } },
    });
    let path = file(&home, &config);
    let ran = home.run(["agents", "import", &path]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("Helps to run further"), "{ran:?}");
    assert!(ran.stderr.contains("model, personality.tone"), "what means nothing is said: {ran:?}");
    let shown = home.json(&["agents", "show", "coach"]);
    assert_eq!((&shown["name"], &shown["memory_entry_count"]), (&json!("Coach"), &json!(0)));
    assert_eq!(shown["personality"]["openness"], json!(0.9));
    assert_eq!(shown["tuning"]["facts_per_turn"], json!(5));
    assert_eq!(shown["tuning"]["importance_threshold"], json!(0.2));
    assert_eq!(shown["tuning"]["traits"]["honesty"], json!(0.2));

    let path = file(&home, &json!({ "id": "coach", "personality": { "emotionality": 1 } }));
    let again = home.json(&["agents", "import", &path]);
    assert_eq!(again["created"], json!(false));
    assert_eq!(again["name"], json!("Coach"), "what a file does not say of the name stays");
    assert_eq!(again["personality"], json!({ "emotionality": 1.0 }), "the character is the file's");
}

#[test]
fn a_file_that_cannot_be_meant_says_where() {
    let home = Home::new();
    let check = |config: Value, expected: &str| {
        let ran = home.run(["agents", "import", &file(&home, &config)]);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.stderr.contains(expected), "{ran:?}");
    };
    check(
        json!({ "id": "a", "personality": { "openness": "very" } }),
        "personality.openness: \"very\" is not a number from 0 to 1",
    );
    check(
        json!({ "id": "a", "storage": { "autoIngest": { "maxPerTurn": -1 } } }),
        "storage.autoIngest.maxPerTurn: -1 is not a whole number from 0 to 100",
    );
    check(json!({ "personality": {} }), "--id NAME");
    check(json!([1]), "the file: expected a JSON object");
    let broken = home.path().join("broken.json");
    std::fs::write(&broken, "{").expect("written");
    let ran = home.run(["agents", "import", &broken.display().to_string()]);
    assert!(ran.code == Some(2) && ran.stderr.contains("is not JSON"), "{ran:?}");
    let ran = home.run(["agents", "import", "nowhere.json"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("cannot be read"), "{ran:?}");
    assert_eq!(ids(&home), Vec::<String>::new());
}

#[test]
fn agents_are_made_changed_and_taken_away() {
    let home = Home::new();
    let made = home.json(&[
        "agents",
        "create",
        "tutor",
        "--name",
        "Tutor",
        "--description",
        "Teaches Greek",
        "--trait",
        "honesty=.9",
    ]);
    assert_eq!((&made["id"], &made["description"]), (&json!("tutor"), &json!("Teaches Greek")));
    assert_eq!(made["tuning"]["dedup_threshold"].as_f64().map(|n| (n * 100.0).round()), Some(75.0));
    let twice = home.run(["agents", "create", "tutor"]);
    assert_eq!(twice.code, Some(1));
    assert!(twice.stderr.contains("already") && twice.stderr.contains("edit"), "{twice:?}");
    let edited = home.json(&["agents", "edit", "tutor", "--trait", "openness=1", "--facts-per-turn", "2"]);
    assert_eq!(edited["personality"]["honesty"], json!(0.9), "what is not said stays");
    assert_eq!(edited["personality"]["autoIngest"], json!({ "maxPerTurn": 2 }));
    let off = home.json(&["agents", "edit", "tutor", "--auto-ingest", "false"]);
    assert_eq!(off["personality"]["autoIngest"], json!({ "enabled": false, "maxPerTurn": 2 }));
    let unknown = home.run(["agents", "edit", "nobody", "--name", "x"]);
    assert!(unknown.code == Some(1) && unknown.stderr.contains("agents create"), "{unknown:?}");
    let slip = home.run(["agents", "edit", "tutor", "--trait", "opennes=.5"]);
    assert!(slip.code == Some(2) && slip.stderr.contains("known are openness"), "{slip:?}");
    let slip = home.run(["agents", "edit", "tutor", "--trait", "openness=2"]);
    assert!(slip.code == Some(2) && slip.stderr.contains("from 0 to 1"), "{slip:?}");

    home.json(&["add", "User likes Homer", "--agent", "tutor"]);
    let deleted = home.run(["agents", "delete", "tutor"]);
    assert_eq!(deleted.code, Some(0), "{deleted:?}");
    assert!(deleted.stderr.contains("1 memory and 0 sessions"), "it says what stays: {deleted:?}");
    assert_eq!(home.search("Homer"), ["User likes Homer"]);
    assert_eq!(home.run(["agents", "delete", "tutor"]).code, Some(1));
    assert_eq!(ids(&home), ["tutor"], "known by use");
}

#[test]
fn agents_that_are_only_used_are_listed_with_what_they_have() {
    let home = Home::new();
    home.json(&["agents", "create", "quiet"]);
    home.json(&["add", "User likes tea", "--agent", "busy"]);
    home.json(&["add", "User likes rye", "--agent", "busy", "--user", "ada"]);
    home.json(&["add", "User likes figs"]);
    let listed = home.json(&["agents", "list"]);
    let agents = listed["agents"].as_array().expect("a list");
    let told: Vec<(&str, u64, bool)> = agents
        .iter()
        .map(|agent| {
            let count = agent["memory_entry_count"].as_u64().expect("a count");
            (agent["id"].as_str().expect("an id"), count, agent["recorded"].as_bool().expect("a flag"))
        })
        .collect();
    assert_eq!(told, [("busy", 2, false), ("default", 1, false), ("quiet", 0, true)]);
    for agent in agents {
        for field in ["name", "description", "created_at", "updated_at"] {
            assert!(agent[field].is_string(), "{field} of {agent}");
        }
    }
    let text = home.run(["agents", "list"]);
    assert!(text.stdout.contains("known by use only"), "{text:?}");
    let shown = home.json(&["agents", "show", "busy"]);
    assert_eq!(shown["tuning"]["traits"]["openness"], json!(0.5));
    assert_eq!(home.run(["agents", "show", "nobody"]).code, Some(1));
}
