//! Two quieter signals for memories: closeness in the knowledge graph, and agreement in feeling.
//!
//! A question that names somebody wakes what is connected to them: the names themselves fully, those one relation away half,
//! and so on, to the depth that the setting `graphDepth` allows. A memory that speaks of a woken name is lifted by it. A
//! question that feels like something is closer to memories that felt alike.

use std::collections::BTreeSet;
use std::ops::Range;

use super::retrieve::Question;
use super::search::Glance;
use crate::error::StoreResult;
use crate::graph::{self, GraphView, MAX_DEPTH};
use crate::ports::ReadStore;
use crate::text::emotion;
use crate::types::{Emotion, Entity, Filter, Memory, Status};

/// What a question wakes.
#[derive(Debug, Default)]
pub(super) struct Activation {
    /// Names in lower case, each with how awake it is.
    names: Vec<(String, f64)>,
    feeling: Option<Emotion>,
}

/// Everybody's memories are about the user, so that name says nothing; and short names are found in every text.
const UNTELLING: &str = "user";
const NAME_CHARACTERS: usize = 3;

/// Words in a row that may be one name, the words of a question among which names are looked for, and signs that a name begins or ends with.
const NAME_WORDS: usize = 5;
const NAMING_WORDS: usize = 200;
const NAME_SIGNS: usize = 2;

impl Glance<'_> {
    pub(super) async fn activation(&self, question: &Question, filter: &Filter) -> StoreResult<Activation> {
        let feeling = emotion::of_text(&question.text);
        let text = question.text.to_lowercase();
        let names = possible_names(&text);
        let entities = match names.is_empty() {
            true => Vec::new(),
            false => self.view.entities_of_names(names).await?,
        };
        let is_named = |entity: &Entity| names_of(entity).any(|name| speaks_of(&text, &name));
        let named: Vec<Entity> = entities
            .into_iter()
            .filter(|entity| entity.status == Status::Active && is_seen(entity, filter) && is_named(entity))
            .collect();
        if named.is_empty() {
            return Ok(Activation { names: Vec::new(), feeling });
        }
        let view = GraphView { owner: None, now: question.reference };
        let depth = (self.tools.settings.graph_depth.max(1) as u32).min(MAX_DEPTH);
        let around = graph::walk(&self.view, &named, depth, &view).await?;
        let mut names = Vec::new();
        for entity in &around.entities {
            let distance = around.distances.get(entity.id.as_str()).copied().unwrap_or(depth);
            names.extend(names_of(entity).map(|name| (name, 1.0 / f64::from(1 + distance))));
        }
        Ok(Activation { names, feeling })
    }
}

/// Whether it is of the agent and the user that the filter names, or else of its viewer's.
fn is_seen(entity: &Entity, filter: &Filter) -> bool {
    let viewer = filter.viewer.as_ref().map(|viewer| &viewer.owner);
    let agent = filter.agent.as_ref().or(viewer.map(|owner| &owner.agent));
    let user = filter.user.as_ref().or(viewer.map(|owner| &owner.user));
    agent.is_none_or(|agent| *agent == entity.owner.agent)
        && user.is_none_or(|user| *user == entity.owner.user)
}

/// What of a text may be somebody's or something's name: up to so many words in a row, with the signs beside them and without.
fn possible_names(text: &str) -> Vec<String> {
    let words: Vec<Range<usize>> = words_of(text).take(NAMING_WORDS).collect();
    let mut names = BTreeSet::new();
    for (place, first) in words.iter().enumerate() {
        let starts = signs_before(text, first.start);
        for last in &words[place..words.len().min(place + NAME_WORDS)] {
            for end in signs_behind(text, last.end) {
                names.extend(starts.iter().map(|start| &text[*start..end]));
            }
        }
    }
    let is_long = |name: &&str| name.chars().count() >= NAME_CHARACTERS;
    names.into_iter().filter(is_long).map(str::to_owned).collect()
}

/// Where letters and digits stand together in a text.
fn words_of(text: &str) -> impl Iterator<Item = Range<usize>> {
    let start = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
    let words = text.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(move |word| start(word)..start(word) + word.len())
}

/// The place, and those before the signs in front of it.
fn signs_before(text: &str, at: usize) -> Vec<usize> {
    let before = text[..at].char_indices().rev().take_while(|(_, sign)| is_sign(*sign));
    std::iter::once(at).chain(before.take(NAME_SIGNS).map(|(start, _)| start)).collect()
}

/// The place, and those behind the signs that follow it.
fn signs_behind(text: &str, at: usize) -> Vec<usize> {
    let behind = text[at..].char_indices().take_while(|(_, sign)| is_sign(*sign));
    std::iter::once(at)
        .chain(behind.take(NAME_SIGNS).map(|(start, sign)| at + start + sign.len_utf8()))
        .collect()
}

fn is_sign(character: char) -> bool {
    !character.is_alphanumeric() && !character.is_whitespace()
}

fn names_of(entity: &Entity) -> impl Iterator<Item = String> + '_ {
    let names = entity.aliases.iter().chain([&entity.name]).map(|name| name.to_lowercase());
    names.filter(|name| name.chars().count() >= NAME_CHARACTERS && name != UNTELLING)
}

/// Whether a name stands in a text as a word of its own.
fn speaks_of(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, found)| {
        let beside = [text[..at].chars().next_back(), text[at + found.len()..].chars().next()];
        beside.into_iter().flatten().all(|character| !character.is_alphanumeric())
    })
}

impl Activation {
    /// How awake the most awake name is that the memory speaks of.
    pub fn graph(&self, memory: &Memory) -> f64 {
        if self.names.is_empty() {
            return 0.0;
        }
        let parts = [Some(memory.content.as_str()), memory.subject.as_deref(), memory.object.as_deref()];
        let text = parts.into_iter().flatten().collect::<Vec<_>>().join("\n").to_lowercase();
        let awake = self.names.iter().filter(|(name, _)| speaks_of(&text, name)).map(|(_, awake)| *awake);
        awake.fold(0.0, f64::max)
    }

    /// 1 for the same feeling, 0 for the opposite one, and 0 where either feels nothing.
    pub fn emotion(&self, memory: &Memory) -> f64 {
        let (Some(asked), Some(felt)) = (self.feeling, memory.emotion) else { return 0.0 };
        1.0 - f64::from((asked.valence - felt.valence).abs()) / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_that_a_text_speaks_of_is_a_possible_one() {
        let text = "did anna's c++ course at the royal society of arts (oslo) use .net or 東京 tower?";
        let names = possible_names(text);
        for name in
            ["anna", "c++", "royal society of arts", "oslo", "(oslo)", ".net", "東京 tower", "anna's c++"]
        {
            assert!(speaks_of(text, name), "{name}");
            assert!(names.iter().any(|possible| possible == name), "{name}: {names:?}");
        }
        assert!(names.iter().all(|name| !name.contains("nna ") && name.chars().count() >= NAME_CHARACTERS));
    }
}
