//! The edge towards `crates/transfer`, which knows files and stores and nothing of this binary.
//!
//! An import is handed what it needs of the process: the clock, how to learn from a conversation, and how to read a line of `recollect
//! ingest`. What went wrong there becomes a [`Problem`] here, with the hints of the surfaces.

use async_trait::async_trait;
use memory::learn::session_pass::PassTrigger;
use memory::types::{Owner, SessionKey};
use serde_json::Value;
use store::Tenant;
use transfer::TransferFormat;
use transfer::import_model::{ImportedConversation, ImportedMessage};
use transfer::intake::{Distiller, Importer, LearnedFrom};

use crate::conversation;
use crate::learning;
use crate::ops::ingest::{IngestMessage, made_id};
use crate::ops::{OpContext, Services};
use crate::problem::{Code, Problem};

/// An import into the tenant that is visited, by this process.
pub(crate) fn importer<'a>(visit: &'a OpContext<'a>) -> Importer<'a> {
    let (house, caller) = (visit.house, visit.caller);
    Importer {
        clock: &*house.clock,
        distiller: house,
        line,
        tenant: &visit.tenant,
        role: caller.role(),
        agents: caller.agents(),
        agent_only: caller.bounds().is_agent_only(),
    }
}

#[async_trait]
impl Distiller for Services {
    async fn distil(
        &self,
        tenant: &Tenant,
        key: &SessionKey,
    ) -> Result<LearnedFrom, Box<dyn std::error::Error + Send + Sync>> {
        let outcome = learning::distil(self, tenant, key, PassTrigger::End).await?;
        Ok(match outcome.report {
            Some(report) => LearnedFrom::Memories(report.tally.inserted),
            None => LearnedFrom::Nothing(outcome.distillation),
        })
    }
}

/// A line of `recollect ingest`. Messages without an id get the one that ingesting gives them, so that a file which was ingested
/// before is found known.
pub fn line(read: &Value) -> Result<ImportedConversation, String> {
    let request = conversation::read(read.clone());
    let request = request.map_err(|problem| problem.message)?;
    let key = SessionKey::new(&Owner::unnamed(), request.session.clone());
    let said = |(place, message): (usize, IngestMessage)| {
        let id = message.id.clone().unwrap_or_else(|| made_id(&key, place, &message));
        ImportedMessage {
            id,
            role: message.role,
            speaker: message.name,
            text: message.content,
            at: message.at,
        }
    };
    let turns = request.messages.into_iter().enumerate().map(said);
    let turns: Vec<ImportedMessage> = turns.filter(|turn| !turn.text.trim().is_empty()).collect();
    Ok(ImportedConversation {
        id: request.session.to_string(),
        started_at: turns.first().and_then(|turn| turn.at),
        agent: request.agent,
        user: request.user,
        turns,
        ..ImportedConversation::default()
    })
}

impl From<transfer::Error> for Problem {
    fn from(error: transfer::Error) -> Self {
        use transfer::Error;

        let message = error.to_string();
        match error {
            Error::Unreadable { error, .. } if error.kind() == std::io::ErrorKind::NotFound => {
                Self::invalid(message).hint("expected a file or a folder")
            }
            Error::Unreadable { .. } | Error::Empty(_) | Error::FolderExists(_) => Self::invalid(message),
            Error::UnknownFormat { .. } => {
                let names: Vec<&str> = TransferFormat::ALL.iter().map(|format| format.as_str()).collect();
                Self::invalid(message).hint(format!("say it with --format: {}", names.join(", ")))
            }
            Error::Broken(_) => Self::invalid(message).hint(
                "nothing was taken in; the file is broken off, damaged, or in another format than was said",
            ),
            Error::TooManyKeys { .. } => Self::new(Code::LimitReached, message)
                .hint("nothing was taken in; split the file, with all rows of a key in the same part"),
            Error::FileExists(_) => Self::invalid(message).hint("`--force` writes over it"),
            Error::FolderNotEmpty(_) => {
                Self::invalid(message).hint("`--force` writes into it, over notes of the same names")
            }
            Error::Unwritable { .. } => {
                Self::new(Code::Unavailable, message).hint("choose another place, or make room there")
            }
            Error::NotesUnwritable(_) => Self::new(Code::Unavailable, message),
            Error::Store(error) => error.into(),
            Error::Distilling(error) => match error.downcast::<Problem>() {
                Ok(problem) => *problem,
                Err(other) => Self::ours(other),
            },
            Error::Thread(error) => Self::ours(error),
        }
    }
}
