//! The rest of the reads: records by id, lists, conversations, the graph, what waits, what is set.

use std::collections::{BTreeMap, HashMap, HashSet};

use async_trait::async_trait;
use memory::error::{StoreError, StoreResult};
use memory::limits;
use memory::ports::{
    AgentCount, Census, Document, KnownTurn, LogEntry, Material, Nominee, ReadStore, Snapshot, Statistics,
    StoredVector, TurnPlace, Usage, WaitingSession,
};
use memory::text::Query;
use memory::types::{
    Agent, AgentId, ArchiveAccess, ArchivedText, Block, Corpus, Counters, Entity, Episode, Extent,
    FeedbackEntry, Filter, HeldCandidate, HistoryEvent, Job, Kept, Link, Memory, MemoryId, Node, Order,
    Override, Owner, Page, PageRequest, PendingTurn, ProcessingEntry, ProfileVersion, Receipt, RecordKind,
    RecordRef, RedoEntry, Relation, Role, Run, RunId, Session, SessionKey, Time, Turn, TurnId, UserId,
    Validity,
};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Params, Row, params, params_from_iter};
use serde::de::DeserializeOwned;

use super::filter::{Condition, condition};
use super::{
    Tenant, agents, archive, blocks, corpus_table, failed, feedback, history, index, jobs, known, locked,
    receipts, search, snapshot, transcript, unreadable, walk,
};
use crate::control;

impl Tenant {
    /// This tenant's own settings, read again only when the change log says that one changed.
    pub(super) async fn own_settings(&self) -> StoreResult<BTreeMap<String, serde_json::Value>> {
        self.read(|connection, inner| {
            let number = history::head(connection)?;
            let mut kept = locked(&inner.settings);
            if let Some((at, settings)) = kept.as_mut()
                && (*at == number || !setting_changed(connection, *at)?)
            {
                *at = number;
                return Ok(settings.clone());
            }
            let settings = control::read_settings(connection).map_err(failed)?;
            *kept = Some((number, settings.clone()));
            Ok(settings)
        })
        .await
    }
}

fn setting_changed(connection: &Connection, after: u64) -> StoreResult<bool> {
    let sql = "SELECT 1 FROM change_log WHERE number > ?1 AND kind = 'setting'";
    connection.prepare_cached(sql).and_then(|mut statement| statement.exists([after as i64])).map_err(failed)
}

/// Runs a query whose first column is a JSON body.
pub(super) fn bodies<T: DeserializeOwned>(
    connection: &Connection,
    sql: &str,
    parameters: impl Params,
) -> StoreResult<Vec<T>> {
    let mut statement = connection.prepare_cached(sql).map_err(failed)?;
    let mut rows = statement.query(parameters).map_err(failed)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next().map_err(failed)? {
        let body = row.get_ref(0).map_err(failed)?;
        let body = body.as_str().map_err(|error| StoreError::Failed(error.to_string()))?;
        found.push(serde_json::from_str(body).map_err(|error| unreadable("record", "in a list", &error))?);
    }
    Ok(found)
}

fn first<T>(found: Vec<T>) -> Option<T> {
    found.into_iter().next()
}

/// Ids as one parameter, bounded.
pub(super) fn id_list<'a>(ids: impl IntoIterator<Item = &'a str>) -> String {
    let ids: Vec<&str> = ids.into_iter().take(limits::READ_IDS).collect();
    serde_json::to_string(&ids).expect("strings are always JSON")
}

fn by_ids<T: DeserializeOwned>(connection: &Connection, table: &str, ids: &str) -> StoreResult<Vec<T>> {
    let sql =
        format!("SELECT r.body FROM json_each(?1) j CROSS JOIN {table} r ON r.id = j.value ORDER BY j.key");
    bodies(connection, &sql, [ids])
}

/// One page of a table, with the length of the whole.
fn page<T: DeserializeOwned>(
    connection: &Connection,
    from: &str,
    time: &str,
    condition: Condition,
    page: PageRequest,
) -> StoreResult<Page<T>> {
    let Condition { sql, mut parameters } = condition;
    let total = format!("SELECT count(*) FROM {from} WHERE {sql}");
    let mut statement = connection.prepare_cached(&total).map_err(failed)?;
    let total: i64 =
        statement.query_row(params_from_iter(parameters.clone()), |row| row.get(0)).map_err(failed)?;
    let direction = if page.order == Order::Newest { "DESC" } else { "ASC" };
    let sql = format!(
        "SELECT x.body FROM {from} WHERE {sql} ORDER BY {time} {direction}, x.row {direction} LIMIT ? OFFSET ?"
    );
    parameters.push(Value::Integer(page.limit.min(limits::PAGE_ROWS) as i64));
    parameters.push(Value::Integer(page.offset as i64));
    Ok(Page { items: bodies(connection, &sql, params_from_iter(parameters))?, total: total.max(0) as u64 })
}

pub(super) const TURN_COLUMNS: &str = "t.row, t.id, t.external_id, s.agent, s.user, s.session, t.idx, t.role, t.speaker, t.text, t.tokens, t.at, t.partial";

pub(super) fn turn(row: &Row<'_>) -> rusqlite::Result<(i64, Turn)> {
    let turn = Turn {
        id: given(row, 1)?,
        external_id: row.get(2)?,
        session: session_key(row, 3)?,
        index: row.get::<_, i64>(6)? as u64,
        role: row.get::<_, String>(7)?.parse().unwrap_or(Role::User),
        speaker: row.get(8)?,
        text: row.get(9)?,
        tokens: row.get(10)?,
        at: given(row, 11)?,
        partial: row.get(12)?,
    };
    Ok((row.get(0)?, turn))
}

/// A column that was checked when it was written.
pub(super) fn given<T>(row: &Row<'_>, column: usize) -> rusqlite::Result<T>
where
    T: std::str::FromStr,
    T::Err: std::error::Error + Send + Sync + 'static,
{
    let text: String = row.get(column)?;
    text.parse().map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, Box::new(error))
    })
}

pub(super) fn session_key(row: &Row<'_>, column: usize) -> rusqlite::Result<SessionKey> {
    Ok(SessionKey {
        agent: given(row, column)?,
        user: given(row, column + 1)?,
        session: given(row, column + 2)?,
    })
}

/// Runs a query and maps its rows.
pub(super) fn all<T>(
    connection: &Connection,
    sql: &str,
    parameters: impl Params,
    map: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> StoreResult<Vec<T>> {
    let mut statement = connection.prepare_cached(sql).map_err(failed)?;
    let rows = statement.query_map(parameters, map).map_err(failed)?;
    rows.collect::<rusqlite::Result<_>>().map_err(failed)
}

/// Sessions carry the moment of their last turn beside the body.
const SESSION_BODY: &str =
    "json_set(x.body, '$.last_turn_at', coalesce(x.last_turn_at, x.body ->> '$.last_turn_at'))";

#[async_trait]
impl ReadStore for Tenant {
    async fn head(&self) -> StoreResult<u64> {
        self.read(|connection, _| history::head(connection)).await
    }

    async fn changes_since(&self, number: u64, limit: usize) -> StoreResult<Option<Vec<LogEntry>>> {
        let limit = limit.min(limits::CHANGES_AT_ONCE) as i64;
        self.read(move |connection, _| {
            let oldest: Option<i64> =
                connection.query_row("SELECT min(number) FROM change_log", [], |row| row.get(0)).map_err(failed)?;
            if oldest.is_some_and(|oldest| (number as i64) < oldest - 1) {
                return Ok(None);
            }
            // Whole commits only: a follower that stopped half-way through one would believe itself past it.
            let sql = "SELECT number, kind, id FROM change_log WHERE number > ?1 AND number <=
                         coalesce((SELECT number FROM change_log WHERE number > ?1 ORDER BY number, ordinal LIMIT 1 OFFSET ?2), 9223372036854775807)
                       ORDER BY number, ordinal";
            let entry = |row: &Row<'_>| {
                Ok(LogEntry { number: row.get::<_, i64>(0)? as u64, kind: row.get(1)?, id: row.get(2)? })
            };
            all(connection, sql, params![number as i64, (limit - 1).max(0)], entry).map(Some)
        })
        .await
    }

    async fn memories(&self, ids: &[MemoryId]) -> StoreResult<Vec<Memory>> {
        let ids = id_list(ids.iter().map(MemoryId::as_str));
        self.read(move |connection, _| by_ids(connection, "memory", &ids)).await
    }

    async fn list_memories(&self, filter: &Filter, request: PageRequest) -> StoreResult<Page<Memory>> {
        let filter = filter.clone();
        self.read(move |connection, _| {
            if let Validity::KnownAt { then } = filter.validity {
                return search::page_known_at(connection, then, &filter, request);
            }
            page(connection, "memory x", "x.created_at", condition(Corpus::Memories, &filter), request)
        })
        .await
    }

    async fn counters(&self, ids: &[MemoryId]) -> StoreResult<HashMap<MemoryId, Counters>> {
        let ids = id_list(ids.iter().map(MemoryId::as_str));
        self.read(move |connection, _| {
            let sql =
                "SELECT c.memory, c.use_count, c.source_count, c.last_used_at, c.used, c.ignored, c.wrong
                       FROM json_each(?1) j CROSS JOIN counter c ON c.memory = j.value";
            let counters = all(connection, sql, [ids], |row| {
                let last: Option<String> = row.get(3)?;
                let counters = Counters {
                    use_count: row.get::<_, i64>(1)? as u64,
                    source_count: row.get::<_, i64>(2)? as u64,
                    last_used_at: last.and_then(|last| last.parse().ok()),
                    used: row.get::<_, i64>(4)? as u64,
                    ignored: row.get::<_, i64>(5)? as u64,
                    wrong: row.get::<_, i64>(6)? as u64,
                };
                Ok((given(row, 0)?, counters))
            })?;
            Ok(counters.into_iter().collect())
        })
        .await
    }

    async fn nominate(
        &self,
        corpus: Corpus,
        query: &Query,
        filter: &Filter,
        limit: usize,
    ) -> StoreResult<Vec<Nominee>> {
        let (query, filter) = (query.clone(), filter.clone());
        self.read(move |connection, inner| {
            search::nominate(connection, &inner.analyser, corpus, &query, &filter, limit)
        })
        .await
    }

    async fn nominate_like(
        &self,
        corpus: Corpus,
        words: &[String],
        filter: &Filter,
        limit: usize,
    ) -> StoreResult<Vec<Nominee>> {
        let (words, filter) = (words.to_vec(), filter.clone());
        self.read(move |connection, _| search::nominate_like(connection, corpus, &words, &filter, limit))
            .await
    }

    async fn nominate_recent(
        &self,
        corpus: Corpus,
        filter: &Filter,
        limit: usize,
    ) -> StoreResult<Vec<Nominee>> {
        let filter = filter.clone();
        self.read(move |connection, _| search::nominate_recent(connection, corpus, &filter, limit)).await
    }

    async fn nominate_near(
        &self,
        corpus: Corpus,
        signature: &str,
        question: &[f32],
        filter: &Filter,
        limit: usize,
    ) -> StoreResult<Option<Vec<(Nominee, f32)>>> {
        let (signature, question, filter) = (signature.to_owned(), question.to_vec(), filter.clone());
        let near = move |connection: &Connection, inner: &std::sync::Arc<super::Inner>| {
            super::near::nominate(connection, inner, corpus, &signature, &question, &filter, limit)
        };
        self.read_shared(near).await
    }

    async fn admit(&self, corpus: Corpus, rows: &[i64], filter: &Filter) -> StoreResult<Vec<Nominee>> {
        let (rows, filter) = (rows.to_vec(), filter.clone());
        self.read(move |connection, _| search::admit(connection, corpus, &rows, &filter)).await
    }

    async fn statistics(&self, corpus: Corpus, terms: &[String]) -> StoreResult<Statistics> {
        let terms = terms.to_vec();
        self.read(move |connection, inner| search::statistics(connection, inner, corpus, &terms)).await
    }

    async fn documents(&self, corpus: Corpus, rows: &[i64]) -> StoreResult<Vec<Document>> {
        let rows = rows.to_vec();
        self.read(move |connection, _| search::documents(connection, corpus, &rows)).await
    }

    async fn turns(&self, ids: &[TurnId]) -> StoreResult<Vec<Turn>> {
        let ids = id_list(ids.iter().map(TurnId::as_str));
        self.read(move |connection, _| {
            let sql = format!(
                "SELECT {TURN_COLUMNS} FROM json_each(?1) j CROSS JOIN turn t ON t.id = j.value
                 CROSS JOIN session s ON s.row = t.session_row ORDER BY j.key"
            );
            Ok(all(connection, &sql, [ids], turn)?.into_iter().map(|(_, turn)| turn).collect())
        })
        .await
    }

    async fn turns_at(&self, rows: &[i64]) -> StoreResult<Vec<(i64, Turn)>> {
        let rows = search::json_list(rows);
        self.read(move |connection, _| {
            let sql = format!(
                "SELECT {TURN_COLUMNS} FROM json_each(?1) j CROSS JOIN turn t ON t.row = j.value
                 CROSS JOIN session s ON s.row = t.session_row ORDER BY j.key"
            );
            all(connection, &sql, [rows], turn)
        })
        .await
    }

    async fn neighbours(&self, rows: &[i64], radius: u64) -> StoreResult<Vec<TurnPlace>> {
        let rows = search::json_list(rows);
        self.read(move |connection, _| {
            let sql = "SELECT DISTINCT n.id, n.row, s.agent, s.user, s.session, n.idx, n.role, n.speaker, n.at
                       FROM json_each(?1) j CROSS JOIN turn t ON t.row = j.value
                       CROSS JOIN turn n ON n.session_row = t.session_row AND n.idx BETWEEN t.idx - ?2 AND t.idx + ?2
                       CROSS JOIN session s ON s.row = n.session_row ORDER BY n.row";
            all(connection, sql, params![rows, radius as i64], |row| {
                Ok(TurnPlace {
                    id: given(row, 0)?,
                    row: row.get(1)?,
                    session: session_key(row, 2)?,
                    index: row.get::<_, i64>(5)? as u64,
                    role: row.get::<_, String>(6)?.parse().unwrap_or(Role::User),
                    speaker: row.get(7)?,
                    at: given(row, 8)?,
                })
            })
        })
        .await
    }

    async fn session(&self, key: &SessionKey) -> StoreResult<Option<Session>> {
        let key = key.to_string();
        self.read(move |connection, _| {
            let sql = format!("SELECT {SESSION_BODY} FROM session x WHERE x.id = ?1");
            bodies(connection, &sql, [key]).map(first)
        })
        .await
    }

    async fn list_sessions(&self, filter: &Filter, request: PageRequest) -> StoreResult<Page<Session>> {
        let filter = filter.clone();
        self.read(move |connection, _| {
            let from = format!(
                "(SELECT row, {SESSION_BODY} AS body, agent, user, session, last_turn_at FROM session x) x"
            );
            let mut condition = Condition::default();
            condition.and("1", []);
            let viewer = filter.viewer.as_ref();
            let agent = filter.agent.as_ref().or(viewer.map(|viewer| &viewer.owner.agent));
            let user = filter.user.as_ref().or(viewer.map(|viewer| &viewer.owner.user));
            let names = [
                ("agent", agent.map(ToString::to_string)),
                ("user", user.map(ToString::to_string)),
                ("session", filter.session.as_ref().map(ToString::to_string)),
            ];
            for (column, value) in names {
                if let Some(value) = value {
                    condition.and(&format!("x.{column} = ?"), [Value::Text(value)]);
                }
            }
            if let Some(since) = filter.since {
                condition.and("x.last_turn_at >= ?", [Value::Text(since.to_string())]);
            }
            if let Some(until) = filter.until {
                condition.and("x.last_turn_at < ?", [Value::Text(until.to_string())]);
            }
            page(connection, &from, "x.last_turn_at", condition, request)
        })
        .await
    }

    async fn list_turns(
        &self,
        filter: &Filter,
        role: Option<Role>,
        request: PageRequest,
    ) -> StoreResult<Page<Turn>> {
        let filter = filter.clone();
        self.read(move |connection, _| transcript::page(connection, &filter, role, request)).await
    }

    async fn session_turns(&self, key: &SessionKey, from_index: u64, limit: usize) -> StoreResult<Vec<Turn>> {
        let key = key.to_string();
        self.read(move |connection, _| {
            let sql = format!(
                "SELECT {TURN_COLUMNS} FROM session s JOIN turn t ON t.session_row = s.row
                 WHERE s.id = ?1 AND t.idx >= ?2 ORDER BY t.idx LIMIT ?3"
            );
            let found = all(
                connection,
                &sql,
                params![key, from_index as i64, limit.min(limits::READ_IDS) as i64],
                turn,
            )?;
            Ok(found.into_iter().map(|(_, turn)| turn).collect())
        })
        .await
    }

    async fn episodes(&self, ids: &[String]) -> StoreResult<Vec<Episode>> {
        let ids = id_list(ids.iter().map(String::as_str));
        self.read(move |connection, _| by_ids(connection, "episode", &ids)).await
    }

    async fn episode_of(&self, key: &SessionKey) -> StoreResult<Option<Episode>> {
        let key = key.clone();
        self.read(move |connection, _| {
            let sql = "SELECT body FROM episode WHERE agent = ?1 AND user = ?2 AND session = ?3 AND status = 'active'";
            bodies(connection, sql, [key.agent.as_str(), key.user.as_str(), key.session.as_str()]).map(first)
        })
        .await
    }

    async fn list_episodes(&self, filter: &Filter, request: PageRequest) -> StoreResult<Page<Episode>> {
        let filter = filter.clone();
        self.read(move |connection, _| {
            page(connection, "episode x", "x.ended_at", condition(Corpus::Episodes, &filter), request)
        })
        .await
    }

    async fn list_entities(&self, filter: &Filter, request: PageRequest) -> StoreResult<Page<Entity>> {
        let filter = filter.clone();
        self.read(move |connection, _| {
            let mut condition = Condition::default();
            condition.and("x.status = 'active'", []);
            let viewer = filter.viewer.as_ref();
            if let Some(agent) = filter.agent.as_ref().or(viewer.map(|viewer| &viewer.owner.agent)) {
                condition.and("x.agent = ?", [Value::Text(agent.to_string())]);
            }
            if let Some(user) = filter.user.as_ref().or(viewer.map(|viewer| &viewer.owner.user)) {
                condition.and("x.user = ?", [Value::Text(user.to_string())]);
            }
            page(connection, "entity x", "x.created_at", condition, request)
        })
        .await
    }

    async fn entities_named(&self, name: &str) -> StoreResult<Vec<Entity>> {
        let folded = name.trim().to_lowercase();
        self.read(move |connection, _| {
            let sql = "SELECT e.body FROM entity_name n JOIN entity e ON e.id = n.entity WHERE n.folded = ?1 ORDER BY e.row";
            bodies(connection, sql, [folded])
        })
        .await
    }

    async fn entities(&self, ids: &[String]) -> StoreResult<Vec<Entity>> {
        let ids = id_list(ids.iter().map(String::as_str));
        self.read(move |connection, _| by_ids(connection, "entity", &ids)).await
    }

    async fn relations_of(&self, entities: &[String]) -> StoreResult<Vec<Relation>> {
        let ids = id_list(entities.iter().map(String::as_str));
        self.read(move |connection, _| {
            let sql = "SELECT body FROM relation WHERE status = 'active' AND row IN (
                           SELECT r.row FROM json_each(?1) j JOIN relation r ON r.subject = j.value
                           UNION SELECT r.row FROM json_each(?1) j JOIN relation r ON r.object = j.value) ORDER BY row";
            bodies(connection, sql, [ids])
        })
        .await
    }

    async fn links_of(&self, memories: &[MemoryId]) -> StoreResult<Vec<Link>> {
        let ids = id_list(memories.iter().map(MemoryId::as_str));
        self.read(move |connection, _| {
            let sql = "SELECT body FROM link WHERE row IN (
                           SELECT l.row FROM json_each(?1) j JOIN link l ON l.source = j.value
                           UNION SELECT l.row FROM json_each(?1) j JOIN link l ON l.target = j.value) ORDER BY row";
            bodies(connection, sql, [ids])
        })
        .await
    }

    async fn held(&self, key: &SessionKey) -> StoreResult<Vec<HeldCandidate>> {
        let key = key.clone();
        self.read(move |connection, _| {
            let sql = "SELECT body FROM held WHERE agent = ?1 AND user = ?2 AND session = ?3 ORDER BY row";
            bodies(connection, sql, [key.agent.as_str(), key.user.as_str(), key.session.as_str()])
        })
        .await
    }

    async fn pending(&self, limit: usize) -> StoreResult<Vec<PendingTurn>> {
        self.read(move |connection, _| {
            let sql = format!("{PENDING} ORDER BY p.dead, p.turn_row LIMIT ?1");
            all(connection, &sql, [limit.min(limits::READ_IDS) as i64], pending_turn)
        })
        .await
    }

    async fn pending_of(&self, key: &SessionKey) -> StoreResult<Vec<PendingTurn>> {
        let key = key.to_string();
        self.read(move |connection, _| {
            let sql = format!("{PENDING} WHERE s.id = ?1 ORDER BY p.turn_row LIMIT ?2");
            all(connection, &sql, params![key, limits::READ_IDS as i64], pending_turn)
        })
        .await
    }

    async fn waiting_sessions(&self, limit: usize) -> StoreResult<Vec<WaitingSession>> {
        self.read(move |connection, _| {
            let sql = "SELECT s.agent, s.user, s.session, min(p.since), coalesce(s.last_turn_at, s.started_at), count(*)
                       FROM pending p JOIN session s ON s.row = p.session_row WHERE NOT p.dead
                       GROUP BY p.session_row ORDER BY min(p.since), p.session_row LIMIT ?1";
            all(connection, sql, [limit.min(limits::READ_IDS) as i64], |row| {
                Ok(WaitingSession {
                    session: session_key(row, 0)?,
                    since: given(row, 3)?,
                    last_turn_at: given(row, 4)?,
                    turns: row.get::<_, i64>(5)? as u64,
                })
            })
        })
        .await
    }

    async fn idle_sessions(&self, before: Time, limit: usize) -> StoreResult<Vec<SessionKey>> {
        self.read(move |connection, _| {
            let sql = "SELECT agent, user, session FROM session
                       WHERE ended_at IS NULL AND last_turn_at IS NOT NULL AND last_turn_at < ?1
                       ORDER BY last_turn_at, row LIMIT ?2";
            let parameters = params![before.to_string(), limit.min(limits::READ_IDS) as i64];
            all(connection, sql, parameters, |row| session_key(row, 0))
        })
        .await
    }

    async fn held_of(&self, owner: &Owner, limit: usize) -> StoreResult<Vec<HeldCandidate>> {
        let owner = owner.clone();
        self.read(move |connection, _| {
            let sql = "SELECT body FROM held WHERE agent = ?1 AND user = ?2 ORDER BY row DESC LIMIT ?3";
            let parameters =
                params![owner.agent.as_str(), owner.user.as_str(), limit.min(limits::READ_IDS) as i64];
            bodies(connection, sql, parameters)
        })
        .await
    }

    async fn memories_by_key(&self, owner: &Owner, keys: &[String]) -> StoreResult<Vec<Memory>> {
        let (owner, keys) = (owner.clone(), id_list(keys.iter().map(String::as_str)));
        self.read(move |connection, _| {
            let sql = "SELECT m.body FROM json_each(?3) j CROSS JOIN memory m
                       ON m.agent = ?1 AND m.user = ?2 AND m.key = j.value AND m.key IS NOT NULL AND m.status = 'active'
                       ORDER BY m.row";
            bodies(connection, sql, params![owner.agent.as_str(), owner.user.as_str(), keys])
        })
        .await
    }

    async fn redo(&self, limit: usize) -> StoreResult<Vec<RedoEntry>> {
        self.read(move |connection, _| {
            let sql = "SELECT s.agent, s.user, s.session, r.since, r.failures, r.last_error, r.dead FROM redo r JOIN session s ON s.row = r.session_row
                       ORDER BY r.since, r.session_row LIMIT ?1";
            all(connection, sql, [limit.min(limits::READ_IDS) as i64], |row| {
                Ok(RedoEntry {
                    session: session_key(row, 0)?,
                    since: given(row, 3)?,
                    failures: row.get(4)?,
                    last_error: row.get(5)?,
                    dead: row.get(6)?,
                })
            })
        })
        .await
    }

    async fn profile(&self, user: &UserId) -> StoreResult<Option<ProfileVersion>> {
        let user = user.to_string();
        let sql = "SELECT body FROM profile WHERE user = ?1 ORDER BY number DESC LIMIT 1";
        self.read(move |connection, _| bodies(connection, sql, [user]).map(first)).await
    }

    async fn profile_versions(&self, user: &UserId) -> StoreResult<Vec<ProfileVersion>> {
        let user = user.to_string();
        let sql = "SELECT body FROM profile WHERE user = ?1 ORDER BY number";
        self.read(move |connection, _| bodies(connection, sql, [user])).await
    }

    async fn overrides(&self, user: &UserId) -> StoreResult<Vec<Override>> {
        let user = user.to_string();
        let sql = "SELECT body FROM override WHERE user = ?1 ORDER BY row";
        self.read(move |connection, _| bodies(connection, sql, [user])).await
    }

    async fn agents(&self) -> StoreResult<Vec<Agent>> {
        self.read(|connection, _| bodies(connection, "SELECT body FROM agent ORDER BY row", [])).await
    }

    async fn agent(&self, id: &AgentId) -> StoreResult<Option<Agent>> {
        let id = id.clone();
        self.read(move |connection, _| agents::one(connection, &id)).await
    }

    async fn agent_counts(&self) -> StoreResult<Vec<AgentCount>> {
        self.read(|connection, _| agents::counts(connection)).await
    }

    async fn pending_tokens(&self, key: &SessionKey) -> StoreResult<u64> {
        let key = key.to_string();
        self.read(move |connection, _| agents::pending_tokens(connection, &key)).await
    }

    async fn runs(&self, limit: usize) -> StoreResult<Vec<Run>> {
        let sql = "SELECT body FROM run ORDER BY started_at DESC, row DESC LIMIT ?1";
        self.read(move |connection, _| bodies(connection, sql, [limit.min(limits::PAGE_ROWS) as i64])).await
    }

    async fn history(&self, of: &RecordRef) -> StoreResult<Vec<HistoryEvent>> {
        let of = of.clone();
        self.read(move |connection, _| history::of_record(connection, &of)).await
    }

    async fn history_of_run(&self, run: &RunId) -> StoreResult<Vec<HistoryEvent>> {
        let run = run.clone();
        self.read(move |connection, _| history::of_run(connection, &run)).await
    }

    async fn parents(&self, child: &Node) -> StoreResult<Vec<Node>> {
        let (kind, id) = (child.kind(), child.id().to_owned());
        let sql =
            "SELECT parent_kind, parent FROM derived WHERE child = ?1 AND child_kind = ?2 ORDER BY parent";
        self.read(move |connection, _| nodes(connection, sql, &id, kind)).await
    }

    async fn children(&self, parent: &Node) -> StoreResult<Vec<Node>> {
        let (kind, id) = (parent.kind(), parent.id().to_owned());
        let sql =
            "SELECT child_kind, child FROM derived WHERE parent = ?1 AND parent_kind = ?2 ORDER BY child";
        self.read(move |connection, _| nodes(connection, sql, &id, kind)).await
    }

    async fn vectors(
        &self,
        corpus: Corpus,
        signature: &str,
        after: i64,
        limit: usize,
    ) -> StoreResult<Vec<StoredVector>> {
        let (table, signature) = (corpus_table(corpus), signature.to_owned());
        self.read(move |connection, _| {
            let sql = format!(
                "SELECT r.row, r.id, v.bytes FROM signature s CROSS JOIN {table} r
                 CROSS JOIN {table}_vector v ON v.place = r.row * 256 + s.id
                 WHERE s.name = ?1 AND r.row > ?2 ORDER BY r.row LIMIT ?3"
            );
            all(
                connection,
                &sql,
                params![signature, after, limit.min(limits::READ_IDS) as i64],
                stored_vector,
            )
        })
        .await
    }

    async fn vectors_at(
        &self,
        corpus: Corpus,
        signature: &str,
        rows: &[i64],
    ) -> StoreResult<Vec<StoredVector>> {
        let (signature, rows) = (signature.to_owned(), rows.to_vec());
        self.read(move |connection, _| vectors_at(connection, corpus, &signature, &rows)).await
    }

    async fn material(
        &self,
        corpus: Corpus,
        rows: &[i64],
        terms: &[String],
        signature: Option<&str>,
    ) -> StoreResult<Material> {
        let (rows, terms, signature) = (rows.to_vec(), terms.to_vec(), signature.map(str::to_owned));
        self.read(move |connection, inner| {
            let vectors = match signature {
                Some(signature) => vectors_at(connection, corpus, &signature, &rows)?,
                None => Vec::new(),
            };
            Ok(Material {
                statistics: search::statistics(connection, inner, corpus, &terms)?,
                documents: search::documents(connection, corpus, &rows)?,
                vectors,
            })
        })
        .await
    }

    async fn without_vector(
        &self,
        corpus: Corpus,
        signature: &str,
        limit: usize,
    ) -> StoreResult<Vec<(String, String)>> {
        let (table, signature) = (corpus_table(corpus), signature.to_owned());
        self.read(move |connection, _| {
            let condition = format!(
                "NOT EXISTS (SELECT 1 FROM signature s JOIN {table}_vector v
                     ON v.place = r.row * 256 + s.id WHERE s.name = ?1)"
            );
            let rows = embeddable_rows(connection, corpus, &condition, params![signature, limit as i64])?;
            Ok(rows.into_iter().map(|(_, id, text)| (id, text)).collect())
        })
        .await
    }

    async fn settings(&self) -> StoreResult<BTreeMap<String, serde_json::Value>> {
        self.own_settings().await
    }

    async fn processing_log(&self, limit: usize) -> StoreResult<Vec<ProcessingEntry>> {
        let sql = "SELECT body FROM processing ORDER BY row DESC LIMIT ?1";
        self.read(move |connection, _| bodies(connection, sql, [limit.min(limits::PAGE_ROWS) as i64])).await
    }

    async fn usage_since(&self, since: Time) -> StoreResult<Usage> {
        self.read(move |connection, _| known::usage_since(connection, since)).await
    }

    async fn blocks(&self, hashes: &[String]) -> StoreResult<Vec<Block>> {
        let hashes = hashes.to_vec();
        self.read(move |connection, _| blocks::read(connection, &hashes)).await
    }

    async fn places_of(&self, external_ids: &[String]) -> StoreResult<Vec<KnownTurn>> {
        let ids = external_ids.to_vec();
        self.read(move |connection, _| known::places_of(connection, &ids)).await
    }

    async fn replies_like(&self, text_hashes: &[String], limit: usize) -> StoreResult<Vec<KnownTurn>> {
        let hashes = text_hashes.to_vec();
        self.read(move |connection, _| known::replies_like(connection, &hashes, limit)).await
    }

    async fn learned_of(&self, user: &UserId, since: Time, limit: usize) -> StoreResult<Vec<Memory>> {
        let user = user.clone();
        self.read(move |connection, _| known::learned_of(connection, &user, since, limit)).await
    }

    async fn census(&self) -> StoreResult<Census> {
        self.read(|connection, _| census(connection)).await
    }

    async fn memories_after(&self, after: i64, limit: usize) -> StoreResult<Vec<(i64, Memory)>> {
        self.read(move |connection, _| walk::after(connection, "memory", after, limit)).await
    }

    async fn episodes_after(&self, after: i64, limit: usize) -> StoreResult<Vec<(i64, Episode)>> {
        self.read(move |connection, _| walk::after(connection, "episode", after, limit)).await
    }

    async fn memories_by_hash(&self, hashes: &[String]) -> StoreResult<Vec<(i64, Memory)>> {
        let hashes = hashes.to_vec();
        self.read(move |connection, _| walk::by_hash(connection, &hashes)).await
    }

    async fn users_after(&self, after: Option<&UserId>, limit: usize) -> StoreResult<Vec<UserId>> {
        let after = after.cloned();
        self.read(move |connection, _| walk::users_after(connection, after.as_ref(), limit)).await
    }

    async fn touched_by_people(&self, kind: RecordKind, ids: &[String]) -> StoreResult<HashSet<String>> {
        let ids = ids.to_vec();
        self.read(move |connection, _| walk::touched_by_people(connection, kind, &ids)).await
    }

    async fn run(&self, id: &RunId) -> StoreResult<Option<Run>> {
        let id = id.clone();
        let sql = "SELECT body FROM run WHERE id = ?1";
        self.read(move |connection, _| bodies(connection, sql, [id.as_str()]).map(first)).await
    }

    async fn records_of_run(
        &self,
        run: &RunId,
        after: Option<&RecordRef>,
        limit: usize,
    ) -> StoreResult<Vec<RecordRef>> {
        let (run, after) = (run.clone(), after.cloned());
        self.read(move |connection, _| walk::records_of_run(connection, &run, after.as_ref(), limit)).await
    }

    async fn blocks_after(&self, at: Time, hash: &str, limit: usize) -> StoreResult<Vec<Block>> {
        let hash = hash.to_owned();
        self.read(move |connection, _| walk::blocks_after(connection, at, &hash, limit)).await
    }

    async fn episodes_before(&self, before: Time, limit: usize) -> StoreResult<Vec<String>> {
        self.read(move |connection, _| walk::episodes_before(connection, before, limit)).await
    }

    async fn turns_before(&self, before: Time, limit: usize) -> StoreResult<Vec<TurnId>> {
        self.read(move |connection, _| walk::turns_before(connection, before, limit)).await
    }

    async fn empty_sessions(&self, before: Time, limit: usize) -> StoreResult<Vec<SessionKey>> {
        self.read(move |connection, _| walk::empty_sessions(connection, before, limit)).await
    }

    async fn older_than(&self, what: Kept, before: Time) -> StoreResult<u64> {
        self.read(move |connection, _| jobs::older_than(connection, what, before)).await
    }

    async fn job(&self, name: &str) -> StoreResult<Option<Job>> {
        let name = name.to_owned();
        self.read(move |connection, _| jobs::read(connection, &name)).await
    }

    async fn archived_text(&self, memory: &MemoryId) -> StoreResult<Option<ArchivedText>> {
        let memory = memory.clone();
        self.read(move |connection, _| archive::read(connection, &memory)).await
    }

    async fn archive_accesses(&self, memory: &MemoryId) -> StoreResult<Vec<ArchiveAccess>> {
        let memory = memory.clone();
        self.read(move |connection, _| archive::accesses(connection, &memory)).await
    }

    async fn out_of_step(&self, corpus: Corpus, after: i64, limit: usize) -> StoreResult<Vec<i64>> {
        self.read(move |connection, _| walk::out_of_step(connection, corpus, after, limit)).await
    }

    async fn feedback_of(&self, memories: &[MemoryId], limit: usize) -> StoreResult<Vec<FeedbackEntry>> {
        let memories = memories.to_vec();
        self.read(move |connection, _| feedback::of(connection, &memories, limit)).await
    }

    async fn receipts(&self, limit: usize) -> StoreResult<Vec<Receipt>> {
        self.read(move |connection, _| receipts::latest(connection, limit)).await
    }

    async fn snapshot(&self, extent: &Extent) -> StoreResult<Box<dyn Snapshot>> {
        snapshot::take(self, extent).await
    }
}

const PENDING: &str = "SELECT t.id, s.agent, s.user, s.session, p.since, p.failures, p.last_error, p.dead
    FROM pending p JOIN turn t ON t.row = p.turn_row JOIN session s ON s.row = p.session_row";

fn pending_turn(row: &Row<'_>) -> rusqlite::Result<PendingTurn> {
    Ok(PendingTurn {
        turn: given(row, 0)?,
        session: session_key(row, 1)?,
        since: given(row, 4)?,
        failures: row.get(5)?,
        last_error: row.get(6)?,
        dead: row.get(7)?,
    })
}

/// The rows after this one that have or should have vectors, with their ids and texts.
pub fn embeddable_after(
    connection: &Connection,
    corpus: Corpus,
    after: i64,
    limit: usize,
) -> StoreResult<Vec<(i64, String, String)>> {
    embeddable_rows(connection, corpus, "r.row > ?1", params![after, limit as i64])
}

fn embeddable_rows(
    connection: &Connection,
    corpus: Corpus,
    condition: &str,
    parameters: impl rusqlite::Params,
) -> StoreResult<Vec<(i64, String, String)>> {
    let table = corpus_table(corpus);
    let columns = if corpus == Corpus::Turns { "r.role, r.speaker, r.text" } else { "r.body, NULL, NULL" };
    let sql = format!(
        "SELECT r.row, r.id, {columns} FROM {table} r JOIN {table}_doc d ON d.row = r.row
         WHERE {condition} ORDER BY r.row LIMIT ?2"
    );
    let rows = all(connection, &sql, parameters, |row| {
        let text = |column| row.get::<_, Option<String>>(column);
        Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?, row.get::<_, String>(2)?, text(3)?, text(4)?))
    })?;
    let texts = rows.into_iter().map(|(row, id, first, speaker, text)| {
        embeddable(corpus, id, &first, speaker, text).map(|(id, text)| (row, id, text))
    });
    texts.collect()
}

/// The id and the text of a row that wants a vector.
fn embeddable(
    corpus: Corpus,
    id: String,
    first: &str,
    speaker: Option<String>,
    text: Option<String>,
) -> StoreResult<(String, String)> {
    let text = match corpus {
        Corpus::Turns => {
            let role = first.parse().unwrap_or(Role::User);
            index::turn_text_of(role, speaker.as_deref(), &text.unwrap_or_default())
        }
        Corpus::Memories => {
            let memory: Memory =
                serde_json::from_str(first).map_err(|error| unreadable("memory", &id, &error))?;
            index::memory_meaning(&memory)
        }
        Corpus::Episodes => {
            let episode: Episode =
                serde_json::from_str(first).map_err(|error| unreadable("episode", &id, &error))?;
            index::episode_text(&episode)
        }
    };
    Ok((id, text))
}

fn vectors_at(
    connection: &Connection,
    corpus: Corpus,
    signature: &str,
    rows: &[i64],
) -> StoreResult<Vec<StoredVector>> {
    let table = corpus_table(corpus);
    let sql = format!(
        "SELECT r.row, r.id, v.bytes FROM signature s CROSS JOIN json_each(?2) j
         CROSS JOIN {table}_vector v ON v.place = j.value * 256 + s.id
         CROSS JOIN {table} r ON r.row = j.value WHERE s.name = ?1 ORDER BY j.key"
    );
    all(connection, &sql, params![signature, search::json_list(rows)], stored_vector)
}

fn stored_vector(row: &Row<'_>) -> rusqlite::Result<StoredVector> {
    let bytes: Vec<u8> = row.get(2)?;
    let numbers = bytes.chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]]));
    Ok(StoredVector { row: row.get(0)?, id: row.get(1)?, vector: numbers.collect() })
}

fn nodes(connection: &Connection, sql: &str, id: &str, kind: &str) -> StoreResult<Vec<Node>> {
    let rows =
        all(connection, sql, [id, kind], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))?;
    Ok(rows.iter().filter_map(|(kind, id)| Node::from_parts(kind, id)).collect())
}

fn census(connection: &Connection) -> StoreResult<Census> {
    let transaction = connection.unchecked_transaction().map_err(failed)?;
    let count = |sql: &str| -> StoreResult<u64> {
        let counted: Option<i64> =
            transaction.query_row(sql, [], |row| row.get(0)).optional().map_err(failed)?;
        Ok(counted.unwrap_or(0).max(0) as u64)
    };
    let groups = |column: &str, condition: &str| -> StoreResult<BTreeMap<String, u64>> {
        let sql = format!("SELECT {column}, count(*) FROM memory WHERE {condition} GROUP BY 1");
        let rows = all(&transaction, &sql, [], |row| Ok((row.get(0)?, row.get::<_, i64>(1)? as u64)))?;
        Ok(rows.into_iter().collect())
    };
    Ok(Census {
        memories: groups("status", "1")?,
        memories_by_kind: groups("kind", "status = 'active'")?,
        memories_by_layer: groups("layer", "status = 'active'")?,
        turns: count("SELECT count(*) FROM turn")?,
        sessions: count("SELECT count(*) FROM session")?,
        episodes: count("SELECT count(*) FROM episode WHERE status = 'active'")?,
        entities: count("SELECT count(*) FROM entity WHERE status = 'active'")?,
        relations: count("SELECT count(*) FROM relation WHERE status = 'active'")?,
        links: count("SELECT count(*) FROM link")?,
        held: count("SELECT count(*) FROM held")?,
        archived_texts: count("SELECT count(*) FROM archive")?,
        pending: count("SELECT count(*) FROM pending WHERE NOT dead")?,
        dead_letters: count("SELECT count(*) FROM pending WHERE dead")?,
        vectors: count("SELECT coalesce(sum(vectors), 0) FROM vector_count")?,
        history_events: count("SELECT count(*) FROM history")?,
        change_number: history::head(&transaction)?,
        bytes_on_disk: count("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")?,
    })
}
