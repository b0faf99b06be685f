//! Reads tokens with one language's lexicon: the moves that every rule of the grammar is made of.
//!
//! Each move is told where it begins and answers what it read and where the next token is. Nothing is consumed, so that a rule which fails
//! leaves no trace.

use std::cell::RefCell;
use std::collections::HashMap;

use super::lexer::{Gap, TimeToken};
use super::lexicon::{Meaning, TimeLexicon};
use super::when::{Amount, Occurrence, TimePoint, TimeUnit};

/// What was read, and where the next token is.
pub(super) type Read<Answer> = Option<(Answer, usize)>;

/// How many numbers of words one number is made of at most.
const NUMBER_WORDS_MAXIMUM: usize = 8;

#[derive(Clone, Copy)]
pub(super) struct TimeReader<'a> {
    pub(super) tokens: &'a [TimeToken],
    pub(super) lexicon: &'a TimeLexicon,
    /// Whether other words of the text are of this language.
    pub(super) is_shown: bool,
    /// Whether a day is asked for, and not what somebody may remember.
    pub(super) is_exact: bool,
    /// Whether this is read inside of an expression, where a name alone is enough.
    pub(super) is_inside: bool,
    pub(super) depth: usize,
    pub(super) desk: &'a ReadingDesk<'a>,
}

/// The further words of a phrase, and what it means.
type KnownPhrase = (Vec<String>, Meaning);

/// What a reader has at hand: the phrases that may begin at each token, and what was read where, whether inside of an expression, and how deep.
/// Rules ask for the same again and again; without it a text of nothing but "early" would take seconds.
pub(super) struct ReadingDesk<'a> {
    phrases: Vec<Option<&'a Vec<KnownPhrase>>>,
    /// Whether an expression may begin at a token.
    begins: Vec<bool>,
    points: RefCell<HashMap<(usize, bool, usize), Read<TimePoint>>>,
}

impl<'a> ReadingDesk<'a> {
    pub(super) fn new(tokens: &[TimeToken], lexicon: &'a TimeLexicon) -> Self {
        let phrases: Vec<Option<&'a Vec<KnownPhrase>>> =
            tokens.iter().map(|token| lexicon.phrases.get(&token.word)).collect();
        let may_begin = |known: &&Vec<KnownPhrase>| known.iter().any(|(_, meaning)| meaning.begins());
        let begins = tokens.iter().zip(&phrases).map(|(token, known)| {
            let is_part = matches!(token.word.as_str(), "q" | "h");
            token.number.is_some()
                || token.is_compact_date()
                || is_part
                || known.as_ref().is_some_and(may_begin)
        });
        Self { begins: begins.collect(), phrases, points: RefCell::default() }
    }
}

impl<'a> TimeReader<'a> {
    pub(super) fn new(
        tokens: &'a [TimeToken],
        lexicon: &'a TimeLexicon,
        desk: &'a ReadingDesk<'a>,
        is_shown: bool,
        is_exact: bool,
    ) -> Self {
        Self { tokens, lexicon, is_shown, is_exact, is_inside: false, depth: 0, desk }
    }

    /// Whether an expression may begin at a token: at most words of a text none does.
    pub(super) fn is_known(&self, at: usize) -> bool {
        self.desk.begins.get(at).copied().unwrap_or_default()
    }

    /// What was read at a token before; else reads it now.
    pub(super) fn remembered(&self, at: usize, read: impl FnOnce() -> Read<TimePoint>) -> Read<TimePoint> {
        let key = (at, self.is_inside, self.depth);
        if let Some(known) = self.desk.points.borrow().get(&key) {
            return known.clone();
        }
        let found = read();
        self.desk.points.borrow_mut().insert(key, found.clone());
        found
    }

    pub(super) fn token(&self, at: usize) -> Option<&'a TimeToken> {
        self.tokens.get(at)
    }

    /// Whether a phrase goes on from the token before to this one.
    pub(super) fn joined(&self, at: usize) -> bool {
        self.token(at).is_some_and(|token| match token.gap {
            Gap::None | Gap::Space => true,
            Gap::Mark(mark) => matches!(mark, '-' | '\''),
            Gap::Break => false,
        })
    }

    /// The same, where a comma or the point of an abbreviation may stand between.
    pub(super) fn joined_loosely(&self, at: usize) -> bool {
        self.joined(at) || self.token(at).is_some_and(|token| matches!(token.gap, Gap::Mark(',' | '.' | '/')))
    }

    /// Whether the phrase cannot go on from here.
    pub(super) fn at_end(&self, at: usize) -> bool {
        !self.joined(at) || self.token(at).is_some_and(|token| token.gap == Gap::Mark('-'))
    }

    /// The longest phrase at a token that means what is wanted.
    pub(super) fn take<Wanted>(&self, at: usize, wanted: impl Fn(Meaning) -> Option<Wanted>) -> Read<Wanted> {
        let phrases = (*self.desk.phrases.get(at)?)?;
        phrases.iter().find_map(|(rest, meaning)| {
            let fits = |(place, word): (usize, &String)| {
                self.token(place).is_some_and(|token| token.word == *word) && self.joined(place)
            };
            let next = at + 1 + rest.len();
            (at + 1..).zip(rest).all(fits).then(|| wanted(*meaning)).flatten().map(|wanted| (wanted, next))
        })
    }

    /// Where the next token is behind a phrase that means exactly this.
    pub(super) fn is(&self, at: usize, meaning: Meaning) -> Option<usize> {
        self.take(at, |known| (known == meaning).then_some(())).map(|((), next)| next)
    }

    /// The same, joined to what stands before it.
    pub(super) fn joined_is(&self, at: usize, meaning: Meaning) -> Option<usize> {
        self.is(at, meaning).filter(|_| self.joined(at))
    }

    /// Whether the words that end before a token have a meaning.
    pub(super) fn led_by(&self, at: usize, wanted: impl Fn(Meaning) -> bool) -> bool {
        const LONGEST: usize = 4;
        self.joined(at)
            && (1..=LONGEST.min(at)).any(|back| {
                let read = self.take(at - back, |meaning| wanted(meaning).then_some(()));
                read.is_some_and(|((), next)| next == at)
            })
    }

    /// Behind joints and articles: "of the", "de la", の.
    pub(super) fn behind_joints(&self, at: usize) -> usize {
        const MOST: usize = 3;
        let mut at = at;
        for _ in 0..MOST {
            let next = self.joined_is(at, Meaning::Joint).or_else(|| self.joined_is(at, Meaning::Article));
            match next {
                Some(next) => at = next,
                None => break,
            }
        }
        at
    }

    /// Behind an article that begins an expression.
    pub(super) fn behind_article(&self, at: usize) -> usize {
        match self.is(at, Meaning::Article) {
            Some(next) if self.joined(next) => next,
            _ => at,
        }
    }

    // ---- numbers ----

    /// A number in figures, of so many at most.
    pub(super) fn figures(&self, at: usize, at_most: usize) -> Read<i32> {
        let (value, length) = self.token(at)?.number?;
        (length <= at_most).then_some((value, at + 1))
    }

    /// A number in words: "twenty one", "two thousand and eighteen", 二十三, 二〇一六.
    pub(super) fn number_words(&self, at: usize) -> Read<i32> {
        let mut value = 0;
        let mut next = at;
        let mut words = 0;
        let mut is_positional = self.lexicon.is_unspaced;
        let mut position = at;
        while words < NUMBER_WORDS_MAXIMUM {
            let Some((number, behind)) = self.take(position, |meaning| match meaning {
                Meaning::Number(number) => Some(number),
                _ => None,
            }) else {
                break;
            };
            if words > 0 && !self.joined(position) {
                break;
            }
            is_positional &= number < 10;
            let Some(sum) = self.added(value, number, words, is_positional) else { break };
            (value, next, words) = (sum, behind, words + 1);
            // "two thousand and eighteen", but not "two and three".
            let joint = self.joined_is(next, Meaning::And).filter(|_| value >= 20);
            position = joint.unwrap_or(next);
        }
        (words > 0).then_some((value, next))
    }

    /// A further word of a number; nothing where it begins another.
    fn added(&self, value: i32, number: i32, words: usize, is_positional: bool) -> Option<i32> {
        if words == 0 {
            return Some(number);
        }
        if is_positional {
            return value.checked_mul(10)?.checked_add(number);
        }
        let is_factor = number == 100 || number == 1000 || number == 10 && self.lexicon.is_unspaced;
        if is_factor && value > 0 && value < number.max(100) {
            return value.checked_mul(number);
        }
        let reversed = self.lexicon.has_prefixes && value < 10 && (20..100).contains(&number);
        let room = if value % 1000 == 0 {
            1000
        } else if value % 100 == 0 {
            100
        } else if value % 10 == 0 {
            10
        } else {
            0
        };
        (number < room || reversed).then(|| value + number)
    }

    /// A count: figures or words. Three figures at most: nobody counts days in thousands.
    pub(super) fn count(&self, at: usize) -> Read<i32> {
        // The minutes of 9:30 count nothing.
        let is_padded = self.token(at)?.number.is_some_and(|(value, length)| length == 2 && value < 10);
        let is_year = is_padded && self.is(at + 1, Meaning::YearMark).is_some();
        if self.is_of_clock_or_price(at) || is_year {
            return None;
        }
        self.figures(at, 3).or_else(|| self.number_words(at)).filter(|(number, _)| (1..1000).contains(number))
    }

    /// The minutes of 9:30, the amount of $12.
    fn is_of_clock_or_price(&self, at: usize) -> bool {
        let is_behind_number = at > 0 && self.tokens[at - 1].number.is_some();
        self.token(at).is_some_and(|token| match token.gap {
            Gap::Mark(':') => is_behind_number,
            Gap::Mark(mark) => matches!(mark, '$' | '€' | '£' | '¥' | '₹'),
            _ => false,
        })
    }

    /// "first", "7th", "21.", 第一
    pub(super) fn ordinal(&self, at: usize) -> Read<i32> {
        let written = self.take(at, |meaning| match meaning {
            Meaning::Ordinal(number) => Some(number),
            _ => None,
        });
        // "twenty first"
        let tens = || {
            let (tens, next) = self.number_words(at).filter(|(tens, _)| [20, 30].contains(tens))?;
            let behind = self.joined_is(next, Meaning::And).unwrap_or(next);
            let (ones, next) = self.take(behind, |meaning| match meaning {
                Meaning::Ordinal(number) if number < 10 => Some(number),
                _ => None,
            })?;
            self.joined(behind).then_some((tens + ones, next))
        };
        // 第一, 제1
        let marked = || {
            let next = self.is(at, Meaning::OrdinalMark).filter(|_| self.lexicon.is_unspaced)?;
            self.count(next).filter(|_| self.joined(next))
        };
        tens().or(written).or_else(|| self.ordinal_figures(at)).or_else(marked)
    }

    /// "7th", "1er", "4e", "7."
    fn ordinal_figures(&self, at: usize) -> Read<i32> {
        let (number, next) = self.figures(at, 2)?;
        let behind = self.is(next, Meaning::OrdinalMark)?;
        let is_attached = matches!(self.token(next)?.gap, Gap::None | Gap::Mark('\'' | '-'));
        (is_attached && number > 0).then_some((number, behind))
    }

    /// A day of a month: "7", "07", "7th", "seventh", 7日. A mark may belong to it: "7.".
    pub(super) fn day_number(&self, at: usize) -> Read<i8> {
        let written = || if self.lexicon.is_unspaced { None } else { self.ordinal(at) };
        let read = written().or_else(|| self.figures(at, 2)).or_else(|| self.number_words(at));
        let (number, next) = read.filter(|_| !self.is_of_clock_or_price(at))?;
        let day = i8::try_from(number).ok().filter(|day| (1..=31).contains(day))?;
        let marked = self.is(next, Meaning::DayMark).filter(|_| self.joined(next));
        Some((day, marked.unwrap_or(next)))
    }

    /// Whether a day number is marked as one: "7th", 7日, "seventh".
    pub(super) fn marked_day(&self, at: usize) -> Read<i8> {
        let (day, next) = self.day_number(at)?;
        let is_bare = self.figures(at, 2).is_some_and(|(_, behind)| behind == next)
            || self.number_words(at).is_some_and(|(_, behind)| behind == next) && self.ordinal(at).is_none();
        (!is_bare).then_some((day, next))
    }

    // ---- amounts ----

    /// "three", "3", "a", "a couple of", "a few", "several"
    pub(super) fn amount(&self, at: usize) -> Read<Amount> {
        let vague = self.take(at, |meaning| match meaning {
            Meaning::Vague(least, most) => Some(Amount { least, most }),
            _ => None,
        });
        vague.or_else(|| self.count(at).map(|(number, next)| (Amount::exactly(number), next)))
    }

    pub(super) fn unit(&self, at: usize) -> Read<TimeUnit> {
        self.take(at, |meaning| match meaning {
            Meaning::Unit(unit) => Some(unit),
            _ => None,
        })
    }

    pub(super) fn which(&self, at: usize) -> Read<Occurrence> {
        self.take(at, |meaning| match meaning {
            Meaning::Which(which) => Some(which),
            Meaning::Past => Some(Occurrence::Gone),
            Meaning::Coming => Some(Occurrence::Coming),
            _ => None,
        })
    }

    /// "two weeks", "3h", "half a year"
    pub(super) fn amount_of_units(&self, at: usize) -> Read<(Amount, TimeUnit)> {
        let said_at_once = self.take(at, |meaning| match meaning {
            Meaning::Amount(number, unit) => Some((Amount::exactly(number), unit)),
            _ => None,
        });
        if said_at_once.is_some() {
            return said_at_once;
        }
        let (amount, next) = self.amount(at)?;
        let (unit, next) = self.unit(next).filter(|_| self.joined(next))?;
        Some(((amount, unit), next))
    }

    // ---- years ----

    /// Four figures that people mean as a year, or the same in words; two behind an apostrophe or before a mark (07年).
    pub(super) fn year_number(&self, at: usize) -> Read<i16> {
        let (year, next) = match self.figures(at, 4) {
            Some((value, next)) => {
                let (_, length) = self.token(at)?.number?;
                match length {
                    4 => (value, next),
                    2 if self.token(at)?.gap == Gap::Mark('\'')
                        || value > 31 && self.led_by(at, |meaning| meaning == Meaning::Joint)
                        || self.is_short_year(value, next) =>
                    {
                        (full_year(value), next)
                    }
                    _ => return None,
                }
            }
            None => self.year_words(at)?,
        };
        let marked = self.is(next, Meaning::YearMark).filter(|_| self.joined(next));
        let year = i16::try_from(year).ok().filter(|year| (1300..2300).contains(year))?;
        Some((year, marked.unwrap_or(next)))
    }

    /// 07年 and 98年 are years, 20年 are twenty of them unless a month follows.
    fn is_short_year(&self, value: i32, next: usize) -> bool {
        let marked = self.is(next, Meaning::YearMark).filter(|_| self.lexicon.is_unspaced);
        marked.is_some_and(|behind| !(10..50).contains(&value) || self.month_name(behind).is_some())
    }

    /// "two thousand and eighteen", "nineteen ninety nine"
    fn year_words(&self, at: usize) -> Read<i32> {
        let (first, next) = self.number_words(at)?;
        if (10..=20).contains(&first)
            && let Some((second, behind)) =
                self.number_words(next).filter(|(second, _)| (10..100).contains(second))
            && self.joined(next)
        {
            return Some((first * 100 + second, behind));
        }
        (first >= 1000).then_some((first, next))
    }

    /// The year of a month, a day or a season: "2023", ", 2023", "of 2023", "of last year".
    pub(super) fn year_of(&self, at: usize) -> Read<Occurrence> {
        let behind = self.behind_joints(at);
        let behind =
            match self.joined_is(behind, Meaning::YearWord).or_else(|| self.joined_is(behind, Meaning::Lead))
            {
                Some(next) if self.joined(next) => next,
                _ => behind,
            };
        let written =
            self.year_number(behind).filter(|_| self.joined_loosely(behind) || behind == at && at == 0);
        written
            .map(|(year, next)| (Occurrence::InYear(year), next))
            .or_else(|| self.relative_year(self.behind_joints(at)))
    }

    /// "last year", 去年
    fn relative_year(&self, at: usize) -> Read<Occurrence> {
        if !self.joined(at) && at > 0 {
            return None;
        }
        let (point, next) = self.calendar(at)?;
        match point {
            TimePoint::Calendar { unit: TimeUnit::Year, offset } => {
                Some((Occurrence::InRelativeYear(i16::try_from(offset).ok()?), next))
            }
            _ => None,
        }
    }
}

/// A year of two figures.
pub(super) fn full_year(value: i32) -> i32 {
    match value {
        0..=39 => 2000 + value,
        40..=99 => 1900 + value,
        _ => value,
    }
}
