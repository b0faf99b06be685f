//! German: how people ask that something be forgotten or that nothing be kept, and what only sounds so.

use crate::language::WishWords;

pub(super) const WISHES: WishWords = WishWords {
    orders: &[
        "vergiss", "vergesst", "^ vergessen sie", "bitte vergessen sie", "^ vergesse", "ignorier* … was ich",
        "vergessen sie bitte", "vergessen sie was",
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
        "seien sie so nett und", "tu mir den gefallen und", "willst du", "würdest du", "würden sie", "magst du",
        "möchtest du", "möchte dass du", "möchte dass sie", "will dass du", "will dass sie", "wünsche mir dass",
        "wünschte du", "wäre lieber", "wär mir lieber", "wäre mir lieber", "wäre gut wenn du",
        "wär gut wenn du", "wäre schön wenn du", "wär schön wenn du", "wäre nett wenn du", "wäre froh wenn",
        "wäre dankbar wenn", "lieber wenn du", "lieber du", "hätte gern dass du", "hätte gerne dass du",
        "du sollst", "du solltest", "du musst", "sie sollten", "bitte dich", "bitte sie", "bitte",
        "^ kannst du", "^ kannste", "^ könntest du", "^ können sie", "^ könnten sie", "^ könntet ihr",
        "^ könnt ihr", "^ du kannst", "^ du darfst", "^ sie können",
    ],
    forgetting: &[
        "vergess*", "vergiss*", "vergäß*",
    ],
    deleting: &[
        "lösch*", "gelöscht", "entfern*", "streich*", "gestrichen", "tilg*",
    ],
    refusals: &[
        "^ merk|merke dir … nicht|nichts|nix", "^ merken sie sich … nicht", "bitte nicht merken",
        "nicht dass du dir|das … merkst", "nicht dass sie sich … merken", "musst du dir nicht merken",
        "brauchst du dir nicht", "speicher|speichere|merk|merke|notier|behalt das|dies|es nicht|ned|net $",
        "das|dies bitte nicht speichern|merken|notieren|behalten", "das nicht speichern|merken|notieren $",
        "aber merk|merke dir das|dies nicht", "aber speicher|speichere das|dies nicht",
        "^ nicht speichern|merken|behalten|notieren bitte", "^ nicht merken|speichern $",
    ],
    keepings: &[
        "^ speicher|speichere|sicher|sichere|behalt|behalte|notier|notiere … nicht",
        "^ speichern|behalten|notieren sie … nicht", "behalten sie bitte nicht", "behalt nicht",
        "bitte nicht speichern|behalten|notieren", "nicht dass du … speicherst|behältst|notierst",
        "nicht dass sie … speichern|behalten",
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
    own: &[
        "mein|meine|meinen|meinem|meiner|unsere … adresse|telefonnummer|nummer|handynummer|geburtstag|geburtsdatum|email|mail|mailadresse|gehalt|lohn|alter|name|namen|nachnamen|gewicht|passwort|iban|miete|diagnose|wohnort",
    ],
    ordinary: &[
        "ich vergesse", "ich vergess", "vergesse ich", "vergess ich", "ich hab … vergessen",
        "ich habe … vergessen", "hab ich … vergessen", "habe ich … vergessen", "hab vergessen",
        "habe vergessen", "hat … vergessen", "haben … vergessen", "hatte … vergessen", "wir vergessen",
        "vergessen wir", "sie vergessen", "man vergisst", "vergisst man", "er vergisst", "sie vergisst",
        "nicht vergessen", "nie vergessen", "niemals vergessen", "vergisst", "vergiss … nicht", "vergiss … nie",
        "vergiss … niemals", "vergesst … nicht", "vergessen sie … nicht", "vergessen sie … nie",
        "ich soll … vergessen", "soll ich … vergessen", "er soll … vergessen", "sie soll … vergessen",
        "ich kann … vergessen", "ich will … vergessen", "ich möchte … vergessen", "ich werde … vergessen",
        "will … vergessen", "wie lösche", "wie kann ich", "wie man", "^ vergiss es $",
        "kann|konnte|will|möchte|darf ich … vergessen", "oft vergessen", "manchmal vergessen",
        "ich behalte|speichere|merke",
    ],
    passed_on: &[
        "richte", "eine nachricht", "eine mail", "einen brief", "einen text", "ein gedicht", "ein lied",
        "er sagt*", "sie sagt*", "hat gesagt", "hat mir gesagt", "meinte", "übersetz*", "formulier*", "erinner",
        "erinnere", "^ schreib|schreibe|sag|sage|richte", "bitte schreib|schreibe|sag", "schreiben|sagen sie",
        "schreib|schreibe|sag|sage ihm|ihr|ihnen|meinem|meiner|bitte",
        "kannst|könntest du … schreiben|sagen|ausrichten",
    ],
    silences: &[
        "^ merk|merke dir … nichts|nix", "^ merken sie sich … nichts",
        "^ speicher|speichere|sichere|notier|notiere|behalt|behalte … nichts|nix",
        "^ speichern|behalten|notieren sie … nichts",
        "^ speicher|speichere|sichere diese*|den|das|unser* gespräch|chat|unterhaltung nicht",
        "nichts … gespeichert|behalten|gemerkt|aufgezeichnet werden",
        "bitte nichts … speichern|merken|behalten|notieren|aufzeichnen",
        "bitte nichts speichern|merken|behalten",
        "nicht dass du … irgendetwas|irgendwas|etwas|was … merkst|speicherst|behältst|notierst",
        "nicht dass sie … irgendetwas|etwas|was … merken|speichern|behalten", "dass du dir nichts|nix … merkst",
        "dass du nichts|nix … speicherst|behältst|aufzeichnest|notierst", "dass sie sich nichts … merken",
        "dass sie nichts … speichern|behalten", "^ vergiss alles $",
        "^ vergiss dieses|diese|diesen|unser|unsere|das|den gespräch|unterhaltung|chat",
        "^ vergiss das|es alles $", "^ vergiss alles was ich", "^ vergiss das|alles hier",
    ],
    here: &[
        "diese*|unser*|dem|das|der|den|vom gespräch|chat|unterhaltung|konversation",
        "was ich hier|dir|jetzt|heute", "was wir", "hier", "heute", "davon", "von dem",
    ],
    about: &[
        "über|ueber|zu|von|vom|wegen|bezüglich|mit",
    ],
    about_behind: &[],
    pointing: "das dies dieses diese diesem dieser diesen es dem den der die was ich dir mir mich uns wir hier \
        heute jetzt gespräch unterhaltung chat konversation unserem unserer unseren unsere unser alles \
        allem nichts nix gesagt sage sag schreibe geschrieben schreib erzähle erzählt erzähl habe hab haben \
        reden gesprochen besprechen besprochen von vom aus mit im in ihnen so gerade eben gar da davon",
    verb_far: true,
    openers: "bitte mal doch einfach hey hallo hi ok okay ach oh so und aber dann also jetzt eigentlich nun sorry \
        nein danke übrigens kurze sache ps noch was du schnell gut ja lieber vielleicht pls aub ned",
    closers: "",
};
