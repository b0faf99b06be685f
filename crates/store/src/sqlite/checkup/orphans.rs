//! What hangs in the air: rows that name something that is not there.

use memory::checkup::{CheckSelection, Finding};
use memory::error::StoreResult;
use memory::types::{RecordKind, RecordRef};
use rusqlite::Connection;

use super::{CheckupContext, named, rows};
use crate::sqlite::apply::Applying;

/// Whether one end of a derivation stands.
fn stands(kind: &str, id: &str) -> String {
    let tables = ["turn", "memory", "episode", "profile", "relation", "link"];
    let cases: Vec<String> = tables
        .iter()
        .map(|table| format!("WHEN '{table}' THEN EXISTS (SELECT 1 FROM {table} x WHERE x.id = d.{id})"))
        .collect();
    let block = format!("WHEN 'block' THEN EXISTS (SELECT 1 FROM block x WHERE x.hash = d.{id})");
    format!("(CASE d.{kind} {} {block} ELSE 0 END)", cases.join(" "))
}

fn loose() -> String {
    format!("NOT {} OR NOT {}", stands("child_kind", "child"), stands("parent_kind", "parent"))
}

pub fn derived(look: &CheckupContext<'_>) -> StoreResult<Vec<Finding>> {
    let sql = format!(
        "SELECT child_kind || ' ' || child || ' from ' || parent_kind || ' ' || parent FROM derived d WHERE {}",
        loose()
    );
    named(look, "orphans.derived", "derived", &sql, [])
}

pub fn mend_derived(applying: &Applying<'_>) -> StoreResult<()> {
    let sql = format!("SELECT child_kind, child, parent_kind, parent FROM derived d WHERE {}", loose());
    let gone = rows(applying.connection, &sql, [], |row| {
        Ok([row.get::<_, String>(0)?, row.get(1)?, row.get(2)?, row.get(3)?])
    })?;
    for row in gone {
        let sql =
            "DELETE FROM derived WHERE child_kind = ?1 AND child = ?2 AND parent_kind = ?3 AND parent = ?4";
        applying.execute(sql, row)?;
    }
    Ok(())
}

/// By id: they are records, and are removed as such.
const LINKS: &str = "SELECT id FROM link l WHERE NOT EXISTS (SELECT 1 FROM memory m WHERE m.id = l.source)
    OR NOT EXISTS (SELECT 1 FROM memory m WHERE m.id = l.target) ORDER BY row";

const RELATIONS: &str =
    "SELECT id FROM relation r WHERE NOT EXISTS (SELECT 1 FROM entity e WHERE e.id = r.subject)
    OR NOT EXISTS (SELECT 1 FROM entity e WHERE e.id = r.object) ORDER BY row";

pub fn links(look: &CheckupContext<'_>) -> StoreResult<Vec<Finding>> {
    named(look, "orphans.links", "link", LINKS, [])
}

pub fn relations(look: &CheckupContext<'_>) -> StoreResult<Vec<Finding>> {
    named(look, "orphans.relations", "relation", RELATIONS, [])
}

/// All of both that are chosen.
pub fn records(connection: &Connection, choice: &CheckSelection) -> StoreResult<Vec<RecordRef>> {
    let mut records = Vec::new();
    let sorts =
        [("orphans.links", RecordKind::Link, LINKS), ("orphans.relations", RecordKind::Relation, RELATIONS)];
    for (_, kind, sql) in sorts.into_iter().filter(|(code, _, _)| choice.has(code)) {
        let ids = rows(connection, sql, [], |row| row.get::<_, String>(0))?;
        records.extend(ids.into_iter().map(|id| RecordRef { kind, id }));
    }
    Ok(records)
}

const UNCOUNTED: &str = "NOT EXISTS (SELECT 1 FROM memory m WHERE m.id = memory)";

pub fn counters(look: &CheckupContext<'_>) -> StoreResult<Vec<Finding>> {
    let sql = format!(
        "SELECT memory FROM counter WHERE {UNCOUNTED} UNION SELECT memory FROM counted WHERE {UNCOUNTED}"
    );
    named(look, "orphans.counters", "counter", &sql, [])
}

pub fn mend_counters(applying: &Applying<'_>) -> StoreResult<()> {
    applying.execute(&format!("DELETE FROM counter WHERE {UNCOUNTED}"), [])?;
    applying.execute(&format!("DELETE FROM counted WHERE {UNCOUNTED}"), []).map(drop)
}

pub fn archive(look: &CheckupContext<'_>) -> StoreResult<Vec<Finding>> {
    let sql = format!(
        "SELECT memory FROM archive WHERE {UNCOUNTED} UNION SELECT memory FROM archive_access WHERE {UNCOUNTED}"
    );
    named(look, "orphans.archive", "archive", &sql, [])
}

pub fn mend_archive(applying: &Applying<'_>) -> StoreResult<()> {
    applying.execute(&format!("DELETE FROM archive WHERE {UNCOUNTED}"), [])?;
    applying.execute(&format!("DELETE FROM archive_access WHERE {UNCOUNTED}"), []).map(drop)
}

/// Rows of turns whose session is gone.
pub const TURNS: &str = "SELECT row FROM turn t WHERE NOT EXISTS (SELECT 1 FROM session s WHERE s.row = t.session_row) ORDER BY row";

pub fn turns(look: &CheckupContext<'_>) -> StoreResult<Vec<Finding>> {
    let sql = "SELECT id FROM turn t WHERE NOT EXISTS (SELECT 1 FROM session s WHERE s.row = t.session_row) ORDER BY row";
    named(look, "orphans.turns", "turn", sql, [])
}

const NOT_WAITING: [(&str, &str); 2] = [
    (
        "pending",
        "NOT EXISTS (SELECT 1 FROM turn t WHERE t.row = turn_row)
         OR NOT EXISTS (SELECT 1 FROM session s WHERE s.row = session_row)",
    ),
    ("redo", "NOT EXISTS (SELECT 1 FROM session s WHERE s.row = session_row)"),
];

pub fn waiting(look: &CheckupContext<'_>) -> StoreResult<Vec<Finding>> {
    let [(pending, no_turn), (redo, no_session)] = NOT_WAITING;
    let sql = format!(
        "SELECT 'turn row ' || turn_row FROM {pending} WHERE {no_turn}
         UNION ALL SELECT 'session row ' || session_row FROM {redo} WHERE {no_session}"
    );
    named(look, "orphans.waiting", pending, &sql, [])
}

pub fn mend_waiting(applying: &Applying<'_>) -> StoreResult<()> {
    for (table, gone) in NOT_WAITING {
        applying.execute(&format!("DELETE FROM {table} WHERE {gone}"), [])?;
    }
    Ok(())
}
