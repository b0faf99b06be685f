//! `cargo xtask crash`, `tend-crash` and `undo`: what the tests do with random moments and random stores, with more rounds than
//! the tests have time for.
//!
//! The same code as in the tests, told by environment variables how long to go on.

use std::process::Command;

use crate::shell;
use crate::tally::TestTally;

/// As the tests read them.
const ROUNDS_VARIABLE: &str = "RECOLLECT_CRASH_ROUNDS";
const SEED_VARIABLE: &str = "RECOLLECT_CRASH_SEED";
const UNDO_SEEDS_VARIABLE: &str = "RECOLLECT_UNDO_SEEDS";

pub fn run(rounds: u32, seed: Option<u64>) -> anyhow::Result<()> {
    // The store's own writes, then the whole path of learning.
    kill("store", "crash::nothing", rounds, seed)?;
    kill("recollect", "learning::crash", rounds, seed)
}

/// Kills passes of upkeep inside each of their steps.
pub fn tend(rounds: u32, seed: Option<u64>) -> anyhow::Result<()> {
    kill("memory", "tend::crash", rounds, seed)
}

/// Takes passes of upkeep over many random stores back.
pub fn undo(seeds: u64) -> anyhow::Result<()> {
    let mut command = shell::cargo(&["test", "--package", "memory", "--test", "all"]);
    command.args(["--", "tend::undoing::what_is_left", "--nocapture"]);
    command.env(UNDO_SEEDS_VARIABLE, seeds.to_string());
    run_some(command)
}

fn kill(package: &str, tests: &str, rounds: u32, seed: Option<u64>) -> anyhow::Result<()> {
    let mut command = shell::cargo(&["test", "--package", package, "--test", "all"]);
    command.args(["--", tests, "--nocapture"]);
    command.env(ROUNDS_VARIABLE, rounds.to_string());
    if let Some(seed) = seed {
        command.env(SEED_VARIABLE, seed.to_string());
    }
    run_some(command)
}

/// Runs the tests of a lane. A filter that finds none would otherwise pass without having tried anything.
fn run_some(command: Command) -> anyhow::Result<()> {
    let mut tally = TestTally::default();
    shell::run_reading(command, |line| tally.read(line))?;
    anyhow::ensure!(tally.passed > 0, "no test has the name that this lane runs: it was moved or renamed");
    println!("{} passed, {} failed", tally.passed, tally.failed);
    Ok(())
}
