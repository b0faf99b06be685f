//! How a data folder is laid out: the control database, and a folder with one file a tenant.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use memory::types::TenantId;

/// The control database.
pub const CONTROL: &str = "control.sqlite3";

/// The folder of the tenants' databases.
pub const TENANTS: &str = "tenants";

/// A tenant's database, from the data folder on.
pub fn tenant_path(tenant: &TenantId) -> String {
    format!("{TENANTS}/{tenant}.sqlite3")
}

/// The tenants that have a file, whether the control database knows them or not.
pub(crate) fn tenant_files(data: &Path) -> io::Result<BTreeSet<TenantId>> {
    let entries = match std::fs::read_dir(data.join(TENANTS)) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeSet::new()),
        Err(error) => return Err(error),
    };
    let mut tenants = BTreeSet::new();
    for entry in entries {
        let name = entry?.file_name();
        tenants
            .extend(name.to_str().and_then(|name| name.strip_suffix(".sqlite3")?.parse::<TenantId>().ok()));
    }
    Ok(tenants)
}
