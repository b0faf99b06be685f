//! Progress of long work: a bar on stderr, where somebody looks at it, and nothing where nobody does.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar of this length, or of one that is told later, drawn as the template says.
pub fn bar(length: Option<u64>, template: &str) -> ProgressBar {
    let seen = std::io::stderr().is_terminal();
    let target = if seen { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::with_draw_target(length, target).with_style(style)
}

/// Of work that counts bytes and names what it is at.
pub fn of_bytes(bytes: u64) -> ProgressBar {
    bar(Some(bytes), "{wide_bar} {bytes}/{total_bytes} {msg}")
}

/// Bytes done since the last word, and what they are of where that is another thing than before.
pub fn advance(bar: &ProgressBar, what: &str, bytes: u64) {
    if !what.is_empty() {
        bar.set_message(what.to_owned());
    }
    bar.inc(bytes);
}
