//! Hindi: what is said of time is understood; search has no word forms for it, and what is said in it is not distilled.

mod endings;
mod given;
mod time;
mod wishes;

use super::{LanguageTables, WordScript};

pub(super) const TABLES: LanguageTables = LanguageTables {
    code: "hi",
    script: WordScript::Other,
    search: None,
    time: Some(&time::TIME),
    endings: Some(&endings::ENDINGS),
    given: Some(&given::GIVEN),
    wishes: Some(&wishes::WISHES),
    speech: None,
};
