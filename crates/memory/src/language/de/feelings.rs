//! German: statements of feeling.

use crate::language::feelings::{ABOUT, FEELING, Feelings, PREDICATE, SAYS, SAYS_ABOUT};
use crate::language::rule::DistilRule;

pub(super) const FEELINGS: Feelings = Feelings { rules: RULES, words: WORDS, good: GOOD };

// One rule a line, so that the table can be read as one.
#[rustfmt::skip]
const RULES: &[DistilRule] = &[
    ABOUT.on("feels_about", "ich ~ bin|fühle_mich|fühl_mich|war ~ {feeling} <wegen|über|auf|vor> {object}").says(SAYS_ABOUT, PREDICATE),
    FEELING.on("feels", "ich ~ bin|fühle_mich|fühl_mich ~ {feeling}").says(SAYS, PREDICATE),
    ABOUT.on("fears", "ich ~ habe|hab ~ {feeling} <vor|um> {object}").says(SAYS_ABOUT, PREDICATE),
];

const WORDS: &str = "
    traurig glücklich froh ängstlich nervös besorgt gestresst überfordert einsam allein wütend
    enttäuscht stolz dankbar erleichtert aufgeregt verzweifelt frustriert erschöpft deprimiert
    unglücklich eifersüchtig beschämt angst sorge sorgen heimweh zufrieden";

/// Of these, those that feel good; the others feel bad.
const GOOD: &str = "glücklich froh stolz dankbar erleichtert zufrieden";
