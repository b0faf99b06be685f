//! Portuguese: the most common forms.

use crate::language::rule::{
    DECISION, Dates, HEALTH, HOME, IDENTITY, INSTRUCTION, Lexicon, PREFERENCE, RulePlace, DistilRule, SlotWords, WORK,
};
use crate::types::StatementDurability;

pub(super) const LEXICON: Lexicon = Lexicon {
    rules: &[RULES],
    adverbs: "muito realmente também mais sempre agora atualmente bastante mesmo",
    openers: "e mas porque pois olá oi sim não também então aliás",
    boundaries: "porque mas embora quando se enquanto pois então para_que já_que",
    joints: "e ou",
    clause_words: "eu ele ela nós você me meu minha não é são está tenho quero posso depois agora",
    suppositions: "se imagine imagina suponha suponhamos",
    questions: "como por_que quem onde qual você_pode pode_me poderia devo posso",
    empty_objects: "isso isto aquilo ele ela algo nada tudo o a um uma mais muito que de",
    refused_openings: "isso isto aquilo que você seu sua se como",
    passing: "por_enquanto só_hoje por_hoje no_momento desta_vez",
    durable: "a_partir_de_agora de_agora_em_diante lembre-se lembra-te não_te_esqueças não_esqueças não_se_esqueça não_esqueça não_esquece",
    not_names: "português portuguesa inglês segunda terça quarta quinta sexta sábado domingo",
    dangling: "por para pra com de do da em no na a ao e ou que mas como sem muito o os as um uma ainda kkk",
    slots: SlotWords {
        nowhere: "meu minha meus minhas me mim eu nosso nossa nossos nossas comigo teu tua seu sua",
        no_facts: "noite noites dia dias manhã manhãs tarde tardes segunda terça quarta quinta sexta sábado domingo natal páscoa carnaval ano_novo paz medo união casa casal aluguel aluguer stress estresse angústia silêncio sossego burro burra louco louca doido doida cão escravo escrava mula forma função turno turnos tempo feriado feriados",
        clubs: "benfica sporting porto_sempre braga_sempre corinthians flamengo palmeiras vasco fluminense botafogo cruzeiro grêmio inter internacional atlético santos_fc vitória_sc belenenses boavista",
        no_beginnings: "um uma que quem quando onde",
        ..SlotWords::EMPTY
    },
    ..Lexicon::EMPTY
};

// One rule a line, so that the table can be read as one.
#[rustfmt::skip]
const RULES: &[DistilRule] = &[
    IDENTITY.on("name", "[o] meu nome é {name}").says("User's name is {name}", "NAMED").between("User", "{name}").slot("identity:name"),
    IDENTITY.on("name", "[eu] me chamo {name}").says("User's name is {name}", "NAMED").between("User", "{name}").slot("identity:name"),
    IDENTITY.on("name", "chamo-me {name}").says("User's name is {name}", "NAMED").between("User", "{name}").slot("identity:name"),
    IDENTITY.on("call_me", "[pode] me chame|chamar de {name}").says("User goes by {name}", "GOES_BY").between("User", "{name}").slot("identity:preferred_name"),
    IDENTITY.on("age", "[eu] tenho {number} anos").says("User is {number} years old", "AGE").between("User", "{number}").slot("identity:age"),
    HOME.on("lives_in", "[eu] ~ moro|vivo|moramos|vivemos ~ em|no|na {place}").says("User lives in {place}", "LIVES_IN").between("User", "{place}").slot("home:city"),
    HOME.on("moved_to", "[eu] me mudei para|pra [o|a] {name}").says("User lives in {name}", "LIVES_IN").between("User", "{name}").slot("home:city").dated(Dates::Begin),
    HOME.on("from", "[eu] sou de|do|da {name}").says("User is from {name}", "FROM").between("User", "{name}").slot("identity:origin"),
    WORK.on("works_as", "[eu] ~ trabalho como {object}").says("User works as {object}", "WORKS_AS").slot("work:role"),
    WORK.on("works_at", "[eu] ~ trabalho na|no|em|para|pra {name}").says("User works at {name}", "WORKS_AT").between("User", "{name}").slot("work:employer").relating(),
    HEALTH.on("allergic", "[eu] sou alérgico|alérgica a|ao|à {object}").says("User is allergic to {object}", "ALLERGIC_TO"),
    PREFERENCE.on("favourite", "[o|a] meu|minha {what} favorito|favorita|preferido|preferida é {object}").says("User's favourite {what} is {object}", "FAVOURITE_{what}").slot("favourite:{what}"),
    PREFERENCE.on("prefers", "[eu] ~ prefiro|preferimos {object}").says("User prefers {object}", "PREFERS"),
    PREFERENCE.on("dislikes", "[eu] não gosto ~ de|do|da|dos|das {object}").says("User does not like {object}", "DISLIKES"),
    PREFERENCE.on("cannot_stand", "[eu] não suporto|aguento {object}").says("User can't stand {object}", "DISLIKES"),
    PREFERENCE.on("hates", "[eu] odeio|detesto {object}").says("User hates {object}", "DISLIKES"),
    PREFERENCE.on("likes", "[eu] ~ gosto ~ de|do|da|dos|das {object}").says("User likes {object}", "LIKES"),
    PREFERENCE.on("likes", "eu ~ adoro|amo {object}").says("User likes {object}", "LIKES"),
    DECISION.on("will_use", "[eu] vou|vamos usar|utilizar {object}").says("User will use {object}", "WILL_USE"),
    DECISION.on("will_use", "[eu] usarei|utilizarei {object}").says("User will use {object}", "WILL_USE"),
    DECISION.on("decided_to", "[eu] decidi|decidimos {object}").says("User decided: {object}", "DECIDED"),
    DECISION.on("chose", "[eu] escolhi|escolhemos {object}").says("User chose {object}", "CHOSE"),
    INSTRUCTION.on("call_me", "[pode] me chame|chamar de {name}").says("Call the user {name}", "").slot("rule:form_of_address").at(RulePlace::Clause),
    INSTRUCTION.on("answer_in", "[por_favor] [,] responda|responde|escreva|fale [me] [sempre|só] em {what} $").says("Answer in {what}", "").slot("rule:answer_language").lasts(StatementDurability::Lasting),
    INSTRUCTION.on("answer_in", "a_partir_de_agora|de_agora_em_diante|sempre [,] responda|responde|escreva|fale [sempre|só] em {what} $").says("Answer in {what}", "").slot("rule:answer_language"),
    INSTRUCTION.on("from_now_on", "a_partir_de_agora|de_agora_em_diante [,] {object}").says("From now on: {object}", ""),
    INSTRUCTION.on("do_not_use", "[por_favor] [,] não|nunca use|utilize {object}").says("Do not use {object}", "").lasts(StatementDurability::Lasting),
];
