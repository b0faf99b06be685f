//! Italian: how people ask that something be forgotten or that nothing be kept, and what only sounds so.

use crate::language::WishWords;

pub(super) const WISHES: WishWords = WishWords {
    orders: &[
        "^ dimentica", "^ dimenticati", "^ dimenticalo", "^ dimenticate", "^ dimenticatevi", "^ dimentichi",
        "^ si dimentichi", "^ scorda", "^ scordati", "^ scordatelo", "^ scordi", "per favore dimentic*",
        "per favore scord*", "dimenticalo", "dimenticati", "scordati",
        "scordalo|scordala|scordatelo|dimenticala|dimenticali|dimenticatene $",
    ],
    deletions: &[
        "^ cancella", "^ cancelli", "^ elimina", "^ elimini", "^ rimuovi", "^ rimuova", "per favore cancell*",
        "per favore elimin*", "cancellalo|cancellala|cancellali|eliminalo|rimuovilo $",
    ],
    removals: &[
        "^ togli", "^ tolga", "togli*", "tolg*",
    ],
    requests: &[
        "grato se", "grata se", "felice se", "contento se", "contenta se", "bene se", "prego di",
        "pregherei di", "puoi", "potresti", "potete", "vorrei che", "voglio che", "preferirei che",
        "preferisco che", "mi piacerebbe che", "ti chiedo di", "le chiedo di", "ti pregherei di", "ti dispiace",
        "ti dispiacerebbe", "le dispiacerebbe", "dovresti", "devi", "meglio che", "meglio se", "ho bisogno che",
        "vuoi", "riesci a", "per favore", "sarebbe possibile", "^ può", "^ potrebbe",
    ],
    forgetting: &[
        "dimentic*", "scord*",
    ],
    deleting: &[
        "cancell*", "elimin*", "rimuov*",
    ],
    refusals: &[
        "^ non ricordare|ricordarti|ricordi", "non voglio che tu|lei|ti ricordi", "non voglio che ricordi",
        "non voglio che tu ti ricordi", "non serve che ricordi", "^ non tenere in|a memoria|mente",
        "questo|quello|ciò non salvarlo|salvare|ricordarlo|ricordare|segnarlo|memorizzarlo|memorizzare|tenerlo|registrarlo",
        "ma|e|però non salvarlo|salvarla|segnarlo|tenerlo|registrarlo|memorizzarlo|ricordarlo|annotarlo",
        "non salvarlo|segnarlo|memorizzarlo|ricordarlo|registrarlo|annotarlo|salvarla|ricordarla $",
    ],
    keepings: &[
        "^ non salvare|salvarlo|conservare|registrare|annotare|memorizzare|segnare|archiviare",
        "ma|però|e non salvare|registrare|segnare|annotare|memorizzare",
        "non voglio che salvi|conservi|tenga|memorizzi|registri",
        "non voglio che tu|lei salvi|conservi|tenga|memorizzi|registri",
    ],
    pretences: &[
        "fai finta che … non", "fai finta che … mai", "faccia finta che … non", "fai come se … non",
        "fai come se … mai", "faccia come se … non", "come se non ti avessi", "non avrei dovuto dirti",
        "non avrei dovuto parlarti", "non avrei dovuto raccontarti",
    ],
    memory: &[
        "tua memoria", "sua memoria", "dalla memoria", "in memoria", "tuoi appunti", "tuoi ricordi",
    ],
    told: &[
        "dimentica che", "dimentichi che", "tutta la storia", "tutta la faccenda", "la faccenda",
        "quello che ho detto", "quello che ti ho", "quello che le ho", "quello che sai", "quello che sa",
        "ciò che ho detto", "ciò che ti ho", "ciò che sai", "ciò che riguarda", "tutto ciò", "tutto quello",
        "tutto su", "la storia di", "la storia con", "la faccenda di", "la cosa di", "quella cosa di",
        "le informazioni su", "che ti ho detto", "che ti ho raccontato", "tutto quello|ciò",
        "quello che ti|le|vi", "ho detto di|su", "raccontato di|su",
    ],
    own: &[
        "mio|mia|miei|mie|nostro|nostra … indirizzo|telefono|numero|cellulare|compleanno|mail|email|stipendio|età|nome|cognome|peso|password|affitto|diagnosi|data_di_nascita",
    ],
    ordinary: &[
        "mio … dimentica", "mia … dimentica", "miei … dimenticano", "il … dimentica", "la … dimentica",
        "lui dimentica", "lei dimentica", "chi dimentica", "chi si dimentica", "chi scorda", "si dimentica",
        "si scorda", "ci si dimentica", "mi dimentico", "mi scordo", "dimentico", "scordo", "dimenticano",
        "ho dimenticato", "ha dimenticato", "mi sono dimenticat*", "mi sono scordat*", "si è dimenticat*",
        "dimentica sempre", "dimentica spesso", "sempre dimentica", "non dimentica", "non dimenticare",
        "non dimenticarti", "non dimenticar*", "non scordare", "non scordar*", "mai dimentic*",
        "non mi dimentic*", "se dimentico", "di non dimenticare", "come cancello", "come elimino",
        "come si cancella", "come faccio", "posso dimenticare", "voglio dimenticare", "vorrei dimenticare",
        "^ dimenticalo $", "^ scordatelo $", "^ scordalo $",
    ],
    passed_on: &[
        "scrivi", "scriva", "dì a", "di a", "digli", "dille", "dica a", "un messaggio", "una mail", "una email",
        "una lettera", "una poesia", "una canzone", "un testo", "mi ha detto", "ha detto di", "mi dice di",
        "mi ha chiesto", "ricordami", "mi ricordi", "traduci",
    ],
    silences: &[
        "^ non salvare|memorizzare|ricordare|conservare|registrare|tenere|annotare|segnare|archiviare niente|nulla|nessuna_cosa",
        "^ non ricordarti niente|nulla|di_niente|di_nulla", "^ non tenere traccia",
        "non voglio che salvi|conservi|ricordi|memorizzi|registri|tenga niente|nulla",
        "non voglio che tu|lei|ti salvi|conservi|ricordi|memorizzi|registri|tenga niente|nulla",
        "non voglio che tu ti ricordi niente|nulla",
        "non voglio che … salvi|conservi|ricordi|memorizzi|registri questa|la conversazione|chat",
        "niente|nulla di questa conversazione|chat … salv*|memorizz*|conserv*|registr*|ricord*",
        "^ non salvare|memorizzare|conservare|registrare questa|la|questo conversazione|chat|discorso",
        "^ dimentica|dimentichi tutto $", "^ dimentica|dimentichi questa conversazione|chat",
        "^ dimentica|dimentichi tutto quello|ciò che … detto|raccontato",
    ],
    here: &[
        "questa|questo|la|nostra conversazione|chat|chiacchierata|discorso",
        "quello|ciò che dico|ti|scrivo|diciamo|racconto|le", "che dico|diciamo|scrivo", "di questo|quello|ciò",
        "qui", "oggi",
    ],
    about: &[
        "su|sul|sulla|sullo|sui|riguardo|circa", "detto|raccontato|parlato|scritto|mandato di|del|della|dello",
        "la storia di|del|della",
    ],
    about_behind: &[],
    pointing: "questo questa quello quella ciò che di del della ho ti le vi mi io noi tu lo la il detto dico \
        diciamo scrivo scritto racconto raccontato parlato qui oggi ora adesso conversazione chat \
        chiacchierata discorso niente nulla tutto nostra nostro mia me stesso a in da nostre appena cosa",
    verb_far: false,
    openers: "per favore ti prego per piacere ehi senti ciao ok bene e ma allora adesso ora no grazie scusa una \
        cosa comunque dai",
    closers: "",
};
