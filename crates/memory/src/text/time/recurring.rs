//! On which days of the week something comes again and again: "every Tuesday", "donnerstags", "по средам", 毎週水曜日.

use jiff::civil::Weekday;

use super::lexer;
use super::lexicon::{self, Meaning, TimeLexicon};
use super::reader::{ReadingDesk, TimeReader};

/// Tokens behind the word for recurring in which the day of the week may stand: "every Tuesday and Thursday".
const NEAR: usize = 6;

/// Letters that a word must share with the name of a day to be a form of it.
const SHARED_LETTERS: usize = 3;

/// Letters at the end of a name that may change: "среда", "средам".
const ENDING_LETTERS: usize = 1;

/// Nothing where a text speaks of nothing that recurs; the days are empty where it does not say which.
pub fn recurring_weekdays(text: &str) -> Option<Vec<Weekday>> {
    let tokens = lexer::lex(text);
    let mut found: Option<Vec<Weekday>> = None;
    for (lexicon, is_shown) in lexicon::chosen(&tokens) {
        let desk = ReadingDesk::new(&tokens, lexicon);
        let reader = TimeReader::new(&tokens, lexicon, &desk, is_shown, true);
        for at in 0..tokens.len() {
            let Some(next) = reader.recurrence(at) else { continue };
            let days = found.get_or_insert_with(Vec::new);
            let named = (at..(next + NEAR).min(tokens.len())).filter_map(|place| {
                let named = reader.take(place, |meaning| match meaning {
                    Meaning::Weekday(day) => Some(day),
                    _ => None,
                });
                named.map(|(day, _)| day)
            });
            let formed = tokens[at..next].iter().filter_map(|token| lexicon.weekday_formed(&token.word));
            days.extend(named.chain(formed));
        }
    }
    if let Some(days) = &mut found {
        days.sort_by_key(|day| day.to_monday_zero_offset());
        days.dedup();
    }
    found
}

impl TimeLexicon {
    /// The day of the week of whose name a word is a form; of several the longest name.
    pub(super) fn weekday_formed(&self, word: &str) -> Option<Weekday> {
        let names = self.phrases.iter().flat_map(|(name, phrases)| {
            phrases.iter().filter_map(move |(rest, meaning)| match meaning {
                Meaning::Weekday(day) if rest.is_empty() => Some((name, *day)),
                _ => None,
            })
        });
        let fits = |name: &str| {
            let shared = name.chars().zip(word.chars()).take_while(|(one, other)| one == other).count();
            shared >= SHARED_LETTERS && shared + ENDING_LETTERS >= name.chars().count()
        };
        let fitting = names.filter(|(name, _)| fits(name));
        fitting.max_by_key(|(name, _)| name.chars().count()).map(|(_, day)| day)
    }
}
