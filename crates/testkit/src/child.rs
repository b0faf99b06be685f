//! Runs a test once more in a process of its own.
//!
//! Some tests need one: to be killed, or because what they count is counted per process and other tests run beside
//! them. The child is this same program, told to run that one test only; an environment variable tells the test which
//! of the two it is.

use std::process::{Command, Stdio};

/// Set in the child, to what the child needs to know.
const CHILD_VARIABLE: &str = "RECOLLECT_TEST_CHILD";

/// In the child, what the parent had to say; nothing in the parent.
pub fn role() -> Option<String> {
    std::env::var(CHILD_VARIABLE).ok()
}

/// This program, to be started for one test (its full name) as a child. What the test prints can be read.
pub fn command(test: &str, message: &str) -> Command {
    let program = std::env::current_exe().expect("a program knows where it lies");
    let mut command = Command::new(program);
    command.args([test, "--exact", "--nocapture", "--test-threads=1"]);
    command.env(CHILD_VARIABLE, message).stdin(Stdio::null()).stdout(Stdio::piped());
    command
}

/// Runs the test in a child, and fails where it fails.
pub fn run(test: &str) {
    let output = command(test, "measure").output().expect("this program starts");
    let printed = String::from_utf8_lossy(&output.stdout);
    print!("{printed}");
    assert!(output.status.success(), "{test} failed in its own process:\n{printed}");
    assert!(printed.contains("1 passed"), "{test} is not the name of a test:\n{printed}");
}
