//! Time as the clients of models see it, so that a test need not wait for it.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use async_trait::async_trait;

#[async_trait]
pub trait Timer: Send + Sync {
    /// How long it is since a moment that stays the same.
    fn elapsed(&self) -> Duration;

    /// The wall's time, for dates that a server names.
    fn unix_seconds(&self) -> i64;

    async fn sleep(&self, duration: Duration);
}

/// The real one.
#[derive(Debug, Clone, Copy)]
pub struct SystemTimer(Instant);

impl Default for SystemTimer {
    fn default() -> Self {
        Self(Instant::now())
    }
}

#[async_trait]
impl Timer for SystemTimer {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }

    fn unix_seconds(&self) -> i64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        since.map_or(0, |since| i64::try_from(since.as_secs()).unwrap_or(i64::MAX))
    }

    async fn sleep(&self, duration: Duration) {
        tokio::time::sleep(duration).await;
    }
}
