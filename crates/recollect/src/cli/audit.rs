//! `recollect audit`.

use clap::{Args, Subcommand};

use super::crisis::CrisisCommand;
use super::output::{BOLD, CommandFailure, DIM, minute, one_line, styled};
use super::{CommandContext, CommandEnd, Globals};
use crate::ops::audit::AuditList;

/// Show who was let in to what, and who was not: the newest first
///
/// About all tenants, or about the one that --tenant names. What requests were about is not recorded.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  recollect audit
  recollect audit --tenant team-7 --limit 100 --json
  recollect audit crisis"
)]
pub struct AuditCommand {
    #[command(subcommand)]
    part: Option<AuditPart>,
    /// How many, from 1 to 1000
    #[arg(long, value_name = "NUMBER", default_value_t = crate::limits::USUAL_ROWS)]
    limit: usize,
}

#[derive(Debug, Subcommand)]
enum AuditPart {
    Crisis(CrisisCommand),
}

impl AuditCommand {
    pub async fn run(
        self,
        desk: &mut CommandContext,
        globals: &Globals,
    ) -> Result<CommandEnd, CommandFailure> {
        if let Some(AuditPart::Crisis(command)) = self.part {
            return command.run(desk).await;
        }
        let request = AuditList { limit: Some(self.limit), everywhere: globals.tenant.is_none() };
        let listed = desk.link.ask(&desk.who.tenant, request).await?;
        if desk.out.wants_json() {
            desk.out.answer(&listed)?;
            return Ok(CommandEnd::Well);
        }
        let rows: Vec<Vec<String>> = listed
            .decisions
            .iter()
            .map(|row| {
                let decision = &row.decision;
                let outcome = match &decision.reason {
                    None => "allowed".to_owned(),
                    Some(reason) => styled(BOLD, format!("denied: {reason}")),
                };
                vec![
                    styled(DIM, minute(decision.at)),
                    decision.caller.clone(),
                    decision.tenant.as_ref().map_or("-".to_owned(), ToString::to_string),
                    one_line(&decision.operation),
                    outcome,
                    styled(DIM, decision.request.as_deref().unwrap_or("-")),
                ]
            })
            .collect();
        desk.out.table(&rows)?;
        Ok(CommandEnd::Well)
    }
}
