//! A command of the measured binary: how long it took and how much memory it had at most.
//!
//! The system keeps the most that a process ever had (`VmHWM`), and forgets it with the process. So it is read again and again
//! until the process is gone; it only grows, so that what is missed is what came in the last few milliseconds.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

/// How often it is asked.
const ASK_EVERY: Duration = Duration::from_millis(5);

pub struct Child {
    binary: PathBuf,
    store: PathBuf,
    arguments: Vec<OsString>,
}

/// A command that ended well.
pub struct ChildRun {
    pub took: Duration,
    pub peak_mebibytes: f64,
    pub stdout: String,
}

impl Child {
    pub fn new(binary: &Path, store: &Path) -> Self {
        Self { binary: binary.to_owned(), store: store.to_owned(), arguments: Vec::new() }
    }

    pub fn arguments<const N: usize>(&mut self, arguments: [&str; N]) -> &mut Self {
        self.arguments.extend(arguments.iter().map(OsString::from));
        self
    }

    pub fn path(&mut self, path: &Path) -> &mut Self {
        self.arguments.push(path.into());
        self
    }

    pub fn run(&self) -> anyhow::Result<ChildRun> {
        let (out, errors) = (tempfile::NamedTempFile::new()?, tempfile::NamedTempFile::new()?);
        let mut command = Command::new(&self.binary);
        command.arg("--data").arg(&self.store).args(&self.arguments).stdin(Stdio::null());
        command.stdout(out.reopen()?).stderr(errors.reopen()?);
        let started = Instant::now();
        let mut child =
            command.spawn().with_context(|| format!("{} does not start", self.binary.display()))?;
        let mut peak = 0.0_f64;
        let status = loop {
            peak = peak.max(peak_mebibytes(child.id()).unwrap_or(0.0));
            if let Some(status) = child.try_wait()? {
                break status;
            }
            std::thread::sleep(ASK_EVERY);
        };
        let took = started.elapsed();
        if !status.success() {
            let said = std::fs::read_to_string(errors.path())?;
            bail!("{:?} ended with {status}: {}", self.arguments, said.trim());
        }
        Ok(ChildRun { took, peak_mebibytes: peak, stdout: std::fs::read_to_string(out.path())? })
    }
}

/// The most memory that a process ever had, while it lives.
fn peak_mebibytes(process: u32) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kibibytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes / 1_024.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_measured() {
        assert!(peak_mebibytes(std::process::id()).expect("this one lives") > 1.0);
        let mut child = Child::new(Path::new("sh"), Path::new("/nowhere"));
        child.arguments(["-c", "exit 3"]);
        assert!(child.run().is_err(), "a command that fails is no measurement");
    }
}
