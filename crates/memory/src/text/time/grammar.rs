//! The grammar of time expressions: which words, in which order, mean what.
//!
//! Each rule is a function that reads from where the reader stands and answers what was said, or nothing. At each
//! word of a text all rules are tried and the longest match counts, so "last week of June" is not "last week".

use jiff::civil::Date;

use super::calendar::Period;
use super::lexer::{Gap, Iso, TimeToken};
use super::reader::TimeReader;
use super::vocabulary;
use super::when::{
    Amount, Direction, Holiday, Occurrence, Ordinal, PeriodPart, PeriodPiece, PeriodSide, TimeExpression,
    TimePoint, TimeUnit,
};

/// Expressions within expressions: "the day after the end of the first week of May" has three. Without a bound a text
/// of nothing but "early" would exhaust the stack.
const DEPTH_MAXIMUM: usize = 4;

/// How far before "in two weeks" a word like "will" may stand.
const FUTURE_DISTANCE_TOKENS: usize = 8;

type TimeRule<'a> = fn(&mut TimeReader<'a>) -> Option<TimePoint>;

/// Reads the longest expression that begins at a token, and answers where the next token is.
pub(super) fn read(tokens: &[TimeToken], position: usize) -> Option<(TimeExpression, usize)> {
    let reader = TimeReader { tokens, start: position, position, depth: 0 };
    let (found, reader) = reader.longest(&[TimeReader::range, TimeReader::bounded, TimeReader::unbounded])?;
    Some((found, reader.position))
}

impl<'a> TimeReader<'a> {
    // ---- whole expressions ----

    /// "from May 3 to May 9", "between March and May 2023"
    fn range(&mut self) -> Option<TimeExpression> {
        let joints: &[&str] = match self.one_of(&["from", "between"])? {
            "from" => &["to", "until", "till", "through"],
            _ => &["and"],
        };
        let from = self.when()?;
        self.one_of(joints)?;
        let to = self.attempt(Self::when).or_else(|| self.bare_month())?;
        Some(TimeExpression::Range(from, to))
    }

    /// Behind "between March and", any name of a month is one.
    fn bare_month(&mut self) -> Option<TimePoint> {
        let month = self.known(|word| vocabulary::month(word).or_else(|| vocabulary::short_month(word)))?;
        Some(TimePoint::Month { month, occurrence: Occurrence::Nearest })
    }

    /// "since March", "before 2020"
    fn bounded(&mut self) -> Option<TimeExpression> {
        let bound = match self.next_word()? {
            "since" => PeriodSide::Since,
            "after" => PeriodSide::After,
            "before" => PeriodSide::Before,
            "until" | "till" | "by" => PeriodSide::Until,
            _ => return None,
        };
        Some(TimeExpression::One(bound, self.when()?))
    }

    fn unbounded(&mut self) -> Option<TimeExpression> {
        self.when().map(|when| TimeExpression::One(PeriodSide::Within, when))
    }

    fn when(&mut self) -> Option<TimePoint> {
        self.skip(&["the"]);
        let rules: [TimeRule<'a>; 18] = [
            Self::iso,
            Self::named_day,
            Self::away,
            Self::rolling,
            Self::calendar_unit,
            Self::before_last,
            Self::weekday,
            Self::month_day,
            Self::day_month,
            Self::day_of_month,
            Self::month,
            Self::quarter,
            Self::season,
            Self::holiday,
            Self::year,
            Self::nth,
            Self::part,
            Self::beside,
        ];
        let (when, reader) = self.longest(&rules)?;
        *self = reader;
        self.skip(&["morning", "afternoon", "evening", "night"]);
        Some(when)
    }

    // ---- days ----

    fn iso(&mut self) -> Option<TimePoint> {
        let (start, end) = match self.token()?.iso? {
            Iso::Day(date) => (date, date.tomorrow().ok()?),
            Iso::Month(first) => (first, first.last_of_month().tomorrow().ok()?),
        };
        Some(TimePoint::Period(Period { start, end }))
    }

    fn named_day(&mut self) -> Option<TimePoint> {
        let few_weeks = Amount::exactly(4);
        Some(match self.next_word()? {
            "today" | "tonight" => TimePoint::Day(0),
            "yesterday" => TimePoint::Day(-1),
            "tomorrow" => TimePoint::Day(1),
            "recently" | "lately" => {
                TimePoint::Rolling { amount: few_weeks, unit: TimeUnit::Week, direction: Direction::Before }
            }
            "day" => match (self.next_word()?, self.next_word()?) {
                ("before", "yesterday") => TimePoint::Day(-2),
                ("after", "tomorrow") => TimePoint::Day(2),
                _ => return None,
            },
            "other" => {
                self.one_of(&["day", "night"])?;
                TimePoint::Rolling {
                    amount: Amount::exactly(1),
                    unit: TimeUnit::Week,
                    direction: Direction::Before,
                }
            }
            "last" => self.one_of(&["night"]).map(|_| TimePoint::Day(-1))?,
            "this" => self.one_of(&["morning", "afternoon", "evening"]).map(|_| TimePoint::Day(0))?,
            _ => return None,
        })
    }

    /// "last Friday", "on Friday", "Friday, May 5"; not "every Friday".
    fn weekday(&mut self) -> Option<TimePoint> {
        if ["every", "each", "most", "some", "any", "all"].contains(&self.lead()) {
            return None;
        }
        let is_led = self.lead() == "on";
        let occurrence = self.known(vocabulary::which);
        let token = self.token()?;
        let weekday = match vocabulary::weekday(&token.word) {
            Some(weekday) => weekday,
            None if is_led || occurrence.is_some() => vocabulary::short_weekday(&token.word)?,
            None => return None,
        };
        let date = self.attempt(|reader| {
            let mut date = TimeReader { start: reader.position, ..*reader };
            date.skip(&["the"]);
            let rules: [TimeRule<'a>; 3] = [Self::month_day, Self::day_month, Self::iso];
            let is_joined = matches!(reader.tokens.get(reader.position)?.gap, Gap::Open | Gap::Comma);
            let (when, after) = date.longest(&rules).filter(|_| is_joined)?;
            reader.position = after.position;
            Some(when)
        });
        Some(
            date.unwrap_or(TimePoint::Weekday {
                weekday,
                occurrence: occurrence.unwrap_or(Occurrence::Nearest),
            }),
        )
    }

    /// "May 7", "May 7th, 2023", "Sept. 7"
    fn month_day(&mut self) -> Option<TimePoint> {
        let token = self.token()?;
        let month = vocabulary::month(&token.word).or_else(|| vocabulary::short_month(&token.word))?;
        let is_abbreviated = vocabulary::month(&token.word).is_none();
        let has_article = self.one_of(&["the"]).is_some();
        let number = self.next_if(if is_abbreviated { &[Gap::Open, Gap::Comma] } else { &[Gap::Open] })?;
        let day = vocabulary::day_number(&number.word)?;
        let occurrence = self.year_behind();
        let is_surely_date = token.is_capitalised
            || has_article
            || !vocabulary::is_also_verb(&token.word)
            || number.word.parse::<i8>().is_err()
            || occurrence != Occurrence::Nearest
            || self.at_end();
        is_surely_date.then_some(TimePoint::Date { month, day, occurrence })
    }

    /// "7 May", "7th of May 2023", "the fourth of July"
    fn day_month(&mut self) -> Option<TimePoint> {
        let number = self.next_word()?;
        let has_of = self.one_of(&["of"]).is_some();
        let day = vocabulary::day_number(number).or_else(|| {
            vocabulary::ordinal(number).filter(|_| has_of).and_then(|number| i8::try_from(number).ok())
        })?;
        let month = self.known(|word| vocabulary::month(word).or_else(|| vocabulary::short_month(word)))?;
        Some(TimePoint::Date { month, day, occurrence: self.year_behind() })
    }

    /// "on the 7th", where nothing follows that there could be seven of.
    fn day_of_month(&mut self) -> Option<TimePoint> {
        if !["on", "since", "until", "till", "by", "before", "after"].contains(&self.lead()) {
            return None;
        }
        let number = self.next_word().filter(|word| word.parse::<i8>().is_err())?;
        let day = vocabulary::day_number(number)?;
        self.at_end().then_some(TimePoint::DayOfMonth(day))
    }

    // ---- months, seasons, years ----

    /// "May 2023", "last May", "in May"
    fn month(&mut self) -> Option<TimePoint> {
        let lead = self.lead();
        let which = self.known(vocabulary::which);
        let token = self.token()?;
        let full = vocabulary::month(&token.word);
        let month = full.or_else(|| vocabulary::short_month(&token.word))?;
        let occurrence = match which {
            // "this may be" is a verb far more often than a month.
            Some(Occurrence::This) if token.word == "may" && !token.is_capitalised && !self.at_end() => {
                return None;
            }
            Some(which) => which,
            None => self.year_behind(),
        };
        let needs_lead = full.is_none() || vocabulary::is_also_name_or_verb(&token.word);
        let is_led = which.is_some() || vocabulary::leads_to_month(lead);
        let is_month = occurrence != Occurrence::Nearest || !needs_lead || is_led;
        is_month.then_some(TimePoint::Month { month, occurrence })
    }

    /// "Q1 2023", "the first quarter of 2023" is an `nth`.
    fn quarter(&mut self) -> Option<TimePoint> {
        let number = match self.next_word()? {
            "q1" => 1,
            "q2" => 2,
            "q3" => 3,
            "q4" => 4,
            _ => return None,
        };
        Some(TimePoint::Quarter { number, occurrence: self.year_behind() })
    }

    /// "last summer", "the summer of 2022", "in the spring"
    fn season(&mut self) -> Option<TimePoint> {
        let lead = self.lead();
        let which = self.known(vocabulary::which);
        let season = self.known(vocabulary::season)?;
        let occurrence = which.unwrap_or_else(|| self.year_behind());
        let is_season =
            occurrence != Occurrence::Nearest || vocabulary::leads_to_month(lead) || lead == "over";
        is_season.then_some(TimePoint::Season { season, occurrence })
    }

    /// "Christmas", "last Christmas", "New Year's Eve 2022"
    fn holiday(&mut self) -> Option<TimePoint> {
        let which = self.known(vocabulary::which);
        let holiday = match self.next_word()? {
            "christmas" | "xmas" => match self.one_of(&["eve", "day"]) {
                Some("eve") => Holiday::ChristmasEve,
                Some(_) => Holiday::ChristmasDay,
                None => Holiday::Christmas,
            },
            "new" => self.new_year()?,
            "halloween" => Holiday::Halloween,
            "thanksgiving" => Holiday::Thanksgiving,
            "valentine" | "valentines" => self.one_of(&["day"]).map(|_| Holiday::ValentinesDay)?,
            _ => return None,
        };
        Some(TimePoint::Holiday { holiday, occurrence: which.unwrap_or_else(|| self.year_behind()) })
    }

    /// A "new year" is a holiday only by its ending or its capital.
    fn new_year(&mut self) -> Option<Holiday> {
        let year = self.token().filter(|token| ["year", "years"].contains(&token.word.as_str()))?;
        match self.one_of(&["eve", "day"]) {
            Some("eve") => Some(Holiday::NewYearsEve),
            Some(_) => Some(Holiday::NewYearsDay),
            None => (year.is_possessive || year.is_capitalised).then_some(Holiday::NewYear),
        }
    }

    /// "in 2022", "the 1990s"
    fn year(&mut self) -> Option<TimePoint> {
        let lead = self.lead();
        let word = self.next_word()?;
        let (digits, years) = word.strip_suffix('s').map_or((word, 1), |decade| (decade, 10));
        let year = vocabulary::year(digits)?;
        if years == 1 && !vocabulary::leads_to_year(lead) || years == 10 && year % 10 != 0 {
            return None;
        }
        let (start, end) = (Date::new(year, 1, 1).ok()?, Date::new(year + years, 1, 1).ok()?);
        Some(TimePoint::Period(Period { start, end }))
    }

    /// The year behind a month, a day or a season: "2023", ", 2023", "of 2023", "of last year".
    fn year_behind(&mut self) -> Occurrence {
        let written = self.attempt(|reader| {
            reader.skip(&["of", "in"]);
            vocabulary::year(&reader.next_if(&[Gap::Open, Gap::Comma])?.word).map(Occurrence::InYear)
        });
        let relative = |reader: &mut Self| {
            reader.skip(&["of"]);
            let offset = match reader.known(vocabulary::which)? {
                Occurrence::Last => -1,
                Occurrence::Next => 1,
                _ => 0,
            };
            reader.one_of(&["year"])?;
            Some(Occurrence::InRelativeYear(offset))
        };
        written.or_else(|| self.attempt(relative)).unwrap_or(Occurrence::Nearest)
    }

    // ---- amounts of units ----

    /// "two weeks ago", "a few days from now", "in two weeks"
    fn away(&mut self) -> Option<TimePoint> {
        let is_to_come = self.follows_in_of_future();
        let (amount, unit) = self.amount_of_units()?;
        let is_from_now =
            |reader: &mut Self| reader.one_of(&["from"]).and_then(|_| reader.one_of(&["now", "today"]));
        let direction = if self.one_of(&["ago", "back"]).is_some() {
            Direction::Before
        } else if self.attempt(is_from_now).is_some() || is_to_come {
            Direction::After
        } else {
            return None;
        };
        Some(TimePoint::Away { amount, unit, direction })
    }

    /// "It is due in two weeks" looks ahead; "we have not met in two weeks" looks back, and "in a day" is a duration.
    fn follows_in_of_future(&self) -> bool {
        let before = &self.tokens[self.position.saturating_sub(FUTURE_DISTANCE_TOKENS)..self.position];
        before.split_last().is_some_and(|(last, earlier)| {
            last.word == "in" && earlier.iter().any(|token| vocabulary::speaks_of_future(&token.word))
        })
    }

    /// "the last three days", "the past week", "the next few months"
    fn rolling(&mut self) -> Option<TimePoint> {
        let word = self.one_of(&["last", "past", "previous", "next", "coming"])?;
        let direction = if ["next", "coming"].contains(&word) { Direction::After } else { Direction::Before };
        let amount = self.attempt(Self::amount);
        let unit = self.known(vocabulary::unit).filter(|unit| *unit != TimeUnit::Weekend)?;
        // "the last week" is a week of the calendar, "the past week" the seven days behind us.
        let amount = amount.or_else(|| (word == "past").then_some(Amount::exactly(1)))?;
        Some(TimePoint::Rolling { amount, unit, direction })
    }

    /// "last week", "this year", "next weekend"
    fn calendar_unit(&mut self) -> Option<TimePoint> {
        let offset = match self.known(vocabulary::which)? {
            Occurrence::Last => -1,
            Occurrence::Next => 1,
            _ => 0,
        };
        let unit =
            self.known(vocabulary::unit).filter(|unit| !matches!(unit, TimeUnit::Hour | TimeUnit::Day))?;
        Some(TimePoint::Calendar { unit, offset })
    }

    /// "the week before last", "the month after next"
    fn before_last(&mut self) -> Option<TimePoint> {
        let unit =
            self.known(vocabulary::unit).filter(|unit| !matches!(unit, TimeUnit::Hour | TimeUnit::Day))?;
        match (self.next_word()?, self.next_word()?) {
            ("before", "last") => Some(TimePoint::Calendar { unit, offset: -2 }),
            ("after", "next") => Some(TimePoint::Calendar { unit, offset: 2 }),
            _ => None,
        }
    }

    fn amount_of_units(&mut self) -> Option<(Amount, TimeUnit)> {
        if self.attempt(|reader| reader.one_of(&["half"]).and_then(|_| reader.one_of(&["a"]))).is_some() {
            return self.one_of(&["year"]).map(|_| (Amount::exactly(6), TimeUnit::Month));
        }
        let amount = self.amount()?;
        let word = self.next_word()?;
        let (unit, multiple) =
            if word.starts_with("fortnight") { (TimeUnit::Week, 2) } else { (vocabulary::unit(word)?, 1) };
        Some((Amount { least: amount.least * multiple, most: amount.most * multiple }, unit))
    }

    /// "three", "3", "a", "a couple of", "a few", "several"
    fn amount(&mut self) -> Option<Amount> {
        let article = self.one_of(&["a", "an"]);
        let vague = self.attempt(|reader| match reader.next_word()? {
            "couple" => {
                reader.skip(&["of"]);
                Some(Amount { least: 2, most: 3 })
            }
            "few" => Some(Amount { least: 2, most: 5 }),
            "several" => Some(Amount { least: 3, most: 7 }),
            _ => None,
        });
        match (vague, article) {
            (Some(vague), _) => Some(vague),
            (None, Some(_)) => Some(Amount::exactly(1)),
            (None, None) => self.known(vocabulary::number).map(Amount::exactly),
        }
    }

    // ---- expressions around expressions ----

    /// "the first week of June", "the last weekend in May", "the second half of 2022"
    fn nth(&mut self) -> Option<TimePoint> {
        let ordinal = match self.one_of(&["last", "final"]) {
            Some(_) => Ordinal::Last,
            None => Ordinal::Number(self.known(vocabulary::ordinal)?),
        };
        let piece = self.piece()?;
        self.one_of(&["of", "in"])?;
        Some(TimePoint::Nth { ordinal, piece, of: self.inner()? })
    }

    /// "early May", "late last year", "the end of the month"
    fn part(&mut self) -> Option<TimePoint> {
        let part = match self.next_word()? {
            "early" => PeriodPart::Early,
            "mid" => PeriodPart::Middle,
            "late" => PeriodPart::Late,
            word => {
                self.one_of(&["of"])?;
                match word {
                    "beginning" | "start" => PeriodPart::Early,
                    "middle" => PeriodPart::Middle,
                    "end" => PeriodPart::Late,
                    _ => return None,
                }
            }
        };
        self.skip(&["in"]);
        Some(TimePoint::Part { part, of: self.inner()? })
    }

    /// "the week of May 7", "the Sunday before 25 May", "two days after Christmas"
    fn beside(&mut self) -> Option<TimePoint> {
        let pieces = self.attempt(Self::amount_of_units);
        let piece = if pieces.is_some() { None } else { Some(self.piece()?) };
        let direction = match (self.next_word()?, piece) {
            ("before", _) => Direction::Before,
            ("after", _) => Direction::After,
            ("of", Some(PeriodPiece::Unit(unit @ (TimeUnit::Week | TimeUnit::Weekend)))) => {
                return Some(TimePoint::Around { unit, of: self.inner()? });
            }
            _ => return None,
        };
        let of = self.inner()?;
        Some(match (pieces, piece) {
            (Some((amount, unit)), _) => TimePoint::AwayFrom { amount, unit, direction, of },
            (None, piece) => TimePoint::Beside { piece: piece?, direction, of },
        })
    }

    fn piece(&mut self) -> Option<PeriodPiece> {
        self.known(|word| {
            let unit = vocabulary::unit(word).filter(|unit| *unit != TimeUnit::Hour).map(PeriodPiece::Unit);
            unit.or_else(|| vocabulary::weekday(word).map(PeriodPiece::Weekday))
                .or_else(|| (word == "half").then_some(PeriodPiece::Half))
        })
    }

    /// An expression inside an expression; "the month" there is the present one.
    fn inner(&mut self) -> Option<Box<TimePoint>> {
        self.depth += 1;
        if self.depth > DEPTH_MAXIMUM {
            return None;
        }
        let present = |reader: &mut Self| {
            reader.one_of(&["the"])?;
            let unit = reader
                .known(vocabulary::unit)
                .filter(|unit| !matches!(unit, TimeUnit::Hour | TimeUnit::Day))?;
            Some(TimePoint::Calendar { unit, offset: 0 })
        };
        let when = self.longest(&[Self::when, present]).map(|(when, reader)| {
            *self = reader;
            when
        });
        self.depth -= 1;
        when.map(Box::new)
    }
}
