//! What a language's folder says of time: the words that time expressions are made of.
//!
//! Lists are separated by white space, with `_` for a space inside a phrase. Where a list counts (months, weekdays, numbers), `|` stands between
//! its places. One grammar reads every language's lists ([`crate::text::time`]); what a language does not have is left empty.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TimeUnit {
    /// Seconds too.
    Minute,
    Hour,
    Day,
    /// Days on which people work.
    Workday,
    Week,
    Weekend,
    Fortnight,
    Month,
    Quarter,
    Half,
    Year,
    Decade,
    Century,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Season {
    Spring,
    Summer,
    Autumn,
    Winter,
}

/// When a holiday is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holiday {
    /// From Christmas Eve on, where somebody looks back; the day itself where a day is asked for.
    Christmas,
    /// Eve and day.
    NewYear,
    /// Month and day.
    On(i8, i8),
    /// Month, which one, and the weekday from Monday on; from the end of the month where which one is negative.
    Nth(i8, i8, i8),
    /// Days from the first Sunday of Advent.
    Advent(i32),
    /// Days from Easter Sunday.
    Easter(i32),
}

/// In which order a date in figures stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DateOrder {
    DayFirst,
    MonthFirst,
    /// Writers disagree: a date that reads both ways is none.
    Unsure,
}

#[derive(Debug)]
pub(crate) struct TimeWords {
    pub order: DateOrder,
    /// Frequent words by which the language is known from others of its script.
    pub function_words: &'static str,
    /// Phrases for a unit of the calendar by its distance from the present one: yesterday is `(Day, -1)`.
    pub periods: &'static [(TimeUnit, i32, &'static str)],
    /// Days that are as far back as ahead: कल is yesterday and tomorrow.
    pub either_days: &'static [(i32, &'static str)],
    /// From Monday on.
    pub weekdays: &'static str,
    /// Forms that are also other words: only beside a date or a word that says which one.
    pub short_weekdays: &'static str,
    /// From January on.
    pub months: &'static str,
    pub short_months: &'static str,
    /// Months that are other words in lower case, and those that are other words in any case.
    pub months_and_verbs: &'static str,
    pub months_and_names: &'static str,
    /// From spring on.
    pub seasons: &'static str,
    pub units: &'static [(TimeUnit, &'static str)],
    /// From one on.
    pub numbers: &'static str,
    /// Tens, hundreds, thousands, and whatever stands for itself.
    pub greater_numbers: &'static [(i32, &'static str)],
    /// Where years are written as one word: one thousand, two thousand, hundred.
    pub joined_years: &'static str,
    /// From the first on.
    pub ordinals: &'static str,
    pub greater_ordinals: &'static [(i32, &'static str)],
    pub last_ordinal: &'static str,
    /// Endings behind digits: "th".
    pub ordinal_marks: &'static str,
    /// "A few" is several numbers at once.
    pub vague: &'static [(i32, i32, &'static str)],
    /// Beside a unit or a weekday: which one.
    pub last: &'static str,
    pub this: &'static str,
    pub next: &'static str,
    /// "The past week": the days behind us; before a weekday the last one.
    pub past: &'static str,
    /// Before a weekday the first one ahead: "the coming Friday".
    pub coming: &'static str,
    /// Amounts in one word: 이틀 are two days.
    pub amounts: &'static [(i32, TimeUnit, &'static str)],
    pub ago_before: &'static str,
    pub ago_behind: &'static str,
    pub ahead_before: &'static str,
    pub ahead_behind: &'static str,
    /// Words in front of an amount that is not meant ahead: "have not met in two weeks".
    pub not_ahead: &'static str,
    pub within_before: &'static str,
    pub within_behind: &'static str,
    pub since_before: &'static str,
    pub since_behind: &'static str,
    pub until_before: &'static str,
    pub until_behind: &'static str,
    pub before_before: &'static str,
    pub before_behind: &'static str,
    pub after_before: &'static str,
    pub after_behind: &'static str,
    pub from: &'static str,
    pub from_behind: &'static str,
    pub to: &'static str,
    pub between: &'static str,
    pub between_behind: &'static str,
    pub and: &'static str,
    /// "of", between a day, its month and the year.
    pub joints: &'static str,
    pub articles: &'static str,
    /// Words behind which the name of a month, a day or a year is one.
    pub leads: &'static str,
    /// "the year", in front of its number.
    pub year_words: &'static str,
    /// 年, 月, 日 behind a number.
    pub year_marks: &'static str,
    pub month_marks: &'static str,
    pub day_marks: &'static str,
    /// Words behind which a number alone is a day of a month: "on", "dia".
    pub day_leads: &'static str,
    /// From the tens of a century on.
    pub decades: &'static str,
    /// In front of how long something lasts: "for two weeks from 20 December".
    pub lasting: &'static str,
    pub early: &'static str,
    pub middle: &'static str,
    pub late: &'static str,
    /// Up to now, and from now on: "earlier this month".
    pub earlier: &'static str,
    pub later: &'static str,
    pub rest: &'static str,
    pub every: &'static str,
    /// Words that say that something recurs by themselves.
    pub recurring: &'static str,
    pub day_parts: &'static str,
    /// Spans that end now: "recently".
    pub recent: &'static [(i32, TimeUnit, &'static str)],
    pub now: &'static str,
    pub holidays: &'static [(Holiday, &'static str)],
    /// Phrases that look like times and are none.
    pub not_times: &'static str,
    /// Words that tell the past, and words that tell a plan.
    pub past_tense: &'static str,
    /// Words for what was so before, without a time beside them.
    pub formerly: &'static str,
    /// Endings that words take, and what is written before a word without a space.
    pub endings: &'static str,
    pub prefixes: &'static str,
    /// Whether two words may be written as one: "Dienstagabend".
    pub compounds: bool,
    /// Whether the script puts no spaces between words.
    pub unspaced: bool,
}

impl TimeWords {
    /// What a folder need not say.
    pub(crate) const NONE: TimeWords = TimeWords {
        order: DateOrder::DayFirst,
        function_words: "",
        periods: &[],
        either_days: &[],
        weekdays: "",
        short_weekdays: "",
        months: "",
        short_months: "",
        months_and_verbs: "",
        months_and_names: "",
        seasons: "",
        units: &[],
        numbers: "",
        greater_numbers: &[],
        joined_years: "",
        ordinals: "",
        greater_ordinals: &[],
        last_ordinal: "",
        ordinal_marks: "",
        vague: &[],
        last: "",
        this: "",
        next: "",
        past: "",
        coming: "",
        amounts: &[],
        ago_before: "",
        ago_behind: "",
        ahead_before: "",
        ahead_behind: "",
        not_ahead: "",
        within_before: "",
        within_behind: "",
        since_before: "",
        since_behind: "",
        until_before: "",
        until_behind: "",
        before_before: "",
        before_behind: "",
        after_before: "",
        after_behind: "",
        from: "",
        from_behind: "",
        to: "",
        between: "",
        between_behind: "",
        and: "",
        joints: "",
        articles: "",
        leads: "",
        year_words: "",
        year_marks: "",
        month_marks: "",
        day_marks: "",
        day_leads: "",
        decades: "",
        lasting: "",
        early: "",
        middle: "",
        late: "",
        earlier: "",
        later: "",
        rest: "",
        every: "",
        recurring: "",
        day_parts: "",
        recent: &[],
        now: "",
        holidays: &[],
        not_times: "",
        past_tense: "",
        formerly: "",
        endings: "",
        prefixes: "",
        compounds: false,
        unspaced: false,
    };

    /// Every table that a language cannot do without says something.
    #[cfg(test)]
    pub(super) fn check(&self, language: &str) {
        let places = |list: &str| list.split('|').filter(|place| !place.trim().is_empty()).count();
        assert_eq!(places(self.weekdays), 7, "{language}: a weekday lacks");
        assert_eq!(places(self.months), 12, "{language}: a month lacks");
        for (list, name) in
            [(self.last, "last"), (self.this, "this"), (self.next, "next"), (self.every, "every")]
        {
            assert!(!list.trim().is_empty(), "{language}: no word for {name}");
        }
        assert!(!self.ago_before.is_empty() || !self.ago_behind.is_empty(), "{language}: no word for ago");
        for unit in [TimeUnit::Day, TimeUnit::Week, TimeUnit::Month, TimeUnit::Year] {
            let counted = self.units.iter().any(|(known, words)| *known == unit && !words.is_empty());
            assert!(counted, "{language}: no words for {unit:?}");
        }
        assert!(self.unspaced || places(self.numbers) >= 10, "{language}: too few numbers");
    }
}
