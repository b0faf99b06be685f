//! `bench transfer`: megabytes a second in and out of each format, and the most memory that took.
//!
//! Every import and export is a process of its own, as a person would start it, on a store of its own. The floor is
//! what the same bytes take with nothing done about them: parsed and thrown away where they are JSON, copied where they are
//! not; for an export, the written bytes copied once more. It is measured right before, so that a slow moment of the machine falls on both.
//! What a file holds is made up here ([`files`]); formats that only this program writes are exported first and imported again.

mod child;
mod files;
mod floor;

use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, bail};

use crate::report::{BenchReport, Figure, ReportTable};
use child::{Child, ChildRun};
use files::FileShape;

/// What a large file is unless said otherwise: one that nobody would hold in memory.
const LARGE: Size = Size(1_000_000_000);
/// Files of the other formats, which say as much about speed in a tenth of the time.
const USUAL: Size = Size(100_000_000);

/// The formats that are made up here, with what makes them.
const FOREIGN: [(&str, FileShape); 6] = [
    ("chatgpt", FileShape::Chatgpt),
    ("claude", FileShape::Claude),
    ("csv", FileShape::Csv),
    ("mem0", FileShape::Mem0),
    ("agentos", FileShape::Agentos),
    ("ingest", FileShape::Ingest),
];
/// The formats that are exported and imported again; the first is the one for large stores.
const OWN: [&str; 5] = ["jsonl", "json", "sqlite", "markdown", "obsidian"];

/// Bytes, written as 20MB, 1GB or 1000000.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size(u64);

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let unit = match text[digits.len()..].to_ascii_lowercase().as_str() {
            "" | "b" => 1,
            "kb" | "k" => 1_000,
            "mb" | "m" => 1_000_000,
            "gb" | "g" => 1_000_000_000,
            other => return Err(format!("`{other}` is no unit; expected KB, MB or GB")),
        };
        let number: u64 = digits.trim().parse().map_err(|error| format!("`{text}`: {error}"))?;
        number
            .checked_mul(unit)
            .filter(|bytes| *bytes > 0)
            .map(Size)
            .ok_or_else(|| format!("`{text}` is no size"))
    }
}

#[derive(clap::Args)]
pub struct TransferOptions {
    /// Size of each file, such as 20MB; else 1 GB for chatgpt and jsonl and 100 MB for the others.
    #[arg(long)]
    bytes: Option<Size>,
    /// Only these formats, separated by commas.
    #[arg(long, value_delimiter = ',')]
    formats: Vec<String>,
    /// Where the files and stores are made; the system's temporary folder unless said. A store takes up to ten times its file.
    #[arg(long)]
    scratch: Option<PathBuf>,
    /// The binary to measure.
    #[arg(long, default_value = "target/release/recollect")]
    binary: PathBuf,
}

impl TransferOptions {
    fn size(&self, format: &str) -> Size {
        let usual = if matches!(format, "chatgpt" | "jsonl") { LARGE } else { USUAL };
        self.bytes.unwrap_or(usual)
    }

    fn wants(&self, format: &str) -> bool {
        self.formats.is_empty() || self.formats.iter().any(|wanted| wanted == format)
    }

    fn check(&self) -> anyhow::Result<()> {
        let known = |name: &String| FOREIGN.iter().any(|(it, _)| it == name) || OWN.contains(&name.as_str());
        if let Some(unknown) = self.formats.iter().find(|name| !known(name)) {
            bail!("`{unknown}` is no format that is measured");
        }
        let binary = self.binary.display();
        self.binary.exists().then_some(()).with_context(|| format!("there is no {binary}; build it first"))
    }
}

const COLUMNS: [&str; 5] = ["MB", "MB/s", "floor MB/s", "of floor", "peak memory"];

pub fn run(options: &TransferOptions) -> anyhow::Result<BenchReport> {
    options.check()?;
    let scratch = match &options.scratch {
        Some(folder) => tempfile::tempdir_in(folder)?,
        None => tempfile::tempdir()?,
    };
    let bench = TransferBench { options, scratch: scratch.path() };
    let mut imports = ReportTable::new("imports", "import", &COLUMNS);
    let mut exports = ReportTable::new("exports", "export", &COLUMNS);
    for (format, shape) in FOREIGN.iter().filter(|(format, _)| options.wants(format)) {
        let file = bench.make(format, *shape, options.size(format))?;
        bench.import(format, &file, &mut imports)?;
        files::remove(&file)?;
    }
    for format in OWN.iter().filter(|format| options.wants(format)) {
        bench.there_and_back(format, &mut imports, &mut exports)?;
    }
    let mut report = BenchReport::default();
    report.push(imports);
    report.push(exports);
    Ok(report)
}

struct TransferBench<'b> {
    options: &'b TransferOptions,
    scratch: &'b Path,
}

impl TransferBench<'_> {
    fn make(&self, format: &str, shape: FileShape, size: Size) -> anyhow::Result<PathBuf> {
        let file = self.scratch.join(format!("{format}.{}", shape.extension()));
        eprintln!("{format}: making {} MB …", size.0 / 1_000_000);
        files::make(&file, shape, size.0)?;
        Ok(file)
    }

    /// Imports a file into an empty store and writes a row about it.
    fn import(&self, format: &str, file: &Path, table: &mut ReportTable) -> anyhow::Result<()> {
        let store = self.scratch.join("store-in");
        let floor = floor::of_import(file, format, &self.scratch.join("copied"))?;
        let ran = self.take_in(format, file, &store)?;
        let said: serde_json::Value = serde_json::from_str(&ran.stdout).context("the import's answer")?;
        let errors = said["errors"].as_array().map_or(0, Vec::len);
        if said["imported"].as_u64().unwrap_or(0) == 0 || errors > 0 {
            bail!("{format}: nothing was imported, or with errors: {said}");
        }
        row(table, format, files::bytes(file)?, &ran, floor);
        files::remove(&store)
    }

    fn take_in(&self, format: &str, file: &Path, store: &Path) -> anyhow::Result<ChildRun> {
        eprintln!("{format}: importing …");
        let mut child = Child::new(&self.options.binary, store);
        child.arguments(["import"]).path(file).arguments(["--format", format, "--json"]);
        child.run()
    }

    /// Fills a store with conversations and memories, exports it, and imports what came out.
    fn there_and_back(
        &self,
        format: &str,
        imports: &mut ReportTable,
        exports: &mut ReportTable,
    ) -> anyhow::Result<()> {
        let (store, half) = (self.scratch.join("store-out"), Size(self.options.size(format).0 / 2));
        for (name, shape) in [("chatgpt", FileShape::Chatgpt), ("mem0", FileShape::Mem0)] {
            let file = self.make(name, shape, half)?;
            self.take_in(name, &file, &store)?;
            files::remove(&file)?;
        }
        let out = self.scratch.join(format!("out-{format}"));
        eprintln!("{format}: exporting …");
        let mut child = Child::new(&self.options.binary, &store);
        child.arguments(["export"]).path(&out).arguments(["--format", format]);
        let ran = child.run()?;
        let floor = floor::copy(&out, &self.scratch.join("copied"))?;
        row(exports, format, files::bytes(&out)?, &ran, floor);
        files::remove(&store)?;
        self.import(format, &out, imports)?;
        files::remove(&out)
    }
}

/// Bytes a second of the run beside those of the floor.
fn row(table: &mut ReportTable, format: &str, bytes: u64, ran: &ChildRun, floor: std::time::Duration) {
    let megabytes = bytes as f64 / 1e6;
    let rate = megabytes / ran.took.as_secs_f64().max(1e-9);
    let floor = megabytes / floor.as_secs_f64().max(1e-9);
    let figures = vec![
        Figure::Count(megabytes),
        Figure::Ratio(rate),
        Figure::Count(floor),
        Figure::Share(rate / floor),
        Figure::Mebibytes(ran.peak_mebibytes),
    ];
    table.row(format, figures);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        assert_eq!("20MB".parse(), Ok(Size(20_000_000)));
        assert_eq!("1gb".parse(), Ok(LARGE));
        assert_eq!("512".parse(), Ok(Size(512)));
        assert!("20 parsecs".parse::<Size>().is_err() && "0".parse::<Size>().is_err());
    }
}
