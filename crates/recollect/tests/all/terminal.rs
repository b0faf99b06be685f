//! How it looks on a terminal and in a pipe.

use std::process::Stdio;

use super::support::{Home, ran};

#[test]
fn people_get_aligned_lines() {
    let home = Home::new();
    home.run(["add", "I moved to Irvine in May", "--tag", "home"]);
    home.run(["add", "Tea without sugar, please", "--kind", "preference"]);
    insta::assert_snapshot!(home.run(["search", "irvine"]).transcript(&home), @"
    exit 0
    --- stdout
    [score]  I moved to Irvine in May
          [id]  fact  [minute]  #home
    --- stderr
    ");
    insta::assert_snapshot!(home.run(["list"]).transcript(&home), @"
    exit 0
    --- stdout
    [id]  [minute]  preference  Tea without sugar, please
    [id]  [minute]  fact        I moved to Irvine in May
    --- stderr
    ");
    insta::assert_snapshot!(home.run(["list", "--limit", "1", "--oldest"]).transcript(&home), @"
    exit 0
    --- stdout
    [id]  [minute]  fact  I moved to Irvine in May
    --- stderr
    1 of 2; --offset 1 goes on
    ");
    insta::assert_snapshot!(home.run(["search", "zebra"]).transcript(&home), @"
    exit 0
    --- stdout
    --- stderr
    nothing found
    ");
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let home = Home::new();
    for number in 0..30 {
        home.add(&format!("memory number {number} {}", "with a long tail ".repeat(800)));
    }
    for arguments in [["list", "--json"].as_slice(), &["completions", "bash"], &["config", "default"]] {
        let mut child = home
            .command()
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("starts");
        drop(child.stdout.take());
        let ended = child.wait_with_output().expect("ends");
        assert_eq!(ended.status.code(), Some(0), "{arguments:?}: {}", String::from_utf8_lossy(&ended.stderr));
        assert!(ended.stderr.is_empty(), "{arguments:?}: {}", String::from_utf8_lossy(&ended.stderr));
    }
}

#[test]
fn colours_only_where_somebody_looks() {
    let home = Home::new();
    home.add("green");
    assert!(!home.run(["list"]).stdout.contains('\u{1b}'));
    assert!(home.run(["list", "--color", "always"]).stdout.contains('\u{1b}'));
    assert!(!ran(home.command().env("NO_COLOR", "1").args(["list"])).stdout.contains('\u{1b}'));
    assert!(!home.run(["list", "--color", "never"]).stdout.contains('\u{1b}'));
}

#[test]
fn every_shell_gets_completions() {
    let home = Home::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = home.run(["completions", shell]);
        assert_eq!(ran.code, Some(0), "{shell}");
        assert!(ran.stdout.contains("forget") && ran.stdout.contains("recollect"), "{shell}");
    }
    assert_eq!(home.run(["completions", "tcsh"]).code, Some(2));
}

/// What is one of a closed list is offered, where a shell would otherwise offer files.
#[test]
fn completions_offer_the_words_of_closed_lists() {
    let home = Home::new();
    let bash = home.run(["completions", "bash"]).stdout;
    for (option, words) in [
        ("--kind", "fact preference decision correction commitment"),
        ("--layer", "semantic episodic procedural prospective"),
        ("--scope", "thread project agent user persona organization"),
        ("--status", "active"),
        ("--format", "json jsonl"),
    ] {
        let case = format!("{option})");
        let asked = bash.split(&case).skip(1);
        let offers = |case: &str| {
            let line = case.lines().find(|line| line.contains("COMPREPLY"));
            line.is_some_and(|line| line.contains("compgen -W") && line.contains(words))
        };
        assert!({ asked }.any(offers), "{option} offers no words");
    }
    let files = bash.split("--kind)").skip(1).filter(|case| {
        let line = case.lines().find(|line| line.contains("COMPREPLY"));
        line.is_some_and(|line| line.contains("compgen -f"))
    });
    assert_eq!(files.count(), 0, "no file is a kind");
}

#[test]
fn every_command_has_help_with_an_example() {
    let home = Home::new();
    let commands = [
        "add",
        "search",
        "context",
        "list",
        "show",
        "update",
        "forget",
        "history",
        "ingest",
        "sessions",
        "sync",
        "pending",
        "rules",
        "graph",
        "stats",
        "audit",
        "reindex",
        "settings",
        "config",
        "eval",
        "serve",
        "completions",
    ];
    for command in commands {
        let ran = home.run([command, "--help"]);
        assert_eq!(ran.code, Some(0), "{command}");
        assert!(
            ran.stdout.contains("Examples:") && ran.stdout.contains(&format!("recollect {command}")),
            "{command}"
        );
    }
    assert!(home.run(["--version"]).stdout.starts_with("recollect "));
}
