//! What somebody said, as data inside a prompt for a model.
//!
//! Every line that was said begins with `| `, which nothing said can undo, and the marks that structure our prompts are
//! broken wherever they turn up inside: what is said in a conversation stays inside it.

/// The marks that structure a prompt; inside what it holds they are broken.
const MARKS: [&str; 5] = ["identity", "episodes", "known", "conversation", "message"];

/// Each line behind a mark that nothing inside a line can take away.
pub fn quoted(text: &str) -> String {
    let escaped = escaped(text);
    let lines = escaped.split(['\n', '\r', '\u{2028}', '\u{2029}', '\u{85}', '\u{b}', '\u{c}']);
    lines.map(|line| format!("| {line}")).collect::<Vec<_>>().join("\n")
}

/// Breaks our own marks, in whatever case they are written.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, behind) = (&rest[..=at], &rest[at + 1..]);
        out.push_str(before);
        let name = behind.trim_start_matches(|c: char| c == '/' || c.is_whitespace());
        let is_mark = |mark: &str| name.get(..mark.len()).is_some_and(|it| it.eq_ignore_ascii_case(mark));
        if MARKS.iter().any(|mark| is_mark(mark)) {
            out.push('\\');
        }
        rest = behind;
    }
    out.push_str(rest);
    out
}
