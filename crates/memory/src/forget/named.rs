//! What a wish to forget names of what is known: "Сотри всё про Зою" names whoever "Моя тётя Зоя" is, and "把小刚的事删掉" 小刚.
//!
//! The judge hears what a wish means by its sense; a name has none. It is found by its letters, in the forms that a language gives it.

use std::collections::{BTreeSet, HashSet};
use std::sync::LazyLock;

use crate::language::Language;
use crate::learn::wish;
use crate::text::query::{Expression, IndexColumn, Query};
use crate::text::script::is_han_kana_or_hangul;
use crate::text::{Analyser, fold};

/// Statements that have a word which is written like any other, at most, for the word to name them.
const NAMED_BY_A_WORD: usize = 3;

/// Letters of a name in scripts whose letters are words, and of one that a particle sets apart.
const WIDE_LETTERS: usize = 2;

/// Particles behind a name in Japanese, and letters that are no part of one in any script without spaces.
const PARTICLES: &str = "のにはがをともへさちくや";
const FUNCTION_LETTERS: &str =
    "我你您他她它们的了是在不也都有这那就把被给很没个么吗吧呢说要再从对跟于忘请别事私僕俺話件";

/// Letters of words that say little, which stand in names all the same: 今天 and 明日 name nobody, 小明 and 今日子 do.
const SOME_FUNCTION_LETTERS: &str = "今天昨明日和会能到言记关";

/// Letters of a name in scripts without spaces, at most.
const NAME_LETTERS: usize = 8;

/// What stands behind a name in hiragana in a wish, and what else stands there.
const BEHIND_A_NAME: [&str; 12] =
    ["さん", "ちゃん", "くん", "君", "様", "のこと", "の話", "の件", "について", "に関", "の事", "。"];
const POINTING_KANA: [&str; 22] = [
    "これ",
    "それ",
    "あれ",
    "この",
    "その",
    "あの",
    "こと",
    "もの",
    "ここ",
    "そこ",
    "あそこ",
    "わたし",
    "ぼく",
    "おれ",
    "あなた",
    "さっき",
    "きのう",
    "きょう",
    "あした",
    "みんな",
    "ぜんぶ",
    "いま",
];
const KANA_LETTERS: usize = 2;

/// Endings of Turkish cases behind a name, folded, with those of a possession before them.
const TURKISH_ENDINGS: &str =
    "i ı u ü yi yı yu yü e a ye ya de da te ta den dan ten tan in ın un ün nin nın nun nün le la yle yla";

/// Words right before whom or what a wish is about, folded.
const ABOUT_A_NAME: &str =
    "about over uber zu von sobre de del da do dos das sur di su della del van met o про о об обо";

/// What stands before an Arabic name, joined to it.
const JOINED_BEFORE: [&str; 7] = ["وال", "بال", "ال", "لل", "و", "ب", "ل"];

/// Endings that Korean puts behind a name.
const KOREAN_ENDINGS: &str = "이가은는을를의에게한테랑도야아와과서로씨님네";

/// Letters that a case puts at the end of a Slavic name, or takes away there.
const SLAVIC_ENDINGS: &[&str] = &[
    "", "а", "я", "у", "ю", "ы", "и", "е", "о", "ой", "ей", "ом", "ем", "ою", "ею", "ию", "ии", "ия", "a",
    "y", "i", "e", "u", "o", "a", "em", "iem", "owi", "ia", "ie", "iu", "ii", "ą", "ę", "ze", "ce", "dze",
    "zie", "rze", "le", "ej", "iej",
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
    is_han_kana_or_hangul(character) && !is_hangul(character)
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

/// A word of a text as names are looked for in it.
struct TextWord<'a> {
    word: &'a str,
    folded: String,
    /// Whether it is written as a name; the first word of a sentence is so in any case.
    capital: bool,
}

fn text_words(text: &str) -> Vec<TextWord<'_>> {
    let words = with_capitals(text).into_iter();
    words.map(|(word, capital)| TextWord { word, folded: fold(word), capital }).collect()
}

fn spaced_matters(wish: &str, texts: &[String]) -> Vec<NamedMatter> {
    let languages = wish::asked_in(wish);
    let known: Vec<Vec<TextWord<'_>>> = texts.iter().map(|text| text_words(text)).collect();
    let all: HashSet<&str> = known.iter().flatten().map(|word| word.folded.as_str()).collect();
    // Who writes without capitals writes names so too.
    let small: Vec<bool> = texts.iter().map(|text| !text.chars().any(char::is_uppercase)).collect();
    let is_one_of = |list: &str, word: &str| list.split_whitespace().any(|one| one == word);
    let mut found: Vec<NamedMatter> = Vec::new();
    let (mut joined, mut about) = (false, false);
    for TextWord { word, folded, capital } in text_words(wish) {
        let mut matter =
            NamedMatter { forms: BTreeSet::new(), texts: BTreeSet::new(), joined, is_name: false };
        let mut is_name = capital;
        let says_little = wish::is_word_of_wishing(&folded) || folded.chars().count() < 2;
        let stops = is_stop_word(&folded);
        // What is known in this very form is no form of another name.
        let exact = all.contains(folded.as_str());
        for (place, words) in known.iter().enumerate() {
            for other in words {
                let forms = || is_form_of(&folded, other, &languages, exact);
                if other.folded == folded || forms() {
                    is_name |= other.capital || about && small[place] && !says_little && !stops;
                    matter.forms.extend([other.folded.clone(), folded.clone()]);
                    matter.texts.insert(place);
                }
            }
        }
        let uncased = word.chars().all(|letter| !letter.is_lowercase() && !letter.is_uppercase());
        let named = is_name || uncased && !stops || joined && !stops;
        matter.is_name = is_name;
        let rare = is_name || (1..=NAMED_BY_A_WORD).contains(&matter.texts.len());
        let told = !matter.texts.is_empty() && (is_name || !says_little);
        if told && named && rare && !found.iter().any(|known| known.forms == matter.forms) {
            found.push(matter);
        }
        joined = is_one_of(JOINTS, &folded) || joined && is_one_of(BEFORE_A_NAME, &folded);
        about = is_one_of(ABOUT_A_NAME, &folded);
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
    static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
        let tables = Language::ALL.into_iter().filter_map(|language| language.tables().search.as_ref());
        tables.flat_map(|search| search.stop_words.split_whitespace()).collect()
    });
    WORDS.contains(folded)
}

/// Whether a word of a wish and one that is known are one name in different forms, in the languages of the wish. Where the word of the wish is known as it
/// stands, it is a name of its own: Lucas is not whom Luca's matter is about.
fn is_form_of(one: &str, known: &TextWord<'_>, languages: &[Language], exact: bool) -> bool {
    let other = known.folded.as_str();
    let both = |is: fn(char) -> bool| one.chars().all(is) && other.chars().all(is);
    let cyrillic = both(|letter| ('\u{400}'..='\u{4FF}').contains(&letter));
    let arabic = both(|letter| ('\u{600}'..='\u{6FF}').contains(&letter));
    match () {
        () if cyrillic || languages.contains(&Language::Polish) => !exact && is_slavic_form(one, other),
        () if arabic => bare(one) == bare(other),
        () if both(is_hangul) => !exact && is_korean_form(one, other),
        () => !exact && is_with_ending(one, known, languages),
    }
}

/// Whether the longer of two words is the other one with the ending of a case. Of what is known, a longer word that is written as a name is another name:
/// an ending would stand behind an apostrophe.
fn is_with_ending(one: &str, known: &TextWord<'_>, languages: &[Language]) -> bool {
    let other = known.folded.as_str();
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let rest = long.strip_prefix(short).filter(|_| short.chars().count() >= 2);
    if long == other && known.word.starts_with(char::is_uppercase) {
        return false;
    }
    let speaks = |some: &[Language]| some.iter().any(|language| languages.contains(language));
    match rest {
        Some("s") => speaks(&[Language::English, Language::German, Language::Dutch]),
        Some(rest) => {
            let case = TURKISH_ENDINGS.split_whitespace().any(|ending| fold(ending) == rest);
            case && short.chars().count() >= 3 && speaks(&[Language::Turkish])
        }
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
    let spoken: Vec<char> = fold(wish).chars().collect();
    let mut found: Vec<NamedMatter> = Vec::new();
    let mut at = 0;
    while at < letters.len() {
        let longest = (letters.len() - at).min(NAME_LETTERS);
        let named = (1..=longest).rev().find_map(|long| {
            let run = &letters[at..at + long];
            let sure = may_name(run) && (long >= WIDE_LETTERS || is_set_apart(&letters, at));
            if !sure && !is_name_in_kana(run, &letters[..at], &spoken) {
                return None;
            }
            let name: String = run.iter().collect();
            let having: BTreeSet<usize> =
                (0..folded.len()).filter(|&place| folded[place].contains(&name)).collect();
            (!having.is_empty()).then_some((long, name, having))
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

/// Whether letters can be a name: words of Han letters or of katakana, no particles, and no words that say little.
fn may_name(run: &[char]) -> bool {
    let katakana = |letter: char| ('\u{30A0}'..='\u{30FF}').contains(&letter);
    let han = |letter: char| ('\u{3400}'..='\u{9FFF}').contains(&letter);
    let little = |letter: &char| SOME_FUNCTION_LETTERS.contains(*letter);
    // "和美咲" and "小明和" are a name and what joins it; 和子 is a name.
    let joins = |letter: Option<&char>| run.len() > WIDE_LETTERS && letter == Some(&'和');
    run.iter().all(|&letter| (katakana(letter) || han(letter)) && !FUNCTION_LETTERS.contains(letter))
        && !run.iter().all(little)
        && !joins(run.first())
        && !joins(run.last())
}

/// Whether a run of hiragana is a name: nothing of its kind stands before it, and behind it what stands behind names.
fn is_name_in_kana(run: &[char], before: &[char], wish: &[char]) -> bool {
    let hiragana = |letter: &char| ('\u{3041}'..='\u{309F}').contains(letter);
    let name: String = run.iter().collect();
    if run.len() < KANA_LETTERS || !run.iter().all(hiragana) || POINTING_KANA.contains(&name.as_str()) {
        return false;
    }
    let begins = before.last().is_none_or(|letter| !hiragana(letter));
    // The words of wishing are gone from the letters, and stand in the wish itself.
    let places = (0..wish.len().saturating_sub(run.len() - 1)).filter(|&at| wish[at..].starts_with(run));
    let stands = |at: usize| {
        let behind: String = wish[at + run.len()..].iter().take(4).collect();
        BEHIND_A_NAME.iter().any(|particle| behind.starts_with(particle))
    };
    begins && places.into_iter().any(stands)
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
            ("Please forget what I said about Clara 🙏", "My cousin Clara is ill."),
            ("把小明的事删掉吧。", "小明的腿断了。"),
            ("把小清的事忘了吧", "我妹小清离婚了。"),
            ("さくらの話は忘れてください", "妹のさくらが入院した。"),
            ("今日子のことは忘れて", "いとこの今日子が離婚した。"),
            ("vergeet aub wat ik over eva zei", "eva heeft kanker"),
            ("zapomnij proszę co mówiłam o ewie", "ewa ma raka"),
            ("пожалуйста забудь что я говорила про еву", "у евы рак"),
            ("please forget what i told you about eva", "eva has cancer"),
            ("lütfen emreyi unut", "kuzenim Emre kumar oynuyor"),
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
            ("Gül hakkında söylediklerimi unut", "Gülay kuzenim, ameliyat oldu."),
            ("Ali hakkında söylediklerimi unut", "Teyzem Aliye hasta."),
            ("Dimentica quello che ho detto di Luca", "Mio cugino Lucas è malato."),
            ("Forget what I said about Luca", "My cousin Lucas is ill."),
            ("今日の話は忘れて", "今日から名古屋で働きます。"),
            ("明天的事忘了吧", "明天我去武汉。"),
        ] {
            assert_eq!(named(wish, &[known]), [] as [Vec<usize>; 0], "{wish}");
        }
    }
}
