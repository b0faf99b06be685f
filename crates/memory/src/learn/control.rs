//! Requests to forget, not to keep, and to keep nothing at all, by their words. The judge of speech says whether they are meant.

use std::sync::LazyLock;

use super::decide::{all_plain, contains_words, plain};
use super::wish::{self, AskedSilence, Plainness, WishForm};
use crate::types::Turn;

/// Whether a text asks somewhere that something not be kept. This is all that is known of it where nobody judges what is meant.
pub fn asks_not_to_keep(text: &str) -> bool {
    let sentences =
        text.split(". ").flat_map(|part| part.split(['\n', '!', '?', ';', '。', '！', '？', '।', '؟', '۔']));
    let mut sentences = sentences.filter(|sentence| !sentence.is_empty());
    let goes_on = WishForm::Asked(Plainness::GoesOn);
    sentences.any(|sentence| {
        let form = wish_form(sentence);
        matches!(form, WishForm::Asked(_)) && form != goes_on || asks_for_silence(sentence)
    })
}

/// How a sentence names something by its having been told, folded; a wish right behind it points there.
const NAMED_AS_TOLD: &[&str] = &[
    "what i said",
    "what i told you",
    "what i wrote",
    "thing i said",
    "thing i told",
    "bit about",
    "was ich über",
    "was ich von",
    "was ich dir",
    "das mit",
    "sache mit",
    "wat ik zei",
    "wat ik vertelde",
    "wat ik je",
    "dat van",
    "ce que j'ai dit",
    "ce que je t'ai",
    "ce que j'ai raconté",
    "l'histoire de",
    "lo que dije",
    "lo que te dije",
    "lo que te conté",
    "lo de",
    "o que eu disse",
    "o que te disse",
    "o que falei",
    "o que contei",
    "aquilo do",
    "aquilo da",
    "quello che ho detto",
    "quello che ti ho",
    "quella cosa di",
    "co mówiłam",
    "co mówiłem",
    "что я говорил",
    "что я сказал",
    "что я рассказ",
    "dediğim",
    "anlattığım",
    "söylediğim",
    "اللي قلته",
    "ما قلته",
    "اللي حكيته",
    "जो मैंने",
    "वाली बात",
    "我说的",
    "我刚才说",
    "我提到",
    "話した",
    "言った",
    "말한 거",
    "얘기한 거",
    "말했던",
];

static PLAIN_NAMED_AS_TOLD: LazyLock<Vec<String>> = LazyLock::new(|| all_plain(NAMED_AS_TOLD));

/// Whether a sentence names something by its having been told.
pub(super) fn names_what_was_told(text: &str) -> bool {
    let folded = plain(text);
    PLAIN_NAMED_AS_TOLD.iter().any(|phrase| contains_words(&folded, phrase))
}

/// How people ask that something be kept in mind by asking that it not be forgotten.
const NOT_TO_FORGET: &[&str] = &[
    "don't forget",
    "do not forget",
    "never forget",
    "merk dir",
    "запомни",
    "onthoud",
    "zapamiętaj",
    "ricordati",
    "覚えといて",
    "覚えておいて",
    "覚えてて",
    "记住",
    "기억해",
    "vergiss nicht",
    "vergiss bitte nicht",
    "vergesst nicht",
    "no olvides",
    "no te olvides",
    "n'oublie pas",
    "n'oubliez pas",
    "não esqueça",
    "não esquece",
    "não se esqueça",
    "non dimenticare",
    "non dimenticarti",
    "non scordare",
    "vergeet niet",
    "nie zapomnij",
    "nie zapominaj",
    "не забудь",
    "не забывай",
    "unutma",
    "لا تنس",
    "لا تنسي",
    "मत भूल",
    "भूलना मत",
    "भूलो मत",
    "别忘",
    "不要忘",
    "忘れないで",
    "잊지 마",
    "잊지 말",
];

/// Whether a text asks that something not be forgotten.
pub(super) fn asks_not_to_forget(text: &str) -> bool {
    static PLAIN: LazyLock<Vec<String>> = LazyLock::new(|| all_plain(NOT_TO_FORGET));
    let folded = plain(text);
    PLAIN.iter().any(|phrase| contains_words(&folded, phrase))
}

/// Whether a text has the words of a wish to forget; whether it is one, a judge says.
pub(super) fn has_words_of_a_wish(text: &str) -> bool {
    matches!(wish_form(text), WishForm::Asked(_)) || asks_for_silence(text)
}

/// What a sentence asks a memory for by its form. Who speaks of a place in a program asks for nothing.
pub(super) fn wish_form(text: &str) -> WishForm {
    if names_a_place_in_code(text) { WishForm::Ordinary } else { wish::form_of(text) }
}

/// Words before the place where something is stored.
const INTO: &[&str] = &[
    "in", "into", "inside", "to", "im", "ins", "en", "dans", "nel", "nella", "em", "no", "na", "w", "do", "в",
];

/// Whether a sentence speaks of a place in a program: "don't store them in localStorage" is no request to forget.
fn names_a_place_in_code(sentence: &str) -> bool {
    let words: Vec<&str> = sentence.split_whitespace().collect();
    words.windows(2).any(|pair| INTO.contains(&pair[0].to_lowercase().as_str()) && is_code(pair[1]))
}

/// Endings of files that people name.
const FILES: &[&str] = &[
    "js", "ts", "py", "rs", "go", "java", "json", "yml", "yaml", "toml", "xml", "env", "txt", "md", "csv",
    "sql", "ini",
];

/// Whether a word is one of a program: `localStorage`, `save_all`, `config.yml`.
fn is_code(word: &str) -> bool {
    let is_around = |character: char| !character.is_alphanumeric();
    // "@anna_k" is somebody.
    if word.trim_start_matches(['(', '"', '\'']).starts_with('@') {
        return false;
    }
    let word = word.trim_matches(is_around);
    let letters: Vec<char> = word.chars().collect();
    let hump = letters.windows(2).skip(1).any(|pair| pair[0].is_lowercase() && pair[1].is_uppercase());
    let starts_low = letters.len() > 1 && letters[..2].iter().all(|letter| letter.is_lowercase());
    let file =
        word.rsplit_once('.').is_some_and(|(name, ending)| !name.is_empty() && FILES.contains(&ending));
    hump && starts_low || word.contains('_') || file
}

/// Parts of such requests that mean all that is said, word for word.
const ALL_OF_IT: &[&str] = &[
    "any",
    "everything",
    "it all",
    "incognito",
    "off the record",
    "keep this off",
    "nichts",
    "alles",
    "nada",
    "todo",
    "rien",
    "tout",
    "tudo",
    "niente",
    "tutto",
    "ничего",
    "все",
];

/// The same of wishes that are about something.
const ALL_ABOUT_IT: &[&str] = &[
    "all of",
    "all that",
    "all about",
    "all i",
    "wszystko",
    "her seyi",
    "hepsini",
    "كل",
    "सब",
    "सारी",
    "전부",
    "모두",
];

/// The same in scripts that write no spaces, of both.
const ALL_UNSPACED: &[&str] = &["全部", "一切", "何も", "すべて", "都忘", "都删"];

/// How people are reminded of something to do, folded, and what may follow where it is to be so always.
const ERRANDS: &[&str] = &[
    "forget to",
    "remember to",
    "oublie pas de",
    "oubliez pas de",
    "dimenticare di",
    "esquecas de",
    "esqueca de",
    "vergeet niet om",
];
const FOR_GOOD: &[&str] = &["always", "never", "only", "call", "toujours", "sempre", "altijd", "nooit"];

/// Whether a text reminds of something to do once: "don't forget to buy milk" tells nothing.
pub(super) fn is_errand(text: &str) -> bool {
    let folded = plain(text);
    ERRANDS.iter().any(|errand| {
        let behind = folded.split_once(errand).map(|(_, behind)| behind.trim_start());
        behind.is_some_and(|behind| !FOR_GOOD.iter().any(|word| behind.starts_with(word)))
    }) && !folded.contains(',')
}

/// Whether a wish is for all of something: "forget about my meds, all of it".
pub(super) fn asks_for_all(text: &str) -> bool {
    let folded = plain(text);
    means_all(&folded) || ALL_ABOUT_IT.iter().any(|part| has_words(&folded, &plain(part)))
}

fn means_all(folded: &str) -> bool {
    ALL_OF_IT.iter().any(|part| has_words(folded, part))
        || ALL_UNSPACED.iter().any(|part| folded.contains(part))
}

/// Whether a text has some words, whole and one behind the other.
fn has_words(folded: &str, words: &str) -> bool {
    let all: Vec<&str> = folded.split_whitespace().collect();
    let wanted: Vec<&str> = words.split(' ').collect();
    all.windows(wanted.len()).any(|window| window == wanted)
}

/// Whether a text asks that nothing at all be kept. "Forget everything I told you about Clara" does not: that is a wish about Clara.
pub(super) fn asks_for_silence(text: &str) -> bool {
    silence_of(text).is_some()
}

/// The same, and whether it names the conversation.
pub(super) fn silence_of(text: &str) -> Option<AskedSilence> {
    wish::silence_of(text).filter(|_| !names_a_place_in_code(text))
}

/// "I don't remember the details" tells that something slipped one's mind, and asks for nothing; who goes on with an order does.
pub(super) fn tells_of_not_remembering(text: &str) -> bool {
    let folded = plain(text);
    let starts = ["i dont", "i cant", "i cannot", "i do not", "we dont", "we cant"];
    let begins = starts
        .iter()
        .any(|who| ["remember", "recall"].iter().any(|verb| folded.starts_with(&format!("{who} {verb}"))));
    begins && !["delete", "erase", "remove", "forget", "drop"].iter().any(|order| has_words(&folded, order))
}

/// Whether the user asked anywhere in the session that nothing be kept of it.
pub fn session_asks_to_forget<'a>(turns: impl IntoIterator<Item = &'a Turn>) -> bool {
    let users = turns.into_iter().filter(|turn| turn.role == crate::types::Role::User);
    users.into_iter().any(|turn| asks_not_to_keep(&turn.text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_orders_silence_orders_a_memory() {
        for order in ["Do not save any of that.", "Please forget everything I said!", "Go incognito."] {
            assert!(asks_for_silence(order), "{order}");
        }
        for other in ["I don't save any money", "Do not save the file yet", "We never forget everything"] {
            assert!(!asks_for_silence(other), "{other}");
        }
    }

    #[test]
    fn who_names_a_matter_does_not_ask_for_silence() {
        for silence in [
            "forget everything I said",
            "forget everything about this",
            "forget everything about me, please",
            "don't save any of that",
            "不要记住一切",
            "不要记住有关我的一切",
            "今日のことは何も覚えないで",
            "今日のことは全部忘れて",
            "Go incognito, I want to talk about my divorce",
            "Off the record: I am worried about Tom, don't save any of it",
            "don't save any of this, it happened about two years ago",
            "could you not save anything of this",
            "О, забудь это всё",
            "no guardes nada de esto, sobre todo lo del médico",
        ] {
            assert!(asks_for_silence(silence), "{silence}");
        }
        for wish in [
            "forget everything I told you about Clara",
            "forget everything about that job interview",
            "forget everything about it and about Clara",
            "vergiss das alles über Jana",
            "vergiss das alles über das Haus",
            "olvida eso, todo lo de Lucía",
            "olvida eso, todo sobre mi madre",
            "oublie ça, tout ce que j'ai dit sur nos vacances",
            "забудь это всё про Лену",
            "забудь это всё про это собеседование",
            "美咲のことは全部忘れてください",
        ] {
            assert!(!asks_for_silence(wish) && asks_for_all(wish), "{wish}");
        }
    }

    #[test]
    fn all_is_a_word_and_not_a_part_of_one() {
        for other in [
            "京都の話は忘れて",
            "이사한다 잊어줘",
            "전부터 그랬어",
            "انس مشكلتي",
            "забудь совсем про это",
            "forget the all-nighter after all",
        ] {
            assert!(!asks_for_all(other), "{other}");
        }
    }

    #[test]
    fn who_does_not_remember_asks_for_nothing() {
        assert!(tells_of_not_remembering("I don't remember the details, but I live in Oslo."));
        for order in
            ["I don't remember giving you my address, please delete it", "please don't remember that"]
        {
            assert!(!tells_of_not_remembering(order), "{order}");
        }
    }

    #[test]
    fn a_wish_has_its_words_in_fifteen_languages() {
        for wish in [
            "actually please forget about Pete",
            "Vergiss bitte, was ich über Jens gesagt habe",
            "vergiss, dass ich nicht verheiratet bin",
            "olvida lo de Marcos por favor",
            "oublie ce que je t'ai dit sur Paul",
            "esquece o que eu disse da Marta",
            "dimentica quello che ho detto di Luca",
            "vergeet wat ik over Sanne vertelde",
            "zapomnij o tym, co mówiłam o Marku",
            "забудь, что я говорил про Марину",
            "Elif'le ilgili söylediğimi unut lütfen",
            "انس ما قلته عن سارة",
            "रवि वाली बात भूल जाओ",
            "请忘掉我说的小雨的事",
            "美咲のことは忘れてください",
            "민수 얘기는 잊어줘",
        ] {
            assert!(has_words_of_a_wish(wish), "{wish}");
        }
        for other in [
            "don't forget about the milk",
            "I always forget about my keys",
            "Vergiss nicht, dass ich allergisch bin",
            "vergiss das bitte nicht",
            "no olvida nunca una cara",
            "n'oublie pas que je suis végétarien",
            "não esquece que eu sou alérgica",
            "vergeet niet dat ik vegetarisch ben",
            "nie zapomnij, że jestem uczulony",
            "не забудь, что я вегетарианка",
            "unutma, ben vejetaryenim",
            "لا تنس أنني نباتي",
            "भूलना मत कि मैं शाकाहारी हूँ",
            "别忘掉我的生日",
            "忘れないで、私は蕎麦アレルギーです",
            "내가 채식주의자인 거 잊지 마",
        ] {
            assert!(!has_words_of_a_wish(other), "{other}");
        }
    }

    #[test]
    fn who_asks_not_to_forget_asks_for_the_opposite() {
        for keep in [
            "don't forget about my peanut allergy",
            "Vergiss nicht, dass ich Nüsse nicht vertrage",
            "别忘了我吃素",
        ] {
            assert!(asks_not_to_forget(keep) && !has_words_of_a_wish(keep), "{keep}");
        }
        assert!(!asks_not_to_forget("forget my peanut allergy"));
    }

    #[test]
    fn only_orders_are_control_requests() {
        for order in [
            "Don't remember this",
            "please forget that",
            "use incognito",
            "do not save any of that",
            "Vergiss das bitte",
            "不要记住这个",
            "Fix the localStorage bug. And don't save this about my divorce.",
            "Don't save this (I was diagnosed with HIV).",
            "Please don't remember this...it's private",
            "Don't remember that I'm in the U.S. illegally",
            "不要记住这个(我的病)",
            "No, I don't. Forget that.",
            "Don't forget that I sing, and now forget that I said I smoke",
            "forget what I said about my iPhone",
        ] {
            assert!(asks_not_to_keep(order), "{order}");
        }
        for other in [
            "I don't remember the details",
            "I always forget that you need a visa",
            "remember this",
            "Unforgettable",
            "Don't store them in localStorage",
            "please don't save that to config.yml yet",
        ] {
            assert!(!asks_not_to_keep(other), "{other}");
        }
    }
}
