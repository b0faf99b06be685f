//! Spanish: how people ask that something be forgotten or that nothing be kept, and what only sounds so.

use crate::language::WishWords;

pub(super) const WISHES: WishWords = WishWords {
    orders: &[
        "^ olvida", "^ olvídate", "^ olvídalo", "^ olvídala", "^ olvide", "^ olvídese", "^ olvídelo",
        "^ olvidad", "^ olvidaos", "^ olviden", "por favor olvid*", "porfa olvid*", "olvídate", "olvídalo",
        "olvídese", "olvidate",
    ],
    deletions: &[
        "^ borra", "^ bórralo", "^ bórrame", "^ borre", "^ elimina", "^ elimine", "^ suprime", "^ suprima",
        "bórralo", "bórrala", "por favor borr*", "por favor elimin*",
    ],
    removals: &[
        "^ quita", "^ quite", "^ saca", "^ saque", "por favor quit*", "quit*", "sac*",
    ],
    requests: &[
        "posible que", "agradecería que", "agradecido si", "encantaría que", "bien si", "contento si",
        "pido por favor que", "rogaría que", "puedes", "podrías", "puede usted", "puede", "podría",
        "podría usted", "podéis", "podríais", "te importa", "te importaría", "le importaría", "quiero que",
        "quisiera que", "querría que", "querría", "me gustaría que", "preferiría que", "prefiero que",
        "necesito que", "te pido que", "le pido que", "os pido que", "mejor que", "deberías", "debes",
        "tienes que", "harías el favor de", "haz el favor de", "por favor", "porfa", "sería mejor que",
        "estaría bien que", "quieres",
    ],
    forgetting: &[
        "olvid*",
    ],
    deleting: &[
        "borr*", "bórr*", "elimin*", "suprim*",
    ],
    refusals: &[
        "^ no recuerdes", "^ no recuerde", "^ no guardes", "^ no guarde", "^ no memorices", "^ no memorice",
        "^ no retengas", "^ no almacenes", "^ no registres", "^ no apuntes", "^ no tengas en cuenta lo",
        "^ no conserves", "no quiero que recuerd*", "no quiero que guard*", "no quiero que memori*",
        "no quiero que almacen*", "no quiero que registr*", "no quiero que reteng*",
        "no quiero que te acuerd*", "no hace falta que recuerd*", "no hace falta que guard*",
        "no te acuerdes de lo",
    ],
    pretences: &[
        "haz como si no", "haz como si nunca", "haz como que no", "haz como que nunca", "haga como si no",
        "haga como si nunca", "finge que no", "finge que nunca", "como si no te hubiera",
        "como si nunca te hubiera", "como si no hubiera dicho", "no debería haberte", "no debería habértelo",
        "no debí contarte", "no tendría que haberte",
    ],
    memory: &[
        "tu memoria", "la memoria", "su memoria", "tus recuerdos", "tus notas", "tu cabeza", "tus datos",
    ],
    told: &[
        "olvida que", "olvide que", "olvides que", "todo eso de", "todo esto de", "lo que dije",
        "lo que te dije", "lo que le dije", "lo que te conté", "lo que le conté", "lo que conté",
        "lo que he dicho", "lo que te he", "lo que sabes de", "lo que sabes sobre", "lo que sepas de",
        "lo que sepas sobre", "lo que mencioné", "lo que te hablé", "lo de", "que te conté", "que te dije",
        "todo lo relacionado con", "todo lo que", "todo lo de", "la historia de", "el tema de", "el asunto de",
        "la información de", "la información sobre",
    ],
    ordinary: &[
        "se me olvid*", "se te olvid*", "se le olvid*", "se nos olvid*", "se les olvid*", "se os olvid*",
        "se olvid*", "me olvid*", "nos olvid*", "que no olvid*", "no olvid*", "no te olvid*", "no se olvid*",
        "nunca olvid*", "nunca se olvid*", "jamás olvid*", "siempre olvid*", "siempre se olvid*",
        "siempre se me olvid*", "a veces olvid*", "nadie olvida", "quien olvida", "quién olvida", "yo olvid*",
        "olvido", "si olvido", "mi … olvida", "mi … olvidó", "el … olvida", "la … olvida", "uno … olvida",
        "olvida siempre", "olvida todo", "ha olvidado", "he olvidado", "cómo borro", "cómo borrar",
        "cómo elimin*", "cómo se borra", "puedo borrar", "puedo olvidar", "puedo eliminar", "quiero olvidar",
        "quisiera olvidar", "^ olvídalo $",
    ],
    passed_on: &[
        "escríbele", "escribe", "escríbeme", "dile", "diles", "dígale", "dígele", "un mensaje", "un correo",
        "un email", "una carta", "un poema", "una canción", "un texto", "me dijo que", "me dice que",
        "dijo que", "dice que", "me pidió que", "me ha dicho que", "recuérdame", "recuérdale", "traduce",
        "redacta",
    ],
    silences: &[
        "^ no guardes nada", "^ no guarde nada", "^ no recuerdes nada", "^ no recuerde nada",
        "^ no memorices nada", "^ no memorice nada", "^ no almacenes nada", "^ no almacene nada",
        "^ no registres nada", "^ no registre nada", "^ no retengas nada", "^ no conserves nada",
        "^ no apuntes nada", "^ no te acuerdes de nada", "no quiero que … nada", "^ nada de esta conversación",
        "^ nada de esta charla", "^ nada de este chat", "^ no guardes esta conversación",
        "^ no guardes este chat", "^ no recuerdes esta conversación", "^ olvida todo $", "^ olvídalo todo",
        "^ olvida esta conversación",
    ],
    verb_far: false,
    openers: "por favor porfa porfi oye hola vale bueno ok y pero pues entonces ahora ya a ver perdona perdón \
        gracias mira una cosa por cierto mejor",
    closers: "",
};
