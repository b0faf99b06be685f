//! `recollect update`.

use clap::Args;
use memory::types::{Kind, Layer, MemoryId, ProjectId, Provenance, Scope};
use serde_json::{Map, Value};

use super::output::CommandFailure;
use super::{CommandContext, CommandEnd, Globals, arguments, words};
use crate::ops::update::{TimeChange, Update};
use crate::problem::Problem;

/// Change a memory; what is not named stays as it is
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  recollect update ID --content \"I moved to Irvine in June\"
  recollect update ID --tag home --untag draft --pin
  recollect update ID --expires-at none --expect-version 3")]
pub struct UpdateCommand {
    /// The memory's id
    #[arg(value_name = "ID")]
    id: MemoryId,
    /// What it says from now on; `-` reads it from stdin
    #[arg(long, value_name = "TEXT")]
    content: Option<String>,
    /// fact, preference, decision, correction, commitment, relationship, skill, goal, event or rule
    #[arg(long, value_parser = words::kinds(), hide_possible_values = true)]
    kind: Option<Kind>,
    /// semantic, episodic, procedural or prospective
    #[arg(long, value_parser = words::layers(), hide_possible_values = true)]
    layer: Option<Layer>,
    /// thread, project, agent, user, persona or organization
    #[arg(long, value_parser = words::scopes(), hide_possible_values = true)]
    scope: Option<Scope>,
    /// The project that it is about
    #[arg(long, value_name = "NAME")]
    project: Option<ProjectId>,
    /// A word for the matter; empty takes it away
    #[arg(long, value_name = "WORD")]
    category: Option<String>,
    /// Whose words it rests on: own_words, tool, import or quoted
    #[arg(long, value_name = "WORD")]
    provenance: Option<Provenance>,
    /// Not to be shown unasked, or again like any other: true or false
    #[arg(long, value_name = "YES")]
    sensitive: Option<bool>,
    /// Put this tag on it; repeat it for several
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// Take this tag off; repeat it for several
    #[arg(long = "untag", value_name = "TAG")]
    untags: Vec<String>,
    /// Never merge, rewrite or let it fade
    #[arg(long)]
    pin: bool,
    /// Let it be merged, rewritten and fade again
    #[arg(long, conflicts_with = "pin")]
    unpin: bool,
    /// Who or what it is about; empty takes it away
    #[arg(long)]
    subject: Option<String>,
    /// How subject and object stand to each other; empty takes it away
    #[arg(long)]
    predicate: Option<String>,
    /// To whom or what; empty takes it away
    #[arg(long)]
    object: Option<String>,
    /// The words it rests on; empty takes them away
    #[arg(long, value_name = "QUOTE")]
    evidence: Option<String>,
    /// A JSON object merged into its metadata; a null takes a key away
    #[arg(long, value_name = "JSON", value_parser = arguments::json_object)]
    metadata: Option<Map<String, Value>>,
    /// Holds from then on, or `none`
    #[arg(long, value_name = "TIME", value_parser = arguments::moment)]
    valid_from: Option<TimeChange>,
    /// Held until then, or `none`
    #[arg(long, value_name = "TIME", value_parser = arguments::moment)]
    valid_until: Option<TimeChange>,
    /// Is not shown any more from then on, or `none`
    #[arg(long, value_name = "TIME", value_parser = arguments::moment)]
    expires_at: Option<TimeChange>,
    /// Refuse if somebody has changed it since this version
    #[arg(long, value_name = "NUMBER")]
    expect_version: Option<u64>,
}

impl UpdateCommand {
    pub async fn run(
        self,
        desk: &mut CommandContext,
        globals: &Globals,
    ) -> Result<CommandEnd, CommandFailure> {
        if globals.agent.is_some() || globals.user.is_some() || globals.session.is_some() {
            let message = "a memory cannot be moved to another agent, user or session";
            return Err(Problem::invalid(message).hint("add it there, and forget it here").into());
        }
        let content = self.content.map(|content| arguments::text(&[content])).transpose()?;
        let pinned = match (self.pin, self.unpin) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        };
        let request = Update {
            id: self.id,
            expect_version: self.expect_version,
            content,
            kind: self.kind,
            layer: self.layer,
            scope: self.scope,
            project: self.project,
            category: self.category,
            provenance: self.provenance,
            sensitive: self.sensitive,
            key: None,
            tags: None,
            add_tags: self.tags,
            remove_tags: self.untags,
            pinned,
            subject: self.subject,
            predicate: self.predicate,
            object: self.object,
            evidence: self.evidence,
            metadata: self.metadata.unwrap_or_default(),
            replaces_metadata: false,
            valid_from: self.valid_from,
            valid_until: self.valid_until,
            expires_at: self.expires_at,
            by_tool: false,
        };
        let updated = desk.link.ask(&desk.who.tenant, Box::new(request)).await?;
        if desk.out.wants_json() {
            desk.out.answer(&updated)?;
        } else {
            let how =
                if updated.changed { "is now at version" } else { "needed no change and stays at version" };
            desk.out.line(format!("{} {how} {}", updated.id, updated.version))?;
        }
        Ok(CommandEnd::Well)
    }
}
