//! Where memory is kept.
//!
//! [`Tenants`] is the house's key board: it authenticates a caller into a [`Pass`] and opens, for that pass alone, a
//! [`Tenant`], which keeps the contract of `memory::ports`. Behind it stands SQLite, one file a tenant, with one
//! writer at a time that commits for many callers at once (`sqlite/writer.rs`) and readers that never wait for it.

mod audit;
pub mod backup;
mod blocking;
mod clock;
mod control;
mod door;
pub mod foreign;
mod keys;
mod layout;
pub mod limits;
mod migrate;
mod pass;
mod postings;
mod secret;
mod sqlite;
mod tenants;
mod vectors;

pub use audit::{AccessDecision, AuditRow};
pub use blocking::{at_low_priority, on_blocking_thread};
pub use clock::SystemClock;
pub use keys::{ApiKey, KeyId, KeyUser, NewKey};
pub use layout::{CONTROL, TENANTS, tenant_path};
pub use pass::{Credential, Denied, Holder, Pass, Role};
pub use secret::{KeySecret, SECRET_MARK, holds_secret, keyed_hash};
pub use sqlite::{LayerTally, Tenant, read_file, tables_of_file};
pub use sqlite::{Stray, checkup_control, cut_log, examine, free_bytes, mend_control};
pub use tenants::{Gauges, Tenants, TenantsOptions, WriteDurability};
pub use vectors::kernel;
