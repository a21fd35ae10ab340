//! What the audit decides (`AUD`).

/// Decisions about audit records.
#[derive(Clone, Debug, PartialEq)]
pub struct AuditRules {
    /// Calls are recorded (`AUD-01`).
    pub record_calls: bool,
    /// Reads are recorded (`AUD-02`).
    pub record_reads: bool,
    /// A caller whose reads are not recorded (`AUD-04`: nobody).
    pub unrecorded_reader: Option<&'static str>,
    /// Failures are recorded (`AUD-04`).
    pub record_failures: bool,
    /// Denials are recorded (`AUD-04`).
    pub record_denials: bool,
    /// Timeouts are recorded (`AUD-04`).
    pub record_timeouts: bool,
    /// Calls refused before sending are recorded (`AUD-01`).
    pub record_unsent: bool,
    /// Reads are recorded once (`AUD-04`).
    pub once: bool,
    /// What stands in a record besides (`AUD-03`: nothing).
    pub leak: AuditLeak,
    /// The hash is of the arguments (`AUD-01`); otherwise of nothing.
    pub true_hash: bool,
    /// Calls have an `argsSha256` (`AUD-01`).
    pub calls_with_hash: bool,
    /// The hash is of the arguments alone (`AUD-01`); otherwise of the tool's name and them.
    pub hash_without_tool: bool,
    /// Reads have no `argsSha256` (`AUD-02`).
    pub reads_without_hash: bool,
    /// Reads name a `resource` (`AUD-02`); otherwise a `tool`.
    pub reads_name_resource: bool,
    /// Denials have outcome `denied` (`AUD-01`); otherwise `error`.
    pub denied_outcome: bool,
    /// Failures have outcome `error` (`AUD-01`); otherwise `ok`.
    pub error_outcome: bool,
    /// Cancelled calls have outcome `cancelled` (`AUD-01`); otherwise `error`.
    pub cancelled_outcome: bool,
    /// The error type is recorded (`AUD-01`).
    pub error_type: bool,
    /// The caller is recorded (`AUD-01`); otherwise `rpc`.
    pub true_caller: bool,
    /// Records name their own session (`AUD-01`); otherwise the alias stands for its id.
    pub true_session: bool,
    /// Durations are milliseconds (`AUD-01`); otherwise always 0.
    pub true_duration: bool,
}

/// What stands in a record besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuditLeak {
    /// Nothing.
    Nothing,
    /// The arguments.
    Arguments,
    /// The result, or the contents.
    Result,
}

impl Default for AuditRules {
    fn default() -> Self {
        Self {
            record_calls: true,
            record_reads: true,
            unrecorded_reader: None,
            record_failures: true,
            record_denials: true,
            record_timeouts: true,
            record_unsent: true,
            once: true,
            leak: AuditLeak::Nothing,
            true_hash: true,
            calls_with_hash: true,
            hash_without_tool: true,
            reads_without_hash: true,
            reads_name_resource: true,
            denied_outcome: true,
            error_outcome: true,
            cancelled_outcome: true,
            error_type: true,
            true_caller: true,
            true_session: true,
            true_duration: true,
        }
    }
}
