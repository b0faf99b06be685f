//! English: what somebody does, decided, plans, wants, and what happened to them.

use crate::language::rule::{COMMITMENT, CORRECTION, DECISION, Dates, EVENT, FACT, GOAL, HABIT, RulePlace, DistilRule};
use crate::types::StatementDurability;

// One rule a line, so that the table can be read as one.
#[rustfmt::skip]
pub(super) const RULES: &[DistilRule] = &[
    // What was, and what is now.
    FACT.on("used_to", "i ~ used to {action}").says("User used to {action}", "USED_TO").between("User", "{action}").dated(Dates::Ended).sure(0.75, 0.4),
    HABIT.on("but_now", "now i ~ {action}").says("User {action:s}", "NOW").between("User", "{action}").after("used_to"),
    HABIT.on("but_now", "i now {action}").says("User {action:s}", "NOW").between("User", "{action}").after("used_to"),
    FACT.on("no_longer", "i no longer {action}").says("User no longer {action:s}", "NO_LONGER").between("User", "{action}"),
    FACT.on("anymore", "i do not {action} anymore|any_more|any_longer").says("User no longer {action:s}", "NO_LONGER").between("User", "{action}"),
    FACT.on("quit", "i|we [have] ~ <quit|gave_up|given_up|stopped> {object}").says("User {base} {object}", "QUIT").dated(Dates::Begin).uncoded(),
    // Habits.
    HABIT.on("tends_to", "i|we ~ tend to {action}").says("User tends to {action}", "TENDS_TO").between("User", "{action}"),
    HABIT.on("never_did", "i|we have never {object}").says("User has never {object}", "HAS_NEVER").sure(0.7, 0.5).joining_past(),
    HABIT.on("habit", "i|we ~ <always|usually|often|normally|typically|generally|rarely|never|regularly|sometimes|seldom> {action}").says("User {base} {action:s}", "{base}").between("User", "{action}"),
    HABIT.on("every", "<every_morning|every_day|every_night|every_evening|every_week|every_weekend|every_month|every_year|every_sunday|every_saturday|every_friday|every_monday> [,] i ~ {action}").says("User {action:s} {base}", "HABIT").between("User", "{action}").unasked(),
    HABIT.on("every", "i|we ~ {action} <every_morning|every_day|every_night|every_evening|every_week|every_weekend|every_month|every_year|every_sunday|every_saturday|every_friday|every_monday|daily|weekly|twice_a_week|once_a_week|three_times_a_week>").says("User {action:s} {base}", "HABIT").between("User", "{action}"),
    // Decisions.
    DECISION.on("will_use", "i|we will ~ <use|go_with|choose|pick|adopt|switch_to|stick_with|stick_to|opt_for> {object}").says("User will {base} {object}", "WILL_{base}"),
    DECISION.on("going_to_use", "i|we am|are ~ going to ~ <use|go_with|choose|pick|adopt|switch_to|stick_with|opt_for> {object}").says("User is going to {base} {object}", "WILL_{base}"),
    DECISION.on("going_with", "i|we am|are ~ <going_with|sticking_with|opting_for|switching_to> {object}").says("User is {base} {object}", "DECIDED_ON"),
    DECISION.on("decided_to", "i|we [have] ~ decided to {action}").says("User decided to {action}", "DECIDED_TO").between("User", "{action}").dated(Dates::Begin),
    DECISION.on("decided_on", "i|we [have] ~ <decided_on|decided_against|settled_on> {object}").says("User {base} {object}", "{base}").dated(Dates::Begin),
    DECISION.on("chose", "i|we ~ <chose|picked|selected|opted_for|opted_to|adopted|switched_to|went_with|switched_from> {object}").says("User {base} {object}", "CHOSE").dated(Dates::Begin),
    DECISION.on("has_chosen", "i|we have ~ <chosen|picked|selected|opted_for|adopted|switched_to|gone_with|switched_from> {object}").says("User has {base} {object}", "CHOSE").dated(Dates::Begin),
    DECISION.on("lets_use", "let us ~ <go_with|use|stick_with|choose|adopt|switch_to> {object}").says("User decided to {base} {object}", "WILL_{base}").sure(0.65, 0.55),
    // Plans, promises, duties.
    COMMITMENT.on("promised", "i|we [have] ~ promised to {action}").says("User promised to {action}", "PROMISED_TO").between("User", "{action}"),
    COMMITMENT.on("promised", "i|we [have] ~ promised my {relation} [that] i|we would|will {action}").says("User promised their {relation} to {action}", "PROMISED_TO").between("User", "{action}"),
    COMMITMENT.on("promised", "i|we [have] ~ promised my {relation} to {action}").says("User promised their {relation} to {action}", "PROMISED_TO").between("User", "{action}"),
    COMMITMENT.on("promised", "i|we [have] ~ promised {name} [that] i|we would|will {action}").says("User promised {name} to {action}", "PROMISED_TO").between("User", "{action}"),
    COMMITMENT.on("promised", "i|we [have] ~ promised {name} to {action}").says("User promised {name} to {action}", "PROMISED_TO").between("User", "{action}"),
    COMMITMENT.on("remind", "[please] remind me to {action}").says("User wants to be reminded to {action}", "REMIND_TO").between("User", "{action}").lasts(StatementDurability::Explicit).sure(0.85, 0.8).at(RulePlace::Sentence),
    COMMITMENT.on("remind", "[please] remind me about|of {object}").says("User wants to be reminded of {object}", "REMIND_OF").lasts(StatementDurability::Explicit).sure(0.85, 0.8).at(RulePlace::Sentence),
    COMMITMENT.on("needs_by", "i|we ~ <need|have|has> to {action}").says("User {verb} to {action}", "NEEDS_TO").between("User", "{action}").with_date(),
    COMMITMENT.on("must_by", "i|we must ~ {action}").says("User must {action}", "MUST").between("User", "{action}").unasked().uncoded(),
    COMMITMENT.on("needs", "i|we ~ <need|have> to {action}").says("User {verb} to {action}", "NEEDS_TO").between("User", "{action}").unasked().uncoded().lasts(StatementDurability::Session).sure(0.5, 0.4),
    COMMITMENT.on("plans_to", "i|we ~ <plan|intend> to|on {action}").says("User {verb} to {action}", "PLANS_TO").between("User", "{action}").uncoded(),
    COMMITMENT.on("planning_to", "i|we am|are ~ planning to|on {action}").says("User plans to {action}", "PLANS_TO").between("User", "{action}").uncoded(),
    COMMITMENT.on("planning_a", "i|we am|are ~ planning {object}").says("User is planning {object}", "PLANS").unasked().uncoded(),
    COMMITMENT.on("going_to", "i|we am|are ~ going to {action}").says("User is going to {action}", "PLANS_TO").between("User", "{action}").uncoded().unasked(),
    COMMITMENT.on("will_on", "i|we will ~ {action}").says("User will {action}", "WILL").between("User", "{action}").with_date().uncoded(),
    COMMITMENT.on("has_on", "i|we have_got|have {thing}").says("User has {thing}", "HAS").between("User", "{thing}").with_date().uncoded(),
    // Wishes.
    GOAL.on("goal_is", "my ~ <goal|dream|aim|ambition> is [to] {object}").says("User's {base} is to {object}", "GOAL").uncoded(),
    GOAL.on("always_wanted", "i have always ~ wanted to {action}").says("User has always wanted to {action}", "WANTS_TO").between("User", "{action}"),
    GOAL.on("wants_to", "i|we ~ <want|hope|aim|wish> to {action}").says("User {verb} to {action}", "WANTS_TO").between("User", "{action}").uncoded(),
    GOAL.on("trying_to", "i|we am|are ~ <trying|hoping|aiming|striving> to {action}").says("User is {base} to {action}", "WANTS_TO").between("User", "{action}").uncoded(),
    GOAL.on("would_love_to", "i would ~ love to {action}").says("User would love to {action}", "WANTS_TO").between("User", "{action}").uncoded().sure(0.55, 0.45),
    GOAL.on("considering", "i|we am|are ~ <considering|thinking_of|thinking_about> {object}").says("User is {base} {object}", "CONSIDERS").uncoded().lasts(StatementDurability::Session).sure(0.55, 0.4),
    // Corrections.
    CORRECTION.on("meant", "i meant {object}").says("User meant {object}", "MEANT"),
    CORRECTION.on("not_but", "[no] [,] actually [,] it is {object} , not {what} $").says("Correction: it is {object}, not {what}", "CORRECTED_TO"),
    CORRECTION.on("actually", "[no] [,] actually [,] it is {value}").says("Correction: it is {value}", "CORRECTED_TO").between("User", "{value}"),
    CORRECTION.on("wrong", "that is wrong|incorrect|not_right|not_correct [,|;|:|—] it is {object}").says("Correction: it is {object}", "CORRECTED_TO"),
    // Facts with a value, and what is used.
    FACT.on("my_is", "my {what} is|are {value}").says("User's {what} is {value}", "{what}").between("User", "{value}").slot("fact:{what}").uncoded(),
    FACT.on("uses", "i|we ~ use {value}").says("User uses {value}", "USES").between("User", "{value}").relating(),
    FACT.on("using", "i|we am|are ~ using {value}").says("User is using {value}", "USES").between("User", "{value}").sure(0.65, 0.5),
    // What happened.
    EVENT.on("got", "i|we [have] ~ got|gotten|been <married|promoted|engaged|fired|laid_off|accepted|hired|divorced|robbed|invited|selected|nominated|awarded|rejected> {object}").says("User got {base} {object}", "GOT_{base}").sure(0.75, 0.6),
    EVENT.on("enjoyed", "i|we ~ <loved|enjoyed|liked|hated> {object}").says("User {base} {object}", "{base}").sure(0.55, 0.4),
    EVENT.on("happened", "i|we ~ {past} {object}").says("User {past} {object}", "{past}"),
    EVENT.on("has_happened", "i|we have ~ {past} {object}").says("User has {past} {object}", "{past}"),
    EVENT.on("has_been_doing", "i|we have ~ been {ongoing} {object}").says("User has been {ongoing} {object}", "{ongoing}").dated(Dates::AsSaid),
    EVENT.on("is_doing", "i|we am|are ~ {ongoing} {object}").says("User is {ongoing} {object}", "{ongoing}").dated(Dates::AsSaid),
    EVENT.on("happened_unsaid", "{past} {object}").says("User {past} {object}", "{past}").at(RulePlace::Sentence).with_date().sure(0.5, 0.35),
    EVENT.on("feels", "i am|feel|am_feeling ~ {feeling} <about|of|for> {object}").says("User is {feeling} {base} {object}", "FEELS_{feeling}").dated(Dates::AsSaid).unasked().sure(0.55, 0.35),
    EVENT.on("kin_died", "my {relation} ~ <died|passed_away|got_married|was_born|moved_out|graduated|visited>").says("User's {relation} {base}", "{base}").between("User's {relation}", "{base}").sure(0.7, 0.6),
    // Said to be remembered, and of no form that is known.
    FACT.on("remember", "[please] remember|note [that] {object}").says("User asked to remember: {object}", "SAID").lasts(StatementDurability::Explicit).sure(0.8, 0.85).at(RulePlace::Otherwise),
    FACT.on("remember", "[please] keep_in_mind|do_not_forget that {object}").says("User asked to remember: {object}", "SAID").lasts(StatementDurability::Explicit).sure(0.8, 0.85).at(RulePlace::Otherwise),
];
