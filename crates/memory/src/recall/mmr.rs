//! Variety: maximal marginal relevance, so that five wordings of one fact do not fill the answer.
//!
//! Greedy: the next result is the one whose score, less its likeness to what was chosen already, is highest. Likeness
//! is the Jaccard similarity of the terms. Relevance is taken relative to the best, so that the balance does not depend
//! on how scores happen to be scaled.

use std::collections::HashSet;

/// A result that takes part.
pub struct Contender<'a> {
    pub score: f64,
    pub terms: HashSet<&'a str>,
}

/// The places of at most `wanted` contenders, in the order they are chosen. `lambda` 1 keeps the order of the scores.
pub fn choose(contenders: &[Contender<'_>], wanted: usize, lambda: f64) -> Vec<usize> {
    let best = contenders.iter().map(|contender| contender.score).fold(f64::MIN_POSITIVE, f64::max);
    let mut left: Vec<usize> = (0..contenders.len()).collect();
    let mut likeness = vec![0.0_f64; contenders.len()];
    let mut chosen = Vec::with_capacity(wanted.min(contenders.len()));
    while chosen.len() < wanted && !left.is_empty() {
        let value = |place: usize| lambda * contenders[place].score / best - (1.0 - lambda) * likeness[place];
        let mut next = 0;
        for (at, &place) in left.iter().enumerate() {
            if value(place) > value(left[next]) {
                next = at;
            }
        }
        let place = left.remove(next);
        for &other in &left {
            let alike = jaccard(&contenders[place].terms, &contenders[other].terms);
            likeness[other] = likeness[other].max(alike);
        }
        chosen.push(place);
    }
    chosen
}

fn jaccard(left: &HashSet<&str>, right: &HashSet<&str>) -> f64 {
    let shared = left.intersection(right).count();
    let all = left.len() + right.len() - shared;
    if all == 0 { 0.0 } else { shared as f64 / all as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contender(score: f64, terms: &'static str) -> Contender<'static> {
        Contender { score, terms: terms.split(' ').collect() }
    }

    #[test]
    fn a_repeated_fact_steps_back_for_another() {
        let contenders = [
            contender(1.0, "likes green tea"),
            contender(0.99, "likes green tea much"),
            contender(0.8, "lives in oslo"),
        ];
        assert_eq!(choose(&contenders, 3, 0.7), vec![0, 2, 1]);
        assert_eq!(choose(&contenders, 3, 1.0), vec![0, 1, 2]);
        assert_eq!(choose(&contenders, 1, 0.0), vec![0]);
        assert!(choose(&[], 3, 0.5).is_empty());
    }
}
