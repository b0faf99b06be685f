//! The faults themselves. Each plants on memories of its own, so that all of them can stand in one store.

use std::path::Path;
use std::sync::Arc;

use memory::ports::{Clock, ReadStore, WriteStore};
use memory::types::{
    Actor, Batch, Block, Change, EntityId, Link, LinkId, LinkKind, Memory, MemoryId, Node, Owner, Record,
    Relation, RelationId, SessionKey, Status, TenantId, Time, content_hash,
};
use rusqlite::{Connection, params};
use store::{Credential, SystemClock, Tenants, TenantsOptions, WriteDurability};

use super::database;

pub struct Plant {
    pub code: &'static str,
    /// The repair changes records, and an undo brings them back.
    pub undoable: bool,
    how: How,
}

enum How {
    Sql(fn(&Connection)),
    /// A memory made after one that was learned with this predicate.
    Memory(&'static str, fn(&mut Memory)),
}

impl Plant {
    pub async fn in_folder(&self, folder: &Path) {
        match self.how {
            How::Sql(plant) => {
                let connection = Connection::open(database(folder)).expect("the database opens");
                connection.pragma_update(None, "foreign_keys", false).expect("set");
                plant(&connection);
            }
            How::Memory(predicate, change) => write(folder, predicate, change).await,
        }
    }
}

const fn sql(code: &'static str, plant: fn(&Connection)) -> Plant {
    Plant { code, undoable: false, how: How::Sql(plant) }
}

const fn undoable(code: &'static str, plant: fn(&Connection)) -> Plant {
    Plant { code, undoable: true, how: How::Sql(plant) }
}

pub const PLANTS: &[Plant] = &[
    // First, because opening a store to write makes vectors that are missing.
    Plant { code: "junk.duplicates", undoable: true, how: How::Memory("DISLIKES", |_| {}) },
    Plant {
        code: "junk.contradictions",
        undoable: true,
        how: How::Memory("LIVES_IN", |memory| {
            memory.content = "User lives in Lisbon".into();
            memory.object = Some("Lisbon".into());
        }),
    },
    sql("config.settings", |c| {
        run(c, "INSERT OR REPLACE INTO setting VALUES ('memoryBudgetTokens', '\"many\"')")
    }),
    sql("schema.objects", |c| run(c, "DROP TRIGGER turn_vector_comes")),
    sql("body.unreadable", |c| {
        let (row, _) = learned(c, 0);
        run(c, &format!("UPDATE memory SET body = json_set(body, '$.layer', 'nonsense') WHERE row = {row}"));
    }),
    sql("hash.wrong", |c| {
        let (row, _) = learned(c, 1);
        run(
            c,
            &format!("UPDATE memory SET body = json_set(body, '$.content_hash', 'abc') WHERE row = {row}"),
        );
    }),
    sql("archive.damaged", |c| {
        archive(c, &person(c), "words that were changed", &content_hash("other words"))
    }),
    sql("index.missing-words", |c| {
        let (row, _) = learned(c, 2);
        remove_words(c, row);
        run(c, &format!("DELETE FROM memory_doc WHERE row = {row}"));
        run(c, &format!("DELETE FROM memory_vector WHERE place >> 8 = {row}"));
    }),
    sql("index.stray-words", |c| insert_words(c, 900_001, "nobody said this", "nobodi said")),
    sql("index.wrong-words", |c| {
        let (row, _) = learned(c, 3);
        remove_words(c, row);
        run(c, &format!("DELETE FROM memory_doc WHERE row = {row}"));
        insert_words(c, row, "something else entirely", "someth els entir");
    }),
    sql("index.damaged", |c| {
        let (row, _) = learned(c, 4);
        let sql = "INSERT INTO memory_fts (memory_fts, rowid, surface, stems) SELECT 'delete', row, surface, stems FROM memory_doc WHERE row = ?1";
        c.execute(sql, [row]).expect("planted");
    }),
    sql("vectors.missing", |c| {
        let (row, _) = learned(c, 5);
        run(c, &format!("DELETE FROM memory_vector WHERE place >> 8 = {row}"));
    }),
    sql("vectors.stray", |c| {
        run(
            c,
            "INSERT INTO memory_vector SELECT 900002 * 256 + (place & 255), bytes FROM memory_vector LIMIT 1",
        );
    }),
    sql("vectors.damaged", |c| {
        let (row, _) = learned(c, 6);
        run(c, &format!("UPDATE memory_vector SET bytes = x'0000' WHERE place >> 8 = {row}"));
    }),
    sql("vectors.wrong", |c| {
        run(c, "CREATE TEMP TABLE two AS SELECT place, bytes FROM turn_vector ORDER BY place LIMIT 2");
        let exchange =
            "UPDATE turn_vector SET bytes = (SELECT bytes FROM two WHERE two.place <> turn_vector.place)
                        WHERE place IN (SELECT place FROM two)";
        run(c, exchange);
    }),
    sql("vectors.count", |c| run(c, "UPDATE vector_count SET vectors = vectors + 5 WHERE corpus = 'memory'")),
    sql("statistics.corpus", |c| {
        run(c, "UPDATE corpus SET documents = documents + 3, total_length = 1 WHERE name = 'turn'")
    }),
    sql("statistics.sessions", |c| {
        run(c, "UPDATE session SET next_index = 0 WHERE session = 'first' AND user = 'ada'")
    }),
    sql("statistics.names", |c| {
        run(
            c,
            "DELETE FROM entity_name WHERE (folded, entity) IN (SELECT folded, entity FROM entity_name LIMIT 1)",
        );
    }),
    sql("orphans.derived", |c| {
        let turn = text(c, "SELECT id FROM turn WHERE role = 'user' LIMIT 1");
        let nobody = MemoryId::from_uuid(SystemClock.uuid());
        let sql =
            "INSERT INTO derived (child_kind, child, parent_kind, parent) VALUES ('memory', ?1, 'turn', ?2)";
        c.execute(sql, [nobody.as_str(), &turn]).expect("planted");
    }),
    undoable("orphans.links", |c| {
        let (from, to) = (person(c).parse().expect("an id"), MemoryId::from_uuid(SystemClock.uuid()));
        let (id, at) = (LinkId::from_uuid(SystemClock.uuid()), SystemClock.now());
        let kind = LinkKind::Related;
        body(c, Link { id, version: 1, from, to, kind, weight: 1.0, created_at: at, updated_at: at });
    }),
    undoable("orphans.relations", |c| {
        let subject: EntityId = text(c, "SELECT id FROM entity LIMIT 1").parse().expect("an id");
        let (id, at) = (RelationId::from_uuid(SystemClock.uuid()), SystemClock.now());
        let object = EntityId::from_uuid(SystemClock.uuid());
        body(
            c,
            Relation {
                id,
                version: 1,
                owner: Owner { user: "ada".parse().expect("a user"), ..Owner::unnamed() },
                subject,
                predicate: "KNOWS".into(),
                object,
                confidence: 1.0,
                valid_from: None,
                valid_until: None,
                status: Status::Active,
                created_at: at,
                updated_at: at,
            },
        );
    }),
    sql("orphans.counters", |c| {
        let nobody = MemoryId::from_uuid(SystemClock.uuid());
        c.execute("INSERT INTO counter (memory, use_count) VALUES (?1, 3)", [nobody.as_str()])
            .expect("planted");
    }),
    sql("orphans.archive", |c| {
        archive(
            c,
            MemoryId::from_uuid(SystemClock.uuid()).as_str(),
            "left behind",
            &content_hash("left behind"),
        );
    }),
    sql("orphans.turns", |c| {
        run(
            c,
            "UPDATE turn SET session_row = 900003 WHERE row = (SELECT max(row) FROM turn WHERE role = 'assistant')",
        );
    }),
    sql("orphans.waiting", |c| {
        run(
            c,
            "INSERT INTO pending (turn_row, session_row, since) VALUES (900004, 900004, '2026-01-01T00:00:00.000000Z')",
        );
    }),
    sql("pending.stuck", |c| waits(c, "From now on%", 0)),
    sql("pending.dead", |c| waits(c, "I live in Vienna%", 1)),
    sql("redo.dead", |c| {
        run(
            c,
            "INSERT OR REPLACE INTO redo (session_row, since, failures, last_error, dead)
                SELECT row, '2020-01-01T00:00:00.000000Z', 5, 'timed out', 1 FROM session LIMIT 1",
        );
    }),
    sql("jobs.overdue", |c| {
        run(c, "UPDATE job SET due_at = '2020-01-01T00:00:00.000000Z' WHERE name = 'tend'")
    }),
    sql("runs.unfinished", |c| {
        let run = memory::types::RunId::from_uuid(SystemClock.uuid());
        let body = format!(
            r#"{{"id":"{run}","version":1,"job":"summarize","state":"running","started_at":"2020-01-01T00:00:00.000000Z"}}"#
        );
        c.execute("INSERT INTO run (body) VALUES (?1)", [body]).expect("planted");
    }),
    sql("isolation.rows", |c| {
        let (row, _) = learned(c, 7);
        run(c, &format!("UPDATE memory SET body = json_set(body, '$.tenant', 'other') WHERE row = {row}"));
    }),
    sql("isolation.blocks", |c| {
        let bobs: MemoryId =
            text(c, "SELECT id FROM memory WHERE user = 'bob' AND status = 'active' LIMIT 1")
                .parse()
                .expect("an id");
        let owner = Owner { user: "ada".parse().expect("a user"), ..Owner::unnamed() };
        let session = SessionKey::new(&owner, "first".parse().expect("a session"));
        let block = Block {
            hash: "f".repeat(32),
            session: session.clone(),
            text: "recalled".into(),
            tokens: 2,
            memories: vec![bobs],
            turns: Vec::new(),
            episodes: Vec::new(),
            at: SystemClock.now(),
            standing: Vec::new(),
            standing_tokens: 0,
            dropped: false,
        };
        let body = serde_json::to_string(&block).expect("plain data");
        let sql = "INSERT INTO block (hash, session, body, at) VALUES (?1, ?2, ?3, ?4)";
        c.execute(sql, params![block.hash, session.to_string(), body, block.at.to_string()])
            .expect("planted");
    }),
    undoable("junk.learned-back", |c| {
        let (_, id) = learned(c, 8);
        let turn = text(c, "SELECT id FROM turn WHERE role = 'assistant' LIMIT 1");
        c.execute("DELETE FROM derived WHERE child = ?1 AND parent_kind = 'turn'", [&id]).expect("planted");
        let sql =
            "INSERT INTO derived (child_kind, child, parent_kind, parent) VALUES ('memory', ?1, 'turn', ?2)";
        c.execute(sql, [&id, &turn]).expect("planted");
    }),
    undoable("junk.no-evidence", |c| {
        let (row, id) = learned(c, 9);
        c.execute("DELETE FROM derived WHERE child = ?1", [&id]).expect("planted");
        run(c, &format!("UPDATE memory SET body = json_remove(body, '$.evidence') WHERE row = {row}"));
    }),
    sql("db.integrity", |c| {
        let index = "archive_access_by_time";
        let (root, made): (i64, String) = c
            .query_row("SELECT rootpage, sql FROM sqlite_schema WHERE name = ?1", [index], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })
            .expect("the index is there");
        run(c, "PRAGMA writable_schema = ON");
        c.execute("DELETE FROM sqlite_schema WHERE name = ?1", [index]).expect("planted");
        run(c, "PRAGMA writable_schema = RESET");
        let sql =
            "INSERT INTO archive_access (memory, at, intact) VALUES (?1, '2026-01-01T00:00:00.000000Z', 1)";
        c.execute(sql, [person(c)]).expect("planted");
        run(c, "PRAGMA writable_schema = ON");
        let sql = "INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql) VALUES ('index', ?1, 'archive_access', ?2, ?3)";
        c.execute(sql, params![index, root, made]).expect("planted");
        run(c, "PRAGMA writable_schema = RESET");
    }),
];

fn run(connection: &Connection, sql: &str) {
    connection.execute_batch(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
}

fn text(connection: &Connection, sql: &str) -> String {
    connection.query_row(sql, [], |row| row.get(0)).unwrap_or_else(|error| panic!("{sql}: {error}"))
}

/// Row and id of a memory that was learned from what ada said, each number another. Where she lives is another plant's.
fn learned(connection: &Connection, number: usize) -> (i64, String) {
    let sql = "SELECT row, id FROM memory WHERE body ->> '$.origin' = 'heuristic' AND status = 'active' AND user = 'ada'
               AND body ->> '$.predicate' IS NOT 'LIVES_IN' ORDER BY row LIMIT 1 OFFSET ?1";
    connection
        .query_row(sql, [number as i64], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap_or_else(|error| panic!("memory {number}: {error}"))
}

/// A memory that a person wrote.
fn person(connection: &Connection) -> String {
    text(connection, "SELECT id FROM memory WHERE body ->> '$.origin' = 'person' ORDER BY row LIMIT 1")
}

fn body(connection: &Connection, record: impl Into<Record>) {
    let record = record.into();
    let sql = format!("INSERT INTO {} (body) VALUES (?1)", record.kind());
    connection.execute(&sql, [record.body()]).expect("planted");
}

fn archive(connection: &Connection, memory: &str, words: &str, hash: &str) {
    let sql = "INSERT INTO archive (memory, text, hash, archived_at) VALUES (?1, ?2, ?3, ?4)";
    connection.execute(sql, [memory, words, hash, &SystemClock.now().to_string()]).expect("planted");
}

/// Out of the full-text index and out of the counts, as our own code would.
fn remove_words(connection: &Connection, row: i64) {
    let sql = "INSERT INTO memory_fts (memory_fts, rowid, surface, stems) SELECT 'delete', row, surface, stems FROM memory_doc WHERE row = ?1";
    connection.execute(sql, [row]).expect("planted");
    let sql = "UPDATE corpus SET documents = documents - 1,
               total_length = total_length - (SELECT length FROM memory_doc WHERE row = ?1) WHERE name = 'memory'";
    connection.execute(sql, [row]).expect("planted");
}

fn insert_words(connection: &Connection, row: i64, surface: &str, stems: &str) {
    let length = stems.split(' ').count() as i64;
    let sql = "INSERT INTO memory_doc (row, surface, stems, length) VALUES (?1, ?2, ?3, ?4)";
    connection.execute(sql, params![row, surface, stems, length]).expect("planted");
    let sql = "INSERT INTO memory_fts (rowid, surface, stems) VALUES (?1, ?2, ?3)";
    connection.execute(sql, params![row, surface, stems]).expect("planted");
    let sql =
        "UPDATE corpus SET documents = documents + 1, total_length = total_length + ?1 WHERE name = 'memory'";
    connection.execute(sql, [length]).expect("planted");
}

fn waits(connection: &Connection, words: &str, dead: i64) {
    let sql = "INSERT INTO pending (turn_row, session_row, since, failures, last_error, dead)
               SELECT row, session_row, '2020-01-01T00:00:00.000000Z', ?2 * 5, NULL, ?2 FROM turn WHERE text LIKE ?1 AND role = 'user'";
    let planted = connection.execute(sql, params![words, dead]).expect("planted");
    assert_eq!(planted, 1, "{words}");
}

/// Writes a memory like one that was learned, resting on the same turn.
async fn write(folder: &Path, predicate: &str, change: fn(&mut Memory)) {
    let options = TenantsOptions {
        durability: WriteDurability::Normal,
        embedder: Some(Arc::new(models::Builtin)),
        ..TenantsOptions::default()
    };
    let tenants = Tenants::open_folder(folder, options).expect("the folder opens");
    let credential = Credential::Operator { tenant: TenantId::local() };
    let pass = tenants.authenticate(credential).await.expect("the operator may");
    let tenant = tenants.open(&pass).await.expect("the tenant opens");
    let now: Time = SystemClock.now();
    // Row by row, because one of them may not be readable.
    let connection = Connection::open(database(folder)).expect("the database opens");
    let sql = format!(
        "SELECT id FROM memory WHERE body ->> '$.predicate' = '{predicate}' AND status = 'active' AND body ->> '$.origin' = 'heuristic' ORDER BY row LIMIT 1"
    );
    let id: MemoryId = text(&connection, &sql).parse().expect("an id");
    drop(connection);
    let known = tenant.memories(std::slice::from_ref(&id)).await.expect("read").remove(0);
    let parents = tenant.parents(&Node::Memory(id)).await.expect("read");
    let turns: Vec<Node> = parents.into_iter().filter(|parent| matches!(parent, Node::Turn(_))).collect();
    let mut memory = Memory {
        id: MemoryId::from_uuid(SystemClock.uuid()),
        version: 1,
        key: None,
        evidence: None,
        created_at: now,
        updated_at: now,
        ..known
    };
    change(&mut memory);
    let child = Node::Memory(memory.id.clone());
    let batch =
        Batch::new(Actor::Heuristic, now).insert(memory).with(Change::Derive { child, parents: turns });
    tenant.apply(batch).await.expect("written");
    drop(tenant);
    tenants.close().await;
}
