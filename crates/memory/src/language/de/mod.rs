//! German.

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
    code: "de",
    script: WordScript::Latin,
    search: Some(SearchTables { stemmer: Algorithm::German, stop_words: STOP_WORDS }),
    time: Some(&time::TIME),
    endings: Some(&endings::ENDINGS),
    given: Some(&given::GIVEN),
    wishes: Some(&wishes::WISHES),
    speech: Some(SpeechTables {
        lexicon: LEXICON,
        feelings: FEELINGS,
        secrets: SECRETS,
        role_play: &[
            "stell dir vor, du ",
            "tu so, als ",
            "tu so als ",
            "spiel die rolle",
            "spiele die rolle",
            "du bist jetzt ",
            "du bist ein ",
            "du bist eine ",
            "rollenspiel",
        ],
        memory_refusals: &[
            "merk dir das nicht",
            "merke dir das nicht",
            "speichere das nicht",
            "vergiss das",
            "vergiss, was ich",
        ],
        text_work: "übersetze übersetz korrigiere korrigier verbessere überarbeite kürze formuliere \
            zusammenfasse",
        greetings: "hallo danke",
        users: "Benutzer Nutzer Nutzerin",
        abbreviations: "z.b bzw",
    }),
};

const SECRETS: SecretWords = SecretWords {
    passwords: "passwort, kennwort",
    everyday_passwords: "",
    api_keys: "api schlüssel",
    verbs: "ist lautet war",
    attached_verbs: &[],
    changes: "auf zu",
    connections: "für vom von zum zur im am beim dort",
    fillers: "jetzt nun noch einfach",
    harmless: "falsch richtig abgelaufen sicher unsicher schwach stark kurz lang einfach gleich anders \
        nicht nie immer auch zu sehr der die das ein eine mein dein unser im auf für vergessen \
        geändert",
};
