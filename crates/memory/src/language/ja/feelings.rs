//! Japanese: statements of feeling.

use crate::language::feelings::{FEELING, Feelings, PREDICATE, SAYS};
use crate::language::rule::DistilRule;

pub(super) const FEELINGS: Feelings = Feelings { rules: RULES, words: WORDS, good: GOOD };

// One rule a line, so that the table can be read as one.
#[rustfmt::skip]
const RULES: &[DistilRule] = &[
    FEELING.on("feels", "私は|僕は|俺は ~ {feeling}").says(SAYS, PREDICATE),
    FEELING.on("feels", "とても|すごく|本当に|最近 ~ {feeling}").says(SAYS, PREDICATE),
];

const WORDS: &str = "悲しい 嬉しい うれしい 楽しい 不安 心配 怖い 寂しい さみしい 怒っている 落ち込んでいる 疲れた 疲れている 幸せ 緊張している つらい 辛い 苦しい 感謝している";

/// Of these, those that feel good; the others feel bad.
const GOOD: &str = "嬉しい うれしい 楽しい 幸せ 感謝している";
