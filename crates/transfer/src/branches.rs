//! Conversations that fork: a question asked again, an answer made again.
//!
//! Such a conversation is a tree of messages. Read as lines, its main line is the one that was last on the screen; every message
//! that is not on it is on exactly one further line, which begins where it forks off. Files come from anywhere, so parents may be missing
//! and may go round in circles; every message is on one line all the same.

use memory::types::Time;

/// A message's place in the tree.
#[derive(Debug, Clone, Copy, Default)]
pub struct Knot {
    pub parent: Option<usize>,
    pub at: Option<Time>,
}

/// Messages one after another.
#[derive(Debug, PartialEq, Eq)]
pub struct Branch {
    pub knots: Vec<usize>,
    /// The message after which it forks off; nothing for the main line and for pieces that hang in the air.
    pub forks_after: Option<usize>,
}

/// The lines, the main one first and the others by time. Without a message that is known to be the last, the main line is the deepest,
/// and of several the latest.
pub fn lines(knots: &[Knot], current: Option<usize>) -> Vec<Branch> {
    let mut knots = knots.to_vec();
    cut_circles(&mut knots);
    let mut children = vec![Vec::new(); knots.len()];
    for (place, knot) in knots.iter().enumerate() {
        if let Some(parent) = knot.parent {
            children[parent].push(place);
        }
    }
    let next = ways_on(&knots, &children);
    let main = match current {
        Some(last) => climb(&knots, last),
        None => {
            let roots = (0..knots.len()).filter(|place| knots[*place].parent.is_none());
            roots.max_by_key(|root| next[*root].reach).map(|root| descend(&next, root)).unwrap_or_default()
        }
    };
    let mut on_main = vec![false; knots.len()];
    main.iter().for_each(|place| on_main[*place] = true);
    let begins = |place: &usize| {
        let is_way_on = |parent: usize| !on_main[parent] && next[parent].child == Some(*place);
        !on_main[*place] && !knots[*place].parent.is_some_and(is_way_on)
    };
    let mut starts: Vec<usize> = (0..knots.len()).filter(begins).collect();
    starts.sort_by_key(|place| (knots[*place].at, *place));
    let branch = |start: usize| Branch { knots: descend(&next, start), forks_after: knots[start].parent };
    let main = (!main.is_empty()).then_some(Branch { knots: main, forks_after: None });
    main.into_iter().chain(starts.into_iter().map(branch)).collect()
}

/// Where circles are cut: before their earliest message.
fn cut_circles(knots: &mut [Knot]) {
    const NEW: usize = usize::MAX;
    let mut met_from = vec![NEW; knots.len()];
    for start in 0..knots.len() {
        let mut place = start;
        while met_from[place] == NEW {
            met_from[place] = start;
            // A parent that is not there is no parent.
            knots[place].parent = knots[place].parent.filter(|parent| *parent < knots.len());
            match knots[place].parent {
                Some(parent) => place = parent,
                None => break,
            }
        }
        if met_from[place] == start && knots[place].parent.is_some_and(|parent| met_from[parent] == start) {
            let mut circle = vec![place];
            let mut step = knots[place].parent;
            while let Some(on) = step.filter(|on| *on != place && circle.len() <= knots.len()) {
                circle.push(on);
                step = knots[on].parent;
            }
            if step == Some(place) {
                let first = circle.into_iter().min_by_key(|on| (knots[*on].at, *on)).unwrap_or(place);
                knots[first].parent = None;
            }
        }
    }
}

/// Which child a line goes on with, and how far it gets.
#[derive(Clone, Copy, Default)]
struct BranchStep {
    child: Option<usize>,
    /// Messages below, the time of the last, and its place, which decides between equals.
    reach: (usize, Option<Time>, usize),
}

fn ways_on(knots: &[Knot], children: &[Vec<usize>]) -> Vec<BranchStep> {
    // Parents before children; walked backwards, a message is looked at after all that follow it.
    let mut order: Vec<usize> = (0..knots.len()).filter(|place| knots[*place].parent.is_none()).collect();
    let mut looked = 0;
    while let Some(place) = order.get(looked) {
        order.extend(&children[*place]);
        looked += 1;
    }
    let mut ways = vec![BranchStep::default(); knots.len()];
    for place in order.into_iter().rev() {
        let best = children[place].iter().copied().max_by_key(|child| ways[*child].reach);
        ways[place] = match best {
            Some(child) => {
                let (depth, at, last) = ways[child].reach;
                BranchStep { child: Some(child), reach: (depth + 1, at, last) }
            }
            None => BranchStep { child: None, reach: (0, knots[place].at, place) },
        };
    }
    ways
}

fn climb(knots: &[Knot], last: usize) -> Vec<usize> {
    let mut line: Vec<usize> = std::iter::successors(Some(last), |place| knots[*place].parent).collect();
    line.reverse();
    line
}

fn descend(ways: &[BranchStep], start: usize) -> Vec<usize> {
    std::iter::successors(Some(start), |place| ways[*place].child).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn tree(parents: &[Option<usize>]) -> Vec<Knot> {
        let at = |place: usize| Some(Time::from_microseconds(1_000_000 * (place as i64 + 1)));
        parents.iter().enumerate().map(|(place, parent)| Knot { parent: *parent, at: at(place) }).collect()
    }

    fn shape(parents: &[Option<usize>], current: Option<usize>) -> Vec<(Vec<usize>, Option<usize>)> {
        lines(&tree(parents), current).into_iter().map(|line| (line.knots, line.forks_after)).collect()
    }

    #[test]
    fn the_last_message_decides_the_main_line() {
        // 0 ─ 1 ┬ 2
        //       └ 3 ─ 4
        let parents = [None, Some(0), Some(1), Some(1), Some(3)];
        assert_eq!(shape(&parents, Some(2)), [(vec![0, 1, 2], None), (vec![3, 4], Some(1))]);
        assert_eq!(shape(&parents, None), [(vec![0, 1, 3, 4], None), (vec![2], Some(1))]);
        // Of equally deep ones the later.
        assert_eq!(shape(&parents[..4], None), [(vec![0, 1, 3], None), (vec![2], Some(1))]);
        // What follows the last one shown is not lost.
        assert_eq!(shape(&parents, Some(1))[0], (vec![0, 1], None));
        assert_eq!(shape(&parents, Some(1)).len(), 3);
    }

    #[test]
    fn circles_and_strangers_end() {
        assert_eq!(shape(&[Some(0)], None), [(vec![0], None)]);
        assert_eq!(shape(&[Some(2), Some(0), Some(1)], Some(1)), [(vec![0, 1], None), (vec![2], Some(1))]);
        assert_eq!(shape(&[Some(9), Some(0)], None), [(vec![0, 1], None)]);
        assert_eq!(shape(&[], None), []);
        let long: Vec<Option<usize>> = (0..200_000_usize).map(|place| place.checked_sub(1)).collect();
        assert_eq!(lines(&tree(&long), None)[0].knots.len(), 200_000);
    }

    proptest! {
        #[test]
        fn every_message_is_on_one_line(
            parents in prop::collection::vec(prop::option::of(0_usize..30), 0..30),
            current in prop::option::of(0_usize..30),
        ) {
            let current = current.filter(|current| *current < parents.len());
            let lines = lines(&tree(&parents), current);
            let mut met: Vec<usize> = lines.iter().flat_map(|line| line.knots.clone()).collect();
            met.sort_unstable();
            prop_assert_eq!(met, (0..parents.len()).collect::<Vec<_>>());
            if let Some(current) = current {
                prop_assert_eq!(lines[0].knots.last(), Some(&current));
            }
        }
    }
}
