//! The numbers, times and days of a sentence, and a sentence with other ones in their place: "the dentist is on 3 December at 3pm" after "sorry, 4pm".
//!
//! What a number is of is said by what stands around it: letters that are written with it, the word behind it, the word before it. A value takes the place of
//! the one that has the same around it, and of none where that is not plain.

use std::ops::Range;

use crate::text::fold;
use crate::text::script::is_han_kana_or_hangul;

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
        Some(first) if is_han_kana_or_hangul(first) => first.len_utf8(),
        _ => rest
            .find(|letter: char| !letter.is_alphanumeric() || is_han_kana_or_hangul(letter))
            .unwrap_or(rest.len()),
    }
}

fn word_behind(rest: &str) -> String {
    let rest = rest.trim_start_matches(['.', ' ']);
    let word = rest.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
    if word.chars().all(char::is_alphabetic) && !word.chars().any(is_han_kana_or_hangul) {
        fold(word)
    } else {
        String::new()
    }
}

fn word_before(rest: &str) -> String {
    let word = rest.trim_end().rsplit(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
    let near = rest.ends_with(word) || rest.ends_with(' ');
    if near && !word.chars().any(is_han_kana_or_hangul) { fold(word) } else { String::new() }
}

/// Words that deny a name right before or behind it.
const NO: [&str; 22] = [
    "not",
    "nicht",
    "kein",
    "keine",
    "pas",
    "no",
    "nao",
    "non",
    "niet",
    "nie",
    "не",
    "degil",
    "مش",
    "ليس",
    "ليست",
    "لا",
    "नहीं",
    "नही",
    "말고",
    "아니라",
    "아니고",
    "아니야",
];

/// The same in scripts without spaces: before the name, and behind it.
const NO_BEFORE: [&str; 2] = ["不是", "不叫"];
const NO_BEHIND: [&str; 5] = ["じゃなく", "ではなく", "でなく", "じゃない", "ではない"];

/// What ends a name in Korean where it is said what it is.
const IT_IS: [&str; 6] = ["이에요", "예요", "입니다", "이야", "이고", "야"];

/// Letters of a name, and of one whose letters are words.
const NAME_LETTERS: std::ops::RangeInclusive<usize> = 3..=20;
const SYLLABLES: std::ops::RangeInclusive<usize> = 2..=12;

/// A sentence with the one of two names that another sentence gives in the place of the one that it denies: "Lina, not Lena".
pub(super) fn with_name_of(earlier: &str, later: &str) -> Option<String> {
    let (denied, given) = spaced_names(earlier, later).or_else(|| unspaced_names(earlier, later))?;
    let mut places = earlier.match_indices(denied.as_str());
    let (at, _) = places.next().filter(|_| places.next().is_none())?;
    Some(format!("{}{given}{}", &earlier[..at], &earlier[at + denied.len()..]))
}

/// The name that is denied, as the earlier sentence writes it, and the one that is given.
fn spaced_names(earlier: &str, later: &str) -> Option<(String, String)> {
    let cut = |text: &str| -> Vec<String> {
        text.split(|letter: char| !letter.is_alphanumeric() && letter != '\'' && !is_mark(letter))
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let (known, said) = (cut(earlier), cut(later));
    let is_no = |at: Option<usize>| {
        at.and_then(|at| said.get(at)).is_some_and(|word| NO.contains(&fold(word).as_str()))
    };
    let as_known = |word: &str| known.iter().find(|known| fold(known) == fold(word));
    let is_name = |word: &&String| {
        let letters = word.chars().count();
        let syllables = word.chars().all(is_han_kana_or_hangul) && SYLLABLES.contains(&letters);
        (syllables || NAME_LETTERS.contains(&letters))
            && word.chars().all(|letter| letter.is_alphabetic() || is_mark(letter))
    };
    for (at, word) in said.iter().enumerate().filter(|(_, word)| is_name(word)) {
        let Some(denied) = as_known(word) else { continue };
        let (before, behind) = (is_no(at.checked_sub(1)), is_no(Some(at + 1)));
        let places = match (before, behind) {
            (true, _) => [at.checked_sub(2), Some(at + 1)],
            (false, true) => [at.checked_sub(1), Some(at + 2)],
            (false, false) => continue,
        };
        let new =
            |word: &&String| is_name(word) && as_known(word).is_none() && !NO.contains(&fold(word).as_str());
        let given = places.into_iter().flatten().filter_map(|place| said.get(place)).find(new);
        if let Some(given) = given {
            let ending = IT_IS
                .iter()
                .find(|ending| given.ends_with(**ending) && given.chars().any(is_han_kana_or_hangul));
            let given = ending.map_or(given.as_str(), |ending| given.trim_end_matches(*ending));
            return Some((denied.clone(), given.to_owned()));
        }
    }
    None
}

/// Signs that stand within words of some scripts.
fn is_mark(letter: char) -> bool {
    ('\u{0900}'..='\u{097F}').contains(&letter) && letter != '।'
}

fn unspaced_names(earlier: &str, later: &str) -> Option<(String, String)> {
    let is_letter = |letter: &char| letter.is_alphanumeric() && is_han_kana_or_hangul(*letter);
    let known = |name: &str| name.chars().count() >= *SYLLABLES.start() && earlier.contains(name);
    let starts = |rest: &str| -> Option<String> {
        let letters: Vec<char> = rest.chars().take_while(is_letter).take(4).collect();
        (2..=letters.len())
            .rev()
            .map(|many| letters[..many].iter().collect::<String>())
            .find(|name| known(name))
    };
    let ends = |rest: &str| -> Option<String> {
        let mut letters: Vec<char> = rest.chars().rev().take_while(is_letter).take(6).collect();
        letters.reverse();
        (0..letters.len().saturating_sub(1))
            .map(|from| letters[from..].iter().collect::<String>())
            .find(|name| known(name))
    };
    let before = NO_BEFORE.iter().find_map(|no| later.find(no).map(|at| (at, at + no.len())));
    if let Some((at, end)) = before {
        let denied = starts(&later[end..])?;
        let given: Vec<char> = later[..at]
            .trim_end_matches(|letter: char| !letter.is_alphanumeric())
            .chars()
            .rev()
            .take_while(is_letter)
            .collect();
        let given: String = given.into_iter().rev().collect();
        let given = given.rsplit(['是', '叫']).next()?.to_owned();
        return (SYLLABLES.contains(&given.chars().count()) && given.chars().count() <= 4)
            .then_some((denied, given));
    }
    let at = NO_BEHIND.iter().find_map(|no| later.find(no))?;
    let denied = ends(&later[..at])?;
    let rest = &later[..at - denied.len()];
    let kana = |letter: &char| ('\u{30A0}'..='\u{30FF}').contains(letter);
    let of_kind = |letter: &char| {
        denied.chars().all(|one| kana(&one)) == kana(letter)
            && is_letter(letter)
            && !('\u{3040}'..='\u{309F}').contains(letter)
    };
    let letters: Vec<char> =
        rest.chars().rev().skip_while(|letter| !of_kind(letter)).take_while(of_kind).collect();
    let given: String = letters.into_iter().rev().collect();
    SYLLABLES.contains(&given.chars().count()).then_some((denied, given))
}

#[cfg(test)]
mod tests {
    use super::{with_name_of, with_values_of};

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

    #[test]
    fn a_name_takes_the_place_of_the_one_that_is_denied() {
        for (earlier, later, whole) in [
            ("my daughter's called lena", "oops lina not lena", "my daughter's called lina"),
            ("meine tochter heißt lena", "ups lina nicht lena", "meine tochter heißt lina"),
            ("mi hija se llama lena", "uy lina, no lena", "mi hija se llama lina"),
            ("kızımın adı lena", "pardon lina, lena değil", "kızımın adı lina"),
            ("мою дочь зовут лена", "ой лина, не лена", "мою дочь зовут лина"),
            ("بنتي اسمها لينا", "اسف لارا مش لينا", "بنتي اسمها لارا"),
            ("मेरी बेटी का नाम लेना है", "ओह लीना, लेना नहीं", "मेरी बेटी का नाम लीना है"),
            ("我女儿叫小莉", "打错了是小丽不是小莉", "我女儿叫小丽"),
            ("娘の名前はレナ", "ごめんリナね、レナじゃなくて", "娘の名前はリナ"),
            ("딸 이름은 레나", "아 리나야 레나 말고", "딸 이름은 리나"),
        ] {
            assert_eq!(with_name_of(earlier, later).as_deref(), Some(whole), "{later}");
        }
        for (earlier, later) in
            [("I live in Leeds", "I'm not in Leeds today"), ("we have a cat", "sorry, not a cat")]
        {
            assert_eq!(with_name_of(earlier, later), None, "{later}");
        }
    }
}
