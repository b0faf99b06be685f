//! French.

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
    code: "fr",
    script: WordScript::Latin,
    search: Some(SearchTables { stemmer: Algorithm::French, stop_words: STOP_WORDS }),
    time: Some(&time::TIME),
    endings: Some(&endings::ENDINGS),
    given: Some(&given::GIVEN),
    wishes: Some(&wishes::WISHES),
    speech: Some(SpeechTables {
        lexicon: LEXICON,
        feelings: FEELINGS,
        secrets: SECRETS,
        role_play: &[
            "agis comme ",
            "fais comme si ",
            "imagine que tu es ",
            "tu es un ",
            "tu es une ",
            "joue le rôle",
            "jeu de rôle",
        ],
        memory_refusals: &["ne retiens pas", "n'enregistre pas", "oublie ce que", "oublie ça"],
        text_work: "traduis traduisez corrige corrigez résume résumez améliore améliorez reformule \
            reformulez",
        greetings: "bonjour",
        users: "utilisateur utilisatrice",
        abbreviations: "mme",
    }),
};

const SECRETS: SecretWords = SecretWords {
    passwords: "mot de passe, mdp",
    everyday_passwords: "",
    api_keys: "clé api",
    verbs: "est était",
    attached_verbs: &[],
    changes: "par à en",
    connections: "pour de du des sur d'accès",
    fillers: "maintenant toujours simplement",
    harmless: "incorrect expiré faible fort court trop très pas jamais toujours le la les un une mon ton \
        son dans sur oublié",
};
