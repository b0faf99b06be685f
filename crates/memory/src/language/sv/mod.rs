//! Swedish: search knows its word forms; what is said in it is not distilled.

use rust_stemmers::Algorithm;

use super::{WordScript, SearchTables, LanguageTables};

pub(super) const TABLES: LanguageTables = LanguageTables {
    code: "sv",
    script: WordScript::Latin,
    search: Some(SearchTables { stemmer: Algorithm::Swedish, stop_words: STOP_WORDS }),
    time: None,
    endings: None,
    given: None,
    wishes: None,
    speech: None,
};

const STOP_WORDS: &str = "
    alla allt att av blev bli blir da de dem den denna deras dess det detta dig din dina ditt du dar då där efter ej
    eller en er era ett från för ha hade han hans har henne hennes hon honom hur här i icke in ingen inom inte jag ju
    kan kunde man med mellan men mig min mina mitt mot mycket ni nu när någon något några och om oss på samma sedan
    sig sin sina sitt själv skulle som så sådan till under upp ut utan vad var vara varför varit vars vart vem vi vid
    vilka vilken vilket vår våra än är åt över";
