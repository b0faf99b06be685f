//! `cargo xtask test`: everything that must hold before a change lands, in the order that fails soonest.
//!
//! `--built` runs the Rust test programs and nothing else: they are what a loaded machine disturbs, and compiling beside the
//! load would only disturb the measurement. `--busy N` is that load.

use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;

use crate::stages::Stages;
use crate::tally::TestTally;
use crate::{clients, generate, shell, tools};

/// All checks.
pub fn run() -> anyhow::Result<()> {
    let (mut stages, mut tally) = (Stages::default(), TestTally::default());
    let outcome = check_all(&mut stages, &mut tally);
    summarise(&stages, &tally, outcome)
}

/// The Rust test programs alone, beside as many busy loops as are asked for.
pub fn run_built(busy: usize) -> anyhow::Result<()> {
    let (mut stages, mut tally) = (Stages::default(), TestTally::default());
    let outcome = stages.run("find test programs", find_programs).and_then(|programs| {
        let _load = Load::start(busy);
        stages.run("built tests", || run_programs(programs, &mut tally))
    });
    summarise(&stages, &tally, outcome)
}

fn check_all(stages: &mut Stages, tally: &mut TestTally) -> anyhow::Result<()> {
    let cargo = |arguments: &[&str]| shell::run(shell::cargo(arguments));
    stages.run("tools", tools::ensure)?;
    stages.run("format", || cargo(&["fmt", "--all", "--check"]))?;
    stages.run("clippy", || cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))?;
    stages.run("build", || cargo(&["build", "--workspace"]))?;
    stages.run("build tests", || cargo(&["test", "--workspace", "--no-run"]))?;
    let tests = stages.run("tests", || {
        let command = shell::cargo(&["test", "--workspace", "--no-fail-fast"]);
        shell::run_reading(command, |line| tally.read(line))
    });
    // The clients are run after failed tests too: whoever mends a failure wants to know of all of them.
    let clients = stages.run("clients", || clients::run(|line| tally.read(line)));
    tests.and(clients)?;
    stages.run("references", generate::check)
}

fn summarise(stages: &Stages, tally: &TestTally, outcome: anyhow::Result<()>) -> anyhow::Result<()> {
    println!("\n{}", stages.table());
    println!("{} passed, {} failed", tally.passed, tally.failed);
    outcome
}

/// A test program, and the folder of its package, where cargo would run it.
struct Program {
    file: PathBuf,
    folder: PathBuf,
}

/// Asks cargo for the test programs. It builds those that are stale, so that an old program is never taken for the present one.
fn find_programs() -> anyhow::Result<Vec<Program>> {
    let mut programs = Vec::new();
    let (mut stale, mut unreadable) = (0, 0);
    let command =
        shell::cargo(&["test", "--workspace", "--no-run", "--message-format", "json-render-diagnostics"]);
    shell::read_lines(command, |line| {
        let Ok(message) = serde_json::from_str::<Value>(line) else {
            unreadable += 1;
            return;
        };
        if message["reason"] != "compiler-artifact" {
            return;
        }
        stale += u32::from(message["fresh"] == false);
        if let (Some(file), true) = (message["executable"].as_str(), message["profile"]["test"] == true) {
            let manifest = PathBuf::from(message["manifest_path"].as_str().unwrap_or_default());
            programs.push(Program {
                file: file.into(),
                folder: manifest.parent().map(Into::into).unwrap_or_default(),
            });
        }
    })?;
    anyhow::ensure!(unreadable == 0, "cargo printed {unreadable} lines that are not JSON");
    println!("{} test programs, {stale} crates built anew", programs.len());
    Ok(programs)
}

/// Runs all of them, and fails at the end where one failed.
fn run_programs(programs: Vec<Program>, tally: &mut TestTally) -> anyhow::Result<()> {
    let mut failures = Vec::new();
    for program in programs {
        let mut command = Command::new(&program.file);
        command.current_dir(&program.folder).env("CARGO_MANIFEST_DIR", &program.folder);
        if let Err(failure) = shell::run_reading(command, |line| tally.read(line)) {
            failures.push(failure.to_string());
        }
    }
    anyhow::ensure!(failures.is_empty(), "{}", failures.join("\n"));
    Ok(())
}

/// Threads that compute until the load is dropped: a machine that has other things to do.
struct Load {
    is_over: Arc<AtomicBool>,
}

impl Load {
    fn start(threads: usize) -> Self {
        let is_over = Arc::new(AtomicBool::new(false));
        for _ in 0..threads {
            let is_over = is_over.clone();
            std::thread::spawn(move || {
                while !is_over.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        Self { is_over }
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}
