//! What upkeep writes besides records: when it is due, counts that a memory takes over, and what goes for good.
//!
//! Counts and derivations have no history. What a run adds to them carries the run's id, so that taking the run back takes
//! exactly that away.

use memory::error::StoreResult;
use memory::learn::relearn::{LEARNER_MARK, LEARNER_VERSION};
use memory::types::{Counters, Job, Kept, MemoryId, RunId, Time};
use rusqlite::{Connection, params};

use super::apply::Applying;
use super::failed;
use super::read::{all, given};

pub fn put(applying: &Applying<'_>, job: &Job) -> StoreResult<()> {
    let sql = "INSERT INTO job (name, due_at, last_run_at, mark) VALUES (?1, ?2, ?3, ?4)
               ON CONFLICT (name) DO UPDATE SET due_at = excluded.due_at, last_run_at = excluded.last_run_at,
                   mark = excluded.mark";
    let last = job.last_run_at.map(|at| at.to_string());
    applying.execute(sql, params![job.name, job.due_at.to_string(), last, job.mark]).map(drop)
}

/// A new database will hold what today's learner learned.
pub fn mark_learner(connection: &Connection) -> StoreResult<()> {
    let sql = "INSERT OR IGNORE INTO job (name, due_at, mark) VALUES (?1, '1970-01-01T00:00:00.000000Z', ?2)";
    connection.execute(sql, params![LEARNER_MARK, LEARNER_VERSION]).map_err(failed).map(drop)
}

pub fn read(connection: &Connection, name: &str) -> StoreResult<Option<Job>> {
    let sql = "SELECT name, due_at, last_run_at, mark FROM job WHERE name = ?1";
    let found = all(connection, sql, [name], |row| {
        let last: Option<String> = row.get(2)?;
        Ok(Job {
            name: row.get(0)?,
            due_at: given(row, 1)?,
            last_run_at: last.map(|_| given(row, 2)).transpose()?,
            mark: row.get(3)?,
        })
    })?;
    Ok(found.into_iter().next())
}

pub fn add_counts(applying: &Applying<'_>, memory: &MemoryId, counts: &Counters) -> StoreResult<()> {
    let last = counts.last_used_at.map(|at| at.to_string());
    let [uses, sources, used, ignored, wrong] =
        [counts.use_count, counts.source_count, counts.used, counts.ignored, counts.wrong]
            .map(|count| count as i64);
    if let Some(run) = applying.batch.run.as_ref().map(RunId::as_str) {
        let sql = "INSERT INTO counted (run, memory, use_count, source_count, last_used_at, last_used_before,
                       used, ignored, wrong)
                   SELECT ?1, ?2, ?3, ?4, nullif(max(coalesce(?5, ''), coalesce(c.last_used_at, '')), ''),
                       c.last_used_at, ?6, ?7, ?8
                   FROM (SELECT 1) LEFT JOIN counter c ON c.memory = ?2
                   WHERE true
                   ON CONFLICT DO UPDATE SET use_count = use_count + excluded.use_count,
                       source_count = source_count + excluded.source_count, last_used_at = excluded.last_used_at,
                       used = used + excluded.used, ignored = ignored + excluded.ignored,
                       wrong = wrong + excluded.wrong";
        applying.execute(sql, params![run, memory.as_str(), uses, sources, last, used, ignored, wrong])?;
    }
    let sql = "INSERT INTO counter (memory, use_count, source_count, last_used_at, used, ignored, wrong)
               SELECT id, ?2, ?3, ?4, ?5, ?6, ?7 FROM memory WHERE id = ?1
               ON CONFLICT (memory) DO UPDATE SET use_count = use_count + excluded.use_count,
                   source_count = source_count + excluded.source_count,
                   last_used_at = nullif(max(coalesce(last_used_at, ''), coalesce(excluded.last_used_at, '')), ''),
                   used = used + excluded.used, ignored = ignored + excluded.ignored,
                   wrong = wrong + excluded.wrong";
    applying.execute(sql, params![memory.as_str(), uses, sources, last, used, ignored, wrong]).map(drop)
}

/// A use that came after the run stays: only what is still as the run left it goes back.
pub fn take_back(applying: &Applying<'_>, run: &RunId) -> StoreResult<()> {
    let sql = "UPDATE counter SET use_count = max(0, counter.use_count - d.use_count),
                   source_count = max(0, counter.source_count - d.source_count),
                   used = max(0, counter.used - d.used), ignored = max(0, counter.ignored - d.ignored),
                   wrong = max(0, counter.wrong - d.wrong),
                   last_used_at = iif(counter.last_used_at IS d.last_used_at, d.last_used_before, counter.last_used_at)
               FROM counted d WHERE d.run = ?1 AND d.memory = counter.memory";
    applying.execute(sql, [run.as_str()])?;
    for table in ["counted", "derived", "archive"] {
        applying.execute(&format!("DELETE FROM {table} WHERE run = ?1"), [run.as_str()])?;
    }
    Ok(())
}

pub fn prune(applying: &mut Applying<'_>, what: Kept, before: Time, limit: u64) -> StoreResult<()> {
    let tables: &[&str] = match what {
        Kept::Archives => &["DELETE FROM archive WHERE memory IN
            (SELECT memory FROM archive WHERE coalesce(last_access_at, archived_at) < ?1 LIMIT ?2)"],
        Kept::Logs => &[
            "DELETE FROM processing WHERE row IN (SELECT row FROM processing WHERE at < ?1 ORDER BY at LIMIT ?2)",
            "DELETE FROM archive_access WHERE row IN
                (SELECT row FROM archive_access WHERE at < ?1 ORDER BY at LIMIT ?2)",
            "DELETE FROM feedback WHERE row IN (SELECT row FROM feedback WHERE at < ?1 ORDER BY at LIMIT ?2)",
        ],
        Kept::Crises => &["DELETE FROM crisis WHERE row IN
            (SELECT row FROM crisis WHERE retained_until <= ?1 ORDER BY retained_until LIMIT ?2)"],
        Kept::Blocks => {
            &["DELETE FROM block WHERE hash IN (SELECT hash FROM block WHERE at < ?1 ORDER BY at LIMIT ?2)"]
        }
    };
    if what == Kept::Blocks {
        let derived = "DELETE FROM derived WHERE child_kind = 'block' AND child IN
                       (SELECT hash FROM block WHERE at < ?1 ORDER BY at LIMIT ?2)";
        applying.execute(derived, params![before.to_string(), limit as i64])?;
    }
    for sql in tables {
        let gone = applying.execute(sql, params![before.to_string(), limit as i64])?;
        applying.written.removed += gone as u64;
    }
    Ok(())
}

pub fn older_than(connection: &Connection, what: Kept, before: Time) -> StoreResult<u64> {
    let sql = match what {
        Kept::Archives => "SELECT count(*) FROM archive WHERE coalesce(last_access_at, archived_at) < ?1",
        Kept::Logs => {
            "SELECT (SELECT count(*) FROM processing WHERE at < ?1) + (SELECT count(*) FROM archive_access WHERE at < ?1)
                 + (SELECT count(*) FROM feedback WHERE at < ?1)"
        }
        Kept::Crises => "SELECT count(*) FROM crisis WHERE retained_until <= ?1",
        Kept::Blocks => "SELECT count(*) FROM block WHERE at < ?1",
    };
    let mut statement = connection.prepare_cached(sql).map_err(failed)?;
    let counted: i64 = statement.query_row([before.to_string()], |row| row.get(0)).map_err(failed)?;
    Ok(counted.max(0) as u64)
}
