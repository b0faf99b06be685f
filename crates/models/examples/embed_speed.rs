//! Prints how many sentences the built-in model embeds in a second on one core.
//!
//! `cargo run --release -p models --example embed_speed [FILE]` takes the lines of FILE, or a few sentences of
//! its own. A figure for people to read: nothing is asserted, because the machine decides.

use std::hint::black_box;
use std::time::{Duration, Instant};

use models::StaticTable;

const SENTENCES: [&str; 6] = [
    "I moved to Lisbon last spring and still miss the bakery around the corner.",
    "Can you remind me which database we picked for the billing service?",
    "My sister's birthday is on the 14th of June, and she likes pottery.",
    "The deploy failed because the migration ran twice; we rolled it back at 10:42.",
    "Preferimos reuniones cortas los lunes por la mañana.",
    "Please always answer in short paragraphs, without bullet points.",
];

fn main() -> std::io::Result<()> {
    let text = match std::env::args().nth(1) {
        Some(path) => std::fs::read_to_string(path)?,
        None => SENTENCES.join("\n"),
    };
    let sentences: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let bytes: usize = sentences.iter().map(|sentence| sentence.len()).sum();

    let started = Instant::now();
    let table = StaticTable::builtin();
    println!("ready in {:.1} ms", started.elapsed().as_secs_f64() * 1e3);

    let mut done = 0;
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(2) {
        for sentence in &sentences {
            black_box(table.embed(black_box(sentence)));
        }
        done += sentences.len();
    }
    let seconds = started.elapsed().as_secs_f64();
    let mean_bytes = bytes / sentences.len().max(1);
    println!(
        "{:.0} sentences/s ({:.2} µs each, {mean_bytes} bytes on average)",
        done as f64 / seconds,
        seconds * 1e6 / done as f64
    );
    Ok(())
}
