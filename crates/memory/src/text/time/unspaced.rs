//! Time expressions in scripts that put no spaces between words: 昨天, 三天前, 2023年5月7日.
//!
//! The lexer gives a whole run as one word. Here every place in it is tried, and the longest expression counts.

use std::ops::Range;
use std::sync::LazyLock;

use jiff::civil::Date;

use super::calendar::Period;
use super::shared::{Meaning, numbered_month, phrases};
use super::vocabulary::digits;
use super::when::{Amount, Direction, Occurrence, TimePoint, TimeUnit};
use crate::language::Language;
use crate::text::script::{CharacterClass, Unspaced, classify};

/// The phrases of each language, longest first.
static TABLES: LazyLock<Vec<Vec<(String, Meaning)>>> = LazyLock::new(|| {
    let unspaced = Language::spoken().filter(|(_, speech)| speech.lexicon.unspaced);
    let tables = unspaced.map(|(_, speech)| {
        let mut phrases = phrases(&speech.time);
        phrases.sort_by_key(|(phrase, _)| std::cmp::Reverse(phrase.len()));
        phrases
    });
    tables.collect()
});

/// Whether a word is, or goes over into, such a script.
pub(super) fn is_unspaced(word: &str) -> bool {
    word.chars().any(|character| classify(character) == CharacterClass::Unspaced(Unspaced::HanAndKana))
}

/// The expressions of a run, with where they stand in it.
pub(super) fn find(run: &str) -> Vec<(TimePoint, Range<usize>)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(character) = run[at..].chars().next() {
        let read = TABLES.iter().filter_map(|table| UnspacedReader { run, table }.read(at));
        match read.max_by_key(|(_, end)| *end) {
            Some((when, end)) => {
                found.push((when, at..end));
                at = end;
            }
            None => at += character.len_utf8(),
        }
    }
    found
}

struct UnspacedReader<'a> {
    run: &'a str,
    table: &'a [(String, Meaning)],
}

impl UnspacedReader<'_> {
    fn read(&self, at: usize) -> Option<(TimePoint, usize)> {
        let rules = [Self::date, Self::month_day, Self::ago, Self::weekday, Self::period];
        rules.into_iter().filter_map(|rule| rule(self, at)).max_by_key(|(_, end)| *end)
    }

    fn period(&self, at: usize) -> Option<(TimePoint, usize)> {
        self.take(at, |meaning| match meaning {
            Meaning::Period(TimeUnit::Day, offset) => Some(TimePoint::Day(offset)),
            Meaning::Period(unit, offset) => Some(TimePoint::Calendar { unit, offset }),
            _ => None,
        })
    }

    /// 上周一, 星期一
    fn weekday(&self, at: usize) -> Option<(TimePoint, usize)> {
        let which = self.take(at, |meaning| match meaning {
            Meaning::Which(which) => Some(which),
            _ => None,
        });
        let (weekday, end) = self.take(which.map_or(at, |(_, end)| end), |meaning| match meaning {
            Meaning::Weekday(weekday) => Some(weekday),
            _ => None,
        })?;
        let occurrence = which.map_or(Occurrence::Nearest, |(which, _)| which);
        Some((TimePoint::Weekday { weekday, occurrence }, end))
    }

    /// 三天前, 2週間前
    fn ago(&self, at: usize) -> Option<(TimePoint, usize)> {
        let written = self.take(at, |meaning| match meaning {
            Meaning::Number(number) => Some(number),
            _ => None,
        });
        let (number, end) = written.or_else(|| self.number(at, 3))?;
        let (unit, end) = self.take(end, |meaning| match meaning {
            Meaning::Unit(unit) => Some(unit),
            _ => None,
        })?;
        let ago = |meaning| matches!(meaning, Meaning::AgoBehind).then_some(());
        let ((), end) = self.take(end, ago)?;
        let amount = Amount::exactly(number);
        (number > 0).then_some((TimePoint::Away { amount, unit, direction: Direction::Before }, end))
    }

    /// 2023年, 2023年5月, 2023年5月7日
    fn date(&self, at: usize) -> Option<(TimePoint, usize)> {
        let (year, end) = self.number(at, 4).filter(|(year, _)| (1900..2100).contains(year))?;
        let year = i16::try_from(year).ok()?;
        let end = self.mark(end, &["年"])?;
        if let Some((TimePoint::Date { month, day, .. }, end)) = self.month_day(end) {
            return Some((TimePoint::Date { month, day, occurrence: Occurrence::InYear(year) }, end));
        }
        if let Some((month, end)) = self.month(end) {
            return Some((TimePoint::Month { month, occurrence: Occurrence::InYear(year) }, end));
        }
        let (start, next) = (Date::new(year, 1, 1).ok()?, Date::new(year + 1, 1, 1).ok()?);
        Some((TimePoint::Period(Period { start, end: next }), end))
    }

    /// 5月7日
    fn month_day(&self, at: usize) -> Option<(TimePoint, usize)> {
        let (month, end) = self.month(at)?;
        let (day, end) = self.number(end, 2)?;
        let day = i8::try_from(day).ok().filter(|day| (1..=31).contains(day))?;
        Some((
            TimePoint::Date { month, day, occurrence: Occurrence::Nearest },
            self.mark(end, &["日", "号"])?,
        ))
    }

    fn month(&self, at: usize) -> Option<(i8, usize)> {
        let (number, end) = self.number(at, 2)?;
        Some((numbered_month(number)?, self.mark(end, &["月"])?))
    }

    fn mark(&self, at: usize, marks: &[&str]) -> Option<usize> {
        marks.iter().find(|mark| self.run[at..].starts_with(**mark)).map(|mark| at + mark.len())
    }

    fn number(&self, at: usize, at_most: usize) -> Option<(i32, usize)> {
        // In the middle of a number none begins.
        if self.run[..at].ends_with(|before: char| before.is_ascii_digit()) {
            return None;
        }
        let length = self.run[at..].bytes().take_while(u8::is_ascii_digit).count();
        digits(&self.run[at..at + length], at_most).map(|number| (number, at + length))
    }

    /// The longest phrase at a place that means what is wanted, and where it ends.
    fn take<Wanted>(&self, at: usize, wanted: impl Fn(Meaning) -> Option<Wanted>) -> Option<(Wanted, usize)> {
        let here = self.table.iter().filter(|(phrase, _)| self.run[at..].starts_with(phrase.as_str()));
        here.filter_map(|(phrase, meaning)| Some((wanted(*meaning)?, at + phrase.len()))).next()
    }
}
