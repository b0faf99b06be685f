//! Spanish, folded: without accents, ñ as n.

use crate::language::Language;
use crate::recall::gate::pattern::{PhraseGroup, PhraseTable};

pub(in crate::recall::gate) const TABLE: PhraseTable = PhraseTable {
    language: Language::Spanish,
    marks: &[
        "el", "los", "las", "es", "que", "cual", "quien", "donde", "como", "cuando", "cuanto", "cuantos",
        "para", "por", "con", "un", "una", "yo", "del", "se", "llama", "hice", "fue", "esta",
    ],
    phrases: &[
        (
            PhraseGroup::Identity,
            &[
                "como me llamo",
                "cual es mi nombre|edad|trabajo|profesion|cumpleanos",
                "quien soy",
                "que sabes|recuerdas de|sobre|acerca mi|de",
                "donde trabajo|vivo|estudio",
                "cuantos anos tengo",
                "sabes mi nombre",
                "sabes como me llamo",
                "te acuerdas de mi nombre",
                "a que me dedico",
                "cuando es mi cumpleanos",
            ],
        ),
        (
            PhraseGroup::Transcript,
            &[
                "que te? dije|escribi|pregunte",
                "que exactamente te? dije|escribi|pregunte",
                "que fue lo que te? dije|escribi|pregunte",
                "mis palabras exactas",
                "repite|repiteme|cita lo que te? dije|escribi",
                "lo que te? dije|escribi exactamente",
            ],
        ),
        (
            PhraseGroup::Time,
            &[
                "ayer|anteayer|anoche|anteriormente|previamente|recientemente",
                "semana|noche pasada",
                "mes|ano|lunes|martes|miercoles|jueves|viernes|sabado|domingo|verano|invierno pasado",
                "ultima vez|sesion|semana|conversacion",
                "hace poco|tiempo",
                "hace _ dia|dias|semana|semanas|mes|meses|ano|anos|hora|horas",
                "el lunes|martes|miercoles|jueves|viernes|sabado|domingo",
                "en enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre",
                "cuando fui|hice|estuve|compre|fuimos|hicimos|empece|visite",
            ],
        ),
        (
            PhraseGroup::Prior,
            &[
                "de que|lo hablamos|conversamos",
                "que hablamos|discutimos|conversamos|acordamos|decidimos",
                "hablamos de|sobre|ayer|antes",
                "discutimos|conversamos sobre|de|antes",
                "me dijiste|contaste|recomendaste|sugeriste|aconsejaste|mencionaste",
                "dijiste|mencionaste que",
                "te acuerdas",
                "recuerdas cuando|que|la|el|lo|mi",
                "como te? dije|mencione|comente",
                "te dije|conte|mencione|comente que",
                "ya te dije|conte|mencione",
                "nuestra|nuestro ultima|ultimo|anterior|previa|conversacion|charla|sesion|chat",
            ],
        ),
        (
            PhraseGroup::Recall,
            &[
                "recuerda|recuerdame|recuerdas|recordar|acuerdate",
                "olvida|olvides|olvide|olvidado",
                "te he contado|dicho|mencionado",
                "he dicho|mencionado|contado",
            ],
        ),
        (PhraseGroup::Mine, &["mi|mis|nuestro|nuestra|nuestros|nuestras _"]),
    ],
};
