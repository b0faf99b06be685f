//! `recollect forget`.

use clap::Args;
use memory::types::MemoryId;

use super::arguments::{Clocks, Filters, Scopes};
use super::output::{BOLD, DIM, Failure, one_line, styled};
use super::{Desk, Done, Globals};
use crate::ops::forget::{Forget, Forgotten};
use crate::ops::select::Selection;
use crate::problem::Problem;

/// Remove memories; without --yes only say which
///
/// Name ids, a query, or filters; --session, --user and --agent are filters here too.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  recollect forget mt_01890a5d-ac96-774b-bcce-b302099a8057 --yes
  recollect forget --match \"phone number\"            says what it would remove
  recollect forget --match \"phone number\" --yes      removes it
  recollect forget --session trip-2026 --yes --purge  leaves no trace
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
    /// For good: out of the database, its history and its files, not to be undone
    #[arg(long)]
    purge: bool,
    #[command(flatten)]
    filters: Filters,
    #[command(flatten)]
    scopes: Scopes,
}

impl ForgetCommand {
    pub async fn run(self, desk: &mut Desk, globals: &Globals) -> Result<Done, Failure> {
        self.must_name_something(globals)?;
        let filter = match self.ids.is_empty() {
            true => self.filters.selection(&desk.who, self.scopes.scopes, Clocks::default()),
            false => Selection::default(),
        };
        let request = Forget {
            ids: self.ids,
            expect_version: None,
            matching: self.matching,
            filter,
            all: self.all,
            confirmed: self.yes,
            purge: self.purge,
            reason: None,
        };
        let forgotten = desk.link.ask(&desk.who.tenant, request).await?;
        if desk.out.wants_json() {
            desk.out.answer(&forgotten)?;
        } else {
            print(desk, &forgotten, self.purge)?;
        }
        Ok(if forgotten.count == 0 { Done::Nothing } else { Done::Well })
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

fn print(desk: &mut Desk, forgotten: &Forgotten, purge: bool) -> Result<(), Failure> {
    for glimpse in &forgotten.first {
        desk.out.line(format!("{}  {}", styled(DIM, &glimpse.id), one_line(&glimpse.content)))?;
    }
    let unnamed = forgotten.count - forgotten.first.len();
    if unnamed > 0 {
        desk.out.line(styled(DIM, format!("… and {unnamed} more")))?;
    }
    let what =
        if forgotten.count == 1 { "1 memory".to_owned() } else { format!("{} memories", forgotten.count) };
    desk.out.talk(match (forgotten.count, forgotten.done, purge) {
        (0, _, _) => "nothing matches".to_owned(),
        (_, false, false) => format!("would forget {}; --yes does it", styled(BOLD, what)),
        (_, false, true) => format!("would purge {} for good; --yes does it", styled(BOLD, what)),
        (_, true, false) => format!("forgot {what}"),
        (_, true, true) => format!("purged {what} for good"),
    });
    if forgotten.more {
        desk.out.talk("more match than one call takes; repeat it");
    }
    Ok(())
}
