//! Russian.

mod distil;
mod endings;
mod feelings;
mod given;
mod stop_words;
mod time;
mod wishes;

use rust_stemmers::Algorithm;

use self::distil::LEXICON;
use self::feelings::FEELINGS;
use self::stop_words::STOP_WORDS;
use super::{WordScript, SearchTables, SecretWords, SpeechTables, LanguageTables};

pub(super) const TABLES: LanguageTables = LanguageTables {
    code: "ru",
    script: WordScript::Cyrillic,
    search: Some(SearchTables { stemmer: Algorithm::Russian, stop_words: STOP_WORDS }),
    time: Some(&time::TIME),
    endings: Some(&endings::ENDINGS),
    given: Some(&given::GIVEN),
    wishes: Some(&wishes::WISHES),
    speech: Some(SpeechTables {
        lexicon: LEXICON,
        feelings: FEELINGS,
        secrets: SECRETS,
        role_play: &[
            "представь, что ты ",
            "представьте, что вы ",
            "веди себя как ",
            "притворись ",
            "сыграй роль",
            "ролевая игра",
        ],
        memory_refusals: &["не запоминай", "не запоминайте", "не сохраняй", "забудь это", "забудь, что я"],
        text_work: "переведи переведите исправь исправьте сократи сократите перепиши перепишите улучши",
        greetings: "привет здравствуйте спасибо",
        users: "пользователь",
        abbreviations: "т.е т.д т.п ул",
    }),
};

const SECRETS: SecretWords = SecretWords {
    passwords: "пароль",
    everyday_passwords: "",
    api_keys: "ключ api",
    verbs: "это",
    attached_verbs: &[],
    changes: "на для",
    connections: "от для к",
    fillers: "теперь",
    harmless: "неверный неправильный слабый сильный надежный надёжный старый новый забыт изменен изменён не \
        никогда всегда очень слишком мой твой в на для от",
};
