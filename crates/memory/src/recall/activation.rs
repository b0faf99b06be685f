//! Two quieter signals for memories: closeness in the knowledge graph, and agreement in feeling.
//!
//! A question that names somebody wakes what is connected to them: the names themselves fully, those one relation away half,
//! and so on, to the depth that the setting `graphDepth` allows. A memory that speaks of a woken name is lifted by it. A
//! question that feels like something is closer to memories that felt alike.

use super::retrieve::Question;
use super::search::Glance;
use crate::error::StoreResult;
use crate::graph::{self, GraphView, MAX_DEPTH};
use crate::limits;
use crate::ports::ReadStore;
use crate::text::emotion;
use crate::types::{Emotion, Entity, Filter, Memory, PageRequest};

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

impl Glance<'_> {
    pub(super) async fn activation(&self, question: &Question, filter: &Filter) -> StoreResult<Activation> {
        let feeling = emotion::of_text(&question.text);
        let page = PageRequest::newest(limits::PAGE_ROWS);
        let entities = self.view.list_entities(filter, page).await?.items;
        let text = question.text.to_lowercase();
        let named: Vec<Entity> = entities
            .into_iter()
            .filter(|entity| names_of(entity).any(|name| speaks_of(&text, &name)))
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
