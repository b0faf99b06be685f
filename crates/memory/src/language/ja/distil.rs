//! Japanese: the most common forms. The verb stands last, so a pattern begins with its slot.

use crate::language::rule::{
    DECISION, Dates, HEALTH, HOME, IDENTITY, INSTRUCTION, Lexicon, PREFERENCE, RulePlace, DistilRule, SlotWords, WORK,
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
    slots: SlotWords {
        nowhere: "から まで ので けど ながら といっ と言 という と思 そうです らしい",
        no_facts: "週末 先週 来週 今週 先月 来月 今月 昨年 去年 今年 来年 一昨年 昨日 今日 明日 今朝 今夜 最近 昔 頃 当時 以前 毎日 毎週 毎晩 毎朝 夏 冬休み 春休み 夜勤 一人 二人 家族 みんな で に へ を と どこ",
        no_beginnings: "の が は を に で と も へ だけ",
        behind: "です だ よ ね な ん の わ さ ー ございます ます",
        goes_on: "から ので けど けれど が し で、",
        others: "母 父 お母さん お父さん ママ パパ 両親 兄 弟 姉 妹 息子 娘 子供 子ども 夫 妻 旦那 主人 嫁 奥さん 家内 彼 彼女 祖母 祖父 おばあ おじい 叔父 叔母 伯父 伯母 いとこ 従兄 従妹 姪 甥 孫 義母 義父 友達 友人 親友 同僚 上司 部下 部長は 部長が 課長は 課長が 社長は 社長が 店長は 店長が 店長に 社長に 先輩 後輩 先生は 先生が 先生も 先生に 先生から 先生って さん ちゃん くん 君 隣 大家 あの人 あいつ みんな うちの猫 うちの犬 うちの子",
        subject_marks: "は が も って",
        oneself: "私 僕 俺 わたし ぼく おれ 自分 あたし うち わたくし 私たち",
        ..SlotWords::EMPTY
    },
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
