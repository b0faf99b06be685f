//! French: how people say that something is over, and that something is not so.

use crate::language::EndingWords;

pub(super) const ENDINGS: EndingWords = EndingWords {
    phrases: &[
        "ne … plus",
        "n … plus",
        "n' … plus",
        "plus de … maintenant",
        "finalement pas",
        "ai arrêté",
        "arrêté de",
        "ai quitté",
        "a quitté",
        "démissionné",
        "vendu",
        "annulé",
        "annulée",
        "retraite depuis",
        "licencié",
        "licenciée",
        "abandonné",
        "c'est fini",
        "déménagé de",
    ],
    deaths: &["mort", "morte", "décédé", "décédée"],
    partings: &[
        "séparés",
        "séparée",
        "séparé",
        "rompu",
        "divorcé",
        "divorcée",
        "divorce",
        "quittés",
    ],
    partners: "copain copine mari femme compagnon compagne conjoint conjointe fiancé fiancée marié mariée",
    negations: "pas non plus jamais",
};
