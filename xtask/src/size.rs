//! `cargo xtask size`: what a release costs in seconds, bytes and memory.
//!
//! Seconds are those of the last build that compiled something, kept in a file beside the build: a second run has nothing to
//! build, and its second says nothing. Bytes come from the binary itself: its sections, the embedded files that are found in it
//! byte for byte, and with `--crates` the sizes of its symbols. Memory is what the kernel says of a server just started.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use serde_json::Value;

use crate::shell;

/// How long a server is left alone before its memory is read: the first sweeps of its workers are over by then.
const SETTLE: Duration = Duration::from_secs(3);
/// Crates that are named one by one; the others are summed up.
const CRATES_SHOWN: usize = 25;
/// Files smaller than this are not looked for in the binary: a few bytes are found anywhere.
const EMBEDDED_BYTES_MIN: u64 = 256;

pub fn run(crates: bool) -> anyhow::Result<()> {
    let binary = build()?;
    sections(&binary)?;
    embedded(&binary)?;
    if crates {
        code_by_crate()?;
        // The build with symbols took the place of the binary.
        shell::run(shell::cargo(&["build", "--release"]))?;
    }
    resident(&binary)
}

/// Builds the release binary, and prints the seconds of the last build that had something to do.
fn build() -> anyhow::Result<PathBuf> {
    let start = Instant::now();
    let (binary, compiled) = cargo_build(&["build", "--release", "--package", "recollect"])?;
    let record = shell::target().join("release-build.txt");
    if compiled > 0 {
        let seconds = start.elapsed().as_secs_f64();
        std::fs::write(&record, format!("{seconds:.0} s, {compiled} crates compiled"))?;
    }
    let last = std::fs::read_to_string(&record).unwrap_or_else(|_| "not measured by this command".to_owned());
    println!("release build       {last}");
    Ok(binary)
}

/// The program that cargo made, and how many crates it compiled for it.
fn cargo_build(arguments: &[&str]) -> anyhow::Result<(PathBuf, u32)> {
    // Options for rustc stand behind `--`, so those for cargo come before.
    let split = arguments.iter().position(|it| *it == "--").unwrap_or(arguments.len());
    let mut command = shell::cargo(&arguments[..split]);
    command.args(["--message-format", "json-render-diagnostics"]).args(&arguments[split..]);
    let (mut binary, mut compiled) = (None, 0);
    shell::read_lines(command, |line| {
        let message: Value = serde_json::from_str(line).unwrap_or_default();
        if message["reason"] == "compiler-artifact" {
            compiled += u32::from(message["fresh"] == false);
            if let Some(file) = message["executable"].as_str() {
                binary = Some(PathBuf::from(file));
            }
        }
    })?;
    Ok((binary.context("cargo named no program")?, compiled))
}

/// Bytes of the file by what they are for.
fn sections(binary: &Path) -> anyhow::Result<()> {
    let whole = std::fs::metadata(binary)?.len();
    let output = read(Command::new("size").args(["-A", "-d"]).arg(binary))?;
    let mut parts: BTreeMap<&str, u64> = BTreeMap::new();
    for (name, bytes) in output.lines().filter_map(section) {
        *parts.entry(purpose(name)).or_default() += bytes;
    }
    let known: u64 = parts.values().sum();
    parts.insert("headers and padding", whole.saturating_sub(known));
    println!("binary              {whole} bytes");
    print_shares(parts.into_iter().map(|(name, bytes)| (name.to_owned(), bytes)).collect(), whole);
    Ok(())
}

/// A line of `size -A`: the section's name and bytes. Sections that take no room in the file are left out.
fn section(line: &str) -> Option<(&str, u64)> {
    let [name, bytes, _address] = line.split_whitespace().collect::<Vec<_>>()[..] else { return None };
    let takes_room = ![".bss", ".tbss", ".relro_padding"].contains(&name);
    (name.starts_with('.') && takes_room).then_some((name, bytes.parse().ok()?))
}

fn purpose(section: &str) -> &'static str {
    match section {
        ".text" | ".init" | ".fini" | ".plt" | ".plt.got" => "code",
        ".rodata" => "constants, with embedded files",
        ".eh_frame" | ".eh_frame_hdr" | ".gcc_except_table" => "unwinding",
        ".rela.dyn" | ".rela.plt" | ".relr.dyn" => "relocations",
        ".data.rel.ro" | ".got" | ".got.plt" | ".data" | ".tdata" => "data with addresses",
        _ => "symbols and the rest",
    }
}

/// The files that the sources name in `include_str!` and `include_bytes!`, as far as the binary holds them.
fn embedded(binary: &Path) -> anyhow::Result<()> {
    let content = std::fs::read(binary)?;
    let mut found = Vec::new();
    for file in included(&shell::root().join("crates"))? {
        let bytes = std::fs::read(&file)?;
        let is_found = bytes.len() as u64 >= EMBEDDED_BYTES_MIN && contains(&content, &bytes);
        if is_found {
            let name = file.strip_prefix(shell::root()).unwrap_or(&file).display().to_string();
            found.push((name, bytes.len() as u64));
        }
    }
    let sum: u64 = found.iter().map(|(_, bytes)| bytes).sum();
    println!("embedded files      {sum} bytes");
    print_shares(found, content.len() as u64);
    Ok(())
}

/// Every file that a source below `folder` includes, once.
fn included(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "rs") {
                let source = std::fs::read_to_string(&path)?;
                files
                    .extend(included_names(&source).filter_map(|name| folder.join(name).canonicalize().ok()));
            }
        }
    }
    files.sort();
    files.dedup();
    Ok(files)
}

fn included_names(source: &str) -> impl Iterator<Item = &str> {
    let after =
        ["include_str!(\"", "include_bytes!(\""].into_iter().flat_map(|call| source.split(call).skip(1));
    after.filter_map(|rest| rest.split('"').next())
}

fn contains(content: &[u8], wanted: &[u8]) -> bool {
    // Where the first bytes stand, the others are compared; the search for eight bytes is fast enough for a binary.
    let (start, length) = (&wanted[..8], wanted.len());
    let mut places = content.windows(8).enumerate().filter(|(_, window)| *window == start);
    places.any(|(at, _)| content[at..].get(..length) == Some(wanted))
}

/// Code by the crate that each symbol names first: a generic function counts where it was written, not where it is used.
fn code_by_crate() -> anyhow::Result<()> {
    let arguments =
        ["rustc", "--release", "--package", "recollect", "--bin", "recollect", "--", "-C", "strip=none"];
    let (binary, _) = cargo_build(&arguments)?;
    let symbols = read(Command::new("nm").args(["--print-size", "--radix=d"]).arg(&binary))?;
    let mut crates: BTreeMap<String, u64> = BTreeMap::new();
    for (name, bytes) in symbols.lines().filter_map(code_symbol) {
        *crates.entry(crate_of(name).unwrap_or("C and assembly").to_owned()).or_default() += bytes;
    }
    let sum = crates.values().sum();
    let mut rows: Vec<(String, u64)> = crates.into_iter().collect();
    rows.sort_by_key(|(_, bytes)| std::cmp::Reverse(*bytes));
    let rest = rows.split_off(rows.len().min(CRATES_SHOWN));
    rows.push((format!("{} others", rest.len()), rest.iter().map(|(_, bytes)| bytes).sum()));
    println!("code by crate       {sum} bytes have a symbol");
    print_shares(rows, sum);
    Ok(())
}

/// A line of `nm`, where it is a function with a size: `address size t name`.
fn code_symbol(line: &str) -> Option<(&str, u64)> {
    let [_address, bytes, kind, name] = line.split_whitespace().collect::<Vec<_>>()[..] else { return None };
    matches!(kind, "t" | "T" | "w" | "W").then_some((name, bytes.parse().ok()?))
}

/// The first crate that a mangled name contains; none for what does not come from Rust.
fn crate_of(symbol: &str) -> Option<&str> {
    if let Some(path) = symbol.strip_prefix("_ZN") {
        let (length, rest) = number(path)?;
        let segment = rest.get(..length)?;
        // `_$LT$store..Writer$u20$as$u20$…` is written inside `store`.
        let first = segment.split("..").next().unwrap_or(segment);
        return first.rsplit('$').next().filter(|name| !name.is_empty());
    }
    let path = symbol.strip_prefix("_R")?;
    // A crate is `C`, a hash `s…_`, the length of its name, and the name.
    path.match_indices("Cs").find_map(|(at, _)| {
        let (hash, rest) = path[at + 2..].split_once('_')?;
        let (length, name) = number(rest)?;
        hash.bytes().all(|it| it.is_ascii_alphanumeric()).then(|| name.get(..length))?
    })
}

/// The number that a text begins with, and what follows.
fn number(text: &str) -> Option<(usize, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    Some((text[..digits].parse().ok()?, &text[digits..]))
}

fn print_shares(mut rows: Vec<(String, u64)>, whole: u64) {
    rows.sort_by_key(|(_, bytes)| std::cmp::Reverse(*bytes));
    for (name, bytes) in rows {
        println!("  {bytes:>12}  {:>5.1} %  {name}", bytes as f64 * 100.0 / whole.max(1) as f64);
    }
}

/// Memory of a server that was just started on an empty folder.
fn resident(binary: &Path) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let server = MeasuredServer::start(binary, folder.path())?;
    std::thread::sleep(SETTLE);
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.child.id()))?;
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        Some(line.trim_start_matches(':').trim().to_owned())
    };
    let resident = field("VmRSS").context("the kernel tells no VmRSS")?;
    let of_files = field("RssFile").unwrap_or_else(|| "unknown".to_owned());
    println!("resident memory     {resident} after start, {of_files} of it pages of files");
    Ok(())
}

/// A server that ends when it is dropped.
struct MeasuredServer {
    child: Child,
}

impl MeasuredServer {
    /// Starts it and waits until it says that it listens.
    fn start(binary: &Path, data: &Path) -> anyhow::Result<Self> {
        let mut command = Command::new(binary);
        command.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(data);
        let child = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn()?;
        let mut server = Self { child };
        let said = server.child.stderr.take().expect("standard error is piped");
        for line in BufReader::new(said).lines() {
            if line?.contains("listening on") {
                return Ok(server);
            }
        }
        bail!("the server ended before it listened")
    }
}

impl Drop for MeasuredServer {
    fn drop(&mut self) {
        // The folder is a scratch folder, and what the server would still write into it is of no use.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read(command: &mut Command) -> anyhow::Result<String> {
    let output = command.output().with_context(|| format!("cannot start {command:?}"))?;
    anyhow::ensure!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_symbol_belongs_to_the_crate_that_it_names_first() {
        let of = |symbol| crate_of(symbol);
        assert_eq!(of("_ZN5store6sqlite4open17h0123456789abcdefE"), Some("store"));
        assert_eq!(
            of("_ZN60_$LT$alloc..vec..Vec$LT$T$GT$$u20$as$u20$core..ops..Drop$GT$4drop17hE"),
            Some("alloc")
        );
        assert_eq!(of("_RNvNtCs1234_7mycrate3foo3bar"), Some("mycrate"));
        assert_eq!(of("_RNvXs_CsaB3_4axumNtB2_5Trait3run"), Some("axum"));
        assert_eq!(of("sqlite3_step"), None);
    }

    #[test]
    fn sections_that_take_no_room_are_left_out() {
        assert_eq!(section(".text   14000   4096"), Some((".text", 14000)));
        assert_eq!(section(".bss   14000   4096"), None);
        assert_eq!(section("Total   14000"), None);
        assert_eq!(section("section   size   addr"), None);
    }

    #[test]
    fn included_files_are_read_from_the_source() {
        let source =
            "const A: &str = include_str!(\"../a.txt\");\nstatic B: &[u8] = include_bytes!(\"b.i8\");";
        assert_eq!(included_names(source).collect::<Vec<_>>(), ["../a.txt", "b.i8"]);
        assert!(contains(b"xxabcdefghijkyy", b"abcdefghijk"));
        assert!(!contains(b"xxabcdefghijky", b"abcdefghijkl"));
    }
}
