//! What was said, page by page, over all conversations that a filter lets through.

use memory::error::StoreResult;
use memory::limits;
use memory::types::{Corpus, Filter, Order, Page, PageRequest, Role, Turn};
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use super::failed;
use super::filter::condition;
use super::read::{TURN_COLUMNS, all, turn};

/// By the moment it was said; what was said at the same moment, in the order of its conversation.
pub fn page(
    connection: &Connection,
    filter: &Filter,
    role: Option<Role>,
    page: PageRequest,
) -> StoreResult<Page<Turn>> {
    let mut condition = condition(Corpus::Turns, filter);
    if let Some(role) = role {
        condition.and("t.role = ?", [Value::Text(role.as_str().to_owned())]);
    }
    let from = "turn t JOIN session x ON x.row = t.session_row";
    let total = format!("SELECT count(*) FROM {from} WHERE {}", condition.sql);
    let mut statement = connection.prepare_cached(&total).map_err(failed)?;
    let counted = statement.query_row(params_from_iter(condition.parameters.clone()), |row| row.get(0));
    let total: i64 = counted.map_err(failed)?;
    let direction = if page.order == Order::Newest { "DESC" } else { "ASC" };
    // The columns are those of the session under the name that the other reads of turns give it.
    let columns = TURN_COLUMNS.replace("s.", "x.");
    let sql = format!(
        "SELECT {columns} FROM {from} WHERE {} ORDER BY t.at {direction}, t.row {direction} LIMIT ? OFFSET ?",
        condition.sql
    );
    let mut parameters = condition.parameters;
    parameters.push(Value::Integer(page.limit.min(limits::PAGE_ROWS) as i64));
    parameters.push(Value::Integer(page.offset as i64));
    let found = all(connection, &sql, params_from_iter(parameters), turn)?;
    Ok(Page { items: found.into_iter().map(|(_, turn)| turn).collect(), total: total.max(0) as u64 })
}
