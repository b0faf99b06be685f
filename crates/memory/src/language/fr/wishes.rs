//! French: how people ask that something be forgotten or that nothing be kept, and what only sounds so.

use crate::language::WishWords;

pub(super) const WISHES: WishWords = WishWords {
    orders: &[
        "^ oublie", "^ oublions", "^ oubliez", "^ oublie le", "stp oubli*", "svp oubli*", "plaît oubli*",
        "oublie stp", "oublie svp", "oublie sil te plaît", "oubliez sil vous plaît", "oublie moi",
    ],
    deletions: &[
        "^ efface", "^ effacez", "^ supprime", "^ supprimez", "^ élimine", "stp efface", "stp supprime",
    ],
    removals: &[
        "^ retire", "^ retirez", "^ enlève", "^ enlevez", "^ vire", "retir*", "enlev*",
    ],
    requests: &[
        "possible que tu", "possible que vous", "possible que", "possible d", "reconnaissant d",
        "reconnaissante d", "gré d", "content si tu", "contente si tu", "mieux si tu", "bien si tu", "prie de",
        "prie d", "priant d", "peux tu", "tu peux", "pourrais tu", "tu pourrais", "pouvez vous", "vous pouvez",
        "pourriez vous", "vous pourriez", "veux tu", "tu veux bien", "tu voudrais bien", "voudrais tu",
        "voulez vous", "vous voulez bien", "voudrais que", "voudrais que tu", "veux que tu", "veux que vous",
        "aimerais que", "jaimerais que", "jaimerais bien que", "préférerais que", "préfère que",
        "souhaite que", "souhaiterais que", "faudrait que tu", "faudrait que vous", "faut que tu",
        "faut que vous", "mieux que tu", "mieux que vous", "tu dois", "tu devrais", "vous devriez",
        "demande d", "te demande de", "vous demande de", "merci de", "merci d", "ça te dérange",
        "ça te dérangerait", "bien que tu", "bien que vous",
    ],
    forgetting: &[
        "loubli*", "joubli*", "moubli*", "toubli*", "noubli*", "doubli*", "oubli*", "doublier", "loublier",
        "loublies",
    ],
    deleting: &[
        "effac*", "deffacer", "supprim*",
    ],
    refusals: &[
        "^ ne retiens pas", "^ ne retenez pas", "^ ne garde pas", "^ ne gardez pas", "^ ne mémorise pas",
        "^ ne mémorisez pas", "^ nenregistre pas", "^ nenregistrez pas", "^ ne te souviens pas",
        "^ ne te rappelle pas", "^ ne conserve pas", "^ ne conservez pas", "^ ne stocke pas", "^ ne note pas",
        "ne veux pas que tu te souviennes", "ne veux pas que tu retiennes", "ne veux pas que tu gardes",
        "ne veux pas que tu mémorises", "ne veux pas que tu enregistres", "ne veux pas que tu conserves",
        "ne veux pas que vous reteniez", "ne veux pas que vous gardiez", "pas besoin de retenir",
        "pas la peine de retenir",
    ],
    pretences: &[
        "fais comme si … jamais", "fais comme si … rien", "fais comme si … pas", "faites comme si … jamais",
        "faites comme si … rien", "faites comme si … pas", "faisons comme si … jamais",
        "comme si je ne tavais", "comme si je ne vous avais", "pas dû te parler", "aurais pas dû te",
    ],
    memory: &[
        "ta mémoire", "votre mémoire", "la mémoire", "tes souvenirs", "tes notes", "tes données", "ta tête",
    ],
    told: &[
        "oublie que", "oubliez que", "oublies que", "tout ça sur", "ce que jai dit", "ce que je tai",
        "ce que je vous ai", "ce que jai raconté", "ce que jai écrit", "ce que je viens", "ce que tu sais",
        "ce que vous savez", "ce qui concerne", "ce qui touche", "tout ce qui", "tout ce que", "lhistoire de",
        "lhistoire d", "lhistoire avec", "laffaire de", "tout sur", "les infos sur", "les informations sur",
        "que je tai", "que je vous ai",
    ],
    ordinary: &[
        "je loublie", "je ne loubli*", "ne loubli*", "ne joubli*", "jamais", "joublie", "on oublie",
        "tu oublies", "il oublie", "elle oublie", "ils oublient", "elles oublient", "nous oublions",
        "qui oublie", "mon … oublie", "ma … oublie", "mes … oublient", "le … oublie", "la … oublie", "noublie",
        "noublie pas", "noubliez", "noubliez pas", "noublions", "ne … oublie", "pas oublier", "pas oublié",
        "jamais oublier", "jamais oublié", "toujours oubli*", "souvent oubli*", "oublie toujours",
        "oublie souvent", "oublie tout", "oublie parfois", "jai oublié", "a oublié", "ai oublié", "as oublié",
        "avons oublié", "ont oublié", "sans oublier", "quand on oublie", "si joublie", "comment je supprime",
        "comment supprimer", "comment effacer", "comment on supprime", "je peux oublier", "je veux oublier",
        "je voudrais oublier", "ne peux pas oublier", "^ oublie $", "^ oublie ça $",
    ],
    passed_on: &[
        "écris", "écrivez", "écris moi", "écris lui", "dis lui", "dites lui", "dis à", "un message", "un mail",
        "un texto", "une lettre", "un poème", "une chanson", "un texte", "ma dit d", "ma dit de", "ma demandé",
        "me dit d", "qui dit", "rappelle moi", "rappelez moi", "traduis", "rédige",
    ],
    silences: &[
        "^ ne retiens rien", "^ ne retenez rien", "^ ne garde rien", "^ ne gardez rien", "^ ne mémorise rien",
        "^ ne mémorisez rien", "^ ne conserve rien", "^ ne conservez rien", "^ ne stocke rien",
        "^ ne note rien", "^ ne sauvegarde rien", "^ nenregistre rien", "^ nenregistrez rien",
        "^ ne te souviens de rien", "ne veux pas que … quoi que ce soit",
        "ne veux pas que … cette conversation", "ne veux pas que … cette discussion",
        "ne veux pas que … ce chat", "que tu ne retiennes rien", "que tu ne gardes rien",
        "que tu nenregistres rien", "que rien", "^ nenregistre pas cette conversation",
        "^ ne garde pas cette conversation", "^ ne garde aucune trace", "^ ne gardez aucune trace",
        "^ oublie tout $", "^ oublie cette conversation",
    ],
    verb_far: false,
    openers: "s il te plaît s il vous plaît sil te plaît sil vous plaît stp svp hey salut ok bon et mais alors \
        donc maintenant au fait en fait non merci pardon désolé désolée petite chose allez tiens",
    closers: "",
};
