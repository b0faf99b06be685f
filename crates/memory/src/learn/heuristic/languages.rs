//! The languages, a file each. English reads most; the others read the most common forms.
//!
//! No language is guessed: every table is tried on every sentence, and the words of the pattern say which one it is. What
//! comes out is an English sentence about the user, with the object in the words that were said.

mod de;
mod en;
mod es;
mod fr;
mod ja;
mod pt;
mod ru;
mod zh;

use super::rule::Lexicon;

pub(super) const ALL: [&Lexicon; 8] = [
    &en::LEXICON,
    &de::LEXICON,
    &es::LEXICON,
    &fr::LEXICON,
    &pt::LEXICON,
    &ru::LEXICON,
    &zh::LEXICON,
    &ja::LEXICON,
];

#[cfg(test)]
mod tests {
    use super::super::pattern::{Pattern, Slot};
    use super::*;

    /// A pattern or a sentence with a misspelt slot would silently never match.
    #[test]
    fn every_slot_of_every_table_exists() {
        for lexicon in ALL {
            for rule in lexicon.rules.iter().copied().flatten() {
                let slots = Pattern::compile(rule.pattern).slots();
                assert_eq!(
                    rule.pattern.matches('{').count(),
                    slots.len(),
                    "{} {}",
                    lexicon.code,
                    rule.pattern
                );
                for template in
                    [rule.says, rule.predicate, rule.subject, rule.object, rule.slot.unwrap_or_default()]
                {
                    for name in template.split('{').skip(1).filter_map(|rest| rest.split(['}', ':']).next()) {
                        let known = ["verb", "base"].contains(&name)
                            || Slot::named(name).is_some_and(|slot| slots.contains(&slot));
                        assert!(known, "{} {}: {{{name}}} in {template}", lexicon.code, rule.name);
                    }
                }
            }
        }
    }
}
