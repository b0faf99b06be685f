//! Where tests write, what archives they write, and where the data that they measure on lies.

use std::io::Write;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// Overrides where the data that is measured on is looked for.
pub const SHARED_VARIABLE: &str = "RECOLLECT_SHARED";

/// An empty data folder that goes away with the value.
pub fn scratch() -> TempDir {
    tempfile::Builder::new().prefix("recollect-").tempdir().expect("a folder for temporary files")
}

/// The project's root folder.
pub fn project_root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("testkit stands two folders below the root").to_owned()
}

/// A file or folder of the shared data, which is for measuring only and no part of the repository: beside the
/// project's root, or where the environment says. Where it is absent, says so and gives nothing, so that a test
/// passes on a machine that has only the repository.
pub fn shared_data(path: &str) -> Option<PathBuf> {
    let shared =
        std::env::var_os(SHARED_VARIABLE).map_or_else(|| project_root().join("../shared"), PathBuf::from);
    let found = shared.join("data").join(path);
    if found.exists() {
        return Some(found);
    }
    println!(
        "skipped: there is no {} (set {SHARED_VARIABLE} to the folder that has data/{path})",
        found.display()
    );
    None
}

/// A zip archive of these entries.
pub fn zipped(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        let options =
            zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
        writer.start_file(*name, options).expect("an entry begins");
        writer.write_all(bytes).expect("an entry is written");
    }
    writer.finish().expect("an archive ends").into_inner()
}
