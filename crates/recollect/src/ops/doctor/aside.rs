//! Where what cannot stay in the store goes: a file in the data folder, a row a line, for its owner's eyes alone.
//!
//! It is on the disk before the row leaves the store. A purge goes through these files too: what says what is purged is no more
//! to lie there than anywhere else.

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

/// Takes out of the tenant's files the rows whose body is to go, and says how many they were.
pub fn purge(folder: &Path, tenant: &TenantId, goes: impl Fn(&str) -> bool) -> std::io::Result<u64> {
    let entries = match std::fs::read_dir(folder.join(FOLDER)) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(0),
        entries => entries?,
    };
    let ours = format!("{tenant}-{}", RunId::PREFIX);
    let mut gone = 0;
    for entry in entries {
        let path = entry?.path();
        let is_ours =
            path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(&ours));
        if is_ours {
            gone += rewrite(&path, &goes)?;
        }
    }
    Ok(gone)
}

/// The file without those rows; the old bytes are overwritten before they are given back to the disk.
fn rewrite(path: &Path, goes: &impl Fn(&str) -> bool) -> std::io::Result<u64> {
    let text = std::fs::read_to_string(path)?;
    let stays = |line: &&str| {
        let row: Option<serde_json::Value> = serde_json::from_str(line).ok();
        let body = row.as_ref().and_then(|row| row.get("body")).and_then(serde_json::Value::as_str);
        !goes(body.unwrap_or(line))
    };
    let kept: Vec<&str> = text.lines().filter(stays).collect();
    let gone = text.lines().count() - kept.len();
    if gone == 0 {
        return Ok(0);
    }
    let mut left = kept.join("\n");
    if !left.is_empty() {
        left.push('\n');
    }
    let mut file = std::fs::OpenOptions::new().write(true).open(path)?;
    file.write_all(left.as_bytes())?;
    file.write_all(&vec![0; text.len() - left.len()])?;
    file.sync_all()?;
    file.set_len(left.len() as u64)?;
    file.sync_all()?;
    if left.is_empty() {
        std::fs::remove_file(path)?;
    }
    Ok(gone as u64)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_purge_takes_the_rows_that_say_it_and_leaves_the_others() {
        let folder = tempfile::tempdir().expect("a folder");
        let run: RunId = "ru_01890a5d-ac96-774b-bcce-b302099a8057".parse().expect("an id");
        let stray =
            |body: &str| Stray { code: "orphans.turns", kind: Aside::Turn, row: 1, body: body.to_owned() };
        let strays =
            [stray(r#"{"text":"the quokkas9172 sleep"}"#), stray(r#"{"text":"the quokkas9173 wake"}"#)];
        let path = put(folder.path(), &TenantId::local(), &run, &strays, Time::MIN).expect("written");
        let other =
            put(folder.path(), &"other".parse().expect("a name"), &run, &strays, Time::MIN).expect("written");
        let goes = |body: &str| body.contains("quokkas9172");
        assert_eq!(purge(folder.path(), &TenantId::local(), goes).expect("purged"), 1);
        let left = std::fs::read_to_string(&path).expect("still there");
        assert!(!left.contains("9172") && left.contains("9173") && left.lines().count() == 1, "{left}");
        assert_eq!(std::fs::read_to_string(other).expect("another tenant's").lines().count(), 2);
        assert_eq!(purge(folder.path(), &TenantId::local(), |_| true).expect("purged"), 1);
        assert!(!path.exists(), "nothing is left of it");
    }
}
