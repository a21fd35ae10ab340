//! How long times may be (`LNK-07`).

/// Decisions about times that are long. [`Default`] is the contract.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TimeRules {
    /// How the timer of a link counts.
    pub link_timer: TimerWidth,
    /// How the timer of a grace counts.
    pub grace_timer: TimerWidth,
    /// How a deadline that a caller asks for is counted before it is clamped.
    pub caller_deadline: TimerWidth,
    /// How a deadline that a tool asks for is counted before it is clamped.
    pub tool_deadline: TimerWidth,
    /// A link that is to live longer, in seconds, is refused (none is).
    pub longest_link_s: Option<u64>,
    /// A link lives so many seconds at most (no limit).
    pub link_cap_s: Option<u64>,
    /// A suspended session is kept so many seconds at most (no limit).
    pub grace_cap_s: Option<u64>,
    /// A call with a longer deadline, in milliseconds, is refused (none is).
    pub longest_deadline_ms: Option<u64>,
}

/// How a timer counts milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimerWidth {
    /// All of them.
    #[default]
    Whole,
    /// In 32 bits with a sign; what does not fit is over at once.
    Signed,
    /// In 32 bits without a sign; what does not fit loses its upper bits.
    Unsigned,
}

impl TimerWidth {
    /// What becomes of so many milliseconds.
    pub fn count(self, ms: u64) -> u64 {
        match self {
            Self::Whole => ms,
            Self::Signed => match i32::try_from(ms) {
                Ok(_) => ms,
                Err(_) => 1,
            },
            Self::Unsigned => ms & u64::from(u32::MAX),
        }
    }
}
