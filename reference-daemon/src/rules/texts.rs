//! What happens to long texts and to frames of certain lengths (`CON-10`, `MCP-34`), and how much may be open at once.

use super::Alteration;

/// Decisions about lengths and numbers. [`Default`] is the contract.
#[derive(Clone, Debug, PartialEq)]
pub struct TextRules {
    /// What happens to the payload of an app's event (`RPC-06`).
    pub event_payload: Alteration,
    /// What happens to the details of an app's error (`TOL-08`).
    pub error_details: Alteration,
    /// Frames of exactly so many bytes are taken for too long (`CON-10`: none).
    pub refused_length: Option<usize>,
    /// Frames of that many bytes or more are taken for too long (`CON-08`: only those over the limit).
    pub refused_from: Option<usize>,
    /// Calls of that many bytes or more never reach the app (`TOL-07`: all that fit do).
    pub unsent_from: Option<usize>,
    /// One app has so many calls open at most, any other is refused (`TOL-10`: no limit).
    pub open_calls: Option<usize>,
    /// So many ids go round among all calls (`TOL-10`: each has its own).
    pub call_ids: Option<u64>,
    /// The daemon has so many reads open at most, any other is refused (`RES-11`: no limit).
    pub open_reads: Option<usize>,
}

impl Default for TextRules {
    fn default() -> Self {
        Self {
            event_payload: Alteration::None,
            error_details: Alteration::None,
            refused_length: None,
            refused_from: None,
            unsent_from: None,
            open_calls: None,
            call_ids: None,
            open_reads: None,
        }
    }
}
