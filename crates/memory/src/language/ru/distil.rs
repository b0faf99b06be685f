//! Russian: the most common forms. Objects keep the case they were said in.

use crate::language::rule::{
    DECISION, Dates, HEALTH, HOME, IDENTITY, INSTRUCTION, Lexicon, PREFERENCE, RulePlace, DistilRule, SlotWords, WORK,
};
use crate::types::StatementDurability;

pub(super) const LEXICON: Lexicon = Lexicon {
    rules: &[RULES],
    adverbs: "очень больше тоже также всегда просто сейчас действительно особенно теперь недавно",
    openers: "и но а потому поэтому привет да нет ещё кстати вообще",
    boundaries: "потому но а когда если чтобы хотя так_как поэтому",
    joints: "и или",
    clause_words: "я мы он она они ты вы мне мой моя у это потом теперь не могу хочу",
    suppositions: "если представь представьте допустим предположим бы",
    questions: "что как почему кто где какой какая какие можешь можете мог_бы стоит_ли",
    empty_objects: "это то его её их всё ничего что-то тебя вас меня так",
    refused_openings: "это то тебя вас твой твои ваш когда если как что чтобы",
    passing: "пока_что только_сегодня на_сегодня в_этот_раз на_этот_раз",
    durable: "с_этого_момента отныне запомни не_забудь не_забывай впредь",
    not_names: "понедельник вторник среда четверг пятница суббота воскресенье",
    dangling: "и или для с со в во на по от до за к у о что но как без ещё",
    slots: SlotWords {
        nowhere: "мой моя моё мои моего моей моему моим моих мою меня мне мной свой своя своего своей своих свою своему своим своими наш наша нашего нашей нас нам твой твоя твоего твоей как когда",
        no_facts: "коробке утром днём вечером ночью летом зимой осенью весной днями ночами вечерами утрами временами целый весь весь_день всю страхе мире нищете достатке гармонии ожидании напряжении неведении разлуке браке любви удалённо удаленно дистанционно дома много мало хорошо плохо быстро медленно каждый каждую понедельник вторник среду четверг пятницу субботу воскресенье выходные праздники новый_год рождество одним одной семьёй командой пасху январе феврале марте апреле мае июне июле августе сентябре октябре ноябре декабре паре одиночестве",
        trades: "ом ем ём ой ей ью ым им",
        ..SlotWords::EMPTY
    },
    ..Lexicon::EMPTY
};

// One rule a line, so that the table can be read as one.
#[rustfmt::skip]
const RULES: &[DistilRule] = &[
    IDENTITY.on("name", "меня зовут {name}").says("User's name is {name}", "NAMED").between("User", "{name}").slot("identity:name"),
    IDENTITY.on("name", "моё имя [—] {name}").says("User's name is {name}", "NAMED").between("User", "{name}").slot("identity:name"),
    IDENTITY.on("call_me", "зови|зовите|называй|называйте меня {name}").says("User goes by {name}", "GOES_BY").between("User", "{name}").slot("identity:preferred_name"),
    IDENTITY.on("age", "мне {number} лет|год|года").says("User is {number} years old", "AGE").between("User", "{number}").slot("identity:age"),
    HOME.on("lives_in", "я|мы ~ живу|живем ~ в|во|на {place}").says("User lives in {place}", "LIVES_IN").between("User", "{place}").slot("home:city"),
    HOME.on("moved_to", "я|мы ~ переехал|переехала|переехали в|во|на {name}").says("User lives in {name}", "LIVES_IN").between("User", "{name}").slot("home:city").dated(Dates::Begin),
    HOME.on("from", "я [родом] из {name}").says("User is from {name}", "FROM").between("User", "{name}").slot("identity:origin"),
    WORK.on("works_at", "я ~ работаю ~ в|во {name}").says("User works at {name}", "WORKS_AT").between("User", "{name}").slot("work:employer").relating(),
    WORK.on("works_as", "я ~ работаю {object}").says("User works as {object}", "WORKS_AS").slot("work:role").of_a_trade(),
    HEALTH.on("allergic", "у меня аллергия на {object}").says("User is allergic to {object}", "ALLERGIC_TO"),
    PREFERENCE.on("favourite", "мой|моя|моё|мои любимый|любимая|любимое|любимые {what} — {object}").says("User's favourite {what} is {object}", "FAVOURITE_{what}").slot("favourite:{what}"),
    PREFERENCE.on("prefers", "я|мы ~ предпочитаю|предпочитаем {object}").says("User prefers {object}", "PREFERS"),
    PREFERENCE.on("dislikes", "я ~ не люблю {object}").says("User does not like {object}", "DISLIKES"),
    PREFERENCE.on("dislikes", "мне ~ не нравится|нравятся {object}").says("User does not like {object}", "DISLIKES"),
    PREFERENCE.on("hates", "я ~ ненавижу|терпеть_не_могу {object}").says("User hates {object}", "DISLIKES"),
    PREFERENCE.on("likes", "я ~ люблю|обожаю {object}").says("User likes {object}", "LIKES"),
    PREFERENCE.on("likes", "мне ~ нравится|нравятся {object}").says("User likes {object}", "LIKES"),
    DECISION.on("will_use", "я|мы буду|будем использовать {object}").says("User will use {object}", "WILL_USE"),
    DECISION.on("chose", "я|мы выбрал|выбрала|выбрали {object}").says("User chose {object}", "CHOSE"),
    DECISION.on("decided_to", "я|мы решил|решила|решили {object}").says("User decided: {object}", "DECIDED"),
    INSTRUCTION.on("call_me", "зови|зовите|называй|называйте меня {name}").says("Call the user {name}", "").slot("rule:form_of_address").at(RulePlace::Clause),
    INSTRUCTION.on("answer_in", "[пожалуйста] [,] отвечай|отвечайте|пиши|пишите|говори [мне|со_мной] [всегда|только] на|по {what} $").says("Answer in {what}", "").slot("rule:answer_language").lasts(StatementDurability::Lasting),
    INSTRUCTION.on("answer_in", "с_этого_момента|отныне|впредь|всегда [,] отвечай|отвечайте|пиши|говори [мне|со_мной] [всегда|только] на|по {what} $").says("Answer in {what}", "").slot("rule:answer_language"),
    INSTRUCTION.on("from_now_on", "с_этого_момента|отныне|впредь [,] {object}").says("From now on: {object}", ""),
    INSTRUCTION.on("do_not_use", "[пожалуйста] [,] [никогда] не используй|используйте {object}").says("Do not use {object}", "").lasts(StatementDurability::Lasting),
];
