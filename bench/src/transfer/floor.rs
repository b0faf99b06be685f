//! What the same bytes take with nothing done about them.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::time::{Duration, Instant};

use serde::de::IgnoredAny;

use super::files;

/// How often each is measured; the best counts, since a floor that was disturbed is none.
const REPETITIONS: usize = 3;

/// Of an import: JSON is parsed and thrown away, anything else is copied.
pub fn of_import(path: &Path, format: &str, scratch: &Path) -> anyhow::Result<Duration> {
    let is_json = matches!(format, "chatgpt" | "claude" | "mem0" | "agentos" | "ingest" | "json" | "jsonl");
    if is_json { best(|| parse(path)) } else { copy(path, scratch) }
}

/// Copying, as the system does it.
pub fn copy(from: &Path, to: &Path) -> anyhow::Result<Duration> {
    let took = best(|| {
        files::remove(to)?;
        copy_all(from, to)
    })?;
    files::remove(to)?;
    Ok(took)
}

fn best(mut work: impl FnMut() -> anyhow::Result<()>) -> anyhow::Result<Duration> {
    let mut best = Duration::MAX;
    for _ in 0..REPETITIONS {
        let started = Instant::now();
        work()?;
        best = best.min(started.elapsed());
    }
    Ok(best)
}

/// Values one after the other: a document is one, and so is each line.
fn parse(path: &Path) -> anyhow::Result<()> {
    let reader = BufReader::with_capacity(1 << 20, File::open(path)?);
    for value in serde_json::Deserializer::from_reader(reader).into_iter::<IgnoredAny>() {
        value?;
    }
    Ok(())
}

fn copy_all(from: &Path, to: &Path) -> anyhow::Result<()> {
    if !from.is_dir() {
        std::fs::copy(from, to)?;
        return Ok(());
    }
    std::fs::create_dir(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        copy_all(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}
