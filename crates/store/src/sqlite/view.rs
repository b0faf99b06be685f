//! A request's view of a tenant: one connection with one read transaction.
//!
//! The first read takes a permit and a resting connection and begins the transaction; dropping the view ends it and puts the
//! connection back, with its prepared statements. Reads happen right here where the thread may block ([`crate::blocking`]), and on
//! a thread that may otherwise. A store in memory has one connection for everybody, which no view may keep: there each read
//! stands for itself.

use std::sync::Arc;

use memory::error::{StoreError, StoreResult};
use rusqlite::Connection;
use tokio::sync::{Mutex, OwnedSemaphorePermit};

use super::{Tenant, TenantInner, connect, failed, stopped};
use crate::blocking::{is_on_blocking_thread, is_still_wanted};

pub struct TenantView {
    tenant: Tenant,
    /// The lock makes the view's reads come one after the other. Nothing before the first read.
    begun: Mutex<Option<Begun>>,
}

impl TenantView {
    pub fn new(tenant: &Tenant) -> Self {
        Self { tenant: tenant.clone(), begun: Mutex::new(None) }
    }

    pub async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection, &Arc<TenantInner>) -> StoreResult<T> + Send + 'static,
    ) -> StoreResult<T> {
        if self.tenant.inner.place.is_memory() {
            return self.tenant.read(work).await;
        }
        let mut begun = self.begun.lock().await;
        let mut taken = match begun.take() {
            Some(taken) => taken,
            None => Begun::admitted(&self.tenant).await?,
        };
        if is_on_blocking_thread() {
            is_still_wanted().await;
            let result = taken.run(work);
            *begun = Some(taken);
            return result;
        }
        let done = tokio::task::spawn_blocking(move || {
            let result = taken.run(work);
            (taken, result)
        });
        let (taken, result) = done.await.map_err(|error| stopped(&error))?;
        *begun = Some(taken);
        result
    }
}

/// A view that was let in, and its connection once it has one.
struct Begun {
    inner: Arc<TenantInner>,
    connection: Option<Connection>,
    _permit: OwnedSemaphorePermit,
}

impl Begun {
    async fn admitted(tenant: &Tenant) -> StoreResult<Self> {
        let inner = Arc::clone(&tenant.inner);
        let permit = Arc::clone(&inner.reading).acquire_owned().await;
        let permit = permit.map_err(|_| StoreError::Failed("the tenant is closed".into()))?;
        Ok(Self { inner, connection: None, _permit: permit })
    }

    fn run<T>(
        &mut self,
        work: impl FnOnce(&Connection, &Arc<TenantInner>) -> StoreResult<T>,
    ) -> StoreResult<T> {
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => begin(&self.inner)?,
        };
        work(self.connection.insert(connection), &self.inner)
    }
}

fn begin(inner: &TenantInner) -> StoreResult<Connection> {
    let resting = inner.readers.lock().pop();
    let connection = match resting {
        Some(connection) => connection,
        None => connect(&inner.place, inner.durability)?,
    };
    connection.execute_batch("BEGIN").map_err(failed)?;
    Ok(connection)
}

impl Drop for Begun {
    fn drop(&mut self) {
        let Some(connection) = self.connection.take() else { return };
        // One that cannot end its transaction is closed, which ends it too.
        if connection.execute_batch("ROLLBACK").is_ok() {
            self.inner.readers.lock().push(connection);
        }
    }
}
