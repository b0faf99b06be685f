//! Dutch: how people ask that something be forgotten or that nothing be kept, and what only sounds so.

use crate::language::WishWords;

pub(super) const WISHES: WishWords = WishWords {
    orders: &[
        "^ vergeet", "vergeet alsjeblieft", "vergeet alstublieft", "vergeet maar", "alsjeblieft vergeet",
        "alstublieft vergeet", "vergeet aub|svp|pls",
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
        "^ onthoud|onthou … niet", "niet dat je|u … onthoudt", "hoef je niet te onthouden", "niet te onthouden",
        "niet onthouden|opslaan|bewaren|noteren alsjeblieft|aub|alstublieft|svp|pls|hoor|graag|ok",
        "maar|en|dit|dat|liever niet onthouden|opslaan|bewaren|noteren $",
        "sla|bewaar|onthou|onthoud|noteer dit|dat|da maar_niet|niet op $",
        "bewaar|onthou|onthoud|noteer dit|dat|da maar_niet|niet $", "^ niet onthouden|opslaan|bewaren $",
    ],
    keepings: &[
        "^ bewaar … niet", "^ sla … niet op", "^ sla … niet", "^ noteer … niet",
        "niet dat je|u … bewaart|opslaat|noteert", "^ niet opslaan|bewaren|noteren", "maar sla … niet op",
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
    own: &[
        "mijn|m'n|ons|onze … adres|telefoonnummer|nummer|verjaardag|geboortedatum|mail|email|mailadres|salaris|loon|leeftijd|naam|achternaam|gewicht|wachtwoord|iban|huur|diagnose",
    ],
    ordinary: &[
        "ik vergeet", "vergeet ik", "vergat ik", "ik vergat", "ik ben … vergeten", "ben vergeten",
        "heb … vergeten", "heeft … vergeten", "is … vergeten", "hij vergeet", "zij vergeet", "ze vergeet",
        "we vergeten", "wij vergeten", "je vergeet", "vergeet men", "men vergeet", "vergeet hij", "vergeet ze",
        "mijn … vergeet", "de … vergeet", "het … vergeet", "die … vergeet", "wie … vergeet", "vergeet altijd",
        "vergeet steeds", "vergeet vaak", "vergeet soms", "vergeet nooit", "vergeet elke", "vergeet telkens",
        "vergeet niet", "vergeet … niet", "vergeet … nooit", "niet vergeten", "nooit vergeten",
        "niet te vergeten", "niet … te vergeten", "moet vergeten", "ik moet … vergeten", "ik wil … vergeten",
        "ik kan … vergeten", "hoe verwijder", "hoe wis", "hoe kan ik", "als ik … vergeet", "^ vergeet het $",
        "^ vergeet het maar $", "kan ik … vergeten", "kon ik … vergeten", "ik bewaar", "hoe je … vergeet",
    ],
    passed_on: &[
        "zeg tegen", "een berichtje", "een bericht", "een mail", "een mailtje", "een brief", "een gedicht",
        "een lied", "een tekst", "zei dat ik", "zei tegen", "zegt dat ik", "herinner me", "herinner mij",
        "help me herinneren", "vertaal", "^ schrijf", "^ zeg", "^ vertel", "zeg|vertel tegen|hem|haar|hun|mijn",
        "schrijf hem|haar|mijn|een",
    ],
    silences: &[
        "^ onthoud|onthou|bewaar|sla|noteer|registreer niets|niks", "^ onthoud|onthou|bewaar|sla … niets|niks",
        "niet dat je|u iets|wat … onthoudt|bewaart|opslaat|noteert|vasthoudt",
        "niet dat je|u … iets … onthoudt|bewaart|opslaat|noteert",
        "dat je|u niets|niks … onthoudt|bewaart|opslaat|noteert",
        "^ onthoud|onthou|bewaar dit|deze|het gesprek|chat niet", "^ sla dit|deze|het gesprek|chat niet op",
        "niets|niks … worden|wordt opgeslagen|bewaard|onthouden",
        "niets|niks … opgeslagen|bewaard|onthouden worden|wordt", "^ niets|niks opslaan|bewaren|onthouden",
        "^ vergeet alles $", "^ vergeet dit|deze|het gesprek|chat",
        "^ vergeet alles wat ik … zei|gezegd|vertelde|verteld",
    ],
    here: &[
        "dit|deze|ons|onze|het|de gesprek|chat|conversatie", "wat ik hier|zeg|je|nu|typ|vertel|schrijf",
        "wat we", "hier", "vandaag", "hiervan", "daarvan", "van dit|dat",
    ],
    about: &[
        "over|omtrent", "van|met|rond",
    ],
    about_behind: &[],
    pointing: "dit dat da deze die het de wat ik je u mij me we wij ons onze hier nu vandaag vanavond gesprek chat \
        conversatie van uit over zeg zei gezegd vertel vertelde verteld typ typte schrijf schreef heb \
        hebben net zonet bespreken bespraken praten niets niks alles iets op in er hiervan daarvan met wil \
        nog",
    verb_far: true,
    openers: "alsjeblieft alstublieft aub graag gewoon hé hey hoi ok oké en maar dan dus nu eigenlijk sorry nee \
        bedankt trouwens nou even kort ja pls svp liever hoor",
    closers: "",
};
