//! German: how people ask that something be forgotten or that nothing be kept, and what only sounds so.

use crate::language::WishWords;

pub(super) const WISHES: WishWords = WishWords {
    orders: &[
        "vergiss", "vergesst", "vergessen sie", "^ vergesse", "ignorier* … was ich",
    ],
    deletions: &[
        "^ lösch", "^ lösche", "^ löschen sie", "^ entfern", "^ entferne", "^ entfernen sie", "^ streich",
        "^ streiche", "^ streichen sie", "^ tilg*", "bitte lösch", "bitte lösche", "bitte löschen",
        "bitte entfern*", "bitte streich*",
    ],
    removals: &[
        "^ nimm", "^ nehmen sie", "^ wirf", "bitte nimm", "nehmen", "nimmst",
    ],
    requests: &[
        "möglich dass du", "möglich dass sie", "dankbar wenn du", "froh wenn du", "freuen wenn du",
        "recht wenn du", "besser wenn du", "darfst du", "sei so lieb und", "sei so nett und",
        "seien sie so nett und", "tu mir den gefallen und", "kannst du", "kannste", "könntest du",
        "können sie", "könnten sie", "könntet ihr", "könnt ihr", "willst du", "würdest du", "würden sie",
        "magst du", "möchtest du", "möchte dass du", "möchte dass sie", "will dass du", "will dass sie",
        "wünsche mir dass", "wünschte du", "wäre lieber", "wär mir lieber", "wäre mir lieber",
        "wäre gut wenn du", "wär gut wenn du", "wäre schön wenn du", "wär schön wenn du", "wäre nett wenn du",
        "wäre froh wenn", "wäre dankbar wenn", "lieber wenn du", "lieber du", "hätte gern dass du",
        "hätte gerne dass du", "du sollst", "du solltest", "du musst", "du kannst", "du darfst", "sie sollten",
        "sie können", "bitte dich", "bitte sie", "bitte",
    ],
    forgetting: &[
        "vergess*", "vergiss*", "vergäß*",
    ],
    deleting: &[
        "lösch*", "gelöscht", "entfern*", "streich*", "gestrichen", "tilg*",
    ],
    refusals: &[
        "^ merk dir … nicht", "^ merke dir … nicht", "^ merk dir … nichts", "^ merken sie sich … nicht",
        "^ behalt … nicht", "^ behalte … nicht", "^ behalten sie … nicht", "^ speicher … nicht",
        "^ speichere … nicht", "^ speichern sie … nicht", "^ notier* … nicht", "bitte nicht merken",
        "bitte nicht speichern", "bitte nicht behalten", "nicht dass du dir … merkst",
        "nicht dass du … speicherst", "nicht dass du … behältst", "nicht dass sie sich … merken",
        "nicht dass sie … speichern", "musst du dir nicht merken", "brauchst du dir nicht",
    ],
    pretences: &[
        "tu so … nie", "tu so … nicht", "tun sie so … nie", "tun sie so … nicht", "tue so … nie",
        "hätte ich nicht sagen sollen", "tu so … nichts", "hätte ich dir nicht sagen sollen",
        "hätte ich dir nicht erzählen sollen", "hätte ich nicht erzählen sollen",
    ],
    memory: &[
        "deinem gedächtnis", "ihrem gedächtnis", "dem gedächtnis", "deinem speicher", "deinen notizen",
        "deinem kopf", "deinen erinnerungen",
    ],
    told: &[
        "vergiss dass", "vergiss bitte dass", "vergessen sie dass", "vergesst dass", "was ich", "das mit",
        "die sache mit", "sache mit", "geschichte mit", "alles über", "alles zu", "alles was du",
        "alles was mit", "was du über", "was du von", "was du zu", "was sie über", "informationen über",
        "infos über", "infos zu", "angaben zu", "dass ich",
    ],
    ordinary: &[
        "ich vergesse", "ich vergess", "vergesse ich", "vergess ich", "ich hab … vergessen",
        "ich habe … vergessen", "hab ich … vergessen", "habe ich … vergessen", "hab vergessen",
        "habe vergessen", "hat … vergessen", "haben … vergessen", "hatte … vergessen", "wir vergessen",
        "vergessen wir", "sie vergessen", "man vergisst", "vergisst man", "er vergisst", "sie vergisst",
        "nicht vergessen", "nie vergessen", "niemals vergessen", "vergisst", "vergiss … nicht",
        "vergiss … nie", "vergiss … niemals", "vergesst … nicht", "vergessen sie … nicht",
        "vergessen sie … nie", "ich soll … vergessen", "soll ich … vergessen", "er soll … vergessen",
        "sie soll … vergessen", "ich kann … vergessen", "ich will … vergessen", "ich möchte … vergessen",
        "ich werde … vergessen", "will … vergessen", "wie lösche", "wie kann ich", "wie man", "ständig",
        "dauernd", "^ vergiss es $",
    ],
    passed_on: &[
        "schreib", "schreibe", "schreiben sie", "sag", "sage", "sagen sie", "richte", "eine nachricht",
        "eine mail", "einen brief", "einen text", "ein gedicht", "ein lied", "er sagt*", "sie sagt*",
        "hat gesagt", "hat mir gesagt", "meinte", "übersetz*", "formulier*", "erinner", "erinnere",
    ],
    silences: &[
        "^ merk dir … nichts", "^ merk dir nix", "^ merke dir … nichts", "^ merken sie sich … nichts",
        "^ speicher … nichts", "^ speichere … nichts", "^ speichern sie … nichts", "^ behalt … nichts",
        "^ behalte … nichts", "^ behalten sie … nichts", "^ notier* … nichts", "^ sichere … nichts",
        "^ speicher* diese* gespräch nicht", "^ speicher* diese* chat nicht",
        "^ speicher* diese* unterhaltung nicht", "nichts … gespeichert werden", "nichts … behalten werden",
        "nichts … gemerkt werden", "bitte nichts … speichern", "bitte nichts … merken",
        "bitte nichts … behalten", "nicht dass du … irgendetwas", "nicht dass du … irgendwas",
        "nicht dass du … etwas", "nicht dass du … was … merkst", "nicht dass du … was … speicherst",
        "dass du nichts", "dass du dir nichts", "dass sie nichts", "dass sie sich nichts", "^ vergiss alles $",
        "^ vergiss dieses gespräch", "^ vergiss diese unterhaltung", "^ vergiss diesen chat",
    ],
    verb_far: true,
    openers: "bitte mal doch einfach hey hallo hi ok okay ach oh so und aber dann also jetzt eigentlich nun sorry \
        nein danke übrigens kurze sache ps noch was du schnell gut ja lieber",
    closers: "",
};
