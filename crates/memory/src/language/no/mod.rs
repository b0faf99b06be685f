//! Norwegian: search knows its word forms; what is said in it is not distilled.

use rust_stemmers::Algorithm;

use super::{WordScript, SearchTables, LanguageTables};

pub(super) const TABLES: LanguageTables = LanguageTables {
    code: "no",
    script: WordScript::Latin,
    search: Some(SearchTables { stemmer: Algorithm::Norwegian, stop_words: STOP_WORDS }),
    time: None,
    endings: None,
    given: None,
    wishes: None,
    speech: None,
};

const STOP_WORDS: &str = "
    alle at av bare begge ble blei bli blir da de deg dei deim den denne der dere deres det dette di din disse ditt du
    eg ein eit eller en er et etter for fordi fra før ha hadde han hans har henne hennes her hos hun hva hvem hver hvor
    hvordan hvorfor i ikke inn ja jeg kan kunne man mange med meg meget men mer mest min mitt mot mye nå når noe noen
    og også om opp oss over på samme seg selv sin sitt skal skulle som så til ut var vi vil ville vår være vært";
