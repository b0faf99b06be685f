//! Japanese: the most common forms. The verb stands last, so a pattern begins with its slot.

use crate::language::rule::{
    DECISION, Dates, HEALTH, HOME, IDENTITY, INSTRUCTION, Lexicon, PREFERENCE, RulePlace, DistilRule, WORK,
};
use crate::types::StatementDurability;

pub(super) const LEXICON: Lexicon = Lexicon {
    rules: &[RULES],
    unspaced: true,
    adverbs: "とても すごく 本当に 一番",
    openers: "でも だから それで しかし 実は そして ちなみに こんにちは",
    boundaries: "から ので けど",
    suppositions: "もし 仮に たとえば",
    questions: "何 どう なぜ 誰 どこ どの",
    empty_objects: "それ これ あれ そ れ こ の は が を",
    refused_openings: "それ これ あれ その この あなた",
    passing: "今だけ 今日だけ とりあえず",
    durable: "これから 今後 覚えて 忘れないで",
    ..Lexicon::EMPTY
};

// One rule a line, so that the table can be read as one.
#[rustfmt::skip]
const RULES: &[DistilRule] = &[
    IDENTITY.on("name", "私の名前は|名前は|僕の名前は {name} です|だ|といいます").says("User's name is {name}", "NAMED").between("User", "{name}").slot("identity:name"),
    IDENTITY.on("name", "[私は|僕は|俺は] {name} と申します|といいます|と言います").says("User's name is {name}", "NAMED").between("User", "{name}").slot("identity:name"),
    IDENTITY.on("call_me", "[私のことは|僕のことは] {name} と呼んで").says("User goes by {name}", "GOES_BY").between("User", "{name}").slot("identity:preferred_name"),
    IDENTITY.on("age", "私は|僕は|俺は [今年] {number} 歳").says("User is {number} years old", "AGE").between("User", "{number}").slot("identity:age"),
    HOME.on("lives_in", "[私は|僕は|俺は] {object} に住んでいます|に住んでいる|に住んでます|在住です").says("User lives in {object}", "LIVES_IN").slot("home:city"),
    HOME.on("moved_to", "[私は|僕は|俺は] {object} に引っ越しました|に引っ越した").says("User lives in {object}", "LIVES_IN").slot("home:city").dated(Dates::Begin),
    HOME.on("from", "[私は|僕は|俺は] {object} 出身です|の出身です").says("User is from {object}", "FROM").slot("identity:origin"),
    WORK.on("works_as", "[私は|僕は|俺は] {object} として働いています|として働いている").says("User works as {object}", "WORKS_AS").slot("work:role"),
    WORK.on("works_at", "[私は|僕は|俺は] {object} で働いています|で働いている|に勤めています").says("User works at {object}", "WORKS_AT").slot("work:employer").relating(),
    HEALTH.on("allergic", "[私は|僕は|俺は] {object} アレルギーです|アレルギーがあります").says("User is allergic to {object}", "ALLERGIC_TO"),
    PREFERENCE.on("favourite", "[私の|僕の] 好きな {what} は {object} です").says("User's favourite {what} is {object}", "FAVOURITE_{what}").slot("favourite:{what}"),
    PREFERENCE.on("prefers", "[私は|僕は|俺は] {object} の方が好き|のほうが好き").says("User prefers {object}", "PREFERS"),
    PREFERENCE.on("dislikes", "[私は|僕は|俺は] {object} が好きではありません|が好きじゃない|は好きじゃない|が好きではない|は好きではありません").says("User does not like {object}", "DISLIKES"),
    PREFERENCE.on("hates", "[私は|僕は|俺は] {object} が嫌い|は嫌い|が大嫌い|が苦手").says("User hates {object}", "DISLIKES"),
    PREFERENCE.on("likes", "[私は|僕は|俺は] {object} が好き|が大好き|が一番好き").says("User likes {object}", "LIKES"),
    DECISION.on("will_use", "[私は|僕は|俺は] {object} を使います|を使うことにします|を使うことにしました").says("User will use {object}", "WILL_USE"),
    DECISION.on("decided_on", "[私は|僕は|俺は] {object} に決めました|を選びました|にします").says("User decided on {object}", "DECIDED_ON"),
    INSTRUCTION.on("call_me", "[私のことは|僕のことは] {name} と呼んで").says("Call the user {name}", "").slot("rule:form_of_address").at(RulePlace::Clause),
    INSTRUCTION.on("answer_in", "[これからは|今後は|これから|今後] [,] [必ず|いつも] {what} で答えて|で回答して|で返事して|で返答して").says("Answer in {what}", "").slot("rule:answer_language").lasts(StatementDurability::Lasting),
    INSTRUCTION.on("from_now_on", "これからは|今後は [,] {object}").says("From now on: {object}", ""),
    INSTRUCTION.on("do_not_use", "{object} を使わないで|は使わないで").says("Do not use {object}", "").lasts(StatementDurability::Lasting),
];
