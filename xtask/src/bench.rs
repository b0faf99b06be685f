//! `cargo xtask bench`: the benchmark program, built as users get it.

use crate::shell;

pub fn run(arguments: &[String]) -> anyhow::Result<()> {
    let mut command = shell::cargo(&["run", "--release", "--quiet", "--package", "bench", "--"]);
    command.args(arguments);
    shell::run(command)
}
