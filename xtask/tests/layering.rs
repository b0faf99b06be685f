//! The layering, proved and not promised.
//!
//! Two proofs. Cargo is asked what a crate really depends on, through everything that it depends on. And the sources of
//! the core are read: which module names which, in what order they stand, and that no chat's wire is spoken of there; of the
//! binary's, that operations and workers know no surface.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
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

/// The modules of the core from the ground up. A module may name those of lower rows, none of its own row and none above:
/// what two of them need stands below both.
const ORDER: &[&[&str]] = &[
    &["follower", "limits", "trace"],
    &["types"],
    &["error", "language"],
    &["text"],
    &["ports", "settings"],
    &["graph", "outdated", "personality", "profile", "strength", "toolkit", "validate"],
    &["write"],
    &["learn", "recall"],
    &["tend"],
    &["forget"],
    &["checkup"],
];

/// What of the binary parses, asks and prints, and what puts it together.
const SURFACES: &[&str] = &["cli", "rest", "mcp", "proxy"];
const ASSEMBLY: &[&str] = &["app", "auth", "backend", "lib", "main", "reference", "rpc", "serve"];

/// Words by which a chat's wire would be known in the core.
const WIRE_WORDS: &[&str] = &[
    "Dialect",
    "OpenAi",
    "Anthropic",
    "anthropic",
    "openai",
    "chat/completions",
    "event-stream",
    "tool_calls",
    "tool_use",
    "finish_reason",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The names of everything that a crate is built from, without what only its tests need.
fn below(package: &str) -> BTreeSet<String> {
    let arguments = ["tree", "--package", package, "--edges", "normal", "--prefix", "none", "--locked"];
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(root())
        .output()
        .expect("cargo is there, since it runs this test");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8(output.stdout).expect("cargo prints names");
    let crates: BTreeSet<String> =
        tree.lines().filter_map(|line| line.split_ascii_whitespace().next()).map(str::to_owned).collect();
    assert!(
        crates.contains(package) && crates.contains("serde"),
        "cargo tree printed something else:\n{tree}"
    );
    crates
}

fn holds(package: &str, forbidden: Forbidden) {
    let crates = below(package);
    for (forbidden, what) in forbidden {
        assert!(!crates.contains(*forbidden), "{package} depends on {forbidden}, which is {what}");
    }
}

#[test]
fn the_core_depends_on_nothing_of_the_outside() {
    holds("memory", BELOW_THE_CORE);
}

#[test]
fn exports_and_imports_depend_on_no_surface() {
    holds("transfer", BELOW_TRANSFER);
    assert!(below("transfer").contains("store"));
}

#[test]
fn the_chat_wires_depend_on_the_core_and_on_nothing_of_the_outside() {
    holds("chat", BELOW_THE_CORE);
    assert!(below("chat").contains("memory") && !below("memory").contains("chat"));
    assert!(!below("store").contains("chat"), "the store knows turns and blocks, and no wire");
}

/// A source file: its path below the root, and its code without comments and without its tests.
struct CrateSource {
    path: String,
    code: String,
}

/// All of a crate's files but those of tests.
fn sources(package: &str) -> Vec<CrateSource> {
    let base = root().join("crates").join(package).join("src");
    let mut folders = vec![base.clone()];
    let mut sources = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            if path.is_dir() {
                folders.extend((name != "tests").then_some(path));
            } else if name.ends_with(".rs") && name != "tests.rs" {
                let text = std::fs::read_to_string(&path).expect("a source");
                let path = path.strip_prefix(&base).expect("below the base").to_string_lossy().into_owned();
                sources.push(CrateSource { path, code: code(&text) });
            }
        }
    }
    assert!(sources.len() > 20, "the sources of {package} are somewhere else");
    sources
}

/// The code without comments and without the tests at its end.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let without = |line: &str| line.split("//").next().unwrap_or_default().to_owned();
    text.lines().map(without).collect::<Vec<_>>().join("\n")
}

/// The modules below `crate::` that the code names, in plain paths and in braces.
fn named(code: &str) -> BTreeSet<String> {
    let word = |text: &str| -> String {
        text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
    };
    let mut names = BTreeSet::new();
    for (at, prefix) in code.match_indices("crate::") {
        let rest = &code[at + prefix.len()..];
        match rest.strip_prefix('{') {
            Some(list) => names.extend(in_braces(list).into_iter().map(word)),
            None => names.extend([word(rest)]),
        }
    }
    names
}

/// The first words of a list in braces, whatever is nested in it.
fn in_braces(list: &str) -> Vec<&str> {
    let (mut depth, mut from, mut items) = (0, 0, Vec::new());
    for (at, character) in list.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 0 => {
                items.push(&list[from..at]);
                return items;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                items.push(&list[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    items
}

#[test]
fn the_modules_of_the_core_name_only_those_below_them() {
    let rank = |name: &str| ORDER.iter().position(|row| row.contains(&name));
    let mut wrong = BTreeMap::new();
    for source in sources("memory") {
        let module = source.path.split(['/', '.']).next().unwrap_or_default().to_owned();
        if module == "lib" {
            continue;
        }
        let Some(own) = rank(&module) else { panic!("{module} has no place in the order of this test") };
        for other in named(&source.code).into_iter().filter(|other| *other != module) {
            if rank(&other).is_none_or(|below| below >= own) {
                wrong.entry(format!("{module} → {other}")).or_insert_with(Vec::new).push(source.path.clone());
            }
        }
    }
    assert!(wrong.is_empty(), "these imports go upwards or sideways: {wrong:#?}");
}

#[test]
fn the_imports_are_read_however_they_are_written() {
    let code = code(
        "use crate::{text::{fold, tokens},\n    types::Time}; // crate::comment\nfn f() { crate::recall::go() }\n",
    );
    assert_eq!(named(&code), ["recall", "text", "types"].map(str::to_owned).into());
}

#[test]
fn nothing_below_a_surface_names_a_surface() {
    let mut wrong = Vec::new();
    for source in sources("recollect") {
        let module = source.path.split(['/', '.']).next().unwrap_or_default();
        if SURFACES.contains(&module) || ASSEMBLY.contains(&module) {
            continue;
        }
        let above = |name: &&String| SURFACES.contains(&name.as_str()) || ASSEMBLY.contains(&name.as_str());
        wrong
            .extend(named(&source.code).iter().filter(above).map(|name| format!("{} → {name}", source.path)));
    }
    assert!(wrong.is_empty(), "these know who asks: {wrong:#?}");
}

#[test]
fn the_core_speaks_of_no_chats_wire() {
    for CrateSource { path, code } in sources("memory") {
        for word in WIRE_WORDS {
            assert!(!code.contains(word), "memory/src/{path} speaks of `{word}`");
        }
    }
    let chat = sources("chat");
    assert!(chat.iter().any(|source| source.code.contains("enum Dialect")), "the dialects have moved again");
}
