//! What waits too long: turns to be learned from, dead letters, runs that never ended.

use memory::checkup::Finding;
use memory::error::StoreResult;

use super::{CheckupContext, count, named, rows};
use crate::limits;

fn before(look: &CheckupContext<'_>, seconds: i64) -> String {
    look.now.plus_seconds(-seconds).to_string()
}

pub fn stuck(look: &CheckupContext<'_>) -> StoreResult<Vec<Finding>> {
    let sql = "SELECT t.id FROM pending p JOIN turn t ON t.row = p.turn_row WHERE NOT p.dead AND p.since < ?1 ORDER BY p.since";
    named(look, "pending.stuck", "pending", sql, [before(look, limits::PENDING_STUCK_SECONDS)])
}

pub fn dead(look: &CheckupContext<'_>) -> StoreResult<Vec<Finding>> {
    let sql = "SELECT t.id FROM pending p JOIN turn t ON t.row = p.turn_row WHERE p.dead ORDER BY p.since";
    named(look, "pending.dead", "pending", sql, [])
}

pub fn redo(look: &CheckupContext<'_>) -> StoreResult<Vec<Finding>> {
    let mut finding = Finding::new("redo.dead", count(look.connection, "redo")?);
    let sql = "SELECT s.id FROM redo r JOIN session s ON s.row = r.session_row WHERE r.dead ORDER BY r.since";
    for id in rows(look.connection, sql, [], |row| row.get::<_, String>(0))? {
        finding.add(id.replace('\u{1f}', "/"));
    }
    Ok(finding.found().into_iter().collect())
}

/// Whether somebody is at one of them, only the leases tell: the surface asks them.
pub fn runs(look: &CheckupContext<'_>) -> StoreResult<Vec<Finding>> {
    let sql = "SELECT id FROM run WHERE json_valid(body) AND body ->> '$.state' = 'running'
               AND body ->> '$.job' <> ?2 AND started_at < ?1 ORDER BY row";
    let parameters = [before(look, limits::RUN_STALE_SECONDS), memory::forget::JOB.to_owned()];
    named(look, "runs.unfinished", "run", sql, parameters)
}
