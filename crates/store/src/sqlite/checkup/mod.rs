//! What only the store can see of its own health: whether the database is whole, words and vectors are in step with the rows, counts
//! are right, and nothing hangs in the air.
//!
//! A check-up reads everything in one transaction, so that what is written meanwhile is not taken for a fault, and writes nothing.
//! A check that the damage itself makes fail is a finding too. What can be put right is done by `mend`, through the one door.

mod blocks;
mod bodies;
mod counts;
mod file;
mod integrity;
mod orphans;
mod repair;
mod settings;
mod vectors;
mod waiting;
mod words;

use std::sync::Arc;

use memory::checkup::{CheckSelection, Finding};
use memory::error::{StoreError, StoreResult};
use memory::ports::Embedder;
use memory::text::Analyser;
use memory::types::{Aside, RecordRef, TenantId, Time};
use rusqlite::{Connection, Row};

pub use bodies::Stray;
pub use file::{control, cut_log, examine, free_bytes, mend_control};
pub use repair::mend;

use super::{Tenant, connect, failed};

/// What a check-up looks at.
struct CheckupContext<'a> {
    connection: &'a Connection,
    analyser: &'a Analyser,
    tenant: &'a TenantId,
    /// The space of the current vectors and how many numbers one has.
    signature: Option<(String, usize)>,
    now: Time,
}

type CheckFunction = fn(&CheckupContext<'_>) -> StoreResult<Vec<Finding>>;

/// Each check with the codes that it can find.
const CHECKS: &[(&[&str], CheckFunction)] = &[
    (&["config.settings"], settings::wrong),
    (&["db.integrity", "index.damaged"], integrity::whole),
    (&["schema.objects"], integrity::objects),
    (&["body.unreadable"], bodies::unreadable),
    (&["hash.wrong"], bodies::hashes),
    (&["archive.damaged"], bodies::archives),
    (&["index.missing-words", "index.stray-words", "index.wrong-words"], words::words),
    (&["index.damaged"], words::index),
    (&["vectors.missing"], vectors::missing),
    (&["vectors.stray"], vectors::stray),
    (&["vectors.damaged"], vectors::damaged),
    (&["vectors.count"], counts::vectors),
    (&["statistics.corpus"], counts::corpora),
    (&["statistics.sessions"], counts::sessions),
    (&["statistics.names"], counts::names),
    (&["orphans.derived"], orphans::derived),
    (&["orphans.links"], orphans::links),
    (&["orphans.relations"], orphans::relations),
    (&["orphans.counters"], orphans::counters),
    (&["orphans.archive"], orphans::archive),
    (&["orphans.turns"], orphans::turns),
    (&["orphans.waiting"], orphans::waiting),
    (&["pending.stuck"], waiting::stuck),
    (&["pending.dead"], waiting::dead),
    (&["redo.dead"], waiting::redo),
    (&["runs.unfinished"], waiting::runs),
    (&["isolation.rows"], bodies::foreign),
    (&["isolation.blocks"], blocks::leaks),
];

impl Tenant {
    /// Looks at everything that is chosen and says what is wrong. The embedder says which vectors there should be.
    pub async fn checkup(
        &self,
        choice: &CheckSelection,
        embedder: Option<&Arc<dyn Embedder>>,
        now: Time,
    ) -> StoreResult<Vec<Finding>> {
        let signature = embedder.map(|embedder| (embedder.signature().to_owned(), embedder.dimensions()));
        let wanted = choice.clone();
        let mut findings = self
            .read(move |resting, inner| {
                // A connection of its own: FTS5 checks itself against what it remembers of an index, which may be of before.
                let own = match inner.place.is_memory() {
                    true => None,
                    false => Some(connect(&inner.place, inner.durability)?),
                };
                let connection = own.as_ref().unwrap_or(resting);
                connection.execute_batch("BEGIN").map_err(failed)?;
                let (analyser, tenant) = (&inner.analyser, &inner.id);
                let findings = all(&CheckupContext { connection, analyser, tenant, signature, now }, &wanted);
                connection.execute_batch("ROLLBACK").map_err(failed)?;
                Ok(findings)
            })
            .await?;
        if let Some(embedder) = embedder.filter(|_| choice.has("vectors.wrong")) {
            findings.extend(self.wrong_vectors(embedder).await?.finding);
        }
        Ok(findings)
    }

    /// The rows that are to be put aside because they cannot be read, stand on nothing, or are another tenant's.
    pub async fn strays(&self, choice: &CheckSelection) -> StoreResult<Vec<Stray>> {
        let choice = choice.clone();
        self.read(move |connection, inner| {
            let (analyser, tenant) = (&inner.analyser, &inner.id);
            bodies::strays(
                &CheckupContext { connection, analyser, tenant, signature: None, now: Time::MIN },
                &choice,
            )
        })
        .await
    }

    /// Links and relations whose ends are gone, as far as they are chosen.
    pub async fn loose_records(&self, choice: &CheckSelection) -> StoreResult<Vec<RecordRef>> {
        let choice = choice.clone();
        self.read(move |connection, _| orphans::records(connection, &choice)).await
    }

    /// Settings that this tenant has set and that cannot be: by name.
    pub async fn wrong_settings(&self) -> StoreResult<Vec<String>> {
        self.read(|connection, _| settings::names(connection)).await
    }
}

fn all(look: &CheckupContext<'_>, choice: &CheckSelection) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    for (codes, check) in CHECKS.iter().filter(|(codes, _)| choice.has_any(codes)) {
        match check(look) {
            Ok(found) => found.into_iter().for_each(|finding| unite(&mut findings, finding)),
            // The cause may quote what is stored; which check it was says enough.
            Err(StoreError::Failed(_)) => {
                tracing::warn!(check = codes[0], "a check could not be made");
                let detail = "the database is so damaged that not every check can be made";
                unite(
                    &mut findings,
                    Finding::one("db.integrity", format!("check {}", codes[0])).because(detail),
                );
            }
            Err(error) => {
                tracing::warn!(%error, check = codes[0], "a check could not be made");
                unite(&mut findings, Finding::one("db.unopenable", codes[0]));
            }
        }
    }
    findings.retain(|finding| choice.has(&finding.code));
    findings
}

/// Two checks may find the same.
fn unite(findings: &mut Vec<Finding>, finding: Finding) {
    match findings.iter_mut().find(|known| known.code == finding.code) {
        Some(known) => finding.examples.into_iter().for_each(|example| known.add(example)),
        None => findings.push(finding),
    }
}

/// What a query names, one text a row.
fn named(
    look: &CheckupContext<'_>,
    code: &str,
    of: &str,
    sql: &str,
    parameters: impl rusqlite::Params,
) -> StoreResult<Vec<Finding>> {
    let mut finding = Finding::new(code, count(look.connection, of)?);
    for name in rows(look.connection, sql, parameters, |row| row.get::<_, String>(0))? {
        finding.add(name);
    }
    Ok(finding.found().into_iter().collect())
}

fn count(connection: &Connection, table: &str) -> StoreResult<u64> {
    let counted: i64 = connection
        .query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0))
        .map_err(failed)?;
    Ok(counted.max(0) as u64)
}

fn rows<T>(
    connection: &Connection,
    sql: &str,
    parameters: impl rusqlite::Params,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> StoreResult<Vec<T>> {
    let mut statement = connection.prepare(sql).map_err(failed)?;
    let rows = statement.query_map(parameters, read).map_err(failed)?;
    rows.collect::<rusqlite::Result<Vec<T>>>().map_err(failed)
}

/// The three bodies of text, by their tables.
const TABLES: [&str; 3] = ["memory", "episode", "turn"];

/// A name for a row of a table whose id cannot be relied on.
fn row_name(kind: &Aside, row: i64) -> String {
    match kind {
        Aside::Record(kind) => format!("{kind} row {row}"),
        Aside::Turn => format!("turn row {row}"),
        Aside::Block => format!("block row {row}"),
        Aside::Archive => format!("archived text row {row}"),
        Aside::History(ordinal) => format!("history {row}/{ordinal}"),
    }
}
