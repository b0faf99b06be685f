//! `recollect forget`.

use clap::Args;
use memory::types::MemoryId;

use super::arguments::{Clocks, FilterArguments, Scopes};
use super::output::{BOLD, CommandFailure, DIM, IdRow, one_line, styled};
use super::receipts;
use super::{CommandContext, CommandEnd, Globals};
use crate::ops::forget::{Forget, Forgotten, MemoryPreview};
use crate::ops::select::Selection;
use crate::problem::Problem;

/// Forget something or somebody; without --yes only say what
///
/// Name ids, a query, or whose: --session, --user and --agent take everything of theirs. What was said in conversations stays
/// unless it is purged.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  recollect forget mt_01890a5d-ac96-774b-bcce-b302099a8057 --yes
  recollect forget --match \"phone number\"            says what it would remove
  recollect forget --match \"phone number\" --yes      removes it
  recollect forget --session trip-2026 --yes --purge  leaves no trace, and gives a receipt
  recollect forget --agent helper --match \"phone number\" --purge --yes --json
  recollect forget --all --user ada --yes")]
pub struct ForgetCommand {
    /// These memories
    #[arg(value_name = "ID", conflicts_with_all = ["matching", "all"])]
    ids: Vec<MemoryId>,
    /// Those that contain all of these words, or what the query's operators say
    #[arg(long = "match", value_name = "QUERY")]
    matching: Option<String>,
    /// Everything of the tenant, or everything that the filters let through
    #[arg(long)]
    all: bool,
    /// Do it
    #[arg(long, short)]
    yes: bool,
    /// For good: out of the database, its history and its files, with all that was made from it; not to be undone
    #[arg(long)]
    purge: bool,
    #[command(flatten)]
    filters: FilterArguments,
    #[command(flatten)]
    scopes: Scopes,
}

impl ForgetCommand {
    pub async fn run(
        self,
        desk: &mut CommandContext,
        globals: &Globals,
    ) -> Result<CommandEnd, CommandFailure> {
        self.must_name_something(globals)?;
        let filter = match self.ids.is_empty() {
            true => self.filters.selection(&desk.who, self.scopes.scopes, Clocks::default()),
            false => Selection::default(),
        };
        let request = Forget {
            ids: self.ids,
            matching: self.matching,
            filter,
            all: self.all,
            confirmed: self.yes,
            purge: self.purge,
            ..Forget::default()
        };
        let forgotten = desk.link.ask(&desk.who.tenant, request).await?;
        if desk.out.wants_json() {
            desk.out.answer(&forgotten)?;
        } else {
            print(desk, &forgotten, self.purge)?;
        }
        Ok(if forgotten.total() == 0 { CommandEnd::Nothing } else { CommandEnd::Well })
    }

    /// What the environment names narrows a choice but is not one: nobody should lose a user's memory over a variable.
    fn must_name_something(&self, globals: &Globals) -> Result<(), Problem> {
        let flags = globals.agent.is_some() || globals.user.is_some() || globals.session.is_some();
        let filtered = self.filters.any() || !self.scopes.scopes.is_empty();
        if self.ids.is_empty() && self.matching.is_none() && !self.all && !flags && !filtered {
            let message = "nothing is named; expected ids, --match QUERY, --session, --user, --agent, a filter, or --all";
            return Err(Problem::invalid(message).hint("without --yes it only says what would be removed"));
        }
        Ok(())
    }
}

fn print(desk: &mut CommandContext, forgotten: &Forgotten, purge: bool) -> Result<(), CommandFailure> {
    let row =
        |first: &MemoryPreview| IdRow { id: first.id.to_string(), cells: vec![one_line(&first.content)] };
    desk.out.table_of_ids(forgotten.first.iter().map(row).collect())?;
    let unnamed = forgotten.count - forgotten.first.len();
    if unnamed > 0 {
        desk.out.line(styled(DIM, format!("… and {unnamed} more")))?;
    }
    let what = receipts::kinds(&forgotten.kinds);
    desk.out.talk(match (forgotten.total(), forgotten.done, purge) {
        (0, _, _) => "nothing matches".to_owned(),
        (_, false, false) => format!("would forget {}; --yes does it", styled(BOLD, what)),
        (_, false, true) => format!("would purge {} for good; --yes does it", styled(BOLD, what)),
        (_, true, false) => format!("forgot {what}"),
        (_, true, true) => format!("purged {what} for good"),
    });
    if !forgotten.rewritten.is_empty() {
        let how = if forgotten.done { "written" } else { "to be written" };
        desk.out.talk(format!("{how} without it: {}", receipts::kinds(&forgotten.rewritten)));
    }
    if let Some(run) = &forgotten.run.as_ref().filter(|_| !forgotten.purged) {
        desk.out.talk(format!("not reached: {}", forgotten.beyond.join("; ")));
        desk.out.talk(format!("`recollect undo {run}` brings it back"));
    }
    if let Some(receipt) = &forgotten.receipt {
        receipts::print(desk, receipt)?;
    }
    if forgotten.more {
        desk.out.talk("more match than one call takes; repeat it");
    }
    Ok(())
}
