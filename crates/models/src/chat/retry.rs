//! How long to wait before a call is tried again.

use std::time::Duration;

use crate::limits;
use jiff::fmt::rfc2822::DateTimeParser;

/// The wait after the given number of tries, or nothing when it is time to give up. What the server asked for counts where
/// it is longer.
pub fn wait(tries: usize, asked: Option<Duration>) -> Option<Duration> {
    let ours = *limits::RETRY_WAITS.get(tries.checked_sub(1)?)?;
    let wait = asked.map_or(ours, |asked| asked.max(ours));
    (wait <= limits::RETRY_LONGEST).then_some(wait)
}

/// What a `Retry-After` header says: seconds, or a date.
pub fn asked(header: &str, now_unix_seconds: i64) -> Option<Duration> {
    let header = header.trim();
    if let Ok(seconds) = header.parse::<f64>() {
        // Some servers say fractions. Beyond a day it is all the same, and bounded numbers cannot overflow.
        return (seconds >= 0.0).then(|| Duration::from_secs_f64(seconds.min(86_400.0)));
    }
    let date = DateTimeParser::new().parse_timestamp(header).ok()?;
    let seconds = date.as_second().saturating_sub(now_unix_seconds).clamp(0, 86_400);
    Some(Duration::from_secs(seconds.unsigned_abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_and_end() {
        let seconds =
            |tries, asked: Option<u64>| wait(tries, asked.map(Duration::from_secs)).map(|w| w.as_secs());
        assert_eq!([1, 2, 3, 4].map(|tries| seconds(tries, None)), [Some(1), Some(2), Some(4), None]);
        assert_eq!(seconds(1, Some(7)), Some(7));
        assert_eq!(seconds(3, Some(0)), Some(4));
        assert_eq!((seconds(1, Some(60)), seconds(1, Some(61)), seconds(4, Some(1))), (Some(60), None, None));
    }

    #[test]
    fn seconds_and_dates_are_read() {
        let at = 784_111_777; // Sun, 06 Nov 1994 08:49:37 GMT
        for (header, expected) in [
            ("7", Some(7.0)),
            (" 0.5 ", Some(0.5)),
            ("1e300", Some(86_400.0)),
            ("-1", None),
            ("NaN", None),
            ("soon", None),
            ("Sun, 06 Nov 1994 08:49:57 GMT", Some(20.0)),
            ("Sun, 06 Nov 1994 08:00:00 GMT", Some(0.0)),
        ] {
            assert_eq!(asked(header, at).map(|wait| wait.as_secs_f64()), expected, "{header}");
        }
    }
}
