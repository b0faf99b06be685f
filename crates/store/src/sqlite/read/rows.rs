//! What every read is made of: running a query and mapping its rows, bodies, ids as one parameter, a page of a list.

use memory::error::{StoreError, StoreResult};
use memory::limits;
use memory::types::{Order, Page, PageRequest, SessionKey};
use rusqlite::types::Value;
use rusqlite::{Connection, Params, Row, params_from_iter};
use serde::de::DeserializeOwned;

use crate::sqlite::filter::Condition;
use crate::sqlite::{failed, unreadable};

/// Runs a query whose first column is a JSON body.
pub(in crate::sqlite) fn bodies<T: DeserializeOwned>(
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

/// Runs a query and maps its rows.
pub(in crate::sqlite) fn all<T>(
    connection: &Connection,
    sql: &str,
    parameters: impl Params,
    map: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> StoreResult<Vec<T>> {
    let mut statement = connection.prepare_cached(sql).map_err(failed)?;
    let rows = statement.query_map(parameters, map).map_err(failed)?;
    rows.collect::<rusqlite::Result<_>>().map_err(failed)
}

/// Ids as one parameter, bounded.
pub(in crate::sqlite) fn id_list<'a>(ids: impl IntoIterator<Item = &'a str>) -> String {
    let ids: Vec<&str> = ids.into_iter().take(limits::READ_IDS).collect();
    serde_json::to_string(&ids).expect("strings are always JSON")
}

/// As many rows as were asked for, bounded.
pub(super) fn at_most(limit: usize) -> i64 {
    limit.min(limits::READ_IDS) as i64
}

/// One page of a table, with the length of the whole.
pub(super) fn page<T: DeserializeOwned>(
    connection: &Connection,
    from: &str,
    time: &str,
    condition: Condition,
    page: PageRequest,
) -> StoreResult<Page<T>> {
    let Condition { sql: wanted, parameters } = condition;
    let direction = if page.order == Order::Newest { "DESC" } else { "ASC" };
    let sql = format!(
        "SELECT x.body FROM {from} WHERE {wanted} ORDER BY {time} {direction}, x.row {direction} LIMIT ? OFFSET ?"
    );
    let limit = page.limit.min(limits::PAGE_ROWS);
    let mut bounded = parameters.clone();
    bounded.extend([Value::Integer(limit as i64), Value::Integer(page.offset as i64)]);
    let items: Vec<T> = bodies(connection, &sql, params_from_iter(bounded))?;
    let read = (page.offset + items.len()) as u64;
    // A page that is not full is the last one, unless it begins behind the end.
    let is_last = items.len() < limit && (page.offset == 0 || !items.is_empty());
    if !page.counted || is_last {
        return Ok(Page { items, total: read });
    }
    let sql = format!("SELECT count(*) FROM {from} WHERE {wanted}");
    let mut statement = connection.prepare_cached(&sql).map_err(failed)?;
    let total: i64 = statement.query_row(params_from_iter(parameters), |row| row.get(0)).map_err(failed)?;
    Ok(Page { items, total: total.max(0) as u64 })
}

/// A column that was checked when it was written.
pub(in crate::sqlite) fn given<T>(row: &Row<'_>, column: usize) -> rusqlite::Result<T>
where
    T: std::str::FromStr,
    T::Err: std::error::Error + Send + Sync + 'static,
{
    let text: String = row.get(column)?;
    text.parse().map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, Box::new(error))
    })
}

/// A session's name out of three columns beside each other.
pub(in crate::sqlite) fn session_key(row: &Row<'_>, column: usize) -> rusqlite::Result<SessionKey> {
    Ok(SessionKey {
        agent: given(row, column)?,
        user: given(row, column + 1)?,
        session: given(row, column + 2)?,
    })
}
