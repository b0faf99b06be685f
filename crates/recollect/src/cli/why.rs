//! `recollect show ID --why`: from a memory back to the words it rests on.

use memory::types::MemoryId;

use super::output::{BOLD, CommandFailure, DIM, harmless, minute, one_line, styled};
use super::{CommandContext, CommandEnd, history};
use crate::ops::why::{Explained, Other, SourceTurn, Why};

pub async fn run(desk: &mut CommandContext, id: MemoryId) -> Result<CommandEnd, CommandFailure> {
    let explained = desk.link.ask(&desk.who.tenant, Why { id }).await?;
    if desk.out.wants_json() {
        desk.out.answer(&explained)?;
        return Ok(CommandEnd::Well);
    }
    desk.out.line(styled(BOLD, harmless(&explained.memory.content)))?;
    let rows: Vec<Vec<String>> = fields(&explained)
        .into_iter()
        .map(|(name, value)| vec![styled(DIM, name), harmless(&value)])
        .collect();
    desk.out.table(&rows)?;
    if !explained.turns.is_empty() {
        desk.out.line(styled(BOLD, "said"))?;
    }
    for turn in &explained.turns {
        desk.out.line(said(turn))?;
    }
    desk.out.line(styled(BOLD, "decided"))?;
    for event in &explained.events {
        history::print(desk, event)?;
    }
    Ok(CommandEnd::Well)
}

fn fields(explained: &Explained) -> Vec<(&'static str, String)> {
    let memory = &explained.memory;
    let other = |other: &Option<Other>| {
        other
            .as_ref()
            .map(|other| format!("{} ({}) {}", other.id, other.status, one_line(&other.content)))
            .unwrap_or_default()
    };
    let rows = [
        ("id", memory.id.to_string()),
        ("status", memory.status.to_string()),
        ("quotes", memory.evidence.as_ref().map(|quote| format!("\"{quote}\"")).unwrap_or_default()),
        ("made by", explained.made_by.clone()),
        ("rule", explained.rule.clone().unwrap_or_default()),
        ("because", explained.reason.clone().unwrap_or_default()),
        ("replaced", other(&explained.supersedes)),
        ("replaced by", other(&explained.superseded_by)),
    ];
    rows.into_iter().filter(|(_, value)| !value.is_empty()).collect()
}

fn said(turn: &SourceTurn) -> String {
    let who = turn.speaker.clone().unwrap_or_else(|| turn.role.to_string());
    let place =
        format!("{}  {}, {}:", minute(turn.at), one_line(turn.conversation_id.as_str()), one_line(&who));
    format!("  {} {}", styled(DIM, place), harmless(&turn.text))
}
