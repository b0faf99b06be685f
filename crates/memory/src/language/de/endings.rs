//! German: how people say that something is over, and that something is not so.

use crate::language::EndingWords;

pub(super) const ENDINGS: EndingWords = EndingWords {
    phrases: &[
        "nicht mehr",
        "kein … mehr",
        "keine … mehr",
        "keinen … mehr",
        "doch nicht",
        "doch kein",
        "doch keine",
        "gekündigt",
        "kündigte",
        "aufgehört",
        "aufgegeben",
        "verkauft",
        "abgesagt",
        "gestrichen",
        "in rente",
        "ausgezogen",
        "weggezogen",
        "umgestiegen von",
        "vorbei",
        "abgebrochen",
        "abgegeben",
    ],
    deaths: &["gestorben", "verstorben", "eingeschläfert"],
    partings: &[
        "getrennt",
        "geschieden",
        "scheidung",
        "schluss gemacht",
        "auseinander",
        "verlobung gelöst",
    ],
    partners: "freund freundin mann frau partner partnerin verlobter verlobte verlobten verheiratet verlobt ehemann ehefrau lebensgefährte lebensgefährtin",
    negations: "nicht kein keine keinen",
};
