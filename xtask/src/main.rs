//! The project's own commands, in Rust so that they run wherever the project builds: `cargo xtask COMMAND`.
//!
//! One file a command. Each prints what it runs before it runs it, so that any step can be repeated by hand.

mod bench;
mod clients;
mod crash;
mod distil_model;
mod fake_llm;
mod generate;
mod shell;
mod size;
mod stages;
mod tally;
mod test;
mod tools;
mod train;

use std::path::PathBuf;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(bin_name = "cargo xtask", about = "The project's own commands.", disable_help_subcommand = true)]
struct XtaskArguments {
    #[command(subcommand)]
    command: XtaskCommand,
}

#[derive(Subcommand)]
enum XtaskCommand {
    /// Everything that must hold before a change lands: tools, format, clippy, build, tests, generated references.
    Test {
        /// Only the Rust test programs as they are built: no format, clippy, clients or references.
        #[arg(long)]
        built: bool,
        /// Busy loops beside the tests: what passes alone may fail on a loaded machine.
        #[arg(long, default_value_t = 0, requires = "built")]
        busy: usize,
    },
    /// The client libraries of Python and JavaScript against the debug binary, as in `test`, by themselves.
    Clients,
    /// What a release costs: seconds to build, bytes of the binary by part, resident memory after start.
    Size {
        /// Also code by crate, which links a second time, with symbols.
        #[arg(long)]
        crates: bool,
    },
    /// Write the generated references in docs/reference.
    Generate {
        /// Write nothing; fail if a reference is not what would be written.
        #[arg(long)]
        check: bool,
    },
    /// Measure speed; `cargo xtask bench --help` lists what.
    #[command(disable_help_flag = true)]
    Bench {
        /// What to measure, and its options: handed to the benchmark program as they are.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Kill a writing process at random moments and check that nothing acknowledged is lost.
    Crash {
        #[arg(long, default_value_t = 200)]
        rounds: u32,
        /// Repeat the moments of an earlier run, which printed its seed.
        #[arg(long)]
        seed: Option<u64>,
    },
    /// Kill a pass of upkeep inside each of its steps and check that the next one finishes the work.
    TendCrash {
        #[arg(long, default_value_t = 100)]
        rounds: u32,
        /// Repeat the moments of an earlier run, which printed its seed.
        #[arg(long)]
        seed: Option<u64>,
    },
    /// Tend random stores, let people edit them, take the pass back, and check that what is left is what people did.
    Undo {
        #[arg(long, default_value_t = 100)]
        seeds: u64,
    },
    /// A language model that says what it is told to, for trying things without one; `--help` says how.
    #[command(disable_help_flag = true)]
    FakeLlm {
        /// Handed to the server as they are.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Make the built-in embedding model anew and write it to assets/embedding: the languages around the English rows.
    DistilModel {
        /// Make the English rows anew first, which takes hours.
        #[arg(long)]
        english: bool,
        /// A Python that has PyTorch and a GPU.
        #[arg(long, default_value = "python3")]
        python: String,
    },
    /// Train the judges of speech on eval/told and write assets/judges/weights.bin.
    TrainJudges {
        /// A Python that has PyTorch and a GPU.
        #[arg(long, default_value = "python3")]
        python: String,
    },
    /// Train the gate on labelled messages and write assets/gate/weights.json.
    TrainGate {
        /// Lines of `{text, needs_memory, source}`.
        messages: Option<PathBuf>,
    },
    /// Choose the weights of recall by nested cross-validation over labelled conversations, and print them.
    Tune {
        /// Conversations, one a line.
        files: Vec<PathBuf>,
    },
}

fn main() -> anyhow::Result<()> {
    match XtaskArguments::parse().command {
        XtaskCommand::Test { built: true, busy } => test::run_built(busy),
        XtaskCommand::Test { built: false, .. } => test::run(),
        XtaskCommand::Clients => clients::run_alone(),
        XtaskCommand::Size { crates } => size::run(crates),
        XtaskCommand::Generate { check: true } => generate::check(),
        XtaskCommand::Generate { check: false } => generate::write(),
        XtaskCommand::Bench { arguments } => bench::run(&arguments),
        XtaskCommand::Crash { rounds, seed } => crash::run(rounds, seed),
        XtaskCommand::TendCrash { rounds, seed } => crash::tend(rounds, seed),
        XtaskCommand::Undo { seeds } => crash::undo(seeds),
        XtaskCommand::FakeLlm { arguments } => fake_llm::run(&arguments),
        XtaskCommand::DistilModel { english, python } => distil_model::run(english, &python),
        XtaskCommand::TrainJudges { python } => distil_model::judges(&python),
        XtaskCommand::TrainGate { messages } => train::gate(messages),
        XtaskCommand::Tune { files } => train::recall(files),
    }
}
