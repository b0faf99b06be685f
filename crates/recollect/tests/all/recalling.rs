//! Search by words and by meaning: which way an answer came, and what its score is made of.

use serde_json::{Value, json};

use super::support::{Home, contents, ran};

/// A command that searches by words alone.
fn by_words(home: &Home, arguments: &[&str]) -> Value {
    let mut command = home.command();
    let ran = ran(command.env("RECOLLECT_EMBEDDING_BACKEND", "none").args(arguments).arg("--json"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    serde_json::from_str(&ran.stdout).expect("JSON")
}

#[test]
fn meaning_finds_what_no_word_does() {
    let home = Home::new();
    home.add("I am allergic to peanuts");
    home.add("My sister flies an airplane for a living");
    let found = home.json(&["search", "which food makes me ill"]);
    assert_eq!(found["path"], "hybrid");
    assert_eq!(contents(&found["results"])[0], "I am allergic to peanuts");
    assert_eq!(
        contents(&home.json(&["search", "pilot"])["results"])[0],
        "My sister flies an airplane for a living"
    );
    let words = by_words(&home, &["search", "pilot"]);
    assert_eq!((&words["path"], &words["results"]), (&json!("keyword"), &json!([])));
    assert_eq!(home.search("quantum chromodynamics"), [] as [&str; 0], "what is not near is not found");
}

#[test]
fn the_path_says_which_way() {
    let home = Home::new();
    assert_eq!(home.json(&["search", "tea"])["path"], "skipped_empty_store");
    home.add("tea in the morning");
    assert_eq!(home.json(&["search", "tea"])["path"], "hybrid");
    assert_eq!(home.json(&["search", "tea", "--strategy", "semantic"])["path"], "semantic");
    home.add("coffee at noon");
    let exact = home.json(&["search", "tea", "--strategy", "exact"]);
    assert_eq!(contents(&exact["results"]), ["tea in the morning"], "{exact}");
    let asked = by_words(&home, &["search", "what was the thing I said about zebras in the attic"]);
    assert_eq!(asked["results"], json!([]), "what has only \"the\" and \"I\" in common is not found");
    assert_eq!(home.json(&["search", "ornin"])["path"], "like", "letters inside a word");
    assert_eq!(home.json(&["search", "tea AND morning"])["path"], "keyword", "operators select by words");
    assert_eq!(by_words(&home, &["search", "tea"])["path"], "keyword");
    assert_eq!(by_words(&home, &["search", "tea", "--strategy", "semantic"])["path"], "keyword");
    let lower = ["search", "ornin", "--scope", "pinned"];
    assert_eq!(contents(&home.json(&lower)["results"]), contents(&by_words(&home, &lower)["results"]));
}

#[test]
fn operators_do_not_fall_back_on_letters() {
    let home = Home::new();
    home.add("tea with sugar");
    for query in ["tea NOT sugar", "\"sugar with\"", "suga AND te"] {
        assert_eq!(home.search(query), [] as [&str; 0], "{query}");
    }
    let found = home.json(&["search", "sug*"]);
    assert!(found["results"][0]["score"].as_f64().expect("a number") > 0.3, "{found}");
    let ranked = home.json(&["search", "sug*", "--fusion", "rrf"]);
    assert_eq!(contents(&ranked["results"]), ["tea with sugar"]);
}

#[test]
fn the_parts_add_up_to_the_score() {
    let home = Home::new();
    home.add("I moved to Irvine in May");
    home.add("Tea in May, please");
    let server = home.serve();
    let said = json!({ "conversation_id": "c", "skip_extraction": true, "messages": [
        { "role": "user", "content": "We moved house last May" },
        { "role": "assistant", "content": "To Irvine, in May, you said" }
    ]});
    assert_eq!(server.post("/memory/ingest", &said).0, 200);
    let ways: [&[&str]; 7] = [
        &[],
        &["--fusion", "rrf"],
        &["--strategy", "semantic"],
        &["--strategy", "recent"],
        &["--known-at", "2100-01-01"],
        &["--as-of", "2100-01-01"],
        &["--scope", "transcript"],
    ];
    for query in ["moved to Irvine in May 2026", "irv*"] {
        for way in ways {
            let found = home.json(&[&["search", query, "--explain"], way].concat());
            let results = found["results"].as_array().expect("a list");
            assert!(!results.is_empty(), "{query} {way:?}: {found}");
            for hit in results {
                let parts = hit["scores"].as_object().expect("parts").values();
                let sum: f64 = parts.map(|part| part["contribution"].as_f64().expect("a number")).sum();
                let score = hit["score"].as_f64().expect("a number");
                assert!((sum - score).abs() < 1e-9, "{query} {way:?}: {sum} is not {score} of {hit}");
            }
        }
    }
}

#[test]
fn people_can_read_what_a_score_is_made_of() {
    let home = Home::new();
    let server = home.serve();
    let said = json!({ "conversation_id": "trip", "skip_extraction": true, "session_date": "2026-03-01", "messages": [
        { "role": "user", "name": "Ada", "content": "The ferry leaves from Mallaig" }
    ]});
    assert_eq!(server.post("/memory/ingest", &said).0, 200);
    let ran = home.run(["search", "mallaig", "--explain", "--set-nothing"]);
    assert_eq!(ran.code, Some(2), "an unknown flag is refused");
    let ran = home.run(["search", "mallaig", "--explain"]);
    let transcript = ran.transcript(&home);
    let lines: Vec<&str> = transcript.lines().collect();
    assert_eq!(lines[2], "[score]  The ferry leaves from Mallaig");
    assert_eq!(lines[3], "      [turn]  transcript  [minute]  Ada  trip");
    let text = lines[4..].iter().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let text = text.into_iter().find(|words| words.first() == Some(&"text")).expect("words count");
    assert_eq!((text[2], text[4]), ("×", "="), "{transcript}");
    assert!(!home.run(["search", "mallaig"]).stdout.contains('×'));
}

#[test]
fn scopes_say_where_to_look_or_whose_it_is() {
    let home = Home::new();
    home.run(["add", "tea for everyone", "--scope", "organization"]);
    home.add("tea for me");
    assert_eq!(
        home.json(&["search", "tea", "--scope", "pinned"])["results"].as_array().map(Vec::len),
        Some(2)
    );
    let both = home.json(&["search", "tea", "--scope", "pinned", "--scope", "organization"]);
    assert_eq!(contents(&both["results"]), ["tea for everyone"]);
    assert_eq!(home.json(&["search", "tea", "--scope", "episodes"])["path"], "skipped_empty_store");
    let refused = home.run(["search", "tea", "--scope", "attic"]);
    assert_eq!(refused.code, Some(2));
    assert!(
        refused.stderr.contains("pinned, episodes, transcript, graph, all, or thread, project, agent, user"),
        "{refused:?}"
    );
    assert_eq!(home.run(["search", "tea", "--scope", "pinned", "--scope", "episodes"]).code, Some(2));
}

#[test]
fn the_graph_is_searched_by_the_names_in_a_question() {
    let home = Home::new();
    let said = r#"{"conversation_id": "one", "turns": [{"user": "My sister Ana lives in Porto.", "assistant": "Nice."}]}"#;
    home.add("The data folder is there now");
    let file = home.data().join("said.jsonl");
    std::fs::write(&file, said).expect("a scratch file");
    home.run(["ingest", file.to_str().expect("a plain path")]);
    let found = home.json(&["search", "how is Ana related to me?", "--scope", "graph"]);
    let first = &found["results"][0];
    assert_eq!(first["scope"], "graph");
    assert!(first["content"].as_str().is_some_and(|content| content.contains("Ana")), "{found}");
    let nobody = home.json(&["search", "who is Bartholomew?", "--scope", "graph"]);
    assert_eq!(nobody["results"].as_array().map(Vec::len), Some(0));
}

#[test]
fn names_and_feelings_join_the_score() {
    let home = Home::new();
    home.add("The data folder is there now");
    let said = r#"{"conversation_id": "one", "turns": [
        {"user": "My sister Ana lives in Porto. I hate my loud neighbours.", "assistant": "Oh."}]}"#;
    let file = home.data().join("said.jsonl");
    std::fs::write(&file, said.replace('\n', " ")).expect("a scratch file");
    home.run(["ingest", file.to_str().expect("a plain path")]);
    let of = |question: &str, part: &str, about: &str| {
        let found = home.json(&["search", question, "--scope", "pinned", "--explain"]);
        let results = found["results"].as_array().expect("results").clone();
        let hit = results.iter().find(|hit| hit["content"].as_str().is_some_and(|text| text.contains(about)));
        hit.unwrap_or_else(|| panic!("nothing about {about}: {found}"))["scores"][part]["value"].as_f64()
    };
    assert_eq!(of("how is Ana doing?", "graph", "Ana"), Some(1.0));
    assert_eq!(of("my loud neighbours", "graph", "neighbours"), Some(0.0));
    assert!(of("I am so angry about the neighbours!", "emotion", "neighbours") > Some(0.8));
    assert_eq!(
        of("the neighbours", "emotion", "neighbours"),
        Some(0.0),
        "a plain question feels like nothing"
    );
}

#[test]
fn the_past_is_searched_as_it_stood() {
    let home = Home::new();
    let id = home.add("The code word is heron");
    let then = home.json(&["show", &id])["created_at"].as_str().expect("a time").to_owned();
    std::thread::sleep(std::time::Duration::from_millis(5));
    home.json(&["update", &id, "--content", "The code word is osprey"]);
    let known = |query: &str, more: &[&str]| {
        contents(&home.json(&[&["search", query, "--known-at", &then], more].concat())["results"])
    };
    assert_eq!(known("word", &[]), ["The code word is heron"]);
    assert_eq!(known("anything", &["--strategy", "recent"]), ["The code word is heron"]);
    assert_eq!(known("hero*", &[]), ["The code word is heron"]);
    assert_eq!(known("spre", &[]), [] as [&str; 0], "letters of today are not found in the past");
    home.run(["forget", &id, "--yes"]);
    assert_eq!(known("word", &[]), ["The code word is heron"], "even if there is nothing today");
}

#[test]
fn eight_at_once_make_one_memory() {
    let home = Home::new();
    let server = home.serve();
    std::thread::scope(|scope| {
        for number in 0..8 {
            let home = &home;
            scope.spawn(move || home.json(&["add", "I like tea", "--tag", &format!("t{number}")]));
        }
    });
    let listed = home.json(&["list"]);
    assert_eq!(listed["total"], 1, "{listed}");
    assert_eq!(listed["memories"][0]["tags"].as_array().map(Vec::len), Some(8));
    drop(server);
}

/// What somebody asked is nearest to what they ask again, and answers nothing.
#[test]
fn a_fact_stands_above_the_question_that_was_asked_for_it() {
    let home = Home::new();
    let server = home.serve();
    let said = json!({ "conversation_id": "keys", "skip_extraction": true, "messages": [
        { "role": "user", "content": "Where did I leave the spare key of the boat?" },
        { "role": "assistant", "content": "I do not know." },
        { "role": "user", "content": "Found it: the boat's spare key is in the blue tin." }
    ]});
    assert_eq!(server.post("/memory/ingest", &said).0, 200);
    let found = home.json(&["search", "Where did I leave the spare key of the boat?"]);
    let found = contents(&found["results"]);
    let place = |part: &str| found.iter().position(|text| text.contains(part)).expect("it is found");
    assert!(place("blue tin") < place("Where did I leave"), "{found:?}");
}
