//! `recollect search`.

use clap::Args;

use super::arguments::{self, Clocks, Filters};
use super::output::{BOLD, DIM, Failure, minute, one_line, styled};
use super::{Desk, Done};
use crate::ops::search::{Hit, Search, Way};

/// Find what is remembered about something
#[derive(Debug, Args)]
#[command(after_help = "\
Any text is a query. Plain words are alternatives, the best matches come first. These mean more:
  \"in a row\"      the words in this order
  tea AND milk    both; OR: one of them; NOT: without the next
  irv*            words that begin so

Examples:
  recollect search irvine
  recollect search --top-k 3 --kind preference what do I like to drink
  recollect search --as-of 2025-12-31 '\"where I live\" OR home'")]
pub struct SearchCommand {
    /// What to look for; `-` reads it from stdin
    #[arg(required = true, value_name = "QUERY")]
    query: Vec<String>,
    /// How many results at most [default: the setting recallTopK]
    #[arg(long, short = 'k', value_name = "NUMBER")]
    top_k: Option<usize>,
    #[command(flatten)]
    filters: Filters,
    #[command(flatten)]
    clocks: Clocks,
}

impl SearchCommand {
    pub async fn run(self, desk: &mut Desk) -> Result<Done, Failure> {
        let query = arguments::text(&self.query)?;
        let filter = self.filters.selection(&desk.who, self.clocks);
        let found = desk.link.ask(&desk.who.tenant, Search { query, top_k: self.top_k, filter }).await?;
        if desk.out.wants_json() {
            desk.out.answer(&found)?;
            return Ok(Done::Well);
        }
        for hit in &found.results {
            print(desk, hit)?;
        }
        match (found.results.is_empty(), found.path) {
            (true, Way::SkippedEmptyStore) => {
                desk.out.talk("nothing is remembered yet; `recollect add TEXT` changes that")
            }
            (true, _) => desk.out.talk("nothing found"),
            (false, Way::Like) => desk.out.talk("found by the letters of the text, not by its words"),
            (false, _) => {}
        }
        Ok(Done::Well)
    }
}

fn print(desk: &mut Desk, hit: &Hit) -> Result<(), Failure> {
    let memory = &hit.memory;
    let mut about = format!("{}  {}  {}", memory.id, memory.kind, minute(memory.created_at));
    for tag in &memory.tags {
        about.push_str(&format!("  #{}", one_line(tag)));
    }
    desk.out.line(format!("{}  {}", styled(BOLD, format!("{:.2}", hit.score)), one_line(&memory.content)))?;
    desk.out.line(format!("      {}", styled(DIM, about)))
}
