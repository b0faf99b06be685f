//! `recollect agents`.

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use memory::personality::{AutoIngest, PORTRAIT_CATEGORIES, Traits};
use memory::types::AgentId;
use serde_json::{Map, Value};

use super::output::{BOLD, CommandFailure, DIM, harmless, minute, one_line, styled};
use super::receipts::counted;
use super::{CommandContext, CommandEnd};
use crate::limits::BODY_BYTES;
use crate::ops::agents::{
    About, AgentCreate, AgentDelete, AgentEdit, AgentImport, AgentImported, AgentLine, AgentShow, AgentShown,
    AgentsList,
};
use crate::problem::Problem;

/// See which assistants there are, and say what each is like
#[derive(Debug, Args)]
#[command(after_help = "\
A character changes what is learned and recalled with that agent: openness, conscientiousness, extraversion, agreeableness,
emotionality and honesty, each from 0 to 1 and .5 unless said.

Examples:
  recollect agents list
  recollect agents create coach --name Coach --trait conscientiousness=.9
  recollect agents edit coach --trait emotionality=.8 --facts-per-turn 5
  recollect agents import agent.config.json")]
pub struct AgentsCommand {
    #[command(subcommand)]
    action: AgentsAction,
}

#[derive(Debug, Subcommand)]
enum AgentsAction {
    /// Show all agents, those too that only appear through what was written under their names
    List,
    /// Show one agent, its character and what follows from it
    Show {
        #[arg(value_name = "ID")]
        id: AgentId,
    },
    /// Say who an agent is
    Create {
        #[arg(value_name = "ID")]
        id: AgentId,
        #[command(flatten)]
        about: AgentArguments,
    },
    /// Change what is said about an agent
    Edit {
        #[arg(value_name = "ID")]
        id: AgentId,
        #[command(flatten)]
        about: AgentArguments,
    },
    /// Take away what is said about an agent; its memories and conversations stay
    Delete {
        #[arg(value_name = "ID")]
        id: AgentId,
    },
    /// Read in an agent's own file: its name, description, personality and storage.autoIngest
    Import {
        /// An agent.config.json, or `-` for stdin
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// Under this id instead of the file's own
        #[arg(long, value_name = "ID")]
        id: Option<AgentId>,
    },
}

#[derive(Debug, Args)]
struct AgentArguments {
    #[arg(long, value_name = "TEXT")]
    name: Option<String>,
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// A trait, such as openness=.9; repeat it for several
    #[arg(long = "trait", value_name = "NAME=NUMBER", value_parser = one_trait)]
    traits: Vec<(&'static str, f64)>,
    /// Whether anything is learned from this agent's conversations by itself
    #[arg(long, value_name = "BOOL")]
    auto_ingest: Option<bool>,
    /// What of a user this agent's conversations begin with, such as name,instruction,tool; an empty text for nothing
    #[arg(long, value_name = "CATEGORIES")]
    portrait_categories: Option<String>,
    /// In turn mode, keep nothing of less importance than this
    #[arg(long, value_name = "NUMBER")]
    importance_threshold: Option<f64>,
    /// In turn mode, keep at most so many facts of one turn
    #[arg(long, value_name = "NUMBER")]
    facts_per_turn: Option<u64>,
}

/// `openness=.9`.
fn one_trait(text: &str) -> Result<(&'static str, f64), String> {
    let (name, number) = text.split_once('=').ok_or("expected a trait and a number, such as openness=.9")?;
    let known: Vec<&str> = Traits::NAMES.iter().map(|(name, _)| *name).collect();
    let name = Traits::named(name)
        .ok_or_else(|| format!("there is no trait `{}`; known are {}", name.trim(), known.join(", ")))?;
    let number = number.trim().parse::<f64>().ok().filter(|number| (0.0..=1.0).contains(number));
    Ok((name, number.ok_or("expected a number from 0 to 1")?))
}

impl AgentArguments {
    fn about(self) -> About {
        let mut personality: Map<String, Value> =
            self.traits.into_iter().map(|(name, number)| (name.to_owned(), number.into())).collect();
        let mut block = Map::new();
        let mut say = |name: &str, value: Option<Value>| {
            if let Some(value) = value {
                block.insert(name.to_owned(), value);
            }
        };
        say("enabled", self.auto_ingest.map(Value::from));
        say("importanceThreshold", self.importance_threshold.map(Value::from));
        say("maxPerTurn", self.facts_per_turn.map(Value::from));
        if !block.is_empty() {
            personality.insert(AutoIngest::KEY.to_owned(), Value::Object(block));
        }
        if let Some(categories) = self.portrait_categories {
            let words = categories.split(',').map(str::trim).filter(|word| !word.is_empty());
            personality.insert(PORTRAIT_CATEGORIES.to_owned(), words.map(Value::from).collect());
        }
        About { name: self.name, description: self.description, personality }
    }
}

impl AgentsCommand {
    pub async fn run(self, desk: &mut CommandContext) -> Result<CommandEnd, CommandFailure> {
        match self.action {
            AgentsAction::List => list(desk).await,
            AgentsAction::Show { id } => {
                let shown = desk.link.ask(&desk.who.tenant, AgentShow { id }).await?;
                show(desk, &shown)
            }
            AgentsAction::Create { id, about } => {
                let about = about.about();
                let shown = desk.link.ask(&desk.who.tenant, AgentCreate { id, about }).await?;
                show(desk, &shown)
            }
            AgentsAction::Edit { id, about } => {
                let about = about.about();
                let shown =
                    desk.link.ask(&desk.who.tenant, AgentEdit { id, about, expect_version: None }).await?;
                show(desk, &shown)
            }
            AgentsAction::Delete { id } => delete(desk, id).await,
            AgentsAction::Import { file, id } => {
                let config = read(&file)?;
                let imported = desk.link.ask(&desk.who.tenant, AgentImport { config, id }).await?;
                import(desk, &imported)
            }
        }
    }
}

async fn list(desk: &mut CommandContext) -> Result<CommandEnd, CommandFailure> {
    let listed = desk.link.ask(&desk.who.tenant, AgentsList {}).await?;
    if desk.out.wants_json() {
        desk.out.answer(&listed)?;
        return Ok(CommandEnd::Well);
    }
    desk.out.table(&listed.agents.iter().map(row).collect::<Vec<_>>())?;
    if listed.agents.is_empty() {
        desk.out.talk("no agents here");
    }
    Ok(CommandEnd::Well)
}

fn row(agent: &AgentLine) -> Vec<String> {
    let about = match (agent.recorded, agent.description.is_empty()) {
        (false, _) => "known by use only".to_owned(),
        (true, true) => one_line(&agent.name),
        (true, false) => format!("{}: {}", one_line(&agent.name), one_line(&agent.description)),
    };
    vec![
        styled(BOLD, one_line(agent.id.as_str())),
        counted("memories", agent.memory_entry_count),
        counted("sessions", agent.session_count),
        styled(DIM, minute(agent.updated_at)),
        about,
    ]
}

fn show(desk: &mut CommandContext, shown: &AgentShown) -> Result<CommandEnd, CommandFailure> {
    if desk.out.wants_json() {
        desk.out.answer(shown)?;
        return Ok(CommandEnd::Well);
    }
    let agent = &shown.line;
    desk.out.line(format!("{}  {}", styled(BOLD, one_line(agent.id.as_str())), one_line(&agent.name)))?;
    if !agent.description.is_empty() {
        desk.out.line(harmless(&agent.description))?;
    }
    let rows: Vec<Vec<String>> =
        told(shown).into_iter().map(|(name, value)| vec![styled(DIM, name), value]).collect();
    desk.out.table(&rows)?;
    Ok(CommandEnd::Well)
}

fn told(shown: &AgentShown) -> Vec<(&'static str, String)> {
    let (agent, tuning) = (&shown.line, &shown.tuning);
    let on = |flag: bool| if flag { "on" } else { "off" }.to_owned();
    let mut rows = vec![
        ("memories", agent.memory_entry_count.to_string()),
        ("sessions", agent.session_count.to_string()),
        ("since", minute(agent.created_at)),
    ];
    rows.extend(tuning.traits.listed().map(|(name, value)| (name, value.to_string())));
    rows.extend([
        ("learns by itself", on(tuning.enabled)),
        ("importance from", tuning.importance_threshold.to_string()),
        ("facts per turn", tuning.facts_per_turn.to_string()),
        ("same from", format!("{:.2}", tuning.dedup_threshold)),
        ("more results", tuning.extra_results.to_string()),
        ("feelings", on(tuning.emotional_context)),
        ("sentiment", on(tuning.sentiment)),
        ("compacts at", format!("{:.0} %", tuning.compaction_factor * 100.0)),
    ]);
    rows
}

async fn delete(desk: &mut CommandContext, id: AgentId) -> Result<CommandEnd, CommandFailure> {
    let deleted = desk.link.ask(&desk.who.tenant, AgentDelete { id, expect_version: None }).await?;
    if desk.out.wants_json() {
        desk.out.answer(&deleted)?;
        return Ok(CommandEnd::Well);
    }
    desk.out.line(format!("{} is no longer described", one_line(deleted.id.as_str())))?;
    if deleted.memories_kept + deleted.sessions_kept > 0 {
        let memories = counted("memories", deleted.memories_kept);
        let sessions = counted("sessions", deleted.sessions_kept);
        desk.out.talk(format!("what stays: {memories} and {sessions}; `recollect forget` removes memories"));
    }
    Ok(CommandEnd::Well)
}

fn import(desk: &mut CommandContext, imported: &AgentImported) -> Result<CommandEnd, CommandFailure> {
    if desk.out.wants_json() {
        desk.out.answer(imported)?;
        return Ok(CommandEnd::Well);
    }
    show(desk, &imported.agent)?;
    if !imported.created {
        desk.out.talk("what was said about it before is replaced");
    }
    if !imported.ignored.is_empty() {
        desk.out
            .talk(format!("means nothing here and was left out: {}", one_line(&imported.ignored.join(", "))));
    }
    Ok(CommandEnd::Well)
}

fn read(file: &Path) -> Result<Value, Problem> {
    let name = file.display();
    let unreadable = |error| Problem::invalid(format!("{name} cannot be read: {error}"));
    let source: Box<dyn Read> = match file.as_os_str() == "-" {
        true => Box::new(std::io::stdin().lock()),
        false => Box::new(std::fs::File::open(file).map_err(unreadable)?),
    };
    let mut text = String::new();
    // One byte more than anything takes, so that too much is refused and not cut.
    source.take(BODY_BYTES as u64 + 1).read_to_string(&mut text).map_err(unreadable)?;
    if text.len() > BODY_BYTES {
        return Err(Problem::invalid(format!("{name} is longer than {BODY_BYTES} bytes")));
    }
    serde_json::from_str(text.trim_start_matches('\u{feff}'))
        .map_err(|error| Problem::invalid(format!("{name} is not JSON: {error}")))
}
