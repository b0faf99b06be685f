//! `cargo xtask generate`: the references in docs/reference, which the program writes about itself.
//!
//! The program knows its commands, settings and environment; a page written by hand would soon tell otherwise. The
//! pages are checked in, so that they can be read without building, and `--check` fails when one is stale.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::shell;

const REFERENCE: &str = "docs/reference";

/// Writes the references, and takes away what is no longer generated.
pub fn write() -> anyhow::Result<()> {
    let generated = pages(&generate()?)?;
    let folder = shell::root().join(REFERENCE);
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    for name in pages(&folder)?.keys().filter(|name| !generated.contains_key(*name)) {
        fs::remove_file(folder.join(name)).with_context(|| format!("cannot remove {name}"))?;
        println!("removed {REFERENCE}/{name}");
    }
    for (name, content) in &generated {
        fs::write(folder.join(name), content).with_context(|| format!("cannot write {name}"))?;
        println!("wrote {REFERENCE}/{name}");
    }
    Ok(())
}

/// Fails when a reference is not what would be written now.
pub fn check() -> anyhow::Result<()> {
    let generated = pages(&generate()?)?;
    let stale = differences(&pages(&shell::root().join(REFERENCE))?, &generated);
    if stale.is_empty() {
        println!("{REFERENCE}: {} pages, all fresh", generated.len());
        return Ok(());
    }
    bail!(
        "{REFERENCE} is stale: {}\nhint: run `cargo xtask generate` and commit what it writes",
        stale.join(", ")
    )
}

/// Lets the program write its references into an empty folder.
fn generate() -> anyhow::Result<PathBuf> {
    let folder = shell::root().join("target/generated-reference");
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot empty {}", folder.display()))?;
    }
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut command = shell::cargo(&["run", "--quiet", "--package", "recollect", "--", "generate"]);
    command.arg("target/generated-reference");
    shell::run(command)?;
    Ok(folder)
}

/// The files of a folder by name; none if there is no such folder.
fn pages(folder: &Path) -> anyhow::Result<BTreeMap<String, String>> {
    let mut pages = BTreeMap::new();
    if !folder.exists() {
        return Ok(pages);
    }
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let content = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        pages.insert(name, content);
    }
    Ok(pages)
}

/// Names of the pages that differ, with what is wrong with each.
fn differences(written: &BTreeMap<String, String>, generated: &BTreeMap<String, String>) -> Vec<String> {
    let mut stale = Vec::new();
    for (name, content) in generated {
        match written.get(name) {
            Some(there) if there == content => {}
            Some(_) => stale.push(format!("{name} differs")),
            None => stale.push(format!("{name} is missing")),
        }
    }
    let left_over = written.keys().filter(|name| !generated.contains_key(*name));
    stale.extend(left_over.map(|name| format!("{name} is no longer generated")));
    stale
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_of_being_stale_is_named() {
        let folder = |pages: &[(&str, &str)]| {
            pages.iter().map(|(name, content)| ((*name).to_owned(), (*content).to_owned())).collect()
        };
        let written = folder(&[("a.md", "1"), ("b.md", "1"), ("d.md", "1")]);
        let generated = folder(&[("a.md", "1"), ("b.md", "2"), ("c.md", "1")]);
        let expected = ["b.md differs", "c.md is missing", "d.md is no longer generated"];
        assert_eq!(differences(&written, &generated), expected);
        assert!(differences(&written, &written).is_empty());
    }
}
