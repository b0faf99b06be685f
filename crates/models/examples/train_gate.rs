//! Trains the learned gate and says how well it does on messages it was not trained on.
//!
//! `cargo run --release -p models --example train_gate -- MESSAGES [--out assets/gate/weights.json]`, where MESSAGES
//! holds `{text, needs_memory, source}` a line. Our own sentences in `assets/gate/examples.jsonl` always come along;
//! they are where other languages and everyday chat come from. Without `--out` it only reports.
//!
//! The model is a logistic regression with a ridge, found by Newton's method: a few hundred weights and a convex
//! problem, so there is nothing to tune but the two ridges, which were chosen by leaving whole sources out.

use std::collections::BTreeMap;
use std::error::Error;

use memory::recall::gate_features::{GateWeights, NAMES, features};
use models::StaticTable;
use serde::Deserialize;

static OWN: &str = include_str!("../../../assets/gate/examples.jsonl");

/// The ridge on named features and on the embedding, whose values are a tenth as large: it is held tighter, because
/// it knows the sources' topics, which do not carry over to other people's messages.
const RIDGE_FEATURES: f64 = 0.5;
const RIDGE_EMBEDDING: f64 = 0.5;
/// A source counts as this power of its size, so that 550 arithmetic problems do not drown 72 essays.
const SOURCE_POWER: f64 = 0.6;
const FOLDS: usize = 5;
/// From this probability on, the message needs memory: where, with whole sources left out, no source of messages that
/// need none fires more than about one time in twenty.
const THRESHOLD: f64 = 0.45;
const STEPS: usize = 12;

#[derive(Deserialize)]
struct LabelledMessage {
    text: String,
    needs_memory: bool,
    source: String,
}

struct TrainingExample {
    values: Vec<f64>,
    needs_memory: bool,
    source: String,
    text: String,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let path = arguments.first().ok_or("expected the path of the messages (JSON lines)")?;
    let mut examples = read(&std::fs::read_to_string(path)?)?;
    examples.extend(read(OWN)?);
    let weights = source_weights(&examples);

    let held_out = five_fold(&examples, &weights);
    report("five-fold", &examples, &held_out);
    let left_out = leave_sources_out(&examples, &weights);
    report("leaving the source out", &examples, &left_out);
    if arguments.iter().any(|argument| argument == "--errors") {
        errors(&examples, &left_out);
    }

    let everything: Vec<usize> = (0..examples.len()).collect();
    let model = train(&examples, &weights, &everything);
    if let Some(at) = arguments.iter().position(|argument| argument == "--out") {
        let out = arguments.get(at + 1).ok_or("expected a path after --out")?;
        write(out, &model)?;
    }
    if arguments.iter().any(|argument| argument == "--weights") {
        for (name, weight) in NAMES.iter().zip(&model[1..]) {
            println!("{weight:>7.2}  {name}");
        }
    }
    Ok(())
}

fn read(lines: &str) -> Result<Vec<TrainingExample>, Box<dyn Error>> {
    let table = StaticTable::builtin();
    let mut examples = Vec::new();
    for line in lines.lines().filter(|line| !line.trim().is_empty()) {
        let message: LabelledMessage = serde_json::from_str(line)?;
        let mut values = vec![1.0];
        values.extend(features(&message.text).into_iter().map(f64::from));
        values.extend(table.embed(&message.text).into_iter().map(f64::from));
        examples.push(TrainingExample {
            values,
            needs_memory: message.needs_memory,
            source: message.source,
            text: message.text,
        });
    }
    Ok(examples)
}

fn source_weights(examples: &[TrainingExample]) -> Vec<f64> {
    let mut sizes: BTreeMap<&str, f64> = BTreeMap::new();
    for example in examples {
        *sizes.entry(&example.source).or_default() += 1.0;
    }
    let mean = examples.len() as f64 / sizes.len() as f64;
    examples.iter().map(|example| (mean / sizes[example.source.as_str()]).powf(1.0 - SOURCE_POWER)).collect()
}

fn five_fold(examples: &[TrainingExample], weights: &[f64]) -> Vec<f64> {
    let mut held_out = vec![0.0; examples.len()];
    // A fixed stride through a shuffled order: the same folds every time, each source in each fold.
    let mut order: Vec<usize> = (0..examples.len()).collect();
    order.sort_by_key(|&at| (at as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 11);
    for fold in 0..FOLDS {
        let trained: Vec<usize> =
            order.iter().enumerate().filter(|(at, _)| at % FOLDS != fold).map(|(_, &one)| one).collect();
        let model = train(examples, weights, &trained);
        for &one in order.iter().skip(fold).step_by(FOLDS) {
            held_out[one] = probability(&model, &examples[one]);
        }
    }
    held_out
}

fn leave_sources_out(examples: &[TrainingExample], weights: &[f64]) -> Vec<f64> {
    let mut sources: Vec<&str> = examples.iter().map(|example| example.source.as_str()).collect();
    sources.sort_unstable();
    sources.dedup();
    let mut held_out = vec![0.0; examples.len()];
    for source in sources {
        let (out, trained): (Vec<usize>, Vec<usize>) =
            (0..examples.len()).partition(|&at| examples[at].source == source);
        let model = train(examples, weights, &trained);
        for one in out {
            held_out[one] = probability(&model, &examples[one]);
        }
    }
    held_out
}

/// Newton's method. The first value of each example is 1; its weight, the bias, has no ridge.
fn train(examples: &[TrainingExample], weights: &[f64], chosen: &[usize]) -> Vec<f64> {
    let size = examples[0].values.len();
    let ridge = |at: usize| match at {
        0 => 1e-6,
        _ if at <= NAMES.len() => RIDGE_FEATURES,
        _ => RIDGE_EMBEDDING,
    };
    let mut model = vec![0.0; size];
    for _ in 0..STEPS {
        let mut gradient: Vec<f64> =
            model.iter().enumerate().map(|(at, weight)| ridge(at) * weight).collect();
        let mut curvature = vec![0.0; size * size];
        for at in 0..size {
            curvature[at * size + at] = ridge(at);
        }
        for &one in chosen {
            let example = &examples[one];
            let estimate = probability(&model, example);
            let miss = (estimate - f64::from(u8::from(example.needs_memory))) * weights[one];
            let bend = (estimate * (1.0 - estimate)).max(1e-6) * weights[one];
            for (row, &value) in example.values.iter().enumerate() {
                if value == 0.0 {
                    continue;
                }
                gradient[row] += miss * value;
                let scaled = bend * value;
                let line = &mut curvature[row * size..row * size + row + 1];
                for (cell, &other) in line.iter_mut().zip(&example.values) {
                    *cell += scaled * other;
                }
            }
        }
        let step = solve(&mut curvature, gradient, size);
        for (weight, change) in model.iter_mut().zip(&step) {
            *weight -= change;
        }
        if step.iter().all(|change| change.abs() < 1e-6) {
            break;
        }
    }
    model
}

/// Solves the symmetric system by Cholesky, in place of the lower triangle.
fn solve(matrix: &mut [f64], mut right: Vec<f64>, size: usize) -> Vec<f64> {
    for row in 0..size {
        for column in 0..=row {
            let mut sum = matrix[row * size + column];
            for at in 0..column {
                sum -= matrix[row * size + at] * matrix[column * size + at];
            }
            matrix[row * size + column] =
                if row == column { sum.max(1e-12).sqrt() } else { sum / matrix[column * size + column] };
        }
    }
    for row in 0..size {
        let known: f64 = (0..row).map(|at| matrix[row * size + at] * right[at]).sum();
        right[row] = (right[row] - known) / matrix[row * size + row];
    }
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|at| matrix[at * size + row] * right[at]).sum();
        right[row] = (right[row] - known) / matrix[row * size + row];
    }
    right
}

fn probability(model: &[f64], example: &TrainingExample) -> f64 {
    let sum: f64 = model.iter().zip(&example.values).map(|(weight, value)| weight * value).sum();
    1.0 / (1.0 + (-sum).exp())
}

fn report(title: &str, examples: &[TrainingExample], estimates: &[f64]) {
    let mut counts: BTreeMap<(bool, &str), (usize, usize)> = BTreeMap::new();
    for (example, &estimate) in examples.iter().zip(estimates) {
        let whole = if example.source.starts_with("own") { "own" } else { "all but own" };
        for source in [example.source.as_str(), whole] {
            let count = counts.entry((!example.needs_memory, source)).or_default();
            count.0 += usize::from(estimate >= THRESHOLD);
            count.1 += 1;
        }
    }
    println!("{title}");
    for ((is_negative, source), (fired, all)) in counts {
        let what = if is_negative { "false fires" } else { "recall" };
        println!("  {what:<12}{source:<14}{:.3}  ({fired}/{all})", fired as f64 / all as f64);
    }
}

fn errors(examples: &[TrainingExample], estimates: &[f64]) {
    for (example, &estimate) in examples.iter().zip(estimates) {
        if (estimate >= THRESHOLD) != example.needs_memory {
            let text: String = example.text.chars().take(150).collect();
            println!("{:<13}{estimate:.2} {:?}", example.source, text);
        }
    }
}

fn write(path: &str, model: &[f64]) -> Result<(), Box<dyn Error>> {
    let round = |value: f64| (value * 1e4).round() as f32 / 1e4;
    let table = StaticTable::builtin();
    let weights = GateWeights {
        embedder: table.signature().to_owned(),
        bias: round(model[0]),
        features: NAMES
            .iter()
            .zip(&model[1..])
            .map(|(name, &weight)| ((*name).to_owned(), round(weight)))
            .collect(),
        embedding: model[1 + NAMES.len()..].iter().map(|&weight| round(weight)).collect(),
        threshold: THRESHOLD as f32,
    };
    std::fs::write(path, format!("{}\n", serde_json::to_string(&weights)?))?;
    Ok(())
}
