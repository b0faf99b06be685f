//! Where what cannot stay in the store goes: a file in the data folder, a row a line, for its owner's eyes alone.
//!
//! It is on the disk before the row leaves the store. No purge reaches these files: who wants them gone deletes them.

use std::io::Write;
use std::path::{Path, PathBuf};

use memory::types::{Aside, RunId, TenantId, Time};
use serde_json::json;
use store::Stray;

use crate::problem::Problem;

pub const FOLDER: &str = "aside";

/// Writes the rows down and gives the file.
pub fn put(
    folder: &Path,
    tenant: &TenantId,
    run: &RunId,
    strays: &[Stray],
    now: Time,
) -> Result<PathBuf, Problem> {
    let folder = folder.join(FOLDER);
    std::fs::create_dir_all(&folder).map_err(Problem::ours)?;
    let path = folder.join(format!("{tenant}-{run}.jsonl"));
    let mut options = std::fs::OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
        options.mode(0o600);
        std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o700)).map_err(Problem::ours)?;
    }
    let mut file = options.open(&path).map_err(Problem::ours)?;
    for stray in strays {
        let line = json!({
            "at": now.to_string(), "code": stray.code, "kind": kind(&stray.kind), "row": stray.row, "body": stray.body,
        });
        writeln!(file, "{line}").map_err(Problem::ours)?;
    }
    file.sync_all().map_err(Problem::ours)?;
    Ok(path)
}

fn kind(kind: &Aside) -> String {
    match kind {
        Aside::Record(kind) => kind.to_string(),
        Aside::Turn => "turn".to_owned(),
        Aside::Block => "block".to_owned(),
        Aside::Archive => "archive".to_owned(),
        Aside::History(_) => "history".to_owned(),
    }
}
