//! Italian.

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
    code: "it",
    script: WordScript::Latin,
    search: Some(SearchTables { stemmer: Algorithm::Italian, stop_words: STOP_WORDS }),
    time: Some(&time::TIME),
    endings: Some(&endings::ENDINGS),
    given: Some(&given::GIVEN),
    wishes: Some(&wishes::WISHES),
    speech: Some(SpeechTables {
        lexicon: LEXICON,
        feelings: FEELINGS,
        secrets: SECRETS,
        role_play: &[
            "fai finta di ",
            "fingi di ",
            "comportati come ",
            "immagina di essere ",
            "sei un ",
            "sei una ",
            "recita la parte",
            "gioco di ruolo",
        ],
        memory_refusals: &[
            "non ricordare",
            "non memorizzare",
            "non salvare",
            "dimentica questo",
            "dimentica quello che",
        ],
        text_work: "traduci correggi riassumi migliora riscrivi riformula rivedi",
        greetings: "ciao salve buongiorno buonasera grazie",
        users: "utente utenti",
        abbreviations: "sig sig.ra dott avv",
    }),
};

const SECRETS: SecretWords = SecretWords {
    passwords: "parola d'ordine, parola chiave",
    everyday_passwords: "",
    api_keys: "chiave api",
    verbs: "è era",
    attached_verbs: &[],
    changes: "in a con",
    connections: "di del della dell' per su",
    fillers: "adesso ora ancora semplicemente",
    harmless: "sbagliata errata scaduta sicura debole forte lunga corta uguale diversa dimenticata cambiata \
        molto troppo non mai sempre anche il lo la i gli le un una mia tua sua nel nella che di",
};
