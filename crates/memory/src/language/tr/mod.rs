//! Turkish: search knows its word forms; what is said in it is not distilled. Without stop words nothing is lost:
//! frequent words weigh little in the ranking anyway.

mod endings;
mod given;
mod time;
mod wishes;

use rust_stemmers::Algorithm;

use super::{WordScript, SearchTables, LanguageTables};

pub(super) const TABLES: LanguageTables = LanguageTables {
    code: "tr",
    script: WordScript::Latin,
    search: Some(SearchTables { stemmer: Algorithm::Turkish, stop_words: "" }),
    time: Some(&time::TIME),
    endings: Some(&endings::ENDINGS),
    given: Some(&given::GIVEN),
    wishes: Some(&wishes::WISHES),
    speech: None,
};
