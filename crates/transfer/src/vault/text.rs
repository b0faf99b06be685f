//! A note's text: what is remembered, byte for byte, and below it what is written for readers.
//!
//! Between the two stands a mark in a comment, which neither Markdown nor Obsidian shows. What is remembered may itself contain
//! such a mark, or anything that looks like one; there it gets a backslash, and one that has backslashes gets one more, so that
//! every text comes back as it was.

use super::names;

/// Begins every mark of ours.
const OPENING: &str = "<!-- ";
const WORD: &str = "recollect:";

/// Where what is remembered ends.
pub const END: &str = "<!-- recollect:end -->";

/// Before each turn of a transcript; what is known of the turn follows, then ` -->`.
pub const TURN: &str = "<!-- recollect:turn ";

/// Above the list of links.
pub const RELATED: &str = "### Related";

/// Puts a backslash into whatever could be taken for a mark.
pub fn escape(text: &str) -> String {
    rewrite(text, |slashes| Some(slashes + 1))
}

/// Takes it out again.
pub fn unescape(text: &str) -> String {
    rewrite(text, |slashes| slashes.checked_sub(1))
}

fn rewrite(text: &str, change: impl Fn(usize) -> Option<usize>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(OPENING) {
        let (before, after) = rest.split_at(at + OPENING.len());
        out.push_str(before);
        let slashes = after.len() - after.trim_start_matches('\\').len();
        if after[slashes..].starts_with(WORD) {
            out.push_str(&"\\".repeat(change(slashes).unwrap_or(slashes)));
            rest = &after[slashes..];
        } else {
            rest = after;
        }
    }
    out.push_str(rest);
    out
}

/// A body of ours: what is remembered, and what stands below the mark. Without a mark everything is remembered.
pub fn parts(body: &str) -> (String, &str) {
    let Some(at) = body.find(END) else { return (unescape(body), "") };
    let remembered = &body[..at];
    let remembered = remembered.strip_suffix('\n').unwrap_or(remembered);
    (unescape(remembered), body[at + END.len()..].trim_start_matches(['\r', '\n']))
}

/// Text on one line, for lists; never something that a list or a mark would be read from.
pub fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    escape(&words.join(" "))
}

/// What stands below the mark and was not written by us: somebody's own words, tags and links.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct AppendedText {
    pub text: String,
    pub tags: Vec<String>,
}

/// Reads below the mark. Lines of tags, the list of links and its heading are ours; everything else somebody wrote there.
pub fn added(tail: &str) -> AppendedText {
    let mut added = AppendedText::default();
    let mut kept: Vec<&str> = Vec::new();
    for line in tail.lines() {
        let words = || line.split_whitespace();
        if line.trim() == RELATED || is_link_item(line) {
            continue;
        }
        if words().next().is_some()
            && words().all(|word| word.len() > 1 && word.starts_with('#') && names::tag(word) == word[1..])
        {
            added.tags.extend(words().map(|word| word[1..].to_owned()));
            continue;
        }
        kept.push(line);
    }
    kept.join("\n").trim().clone_into(&mut added.text);
    added
}

/// An item of the list of links: a wikilink or a Markdown link first.
fn is_link_item(line: &str) -> bool {
    let Some(item) = line.trim_start().strip_prefix("- [") else { return false };
    item.strip_prefix('[').is_some_and(|rest| rest.contains("]]")) || item.contains("](")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_comes_back() {
        let texts = [
            "",
            "plain",
            END,
            "a\n<!-- recollect:end -->\nb",
            "<!-- \\recollect:end -->",
            "<!-- \\\\recollect:turn {} -->",
            "<!-- <!-- recollect:end --> -->",
            "<!-- \\",
            "<!-- recollect",
            " both ends \n",
            "\r\n",
            "---\n",
            "\\",
            "<!-- \\\\ x",
        ];
        for text in texts {
            assert_eq!(unescape(&escape(text)), text);
            assert!(!escape(text).contains(END), "{text:?}");
            let body = format!("{}\n{END}\n\n#tag\n", escape(text));
            assert_eq!(parts(&body), (text.to_owned(), "#tag\n"));
        }
    }

    #[test]
    fn what_somebody_wrote_below_is_found() {
        let tail = "#one #two/three\n\n### Related\n\n- [[a|b]] — related\n- [c](../d.md) — related\n\nMy own words.\n- an item\n";
        let expected = AppendedText {
            text: "My own words.\n- an item".into(),
            tags: vec!["one".into(), "two/three".into()],
        };
        assert_eq!(added(tail), expected);
        assert_eq!(added(""), AppendedText::default());
    }
}
