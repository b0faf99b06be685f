//! `recollect receipts`, and how a receipt looks.

use std::collections::BTreeMap;

use clap::Args;
use memory::types::Receipt;

use super::output::{CommandFailure, DIM, minute, styled};
use super::{CommandContext, CommandEnd};
use crate::ops::receipts::Receipts;

/// Show what was purged and when, without what it was
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  recollect receipts
  recollect receipts --limit 100 --json")]
pub struct ReceiptsCommand {
    /// How many, the latest first
    #[arg(long, value_name = "COUNT")]
    limit: Option<usize>,
}

impl ReceiptsCommand {
    pub async fn run(self, desk: &mut CommandContext) -> Result<CommandEnd, CommandFailure> {
        let listed = desk.link.ask(&desk.who.tenant, Receipts { limit: self.limit }).await?;
        if desk.out.wants_json() {
            desk.out.answer(&listed)?;
            return Ok(CommandEnd::Well);
        }
        for receipt in &listed.receipts {
            print(desk, receipt)?;
        }
        if listed.receipts.is_empty() {
            desk.out.talk("nothing was purged yet");
        }
        Ok(CommandEnd::Well)
    }
}

/// A receipt as a person reads it.
pub fn print(desk: &mut CommandContext, receipt: &Receipt) -> Result<(), CommandFailure> {
    desk.out.line(format!("receipt {}  {}", styled(DIM, &receipt.id), minute(receipt.at)))?;
    desk.out.line(format!("  removed      {}", kinds(&receipt.removed)))?;
    if !receipt.rewritten.is_empty() {
        desk.out.line(format!("  rewritten    {}", kinds(&receipt.rewritten)))?;
    }
    desk.out.line(format!("  hash         {}", styled(DIM, &receipt.hash)))?;
    for (place, text) in receipt.beyond.iter().enumerate() {
        let label = if place == 0 { "not reached" } else { "" };
        desk.out.line(format!("  {label:<13}{}", styled(DIM, text)))?;
    }
    Ok(())
}

/// `2 memories, 1 turn`; what people ask for first comes first.
pub fn kinds(counts: &BTreeMap<String, u64>) -> String {
    const FIRST: &[&str] = &["memories", "turns", "sessions", "episodes"];
    let place = |kind: &str| FIRST.iter().position(|first| *first == kind).unwrap_or(FIRST.len());
    let mut kinds: Vec<(&String, &u64)> = counts.iter().filter(|(_, count)| **count > 0).collect();
    kinds.sort_by_key(|(kind, _)| (place(kind), (*kind).clone()));
    if kinds.is_empty() {
        return "nothing".to_owned();
    }
    kinds.into_iter().map(|(kind, count)| counted(kind, *count)).collect::<Vec<_>>().join(", ")
}

/// `1 memory`, `2 memories`.
pub fn counted(kind: &str, count: u64) -> String {
    let (one, many) = match kind {
        "memories" => ("memory", "memories"),
        "entities" => ("entity", "entities"),
        "held" => ("candidate", "candidates"),
        "pending" => ("turn that waits", "turns that wait"),
        "profile_lines" => ("profile line", "profile lines"),
        "history" => ("earlier version", "earlier versions"),
        "archives" => ("archived text", "archived texts"),
        "details" => ("logged detail", "logged details"),
        other => (other.strip_suffix('s').unwrap_or(other), other),
    };
    format!("{count} {}", if count == 1 { one } else { many })
}
