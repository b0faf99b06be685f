//! `recollect eval`: tables for people, JSON for programs, and nothing of what is remembered.

use serde_json::json;

use super::support::Home;

fn conversations(home: &Home) -> String {
    let turn = |id: &str, role: &str, text: &str| json!({ "id": id, "role": role, "text": text });
    let conversation = json!({
        "id": "c1",
        "sessions": [{ "id": "s1", "date": "2026-03-01", "turns": [
            turn("t1", "user", "We booked the lighthouse on Skye"),
            turn("t2", "assistant", "Lovely"),
            turn("t3", "user", "My sister is a pilot")
        ]}],
        "questions": [
            { "id": "q1", "question": "Which lighthouse did we book?", "category": "one", "evidence": ["t1"] },
            { "id": "q2", "question": "Who flies planes?", "category": "two", "evidence": ["t3"] },
            { "id": "q3", "question": "What never happened?", "category": "adversarial", "evidence": ["t2"] }
        ]
    });
    let path = home.path().join("talk.jsonl");
    std::fs::write(&path, format!("{conversation}\n")).expect("written");
    path.display().to_string()
}

#[test]
fn retrieval_reports_every_figure_beside_the_baselines() {
    let home = Home::new();
    let file = conversations(&home);
    let report = home.json(&["eval", "retrieval", &file]);
    let set = &report["sets"][0];
    assert_eq!(
        (&set["name"], &set["questions"]),
        (&json!("talk"), &json!(2)),
        "adversarial ones are left out"
    );
    for rank in ["1", "5", "10", "20"] {
        assert!(set["r_at"][rank].is_number(), "{set}");
    }
    for tokens in ["400", "800", "2000"] {
        assert_eq!(set["block"][tokens], 100.0, "{set}");
    }
    assert_eq!(set["all_at_10"], 100.0);
    assert!(set["ms_per_query"].as_f64().expect("a number") > 0.0);
    assert_eq!(set["by_category"]["two"]["r_at"]["5"], 100.0);
    for baseline in ["keyword", "dense", "rrf"] {
        assert!(set["baselines"][baseline]["r_at"]["10"].is_number(), "{baseline}: {set}");
    }
    let table = home.run(["eval", "retrieval", &file]);
    assert_eq!((table.code, table.stderr.as_str()), (Some(0), ""), "no bar where nobody looks");
    for word in ["R@10", "block 800", "recollect", "keyword", "dense", "rrf", "ms a question"] {
        assert!(table.stdout.contains(word), "{word:?} is not in {}", table.stdout);
    }
    assert!(!home.data().exists(), "what is remembered is not touched");
}

#[test]
fn categories_and_settings_can_be_chosen() {
    let home = Home::new();
    let file = conversations(&home);
    let one = home.json(&["eval", "retrieval", &file, "--categories", "one,adversarial"]);
    assert_eq!(one["sets"][0]["questions"], 2);
    let other = home.json(&["eval", "retrieval", &file, "--set", "weightText=0", "--set", "fusion=rrf"]);
    assert_eq!(other["sets"][0]["r_at"], other["sets"][0]["baselines"]["rrf"]["r_at"]);
    let check = |arguments: &[&str], part: &str| {
        let ran = home.run([&["eval", "retrieval"], arguments].concat());
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.stderr.contains(part), "{ran:?} lacks {part:?}");
    };
    check(&[&file, "--categories", "three"], "it has adversarial, one, two");
    check(&[&file, "--set", "weightTxt=1"], "did you mean `weightText`?");
    check(&[&file, "--set", "weightText=99"], "a number from 0 to 10");
    check(&["nowhere.jsonl"], "cannot read nowhere.jsonl");
    let broken = home.path().join("broken.jsonl");
    std::fs::write(&broken, "{}\n").expect("written");
    check(&[&broken.display().to_string()], "line 1 is not a conversation");
}

#[test]
fn the_gate_is_measured_by_source() {
    let home = Home::new();
    let message = |text: &str, needs: bool, source: &str| {
        json!({ "text": text, "needs_memory": needs, "source": source }).to_string()
    };
    let lines = [
        message("What did I tell you about my sister yesterday?", true, "mine"),
        message("Do you remember what's my name?", true, "mine"),
        message("Write a haiku about the sea.", false, "others"),
        message("What is the capital of France?", false, "others"),
    ];
    let path = home.path().join("messages.jsonl");
    std::fs::write(&path, lines.join("\n")).expect("written");
    let file = path.display().to_string();
    let report = home.json(&["eval", "gate", &file]);
    assert_eq!((&report["recall"], &report["false_fire"]), (&json!(1.0), &json!(0.0)), "{report}");
    assert_eq!(report["by_source"]["mine"], json!({ "messages": 2, "recall": 1.0, "false_fire": null }));
    let off = home.json(&["eval", "gate", &file, "--set", "relevanceGateMode=off"]);
    assert_eq!(off["false_fire"], 1.0);
    let table = home.run(["eval", "gate", &file]);
    assert!(table.stdout.contains("others") && table.stdout.contains("false fires"), "{table:?}");
}

#[test]
fn dates_are_measured_by_language_and_kind() {
    let home = Home::new();
    let case = |language: &str, input: &str, words: &str, kind: &str, value: serde_json::Value| {
        json!({ "lang": language, "file": "own", "input": input,
            "ctx": { "ReferenceDateTime": "2026-11-15T00:00:00" },
            "spans": [{ "Text": words, "TypeName": format!("datetimeV2.{kind}") }],
            "resolution": [{ "values": [value] }] })
        .to_string()
    };
    let lines = [
        case("en", "we leave tomorrow", "tomorrow", "date", json!({ "value": "2026-11-16" })),
        case("en", "we leave tomorrow", "tomorrow", "date", json!({ "value": "2026-11-16" })),
        case("en", "we leave tomorrow evening", "tomorrow", "date", json!({ "value": "2026-11-17" })),
        case(
            "de",
            "wir fahren nächste Woche",
            "nächste Woche",
            "daterange",
            json!({ "start": "2026-11-16", "end": "2026-11-23" }),
        ),
        case("de", "um fünf", "um fünf", "time", json!({ "value": "17:00:00" })),
    ];
    let path = home.path().join("dates.jsonl");
    std::fs::write(&path, lines.join("\n")).expect("written");
    let file = path.display().to_string();
    let report = home.json(&["eval", "time", &file, "--misses", "5"]);
    assert_eq!(report["by_language"]["en"], json!({ "phrases": 3, "right": 2 }), "{report}");
    assert_eq!(report["by_kind"]["daterange"], json!({ "phrases": 1, "right": 1 }), "{report}");
    assert_eq!(report["misses"][0]["expected"], "2026-11-17", "{report}");
    assert_eq!(report["left_out"]["no day in it, or no value"], 1, "{report}");
    let phrases = home.path().join("duckling.tsv");
    std::fs::write(&phrases, "ru\tзавтра\tdatetime (2013, 2, 13, 0, 0, 0) Day\n").expect("written");
    let table = home.run(["eval", "time", &phrases.display().to_string()]);
    assert!(table.stdout.contains("ru") && table.stdout.contains("100.0"), "{table:?}");
    std::fs::write(&phrases, [0x1f, 0x8b, 8]).expect("written");
    let packed = home.run(["eval", "time", &phrases.display().to_string()]);
    assert_eq!(packed.code, Some(2), "{packed:?}");
    assert!(packed.stderr.contains("unpack it first"), "{packed:?}");
}

#[test]
fn a_life_is_played_and_its_prompts_are_measured() {
    let home = Home::new();
    let said = |day: &str, text: &str| json!({ "id": day, "date": format!("{day}T10:00:00Z"), "turns": [{ "user": text, "assistant": "Noted." }] });
    let life = json!({
        "id": "rower", "language": "en",
        "conversations": [
            said("2026-09-01", "My name is Ebba and I live in Porto."),
            said("2026-09-20", "I'm allergic to walnuts."),
            said("2026-10-01", "My neighbour Tilda keeps a parrot."),
            { "forget": { "match": "Tilda" }, "date": "2026-10-02T08:00:00Z" },
            said("2026-11-01", "I moved to Lisbon last week."),
        ],
        "facts": [
            { "id": "nuts", "match": [["walnut"]], "core": true },
            { "id": "home", "match": [["lisbon"]], "core": true },
            { "id": "old", "match": [["porto"]], "status": "past", "unless": ["moved"] },
            { "id": "gone", "match": [["tilda"], ["parrot"]], "status": "forgotten" },
        ],
        "questions": [
            { "ask": "What should I avoid eating at the restaurant tonight?", "needs": ["nuts"], "never": ["gone"] },
            { "ask": "Which city do I put on the parcel form?", "needs": ["home"], "never": ["old"] },
        ],
        "small": ["What's the capital of France?"],
    });
    let path = home.path().join("life.json");
    std::fs::write(&path, life.to_string()).expect("written");
    let path = path.display().to_string();
    let report = home.json(&["eval", "everyday", &path]);
    let all = &report["all"];
    assert_eq!((&all["questions"], &all["risk"], &all["clean"]), (&json!(2), &json!(100.0), &json!(100.0)));
    assert_eq!((&all["answered"], &all["stale"]), (&json!(100.0), &json!(0.0)), "{report}");
    assert_eq!(report["en"], *all, "one language is all of them");
    let mute = home.json(&["eval", "everyday", &path, "--set", "recallEnabled=false"]);
    assert_eq!((&mute["all"]["answered"], &mute["all"]["tokens"]), (&json!(0.0), &json!(0.0)), "{mute}");
    assert_eq!(home.json(&["list"])["total"], 0, "nothing of it is remembered");
}
