//! The tenant as it stood at one moment, page by page: what exports and backups read.

use memory::error::{StoreError, StoreResult};
use memory::ports::Snapshot;
use memory::types::Extent;

use super::Tenant;

pub async fn take(_tenant: &Tenant, _extent: &Extent) -> StoreResult<Box<dyn Snapshot>> {
    Err(StoreError::Failed("nothing can be read out yet".into()))
}
