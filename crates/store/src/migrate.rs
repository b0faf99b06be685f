//! Numbered migrations. A database says in `user_version` how far it is; what is missing is done, one transaction each,
//! never edited once released. A database that a newer version made is refused and left as it is.

use memory::error::{StoreError, StoreResult};
use rusqlite::{Connection, TransactionBehavior};

use crate::sqlite::failed;

/// The migrations of a tenant's database, in order; the first is number 1.
pub const TENANT: &[&str] = &[
    include_str!("migrations/tenant/0001_foundation.sql"),
    include_str!("migrations/tenant/0002_models_and_prompts.sql"),
    include_str!("migrations/tenant/0003_upkeep.sql"),
    include_str!("migrations/tenant/0004_feedback_and_receipts.sql"),
    include_str!("migrations/tenant/0005_word_counts.sql"),
    include_str!("migrations/tenant/0006_scopes_and_clock.sql"),
    include_str!("migrations/tenant/0007_veils.sql"),
    include_str!("migrations/tenant/0008_crises.sql"),
    include_str!("migrations/tenant/0009_shelves_and_counts.sql"),
];

/// The migrations of the control database.
pub const CONTROL: &[&str] = &[
    include_str!("migrations/control/0001_foundation.sql"),
    include_str!("migrations/control/0002_keys.sql"),
    include_str!("migrations/control/0003_receipts.sql"),
    include_str!("migrations/control/0004_users_of_keys.sql"),
];

/// Fails unless a database that comes from elsewhere has, word for word, the schema that these migrations make up to the version that
/// it says it has: a stranger's triggers, checks and computed columns would be run by whoever brings it to the newest.
pub fn check_schema(connection: &Connection, migrations: &[&str]) -> StoreResult<()> {
    let done = version(connection)?;
    let ours = Connection::open_in_memory().map_err(failed)?;
    for migration in migrations.iter().take(done) {
        ours.execute_batch(migration).map_err(failed)?;
    }
    if done > migrations.len() || schema(connection)? == schema(&ours)? {
        return Ok(());
    }
    Err(StoreError::Locked(format!(
        "its tables are not those of a database of ours with schema version {done}"
    )))
}

/// What is defined in a database, but for what SQLite keeps for itself.
fn schema(connection: &Connection) -> StoreResult<Vec<(String, String, Option<String>)>> {
    let sql = "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type, name";
    let mut statement = connection.prepare(sql).map_err(failed)?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).map_err(failed)?;
    rows.collect::<rusqlite::Result<_>>().map_err(failed)
}

fn version(connection: &Connection) -> StoreResult<usize> {
    let version = connection
        .query_row("SELECT user_version FROM pragma_user_version", [], |row| row.get::<_, i64>(0))
        .map_err(failed)?;
    Ok(version.max(0) as usize)
}

/// Whether nothing was ever written to the database.
pub fn is_new(connection: &Connection) -> StoreResult<bool> {
    Ok(version(connection)? == 0)
}

/// Brings the database to the newest version. Two processes may do this at once; the second finds it done.
pub fn migrate(connection: &mut Connection, migrations: &[&str]) -> StoreResult<()> {
    let newest = migrations.len();
    loop {
        let transaction =
            connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
        let done = version(&transaction)?;
        if done > newest {
            let message = format!(
                "it has schema version {done}, and this program knows versions up to {newest}; use a newer one"
            );
            return Err(StoreError::Locked(message));
        }
        let Some(next) = migrations.get(done) else { return Ok(()) };
        transaction.execute_batch(next).map_err(failed)?;
        transaction.pragma_update(None, "user_version", (done + 1) as i64).map_err(failed)?;
        transaction.commit().map_err(failed)?;
    }
}
