//! French: how people ask that something be forgotten or that nothing be kept, and what only sounds so.

use crate::language::WishWords;

pub(super) const WISHES: WishWords = WishWords {
    orders: &[
        "^ oublie", "^ oublions", "^ oubliez", "^ oublie le", "stp oubli*", "svp oubli*", "plaît oubli*",
        "oublie stp", "oublie svp", "oublie sil te plaît", "oubliez sil vous plaît", "oublie moi",
    ],
    deletions: &[
        "^ efface", "^ effacez", "^ supprime", "^ supprimez", "^ élimine", "stp efface", "stp supprime",
        "efface|supprime|effacez $",
    ],
    removals: &[
        "^ retire", "^ retirez", "^ enlève", "^ enlevez", "^ vire", "retir*", "enlev*",
    ],
    requests: &[
        "possible que tu", "possible que vous", "reconnaissant d", "reconnaissante d", "gré d", "content si tu",
        "contente si tu", "mieux si tu", "bien si tu", "prie de", "prie d", "priant d", "peux tu", "tu peux",
        "pourrais tu", "tu pourrais", "pouvez vous", "vous pouvez", "pourriez vous", "vous pourriez", "veux tu",
        "tu veux bien", "tu voudrais bien", "voudrais tu", "voulez vous", "vous voulez bien", "voudrais que",
        "voudrais que tu", "veux que tu", "veux que vous", "aimerais que", "jaimerais que",
        "jaimerais bien que", "préférerais que", "préfère que", "souhaite que", "souhaiterais que",
        "faudrait que tu", "faudrait que vous", "faut que tu", "faut que vous", "mieux que tu",
        "mieux que vous", "tu dois", "tu devrais", "vous devriez", "demande d", "te demande de",
        "vous demande de", "merci de", "merci d", "ça te dérange", "ça te dérangerait", "bien que tu",
        "bien que vous", "serait possible que", "serait possible d", "serait il possible d",
    ],
    forgetting: &[
        "loubli*", "moubli*", "toubli*", "doubli*", "oubli*", "doublier", "loublier", "loublies",
    ],
    deleting: &[
        "effac*", "deffacer", "supprim*",
    ],
    refusals: &[
        "^ ne retiens|retenez|mémorise|mémorisez pas", "^ retiens|retenez|mémorise|mémorisez pas",
        "^ ne te souviens|rappelle pas", "mais|et|stp retiens|mémorise pas", "mais ne retiens pas",
        "ne veux pas que tu te_souviennes|retiennes|mémorises", "ne veux pas que vous reteniez",
        "pas besoin de retenir|mémoriser", "pas la peine de retenir|mémoriser",
        "garde|note|enregistre|sauvegarde|retiens pas ça|cela|ceci stp|svp|hein|merci",
        "tu gardes|retiens|enregistres|notes pas ça",
        "ne|tu le|la|les garde|gardes|retiens|note|enregistre pas stp|svp|sil",
    ],
    keepings: &[
        "^ ne garde|gardez|conserve|conservez|stocke|stockez|note|notez|sauvegarde|sauvegardez pas",
        "^ nenregistre|nenregistrez pas",
        "^ garde|gardez|note|notez|enregistre|enregistrez|sauvegarde|stocke pas",
        "mais|et garde|gardez|note|notez|enregistre|sauvegarde|stocke pas",
        "mais ne garde|note|sauvegarde|conserve pas", "mais nenregistre pas",
        "ne veux pas que tu gardes|enregistres|conserves|notes|sauvegardes",
        "ne veux pas que vous gardiez|enregistriez|conserviez", "pas besoin de garder|noter|enregistrer",
    ],
    pretences: &[
        "fais comme si … jamais", "fais comme si … rien", "fais comme si … pas", "faites comme si … jamais",
        "faites comme si … rien", "faites comme si … pas", "faisons comme si … jamais", "comme si je ne tavais",
        "comme si je ne vous avais", "pas dû te parler", "aurais pas dû te",
    ],
    memory: &[
        "ta mémoire", "votre mémoire", "la mémoire", "tes souvenirs", "tes notes", "tes données", "ta tête",
    ],
    told: &[
        "oublie que", "oubliez que", "oublies que", "tout ça sur", "ce que jai dit", "ce que je tai",
        "ce que je vous ai", "ce que jai raconté", "ce que jai écrit", "ce que je viens", "ce que tu sais",
        "ce que vous savez", "ce qui concerne", "ce qui touche", "tout ce qui", "tout ce que", "lhistoire de",
        "lhistoire d", "lhistoire avec", "laffaire de", "tout sur", "les infos sur", "les informations sur",
        "que je tai", "que je vous ai", "tout ce que|qui", "à propos de", "que jai dit|raconté|parlé",
    ],
    own: &[
        "mon|ma|mes|notre … adresse|téléphone|numéro|anniversaire|mail|email|salaire|âge|nom|prénom|poids|loyer|iban|code|diagnostic|date_de_naissance|mot_de_passe",
    ],
    ordinary: &[
        "je loublie", "je ne loubli*", "ne loubli*", "ne joubli*", "joublie", "on oublie", "tu oublies",
        "il oublie", "elle oublie", "ils oublient", "elles oublient", "nous oublions", "qui oublie",
        "mon … oublie", "ma … oublie", "mes … oublient", "le … oublie", "la … oublie", "noublie", "noublie pas",
        "noubliez", "noubliez pas", "noublions", "ne … oublie", "pas oublier", "pas oublié", "jamais oublier",
        "jamais oublié", "toujours oubli*", "souvent oubli*", "oublie toujours", "oublie souvent",
        "oublie parfois", "jai oublié", "a oublié", "ai oublié", "as oublié", "avons oublié", "ont oublié",
        "sans oublier", "quand on oublie", "si joublie", "comment je supprime", "comment supprimer",
        "comment effacer", "comment on supprime", "je peux oublier", "je veux oublier", "je voudrais oublier",
        "ne peux pas oublier", "^ oublie $", "^ oublie ça $", "oublie|oublies|oubliez|oublient pas|jamais",
        "je|on ne_garde|garde|note|nenregistre|enregistre", "que joubli*", "joubli*", "noubli*",
    ],
    passed_on: &[
        "écris", "écrivez", "écris moi", "écris lui", "dis lui", "dites lui", "dis à", "un message", "un mail",
        "un texto", "une lettre", "un poème", "une chanson", "un texte", "ma dit d", "ma dit de", "ma demandé",
        "me dit d", "qui dit", "rappelle moi", "rappelez moi", "traduis", "rédige",
    ],
    silences: &[
        "^ ne retiens|retenez|garde|gardez|mémorise|mémorisez|conserve|conservez|stocke|stockez|note|notez|sauvegarde|sauvegardez rien",
        "^ nenregistre|nenregistrez rien",
        "^ retiens|garde|gardez|note|enregistre|sauvegarde|mémorise|stocke rien",
        "^ ne garde|gardez aucune trace", "^ ne te souviens de rien",
        "ne veux pas que tu retiennes|gardes|mémorises|enregistres|conserves|notes|sauvegardes|stockes quoi_que_ce_soit|rien",
        "ne veux pas que vous reteniez|gardiez|mémorisiez|enregistriez|conserviez quoi_que_ce_soit|rien",
        "ne veux pas que tu|vous retiennes|gardes|mémorises|enregistres|conserves|sauvegardes|gardiez|enregistriez cette|ce conversation|discussion|chat|échange",
        "que tu ne retiennes|gardes|mémorises|notes|sauvegardes rien", "que tu nenregistres rien",
        "que rien … gardé|enregistré|retenu|sauvegardé|conservé|mémorisé|noté",
        "^ nenregistre pas cette|ce conversation|chat|discussion",
        "^ ne garde|conserve|sauvegarde pas cette|ce conversation|chat|discussion", "^ oublie|oubliez tout $",
        "^ oublie|oubliez cette|toute_cette conversation|discussion", "^ oublie ce chat",
        "^ oublie|oubliez tout ce que jai|je",
    ],
    here: &[
        "cette|ce|notre|la|le conversation|discussion|chat|échange",
        "ce que je dis|te|vous|viens|écris|raconte", "ce que jai", "de ça|ceci|cela", "ici", "aujourdhui",
        "ce quon", "tout ça",
    ],
    about: &[
        "sur|concernant", "dit|raconté|parlé|écrit de|du|des|sur", "à propos de|du|des",
    ],
    about_behind: &[],
    pointing: "ça ca cela ceci ce cet cette ces que qui je tu te jai ai moi me nous on dis dit écris écrit raconte \
        raconté viens parlé tout rien de du la le les l notre nos conversation discussion chat échange ici \
        aujourdhui maintenant en y t a avons soit quoi mon ma mes là",
    verb_far: false,
    openers: "s il te plaît s il vous plaît sil te plaît sil vous plaît stp svp hey salut ok bon et mais alors \
        donc maintenant au fait en fait non merci pardon désolé désolée petite chose allez tiens plait",
    closers: "",
};
