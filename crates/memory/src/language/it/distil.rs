//! Italian: the most common forms. The lexer cuts elisions (`l'Italia` is `l'` and `Italia`).

use crate::language::rule::{
    DECISION, Dates, HEALTH, HOME, IDENTITY, INSTRUCTION, Lexicon, PREFERENCE, RulePlace, DistilRule, SlotWords, WORK,
};
use crate::types::StatementDurability;

pub(super) const LEXICON: Lexicon = Lexicon {
    rules: &[RULES],
    adverbs: "molto davvero anche soprattutto sempre adesso ora attualmente tanto tantissimo moltissimo proprio già",
    openers: "e ma perché poi ciao sì no quindi allora però inoltre comunque",
    boundaries: "perché ma però quando se mentre siccome poiché quindi così_che dato_che affinché",
    joints: "e o ed oppure",
    clause_words: "io lui lei noi tu voi loro mi ti si mio mia non è sono ho voglio posso puoi poi dopo adesso ora",
    suppositions: "se immagina immaginiamo supponiamo supponendo magari",
    questions: "che_cosa cosa come perché chi dove quale quando quanto puoi potresti può_lei dovrei posso",
    empty_objects: "ciò questo quello lo la li le gli il i un una uno qualcosa niente nulla tutto più molto che così l'",
    refused_openings: "ciò questo quello che tu tuo tua tuoi tue ti se come quando molto tanto davvero moltissimo",
    passing: "per_ora per_oggi solo_oggi per_il_momento stavolta questa_volta",
    durable: "d'_ora_in_poi da_ora_in_poi da_adesso_in_poi ricorda_che ricordati_che non_dimenticare non_dimenticarti in_futuro",
    not_names: "italiano italiana inglese lunedì martedì mercoledì giovedì venerdì sabato domenica",
    elisions: "l d c m s t n un dell all nell sull dall quest quell",
    dangling: "per con di del da in a al e o che ma come senza molto il lo la i gli le un una ancora",
    slots: SlotWords {
        nowhere: "mio mia miei mie mi me noi ci nostro nostra nostri nostre io tuo tua suo sua come",
        no_facts: "affitto pace paura ansia attesa coppia casa notte notti giorno giorni mattina mattine sera sere pomeriggio weekend lunedì martedì mercoledì giovedì venerdì sabato domenica natale pasqua capodanno ferragosto gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre anni ore mesi settimane matto matta pazzo pazza mulo asino bestia dannato solo sola forma simbiosi ritiro famiglia comunità campagna tensione armonia",
        no_beginnings: "un uno una che",
        trades: "iere iera tore ista aio aia ante ente logo loga essa nico nica uco uca iatra grafo grafa maestro maestra medico cuoco cuoca sarto sarta fabbro idraulico commesso commessa operaio impiegato impiegata avvocato avvocata casalinga casalingo badante autista postino imbianchino bagnino facchino attrice pittrice scrittrice direttrice istruttrice traduttrice",
        ..SlotWords::EMPTY
    },
    ..Lexicon::EMPTY
};

// One rule a line, so that the table can be read as one.
#[rustfmt::skip]
const RULES: &[DistilRule] = &[
    IDENTITY.on("name", "[io] mi chiamo {name}").says("User's name is {name}", "NAMED").between("User", "{name}").slot("identity:name"),
    IDENTITY.on("name", "il mio nome è {name}").says("User's name is {name}", "NAMED").between("User", "{name}").slot("identity:name"),
    IDENTITY.on("call_me", "chiamami|puoi_chiamarmi {name}").says("User goes by {name}", "GOES_BY").between("User", "{name}").slot("identity:preferred_name"),
    IDENTITY.on("age", "[io] ho {number} anni").says("User is {number} years old", "AGE").between("User", "{number}").slot("identity:age"),
    HOME.on("lives_in", "[io] ~ vivo|abito|viviamo|abitiamo ~ a|ad|in {place}").says("User lives in {place}", "LIVES_IN").between("User", "{place}").slot("home:city"),
    HOME.on("moved_to", "[io] mi_sono ~ trasferito|trasferita a|ad|in {name}").says("User lives in {name}", "LIVES_IN").between("User", "{name}").slot("home:city").dated(Dates::Begin),
    HOME.on("from", "[io] sono di {name}").says("User is from {name}", "FROM").between("User", "{name}").slot("identity:origin"),
    HOME.on("from", "[io] vengo da|dalla|dall' {name} $").says("User is from {name}", "FROM").between("User", "{name}").slot("identity:origin"),
    WORK.on("works_as", "[io] ~ lavoro come {object}").says("User works as {object}", "WORKS_AS").slot("work:role"),
    WORK.on("works_as", "[io] faccio il|la|l' {object} $").says("User works as {object}", "WORKS_AS").slot("work:role").of_a_trade(),
    WORK.on("works_at", "[io] ~ lavoro in|alla|da|per|presso {name}").says("User works at {name}", "WORKS_AT").between("User", "{name}").slot("work:employer").relating(),
    HEALTH.on("allergic", "[io] sono ~ allergico|allergica a|al|alla|ai|agli|alle|all' {object}").says("User is allergic to {object}", "ALLERGIC_TO"),
    PREFERENCE.on("favourite", "il|la mio|mia {what} preferito|preferita è {object}").says("User's favourite {what} is {object}", "FAVOURITE_{what}").slot("favourite:{what}"),
    PREFERENCE.on("prefers", "[io] ~ preferisco|preferiamo {object}").says("User prefers {object}", "PREFERS"),
    PREFERENCE.on("dislikes", "[a_me] non mi piace|piacciono ~ {object}").says("User does not like {object}", "DISLIKES"),
    PREFERENCE.on("cannot_stand", "[io] non sopporto|tollero {object}").says("User can't stand {object}", "DISLIKES"),
    PREFERENCE.on("hates", "[io] ~ odio|detesto {object}").says("User hates {object}", "DISLIKES"),
    PREFERENCE.on("likes", "[a_me] mi ~ piace|piacciono ~ {object}").says("User likes {object}", "LIKES"),
    PREFERENCE.on("likes", "[io] ~ amo|adoro {object}").says("User likes {object}", "LIKES"),
    DECISION.on("will_use", "[io] userò|useremo|utilizzerò|utilizzeremo {object}").says("User will use {object}", "WILL_USE"),
    DECISION.on("decided_to", "[io] ho|abbiamo ~ deciso [di] {object}").says("User decided: {object}", "DECIDED"),
    DECISION.on("chose", "[io] ho|abbiamo ~ scelto {object}").says("User chose {object}", "CHOSE"),
    INSTRUCTION.on("call_me", "chiamami {name}").says("Call the user {name}", "").slot("rule:form_of_address").at(RulePlace::Clause),
    INSTRUCTION.on("answer_in", "[per_favore] [,] rispondi|rispondimi|scrivi|scrivimi|parla [sempre|solo] in {what} $").says("Answer in {what}", "").slot("rule:answer_language").lasts(StatementDurability::Lasting),
    INSTRUCTION.on("answer_in", "d'_ora_in_poi|da_ora_in_poi|da_adesso_in_poi [,] rispondi|rispondimi|scrivi|scrivimi|parla [sempre|solo] in {what} $").says("Answer in {what}", "").slot("rule:answer_language"),
    INSTRUCTION.on("from_now_on", "d'_ora_in_poi|da_ora_in_poi|da_adesso_in_poi [,] {object}").says("From now on: {object}", ""),
    INSTRUCTION.on("do_not_use", "[per_favore] [,] non usare|utilizzare [mai] {object}").says("Do not use {object}", "").lasts(StatementDurability::Lasting),
];
