//! Portuguese.

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
    code: "pt",
    script: WordScript::Latin,
    search: Some(SearchTables { stemmer: Algorithm::Portuguese, stop_words: STOP_WORDS }),
    time: Some(&time::TIME),
    endings: Some(&endings::ENDINGS),
    given: Some(&given::GIVEN),
    wishes: Some(&wishes::WISHES),
    speech: Some(SpeechTables {
        lexicon: LEXICON,
        feelings: FEELINGS,
        secrets: SECRETS,
        role_play: &[
            "aja como ",
            "finja que ",
            "faz de conta ",
            "imagine que você é ",
            "você é um ",
            "você é uma ",
            "tu és um ",
            "tu és uma ",
        ],
        memory_refusals: &[
            "não guarde",
            "não guardes",
            "não memorize",
            "não se lembre disto",
            "esqueça isso",
            "esquece isso",
        ],
        text_work: "traduza traduz corrija corrige resuma melhore reescreva reformule",
        greetings: "olá oi obrigado obrigada",
        users: "usuário usuária utilizador utilizadora",
        abbreviations: "sr sra",
    }),
};

const SECRETS: SecretWords = SecretWords {
    passwords: "senha, palavra passe",
    everyday_passwords: "",
    api_keys: "chave api",
    verbs: "é era",
    attached_verbs: &[],
    changes: "para por",
    connections: "do da de para",
    fillers: "agora ainda",
    harmless: "incorreta errada segura fraca forte longa curta igual diferente muito demasiado não nunca \
        sempre a o os as um uma minha tua sua que de",
};
