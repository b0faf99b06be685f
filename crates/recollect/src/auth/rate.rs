//! How often a key may ask: a bucket each, that holds a minute's worth and fills steadily.

use std::collections::HashMap;
use std::time::Instant;

use parking_lot::Mutex;

use crate::limits;

/// The buckets. Shared by all requests; the lock is held for a look-up and some arithmetic.
#[derive(Debug)]
pub struct Rate {
    /// None where there is no bound.
    per_minute: Option<f64>,
    buckets: Mutex<HashMap<String, Bucket>>,
}

#[derive(Debug, Clone, Copy)]
struct Bucket {
    tokens: f64,
    at: Instant,
}

impl Rate {
    /// Zero means as often as one likes.
    pub fn per_minute(requests: u32) -> Self {
        Self { per_minute: (requests > 0).then_some(f64::from(requests)), buckets: Mutex::default() }
    }

    /// Takes one request's worth for whoever asks; or says after how many seconds there is one again. Who asks without a
    /// key, from this very machine or over the socket, is not counted.
    pub fn take(&self, who: &str, now: Instant) -> Result<(), u64> {
        let Some(most) = self.per_minute.filter(|_| who != "loopback" && who != "operator") else {
            return Ok(());
        };
        let per_second = most / 60.0;
        let mut buckets = self.buckets.lock();
        if buckets.len() >= limits::RATE_BUCKETS && !buckets.contains_key(who) {
            // A bucket that is full again is as good as none.
            buckets.retain(|_, bucket| bucket.filled(per_second, most, now) < most);
        }
        let bucket = buckets.entry(who.to_owned()).or_insert(Bucket { tokens: most, at: now });
        let tokens = bucket.filled(per_second, most, now);
        let enough = tokens >= 1.0;
        *bucket = Bucket { tokens: if enough { tokens - 1.0 } else { tokens }, at: now };
        if enough { Ok(()) } else { Err(((1.0 - tokens) / per_second).ceil().max(1.0) as u64) }
    }
}

impl Bucket {
    fn filled(&self, per_second: f64, most: f64, now: Instant) -> f64 {
        (self.tokens + now.saturating_duration_since(self.at).as_secs_f64() * per_second).min(most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_minutes_worth_at_once_and_then_steadily() {
        let rate = Rate::per_minute(6);
        let start = Instant::now();
        for request in 0..6 {
            assert_eq!(rate.take("key_a", start), Ok(()), "{request}");
        }
        assert_eq!(rate.take("key_a", start), Err(10));
        assert_eq!(rate.take("key_b", start), Ok(()), "each has its own");
        let later = start + Duration::from_secs(4);
        assert_eq!(rate.take("key_a", later), Err(6));
        assert_eq!(rate.take("key_a", start + Duration::from_secs(11)), Ok(()));
        assert_eq!(rate.take("key_a", start + Duration::from_secs(11)), Err(9));
        let much_later = start + Duration::from_secs(3_600);
        for request in 0..6 {
            assert_eq!(rate.take("key_a", much_later), Ok(()), "{request}");
        }
        assert!(rate.take("key_a", much_later).is_err(), "it holds a minute's worth and no more");
    }

    #[test]
    fn no_bound_and_no_key() {
        let now = Instant::now();
        assert!((0..1_000).all(|_| Rate::per_minute(0).take("key_a", now).is_ok()));
        let rate = Rate::per_minute(1);
        assert!((0..10).all(|_| rate.take("loopback", now).is_ok() && rate.take("operator", now).is_ok()));
    }

    #[test]
    fn buckets_are_bounded() {
        let (rate, now) = (Rate::per_minute(60), Instant::now());
        for key in 0..limits::RATE_BUCKETS {
            assert_eq!(rate.take(&key.to_string(), now), Ok(()));
        }
        assert_eq!(rate.take("one more", now + Duration::from_secs(60)), Ok(()));
        assert_eq!(rate.buckets.lock().len(), 1);
    }
}
