//! `recollect eval retrieval`.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use memory::ports::Embedder;
use serde::Serialize;

use super::super::CommandEnd;
use super::super::output::{BOLD, CommandFailure, DIM, Output, styled};
use super::{TriedSettings, bar, unreadable};
use crate::eval::data::{self, DataFormat, LabelledConversation};
use crate::eval::metrics::{BLOCKS, Means, RANKS};
use crate::eval::retrieval::{self, Method, SetReport, wanted};
use crate::problem::Problem;

/// Measure how much of each question's evidence a search of the transcript finds
///
/// Each conversation goes into a store of its own, each question through the search that everybody uses, with the
/// default settings. The baselines run over the same store: keyword (BM25 alone), dense (the embedding alone) and rrf
/// (reciprocal rank fusion of the two).
#[derive(Debug, Args)]
#[command(after_help = "\
A line of a file is a conversation: {id, sessions: [{id, date?, turns: [{id, role, name?, text}]}],
questions: [{id, question, category?, evidence: [turn ids]}]}. Figures are in percent.

Examples:
  recollect eval retrieval conversations.jsonl --categories single-hop,temporal
  recollect eval retrieval --format locomo locomo10.json --json")]
pub struct RetrievalCommand {
    /// Files of labelled conversations
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// How the files are written
    #[arg(long, value_enum, default_value = "lines")]
    format: DataFormat,
    /// Only questions of these categories [default: all but adversarial, which have no answer]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    categories: Vec<String>,
    #[command(flatten)]
    tried: TriedSettings,
}

#[derive(Serialize)]
struct RetrievalReport {
    sets: Vec<SetReport>,
}

impl RetrievalCommand {
    pub async fn run(self, out: &mut Output) -> Result<CommandEnd, CommandFailure> {
        let settings = self.tried.settings();
        let embedder: Arc<dyn Embedder> = Arc::new(models::Builtin);
        let mut sets = Vec::with_capacity(self.files.len());
        for file in &self.files {
            let conversations = data::read(file, self.format).map_err(|error| unreadable(&error))?;
            let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let progress = bar(self.questions(&name, &conversations)?).with_message(name.clone());
            let tick = || progress.inc(1);
            let categories = &self.categories;
            let report =
                retrieval::measure(&name, &conversations, categories, &settings, &embedder, tick).await;
            progress.finish_and_clear();
            sets.push(report.map_err(|error| Problem::ours(format!("{error:#}")))?);
        }
        if out.wants_json() {
            out.answer(&RetrievalReport { sets })?;
        } else {
            for set in &sets {
                out.table(&rows(set))?;
                out.line("")?;
            }
        }
        Ok(CommandEnd::Well)
    }

    /// How many questions there are to ask.
    fn questions(&self, name: &str, conversations: &[LabelledConversation]) -> Result<usize, Problem> {
        let all = || conversations.iter().flat_map(|conversation| &conversation.questions);
        let count = all().filter(|question| wanted(&self.categories, &question.category)).count();
        if count > 0 {
            return Ok(count);
        }
        let mut known: Vec<&str> = all().map(|question| question.category.as_str()).collect();
        known.sort_unstable();
        known.dedup();
        let message = format!("{name} has no question of these categories; it has {}", known.join(", "));
        Err(Problem::invalid(message))
    }
}

fn rows(set: &SetReport) -> Vec<Vec<String>> {
    let mut rows = vec![header(&set.name)];
    let ours = row(Method::Ours.name(), &set.means);
    rows.push(ours.into_iter().map(|cell| styled(BOLD, cell)).collect());
    for method in Method::BASELINES {
        rows.extend(set.baselines.get(method.name()).map(|means| row(method.name(), means)));
    }
    if set.by_category.len() > 1 {
        rows.extend(set.by_category.iter().map(|(category, means)| row(&format!("  {category}"), means)));
    }
    rows.push(vec![styled(DIM, format!("{:.2} ms a question", set.ms_per_query))]);
    rows
}

fn header(name: &str) -> Vec<String> {
    let ranks = RANKS.iter().map(|rank| format!("R@{rank}"));
    let blocks = BLOCKS.iter().map(|tokens| format!("block {tokens}"));
    let first = [name.to_owned(), "questions".to_owned()];
    let titles = first.into_iter().chain(ranks).chain(["all@10".to_owned()]).chain(blocks);
    titles.map(|title| styled(DIM, title)).collect()
}

fn row(name: &str, means: &Means) -> Vec<String> {
    let number = |number: Option<&f64>| format!("{:.1}", number.copied().unwrap_or_default());
    let ranks = RANKS.iter().map(|rank| number(means.r_at.get(&rank.to_string())));
    let blocks = BLOCKS.iter().map(|tokens| number(means.block.get(&tokens.to_string())));
    let first = [name.to_owned(), means.questions.to_string()];
    first.into_iter().chain(ranks).chain([number(Some(&means.all_at_10))]).chain(blocks).collect()
}
