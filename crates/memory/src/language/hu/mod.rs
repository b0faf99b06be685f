//! Hungarian: search knows its word forms; what is said in it is not distilled. Without stop words nothing is lost:
//! frequent words weigh little in the ranking anyway.

use rust_stemmers::Algorithm;

use super::{WordScript, SearchTables, LanguageTables};

pub(super) const TABLES: LanguageTables = LanguageTables {
    code: "hu",
    script: WordScript::Latin,
    search: Some(SearchTables { stemmer: Algorithm::Hungarian, stop_words: "" }),
    time: None,
    endings: None,
    given: None,
    wishes: None,
    speech: None,
};
