//! Whether requests must show a key: from the first key on, until the operator says otherwise.
//!
//! Not while a key stands: whoever revokes the one key that leaked would open the door to everybody with the same stroke. The
//! control database says it, and a file beside it says it again, so that a control database that is lost or put back from before
//! the first key opens nothing. One that is made anew beside tenants begins shut: whoever had the keys is not known any more.

use std::path::Path;

use memory::error::{Invalid, StoreError, StoreResult};
use rusqlite::Connection;

use crate::layout;
use crate::sqlite::failed;
use crate::tenants::Tenants;

/// The file that says that there was a key.
const MARKER: &str = "keys-needed";

/// Whether what is at hand calls for a shut door, whatever the control database says. Asked before that is opened.
pub(crate) fn must_be_shut(folder: Option<&Path>) -> bool {
    let Some(folder) = folder else { return false };
    let is_new = !folder.join(layout::CONTROL).exists();
    folder.join(MARKER).exists() || (is_new && has_tenants(folder))
}

fn has_tenants(folder: &Path) -> bool {
    layout::tenant_files(folder).is_ok_and(|tenants| !tenants.is_empty())
}

/// Shuts the door or opens it, and tells everybody who keeps the keys in memory.
pub(crate) fn write(connection: &Connection, is_shut: bool) -> rusqlite::Result<()> {
    let changed =
        connection.prepare_cached("UPDATE door SET is_shut = ?1 WHERE is_shut <> ?1")?.execute([is_shut])?;
    if changed > 0 {
        connection.prepare_cached("UPDATE key_generation SET number = number + 1")?.execute([])?;
    }
    Ok(())
}

pub(crate) fn is_shut(connection: &Connection) -> rusqlite::Result<bool> {
    connection.prepare_cached("SELECT is_shut FROM door")?.query_row([], |row| row.get(0))
}

impl Tenants {
    /// There is a key from now on: the file says so before the key is there.
    pub(crate) fn mark_key(&self) -> StoreResult<()> {
        let Some(folder) = self.folder() else { return Ok(()) };
        let text = "A key was made here, so requests must show one. `recollect keys open` ends that.\n";
        std::fs::write(folder.join(MARKER), text)
            .map_err(|error| StoreError::Failed(format!("{MARKER} cannot be written: {error}")))
    }

    /// From now on requests from this machine need no key. Not while one stands.
    pub async fn open_door(&self) -> StoreResult<()> {
        if self.has_standing_key().await? {
            return Err(Invalid::new("keys stand that were not revoked")
                .hint("revoke them first: `recollect keys list` shows them")
                .into());
        }
        if let Some(folder) = self.folder()
            && let Err(error) = std::fs::remove_file(folder.join(MARKER))
            && error.kind() != std::io::ErrorKind::NotFound
        {
            return Err(StoreError::Failed(format!("{MARKER} cannot be removed: {error}")));
        }
        self.control().with(|connection| write(connection, false)).await
    }

    /// Whether any key was not revoked.
    pub async fn has_standing_key(&self) -> StoreResult<bool> {
        Ok(self.keys(None).await?.iter().any(|key| key.revoked_at.is_none()))
    }

    /// Keys are needed and none was ever made here: the control database that knew them is gone.
    pub async fn lost_its_keys(&self) -> StoreResult<bool> {
        Ok(self.needs_key().await? && self.keys(None).await?.is_empty())
    }
}

/// Shuts the door of a control database that was just opened, where that is called for.
pub(crate) fn settle(connection: &Connection, shut: bool) -> StoreResult<()> {
    if shut { write(connection, true).map_err(failed) } else { Ok(()) }
}
