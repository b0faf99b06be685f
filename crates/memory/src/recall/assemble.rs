//! Assemble: from what was found to a block of text that fits.
//!
//! A block is a few sections, a section a heading with lines, and a line carries the ids behind it, so that a prompt can
//! be explained and what is forgotten can be taken out of it. Lines are whole: the first that does not fit ends the
//! filling. [`compact`] gives the section that the gate chose under one budget; [`full`] gives every section under its own.
//! Overrides and rules come along always.
//!
//! Everything here is pure: what was read from the store comes in as [`BlockMaterial`], and time with it.

pub mod compact;
pub mod full;
pub mod judged;
pub mod lines;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::gate::GateDecision;
use crate::settings::{ContextMode, Settings};
use crate::text::{harm, tokens};
use crate::types::{Corpus, EpisodeId, MemoryId, TurnId};

/// Why a line is in a block.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LineReason {
    /// For people: the line is the subject of the sentence.
    pub reason: String,
    /// How sure that is, from 0 to 1; of what was said and is asked for, how well it was found.
    pub probability: f32,
}

/// One line of a block and what it rests on.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// As it stands in the block.
    pub text: String,
    pub memory_ids: Vec<MemoryId>,
    pub turn_ids: Vec<TurnId>,
    /// The same turns by the ids that their client gave them, where it gave any.
    pub external_turn_ids: Vec<String>,
    pub episode_ids: Vec<EpisodeId>,
    /// It stands there whatever the message is: who the user is, and what they always want.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub standing: bool,
    /// Nothing where the gate alone decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<LineReason>,
}

impl Line {
    /// The same line with the reason that it is told for.
    pub fn because(self, reason: &str, probability: f32) -> Self {
        let probability = if probability.is_nan() { 0.0 } else { probability.clamp(0.0, 1.0) };
        Self { why: Some(LineReason { reason: reason.to_owned(), probability }), ..self }
    }
}

/// Something found, as a line that could stand in a block.
#[derive(Debug, Clone, PartialEq)]
pub struct LineCandidate {
    pub corpus: Corpus,
    pub score: f64,
    pub line: Line,
}

/// Everything that a block is made from, read from the store.
#[derive(Debug, Clone)]
pub struct BlockMaterial {
    pub today: Date,
    /// What the user wants always remembered.
    pub overrides: Vec<Line>,
    pub rules: Vec<Line>,
    /// Line by line.
    pub profile: Vec<Line>,
    /// The latest session's, on a session's first turn.
    pub latest_episode: Option<Line>,
    /// What a search for the message found, best first within each corpus.
    pub found: Vec<LineCandidate>,
    /// What `full` shows whatever the message is.
    pub base: Base,
    /// Lines that memories are sure of beyond the usual, for an agent whose character wants them.
    pub extra_lines: usize,
}

/// The sections of a full context that do not depend on the message, best first each.
#[derive(Debug, Clone, Default)]
pub struct Base {
    pub memories: Vec<Line>,
    pub episodes: Vec<Line>,
    pub relationships: Vec<Line>,
}

/// A heading and the lines under it.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockSection {
    pub heading: &'static str,
    pub lines: Vec<Line>,
}

/// Sections in the order in which they are read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AssembledBlock {
    pub parts: Vec<BlockSection>,
}

pub const OVERRIDES: &str = "What the user wants kept in mind";
pub const RULES: &str = "Rules of the user";

/// The block for a message.
pub fn assemble(material: &BlockMaterial, decision: &GateDecision, settings: &Settings) -> AssembledBlock {
    match settings.context_mode {
        ContextMode::Compact => compact::assemble(material, decision, settings),
        ContextMode::Full => full::assemble(material, decision, settings),
    }
}

impl AssembledBlock {
    pub fn text(&self) -> String {
        let part = |part: &BlockSection| {
            let lines = part.lines.iter().map(|line| line.text.as_str());
            std::iter::once(format!("## {}", part.heading).as_str())
                .chain(lines)
                .collect::<Vec<_>>()
                .join("\n")
        };
        self.parts.iter().map(part).collect::<Vec<_>>().join("\n\n")
    }

    /// The same without statements of self-harm, wherever they come from: memories of earlier versions, a person's notes, a model's words.
    pub fn without_harm(mut self) -> Self {
        for part in &mut self.parts {
            part.lines.retain(|line| !harm::must_not_be_told(&line.text));
        }
        self.parts.retain(|part| !part.lines.is_empty());
        self
    }

    pub fn into_lines(self) -> Vec<Line> {
        self.parts.into_iter().flat_map(|part| part.lines).collect()
    }

    /// Puts a line under its heading if there is room; says whether there was. A line that stands in the block already
    /// takes no room.
    fn offer(&mut self, heading: &'static str, line: &Line, room: &mut BudgetLeft) -> bool {
        if self.has(line) {
            return true;
        }
        let place = self.parts.iter().position(|part| part.heading == heading);
        if !room.take(&line.text, place.is_none().then_some(heading)) {
            return false;
        }
        match place {
            Some(place) => self.parts[place].lines.push(line.clone()),
            None => self.parts.push(BlockSection { heading, lines: vec![line.clone()] }),
        }
        true
    }

    /// Puts in the lines that fit, up to the first that does not.
    fn fill<'a>(
        &mut self,
        heading: &'static str,
        lines: impl IntoIterator<Item = &'a Line>,
        room: &mut BudgetLeft,
    ) {
        for line in lines {
            if !self.offer(heading, line, room) {
                break;
            }
        }
    }

    fn has(&self, line: &Line) -> bool {
        let same = |other: &Line| {
            other.text == line.text
                || shares(&other.memory_ids, &line.memory_ids)
                || shares(&other.turn_ids, &line.turn_ids)
                || shares(&other.episode_ids, &line.episode_ids)
        };
        self.parts.iter().flat_map(|part| &part.lines).any(same)
    }
}

fn shares<Id: PartialEq>(left: &[Id], right: &[Id]) -> bool {
    left.iter().any(|id| right.contains(id))
}

/// What is left of a budget. Counted in characters: rounding each line up to whole tokens would waste half a token a
/// line.
#[derive(Debug, Clone, Copy)]
struct BudgetLeft {
    characters: usize,
}

/// `## ` before a heading, the end of its line, and the empty line before it.
const HEADING_CHARACTERS: usize = 3 + 1 + 1;

impl BudgetLeft {
    fn tokens(tokens: i64) -> Self {
        let tokens = usize::try_from(tokens).unwrap_or(0);
        Self { characters: tokens.saturating_mul(tokens::CHARACTERS_PER_TOKEN) }
    }

    fn endless() -> Self {
        Self { characters: usize::MAX }
    }

    /// Takes what a line costs, and its heading where it is the first; takes nothing where there is not enough.
    fn take(&mut self, line: &str, heading: Option<&str>) -> bool {
        let heading = heading.map_or(0, |heading| heading.chars().count() + HEADING_CHARACTERS);
        let needed = line.chars().count() + 1 + heading;
        let fits = needed <= self.characters;
        if fits {
            self.characters -= needed;
        }
        fits
    }

    /// The smaller of the two.
    fn within(self, other: BudgetLeft) -> Self {
        Self { characters: self.characters.min(other.characters) }
    }
}

/// Tokens that one line found for the message may take: a single long turn must not fill the block, nor, being too
/// long, end it.
pub fn line_tokens(settings: &Settings) -> usize {
    let budget = match settings.context_mode {
        ContextMode::Compact => settings.memory_budget_tokens,
        ContextMode::Full => settings.chunk_budget_tokens.min(settings.working_memory_budget_tokens),
    };
    usize::try_from(budget / 4).unwrap_or(0)
}

/// Overrides without a limit, and rules under their own budget.
fn always(
    block: &mut AssembledBlock,
    material: &BlockMaterial,
    settings: &Settings,
    overrides_under: &'static str,
) {
    block.fill(overrides_under, &material.overrides, &mut BudgetLeft::endless());
    let room = BudgetLeft::tokens(settings.rules_budget_tokens);
    // Half an instruction can say the opposite, so a rule is never cut, and one that could never fit hides no other.
    let could_fit = |rule: &&Line| BudgetLeft { ..room }.take(&rule.text, Some(RULES));
    block.fill(RULES, material.rules.iter().filter(could_fit), &mut BudgetLeft { ..room });
}

/// The profile, cut where the room ends: its last line may be a part of one, because half a profile says half of it.
fn profile(block: &mut AssembledBlock, heading: &'static str, lines: &[Line], room: &mut BudgetLeft) {
    /// Characters below which a rest of a line says nothing.
    const WORTHWHILE: usize = 40;
    for line in lines {
        if block.offer(heading, line, room) {
            continue;
        }
        let overhead = heading.chars().count() + HEADING_CHARACTERS + 1;
        let left = room.characters.saturating_sub(overhead);
        if left >= WORTHWHILE {
            let cut = Line { text: lines::clipped(&line.text, left), ..line.clone() };
            block.offer(heading, &cut, room);
        }
        return;
    }
}

#[cfg(test)]
mod tests;
