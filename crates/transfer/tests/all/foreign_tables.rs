//! Memories in tables and lists: CSV and mem0's export.

use memory::types::{Kind, Layer, Scope};
use serde_json::{Value, json};
use transfer::import_model::{FilePiece, ImportedRecord};
use transfer::{csv, json_stream, mem0};

use super::foreign::{errors, left_out, notes, of, of_json};

#[test]
fn a_table_comes_in_with_its_fields_and_keeps_the_rest() {
    let table = "\u{feff}Tags,CONTENT,Type,scope,key,created_at,Source URL,userId,confidence\r\n\
        \"ui; dark mode\",\"Ada likes \"\"dark\"\" mode,\r\nalways\",semantic,user,theme,2026-01-02,http://x,ada,1.7\r\n\
        \"[\"\"a,b\"\"]\",Deploy with Compose,procedural,org,,1700000000,,,\r\n\
        ,Buy milk,user_preference,somewhere,,whenever,,,\r\n";
    assert!(csv::recognise(table.as_bytes()));
    let read = notes(of(csv::read, table).expect("a whole table"));
    assert_eq!(read.len(), 3);
    assert_eq!(read[0].content, "Ada likes \"dark\" mode,\r\nalways");
    assert_eq!(read[0].tags, ["ui", "dark mode"]);
    assert_eq!(
        (read[0].layer, read[0].scope, read[0].key.as_deref()),
        (Some(Layer::Semantic), Some(Scope::User), Some("theme"))
    );
    assert_eq!(read[0].created_at.map(|at| at.to_string()).as_deref(), Some("2026-01-02T00:00:00.000000Z"));
    assert_eq!(
        (read[0].user.as_ref().map(|user| user.as_str()), read[0].confidence),
        (Some("ada"), Some(1.0))
    );
    assert_eq!(Value::Object(read[0].metadata.clone()), json!({"Source URL": "http://x"}));
    assert_eq!(
        (&read[1].tags[..], read[1].layer, read[1].scope),
        (&["a,b".to_owned()][..], Some(Layer::Procedural), Some(Scope::Organization))
    );
    assert_eq!(read[1].created_at.map(|at| at.date().to_string()).as_deref(), Some("2023-11-14"));
    // What is not understood is kept and not lost.
    assert_eq!((read[2].kind, read[2].scope), (Some(Kind::Preference), None));
    assert_eq!(
        Value::Object(read[2].metadata.clone()),
        json!({"scope": "somewhere", "created_at": "whenever"})
    );
}

#[test]
fn rows_that_do_not_fit_are_told_with_their_lines() {
    let table = "content,type\n\"two\nlines\",semantic\nonly one field\na,b,c\n,semantic\n\nlast,episodic\n";
    let pieces = of(csv::read, table).expect("a whole table");
    assert_eq!(
        errors(&pieces),
        [
            "line 4: the row has 1 fields; expected 2, as many as the first line",
            "line 5: the row has 3 fields; expected 2, as many as the first line",
            "line 6: the row's content is empty; expected text",
        ]
    );
    let read: Vec<String> = notes(pieces).into_iter().map(|note| note.content).collect();
    assert_eq!(read, ["two\nlines", "last"]);
    let pieces = of(csv::read, "content,type\ngood,semantic\n\"never closed,semantic\nmore,semantic\n")
        .expect("a table");
    assert_eq!(errors(&pieces), ["line 3: a quote is opened in it and never closed"]);
    let pieces = of(csv::read, "content,type\r\na,semantic\r\nbad\r\n\r\nworse\r\n").expect("a table");
    let places: Vec<&str> = pieces.iter().map(|piece| piece.place.as_str()).collect();
    assert_eq!(places, ["line 2", "line 3", "line 5"]);
    let pieces = of(csv::read, "content\ngood\n\"never closed\nmore\n").expect("a table");
    assert_eq!(errors(&pieces), ["line 3: a quote is opened in it and never closed"]);
}

#[test]
fn other_separators_and_names_are_understood() {
    for table in [
        "id;Text;importance\n1;tea, green;5\n",
        "id\ttext\timportance\n1\ttea, green\t5\n",
        "sep=;\r\nid;memory;importance\r\n1;tea, green;5\r\n",
        "\n\nid,fact,importance\n1,\"tea, green\",5",
    ] {
        assert!(csv::recognise(table.as_bytes()), "{table:?}");
        let read = notes(of(csv::read, table).expect("a whole table"));
        assert_eq!(
            (read.len(), read[0].content.as_str(), &read[0].metadata["importance"]),
            (1, "tea, green", &json!("5")),
            "{table:?}"
        );
    }
    let read = notes(of(csv::read, "content,text,content\nmain,other,again\n").expect("a table"));
    assert_eq!(read[0].content, "main");
    assert_eq!(Value::Object(read[0].metadata.clone()), json!({"text": "other", "content_3": "again"}));
}

#[test]
fn what_is_no_table_is_broken_and_says_why() {
    for (bytes, why) in [
        (&b""[..], "empty"),
        (b"\n\n", "empty"),
        (b"name,age\nAda,36\n", "no column is named `content`"),
        (b"content\ncaf\xe9\n", "not UTF-8"),
        (b"cont\xe9nt\nx\n", "not UTF-8"),
        (b"\xff\xfec\0o\0", "UTF-16"),
    ] {
        let broken = of(csv::read, bytes).expect_err("no table").to_string();
        assert!(broken.contains(why), "{bytes:?}: {broken}");
    }
    let endless = format!("content\n\"{}", "x".repeat(9 * 1024 * 1024));
    let broken = of(csv::read, endless).expect_err("a row without an end").to_string();
    assert!(broken.contains("line 2") && broken.contains("never closed"), "{broken}");
}

fn memory() -> Value {
    json!({
        "id": "m1", "memory": "Ada drinks tea", "hash": "h", "metadata": {"source": "chat", "mood": "calm"}, "categories": ["food", "habits"],
        "created_at": "2026-01-02T03:04:05-08:00", "updated_at": null, "user_id": "ada", "agent_id": "guide", "run_id": "r1", "score": 0.3,
    })
}

#[test]
fn mem0_exports_of_every_shape_give_the_same_memory() {
    let relations = json!([{"source": "ada", "relationship": "drinks", "target": "tea"}, {"source": "ada"}]);
    for (document, places) in [
        (json!([memory()]), 1),
        (json!({"results": [memory()]}), 1),
        (json!({"memories": [memory()], "total": 1}), 1),
        (json!({"results": {"results": [memory()], "relations": relations}}), 1),
        (json!([{"results": [memory()], "next": null}]), 1),
        (json!([[memory()], []]), 1),
        (json!({"count": 1, "next": null, "results": [memory()], "relations": relations}), 1),
        (memory(), 1),
    ] {
        let seen = json_stream::glimpse(document.to_string().as_bytes()).expect("JSON");
        let pieces = of_json(mem0::read, &document);
        let read = notes(pieces);
        assert_eq!(read.len(), places, "{document}");
        let note = &read[0];
        assert_eq!((note.content.as_str(), note.name.as_deref()), ("Ada drinks tea", Some("m1")));
        assert_eq!(note.tags, ["food", "habits"]);
        let owner = (
            note.user.as_ref().map(|id| id.as_str()),
            note.agent.as_ref().map(|id| id.as_str()),
            note.session.as_ref().map(|id| id.as_str()),
        );
        assert_eq!(owner, (Some("ada"), Some("guide"), Some("r1")));
        assert_eq!(note.created_at.map(|at| at.to_string()).as_deref(), Some("2026-01-02T11:04:05.000000Z"));
        assert_eq!(
            Value::Object(note.metadata.clone()),
            json!({"source": "chat", "mood": "calm", "hash": "h", "mem0_id": "m1"})
        );
        let deep = document.get("results").is_some_and(Value::is_object)
            || document[0].get("results").is_some()
            || document[0].is_array();
        assert!(deep || mem0::recognise(&seen), "{document}");
    }
}

#[test]
fn mem0_relations_odd_records_and_deleted_ones() {
    let pieces = of_json(
        mem0::read,
        &json!({
            "results": [
                {"id": 7, "text": "by another name", "user_id": 12, "categories": "a,b", "event": "ADD", "created_at": 1_700_000_000},
                {"id": "x", "memory": null, "data": "third name", "metadata": "{\"k\":1}", "agent_id": "bad\nid"},
                {"id": "gone", "memory": "gone", "event": "DELETE"},
                {"id": "empty", "memory": "  "}, "bare", 5, null,
            ],
            "relations": [{"source": "ada", "relationship": "drinks", "destination": "tea"}, {"source": "ada", "relationship": "x"}],
        }),
    );
    assert_eq!(left_out(&pieces), ["memory 3: it is marked as deleted"]);
    assert_eq!(
        errors(&pieces),
        [
            "relation 2: it has no `target`; expected source, relationship and target",
            "memory 4: it has no `memory`; expected its text",
            "memory 5: it is text; expected a memory, which is an object",
            "memory 6: it is a number; expected a memory, which is an object",
            "memory 7: it is null; expected a memory, which is an object",
        ]
    );
    let tie = |piece: &FilePiece| match &piece.what {
        Ok(ImportedRecord::Relation(tie)) => {
            Some((tie.subject.clone(), tie.predicate.clone(), tie.object.clone()))
        }
        _ => None,
    };
    let ties: Vec<_> = pieces.iter().filter_map(tie).collect();
    assert_eq!(ties, [("ada".to_owned(), "drinks".to_owned(), "tea".to_owned())]);
    let read = notes(pieces);
    assert_eq!(
        (read[0].name.as_deref(), read[0].user.as_ref().map(|id| id.as_str())),
        (Some("7"), Some("12"))
    );
    assert_eq!(read[0].tags, ["a", "b"]);
    assert_eq!(
        (read[1].content.as_str(), &read[1].metadata["k"], &read[1].metadata["agent_id"]),
        ("third name", &json!(1), &json!("bad\nid"))
    );
}
