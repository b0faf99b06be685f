//! Backups of the whole house, and bringing one back.
//!
//! Both are errands with a row in the table: leave is asked of a house and is on record before anything is copied or put in
//! place. For a backup that is the house whose folder is copied. For a restore it is the one that stands there afterwards, the
//! stage or, for a single tenant, the folder that it comes into: the data that is replaced may be too damaged to be asked, and the
//! row belongs into the record that is read from then on.
//!
//! The work is done beside the stores and not through them: a backup should not need a store that is well. Looking at the
//! backups that there are touches no store, and is no errand.

use std::path::{Path, PathBuf};

use memory::error::{StoreError, StoreResult};
use memory::types::TenantId;
use serde::Serialize;
use store::backup::{self, BackupError, BackupProgress, BackupSource, BackupTaken};
use store::backup::{PurgedCounts, RestoredBackup, Staged, Wanted};
use store::{Credential, Tenants, TenantsOptions, tenant_path};

use super::Services;
use super::errands::Errand;
use crate::problem::{Code, Problem};
use crate::socket::ServeLock;

/// Makes a backup of a data folder, and takes away all but the newest `keep`; zero keeps all.
pub async fn take(
    source: &BackupSource,
    options: TenantsOptions,
    folder: &Path,
    keep: usize,
    progress: &mut BackupProgress<'_>,
) -> Result<BackupTaken, Problem> {
    if backup::is_occupied(&source.data)? {
        match open(&source.data, options) {
            Ok(house) => permit(house, Errand::Backup, TenantId::local()).await?,
            // A folder whose record cannot be opened is the one that needs a backup most.
            Err(error) => tracing::warn!(%error, "the backup cannot be put on record"),
        }
    }
    Ok(backup::take(source, folder, keep, progress)?)
}

/// What a restore would do.
#[derive(Debug, Serialize)]
pub struct RestoreForeseen {
    dry_run: bool,
    pub name: String,
    pub data: PathBuf,
    pub tenants: Vec<TenantId>,
    bytes: u64,
    /// Whether something is there that would be moved aside.
    pub replaces: bool,
    pub purged: PurgedCounts,
}

/// Says what a restore would do, and touches nothing.
pub fn foresee(wanted: &Wanted<'_>) -> Result<RestoreForeseen, Problem> {
    Ok(RestoreForeseen {
        dry_run: true,
        name: wanted.generation.name.clone(),
        data: wanted.data.to_owned(),
        tenants: wanted.tenants()?.into_iter().cloned().collect(),
        bytes: wanted.manifest.bytes(),
        replaces: is_in_the_way(wanted)?,
        purged: backup::foresee(wanted)?,
    })
}

/// Whether something would be moved aside.
pub fn is_in_the_way(wanted: &Wanted<'_>) -> Result<bool, Problem> {
    match wanted.tenant {
        Some(tenant) => Ok(wanted.data.join(tenant_path(tenant)).exists()),
        None => Ok(backup::is_occupied(wanted.data)?),
    }
}

/// The right to serve a data folder, where there is something to serve: no server may run while the folder is replaced.
pub fn seat(data: &Path) -> Result<Option<ServeLock>, Problem> {
    let is_used = std::fs::read_dir(data).is_ok_and(|mut entries| entries.next().is_some());
    if !is_used {
        return Ok(None);
    }
    match ServeLock::take(data) {
        Ok(seat) => Ok(Some(seat)),
        Err(problem) if problem.code == Code::AlreadyRunning => {
            let hint = "stop it first, or restore into another folder with --data DIR";
            Err(Problem::new(problem.code, problem.message).hint(hint))
        }
        Err(problem) => Err(problem),
    }
}

/// Brings back what a backup holds, under the right to serve the folder.
pub async fn restore(
    wanted: Wanted<'_>,
    seat: Option<ServeLock>,
    progress: &mut BackupProgress<'_>,
) -> Result<RestoredBackup, Problem> {
    let (options, tenant) = (wanted.options.clone(), wanted.tenant.cloned());
    let (clock, data) = (options.clock.clone(), wanted.data.to_owned());
    let staged = backup::stage(wanted, progress).await?;
    let kept = if tenant.is_some() { data.as_path() } else { staged.folder() };
    let named = tenant.clone().unwrap_or_else(TenantId::local);
    let permitted = match open(kept, options) {
        Ok(house) => permit(house, Errand::Restore, named).await,
        Err(error) => Err(error.into()),
    };
    if let Err(problem) = permitted {
        staged.discard()?;
        return Err(problem);
    }
    match tenant {
        Some(tenant) => Ok(staged.install_tenant(&tenant, clock.now()).await?),
        None => exchange(staged, seat),
    }
}

/// The stage takes the folder's place, and no server can start on either meanwhile.
fn exchange(staged: Staged, seat: Option<ServeLock>) -> Result<RestoredBackup, Problem> {
    let next = ServeLock::take(staged.folder())?;
    let installed = staged.install();
    // The old one's end takes away a socket by its path, where the new folder lies now.
    drop(seat);
    drop(next);
    Ok(installed?)
}

/// A house for the gate alone: nothing is embedded in it.
fn open(folder: &Path, options: TenantsOptions) -> StoreResult<Services> {
    let options = TenantsOptions { embedder: None, ..options };
    Ok(Services::new(Tenants::open_folder(folder, options)?, None))
}

/// Asks for leave, and lets go of the house again, so that its files can be copied or moved.
async fn permit(house: Services, errand: Errand, tenant: TenantId) -> Result<(), Problem> {
    let caller = house.admit(Credential::Operator { tenant }).await?;
    let leave = house.leave(&caller, errand, None, None);
    house.tenants.close().await;
    leave.map(drop)
}

impl From<BackupError> for Problem {
    fn from(error: BackupError) -> Self {
        match error {
            BackupError::File { path, error } => {
                let message = format!("{} cannot be read or written: {error}", path.display());
                Problem::new(Code::Unavailable, message)
                    .hint("nothing was changed; see to it and repeat the command")
            }
            BackupError::Damaged(message) => Problem::new(Code::Unavailable, message)
                .hint("`recollect backup DIR --verify` says which backups are whole; --at names one of them"),
            BackupError::Newer(message) => {
                Problem::new(Code::Unavailable, message).hint("a newer version of this program can read it")
            }
            BackupError::Broken(message) => Problem::new(Code::Unavailable, message)
                .hint("`recollect doctor` says more of it; backups that were made before are as they were"),
            BackupError::Refused { message, hint } => Problem::invalid(message).hint(hint),
            BackupError::Nothing(message) => Problem::new(Code::NotFound, message)
                .hint("--data names the data folder, and `recollect backup DIR` makes a backup of it"),
            BackupError::Busy(message) => {
                Problem::new(Code::Busy, message).hint("wait until it is done, then repeat the command")
            }
            BackupError::Store(StoreError::Busy(cause)) => {
                Problem::new(Code::Busy, format!("the store is busy: {cause}")).hint("try again in a moment")
            }
            BackupError::Store(error) => error.into(),
        }
    }
}
