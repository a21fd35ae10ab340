//! What minting a link decides (`LNK`).

/// Decisions of `link.create`.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkRules {
    /// The answer names the link's own session (`LNK-02`); otherwise that of the link before.
    pub told_session: bool,
    /// The payload names the link's own session (`LNK-01`); otherwise a fresh id that nobody knows.
    pub payload_session: bool,
    /// Added to the port in the payload (`LNK-01`: 0).
    pub payload_port_shift: u16,
    /// Seconds added to the expiry in the payload (`LNK-01`: 0).
    pub payload_expiry_shift: u64,
    /// Version byte of the payload (`LNK-01`: 2).
    pub payload_version: u8,
    /// A member missing from the answer (`LNK-01`: none).
    pub dropped_member: Option<&'static str>,
    /// Random bytes in a session id (`LNK-02`: 12).
    pub session_id_bytes: usize,
    /// Random bytes in a token (`LNK-02`: 32); the rest is zero.
    pub token_random_bytes: usize,
    /// Every link has a token of its own (`LNK-02`); otherwise all share the first one's.
    pub fresh_token: bool,
    /// Every request makes a link of its own (`LNK-02`); otherwise the last one's answer comes again.
    pub fresh_link: bool,
    /// `ttlSeconds` is obeyed (`LNK-03`).
    pub obey_ttl: bool,
    /// Milliseconds in a second of `ttlSeconds` (`LNK-03`: 1,000).
    pub ttl_unit_ms: u64,
    /// The configured TTL is obeyed without `ttlSeconds` (`LNK-03`); otherwise it is an hour.
    pub obey_configured_ttl: bool,
    /// What a request for a link leaves behind that is refused (`LNK-06`).
    pub refused: RefusedLink,
    /// `addressOverride` is obeyed (`LNK-03`).
    pub obey_address_override: bool,
    /// The pin is the leaf's (`LNK-04`); otherwise the pin of some other key.
    pub true_pin: bool,
    /// `daemon.status.pinnedKeys` lists the pins (`LNK-04`).
    pub status_lists_pins: bool,
}

/// What a request for a link leaves behind that is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusedLink {
    /// Nothing.
    Nothing,
    /// A pending link that nobody is told of.
    Pending,
    /// An event of a link that there is not.
    Event,
}

impl Default for LinkRules {
    fn default() -> Self {
        Self {
            told_session: true,
            payload_session: true,
            payload_port_shift: 0,
            payload_expiry_shift: 0,
            payload_version: 2,
            dropped_member: None,
            session_id_bytes: 12,
            token_random_bytes: 32,
            fresh_token: true,
            fresh_link: true,
            obey_ttl: true,
            ttl_unit_ms: 1_000,
            obey_configured_ttl: true,
            refused: RefusedLink::Nothing,
            obey_address_override: true,
            true_pin: true,
            status_lists_pins: true,
        }
    }
}
