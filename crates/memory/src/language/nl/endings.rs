//! Dutch: how people say that something is over, and that something is not so.

use crate::language::EndingWords;

pub(super) const ENDINGS: EndingWords = EndingWords {
    phrases: &[
        "stop met",
        "in plaats van",
        "vervangen",
        "gewisseld",
        "afgeschaft",
        "overgestapt",
        "niet meer",
        "geen … meer",
        "niet langer",
        "toch niet",
        "toch geen",
        "opgezegd",
        "ontslag genomen",
        "ontslagen",
        "gestopt",
        "opgegeven",
        "verkocht",
        "afgezegd",
        "geannuleerd",
        "gaat niet door",
        "met pensioen",
        "weggegaan",
        "overgestapt van",
        "verhuisd van",
        "voorbij",
    ],
    unreal: &[
        "nog niet",
        "nog geen",
        "denk erover",
        "misschien",
        "als ik",
    ],
    deaths: &["overleden", "gestorven", "doodgegaan"],
    partings: &[
        "uit elkaar",
        "gescheiden",
        "scheiding",
        "uitgemaakt",
    ],
    partners: "vriend vriendin man vrouw partner verloofde getrouwd verloofd",
    negations: "niet geen nooit",
};
