//! Italian: statements of feeling.

use crate::language::feelings::{ABOUT, FEELING, Feelings, PREDICATE, SAYS, SAYS_ABOUT};
use crate::language::rule::DistilRule;

pub(super) const FEELINGS: Feelings = Feelings { rules: RULES, words: WORDS, good: GOOD };

// One rule a line, so that the table can be read as one.
#[rustfmt::skip]
const RULES: &[DistilRule] = &[
    ABOUT.on("feels_about", "[io] sono|mi_sento|mi_sono_sentito|mi_sono_sentita ~ {feeling} <per|di|con|da> {object}").says(SAYS_ABOUT, PREDICATE),
    FEELING.on("feels", "[io] sono|mi_sento|mi_sono_sentito|mi_sono_sentita ~ {feeling}").says(SAYS, PREDICATE),
    FEELING.on("has", "[io] ho ~ {feeling}").says(SAYS, PREDICATE),
];

const WORDS: &str = "
    triste felice contento contenta ansioso ansiosa nervoso nervosa preoccupato preoccupata stressato stressata
    sopraffatto sopraffatta solo sola arrabbiato arrabbiata deluso delusa orgoglioso orgogliosa grato grata
    sollevato sollevata emozionato emozionata entusiasta frustrato frustrata esausto esausta depresso depressa
    spaventato spaventata infelice geloso gelosa sereno serena paura vergogna ansia";

/// Of these, those that feel good; the others feel bad.
const GOOD: &str = "
    felice contento contenta orgoglioso orgogliosa grato grata sollevato sollevata emozionato emozionata entusiasta
    sereno serena";
