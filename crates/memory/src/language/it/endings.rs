//! Italian: how people say that something is over, and that something is not so.

use crate::language::EndingWords;

pub(super) const ENDINGS: EndingWords = EndingWords {
    phrases: &[
        "non … più",
        "non piu",
        "ho smesso",
        "smesso di",
        "ho lasciato",
        "ha lasciato",
        "dimesso",
        "dimessa",
        "venduto",
        "venduta",
        "annullato",
        "annullata",
        "andato in pensione",
        "andata in pensione",
        "licenziato",
        "licenziata",
        "alla fine non",
        "è finita",
        "abbandonato",
    ],
    deaths: &["morto", "morta", "mancato"],
    partings: &[
        "lasciati",
        "separati",
        "separata",
        "separato",
        "divorziato",
        "divorziata",
        "divorziati",
        "divorzio",
        "rotto con",
    ],
    partners: "ragazzo ragazza fidanzato fidanzata marito moglie compagno compagna sposato sposata",
    negations: "non no mai",
};
