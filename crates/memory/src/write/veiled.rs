//! What is left of a text of which parts are hidden or cut out.

use std::ops::Range;

/// The text without these parts, in whichever order they come and however they overlap.
pub fn cut(said: &str, parts: &[Range<usize>]) -> String {
    if parts.is_empty() {
        return said.to_owned();
    }
    let mut left = String::new();
    let mut at = 0;
    for part in united(said, parts) {
        left.push_str(&said[at..part.start]);
        at = part.end;
    }
    left.push_str(&said[at..]);
    if left.trim().is_empty() { String::new() } else { left }
}

/// Where a hidden part of a text lies when these are cut out of it.
pub fn moved(said: &str, hidden: &Range<usize>, parts: &[Range<usize>]) -> Range<usize> {
    let parts = united(said, parts);
    let place = |at: usize| {
        let gone = parts.iter().map(|part| part.end.min(at).saturating_sub(part.start.min(at)));
        at - gone.sum::<usize>()
    };
    place(hidden.start)..place(hidden.end)
}

/// The parts in their order, without overlaps, at the edges of characters.
fn united(said: &str, parts: &[Range<usize>]) -> Vec<Range<usize>> {
    let edge = |at: usize| said.floor_char_boundary(at.min(said.len()));
    let mut parts: Vec<Range<usize>> = parts.iter().map(|part| edge(part.start)..edge(part.end)).collect();
    parts.sort_by_key(|part| part.start);
    let mut united: Vec<Range<usize>> = Vec::new();
    for part in parts.into_iter().filter(|part| part.start < part.end) {
        match united.last_mut() {
            Some(last) if part.start <= last.end => last.end = last.end.max(part.end),
            _ => united.push(part),
        }
    }
    united
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cut_is_gone_and_what_is_hidden_moves_along() {
        let said = "Eins. Zwei! Drei? Vier";
        for (parts, expected) in [
            (vec![], said),
            (vec![0..2, 2..6], "Zwei! Drei? Vier"),
            (vec![12..18, 0..6], "Zwei! Vier"),
            (vec![0..8, 4..12], "Drei? Vier"),
            (vec![0..6, 6..12, 12..18, 18..99], ""),
        ] {
            assert_eq!(cut(said, &parts), expected, "{parts:?}");
        }
        let first = [0..2, 2..6];
        let left = cut(said, &first);
        let hidden = moved(said, &(12..18), &first);
        assert_eq!(&left[hidden], "Drei? ");
        assert_eq!(moved(said, &(0..6), &first), 0..0, "what is gone hides nothing");
    }
}
