//! The tables of the language folders, made ready for reading: each phrase by its first word, with what it means.
//!
//! Every language has a [`TimeLexicon`]. Which of them a text is read with is decided by its words: a word that is a day in one language and
//! something else in another (French `hier`, German `hier`) counts only where the words around it are of its language.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use jiff::civil::Weekday;

use super::lexer::{TimeToken, lex};
use super::when::{Holiday, Occurrence, PeriodPart, PeriodSide, Season, TimeUnit};
use crate::language::{DateOrder, Language, TimeWords};

/// What a phrase means to the grammar.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Meaning {
    Period(TimeUnit, i32),
    /// So many days back or ahead.
    EitherDay(i32),
    Weekday(Weekday),
    ShortWeekday(Weekday),
    Month(i8),
    ShortMonth(i8),
    Season(Season),
    Unit(TimeUnit),
    Number(i32),
    Ordinal(i32),
    LastOrdinal,
    OrdinalMark,
    Vague(i32, i32),
    Which(Occurrence),
    Past,
    Coming,
    Amount(i32, TimeUnit),
    Ago(WordPlace),
    Ahead(WordPlace),
    NotAhead,
    Within(WordPlace),
    Side(PeriodSide, WordPlace),
    From,
    FromBehind,
    To,
    Between,
    BetweenBehind,
    And,
    Joint,
    Article,
    Lead,
    YearWord,
    YearMark,
    MonthMark,
    DayMark,
    DayLead,
    Part(PeriodPart),
    Rest,
    Every,
    Recurring,
    DayPart,
    Recent(i32, TimeUnit),
    Now,
    Holiday(Holiday),
    NotTime,
    Decade(i16),
    Lasting,
    PastTense,
    /// What was so before.
    Formerly,
}

impl Meaning {
    /// Whether an expression may begin with such a word.
    pub(super) fn begins(self) -> bool {
        use WordPlace::Behind;
        !matches!(
            self,
            Self::Joint
                | Self::Lead
                | Self::And
                | Self::To
                | Self::FromBehind
                | Self::BetweenBehind
                | Self::YearMark
                | Self::MonthMark
                | Self::DayMark
                | Self::DayLead
                | Self::DayPart
                | Self::Ago(Behind)
                | Self::Ahead(Behind)
                | Self::Within(Behind)
                | Self::Side(_, Behind)
                | Self::NotAhead
                | Self::Every
                | Self::Recurring
                | Self::NotTime
                | Self::PastTense
                | Self::Formerly
        )
    }
}

/// On which side of what it belongs to a word stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WordPlace {
    Before,
    Behind,
}

/// One language, ready to be read with.
pub(super) struct TimeLexicon {
    /// By the first word: the further words, longest first, and the meaning.
    pub(super) phrases: HashMap<String, Vec<(Vec<String>, Meaning)>>,
    pub(super) order: DateOrder,
    pub(super) is_unspaced: bool,
    pub(super) has_prefixes: bool,
    pub(super) has_endings: bool,
    pub(super) has_articles: bool,
    pub(super) months_and_verbs: HashSet<String>,
    pub(super) months_and_names: HashSet<String>,
    script: Script,
}

/// Scripts that tell one language from another without reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Script {
    Latin,
    Cyrillic,
    Arabic,
    Devanagari,
    Han,
    Hangul,
    Other,
}

static LEXICONS: LazyLock<Vec<TimeLexicon>> =
    LazyLock::new(|| Language::timed().map(|(_, words)| TimeLexicon::new(words)).collect());

/// For each word, in which languages it is known: as a frequent word (first), or as a word of time.
static KNOWN: LazyLock<HashMap<String, (u32, u32)>> = LazyLock::new(|| {
    let mut known: HashMap<String, (u32, u32)> = HashMap::new();
    for (place, ((_, words), lexicon)) in Language::timed().zip(LEXICONS.iter()).enumerate() {
        for word in words.function_words.split_whitespace() {
            known.entry(super::lexer::spelling(word)).or_default().0 |= 1 << place;
        }
        for word in lexicon.phrases.keys() {
            known.entry(word.clone()).or_default().1 |= 1 << place;
        }
    }
    known
});

/// Whether a word is a frequent one of any language.
pub(super) fn is_frequent(word: &str) -> bool {
    KNOWN.get(word).is_some_and(|(frequent, _)| *frequent != 0)
}

/// A frequent word says twice as much of the language as a word of time.
const FREQUENT: u32 = 2;

/// The lexicons that a text is read with, each with whether the text shows its language.
pub(super) fn chosen(tokens: &[TimeToken]) -> Vec<(&'static TimeLexicon, bool)> {
    let lexicons = &*LEXICONS;
    let mut scores = vec![0_u32; lexicons.len()];
    let mut scripts: HashSet<u8> = HashSet::new();
    let mut has_kana = false;
    for token in tokens {
        let Some(first) = token.word.chars().next() else { continue };
        has_kana |= ('\u{3040}'..='\u{30FF}').contains(&first);
        if token.number.is_none() {
            scripts.insert(script_of(first) as u8);
        }
        let Some((frequent, timed)) = KNOWN.get(&token.word) else { continue };
        for (place, score) in scores.iter_mut().enumerate() {
            let bit = 1 << place;
            *score += if frequent & bit != 0 { FREQUENT } else { u32::from(timed & bit != 0) };
        }
    }
    let best = |script: Script| {
        let of = lexicons.iter().zip(&scores).filter(|(lexicon, _)| lexicon.script == script);
        of.map(|(_, score)| *score).max().unwrap_or_default()
    };
    let latin = best(Script::Latin);
    // Figures alone are read as English reads them: what reads both ways is nothing.
    if scripts.is_empty() {
        return lexicons
            .iter()
            .filter(|lexicon| lexicon.order == DateOrder::Unsure)
            .map(|one| (one, false))
            .collect();
    }
    let fits = |(lexicon, score): &(&'static TimeLexicon, u32)| match lexicon.script {
        Script::Latin => *score == latin && (latin > 0 || lexicon.order == DateOrder::Unsure),
        Script::Han => *score > 0 && (has_kana == lexicon.reads_kana() || !has_kana),
        _ => *score > 0 && scripts.contains(&(lexicon.script as u8)),
    };
    let fitting: Vec<(&'static TimeLexicon, u32)> = lexicons.iter().zip(scores).filter(fits).collect();
    let alone = fitting.iter().filter(|(lexicon, _)| lexicon.script == Script::Latin).count() == 1;
    let shown = |lexicon: &TimeLexicon, score| score >= 2 && (alone || lexicon.script != Script::Latin);
    fitting.into_iter().map(|(lexicon, score)| (lexicon, shown(lexicon, score))).collect()
}

fn script_of(character: char) -> Script {
    match character as u32 {
        0x41..=0x24F | 0x1E00..=0x1EFF => Script::Latin,
        0x400..=0x52F => Script::Cyrillic,
        0x600..=0x6FF => Script::Arabic,
        0x900..=0x97F => Script::Devanagari,
        0x3005..=0x3007 | 0x3040..=0x30FF | 0x3400..=0x9FFF => Script::Han,
        0xAC00..=0xD7AF => Script::Hangul,
        _ => Script::Other,
    }
}

impl TimeLexicon {
    fn new(words: &'static TimeWords) -> Self {
        let first = words.weekdays.chars().next().unwrap_or('a');
        let set = |list: &str| list.split_whitespace().map(super::lexer::spelling).collect();
        let mut lexicon = Self {
            phrases: HashMap::new(),
            order: words.order,
            is_unspaced: words.unspaced,
            has_prefixes: !words.prefixes.is_empty(),
            has_articles: !words.articles.is_empty(),
            has_endings: !words.endings.is_empty(),
            months_and_verbs: set(words.months_and_verbs),
            months_and_names: set(words.months_and_names),
            script: script_of(first),
        };
        lexicon.add_names(words);
        lexicon.add_numbers(words);
        lexicon.add_joined_years(words);
        lexicon.add_relations(words);
        lexicon.add_particles(words);
        for phrases in lexicon.phrases.values_mut() {
            phrases.sort_by_key(|(rest, _)| std::cmp::Reverse(rest.len()));
        }
        lexicon
    }

    fn reads_kana(&self) -> bool {
        self.phrases.contains_key("の")
    }

    /// Names that take endings, and that are written together with a part of the day.
    fn add_names(&mut self, words: &TimeWords) {
        let mut names: Vec<(String, Meaning)> = Vec::new();
        let mut add = |list: &str, meaning: Meaning| {
            names.extend(list.split_whitespace().map(|phrase| (phrase.to_owned(), meaning)));
        };
        for (unit, offset, list) in words.periods {
            add(list, Meaning::Period(*unit, *offset));
        }
        for (days, list) in words.either_days {
            add(list, Meaning::EitherDay(*days));
        }
        for (place, list) in places(words.weekdays) {
            add(list, Meaning::Weekday(weekday(place)));
        }
        for (place, list) in places(words.months) {
            add(list, Meaning::Month(month(place)));
        }
        let seasons = [Season::Spring, Season::Summer, Season::Autumn, Season::Winter];
        for (place, list) in places(words.seasons) {
            add(list, Meaning::Season(seasons[place.min(3)]));
        }
        for (unit, list) in words.units {
            add(list, Meaning::Unit(*unit));
        }
        for (holiday, list) in words.holidays {
            add(list, Meaning::Holiday(*holiday));
        }
        add(words.day_parts, Meaning::DayPart);
        let compounds: Vec<(String, Meaning)> = names
            .iter()
            .filter(|(name, meaning)| {
                let named = matches!(meaning, Meaning::Weekday(_) | Meaning::Period(TimeUnit::Day, _));
                words.compounds && named && !name.contains('_')
            })
            .flat_map(|(name, meaning)| {
                let parts = words.day_parts.split_whitespace().filter(|part| !part.contains('_'));
                parts.map(move |part| (format!("{name}{part}"), *meaning))
            })
            .collect();
        let endings: Vec<&str> = words.endings.split_whitespace().collect();
        for (name, meaning) in names.into_iter().chain(compounds) {
            self.add(&name, meaning, words.prefixes);
            let ends_in_vowel = name.ends_with(['a', 'e', 'ı', 'i', 'o', 'ö', 'u', 'ü']);
            // An ending has a consonant in front where the word ends in a vowel, and none where it does not.
            let fits = |ending: &&&str| match ending.chars().next() {
                Some('a' | 'e' | 'ı' | 'i' | 'u' | 'ü') => !ends_in_vowel,
                Some('y' | 'n' | 's') => ends_in_vowel,
                _ => true,
            };
            for ending in endings.iter().filter(fits) {
                self.add(&format!("{name}{ending}"), meaning, words.prefixes);
            }
        }
        for (place, list) in places(words.short_weekdays) {
            self.add_list(list, Meaning::ShortWeekday(weekday(place)), words);
        }
        for (place, list) in places(words.short_months) {
            self.add_list(list, Meaning::ShortMonth(month(place)), words);
        }
    }

    fn add_numbers(&mut self, words: &TimeWords) {
        for (place, list) in places(words.numbers) {
            self.add_list(list, Meaning::Number(count(place)), words);
            for ending in words.endings.split_whitespace() {
                for name in list.split_whitespace() {
                    self.add(&format!("{name}{ending}"), Meaning::Ordinal(count(place)), words.prefixes);
                    self.add(&format!("{name}{ending}"), Meaning::Number(count(place)), words.prefixes);
                }
            }
        }
        for (number, list) in words.greater_numbers {
            self.add_list(list, Meaning::Number(*number), words);
        }
        for (place, list) in places(words.ordinals) {
            self.add_list(list, Meaning::Ordinal(count(place)), words);
        }
        for (number, list) in words.greater_ordinals {
            self.add_list(list, Meaning::Ordinal(*number), words);
        }
        for (least, most, list) in words.vague {
            self.add_list(list, Meaning::Vague(*least, *most), words);
        }
        for (place, list) in places(words.decades) {
            let first = i16::try_from(10 * (place + 1)).unwrap_or_default();
            self.add_list(list, Meaning::Decade(1900 + first), words);
        }
        for (number, unit, list) in words.amounts {
            self.add_list(list, Meaning::Amount(*number, *unit), words);
        }
        for (number, unit, list) in words.recent {
            self.add_list(list, Meaning::Recent(*number, *unit), words);
        }
    }

    /// "millenovecentosettantotto": thousands, hundreds and the rest in one word, from the years that people still speak of.
    fn add_joined_years(&mut self, words: &TimeWords) {
        const YEARS: std::ops::Range<usize> = 1700..2100;
        let [one, two, hundred] = words.joined_years.split_whitespace().collect::<Vec<_>>()[..] else {
            return;
        };
        let first = |list: &'static str| list.split_whitespace().next().unwrap_or_default();
        let units: Vec<&str> = words.numbers.split('|').map(first).collect();
        let tens = |ten: usize| {
            let known =
                words.greater_numbers.iter().find(|(number, _)| usize::try_from(*number) == Ok(ten * 10));
            known.map(|(_, list)| first(list)).or_else(|| units.get(ten * 10 - 1).copied())
        };
        // A vowel falls out before another one.
        let joined = |before: &str, behind: &str| match behind.chars().next() {
            Some('u' | 'o') => format!("{}{behind}", before.trim_end_matches(['a', 'e', 'i', 'o'])),
            _ => format!("{before}{behind}"),
        };
        for year in YEARS {
            let (hundreds, rest) = (year % 1000 / 100, year % 100);
            let below = match units.get(rest.wrapping_sub(1)) {
                _ if rest == 0 => Some(String::new()),
                Some(unit) => Some((*unit).to_owned()),
                None if rest % 10 == 0 => tens(rest / 10).map(str::to_owned),
                None => tens(rest / 10).map(|ten| joined(ten, units[rest % 10 - 1])),
            };
            let Some(below) = below else { continue };
            let hundreds = match hundreds {
                0 => String::new(),
                1 => hundred.to_owned(),
                more => format!("{}{hundred}", units[more - 1]),
            };
            let thousand = if year < 2000 { one } else { two };
            let value = Meaning::Number(count(year - 1));
            self.add(&format!("{thousand}{hundreds}{below}"), value, "");
            self.add(&format!("{thousand}{}", joined(&hundreds, &below)), value, "");
        }
    }

    fn add_relations(&mut self, words: &TimeWords) {
        use WordPlace::{Before, Behind};
        let lists = [
            (words.last, Meaning::Which(Occurrence::Last)),
            (words.this, Meaning::Which(Occurrence::This)),
            (words.next, Meaning::Which(Occurrence::Next)),
            (words.past, Meaning::Past),
            (words.coming, Meaning::Coming),
            (words.ago_before, Meaning::Ago(Before)),
            (words.ago_behind, Meaning::Ago(Behind)),
            (words.ahead_before, Meaning::Ahead(Before)),
            (words.ahead_behind, Meaning::Ahead(Behind)),
            (words.not_ahead, Meaning::NotAhead),
            (words.within_before, Meaning::Within(Before)),
            (words.within_behind, Meaning::Within(Behind)),
            (words.since_before, Meaning::Side(PeriodSide::Since, Before)),
            (words.since_behind, Meaning::Side(PeriodSide::Since, Behind)),
            (words.until_before, Meaning::Side(PeriodSide::Until, Before)),
            (words.until_behind, Meaning::Side(PeriodSide::Until, Behind)),
            (words.before_before, Meaning::Side(PeriodSide::Before, Before)),
            (words.before_behind, Meaning::Side(PeriodSide::Before, Behind)),
            (words.after_before, Meaning::Side(PeriodSide::After, Before)),
            (words.after_behind, Meaning::Side(PeriodSide::After, Behind)),
        ];
        for (list, meaning) in lists {
            self.add_list(list, meaning, words);
        }
    }

    fn add_particles(&mut self, words: &TimeWords) {
        let lists = [
            (words.last_ordinal, Meaning::LastOrdinal),
            (words.ordinal_marks, Meaning::OrdinalMark),
            (words.from, Meaning::From),
            (words.from_behind, Meaning::FromBehind),
            (words.to, Meaning::To),
            (words.between, Meaning::Between),
            (words.between_behind, Meaning::BetweenBehind),
            (words.and, Meaning::And),
            (words.joints, Meaning::Joint),
            (words.articles, Meaning::Article),
            (words.leads, Meaning::Lead),
            (words.year_words, Meaning::YearWord),
            (words.year_marks, Meaning::YearMark),
            (words.month_marks, Meaning::MonthMark),
            (words.day_marks, Meaning::DayMark),
            (words.day_leads, Meaning::DayLead),
            (words.early, Meaning::Part(PeriodPart::Early)),
            (words.middle, Meaning::Part(PeriodPart::Middle)),
            (words.late, Meaning::Part(PeriodPart::Late)),
            (words.earlier, Meaning::Part(PeriodPart::Earlier)),
            (words.later, Meaning::Part(PeriodPart::Later)),
            (words.rest, Meaning::Rest),
            (words.lasting, Meaning::Lasting),
            (words.every, Meaning::Every),
            (words.recurring, Meaning::Recurring),
            (words.now, Meaning::Now),
            (words.not_times, Meaning::NotTime),
            (words.past_tense, Meaning::PastTense),
            (words.formerly, Meaning::Formerly),
        ];
        for (list, meaning) in lists {
            self.add_list(list, meaning, words);
        }
    }

    fn add_list(&mut self, list: &str, meaning: Meaning, words: &TimeWords) {
        for phrase in list.split_whitespace() {
            self.add(phrase, meaning, words.prefixes);
        }
    }

    fn add(&mut self, phrase: &str, meaning: Meaning, prefixes: &str) {
        let mut words = lex(&phrase.replace('_', " ")).into_iter().map(|token| token.word);
        let Some(first) = words.next() else { return };
        let rest: Vec<String> = words.collect();
        // و alone before أحد is the number one and not a Sunday: a name of a day has its article.
        let is_weekday = matches!(meaning, Meaning::Weekday(_));
        for prefix in prefixes.split_whitespace().filter(|prefix| !is_weekday || prefix.chars().count() > 1) {
            let prefixed = format!("{prefix}{first}");
            self.phrases.entry(prefixed).or_default().push((rest.clone(), meaning));
        }
        self.phrases.entry(first).or_default().push((rest, meaning));
    }
}

/// The places of a list that counts.
fn places(list: &str) -> impl Iterator<Item = (usize, &str)> {
    list.split('|').enumerate()
}

fn count(place: usize) -> i32 {
    i32::try_from(place + 1).unwrap_or(i32::MAX)
}

fn month(place: usize) -> i8 {
    i8::try_from(place + 1).unwrap_or(12)
}

fn weekday(place: usize) -> Weekday {
    let offset = i8::try_from(place % 7).unwrap_or_default();
    Weekday::from_monday_zero_offset(offset).unwrap_or(Weekday::Monday)
}
