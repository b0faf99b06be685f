//! Chinese: the most common forms. Every character is a word here, so a phrase needs no spaces to match.

use crate::language::rule::{
    DECISION, Dates, HEALTH, HOME, IDENTITY, INSTRUCTION, Lexicon, PREFERENCE, RulePlace, DistilRule, SlotWords, WORK,
};
use crate::types::StatementDurability;

pub(super) const LEXICON: Lexicon = Lexicon {
    rules: &[RULES],
    unspaced: true,
    adverbs: "很 非常 特别 真的 真 也 都 最 一直 比较 现在 目前 其实",
    openers: "但是 但 因为 所以 而且 不过 其实 你好 然后 另外 现在 目前 我觉得 对了 可是",
    boundaries: "因为 所以 但是 不过 而且 如果 的时候 可是",
    joints: "和 跟 以及",
    clause_words: "我 他 她 你 我们 这 那",
    suppositions: "如果 假如 要是 假设 想象 假装",
    questions: "什么 怎么 为什么 谁 哪里 你能 你可以 能不能 可以帮",
    empty_objects: "它 这 那 这 个 他 她 你 的 了 吗 东 西",
    refused_openings: "你 这 那 它 他 她 什么 吗 如果",
    passing: "暂时 今天先 这一次 仅此一次",
    durable: "从现在开始 从现在起 以后 请记住 记住 别忘 不要忘",
    slots: SlotWords {
        nowhere: "我 你 他 她 们 ， 不喜欢 的时候 的人 的话 的朋友 的同事 的表 的姐 的妹 的哥 的弟 的妈 的爸 的女 的男 的老 的儿 的孩 以后 之后 之前 以前",
        no_facts: "不 没 无所 无家 无聊 无业 过 是 在 有 了 着 晚上 早上 上午 下午 中午 半夜 周末 去年 今年 明年 昨天 今天 明天 上周 上个 下周 下个 最近 这里 那里 这儿 那儿 家里 网上 里面 外面 外卖 一辆 一个 一下 努力 认真 拼命 安静 痛苦 幸福 快乐 恐惧",
        no_beginnings: "人 的 好 好者 情 不得 上了 上一个 过 了 不 没 心泛滥 他 她 它 你 们 这 那 一声",
        doings: "起 去 来 回 做 想 听 说 吃 到 发",
        behind: "了 呢 哦 啊 呀 哈 啦 嘛",
        goes_on: "一 两 三 四 五 六 七 八 九 十 几 好几 很多 多 快 已",
        oneself: "我",
        ..SlotWords::EMPTY
    },
    dangling: "了 呢 啊 呀 哦 吧 啦 嘛 哈",
    ..Lexicon::EMPTY
};

// One rule a line, so that the table can be read as one.
#[rustfmt::skip]
const RULES: &[DistilRule] = &[
    IDENTITY.on("name", "我叫|我的名字是|我的名字叫 {name}").says("User's name is {name}", "NAMED").between("User", "{name}").slot("identity:name"),
    IDENTITY.on("call_me", "请叫我|叫我|你可以叫我 {name}").says("User goes by {name}", "GOES_BY").between("User", "{name}").slot("identity:preferred_name"),
    IDENTITY.on("age", "我今年|我 {number} 岁").says("User is {number} years old", "AGE").between("User", "{number}").slot("identity:age"),
    HOME.on("lives_in", "我住在|我居住在|我现在住在|我们住在 {place}").says("User lives in {place}", "LIVES_IN").between("User", "{place}").slot("home:city"),
    HOME.on("moved_to", "我|我们 [上周|上个月|周末|最近|刚|刚刚|去年|今年|已经] 搬到了|搬到|搬去了|搬来了 {place}").says("User lives in {place}", "LIVES_IN").between("User", "{place}").slot("home:city").dated(Dates::Begin),
    HOME.on("from", "我来自 {place}").says("User is from {place}", "FROM").between("User", "{place}").slot("identity:origin"),
    WORK.on("works_at", "我在 {object} 工作|上班").says("User works at {object}", "WORKS_AT").slot("work:employer").relating(),
    WORK.on("is_a", "我是一名|我是一位 {object}").says("User is {object}", "IS").slot("work:role"),
    HEALTH.on("allergic", "我对 {object} 过敏").says("User is allergic to {object}", "ALLERGIC_TO"),
    PREFERENCE.on("favourite", "我最喜欢的 {what} 是 {object}").says("User's favourite {what} is {object}", "FAVOURITE_{what}").slot("favourite:{what}"),
    PREFERENCE.on("prefers", "我更喜欢|我比较喜欢|我偏好|我偏爱|我更倾向于|我更愿意用 {object}").says("User prefers {object}", "PREFERS"),
    PREFERENCE.on("dislikes", "我不喜欢|我不爱|我不太喜欢 {object}").says("User does not like {object}", "DISLIKES"),
    PREFERENCE.on("hates", "我 ~ 讨厌|恨 {object}").says("User hates {object}", "DISLIKES"),
    PREFERENCE.on("cannot_stand", "我 ~ 受不了 {object}").says("User can't stand {object}", "DISLIKES"),
    PREFERENCE.on("likes", "我 ~ 喜欢|爱|热爱 {object}").says("User likes {object}", "LIKES"),
    DECISION.on("will_use", "我会用|我要用|我将使用|我会使用|我们用|我打算用 {object}").says("User will use {object}", "WILL_USE"),
    DECISION.on("decided_to", "我决定|我们决定|我已经决定 {object}").says("User decided: {object}", "DECIDED"),
    DECISION.on("chose", "我选择|我选了|我选择了 {object}").says("User chose {object}", "CHOSE"),
    INSTRUCTION.on("call_me", "请叫我|叫我 {name}").says("Call the user {name}", "").slot("rule:form_of_address").at(RulePlace::Clause),
    INSTRUCTION.on("answer_in", "[以后|从现在开始|从现在起] [,] [请] [总是|始终|一直|都] 用 {what} 回答|回复|答复").says("Answer in {what}", "").slot("rule:answer_language").lasts(StatementDurability::Lasting),
    INSTRUCTION.on("from_now_on", "从现在开始|从现在起|以后 [,] [请] {object}").says("From now on: {object}", ""),
    INSTRUCTION.on("always", "请总是|请始终|请一直 {object}").says("Always: {object}", ""),
    INSTRUCTION.on("do_not_use", "请不要用|不要用|请不要使用|不要使用|别用 {object}").says("Do not use {object}", "").lasts(StatementDurability::Lasting),
];
