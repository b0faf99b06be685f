//! What the operating system knows about this process. Linux only; elsewhere nothing is known.

use std::fs;

/// Open file descriptors.
pub fn descriptors() -> Option<usize> {
    // The listing itself holds one descriptor open.
    Some(fs::read_dir("/proc/self/fd").ok()?.count().saturating_sub(1))
}

pub fn threads() -> Option<usize> {
    status_number("Threads:")
}

/// Bytes of memory that are resident.
pub fn resident_bytes() -> Option<usize> {
    Some(status_number("VmRSS:")? * 1024)
}

fn status_number(label: &str) -> Option<usize> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(label))?;
    line.split_ascii_whitespace().next()?.parse().ok()
}
