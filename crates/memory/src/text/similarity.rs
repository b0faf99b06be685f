//! How alike two texts are, by the words or the pieces they share.
//!
//! Word Jaccard decides whether a new memory repeats an old one (the thresholds are the learner's), shingle Jaccard
//! whether two digests say the same. Both go through the analyser's folding, so spelling and accents do not count.

use std::collections::BTreeSet;

use super::{Analyser, fold};

/// The share of common members in all members: 1 for equal sets, 0 for disjoint ones. Two empty sets give 0, because
/// texts with nothing to compare are no evidence of a repetition.
pub fn jaccard<Member: Ord>(left: &BTreeSet<Member>, right: &BTreeSet<Member>) -> f64 {
    let common = left.intersection(right).count();
    let all = left.len() + right.len() - common;
    if all == 0 { 0.0 } else { common as f64 / all as f64 }
}

/// The distinct words of a text as the ranking sees them; of a text of nothing but stop words, those.
pub fn word_set(text: &str, analyser: &Analyser) -> BTreeSet<String> {
    analyser.query_terms(text).into_iter().collect()
}

/// Jaccard of the two texts' words.
pub fn word_jaccard(left: &str, right: &str, analyser: &Analyser) -> f64 {
    jaccard(&word_set(left, analyser), &word_set(right, analyser))
}

/// The distinct pieces of `length` characters of the folded text, white space and punctuation read as single spaces.
/// A text shorter than one piece is its own only piece.
pub fn shingles(text: &str, length: usize) -> BTreeSet<String> {
    let folded = fold(text);
    let words: Vec<&str> = folded
        .split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let joined = words.join(" ");
    if joined.is_empty() || length == 0 {
        return BTreeSet::new();
    }
    let starts: Vec<usize> =
        joined.char_indices().map(|(position, _)| position).chain([joined.len()]).collect();
    if starts.len() <= length {
        return BTreeSet::from([joined]);
    }
    starts.windows(length + 1).map(|window| joined[window[0]..window[length]].to_owned()).collect()
}

/// Jaccard of the two texts' shingles.
pub fn shingle_jaccard(left: &str, right: &str, length: usize) -> f64 {
    jaccard(&shingles(left, length), &shingles(right, length))
}

/// The product of two vectors, eight sums side by side.
pub fn dot(left: &[f32], right: &[f32]) -> f32 {
    let mut sums = [0.0_f32; 8];
    let ((left, left_rest), (right, right_rest)) = (left.as_chunks::<8>(), right.as_chunks::<8>());
    for (left, right) in left.iter().zip(right) {
        for lane in 0..8 {
            sums[lane] += left[lane] * right[lane];
        }
    }
    sums.iter().sum::<f32>() + left_rest.iter().zip(right_rest).map(|(a, b)| a * b).sum::<f32>()
}

/// Robertson's inverse document frequency in the form that never goes below zero.
pub fn inverse_frequency(documents: u64, frequency: u64) -> f64 {
    let (documents, frequency) = (documents.max(frequency) as f64, frequency as f64);
    (1.0 + (documents - frequency + 0.5) / (frequency + 0.5)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check_words(left: &str, right: &str, expected: f64) {
        let found = word_jaccard(left, right, &Analyser::default());
        assert!((found - expected).abs() < 1e-9, "{left} / {right}: {found}");
    }

    #[test]
    fn words_are_compared_by_stem() {
        check_words("User likes green tea", "the user liked GREEN teas", 1.0);
        check_words("User likes green tea", "User likes black tea", 0.6);
        check_words("User lives in Berlin", "a violin lesson", 0.0);
        check_words("who is it", "who is it?", 1.0);
        check_words("", "", 0.0);
        check_words("?!", "...", 0.0);
    }

    #[test]
    fn shingles_slide_over_folded_text() {
        let found: Vec<String> = shingles("Añ, b", 3).into_iter().collect();
        assert_eq!(found, ["an ", "n b"]);
        assert_eq!(shingles("ab", 3).len(), 1);
        assert!(shingles("", 3).is_empty());
        assert!(shingles("abc", 0).is_empty());
        assert!((shingle_jaccard("Hello,  world", "hello world!", 3) - 1.0).abs() < 1e-9);
    }

    proptest! {
        #[test]
        fn similarity_is_symmetric_and_bounded(left in any::<String>(), right in any::<String>(), length in 0_usize..6) {
            let forth = shingle_jaccard(&left, &right, length);
            prop_assert!((0.0..=1.0).contains(&forth));
            prop_assert_eq!(forth, shingle_jaccard(&right, &left, length));
        }
    }
}
