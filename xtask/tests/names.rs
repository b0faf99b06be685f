//! A type name stands for one thing in the whole workspace, so that a search for the name finds the thing.
//!
//! Only the outermost types of a file count: what a function or a test module keeps to itself misleads nobody.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The same thing, written down where one crate cannot reach the other's.
const SAME_THING: &[&str] = &["CertainGate", "CountedIds", "LabelledMessage"];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if path.is_dir() && name != "target" && name != "node_modules" {
            sources(&path, found);
        } else if name.ends_with(".rs") {
            found.push(path);
        }
    }
}

/// The name that a line defines at the outermost level, such as `pub(crate) struct Name<'a> {`.
fn defined(line: &str) -> Option<&str> {
    let line = match line.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(") ")?.1,
        Some(rest) => rest.strip_prefix(' ')?,
        None => line,
    };
    let (keyword, rest) = line.split_once(' ')?;
    let end = rest.find(|character: char| !character.is_alphanumeric() && character != '_')?;
    matches!(keyword, "struct" | "enum" | "trait" | "type" | "union").then_some(&rest[..end])
}

#[test]
fn a_type_name_stands_for_one_thing() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for folder in ["crates", "bench", "xtask"] {
        sources(&root.join(folder), &mut files);
    }
    let mut places: BTreeMap<String, BTreeSet<PathBuf>> = BTreeMap::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a source");
        for name in text.lines().filter_map(defined) {
            places.entry(name.to_owned()).or_default().insert(file.clone());
        }
    }
    assert!(places.len() > 1_000, "the sources are somewhere else: {} names", places.len());
    let twice: Vec<_> = places
        .iter()
        .filter(|(name, files)| files.len() > 1 && !SAME_THING.contains(&name.as_str()))
        .collect();
    assert!(twice.is_empty(), "{twice:#?}");
}
