//! Notices conversations that grow long without ever pausing.
//!
//! A session is due when nothing more was said for a while, and somebody who never stops would never be learned from.
//! Whoever appends only says that a session was touched; the worker counts behind their back, one small read each.

use memory::personality::Tuning;
use memory::ports::ReadStore;
use memory::settings::Settings;
use memory::types::{SessionKey, TenantSession};
use store::Tenant;

use super::worker::Worker;
use crate::ops::Services;
use crate::problem::Problem;

/// Whether so much of a session waits that it is distilled without waiting for a pause.
pub(super) async fn is_long(tenant: &Tenant, key: &SessionKey, settings: &Settings) -> Result<bool, Problem> {
    let tuning = Tuning::of(tenant, &key.agent, settings).await?;
    let threshold = tuning.sooner(settings.observer_token_threshold);
    Ok(tuning.enabled && tenant.pending_tokens(key).await? >= threshold)
}

/// Makes those of the sessions due that have grown long.
pub(super) async fn look(worker: &Worker, house: &Services, touched: Vec<TenantSession>) {
    for (tenant, key) in touched {
        match measure(house, &(tenant.clone(), key.clone())).await {
            Ok(true) => worker.touched_for_good(&tenant, &key, house.clock.now()),
            Ok(false) => {}
            // It is due at its next pause anyway.
            Err(problem) => tracing::debug!(%problem, "how much waits could not be counted"),
        }
    }
}

async fn measure(house: &Services, (tenant, key): &TenantSession) -> Result<bool, Problem> {
    let opened = house.attend(tenant).await?;
    let settings = opened.settings().await?;
    is_long(&opened, key, &settings).await
}
