//! What the prompt tells and is no longer so, told as it is by now.
//!
//! What stands in a prompt stays there to the byte. So where something of it got another value, was put differently by a person or is over, that comes
//! with the next block, whatever the message is; and again where the block that said so went for another reason. What the user said in
//! this very conversation is not said again.

use std::collections::{BTreeMap, BTreeSet};

use super::ContextRequest;
use crate::error::StoreResult;
use crate::ports::ReadStore;
use crate::recall::assemble::Line;
use crate::recall::search::Glance;
use crate::settings::LineStyle;
use crate::text::marks;
use crate::types::{Memory, MemoryId, Status, Time};

/// How often the place of something is taken before nobody looks on.
const SUCCESSORS: usize = 8;

/// Letters that a line must share with a memory at least to be a part of it.
const PART_LETTERS: usize = 8;

/// What stands in a prompt by earlier blocks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct PromptMemories {
    /// The memories behind it, with the last time that each was told.
    memories: BTreeMap<MemoryId, Time>,
    /// Its lines, as they stand there.
    lines: BTreeSet<String>,
}

impl PromptMemories {
    /// A block with the memories behind it.
    pub fn add<'a>(&mut self, text: &str, memories: impl IntoIterator<Item = &'a MemoryId>, at: Time) {
        self.lines.extend(text.lines().map(str::to_owned));
        for id in memories {
            let told = self.memories.entry(id.clone()).or_insert(at);
            *told = at.max(*told);
        }
    }

    /// Whether a memory stands there as it is, or a part of it.
    fn tell(&self, memory: &Memory, request: &ContextRequest, style: LineStyle) -> bool {
        let zone = &request.zone;
        let forms = [
            Line::of_portrait(memory, style, zone),
            Line::of_recollection(memory, "", style, zone),
            Line::of_recollection(memory, "schedule", style, zone),
        ];
        let name = memory.own_name().map(|name| Line::of_own_name(memory, name));
        let told = |line: &Line| self.lines.contains(marks::escape(&line.text).as_str());
        let whole = forms[0].text.trim_start_matches("- ");
        let part = |line: &String| {
            let said = line.trim_start_matches("- ").trim_matches('"');
            said.chars().count() >= PART_LETTERS && line.starts_with("- ") && whole.contains(said)
        };
        forms.iter().chain(&name).any(told) || self.lines.iter().any(part)
    }
}

impl Glance<'_> {
    /// The lines for what stands in the prompt and is otherwise by now.
    pub(super) async fn corrected(
        &self,
        request: &ContextRequest,
        style: LineStyle,
    ) -> StoreResult<Vec<Line>> {
        let stands = &request.stands;
        if stands.memories.is_empty() || request.as_of || request.disclosure.work_only {
            return Ok(Vec::new());
        }
        let ids: Vec<MemoryId> = stands.memories.keys().cloned().collect();
        let told = self.view.memories(&ids).await?;
        let changed = told
            .iter()
            .filter(|memory| stands.memories.get(&memory.id).is_some_and(|at| memory.updated_at >= *at));
        let mut lines = Vec::new();
        for memory in changed {
            let line = match self.by_now(memory, request).await? {
                Some(now) if stands.tell(&now, request, style) || said_here(&now, memory, request) => {
                    continue;
                }
                Some(now) => Line::of_recollection(&now, "", style, &request.zone),
                None if ended(memory, request.now) => Line::of_past(memory, &request.zone),
                None => continue,
            };
            lines.push(Line { standing: true, ..line }.because("is otherwise than the prompt tells it", 1.0));
        }
        Ok(lines)
    }

    /// What holds of what a memory told; nothing where nothing does, or it is not for this viewer.
    async fn by_now(&self, memory: &Memory, request: &ContextRequest) -> StoreResult<Option<Memory>> {
        let mut next = memory.clone();
        for _ in 0..SUCCESSORS {
            if next.holds(request.now) {
                let told = request.viewer.sees(&next) && (memory.sensitive || !next.sensitive);
                return Ok(told.then_some(next));
            }
            // What was merged or is said better elsewhere is not over.
            let Some(id) = next.superseded_by.clone().filter(|_| next.is_over(request.now)) else { break };
            let Some(successor) = self.view.memories(&[id]).await?.pop() else { break };
            next = successor;
        }
        Ok(None)
    }
}

/// Whether what took the place of a memory was said in this conversation, which the prompt shows.
fn said_here(now: &Memory, before: &Memory, request: &ContextRequest) -> bool {
    let here = now.session.is_some() && now.session == request.viewer.session;
    now.id != before.id && here && request.in_view_from.is_some()
}

/// Whether something was true, and was said to be over by nothing that took its place.
fn ended(memory: &Memory, now: Time) -> bool {
    let was_true = memory.status != Status::Deleted && !memory.was_wrong();
    let planned = memory.status == Status::Active;
    memory.is_over(now) && was_true && !planned && memory.superseded_by.is_none()
}
