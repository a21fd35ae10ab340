//! Moments as text.

use super::io::Now;
use crate::rules::RpcRules;
use jiff::Timestamp;
use jiff::fmt::temporal::DateTimePrinter;

impl Now {
    /// The moment `ms` milliseconds later.
    #[must_use]
    pub fn plus(self, ms: u64) -> Self {
        Self { unix_ms: self.unix_ms.saturating_add(ms) }
    }

    /// Milliseconds since `earlier`, 0 if that is later.
    pub fn since(self, earlier: Self) -> u64 {
        self.unix_ms.saturating_sub(earlier.unix_ms)
    }

    /// ISO 8601 in UTC with milliseconds, e.g. `2026-07-28T09:30:00.000Z`.
    pub fn iso(self) -> String {
        let moment = i64::try_from(self.unix_ms).ok().and_then(|ms| Timestamp::from_millisecond(ms).ok());
        PRINTER.timestamp_to_string(&moment.unwrap_or(Timestamp::MAX))
    }
}

/// A moment as the RPC writes it.
pub(super) fn time_text(moment: Now, rules: &RpcRules) -> String {
    match rules.iso_times {
        true => moment.iso(),
        false => moment.unix_ms.to_string(),
    }
}

/// To the millisecond, also where that is zero.
const PRINTER: DateTimePrinter = DateTimePrinter::new().precision(Some(3));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_iso_8601_in_utc() {
        let moment = Now { unix_ms: 1_785_231_000_007 };
        assert_eq!(moment.iso(), "2026-07-28T09:30:00.007Z");
        assert_eq!(Now { unix_ms: 0 }.iso(), "1970-01-01T00:00:00.000Z");
        assert!(Now { unix_ms: u64::MAX }.iso().ends_with('Z'));
    }

    #[test]
    fn moments_never_overflow() {
        let last = Now { unix_ms: u64::MAX };
        assert_eq!(last.plus(1), last);
        assert_eq!(Now { unix_ms: 0 }.since(last), 0);
    }
}
