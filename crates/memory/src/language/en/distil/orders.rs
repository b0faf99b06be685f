//! English: standing instructions to the assistant.

use crate::language::rule::{INSTRUCTION, RulePlace, DistilRule};
use crate::types::StatementDurability;

// One rule a line, so that the table can be read as one.
#[rustfmt::skip]
pub(super) const RULES: &[DistilRule] = &[
    INSTRUCTION.on("call_me", "call me {name} $").says("Call the user {name}", "").slot("rule:form_of_address").at(RulePlace::Clause),
    INSTRUCTION.on("answer_in", "[please] [always] <answer|respond|reply|speak|write|talk|communicate> [to_me|with_me|only] in {language}").says("Answer in {language}", "").slot("rule:answer_language").lasts(StatementDurability::Lasting),
    INSTRUCTION.on("answer_in", "from_now_on|going_forward|in_future [,] [please] [always] <answer|respond|reply|speak|write|talk|communicate> [to_me|with_me|only] in {language}").says("Answer in {language}", "").slot("rule:answer_language"),
    INSTRUCTION.on("answer_length", "[please] keep your answers|responses|replies [very|always] <short|brief|concise|simple|detailed>").says("Keep answers {base}", "").slot("rule:answer_length").lasts(StatementDurability::Lasting),
    INSTRUCTION.on("answer_length", "[please] [always] be|answer|respond [more] <brief|concise|briefly|concisely>").says("Be {base}", "").slot("rule:answer_length").lasts(StatementDurability::Lasting),
    INSTRUCTION.on("from_now_on", "from_now_on|going_forward|moving_forward|in_future|in_the_future [,] {rest}").says("{rest}", ""),
    INSTRUCTION.on("from_now_on", "{rest} from_now_on|going_forward").says("{rest}", ""),
    INSTRUCTION.on("always", "[please] <always|never> {rest}").says("{base} {rest}", ""),
    INSTRUCTION.on("please_do_not", "[please] do_not ever {rest}").says("Never {rest}", ""),
    INSTRUCTION.on("please_do_not", "please do_not <use|say|call|apologize|apologise|repeat|include|add> {object}").says("Do not {base} {object}", "").lasts(StatementDurability::Lasting),
    INSTRUCTION.on("do_not_use", "do_not use {object}").says("Do not use {object}", "").lasts(StatementDurability::Lasting).uncoded().sure(0.7, 0.6),
    INSTRUCTION.on("stop", "[please] stop <using|saying|calling|apologizing|adding|repeating> {object}").says("Stop {base} {object}", "").lasts(StatementDurability::Lasting),
    INSTRUCTION.on("you_should", "you should|must|can <always|never> {rest}").says("{base} {rest}", ""),
    INSTRUCTION.on("make_sure", "make_sure|be_sure [to|you|that_you] always {rest}").says("Always {rest}", ""),
    INSTRUCTION.on("want_you", "i want|need|would_like you to <always|never> {rest}").says("{base} {rest}", ""),
    INSTRUCTION.on("whenever", "whenever|every_time|anytime|any_time|each_time i {action} , [please] {rest}").says("Whenever the user {action:s}, {rest}", ""),
    INSTRUCTION.on("when", "when|if i {action} , <always|never|please> {rest}").says("When the user {action:s}, {base} {rest}", ""),
    INSTRUCTION.on("remember_to", "[please] remember to {rest}").says("{rest}", ""),
];
