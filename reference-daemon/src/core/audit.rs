//! One record per tool call and resource read that named a live session (`BRG-AUD-01` … `BRG-AUD-04`).

use serde::Serialize;
use serde_json::Value;

/// How a call or read ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The app answered with a result.
    Ok,
    /// It failed: `errorType` says how.
    Error,
    /// Policy refused it.
    Denied,
    /// It was cancelled.
    Cancelled,
}

/// What stands in one line of the audit file. Arguments, results and contents never do (`BRG-AUD-03`).
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditRecord {
    /// When it ended, ISO 8601 in UTC with milliseconds.
    pub ts: String,
    /// The session.
    pub session_id: String,
    /// Its alias at that time.
    pub alias: String,
    /// The tool, for a call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The resource, for a read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource: Option<String>,
    /// Lower-case hex SHA-256 of the arguments' JSON text, for a call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub args_sha256: Option<String>,
    /// How it ended.
    pub outcome: Outcome,
    /// The error type, unless it ended well.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_type: Option<String>,
    /// Milliseconds from the request to the end.
    pub duration_ms: u64,
    /// Who asked, as the request's `caller` says; `rpc` without one.
    pub caller: String,
    /// Arguments or results, where a bent rule table lets them in. Never by the contract (`BRG-AUD-03`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leaked: Option<Value>,
}

impl AuditRecord {
    /// The UTC date, `YYYY-MM-DD`, that names the file the record belongs to.
    pub fn utc_date(&self) -> &str {
        self.ts.get(..10).unwrap_or(&self.ts)
    }

    /// The record as one line of JSON, without a newline.
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}
