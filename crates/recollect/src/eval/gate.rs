//! The gate, measured: labelled messages, with no memory at hand that could help it.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, bail};
use memory::ports::{Clock, Embedder};
use memory::recall::gate::{self, GateModel, Inputs, KnownNames};
use memory::settings::Settings;
use serde::{Deserialize, Serialize};
use store::SystemClock;

/// One labelled message.
#[derive(Debug, Clone, Deserialize)]
pub struct LabelledMessage {
    pub text: String,
    pub needs_memory: bool,
    #[serde(default = "unnamed")]
    pub source: String,
}

fn unnamed() -> String {
    "unnamed".to_owned()
}

/// Shares from 0 to 1; nothing where no message was of that sort.
#[derive(Debug, Clone, Serialize)]
pub struct GateReport {
    pub messages: usize,
    pub recall: Option<f64>,
    pub false_fire: Option<f64>,
    pub by_source: BTreeMap<String, GateShare>,
}

#[derive(Debug, Clone, Copy, Serialize)]
pub struct GateShare {
    pub messages: usize,
    pub recall: Option<f64>,
    pub false_fire: Option<f64>,
}

/// Reads a file, one message a line.
pub fn read(path: &Path) -> anyhow::Result<Vec<LabelledMessage>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let message = |(number, line): (usize, &str)| {
        serde_json::from_str(line)
            .with_context(|| format!("{} line {} is not a labelled message", path.display(), number + 1))
    };
    let messages: Vec<LabelledMessage> = lines.map(message).collect::<anyhow::Result<_>>()?;
    if messages.is_empty() {
        bail!("{} holds no message", path.display());
    }
    Ok(messages)
}

/// Asks the gate about each message. `progress` is told after each.
pub async fn measure(
    messages: &[LabelledMessage],
    settings: &Settings,
    embedder: &dyn Embedder,
    learned: Option<&dyn GateModel>,
    mut progress: impl FnMut(),
) -> anyhow::Result<GateReport> {
    let mut counts: BTreeMap<&str, Count> = BTreeMap::new();
    let names = KnownNames::default();
    for message in messages {
        let readable = learned.is_some_and(|model| model.reads(embedder.signature()));
        let vector = match readable {
            true => embedder.embed(std::slice::from_ref(&message.text)).await?.into_iter().next(),
            false => None,
        };
        let inputs = Inputs {
            mode: settings.relevance_gate_mode,
            learned,
            vector: vector.as_deref(),
            names: &names,
            strongest: None,
            reference: SystemClock.now().date(),
        };
        let fired = gate::decide(&message.text, &inputs).fire;
        counts.entry(&message.source).or_default().add(message.needs_memory, fired);
        progress();
    }
    let all = counts.values().fold(Count::default(), |sum, count| sum.plus(count)).share();
    let by_source = counts.iter().map(|(source, count)| ((*source).to_owned(), count.share())).collect();
    Ok(GateReport { messages: all.messages, recall: all.recall, false_fire: all.false_fire, by_source })
}

#[derive(Debug, Clone, Copy, Default)]
struct Count {
    needed: usize,
    needed_and_fired: usize,
    other: usize,
    other_and_fired: usize,
}

impl Count {
    fn add(&mut self, needs_memory: bool, fired: bool) {
        let (all, some) = match needs_memory {
            true => (&mut self.needed, &mut self.needed_and_fired),
            false => (&mut self.other, &mut self.other_and_fired),
        };
        *all += 1;
        *some += usize::from(fired);
    }

    fn plus(self, other: &Count) -> Count {
        Count {
            needed: self.needed + other.needed,
            needed_and_fired: self.needed_and_fired + other.needed_and_fired,
            other: self.other + other.other,
            other_and_fired: self.other_and_fired + other.other_and_fired,
        }
    }

    fn share(&self) -> GateShare {
        let share = |some: usize, all: usize| {
            (all > 0).then(|| (some as f64 / all as f64 * 10_000.0).round() / 10_000.0)
        };
        GateShare {
            messages: self.needed + self.other,
            recall: share(self.needed_and_fired, self.needed),
            false_fire: share(self.other_and_fired, self.other),
        }
    }
}
