//! Runs other programs from the project's root, saying what it runs and how long it took.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, bail};

/// The project's root folder.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask stands one folder below the root")
}

/// Where cargo builds, and where whatever else is made goes.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// The cargo that runs us, or the one on the path.
pub fn cargo(arguments: &[&str]) -> Command {
    let cargo = std::env::var_os("CARGO").map_or_else(|| PathBuf::from("cargo"), PathBuf::from);
    let mut command = Command::new(cargo);
    command.args(arguments);
    command
}

/// Runs the command; an exit code other than 0 is an error.
pub fn run(mut command: Command) -> anyhow::Result<()> {
    let written = announce(&mut command);
    let start = Instant::now();
    let status = command.status().with_context(|| format!("cannot start `{written}`"))?;
    finish(&written, status.success(), start)
}

/// Runs the command, shows its output line by line as it comes, and hands each line to `visit`.
pub fn run_reading(command: Command, mut visit: impl FnMut(&str)) -> anyhow::Result<()> {
    read_lines(command, |line| {
        println!("{line}");
        visit(line);
    })
}

/// Runs the command and hands each line of its output to `visit`, unseen.
pub fn read_lines(mut command: Command, mut visit: impl FnMut(&str)) -> anyhow::Result<()> {
    let written = announce(&mut command);
    let start = Instant::now();
    let mut child =
        command.stdout(Stdio::piped()).spawn().with_context(|| format!("cannot start `{written}`"))?;
    let output = child.stdout.take().expect("the output is piped");
    for line in BufReader::new(output).lines() {
        let line = line.with_context(|| format!("cannot read what `{written}` prints"))?;
        visit(&line);
    }
    finish(&written, child.wait()?.success(), start)
}

/// Whether a program is there and answers.
pub fn answers(program: &str, arguments: &[&str]) -> bool {
    let silent = Command::new(program).args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status();
    silent.is_ok_and(|status| status.success())
}

fn announce(command: &mut Command) -> String {
    if command.get_current_dir().is_none() {
        command.current_dir(root());
    }
    let program = Path::new(command.get_program()).file_stem().unwrap_or(command.get_program());
    let mut written = program.to_string_lossy().into_owned();
    for argument in command.get_args() {
        written.push(' ');
        written.push_str(&argument.to_string_lossy());
    }
    // On standard error: standard output belongs to the program, whose result somebody may want to read alone.
    eprintln!("\n$ {written}");
    written
}

fn finish(written: &str, succeeded: bool, start: Instant) -> anyhow::Result<()> {
    if !succeeded {
        bail!("`{written}` failed after {:.1} s", start.elapsed().as_secs_f64());
    }
    eprintln!("  {:.1} s: {written}", start.elapsed().as_secs_f64());
    Ok(())
}
