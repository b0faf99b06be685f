//! Russian: statements of feeling.

use crate::language::feelings::{FEELING, Feelings, PREDICATE, SAYS};
use crate::language::rule::DistilRule;

pub(super) const FEELINGS: Feelings = Feelings { rules: RULES, words: WORDS, good: GOOD };

// One rule a line, so that the table can be read as one.
#[rustfmt::skip]
const RULES: &[DistilRule] = &[
    FEELING.on("feels", "мне ~ {feeling}").says(SAYS, PREDICATE),
    FEELING.on("feels", "я чувствую себя ~ {feeling}").says(SAYS, PREDICATE),
    FEELING.on("is", "я ~ {feeling}").says(SAYS, PREDICATE),
];

const WORDS: &str = "
    грустно страшно тревожно одиноко радостно стыдно обидно больно тяжело тоскливо скучно счастлив
    счастлива рад рада расстроен расстроена встревожен встревожена зол зла устал устала подавлен
    подавлена напуган напугана разочарован разочарована горжусь одиноким одинокой счастливым счастливой
    несчастным несчастной плохо";

/// Of these, those that feel good; the others feel bad.
const GOOD: &str = "радостно счастлив счастлива рад рада горжусь счастливым счастливой";
