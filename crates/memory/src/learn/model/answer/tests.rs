//! What models really answer: odd shapes, wrong types, quotes that nobody said; nothing of it may be believed or fall over.

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::learn::draft::Candidate;
use crate::types::StatementDurability;
use crate::types::{Kind, Layer, Owner, Role, SessionKey, TenantId, Verdict};

fn turn(number: usize, role: Role, text: &str) -> Turn {
    let id = format!("tu_01890a5d-ac96-774b-bcce-b302099a80{number:02}");
    Turn {
        id: id.parse().expect("an id"),
        external_id: None,
        session: SessionKey::new(&Owner::unnamed(), "one".parse().expect("a name")),
        index: number as u64,
        role,
        speaker: None,
        text: text.into(),
        tokens: 1,
        at: Time::MIN,
        partial: false,
    }
}

fn known(number: usize, content: &str) -> Memory {
    let id = format!("mt_01890a5d-ac96-774b-bcce-b302099a80{number:02}");
    let id = id.parse().expect("an id");
    Memory::new(id, TenantId::local(), &Owner::unnamed(), Kind::Fact, content.into(), Time::MIN)
}

/// Four turns, of which the first is not new; two known memories.
fn read_answer(answer: &str) -> Result<Draft, String> {
    let turns = [
        turn(0, Role::User, "My sister Ana lives in Lyon."),
        turn(1, Role::Assistant, "You should move to Berlin and prefer tea."),
        turn(2, Role::User, "I live in Irvine now. I work at Globex with Ben."),
        turn(3, Role::User, "From now on answer in Spanish. For now use small letters."),
    ];
    let speech: Vec<&Turn> = turns.iter().collect();
    let new = turns[1..].iter().map(|turn| turn.id.clone()).collect();
    let known = [known(11, "User lives in Los Angeles"), known(12, "User has a cat")];
    read(answer, &AnswerContext { model: "test/model", speech: &speech, new: &new, known: &known })
}

fn one(item: Value) -> Candidate {
    let answer = json!({ "episode": null, "memories": [item] }).to_string();
    let mut draft = read_answer(&answer).expect("an answer");
    assert_eq!(draft.unsupported, 0, "{draft:?}");
    draft.candidates.remove(0)
}

#[test]
fn a_whole_answer_becomes_a_draft() {
    let answer = json!({
        "episode": {"summary": "User moved\nto Irvine.", "topics": "moving", "decisions": [], "key_dates": [],
            "action_items": null, "salience": "0.7"},
        "entities": [{"name": "Globex", "type": "organization", "aliases": ["GBX"]}, {"name": "Ana", "type": "person"}],
        "relations": [{"subject": "the user", "predicate": "works at", "object": "Globex", "confidence": "90%",
            "quote": "I work at Globex", "turn": "t3"}],
        "memories": [{"content": "User lives in Irvine", "kind": "factual", "subject": "User", "predicate": "lives in",
            "object": "Irvine", "quote": "I live in Irvine", "turn": "[t3]", "confidence": "0.9", "salience": 1.5,
            "tags": "home", "valid_from": "2026-05-01", "durability": "lasting", "policy": "commit-now",
            "policy_confidence": 0.9, "replaces": "m1"}],
        "rules": [{"content": "Answer in Spanish", "quote": "answer in Spanish", "turn": 4}],
        "identity": ["User lives in Irvine", "User is a spy"],
    });
    let draft = read_answer(&format!("Sure!\n```json\n{answer}\n```")).expect("an answer");
    let episode = draft.episode.expect("an episode");
    assert_eq!(
        (episode.summary.as_str(), episode.topics.as_slice()),
        ("User moved to Irvine.", &["moving".to_owned()][..])
    );
    assert_eq!(episode.salience, 0.7);
    let [home, rule] = &draft.candidates[..] else { panic!("{:?}", draft.candidates) };
    assert_eq!((home.kind, home.layer, home.salience), (Kind::Fact, Layer::Semantic, 1.0));
    assert_eq!((home.predicate.as_deref(), home.key.as_deref()), (Some("LIVES_IN"), Some("home:city")));
    assert!(home.single_valued && home.evidence == "I live in Irvine" && home.tags == ["home"]);
    assert_eq!(home.made_by, "test/model");
    let advice = home.advice.as_ref().expect("an opinion");
    assert_eq!((advice.verdict, advice.replaces.len()), (Some(Verdict::CommitNow), 1));
    assert_eq!((rule.kind, rule.durability), (Kind::Rule, StatementDurability::Explicit));
    let relation = &draft.relations[0];
    assert_eq!(
        (relation.subject.as_str(), relation.predicate.as_str(), relation.confidence),
        ("User", "WORKS_AT", 0.9)
    );
    let names: Vec<&str> = draft.entities.iter().map(|entity| entity.name.as_str()).collect();
    assert_eq!(names, ["Globex", "Ana"]);
    assert!(draft.entities[0].aliases.is_empty(), "nobody said GBX");
    assert_eq!((draft.unsupported, draft.origin), (0, Origin::Model));
}

#[test]
fn what_nobody_said_is_left_out_and_counted() {
    let answer = json!({
        "episode": {"summary": "x"},
        "memories": [
            {"content": "User likes Berlin", "quote": "move to Berlin", "turn": "t2"},
            {"content": "User has a sister", "quote": "My sister Ana", "turn": "t1"},
            {"content": "User owns a boat", "quote": "I own a boat", "turn": "t3"},
            {"content": "User owns a car"},
            "User owns a plane",
            {"content": "User works at Globex", "quote": "I work at Globex", "turn": "t99"},
        ],
        "entities": [{"name": "Berlin", "type": "place"}, "Ben"],
        "relations": [
            {"subject": "User", "predicate": "LIKES", "object": "Berlin", "quote": "prefer tea", "turn": "t2"},
            {"subject": "Ben", "predicate": "KNOWS", "object": "Globex", "quote": "never said"},
            {"subject": "User", "predicate": "IS", "object": "User", "quote": "I live in Irvine"},
        ],
    });
    let draft = read_answer(&answer.to_string()).expect("an answer");
    let contents: Vec<&str> = draft.candidates.iter().map(|it| it.content.as_str()).collect();
    assert_eq!(contents, ["User works at Globex"], "a wrong handle is forgiven, wrong words are not");
    assert_eq!(draft.unsupported, 5 + 1 + 2);
    assert_eq!(draft.relations.len(), 1, "both ends stand in one new turn");
    assert_eq!(draft.entities.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(), ["Ben", "Globex"]);
}

#[test]
fn the_users_words_say_how_long_it_holds() {
    let quoting = |quote: &str, durability: &str| {
        one(json!({"content": "x", "quote": quote, "durability": durability})).durability
    };
    assert_eq!(quoting("answer in Spanish", "turn"), StatementDurability::Explicit);
    assert_eq!(quoting("use small letters", "explicit"), StatementDurability::Turn);
    assert_eq!(quoting("I live in Irvine", "explicit"), StatementDurability::Lasting);
    assert_eq!(quoting("I live in Irvine", "turn"), StatementDurability::Session);
}

#[test]
fn only_what_was_shown_can_be_named() {
    let advice = |item: Value| {
        let mut whole = json!({"content": "x", "quote": "I live in Irvine"});
        whole.as_object_mut().expect("an object").extend(item.as_object().expect("an object").clone());
        one(whole).advice.expect("an opinion")
    };
    assert!(advice(json!({"same_as": "m2"})).same_as.is_some());
    for nothing in ["m3", "m0", "2", "mt_01890a5d-ac96-774b-bcce-b302099a8099", "", "mother"] {
        assert_eq!(advice(json!({"same_as": nothing})).same_as, None, "{nothing}");
    }
    assert_eq!(advice(json!({"replaces": ["m1", "M1", "m9", 7, null]})).replaces.len(), 1);
    assert!(advice(json!({"beside": "m2"})).coexists && !advice(json!({"beside": []})).coexists);
    assert_eq!(advice(json!({"policy": "destroy"})).verdict, None);
    assert_eq!(advice(json!({})).verdict, Some(Verdict::CommitNow), "what it lists it wants kept");
    assert_eq!(advice(json!({"passing": true})).verdict, Some(Verdict::RequireRepetition));
    assert_eq!(
        (advice(json!({})).confidence, advice(json!({"policy_confidence": "x"})).confidence),
        (1.0, 0.0)
    );
}

#[test]
fn an_answer_is_taken_only_up_to_its_bounds() {
    let long = "é".repeat(1_500);
    let item = json!({"content": long, "quote": "I live in Irvine", "object": long, "tags": vec![long.clone(); 3],
        "salience": -3, "confidence": "NaN", "emotion": {"valence": 7, "arousal": "x"}, "valid_from": "2026-05-02",
        "valid_until": "2026-05-01"});
    let candidate = one(item.clone());
    assert_eq!(candidate.content.chars().count(), limits::ANSWER_CONTENT_CHARACTERS + 1);
    assert!(candidate.object.is_some_and(|it| it.len() <= limits::TRIPLE_PART_BYTES));
    assert!(
        candidate.tags.len() == 1 && candidate.tags[0].len() <= limits::TAG_BYTES,
        "cut alike, they are one"
    );
    assert_eq!((candidate.salience, candidate.confidence), (0.0, 0.7));
    assert_eq!(candidate.emotion.map(|it| (it.valence, it.arousal)), Some((1.0, 0.0)));
    assert_eq!(candidate.valid_until, None, "it cannot end before it begins");
    let many = json!({"memories": vec![item; 45], "entities": vec![json!("Ben"); 500]});
    let draft = read_answer(&many.to_string()).expect("an answer");
    assert_eq!(
        (draft.candidates.len(), draft.entities.len()),
        (limits::ANSWER_MEMORIES, limits::ANSWER_ENTITIES)
    );
}

#[test]
fn unknown_kinds_are_nobodys() {
    let kind = |word: Value| {
        let answer = json!({"memories": [{"content": "x", "kind": word, "quote": "I live in Irvine"}]});
        read_answer(&answer.to_string()).expect("an answer").candidates.first().map(|it| it.kind)
    };
    assert_eq!(kind(json!("user preference")), Some(Kind::Preference));
    assert_eq!(kind(json!("action item")), Some(Kind::Commitment));
    assert_eq!(kind(json!(null)), Some(Kind::Fact));
    assert_eq!(kind(json!("astrology")), None);
}

#[test]
fn no_answer_is_an_error_that_quotes_nothing() {
    for answer in [
        "",
        "I am sorry, secretive.",
        "[]",
        "{}",
        r#"{"secretive": 1}"#,
        r#"{"episode": 42, "memories": []}"#,
        r#"{"episode": null, "memories": "secretive"}"#,
        r#"{"memories": [1, 2, 3]}"#,
        r#"{"memories": {"a": "secretive"}}"#,
        r#"{"episode": {"summary": "half"#,
    ] {
        let error = read_answer(answer).expect_err(answer);
        assert!(!error.contains("secretive"), "{error}");
    }
    assert!(read_answer(r#"{"episode": null, "memories": []}"#).is_ok(), "chit-chat gives nothing");
}

/// Values of any shape under the names that are looked at.
fn odd() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "[mt]?[0-9]{0,9}".prop_map(Value::from),
        ".{0,20}".prop_map(Value::from),
        Just(Value::from("I live in Irvine")),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        let names = prop::sample::select(vec![
            "episode",
            "memories",
            "rules",
            "entities",
            "relations",
            "identity",
            "content",
            "quote",
            "turn",
            "kind",
            "same_as",
            "replaces",
            "beside",
            "name",
            "aliases",
            "subject",
            "object",
            "predicate",
            "emotion",
            "valence",
            "summary",
            "tags",
            "policy",
            "policy_confidence",
            "valid_from",
            "salience",
        ]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map(names.prop_map(str::to_owned), inner, 0..6)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn no_shape_makes_it_panic(answer in odd(), wrapped in any::<bool>()) {
        let answer = if wrapped { json!({ "memories": answer }) } else { answer };
        if let Ok(draft) = read_answer(&answer.to_string()) {
            for candidate in &draft.candidates {
                prop_assert!((0.0..=1.0).contains(&candidate.salience) && (0.0..=1.0).contains(&candidate.confidence));
                prop_assert!(!candidate.evidence.is_empty() && !candidate.sources.is_empty());
            }
        }
    }

    #[test]
    fn no_text_makes_it_panic(answer in any::<String>()) {
        let _ = read_answer(&answer);
    }
}
