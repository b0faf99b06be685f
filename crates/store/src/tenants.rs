//! The key board: opens tenants for those who hold a pass, and keeps the number of open ones bounded.
//!
//! Thousands of tenants may exist and each may be active, but files, connections and memory are held for at most
//! [`TenantsOptions::open_tenants`]. When one more is wanted, the least recently used that nobody holds is closed first.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use memory::error::{StoreError, StoreResult};
use memory::language::Language;
use memory::ports::{Clock, Embedder};
use memory::text::Analyser;
use memory::types::{TenantId, Time};
use parking_lot::Mutex;
use serde_json::Value;
use tokio::sync::OnceCell;

use crate::control::Control;
use crate::layout;
use crate::limits;
use crate::pass::Pass;
use crate::sqlite::{DatabasePlace, DeckBudget, Opening, Tenant, Writers};
use crate::{SystemClock, sqlite};

/// What an acknowledged write survives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WriteDurability {
    /// A power cut: every commit is on the disk before it is acknowledged.
    #[default]
    Full,
    /// A crash of the program; a power cut may take the last moments, never the consistency.
    Normal,
}

/// How the stores are opened.
#[derive(Clone)]
pub struct TenantsOptions {
    pub durability: WriteDurability,
    /// The languages whose stems are indexed.
    pub languages: Vec<Language>,
    pub open_tenants: usize,
    /// Bytes of rows that searches looked at lately, over all tenants; 0 keeps none.
    pub deck_bytes: usize,
    /// Embeds what is written; without one, keywords are all there is.
    pub embedder: Option<Arc<dyn Embedder>>,
    /// By which keys expire, and what the store writes of itself is dated.
    pub clock: Arc<dyn Clock>,
    /// Settings that hold in all tenants until something that is stored says otherwise.
    pub settings: BTreeMap<String, Value>,
}

impl Default for TenantsOptions {
    fn default() -> Self {
        Self {
            durability: WriteDurability::Full,
            languages: vec![Language::English],
            open_tenants: limits::OPEN_TENANTS,
            deck_bytes: limits::DECK_BYTES,
            embedder: None,
            clock: Arc::new(SystemClock),
            settings: BTreeMap::new(),
        }
    }
}

/// What is held right now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gauges {
    pub open_tenants: usize,
    pub queued_batches: usize,
    pub commits: u64,
    pub batches: u64,
}

/// All tenants of one data folder. Cheap to clone.
#[derive(Clone)]
pub struct Tenants {
    inner: Arc<TenantsInner>,
}

struct TenantsInner {
    /// `None` when nothing may touch the disk.
    folder: Option<PathBuf>,
    options: TenantsOptions,
    open_at_most: usize,
    analyser: Arc<Analyser>,
    control: Control,
    writers: Writers,
    deck_budget: Arc<DeckBudget>,
    /// Shared by all callers; the lock is held to look up and to choose whom to close, never while a file is opened.
    open: Mutex<OpenTenants>,
}

#[derive(Default)]
struct OpenTenants {
    tenants: HashMap<TenantId, TenantSlot>,
    uses: u64,
}

/// A tenant that is open or being opened: whoever asks while it is being opened waits for the same opening.
struct TenantSlot {
    cell: Arc<OnceCell<Tenant>>,
    last_use: u64,
}

impl Tenants {
    /// Opens a data folder, making what is missing. Only its owner may look inside.
    pub fn open_folder(folder: &Path, options: TenantsOptions) -> StoreResult<Self> {
        make_private_folder(folder)?;
        make_private_folder(&folder.join(layout::TENANTS))?;
        Self::build(Some(folder.to_owned()), options)
    }

    /// Incognito: everything as usual, and nothing on disk.
    pub fn in_memory(options: TenantsOptions) -> StoreResult<Self> {
        Self::build(None, options)
    }

    /// A store in memory with the same languages and embedder, on a clock of its own: for whoever tries something out.
    pub fn beside_in_memory(&self, clock: Arc<dyn Clock>) -> StoreResult<Self> {
        Self::in_memory(TenantsOptions { clock, ..self.inner.options.clone() })
    }

    fn build(folder: Option<PathBuf>, options: TenantsOptions) -> StoreResult<Self> {
        let control =
            Control::open(folder.as_deref(), options.clock.now())?.with_defaults(options.settings.clone());
        let analyser = Arc::new(Analyser::new(&options.languages));
        let open_at_most = options.open_tenants.clamp(1, descriptors_allow());
        let writers = Writers::new();
        let open = Mutex::new(OpenTenants::default());
        let deck_budget = Arc::new(DeckBudget::new(options.deck_bytes));
        let inner =
            TenantsInner { folder, options, open_at_most, analyser, control, writers, deck_budget, open };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// The clock that the store was opened with.
    pub fn clock(&self) -> Arc<dyn Clock> {
        Arc::clone(&self.inner.options.clock)
    }

    /// The only way to a tenant's store. A tenant that does not exist yet is made.
    pub async fn open(&self, pass: &Pass) -> StoreResult<Tenant> {
        for attempt in 1..=limits::SEAT_ATTEMPTS {
            match self.seat(pass.tenant()) {
                Ok((cell, closed)) => {
                    close_in_background(closed);
                    return cell.get_or_try_init(|| self.open_file(pass.tenant())).await.cloned();
                }
                // All seats are held by requests under way; they last milliseconds.
                Err(full) if attempt == limits::SEAT_ATTEMPTS => return Err(full),
                Err(_) => tokio::time::sleep(Duration::from_millis(limits::SEAT_WAIT_MS)).await,
            }
        }
        unreachable!("the last attempt returns")
    }

    /// Finds or makes the tenant's seat; gives back the tenant that had to leave for it.
    fn seat(&self, tenant: &TenantId) -> StoreResult<(Arc<OnceCell<Tenant>>, Option<TenantSlot>)> {
        let mut board = self.inner.open.lock();
        board.uses += 1;
        let now = board.uses;
        if let Some(seat) = board.tenants.get_mut(tenant) {
            seat.last_use = now;
            return Ok((Arc::clone(&seat.cell), None));
        }
        let mut leaving = None;
        if board.tenants.len() >= self.inner.open_at_most {
            // A store in memory is its tenant's only copy: closing it would forget everything.
            let idle = board.tenants.iter().filter(|(_, seat)| self.inner.folder.is_some() && seat.is_idle());
            let oldest = idle.min_by_key(|(_, seat)| seat.last_use).map(|(id, _)| id.clone());
            let Some(oldest) = oldest else {
                let message = format!("{} tenants are open and none of them is idle", board.tenants.len());
                return Err(StoreError::Busy(message));
            };
            leaving = board.tenants.remove(&oldest);
        }
        let cell = Arc::new(OnceCell::new());
        board.tenants.insert(tenant.clone(), TenantSlot { cell: Arc::clone(&cell), last_use: now });
        Ok((cell, leaving))
    }

    async fn open_file(&self, tenant: &TenantId) -> StoreResult<Tenant> {
        self.inner.control.remember(tenant, self.inner.options.clock.now()).await?;
        let place = match &self.inner.folder {
            Some(folder) => DatabasePlace::File(folder.join(layout::tenant_path(tenant))),
            None => DatabasePlace::memory(tenant.as_str()),
        };
        let opening = Opening {
            id: tenant.clone(),
            instance: self.inner.control.instance().await?,
            place,
            durability: self.inner.options.durability,
            analyser: Arc::clone(&self.inner.analyser),
            control: self.inner.control.clone(),
            writers: self.inner.writers.clone(),
            embedder: self.inner.options.embedder.clone(),
            deck_budget: Arc::clone(&self.inner.deck_budget),
        };
        let tenant = sqlite::open(opening).await?;
        tenant.fill_in_background();
        Ok(tenant)
    }

    /// Nothing of it is on a disk.
    pub fn is_incognito(&self) -> bool {
        self.inner.folder.is_none()
    }

    /// Where everything lies; nothing where nothing touches a disk.
    pub fn folder(&self) -> Option<&Path> {
        self.inner.folder.as_deref()
    }

    /// Whether somebody is the only one at `name` now.
    pub async fn is_leased(&self, name: &str, now: Time) -> StoreResult<bool> {
        self.inner.control.is_leased(name, now).await
    }

    /// The tenants that exist.
    pub async fn list(&self) -> StoreResult<Vec<TenantId>> {
        self.inner.control.tenants().await
    }

    pub async fn exists(&self, tenant: &TenantId) -> StoreResult<bool> {
        self.inner.control.knows(tenant).await
    }

    /// Settings that hold for every tenant that does not say otherwise.
    pub async fn default_settings(&self) -> StoreResult<BTreeMap<String, Value>> {
        self.inner.control.settings().await
    }

    pub async fn set_default_setting(&self, name: &str, value: Option<Value>) -> StoreResult<()> {
        self.inner.control.set_setting(name, value).await
    }

    /// Takes or renews the right to be the only one at `name` for some seconds; false when another holds it.
    pub async fn lease(&self, name: &str, holder: &str, seconds: i64, now: Time) -> StoreResult<bool> {
        self.inner.control.lease(name, holder, now.plus_seconds(seconds), now).await
    }

    pub async fn release_lease(&self, name: &str, holder: &str) -> StoreResult<bool> {
        self.inner.control.release(name, holder).await
    }

    pub(crate) fn control(&self) -> &Control {
        &self.inner.control
    }

    pub fn gauges(&self) -> Gauges {
        let open_tenants = self.inner.open.lock().tenants.len();
        let (queued_batches, commits, batches) = self.inner.writers.counts();
        Gauges { open_tenants, queued_batches, commits, batches }
    }

    /// Waits until every acknowledged and queued write is done, then closes what nobody holds.
    pub async fn close(&self) {
        let deadline = tokio::time::Instant::now() + Duration::from_secs(limits::DRAIN_SECONDS);
        while self.gauges().queued_batches > 0 && tokio::time::Instant::now() < deadline {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        self.inner.control.log.flush().await;
        let seats: Vec<TenantSlot> = self.inner.open.lock().tenants.drain().map(|(_, seat)| seat).collect();
        let closing = tokio::task::spawn_blocking(move || drop(seats));
        if let Err(error) = closing.await {
            tracing::error!(%error, "a tenant did not close cleanly");
        }
    }
}

impl TenantSlot {
    /// Nobody waits for it to open and nobody holds it open.
    fn is_idle(&self) -> bool {
        Arc::strong_count(&self.cell) == 1 && self.cell.get().is_some_and(Tenant::is_idle)
    }
}

/// Closing writes the rest of the log into the database, which may take a moment.
fn close_in_background(seat: Option<TenantSlot>) {
    if let Some(seat) = seat {
        tokio::task::spawn_blocking(move || drop(seat));
    }
}

fn make_private_folder(folder: &Path) -> StoreResult<()> {
    let failed = |error: std::io::Error| StoreError::Failed(format!("{}: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(failed)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700)).map_err(failed)?;
    }
    Ok(())
}

/// How many tenants the process's limit on open files has room for. The soft limit is first raised to the hard one.
fn descriptors_allow() -> usize {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let limit = getrlimit(Resource::Nofile);
        let raised = Rlimit { current: limit.maximum, maximum: limit.maximum };
        let soft = if setrlimit(Resource::Nofile, raised).is_ok() { limit.maximum } else { limit.current };
        let descriptors = soft.unwrap_or(1 << 20).min(1 << 20) as usize;
        (descriptors.saturating_sub(128) / limits::DESCRIPTORS_PER_TENANT).max(1)
    }
    #[cfg(not(unix))]
    {
        limits::OPEN_TENANTS
    }
}
