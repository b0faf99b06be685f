//! A clock that stands still until it is told to move, and ids that come out the same in every run.
//!
//! The ids are UUIDv7 in form: the clock's milliseconds, then a counter, then the seed. They rise strictly, also when
//! the time is set back, because stores and tests both rely on later ids sorting later.

use memory::ports::Clock;
use memory::types::Time;
use parking_lot::Mutex;
use uuid::{Builder, Uuid};

/// Where every clock begins, unless a test says otherwise: midnight of 2026-01-01, UTC, in microseconds.
const START_MICROSECONDS: i64 = 1_767_225_600_000_000;

/// Bits of a UUID below its time.
const BITS_BELOW_TIME: u32 = 80;

#[derive(Debug)]
pub struct ManualClock {
    state: Mutex<ClockState>,
    seed: u16,
}

#[derive(Debug, Clone, Copy)]
struct ClockState {
    now: Time,
    /// The latest millisecond that an id was made in.
    newest_id_milliseconds: i64,
    ids: u64,
}

impl Default for ManualClock {
    fn default() -> Self {
        Self::seeded(0)
    }
}

impl ManualClock {
    /// Clocks with different seeds never make the same id.
    pub fn seeded(seed: u16) -> Self {
        let now = Time::from_microseconds(START_MICROSECONDS);
        Self { state: Mutex::new(ClockState { now, newest_id_milliseconds: 0, ids: 0 }), seed }
    }

    pub fn set(&self, now: Time) {
        self.with(|state| state.now = now);
    }

    pub fn advance_seconds(&self, seconds: i64) -> Time {
        self.with(|state| {
            state.now = state.now.plus_seconds(seconds);
            state.now
        })
    }

    /// One second later: gives each step of a test a time of its own.
    pub fn tick(&self) -> Time {
        self.advance_seconds(1)
    }

    fn with<T>(&self, change: impl FnOnce(&mut ClockState) -> T) -> T {
        // A test that failed elsewhere must not make this one fail with a second message.
        change(&mut self.state.lock())
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Time {
        self.with(|state| state.now)
    }

    fn uuid(&self) -> Uuid {
        let (milliseconds, counter) = self.with(|state| {
            let milliseconds = state.now.microseconds().div_euclid(1_000);
            state.newest_id_milliseconds = state.newest_id_milliseconds.max(milliseconds);
            state.ids += 1;
            (state.newest_id_milliseconds, state.ids)
        });
        // Version and variant overwrite bits above the lowest 62, which hold the counter (46 bits) and the seed (16).
        let bits =
            (milliseconds as u128) << BITS_BELOW_TIME | u128::from(counter) << 16 | u128::from(self.seed);
        Builder::from_u128(bits)
            .with_version(uuid::Version::SortRand)
            .with_variant(uuid::Variant::RFC4122)
            .into_uuid()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_rise_even_when_time_goes_back() {
        let clock = ManualClock::seeded(7);
        let first = clock.uuid();
        clock.set(clock.now().plus_seconds(-60));
        let second = clock.uuid();
        clock.tick();
        assert!(first < second && second < clock.uuid());
        assert_eq!(second.get_version_num(), 7);
    }

    #[test]
    fn the_same_seed_gives_the_same_ids() {
        let (one, other, third) = (ManualClock::seeded(1), ManualClock::seeded(1), ManualClock::seeded(2));
        assert_eq!(one.uuid(), other.uuid());
        assert_ne!(one.uuid(), third.uuid());
    }
}
