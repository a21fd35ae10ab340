//! What the audit decides (`AUD`).

use super::Fault;

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

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        id: "aud-calls-unrecorded",
        promises: &["BRG-AUD-01", "BRG-AUD-04"],
        title: "Calls are not recorded",
        bend: |rules| rules.audit.record_calls = false,
    },
    Fault {
        id: "aud-hash-wrong",
        promises: &["BRG-AUD-01"],
        title: "argsSha256 is the hash of nothing",
        bend: |rules| rules.audit.true_hash = false,
    },
    Fault {
        id: "aud-hash-missing",
        promises: &["BRG-AUD-01"],
        title: "Records of calls lack argsSha256",
        bend: |rules| rules.audit.calls_with_hash = false,
    },
    Fault {
        id: "aud-hash-names-tool",
        promises: &["BRG-AUD-01"],
        title: "argsSha256 is of the tool's name and the arguments",
        bend: |rules| rules.audit.hash_without_tool = false,
    },
    Fault {
        id: "aud-denied-as-error",
        promises: &["BRG-AUD-01", "BRG-AUD-04"],
        title: "Denials are recorded as errors",
        bend: |rules| rules.audit.denied_outcome = false,
    },
    Fault {
        id: "aud-error-as-ok",
        promises: &["BRG-AUD-01", "BRG-AUD-04"],
        title: "Failures are recorded as successes",
        bend: |rules| rules.audit.error_outcome = false,
    },
    Fault {
        id: "aud-cancelled-as-error",
        promises: &["BRG-AUD-01"],
        title: "Cancelled calls are recorded as errors",
        bend: |rules| rules.audit.cancelled_outcome = false,
    },
    Fault {
        id: "aud-error-type-missing",
        promises: &["BRG-AUD-01"],
        title: "Records lack the error type",
        bend: |rules| rules.audit.error_type = false,
    },
    Fault {
        id: "aud-caller-lost",
        promises: &["BRG-AUD-01"],
        title: "Every record names rpc as the caller",
        bend: |rules| rules.audit.true_caller = false,
    },
    Fault {
        id: "aud-session-wrong",
        promises: &["BRG-AUD-01", "BRG-AUD-02"],
        title: "Records give the alias as session id",
        bend: |rules| rules.audit.true_session = false,
    },
    Fault {
        id: "aud-duration-zero",
        promises: &["BRG-AUD-01"],
        title: "Every record has a duration of 0",
        bend: |rules| rules.audit.true_duration = false,
    },
    Fault {
        id: "aud-unsent-unrecorded",
        promises: &["BRG-AUD-01", "BRG-AUD-04"],
        title: "Calls of unknown tools and to suspended sessions are not recorded",
        bend: |rules| rules.audit.record_unsent = false,
    },
    Fault {
        id: "aud-reads-unrecorded",
        promises: &["BRG-AUD-02", "BRG-AUD-04"],
        title: "Reads are not recorded",
        bend: |rules| rules.audit.record_reads = false,
    },
    Fault {
        id: "aud-reads-hashed",
        promises: &["BRG-AUD-02"],
        title: "Records of reads have an argsSha256",
        bend: |rules| rules.audit.reads_without_hash = false,
    },
    Fault {
        id: "aud-reads-name-tool",
        promises: &["BRG-AUD-02"],
        title: "Records of reads name a tool",
        bend: |rules| rules.audit.reads_name_resource = false,
    },
    Fault {
        id: "aud-arguments-leaked",
        promises: &["BRG-AUD-03"],
        title: "Arguments stand in the audit",
        bend: |rules| rules.audit.leak = AuditLeak::Arguments,
    },
    Fault {
        id: "aud-results-leaked",
        promises: &["BRG-AUD-03"],
        title: "Results and contents stand in the audit",
        bend: |rules| rules.audit.leak = AuditLeak::Result,
    },
    Fault {
        id: "aud-failures-unrecorded",
        promises: &["BRG-AUD-04"],
        title: "Failures are not recorded",
        bend: |rules| rules.audit.record_failures = false,
    },
    Fault {
        id: "aud-denials-unrecorded",
        promises: &["BRG-AUD-04"],
        title: "Denials are not recorded",
        bend: |rules| rules.audit.record_denials = false,
    },
    Fault {
        id: "aud-timeouts-unrecorded",
        promises: &["BRG-AUD-04"],
        title: "Timeouts are not recorded",
        bend: |rules| rules.audit.record_timeouts = false,
    },
    Fault {
        id: "aud-reads-recorded-twice",
        promises: &["BRG-AUD-04", "BRG-AUD-01"],
        title: "Every read is recorded twice",
        bend: |rules| rules.audit.once = false,
    },
    Fault {
        id: "aud-mcp-reads-unrecorded",
        promises: &["BRG-AUD-04", "BRG-AUD-02", "BRG-AUD-01"],
        title: "Reads through MCP are not recorded",
        bend: |rules| rules.audit.unrecorded_reader = Some("mcp"),
    },
];
