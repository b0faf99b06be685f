//! `cargo xtask bench`: the benchmark program, built as users get it.

use std::path::PathBuf;
use std::process::Command;

use crate::shell;

/// The peer that the proxy is measured beside.
const LITELLM: &str = "litellm[proxy]==1.106.2";

pub fn run(arguments: &[String]) -> anyhow::Result<()> {
    let mut arguments = arguments.to_vec();
    let serves =
        arguments.first().is_some_and(|what| matches!(what.as_str(), "proxy" | "api" | "lived" | "transfer"));
    if serves && !arguments.iter().any(|it| it == "--help") {
        shell::run(shell::cargo(&["build", "--release"]))?;
        if arguments[0] == "proxy" && !arguments.iter().any(|it| it == "--litellm-python") {
            let python = install_litellm()?;
            arguments.extend(["--litellm-python".to_owned(), python.display().to_string()]);
        }
    }
    let mut command = shell::cargo(&["run", "--release", "--quiet", "--package", "bench", "--"]);
    command.args(arguments);
    shell::run(command)
}

/// A Python environment with LiteLLM's proxy, made once.
fn install_litellm() -> anyhow::Result<PathBuf> {
    let folder = shell::target().join("clients/litellm-proxy");
    let (python, mark) = (folder.join("bin/python"), folder.join("installed"));
    if std::fs::read_to_string(&mark).is_ok_and(|installed| installed == LITELLM) {
        return Ok(python);
    }
    let mut make = Command::new("python3");
    make.args(["-m", "venv", "--clear"]).arg(&folder);
    shell::run(make)?;
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", LITELLM]);
    shell::run(install)?;
    std::fs::write(mark, LITELLM)?;
    Ok(python)
}
