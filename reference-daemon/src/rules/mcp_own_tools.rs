//! What the MCP server's own tools decide, but for the two fallback tools (`MCP-29` … `MCP-31`).

/// Decisions of the tools that mint a link, tell of events and wait.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnToolRules {
    /// `connect` gives all that `link.create` gives (`MCP-29`); otherwise the session id and the deep link only.
    pub whole_link: bool,
    /// `connect` obeys `ttlSeconds` (`MCP-29`).
    pub obey_ttl: bool,
    /// How many seconds a second of `ttlSeconds` has (`MCP-29`: 1).
    pub ttl_factor: u64,
    /// The minted link can be claimed (`MCP-29`); otherwise it is taken back at once.
    pub link_stands: bool,
    /// Each `connect` mints a link of its own (`LNK-02`); otherwise the first one is given again.
    pub fresh_link: bool,
    /// Arguments of the wrong type are refused (`MCP-29` … `MCP-31`).
    pub odd_arguments: OddArguments,
    /// An argument that `events` forgets on its way to `events.since` (`MCP-29`: none).
    pub events_forget: Option<&'static str>,
    /// `events` gives the cursor (`MCP-29`).
    pub events_cursor: bool,
    /// `events` keeps the order of `events.since` (`MCP-29`).
    pub events_in_order: bool,
    /// What `events.since` refuses is an error (`MCP-29`); otherwise there are no events.
    pub events_failures: bool,
    /// A wait for a live session ends at once (`MCP-30`); otherwise only a claim ends it.
    pub live_at_once: bool,
    /// A suspended session is a live one (`MCP-30`).
    pub suspended_is_live: bool,
    /// A wait for a session ends with its own claim (`MCP-30`); otherwise with anybody's.
    pub own_claim: bool,
    /// A wait for a session notices that it was claimed (`MCP-30`).
    pub notice_claim: bool,
    /// Several may wait for one session (`MCP-30`); otherwise the later wait takes the place of the earlier.
    pub several_wait: bool,
    /// The answer to a wait for a session names the alias (`MCP-30`).
    pub tell_alias: bool,
    /// A wait for a session ends with its link (`MCP-30`).
    pub end_with_link: bool,
    /// What `timeoutMs` means (`MCP-30`, `MCP-31`).
    pub time: WaitTime,
    /// A wait that ran out of time is an error (`MCP-30`); otherwise a result.
    pub timeout_is_error: bool,
    /// The type of a wait that ran out of time (`MCP-30`).
    pub timeout_type: &'static str,
    /// Retained events are looked at (`MCP-31`); otherwise only those to come.
    pub look_back: bool,
    /// Events to come are looked at (`MCP-31`).
    pub look_ahead: bool,
    /// How names are compared (`MCP-31`).
    pub name: NameMatch,
    /// How `match` is compared (`MCP-31`).
    pub members: MemberMatch,
    /// The first event that matches is given (`MCP-31`); otherwise the last.
    pub first_match: bool,
    /// Events of the session that was asked for (`MCP-31`); otherwise of any.
    pub own_session: bool,
    /// The event at `since` is not behind it (`MCP-31`).
    pub behind_since: bool,
    /// Without `since` an event is given once (`MCP-31`).
    pub not_twice: bool,
    /// A wait for an event outlasts the loss of the app's socket (`MCP-31`).
    pub outlast_suspension: bool,
    /// A wait for an event ends with its session (`MCP-31`).
    pub end_with_session: bool,
    /// The payload is given (`MCP-31`).
    pub give_payload: bool,
    /// The event's own number is given (`MCP-31`); otherwise how many were looked at.
    pub own_seq: bool,
    /// Other requests are answered while one waits (`MCP-38`).
    pub wait_aside: bool,
}

/// What becomes of arguments of the wrong type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OddArguments {
    /// They are refused.
    Refused,
    /// They are forgotten.
    Forgotten,
    /// Texts of digits are numbers, and what is no number is forgotten.
    Mended,
}

/// What `timeoutMs` means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitTime {
    /// Milliseconds, however many.
    Milliseconds,
    /// Seconds.
    Seconds,
    /// Milliseconds that a timer of 32 bits holds: more end at once.
    ThirtyTwoBits,
    /// At most so many milliseconds.
    AtMost(u64),
}

/// How the name of an event is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameMatch {
    /// As a whole.
    Exact,
    /// Its beginning.
    Prefix,
    /// Without regard to case.
    AnyCase,
    /// Its end.
    Suffix,
    /// Not at all.
    Any,
}

/// How the members of `match` are compared with the payload's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberMatch {
    /// Each is there and equal.
    Equal,
    /// Not at all.
    Ignored,
    /// As text: `2` and `"2"` are equal.
    AsText,
    /// One that is equal is enough.
    AnyOne,
    /// The payload has no other members.
    Whole,
    /// Members that are empty, zero, false or null are not compared.
    Truthy,
    /// `true` is 1 and `false` is 0.
    FlagsAreNumbers,
    /// A list is found where its beginning is.
    ListsByBeginning,
}

impl Default for OwnToolRules {
    fn default() -> Self {
        Self {
            whole_link: true,
            obey_ttl: true,
            ttl_factor: 1,
            link_stands: true,
            fresh_link: true,
            odd_arguments: OddArguments::Refused,
            events_forget: None,
            events_cursor: true,
            events_in_order: true,
            events_failures: true,
            live_at_once: true,
            suspended_is_live: true,
            own_claim: true,
            notice_claim: true,
            several_wait: true,
            tell_alias: true,
            end_with_link: true,
            time: WaitTime::Milliseconds,
            timeout_is_error: true,
            timeout_type: "tool_timeout",
            look_back: true,
            look_ahead: true,
            name: NameMatch::Exact,
            members: MemberMatch::Equal,
            first_match: true,
            own_session: true,
            behind_since: true,
            not_twice: true,
            outlast_suspension: true,
            end_with_session: true,
            give_payload: true,
            own_seq: true,
            wait_aside: true,
        }
    }
}
