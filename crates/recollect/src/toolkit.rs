//! The one place where a tenant's tools are put together: its store and settings, and of the house the clock, the embedder
//! and the tenant's core model.

use std::sync::Arc;

use memory::learn::session_pass::Learner;
use memory::recall::Recaller;
use memory::settings::Settings;
use memory::tend::Tender;
use memory::toolkit::Toolkit;
use store::Tenant;

use crate::ops::Services;
use crate::problem::Problem;

impl Services {
    /// A tenant's tools under the settings in force.
    pub(crate) async fn tools(&self, tenant: &Tenant) -> Result<Toolkit, Problem> {
        Ok(self.tools_under(tenant, tenant.settings().await?))
    }

    /// The same under settings that were read already.
    pub(crate) fn tools_under(&self, tenant: &Tenant, settings: Settings) -> Toolkit {
        let model = self.core_model(tenant, &settings);
        let tools = tenant.tools(settings, Arc::clone(&self.clock));
        Toolkit { embedder: self.embedder.clone(), judge: Some(Arc::clone(&self.judge)), model, ..tools }
    }

    pub(crate) async fn recaller(&self, tenant: &Tenant) -> Result<Recaller, Problem> {
        Ok(Recaller { tools: self.tools(tenant).await? })
    }

    pub(crate) async fn learner(&self, tenant: &Tenant) -> Result<Learner, Problem> {
        Ok(Learner { tools: self.tools(tenant).await? })
    }

    pub(crate) async fn tender(&self, tenant: &Tenant) -> Result<Tender, Problem> {
        Ok(Tender { tools: self.tools(tenant).await? })
    }
}
