//! What a wish to forget names of what is known: "Сотри всё про Зою" names whoever "Моя тётя Зоя" is, and "把小刚的事删掉" 小刚.
//!
//! The judge hears what a wish means by its sense; a name has none. It is found by its letters, in the forms that a language gives it.

use std::collections::BTreeSet;

use crate::language::Language;
use crate::learn::wish;
use crate::text::query::{Expression, IndexColumn, Query};
use crate::text::tokens::is_wide;
use crate::text::{Analyser, fold};

/// Statements that have a word which is written like any other, at most, for the word to name them.
const NAMED_BY_A_WORD: usize = 3;

/// Letters of a name in scripts whose letters are words, and of one that a particle sets apart.
const WIDE_LETTERS: usize = 2;

/// Particles behind a name in Japanese, and letters that are no part of one in any script without spaces.
const PARTICLES: &str = "のにはがをともへさちくや";
const FUNCTION_LETTERS: &str = "我你您他她它们的了是在不也都有这那和就到把被给很没个么吗吧呢说要会能事再从对跟关于忘记请别今天昨明日私僕俺話件言";

/// What stands before an Arabic name, joined to it.
const JOINED_BEFORE: [&str; 7] = ["وال", "بال", "ال", "لل", "و", "ب", "ل"];

/// Endings that Korean puts behind a name.
const KOREAN_ENDINGS: &str = "이가은는을를의에게한테랑도야아와과서로씨님네";

/// Letters that a case puts at the end of a Slavic name, or takes away there.
const SLAVIC_ENDINGS: &[&str] = &[
    "", "а", "я", "у", "ю", "ы", "и", "е", "о", "ой", "ей", "ом", "ем", "ою", "ею", "ию", "ии", "ия", "ем",
    "ам", "ями", "a", "y", "i", "e", "u", "o", "a", "em", "iem", "owi", "ia", "ie", "iu", "ii", "ą", "ę",
    "ze", "ce", "dze", "zie", "rze", "le", "ej", "iej",
];

/// One thing that a wish names: the forms in which it stands in the wish and in what is known, and which texts have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NamedMatter {
    pub forms: BTreeSet<String>,
    pub texts: BTreeSet<usize>,
    /// It stands right behind a word that joins it to another one: "about Olly and Priya".
    joined: bool,
    /// It is written as a name.
    is_name: bool,
}

impl NamedMatter {
    fn expression(&self, analyser: &Analyser) -> Expression {
        Expression::Or(self.forms.iter().map(|form| form_expression(form, analyser)).collect())
    }

    /// Whether a text has one of its forms.
    pub fn is_in(&self, text: &str) -> bool {
        let folded = fold(text);
        self.forms.iter().any(|form| match form.chars().any(is_unspaced) {
            true => folded.contains(form.as_str()),
            false => words_of(&folded).any(|word| word == form),
        })
    }
}

/// A form as it is searched for. A letter that is a word is in the index by itself, and a word of several in pairs.
fn form_expression(form: &str, analyser: &Analyser) -> Expression {
    let words = analyser.words(form);
    match words.as_slice() {
        [letter] if form.chars().any(is_unspaced) => Expression::Word(letter.clone()),
        _ => Expression::Phrase(analyser.surface(form)),
    }
}

/// What a wish names of some texts, in the order in which it names them.
pub(super) fn matters(wish: &str, texts: &[String]) -> Vec<NamedMatter> {
    match wish.chars().any(is_unspaced) {
        true => unspaced_matters(wish, texts),
        false => spaced_matters(wish, texts),
    }
}

/// What some of several matters are about, as a search: what is joined by "and" stands for itself, what is not must stand together. None where nothing that
/// is known has it.
pub(super) fn query(matters: &[NamedMatter], analyser: &Analyser) -> Option<Query> {
    let mut groups: Vec<Vec<&NamedMatter>> = Vec::new();
    for matter in matters {
        match groups.last_mut().filter(|_| !matter.joined) {
            Some(group) => group.push(matter),
            None => groups.push(vec![matter]),
        }
    }
    let known = |group: &Vec<&NamedMatter>| {
        let mut texts = group.iter().map(|matter| matter.texts.clone());
        let first = texts.next().unwrap_or_default();
        !texts.fold(first, |all, some| all.intersection(&some).copied().collect()).is_empty()
    };
    groups.retain(known);
    let all = |group: &Vec<&NamedMatter>| {
        Expression::And(group.iter().map(|matter| matter.expression(analyser)).collect())
    };
    let forms = groups.iter().flatten().flat_map(|matter| matter.forms.clone());
    let terms: Vec<String> = forms.flat_map(|form| analyser.surface(&form)).collect();
    let expression = Expression::Or(groups.iter().map(all).collect());
    (!groups.is_empty()).then_some(Query { terms, column: IndexColumn::Surface, expression })
}

/// Those of several matters that are joined to another one and that none of the chosen texts has.
pub(super) fn beside(matters: &[NamedMatter], chosen: &[&str]) -> Vec<NamedMatter> {
    let unchosen = |matter: &&NamedMatter| !chosen.iter().any(|text| matter.is_in(text));
    matters.iter().filter(|matter| matter.joined).filter(unchosen).cloned().collect()
}

/// Whether a script writes its words without spaces. Korean does not.
fn is_unspaced(character: char) -> bool {
    is_wide(character) && !is_hangul(character)
}

fn is_hangul(character: char) -> bool {
    ('\u{AC00}'..='\u{D7A3}').contains(&character)
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// What joins two things in a sentence, folded.
const JOINTS: &str = "and und y e et en i oraz и ve او و और aur 그리고 랑 이랑 하고";

/// Words that may stand between what joins and what is joined, folded.
const BEFORE_A_NAME: &str = "about my the our also of mein meine meinen meiner meinem die der das den dem uber mit von lo de mi mis la el los las \
    sobre a acerca sur mon ma mes les d du des o os as do da dos meu minha isso aquilo di il mio mia della del su dei quello van dat mijn \
    over het o mojej moim moja moj tym про о об моя мою мой моего моей";

fn spaced_matters(wish: &str, texts: &[String]) -> Vec<NamedMatter> {
    let languages = wish::asked_in(wish);
    let known: Vec<Vec<(&str, bool)>> = texts.iter().map(|text| with_capitals(text)).collect();
    let joins = |word: &str| JOINTS.split_whitespace().any(|joint| joint == word);
    let between = |word: &str| BEFORE_A_NAME.split_whitespace().any(|before| before == word);
    let mut found: Vec<NamedMatter> = Vec::new();
    let mut joined = false;
    for (word, capital) in with_capitals(wish) {
        let folded = fold(word);
        let mut matter =
            NamedMatter { forms: BTreeSet::new(), texts: BTreeSet::new(), joined, is_name: false };
        let mut is_name = capital;
        for (place, words) in known.iter().enumerate() {
            for (other, other_capital) in words {
                let other = fold(other);
                if is_form_of(&folded, &other, &languages) {
                    is_name |= *other_capital;
                    matter.forms.extend([other, folded.clone()]);
                    matter.texts.insert(place);
                }
            }
        }
        let uncased = folded.chars().all(|letter| !letter.is_lowercase() && !letter.is_uppercase());
        let says_little = wish::is_word_of_wishing(&folded) || folded.chars().count() < 2;
        let named = is_name || uncased && !is_stop_word(&folded) || joined && !is_stop_word(&folded);
        matter.is_name = is_name;
        let rare = is_name || (1..=NAMED_BY_A_WORD).contains(&matter.texts.len());
        let told = !matter.texts.is_empty() && (is_name || !says_little);
        if told && named && rare && !found.iter().any(|known| known.forms == matter.forms) {
            found.push(matter);
        }
        joined = joins(&folded) || joined && between(&folded);
    }
    rarest(found)
}

/// Where nothing has all of several words, the names among them name the matter; of words that are written like any other, those that stand in the fewest.
fn rarest(found: Vec<NamedMatter>) -> Vec<NamedMatter> {
    let groups = found.iter().filter(|matter| matter.joined).count() + 1;
    let all = found.iter().map(|matter| matter.texts.clone()).reduce(|all, some| &all & &some);
    if groups > 1 || found.len() < 2 || all.is_some_and(|all| !all.is_empty()) {
        return found;
    }
    let names: Vec<NamedMatter> = found.iter().filter(|matter| matter.is_name).cloned().collect();
    if !names.is_empty() {
        return names;
    }
    let fewest = found.iter().map(|matter| matter.texts.len()).min().unwrap_or_default();
    found.into_iter().filter(|matter| matter.texts.len() == fewest).collect()
}

/// The words of a text, and whether each is written as a name; the first of a sentence is so in any case.
fn with_capitals(text: &str) -> Vec<(&str, bool)> {
    let mut words = Vec::new();
    for sentence in text.split(['.', '!', '?', ':', '\n', '¿', '¡']) {
        let all = words_of(sentence).enumerate();
        words.extend(
            all.map(|(at, word)| (word, at > 0 && word.starts_with(char::is_uppercase) && word != "I")),
        );
    }
    words
}

fn is_stop_word(folded: &str) -> bool {
    let tables = Language::ALL.into_iter().filter_map(|language| language.tables().search.as_ref());
    tables.into_iter().any(|search| search.stop_words.split_whitespace().any(|word| word == folded))
}

/// Whether two folded words are one name in different forms, in the languages of a wish.
fn is_form_of(one: &str, other: &str, languages: &[Language]) -> bool {
    if one == other {
        return true;
    }
    let both = |is: fn(char) -> bool| one.chars().all(is) && other.chars().all(is);
    let cyrillic = both(|letter| ('\u{400}'..='\u{4FF}').contains(&letter));
    let arabic = both(|letter| ('\u{600}'..='\u{6FF}').contains(&letter));
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let behind = long.strip_prefix(short).filter(|_| short.chars().count() >= 2);
    let turkish = languages.contains(&Language::Turkish) && short.chars().count() >= 3;
    match behind {
        _ if cyrillic || languages.contains(&Language::Polish) => is_slavic_form(one, other),
        _ if arabic => bare(one) == bare(other),
        _ if both(is_hangul) => is_korean_form(one, other),
        Some("s") => true,
        Some(rest) => turkish && rest.chars().count() <= 4,
        None => false,
    }
}

/// "Зою" and "Зоя", "Zenku" and "Zenek".
fn is_slavic_form(one: &str, other: &str) -> bool {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let shared = one.iter().zip(&other).take_while(|(one, other)| one == other).count();
    let ending = |rest: &[char]| SLAVIC_ENDINGS.contains(&rest.iter().collect::<String>().as_str());
    let shorter = one.len().min(other.len());
    if shared < 2 || shorter < 3 || shared + 1 < shorter && shared < 3 {
        return false;
    }
    // What is the same may take a letter of the ending with it: "Kasi" and "Kasia".
    let back = (0..=1).filter(|back| shared - back >= 2);
    let by_ending =
        back.into_iter().any(|back| ending(&one[shared - back..]) && ending(&other[shared - back..]));
    // "Zenek" loses its "e" where an ending follows.
    let fleeting = |base: &[char], form: &[char]| {
        base.len() == shared + 2
            && matches!(base[shared], 'e' | 'е' | 'о' | 'o')
            && form.get(shared) == base.last()
            && ending(&form[shared + 1..])
    };
    by_ending || fleeting(&one, &other) || fleeting(&other, &one)
}

/// "수진이가" and "수진이".
fn is_korean_form(one: &str, other: &str) -> bool {
    let shared = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
    let rest = |word: &str| word.chars().skip(shared).all(|letter| KOREAN_ENDINGS.contains(letter));
    shared >= 2 && rest(one) && rest(other)
}

/// An Arabic word without what is joined before it.
fn bare(word: &str) -> &str {
    let stripped = JOINED_BEFORE.iter().filter_map(|before| word.strip_prefix(before));
    stripped.filter(|rest| rest.chars().count() >= 3).min_by_key(|rest| rest.len()).unwrap_or(word)
}

/// In scripts without spaces: the longest runs of letters that the wish and what is known have both.
fn unspaced_matters(wish: &str, texts: &[String]) -> Vec<NamedMatter> {
    let letters: Vec<char> = wish::without_words_of_wishing(wish).chars().collect();
    let folded: Vec<String> = texts.iter().map(|text| fold(text)).collect();
    let mut found: Vec<NamedMatter> = Vec::new();
    let mut at = 0;
    while at < letters.len() {
        let named = (1..=letters.len() - at).rev().find_map(|long| {
            let run = &letters[at..at + long];
            let name: String = run.iter().collect();
            let having: BTreeSet<usize> =
                (0..folded.len()).filter(|&place| folded[place].contains(&name)).collect();
            let sure = may_name(run) && (long >= WIDE_LETTERS || is_set_apart(&letters, at));
            (sure && !having.is_empty()).then_some((long, name, having))
        });
        let Some((long, name, having)) = named else {
            at += 1;
            continue;
        };
        let joined = at > 0 && matches!(letters[at - 1], '和' | '跟' | '与' | 'と' | '、');
        found.push(NamedMatter {
            forms: BTreeSet::from([name]),
            texts: having,
            joined: joined && !found.is_empty(),
            is_name: true,
        });
        at += long;
    }
    // Where no text has all of them the longest names the matter.
    let together = (0..texts.len()).any(|place| found.iter().all(|matter| matter.texts.contains(&place)));
    if !together && !found.iter().any(|matter| matter.joined) {
        let length = |matter: &NamedMatter| matter.forms.iter().map(|form| form.chars().count()).max();
        let longest = found
            .iter()
            .max_by_key(|matter| (length(matter), std::cmp::Reverse(matter.texts.len())))
            .cloned();
        return longest.into_iter().collect();
    }
    found
}

/// Whether letters can be a name: words of Han letters or of katakana, and no particles.
fn may_name(run: &[char]) -> bool {
    let katakana = |letter: char| ('\u{30A0}'..='\u{30FF}').contains(&letter);
    let han = |letter: char| ('\u{3400}'..='\u{9FFF}').contains(&letter);
    run.iter().all(|&letter| (katakana(letter) || han(letter)) && !FUNCTION_LETTERS.contains(letter))
}

/// Whether a single letter stands by itself: at the beginning, before a particle.
fn is_set_apart(letters: &[char], at: usize) -> bool {
    let before = at == 0 || !is_unspaced(letters[at - 1]) || PARTICLES.contains(letters[at - 1]);
    before && letters.get(at + 1).is_some_and(|letter| PARTICLES.contains(*letter) || *letter == '。')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(wish: &str, texts: &[&str]) -> Vec<Vec<usize>> {
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        matters(wish, &texts).into_iter().map(|matter| matter.texts.into_iter().collect()).collect()
    }

    #[test]
    fn a_name_is_found_in_the_forms_that_a_language_gives_it() {
        for (wish, known) in [
            ("delete olly from your memory", "My brother Olly is in rehab."),
            ("Vergiss bitte Ankes Krankheit", "Meine Schwester Anke ist krank."),
            ("Сотри всё про Зою.", "Моя тётя Зоя болеет раком."),
            ("Забудь про Дашу", "Моя сестра Даша должна мне денег."),
            ("Usuń proszę informacje o wujku Zenku.", "Mój wujek Zenek pije."),
            ("Zapomnij o Kasi", "Moja kuzynka Kasia jest chora."),
            ("Emre hakkında söylediklerimi unutur musun?", "Kuzenim Emre kumar oynuyor."),
            ("امسح كل شيء يتعلق بهدى", "ابنة عمي هدى مدينة لي"),
            ("नेहा वाली बात भूल जाइए।", "मेरी बहन नेहा ने उधार लिया।"),
            ("把小刚的事删掉吧。", "我表哥小刚在坐牢。"),
            ("翔のことは覚えておかなくていいよ。", "いとこの翔が刑務所にいます。"),
            ("수진이 얘기 잊어줘", "사촌 수진이가 아파요."),
        ] {
            assert_eq!(named(wish, &[known]), [vec![0]], "{wish}");
        }
    }

    #[test]
    fn another_name_is_none_of_its_forms() {
        for (wish, known) in [
            ("Forget what I said about Maria", "My cousin Marta is ill."),
            ("Forget what I said about Ben", "My cousin Bea is ill."),
            ("Забудь про Лену", "Моя сестра Лера болеет."),
            ("把小明的事删掉吧。", "我在武汉当厨师。"),
            ("翔のことは忘れて", "名古屋で料理人をしています。"),
            ("Please forget the thing about work", "I work in Hull."),
        ] {
            assert_eq!(named(wish, &[known]), [] as [Vec<usize>; 0], "{wish}");
        }
    }
}
