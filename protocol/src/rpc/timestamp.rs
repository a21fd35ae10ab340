//! Moments on the control RPC and in the audit.

use serde_json::Value;
use std::fmt;

/// A moment, to the millisecond. It is written as ISO 8601 in UTC with three decimals
/// (`2026-07-28T12:00:00.000Z`), wherever the contract has a time: the contract asks for it in session summaries, and
/// one form everywhere is what a reader expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(jiff::Timestamp);

impl Timestamp {
    /// The moment so many milliseconds after 1970. Moments beyond the year 9999 count as its end.
    pub fn from_unix_ms(milliseconds: u64) -> Self {
        let moment = i64::try_from(milliseconds).ok().and_then(|ms| jiff::Timestamp::from_millisecond(ms).ok());
        Self(moment.unwrap_or(jiff::Timestamp::MAX))
    }

    /// The moment so many seconds after 1970. Moments beyond the year 9999 count as its end.
    pub fn from_unix_seconds(seconds: u64) -> Self {
        Self::from_unix_ms(seconds.saturating_mul(1_000))
    }

    /// Reads ISO 8601 with an offset, or `Z`.
    pub fn parse(text: &str) -> Option<Self> {
        text.parse().ok().map(Self)
    }

    /// Reads either form that a daemon may send: ISO 8601, or a number of unix seconds.
    pub fn decode(value: &Value) -> Option<Self> {
        match value {
            Value::String(text) => Self::parse(text),
            Value::Number(number) => number.as_u64().map(Self::from_unix_seconds),
            _ => None,
        }
    }

    /// Milliseconds after 1970; 0 for moments before it.
    pub fn unix_ms(self) -> u64 {
        u64::try_from(self.0.as_millisecond()).unwrap_or(0)
    }

    /// Whole seconds after 1970; 0 for moments before it.
    pub fn unix_seconds(self) -> u64 {
        u64::try_from(self.0.as_second()).unwrap_or(0)
    }

    /// The day in UTC, as the audit names its files: `2026-07-28` (BRG-AUD-01).
    pub fn utc_date(self) -> String {
        self.0.strftime("%Y-%m-%d").to_string()
    }

    /// The wire form.
    pub fn to_json(self) -> Value {
        Value::String(self.to_string())
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3}", self.0)
    }
}

crate::serialized_as_text!(Timestamp);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn is_written_with_three_decimals() {
        let moment = Timestamp::from_unix_seconds(1_785_240_000);
        assert_eq!(moment.to_string(), "2026-07-28T12:00:00.000Z");
        assert_eq!(moment.utc_date(), "2026-07-28");
        assert_eq!(Timestamp::from_unix_ms(u64::MAX).utc_date(), "9999-12-30");
    }

    #[test]
    fn both_forms_are_read() {
        let moment = Timestamp::from_unix_seconds(1_785_240_000);
        assert_eq!(Timestamp::decode(&serde_json::json!("2026-07-28T14:00:00+02:00")), Some(moment));
        assert_eq!(Timestamp::decode(&serde_json::json!(1_785_240_000)), Some(moment));
        assert_eq!(Timestamp::decode(&serde_json::json!("yesterday")), None);
        assert_eq!(Timestamp::decode(&serde_json::json!(null)), None);
    }

    proptest! {
        #[test]
        fn survives(ms in 0u64..4_000_000_000_000) {
            let moment = Timestamp::from_unix_ms(ms);
            prop_assert_eq!(moment.unix_ms(), ms);
            prop_assert_eq!(Timestamp::decode(&moment.to_json()), Some(moment));
        }
    }
}
