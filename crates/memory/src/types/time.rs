//! A moment, to the microsecond, always UTC, always written in the same width.
//!
//! The fixed width matters: stores compare times as text, so `…00.000000Z` must sort before `…00.500000Z`, which
//! the shortest RFC 3339 form does not do.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A moment in UTC with microsecond precision.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(Timestamp);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{given}` is not a time; expected a date such as 2026-05-01 or a time such as 2026-05-01T12:30:00Z")]
pub struct TimeError {
    pub given: String,
}

impl Time {
    /// The earliest moment that still sorts as text.
    pub const MIN: Time = Time(Timestamp::UNIX_EPOCH);

    pub fn from_timestamp(timestamp: Timestamp) -> Self {
        Self::from_microseconds(timestamp.as_microsecond())
    }

    pub fn from_microseconds(microseconds: i64) -> Self {
        Self(Timestamp::from_microsecond(microseconds).unwrap_or(Timestamp::UNIX_EPOCH))
    }

    pub fn microseconds(self) -> i64 {
        self.0.as_microsecond()
    }

    pub fn timestamp(self) -> Timestamp {
        self.0
    }

    /// The calendar day in UTC.
    pub fn date(self) -> Date {
        self.0.to_zoned(TimeZone::UTC).date()
    }

    /// The calendar day where somebody is.
    pub fn date_in(self, zone: &TimeZone) -> Date {
        self.0.to_zoned(zone.clone()).date()
    }

    /// When a day begins where somebody is; in UTC where the zone knows no such moment.
    pub fn from_date_in(date: Date, zone: &TimeZone) -> Self {
        match date.clamp(jiff::civil::date(1, 1, 2), jiff::civil::date(9998, 12, 30)).to_zoned(zone.clone()) {
            Ok(zoned) => Self::from_timestamp(zoned.timestamp()),
            Err(_) => Self::from_date(date),
        }
    }

    /// Midnight UTC of a day. Days outside the years 1 to 9998 ("before 2020" begins at the beginning of time) are taken
    /// as the nearest day inside, because they would not sort as text.
    pub fn from_date(date: Date) -> Self {
        let date = date.clamp(jiff::civil::date(1, 1, 1), jiff::civil::date(9998, 12, 31));
        let zoned = date.to_zoned(TimeZone::UTC).expect("every day of these years exists in UTC");
        Self(zoned.timestamp())
    }

    pub fn plus_seconds(self, seconds: i64) -> Self {
        Self::from_microseconds(self.microseconds().saturating_add(seconds.saturating_mul(1_000_000)))
    }

    /// Days from `earlier` to `self`; negative when `self` is the earlier one.
    pub fn days_since(self, earlier: Time) -> f64 {
        (self.microseconds() - earlier.microseconds()) as f64 / 86_400_000_000.0
    }
}

impl fmt::Display for Time {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:.6}", self.0)
    }
}

impl fmt::Debug for Time {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl FromStr for Time {
    type Err = TimeError;

    /// Reads an RFC 3339 time, a date (midnight UTC), or a date and time without a zone (taken as UTC).
    fn from_str(text: &str) -> Result<Self, TimeError> {
        let text = text.trim();
        if let Ok(timestamp) = text.parse::<Timestamp>() {
            return Ok(Self::from_timestamp(timestamp));
        }
        if let Ok(moment) = text.parse::<jiff::civil::DateTime>()
            && let Ok(zoned) = moment.to_zoned(TimeZone::UTC)
        {
            return Ok(Self::from_timestamp(zoned.timestamp()));
        }
        Err(TimeError { given: crate::types::shown(text) })
    }
}

impl JsonSchema for Time {
    fn schema_name() -> Cow<'static, str> {
        "Time".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "format": "date-time" })
    }
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_order_is_time_order() {
        let whole: Time = "2026-05-01T10:00:00Z".parse().expect("a plain time");
        let later: Time = "2026-05-01T10:00:00.5Z".parse().expect("a fractional time");
        assert!(whole < later);
        assert!(whole.to_string() < later.to_string());
        assert_eq!(whole.to_string(), "2026-05-01T10:00:00.000000Z");
    }

    #[test]
    fn dates_and_zoneless_times_are_utc() {
        let date: Time = "2026-05-01".parse().expect("a date");
        assert_eq!(date.to_string(), "2026-05-01T00:00:00.000000Z");
        let zoneless: Time = "2026-05-01T08:30".parse().expect("a zoneless time");
        assert_eq!(zoneless.to_string(), "2026-05-01T08:30:00.000000Z");
        assert!("yesterday".parse::<Time>().is_err());
    }
}
