//! Spanish: how people ask that something be forgotten or that nothing be kept, and what only sounds so.

use crate::language::WishWords;

pub(super) const WISHES: WishWords = WishWords {
    orders: &[
        "^ olvida", "^ olvídate", "^ olvídalo", "^ olvídala", "^ olvide", "^ olvídese", "^ olvídelo",
        "^ olvidad", "^ olvidaos", "^ olviden", "por favor olvid*", "porfa olvid*", "olvídate", "olvídalo",
        "olvídese", "olvidate", "olvídelo|olvidalo $",
    ],
    deletions: &[
        "^ borra", "^ bórralo", "^ bórrame", "^ borre", "^ elimina", "^ elimine", "^ suprime", "^ suprima",
        "bórralo", "bórrala", "por favor borr*", "por favor elimin*", "borralo|bórrelo|elimínalo|borrala $",
    ],
    removals: &[
        "^ quita", "^ quite", "^ saca", "^ saque", "por favor quit*", "quit*", "sac*",
    ],
    requests: &[
        "agradecería que", "agradecido si", "encantaría que", "bien si", "contento si", "pido por favor que",
        "rogaría que", "puedes", "podrías", "puede usted", "podría usted", "podéis", "podríais", "te importa",
        "te importaría", "le importaría", "quiero que", "quisiera que", "querría que", "querría",
        "me gustaría que", "preferiría que", "prefiero que", "necesito que", "te pido que", "le pido que",
        "os pido que", "mejor que", "deberías", "debes", "tienes que", "harías el favor de", "haz el favor de",
        "por favor", "porfa", "sería mejor que", "estaría bien que", "quieres", "sería posible que", "^ puede",
        "^ podría",
    ],
    forgetting: &[
        "olvid*",
    ],
    deleting: &[
        "borr*", "bórr*", "elimin*", "suprim*",
    ],
    refusals: &[
        "^ no recuerdes|recuerde|memorices|memorice|retengas|retenga",
        "no quiero que recuerd*|memori*|reteng*|te_acuerd*", "no hace falta que recuerd*|guard*|memori*",
        "^ no te acuerdes de lo|eso|esto|nada", "^ no tengas en cuenta lo",
        "eso|esto|ello no lo|la|los guard*|apunt*|anot*|registr*|recuerd*|memori*|salv*",
        "eso|esto no guardes|guarde|apuntes|anotes|recuerdes",
        "no lo|la|los guardes|guarde|apuntes|anotes|registres|memorices|recuerdes $",
        "no te quedes con eso|esto",
    ],
    keepings: &[
        "^ no guardes|guarde|almacenes|almacene|registres|registre|apuntes|apunte|anotes|anote|conserves|conserve",
        "pero|y no guardes|guarde|apuntes|anotes|registres|almacenes",
        "no quiero que guard*|almacen*|registr*|apunt*|anot*|conserv*",
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
        "la información de", "la información sobre", "todo lo que te", "que hablé de", "dije de|sobre",
        "conté de|sobre",
    ],
    own: &[
        "mi|mis|nuestra|nuestro … dirección|teléfono|número|móvil|celular|cumpleaños|correo|email|sueldo|salario|edad|nombre|apellido|peso|contraseña|domicilio|dni|diagnóstico|alquiler|fecha_de_nacimiento",
    ],
    ordinary: &[
        "se me olvid*", "se te olvid*", "se le olvid*", "se nos olvid*", "se les olvid*", "se os olvid*",
        "se olvid*", "me olvid*", "nos olvid*", "que no olvid*", "no olvid*", "no te olvid*", "no se olvid*",
        "nunca olvid*", "nunca se olvid*", "jamás olvid*", "siempre olvid*", "siempre se olvid*",
        "siempre se me olvid*", "a veces olvid*", "nadie olvida", "quien olvida", "quién olvida", "yo olvid*",
        "olvido", "si olvido", "mi … olvida", "mi … olvidó", "el … olvida", "la … olvida", "uno … olvida",
        "olvida siempre", "ha olvidado", "he olvidado", "cómo borro", "cómo borrar", "cómo elimin*",
        "cómo se borra", "puedo borrar", "puedo olvidar", "puedo eliminar", "quiero olvidar",
        "quisiera olvidar", "^ olvídalo $", "^ olvídelo $", "^ olvidalo $",
    ],
    passed_on: &[
        "escríbele", "escribe", "escríbeme", "dile", "diles", "dígale", "dígele", "un mensaje", "un correo",
        "un email", "una carta", "un poema", "una canción", "un texto", "me dijo que", "me dice que",
        "dijo que", "dice que", "me pidió que", "me ha dicho que", "recuérdame", "recuérdale", "traduce",
        "redacta",
    ],
    silences: &[
        "^ no guardes|guarde|recuerdes|recuerde|memorices|memorice|almacenes|almacene|registres|registre|retengas|retenga|conserves|conserve|apuntes|apunte|anotes|anote nada",
        "^ no te acuerdes de nada",
        "no quiero que guard*|recuerd*|memori*|almacen*|registr*|reteng*|conserv*|apunt*|anot* nada",
        "no quiero que te acuerdes de nada",
        "nada de esta|este conversación|charla|chat … guard*|record*|recuerd*|registr*",
        "^ no guardes|guarde|recuerdes|registres|almacenes esta|este|la|el conversación|charla|chat",
        "que no se guarde nada", "^ olvida|olvide todo $", "^ olvídalo todo",
        "^ olvida|olvide esta|toda_esta conversación|charla", "^ olvida este chat",
        "^ olvida|olvide todo lo que … dije|dicho|conté|contado",
        "que no quede nada|rastro de esta|este conversación|chat|charla",
    ],
    here: &[
        "este|esta|el|la|nuestro|nuestra chat|conversación|charla|plática",
        "lo que digo|diga|escribo|escriba|cuento|cuente|he", "te digo|diga|cuento|cuente", "de esto|eso",
        "aquí", "hoy", "lo que hablemos|hablamos|digamos",
    ],
    about: &[
        "sobre|acerca_de|respecto_a", "dije|conté|hablé|mencioné|escribí|puse|contado|dicho|hablado de|del",
        "lo de|del",
    ],
    about_behind: &[],
    pointing: "esto eso ello esta este ese esa lo la los las nada todo de del que te me mi mí aquí hoy \
        conversación charla chat plática digo diga dije conté cuento cuente he dicho hemos hablado hablamos \
        hablemos ahora yo nosotros nos mismo escribo escriba acabo decir contar antes en por",
    verb_far: false,
    openers: "por favor porfa porfi oye hola vale bueno ok y pero pues entonces ahora ya a ver perdona perdón \
        gracias mira una cosa por cierto mejor",
    closers: "",
};
