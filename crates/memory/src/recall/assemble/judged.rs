//! The block as the judge weighed it: who the user is, within its own budget, and what helps with the message, within another.
//!
//! A budget is a ceiling: lines are in it because they were found worth saying, and where there are few the block is short.

use std::collections::HashSet;

use jiff::civil::Date;

use super::{AssembledBlock, BlockSection, Line, LineCandidate, OVERRIDES};
use crate::settings::Settings;
use crate::text::tokens;
use crate::types::MemoryId;

pub const PORTRAIT: &str = "About the user";
pub const CORRECTED: &str = "What has changed since";
pub const RECOLLECTIONS: &str = "What the user told before";
pub const DIGEST: &str = "The last conversation";
pub const FORMER: &str = "What was so before";
pub const SAID: &str = "From earlier conversations";

/// What a line costs beside its text.
const LINE_COST: f64 = 0.25;

/// A line and what it counts for among its like.
#[derive(Debug, Clone, PartialEq)]
pub struct WeighedLine {
    pub worth: f32,
    pub line: Line,
}

/// Everything that a judged block is made from.
#[derive(Debug, Clone)]
pub struct JudgedMaterial {
    pub today: Date,
    pub overrides: Vec<Line>,
    /// Standing instructions, the newest first.
    pub rules: Vec<Line>,
    /// What the prompt tells otherwise, as it is by now.
    pub corrected: Vec<Line>,
    /// Who the user is, what matters most first; nothing but at the beginning of a conversation.
    pub portrait: Vec<WeighedLine>,
    /// The day stands with who the user is.
    pub introduces: bool,
    /// The profile and what was learned of the user since, where the message asks who they are.
    pub about: Vec<Line>,
    /// How the last conversation ended, where that belongs here.
    pub digest: Option<Line>,
    /// What helps with the message, the likeliest first.
    pub found: Vec<WeighedLine>,
    /// What was true once, where the message asks for the past.
    pub former: Vec<WeighedLine>,
    /// What was said, where the message asks for it, best first.
    pub past: Vec<LineCandidate>,
}

impl JudgedMaterial {
    /// The memories that the block is to tell.
    pub fn memory_ids(&self) -> HashSet<MemoryId> {
        let weighed = self.portrait.iter().chain(&self.found).map(|line| &line.line);
        let lines = weighed.chain(&self.overrides).chain(&self.rules).chain(&self.about);
        lines.flat_map(|line| line.memory_ids.iter().cloned()).collect()
    }
}

pub fn assemble(material: &JudgedMaterial, settings: &Settings) -> AssembledBlock {
    let mut block = AssembledBlock::default();
    for line in &material.overrides {
        put(&mut block, OVERRIDES, line);
    }
    let mut room = TokensLeft::of(settings.portrait_tokens);
    portrait(&mut block, material, &mut room);
    for line in &material.corrected {
        put(&mut block, CORRECTED, line);
    }
    let mut room = TokensLeft::of(settings.memory_budget_tokens);
    room.leave_for(&material.overrides);
    for line in &material.about {
        room.offer(&mut block, PORTRAIT, line);
    }
    if let Some(digest) = &material.digest {
        room.offer(&mut block, DIGEST, digest);
    }
    for line in &material.found {
        room.offer(&mut block, RECOLLECTIONS, &line.line);
    }
    for line in &material.former {
        room.offer(&mut block, FORMER, &line.line);
    }
    for candidate in &material.past {
        room.offer(&mut block, SAID, &candidate.line);
    }
    block
}

/// Instructions first, because they hold for every answer; then who the user is. The day stands with it.
fn portrait(block: &mut AssembledBlock, material: &JudgedMaterial, room: &mut TokensLeft) {
    if room.tokens <= 0.0 {
        return;
    }
    let before = block.parts.len();
    let mut told = AssembledBlock { parts: block.parts.clone() };
    if material.introduces {
        let date = material.today;
        let today = Line {
            text: format!("Today is {:?}, {date}.", date.weekday()),
            standing: true,
            ..Line::default()
        };
        room.offer(&mut told, PORTRAIT, &today);
    }
    let day_alone = told.parts.len() > before;
    for line in &material.rules {
        room.offer(&mut told, PORTRAIT, line);
    }
    for line in &material.portrait {
        room.offer(&mut told, PORTRAIT, &line.line);
    }
    // The day by itself is nothing that memory has to say.
    let lines = told.parts.get(before).map_or(0, |part| part.lines.len());
    if lines > usize::from(day_alone) {
        *block = told;
    }
}

/// Puts a line under its heading, if the block does not say it already.
fn put(block: &mut AssembledBlock, heading: &'static str, line: &Line) {
    if block.has(line) {
        return;
    }
    match block.parts.iter_mut().find(|part| part.heading == heading) {
        Some(part) => part.lines.push(line.clone()),
        None => block.parts.push(BlockSection { heading, lines: vec![line.clone()] }),
    }
}

/// What a part of the block may still cost.
struct TokensLeft {
    tokens: f64,
}

impl TokensLeft {
    fn of(tokens: i64) -> Self {
        Self { tokens: tokens as f64 }
    }

    /// What always comes leaves the less for what is found: half of it at least, so that a long list of overrides hides nothing else.
    fn leave_for(&mut self, lines: &[Line]) {
        let cost: f64 = lines.iter().map(|line| tokens::cost(&line.text) + LINE_COST).sum();
        self.tokens -= cost.min(self.tokens / 2.0);
    }

    /// Puts a line into the block if there is room for it. One that is too long hides no other.
    fn offer(&mut self, block: &mut AssembledBlock, heading: &'static str, line: &Line) {
        if block.has(line) {
            return;
        }
        let new = !block.parts.iter().any(|part| part.heading == heading);
        let cost = tokens::cost(&line.text) + if new { tokens::cost(heading) + 1.5 } else { LINE_COST };
        if cost <= self.tokens {
            self.tokens -= cost;
            put(block, heading, line);
        }
    }
}
