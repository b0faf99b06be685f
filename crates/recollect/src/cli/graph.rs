//! `recollect graph`.

use clap::{Args, Subcommand};
use memory::graph::Subgraph;

use super::output::{CommandFailure, harmless};
use super::{CommandContext, CommandEnd};
use crate::ops::graph::{GraphSearch, GraphShow};

/// Draw the knowledge graph: who and what is spoken of, and how they hang together
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  recollect graph show
  recollect graph show Acme --depth 3
  recollect graph search \"works at\"
  recollect graph show --dot | dot -Tsvg > graph.svg")]
pub struct GraphCommand {
    #[command(subcommand)]
    action: GraphAction,
}

#[derive(Debug, Subcommand)]
enum GraphAction {
    /// Around a name, or everything
    Show {
        #[arg(value_name = "NAME")]
        name: Option<String>,
        /// How many relations away, 1 to 4 [default: the setting graphDepth]
        #[arg(long, value_name = "NUMBER")]
        depth: Option<u32>,
        /// In Graphviz's language
        #[arg(long)]
        dot: bool,
    },
    /// Everything that one relation connects
    Search {
        /// Such as `works at`
        #[arg(value_name = "RELATION")]
        relation: String,
        /// In Graphviz's language
        #[arg(long)]
        dot: bool,
    },
}

impl GraphCommand {
    pub async fn run(self, desk: &mut CommandContext) -> Result<CommandEnd, CommandFailure> {
        let (tenant, agent, user) = (&desk.who.tenant, desk.who.agent.clone(), desk.who.user.clone());
        let (graph, dot) = match self.action {
            GraphAction::Show { name, depth, dot } => {
                (desk.link.ask(tenant, GraphShow { name, depth, agent, user }).await?, dot)
            }
            GraphAction::Search { relation, dot } => {
                (desk.link.ask(tenant, GraphSearch { relation, agent, user }).await?, dot)
            }
        };
        print(desk, &graph, dot)
    }
}

fn print(desk: &mut CommandContext, graph: &Subgraph, dot: bool) -> Result<CommandEnd, CommandFailure> {
    if dot {
        desk.out.line(graph.to_dot().trim_end())?;
        return Ok(CommandEnd::Well);
    }
    if desk.out.wants_json() {
        desk.out.answer(graph)?;
        return Ok(CommandEnd::Well);
    }
    if graph.entities.is_empty() {
        desk.out.talk("nobody and nothing is known here");
        return Ok(CommandEnd::Well);
    }
    desk.out.line(harmless(graph.to_text().trim_end()))?;
    if graph.cut {
        desk.out.talk("there is more than one picture holds; name something to look around it");
    }
    Ok(CommandEnd::Well)
}
