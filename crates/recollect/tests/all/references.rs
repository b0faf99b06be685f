//! What the papers say of the code is true of it: the generated pages, and the tables that name tests.

use std::collections::HashSet;
use std::path::Path;

use clap::{Command, CommandFactory};
use recollect::cli::Cli;

use super::support::Home;

#[test]
fn the_reference_pages_are_fresh() {
    let folder = testkit::folder::project_root().join("docs").join("reference");
    let home = Home::new();
    let ran = home.run([std::ffi::OsStr::new("generate"), folder.as_os_str(), "--check".as_ref()]);
    assert_eq!(ran.code, Some(0), "{}", ran.stdout);
}

#[test]
fn stale_pages_are_named_and_written() {
    let home = Home::new();
    let stale = home.run(["generate", "pages", "--check"]);
    assert_eq!(stale.code, Some(1));
    assert_eq!(stale.stdout.lines().count(), 6);
    assert_eq!(home.run(["generate", "pages"]).code, Some(0));
    assert_eq!(home.run(["generate", "pages", "--check"]).code, Some(0));
    let page = std::fs::read_to_string(home.path().join("pages/cli.md")).expect("written");
    assert!(page.contains("## `recollect`") && page.contains("### `recollect settings`"));
    assert!(!page.contains("recollect exec"), "hidden commands stay hidden");
}

/// Tests say at their head which promise is shown by which test. A test that was renamed must not leave a table behind that
/// shows nothing.
#[test]
fn every_test_that_a_table_names_exists() {
    let (mut names, mut heads) = (HashSet::new(), Vec::new());
    collect(&testkit::folder::project_root().join("crates"), &mut names, &mut heads);
    assert!(heads.len() > 60, "the tables are read: {}", heads.len());
    let is_path = |word: &str| {
        !word.is_empty()
            && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "_:".contains(c))
    };
    let mut missing = Vec::new();
    for (file, row) in &heads {
        let shown_by = row.trim_end_matches('|').rsplit('|').next().unwrap_or_default();
        for word in shown_by.split('`').skip(1).step_by(2).filter(|word| is_path(word)) {
            let name = word.rsplit("::").next().unwrap_or_default();
            if !names.contains(name) {
                missing.push(format!("{file}: {word}"));
            }
        }
    }
    assert!(missing.is_empty(), "no such test: {missing:#?}");
}

/// What people read tells them to type commands and options that exist.
#[test]
fn every_command_that_the_papers_name_exists() {
    let root = testkit::folder::project_root();
    let docs = root.join("docs").read_dir().expect("a folder").flatten().map(|entry| entry.path());
    let pages = docs.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let (mut named, mut missing) = (0, Vec::new());
    let mut program = Cli::command();
    program.build();
    for page in pages.chain([root.join("README.md")]) {
        let text = std::fs::read_to_string(&page).expect("readable");
        for line in commands_in(&text) {
            named += 1;
            if let Err(word) = knows(&program, &line) {
                missing.push(format!("{}: {word:?} of `{line}`", page.display()));
            }
        }
    }
    assert!(named > 80, "the pages are read: {named}");
    assert!(missing.is_empty(), "no such command: {missing:#?}");
    assert_eq!(knows(&program, "recollect forget --match x --purg"), Err("--purg".to_owned()));
    assert_eq!(knows(&program, "recollect graph hide Ana"), Err("hide".to_owned()));
}

/// Commands in code of a page, within a line and in blocks, without what stands behind them.
fn commands_in(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut in_block = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_block = !in_block;
            continue;
        }
        let spans: Vec<&str> = match in_block {
            true => line.split("$(").collect(),
            false => line.split('`').skip(1).step_by(2).collect(),
        };
        let commands = spans.into_iter().map(str::trim).filter(|span| span.starts_with("recollect "));
        found.extend(commands.map(|span| {
            let end = [" #", "  ", " &", "| python3"].into_iter().filter_map(|stop| span.find(stop)).min();
            span[..end.unwrap_or(span.len())].to_owned()
        }));
    }
    found
}

/// Whether a command and its options exist; else the word that does not.
fn knows(program: &Command, line: &str) -> Result<(), String> {
    let mut path = vec![program];
    let mut values = false;
    for word in line.split_whitespace().skip(1) {
        let word = word.trim_matches(['[', ']', '\'', '"']);
        let command = path[path.len() - 1];
        if let Some(option) = word.strip_prefix("--") {
            let name = option.split(['=', '.']).next().unwrap_or(option);
            let takes = |command: &&Command| command.get_arguments().any(|one| one.get_long() == Some(name));
            if !path.iter().any(takes) && name != "help" {
                return Err(word.to_owned());
            }
            values = true;
        } else if let Some(next) = command.find_subcommand(word).filter(|_| !values) {
            path.push(next);
        } else {
            let place = word.chars().all(|letter| letter.is_ascii_uppercase() || !letter.is_alphanumeric());
            if command.has_subcommands() && !values && !place {
                return Err(word.to_owned());
            }
        }
    }
    Ok(())
}

/// The names of functions, files and folders, and the rows of the tables at the heads of tests.
fn collect(folder: &Path, names: &mut HashSet<String>, heads: &mut Vec<(String, String)>) {
    for entry in folder.read_dir().expect("a folder").flatten() {
        let path = entry.path();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        names.insert(stem);
        if path.is_dir() {
            collect(&path, names, heads);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).expect("readable");
            names.extend(text.split("fn ").skip(1).map(|rest| {
                rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default().to_owned()
            }));
            if path.components().any(|part| part.as_os_str() == "tests") {
                let rows = text.lines().filter_map(|line| line.strip_prefix("//! |"));
                let file = path.display().to_string();
                heads.extend(
                    rows.filter(|row| !row.starts_with("---")).map(|row| (file.clone(), row.to_owned())),
                );
            }
        }
    }
}
