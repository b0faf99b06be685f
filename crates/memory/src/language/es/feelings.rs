//! Spanish: statements of feeling.

use crate::language::feelings::{ABOUT, FEELING, Feelings, PREDICATE, SAYS, SAYS_ABOUT};
use crate::language::rule::DistilRule;

pub(super) const FEELINGS: Feelings = Feelings { rules: RULES, words: WORDS, good: GOOD };

// One rule a line, so that the table can be read as one.
#[rustfmt::skip]
const RULES: &[DistilRule] = &[
    ABOUT.on("feels_about", "[yo] estoy|me_siento|me_he_sentido|ando ~ {feeling} <por|con|de|sobre> {object}").says(SAYS_ABOUT, PREDICATE),
    FEELING.on("feels", "[yo] estoy|me_siento|me_he_sentido|ando ~ {feeling}").says(SAYS, PREDICATE),
    FEELING.on("has", "[yo] tengo ~ {feeling}").says(SAYS, PREDICATE),
];

const WORDS: &str = "
    triste feliz contento contenta ansioso ansiosa nervioso nerviosa preocupado preocupada estresado
    estresada agobiado agobiada solo sola enojado enojada enfadado enfadada decepcionado decepcionada
    orgulloso orgullosa agradecido agradecida aliviado aliviada emocionado emocionada frustrado
    frustrada agotado agotada deprimido deprimida asustado asustada miedo vergüenza celos";

/// Of these, those that feel good; the others feel bad.
const GOOD: &str = "
    feliz contento contenta orgulloso orgullosa agradecido agradecida aliviado aliviada emocionado
    emocionada";
