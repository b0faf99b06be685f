//! French: statements of feeling.

use crate::language::feelings::{ABOUT, FEELING, Feelings, PREDICATE, SAYS, SAYS_ABOUT};
use crate::language::rule::DistilRule;

pub(super) const FEELINGS: Feelings = Feelings { rules: RULES, words: WORDS, good: GOOD };

// One rule a line, so that the table can be read as one.
#[rustfmt::skip]
const RULES: &[DistilRule] = &[
    ABOUT.on("feels_about", "je suis|me_sens ~ [très|trop|si|vraiment|assez] {feeling} <par|pour|de> {object}").says(SAYS_ABOUT, PREDICATE),
    FEELING.on("feels", "je suis|me_sens ~ [très|trop|si|vraiment|assez] {feeling}").says(SAYS, PREDICATE),
    FEELING.on("has", "j' ai ~ [très|trop|si|vraiment] {feeling}").says(SAYS, PREDICATE),
];

const WORDS: &str = "
    triste heureux heureuse content contente anxieux anxieuse nerveux nerveuse inquiet inquiète stressé
    stressée dépassé dépassée seul seule fâché fâchée déçu déçue fier fière reconnaissant reconnaissante
    soulagé soulagée excité excitée frustré frustrée épuisé épuisée déprimé déprimée peur honte effrayé
    effrayée malheureux malheureuse";

/// Of these, those that feel good; the others feel bad.
const GOOD: &str =
    "content heureux heureuse contente fier fière reconnaissant reconnaissante soulagé soulagée";
