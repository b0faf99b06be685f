//! The benchmarks: `cargo xtask bench WHAT`.
//!
//! Machines differ and are noisy, so a number alone says little. Each benchmark measures, in the same run and turn by
//! turn, a floor that does the least possible work for the same result, and reports the ratio. `--json` prints the
//! same figures for programs.

mod api;
mod learn;
mod lived;
mod proxy;
mod recall;
mod report;
mod store;
mod tend;
mod text;
mod transfer;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(
    bin_name = "cargo xtask bench",
    disable_help_subcommand = true,
    about = "Speed, measured beside the floors of the same run."
)]
struct BenchArguments {
    #[command(subcommand)]
    what: BenchKind,
    /// Print JSON instead of a table.
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand)]
enum BenchKind {
    /// The store: durable appends, keyword search, many tenants.
    Store(store::StoreOptions),
    /// Recall: hybrid search, gate and context at growing numbers of memories.
    Recall(recall::RecallOptions),
    /// A search and a context on a store that people have lived in: time, processor's time and instructions.
    Lived(lived::LivedOptions),
    /// Learning: capture beside the bare append, and distillation.
    Learn(learn::LearnOptions),
    /// Upkeep: a pass over many memories, and what a search waits for it.
    Tend(tend::TendOptions),
    /// The HTTP interface: create, get and search beside a route that does nothing.
    Api(api::ApiOptions),
    /// The proxy: time to the first byte and in all, beside a direct call, a bare pass-through and LiteLLM's proxy.
    Proxy(proxy::ProxyOptions),
    /// Transfer: each import and export beside the bare reading and copying of the same bytes, and its most memory.
    Transfer(transfer::TransferOptions),
    /// A server that another benchmark starts for itself.
    #[command(hide = true)]
    ServeForProxy { role: String, upstream: Option<std::net::SocketAddr> },
}

fn main() -> anyhow::Result<()> {
    let arguments = BenchArguments::parse();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let report = match &arguments.what {
        BenchKind::Store(options) => runtime.block_on(store::run(options))?,
        BenchKind::Recall(options) => runtime.block_on(recall::run(options))?,
        BenchKind::Lived(options) => runtime.block_on(lived::run(options))?,
        BenchKind::Learn(options) => runtime.block_on(learn::run(options))?,
        BenchKind::Tend(options) => runtime.block_on(tend::run(options))?,
        BenchKind::Api(options) => runtime.block_on(api::run(options))?,
        BenchKind::Proxy(options) => runtime.block_on(proxy::run(options))?,
        BenchKind::Transfer(options) => transfer::run(options)?,
        BenchKind::ServeForProxy { role, upstream } => {
            return runtime.block_on(proxy::serve(role, *upstream));
        }
    };
    if arguments.json {
        println!("{:#}", report.to_json());
    } else {
        print!("{report}");
    }
    Ok(())
}
