//! `recollect doctor`.
//!
//! The machine is examined here, the tenants by the operation that every surface shares. The store is opened beside a running server, so
//! that a check-up takes as long as it takes, and without an embedding model behind it, so that opening mends nothing by itself. What cannot
//! be opened is a finding and no failure.

mod machine;
mod mem0_file;
mod print;

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use memory::checkup::{CheckSelection, Finding, score};
use memory::types::{Memory, MemoryId, TenantId};
use serde::Serialize;
use store::{Credential, TenantsOptions};

use super::output::{CommandFailure, Output};
use super::{CommandEnd, CommandOwner, Globals};
use crate::backend;
use crate::config::{Config, Flags};
use crate::environment::Environment;
use crate::log;
use crate::ops::doctor::{Diagnosis, Doctor, DoctorFinding, choice};
use crate::ops::show::Show;
use crate::ops::{self, Services};
use crate::problem::{Code, Problem};

/// Examine the store and what it remembers: configuration, disk, database, indexes, orphans, isolation, junk
///
/// Nothing is changed without --fix. With it, what is computed is made anew, what cannot be read is moved into the folder `aside`, and
/// junk is merged, archived or superseded in one run that `recollect undo RUN` takes back. What a person wrote, pinned or edited is
/// named and never changed. docs/doctor.md explains every code.
///
/// With FILE, a mem0 export is judged instead, and not taken in.
///
/// Exit codes: 0 all is well, or nothing but notices. 3 faults are left. 4 no fault, but junk is left. 1 it could not be
/// examined. 2 it was asked wrongly.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  recollect doctor
  recollect doctor --fix
  recollect doctor --check junk --all-tenants --json
  recollect doctor mem0-export.json")]
pub struct DoctorCommand {
    /// A mem0 export to judge, without taking it in
    #[arg(value_name = "FILE", conflicts_with_all = ["fix", "check", "all_tenants"])]
    file: Option<PathBuf>,
    /// The same
    #[arg(long, value_name = "FILE", conflicts_with_all = ["file", "fix", "check", "all_tenants"])]
    mem0: Option<PathBuf>,
    /// Put right what can be
    #[arg(long)]
    fix: bool,
    /// Only these: codes, areas, or what codes begin with
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    check: Vec<String>,
    /// Every tenant, not only the one that is named
    #[arg(long)]
    all_tenants: bool,
}

/// Exit codes besides those of every command.
const FAULTS: u8 = 3;
const JUNK: u8 = 4;

/// Everything that was found.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DoctorReport {
    /// The lowest of all tenants', the machine's findings counted to each.
    score: u8,
    /// Whether no fault is left anywhere.
    sound: bool,
    machine: Diagnosis,
    tenants: Vec<Diagnosis>,
    /// What the memories that are named say, for a person at a terminal. Never leaves this process otherwise.
    #[serde(skip)]
    lines: BTreeMap<(String, String), String>,
}

impl DoctorCommand {
    pub fn run(self, globals: &Globals, out: &mut Output) -> Result<CommandEnd, CommandFailure> {
        if let Some(file) = self.file.as_ref().or(self.mem0.as_ref()) {
            return mem0_file::run(file, out);
        }
        let wanted = choice(&self.check)?;
        let (config, found) = machine::configuration(globals, &wanted)?;
        log::start(&config, false);
        let environment = Environment::of_this_process().unwrap_or_default();
        let who = CommandOwner::new(globals, &environment)?;
        let examination = Examination { command: &self, config, wanted, who };
        let report = super::runtime()?.block_on(examination.all(found))?;
        if out.wants_json() {
            out.answer(&report)?;
        } else {
            print::report(&report, self.fix, out)?;
        }
        Ok(report.done())
    }
}

struct Examination<'a> {
    command: &'a DoctorCommand,
    config: Config,
    wanted: CheckSelection,
    who: CommandOwner,
}

impl Examination<'_> {
    async fn all(&self, configuration: Vec<Finding>) -> Result<DoctorReport, Problem> {
        let folder = &self.config.data;
        let before = machine::examine(&self.config, &self.wanted, configuration.clone()).await;
        let mut machine = Diagnosis::of(None, before.clone(), &self.wanted);
        if self.command.fix && !before.is_empty() {
            machine::repair(&self.config, &before);
            let after = machine::examine(&self.config, &self.wanted, configuration).await;
            let repaired: Vec<DoctorFinding> = before
                .into_iter()
                .filter_map(|finding| ops::doctor::gone(finding, &after))
                .map(DoctorFinding::from)
                .collect();
            machine = Diagnosis { repaired, ..Diagnosis::of(None, after, &self.wanted) };
        }
        let mut report = DoctorReport {
            score: machine.score,
            sound: machine.sound,
            machine,
            tenants: Vec::new(),
            lines: BTreeMap::new(),
        };
        if !backend::exists(folder) {
            return Ok(report);
        }
        match self.house() {
            Ok(house) => {
                for tenant in self.tenants(&house).await? {
                    let diagnosis = self.tenant(&house, &tenant).await?;
                    report.lines.extend(self.lines(&house, &tenant, &diagnosis).await);
                    report.tenants.push(diagnosis);
                }
                house.tenants.close().await;
            }
            // The control database is not to be opened; what is wrong with it was found. The tenants' files are looked at alone.
            Err(_) => report.tenants.push(self.file(&self.who.tenant)),
        }
        Ok(report.summed_up())
    }

    /// The store without an embedding model, which would fill in what is missing before it is found; the check-up has one.
    fn house(&self) -> Result<Services, Problem> {
        let options = TenantsOptions { embedder: None, ..self.config.store_options() };
        let house = backend::open(&self.config.data, options)?;
        let models = std::sync::Arc::new(crate::core_model::Models::new(self.config.upstreams.clone()));
        let embedder = self.config.store_options().embedder;
        Ok(Services { waits_for_vectors: true, embedder, models, ..house })
    }

    async fn tenants(&self, house: &Services) -> Result<Vec<TenantId>, Problem> {
        if !self.command.all_tenants {
            return Ok(vec![self.who.tenant.clone()]);
        }
        house.tenants.list().await
    }

    async fn tenant(&self, house: &Services, tenant: &TenantId) -> Result<Diagnosis, Problem> {
        let path = self.path(tenant);
        if !path.exists() && *tenant == TenantId::local() {
            return Ok(Diagnosis::of(Some(tenant.as_str()), Vec::new(), &self.wanted));
        }
        let asked = Doctor { fix: self.command.fix, checks: self.command.check.clone() };
        let caller = house.admit(Credential::Operator { tenant: tenant.clone() }).await?;
        match house.ask(&caller, asked).await {
            Ok(diagnosis) => Ok(*diagnosis),
            Err(problem) if matches!(problem.code, Code::Internal | Code::Unavailable) && path.exists() => {
                let mut diagnosis = self.file(tenant);
                if diagnosis.findings.is_empty() {
                    let finding = Finding::one("db.unopenable", tenant.as_str()).because(problem.message);
                    diagnosis = Diagnosis::of(Some(tenant.as_str()), vec![finding], &self.wanted);
                }
                Ok(diagnosis)
            }
            Err(problem) => Err(problem),
        }
    }

    /// What the memories say that a diagnosis names, as far as they can be read.
    async fn lines(
        &self,
        house: &Services,
        tenant: &TenantId,
        diagnosis: &Diagnosis,
    ) -> Vec<((String, String), String)> {
        let named = diagnosis
            .findings
            .iter()
            .flat_map(|found| &found.examples)
            .flat_map(|example| example.split(' '));
        let ids: Vec<MemoryId> = named.filter_map(|id| id.parse().ok()).collect();
        let read = async {
            let caller = house.admit(Credential::Operator { tenant: tenant.clone() }).await?;
            let mut memories = Vec::new();
            for id in ids {
                memories.extend(house.ask(&caller, Show { id }).await.ok().map(|shown| shown.memory));
            }
            Ok::<_, Problem>(memories)
        };
        let memories = read.await.unwrap_or_default();
        let line =
            |memory: Memory| ((tenant.as_str().to_owned(), memory.id.as_str().to_owned()), memory.content);
        memories.into_iter().map(line).collect()
    }

    fn path(&self, tenant: &TenantId) -> PathBuf {
        self.config.data.join(store::tenant_path(tenant))
    }

    /// What can be said of a tenant that cannot be opened.
    fn file(&self, tenant: &TenantId) -> Diagnosis {
        let findings = store::examine(&self.path(tenant));
        Diagnosis::of(Some(tenant.as_str()), findings, &self.wanted)
    }
}

impl DoctorReport {
    fn summed_up(mut self) -> Self {
        let of = |found: &DoctorFinding| {
            let mut finding = Finding::new(&found.code, found.of);
            finding.count = found.count;
            finding
        };
        let machine: Vec<Finding> = self.machine.findings.iter().map(of).collect();
        for tenant in &self.tenants {
            let all: Vec<Finding> = tenant.findings.iter().map(of).chain(machine.iter().cloned()).collect();
            self.score = self.score.min(score::score(&all));
            self.sound &= tenant.sound;
        }
        self
    }

    fn all(&self) -> impl Iterator<Item = &Diagnosis> {
        std::iter::once(&self.machine).chain(&self.tenants)
    }

    fn done(&self) -> CommandEnd {
        let junk =
            self.all().any(|diagnosis| diagnosis.findings.iter().any(|found| found.severity == "junk"));
        match (self.sound, junk) {
            (false, _) => CommandEnd::Found(FAULTS),
            (true, true) => CommandEnd::Found(JUNK),
            (true, false) => CommandEnd::Well,
        }
    }
}

/// Flags that leave every configuration file out.
fn without_file(globals: &Globals) -> Flags {
    Flags { file: Some(PathBuf::from("/dev/null")), ..globals.flags() }
}
