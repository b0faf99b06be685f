//! `cargo xtask train-gate` and `cargo xtask tune`: the two things that are learned from labelled data.
//!
//! Both read public data that is not part of the project, and write or print what is checked in: the gate's weights, and
//! the weights of recall, which go into the settings table by hand with their reason.

use std::path::PathBuf;

use anyhow::bail;

use crate::shell;

/// Trains the gate and writes its weights, with the cross-validation printed.
pub fn gate(messages: Option<PathBuf>) -> anyhow::Result<()> {
    let messages = messages.unwrap_or_else(|| shared("gate/gate-dev.jsonl"));
    there(&messages)?;
    let mut train = shell::cargo(&[
        "run",
        "--release",
        "--quiet",
        "--package",
        "models",
        "--example",
        "train_gate",
        "--",
    ]);
    train.arg(&messages).args(["--out", "assets/gate/weights.json"]);
    shell::run(train)
}

/// Chooses the weights of recall by nested cross-validation over conversations, and prints them.
pub fn recall(files: Vec<PathBuf>) -> anyhow::Result<()> {
    let files = if files.is_empty() {
        vec![shared("eval/locomo-dev.jsonl"), shared("eval/beam100k-dev.jsonl")]
    } else {
        files
    };
    files.iter().try_for_each(|file| there(file))?;
    let mut tune =
        shell::cargo(&["run", "--release", "--quiet", "--package", "recollect", "--example", "tune", "--"]);
    tune.arg("--nested").args(&files);
    shell::run(tune)
}

pub(crate) fn shared(path: &str) -> PathBuf {
    shell::root().join("../shared/data").join(path)
}

fn there(file: &std::path::Path) -> anyhow::Result<()> {
    if !file.exists() {
        bail!(
            "{} is not there; name the file, CONTRIBUTING.md says where the data comes from",
            file.display()
        );
    }
    Ok(())
}
