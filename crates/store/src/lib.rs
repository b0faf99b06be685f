//! Where memory is kept.
//!
//! [`Tenants`] is the house's key board: it authenticates a caller into a [`Pass`] and opens, for that pass alone, a
//! [`Tenant`], which keeps the contract of `memory::ports`. Behind it stands SQLite, one file a tenant, with one
//! writer at a time that commits for many callers at once (`sqlite/writer.rs`) and readers that never wait for it.

mod aside;
mod audit;
pub mod backup;
mod clock;
mod control;
mod door;
pub mod foreign;
mod keys;
pub mod limits;
mod migrate;
mod pass;
mod secret;
mod sqlite;
mod tenants;
mod vectors;
mod words;

pub use aside::{aside, behind};
pub use audit::{AuditRow, Decision};
pub use clock::SystemClock;
pub use keys::{Key, KeyId, KeyUser, NewKey};
pub use pass::{Credential, Denied, Holder, Pass, Role};
pub use secret::{SECRET_MARK, Secret, holds_secret, keyed_hash};
pub use sqlite::{Stray, checkup_control, cut_log, examine, free_bytes, mend_control};
pub use sqlite::{Tally, Tenant, read_file, tables_of_file};
pub use tenants::{Durability, Gauges, Options, Tenants};
pub use vectors::kernel;
