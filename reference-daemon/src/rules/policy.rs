//! What the policy decides (`POL`), given its configuration.

/// Decisions about calls and reads.
#[derive(Clone, Debug, PartialEq)]
pub struct PolicyRules {
    /// Overrides of single tools count (`POL-01`).
    pub obey_overrides: bool,
    /// Overrides are keyed by alias and name (`POL-01`); otherwise by name alone.
    pub override_by_alias: bool,
    /// `destructiveHint: true` is judged by `destructive` (`POL-01`).
    pub obey_destructive: bool,
    /// The default counts (`POL-01`).
    pub obey_default: bool,
    /// An override outranks `destructive` (`POL-01`).
    pub override_first: bool,
    /// What is denied is not sent (`POL-01`); otherwise the app gets it, and the caller the denial.
    pub deny_before_sending: bool,
    /// `prompt` denies (`POL-01`); otherwise it allows.
    pub prompt_denies: bool,
    /// A denial by `prompt` says so (`POL-01`).
    pub prompt_reason: bool,
    /// The error type of a denial (`POL-01`).
    pub denied_type: &'static str,
    /// Reads are never judged by `destructive` (`POL-02`).
    pub reads_not_destructive: bool,
    /// Reads do not follow the default (`POL-03`).
    pub reads_own_rule: bool,
    /// `policy.resources` counts (`POL-03`).
    pub obey_resources: bool,
    /// A caller whose reads are not judged (`POL-04`: nobody).
    pub exempt_reader: Option<&'static str>,
    /// A caller whose calls are not judged (`POL-01`: nobody).
    pub exempt_caller: Option<&'static str>,
    /// Lists show the effective policy (`RPC-02`); otherwise always `allow`.
    pub show_effective: bool,
}

impl Default for PolicyRules {
    fn default() -> Self {
        Self {
            obey_overrides: true,
            override_by_alias: true,
            obey_destructive: true,
            obey_default: true,
            override_first: true,
            deny_before_sending: true,
            prompt_denies: true,
            prompt_reason: true,
            denied_type: "policy_denied",
            reads_not_destructive: true,
            reads_own_rule: true,
            obey_resources: true,
            exempt_reader: None,
            exempt_caller: None,
            show_effective: true,
        }
    }
}
