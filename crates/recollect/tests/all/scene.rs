//! A house on a folder of its own, asked in this process on a clock that the test moves: where tests of what a server does
//! begin. What one subject alone asks of it stands with that subject.

use std::sync::Arc;

use memory::ports::Embedder;
use memory::types::{Role, SessionId, TenantId, Time};
use recollect::ops::ingest::{Ingest, IngestMessage};
use recollect::ops::settings::SettingsSet;
use recollect::ops::{OperationRequest, Services};
use recollect::problem::Problem;
use store::{Credential, Tenant, Tenants, TenantsOptions, WriteDurability};
use tempfile::TempDir;
use testkit::ManualClock;

/// A data folder with a house on it, and the clock that both of them follow.
pub struct Scene {
    pub house: Services,
    pub clock: Arc<ManualClock>,
    pub folder: TempDir,
}

impl Scene {
    /// Words alone find things.
    pub fn new() -> Self {
        Self::on(testkit::folder::scratch(), Arc::new(ManualClock::default()))
    }

    /// Words and meaning find things, and a question waits for both.
    pub fn with_meaning() -> Self {
        let (folder, clock) = (testkit::folder::scratch(), Arc::new(ManualClock::default()));
        Self::opened(folder, clock, Some(Arc::new(models::Builtin)))
    }

    pub fn on(folder: TempDir, clock: Arc<ManualClock>) -> Self {
        Self::opened(folder, clock, None)
    }

    fn opened(folder: TempDir, clock: Arc<ManualClock>, embedder: Option<Arc<dyn Embedder>>) -> Self {
        let options = TenantsOptions {
            durability: WriteDurability::Normal,
            embedder: embedder.clone(),
            clock: clock.clone(),
            ..TenantsOptions::default()
        };
        let tenants = Tenants::open_folder(folder.path(), options).expect("the folder opens");
        let house = Services { waits_for_vectors: embedder.is_some(), ..Services::new(tenants, embedder) };
        Self { house, clock, folder }
    }

    /// As the next process finds it.
    pub async fn restarted(self) -> Self {
        self.house.tenants.close().await;
        let Scene { folder, clock, house } = self;
        drop(house);
        Self::on(folder, clock)
    }

    /// Sets the clock.
    pub fn at(&self, time: &str) {
        self.clock.set(time.parse::<Time>().expect("a time"));
    }

    pub async fn ask<R: OperationRequest>(&self, request: R) -> Result<R::Answer, Problem> {
        ask(&self.house, request).await
    }

    pub async fn tenant(&self) -> Tenant {
        tenant(&self.house).await
    }

    pub async fn set(&self, name: &str, value: serde_json::Value) {
        let request = SettingsSet { name: name.to_owned(), value, everywhere: false };
        self.ask(request).await.expect("the setting exists");
    }
}

/// Asks as the owner of the data folder asks of the tenant `local`.
pub async fn ask<R: OperationRequest>(house: &Services, request: R) -> Result<R::Answer, Problem> {
    let caller = house.admit(Credential::Operator { tenant: TenantId::local() }).await?;
    house.ask(&caller, request).await
}

/// The store of the tenant `local`.
pub async fn tenant(house: &Services) -> Tenant {
    house.attend(&TenantId::local()).await.expect("the tenant opens")
}

/// A conversation of the unnamed user with nobody in particular, to be taken in and learned from.
pub fn conversation(session: &str, said: &[(Role, &str)]) -> Ingest {
    let message = |(role, text): &(Role, &str)| IngestMessage::of(*role, *text);
    Ingest {
        agent: None,
        user: None,
        session: session_id(session),
        messages: said.iter().map(message).collect(),
        skip_extraction: false,
        time_zone: None,
    }
}

pub fn session_id(session: &str) -> SessionId {
    session.parse().expect("a session's name")
}
