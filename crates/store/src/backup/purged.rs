//! What was purged after a backup was made must not come back with it.
//!
//! The data that a restore replaces knows better than the backup what is gone for good: its history keeps the ids of what was
//! purged, and its log those of turns. What of these the backup still has is purged in the stage, before anybody can read
//! it, and the receipts come along. What a purge wrote anew (a digest without the purged line) is in the backup as it was; how many
//! such there are is said. Where nothing is replaced, nothing is known of later purges: then the backup comes back as it is.

use std::path::Path;

use memory::error::StoreError;
use memory::limits;
use memory::ports::{Clock, WriteStore};
use memory::types::{Actor, Batch, Change, Receipt, RecordKind, RecordRef, TenantId, TurnId};
use rusqlite::{Connection, OpenFlags};
use serde::Serialize;

use super::restore::Wanted;
use super::{BackupError, BackupResult, copy, sql_at, tenant_path};
use crate::{Credential, Options, SystemClock, Tenants};

/// The kinds of records that can be purged, each the name of its table too.
const KINDS: [RecordKind; 10] = [
    RecordKind::Memory,
    RecordKind::Episode,
    RecordKind::Session,
    RecordKind::Entity,
    RecordKind::Relation,
    RecordKind::Link,
    RecordKind::Held,
    RecordKind::Profile,
    RecordKind::Override,
    RecordKind::Agent,
];

/// How much was purged after a backup was made.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Purged {
    /// Purges that the backup knows nothing of.
    pub purges: usize,
    /// Records and turns of theirs that the backup has.
    pub records: usize,
    /// Records that those purges wrote anew, and that are in the backup as they were before.
    pub rewritten: u64,
    /// Whether those records are gone from what was restored.
    pub again: bool,
}

impl Purged {
    pub fn add(&mut self, other: &Purged) {
        self.purges += other.purges;
        self.records += other.records;
        self.rewritten += other.rewritten;
        self.again |= other.again;
    }
}

/// What one tenant lost for good since the backup.
#[derive(Debug, Default)]
pub struct Gone {
    records: Vec<RecordRef>,
    turns: Vec<TurnId>,
    receipts: Vec<Receipt>,
    purges: usize,
}

/// Compares the tenant in use with its copy, each in its folder. Where one of the two is missing there is nothing to compare.
pub fn since(data: &Path, copy: &Path, tenant: &TenantId) -> BackupResult<Gone> {
    let (current, copy) = (data.join(tenant_path(tenant)), copy.join(tenant_path(tenant)));
    if !current.exists() || !copy.exists() {
        return Ok(Gone::default());
    }
    match compare(&current, &copy) {
        // A damaged database is what restores are for.
        Err(BackupError::Damaged(what)) => {
            tracing::warn!(what, "what was purged cannot be read from the data that is replaced");
            Ok(Gone::default())
        }
        other => other,
    }
}

/// The same for all tenants of a backup, without changing anything.
pub fn foresee(wanted: &Wanted<'_>) -> BackupResult<Purged> {
    let mut purged = Purged::default();
    for tenant in wanted.manifest.files.iter().filter_map(|entry| entry.tenant.as_ref()) {
        if wanted.tenant.is_none_or(|wanted| wanted == tenant) {
            purged.add(&since(wanted.data, &wanted.generation.folder, tenant)?.counted(false));
        }
    }
    Ok(purged)
}

impl Gone {
    fn counted(&self, again: bool) -> Purged {
        let records = self.records.len() + self.turns.len();
        let rewritten = self.receipts.iter().flat_map(|receipt| receipt.rewritten.values()).sum();
        Purged { purges: self.purges, records, rewritten, again: again && records > 0 }
    }
}

fn compare(current: &Path, copy: &Path) -> BackupResult<Gone> {
    let connection = copy::open(current, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    let read = || {
        connection.execute("ATTACH ?1 AS copy", [copy.to_string_lossy()])?;
        let mut gone = Gone::default();
        for kind in KINDS {
            let sql = format!(
                "SELECT id FROM copy.\"{kind}\" WHERE id NOT IN (SELECT id FROM main.\"{kind}\")
                 AND id IN (SELECT id FROM main.history WHERE kind = ?1 AND purged)"
            );
            let ids = texts(&connection, &sql, &[kind.as_str()])?;
            gone.records.extend(ids.into_iter().map(|id| RecordRef { kind, id }));
        }
        let turns = "SELECT id FROM copy.turn WHERE id NOT IN (SELECT id FROM main.turn)
                     AND id IN (SELECT id FROM main.change_log WHERE kind = 'turn')";
        let turns = texts(&connection, turns, &[])?;
        gone.turns = turns.iter().filter_map(|id| id.parse().ok()).collect();
        (gone.receipts, gone.purges) = receipts(&connection)?;
        Ok(gone)
    };
    read().map_err(|error| sql_at(current, error))
}

/// The receipts that the copy has not, and the number of purges: older versions wrote no receipts, but a run each.
fn receipts(connection: &Connection) -> rusqlite::Result<(Vec<Receipt>, usize)> {
    let has = |schema: &str| {
        let sql = format!("SELECT 1 FROM {schema}.sqlite_schema WHERE type = 'table' AND name = 'receipt'");
        connection.prepare(&sql)?.exists([])
    };
    let bodies = match (has("main")?, has("copy")?) {
        (false, _) => Vec::new(),
        (true, false) => texts(connection, "SELECT body FROM main.receipt", &[])?,
        (true, true) => {
            let sql = "SELECT body FROM main.receipt WHERE id NOT IN (SELECT id FROM copy.receipt)";
            texts(connection, sql, &[])?
        }
    };
    let receipts: Vec<Receipt> = bodies.iter().filter_map(|body| serde_json::from_str(body).ok()).collect();
    let runs =
        "SELECT id FROM main.run WHERE body ->> '$.job' = 'purge' AND id NOT IN (SELECT id FROM copy.run)";
    let mut purges = texts(connection, runs, &[])?;
    purges.extend(receipts.iter().map(|receipt| receipt.id.as_str().to_owned()));
    purges.sort();
    purges.dedup();
    Ok((receipts, purges.len()))
}

fn texts(connection: &Connection, sql: &str, values: &[&str]) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare(sql)?;
    let rows = statement.query_map(rusqlite::params_from_iter(values), |row| row.get(0))?;
    rows.collect()
}

/// Takes out of the stage what is gone for good, unless it is wanted back.
pub async fn settle(
    gone: Gone,
    stage: &Path,
    tenant: &TenantId,
    wanted: &Wanted<'_>,
) -> BackupResult<Purged> {
    let counted = gone.counted(!wanted.with_purged);
    if !counted.again {
        return Ok(counted);
    }
    // Nothing is embedded here: what is missing, the store fills in when it is next opened.
    let options = Options { embedder: None, ..wanted.options.clone() };
    let tenants = Tenants::open_folder(stage, options)?;
    let done = purge(&tenants, tenant, gone).await;
    tenants.close().await;
    done?;
    Ok(counted)
}

async fn purge(tenants: &Tenants, tenant: &TenantId, gone: Gone) -> BackupResult<()> {
    let credential = Credential::Operator { tenant: tenant.clone() };
    let pass =
        tenants.authenticate(credential).await.map_err(|denied| StoreError::Failed(denied.to_string()))?;
    let store = tenants.open(&pass).await?;
    let records = gone.records.into_iter().map(|of| Change::Purge { of });
    let turns =
        gone.turns.chunks(limits::RESTORE_PURGES).map(|turns| Change::PurgeTurns { turns: turns.to_vec() });
    let receipts = gone.receipts.into_iter().map(|receipt| Change::PutReceipt { receipt });
    let changes: Vec<Change> = records.chain(turns).chain(receipts).collect();
    for some in changes.chunks(limits::RESTORE_PURGES) {
        let mut batch = Batch::new(Actor::Person, SystemClock.now());
        batch.changes = some.to_vec();
        store.apply(batch).await?;
    }
    store.scrub().await?;
    Ok(())
}
