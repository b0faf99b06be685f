//! A vault that somebody keeps, where the sample is there, and a look at notes on the disk that is not the reader's.

use std::fs;
use std::path::{Path, PathBuf};

use crate::folder::shared_data;

/// The sample, or a word that it is not there.
pub fn sample() -> Option<PathBuf> {
    shared_data("vault/kepano")
}

/// Every note's name and text, found without the reader.
pub fn notes_on_disk(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(notes_on_disk(&path));
        } else if path.extension().is_some_and(|ending| ending == "md") {
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            found.push((name, fs::read_to_string(&path).expect("text")));
        }
    }
    found
}

/// A note's text below its properties.
pub fn below_properties(text: &str) -> &str {
    let Some(rest) = text.strip_prefix("---\n") else { return text.trim() };
    rest.split_once("\n---").map_or("", |(_, body)| body).trim()
}

/// Every `[[link]]`, as it is written.
pub fn written_links(text: &str) -> Vec<&str> {
    text.split("[[").skip(1).filter_map(|rest| rest.split_once("]]")).map(|(link, _)| link).collect()
}
