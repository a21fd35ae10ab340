//! What the tool registry and tool calls decide (`TOL`).

use super::in_flight::InFlightRules;
use super::registry::RegistryRules;

/// Decisions about tools.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolRules {
    /// The registry.
    pub registry: RegistryRules,
    /// Calls in flight.
    pub in_flight: InFlightRules,
    /// What happens to arguments on their way to the app (`TOL-07`).
    pub arguments: Alteration,
    /// What happens to results on their way back (`TOL-07`).
    pub result: Alteration,
    /// A tool's `timeout_ms` is obeyed (`TOL-09`).
    pub obey_tool_timeout: bool,
    /// Cancelling tells the app (`TOL-13`).
    pub cancel_reaches_app: bool,
    /// Progress need not have a number (`TOL-14`).
    pub progress_without_number: bool,
    /// A cancel names the app's session (`TOL-13`); otherwise the call's id stands in its place, too.
    pub cancel_names_session: bool,
    /// Cancelling waits for the app to end the call (`TOL-13`); otherwise it ends at once.
    pub cancel_waits: bool,
    /// What cancelling something unknown or finished answers (`TOL-13`: `false`).
    pub cancel_unknown: bool,
    /// Cancelling ends one call (`TOL-16`); otherwise all calls of that tool.
    pub cancel_one: bool,
    /// Progress becomes an event (`TOL-14`).
    pub forward_progress: bool,
    /// Progress of a finished call goes nowhere (`TOL-14`).
    pub drop_late_progress: bool,
    /// Progress names its own call (`TOL-16`); otherwise the newest of that session.
    pub progress_own_call: bool,
    /// `result: null` is a success (`TOL-15`); otherwise `tool_execution_error`.
    pub null_is_success: bool,
    /// Closing the caller's connection cancels its calls (`TOL-17`).
    pub close_cancels: bool,
    /// Closing a connection cancels only its own calls (`TOL-17`).
    pub close_cancels_own_only: bool,
    /// The reason told to the app then (`TOL-17`).
    pub close_reason: &'static str,
}

/// What happens to JSON that should pass unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alteration {
    /// Nothing.
    None,
    /// Members that are `null` are dropped.
    DropNulls,
    /// Numbers lose digits, as in a 32-bit float.
    RoundNumbers,
    /// Text loses white space at both ends.
    TrimText,
    /// Characters outside ASCII become `?`.
    AsciiOnly,
    /// What lies deeper than eight levels becomes `null`.
    CutDeep,
    /// Empty arrays, objects and texts that are members are dropped.
    DropEmpty,
    /// Texts end after 64 KiB.
    CutLong,
    /// Texts end after 100 KiB.
    CutVeryLong,
    /// A character that lies across a border of 64 KiB becomes a replacement character.
    SplitLong,
    /// Line separators of Unicode end a line: each becomes a newline.
    LineSeparators,
}

impl Default for ToolRules {
    fn default() -> Self {
        Self {
            registry: RegistryRules::default(),
            in_flight: InFlightRules::default(),
            arguments: Alteration::None,
            result: Alteration::None,
            obey_tool_timeout: true,
            cancel_reaches_app: true,
            progress_without_number: true,
            cancel_names_session: true,
            cancel_waits: true,
            cancel_unknown: false,
            cancel_one: true,
            forward_progress: true,
            drop_late_progress: true,
            progress_own_call: true,
            null_is_success: true,
            close_cancels: true,
            close_cancels_own_only: true,
            close_reason: "connection_closed",
        }
    }
}
