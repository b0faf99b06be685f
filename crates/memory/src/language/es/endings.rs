//! Spanish: how people say that something is over, and that something is not so.

use crate::language::EndingWords;

pub(super) const ENDINGS: EndingWords = EndingWords {
    phrases: &[
        "ya no",
        "dejé",
        "deje",
        "dejamos",
        "he dejado",
        "renuncié",
        "me fui de",
        "separé",
        "vendí",
        "vendimos",
        "cancelaron",
        "cancelé",
        "canceló",
        "se canceló",
        "jubilé",
        "me despidieron",
        "me mudé de",
        "al final no",
        "se acabó",
        "abandoné",
    ],
    deaths: &["murió", "falleció", "ha muerto"],
    partings: &[
        "terminamos",
        "rompimos",
        "separamos",
        "divorciamos",
        "divorcié",
        "divorciado",
        "divorciada",
        "divorcio",
        "cortamos",
        "lo dejamos",
    ],
    partners: "novio novia marido esposo esposa mujer pareja prometido prometida casado casada",
    negations: "no nunca",
};
