//! A circuit breaker: a server that keeps failing is left alone for a while.
//!
//! What counts is a call, retries and all. It failed when the server could not be reached, took too long, answered with
//! a 5xx, or was still rate limited after the last retry. Any other answer, a refused key or nonsense included, shows
//! that the server is there, which is all that the breaker asks. Five failures in a row open it; after a minute exactly one
//! call is let through as a probe, and what becomes of that decides. A probe that its caller gave up on decides nothing, and
//! the next call is the probe.

use std::fmt;
use std::time::Duration;

use crate::limits;
use parking_lot::Mutex;

/// What it is for those who watch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BreakerState {
    /// Calls go through.
    Closed,
    /// None does.
    Open,
    /// A probe is under way or due.
    HalfOpen,
}

impl BreakerState {
    pub fn word(self) -> &'static str {
        match self {
            BreakerState::Closed => "closed",
            BreakerState::Open => "open",
            BreakerState::HalfOpen => "half_open",
        }
    }
}

impl fmt::Display for BreakerState {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.word())
    }
}

#[derive(Debug, Clone, Copy)]
enum BreakerPhase {
    Closed { failures: u32 },
    Open { until: Duration },
    Probing,
}

/// Shared by everybody who calls the same model of the same server. The lock is never held while something is awaited.
#[derive(Debug)]
pub struct Breaker(Mutex<BreakerPhase>);

impl Default for Breaker {
    fn default() -> Self {
        Self(Mutex::new(BreakerPhase::Closed { failures: 0 }))
    }
}

/// The right to make one call, which must be told how it went.
pub struct Permit<'b> {
    breaker: &'b Breaker,
    probe: bool,
    settled: bool,
}

impl Breaker {
    /// Lets a call through, or not.
    pub fn admit(&self, now: Duration) -> Option<Permit<'_>> {
        let mut inner = self.0.lock();
        let probe = match *inner {
            BreakerPhase::Closed { .. } => false,
            BreakerPhase::Open { until } if now >= until => true,
            BreakerPhase::Open { .. } | BreakerPhase::Probing => return None,
        };
        if probe {
            *inner = BreakerPhase::Probing;
        }
        Some(Permit { breaker: self, probe, settled: false })
    }

    pub fn state(&self, now: Duration) -> BreakerState {
        match *self.0.lock() {
            BreakerPhase::Closed { .. } => BreakerState::Closed,
            BreakerPhase::Open { until } if now < until => BreakerState::Open,
            BreakerPhase::Open { .. } | BreakerPhase::Probing => BreakerState::HalfOpen,
        }
    }
}

impl Permit<'_> {
    /// The server answered.
    pub fn succeeded(mut self) {
        self.settled = true;
        let mut inner = self.breaker.0.lock();
        // A call from before the failures says nothing about the server as it is now.
        if self.probe || matches!(*inner, BreakerPhase::Closed { .. }) {
            *inner = BreakerPhase::Closed { failures: 0 };
        }
    }

    /// The server did not answer as a server does.
    pub fn failed(mut self, now: Duration) {
        self.settled = true;
        let open = BreakerPhase::Open { until: now + Duration::from_secs(limits::BREAKER_OPEN_SECONDS) };
        let mut inner = self.breaker.0.lock();
        *inner = match *inner {
            BreakerPhase::Closed { failures } if failures + 1 < limits::BREAKER_FAILURES => {
                BreakerPhase::Closed { failures: failures + 1 }
            }
            BreakerPhase::Closed { .. } => open,
            _ if self.probe => open,
            unchanged => unchanged,
        };
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        if self.probe && !self.settled {
            *self.breaker.0.lock() = BreakerPhase::Open { until: Duration::ZERO };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn opened(now: Duration) -> Breaker {
        let breaker = Breaker::default();
        for _ in 0..limits::BREAKER_FAILURES {
            breaker.admit(now).expect("closed").failed(now);
        }
        breaker
    }

    #[test]
    fn five_in_a_row_open_it_and_one_success_between_does_not() {
        let breaker = Breaker::default();
        for round in 0..3 {
            for _ in 0..limits::BREAKER_FAILURES - 1 {
                breaker.admit(at(round)).expect("closed").failed(at(round));
            }
            breaker.admit(at(round)).expect("closed").succeeded();
        }
        assert_eq!(breaker.state(at(3)), BreakerState::Closed);
        let breaker = opened(at(3));
        assert_eq!(breaker.state(at(62)), BreakerState::Open);
        assert!(breaker.admit(at(62)).is_none());
    }

    #[test]
    fn exactly_one_probe_decides() {
        let breaker = opened(at(0));
        let probe = breaker.admit(at(60)).expect("a probe");
        assert_eq!(breaker.state(at(60)), BreakerState::HalfOpen);
        assert!(breaker.admit(at(60)).is_none() && breaker.admit(at(600)).is_none());
        probe.failed(at(61));
        assert!(breaker.admit(at(120)).is_none());
        breaker.admit(at(121)).expect("the next probe").succeeded();
        assert_eq!(breaker.state(at(121)), BreakerState::Closed);
        assert!(breaker.admit(at(121)).is_some() && breaker.admit(at(121)).is_some());
    }

    #[test]
    fn a_probe_that_was_given_up_on_makes_room_for_the_next() {
        let breaker = opened(at(0));
        drop(breaker.admit(at(60)).expect("a probe"));
        assert!(breaker.admit(at(60)).is_some());
    }

    #[test]
    fn calls_from_before_it_opened_change_nothing() {
        let breaker = Breaker::default();
        let (early, late) = (breaker.admit(at(0)).expect("closed"), breaker.admit(at(0)).expect("closed"));
        for _ in 0..limits::BREAKER_FAILURES {
            breaker.admit(at(1)).expect("closed").failed(at(1));
        }
        early.succeeded();
        late.failed(at(50));
        assert_eq!(breaker.state(at(60)), BreakerState::Open);
        assert!(breaker.admit(at(61)).is_some(), "the minute was not made longer");
    }
}
