//! `recollect identity`.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::Command;

use clap::{Args, Subcommand};
use memory::types::{Identity, Origin, Override, ProfileVersion};

use super::output::{BOLD, CommandFailure, DIM, IdRow, harmless, minute, one_line, styled};
use super::{CommandContext, CommandEnd, arguments};
use crate::environment;
use crate::ops::identity::{
    IdentityEdit, IdentityRefresh, IdentityShow, IdentityVersions, OverrideAdd, OverrideRemove,
    ProfileChanged,
};
use crate::problem::Problem;

/// Read and write who a user is: the profile, and what is always to be remembered
#[derive(Debug, Args)]
#[command(after_help = "\
The profile is generated from what was learned, over all assistants, and keeps its versions. What you write
yourself stays as you wrote it; what is learned later is added under it. Overrides go into every prompt.

Examples:
  recollect identity show --user ada
  recollect identity edit
  recollect identity edit --text \"Ada writes in British English and lives in London\"
  recollect identity edit --generated
  recollect identity versions --diff 3
  recollect identity override add \"I am allergic to penicillin\"
  recollect identity override remove \"I am allergic to penicillin\"")]
pub struct IdentityCommand {
    #[command(subcommand)]
    action: IdentityAction,
}

#[derive(Debug, Subcommand)]
enum IdentityAction {
    /// Show the profile and the overrides
    Show,
    /// Write the profile yourself: from --text, from --file, or in $EDITOR
    Edit(EditArguments),
    /// List the profile's versions, the oldest first
    Versions {
        /// Show what this version changed, line by line
        #[arg(long, value_name = "NUMBER")]
        diff: Option<u64>,
    },
    /// Generate the profile now, instead of when enough was learned
    Refresh,
    /// What is always to be remembered, whatever the message is
    Override {
        #[command(subcommand)]
        action: OverrideAction,
    },
}

#[derive(Debug, Args)]
struct EditArguments {
    /// The profile from now on; `-` reads it from stdin
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["file", "generated"])]
    text: Option<String>,
    /// A file that holds it
    #[arg(long, value_name = "FILE", conflicts_with = "generated")]
    file: Option<PathBuf>,
    /// Hand it back: generate it again, and keep nothing of what was written
    #[arg(long)]
    generated: bool,
    /// Refuse if the profile is no longer this version of it
    #[arg(long, value_name = "NUMBER", conflicts_with = "generated")]
    expect_number: Option<u64>,
}

#[derive(Debug, Subcommand)]
enum OverrideAction {
    /// Always remember this
    Add {
        #[arg(value_name = "TEXT", required = true)]
        words: Vec<String>,
    },
    /// List what is always remembered
    List,
    /// Do not always remember it any more
    Remove {
        /// Its id, or its whole text
        #[arg(value_name = "ID|TEXT", required = true)]
        words: Vec<String>,
    },
}

impl IdentityCommand {
    pub async fn run(self, desk: &mut CommandContext) -> Result<CommandEnd, CommandFailure> {
        let user = desk.who.user.clone();
        match self.action {
            IdentityAction::Show => show(desk).await,
            IdentityAction::Edit(arguments) => edit(desk, arguments).await,
            IdentityAction::Versions { diff } => versions(desk, diff).await,
            IdentityAction::Refresh => {
                let changed = desk.link.ask(&desk.who.tenant, IdentityRefresh { user }).await?;
                said(desk, &changed)
            }
            IdentityAction::Override { action } => overrides(desk, action).await,
        }
    }
}

async fn identity(desk: &mut CommandContext) -> Result<Box<Identity>, Problem> {
    let user = desk.who.user.clone();
    desk.link.ask(&desk.who.tenant, IdentityShow { user }).await
}

async fn show(desk: &mut CommandContext) -> Result<CommandEnd, CommandFailure> {
    let identity = identity(desk).await?;
    if desk.out.wants_json() {
        desk.out.answer(&identity)?;
        return Ok(CommandEnd::Well);
    }
    if !identity.overrides.is_empty() {
        desk.out.line(styled(BOLD, "always remembered"))?;
        desk.out.table_of_ids(identity.overrides.iter().map(row).collect())?;
    }
    match &identity.profile {
        Some(profile) => {
            let about = styled(DIM, format!("version {}, {}", profile.number, made(profile)));
            desk.out.line(format!("{}  {about}", styled(BOLD, "profile")))?;
            desk.out.line(harmless(&profile.text))?;
        }
        None => {
            desk.out.talk("no profile yet; it comes when a few things were learned, or by `identity refresh`")
        }
    }
    Ok(CommandEnd::Well)
}

/// Who made a version, and when.
fn made(version: &ProfileVersion) -> String {
    let by = match (version.origin, &version.edited) {
        (Origin::Person, _) => "written by a person".to_owned(),
        (origin, None) => format!("generated ({origin})"),
        (_, Some(_)) => "written by a person, with what was learned since".to_owned(),
    };
    format!("{by}, {}", minute(version.created_at))
}

fn row(line: &Override) -> IdRow {
    let by = if line.origin == Origin::Person { "person" } else { "learned" };
    IdRow { id: line.id.to_string(), cells: vec![styled(DIM, by), one_line(&line.text)] }
}

async fn edit(desk: &mut CommandContext, arguments: EditArguments) -> Result<CommandEnd, CommandFailure> {
    let user = desk.who.user.clone();
    let mut request = IdentityEdit {
        user,
        text: None,
        generated: arguments.generated,
        expect_number: arguments.expect_number,
    };
    if let Some(text) = arguments.text {
        request.text = Some(arguments::text(&[text])?);
    } else if let Some(file) = &arguments.file {
        let read = std::fs::read_to_string(file);
        let refused = |error| Problem::invalid(format!("{} cannot be read: {error}", file.display()));
        request.text = Some(read.map_err(refused)?);
    } else if !arguments.generated {
        let before = identity(desk).await?.profile;
        let (number, text) = before.map_or((0, String::new()), |profile| (profile.number, profile.text));
        let written = in_editor(&text)?;
        if written.trim_end() == text.trim_end() {
            desk.out.talk("nothing was changed");
            return Ok(CommandEnd::Nothing);
        }
        request.text = Some(written);
        // Somebody may have learned something while the editor was open.
        request.expect_number = request.expect_number.or(Some(number));
    }
    let changed = desk.link.ask(&desk.who.tenant, request).await?;
    said(desk, &changed)
}

/// Lets the person edit a text in their editor.
fn in_editor(text: &str) -> Result<String, Problem> {
    if !std::io::stdin().is_terminal() {
        let message = "there is no terminal to edit on; expected --text, --file or --generated";
        return Err(Problem::invalid(message));
    }
    let editor = [environment::VISUAL, environment::EDITOR]
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|editor| !editor.trim().is_empty()));
    let Some(editor) = editor else {
        return Err(Problem::invalid("no editor is set; expected $EDITOR, --text or --file"));
    };
    let failed = |error: std::io::Error| Problem::ours(format!("the editor's file: {error}"));
    let file = tempfile::Builder::new().prefix("profile").suffix(".txt").tempfile().map_err(failed)?;
    std::fs::write(file.path(), format!("{text}\n")).map_err(failed)?;
    // An editor may come with arguments of its own, as in `code --wait`.
    let mut words = editor.split_whitespace();
    let program = words.next().unwrap_or_default();
    let status = Command::new(program).args(words).arg(file.path()).status();
    match status {
        Ok(status) if status.success() => std::fs::read_to_string(file.path()).map_err(failed),
        Ok(_) => Err(Problem::invalid(format!("`{editor}` ended with an error; nothing was changed"))),
        Err(error) => Err(Problem::invalid(format!("`{editor}` cannot be started: {error}"))),
    }
}

fn said(desk: &mut CommandContext, changed: &ProfileChanged) -> Result<CommandEnd, CommandFailure> {
    if desk.out.wants_json() {
        desk.out.answer(changed)?;
        return Ok(CommandEnd::Well);
    }
    match &changed.profile {
        Some(profile) if changed.changed => {
            desk.out.line(format!("the profile is now at version {}", profile.number))?;
            difference(desk, profile)
        }
        Some(profile) => {
            desk.out.line(format!("the profile needed no change and stays at version {}", profile.number))?;
            Ok(CommandEnd::Well)
        }
        None => {
            desk.out.talk("nothing is known yet that a profile could say");
            Ok(CommandEnd::Nothing)
        }
    }
}

fn difference(desk: &mut CommandContext, version: &ProfileVersion) -> Result<CommandEnd, CommandFailure> {
    if !version.difference.is_empty() {
        desk.out.line(harmless(&version.difference))?;
    }
    Ok(CommandEnd::Well)
}

async fn versions(desk: &mut CommandContext, number: Option<u64>) -> Result<CommandEnd, CommandFailure> {
    let user = desk.who.user.clone();
    let listed = desk.link.ask(&desk.who.tenant, IdentityVersions { user, number }).await?;
    if desk.out.wants_json() {
        desk.out.answer(&listed)?;
        return Ok(CommandEnd::Well);
    }
    if let (Some(_), Some(version)) = (number, listed.versions.first()) {
        return difference(desk, version);
    }
    let rows = listed.versions.iter().map(|version| {
        let count = |sign: &str| version.difference.lines().filter(|line| line.starts_with(sign)).count();
        let change = format!("+{} -{}", count("+ "), count("- "));
        vec![styled(BOLD, version.number), change, made(version)]
    });
    let rows: Vec<Vec<String>> = rows.collect();
    desk.out.table(&rows)?;
    if rows.is_empty() {
        desk.out.talk("no profile yet");
    }
    Ok(CommandEnd::Well)
}

async fn overrides(desk: &mut CommandContext, action: OverrideAction) -> Result<CommandEnd, CommandFailure> {
    let user = desk.who.user.clone();
    match action {
        OverrideAction::Add { words } => {
            let text = arguments::text(&words)?;
            let added = desk.link.ask(&desk.who.tenant, OverrideAdd { user, text }).await?;
            if desk.out.wants_json() {
                desk.out.answer(&added)?;
            } else {
                let how = if added.added { "always remembered" } else { "was always remembered already" };
                desk.out.line(format!("{}  {how}", added.line.id))?;
            }
        }
        OverrideAction::List => {
            let identity = identity(desk).await?;
            if desk.out.wants_json() {
                desk.out.answer(&serde_json::json!({ "overrides": identity.overrides }))?;
            } else {
                desk.out.table_of_ids(identity.overrides.iter().map(row).collect())?;
                if identity.overrides.is_empty() {
                    desk.out.talk("no overrides");
                }
            }
        }
        OverrideAction::Remove { words } => {
            let which = arguments::text(&words)?;
            let removed = desk.link.ask(&desk.who.tenant, OverrideRemove { user, which }).await?;
            if desk.out.wants_json() {
                desk.out.answer(&removed)?;
            } else {
                desk.out.line(format!("no longer always remembered: {}", one_line(&removed.text)))?;
            }
        }
    }
    Ok(CommandEnd::Well)
}
