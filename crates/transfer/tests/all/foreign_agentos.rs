//! AgentOS brains, as the document and as the database: the same brain comes to the same.

use std::path::Path;

use memory::types::{EntityType, Layer, LinkKind, Role, Scope};
use rusqlite::Connection;
use serde_json::{Value, json};
use transfer::import_model::{FilePiece, ImportedRecord};
use transfer::{agentos, agentos_sqlite, json_stream};

use super::foreign::{Scratch, all, conversations, errors, left_out, notes, of, of_json, read_brain, script};

fn brain() -> Value {
    json!({
        "meta": {"schema_version": "1"},
        "traces": [
            {"id": "mt_1", "type": "semantic", "scope": "user", "content": "Ada prefers TypeScript", "strength": 0.87, "tags": ["preference", "language"],
             "emotions": {}, "metadata": {"source": "user_statement"}, "createdAt": 1_711_234_567_890_i64, "lastAccessed": 1_711_234_600_000_i64, "retrievalCount": 3},
            {"id": "mt_2", "type": "episodic", "scope": "organization", "content": "The launch went well", "strength": 2, "created_at": 1_711_234_567_890_i64,
             "tags": "[\"launch\"]", "emotions": "{\"valence\":0.5}", "metadata": "{\"import_hash\":\"x\"}", "deleted": 0},
            {"id": "mt_3", "type": "semantic", "scope": "user", "content": "gone", "deleted": 1},
            {"id": "mt_4", "type": "odd", "scope": "odd", "content": "kept"},
        ],
        "edges": [
            {"id": "e1", "source_id": "n1", "target_id": "n2", "type": "WORKS_AT", "weight": 0.5},
            {"id": "e2", "source_id": "mt_1", "target_id": "mt_2", "type": "CO_ACTIVATED", "weight": 0.25},
            {"id": "e3", "source_id": "n1", "target_id": "nowhere", "type": "KNOWS"},
        ],
        "nodes": [
            {"id": "n1", "type": "person", "label": "Ada", "properties": "{\"aliases\":[\"Countess\"]}", "created_at": 1_711_234_567_890_i64},
            {"id": "n2", "type": "startup", "label": "Engine Co", "properties": {}},
        ],
        "messages": [
            {"id": "m2", "conversation_id": "c1", "role": "assistant", "content": "Hello Ada", "created_at": 1_711_234_567_892_i64},
            {"id": "m3", "conversation_id": "c2", "role": "user", "content": "Another talk", "created_at": 1_711_234_567_893_i64},
            {"id": "m1", "conversation_id": "c1", "role": "user", "content": "Hello", "created_at": 1_711_234_567_891_i64},
            {"id": "m4", "conversation_id": "gone", "role": "oracle", "content": "Without a head"},
        ],
        "conversations": [
            {"id": "c1", "title": "Greeting", "created_at": 1_711_234_567_000_i64, "updated_at": 1, "metadata": "{\"model\":\"m\"}"},
            {"id": "c2", "title": null, "created_at": 1_711_234_568_000_i64},
            {"id": "c3", "title": "Empty", "created_at": 1},
        ],
        "documents": [{"id": "d1", "path": "/a/b.md", "format": "md", "title": "B", "content_hash": "h", "ingested_at": 1_711_234_567_890_i64}],
        "chunks": [
            {"id": "k2", "document_id": "d1", "content": "second part", "chunk_index": 1},
            {"id": "k1", "document_id": "d1", "content": "first part", "chunk_index": 0},
        ],
    })
}

/// The brain above, whatever it was read from.
fn check(pieces: Vec<FilePiece>) {
    let wrong = errors(&pieces);
    assert_eq!(wrong, ["edge 3: it joins a node that is not in the file"]);
    let out = left_out(&pieces);
    assert_eq!(out, ["trace 3: it is marked as deleted", "conversation Empty: nothing is said in it"]);
    check_graph(&pieces);
    let (spoken, written): (Vec<_>, Vec<_>) =
        pieces.into_iter().partition(|piece| matches!(&piece.what, Ok(ImportedRecord::Conversation(_))));
    check_notes(written);
    check_conversations(spoken);
}

fn check_graph(pieces: &[FilePiece]) {
    let things: Vec<(String, EntityType, Vec<String>)> = pieces
        .iter()
        .filter_map(|piece| match &piece.what {
            Ok(ImportedRecord::Entity(thing)) => {
                Some((thing.name.clone(), thing.entity_type, thing.aliases.clone()))
            }
            _ => None,
        })
        .collect();
    assert_eq!(
        things,
        [
            ("Ada".to_owned(), EntityType::Person, vec!["Countess".to_owned()]),
            ("Engine Co".to_owned(), EntityType::Concept, Vec::new())
        ]
    );
    let ties: Vec<(&str, &str, &str, Option<f32>)> = pieces
        .iter()
        .filter_map(|piece| match &piece.what {
            Ok(ImportedRecord::Relation(tie)) => {
                Some((&*tie.subject, &*tie.predicate, &*tie.object, tie.confidence))
            }
            _ => None,
        })
        .collect();
    assert_eq!(ties, [("Ada", "WORKS_AT", "Engine Co", Some(0.5))]);
}

fn check_notes(written: Vec<FilePiece>) {
    let read = notes(written);
    assert_eq!(read.len(), 3);
    assert_eq!(
        (read[0].layer, read[0].scope, read[0].strength, read[0].use_count),
        (Some(Layer::Semantic), Some(Scope::User), Some(0.87), Some(3))
    );
    assert_eq!(read[0].tags, ["preference", "language"]);
    assert_eq!(read[0].created_at.map(|at| at.to_string()).as_deref(), Some("2024-03-23T22:56:07.890000Z"));
    let link = &read[0].links[0];
    assert_eq!((link.to.as_str(), link.kind, link.weight), ("mt_2", LinkKind::CoActivated, 0.25));
    assert_eq!(
        (read[1].layer, read[1].strength, &read[1].tags[..]),
        (Some(Layer::Episodic), Some(1.0), &["launch".to_owned()][..])
    );
    assert_eq!(
        (&read[1].metadata["emotions"]["valence"], &read[1].metadata["import_hash"]),
        (&json!(0.5), &json!("x"))
    );
    assert_eq!((&read[2].metadata["type"], read[2].layer), (&json!("odd"), None));
}

fn check_conversations(spoken: Vec<FilePiece>) {
    let talks = conversations(spoken);
    let find = |id: &str| talks.iter().find(|talk| talk.id == id).expect("it is there");
    assert_eq!(script(find("c1")), [(Role::User, "Hello"), (Role::Assistant, "Hello Ada")]);
    assert_eq!((find("c1").title.as_deref(), &find("c1").metadata["model"]), (Some("Greeting"), &json!("m")));
    assert_eq!(script(find("c2")), [(Role::User, "Another talk")]);
    assert_eq!(script(find("gone")), [(Role::Tool, "Without a head")]);
    let document = find("document-d1");
    assert!(document.document);
    assert_eq!(
        document.turns.iter().map(|turn| turn.text.as_str()).collect::<Vec<_>>(),
        ["first part", "second part"]
    );
    assert_eq!((document.title.as_deref(), &document.metadata["path"]), (Some("B"), &json!("/a/b.md")));
}

#[test]
fn a_brain_as_a_document_comes_in_whatever_the_order_of_its_lists() {
    let seen = json_stream::glimpse(brain().to_string().as_bytes()).expect("JSON");
    assert!(agentos::recognise(&seen));
    check(of_json(agentos::read, &brain()));
    check(of_json(agentos::read, &json!({"brain": brain()})));
}

#[test]
fn episodes_turns_and_identity_come_too() {
    let pieces = of_json(
        agentos::read,
        &json!({
            "meta": {}, "traces": [],
            "episodes": [{"id": "e1", "summary": "Talked about tea", "topics": ["tea"], "ended_at": "2026-01-01"}, {"id": "e2"}, 3],
            "turns": [{"id": "t1", "session_id": "s", "role": "user", "text": "Hi"}, {"session_id": "s", "role": "user", "content": null}],
            "identity": {"name": "Ada", "likes": ["tea", "maths"], "version": 3},
        }),
    );
    assert_eq!(
        errors(&pieces),
        [
            "episode 2: it has no `summary`; expected its text",
            "episode 3: it is a number; expected an object",
            "message 2: it says nothing; expected `content`",
        ]
    );
    let (spoken, written): (Vec<_>, Vec<_>) =
        pieces.into_iter().partition(|piece| matches!(&piece.what, Ok(ImportedRecord::Conversation(_))));
    let said: Vec<String> = notes(written).into_iter().map(|note| note.content).collect();
    assert_eq!(said, ["Talked about tea", "likes: tea", "likes: maths", "name: Ada"]);
    assert_eq!(script(&conversations(spoken)[0]), [(Role::User, "Hi")]);
    assert!(of(agentos::read, "{\"traces\": [{\"content\": \"x\"}").is_err());
}

#[test]
fn messages_inside_their_conversation_come_in() {
    let pieces = of_json(
        agentos::read,
        &json!({
            "traces": [],
            "messages": [
                {"id": "m2", "conversation_id": "c1", "role": "assistant", "content": "Hello Ada"},
                {"id": "m3", "conversation_id": "c1", "role": "user", "content": "Apart"},
            ],
            "conversations": [
                {"id": "c1", "title": "Greeting", "messages": [
                    {"id": "m1", "role": "user", "content": "Hello", "created_at": 1_711_234_567_891_i64},
                    {"id": "m2", "role": "assistant", "content": "Hello Ada"},
                    {"role": "user"}, 7,
                ]},
                {"id": "c2", "turns": [{"speaker": "user", "text": "By turns"}, {"role": "assistant", "text": "Too"}]},
                {"id": "c3", "messages": "[{\"role\":\"user\",\"content\":\"As text\"}]"},
                {"title": "One", "messages": [{"role": "user", "content": "Without an id"}]},
                {"title": "Two", "messages": [{"role": "user", "content": "Nor this"}]},
                {"id": "c4", "title": "Counted", "messages": 3},
            ],
        }),
    );
    assert_eq!(
        errors(&pieces),
        [
            "conversation 1, message 3: it says nothing; expected `content`",
            "conversation 1, message 4: it is a number; expected an object",
        ]
    );
    assert_eq!(left_out(&pieces), ["conversation Counted: nothing is said in it"]);
    let talks = conversations(pieces);
    let said: Vec<Vec<(Role, &str)>> = talks.iter().map(script).collect();
    let (user, assistant) = (Role::User, Role::Assistant);
    assert_eq!(
        said,
        [
            vec![(user, "Hello"), (assistant, "Hello Ada"), (user, "Apart")],
            vec![(user, "By turns"), (assistant, "Too")],
            vec![(user, "As text")],
            vec![(user, "Without an id")],
            vec![(user, "Nor this")],
        ],
        "each once and none in another's conversation"
    );
    assert_eq!((talks[0].id.as_str(), talks[0].title.as_deref()), ("c1", Some("Greeting")));
    assert_eq!((talks[3].title.as_deref(), talks[4].title.as_deref()), (Some("One"), Some("Two")));
}

#[test]
fn documents_with_their_own_text_or_chunks_come_in() {
    let documents = json!([
        {"id": "d1", "title": "Whole", "content": "All of it"},
        {"id": "d2", "title": "Text", "text": "The text"},
        {"id": "d3", "title": "Chunked", "content": "a b", "chunks": [
            {"content": "b", "chunk_index": 1}, {"content": "a", "chunk_index": 0},
        ]},
        {"id": "d4", "title": "Plain", "chunks": ["one", "two", " "]},
        {"id": "d5", "title": "Apart", "content": "x y"},
        {"id": "d6", "title": "Pictured", "content": "Look", "images": [{"caption": "A cat"}]},
        {"title": "Nameless", "content": "First"},
        {"title": "Nameless", "content": "Second"},
    ]);
    let chunks = json!([
        {"document_id": "d5", "content": "y", "chunk_index": 1},
        {"document_id": "d5", "content": "x", "chunk_index": 0},
    ]);
    // As text, since an object's keys are sorted otherwise.
    for brain in [
        format!("{{\"traces\":[],\"documents\":{documents},\"chunks\":{chunks}}}"),
        format!("{{\"traces\":[],\"chunks\":{chunks},\"documents\":{documents}}}"),
    ] {
        let pieces = of(agentos::read, brain).expect("a whole file");
        assert_eq!(errors(&pieces), ["document 4, chunk 3: it says nothing; expected `content`"]);
        assert_eq!(left_out(&pieces), Vec::<String>::new());
        let mut read: Vec<String> = conversations(pieces)
            .into_iter()
            .map(|document| {
                assert!(document.document);
                let turns: Vec<&str> = document.turns.iter().map(|turn| turn.text.as_str()).collect();
                format!("{}: {}", document.title.unwrap_or_default(), turns.join("|"))
            })
            .collect();
        read.sort();
        assert_eq!(
            read,
            [
                "Apart: x|y",
                "Chunked: a|b",
                "Nameless: First",
                "Nameless: Second",
                "Pictured: Look|[image: A cat]",
                "Plain: one|two",
                "Text: The text",
                "Whole: All of it",
            ]
        );
    }
}

/// The same brain as a database, with the columns that a version has.
fn database(path: &Path, with_extras: bool) -> Connection {
    let connection = Connection::open(path).expect("a database");
    let extras = if with_extras {
        ", retrieval_count INTEGER, last_accessed INTEGER, emotions TEXT, embedding BLOB"
    } else {
        ""
    };
    let tables = format!(
        "CREATE TABLE brain_meta (key TEXT PRIMARY KEY, value TEXT);
         CREATE TABLE memory_traces (id TEXT PRIMARY KEY, type TEXT, scope TEXT, content TEXT, strength REAL, created_at INTEGER, tags TEXT, metadata TEXT, deleted INTEGER{extras});
         CREATE TABLE knowledge_nodes (id TEXT PRIMARY KEY, type TEXT, label TEXT, properties TEXT, created_at INTEGER);
         CREATE TABLE knowledge_edges (id TEXT PRIMARY KEY, source_id TEXT, target_id TEXT, type TEXT, weight REAL);
         CREATE TABLE conversations (id TEXT PRIMARY KEY, title TEXT, created_at INTEGER, updated_at INTEGER, metadata TEXT);
         CREATE TABLE messages (id TEXT PRIMARY KEY, conversation_id TEXT, role TEXT, content TEXT, created_at INTEGER);
         CREATE TABLE documents (id TEXT PRIMARY KEY, path TEXT, format TEXT, title TEXT, content_hash TEXT, ingested_at INTEGER);
         CREATE TABLE document_chunks (id TEXT PRIMARY KEY, document_id TEXT, content TEXT, chunk_index INTEGER, embedding BLOB);
         CREATE TABLE consolidation_log (id INTEGER PRIMARY KEY, ran_at INTEGER);
         CREATE VIRTUAL TABLE memory_traces_fts USING fts5(content);"
    );
    connection.execute_batch(&tables).expect("tables");
    let lists = [
        ("traces", "memory_traces"),
        ("nodes", "knowledge_nodes"),
        ("edges", "knowledge_edges"),
        ("conversations", "conversations"),
        ("messages", "messages"),
        ("documents", "documents"),
        ("chunks", "document_chunks"),
    ];
    for (list, table) in lists {
        for row in brain()[list].as_array().expect("a list") {
            insert(&connection, table, row, with_extras);
        }
    }
    connection
}

fn insert(connection: &Connection, table: &str, row: &Value, with_extras: bool) {
    let mut names = Vec::new();
    let mut values: Vec<rusqlite::types::Value> = Vec::new();
    for (name, value) in row.as_object().expect("a row") {
        let name = match name.as_str() {
            "createdAt" => "created_at",
            "lastAccessed" => "last_accessed",
            "retrievalCount" => "retrieval_count",
            other => other,
        };
        if !with_extras && matches!(name, "last_accessed" | "retrieval_count" | "emotions") {
            continue;
        }
        names.push(name.to_owned());
        values.push(match value {
            Value::Null => rusqlite::types::Value::Null,
            Value::String(text) => text.clone().into(),
            Value::Number(number) => {
                number.as_i64().map_or_else(|| number.as_f64().expect("a number").into(), Into::into)
            }
            other => other.to_string().into(),
        });
    }
    let marks = vec!["?"; names.len()].join(",");
    let sql = format!("INSERT INTO {table} ({}) VALUES ({marks})", names.join(","));
    connection.execute(&sql, rusqlite::params_from_iter(values)).expect("a row");
}

#[test]
fn a_brain_as_a_database_comes_to_the_same_and_is_left_alone() {
    let scratch = Scratch::new();
    let path = scratch.folder().join("brain.sqlite");
    drop(database(&path, true));
    let before = std::fs::read(&path).expect("reads");
    assert!(agentos_sqlite::recognise(&path));
    check(all(read_brain, &path).expect("a whole database"));
    assert_eq!(std::fs::read(&path).expect("reads"), before);
    assert_eq!(scratch.folder().read_dir().expect("lists").count(), 1, "nothing is written beside it");
}

#[test]
fn an_older_brain_without_some_columns_comes_in() {
    let scratch = Scratch::new();
    let path = scratch.folder().join("old.sqlite");
    drop(database(&path, false));
    let read = notes(all(read_brain, &path).expect("a whole database"));
    assert_eq!((read.len(), read[0].use_count, read[0].strength), (3, None, Some(0.87)));
}

#[test]
fn a_brain_that_was_in_use_comes_with_what_stands_in_its_log() {
    let scratch = Scratch::new();
    let path = scratch.folder().join("live.sqlite");
    let connection = database(&path, true);
    connection.execute_batch("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;").expect("a log");
    insert(&connection, "memory_traces", &json!({"id": "late", "content": "only in the log"}), true);
    let log = scratch.folder().join("live.sqlite-wal");
    let before = std::fs::read(&log).expect("a log");
    let read = notes(all(read_brain, &path).expect("a whole database"));
    assert!(read.iter().any(|note| note.content == "only in the log"));
    assert_eq!(std::fs::read(&log).expect("a log"), before, "it is left alone");
}

#[test]
fn what_is_no_brain_is_broken() {
    let scratch = Scratch::new();
    let other = scratch.folder().join("other.sqlite");
    Connection::open(&other)
        .and_then(|connection| connection.execute_batch("CREATE TABLE t (x)"))
        .expect("a database");
    assert!(!agentos_sqlite::recognise(&other));
    let broken = read_brain(&other).err().expect("no brain").to_string();
    assert!(broken.contains("memory_traces"), "{broken}");
    let text = scratch.file("text", "SQLite format 3\0".repeat(500));
    assert!(read_brain(&text).is_err());
    assert!(read_brain(&scratch.folder().join("nothing")).is_err());
}
