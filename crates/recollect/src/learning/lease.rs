//! The right to be the only one who distils a session: taken, kept up while a model thinks, and given back however it ends.
//!
//! A lease is short, so that a dead process does not block a session for long, and a pass with a model may take minutes.
//! Whoever holds one therefore renews it while the work goes on. Work that is dropped in the middle, because a client hung
//! up or the server stops, gives its lease back too.

use std::pin::pin;

use memory::types::{SessionKey, TenantId};

use crate::limits;
use crate::ops::Services;
use crate::problem::Problem;

pub(crate) struct HeldLease {
    house: Services,
    name: String,
    holder: String,
    given_back: bool,
}

impl HeldLease {
    /// Takes the lease, waiting a little for whoever has it: a pass without a model takes milliseconds.
    pub async fn take(
        house: &Services,
        tenant: &TenantId,
        key: &SessionKey,
    ) -> Result<Option<HeldLease>, Problem> {
        let mut lease = HeldLease {
            house: house.clone(),
            name: format!("distil/{tenant}/{key}"),
            holder: house.holder(),
            given_back: true,
        };
        let until = tokio::time::Instant::now() + limits::LEASE_WITHIN;
        loop {
            if lease.renew().await? {
                lease.given_back = false;
                return Ok(Some(lease));
            }
            if tokio::time::Instant::now() >= until {
                return Ok(None);
            }
            tokio::time::sleep(limits::LEASE_AGAIN_AFTER).await;
        }
    }

    /// Takes a lease of any name, or nothing where somebody has it: for work that need not be done twice.
    pub async fn take_now(house: &Services, name: String) -> Result<Option<HeldLease>, Problem> {
        let mut lease = HeldLease { house: house.clone(), name, holder: house.holder(), given_back: true };
        let taken = lease.renew().await?;
        lease.given_back = !taken;
        Ok(taken.then_some(lease))
    }

    async fn renew(&self) -> Result<bool, Problem> {
        let now = self.house.clock.now();
        let seconds = limits::DISTIL_LEASE_SECONDS;
        Ok(self.house.tenants.lease(&self.name, &self.holder, seconds, now).await?)
    }

    /// Does the work while the lease is kept up; nothing where it was lost, and somebody else may be at it.
    pub async fn during<T>(&self, work: impl Future<Output = T>) -> Result<Option<T>, Problem> {
        let mut work = pin!(work);
        loop {
            tokio::select! {
                done = &mut work => return Ok(Some(done)),
                () = tokio::time::sleep(limits::LEASE_RENEW_AFTER) => {
                    if !self.renew().await? {
                        return Ok(None);
                    }
                }
            }
        }
    }

    pub async fn give_back(mut self) -> Result<(), Problem> {
        self.given_back = true;
        self.house.tenants.release_lease(&self.name, &self.holder).await?;
        Ok(())
    }
}

impl Drop for HeldLease {
    fn drop(&mut self) {
        if self.given_back {
            return;
        }
        let (house, name, holder) = (self.house.clone(), self.name.clone(), self.holder.clone());
        // Outside a runtime the process is ending, and the lease runs out by itself.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                if let Err(error) = house.tenants.release_lease(&name, &holder).await {
                    tracing::debug!(%error, "a lease is left to run out");
                }
            });
        }
    }
}
