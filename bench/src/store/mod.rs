//! `bench store`: how many durable appends a second, how fast keywords are found, what a thousand tenants cost.

mod appends;
mod floor;
mod search;
mod tenants;

use memory::types::TenantId;
use store::{Credential, Tenant, Tenants};

use crate::report::BenchReport;

#[derive(clap::Args)]
pub struct StoreOptions {
    /// Measure only some: appends, search, tenants.
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// How often each append is measured; the median counts.
    #[arg(long, default_value_t = 5)]
    repetitions: usize,
    /// Seconds of each measurement of appends.
    #[arg(long, default_value_t = 2.0)]
    seconds: f64,
    /// Turns in the store when it is searched.
    #[arg(long, value_delimiter = ',', default_values_t = [1_000, 10_000, 100_000])]
    turns: Vec<usize>,
    /// Tenants that are active at once.
    #[arg(long, default_value_t = 1_000)]
    tenants: usize,
}

pub async fn run(options: &StoreOptions) -> anyhow::Result<BenchReport> {
    testkit::fsyncs::install();
    let wanted = |part: &str| options.only.is_empty() || options.only.iter().any(|only| only == part);
    let mut report = BenchReport::default();
    if wanted("appends") {
        report.push(appends::run(options.repetitions, options.seconds).await?);
    }
    if wanted("search") {
        report.push(search::run(&options.turns).await?);
    }
    if wanted("tenants") {
        report.push(tenants::run(options.tenants).await?);
    }
    Ok(report)
}

pub async fn open(tenants: &Tenants, name: &str) -> anyhow::Result<Tenant> {
    let tenant: TenantId = name.parse()?;
    let pass = tenants.authenticate(Credential::Operator { tenant }).await?;
    Ok(tenants.open(&pass).await?)
}
