//! Making notes: by the core model in one call, or of the user's most telling sentences.
//!
//! Either way a note quotes what the user said. A model's note whose quote nobody said is thrown away, as everywhere.

use std::collections::HashSet;
use std::sync::LazyLock;

use jiff::tz::TimeZone;
use serde_json::Value;

use super::{Observation, Priority};
use crate::learn::draft::Draft;
use crate::learn::heuristic;
use crate::learn::heuristic::salient_sentences::{self, SalientSentence};
use crate::learn::model::evidence::Evidence;
use crate::learn::model::prompt::{self, PromptMaterial};
use crate::learn::session_pass::Learner;
use crate::limits;
use crate::ports::Prompt;
use crate::text::{Analyser, clip, fold, json};
use crate::types::{Time, Turn, TurnId};

const OBSERVE: &str = include_str!("../prompts/observe.txt");

static SCHEMA: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../prompts/observe.schema.json"))
        .expect("the schema is part of the binary")
});

/// The least that a sentence must weigh to be a note.
const LEAST_WEIGHT: f32 = 0.4;

impl Learner {
    /// What the core model notes; none where there is no model, or it gives no answer that can be used.
    pub(super) async fn notes_by_model(
        &self,
        said: &[Turn],
        new: &HashSet<TurnId>,
        now: Time,
        zone: &TimeZone,
    ) -> Option<Vec<Observation>> {
        let model = self.tools.model.as_ref()?;
        let material =
            PromptMaterial { now, zone, turns: said, new, identity: &[], episodes: &[], known: &[] };
        let written = prompt::write(&material);
        let system = OBSERVE.replace("{notes}", &limits::OBSERVER_NOTES.to_string());
        let asked = Prompt {
            task: "observe",
            system: &system,
            user: &written.text,
            schema: Some(&SCHEMA),
            max_tokens: limits::DISTIL_ANSWER_TOKENS,
        };
        let answer = model.complete(asked).await.ok()?;
        read(&answer.text, said, new)
    }
}

/// The notes of an answer that quote the user; none where it is no answer.
fn read(answer: &str, said: &[Turn], new: &HashSet<TurnId>) -> Option<Vec<Observation>> {
    let answer = json::parse(answer).ok()?;
    let speech = prompt::speech(said);
    let evidence = Evidence::of(&speech, new);
    let listed = json::list(answer.get("observations")?);
    let note = |given: &&Value| {
        let field = |name: &str| given.get(name).and_then(json::text);
        let says = one_sentence(&field("text")?);
        let quote = field("quote")?;
        let place = field("turn").and_then(|turn| turn.trim_start_matches(['t', 'T']).parse::<usize>().ok());
        let turn = evidence.of_quote(&quote, place.and_then(|place| place.checked_sub(1)))?;
        Some(Observation {
            says,
            quote: clip(&quote, limits::ANSWER_QUOTE_CHARACTERS),
            turn: turn.id.clone(),
            said_at: turn.at,
            priority: field("priority").and_then(|name| Priority::named(&name)).unwrap_or(Priority::Medium),
        })
    };
    Some(listed.iter().take(limits::OBSERVER_NOTES).filter_map(note).collect())
}

fn one_sentence(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    clip(&line, limits::ANSWER_CONTENT_CHARACTERS)
}

/// The most telling sentences, in the words of what was distilled from them where something was.
pub(super) fn by_heuristic(turns: &[Turn], new: &HashSet<TurnId>, analyser: &Analyser) -> Vec<Observation> {
    let said: Vec<Turn> = turns.iter().filter(|turn| new.contains(&turn.id)).cloned().collect();
    let draft = heuristic::distil(&said, heuristic::SessionBackground::default(), analyser);
    let mut heard = HashSet::new();
    let mut weighed: Vec<(usize, Observation, f32)> = salient_sentences::find(&said)
        .into_iter()
        .filter(|telling| heard.insert(fold(&telling.quote)))
        .enumerate()
        .map(|(place, telling)| {
            let (note, weight) = noted(telling, &draft);
            (place, note, weight)
        })
        .filter(|(_, _, weight)| *weight >= LEAST_WEIGHT)
        .collect();
    weighed.sort_by(|a, b| b.2.total_cmp(&a.2).then(a.0.cmp(&b.0)));
    weighed.truncate(limits::OBSERVER_NOTES);
    weighed.sort_by_key(|(place, _, _)| *place);
    weighed.into_iter().map(|(_, note, _)| note).collect()
}

fn noted(telling: SalientSentence, draft: &Draft) -> (Observation, f32) {
    let from_it = draft
        .candidates
        .iter()
        .filter(|candidate| candidate.evidence == telling.quote && candidate.sources.contains(&telling.turn));
    let mut says: Vec<&str> = Vec::new();
    let mut weight = telling.weight;
    for candidate in from_it {
        says.push(&candidate.content);
        weight = weight.max(candidate.salience);
    }
    let says = if says.is_empty() {
        format!("User said: “{}”", one_sentence(&telling.quote))
    } else {
        one_sentence(&says.join("; "))
    };
    let priority = Priority::of(weight);
    (Observation { says, quote: telling.quote, turn: telling.turn, said_at: telling.at, priority }, weight)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_instructions_are_as_reviewed() {
        insta::assert_snapshot!("observe_system", super::OBSERVE);
        assert_eq!(super::SCHEMA["required"][0], "observations");
    }
}
