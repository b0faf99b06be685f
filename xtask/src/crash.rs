//! `cargo xtask crash`: the crash test of the store with more rounds than the tests have time for.
//!
//! The same code as in the tests, told by environment variables how long to go on.

use crate::shell;

/// As `crates/store/tests/all/crash.rs` reads them.
const ROUNDS_VARIABLE: &str = "RECOLLECT_CRASH_ROUNDS";
const SEED_VARIABLE: &str = "RECOLLECT_CRASH_SEED";

pub fn run(rounds: u32, seed: Option<u64>) -> anyhow::Result<()> {
    let mut command = shell::cargo(&["test", "--package", "store", "--test", "all"]);
    command.args(["--", "crash::", "--nocapture"]);
    command.env(ROUNDS_VARIABLE, rounds.to_string());
    if let Some(seed) = seed {
        command.env(SEED_VARIABLE, seed.to_string());
    }
    shell::run(command)
}
