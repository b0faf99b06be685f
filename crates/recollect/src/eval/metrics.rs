//! What is counted: the share of a question's evidence among the first k, and inside a block of so many tokens.

use std::collections::{BTreeMap, HashSet};

use memory::text::tokens;
use serde::Serialize;

/// Ranks at which recall is taken, and block sizes in tokens.
pub const RANKS: [usize; 4] = [1, 5, 10, 20];
pub const BLOCKS: [usize; 3] = [400, 800, 2000];

/// A ranked answer, reduced to what is counted.
pub struct Ranked {
    pub id: String,
    /// The line as it would stand in a block.
    pub tokens: usize,
}

impl Ranked {
    pub fn new(id: impl Into<String>, line: &str) -> Self {
        Self { id: id.into(), tokens: tokens::estimate(line) }
    }
}

/// The figures of one question, each a share from 0 to 1.
#[derive(Debug, Clone, Copy, Default)]
pub struct QuestionFigures {
    pub at: [f64; 4],
    pub all_at_10: f64,
    pub block: [f64; 3],
}

pub fn figures(ranked: &[Ranked], evidence: &[String]) -> QuestionFigures {
    let wanted: HashSet<&str> = evidence.iter().map(String::as_str).collect();
    let share = |found: &[Ranked]| {
        let there = found.iter().filter(|ranked| wanted.contains(ranked.id.as_str())).count();
        there as f64 / wanted.len().max(1) as f64
    };
    let at = RANKS.map(|rank| share(&ranked[..rank.min(ranked.len())]));
    let block = BLOCKS.map(|budget| share(&ranked[..lines_that_fit(ranked, budget)]));
    QuestionFigures { at, all_at_10: f64::from(at[2] >= 1.0), block }
}

/// Whole lines, stopping at the first that does not fit.
fn lines_that_fit(ranked: &[Ranked], budget: usize) -> usize {
    let mut used = 0;
    ranked
        .iter()
        .take_while(|line| {
            used += line.tokens;
            used <= budget
        })
        .count()
}

/// Means over questions, in percent.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Means {
    pub questions: usize,
    pub r_at: BTreeMap<String, f64>,
    pub all_at_10: f64,
    pub block: BTreeMap<String, f64>,
}

pub fn means<'a>(figures: impl IntoIterator<Item = &'a QuestionFigures>) -> Means {
    let figures: Vec<&QuestionFigures> = figures.into_iter().collect();
    let mean = |of: &dyn Fn(&QuestionFigures) -> f64| {
        let sum: f64 = figures.iter().map(|figures| of(figures)).sum();
        (sum / figures.len().max(1) as f64 * 10_000.0).round() / 100.0
    };
    Means {
        questions: figures.len(),
        r_at: RANKS.iter().enumerate().map(|(i, rank)| (rank.to_string(), mean(&|f| f.at[i]))).collect(),
        all_at_10: mean(&|f| f.all_at_10),
        block: BLOCKS.iter().enumerate().map(|(i, size)| (size.to_string(), mean(&|f| f.block[i]))).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_is_counted_at_ranks_and_in_blocks() {
        let ranked: Vec<Ranked> =
            (0..20).map(|number| Ranked { id: format!("t{number}"), tokens: 300 }).collect();
        let figures = figures(&ranked, &["t0".into(), "t2".into(), "t7".into(), "gone".into()]);
        assert_eq!(figures.at, [0.25, 0.5, 0.75, 0.75]);
        assert_eq!(figures.block, [0.25, 0.25, 0.5]);
        assert_eq!(figures.all_at_10, 0.0);
        assert_eq!(means([&figures]).r_at["10"], 75.0);
    }
}
