//! Dutch: search knows its word forms; what is said in it is not distilled.

mod endings;
mod given;
mod time;
mod wishes;

use rust_stemmers::Algorithm;

use super::{WordScript, SearchTables, LanguageTables};

pub(super) const TABLES: LanguageTables = LanguageTables {
    code: "nl",
    script: WordScript::Latin,
    search: Some(SearchTables { stemmer: Algorithm::Dutch, stop_words: STOP_WORDS }),
    time: Some(&time::TIME),
    endings: Some(&endings::ENDINGS),
    given: Some(&given::GIVEN),
    wishes: Some(&wishes::WISHES),
    speech: None,
};

const STOP_WORDS: &str = "
    aan al alle alles als altijd andere ben bij daar dan dat de der deze die dit doch doen door dus een en er ge geen
    haar had heb hebben heeft hem het hier hij hoe hun iemand iets ik in is ja je jou jouw kan kon kunnen maar me meer
    men met mij mijn moet na naar niet niets nog nu of om omdat onder ons ook op over reeds te tegen toch toen tot u
    uit uw van veel voor waar waarom wanneer want waren was wat we wel welke werd wie wij wil worden wordt zal ze zei
    zelf zich zij zijn zo zonder zou";
