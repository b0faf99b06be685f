//! A profile by a model, checked line by line: what no fact supports is not taken, whoever wrote it.
//!
//! The model sees numbered facts and says for each line on which of them it rests. A line that names none is matched by its
//! words. Lines without support (an introduction, an apology, an invention, an order found in a fact) are dropped; where
//! nothing is left, the caller falls back to the template.

use std::collections::BTreeSet;

use jiff::tz::TimeZone;

use crate::ports::{ChatModel, Prompt};
use crate::profile::template::{self, ProfileLine};
use crate::text::marks::escape_line;
use crate::text::similarity::word_set;
use crate::text::{Analyser, json, tokens};
use crate::types::{Memory, Time};

/// What the model is told. `{tokens}` is its budget.
const SYSTEM: &str = include_str!("../prompts/profile.txt");

/// The share of a line's words that its facts must have.
const SUPPORT: f64 = 0.5;

/// Facts that a line without numbers is held to rest on, at most.
const MATCHED_FACTS: usize = 3;

/// What the model makes of the facts, as far as it can be used. An error says why in words for a log.
pub async fn profile(
    model: &dyn ChatModel,
    facts: &[&Memory],
    max_tokens: i64,
    now: Time,
    zone: &TimeZone,
    analyser: &Analyser,
) -> Result<Vec<ProfileLine>, String> {
    let system = system(max_tokens);
    let user = question(facts, now, zone);
    let prompt = Prompt {
        task: "profile",
        system: &system,
        user: &user,
        schema: None,
        max_tokens: u32::try_from(max_tokens).unwrap_or(u32::MAX),
    };
    let answer = model.complete(prompt).await.map_err(|error| error.to_string())?;
    let told = read(&answer.text, facts, max_tokens, analyser);
    if told.is_empty() { Err("no line of the profile rests on a fact".to_owned()) } else { Ok(told) }
}

pub fn system(max_tokens: i64) -> String {
    SYSTEM.replace("{tokens}", &max_tokens.to_string())
}

/// The day, and the facts, numbered, one a line with the day it was said, each without anything that could leave its line.
pub fn question(facts: &[&Memory], now: Time, zone: &TimeZone) -> String {
    let lines = facts.iter().enumerate().map(|(place, fact)| {
        let said = fact.valid_from.unwrap_or(fact.created_at).min(fact.created_at).date_in(zone);
        format!("{}. {} ({said})", place + 1, escape_line(&fact.content))
    });
    let today = now.date_in(zone);
    format!(
        "Today is {today}.\n\n<facts>\n{}\n</facts>",
        lines.collect::<Vec<_>>().join("\n").replace("</facts>", "< /facts>")
    )
}

/// The lines of an answer that facts support, within the budget, each once.
pub fn read(answer: &str, facts: &[&Memory], max_tokens: i64, analyser: &Analyser) -> Vec<ProfileLine> {
    let words: Vec<BTreeSet<String>> = facts.iter().map(|fact| words(&fact.content, analyser)).collect();
    let mut room = usize::try_from(max_tokens).unwrap_or(0).saturating_mul(tokens::CHARACTERS_PER_TOKEN);
    let mut told: Vec<ProfileLine> = Vec::new();
    for raw in raw_lines(answer) {
        let (text, cited) = citation(&raw);
        let text = template::line(unmarked(text));
        let Some(places) = support(&text, &cited, &words, analyser) else { continue };
        if told.iter().any(|line| line.text == text) {
            continue;
        }
        let needed = text.chars().count() + 1;
        if needed > room {
            break;
        }
        room -= needed;
        let sources = places.into_iter().map(|place| facts[place].id.clone()).collect();
        told.push(ProfileLine { text, sources });
    }
    told
}

/// An answer's lines: of plain text, or of the text inside an object or a list that nobody asked for.
fn raw_lines(answer: &str) -> Vec<String> {
    if answer.len() > json::ANSWER_BYTES {
        return Vec::new();
    }
    let looks_like_json =
        answer.trim_start().trim_start_matches("```json").trim_start().starts_with(['{', '[']);
    let texts = match json::parse(answer) {
        Ok(value) if looks_like_json => {
            let value = value.get("profile").cloned().unwrap_or(value);
            let values = value.as_object().map(|object| object.values().collect::<Vec<_>>());
            let values = values.unwrap_or_else(|| json::list(&value));
            values.into_iter().flat_map(json::list).filter_map(json::text).collect()
        }
        _ => vec![answer.to_owned()],
    };
    texts.iter().flat_map(|text: &String| text.lines()).map(str::to_owned).collect()
}

/// The line without the numbers at its end, and the numbers.
fn citation(line: &str) -> (&str, Vec<usize>) {
    let trimmed = line.trim().trim_end_matches(['.', ' ']);
    let Some((text, numbers)) = trimmed.strip_suffix(']').and_then(|rest| rest.rsplit_once('[')) else {
        return (line.trim(), Vec::new());
    };
    let numbers: Option<Vec<usize>> =
        numbers.split([',', ';']).map(|number| number.trim().parse().ok()).collect();
    match numbers {
        Some(numbers) => (text.trim_end(), numbers),
        None => (line.trim(), Vec::new()),
    }
}

/// The line without what a list or a heading puts before it.
fn unmarked(line: &str) -> &str {
    let line = line.trim().trim_start_matches(['-', '*', '•', '#', '>', '`']).trim_start();
    match line.split_once(['.', ')']) {
        Some((number, rest)) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => {
            rest.trim_start()
        }
        _ => line,
    }
}

/// The facts that a line rests on: those it names, if they have its words, else those that do.
fn support(
    text: &str,
    cited: &[usize],
    facts: &[BTreeSet<String>],
    analyser: &Analyser,
) -> Option<Vec<usize>> {
    let line = words(text, analyser);
    if line.is_empty() {
        return None;
    }
    let mut cited: Vec<usize> = cited
        .iter()
        .filter_map(|number| number.checked_sub(1))
        .filter(|place| *place < facts.len())
        .collect();
    cited.sort_unstable();
    cited.dedup();
    if covered(&line, cited.iter().map(|place| &facts[*place])) >= SUPPORT {
        return Some(cited);
    }
    let mut near: Vec<(usize, usize)> = facts
        .iter()
        .enumerate()
        .map(|(place, fact)| (fact.intersection(&line).count(), place))
        .filter(|(common, _)| *common > 0)
        .collect();
    near.sort_by_key(|(common, place)| (std::cmp::Reverse(*common), *place));
    let mut places: Vec<usize> = Vec::new();
    for (_, place) in near {
        let adds =
            |word: &String| line.contains(word) && !places.iter().any(|&known| facts[known].contains(word));
        if places.len() < MATCHED_FACTS && facts[place].iter().any(adds) {
            places.push(place);
        }
    }
    (covered(&line, places.iter().map(|place| &facts[*place])) >= SUPPORT).then_some(places)
}

/// Which share of a line's words the facts have between them.
fn covered<'a>(line: &BTreeSet<String>, facts: impl Iterator<Item = &'a BTreeSet<String>>) -> f64 {
    let all: BTreeSet<&String> = facts.flatten().collect();
    line.iter().filter(|word| all.contains(word)).count() as f64 / line.len() as f64
}

/// The words that tell one fact from another; everybody's facts are about the user.
fn words(text: &str, analyser: &Analyser) -> BTreeSet<String> {
    let mut words = word_set(text, analyser);
    words.remove("user");
    words
}
