//! Turkish: search knows its word forms; what is said in it is not distilled. Without stop words nothing is lost:
//! frequent words weigh little in the ranking anyway.

use rust_stemmers::Algorithm;

use super::{Script, Search, Tables};

pub(super) const TABLES: Tables = Tables {
    code: "tr",
    script: Script::Latin,
    search: Some(Search { stemmer: Algorithm::Turkish, stop_words: "" }),
    speech: None,
};
