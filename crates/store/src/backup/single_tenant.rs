//! Brings a single tenant back, into a data folder that otherwise stays as it is.
//!
//! The stage is the same as for a whole folder, with one database in it. That database then takes the place of the tenant's own by
//! one rename, after the old one's log was written into it, so that no log of the old is left beside the new. Keys are the control
//! database's and stay as they are.

use std::path::Path;

use memory::types::{TenantId, Time};
use rusqlite::OpenFlags;

use super::restore::{Staged, aside};
use super::{BackupResult, RestoredBackup, TENANTS, at, copy, files, sql_at, tenant_path};
use crate::control::Control;

impl Staged {
    /// Puts the stage's only tenant in its place, and takes the stage away.
    pub async fn install_tenant(self, tenant: &TenantId, now: Time) -> BackupResult<RestoredBackup> {
        let installed = put_in_place(&self, tenant);
        let discarded = self.discard();
        let restored = installed?;
        // What could not be taken away, the next restore removes.
        discarded?;
        // Where the tenant is new here, it becomes known by this.
        Control::open(Some(&restored.data), now)?.remember(tenant, now).await?;
        Ok(restored)
    }
}

fn put_in_place(staged: &Staged, tenant: &TenantId) -> BackupResult<RestoredBackup> {
    let mut restored = staged.restored().clone();
    let data = restored.data.clone();
    files::make_folders(&data.join(TENANTS))?;
    let (new, place) = (staged.folder().join(tenant_path(tenant)), data.join(tenant_path(tenant)));
    if place.exists() {
        let aside = aside(&data, staged.made_at);
        let kept = aside.join(tenant_path(tenant));
        files::make_folders(&files::parent(&kept))?;
        set_aside(&place, &kept)?;
        restored.moved_to = Some(kept);
    }
    std::fs::rename(&new, &place).map_err(at(&place))?;
    files::settle_folder(&data.join(TENANTS))?;
    Ok(restored)
}

/// Gives the old database a second name. Its log goes into it first; one that is too damaged for that takes its log along.
fn set_aside(place: &Path, kept: &Path) -> BackupResult<()> {
    let fold = || {
        let connection = copy::open(place, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        let fold = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0));
        fold.map_err(|error| sql_at(place, error))
    };
    if let Err(error) = fold() {
        tracing::warn!(%error, "the log of a database that is replaced could not be written into it");
    }
    for ending in ["-wal", "-shm"] {
        let (log, kept) = (files::beside(place, ending), files::beside(kept, ending));
        if log.exists() {
            std::fs::rename(&log, &kept).map_err(at(&log))?;
        }
    }
    files::link(place, kept)?;
    files::settle_folder(&files::parent(kept))
}
