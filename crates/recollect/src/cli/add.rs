//! `recollect add`.

use clap::Args;
use memory::types::{Kind, Layer, ProjectId, Provenance, Scope, Time};
use serde_json::{Map, Value};

use super::output::CommandFailure;
use super::{CommandContext, CommandEnd, arguments, words};
use crate::ops::add::Add;

/// Remember something
///
/// What is already known, word for word, is not stored twice: its id is answered.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  recollect add \"I moved to Irvine in May\"
  recollect add --kind preference --tag food \"I like my tea without sugar\"
  recollect add --key home \"I live in Irvine\"      replaces what was under this key
  pbpaste | recollect add -")]
pub struct AddCommand {
    /// What to remember, one sentence; `-` reads it from stdin
    #[arg(required = true, value_name = "TEXT")]
    text: Vec<String>,
    /// fact, preference, decision, correction, commitment, relationship, skill, goal, event or rule [default: fact]
    #[arg(long, value_parser = words::kinds(), hide_possible_values = true)]
    kind: Option<Kind>,
    /// semantic, episodic, procedural or prospective [default: the usual one of its kind]
    #[arg(long, value_parser = words::layers(), hide_possible_values = true)]
    layer: Option<Layer>,
    /// Who sees it: thread (this session), project, agent (this user with this agent), user (this user with any agent), persona
    /// (this agent with any user) or organization [default: user]
    #[arg(long, value_parser = words::scopes(), hide_possible_values = true)]
    scope: Option<Scope>,
    /// The project that it is about; needed for the scope project
    #[arg(long, value_name = "NAME")]
    project: Option<ProjectId>,
    /// A word for the matter, such as health or work
    #[arg(long, value_name = "WORD")]
    category: Option<String>,
    /// Whose words it rests on: own_words, tool, import or quoted [default: own_words]
    #[arg(long, value_name = "WORD")]
    provenance: Option<Provenance>,
    /// Not to be shown unasked
    #[arg(long)]
    sensitive: bool,
    /// A word to find it by; repeat it for several
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// A stable name: replaces what the same owner has under it
    #[arg(long)]
    key: Option<String>,
    /// Holds from then on
    #[arg(long, value_name = "TIME")]
    valid_from: Option<Time>,
    /// Held until then
    #[arg(long, value_name = "TIME")]
    valid_until: Option<Time>,
    /// Is not shown any more from then on
    #[arg(long, value_name = "TIME")]
    expires_at: Option<Time>,
    /// Never merge, rewrite or let it fade
    #[arg(long)]
    pin: bool,
    /// A JSON object to keep with it
    #[arg(long, value_name = "JSON", value_parser = arguments::json_object)]
    metadata: Option<Map<String, Value>>,
    /// Who or what it is about
    #[arg(long)]
    subject: Option<String>,
    /// How subject and object stand to each other
    #[arg(long)]
    predicate: Option<String>,
    /// To whom or what
    #[arg(long)]
    object: Option<String>,
    /// The words it rests on
    #[arg(long, value_name = "QUOTE")]
    evidence: Option<String>,
}

impl AddCommand {
    pub async fn run(self, desk: &mut CommandContext) -> Result<CommandEnd, CommandFailure> {
        let has_key = self.key.is_some();
        let request = Add {
            content: arguments::text(&self.text)?,
            agent: desk.who.agent.clone(),
            user: desk.who.user.clone(),
            session: desk.who.session.clone(),
            kind: self.kind,
            layer: self.layer,
            scope: self.scope,
            project: self.project,
            category: self.category,
            provenance: self.provenance,
            sensitive: self.sensitive.then_some(true),
            key: self.key,
            tags: self.tags,
            subject: self.subject,
            predicate: self.predicate,
            object: self.object,
            evidence: self.evidence,
            pinned: self.pin,
            metadata: self.metadata.unwrap_or_default(),
            valid_from: self.valid_from,
            valid_until: self.valid_until,
            expires_at: self.expires_at,
            by_tool: false,
        };
        let added = desk.link.ask(&desk.who.tenant, request).await?;
        if desk.out.wants_json() {
            desk.out.answer(&added)?;
            return Ok(CommandEnd::Well);
        }
        desk.out.line(&added.id)?;
        desk.out.talk(match (added.created, has_key) {
            (true, _) => "remembered",
            (false, true) => "replaced what was under this key",
            (false, false) => "already known",
        });
        Ok(CommandEnd::Well)
    }
}
