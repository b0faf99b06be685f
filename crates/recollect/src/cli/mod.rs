//! The command line: parse, ask, print. One file a command.
//!
//! Answers go to stdout and talk goes to stderr, so that answers can be piped. Exit code 0: done. 1: it failed, or
//! there was nothing to do. 2: it was asked wrongly. `doctor` has codes of its own for what it finds.

mod add;
mod agents;
mod arguments;
mod audit;
mod backup;
mod chat;
mod completions;
mod config;
mod context;
mod crisis;
mod doctor;
mod eval;
mod exec;
mod export;
mod feedback;
mod forget;
mod generate;
mod graph;
mod history;
mod identity;
mod import;
mod ingest;
mod keys;
mod list;
mod mcp;
mod merge;
mod output;
mod pending;
mod progress;
mod receipts;
mod reindex;
mod relearn;
mod restore;
mod rules;
mod runs;
mod search;
mod serve;
mod sessions;
mod settings;
mod show;
mod stats;
mod sync;
mod tend;
mod undo;
mod update;
mod why;
mod words;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use memory::types::{AgentId, SessionId, TenantId, UserId};

use crate::backend::Backend;
use crate::config::{Config, Flags};
use crate::environment::{self, Environment};
use crate::log;
use crate::problem::{Code, Problem};
use output::{CommandFailure, Output};

/// The long-term memory that any LLM application can put beside itself.
#[derive(Debug, Parser)]
#[command(
    name = "recollect",
    version,
    disable_help_subcommand = true,
    after_help = "\
Examples:
  recollect add \"I moved to Irvine in May\"
  recollect search irvine
  recollect serve"
)]
pub struct Cli {
    #[command(flatten)]
    globals: Globals,
    #[command(subcommand)]
    command: CliCommand,
}

/// What every command takes.
#[derive(Debug, Args)]
struct Globals {
    /// The folder that holds everything remembered [env: RECOLLECT_DATA]
    #[arg(long, global = true, value_name = "DIR", help_heading = "Global options")]
    data: Option<String>,
    /// The configuration file [env: RECOLLECT_CONFIG]
    #[arg(long, global = true, value_name = "FILE", help_heading = "Global options")]
    config: Option<PathBuf>,
    /// The tenant to work on, `local` unless said [env: RECOLLECT_TENANT]
    #[arg(long, global = true, value_name = "NAME", help_heading = "Global options")]
    tenant: Option<TenantId>,
    /// Which assistant: whose memory to write, or to look at alone [env: RECOLLECT_AGENT]
    #[arg(long, global = true, value_name = "NAME", help_heading = "Global options")]
    agent: Option<AgentId>,
    /// Which user: whose memory to write, or to look at alone [env: RECOLLECT_USER]
    #[arg(long, global = true, value_name = "NAME", help_heading = "Global options")]
    user: Option<UserId>,
    /// Which conversation: where to write, or to look at alone [env: RECOLLECT_SESSION]
    #[arg(long, global = true, value_name = "NAME", help_heading = "Global options")]
    session: Option<SessionId>,
    /// Answer in JSON, on stdout; errors too, on stderr
    #[arg(long, global = true, help_heading = "Global options")]
    json: bool,
    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", help_heading = "Global options")]
    color: Color,
    /// Answers only, no talk on stderr
    #[arg(long, short, global = true, help_heading = "Global options")]
    quiet: bool,
    /// Open the store even if a server runs on it
    #[arg(long, global = true, hide = true)]
    no_attach: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Color {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
enum CliCommand {
    Add(Box<add::AddCommand>),
    Search(Box<search::SearchCommand>),
    Context(context::ContextCommand),
    Chat(chat::ChatCommand),
    List(list::ListCommand),
    Show(show::ShowCommand),
    Update(Box<update::UpdateCommand>),
    Forget(forget::ForgetCommand),
    Receipts(receipts::ReceiptsCommand),
    Merge(merge::MergeCommand),
    Feedback(feedback::FeedbackCommand),
    History(history::HistoryCommand),
    Ingest(ingest::IngestCommand),
    Sessions(sessions::SessionsCommand),
    Agents(agents::AgentsCommand),
    Sync(sync::SyncCommand),
    Pending(pending::PendingCommand),
    Rules(rules::RulesCommand),
    Identity(identity::IdentityCommand),
    Graph(graph::GraphCommand),
    Tend(tend::TendCommand),
    Relearn(relearn::RelearnCommand),
    Reindex(reindex::ReindexCommand),
    Doctor(doctor::DoctorCommand),
    Runs(runs::RunsCommand),
    Undo(undo::UndoCommand),
    Stats(stats::StatsCommand),
    Settings(settings::SettingsCommand),
    Keys(keys::KeysCommand),
    Audit(audit::AuditCommand),
    Export(export::ExportCommand),
    Import(import::ImportCommand),
    Backup(backup::BackupCommand),
    Restore(restore::RestoreCommand),
    Config(config::ConfigCommand),
    Eval(eval::EvalCommand),
    Serve(serve::ServeCommand),
    Mcp(mcp::McpCommand),
    Completions(completions::CompletionsCommand),
    Exec(exec::ExecCommand),
    Generate(generate::GenerateCommand),
}

/// How a command that did not fail ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommandEnd {
    Well,
    /// There was nothing to do it to.
    Nothing,
    /// Something was looked for and found; the code says what, for monitors.
    Found(u8),
}

/// Where a command works: configuration, the way to memory, whose memory, and where answers go.
struct CommandContext {
    link: Backend,
    who: CommandOwner,
    out: Output,
}

/// Whose memory a command is about.
struct CommandOwner {
    tenant: TenantId,
    agent: Option<AgentId>,
    user: Option<UserId>,
    session: Option<SessionId>,
}

/// The whole program.
pub fn main() -> ExitCode {
    let Cli { globals, command } = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() && asks_for_json(std::env::args_os()) => {
            return CommandFailure::from(misread(&error)).report(true);
        }
        Err(error) => error.exit(),
    };
    match globals.color {
        Color::Auto => {}
        Color::Always => anstream::ColorChoice::Always.write_global(),
        Color::Never => anstream::ColorChoice::Never.write_global(),
    }
    let json = globals.json;
    match run(globals, command) {
        Ok(CommandEnd::Well) => ExitCode::SUCCESS,
        Ok(CommandEnd::Nothing) => ExitCode::from(1),
        Ok(CommandEnd::Found(code)) => ExitCode::from(code),
        Err(failure) => failure.report(json),
    }
}

/// Whether errors are wanted as JSON, as far as that can be told of arguments that could not be read.
fn asks_for_json(arguments: impl Iterator<Item = OsString>) -> bool {
    arguments.take_while(|argument| argument != "--").any(|argument| argument == "--json")
}

/// Arguments that could not be read, as a problem: what is wrong first, what to do about it as the hint.
fn misread(error: &clap::Error) -> Problem {
    if error.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return Problem::invalid("no command is given; expected one").hint("--help lists them");
    }
    let said = error.render().to_string();
    let what = said.split("\n\n").next().unwrap_or_default();
    let what = what.trim_start_matches("error: ").split_whitespace().collect::<Vec<_>>().join(" ");
    let tips: Vec<&str> = said.lines().filter_map(|line| line.trim().strip_prefix("tip: ")).collect();
    let usage = said.lines().find_map(|line| line.strip_prefix("Usage: "));
    let hint = match (tips.as_slice(), usage) {
        ([], Some(usage)) => format!("usage: {usage}"),
        ([], None) => "--help says what is expected".to_owned(),
        (tips, _) => tips.join("; "),
    };
    Problem::invalid(what).hint(hint)
}

/// The command line's grammar, for completions and the reference page.
pub fn grammar() -> clap::Command {
    Cli::command()
}

fn run(globals: Globals, command: CliCommand) -> Result<CommandEnd, CommandFailure> {
    let mut out = Output::new(globals.json, globals.quiet);
    match command {
        CliCommand::Completions(command) => command.run(),
        CliCommand::Generate(command) => command.run(&mut out),
        CliCommand::Config(command) => command.run(&globals, &mut out),
        CliCommand::Doctor(command) => command.run(&globals, &mut out),
        CliCommand::Backup(command) => command.run(&globals, &mut out),
        CliCommand::Restore(command) => command.run(&globals, &mut out),
        CliCommand::Eval(command) => runtime()?.block_on(command.run(&mut out)),
        CliCommand::Serve(command) => command.run(&globals),
        CliCommand::Mcp(command) => command.run(&globals, &mut out),
        command => {
            let environment = Environment::of_this_process()?;
            let config = Config::load(&globals.flags(), &environment)?;
            log::start(&config, false);
            let who = CommandOwner::new(&globals, &environment)?;
            let mut desk = CommandContext { link: Backend::new(&config, !globals.no_attach), who, out };
            runtime()?.block_on(async {
                let done = ask(command, &globals, &mut desk).await;
                desk.link.close().await;
                done
            })
        }
    }
}

async fn ask(
    command: CliCommand,
    globals: &Globals,
    desk: &mut CommandContext,
) -> Result<CommandEnd, CommandFailure> {
    match command {
        CliCommand::Add(command) => command.run(desk).await,
        CliCommand::Search(command) => command.run(desk).await,
        CliCommand::Context(command) => command.run(desk).await,
        CliCommand::Chat(command) => command.run(desk).await,
        CliCommand::List(command) => command.run(desk).await,
        CliCommand::Show(command) => command.run(desk).await,
        CliCommand::Update(command) => command.run(desk, globals).await,
        CliCommand::Forget(command) => command.run(desk, globals).await,
        CliCommand::Receipts(command) => command.run(desk).await,
        CliCommand::Merge(command) => command.run(desk).await,
        CliCommand::Feedback(command) => command.run(desk).await,
        CliCommand::History(command) => command.run(desk).await,
        CliCommand::Ingest(command) => command.run(desk).await,
        CliCommand::Sessions(command) => command.run(desk).await,
        CliCommand::Agents(command) => command.run(desk).await,
        CliCommand::Sync(command) => command.run(desk).await,
        CliCommand::Pending(command) => command.run(desk).await,
        CliCommand::Rules(command) => command.run(desk).await,
        CliCommand::Identity(command) => command.run(desk).await,
        CliCommand::Graph(command) => command.run(desk).await,
        CliCommand::Tend(command) => command.run(desk).await,
        CliCommand::Relearn(command) => command.run(desk).await,
        CliCommand::Reindex(command) => command.run(desk).await,
        CliCommand::Runs(command) => command.run(desk).await,
        CliCommand::Undo(command) => command.run(desk).await,
        CliCommand::Stats(command) => command.run(desk).await,
        CliCommand::Settings(command) => command.run(desk).await,
        CliCommand::Keys(command) => command.run(desk, globals).await,
        CliCommand::Audit(command) => command.run(desk, globals).await,
        CliCommand::Export(command) => command.run(desk).await,
        CliCommand::Import(command) => command.run(desk).await,
        CliCommand::Exec(command) => command.run(desk).await,
        CliCommand::Completions(_)
        | CliCommand::Generate(_)
        | CliCommand::Config(_)
        | CliCommand::Doctor(_)
        | CliCommand::Backup(_)
        | CliCommand::Restore(_)
        | CliCommand::Eval(_)
        | CliCommand::Serve(_)
        | CliCommand::Mcp(_) => unreachable!("done without a store"),
    }
}

fn runtime() -> Result<tokio::runtime::Runtime, Problem> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Problem::ours)
}

impl Globals {
    fn flags(&self) -> Flags {
        let data = self.data.iter().map(|data| ("data", data.clone()));
        Flags { file: self.config.clone(), values: data.collect() }
    }
}

impl CommandOwner {
    /// What the flags say, else the environment.
    fn new(globals: &Globals, environment: &Environment) -> Result<CommandOwner, Problem> {
        Ok(CommandOwner {
            tenant: named(&globals.tenant, environment, environment::TENANT)?.unwrap_or_else(TenantId::local),
            agent: named(&globals.agent, environment, environment::AGENT)?,
            user: named(&globals.user, environment, environment::USER)?,
            session: named(&globals.session, environment, environment::SESSION)?,
        })
    }
}

fn named<T: Clone + std::str::FromStr<Err: std::fmt::Display>>(
    flag: &Option<T>,
    environment: &Environment,
    variable: &str,
) -> Result<Option<T>, Problem> {
    if flag.is_some() {
        return Ok(flag.clone());
    }
    let parse = |text: &str| {
        let refused =
            |error| Problem::new(Code::InvalidConfiguration, format!("environment {variable}: {error}"));
        text.parse::<T>().map_err(refused)
    };
    environment.get(variable).map(parse).transpose()
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    #[test]
    fn the_grammar_is_sound() {
        super::grammar().debug_assert();
    }

    #[test]
    fn what_cannot_be_read_is_a_problem_too() {
        let problem = |arguments: &[&str]| {
            let read = super::Cli::try_parse_from(["recollect"].iter().chain(arguments));
            super::misread(&read.expect_err("it cannot be read"))
        };
        let unknown = problem(&["serch", "x"]);
        assert_eq!(unknown.message, "unrecognized subcommand 'serch'");
        assert!(unknown.hint.as_deref().is_some_and(|hint| hint.contains("'search'")), "{unknown:?}");
        let wrong = problem(&["add", "x", "--kind", "opinion"]);
        assert!(wrong.message.contains("`opinion` is not a kind"), "{wrong:?}");
        let missing = problem(&["show"]);
        assert!(missing.message.contains("<ID>"), "{missing:?}");
        let asks = |arguments: &[&str]| super::asks_for_json(arguments.iter().map(|it| it.into()));
        assert!(asks(&["recollect", "serch", "--json"]) && !asks(&["recollect", "add", "--", "--json"]));
    }
}
