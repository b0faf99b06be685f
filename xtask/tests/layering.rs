//! The layering, proved and not promised: the core knows no web server, no database, no HTTP client, no runtime.
//!
//! Asks cargo what `memory` really depends on, through everything that it depends on.

use std::collections::BTreeSet;
use std::process::Command;

/// What must never be below the core, and what of the outside world it would let in.
const FORBIDDEN: &[(&str, &str)] = &[
    ("axum", "serving HTTP"),
    ("hyper", "speaking HTTP"),
    ("reqwest", "calling HTTP"),
    ("rusqlite", "a database"),
    ("tokio-postgres", "a database"),
    ("tokio", "a runtime"),
];

#[test]
fn the_core_depends_on_nothing_of_the_outside() {
    let arguments = ["tree", "--package", "memory", "--edges", "normal", "--prefix", "none", "--locked"];
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .output()
        .expect("cargo is there, since it runs this test");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8(output.stdout).expect("cargo prints names");
    let crates: BTreeSet<&str> =
        tree.lines().filter_map(|line| line.split_ascii_whitespace().next()).collect();
    assert!(
        crates.contains("memory") && crates.contains("serde"),
        "cargo tree printed something else:\n{tree}"
    );
    for (forbidden, what) in FORBIDDEN {
        assert!(!crates.contains(forbidden), "memory depends on {forbidden}, which is {what}:\n{tree}");
    }
}
