//! Followers of the change log: what is kept in memory and must be as new as the log before it answers.
//!
//! Every commit takes the next number of its tenant's log. A follower remembers the number that its state is of. Before it
//! answers it compares that with the log's head, and where it is behind, what changed since is read and put in; where the log
//! does not reach back that far, or too much changed, the state is dropped and built anew. What changed is read before the lock
//! is taken, so that those who look wait only while it is put in.

use parking_lot::{RwLock, RwLockReadGuard, RwLockWriteGuard};

/// State as it was at a number of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AsOf<T> {
    pub number: u64,
    pub state: T,
}

impl<T> AsOf<T> {
    /// The state, where nothing was written since.
    pub fn at(&self, head: u64) -> Option<&T> {
        (self.number == head).then_some(&self.state)
    }
}

/// Something in memory that follows the log. Those who look share the lock; catching up takes it alone, for a moment.
#[derive(Debug)]
pub struct Follower<T> {
    kept: RwLock<Option<AsOf<T>>>,
}

impl<T> Default for Follower<T> {
    fn default() -> Self {
        Self { kept: RwLock::new(None) }
    }
}

impl<T> Follower<T> {
    /// Looks at the state, where there is one.
    pub fn look<R>(&self, look: impl FnOnce(&T) -> R) -> Option<R> {
        self.read().as_ref().map(|kept| look(&kept.state))
    }

    /// Begins anew with a state that was built at this number.
    pub fn begin(&self, number: u64, state: T) {
        *self.write() = Some(AsOf { number, state });
    }

    /// Drops the state: it is too far behind, too large, or of something else.
    pub fn drop_state(&self) {
        *self.write() = None;
    }

    /// Brings the state to the log's head. `news` reads what changed after a number, nothing where the state must be built anew;
    /// `take_in` puts it in. False where there is no state to go on with. A state that is newer than this head is left as it is.
    pub fn catch_up<N, E>(
        &self,
        head: u64,
        mut news: impl FnMut(u64) -> Result<Option<N>, E>,
        mut take_in: impl FnMut(&mut T, N),
    ) -> Result<bool, E> {
        loop {
            let after = match self.read().as_ref() {
                Some(kept) if kept.number >= head => return Ok(true),
                Some(kept) => kept.number,
                None => return Ok(false),
            };
            let Some(changed) = news(after)? else {
                self.drop_state();
                return Ok(false);
            };
            let mut kept = self.write();
            let Some(kept) = kept.as_mut() else { return Ok(false) };
            // Somebody else may have been faster; then it is looked again.
            if kept.number == after {
                take_in(&mut kept.state, changed);
                kept.number = head;
                return Ok(true);
            }
        }
    }

    fn read(&self) -> RwLockReadGuard<'_, Option<AsOf<T>>> {
        self.kept.read()
    }

    fn write(&self) -> RwLockWriteGuard<'_, Option<AsOf<T>>> {
        self.kept.write()
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    /// A log of numbers whose entries are themselves.
    fn news(after: u64, head: u64, oldest: u64) -> Result<Option<Vec<u64>>, Infallible> {
        Ok((after + 1 >= oldest).then(|| (after + 1..=head).collect()))
    }

    #[test]
    fn a_follower_takes_in_exactly_what_came_since() {
        let follower = Follower::default();
        let catch_up = |head| {
            let taken = follower.catch_up(
                head,
                |after| news(after, head, 0),
                |state: &mut Vec<u64>, new| state.extend(new),
            );
            taken.expect("it cannot fail")
        };
        assert!(!catch_up(3), "nothing was built yet");
        follower.begin(1, Vec::new());
        assert!(catch_up(3) && catch_up(3) && catch_up(2));
        assert_eq!(follower.look(Clone::clone), Some(vec![2, 3]));
    }

    #[test]
    fn where_the_log_was_cut_off_the_state_is_built_anew() {
        let follower = Follower::default();
        follower.begin(1, vec![0]);
        let cut =
            follower.catch_up(9, |after| news(after, 9, 5), |state: &mut Vec<u64>, new| state.extend(new));
        assert!(!cut.expect("it cannot fail"));
        assert_eq!(follower.look(Clone::clone), None);
        follower.begin(9, vec![9]);
        assert_eq!(follower.look(Clone::clone), Some(vec![9]));
    }

    #[test]
    fn two_that_catch_up_at_once_take_everything_in_once() {
        let follower = Follower::default();
        follower.begin(0, Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for head in 1..=200 {
                        let put = |state: &mut Vec<u64>, new: Vec<u64>| state.extend(new);
                        follower
                            .catch_up(head, |after| news(after, head.max(after), 0), put)
                            .expect("it cannot fail");
                    }
                });
            }
        });
        assert_eq!(follower.look(Clone::clone), Some((1..=200).collect()));
    }
}
