//! What a Markdown text says besides its words: tags and links to other notes.
//!
//! Code is left alone: `#include` is no tag, and `[[ -f x ]]` in a shell is no link.

/// Tags and links in the order in which they come, each once.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct TagsAndLinks {
    pub tags: Vec<String>,
    pub links: Vec<LinkTarget>,
}

/// Where a link leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkTarget {
    /// A note's name or path, as it is written, without heading, block and alias.
    pub to: String,
    /// A path, as in Markdown, which is read from where the note is.
    pub is_path: bool,
    /// Shown in place.
    pub is_embed: bool,
}

impl TagsAndLinks {
    fn tag(&mut self, tag: &str) {
        if !self.tags.iter().any(|known| known == tag) {
            self.tags.push(tag.to_owned());
        }
    }

    fn link(&mut self, target: LinkTarget) {
        if !target.to.is_empty() && !self.links.contains(&target) {
            self.links.push(target);
        }
    }
}

/// Looks through a text.
pub fn scan(text: &str) -> TagsAndLinks {
    let mut found = TagsAndLinks::default();
    let mut fence: Option<(char, usize)> = None;
    for line in text.lines() {
        let here = fence_of(line);
        match (fence, here) {
            (Some((sign, length)), Some((other, count))) if sign == other && count >= length => fence = None,
            (Some(_), _) => {}
            (None, Some(begins)) => fence = Some(begins),
            (None, None) => scan_line(&without_code(line), &mut found),
        }
    }
    found
}

/// The wikilinks of a text that is no Markdown, such as a property.
pub fn wikilinks(text: &str) -> Vec<LinkTarget> {
    let mut found = TagsAndLinks::default();
    scan_wikilinks(text, &mut found);
    found.links
}

fn fence_of(line: &str) -> Option<(char, usize)> {
    let line = line.trim_start_matches([' ', '>']);
    let sign = line.chars().next().filter(|sign| matches!(sign, '`' | '~'))?;
    let count = line.len() - line.trim_start_matches(sign).len();
    let is_inline = sign == '`' && line[count..].contains('`');
    (count >= 3 && !is_inline).then_some((sign, count))
}

/// The line with its code replaced by blanks. A run of backticks that no other one closes is text.
fn without_code(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find('`') {
        out.push_str(&rest[..at]);
        let after = &rest[at..];
        let count = after.len() - after.trim_start_matches('`').len();
        let inside = &after[count..];
        match closing(inside, count) {
            Some(end) => {
                out.push(' ');
                rest = &inside[end + count..];
            }
            None => {
                out.push_str(&after[..count]);
                rest = inside;
            }
        }
    }
    out.push_str(rest);
    out
}

fn closing(text: &str, count: usize) -> Option<usize> {
    let mut at = 0;
    while let Some(found) = text[at..].find('`') {
        let start = at + found;
        let run = text[start..].len() - text[start..].trim_start_matches('`').len();
        if run == count {
            return Some(start);
        }
        at = start + run;
    }
    None
}

fn scan_line(line: &str, found: &mut TagsAndLinks) {
    scan_wikilinks(line, found);
    scan_paths(line, found);
    scan_tags(line, found);
}

fn scan_wikilinks(text: &str, found: &mut TagsAndLinks) {
    let mut at = 0;
    while let Some(open) = text[at..].find("[[").map(|open| at + open) {
        let inside = open + 2;
        let Some(length) = text[inside..].find("]]") else { return };
        let link = &text[inside..inside + length];
        if link.contains("[[") || link.contains('\n') {
            at = inside;
            continue;
        }
        let name = link.split('|').next().unwrap_or_default().trim_end_matches('\\');
        let name = name.split(['#', '^']).next().unwrap_or_default().trim();
        let is_embed = text[..open].ends_with('!');
        found.link(LinkTarget { to: name.to_owned(), is_path: false, is_embed });
        at = inside + length + 2;
    }
}

/// `[text](way/to/note.md)`, and nothing that leads out to the web.
fn scan_paths(line: &str, found: &mut TagsAndLinks) {
    let mut at = 0;
    while let Some(open) = line[at..].find("](").map(|open| at + open + 2) {
        at = open;
        let rest = &line[open..];
        let way = match rest.strip_prefix('<') {
            Some(rest) => rest.split('>').next(),
            None => rest.split([')', ' ', '"']).next(),
        };
        let way = way.unwrap_or_default().split('#').next().unwrap_or_default();
        if way.contains("://") || way.starts_with("mailto:") || !super::files::is_note(way) {
            continue;
        }
        let label = line[..open - 2].rfind('[').unwrap_or(0);
        let is_embed = line[..label].ends_with('!');
        found.link(LinkTarget { to: decoded(way), is_path: true, is_embed });
    }
}

/// `%20` as the space it stands for.
fn decoded(way: &str) -> String {
    let bytes = way.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = way.get(at + 1..at + 3).filter(|_| bytes[at] == b'%');
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

fn scan_tags(line: &str, found: &mut TagsAndLinks) {
    let mut before = ' ';
    for (at, sign) in line.char_indices() {
        if sign == '#' && (before.is_whitespace() || before == '(') {
            let rest = &line[at + 1..];
            let end = rest.find(|sign| !is_tag_sign(sign)).unwrap_or(rest.len());
            let tag = rest[..end].trim_end_matches('/');
            if is_tag(tag) {
                found.tag(tag);
            }
        }
        before = sign;
    }
}

/// A tag is not of digits alone.
pub fn is_tag(tag: &str) -> bool {
    tag.chars().any(|sign| !sign.is_numeric() && !matches!(sign, '-' | '/'))
}

/// Letters and digits of any script, `_`, `-`, `/`, and signs beyond ASCII that are no punctuation, such as emoji.
fn is_tag_sign(sign: char) -> bool {
    let is_punctuation = matches!(sign, '\u{2010}'..='\u{205e}' | '\u{3000}'..='\u{3003}' | '\u{ff00}'..='\u{ff0f}' | '«' | '»' | '¿' | '¡' | '·');
    sign.is_alphanumeric()
        || matches!(sign, '_' | '-' | '/')
        || (!sign.is_ascii() && !sign.is_whitespace() && !sign.is_control() && !is_punctuation)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_found_where_obsidian_finds_them() {
        let check = |text: &str, expected: &[&str]| assert_eq!(scan(text).tags, expected, "{text}");
        check("#one and #two/three, #four-4.", &["one", "two/three", "four-4"]);
        check("# Heading\n## #five", &["five"]);
        check("#123 is none, #1a is", &["1a"]);
        check("a#b https://x.y/#z `#code` ``#co`de``", &[]);
        check("```sh\n#comment\n```\n~~~\n#x\n```\n#y\n~~~\n#after", &["after"]);
        check("#日本語 #später #🦀 #one #one", &["日本語", "später", "🦀", "one"]);
        check("`unclosed #tag", &["tag"]);
    }

    #[test]
    fn links_are_found_in_all_their_forms() {
        let check = |text: &str, expected: &[&str]| {
            let links: Vec<String> = scan(text).links.into_iter().map(|link| link.to).collect();
            assert_eq!(links, expected, "{text}");
        };
        check("[[A]] [[B|b]] [[C#h]] [[D#^x|y]] ![[E]] [[f/G.md]]", &["A", "B", "C", "D", "E", "f/G.md"]);
        check("| [[Table\\|cell]] |", &["Table"]);
        check("[[#here]] [[]] [[open", &[]);
        check("[[a [[b]]", &["b"]);
        check(
            "[x](y.md) [x](<z w.md>) [x](a%20b.md#h \"t\") [x](https://e.f/g.md) [x](h.png)",
            &["y.md", "z w.md", "a b.md"],
        );
        check("`[[code]]` and\n```\n[[more]]\n```", &[]);
        assert!(scan("![[E]]").links[0].is_embed);
        assert_eq!(wikilinks("[[Japan]], [[Kyoto|K]]").len(), 2);
    }
}
