//! Names of notes: readable in any script, and good on every file system.
//!
//! A name is unique in the whole vault and not only in its folder, and in either case of its letters, because `[[name]]` points to
//! a note by its name alone and half of all file systems do not tell `A` from `a`. Which names are taken is kept as hashes: a
//! hundred thousand notes must not cost their names' length twice, and where two hashes are alike a name is merely longer.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Characters and bytes of a name before what makes it unique. File systems take 255 bytes, and a line of a list is read at a glance.
const STEM_CHARACTERS: usize = 60;
const STEM_BYTES: usize = 180;

/// Names that Windows keeps for devices, with any ending.
const RESERVED: &[&str] = &[
    "con", "prn", "aux", "nul", "com0", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8",
    "com9", "lpt0", "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9", "conin$",
    "conout$",
];

/// The names that notes have so far.
#[derive(Debug, Default)]
pub struct NoteNames {
    taken: HashSet<u64>,
}

impl NoteNames {
    /// A name like this one that no note has yet; `mark` tells it from others where it must be told.
    pub fn claim(&mut self, wish: &str, mark: &str) -> String {
        let wish = safe(wish);
        let reserved = RESERVED.contains(&wish.split('.').next().unwrap_or_default().to_lowercase().as_str());
        if !wish.is_empty() && !reserved && self.take(&wish) {
            return wish;
        }
        let mut name = joined(&wish, mark);
        let mut again = 2;
        while !self.take(&name) {
            name = joined(&wish, &format!("{mark}-{again}"));
            again += 1;
        }
        name
    }

    fn take(&mut self, name: &str) -> bool {
        let mut hasher = DefaultHasher::new();
        name.to_lowercase().hash(&mut hasher);
        self.taken.insert(hasher.finish())
    }
}

fn joined(stem: &str, mark: &str) -> String {
    if stem.is_empty() { mark.to_owned() } else { format!("{stem}-{mark}") }
}

/// The words of a text as a name: letters and digits of any script, with dashes between.
pub fn slug(text: &str) -> String {
    let mut out = String::new();
    let mut characters = 0;
    for character in text.chars().flat_map(char::to_lowercase) {
        if characters == STEM_CHARACTERS || out.len() + character.len_utf8() > STEM_BYTES {
            break;
        }
        if character.is_alphanumeric() {
            out.push(character);
            characters += 1;
        } else if is_joiner(character) && !out.is_empty() && !out.ends_with('-') {
            out.push('-');
            characters += 1;
        }
    }
    out.truncate(out.trim_end_matches('-').len());
    out
}

/// What stands between words. Marks that belong to the letter before, as in Devanagari, do not.
fn is_joiner(character: char) -> bool {
    character.is_whitespace()
        || character.is_control()
        || character.is_ascii_punctuation()
        || is_punctuation(character)
}

fn is_punctuation(character: char) -> bool {
    matches!(character, '\u{2010}'..='\u{2027}' | '\u{3001}'..='\u{3003}' | '\u{ff01}'..='\u{ff0f}' | '·')
}

/// A name that a person gave, less what file systems or wikilinks cannot have in one.
pub fn safe(name: &str) -> String {
    let mut out = String::new();
    for character in name.chars() {
        if out.len() + character.len_utf8() > STEM_BYTES {
            break;
        }
        let bad = character.is_control()
            || matches!(
                character,
                '<' | '>' | ':' | '"' | '/' | '\\' | '|' | '?' | '*' | '#' | '^' | '[' | ']'
            )
            || matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}');
        out.push(if bad { '-' } else { character });
    }
    // A dot in front hides a file, and Windows takes dots and spaces off the end.
    out.trim_matches(|end: char| end == '.' || end.is_whitespace()).to_owned()
}

/// The last eight digits of an id, which are its random ones.
pub fn short(id: &str) -> String {
    let digits: Vec<char> = id.chars().filter(char::is_ascii_hexdigit).collect();
    digits[digits.len().saturating_sub(8)..].iter().collect()
}

/// Eight digits that stand for a name of any length.
pub fn digest(text: &str) -> String {
    memory::types::content_hash(text).chars().take(8).collect()
}

/// A tag as Obsidian takes it in a text: letters, digits, `_`, `-` and `/`, and not digits alone.
pub fn tag(tag: &str) -> String {
    let kept = |character: char| {
        character.is_alphanumeric() || matches!(character, '_' | '-' | '/') || !character.is_ascii()
    };
    let fits = |character: char| {
        if kept(character) && !character.is_whitespace() && !character.is_control() { character } else { '-' }
    };
    let written: String = tag.trim().trim_start_matches('#').chars().map(fits).collect();
    if super::markdown::is_tag(&written) { written } else { format!("_{written}") }
}

/// A way from one note to another, as Markdown has it in a link.
pub fn relative(from: &str, to: &str) -> String {
    let ups = from.matches('/').count();
    let mut out = "../".repeat(ups);
    for character in to.chars() {
        match character {
            ' ' | '%' | '(' | ')' | '<' | '>' | '"' | '?' | '#' | '\\' | '[' | ']' => {
                out.push_str(&format!("%{:02X}", u32::from(character)));
            }
            _ => out.push(character),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_script_makes_a_name() {
        let check = |text: &str, expected: &str| assert_eq!(slug(text), expected);
        check("User prefers TypeScript over Python!", "user-prefers-typescript-over-python");
        check("日本語を話す。", "日本語を話す");
        check("Käse & Brot", "käse-brot");
        check("../../etc/passwd", "etc-passwd");
        check("🦀🦀", "");
        check("עברית  ימין", "עברית-ימין");
        assert!(slug(&"長".repeat(500)).len() <= STEM_BYTES);
        assert!(slug(&"x ".repeat(500)).chars().count() <= STEM_CHARACTERS);
    }

    #[test]
    fn names_never_collide_in_any_case() {
        let mut names = NoteNames::default();
        assert_eq!(names.claim("Notes", "1a"), "Notes");
        assert_eq!(names.claim("notes", "2b"), "notes-2b");
        assert_eq!(names.claim("NOTES", "2b"), "NOTES-2b-2");
        assert_eq!(names.claim("CON", "3c"), "CON-3c");
        assert_eq!(names.claim("con.txt", "3c"), "con.txt-3c");
        assert_eq!(names.claim("", "4d"), "4d");
        assert_eq!(names.claim("..", "5e"), "5e");
        assert_eq!(names.claim("a/../b: [c]|#d. ", "6f"), "a-..-b- -c---d");
    }

    #[test]
    fn tags_are_such_as_obsidian_takes() {
        let check = |given: &str, expected: &str| assert_eq!(tag(given), expected);
        check("to read", "to-read");
        check("2024", "_2024");
        check("a/b_c-d", "a/b_c-d");
        check("c#", "c-");
        check("#hash", "hash");
        check("日本", "日本");
        check("-", "_-");
        check(&tag("2024"), "_2024");
    }

    #[test]
    fn a_way_leads_from_note_to_note() {
        assert_eq!(relative("semantic/a.md", "episodic/b (c).md"), "../episodic/b%20%28c%29.md");
        assert_eq!(relative("identity.md", "semantic/a.md"), "semantic/a.md");
    }
}
