//! What the same bytes take with nothing done about them.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::time::{Duration, Instant};

use serde::de::IgnoredAny;

use super::files;

/// How often each is measured; the best counts, since a floor that was disturbed is none.
const REPETITIONS: usize = 3;

/// Reading: JSON is parsed and thrown away, anything else is read as it is.
pub fn read(path: &Path, format: &str) -> anyhow::Result<Duration> {
    let is_json = matches!(format, "chatgpt" | "claude" | "mem0" | "agentos" | "ingest" | "json" | "jsonl");
    best(|| if is_json { parse(path) } else { pour(path) })
}

/// Copying, to the disk.
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

fn pour(path: &Path) -> anyhow::Result<()> {
    if path.is_dir() {
        for entry in std::fs::read_dir(path)? {
            pour(&entry?.path())?;
        }
        return Ok(());
    }
    let mut file = BufReader::with_capacity(1 << 20, File::open(path)?);
    std::io::copy(&mut file, &mut std::io::sink())?;
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
