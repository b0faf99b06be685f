//! A profile without a model: the best memories, one line each, in the order in which one tells who somebody is.
//!
//! The sentences are those of the memories, which speak of the user in the third person already. When not everything
//! fits, what says most about the user stays; when two memories say the same, the newer does.

use super::grade::{ProfileGroup, counts};
use crate::limits;
use crate::text::marks::escape_line;
use crate::text::similarity::{jaccard, word_set};
use crate::text::{Analyser, fold, tokens};
use crate::types::{Memory, MemoryId, Time};

/// Two lines that share this much of their words say the same.
pub const SAME: f64 = 0.85;

/// One line of a profile and what it rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileLine {
    pub text: String,
    pub sources: Vec<MemoryId>,
}

/// The memories that a profile is made from, the most telling first, each thing once.
pub fn telling<'a>(memories: &'a [Memory], now: Time, analyser: &Analyser) -> Vec<&'a Memory> {
    let mut ranked: Vec<(f64, &Memory)> = memories
        .iter()
        .filter(|memory| counts(memory, now))
        .filter_map(|memory| Some((worth(memory, ProfileGroup::of(memory)?, now), memory)))
        .collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| b.1.updated_at.cmp(&a.1.updated_at)));
    let mut kept: Vec<&Memory> = Vec::new();
    for (_, memory) in ranked.into_iter().take(limits::PROFILE_MEMORIES) {
        match kept.iter().position(|known| same_thing(known, memory, analyser)) {
            Some(place) if kept[place].updated_at < memory.updated_at && !kept[place].pinned => {
                kept[place] = memory;
            }
            Some(_) => {}
            None if kept.len() < limits::PROFILE_FACTS => kept.push(memory),
            None => break,
        }
    }
    kept
}

/// The lines that fit, in the order of their groups. `except` says which are not to be told.
pub fn lines(
    telling: &[&Memory],
    room_tokens: i64,
    mut except: impl FnMut(&str) -> bool,
) -> Vec<ProfileLine> {
    let mut room = usize::try_from(room_tokens).unwrap_or(0).saturating_mul(tokens::CHARACTERS_PER_TOKEN);
    let mut chosen: Vec<(ProfileGroup, ProfileLine)> = Vec::new();
    for memory in telling {
        let Some(group) = ProfileGroup::of(memory) else { continue };
        let text = line(&memory.content);
        if text.is_empty() || except(&text) {
            continue;
        }
        let needed = text.chars().count() + 1;
        if needed > room {
            break;
        }
        room -= needed;
        chosen.push((group, ProfileLine { text, sources: vec![memory.id.clone()] }));
    }
    // The sort is stable: within a group the most telling comes first.
    chosen.sort_by_key(|(group, _)| *group);
    chosen.into_iter().map(|(_, told)| told).collect()
}

/// A text as one line of a profile: no break, no fence, no list mark, and not longer than a line may be.
pub fn line(text: &str) -> String {
    let escaped = escape_line(text);
    let cut = tokens::cut_to_tokens(&escaped, limits::PROFILE_LINE_TOKENS).trim_end();
    if cut.len() < escaped.len() { format!("{cut}…") } else { escaped }
}

/// Whether one line says what another says.
pub fn says_the_same(left: &str, right: &str, analyser: &Analyser) -> bool {
    fold(left) == fold(right) || jaccard(&word_set(left, analyser), &word_set(right, analyser)) >= SAME
}

fn same_thing(left: &Memory, right: &Memory, analyser: &Analyser) -> bool {
    left.key.is_some() && left.key == right.key || says_the_same(&left.content, &right.content, analyser)
}

/// A pinned memory before every other; then what it is about, how salient it is, and how strong it still is.
fn worth(memory: &Memory, group: ProfileGroup, now: Time) -> f64 {
    let days = now.days_since(memory.updated_at).max(0.0);
    let strength = f64::from(memory.strength) * (-days / f64::from(memory.stability_days.max(1.0))).exp();
    let pinned = if memory.pinned { 10.0 } else { 0.0 };
    pinned + group.weight() + f64::from(memory.salience) + 0.5 * strength
}
