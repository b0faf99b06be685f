//! Dutch: how people ask that something be forgotten or that nothing be kept, and what only sounds so.

use crate::language::WishWords;

pub(super) const WISHES: WishWords = WishWords {
    orders: &[
        "^ vergeet", "vergeet alsjeblieft", "vergeet alstublieft", "vergeet maar", "alsjeblieft vergeet",
        "alstublieft vergeet",
    ],
    deletions: &[
        "^ verwijder", "^ wis", "^ schrap", "alsjeblieft verwijder",
    ],
    removals: &[
        "^ haal", "^ gooi", "haal", "halen", "haalt",
    ],
    requests: &[
        "kunnen dat je", "mogelijk dat je", "vinden als je", "vinden als u", "dankbaar als je", "blij als je",
        "beter zijn als je", "je mag", "mag je", "kan je", "waarderen als je", "kun je", "kunt u", "kan u",
        "kon je", "kun u", "zou je", "zou u", "zou jij", "wil je", "wilt u", "wil jij", "wil dat je",
        "wil dat u", "wil graag dat je", "graag dat je", "graag dat u", "liever dat je", "liever als je",
        "liever dat u", "fijn als je", "fijn als u", "fijn zijn als je", "goed als je", "mooi als je",
        "beter als je", "je moet", "u moet", "je kunt", "jij moet", "vraag je", "vraag je om", "graag",
        "alsjeblieft", "alstublieft",
    ],
    forgetting: &[
        "vergeet*", "verget*", "vergat",
    ],
    deleting: &[
        "verwijder*", "wis", "wissen", "wist", "schrap*",
    ],
    refusals: &[
        "^ onthoud … niet", "^ onthou … niet", "^ bewaar … niet", "^ sla … niet op", "^ noteer … niet",
        "niet dat je … onthoudt", "niet dat je … bewaart", "niet dat je … opslaat", "niet dat u … onthoudt",
        "niet dat u … bewaart", "hoef je niet te onthouden", "niet te onthouden", "niet onthouden alsjeblieft",
    ],
    pretences: &[
        "doe … alsof … nooit", "doe … alsof … niet", "doe … alsof … niets", "doe … alsof … niks",
        "doet u alsof … nooit", "had ik niet moeten zeggen", "had ik niet moeten vertellen",
        "had ik je niet moeten",
    ],
    memory: &[
        "je geheugen", "uw geheugen", "jouw geheugen", "het geheugen", "je notities", "je hoofd",
    ],
    told: &[
        "vergeet dat", "vergeet alsjeblieft dat", "vergeet al dat", "wat ik", "dat van", "dat over", "dat met",
        "alles over", "alles wat", "wat je weet", "wat u weet", "het gedoe met", "het verhaal van",
        "het verhaal over", "de zaak van", "de informatie over", "de info over", "dat ik",
    ],
    ordinary: &[
        "ik vergeet", "vergeet ik", "vergat ik", "ik vergat", "ik ben … vergeten", "ben vergeten",
        "heb … vergeten", "heeft … vergeten", "is … vergeten", "hij vergeet", "zij vergeet", "ze vergeet",
        "we vergeten", "wij vergeten", "je vergeet", "vergeet je", "vergeet men", "men vergeet", "vergeet hij",
        "vergeet ze", "mijn … vergeet", "de … vergeet", "het … vergeet", "die … vergeet", "wie … vergeet",
        "vergeet altijd", "vergeet steeds", "vergeet vaak", "vergeet soms", "vergeet nooit", "vergeet elke",
        "vergeet telkens", "vergeet niet", "vergeet … niet", "vergeet … nooit", "niet vergeten",
        "nooit vergeten", "niet te vergeten", "niet … te vergeten", "moet vergeten", "ik moet … vergeten",
        "ik wil … vergeten", "ik kan … vergeten", "hoe verwijder", "hoe wis", "hoe kan ik", "als ik … vergeet",
        "^ vergeet het $", "^ vergeet het maar $",
    ],
    passed_on: &[
        "schrijf", "zeg tegen", "zeg", "vertel", "een berichtje", "een bericht", "een mail", "een mailtje",
        "een brief", "een gedicht", "een lied", "een tekst", "zei dat ik", "zei tegen", "zegt dat ik",
        "herinner me", "herinner mij", "help me herinneren", "vertaal",
    ],
    silences: &[
        "^ onthoud niets", "^ onthoud niks", "^ onthoud … niets", "^ onthoud … niks", "^ bewaar niets",
        "^ bewaar niks", "^ bewaar … niets", "^ bewaar … niks", "^ sla niets", "^ sla niks", "^ sla … niets",
        "^ sla … niks", "^ noteer niets", "^ registreer niets", "^ onthoud dit gesprek niet",
        "^ sla dit gesprek niet op", "^ bewaar dit gesprek niet", "^ sla deze chat niet op",
        "niet dat je iets", "niet dat je … iets", "niet dat u iets", "dat je niets", "dat je niks",
        "niets … worden opgeslagen", "niets … worden bewaard", "niets … opgeslagen worden",
        "niets … bewaard worden", "^ vergeet alles $", "^ vergeet dit gesprek",
    ],
    verb_far: true,
    openers: "alsjeblieft alstublieft aub graag gewoon hé hey hoi ok oké en maar dan dus nu eigenlijk sorry nee \
        bedankt trouwens nou even kort ja",
    closers: "",
};
