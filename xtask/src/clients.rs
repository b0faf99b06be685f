//! The client libraries that people use, run against the real binary: Python's and Node's, installed where they are absent.
//!
//! They are installed below `target/`, once for each list of versions: a run that finds them there downloads nothing.
//! The tests start the scripted model and the server themselves; all they are told is where the binaries lie.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;

use crate::shell;
use crate::tally::TestTally;

/// The clients by themselves, against binaries as they are now.
pub fn run_alone() -> anyhow::Result<()> {
    shell::run(shell::cargo(&["build", "--workspace"]))?;
    let mut tally = TestTally::default();
    let outcome = run(|line| tally.read(line));
    println!("{} passed, {} failed", tally.passed, tally.failed);
    outcome
}

/// Runs the tests of every client library; each line they print goes to `visit`.
pub fn run(mut visit: impl FnMut(&str)) -> anyhow::Result<()> {
    for sources in python_folders()? {
        let mut pytest = Command::new(install_python(&sources)?);
        pytest.args(["-m", "pytest", "-q", "-p", "no:cacheprovider"]).arg(&sources);
        // What all of them share lies beside the first; each has its own packages, because some exclude each other.
        pytest.env("PYTHONPATH", shell::root().join("tests/clients/python"));
        shell::run_reading(tell(pytest), &mut visit)?;
    }
    let node = install_node()?;
    let mut test = Command::new("node");
    test.args(["--test", "--test-reporter=tap"]).arg(&node);
    shell::run_reading(tell(test), &mut visit)
}

/// The folders of Python's tests, each with a list of the packages that its tests want: `tests/clients/python` and those beside it.
fn python_folders() -> anyhow::Result<Vec<PathBuf>> {
    let mut folders = Vec::new();
    for entry in std::fs::read_dir(shell::root().join("tests/clients"))? {
        let path = entry?.path();
        let is_pythons = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("python"));
        if is_pythons && path.join("requirements.txt").is_file() {
            folders.push(path);
        }
    }
    folders.sort();
    Ok(folders)
}

/// Where the binaries lie, and that nothing is written beside the sources.
fn tell(mut command: Command) -> Command {
    command.env("CLIENT_TEST_BINARIES", shell::target().join("debug")).env("PYTHONDONTWRITEBYTECODE", "1");
    command
}

/// The Python of a folder's virtual environment, with everything that its list names.
fn install_python(sources: &Path) -> anyhow::Result<PathBuf> {
    let name = sources.file_name().context("a folder of tests has a name")?;
    let folder = shell::target().join("clients").join(name);
    let python = folder.join("bin/python");
    let wanted = sources.join("requirements.txt");
    if is_done(&folder, &wanted)? {
        return Ok(python);
    }
    let mut make = Command::new("python3");
    make.args(["-m", "venv", "--clear"]).arg(&folder);
    shell::run(make)?;
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"]).arg(&wanted);
    shell::run(install)?;
    mark_done(&folder, &wanted)?;
    Ok(python)
}

/// A copy of the tests beside the packages they import: Node looks for packages from where a file lies.
fn install_node() -> anyhow::Result<PathBuf> {
    let folder = shell::target().join("clients/node");
    let sources = shell::root().join("tests/clients/node");
    let wanted = sources.join("package-lock.json");
    std::fs::create_dir_all(&folder)?;
    for entry in std::fs::read_dir(&sources)? {
        let path = entry?.path();
        if path.is_file() {
            std::fs::copy(&path, folder.join(path.file_name().expect("a file has a name")))?;
        }
    }
    std::fs::copy(
        shell::root().join("tests/clients/script.toml"),
        shell::target().join("clients/script.toml"),
    )?;
    if !is_done(&folder, &wanted)? {
        let mut install = Command::new("npm");
        install.args(["ci", "--no-audit", "--no-fund", "--loglevel=error", "--prefix"]).arg(&folder);
        shell::run(install)?;
        mark_done(&folder, &wanted)?;
    }
    Ok(folder)
}

/// Whether a folder holds what this list names: it keeps a copy of the list that it was made from.
fn is_done(folder: &Path, wanted: &Path) -> anyhow::Result<bool> {
    let wanted = std::fs::read(wanted).with_context(|| format!("cannot read {}", wanted.display()))?;
    Ok(std::fs::read(folder.join("installed")).is_ok_and(|installed| installed == wanted))
}

fn mark_done(folder: &Path, wanted: &Path) -> anyhow::Result<()> {
    std::fs::copy(wanted, folder.join("installed"))?;
    Ok(())
}
