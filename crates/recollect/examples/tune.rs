//! Chooses the weights of recall on labelled conversations, and says how they do on conversations they have not seen.
//!
//! `cargo run --release -p recollect --example tune -- FILE… [--nested]`. Without `--nested` the weights are chosen and
//! judged on the same conversations, which flatters them; with it, each conversation is judged by weights that were
//! chosen on all the others. What is chosen goes into the table of settings by hand, with its reason.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Parser;
use memory::ports::Embedder;
use memory::settings::Settings;
use recollect::eval::data::{self, DataFormat};
use recollect::eval::metrics::{Means, QuestionFigures, means};
use recollect::eval::tune::{self, Fold};

/// Choose the weights of recall on labelled conversations
#[derive(Debug, Parser)]
struct TuneArguments {
    /// Files of labelled conversations; each file counts as much as any other
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// How the files are written
    #[arg(long, value_enum, default_value = "lines")]
    format: DataFormat,
    /// Judge each conversation by weights chosen on the others
    #[arg(long)]
    nested: bool,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let arguments = TuneArguments::parse();
    let start = Settings::default();
    let folds = measure(&arguments, &start).await?;
    let all: Vec<&Fold> = folds.iter().collect();
    print("as they are", by_set(&all, |_| start.clone()));
    let chosen = tune::choose(&all, &start);
    println!("chosen on all: {}", weights(&chosen));
    print("chosen on all", by_set(&all, |_| chosen.clone()));
    if arguments.nested {
        let unseen = |left_out: &Fold| {
            let others: Vec<&Fold> =
                all.iter().copied().filter(|fold| !std::ptr::eq(*fold, left_out)).collect();
            let chosen = tune::choose(&others, &start);
            println!("chosen without {}: {}", left_out.name, weights(&chosen));
            chosen
        };
        print("nested", by_set(&all, unseen));
    }
    Ok(())
}

/// Every part of every question of every conversation.
async fn measure(arguments: &TuneArguments, settings: &Settings) -> anyhow::Result<Vec<Fold>> {
    let embedder: Arc<dyn Embedder> = Arc::new(models::Builtin);
    let mut folds = Vec::new();
    for file in &arguments.files {
        let set = file.file_stem().unwrap_or_default().to_string_lossy();
        for conversation in data::read(file, arguments.format)? {
            folds.push(tune::fold(&set, &conversation, &embedder, settings).await?);
        }
    }
    Ok(folds)
}

/// The figures of each set, its conversations each under the settings that it is judged by.
fn by_set(folds: &[&Fold], settings: impl Fn(&Fold) -> Settings) -> BTreeMap<String, Means> {
    let mut sets: BTreeMap<String, Vec<QuestionFigures>> = BTreeMap::new();
    for fold in folds {
        sets.entry(fold.set.clone()).or_default().extend(fold.figures(&settings(fold)));
    }
    sets.iter().map(|(set, figures)| (set.clone(), means(figures))).collect()
}

fn print(what: &str, sets: BTreeMap<String, Means>) {
    for (set, means) in sets {
        let at = |rank: &str| means.r_at.get(rank).copied().unwrap_or_default();
        let block = means.block.get("800").copied().unwrap_or_default();
        println!(
            "{what}, {set}: R@1 {:.1}, R@5 {:.1}, R@10 {:.1}, R@20 {:.1}, block 800 {block:.1} ({} questions)",
            at("1"),
            at("5"),
            at("10"),
            at("20"),
            means.questions
        );
    }
}

fn weights(settings: &Settings) -> String {
    let weights = tune::weights(settings).into_iter();
    weights.map(|(name, weight)| format!("{name} {weight}")).collect::<Vec<_>>().join(", ")
}
