//! What the learned gate looks at in a message ([`message`], by the tables of [`patterns`]), and the linear model over it
//! ([`weights`]).
//!
//! The gate asks whether a message needs memory. A message that does speaks of its speaker ("where did I park"),
//! of what was said before ("as we discussed"), or of somebody and something that only a shared past explains. Each
//! of these is one named feature here; forms of it in other languages set the same feature, so that what is learned
//! from English messages holds for them. The features are written once, in Rust, and training reads them from
//! here (`cargo xtask train-gate`), so training and use cannot disagree. The built-in embedding goes in beside them.
//!
//! There is no regular expression: a message is cut into words, and runs of up to four words are looked up in one
//! table. That takes microseconds, and a pattern is a line in a list. Bare pronouns ("it", "that") are no feature:
//! they point into the conversation at hand.

mod message;
mod patterns;
#[cfg(test)]
mod tests;
mod weights;

use message::MessageCounts;
pub use weights::GateWeights;

/// The names of the features, in the order in which [`features`] returns them. A new one goes to the end.
pub const NAMES: &[&str] = &[
    "own_thing",
    "own_thing_many",
    "our_thing",
    "asks_own_past",
    "asks_own_present",
    "tells_own_past",
    "speaks_of_self",
    "our_conversation",
    "you_said",
    "remember",
    "past_time",
    "calendar",
    "recency",
    "identity",
    "history_of",
    "wants_suggestion",
    "own_situation",
    "how_to",
    "wants_task",
    "imperative_first",
    "question_word_first",
    "quantity_question_first",
    "auxiliary_first",
    "polite_request_first",
    "ends_as_question",
    "about_you",
    "about_anyone",
    "third_person",
    "name_inside",
    "names_many",
    "past_question_of_other",
    "given_material",
    "style_order",
    "role_play",
    "hypothetical",
    "code_marks",
    "math_marks",
    "numbers_many",
    "quoted",
    "line_breaks",
    "words_few",
    "words_log",
    "sentences_many",
    "definite_event",
    "greeting",
    "own_question_past",
    "own_past_question_first",
    "suggestion_with_situation",
    "task_with_own_thing",
    "your_thing",
    "you_past",
    "past_verb",
    "general_question",
    "why_question",
    "explanation",
    "own_how_to",
    "particulars",
    "impersonal_question",
    "impersonal_request",
    "advice_to_self",
    "wants_start",
];

/// The features of a message, each between 0 and 1, in the order of [`NAMES`].
pub fn features(text: &str) -> Vec<f32> {
    let seen = MessageCounts::of(text);
    let mut found = vec![0.0; NAMES.len()];
    let mut set = |name: &str, value: f32| {
        if let Some(at) = NAMES.iter().position(|known| *known == name) {
            found[at] = value.clamp(0.0, 1.0);
        }
    };
    for (class, count) in &seen.counts {
        set(class, if *count > 0 { 1.0 } else { 0.0 });
    }
    let has = |class: &str| seen.counts.get(class).is_some_and(|count| *count > 0);
    set("own_thing_many", ratio(seen.count("own_thing") + seen.count("our_thing"), 1, 3));
    set("tells_own_past", flag(seen.own_past_statement || has("tells_own_past")));
    set("name_inside", flag(seen.names > 0));
    set("names_many", ratio(seen.names, 1, 4));
    set("past_question_of_other", flag(seen.asks_past && !has("asks_own_past") && !has("speaks_of_self")));
    set("ends_as_question", flag(seen.is_question));
    set("code_marks", ratio(seen.code_marks, 0, 6));
    set("math_marks", ratio(seen.math_marks, 0, 3));
    set("numbers_many", ratio(seen.numbers, 1, 4));
    set("quoted", flag(seen.quotes >= 2));
    set("line_breaks", ratio(seen.line_breaks, 0, 3));
    set("words_few", flag(seen.words <= 4));
    set("words_log", (seen.words.max(1) as f32).ln() / 6.0);
    set("sentences_many", ratio(seen.sentences, 1, 5));
    let asks = seen.is_question || has("question_word_first") || has("quantity_question_first");
    let of_own_past = seen.own_past_statement || has("asks_own_past") || has("tells_own_past");
    set("own_question_past", flag(asks && of_own_past));
    set("own_past_question_first", flag(seen.own_past_first));
    set("suggestion_with_situation", flag(has("wants_suggestion") && has("own_situation")));
    let is_personal =
        has("speaks_of_self") || has("own_thing") || has("our_thing") || has("your_thing") || has("remember");
    let is_past = seen.past_verb || has("past_time") || has("calendar");
    set("you_past", flag(seen.you_past));
    set("past_verb", flag(seen.past_verb));
    set("own_how_to", flag(has("how_to") && (has("own_thing") || has("speaks_of_self"))));
    set("impersonal_question", flag(asks && !is_personal && !is_past));
    set("impersonal_request", flag(!asks && !is_personal && !is_past));
    set("task_with_own_thing", flag((has("imperative_first") || has("wants_task")) && has("own_thing")));
    found
}

fn flag(value: bool) -> f32 {
    f32::from(u8::from(value))
}

/// How far `count` is from `none` to `full`.
fn ratio(count: usize, none: usize, full: usize) -> f32 {
    count.saturating_sub(none) as f32 / (full - none) as f32
}
