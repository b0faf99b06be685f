//! The stages of a run, each with its seconds: printed as a stage ends, and as a table at the end.
//!
//! The table is printed after a failure too: a run that became slow is often the run that timed out.

use std::time::Instant;

use anyhow::Context;

/// What has been run so far, in order.
#[derive(Debug, Default)]
pub struct Stages {
    ended: Vec<TestStage>,
}

#[derive(Debug)]
struct TestStage {
    name: &'static str,
    seconds: f64,
    succeeded: bool,
}

impl Stages {
    /// Runs one stage and notes its seconds, whether it succeeds or fails.
    pub fn run<T>(
        &mut self,
        name: &'static str,
        work: impl FnOnce() -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        eprintln!("\n== {name}");
        let start = Instant::now();
        let outcome = work();
        let stage = TestStage { name, seconds: start.elapsed().as_secs_f64(), succeeded: outcome.is_ok() };
        eprintln!("== {name}: {:.1} s", stage.seconds);
        self.ended.push(stage);
        outcome.with_context(|| format!("stage `{name}`"))
    }

    /// Stage, seconds and whether it failed, a line each, and their sum.
    pub fn table(&self) -> String {
        let width = self.ended.iter().map(|stage| stage.name.len()).max().unwrap_or(0).max("sum".len());
        let mut table = format!("{:width$}  {:>8}\n", "stage", "seconds");
        for stage in &self.ended {
            let failed = if stage.succeeded { "" } else { "  failed" };
            table.push_str(&format!("{:width$}  {:>8.1}{failed}\n", stage.name, stage.seconds));
        }
        let sum: f64 = self.ended.iter().map(|stage| stage.seconds).sum();
        table.push_str(&format!("{:width$}  {sum:>8.1}\n", "sum"));
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stage_has_its_seconds_and_a_failed_one_says_so() {
        let mut stages = Stages::default();
        assert_eq!(stages.run("format", || Ok(7)).expect("it succeeds"), 7);
        let failure = stages.run("tests", || -> anyhow::Result<()> { anyhow::bail!("one failed") });
        assert_eq!(format!("{:#}", failure.expect_err("it fails")), "stage `tests`: one failed");
        let table = stages.table();
        let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(rows[0], ["stage", "seconds"]);
        assert_eq!(rows[1][0], "format");
        assert!(rows[1][1].parse::<f64>().is_ok());
        assert_eq!((rows[2][0], rows[2][2]), ("tests", "failed"));
        assert_eq!(rows[3][0], "sum");
    }
}
