//! Spanish.

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
    code: "es",
    script: WordScript::Latin,
    search: Some(SearchTables { stemmer: Algorithm::Spanish, stop_words: STOP_WORDS }),
    time: Some(&time::TIME),
    endings: Some(&endings::ENDINGS),
    given: Some(&given::GIVEN),
    wishes: Some(&wishes::WISHES),
    speech: Some(SpeechTables {
        lexicon: LEXICON,
        feelings: FEELINGS,
        secrets: SECRETS,
        role_play: &[
            "actúa como ",
            "imagina que eres ",
            "finge que ",
            "haz de cuenta ",
            "eres un ",
            "eres una ",
            "juego de rol",
        ],
        memory_refusals: &["no recuerdes", "no guardes", "olvida esto", "olvida lo que"],
        text_work: "traduce corrige resume mejora revisa reescribe reformula",
        greetings: "hola gracias",
        users: "usuario usuaria",
        abbreviations: "sra",
    }),
};

const SECRETS: SecretWords = SecretWords {
    passwords: "contraseña, contrasena",
    everyday_passwords: "clave",
    api_keys: "clave api",
    verbs: "es era",
    attached_verbs: &[],
    changes: "a por en",
    connections: "de del para en",
    fillers: "ahora todavía simplemente",
    harmless: "incorrecta segura débil fuerte larga corta igual diferente muy demasiado no nunca siempre la \
        el los las un una mi tu su que de",
};
