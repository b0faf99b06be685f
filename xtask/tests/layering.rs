//! The layering, proved and not promised: the core knows no web server, no database, no HTTP client, no runtime; exports and imports
//! know no web server and no command line.
//!
//! Asks cargo what a crate really depends on, through everything that it depends on.

use std::collections::BTreeSet;
use std::process::Command;

/// What must never be below a crate, and what of the outside world it would let in.
type Forbidden = &'static [(&'static str, &'static str)];

const BELOW_THE_CORE: Forbidden = &[
    ("axum", "serving HTTP"),
    ("hyper", "speaking HTTP"),
    ("reqwest", "calling HTTP"),
    ("rusqlite", "a database"),
    ("tokio-postgres", "a database"),
    ("tokio", "a runtime"),
];

const BELOW_TRANSFER: Forbidden = &[
    ("axum", "serving HTTP"),
    ("hyper", "speaking HTTP"),
    ("reqwest", "calling HTTP"),
    ("clap", "the command line"),
    ("rmcp", "speaking MCP"),
];

fn holds(package: &str, below: &str, forbidden: Forbidden) {
    let arguments = ["tree", "--package", package, "--edges", "normal", "--prefix", "none", "--locked"];
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .output()
        .expect("cargo is there, since it runs this test");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8(output.stdout).expect("cargo prints names");
    let crates: BTreeSet<&str> =
        tree.lines().filter_map(|line| line.split_ascii_whitespace().next()).collect();
    assert!(crates.contains(package) && crates.contains(below), "cargo tree printed something else:\n{tree}");
    for (forbidden, what) in forbidden {
        assert!(!crates.contains(forbidden), "{package} depends on {forbidden}, which is {what}:\n{tree}");
    }
}

#[test]
fn the_core_depends_on_nothing_of_the_outside() {
    holds("memory", "serde", BELOW_THE_CORE);
}

#[test]
fn exports_and_imports_depend_on_no_surface() {
    holds("transfer", "store", BELOW_TRANSFER);
}
