//! Faults of the tools that mint a link, tell of events and wait.

use super::fault::{Fault, bends};
use crate::rules::{MemberMatch, NameMatch, OddArguments, WaitTime};

pub(super) const FAULTS: &[Fault] = &[
    bends!(
        "mcp-connect-bare",
        ["BRG-MCP-29"],
        "connect tells neither pin nor payload nor endpoint of the link",
        mcp_own_tools.whole_link = false
    ),
    bends!(
        "mcp-connect-ttl-ignored",
        ["BRG-MCP-29"],
        "connect does not obey ttlSeconds",
        mcp_own_tools.obey_ttl = false
    ),
    bends!(
        "mcp-connect-ttl-minutes",
        ["BRG-MCP-29"],
        "connect takes ttlSeconds for minutes",
        mcp_own_tools.ttl_factor = 60
    ),
    bends!(
        "mcp-connect-link-dead",
        ["BRG-MCP-29"],
        "The link that connect mints cannot be claimed",
        mcp_own_tools.link_stands = false
    ),
    bends!(
        "mcp-connect-same-link",
        ["BRG-MCP-29", "BRG-LNK-02"],
        "connect gives the first link again and again",
        mcp_own_tools.fresh_link = false
    ),
    bends!(
        "mcp-own-arguments-forgotten",
        ["BRG-MCP-29", "BRG-RPC-16", "BRG-MCP-30", "BRG-MCP-31"],
        "Arguments of the wrong type are forgotten by the own tools",
        mcp_own_tools.odd_arguments = OddArguments::Forgotten
    ),
    bends!(
        "mcp-own-arguments-mended",
        ["BRG-MCP-29", "BRG-RPC-16", "BRG-MCP-30", "BRG-MCP-31"],
        "Texts of digits are numbers to the own tools",
        mcp_own_tools.odd_arguments = OddArguments::Mended
    ),
    bends!(
        "mcp-events-since-forgotten",
        ["BRG-MCP-29"],
        "The tool for events forgets since",
        mcp_own_tools.events_forget = Some("since")
    ),
    bends!(
        "mcp-events-kinds-forgotten",
        ["BRG-MCP-29"],
        "The tool for events forgets kinds",
        mcp_own_tools.events_forget = Some("kinds")
    ),
    bends!(
        "mcp-events-limit-forgotten",
        ["BRG-MCP-29"],
        "The tool for events forgets limit",
        mcp_own_tools.events_forget = Some("limit")
    ),
    bends!(
        "mcp-events-selector-forgotten",
        ["BRG-MCP-29"],
        "The tool for events forgets the selector",
        mcp_own_tools.events_forget = Some("selector")
    ),
    bends!(
        "mcp-events-without-cursor",
        ["BRG-MCP-29"],
        "The tool for events gives no cursor",
        mcp_own_tools.events_cursor = false
    ),
    bends!(
        "mcp-events-newest-first",
        ["BRG-MCP-29"],
        "The tool for events begins with the newest",
        mcp_own_tools.events_in_order = false
    ),
    bends!(
        "mcp-events-failures-empty",
        ["BRG-MCP-29"],
        "Where events are refused the tool says that there were none",
        mcp_own_tools.events_failures = false
    ),
    bends!(
        "mcp-wait-session-needs-claim",
        ["BRG-MCP-30"],
        "A wait for a session that lives already goes on",
        mcp_own_tools.live_at_once = false
    ),
    bends!(
        "mcp-wait-session-suspended-dead",
        ["BRG-MCP-30"],
        "A wait for a suspended session goes on",
        mcp_own_tools.suspended_is_live = false
    ),
    bends!(
        "mcp-wait-session-any-claim",
        ["BRG-MCP-30"],
        "A wait for a session ends with any claim",
        mcp_own_tools.own_claim = false
    ),
    bends!(
        "mcp-wait-session-misses-claim",
        ["BRG-MCP-30"],
        "A wait for a session does not notice the claim",
        mcp_own_tools.notice_claim = false
    ),
    bends!(
        "mcp-wait-session-one-only",
        ["BRG-MCP-30"],
        "A second wait for a session takes the place of the first",
        mcp_own_tools.several_wait = false
    ),
    bends!(
        "mcp-wait-session-without-alias",
        ["BRG-MCP-30"],
        "A wait for a session does not tell the alias",
        mcp_own_tools.tell_alias = false
    ),
    bends!(
        "mcp-wait-session-outlives-link",
        ["BRG-MCP-30"],
        "A wait for a session goes on when its link is gone",
        mcp_own_tools.end_with_link = false
    ),
    bends!(
        "mcp-wait-in-seconds",
        ["BRG-MCP-30", "BRG-MCP-31"],
        "timeoutMs counts seconds",
        mcp_own_tools.time = WaitTime::Seconds
    ),
    bends!(
        "mcp-wait-32-bits",
        ["BRG-LNK-07", "BRG-MCP-30", "BRG-MCP-31"],
        "A wait of 25 days ends at once",
        mcp_own_tools.time = WaitTime::ThirtyTwoBits
    ),
    bends!(
        "mcp-wait-one-second",
        ["BRG-MCP-30", "BRG-MCP-31"],
        "No wait lasts longer than a tenth of a second",
        mcp_own_tools.time = WaitTime::AtMost(100)
    ),
    bends!(
        "mcp-wait-timeout-succeeds",
        ["BRG-MCP-30", "BRG-MCP-31"],
        "A wait that ran out of time is no error",
        mcp_own_tools.timeout_is_error = false
    ),
    bends!(
        "mcp-wait-timeout-wrong-type",
        ["BRG-MCP-30", "BRG-MCP-31"],
        "A wait that ran out of time says timeout",
        mcp_own_tools.timeout_type = "timeout"
    ),
    bends!(
        "mcp-wait-event-past-ignored",
        ["BRG-MCP-31"],
        "A wait for an event does not look at the past",
        mcp_own_tools.look_back = false
    ),
    bends!(
        "mcp-wait-event-future-ignored",
        ["BRG-MCP-31"],
        "A wait for an event looks once",
        mcp_own_tools.look_ahead = false
    ),
    bends!(
        "mcp-wait-event-name-prefix",
        ["BRG-MCP-31"],
        "The beginning of the name will do",
        mcp_own_tools.name = NameMatch::Prefix
    ),
    bends!(
        "mcp-wait-event-name-suffix",
        ["BRG-MCP-31"],
        "The end of the name will do",
        mcp_own_tools.name = NameMatch::Suffix
    ),
    bends!(
        "mcp-wait-event-name-any-case",
        ["BRG-MCP-31"],
        "Case does not count in the name of an event",
        mcp_own_tools.name = NameMatch::AnyCase
    ),
    bends!("mcp-wait-event-any-name", ["BRG-MCP-31"], "Any event ends the wait", mcp_own_tools.name = NameMatch::Any),
    bends!(
        "mcp-wait-event-match-ignored",
        ["BRG-MCP-31"],
        "match is not looked at",
        mcp_own_tools.members = MemberMatch::Ignored
    ),
    bends!(
        "mcp-wait-event-match-as-text",
        ["BRG-MCP-31"],
        "2 and \"2\" are equal to match",
        mcp_own_tools.members = MemberMatch::AsText
    ),
    bends!(
        "mcp-wait-event-match-any",
        ["BRG-MCP-31"],
        "One member of match is enough",
        mcp_own_tools.members = MemberMatch::AnyOne
    ),
    bends!(
        "mcp-wait-event-match-whole",
        ["BRG-MCP-31"],
        "match must be the whole payload",
        mcp_own_tools.members = MemberMatch::Whole
    ),
    bends!(
        "mcp-wait-event-match-truthy",
        ["BRG-MCP-31"],
        "Zero, null and what is empty are not looked for",
        mcp_own_tools.members = MemberMatch::Truthy
    ),
    bends!(
        "mcp-wait-event-flags-are-numbers",
        ["BRG-MCP-31"],
        "true is 1 and false is 0 to match",
        mcp_own_tools.members = MemberMatch::FlagsAreNumbers
    ),
    bends!(
        "mcp-wait-event-lists-begin",
        ["BRG-MCP-31"],
        "A list matches a longer one",
        mcp_own_tools.members = MemberMatch::ListsByBeginning
    ),
    bends!(
        "mcp-wait-event-last-match",
        ["BRG-MCP-31"],
        "The last event that matches is given",
        mcp_own_tools.first_match = false
    ),
    bends!(
        "mcp-wait-event-any-session",
        ["BRG-MCP-31"],
        "Events of other sessions end a wait",
        mcp_own_tools.own_session = false
    ),
    bends!(
        "mcp-wait-event-since-included",
        ["BRG-MCP-31"],
        "The event at since is behind it",
        mcp_own_tools.behind_since = false
    ),
    bends!(
        "mcp-wait-event-twice",
        ["BRG-MCP-31"],
        "Without since the same event is given twice",
        mcp_own_tools.not_twice = false
    ),
    bends!(
        "mcp-wait-event-ends-with-socket",
        ["BRG-MCP-31"],
        "A wait for an event ends when the socket is lost",
        mcp_own_tools.outlast_suspension = false
    ),
    bends!(
        "mcp-wait-event-outlives-session",
        ["BRG-MCP-31"],
        "A wait for an event outlives its session",
        mcp_own_tools.end_with_session = false
    ),
    bends!(
        "mcp-wait-event-without-payload",
        ["BRG-MCP-31"],
        "The payload is not given",
        mcp_own_tools.give_payload = false
    ),
    bends!(
        "mcp-wait-event-wrong-number",
        ["BRG-MCP-31"],
        "The number given is not that of the event",
        mcp_own_tools.own_seq = false
    ),
    bends!(
        "mcp-wait-blocks-the-server",
        ["BRG-MCP-38", "BRG-MCP-30", "BRG-MCP-31"],
        "While one request waits no other is served",
        mcp_own_tools.wait_aside = false
    ),
];
