//! French: the most common forms. The lexer cuts elisions (`j'aime` is `j'` and `aime`).

use crate::language::rule::{
    DECISION, Dates, HEALTH, HOME, IDENTITY, INSTRUCTION, Lexicon, PREFERENCE, RulePlace, DistilRule, SlotWords, WORK,
};
use crate::types::StatementDurability;

pub(super) const LEXICON: Lexicon = Lexicon {
    rules: &[RULES],
    adverbs: "vraiment beaucoup bien aussi surtout plutôt toujours énormément actuellement maintenant",
    openers: "et mais car parce bonjour salut oui non donc alors puis aussi",
    boundaries: "parce car mais quand si lorsque puisque donc afin pour_que alors_que",
    joints: "et ou",
    clause_words: "je j' il elle nous tu vous on mon ma mes c' ce ne n' puis ensuite est sont ai peux",
    suppositions: "si imagine imaginons supposons supposez",
    questions: "que qu' quoi comment pourquoi qui où quel quelle peux-tu pouvez-vous pourrais-tu est-ce dois-je puis-je",
    empty_objects: "ça cela ceci le la les lui rien tout quelque un une des de du d' l' bien y en",
    refused_openings: "ça cela que qu' quand tu ton ta tes vous votre si comment",
    passing: "pour_l'_instant pour_le_moment aujourd'hui_seulement cette_fois",
    durable: "à_partir_de_maintenant désormais dorénavant souviens-toi retiens_que n'_oublie_pas n'_oubliez_pas",
    elisions: "j l d c n m s t qu",
    not_names: "français française anglais lundi mardi mercredi jeudi vendredi samedi dimanche",
    dangling: "pour par avec de du des en à au aux et ou que mais comme sans très le la les un une encore mdr",
    slots: SlotWords {
        nowhere: "mon ma mes me moi m' notre nos nous je j' ton ta tes votre vos leur",
        no_facts: "boîte jour jours nuit nuits matin soir semaine week-end lundi mardi mercredi jeudi vendredi samedi dimanche noël pâques toussaint noel temps mi-temps plein_temps couple colocation coloc paix peur harmonie famille ménage concubinage union dépendance crochets fou folle dingue malade âne chien bête perte retrait marge instant présent fond domicile distance",
        no_beginnings: "un une ce que",
        ..SlotWords::EMPTY
    },
    ..Lexicon::EMPTY
};

// One rule a line, so that the table can be read as one.
#[rustfmt::skip]
const RULES: &[DistilRule] = &[
    IDENTITY.on("name", "je m' appelle {name}").says("User's name is {name}", "NAMED").between("User", "{name}").slot("identity:name"),
    IDENTITY.on("name", "mon nom|prénom est {name}").says("User's name is {name}", "NAMED").between("User", "{name}").slot("identity:name"),
    IDENTITY.on("call_me", "appelle-moi|appelez-moi {name}").says("User goes by {name}", "GOES_BY").between("User", "{name}").slot("identity:preferred_name"),
    IDENTITY.on("age", "j' ai {number} ans").says("User is {number} years old", "AGE").between("User", "{number}").slot("identity:age"),
    HOME.on("lives_in", "je|j'|nous ~ habite|vis|habitons|vivons ~ à|en|au|dans {place}").says("User lives in {place}", "LIVES_IN").between("User", "{place}").slot("home:city"),
    HOME.on("moved_to", "j' ai ~ déménagé à|en|au {name}").says("User lives in {name}", "LIVES_IN").between("User", "{name}").slot("home:city").dated(Dates::Begin),
    HOME.on("from", "je viens de|d' {name}").says("User is from {name}", "FROM").between("User", "{name}").slot("identity:origin"),
    WORK.on("works_as", "je travaille ~ comme|en_tant_que {object}").says("User works as {object}", "WORKS_AS").slot("work:role"),
    WORK.on("works_at", "je travaille ~ chez|pour|à {name}").says("User works at {name}", "WORKS_AT").between("User", "{name}").slot("work:employer").relating(),
    HEALTH.on("allergic", "je suis ~ allergique à|aux|au {object}").says("User is allergic to {object}", "ALLERGIC_TO"),
    PREFERENCE.on("favourite", "mon|ma {what} préféré|préférée|favori|favorite est {object}").says("User's favourite {what} is {object}", "FAVOURITE_{what}").slot("favourite:{what}"),
    PREFERENCE.on("prefers", "je|nous ~ préfère|préférons {object}").says("User prefers {object}", "PREFERS"),
    PREFERENCE.on("dislikes", "je n' aime pas|plus ~ {object}").says("User does not like {object}", "DISLIKES"),
    PREFERENCE.on("cannot_stand", "je ne supporte pas|plus {object}").says("User can't stand {object}", "DISLIKES"),
    PREFERENCE.on("hates", "je ~ déteste|hais {object}").says("User hates {object}", "DISLIKES"),
    PREFERENCE.on("likes", "j' aime|adore ~ {object}").says("User likes {object}", "LIKES"),
    DECISION.on("will_use", "je|nous vais|allons ~ utiliser|adopter {object}").says("User will use {object}", "WILL_USE"),
    DECISION.on("will_use", "j' utiliserai {object}").says("User will use {object}", "WILL_USE"),
    DECISION.on("decided_to", "j' ai ~ décidé de|d' {object}").says("User decided: {object}", "DECIDED"),
    DECISION.on("chose", "j' ai ~ choisi|opté_pour {object}").says("User chose {object}", "CHOSE"),
    INSTRUCTION.on("call_me", "appelle-moi|appelez-moi {name}").says("Call the user {name}", "").slot("rule:form_of_address").at(RulePlace::Clause),
    INSTRUCTION.on("answer_in", "[désormais|dorénavant] [à_partir_de_maintenant] [,] réponds|réponds-moi|répondez|écris|parle|parle-moi [toujours|seulement] en {what} $").says("Answer in {what}", "").slot("rule:answer_language").lasts(StatementDurability::Lasting),
    INSTRUCTION.on("from_now_on", "à_partir_de_maintenant|désormais|dorénavant [,] {object}").says("From now on: {object}", ""),
    INSTRUCTION.on("do_not_use", "n' utilise|utilisez pas|jamais|plus [de|d'|des] {object}").says("Do not use {object}", "").lasts(StatementDurability::Lasting),
];
