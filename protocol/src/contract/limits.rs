//! The numbers of the contract.

/// Every number that a rule of the contract measures against.
///
/// Lengths of text are counted in **characters: Unicode scalar values**, not in bytes and not in UTF-16 units. The
/// contract says "characters" and no more; a scalar value is the only unit that is the same in every language an app
/// may be written in. Frames and lines are counted in bytes, as the contract says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Longest WebSocket message, in bytes, either way (BRG-CON-08, BRG-CON-18).
    pub frame_bytes: usize,
    /// Deepest nesting of arrays and objects in a frame. The contract is silent; a bound keeps one app from
    /// exhausting a reader's stack (BRG-CON-11).
    pub json_depth: usize,
    /// Longest session id in a frame, in characters.
    pub session_id_max: usize,
    /// Longest claim or resume token, in characters.
    pub token_max: usize,
    /// Longest alias, in characters.
    pub alias_max: usize,
    /// Longest call or read id that a daemon sends, in characters (BRG-CON-18).
    pub call_id_max: usize,
    /// Longest `device_*` field of a claim, in characters.
    pub device_field_max: usize,
    /// Longest name of a tool, in characters.
    pub tool_name_max: usize,
    /// Longest name of a resource, in characters.
    pub resource_name_max: usize,
    /// Longest `description` of a descriptor, in characters.
    pub description_max: usize,
    /// Longest `message` of an app's error, in characters.
    pub message_max: usize,
    /// Longest `reason` of a cancellation, in characters (BRG-TOL-19).
    pub reason_max: usize,
    /// Longest `name` of an event, in characters.
    pub event_name_max: usize,
    /// Longest `name` in a delta that removes, in characters.
    pub remove_name_max: usize,
    /// Longest `uri` of a resource, in characters (all ASCII, so bytes too).
    pub uri_max: usize,
    /// Longest `mime_type` of a resource, in characters.
    pub mime_type_max: usize,
    /// Longest `title` of a resource, in characters.
    pub title_max: usize,
    /// Largest `size` of a resource: 2^53 - 1, the largest integer that every JSON reader keeps.
    pub size_max: u64,
    /// The `protocol_version` of claim and resume.
    pub protocol_version: u64,
    /// Longest line of the control RPC, in bytes, without the newline (BRG-RPC-08).
    pub rpc_line_bytes: usize,
    /// Failed claims after which a link is dead (BRG-SES-03).
    pub claim_attempts: u32,
    /// Milliseconds from connecting to a claim or resume (BRG-CON-04).
    pub pre_claim_ms: u64,
    /// Missed pongs that count as a lost socket (BRG-CON-09).
    pub missed_pongs: u32,
    /// Deadline of a call or read when neither caller nor tool gives one, in milliseconds (BRG-TOL-09).
    pub deadline_default_ms: u64,
    /// Shortest deadline, in milliseconds.
    pub deadline_min_ms: u64,
    /// Longest deadline, in milliseconds.
    pub deadline_max_ms: u64,
    /// Events kept per session when the configuration says nothing (BRG-RPC-07).
    pub event_buffer: usize,
    /// Longest tool name on the MCP side, in characters (BRG-MCP-28).
    pub exposed_name_max: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            frame_bytes: 262_144,
            json_depth: 128,
            session_id_max: 128,
            token_max: 128,
            alias_max: 128,
            call_id_max: 128,
            device_field_max: 256,
            tool_name_max: 64,
            resource_name_max: 64,
            description_max: 4_096,
            message_max: 4_096,
            reason_max: 4_096,
            event_name_max: 4_096,
            remove_name_max: 4_096,
            uri_max: 2_048,
            mime_type_max: 255,
            title_max: 256,
            size_max: (1 << 53) - 1,
            protocol_version: 2,
            rpc_line_bytes: 1 << 20,
            claim_attempts: 5,
            pre_claim_ms: 10_000,
            missed_pongs: 2,
            deadline_default_ms: 10_000,
            deadline_min_ms: 1_000,
            deadline_max_ms: 600_000,
            event_buffer: 256,
            exposed_name_max: 64,
        }
    }
}

impl Limits {
    /// The deadline of a call or read, in milliseconds: what the caller asks, else what the tool asks, else the
    /// default, brought within the two bounds (BRG-TOL-09).
    ///
    /// ```
    /// let limits = iolite_protocol::contract::Limits::default();
    /// assert_eq!(limits.deadline_ms(None, None), 10_000);
    /// assert_eq!(limits.deadline_ms(Some(5), Some(30_000)), 1_000);
    /// ```
    pub fn deadline_ms(&self, caller: Option<u64>, tool: Option<u64>) -> u64 {
        caller.or(tool).unwrap_or(self.deadline_default_ms).min(self.deadline_max_ms).max(self.deadline_min_ms)
    }
}
