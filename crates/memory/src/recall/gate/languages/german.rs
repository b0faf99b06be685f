//! German, folded: ß is ss, and umlauts have lost their dots.

use crate::language::Language;
use crate::recall::gate::pattern::{PhraseGroup, PhraseTable};

pub(in crate::recall::gate) const TABLE: PhraseTable = PhraseTable {
    language: Language::German,
    marks: &[
        "ich", "du", "ist", "und", "der", "das", "wir", "nicht", "habe", "hast", "wie", "mir", "wo", "wer",
        "fur", "welche", "welcher", "welches", "zu", "sind", "kannst",
    ],
    phrases: &[
        (
            PhraseGroup::Identity,
            &[
                "wie heisse ich",
                "wer bin ich",
                "was weisst|weist du alles? uber mich",
                "was du uber mich weisst",
                "wo arbeite|wohne|lebe|studiere ich",
                "wie alt bin ich",
                "wie ist|lautet mein name|vorname|nachname",
                "was ist mein name|beruf|job|alter|geburtstag",
                "kennst du mich|meinen",
                "weisst du noch? wer ich bin",
                "weisst du noch? wie ich heisse",
                "weisst du noch? wo ich",
                "wann habe ich geburtstag",
                "wann ist mein geburtstag",
                "was mache|arbeite ich beruflich",
            ],
        ),
        (
            PhraseGroup::Transcript,
            &[
                "was genau? habe|hab ich genau? gesagt|geschrieben|getippt|gefragt",
                "was habe|hab ich dir genau? gesagt|geschrieben|gefragt",
                "was ich genau? gesagt|geschrieben habe",
                "meine genauen worte",
                "mein genauer wortlaut",
                "zitiere was ich",
                "wiederhole|wiederhol was ich",
            ],
        ),
        (
            PhraseGroup::Time,
            &[
                "gestern|vorgestern|neulich|kurzlich|fruher|zuvor",
                "letzte|letzten|letztes|letzter|letztem woche|monat|jahr|mal|sitzung|nacht|wochenende|sommer|winter",
                "letzten montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag",
                "vor _ tag|tagen|woche|wochen|monat|monaten|jahr|jahren|stunde|stunden",
                "am montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag",
                "im januar|februar|marz|april|mai|juni|juli|august|september|oktober|november|dezember",
                "wann habe|hab|hatte|war|bin ich",
                "wann haben|hatten|waren|sind wir",
            ],
        ),
        (
            PhraseGroup::Prior,
            &[
                "wir besprochen|gesprochen|geredet|diskutiert|vereinbart|beschlossen",
                "haben wir uber",
                "wir uber _ gesprochen|geredet",
                "du gesagt|erwahnt|erzahlt|empfohlen|vorgeschlagen",
                "du mir _? gesagt|erzahlt|empfohlen|vorgeschlagen|geraten",
                "erinnerst du dich",
                "weisst du noch",
                "wie ich schon? sagte|erwahnte",
                "wie ich schon? gesagt|erwahnt habe",
                "ich dir _? gesagt|erzahlt|geschrieben",
                "unser|unserem|unserer|unsere|unseren letzte|letzten|letztes|letzter|fruheren|vorherigen gesprach|unterhaltung|chat|sitzung|gesprache|gesprachen",
            ],
        ),
        (
            PhraseGroup::Recall,
            &[
                "erinnere|erinner|erinnerst|erinnern",
                "vergiss|vergessen|merk|merke",
                "habe|hab ich _? erwahnt|erzahlt|gesagt",
            ],
        ),
        (
            PhraseGroup::Mine,
            &["mein|meine|meinen|meinem|meiner|meines|unser|unsere|unseren|unserem|unserer|unseres _"],
        ),
    ],
};
