//! Spanish: the most common forms.

use crate::language::rule::{
    DECISION, Dates, HEALTH, HOME, IDENTITY, INSTRUCTION, Lexicon, PREFERENCE, RulePlace, DistilRule, SlotWords, WORK,
};
use crate::types::StatementDurability;

pub(super) const LEXICON: Lexicon = Lexicon {
    rules: &[RULES],
    adverbs: "mucho muy realmente también más siempre ahora actualmente tanto muchísimo sobre_todo",
    openers: "y pero porque pues hola sí no además aunque entonces oye",
    boundaries: "porque pero aunque ya_que cuando si mientras pues así_que para_que por_si por_si_acaso",
    joints: "y o e",
    clause_words: "yo él ella nosotros tú usted me te se mi no es son está tengo quiero puedo puedes luego después ahora",
    suppositions: "si imagina supongamos suponiendo ojalá",
    questions: "qué cómo por_qué quién dónde cuál puedes podrías puede_usted debería",
    empty_objects: "eso esto lo la los las ello algo nada todo el un una más mucho que así ese esa",
    refused_openings: "eso esto lo tu tus te si cómo que",
    passing: "por_ahora solo_hoy por_hoy de_momento esta_vez",
    durable: "a_partir_de_ahora de_ahora_en_adelante recuerda_que no_olvides no_te_olvides desde_ahora",
    not_names: "español española inglés lunes martes miércoles jueves viernes sábado domingo",
    dangling: "por para con de del en a al y o que pero como sin muy la el los las un una su mi todavía aún jaja lol",
    slots: SlotWords {
        nowhere: "mi mis mí me nos nuestro nuestra nuestros nuestras yo conmigo mío mía tu su sus cómo",
        no_facts: "caja noche día días mañana mañanas tarde tardes noches madrugada lunes martes miércoles jueves viernes sábado domingo sábados domingos navidad semana_santa sol casa paz guerra miedo calma alquiler lejos cerca loco loca burro burra negro negra animal bestia mula forma manera tiempo jornada turno turnos pareja familia compañía soledad pecado angustia tensión vilo lo ello ellos algo todo nada sobra milagro prestado cero remoto verano invierno otoño primavera fines fin pie espaldas verdad",
        no_beginnings: "a_mi a_tu a_su cuando donde que quien como un una",
        ..SlotWords::EMPTY
    },
    ..Lexicon::EMPTY
};

// One rule a line, so that the table can be read as one.
#[rustfmt::skip]
const RULES: &[DistilRule] = &[
    IDENTITY.on("name", "[yo] me llamo {name}").says("User's name is {name}", "NAMED").between("User", "{name}").slot("identity:name"),
    IDENTITY.on("name", "mi nombre es {name}").says("User's name is {name}", "NAMED").between("User", "{name}").slot("identity:name"),
    IDENTITY.on("call_me", "llámame|puedes_llamarme {name}").says("User goes by {name}", "GOES_BY").between("User", "{name}").slot("identity:preferred_name"),
    IDENTITY.on("age", "[yo] tengo {number} años").says("User is {number} years old", "AGE").between("User", "{number}").slot("identity:age"),
    HOME.on("lives_in", "[yo] ~ vivo|vivimos ~ en {place}").says("User lives in {place}", "LIVES_IN").between("User", "{place}").slot("home:city"),
    HOME.on("moved_to", "[yo] me_mudé|me_he_mudado|nos_mudamos|nos_hemos_mudado a {name}").says("User lives in {name}", "LIVES_IN").between("User", "{name}").slot("home:city").dated(Dates::Begin),
    HOME.on("from", "[yo] soy de {name}").says("User is from {name}", "FROM").between("User", "{name}").slot("identity:origin"),
    WORK.on("works_as", "[yo] ~ trabajo como|de {object}").says("User works as {object}", "WORKS_AS").slot("work:role"),
    WORK.on("works_at", "[yo] ~ trabajo en|para {name}").says("User works at {name}", "WORKS_AT").between("User", "{name}").slot("work:employer").relating(),
    HEALTH.on("allergic", "[yo] soy alérgico|alérgica a|al {object}").says("User is allergic to {object}", "ALLERGIC_TO"),
    PREFERENCE.on("favourite", "mi {what} favorito|favorita|preferido|preferida es {object}").says("User's favourite {what} is {object}", "FAVOURITE_{what}").slot("favourite:{what}"),
    PREFERENCE.on("prefers", "[yo] ~ prefiero|preferimos {object}").says("User prefers {object}", "PREFERS"),
    PREFERENCE.on("dislikes", "[a_mí] no me gusta|gustan ~ {object}").says("User does not like {object}", "DISLIKES"),
    PREFERENCE.on("cannot_stand", "[yo] no soporto|aguanto {object}").says("User can't stand {object}", "DISLIKES"),
    PREFERENCE.on("hates", "[yo] odio|detesto {object}").says("User hates {object}", "DISLIKES"),
    PREFERENCE.on("likes", "[a_mí] me ~ gusta|gustan|encanta|encantan ~ {object}").says("User likes {object}", "LIKES"),
    // Without its accent, `usaré` is Italian for "to use", so it needs its pronoun.
    DECISION.on("will_use", "yo usaré {object}").says("User will use {object}", "WILL_USE"),
    DECISION.on("will_use", "[yo] utilizaré|usaremos {object}").says("User will use {object}", "WILL_USE"),
    DECISION.on("will_use", "[yo] voy|vamos a usar|utilizar {object}").says("User will use {object}", "WILL_USE"),
    DECISION.on("decided_to", "[yo] decidí|he_decidido|hemos_decidido|decidimos {object}").says("User decided: {object}", "DECIDED"),
    DECISION.on("chose", "[yo] elegí|he_elegido|escogí {object}").says("User chose {object}", "CHOSE"),
    INSTRUCTION.on("call_me", "llámame {name}").says("Call the user {name}", "").slot("rule:form_of_address").at(RulePlace::Clause),
    INSTRUCTION.on("answer_in", "[por_favor] [,] responde|respóndeme|contesta|contéstame|escribe|habla [me] [siempre|solo] en {what} $").says("Answer in {what}", "").slot("rule:answer_language").lasts(StatementDurability::Lasting),
    INSTRUCTION.on("answer_in", "a_partir_de_ahora|de_ahora_en_adelante|desde_ahora|siempre [,] responde|respóndeme|contesta|contéstame|escribe|habla [siempre|solo] en {what} $").says("Answer in {what}", "").slot("rule:answer_language"),
    INSTRUCTION.on("from_now_on", "a_partir_de_ahora|de_ahora_en_adelante|desde_ahora [,] {object}").says("From now on: {object}", ""),
    INSTRUCTION.on("do_not_use", "[por_favor] [,] no|nunca uses|utilices {object}").says("Do not use {object}", "").lasts(StatementDurability::Lasting),
];
