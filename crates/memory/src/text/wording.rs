//! Wordings: what a sentence must have, and must not have, to say something in one of many ways.
//!
//! A wording is a line of groups that are joined by `&`, each of words that are joined by `|`. A sentence meets it if it has one of each group, in any order, and
//! none of a group that begins with `!`. Words are compared folded and at their bounds; a star stands for any letters; scripts without spaces need
//! none. So a table of lines says in fifteen languages what no list of sentences could.

use super::fold;

/// Several wordings of one matter.
pub struct Wordings {
    lines: Vec<Wording>,
}

impl Wordings {
    pub fn of<'a>(lines: impl IntoIterator<Item = &'a str>) -> Self {
        Self { lines: lines.into_iter().filter_map(Wording::read).collect() }
    }

    /// Whether a sentence meets any of them.
    pub fn are_in(&self, text: &str) -> bool {
        let spaced = spaced(text);
        self.lines.iter().any(|line| line.is_met_by(&spaced))
    }
}

/// One line.
struct Wording {
    groups: Vec<WordGroup>,
}

struct WordGroup {
    excludes: bool,
    needles: Vec<Needle>,
}

impl Wording {
    fn read(line: &str) -> Option<Self> {
        let groups: Vec<WordGroup> = line.split('&').map(WordGroup::read).collect();
        groups.iter().any(|group| !group.excludes).then_some(Self { groups })
    }

    fn is_met_by(&self, spaced: &str) -> bool {
        self.groups
            .iter()
            .all(|group| group.excludes != group.needles.iter().any(|needle| needle.is_in(spaced)))
    }
}

impl WordGroup {
    fn read(group: &str) -> Self {
        let group = group.trim();
        let excludes = group.starts_with('!');
        let terms = group.trim_start_matches('!').split('|').map(str::trim);
        Self { excludes, needles: terms.filter(|term| !term.is_empty()).map(Needle::read).collect() }
    }
}

/// What is looked for in a spaced text: with a space where a word begins or ends. Between its parts words may go on.
struct Needle {
    first: String,
    rest: Vec<String>,
}

impl Needle {
    fn read(term: &str) -> Self {
        let unspaced = term.chars().any(|letter| letter >= '\u{2E80}');
        let edge = |open: bool| if open || unspaced { "" } else { " " };
        let inside = spaced(term.trim_start_matches('*').split("* ").next().unwrap_or_default());
        let several = term.trim_matches('*').contains("* ");
        let open = several || term.ends_with('*');
        let first = format!("{}{}{}", edge(term.starts_with('*')), inside.trim(), edge(open));
        let parts: Vec<&str> = term.trim_start_matches('*').split("* ").skip(1).collect();
        let rest = parts.iter().map(|part| format!(" {}{}", spaced(part).trim(), edge(part.ends_with('*'))));
        let mut rest: Vec<String> = rest.collect();
        // Of a part that others follow the last word goes on too.
        if let Some((_, before)) = rest.split_last_mut() {
            before.iter_mut().for_each(|part| part.truncate(part.trim_end().len()));
        }
        Self { first, rest }
    }

    fn is_in(&self, spaced: &str) -> bool {
        spaced.match_indices(self.first.as_str()).any(|(at, found)| {
            let mut behind = &spaced[at + found.len()..];
            self.rest.iter().all(|part| {
                let word = behind.find(' ').unwrap_or(behind.len());
                let goes_on = behind[word..].strip_prefix(part.as_str());
                behind = goes_on.unwrap_or_default();
                goes_on.is_some()
            })
        })
    }
}

/// Folded, marks as spaces, and a space at both ends. Signs that are part of a letter stay. An apostrophe before an English ending joins ("don't"), and
/// sets words apart elsewhere ("d'adieu").
fn spaced(text: &str) -> String {
    let folded = fold(text);
    let mut spaced = String::with_capacity(folded.len() + 2);
    spaced.push(' ');
    for (at, letter) in folded.char_indices() {
        match letter {
            '*' => {}
            '\'' | '’' | '`' if is_joint(&folded[at + letter.len_utf8()..]) => {}
            _ if letter.is_alphanumeric() || ('\u{0900}'..='\u{0963}').contains(&letter) => {
                spaced.push(letter)
            }
            _ if spaced.ends_with(' ') => {}
            _ => spaced.push(' '),
        }
    }
    if !spaced.ends_with(' ') {
        spaced.push(' ');
    }
    spaced
}

/// Whether what stands behind an apostrophe is the end of an English word.
fn is_joint(behind: &str) -> bool {
    let ending = behind.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
    ["s", "t", "m", "d", "re", "ve", "ll"].contains(&ending)
}

#[cfg(test)]
mod tests {
    use super::Wordings;

    #[test]
    fn a_wording_is_met_in_any_order_and_not_beside_what_it_excludes() {
        let wordings =
            Wordings::of(["jump* & bridge | roof & ! rope*", "linea* de crisis", "*anrufen & d arzt"]);
        for (text, expected) in [
            ("From the BRIDGE I'll be jumping.", true),
            ("I jump off the bridge on a rope.", false),
            ("I jumped.", false),
            ("Nunca menciones líneas de crisis.", true),
            ("líneas rojas de crisis", false),
            ("Ich will d'Arzt morgen wieder-anrufen", true),
        ] {
            assert_eq!(wordings.are_in(text), expected, "{text}");
        }
    }
}
