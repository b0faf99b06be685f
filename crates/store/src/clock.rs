//! The real clock: the machine's time, and ids that sort by it.

use jiff::Timestamp;
use memory::ports::Clock;
use memory::types::Time;
use uuid::Uuid;

/// Time and ids as the machine gives them.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Time {
        Time::from_timestamp(Timestamp::now())
    }

    fn uuid(&self) -> Uuid {
        Uuid::now_v7()
    }
}
