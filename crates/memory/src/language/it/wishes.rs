//! Italian: how people ask that something be forgotten or that nothing be kept, and what only sounds so.

use crate::language::WishWords;

pub(super) const WISHES: WishWords = WishWords {
    orders: &[
        "^ dimentica", "^ dimenticati", "^ dimenticalo", "^ dimenticate", "^ dimenticatevi", "^ dimentichi",
        "^ si dimentichi", "^ scorda", "^ scordati", "^ scordatelo", "^ scordi", "per favore dimentic*",
        "per favore scord*", "dimenticalo", "dimenticati", "scordati",
    ],
    deletions: &[
        "^ cancella", "^ cancelli", "^ elimina", "^ elimini", "^ rimuovi", "^ rimuova", "per favore cancell*",
        "per favore elimin*",
    ],
    removals: &[
        "^ togli", "^ tolga", "togli*", "tolg*",
    ],
    requests: &[
        "possibile che", "possibile", "grato se", "grata se", "felice se", "contento se", "contenta se",
        "bene se", "prego di", "pregherei di", "puoi", "potresti", "può", "potrebbe", "potete", "vorrei che",
        "voglio che", "preferirei che", "preferisco che", "mi piacerebbe che", "ti chiedo di", "le chiedo di",
        "ti pregherei di", "ti dispiace", "ti dispiacerebbe", "le dispiacerebbe", "dovresti", "devi", "deve",
        "meglio che", "meglio se", "ho bisogno che", "vuoi", "riesci a", "per favore",
    ],
    forgetting: &[
        "dimentic*", "scord*",
    ],
    deleting: &[
        "cancell*", "elimin*", "rimuov*",
    ],
    refusals: &[
        "^ non ricordare", "^ non ricordarti", "^ non ricordi", "^ non salvare", "^ non memorizzare",
        "^ non tenere in memoria", "^ non tenere a mente", "^ non conservare", "^ non registrare",
        "^ non annotare", "non voglio che tu ricordi", "non voglio che ricordi",
        "non voglio che tu ti ricordi", "non voglio che ti ricordi", "non voglio che tu salvi",
        "non voglio che tu conservi", "non voglio che tu tenga", "non voglio che tu memorizzi",
        "non voglio che lei ricordi", "non serve che ricordi",
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
        "le informazioni su", "che ti ho detto", "che ti ho raccontato",
    ],
    ordinary: &[
        "mio … dimentica", "mia … dimentica", "miei … dimenticano", "il … dimentica", "la … dimentica",
        "lui dimentica", "lei dimentica", "chi dimentica", "chi si dimentica", "chi scorda", "si dimentica",
        "si scorda", "ci si dimentica", "mi dimentico", "mi scordo", "dimentico", "scordo", "dimenticano",
        "ho dimenticato", "ha dimenticato", "mi sono dimenticat*", "mi sono scordat*", "si è dimenticat*",
        "dimentica sempre", "dimentica tutto", "dimentica spesso", "sempre dimentica", "non dimentica",
        "non dimenticare", "non dimenticarti", "non dimenticar*", "non scordare", "non scordar*",
        "mai dimentic*", "non mi dimentic*", "se dimentico", "di non dimenticare", "come cancello",
        "come elimino", "come si cancella", "come faccio", "posso dimenticare", "voglio dimenticare",
        "vorrei dimenticare", "^ dimenticalo $", "^ scordatelo $",
    ],
    passed_on: &[
        "scrivi", "scriva", "dì a", "di a", "digli", "dille", "dica a", "un messaggio", "una mail",
        "una email", "una lettera", "una poesia", "una canzone", "un testo", "mi ha detto", "ha detto di",
        "mi dice di", "mi ha chiesto", "ricordami", "mi ricordi", "traduci",
    ],
    silences: &[
        "^ non salvare niente", "^ non salvare nulla", "^ non salvare nessuna", "^ non memorizzare niente",
        "^ non memorizzare nulla", "^ non ricordare niente", "^ non ricordare nulla",
        "^ non conservare niente", "^ non conservare nulla", "^ non registrare niente",
        "^ non registrare nulla", "^ non tenere niente", "^ non tenere nulla", "^ non tenere traccia",
        "^ non annotare niente", "^ non annotare nulla", "non voglio che … niente", "non voglio che … nulla",
        "non voglio che … questa conversazione", "^ niente di questa conversazione", "^ niente di questa chat",
        "^ non salvare questa conversazione", "^ non salvare questa chat", "^ dimentica tutto $",
        "^ dimentica questa conversazione",
    ],
    verb_far: false,
    openers: "per favore ti prego per piacere ehi senti ciao ok bene e ma allora adesso ora no grazie scusa una \
        cosa comunque dai",
    closers: "",
};
