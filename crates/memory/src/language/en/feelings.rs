//! English: statements of feeling.

use crate::language::feelings::{ABOUT, FEELING, Feelings, PREDICATE, SAYS, SAYS_ABOUT};
use crate::language::rule::DistilRule;

pub(super) const FEELINGS: Feelings = Feelings { rules: RULES, words: WORDS, good: GOOD };

// One rule a line, so that the table can be read as one.
#[rustfmt::skip]
const RULES: &[DistilRule] = &[
    ABOUT.on("feels_about", "i ~ am|feel|felt|am_feeling|have_been|have_been_feeling ~ {feeling} <about|of|for|by|with|at> {object}").says(SAYS_ABOUT, PREDICATE),
    FEELING.on("feels", "i ~ am|feel|felt|am_feeling|have_been|have_been_feeling ~ {feeling}").says(SAYS, PREDICATE),
];

const WORDS: &str = "
    worried anxious nervous stressed excited proud scared afraid sad happy frustrated overwhelmed
    concerned thrilled grateful upset angry disappointed confident torn hesitant ashamed terrified
    optimistic lonely alone depressed hopeless heartbroken relieved jealous guilty bored hurt
    embarrassed homesick insecure burned_out burnt_out exhausted hopeful delighted devastated miserable
    numb irritated furious restless peaceful joyful calm content ecstatic down unhappy helpless
    stressed_out worn_out glad thankful uneasy tense";

/// Of these, those that feel good; the others feel bad.
const GOOD: &str = "
    excited proud happy thrilled grateful confident optimistic relieved hopeful delighted peaceful
    joyful calm content ecstatic glad thankful";
