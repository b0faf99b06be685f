//! Operations are the only door, proved on the sources of the binary: nothing below a surface names a surface, and a tenant is
//! opened by operations and by those who work on it unasked, by nobody else.

use std::path::{Path, PathBuf};

/// What clients and people talk to.
const SURFACES: &[&str] = &["cli", "mcp", "proxy", "rest"];

/// What starts, carries and describes the surfaces, and so stands above them.
const ABOVE: &[&str] = &["app", "auth", "lib", "main", "reference", "rpc", "serve", "socket", "connections"];

/// Who opens a tenant without being asked by its caller; `ops` alone has the doors.
const WORKERS: &[&str] = &["learning", "ops", "tending"];

/// A source file of the binary: its top module, its path and its code without comments.
struct BinarySource {
    module: String,
    path: String,
    code: String,
}

fn sources() -> Vec<BinarySource> {
    let base = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/recollect/src");
    let mut folders: Vec<PathBuf> = vec![base.clone()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("a source");
            let path = path.strip_prefix(&base).expect("below the base").to_string_lossy().into_owned();
            let module = path.split(['/', '.']).next().unwrap_or_default().to_owned();
            let plain = |line: &str| line.split("//").next().unwrap_or_default().to_owned();
            let code = text.lines().map(plain).collect::<Vec<_>>().join("\n");
            found.push(BinarySource { module, path, code });
        }
    }
    assert!(found.len() > 100, "the sources of the binary are somewhere else");
    found
}

/// Whether the code names a module of the crate, in a plain path or in a list of imports.
fn names(code: &str, module: &str) -> bool {
    let plain = code.contains(&format!("crate::{module}::")) || code.contains(&format!("crate::{module};"));
    let mut lists = code.split("use crate::{").skip(1).filter_map(|list| list.split_once(';'));
    let word = |list: &str| {
        list.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == module)
            && list.split([',', '{', '}', '\n']).any(|item| {
                let item = item.trim();
                item == module || item.starts_with(&format!("{module}::"))
            })
    };
    plain || lists.any(|(list, _)| word(list))
}

#[test]
fn nothing_below_a_surface_names_one() {
    let mut wrong = Vec::new();
    for source in sources() {
        let module = source.module.as_str();
        if SURFACES.contains(&module) || ABOVE.contains(&module) {
            continue;
        }
        let above = SURFACES.iter().chain(&["app"]);
        for surface in above.filter(|surface| names(&source.code, surface)) {
            wrong.push(format!("{} names {surface}", source.path));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn only_workers_open_a_tenant_unasked() {
    for source in sources().iter().filter(|source| !WORKERS.contains(&source.module.as_str())) {
        let opens = source.code.contains("house.attend(");
        assert!(!opens, "{} opens a tenant beside the table of operations", source.path);
    }
}

/// Evaluations make stores of their own in folders that they throw away; the data folder is opened where the server starts and where a backup is looked at.
#[test]
fn only_operations_open_a_tenant_with_a_pass() {
    let folder = "Tenants::open_folder(";
    let opening = |source: &BinarySource| {
        let code: String = source.code.split_whitespace().collect();
        ["tenants.open(", "tenants().open("].iter().any(|door| code.contains(door))
    };
    let all = sources();
    assert!(all.iter().any(|source| source.module == "ops" && opening(source)), "the door has another name");
    for source in all {
        let module = source.module.as_str();
        let scratch = module == "eval" && source.code.contains("open_folder(folder.path()");
        let opens = opening(&source);
        assert!(!opens || module == "ops" || scratch, "{} opens a tenant", source.path);
        let opens = source.code.contains(folder);
        assert!(
            !opens || ["backend", "ops"].contains(&module) || scratch,
            "{} opens a data folder",
            source.path
        );
    }
}

#[test]
fn imports_are_found_however_they_are_written() {
    assert!(names("use crate::rest::row::Row;", "rest"));
    assert!(names("use crate::{limits, rest};", "rest"));
    assert!(names("use crate::{limits,\n    rest::row};", "rest"));
    assert!(!names("use crate::{limits, problem::rest};\nuse crate::resting::Bed;", "rest"));
}
