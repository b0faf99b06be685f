//! The numbers, times and days of a sentence, and a sentence with other ones in their place: "the dentist is on 3 December at 3pm" after "sorry, 4pm".
//!
//! What a number is of is said by what stands around it: letters that are written with it, the word behind it, the word before it. A value takes the place of
//! the one that has the same around it, and of none where that is not plain.

use std::ops::Range;

use crate::text::fold;
use crate::text::tokens::is_wide;

/// Values that one sentence puts right.
const MOST: usize = 3;

/// How much of another value one may be that has nothing around it to be known by.
const OF_ANOTHER: std::ops::RangeInclusive<f64> = 0.4..=2.5;

/// Letters behind a number that make a day of a month of it.
const ORDINALS: [&str; 8] = ["st", "nd", "rd", "th", "º", "ª", "er", "e"];

/// What makes a time of day of a number: written with it, behind it, before it.
const OF_TIMES: [&str; 22] = [
    "am",
    "pm",
    "a.m",
    "p.m",
    "h",
    "uhr",
    "uur",
    "heures",
    "heure",
    "godz",
    "ч",
    "час",
    "часа",
    "часов",
    "बजे",
    "点",
    "點",
    "时",
    "時",
    "시",
    "oclock",
    "ore",
];
const BEFORE_TIMES: [&str; 10] = ["at", "um", "las", "alle", "às", "as", "om", "saat", "الساعة", "в"];

/// A number with what it is known by, all folded.
#[derive(Debug, Clone, PartialEq)]
struct Value {
    /// The digits in the text.
    digits: Range<usize>,
    /// The digits with the letters that are written with them.
    written: Range<usize>,
    number: String,
    unit: String,
    behind: String,
    before: String,
}

impl Value {
    fn is_time(&self) -> bool {
        let clock = self.number.contains(':');
        let named = [&self.unit, &self.behind].into_iter().any(|word| OF_TIMES.contains(&word.as_str()));
        clock || named || self.unit.is_empty() && BEFORE_TIMES.contains(&self.before.as_str())
    }

    fn is_plain(&self) -> bool {
        self.unit.is_empty() && !self.number.contains(':')
    }

    fn size(&self) -> Option<f64> {
        self.number.replace(',', ".").parse().ok()
    }
}

/// A sentence with the values of another one in the place of its own; nothing where it is not plain which of them are meant.
pub(super) fn with_values_of(earlier: &str, later: &str) -> Option<String> {
    let (known, given) = (values(earlier), values(later));
    let mut given: Vec<Value> = given
        .into_iter()
        .filter(|value| !known.iter().any(|one| one.number == value.number && one.unit == value.unit))
        .collect();
    given.dedup_by(|one, other| one.number == other.number);
    if given.is_empty() || given.len() > MOST {
        return None;
    }
    let mut places: Vec<(Range<usize>, String)> = Vec::new();
    for value in &given {
        let meant = meant_by(value, &known)?;
        if places.iter().any(|(range, _)| range.start == meant.digits.start) {
            return None;
        }
        // "4pm" for "3:30pm", and "15" for "14:30" of the clock.
        let lettered = value.written.end > value.digits.end;
        let both = lettered && (value.unit != meant.unit || value.is_time() || value.unit.is_empty());
        let (range, text) = match both {
            true => (meant.written.clone(), &later[value.written.clone()]),
            false => (meant.digits.clone(), &later[value.digits.clone()]),
        };
        places.push((range, text.to_owned()));
    }
    places.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
    let mut changed = earlier.to_owned();
    for (range, text) in places {
        changed.replace_range(range, &text);
    }
    Some(changed)
}

/// The one value of several in whose place another one comes.
fn meant_by<'a>(value: &Value, known: &'a [Value]) -> Option<&'a Value> {
    let alike: [&dyn Fn(&Value) -> bool; 4] = [
        &|one| !value.unit.is_empty() && one.unit == value.unit,
        &|one| {
            value.unit.is_empty()
                && one.unit.is_empty()
                && !value.behind.is_empty()
                && one.behind == value.behind
        },
        &|one| value.is_time() && one.is_time(),
        &|one| value.is_plain() && one.is_plain() && !value.before.is_empty() && one.before == value.before,
    ];
    for is_alike in alike {
        let found: Vec<&Value> = known.iter().filter(|one| is_alike(one)).collect();
        match found.as_slice() {
            [] => {}
            [one] => return Some(one),
            _ => return None,
        }
    }
    // "I mean 1250": of about the size of one that is there.
    let size = value.size().filter(|_| value.is_plain() && value.behind.is_empty())?;
    let mut near =
        known.iter().filter(|one| one.size().is_some_and(|other| OF_ANOTHER.contains(&(size / other))));
    near.next().filter(|_| near.next().is_none())
}

/// The values of a text, in order.
fn values(text: &str) -> Vec<Value> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find(|letter: char| letter.is_ascii_digit()).map(|place| at + place) {
        let joins = |letter: char| letter.is_ascii_digit() || matches!(letter, '.' | ',' | ':' | '：');
        let run = &text[start..];
        let length = run.find(|letter| !joins(letter)).unwrap_or(run.len());
        let number = run[..length].trim_end_matches(['.', ',', ':', '：']);
        let end = start + number.len();
        let unit_length = unit_length(&text[end..]);
        let written = start..end + unit_length;
        let unit = fold(&text[end..written.end]);
        found.push(Value {
            digits: start..end,
            unit: if ORDINALS.contains(&unit.as_str()) { String::new() } else { unit },
            behind: word_behind(&text[written.end..]),
            before: word_before(&text[..start]),
            number: number.replace('：', ":"),
            written: written.clone(),
        });
        at = written.end.max(start + length);
    }
    found
}

/// How far the letters reach that are written with a number: to the end of the word, or one letter of a script without spaces.
fn unit_length(rest: &str) -> usize {
    match rest.chars().next() {
        Some(first) if is_wide(first) => first.len_utf8(),
        _ => rest.find(|letter: char| !letter.is_alphanumeric() || is_wide(letter)).unwrap_or(rest.len()),
    }
}

fn word_behind(rest: &str) -> String {
    let rest = rest.trim_start_matches(['.', ' ']);
    let word = rest.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
    if word.chars().all(char::is_alphabetic) && !word.chars().any(is_wide) {
        fold(word)
    } else {
        String::new()
    }
}

fn word_before(rest: &str) -> String {
    let word = rest.trim_end().rsplit(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
    let near = rest.ends_with(word) || rest.ends_with(' ');
    if near && !word.chars().any(is_wide) { fold(word) } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::with_values_of;

    #[test]
    fn a_value_takes_the_place_of_the_one_that_is_of_its_kind() {
        for (earlier, later, whole) in [
            ("the dentist is on 3 december at 3pm", "sorry, 4pm", "the dentist is on 3 december at 4pm"),
            ("our rent is 1200 a month", "i mean 1250", "our rent is 1250 a month"),
            (
                "zahnarzt ist am 3. dezember um 15 uhr",
                "sorry, 16 uhr",
                "zahnarzt ist am 3. dezember um 16 uhr",
            ),
            (
                "unser termin ist am 24. november um 15 uhr",
                "ach ne, 26. november",
                "unser termin ist am 26. november um 15 uhr",
            ),
            (
                "el dentista es el 3 de diciembre a las 3",
                "perdón, a las 4",
                "el dentista es el 3 de diciembre a las 4",
            ),
            ("le dentiste c'est le 3 décembre à 15h", "pardon, 16h", "le dentiste c'est le 3 décembre à 16h"),
            (
                "interview at the bank on the 26th at 2pm",
                "correction its 2:30",
                "interview at the bank on the 26th at 2:30pm",
            ),
            ("стоматолог 3 декабря в 15", "ой, в 16", "стоматолог 3 декабря в 16"),
            ("家长会是11月25号下午3点", "哦不对，是2点", "家长会是11月25号下午2点"),
            ("歯医者の予約が11月22日", "あ、違う23日", "歯医者の予約が11月23日"),
            ("치과는 12월 3일 3시야", "아니 4시", "치과는 12월 3일 4시야"),
            ("my sister's birthday is 8 january", "wait no, 9", "my sister's birthday is 9 january"),
        ] {
            assert_eq!(with_values_of(earlier, later).as_deref(), Some(whole), "{earlier} / {later}");
        }
    }

    #[test]
    fn where_it_is_not_plain_nothing_is_changed() {
        for (earlier, later) in [
            ("we need 4 eggs and 6 lemons", "sorry, 5"),
            ("my flight is on the 12th of december", "sorry, at 7am"),
            ("I live in Leeds", "sorry, 4pm"),
            ("my rent is 1200", "no wait, 3 cats"),
        ] {
            assert_eq!(with_values_of(earlier, later), None, "{earlier} / {later}");
        }
    }
}
