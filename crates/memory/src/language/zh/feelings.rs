//! Chinese: statements of feeling.

use crate::language::feelings::{FEELING, Feelings, PREDICATE, SAYS};
use crate::language::rule::DistilRule;

pub(super) const FEELINGS: Feelings = Feelings { rules: RULES, words: WORDS, good: GOOD };

// One rule a line, so that the table can be read as one.
#[rustfmt::skip]
const RULES: &[DistilRule] = &[
    FEELING.on("feels", "我 ~ 感到|觉得|感觉 ~ {feeling}").says(SAYS, PREDICATE),
    FEELING.on("is", "我 ~ {feeling}").says(SAYS, PREDICATE),
];

const WORDS: &str = "难过 伤心 开心 高兴 快乐 焦虑 紧张 担心 害怕 孤独 寂寞 生气 愤怒 失望 沮丧 压力很大 疲惫 累 骄傲 自豪 感激 兴奋 幸福 痛苦 无助 绝望";

/// Of these, those that feel good; the others feel bad.
const GOOD: &str = "开心 高兴 快乐 骄傲 自豪 感激 兴奋 幸福";
