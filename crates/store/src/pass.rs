//! Authentication: the only maker of a [`Pass`], without which no tenant's store opens.
//!
//! `Pass` has a private field, so code outside this file cannot write one down:
//!
//! ```compile_fail
//! let forged = store::Pass { tenant: memory::types::TenantId::local() };
//! ```

use memory::error::StoreError;
use memory::types::TenantId;

use crate::tenants::Tenants;

/// What a caller shows.
#[derive(Debug, Clone)]
pub enum Credential {
    /// A request from this very machine, while no key exists.
    Loopback,
    /// Whoever can open the data folder: the command line, and the server's socket that only its owner may use.
    Operator { tenant: TenantId },
}

/// Proof that a caller may use a tenant.
#[derive(Debug, Clone)]
pub struct Pass {
    tenant: TenantId,
}

impl Pass {
    pub fn tenant(&self) -> &TenantId {
        &self.tenant
    }
}

/// Why a caller got no pass.
#[derive(Debug, thiserror::Error)]
pub enum Denied {
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Tenants {
    /// Looks at what the caller shows and says which tenant it opens.
    pub async fn authenticate(&self, credential: Credential) -> Result<Pass, Denied> {
        let tenant = match credential {
            Credential::Loopback => TenantId::local(),
            Credential::Operator { tenant } => tenant,
        };
        Ok(Pass { tenant })
    }
}
