//! Records: by id, by what they name, row after row, and as pages.

use memory::error::StoreResult;
use memory::limits;
use memory::ports::Records;
use memory::types::{
    Corpus, Entity, Episode, Filter, Memory, MemoryId, Order, Page, PageRequest, Record, RecordKind, Scope,
    Session, SessionKey, Status, Validity, Viewer,
};
use rusqlite::types::Value;
use rusqlite::{Connection, Params, params, params_from_iter};

use super::rows::{all, at_most, bodies, id_list, page};
use crate::sqlite::filter::{Condition, condition};
use crate::sqlite::{search, table, unreadable};

/// Sessions carry the moment of their last turn beside the body.
const SESSION_BODY: &str =
    "json_set(x.body, '$.last_turn_at', coalesce(x.last_turn_at, x.body ->> '$.last_turn_at'))";

pub(super) fn records(connection: &Connection, which: &Records) -> StoreResult<Vec<(i64, Record)>> {
    match which {
        Records::ByIds { kind, ids } => {
            let from =
                format!("json_each(?1) j CROSS JOIN {} x ON x.id = j.value ORDER BY j.key", table(*kind));
            found(connection, *kind, &from, [id_list(ids.iter().map(String::as_str))])
        }
        Records::After { kind, after, limit, only_active } => {
            let active = if *only_active { "AND x.status = 'active'" } else { "" };
            let from = format!("{} x WHERE x.row > ?1 {active} ORDER BY x.row LIMIT ?2", table(*kind));
            found(connection, *kind, &from, params![after, at_most(*limit)])
        }
        Records::MemoriesByHash { .. } | Records::MemoriesByKey { .. } | Records::LearnedOf { .. } => {
            memories(connection, which)
        }
        Records::EpisodeOf { session } => {
            let from =
                "episode x WHERE x.agent = ?1 AND x.user = ?2 AND x.session = ?3 AND x.status = 'active'";
            found(connection, RecordKind::Episode, from, parts(session))
        }
        Records::EntitiesNamed { .. } | Records::RelationsOf { .. } | Records::LinksOf { .. } => {
            graph(connection, which)
        }
        Records::HeldIn { session } => {
            let from = "held x WHERE x.agent = ?1 AND x.user = ?2 AND x.session = ?3 ORDER BY x.row";
            found(connection, RecordKind::Held, from, parts(session))
        }
        Records::HeldOf { owner, limit } => {
            let from = "held x WHERE x.agent = ?1 AND x.user = ?2 ORDER BY x.row DESC LIMIT ?3";
            let parameters = params![owner.agent.as_str(), owner.user.as_str(), at_most(*limit)];
            found(connection, RecordKind::Held, from, parameters)
        }
        Records::ProfilesOf { user, only_latest } => {
            let from = match only_latest {
                true => "profile x WHERE x.user = ?1 ORDER BY x.number DESC LIMIT 1",
                false => "profile x WHERE x.user = ?1 ORDER BY x.number",
            };
            found(connection, RecordKind::Profile, from, [user.as_str()])
        }
        Records::OverridesOf { user } => {
            let from = "override x WHERE x.user = ?1 ORDER BY x.row";
            found(connection, RecordKind::Override, from, [user.as_str()])
        }
        Records::Agents => found(connection, RecordKind::Agent, "agent x ORDER BY x.row", []),
        Records::Runs { limit } => {
            let from = "run x ORDER BY x.started_at DESC, x.row DESC LIMIT ?1";
            found(connection, RecordKind::Run, from, [(*limit).min(limits::PAGE_ROWS) as i64])
        }
    }
}

fn memories(connection: &Connection, which: &Records) -> StoreResult<Vec<(i64, Record)>> {
    let kind = RecordKind::Memory;
    match which {
        Records::MemoriesByHash { hashes } => {
            let from = "json_each(?1) j CROSS JOIN memory x ON x.content_hash = j.value
                        WHERE x.status = 'active' ORDER BY x.row LIMIT ?2";
            let hashes = id_list(hashes.iter().map(String::as_str));
            found(connection, kind, from, params![hashes, limits::READ_IDS as i64])
        }
        Records::MemoriesByKey { owner, keys } => {
            let from = "json_each(?3) j CROSS JOIN memory x
                        ON x.user = ?2 AND x.key = j.value AND x.key IS NOT NULL AND x.status = 'active'
                        AND x.holder IN ('user', 'agent' || char(31) || ?1)
                        ORDER BY x.row";
            let keys = id_list(keys.iter().map(String::as_str));
            found(connection, kind, from, params![owner.agent.as_str(), owner.user.as_str(), keys])
        }
        Records::LearnedOf { user, since, limit } => {
            let from = "memory x WHERE x.user = ?1 AND x.status = 'active' AND x.body ->> '$.updated_at' > ?2
                        ORDER BY x.body ->> '$.updated_at' DESC, x.row DESC LIMIT ?3";
            let limit = (*limit).min(limits::PAGE_ROWS) as i64;
            found(connection, kind, from, params![user.as_str(), since.to_string(), limit])
        }
        _ => Ok(Vec::new()),
    }
}

fn graph(connection: &Connection, which: &Records) -> StoreResult<Vec<(i64, Record)>> {
    match which {
        Records::EntitiesNamed { names } => {
            let from = "entity x WHERE x.row IN (
                            SELECT e.row FROM json_each(?1) j CROSS JOIN entity_name n ON n.folded = j.value
                            CROSS JOIN entity e ON e.id = n.entity)
                        ORDER BY x.row";
            let folded: Vec<String> = names.iter().map(|name| name.trim().to_lowercase()).collect();
            found(connection, RecordKind::Entity, from, [id_list(folded.iter().map(String::as_str))])
        }
        Records::RelationsOf { entities } => {
            let from = "relation x WHERE x.status = 'active' AND x.row IN (
                            SELECT r.row FROM json_each(?1) j JOIN relation r ON r.subject = j.value
                            UNION SELECT r.row FROM json_each(?1) j JOIN relation r ON r.object = j.value)
                        ORDER BY x.row";
            let ids = id_list(entities.iter().map(String::as_str));
            found(connection, RecordKind::Relation, from, [ids])
        }
        Records::LinksOf { memories } => {
            let from = "link x WHERE x.row IN (
                            SELECT l.row FROM json_each(?1) j JOIN link l ON l.source = j.value
                            UNION SELECT l.row FROM json_each(?1) j JOIN link l ON l.target = j.value)
                        ORDER BY x.row";
            let ids = id_list(memories.iter().map(MemoryId::as_str));
            found(connection, RecordKind::Link, from, [ids])
        }
        _ => Ok(Vec::new()),
    }
}

fn parts(session: &SessionKey) -> [&str; 3] {
    [session.agent.as_str(), session.user.as_str(), session.session.as_str()]
}

/// The records of a kind that `FROM …` finds under the name `x`, with their rows.
fn found(
    connection: &Connection,
    kind: RecordKind,
    from: &str,
    parameters: impl Params,
) -> StoreResult<Vec<(i64, Record)>> {
    let body = if kind == RecordKind::Session { SESSION_BODY } else { "x.body" };
    let sql = format!("SELECT x.row, x.id, {body} FROM {from}");
    let records = all(connection, &sql, parameters, |row| {
        let record = Record::from_body(kind, row.get_ref(2)?.as_str()?);
        let record = match record {
            Ok(record) => Ok(record),
            Err(error) => Err(unreadable(kind.as_str(), &row.get::<_, String>(1)?, &error)),
        };
        Ok((row.get::<_, i64>(0)?, record))
    })?;
    records.into_iter().map(|(row, record)| Ok((row, record?))).collect()
}

pub(super) fn page_of(
    connection: &Connection,
    kind: RecordKind,
    filter: &Filter,
    request: PageRequest,
) -> StoreResult<Page<Record>> {
    match kind {
        RecordKind::Memory => memory_page(connection, filter, request).map(any),
        RecordKind::Episode => {
            let condition = condition(Corpus::Episodes, filter);
            page::<Episode>(connection, "episode x", "x.ended_at", condition, request).map(any)
        }
        RecordKind::Session => session_page(connection, filter, request).map(any),
        RecordKind::Entity => entity_page(connection, filter, request).map(any),
        other => {
            let message = format!("{other} records are not listed by a filter");
            Err(memory::error::Invalid::new(message).into())
        }
    }
}

fn any<T: Into<Record>>(page: Page<T>) -> Page<Record> {
    Page { items: page.items.into_iter().map(Into::into).collect(), total: page.total }
}

fn memory_page(connection: &Connection, filter: &Filter, request: PageRequest) -> StoreResult<Page<Memory>> {
    if let Validity::KnownAt { then } = filter.validity {
        return search::page_known_at(connection, then, filter, request);
    }
    let mut condition = condition(Corpus::Memories, filter);
    if filter.session.is_some() && filter.scopes == [Scope::Thread] {
        // Said as the index says it.
        condition.and("x.scope = 'thread'", []);
        let from = "memory x INDEXED BY memory_of_thread";
        return page(connection, from, "x.created_at", condition, request);
    }
    match &filter.viewer {
        Some(viewer) if !request.counted && request.order == Order::Newest => {
            newest_seen(connection, viewer, filter, &condition, request)
        }
        _ => page(connection, "memory x", "x.created_at", condition, request),
    }
}

/// The newest of what a viewer sees, each part by the index that has it in order: the user's own, and what others share. Joined by `OR` they
/// would be looked for among everybody's.
fn newest_seen(
    connection: &Connection,
    viewer: &Viewer,
    filter: &Filter,
    condition: &Condition,
    request: PageRequest,
) -> StoreResult<Page<Memory>> {
    let statuses: &[Status] = match filter.validity {
        _ if !filter.statuses.is_empty() => &filter.statuses,
        Validity::Current { .. } => &[Status::Active],
        _ => Status::ALL,
    };
    let limit = request.limit.min(limits::PAGE_ROWS);
    let most = Value::Integer((request.offset + limit) as i64);
    let (mut parts, mut parameters) = (Vec::new(), Vec::new());
    for status in statuses {
        for (index, whose) in [
            ("memory_by_user", "x.user = ?"),
            ("memory_shared", "x.user <> ? AND x.scope IN ('organization', 'persona')"),
        ] {
            parts.push(format!(
                "SELECT * FROM (SELECT x.row, x.created_at FROM memory x INDEXED BY {index}
                 WHERE x.status = '{status}' AND {whose} AND {}
                 ORDER BY x.created_at DESC, x.row DESC LIMIT ?)",
                condition.sql
            ));
            parameters.push(Value::Text(viewer.owner.user.to_string()));
            parameters.extend(condition.parameters.iter().cloned());
            parameters.push(most.clone());
        }
    }
    let sql = format!(
        "SELECT m.body FROM ({}) seen CROSS JOIN memory m ON m.row = seen.row
         ORDER BY seen.created_at DESC, seen.row DESC LIMIT ? OFFSET ?",
        parts.join(" UNION ALL ")
    );
    parameters.extend([Value::Integer(limit as i64), Value::Integer(request.offset as i64)]);
    let items: Vec<Memory> = bodies(connection, &sql, params_from_iter(parameters))?;
    let total = (request.offset + items.len()) as u64;
    Ok(Page { items, total })
}

fn entity_page(connection: &Connection, filter: &Filter, request: PageRequest) -> StoreResult<Page<Entity>> {
    let mut condition = Condition::default();
    condition.and("x.status = 'active'", []);
    owned(&mut condition, filter);
    page(connection, "entity x", "x.created_at", condition, request)
}

fn session_page(
    connection: &Connection,
    filter: &Filter,
    request: PageRequest,
) -> StoreResult<Page<Session>> {
    let from =
        format!("(SELECT row, {SESSION_BODY} AS body, agent, user, session, last_turn_at FROM session x) x");
    let mut condition = Condition::default();
    condition.and("1", []);
    owned(&mut condition, filter);
    if let Some(session) = &filter.session {
        condition.and("x.session = ?", [Value::Text(session.to_string())]);
    }
    if let Some(since) = filter.since {
        condition.and("x.last_turn_at >= ?", [Value::Text(since.to_string())]);
    }
    if let Some(until) = filter.until {
        condition.and("x.last_turn_at < ?", [Value::Text(until.to_string())]);
    }
    page(connection, &from, "x.last_turn_at", condition, request)
}

/// Of the agent and the user that the filter names, or else of its viewer's.
fn owned(condition: &mut Condition, filter: &Filter) {
    let viewer = filter.viewer.as_ref();
    if let Some(agent) = filter.agent.as_ref().or(viewer.map(|viewer| &viewer.owner.agent)) {
        condition.and("x.agent = ?", [Value::Text(agent.to_string())]);
    }
    if let Some(user) = filter.user.as_ref().or(viewer.map(|viewer| &viewer.owner.user)) {
        condition.and("x.user = ?", [Value::Text(user.to_string())]);
    }
}
