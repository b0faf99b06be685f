//! What the tests need besides Rust: looked for first, installed only where it is really absent.
//!
//! A fresh Debian with Rust gets there by itself; anywhere else the message says what to install.

use std::process::Command;

use anyhow::bail;

use crate::shell;

/// A program, how to ask whether it is there, and the Debian packages that have it.
struct Tool {
    name: &'static str,
    probe: (&'static str, &'static [&'static str]),
    packages: &'static [&'static str],
    why: &'static str,
}

const TOOLS: &[Tool] = &[
    Tool {
        name: "git",
        probe: ("git", &["--version"]),
        packages: &["git"],
        why: "a checkout of the project has it",
    },
    Tool {
        name: "a C compiler",
        probe: ("cc", &["--version"]),
        packages: &["gcc", "libc6-dev"],
        why: "SQLite is compiled in",
    },
    Tool {
        name: "Python with venv",
        probe: ("python3", &["-c", "import venv, ensurepip"]),
        packages: &["python3", "python3-venv"],
        why: "the client libraries of Python are tested",
    },
    Tool {
        name: "Node",
        probe: ("node", &["--version"]),
        packages: &["nodejs"],
        why: "the client libraries of JavaScript are tested",
    },
    Tool {
        name: "npm",
        probe: ("npm", &["--version"]),
        packages: &["npm"],
        why: "it installs the client libraries of JavaScript",
    },
];

/// Parts of the Rust toolchain that a minimal installation lacks.
const COMPONENTS: &[&str] = &["fmt", "clippy"];

/// Makes sure that everything is there. Does nothing, and says so, where it is.
pub fn ensure() -> anyhow::Result<()> {
    for component in COMPONENTS {
        let probe = shell::cargo(&[component, "--version"]).output();
        if !probe.is_ok_and(|output| output.status.success()) {
            bail!("`cargo {component}` is missing\nhint: rustup component add rustfmt clippy");
        }
    }
    let missing: Vec<&Tool> =
        TOOLS.iter().filter(|tool| !shell::answers(tool.probe.0, tool.probe.1)).collect();
    if missing.is_empty() {
        let names: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
        println!(
            "tools: {}, cargo {} are all here; nothing to install",
            names.join(", "),
            COMPONENTS.join(", cargo ")
        );
        return Ok(());
    }
    for tool in &missing {
        println!("tools: {} is missing ({})", tool.name, tool.why);
    }
    install(missing.iter().flat_map(|tool| tool.packages).copied().collect())
}

fn install(packages: Vec<&str>) -> anyhow::Result<()> {
    if !shell::answers("apt-get", &["--version"]) {
        bail!("something is missing\nhint: install what Debian calls {}", packages.join(", "));
    }
    let mut update = Command::new("apt-get");
    update.args(["update", "--quiet"]);
    shell::run(update)?;
    let mut install = Command::new("apt-get");
    install.args(["install", "--yes", "--no-install-recommends"]).args(packages);
    shell::run(install)
}
