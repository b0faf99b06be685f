//! What was purged after a backup was made must not come back with it.
//!
//! The data that a restore replaces knows better than the backup what is gone for good: its history keeps the ids of what was
//! purged, and its log those of turns. What of these the backup still has is purged in the stage, before anybody can read
//! it, and the receipts come along. What the backup does not have is marked as purged in it nevertheless: the next restore replaces
//! this one, and may be of a backup that has it. What a purge wrote anew (a digest without the purged line) is in the backup as it
//! was; how many such there are is said. Where nothing is replaced, nothing is known of later purges: then the backup comes back as
//! it is.

use std::path::Path;

use memory::error::StoreError;
use memory::ports::WriteStore;
use memory::types::{
    Actor, Batch, Change, Item, Receipt, RecordKind, RecordRef, TenantId, Time, Traces, TurnId,
};
use rusqlite::{Connection, OpenFlags};
use serde::Serialize;

use super::restore::Wanted;
use super::{BackupError, BackupResult, copy, sql_at, tenant_path};
use crate::limits;
use crate::{Credential, Tenant, Tenants, TenantsOptions};

/// The kinds of records that can be purged, each the name of its table too.
const KINDS: [RecordKind; 11] = [
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
    RecordKind::Veil,
];

/// How much was purged after a backup was made.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct PurgedCounts {
    /// Purges that the backup knows nothing of.
    pub purges: usize,
    /// Records and turns of theirs that the backup has.
    pub records: usize,
    /// Records that those purges wrote anew, and that are in the backup as they were before.
    pub rewritten: u64,
    /// Whether those records are gone from what was restored.
    pub again: bool,
}

impl PurgedCounts {
    pub fn add(&mut self, other: &PurgedCounts) {
        self.purges += other.purges;
        self.records += other.records;
        self.rewritten += other.rewritten;
        self.again |= other.again;
    }
}

/// What one tenant lost for good since the backup.
#[derive(Debug, Default)]
pub struct PurgedSince {
    /// The backup has them, or says in its history what they were.
    records: Vec<RecordRef>,
    turns: Vec<TurnId>,
    /// The backup knows nothing of them, and has to learn that they were purged.
    marks: Vec<PurgeMark>,
    turn_marks: Vec<TurnId>,
    receipts: Vec<Receipt>,
    purges: usize,
}

/// That a record was purged, as history says it.
#[derive(Debug)]
struct PurgeMark {
    of: RecordRef,
    at: String,
    by: String,
}

/// The ids of everything that was ever purged or rewritten by a purge, read once: history has no index by that. Of several events
/// of a record the latest is taken.
const MARKED: &str = "CREATE TEMP TABLE marked AS
    SELECT kind, id, max(at) AS at, by FROM main.history WHERE purged GROUP BY kind, id";

/// Compares the tenant in use with its copy, each in its folder. Where one of the two is missing there is nothing to compare.
pub fn since(data: &Path, copy: &Path, tenant: &TenantId) -> BackupResult<PurgedSince> {
    let (current, copy) = (data.join(tenant_path(tenant)), copy.join(tenant_path(tenant)));
    if !current.exists() || !copy.exists() {
        return Ok(PurgedSince::default());
    }
    match compare(&current, &copy) {
        // A damaged database is what restores are for.
        Err(BackupError::Damaged(what)) => {
            tracing::warn!(what, "what was purged cannot be read from the data that is replaced");
            Ok(PurgedSince::default())
        }
        other => other,
    }
}

/// The same for all tenants of a backup, without changing anything.
pub fn foresee(wanted: &Wanted<'_>) -> BackupResult<PurgedCounts> {
    let mut purged = PurgedCounts::default();
    for tenant in wanted.manifest.files.iter().filter_map(|entry| entry.tenant.as_ref()) {
        if wanted.tenant.is_none_or(|wanted| wanted == tenant) {
            purged.add(&since(wanted.data, &wanted.generation.folder, tenant)?.counted(false));
        }
    }
    Ok(purged)
}

impl PurgedSince {
    fn is_empty(&self) -> bool {
        self.records.is_empty()
            && self.turns.is_empty()
            && self.marks.is_empty()
            && self.turn_marks.is_empty()
            && self.receipts.is_empty()
    }

    fn counted(&self, again: bool) -> PurgedCounts {
        let records = self.records.len() + self.turns.len();
        let rewritten = self.receipts.iter().flat_map(|receipt| receipt.rewritten.values()).sum();
        PurgedCounts { purges: self.purges, records, rewritten, again: again && records > 0 }
    }
}

fn compare(current: &Path, copy: &Path) -> BackupResult<PurgedSince> {
    let connection = copy::open(current, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    let read = || {
        connection.execute("ATTACH ?1 AS copy", [copy.to_string_lossy()])?;
        connection.execute_batch(MARKED)?;
        let mut gone = PurgedSince::default();
        for kind in KINDS {
            records(&connection, kind, &mut gone)?;
        }
        turns(&connection, &mut gone)?;
        (gone.receipts, gone.purges) = receipts(&connection)?;
        Ok(gone)
    };
    read().map_err(|error| sql_at(current, error))
}

/// Records of a kind that were purged: those that the copy has, and those that it never heard of.
fn records(connection: &Connection, kind: RecordKind, gone: &mut PurgedSince) -> rusqlite::Result<()> {
    let said = "SELECT 1 FROM copy.history said WHERE said.id = marked.id AND said.kind = ?1";
    let sql = format!(
        "SELECT id, at, by,
             id IN (SELECT id FROM copy.\"{kind}\") OR EXISTS ({said} AND NOT said.purged) AS has,
             EXISTS ({said}) AS knows
         FROM temp.marked WHERE kind = ?1 AND id NOT IN (SELECT id FROM main.\"{kind}\") ORDER BY id"
    );
    let mut statement = connection.prepare(&sql)?;
    let mut rows = statement.query([kind.as_str()])?;
    while let Some(row) = rows.next()? {
        let of = RecordRef { kind, id: row.get(0)? };
        if row.get(3)? {
            gone.records.push(of);
        } else if !row.get::<_, bool>(4)? {
            gone.marks.push(PurgeMark { of, at: row.get(1)?, by: row.get(2)? });
        }
    }
    Ok(())
}

/// The same of turns, which have no history: the log names those that came or went.
fn turns(connection: &Connection, gone: &mut PurgedSince) -> rusqlite::Result<()> {
    let sql = "SELECT DISTINCT id, id IN (SELECT id FROM copy.turn) AS has,
                   id IN (SELECT id FROM copy.change_log WHERE kind = 'turn') AS knows
               FROM main.change_log WHERE kind = 'turn' AND id NOT IN (SELECT id FROM main.turn) ORDER BY id";
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let Ok(id) = row.get::<_, String>(0)?.parse() else { continue };
        if row.get(1)? {
            gone.turns.push(id);
        } else if !row.get::<_, bool>(2)? {
            gone.turn_marks.push(id);
        }
    }
    Ok(())
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

/// Takes out of the stage what is gone for good and leaves word of it there, unless it is wanted back.
pub async fn settle(
    gone: PurgedSince,
    stage: &Path,
    tenant: &TenantId,
    wanted: &Wanted<'_>,
) -> BackupResult<PurgedCounts> {
    let counted = gone.counted(!wanted.with_purged);
    if wanted.with_purged || gone.is_empty() {
        return Ok(counted);
    }
    // Nothing is embedded here: what is missing, the store fills in when it is next opened.
    let options = TenantsOptions { embedder: None, ..wanted.options.clone() };
    let tenants = Tenants::open_folder(stage, options)?;
    let done = purge(&tenants, tenant, gone).await;
    tenants.close().await;
    done?;
    Ok(counted)
}

async fn purge(tenants: &Tenants, tenant: &TenantId, gone: PurgedSince) -> BackupResult<()> {
    let credential = Credential::Operator { tenant: tenant.clone() };
    let pass =
        tenants.authenticate(credential).await.map_err(|denied| StoreError::Failed(denied.to_string()))?;
    let (store, now) = (tenants.open(&pass).await?, tenants.clock().now());
    let takes_away = !gone.records.is_empty() || !gone.turns.is_empty();
    let records = gone.records.into_iter().map(|of| Change::Purge { of });
    let marks = gone.marks.into_iter().filter_map(PurgeMark::change);
    let receipts = gone.receipts.into_iter().map(|receipt| Change::PutReceipt { receipt });
    let mut changes = records.chain(marks).chain(receipts).peekable();
    while changes.peek().is_some() {
        let some = changes.by_ref().take(limits::RESTORE_PURGES).collect();
        apply(&store, some, now).await?;
    }
    for turns in [gone.turns, gone.turn_marks] {
        for some in turns.chunks(limits::RESTORE_PURGES) {
            apply(&store, vec![Change::PurgeTurns { turns: some.to_vec() }], now).await?;
        }
    }
    if takes_away {
        // What was there is not known here, so it cannot be looked for in unused places of the file: that is written anew.
        store.erase(&Traces { many: true, ..Traces::default() }).await?;
    } else {
        store.scrub().await?;
    }
    Ok(())
}

async fn apply(store: &Tenant, changes: Vec<Change>, now: Time) -> BackupResult<()> {
    let mut batch = Batch::new(Actor::Person, now);
    batch.changes = changes;
    store.apply(batch).await?;
    Ok(())
}

impl PurgeMark {
    /// As an event of another store, because that asks for nothing but the id: a purge would look for what hangs on it, and a
    /// backup that never had the record has none of that.
    fn change(self) -> Option<Change> {
        let PurgeMark { of, at, by } = self;
        let (at, by) = (at.parse().ok()?, serde_json::from_value(by.into()).ok()?);
        let item =
            Item::History { place: 0, at, by, run: None, reason: None, of, before: None, purged: true };
        Some(Change::Restore { item: Box::new(item), unite: false })
    }
}
