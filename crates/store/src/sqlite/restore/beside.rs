//! What stands beside records: what was said and what waits of it, counts, archived texts, judgements, blocks, derivations,
//! vectors, logs. None of it has history.

use memory::error::{Invalid, StoreError, StoreResult};
use memory::types::{Block, Item, Node, RecordKind, RecordRef, RestoredItem, RunId, SessionKey, Turn};
use memory::write;
use rusqlite::{OptionalExtension, Params, params};

use super::is_known;
use crate::control;
use crate::sqlite::apply::{Applying, PreparedText};
use crate::sqlite::{blocks, failed, turns};

pub fn restore(
    applying: &mut Applying<'_>,
    item: &Item,
    text: Option<&PreparedText>,
) -> StoreResult<RestoredItem> {
    match item {
        Item::Turn { value } => turn(applying, value, text),
        Item::Setting { name, value } => setting(applying, name, value),
        Item::Pending { .. } | Item::Redo { .. } => waiting(applying, item),
        Item::Counter { .. } | Item::Counted { .. } => counts(applying, item),
        Item::Archive { .. } | Item::Access { .. } | Item::Feedback { .. } => of_memory(applying, item),
        Item::Block { value } => block(applying, value),
        Item::Derivation { child, parent, run } => derivation(applying, child, parent, run.as_ref()),
        Item::Vector { corpus, id, signature, vector } => {
            match applying.put_vector(*corpus, id, signature, vector, false) {
                Ok(true) => Ok(RestoredItem::New),
                Ok(false) => Ok(RestoredItem::Known),
                Err(StoreError::Invalid(_)) => Ok(RestoredItem::Missing { what: id.clone() }),
                Err(error) => Err(error),
            }
        }
        Item::Processing { .. } | Item::Receipt { .. } => log(applying, item),
        Item::Record { .. } | Item::History { .. } => {
            Err(StoreError::Failed("a record does not stand beside itself".into()))
        }
    }
}

/// A session's row, and the place of its next turn.
fn session_row(applying: &Applying<'_>, key: &SessionKey) -> StoreResult<Option<(i64, i64)>> {
    let sql = "SELECT row, next_index FROM session WHERE id = ?1";
    let mut statement = applying.connection.prepare_cached(sql).map_err(failed)?;
    statement.query_row([key.to_string()], |row| Ok((row.get(0)?, row.get(1)?))).optional().map_err(failed)
}

fn missing_session(key: &SessionKey) -> RestoredItem {
    RestoredItem::Missing { what: format!("the session {}", key.session) }
}

fn exists(applying: &Applying<'_>, sql: &str, parameters: impl Params) -> StoreResult<bool> {
    let mut statement = applying.connection.prepare_cached(sql).map_err(failed)?;
    statement.exists(parameters).map_err(failed)
}

fn turn(applying: &mut Applying<'_>, turn: &Turn, text: Option<&PreparedText>) -> StoreResult<RestoredItem> {
    let Some((session, next)) = session_row(applying, &turn.session)? else {
        return Ok(missing_session(&turn.session));
    };
    let known = "SELECT 1 FROM turn WHERE id = ?1
                 UNION ALL SELECT 1 FROM turn WHERE session_row = ?2 AND external_id = ?3";
    if exists(applying, known, params![turn.id.as_str(), session, turn.external_id])? {
        return Ok(RestoredItem::Known);
    }
    let is_taken = "SELECT 1 FROM turn WHERE session_row = ?1 AND idx = ?2";
    let wanted = turn.index.min(i64::MAX as u64 - 1);
    let is_taken = exists(applying, is_taken, params![session, wanted as i64])?;
    let index = write::turn_place(wanted, is_taken, next as u64) as i64;
    turns::insert(applying, turn, session, index, text)?;
    let sql = "UPDATE session SET next_index = max(next_index, ?2), last_turn_at = max(coalesce(last_turn_at, ''), ?3)
               WHERE row = ?1";
    applying.execute(sql, params![session, index + 1, turn.at.to_string()])?;
    Ok(RestoredItem::New)
}

fn setting(applying: &mut Applying<'_>, name: &str, value: &serde_json::Value) -> StoreResult<RestoredItem> {
    if exists(applying, "SELECT 1 FROM setting WHERE name = ?1", [name])? {
        return Ok(RestoredItem::Known);
    }
    control::write_setting(applying.connection, name, Some(value)).map_err(failed)?;
    applying.log("setting", name)?;
    Ok(RestoredItem::New)
}

/// New where the statement wrote something.
fn written(applying: &Applying<'_>, sql: &str, parameters: impl Params) -> StoreResult<RestoredItem> {
    Ok(if applying.execute(sql, parameters)? > 0 { RestoredItem::New } else { RestoredItem::Known })
}

fn waiting(applying: &mut Applying<'_>, item: &Item) -> StoreResult<RestoredItem> {
    match item {
        Item::Pending { value } => {
            let sql =
                "SELECT 1 FROM turn t JOIN session s ON s.row = t.session_row WHERE t.id = ?1 AND s.id = ?2";
            let of = exists(applying, sql, [value.turn.as_str(), &value.session.to_string()])?;
            if !of {
                return Ok(RestoredItem::Missing { what: format!("the turn {}", value.turn) });
            }
            let sql =
                "INSERT OR IGNORE INTO pending (turn_row, session_row, since, failures, last_error, dead)
                       SELECT row, session_row, ?2, ?3, ?4, ?5 FROM turn WHERE id = ?1";
            let since = value.since.to_string();
            let parameters =
                params![value.turn.as_str(), since, value.failures, value.last_error, value.dead];
            let restored = written(applying, sql, parameters)?;
            if restored == RestoredItem::New {
                applying.log("pending", value.turn.as_str())?;
            }
            Ok(restored)
        }
        Item::Redo { value } => {
            let Some((row, _)) = session_row(applying, &value.session)? else {
                return Ok(missing_session(&value.session));
            };
            let sql = "INSERT OR IGNORE INTO redo (session_row, since, failures, last_error, dead)
                       VALUES (?1, ?2, ?3, ?4, ?5)";
            let since = value.since.to_string();
            written(applying, sql, params![row, since, value.failures, value.last_error, value.dead])
        }
        _ => Err(StoreError::Failed("this does not wait".into())),
    }
}

fn counts(applying: &mut Applying<'_>, item: &Item) -> StoreResult<RestoredItem> {
    match item {
        Item::Counter { memory, value } => {
            let of = RecordRef::memory(memory);
            if applying.standing(&of)?.is_none() {
                return Ok(RestoredItem::Missing { what: of.to_string() });
            }
            let sql = "INSERT OR IGNORE INTO counter
                           (memory, use_count, source_count, last_used_at, used, ignored, wrong)
                       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
            let parameters = params![
                memory.as_str(),
                value.use_count as i64,
                value.source_count as i64,
                value.last_used_at.map(|at| at.to_string()),
                value.used as i64,
                value.ignored as i64,
                value.wrong as i64
            ];
            written(applying, sql, parameters)
        }
        Item::Counted { run, memory, use_count, source_count, last_used_at, last_used_before } => {
            let of = RecordRef::memory(memory);
            if !is_known(applying, &of)? {
                return Ok(RestoredItem::Missing { what: of.to_string() });
            }
            let sql = "INSERT OR IGNORE INTO counted
                           (run, memory, use_count, source_count, last_used_at, last_used_before)
                       VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
            let parameters = params![
                run.as_str(),
                memory.as_str(),
                *use_count as i64,
                *source_count as i64,
                last_used_at.map(|at| at.to_string()),
                last_used_before.map(|at| at.to_string())
            ];
            written(applying, sql, parameters)
        }
        _ => Err(StoreError::Failed("this is no count".into())),
    }
}

/// What is kept of a memory even while it is taken away, so that it can come back whole.
fn of_memory(applying: &mut Applying<'_>, item: &Item) -> StoreResult<RestoredItem> {
    let memory = match item {
        Item::Archive { value, .. } => &value.memory,
        Item::Access { value } => &value.memory,
        Item::Feedback { value } => &value.memory,
        _ => return Err(StoreError::Failed("this is of no memory".into())),
    };
    let of = RecordRef::memory(memory);
    if !is_known(applying, &of)? {
        return Ok(RestoredItem::Missing { what: of.to_string() });
    }
    match item {
        Item::Archive { value, run } => {
            let sql = "INSERT OR IGNORE INTO archive (memory, text, hash, archived_at, last_access_at, run)
                       VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
            let last = value.last_access_at.map(|at| at.to_string());
            let run = run.as_ref().map(RunId::as_str);
            let parameters = params![of.id, value.text, value.hash, value.archived_at.to_string(), last, run];
            written(applying, sql, parameters)
        }
        Item::Access { value } => {
            let sql = "INSERT INTO archive_access (memory, at, intact) SELECT ?1, ?2, ?3 WHERE NOT EXISTS
                       (SELECT 1 FROM archive_access WHERE memory = ?1 AND at = ?2 AND intact = ?3)";
            written(applying, sql, params![of.id, value.at.to_string(), value.intact])
        }
        Item::Feedback { value } => {
            let sql = "INSERT INTO feedback (memory, judgement, by, session, turn, at)
                       SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE NOT EXISTS
                       (SELECT 1 FROM feedback WHERE memory = ?1 AND by = ?3 AND turn IS ?5 AND (turn IS NOT NULL
                            OR (judgement = ?2 AND session IS ?4 AND at = ?6)))";
            let parameters = params![
                of.id,
                value.judgement.as_str(),
                value.by.as_str(),
                value.session.as_ref().map(ToString::to_string),
                value.turn.as_ref().map(|turn| turn.as_str()),
                value.at.to_string()
            ];
            written(applying, sql, parameters)
        }
        _ => Ok(RestoredItem::Known),
    }
}

/// A block whose sources are not here comes in without its text: what is forgotten here must not come back with it.
fn block(applying: &mut Applying<'_>, block: &Block) -> StoreResult<RestoredItem> {
    if exists(applying, "SELECT 1 FROM block WHERE hash = ?1", [&block.hash])? {
        return Ok(RestoredItem::Known);
    }
    let whole = !block.dropped && blocks::all_stand(applying, block)?;
    let body = serde_json::to_string(block).map_err(|error| StoreError::Failed(error.to_string()))?;
    let sql = "INSERT INTO block (hash, session, body, at) VALUES (?1, ?2, ?3, ?4)";
    let (session, at) = (block.session.to_string(), block.at.to_string());
    applying.execute(sql, params![block.hash, session, whole.then_some(body), at])?;
    let sources = blocks::sources(block);
    let child = Node::Block(block.hash.clone());
    for parent in &sources {
        derivation(applying, &child, parent, None)?;
    }
    Ok(RestoredItem::New)
}

fn derivation(
    applying: &mut Applying<'_>,
    child: &Node,
    parent: &Node,
    run: Option<&RunId>,
) -> StoreResult<RestoredItem> {
    if !stands(applying, child)? {
        return Ok(RestoredItem::Missing { what: child.to_string() });
    }
    let sql = "INSERT OR IGNORE INTO derived (child_kind, child, parent_kind, parent, run) VALUES (?1, ?2, ?3, ?4, ?5)";
    let run = run.map(RunId::as_str);
    written(applying, sql, params![child.kind(), child.id(), parent.kind(), parent.id(), run])
}

fn stands(applying: &Applying<'_>, node: &Node) -> StoreResult<bool> {
    let kind = match node {
        Node::Turn(id) => return exists(applying, "SELECT 1 FROM turn WHERE id = ?1", [id.as_str()]),
        Node::Block(hash) => return exists(applying, "SELECT 1 FROM block WHERE hash = ?1", [hash]),
        Node::Memory(_) => RecordKind::Memory,
        Node::Episode(_) => RecordKind::Episode,
        Node::Profile(_) => RecordKind::Profile,
        Node::Relation(_) => RecordKind::Relation,
        Node::Link(_) => RecordKind::Link,
    };
    is_known(applying, &RecordRef { kind, id: node.id().to_owned() })
}

fn log(applying: &mut Applying<'_>, item: &Item) -> StoreResult<RestoredItem> {
    let body =
        |value: Result<String, serde_json::Error>| value.map_err(|error| Invalid::new(error.to_string()));
    match item {
        Item::Processing { value } => {
            let sql = "INSERT INTO processing (body) SELECT ?1 WHERE NOT EXISTS
                       (SELECT 1 FROM processing WHERE at = ?2 AND body = ?1)";
            written(applying, sql, params![body(serde_json::to_string(value))?, value.at.to_string()])
        }
        Item::Receipt { value } => {
            let sql = "INSERT OR IGNORE INTO receipt (body) VALUES (?1)";
            written(applying, sql, [body(serde_json::to_string(value))?])
        }
        _ => Err(StoreError::Failed("this is no log".into())),
    }
}
