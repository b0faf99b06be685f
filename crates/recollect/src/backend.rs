//! How a command reaches memory: through the server that runs on the data folder, or by opening the store itself.
//!
//! Both ways end in the same [`ops::execute`], so a command cannot tell them apart. The store allows several processes
//! at once; going through the server only spares opening files and lets many writers share one commit.

use std::path::PathBuf;
use std::sync::Arc;

use memory::types::TenantId;
use models::Upstreams;
use store::{Credential, Tenants, TenantsOptions};
use tokio::net::UnixStream;
use tokio::sync::OnceCell;

use crate::config::Config;
use crate::core_model::Models;
use crate::limits;
use crate::ops::{self, Access, Operation, OperationRequest, Outcome, Services};
use crate::problem::{Code, Problem};
use crate::rpc::{self, CallError};
use crate::socket;

pub struct Backend {
    folder: PathBuf,
    options: TenantsOptions,
    upstreams: Upstreams,
    attach: bool,
    /// Opened when an operation finds no server. A server that comes later is used again: a look at its socket costs
    /// next to nothing, and what either writes the other sees.
    own: OnceCell<Services>,
}

impl Backend {
    /// Says where to go; goes nowhere yet. Without `attach` a running server is passed by.
    pub fn new(config: &Config, attach: bool) -> Backend {
        let (folder, options) = (config.data.clone(), config.store_options());
        Backend { folder, options, upstreams: config.upstreams.clone(), attach, own: OnceCell::new() }
    }

    /// Asks for something and gets the answer that belongs to it.
    pub async fn ask<R: OperationRequest>(
        &self,
        tenant: &TenantId,
        request: R,
    ) -> Result<R::Answer, Problem> {
        R::answer_of(self.execute(tenant, request.into()).await?)
    }

    pub async fn execute(&self, tenant: &TenantId, operation: Operation) -> Result<Outcome, Problem> {
        if self.attach {
            match self.through_server(tenant, &operation).await {
                Some(Ok(outcome)) => return Ok(outcome),
                Some(Err(CallError::Answered(problem))) => return Err(problem),
                // A server that stops while it is asked: a question can be asked again here, a change may be done.
                Some(Err(CallError::Broken(cause))) if operation.access() != Access::Reads => {
                    return Err(broken(&cause));
                }
                Some(Err(CallError::Broken(_))) | None => {}
            }
        }
        let house = self.own().await?;
        let caller = house.admit(Credential::Operator { tenant: tenant.clone() }).await?;
        ops::execute(house, &caller, operation).await
    }

    /// The data folder.
    pub fn folder(&self) -> &std::path::Path {
        &self.folder
    }

    /// The store of this process, where it was opened.
    pub fn opened(&self) -> Option<&Services> {
        self.own.get()
    }

    /// The store, opened by this process.
    pub async fn own(&self) -> Result<&Services, Problem> {
        let open_own = || async {
            let house = open(&self.folder, self.options.clone())?;
            let models = Arc::new(Models::new(self.upstreams.clone()));
            Ok::<_, Problem>(Services { waits_for_vectors: true, models, ..house })
        };
        self.own.get_or_try_init(open_own).await
    }

    /// A connection to the server that runs on the folder, where one does and this process has not begun without it.
    pub async fn server(&self) -> Option<UnixStream> {
        if !self.attach || self.own.get().is_some() {
            return None;
        }
        socket::connect(&self.folder).await.ok().flatten()
    }

    async fn through_server(
        &self,
        tenant: &TenantId,
        operation: &Operation,
    ) -> Option<Result<Outcome, CallError>> {
        match socket::connect(&self.folder).await {
            Ok(Some(stream)) => Some(rpc::call(stream, tenant, operation).await),
            Ok(None) => None,
            Err(error) => {
                tracing::warn!(%error, "the server's socket is there but cannot be used; opening the store instead");
                None
            }
        }
    }

    /// Leaves the store in order, with what is counted behind answers.
    pub async fn close(&self) {
        if let Some(house) = self.own.get() {
            house.backlog.settled(limits::CHAT_LEAVE_WITHIN).await;
            house.tenants.close().await;
        }
    }
}

/// Whether there is a data folder that was opened before.
pub fn exists(folder: &std::path::Path) -> bool {
    folder.join("control.sqlite3").exists()
}

/// Opens a data folder, making it where it is missing.
pub fn open(folder: &std::path::Path, options: TenantsOptions) -> Result<Services, Problem> {
    std::fs::create_dir_all(folder).map_err(|error| {
        let message = format!("the data folder {} cannot be made: {error}", folder.display());
        Problem::new(Code::Unavailable, message).hint("choose another one with --data DIR")
    })?;
    let embedder = options.embedder.clone();
    Ok(Services::new(Tenants::open_folder(folder, options)?, embedder))
}

fn broken(cause: &str) -> Problem {
    tracing::warn!(cause, "the connection to the server broke");
    let message = "the server went away before it answered; whether the change was made is not known";
    Problem::new(Code::Unavailable, message).hint("look first, then repeat the command")
}
