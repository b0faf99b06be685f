//! Variety: maximal marginal relevance, so that five wordings of one fact do not fill the answer.
//!
//! Greedy: the next result is the one whose score, less its likeness to what was chosen already, is highest. Likeness
//! is the Jaccard similarity of the terms. Relevance is taken relative to the best, so that the balance does not depend
//! on how scores happen to be scaled.

/// A result that takes part.
pub struct MmrCandidate {
    pub score: f64,
    /// Each term once, in order.
    terms: Vec<u64>,
}

impl MmrCandidate {
    /// One with these terms, as the index has them in order.
    pub fn new(score: f64, numbers: &[u64]) -> Self {
        let mut terms = numbers.to_vec();
        terms.dedup();
        Self { score, terms }
    }
}

/// The places of at most `wanted` contenders, in the order they are chosen. `lambda` 1 keeps the order of the scores.
pub fn choose(contenders: &[MmrCandidate], wanted: usize, lambda: f64) -> Vec<usize> {
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

fn jaccard(left: &[u64], right: &[u64]) -> f64 {
    let (mut shared, mut at) = (0, 0);
    for term in left {
        while at < right.len() && right[at] < *term {
            at += 1;
        }
        if right.get(at) == Some(term) {
            shared += 1;
        }
    }
    let all = left.len() + right.len() - shared;
    if all == 0 { 0.0 } else { shared as f64 / all as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_fact_steps_back_for_another() {
        let contenders = [
            MmrCandidate::new(1.0, &[1, 2, 3]),
            MmrCandidate::new(0.99, &[1, 2, 2, 3, 4]),
            MmrCandidate::new(0.8, &[5, 6, 7]),
        ];
        assert_eq!(choose(&contenders, 3, 0.7), vec![0, 2, 1]);
        assert_eq!(choose(&contenders, 3, 1.0), vec![0, 1, 2]);
        assert_eq!(choose(&contenders, 1, 0.0), vec![0]);
        assert!(choose(&[], 3, 0.5).is_empty());
    }
}
