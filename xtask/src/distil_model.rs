//! `cargo xtask distil-model` and `cargo xtask train-judges`: make the built-in embedding model and the judges of speech anew.
//!
//! The teachers are Python packages, so these tools are Python. The English rows are made in a virtual environment under `target`; what grows them into
//! other languages and trains the judges wants PyTorch and a GPU, so it runs by a Python that has them (`--python`).
//! Nobody needs any of it to build or run: what it makes is checked in.

use std::process::Command;

use crate::shell;

const ENVIRONMENT: &str = "target/distil-venv";

/// What the teacher, pairs and prompts are laid out in.
const TONGUES: &str = "target/tongues";

/// Makes the English rows anew where asked, and grows the table into the other languages.
pub fn run(english: bool, python: &str) -> anyhow::Result<()> {
    let rows = if english {
        distil_english()?;
        "target/distil-english"
    } else {
        "assets/embedding"
    };
    lay_out(python)?;
    step(python, &["grow_table.py", "--data", TONGUES, "--table", rows, "--out", "assets/embedding"])
}

/// Trains the judges of speech: one training, where the shipped weights are a mean of several (`assets/judges/card.md` has the recipe).
pub fn judges(python: &str) -> anyhow::Result<()> {
    lay_out(python)?;
    step(python, &["teach_vectors.py", "--data", TONGUES, "--out", "target/tongues-taught"])?;
    let train = |how: &[&str]| step(python, &[&["train_judges.py", "--data", TONGUES][..], how].concat());
    // What weighs chances within lists is fitted to lives that the network which reads them was trained without.
    let [even, odd] = [r"[a-z]-(?:[m-z]|v[ef])\d*[02468]$", r"[a-z]-(?:[m-z]|v[ef])\d*[13579]$"];
    train(&["--keep", "target/tongues-taught", "--hold", even, "--out", "target/judges-even"])?;
    let start = "target/judges-even/start.pt";
    train(&["--start", start, "--hold", odd, "--out", "target/judges-odd"])?;
    train(&["--start", start, "--final", "--out", "assets/judges"])?;
    let even = format!("{even}=target/judges-even/weights.bin");
    let odd = format!("{odd}=target/judges-odd/weights.bin");
    step(python, &["train_lists.py", "--weights", &even, &odd, "--out", "assets/judges/lists.tsv"])?;
    step(python, &["reckon_judges.py", "crates/models/tests/all/judge_readings.json"])
}

fn lay_out(python: &str) -> anyhow::Result<()> {
    let shared = crate::train::shared("");
    step(python, &["prepare_tongues.py", "--shared", &shared.display().to_string(), "--out", TONGUES])
}

fn step(python: &str, arguments: &[&str]) -> anyhow::Result<()> {
    let (script, rest) = arguments.split_first().expect("a step has a script");
    let mut command = Command::new(python);
    command.arg(format!("xtask/python/{script}")).args(rest);
    shell::run(command)
}

fn distil_english() -> anyhow::Result<()> {
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
    distil.args(["xtask/python/distil_model.py", "--out", "target/distil-english"]);
    shell::run(distil)
}
