//! `cargo xtask fake-llm`: testkit's scripted model server, run by hand.

use crate::shell;

pub fn run(arguments: &[String]) -> anyhow::Result<()> {
    let mut command = shell::cargo(&["run", "--quiet", "--package", "testkit", "--bin", "fake-llm", "--"]);
    command.args(arguments);
    shell::run(command)
}
