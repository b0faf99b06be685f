//! The hybrid logical clock: when a commit happened, as a number that never goes back.
//!
//! Its upper bits are the wall clock's milliseconds, its lower ones a counter. A commit takes the wall clock's time, or one more
//! than the commit before where the wall clock stands or goes back; so it orders a tenant's commits, stays close to the time
//! of day, and two installations' commits can be put into one order. `recollect changes` shows it; exchange between
//! installations will order by it.

use serde::{Deserialize, Serialize};

use super::Time;

/// The counter's bits: 65,536 commits within one millisecond before it runs into the next.
const COUNTER_BITS: u32 = 16;

/// One moment of the hybrid logical clock.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct HybridTime(u64);

impl HybridTime {
    pub fn from_number(number: u64) -> Self {
        Self(number)
    }

    pub fn number(self) -> u64 {
        self.0
    }

    /// The next moment after `self`, at this time of day or, where that is past, as little later as can be.
    pub fn next(self, now: Time) -> Self {
        let milliseconds = u64::try_from(now.microseconds() / 1_000).unwrap_or(0);
        Self((milliseconds << COUNTER_BITS).max(self.0 + 1))
    }

    /// Milliseconds since 1970.
    pub fn physical_ms(self) -> u64 {
        self.0 >> COUNTER_BITS
    }

    pub fn counter(self) -> u64 {
        self.0 & ((1 << COUNTER_BITS) - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_never_goes_back_and_returns_to_the_time_of_day() {
        let at = |text: &str| text.parse::<Time>().expect("a time");
        let first = HybridTime::default().next(at("2026-03-01T12:00:00Z"));
        assert_eq!(first.counter(), 0);
        let same = first.next(at("2026-03-01T12:00:00Z"));
        let back = same.next(at("1999-01-01T00:00:00Z"));
        assert!(first < same && same < back);
        assert_eq!((back.physical_ms(), back.counter()), (first.physical_ms(), 2));
        let later = back.next(at("2026-03-01T12:00:01Z"));
        assert_eq!((later.physical_ms(), later.counter()), (first.physical_ms() + 1_000, 0));
        let ancient = HybridTime::default().next(at("0001-01-01T00:00:00Z"));
        assert_eq!((ancient.physical_ms(), ancient.counter()), (0, 1));
    }
}
