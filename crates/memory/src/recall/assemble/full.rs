//! The full context: every section in order of priority, each under its own budget.
//!
//! The date comes first, so that a model can reason about time. Overrides and rules follow, then what is known whatever
//! the message is (profile, memories, summaries, relationships), then what matches the message and is not there yet.
//! The total is spent in that order, so where it is short the sections of lower priority are cut first.

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

pub fn assemble(material: &BlockMaterial, decision: &GateDecision, settings: &Settings) -> AssembledBlock {
    let mut block = AssembledBlock {
        parts: vec![BlockSection { heading: DATE, lines: vec![lines::of_date(material.today)] }],
    };
    always(&mut block, material, settings, OVERRIDES);
    let mut total = BudgetLeft::tokens(settings.full_budget_tokens);
    total.characters = total.characters.saturating_sub(block.text().chars().count());
    within(&mut total, settings.profile_max_tokens, |room| {
        profile(&mut block, PROFILE, &material.profile, room);
    });
    let summaries = material.latest_episode.iter().chain(&material.base.episodes);
    let (memory_tokens, summary_tokens) =
        (settings.working_memory_budget_tokens, settings.summary_budget_tokens);
    fill(&mut block, MEMORIES, &material.base.memories, memory_tokens, &mut total);
    fill(&mut block, SUMMARIES, summaries, summary_tokens, &mut total);
    let relationships = &material.base.relationships;
    fill(&mut block, RELATIONSHIPS, relationships, settings.graph_budget_tokens, &mut total);
    if decision.fire {
        let found = |corpus| of_corpus(&material.found, corpus);
        let excerpts = found(Corpus::Turns);
        fill(&mut block, RELEVANT_EXCERPTS, excerpts, settings.chunk_budget_tokens, &mut total);
        fill(&mut block, RELEVANT_MEMORIES, found(Corpus::Memories), memory_tokens, &mut total);
        fill(&mut block, RELEVANT_SUMMARIES, found(Corpus::Episodes), summary_tokens, &mut total);
    }
    block
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
