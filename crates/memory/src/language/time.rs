//! What a language's folder says of time: the words that time expressions are made of.
//!
//! Lists are separated by white space, with `_` for a space inside a phrase. English has a grammar of its own, which reads
//! these tables and a few more of its folder; the other languages share one that reads nothing else.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TimeUnit {
    Hour,
    Day,
    Week,
    Weekend,
    Month,
    Quarter,
    Year,
    Decade,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Season {
    Spring,
    Summer,
    Autumn,
    Winter,
}

#[derive(Debug)]
pub(crate) struct TimeWords {
    /// Phrases for a unit of the calendar by its distance from the present one: yesterday is `(Day, -1)`. A word that
    /// is another one in a language of the same script (French `hier`, German `hier`) is left out: a missed expression
    /// costs less than a wrong one.
    pub periods: &'static [(TimeUnit, i32, &'static str)],
    /// From Monday on.
    pub weekdays: [&'static str; 7],
    /// Words beside a weekday that say which one.
    pub last: &'static str,
    pub this: &'static str,
    pub next: &'static str,
    /// From January on. A name alone is no month: a day, a year or a lead must stand beside it.
    pub months: [&'static str; 12],
    /// Words behind which the name of a month is one.
    pub month_leads: &'static str,
    /// Words between a day, its month and the year: "of".
    pub joints: &'static str,
    pub units: &'static [(TimeUnit, &'static str)],
    pub numbers: &'static [(i32, &'static str)],
    /// "ago", in front of the amount or behind it.
    pub ago_before: &'static str,
    pub ago_behind: &'static str,
}

impl TimeWords {
    /// Every table says something.
    #[cfg(test)]
    pub(super) fn check(&self, language: &str) {
        let names = self.weekdays.iter().chain(&self.months).chain([&self.last, &self.next]);
        assert!(
            names.into_iter().all(|list| !list.trim().is_empty()),
            "{language}: a day, month or order lacks"
        );
        assert!(!self.ago_before.is_empty() || !self.ago_behind.is_empty(), "{language}: no word for ago");
        for unit in [TimeUnit::Day, TimeUnit::Week, TimeUnit::Month, TimeUnit::Year] {
            let counted = self.units.iter().any(|(known, words)| *known == unit && !words.is_empty());
            let told = self.periods.iter().any(|(known, _, words)| *known == unit && !words.is_empty());
            assert!(counted && told, "{language}: no words for {unit:?}");
        }
        for number in 1..=10 {
            assert!(
                self.numbers.iter().any(|(known, _)| *known == number),
                "{language}: no word for {number}"
            );
        }
    }
}
