//! Chooses the weights of recall by nested cross-validation over conversations.
use memory::ports::Embedder;
use memory::settings::Settings;
use recollect::eval::{data, metrics, tune};
use std::sync::Arc;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let embedder: Arc<dyn Embedder> = Arc::new(models::Builtin);
    let start = Settings::default();
    let mut folds = Vec::new();
    for path in std::env::args().skip(1).filter(|argument| argument != "--nested") {
        for conversation in data::read(path.as_ref(), data::Format::Lines)? {
            folds.push(tune::fold(&path, &conversation, &embedder, &start).await?);
        }
    }
    let report = |name: &str, settings: &Settings, folds: &[&tune::Fold]| {
        let mut sets: std::collections::BTreeMap<&str, Vec<metrics::Figures>> =
            std::collections::BTreeMap::new();
        for fold in folds {
            sets.entry(&fold.set).or_default().extend(fold.figures(settings));
        }
        for (set, figures) in sets {
            println!("{name} {set}: {:?}", metrics::means(&figures));
        }
    };
    let all: Vec<&tune::Fold> = folds.iter().collect();
    report("start", &start, &all);
    let chosen = tune::choose(&all, &start);
    println!("chosen on all: {:?}", tune::weights(&chosen));
    report("fitted", &chosen, &all);
    if std::env::args().any(|argument| argument == "--nested") {
        let mut unseen: std::collections::BTreeMap<&str, Vec<metrics::Figures>> =
            std::collections::BTreeMap::new();
        for (place, left_out) in folds.iter().enumerate() {
            let others: Vec<&tune::Fold> =
                folds.iter().enumerate().filter(|(other, _)| *other != place).map(|(_, fold)| fold).collect();
            let chosen = tune::choose(&others, &start);
            println!("{}: {:?}", left_out.name, tune::weights(&chosen));
            unseen.entry(&left_out.set).or_default().extend(left_out.figures(&chosen));
        }
        for (set, figures) in unseen {
            println!("nested {set}: {:?}", metrics::means(&figures));
        }
    }
    Ok(())
}
