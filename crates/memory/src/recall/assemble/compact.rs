//! The compact block: the section that the gate chose, under one budget.
//!
//! Where phrases or a model choose the section (`heuristic`, `llm`), it is all that is told, as the systems do it that we unify: its seats, and nothing
//! where nothing fires. Elsewhere its seats are the beginning:
//!
//! The chosen section gets its seats first: as many lines as the systems we unify give it, as long as they are not weak
//! beside what else was found. Then the budget is filled with the best of every section. They stopped at the seats;
//! measured by the share of a question's evidence inside the block, stopping there loses, and lines that fit cost
//! nothing that was not granted. The same filling is the fallback: somebody who asks wants an answer, whichever
//! section has it.

use super::{AssembledBlock, BlockMaterial, BudgetLeft, LineCandidate, OVERRIDES, always, profile};
use crate::recall::gate::{GateDecision, Section};
use crate::settings::{GateMode, Settings};
use crate::types::Corpus;

pub const IDENTITY: &str = "About you";
pub const PINNED: &str = "Things I remember";
pub const EPISODE: &str = "What we discussed before";
pub const TRANSCRIPT: &str = "Earlier in our chats";

/// A line of the chosen section that scores less than this share of the best line of any section has no seat.
const WEAK_SHARE: f64 = 0.5;

pub fn assemble(material: &BlockMaterial, decision: &GateDecision, settings: &Settings) -> AssembledBlock {
    let mut block = AssembledBlock::default();
    let about_user = decision.section == Section::Identity;
    always(&mut block, material, settings, if about_user { IDENTITY } else { OVERRIDES });
    let mut room = BudgetLeft::tokens(settings.memory_budget_tokens);
    if let Some(latest) = &material.latest_episode {
        block.offer(EPISODE, latest, &mut room);
    }
    if !decision.fire {
        return block;
    }
    if matches!(settings.relevance_gate_mode, GateMode::Heuristic | GateMode::Llm) {
        chosen_section(&mut block, material, decision, settings, &mut room);
        return block;
    }
    if about_user {
        tell_profile(&mut block, material, &mut room);
    }
    let ordered = in_order(material, decision, settings);
    for candidate in ordered {
        if !block.offer(heading(candidate.corpus), &candidate.line, &mut room) {
            break;
        }
    }
    block
}

/// The section that was chosen, and nothing else: of who the user is what the profile says, or memories where there is none.
fn chosen_section(
    block: &mut AssembledBlock,
    material: &BlockMaterial,
    decision: &GateDecision,
    settings: &Settings,
    room: &mut BudgetLeft,
) {
    let about_user = decision.section == Section::Identity;
    if about_user && !material.profile.is_empty() {
        profile(block, IDENTITY, &material.profile, room);
        return;
    }
    for (corpus, mut seats) in seats(decision.section, settings) {
        if corpus == Corpus::Memories {
            seats += material.extra_lines;
        }
        let of_corpus = || material.found.iter().filter(|candidate| candidate.corpus == corpus);
        let best = of_corpus().map(|candidate| candidate.score).fold(0.0, f64::max);
        let under = if about_user { IDENTITY } else { heading(corpus) };
        for candidate in of_corpus().filter(|candidate| candidate.score >= WEAK_SHARE * best).take(seats) {
            if !block.offer(under, &candidate.line, room) {
                break;
            }
        }
    }
}

/// At most half of the room where there is something else to say: "where do I work" is often answered by a memory.
fn tell_profile(block: &mut AssembledBlock, material: &BlockMaterial, room: &mut BudgetLeft) {
    let share = if material.found.is_empty() { 1 } else { 2 };
    let mut own = BudgetLeft { characters: room.characters / share };
    let before = own.characters;
    profile(block, IDENTITY, &material.profile, &mut own);
    room.characters -= before - own.characters;
}

/// Those with seats, then all others by score.
fn in_order<'a>(
    material: &'a BlockMaterial,
    decision: &GateDecision,
    settings: &Settings,
) -> Vec<&'a LineCandidate> {
    let best = material.found.iter().map(|candidate| candidate.score).fold(0.0, f64::max);
    let mut ordered: Vec<&LineCandidate> = Vec::with_capacity(material.found.len());
    for (corpus, mut seats) in seats(decision.section, settings) {
        if corpus == Corpus::Memories {
            seats += material.extra_lines;
        }
        let of_corpus = material.found.iter().filter(|candidate| candidate.corpus == corpus);
        let strong = of_corpus.filter(|candidate| candidate.score >= WEAK_SHARE * best);
        ordered.extend(strong.take(seats));
    }
    let seated = ordered.len();
    let mut others: Vec<&LineCandidate> = material.found.iter().collect();
    others.retain(|other| !ordered[..seated].iter().any(|taken| std::ptr::eq(*taken, *other)));
    others.sort_by(|a, b| b.score.total_cmp(&a.score));
    ordered.extend(others);
    ordered
}

/// How many lines each section is sure of. With the gate off, nobody chose: each has the fewest that it would get.
fn seats(section: Section, settings: &Settings) -> Vec<(Corpus, usize)> {
    let budget = usize::try_from(settings.memory_budget_tokens).unwrap_or(0);
    if settings.relevance_gate_mode == GateMode::Off {
        return vec![(Corpus::Memories, 3), (Corpus::Turns, 2), (Corpus::Episodes, 2)];
    }
    match section {
        Section::None => Vec::new(),
        Section::Identity | Section::Pinned => vec![(Corpus::Memories, (budget / 60).clamp(3, 15))],
        Section::Episode => vec![(Corpus::Episodes, (budget / 120).clamp(2, 8))],
        Section::Transcript => vec![(Corpus::Turns, (budget / 200).clamp(2, 6))],
    }
}

pub fn heading(corpus: Corpus) -> &'static str {
    match corpus {
        Corpus::Memories => PINNED,
        Corpus::Episodes => EPISODE,
        Corpus::Turns => TRANSCRIPT,
    }
}
