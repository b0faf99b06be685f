//! What begins with a slash: said to the program and not to the model.

use memory::types::MemoryId;

use super::conversation::TerminalChat;
use super::notes::{note, would_recall};
use crate::cli::CommandContext;
use crate::cli::output::{CommandFailure, harmless, one_line};
use crate::config::nearest;
use crate::ops::forget::Forget;
use crate::ops::identity::IdentityShow;
use crate::problem::Problem;

/// What happens then.
pub enum Next {
    GoOn,
    Leave,
}

/// Each command with what follows it and what it does.
const COMMANDS: [(&str, &str, &str); 7] = [
    ("/help", "", "show this"),
    ("/memory", "[TEXT]", "show what would be recalled for a text, or for the last message"),
    ("/forget", "ID", "forget a memory"),
    ("/identity", "", "show who you are, as far as is known"),
    ("/model", "[MODEL]", "show or change the model"),
    ("/new", "", "end this conversation, and begin another"),
    ("/quit", "", "end this conversation and leave, as Ctrl-D does"),
];

pub async fn obey(
    desk: &mut CommandContext,
    conversation: &mut TerminalChat,
    command: &str,
) -> Result<Next, CommandFailure> {
    let (name, rest) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
    let rest = rest.trim();
    match name {
        "/help" => help(desk),
        "/memory" => memory(desk, conversation, rest).await?,
        "/forget" => forget(desk, rest).await?,
        "/identity" => identity(desk).await?,
        "/model" => model(desk, conversation, rest),
        "/new" => {
            conversation.end(desk).await?;
            conversation.renew()?;
            note(desk, "a new conversation");
        }
        "/quit" | "/exit" => return Ok(Next::Leave),
        _ => return Err(unknown(name).into()),
    }
    Ok(Next::GoOn)
}

fn help(desk: &mut CommandContext) {
    for (name, rest, about) in COMMANDS {
        note(desk, format!("{:<16} {about}", format!("{name} {rest}")));
    }
    note(
        desk,
        "a backslash at the end of a line goes on with the next; two slashes at its beginning say one",
    );
    note(desk, "Ctrl-C stops an answer");
}

async fn memory(
    desk: &mut CommandContext,
    conversation: &TerminalChat,
    text: &str,
) -> Result<(), CommandFailure> {
    let text = if text.is_empty() { conversation.last_message() } else { Some(text) };
    let Some(text) = text else {
        return Err(Problem::invalid("nothing was said yet; expected a text after /memory").into());
    };
    let preview = conversation.preview(desk, text).await?;
    if desk.out.wants_json() {
        return desk.out.answer(&preview);
    }
    would_recall(desk, &preview);
    Ok(())
}

async fn forget(desk: &mut CommandContext, id: &str) -> Result<(), CommandFailure> {
    let id: MemoryId = id.parse().map_err(|error| {
        Problem::invalid(format!("{error}")).hint("/memory shows the ids behind what is recalled")
    })?;
    let request = Forget { ids: vec![id], confirmed: true, ..Forget::default() };
    let forgotten = desk.link.ask(&desk.who.tenant, request).await?;
    if desk.out.wants_json() {
        return desk.out.answer(&forgotten);
    }
    match forgotten.first.first() {
        Some(glimpse) => note(desk, format!("forgot: {}", one_line(&glimpse.content))),
        None => note(desk, "there was nothing to forget"),
    }
    Ok(())
}

async fn identity(desk: &mut CommandContext) -> Result<(), CommandFailure> {
    let request = IdentityShow { user: desk.who.user.clone() };
    let identity = desk.link.ask(&desk.who.tenant, request).await?;
    if desk.out.wants_json() {
        return desk.out.answer(&identity);
    }
    for line in &identity.overrides {
        note(desk, format!("always: {}", one_line(&line.text)));
    }
    match &identity.profile {
        Some(profile) => harmless(&profile.text).lines().for_each(|line| note(desk, line)),
        None => note(desk, "no profile yet; it comes when a few things were learned"),
    }
    Ok(())
}

fn model(desk: &mut CommandContext, conversation: &mut TerminalChat, name: &str) {
    if !name.is_empty() {
        conversation.model = Some(name.to_owned());
    }
    let model = conversation.model.as_deref().unwrap_or("the upstream's default model").to_owned();
    note(desk, format!("talking to {}", one_line(&model)));
}

fn unknown(name: &str) -> Problem {
    let problem = Problem::invalid(format!("there is no command {}", one_line(name)));
    problem.hint(match nearest(name, COMMANDS.iter().map(|(name, ..)| *name)) {
        Some(near) => format!("did you mean {near}? Two slashes say it to the model"),
        None => "/help shows them; two slashes say it to the model".to_owned(),
    })
}
