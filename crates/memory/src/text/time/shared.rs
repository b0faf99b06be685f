//! The grammar of time expressions that the languages other than English share: named days and weeks, weekdays, dates,
//! months beside a lead or a year, and amounts of time ago.
//!
//! It reads nothing but the tables of the language folders, every language's on every text, and the longest match counts.
//! It asks for more than one word where one word is not enough to tell the language: a bare name of a month is none.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use jiff::civil::Weekday;

use super::lexer::TimeToken;
use super::vocabulary::{self, WEEKDAYS, month_of};
use super::when::{Amount, Direction, Occurrence, TimePoint, TimeUnit};
use crate::language::{Language, TimeWords};
use crate::text::fold;

/// What a phrase means to the grammar.
#[derive(Debug, Clone, Copy)]
pub(super) enum Meaning {
    Period(TimeUnit, i32),
    Weekday(Weekday),
    Which(Occurrence),
    Month(i8),
    Unit(TimeUnit),
    Number(i32),
    AgoBefore,
    AgoBehind,
    /// Behind it, the name of a month is one.
    MonthLead,
    /// "of", between a day, a month and a year.
    Joint,
}

/// The phrases of a language's tables, folded, with what they mean.
pub(super) fn phrases(words: &TimeWords) -> Vec<(String, Meaning)> {
    let mut phrases = Vec::new();
    let mut add = |list: &str, meaning: Meaning| {
        phrases.extend(list.split_whitespace().map(|phrase| (fold(&phrase.replace('_', " ")), meaning)));
    };
    for (unit, offset, list) in words.periods {
        add(list, Meaning::Period(*unit, *offset));
    }
    for (weekday, list) in WEEKDAYS.into_iter().zip(words.weekdays) {
        add(list, Meaning::Weekday(weekday));
    }
    for (which, list) in
        [(Occurrence::Last, words.last), (Occurrence::This, words.this), (Occurrence::Next, words.next)]
    {
        add(list, Meaning::Which(which));
    }
    for (month, list) in (1..).zip(words.months) {
        add(list, Meaning::Month(month));
    }
    for (unit, list) in words.units {
        add(list, Meaning::Unit(*unit));
    }
    for (number, list) in words.numbers {
        add(list, Meaning::Number(*number));
    }
    add(words.ago_before, Meaning::AgoBefore);
    add(words.ago_behind, Meaning::AgoBehind);
    add(words.month_leads, Meaning::MonthLead);
    add(words.joints, Meaning::Joint);
    phrases
}

/// The phrases of one language by their first words, each with its further words.
type PhraseTables = HashMap<String, Vec<(Vec<String>, Meaning)>>;

static TABLES: LazyLock<Vec<PhraseTables>> = LazyLock::new(|| {
    let spaced = Language::spoken()
        .filter(|(language, speech)| *language != Language::English && !speech.lexicon.unspaced);
    spaced.map(|(_, speech)| tables(&speech.time)).collect()
});

/// The words that an expression of any of these languages may begin with. Most words of a text begin none.
static BEGINNINGS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let begins = |meaning: &Meaning| {
        !matches!(meaning, Meaning::Unit(_) | Meaning::AgoBehind | Meaning::Joint | Meaning::MonthLead)
    };
    let words = TABLES.iter().flatten();
    let words = words.filter(|(_, phrases)| phrases.iter().any(|(_, meaning)| begins(meaning)));
    words.map(|(first, _)| first.as_str()).collect()
});

fn tables(words: &TimeWords) -> PhraseTables {
    let mut tables = PhraseTables::new();
    for (phrase, meaning) in phrases(words) {
        let mut words = phrase.split(' ').map(str::to_owned);
        let first = words.next().unwrap_or_default();
        tables.entry(first).or_default().push((words.collect(), meaning));
    }
    for phrases in tables.values_mut() {
        phrases.sort_by_key(|(rest, _)| std::cmp::Reverse(rest.len()));
    }
    tables
}

/// Reads the longest expression that begins at a token, and answers where the next token is.
pub(super) fn read(text: &str, tokens: &[TimeToken], position: usize) -> Option<(TimePoint, usize)> {
    let first = folded(&tokens[position]);
    if !first.starts_with(|letter: char| letter.is_ascii_digit()) && !BEGINNINGS.contains(first.as_ref()) {
        return None;
    }
    let readers = TABLES.iter().map(|tables| PhraseReader { text, tokens, tables });
    readers.filter_map(|reader| reader.read(position)).max_by_key(|(_, next)| *next)
}

struct PhraseReader<'a> {
    text: &'a str,
    tokens: &'a [TimeToken],
    tables: &'a PhraseTables,
}

impl PhraseReader<'_> {
    fn read(&self, at: usize) -> Option<(TimePoint, usize)> {
        let rules = [Self::period, Self::weekday, Self::day_month, Self::month, Self::ago];
        rules.into_iter().filter_map(|rule| rule(self, at)).max_by_key(|(_, next)| *next)
    }

    /// "ieri", "la settimana scorsa"
    fn period(&self, at: usize) -> Option<(TimePoint, usize)> {
        let (when, next) = self.take(at, |meaning| match meaning {
            Meaning::Period(TimeUnit::Day, offset) => Some(TimePoint::Day(offset)),
            Meaning::Period(unit, offset) => Some(TimePoint::Calendar { unit, offset }),
            _ => None,
        })?;
        Some((when, next))
    }

    /// "lunedì", "letzten Montag", "vendredi dernier"
    fn weekday(&self, at: usize) -> Option<(TimePoint, usize)> {
        let which = |at| {
            self.take(at, |meaning| match meaning {
                Meaning::Which(which) => Some(which),
                _ => None,
            })
        };
        let before = which(at);
        let (weekday, next) = self.take(before.map_or(at, |(_, next)| next), |meaning| match meaning {
            Meaning::Weekday(weekday) => Some(weekday),
            _ => None,
        })?;
        let behind = if before.is_none() && self.joined(next, "") { which(next) } else { None };
        let occurrence = before.or(behind).map_or(Occurrence::Nearest, |(which, _)| which);
        Some((TimePoint::Weekday { weekday, occurrence }, behind.map_or(next, |(_, next)| next)))
    }

    /// "7 maggio 2023", "7. Mai", "7 de mayo de 2023"
    fn day_month(&self, at: usize) -> Option<(TimePoint, usize)> {
        let number = folded(self.tokens.get(at)?);
        let day = vocabulary::digits(number.trim_end_matches(|letter: char| !letter.is_ascii_digit()), 2)?;
        let day = i8::try_from(day).ok().filter(|day| (1..=31).contains(day))?;
        let next = if self.joined(at + 1, ".") { at + 1 } else { return None };
        let (month, next) = self.month_name(self.behind_joint(next))?;
        let (occurrence, next) = self.year(next).unwrap_or((Occurrence::Nearest, next));
        Some((TimePoint::Date { month, day, occurrence }, next))
    }

    /// "maggio 2023"; "a maggio" behind its lead
    fn month(&self, at: usize) -> Option<(TimePoint, usize)> {
        let (month, next) = self.month_name(at)?;
        match self.year(next) {
            Some((occurrence, next)) => Some((TimePoint::Month { month, occurrence }, next)),
            None => {
                let led = at.checked_sub(1).filter(|_| self.joined(at, "")).is_some_and(|before| {
                    let lead = |meaning| matches!(meaning, Meaning::MonthLead).then_some(());
                    self.take(before, lead).is_some_and(|(_, next)| next == at)
                });
                led.then_some((TimePoint::Month { month, occurrence: Occurrence::Nearest }, next))
            }
        }
    }

    /// "due settimane fa", "vor zwei Wochen"
    fn ago(&self, at: usize) -> Option<(TimePoint, usize)> {
        let marker = |at, before: bool| {
            self.take(at, |meaning| match meaning {
                Meaning::AgoBefore => before.then_some(()),
                Meaning::AgoBehind => (!before).then_some(()),
                _ => None,
            })
        };
        let before = marker(at, true).map(|(_, next)| next).filter(|next| self.joined(*next, ""));
        let (number, next) = self.number(before.unwrap_or(at))?;
        let (unit, next) = self.take(next, |meaning| match meaning {
            Meaning::Unit(unit) => Some(unit),
            _ => None,
        })?;
        let next = match before {
            Some(_) => next,
            None => marker(next, false)?.1,
        };
        Some((TimePoint::Away { amount: Amount::exactly(number), unit, direction: Direction::Before }, next))
    }

    fn number(&self, at: usize) -> Option<(i32, usize)> {
        let written = self.take(at, |meaning| match meaning {
            Meaning::Number(number) => Some(number),
            _ => None,
        });
        written.or_else(|| {
            let number = vocabulary::digits(&self.tokens.get(at)?.word, 3).filter(|number| *number > 0)?;
            Some((number, at + 1))
        })
    }

    fn month_name(&self, at: usize) -> Option<(i8, usize)> {
        self.take(at, |meaning| match meaning {
            Meaning::Month(month) => Some(month),
            _ => None,
        })
    }

    fn year(&self, at: usize) -> Option<(Occurrence, usize)> {
        let at = self.behind_joint(at);
        let year = vocabulary::year(&self.tokens.get(at).filter(|_| self.joined(at, ""))?.word)?;
        Some((Occurrence::InYear(year), at + 1))
    }

    fn behind_joint(&self, at: usize) -> usize {
        let joint = |meaning| matches!(meaning, Meaning::Joint).then_some(());
        self.take(at, joint).map_or(at, |(_, next)| next)
    }

    /// The longest phrase at a token that means what is wanted, and where the next token is.
    fn take<Wanted>(&self, at: usize, wanted: impl Fn(Meaning) -> Option<Wanted>) -> Option<(Wanted, usize)> {
        let phrases = self.tables.get(folded(self.tokens.get(at)?).as_ref())?;
        phrases.iter().find_map(|(rest, meaning)| {
            let further = (at + 1..).zip(rest);
            let fits = |(place, word): (usize, &String)| {
                self.tokens.get(place).is_some_and(|token| folded(token) == word.as_str())
                    && self.joined(place, "")
            };
            let next = at + 1 + rest.len();
            further.into_iter().all(fits).then(|| wanted(*meaning)).flatten().map(|wanted| (wanted, next))
        })
    }

    /// Whether only white space, a hyphen, an apostrophe or this mark stands between a token and the one before it.
    fn joined(&self, at: usize, mark: &str) -> bool {
        let Some(token) = self.tokens.get(at) else { return false };
        let before = at.checked_sub(1).map_or(0, |before| self.tokens[before].range.end);
        let between = self.text[before..token.range.start].trim();
        ["", "-", "'", "’"].contains(&between) || between == mark
    }
}

fn folded(token: &TimeToken) -> Cow<'_, str> {
    if token.word.is_ascii() { Cow::Borrowed(&token.word) } else { Cow::Owned(fold(&token.word)) }
}

/// The month of a name that begins with its number: `5月`.
pub(super) fn numbered_month(number: i32) -> Option<i8> {
    usize::try_from(number - 1).ok().filter(|place| *place < 12).and_then(month_of)
}
