//! Whether somebody said it: a model's quote must be in a turn of the user's.
//!
//! Compared are the words as they stand, without case, accents, punctuation and white space, because a model straightens
//! quotes and drops commas. Words that were never said are never evidence, and neither is what an assistant said.

use std::collections::HashSet;

use crate::learn::decide::{contains_words, plain};
use crate::types::{Role, Turn, TurnId};

/// Letters that a quote must have at least, so that "I" supports nothing. A shorter one must be all that was said.
const QUOTE_LETTERS: usize = 4;

/// The user's turns, ready for comparing.
pub struct Evidence<'a> {
    /// With the place that the turn's handle counts from.
    new: Vec<(usize, &'a Turn, String)>,
    /// Everything the user said, earlier turns too: enough to know that a name was spoken of.
    all: Vec<(&'a Turn, String)>,
}

impl<'a> Evidence<'a> {
    pub fn of(speech: &[&'a Turn], new: &HashSet<TurnId>) -> Self {
        let users = || speech.iter().enumerate().filter(|(_, turn)| turn.role == Role::User);
        let of_new = users().filter(|(_, turn)| new.contains(&turn.id));
        Self {
            new: of_new.map(|(place, turn)| (place, *turn, plain(&turn.text))).collect(),
            all: users().map(|(_, turn)| (*turn, plain(&turn.text))).collect(),
        }
    }

    /// The new turn of the user's that says these words; the one the model names, if it is among those that do.
    pub fn of_quote(&self, quote: &str, place: Option<usize>) -> Option<&'a Turn> {
        let parts: Vec<String> = quote.split("...").flat_map(|part| part.split('…')).map(plain).collect();
        let parts: Vec<&String> = parts.iter().filter(|part| !part.is_empty()).collect();
        let letters: usize = parts.iter().map(|part| weight(part)).sum();
        let says = |text: &String| {
            let whole = parts.len() == 1 && text == parts[0];
            !parts.is_empty()
                && (whole || letters >= QUOTE_LETTERS && parts.iter().all(|part| contains_words(text, part)))
        };
        let named = self.new.iter().find(|(at, _, text)| Some(*at) == place && says(text));
        named.or_else(|| self.new.iter().find(|(_, _, text)| says(text))).map(|(_, turn, _)| *turn)
    }

    /// The first of the user's turns that names it, new ones first.
    pub fn naming(&self, name: &str) -> Option<&'a Turn> {
        let name = plain(name);
        let names = |text: &String| !name.is_empty() && contains_words(text, &name);
        let new = self.new.iter().find(|(_, _, text)| names(text)).map(|(_, turn, _)| *turn);
        new.or_else(|| self.all.iter().find(|(_, text)| names(text)).map(|(turn, _)| *turn))
    }

    /// The first new turn of the user's that names all of these.
    pub fn naming_all(&self, names: &[&str]) -> Option<&'a Turn> {
        let names: Vec<String> = names.iter().map(|name| plain(name)).collect();
        let says = |text: &String| names.iter().all(|name| !name.is_empty() && contains_words(text, name));
        self.new.iter().find(|(_, _, text)| says(text)).map(|(_, turn, _)| *turn)
    }
}

/// A sign of a script without letters in our sense says as much as two letters.
fn weight(text: &str) -> usize {
    text.chars().filter(|c| c.is_alphanumeric()).map(|c| if c.is_ascii() { 1 } else { 2 }).sum()
}

/// The sentences of a turn that a quote stands in; the whole turn where it spans many.
pub fn surrounding<'t>(turn: &'t str, quote: &str) -> &'t str {
    let quote = plain(quote);
    let ends: Vec<usize> = turn
        .char_indices()
        .filter(|(_, c)| matches!(c, '.' | '!' | '?' | '\n' | '。' | '！' | '？' | '।' | '؟' | '۔'))
        .map(|(at, c)| at + c.len_utf8())
        .chain([turn.len()])
        .collect();
    for length in 1..=3 {
        for (first, end) in ends.iter().enumerate().skip(length - 1) {
            let start = first.checked_sub(length).map_or(0, |before| ends[before]);
            let part = &turn[start..*end];
            if !quote.is_empty() && plain(part).contains(&quote) {
                return part.trim();
            }
        }
    }
    turn
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Owner, SessionKey, Time};

    fn turn(number: u64, role: Role, text: &str) -> Turn {
        let id = format!("tu_01890a5d-ac96-774b-bcce-b302099a80{number:02}");
        Turn {
            id: id.parse().expect("an id"),
            external_id: None,
            session: SessionKey::new(&Owner::unnamed(), "one".parse().expect("a name")),
            index: number,
            role,
            speaker: None,
            text: text.into(),
            tokens: 1,
            at: Time::MIN,
            partial: false,
        }
    }

    #[test]
    fn only_the_users_new_words_are_evidence() {
        let turns = [
            turn(0, Role::User, "My sister Ana lives in Lyon."),
            turn(1, Role::Assistant, "You prefer tea to coffee."),
            turn(2, Role::User, "I don't drink  coffee,\nI'd rather have “Earl Grey”. Bob!"),
            turn(3, Role::User, "我住在北京"),
        ];
        let speech: Vec<&Turn> = turns.iter().collect();
        let new = turns[2..].iter().map(|turn| turn.id.clone()).collect();
        let evidence = Evidence::of(&speech, &new);
        for said in [
            "I don’t drink coffee",
            "i don't drink coffee, I'd rather have 'Earl Grey'",
            "I don't drink … Earl Grey",
            "住在北京",
        ] {
            assert!(evidence.of_quote(said, None).is_some(), "{said}");
        }
        for never in
            ["You prefer tea", "lives in Lyon", "I drink coffee", "I", "", "…", "!!!", "rink coffee", "Bob"]
        {
            assert!(evidence.of_quote(never, None).is_none(), "{never}");
        }
        assert!(evidence.naming("Ana").is_some() && evidence.naming("tea").is_none());
        assert!(evidence.naming_all(&["Ana", "Lyon"]).is_none(), "not new");
    }

    #[test]
    fn a_quote_is_seen_with_its_sentence() {
        let text = "Hello. I feel I'm worthless today! What now?";
        assert_eq!(surrounding(text, "worthless"), "I feel I'm worthless today!");
        assert_eq!(surrounding(text, "today! What now"), "I feel I'm worthless today! What now?");
        assert_eq!(surrounding(text, "never said"), text);
    }
}
