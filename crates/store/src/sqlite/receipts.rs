//! What purges say of themselves: kinds, numbers and a keyed hash, never what was there.

use memory::error::{StoreError, StoreResult};
use memory::types::Receipt;
use rusqlite::{Connection, params};

use super::Tenant;
use super::apply::Applying;
use super::read::all;

impl Tenant {
    /// The key of the hashes on this house's receipts.
    pub async fn receipt_key(&self) -> StoreResult<[u8; 32]> {
        self.inner.control.receipt_key().await
    }
}

pub fn put(applying: &mut Applying<'_>, receipt: &Receipt) -> StoreResult<()> {
    let body = serde_json::to_string(receipt).map_err(|error| StoreError::Failed(error.to_string()))?;
    let sql = "INSERT INTO receipt (body) VALUES (?1) ON CONFLICT (id) DO UPDATE SET body = excluded.body";
    applying.execute(sql, [body]).map(drop)
}

pub fn latest(connection: &Connection, limit: usize) -> StoreResult<Vec<Receipt>> {
    let sql = "SELECT body FROM receipt ORDER BY row DESC LIMIT ?1";
    let bodies: Vec<String> = all(connection, sql, params![limit as i64], |row| row.get(0))?;
    let read = |body: &String| serde_json::from_str(body);
    bodies
        .iter()
        .map(read)
        .collect::<Result<_, _>>()
        .map_err(|error| StoreError::Failed(format!("a receipt: {error}")))
}
