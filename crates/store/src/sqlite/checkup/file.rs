//! What can be said of databases without opening them as a tenant: of those that cannot be opened, and of the control database.

use std::collections::BTreeSet;
use std::path::Path;

use memory::checkup::Finding;
use memory::error::{StoreError, StoreResult};
use memory::types::Time;
use rusqlite::{Connection, OpenFlags};

use super::integrity::complaints;
use super::rows;
use crate::layout;
use crate::limits;
use crate::migrate;
use crate::sqlite::failed;

fn open(path: &Path) -> StoreResult<Connection> {
    // To write as well, because a log that another process left must be read; nothing is made where nothing is.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(failed)?;
    connection.busy_timeout(std::time::Duration::from_millis(limits::BUSY_TIMEOUT_MS)).map_err(failed)?;
    Ok(connection)
}

fn version(connection: &Connection) -> StoreResult<i64> {
    connection.query_row("SELECT user_version FROM pragma_user_version", [], |row| row.get(0)).map_err(failed)
}

/// Why a tenant's database would not open; nothing where it would.
pub fn examine(path: &Path) -> Vec<Finding> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let opened = open(path).and_then(|connection| Ok((version(&connection)?, connection)));
    let (version, connection) = match opened {
        Ok(opened) => opened,
        Err(error) => return vec![unopenable(&name, &error)],
    };
    if version > migrate::TENANT.len() as i64 {
        let detail =
            format!("schema version {version}; this program knows versions up to {}", migrate::TENANT.len());
        return vec![Finding::one("db.newer", name).because(detail)];
    }
    match complaints(&connection) {
        Ok(said) if said.is_empty() => Vec::new(),
        Ok(said) => {
            let mut finding = Finding::new("db.integrity", said.len() as u64);
            said.into_iter().for_each(|line| finding.add(format!("{name}: {line}")));
            vec![finding]
        }
        Err(error) => vec![unopenable(&name, &error)],
    }
}

fn unopenable(name: &str, error: &StoreError) -> Finding {
    tracing::warn!(%error, file = name, "a database cannot be opened");
    let finding = Finding::one("db.unopenable", name);
    match error {
        StoreError::Locked(why) | StoreError::Busy(why) => finding.because(why.clone()),
        _ => finding,
    }
}

/// The control database of a folder: whether it is whole, and whether it knows the tenants that lie in the folder.
pub fn control(folder: &Path, now: Time) -> Vec<Finding> {
    let path = folder.join(layout::CONTROL);
    if !path.exists() {
        return Vec::new();
    }
    let looked = open(&path).and_then(|connection| look(&connection, folder, now));
    looked.unwrap_or_else(|error| {
        tracing::warn!(%error, "the control database cannot be examined");
        vec![Finding::one("control.integrity", layout::CONTROL).because("it cannot be opened or read")]
    })
}

fn look(connection: &Connection, folder: &Path, now: Time) -> StoreResult<Vec<Finding>> {
    let mut findings = Vec::new();
    let mut integrity = Finding::new("control.integrity", 1);
    complaints(connection)?.into_iter().for_each(|line| integrity.add(line));
    if version(connection)? > migrate::CONTROL.len() as i64 {
        integrity.add("a newer version of this program wrote it");
    }
    let known = known(connection)?;
    let lying = lying(folder);
    let mut missing = Finding::new("control.missing", known.len() as u64);
    known.difference(&lying).for_each(|tenant| missing.add(tenant));
    let mut strays = Finding::new("control.strays", lying.len() as u64);
    lying.difference(&known).for_each(|tenant| strays.add(tenant));
    let mut leases = Finding::new("disk.leases", 1);
    old_leases(connection, now)?.into_iter().for_each(|name| leases.add(name.replace('\u{1f}', "/")));
    findings.extend([integrity, missing, strays, leases].into_iter().filter_map(Finding::found));
    Ok(findings)
}

fn known(connection: &Connection) -> StoreResult<BTreeSet<String>> {
    Ok(rows(connection, "SELECT id FROM tenant", [], |row| row.get(0))?.into_iter().collect())
}

/// Tenants whose databases lie in the folder.
fn lying(folder: &Path) -> BTreeSet<String> {
    let tenants = layout::tenant_files(folder).unwrap_or_default();
    tenants.into_iter().map(|tenant| tenant.to_string()).collect()
}

fn old_leases(connection: &Connection, now: Time) -> StoreResult<Vec<String>> {
    let before = now.plus_seconds(-limits::LEASE_LEFT_SECONDS).to_string();
    rows(connection, "SELECT name FROM lease WHERE until < ?1", [before], |row| row.get(0))
}

/// Makes tenants known that lie in the folder, and takes away leases that nobody holds.
pub fn mend_control(folder: &Path, codes: &[&str], now: Time) -> StoreResult<()> {
    let connection = open(&folder.join(layout::CONTROL))?;
    if codes.contains(&"control.strays") {
        let known = known(&connection)?;
        for tenant in lying(folder).difference(&known) {
            let sql = "INSERT OR IGNORE INTO tenant VALUES (?1, ?2)";
            connection.execute(sql, [tenant, &now.to_string()]).map_err(failed)?;
        }
    }
    if codes.contains(&"disk.leases") {
        for name in old_leases(&connection, now)? {
            connection.execute("DELETE FROM lease WHERE name = ?1", [name]).map_err(failed)?;
        }
    }
    Ok(())
}

/// Moves a database's log into it and cuts it, unless somebody reads it just now.
pub fn cut_log(path: &Path) -> StoreResult<()> {
    open(path)?.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).map_err(failed)
}

/// Room that is left on the disk of a folder, in bytes; nothing where the system does not say.
pub fn free_bytes(folder: &Path) -> Option<u64> {
    #[cfg(unix)]
    {
        let disk = rustix::fs::statvfs(folder).ok()?;
        Some(disk.f_bavail.saturating_mul(disk.f_frsize))
    }
    #[cfg(not(unix))]
    {
        let _ = folder;
        None
    }
}
