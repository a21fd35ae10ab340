//! Faults of the audit.

use super::fault::Fault;
use crate::rules::AuditLeak;

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
