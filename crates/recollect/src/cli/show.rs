//! `recollect show`.

use clap::Args;
use memory::types::MemoryId;

use super::output::{CommandFailure, DIM, harmless, styled};
use super::receipts::counted;
use super::{CommandContext, CommandEnd, why};
use crate::ops::show::{Show, Shown};

/// Show one memory with everything known about it
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  recollect show mt_01890a5d-ac96-774b-bcce-b302099a8057
  recollect show mt_01890a5d-ac96-774b-bcce-b302099a8057 --json
  recollect show mt_01890a5d-ac96-774b-bcce-b302099a8057 --why")]
pub struct ShowCommand {
    /// The memory's id, as add, search and list print it
    #[arg(value_name = "ID")]
    id: MemoryId,
    /// Why it is there: the turns it rests on, the rule that made it, what it replaced, what was decided since
    #[arg(long)]
    why: bool,
}

impl ShowCommand {
    pub async fn run(self, desk: &mut CommandContext) -> Result<CommandEnd, CommandFailure> {
        if self.why {
            return why::run(desk, self.id).await;
        }
        let shown = desk.link.ask(&desk.who.tenant, Show { id: self.id }).await?;
        if desk.out.wants_json() {
            desk.out.answer(&shown)?;
            return Ok(CommandEnd::Well);
        }
        desk.out.line(harmless(&shown.memory.content))?;
        let rows: Vec<Vec<String>> = fields(&shown)
            .into_iter()
            .map(|(name, value)| vec![styled(DIM, name), harmless(&value)])
            .collect();
        desk.out.table(&rows)?;
        Ok(CommandEnd::Well)
    }
}

/// What there is to say, in the order in which people ask.
fn fields(shown: &Shown) -> Vec<(&'static str, String)> {
    let (memory, counters) = (&shown.memory, &shown.counters);
    let some = |text: &Option<String>| text.clone().unwrap_or_default();
    let time = |time: Option<memory::types::Time>| time.map(|time| time.to_string()).unwrap_or_default();
    let nodes =
        |nodes: &[memory::types::Node]| nodes.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let used = match counters.last_used_at {
        Some(at) => format!("{}, last at {at}", counted("times", counters.use_count)),
        None => String::new(),
    };
    let feedback = match counters.used + counters.ignored + counters.wrong {
        0 => String::new(),
        _ => format!("used {}, ignored {}, wrong {}", counters.used, counters.ignored, counters.wrong),
    };
    let metadata = if memory.metadata.is_empty() {
        String::new()
    } else {
        serde_json::json!(memory.metadata).to_string()
    };
    let rows = [
        ("id", memory.id.to_string()),
        ("version", memory.version.to_string()),
        ("status", memory.status.to_string()),
        ("superseded by", memory.superseded_by.as_ref().map(ToString::to_string).unwrap_or_default()),
        ("kind", memory.kind.to_string()),
        ("layer", memory.layer.to_string()),
        ("scope", memory.scope.to_string()),
        ("agent", memory.agent.to_string()),
        ("user", memory.user.to_string()),
        ("project", memory.project.as_ref().map(ToString::to_string).unwrap_or_default()),
        ("category", some(&memory.category)),
        ("session", memory.session.as_ref().map(ToString::to_string).unwrap_or_default()),
        ("key", some(&memory.key)),
        ("tags", memory.tags.join(", ")),
        ("subject", some(&memory.subject)),
        ("predicate", some(&memory.predicate)),
        ("object", some(&memory.object)),
        ("evidence", some(&memory.evidence)),
        ("pinned", if memory.pinned { "yes".to_owned() } else { String::new() }),
        ("origin", memory.origin.to_string()),
        ("provenance", memory.rests_on().to_string()),
        ("sensitive", if memory.sensitive { "yes".to_owned() } else { String::new() }),
        ("confidence", memory.confidence.to_string()),
        ("salience", memory.salience.to_string()),
        ("strength", format!("{}, stable for {} days", memory.strength, memory.stability_days)),
        (
            "emotion",
            memory
                .emotion
                .map(|e| format!("valence {}, arousal {}", e.valence, e.arousal))
                .unwrap_or_default(),
        ),
        ("metadata", metadata),
        ("valid from", time(memory.valid_from)),
        ("valid until", time(memory.valid_until)),
        ("expires at", time(memory.expires_at)),
        ("created at", memory.created_at.to_string()),
        ("updated at", memory.updated_at.to_string()),
        ("used", used),
        ("feedback", feedback),
        ("made from", nodes(&shown.sources)),
        ("made into", nodes(&shown.derived)),
    ];
    rows.into_iter().filter(|(_, value)| !value.is_empty()).collect()
}
