//! The dim lines beside a conversation: what was recalled for an answer, and what was learned in the end.

use std::fmt::Display;

use memory::types::Memory;
use serde_json::{Value, json};

use super::conversation::RecallHeaders;
use crate::cli::CommandContext;
use crate::cli::output::{DIM, one_line, styled};
use crate::limits;
use crate::ops::context::Contextual;
use crate::ops::sessions::Passed;

/// One line that is no answer.
pub fn note(desk: &mut CommandContext, text: impl Display) {
    desk.out.talk(styled(DIM, format!("· {text}")));
}

/// What an answer was given to know.
pub fn recalled(desk: &mut CommandContext, account: &RecallHeaders, preview: Option<&Contextual>) {
    let RecallHeaders { section, tokens, memories } = account;
    if *tokens == 0 {
        // Our own model is asked for nothing else, and says itself what it rests on.
        if *memories > 0 {
            note(desk, format!("answered from {}", counted(*memories)));
        }
        return;
    }
    note(desk, format!("recalled {section}: {}, about {tokens} tokens", counted(*memories)));
    for line in preview.iter().flat_map(|preview| &preview.lines) {
        let ids: Vec<String> = line.memory_ids.iter().map(ToString::to_string).collect();
        note(desk, format!("  {}  {}", one_line(&line.text), ids.join(" ")).trim_end().to_owned());
    }
}

/// What a message would be given to know.
pub fn would_recall(desk: &mut CommandContext, preview: &Contextual) {
    let reason = one_line(&preview.gate.reason);
    match preview.gate.fire {
        true => note(desk, format!("memory is asked for ({}): {reason}", preview.gate.section)),
        false => note(desk, format!("memory is not asked for: {reason}")),
    }
    for line in &preview.lines {
        let ids: Vec<String> = line.memory_ids.iter().map(ToString::to_string).collect();
        note(desk, format!("  {}  {}", one_line(&line.text), ids.join(" ")).trim_end().to_owned());
    }
    if preview.lines.is_empty() {
        note(desk, "nothing would be recalled");
    }
}

/// What a conversation came to.
pub fn learned(desk: &mut CommandContext, passed: &Passed, memories: &[Memory], total: u64) {
    match total {
        0 => note(desk, format!("nothing new was learned ({})", one_line(&passed.distillation))),
        total => note(desk, format!("learned {}", counted(total as usize))),
    }
    for memory in memories {
        note(desk, format!("  {}  {}  {}", memory.id, memory.kind, one_line(&memory.content)));
    }
    let unnamed = total.saturating_sub(memories.len() as u64);
    if unnamed > 0 {
        note(desk, format!("  … and {unnamed} more"));
    }
    if passed.superseded > 0 {
        note(desk, format!("{} before it no longer hold", counted(passed.superseded as usize)));
    }
    if passed.held > 0 {
        note(desk, format!("{} held back until they are heard again", counted(passed.held as usize)));
    }
    if passed.fell_back.is_some() {
        note(desk, "the model that learns could not be asked; it is tried again later");
    }
}

/// The same for a program.
pub fn learned_json(session: &str, passed: &Passed, memories: &[Memory], total: u64) -> Value {
    let rows: Vec<Value> = memories
        .iter()
        .take(limits::CHAT_LEARNED_NAMED)
        .map(|memory| json!({ "id": memory.id, "kind": memory.kind, "content": memory.content }))
        .collect();
    json!({
        "session": session,
        "ended": true,
        "distillation": passed.distillation,
        "learned": rows,
        "total": total,
        "superseded": passed.superseded,
        "held": passed.held,
    })
}

fn counted(memories: usize) -> String {
    if memories == 1 { "1 memory".to_owned() } else { format!("{memories} memories") }
}
