//! Danish: search knows its word forms; what is said in it is not distilled.

use rust_stemmers::Algorithm;

use super::{WordScript, SearchTables, LanguageTables};

pub(super) const TABLES: LanguageTables = LanguageTables {
    code: "da",
    script: WordScript::Latin,
    search: Some(SearchTables { stemmer: Algorithm::Danish, stop_words: STOP_WORDS }),
    time: None,
    endings: None,
    given: None,
    wishes: None,
    speech: None,
};

const STOP_WORDS: &str = "
    af alle alt anden at blev blive bliver da de dem den denne der deres det dette dig din disse dog du efter eller en
    end er et for fra ham han hans har havde have hende hendes her hos hun hvad hvem hvis hvor hvordan hvorfor i ikke
    ind jeg jer jo kunne man mange med meget men mig min mine mit mod ned noget nogle nu når og også om op os over på
    sig sin sine sit skal skulle som sådan til ud under var vi vil ville vor være været";
