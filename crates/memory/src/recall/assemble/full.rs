//! The full context: every section in order of priority, each under its own budget.
//!
//! The date comes first, so that a model can reason about time. Overrides and rules follow, then what is known whatever
//! the message is (profile, memories, summaries, relationships), then what matches the message and is not there yet.
//! The total is spent in that order. Where it is short, what matches the message gets its room first, and of the rest the sections of lower priority are
//! cut first.

use super::{
    AssembledBlock, BlockMaterial, BlockSection, BudgetLeft, Line, LineCandidate, OVERRIDES, always, lines,
    profile,
};
use crate::recall::gate::GateDecision;
use crate::settings::Settings;
use crate::types::Corpus;

pub const DATE: &str = "Current Date";
pub const PROFILE: &str = "User Profile";
pub const MEMORIES: &str = "Working Memory";
pub const SUMMARIES: &str = "Conversation Summaries";
pub const RELATIONSHIPS: &str = "Key Relationships";
pub const RELEVANT_EXCERPTS: &str = "Relevant Conversation Excerpts";
pub const RELEVANT_MEMORIES: &str = "Relevant Memories";
pub const RELEVANT_SUMMARIES: &str = "Relevant Summaries";

/// The sections of what matches the message.
pub const RELEVANT: [&str; 3] = [RELEVANT_EXCERPTS, RELEVANT_MEMORIES, RELEVANT_SUMMARIES];

pub fn assemble(material: &BlockMaterial, decision: &GateDecision, settings: &Settings) -> AssembledBlock {
    let mut block = AssembledBlock {
        parts: vec![BlockSection { heading: DATE, lines: vec![lines::of_date(material.today)] }],
    };
    always(&mut block, material, settings, OVERRIDES);
    let mut total = BudgetLeft::tokens(settings.full_budget_tokens);
    total.characters = total.characters.saturating_sub(block.text().chars().count());
    let mut in_order = block.clone();
    let mut left = total;
    base(&mut in_order, material, settings, &AssembledBlock::default(), &mut left);
    if !decision.fire {
        return in_order;
    }
    relevant(&mut in_order, material, settings, &mut left);
    if material.found.iter().all(|candidate| in_order.has(&candidate.line)) {
        return in_order;
    }
    // What matches the message is what the message needs: it gets its room first, and stands where it stood.
    let mut matching = AssembledBlock::default();
    relevant(&mut matching, material, settings, &mut total);
    base(&mut block, material, settings, &matching, &mut total);
    block.parts.extend(matching.parts);
    block
}

/// What stands there whatever the message is, but for what is told elsewhere.
fn base(
    block: &mut AssembledBlock,
    material: &BlockMaterial,
    settings: &Settings,
    elsewhere: &AssembledBlock,
    total: &mut BudgetLeft,
) {
    let untold = |line: &&Line| !elsewhere.has(line);
    let about: Vec<Line> = material.profile.iter().filter(untold).cloned().collect();
    within(total, settings.profile_max_tokens, |room| profile(block, PROFILE, &about, room));
    let memories = material.base.memories.iter().filter(untold);
    fill(block, MEMORIES, memories, settings.working_memory_budget_tokens, total);
    let summaries = material.latest_episode.iter().chain(&material.base.episodes).filter(untold);
    fill(block, SUMMARIES, summaries, settings.summary_budget_tokens, total);
    let relationships = material.base.relationships.iter().filter(untold);
    fill(block, RELATIONSHIPS, relationships, settings.graph_budget_tokens, total);
}

/// What matches the message.
fn relevant(
    block: &mut AssembledBlock,
    material: &BlockMaterial,
    settings: &Settings,
    total: &mut BudgetLeft,
) {
    let (memory_tokens, summary_tokens) =
        (settings.working_memory_budget_tokens, settings.summary_budget_tokens);
    let found = |corpus| of_corpus(&material.found, corpus);
    fill(block, RELEVANT_EXCERPTS, found(Corpus::Turns), settings.chunk_budget_tokens, total);
    fill(block, RELEVANT_MEMORIES, found(Corpus::Memories), memory_tokens, total);
    fill(block, RELEVANT_SUMMARIES, found(Corpus::Episodes), summary_tokens, total);
}

fn of_corpus(found: &[LineCandidate], corpus: Corpus) -> impl Iterator<Item = &Line> {
    found.iter().filter(move |candidate| candidate.corpus == corpus).map(|candidate| &candidate.line)
}

fn fill<'a>(
    block: &mut AssembledBlock,
    heading: &'static str,
    lines: impl IntoIterator<Item = &'a Line>,
    tokens: i64,
    total: &mut BudgetLeft,
) {
    within(total, tokens, |room| block.fill(heading, lines, room));
}

/// Lets a section spend from its own budget, as far as the total allows, and takes what it spent from the total.
fn within(total: &mut BudgetLeft, tokens: i64, spend: impl FnOnce(&mut BudgetLeft)) {
    let granted = BudgetLeft::tokens(tokens).within(*total);
    let mut room = granted;
    spend(&mut room);
    total.characters -= granted.characters - room.characters;
}
