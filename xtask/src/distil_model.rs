//! `cargo xtask distil-model`: makes the built-in embedding model anew.
//!
//! The teacher is a Python package, so this one tool is Python, in a virtual environment of its own under `target`.
//! Nobody needs it to build or run: what it makes is checked in.

use std::process::Command;

use crate::shell;

const ENVIRONMENT: &str = "target/distil-venv";

pub fn run() -> anyhow::Result<()> {
    let python = shell::root().join(ENVIRONMENT).join("bin/python");
    if !python.exists() {
        let mut make = Command::new("python3");
        make.args(["-m", "venv", ENVIRONMENT]);
        shell::run(make)?;
    }
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "--quiet", "--requirement", "xtask/python/requirements.txt"]);
    shell::run(install)?;
    let mut distil = Command::new(&python);
    distil.args(["xtask/python/distil_model.py", "--out", "assets/embedding"]);
    shell::run(distil)
}
