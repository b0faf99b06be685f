//! The machine around the store: what configures it, the disk under it, and what ended processes left behind.

use std::fs::{self, Permissions};
use std::net::ToSocketAddrs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use memory::checkup::{CheckSelection, Finding};
use memory::ports::Clock;
use store::SystemClock;

use super::without_file;
use crate::cli::Globals;
use crate::config::{Config, ValueSource};
use crate::environment::Environment;
use crate::limits;
use crate::problem::{Code, Problem};
use crate::socket;

/// The configuration, and what is wrong with it. One that is refused is left out, so that the rest can be examined.
pub fn configuration(globals: &Globals, wanted: &CheckSelection) -> Result<(Config, Vec<Finding>), Problem> {
    let mut findings = Vec::new();
    let environment = Environment::of_this_process().unwrap_or_else(|problem| {
        findings.push(Finding::one("config.environment", "environment").because(problem.message));
        Environment::default()
    });
    let config = match Config::load(&globals.flags(), &environment) {
        Ok(config) => config,
        Err(problem) if problem.code == Code::InvalidConfiguration => {
            let finding = Finding::one("config.file", "configuration").because(problem.message);
            findings.push(finding);
            Config::load(&without_file(globals), &Environment::default())?
        }
        Err(problem) => return Err(problem),
    };
    findings.retain(|finding| wanted.has(&finding.code));
    Ok((config, findings))
}

pub async fn examine(config: &Config, wanted: &CheckSelection, mut findings: Vec<Finding>) -> Vec<Finding> {
    let folder = &config.data;
    findings.extend(readable_keys(config));
    findings.extend(upstreams(config, wanted).await);
    if folder.exists() {
        findings.extend(disk(folder));
        findings.extend(socket_left(folder).await);
        findings.extend(store::checkup_control(folder, SystemClock.now()));
    }
    findings.retain(|finding| wanted.has(&finding.code));
    findings
}

pub fn repair(config: &Config, findings: &[Finding]) {
    let folder = &config.data;
    let codes: Vec<&str> = findings.iter().map(|finding| finding.code.as_str()).collect();
    if codes.contains(&"config.modes") {
        key_files(config).iter().for_each(|path| close(path));
    }
    if codes.contains(&"disk.modes") {
        open_places(folder).iter().for_each(|path| close(path));
    }
    if codes.contains(&"disk.socket")
        && let Ok(seat) = socket::ServeLock::take(folder)
    {
        // Who has the seat knows that nobody else serves; leaving it takes the socket away.
        drop(seat);
    }
    if codes.iter().any(|code| ["control.strays", "disk.leases"].contains(code))
        && let Err(error) = store::mend_control(folder, &codes, SystemClock.now())
    {
        tracing::warn!(%error, "the control database could not be mended");
    }
    if codes.contains(&"disk.log") {
        for path in databases(folder) {
            if let Err(error) = store::cut_log(&path) {
                tracing::warn!(%error, "a log could not be cut");
            }
        }
    }
}

/// Takes everybody's rights away but the owner's.
fn close(path: &Path) {
    let mode = if path.is_dir() { 0o700 } else { 0o600 };
    if let Err(error) = fs::set_permissions(path, Permissions::from_mode(mode)) {
        tracing::warn!(%error, path = %path.display(), "the rights could not be changed");
    }
}

fn is_open(path: &Path) -> bool {
    fs::symlink_metadata(path)
        .is_ok_and(|about| !about.is_symlink() && about.permissions().mode() & 0o077 != 0)
}

/// Configuration files that hold a key, if others may read them.
fn key_files(config: &Config) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = Vec::new();
    for (upstream, source) in config.described_upstreams() {
        if let ValueSource::File { path, .. } = source
            && (upstream.key.is_some() && upstream.key_variable.is_none() || !upstream.headers.is_empty())
            && is_open(path)
            && !files.contains(path)
        {
            files.push(path.clone());
        }
    }
    files
}

fn readable_keys(config: &Config) -> Option<Finding> {
    let mut finding = Finding::new("config.modes", 1);
    key_files(config).iter().for_each(|path| finding.add(path.display().to_string()));
    finding.found()
}

/// Whether somebody listens where models should be; nothing is asked of them.
async fn upstreams(config: &Config, wanted: &CheckSelection) -> Option<Finding> {
    if !wanted.has("config.upstream") {
        return None;
    }
    let mut finding = Finding::new("config.upstream", config.described_upstreams().len() as u64);
    for (upstream, _) in config.described_upstreams() {
        let url = upstream.base_url.to_string();
        let reached = tokio::time::timeout(limits::UPSTREAM_PROBE_WITHIN, reach(&url)).await;
        if !matches!(reached, Ok(true)) {
            finding.add(upstream.name.clone());
        }
    }
    finding.found()
}

async fn reach(url: &str) -> bool {
    let Ok(url) = reqwest::Url::parse(url) else { return false };
    let (Some(host), Some(port)) = (url.host_str(), url.port_or_known_default()) else { return false };
    let place = (host.trim_matches(['[', ']']).to_owned(), port);
    let addresses =
        tokio::task::spawn_blocking(move || place.to_socket_addrs().map(Iterator::collect::<Vec<_>>));
    match addresses.await {
        Ok(Ok(addresses)) => tokio::net::TcpStream::connect(addresses.as_slice()).await.is_ok(),
        _ => false,
    }
}

fn disk(folder: &Path) -> Vec<Finding> {
    let name = folder.display().to_string();
    let mut findings = Vec::new();
    if tempfile::Builder::new().prefix(".doctor").tempfile_in(folder).is_err() {
        findings.push(Finding::one("disk.writable", name.clone()));
    }
    let files = databases(folder);
    let size = |path: &PathBuf| fs::metadata(path).map_or(0, |about| about.len());
    let taken: u64 = files.iter().map(size).sum();
    if let Some(free) = store::free_bytes(folder).filter(|free| *free < taken.max(limits::DISK_LEAST_BYTES)) {
        let detail = format!("{} MiB are free, and the databases take {} MiB", free >> 20, taken >> 20);
        findings.push(Finding::one("disk.space", name).because(detail));
    }
    let mut modes = Finding::new("disk.modes", 1);
    open_places(folder).iter().for_each(|path| modes.add(path.display().to_string()));
    let mut logs = Finding::new("disk.log", files.len() as u64);
    for path in &files {
        let log = PathBuf::from(format!("{}-wal", path.display()));
        if size(&log) > limits::DISK_LOG_BYTES {
            logs.add(log.display().to_string());
        }
    }
    findings.extend([modes, logs].into_iter().filter_map(Finding::found));
    findings
}

/// The databases of a folder.
fn databases(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder.join(store::TENANTS)).into_iter().flatten().filter_map(Result::ok);
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.push(folder.join(store::CONTROL));
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "sqlite3") && path.exists());
    paths.sort();
    paths
}

/// What others on this machine could look into. Inside a folder that is closed to them nothing else matters.
fn open_places(folder: &Path) -> Vec<PathBuf> {
    if !is_open(folder) {
        return Vec::new();
    }
    let mut places = vec![folder.to_owned()];
    let inside = [store::TENANTS, "aside", store::CONTROL, socket::SOCKET].map(|name| folder.join(name));
    places.extend(inside.into_iter().chain(databases(folder)).filter(|path| path.exists() && is_open(path)));
    places.dedup();
    places
}

/// A socket that nobody answers on, while nobody holds the seat.
async fn socket_left(folder: &Path) -> Option<Finding> {
    let path = folder.join(socket::SOCKET);
    if !path.exists() || matches!(socket::connect(folder).await, Ok(Some(_))) {
        return None;
    }
    Some(Finding::one("disk.socket", path.display().to_string()))
}
