//! Portuguese: statements of feeling.

use crate::language::feelings::{ABOUT, FEELING, Feelings, PREDICATE, SAYS, SAYS_ABOUT};
use crate::language::rule::DistilRule;

pub(super) const FEELINGS: Feelings = Feelings { rules: RULES, words: WORDS, good: GOOD };

// One rule a line, so that the table can be read as one.
#[rustfmt::skip]
const RULES: &[DistilRule] = &[
    ABOUT.on("feels_about", "[eu] estou|me_sinto|sinto-me|ando ~ [muito|tão|bastante] {feeling} <por|com|sobre> {object}").says(SAYS_ABOUT, PREDICATE),
    FEELING.on("feels", "[eu] estou|me_sinto|sinto-me|ando ~ [muito|tão|bastante] {feeling}").says(SAYS, PREDICATE),
];

const WORDS: &str = "
    triste feliz contente ansioso ansiosa nervoso nervosa preocupado preocupada estressado estressada
    stressado stressada sozinho sozinha zangado zangada irritado irritada desapontado desapontada
    orgulhoso orgulhosa grato grata aliviado aliviada animado animada frustrado frustrada exausto
    exausta deprimido deprimida assustado assustada";

/// Of these, those that feel good; the others feel bad.
const GOOD: &str = "feliz aliviado aliviada contente orgulhoso orgulhosa grato grata animado animada";
