//! Faults of how the MCP server bears up.

use super::fault::{Fault, bends};
use crate::rules::{CallDeadline, EndsOn, WhileAway};

pub(super) const FAULTS: &[Fault] = &[
    bends!(
        "mcp-initialized-opens",
        ["BRG-MCP-33"],
        "initialized opens a connection without initialize",
        mcp_conduct.initialized_opens_nothing = false
    ),
    bends!(
        "mcp-failed-initialize-is-final",
        ["BRG-MCP-33"],
        "Behind a failed initialize there is no other",
        mcp_conduct.initialize_again = false
    ),
    bends!(
        "mcp-failed-initialize-opens",
        ["BRG-MCP-33"],
        "A failed initialize opens the connection all the same",
        mcp_conduct.failed_initialize_opens_nothing = false
    ),
    bends!(
        "mcp-early-ping-refused",
        ["BRG-MCP-33", "BRG-MCP-27"],
        "A ping before the handshake is refused",
        mcp_conduct.early_ping = false
    ),
    bends!(
        "mcp-initialized-twice-mutes",
        ["BRG-MCP-33", "BRG-MCP-38"],
        "initialized said twice ends the announcements",
        mcp_conduct.initialized_twice = false
    ),
    bends!(
        "mcp-ends-on-stray-cancel",
        ["BRG-MCP-38"],
        "A cancel of what is not open ends the server",
        mcp_conduct.ends_on = Some(EndsOn::StrayCancel)
    ),
    bends!(
        "mcp-ends-on-odd-cancel",
        ["BRG-MCP-38"],
        "A cancel without an id ends the server",
        mcp_conduct.ends_on = Some(EndsOn::CancelWithoutId)
    ),
    bends!(
        "mcp-ends-on-stray-answer",
        ["BRG-MCP-38"],
        "An answer to nothing ends the server",
        mcp_conduct.ends_on = Some(EndsOn::StrayAnswer)
    ),
    bends!(
        "mcp-ends-on-error-answer",
        ["BRG-MCP-38"],
        "An error that answers nothing ends the server",
        mcp_conduct.ends_on = Some(EndsOn::ErrorAnswer)
    ),
    bends!(
        "mcp-ends-on-unknown-notification",
        ["BRG-MCP-38"],
        "A notification that nobody knows ends the server",
        mcp_conduct.ends_on = Some(EndsOn::UnknownNotification)
    ),
    bends!(
        "mcp-ends-on-deep-arguments",
        ["BRG-MCP-38"],
        "Deeply nested arguments end the server",
        mcp_conduct.ends_on = Some(EndsOn::DeepArguments)
    ),
    bends!(
        "mcp-ends-on-odd-id",
        ["BRG-MCP-38"],
        "An id below zero or with a NUL ends the server",
        mcp_conduct.ends_on = Some(EndsOn::OddId)
    ),
    bends!(
        "mcp-ends-on-failed-call",
        ["BRG-MCP-38"],
        "A call that its app fails ends the server",
        mcp_conduct.ends_on = Some(EndsOn::FailedCall)
    ),
    bends!(
        "mcp-ends-on-ended-session",
        ["BRG-MCP-38"],
        "A call whose session ends takes the server with it",
        mcp_conduct.ends_on = Some(EndsOn::EndedSession)
    ),
    bends!(
        "mcp-ends-on-lost-app",
        ["BRG-MCP-38", "BRG-MCP-37"],
        "A call whose app is lost takes the server with it",
        mcp_conduct.ends_on = Some(EndsOn::LostApp)
    ),
    bends!(
        "mcp-ends-on-cancelled-call",
        ["BRG-MCP-38"],
        "A cancelled call ends the server",
        mcp_conduct.ends_on = Some(EndsOn::CancelledCall)
    ),
    bends!(
        "mcp-ends-without-daemon",
        ["BRG-MCP-38", "BRG-MCP-37"],
        "A call while the daemon is away ends the server",
        mcp_conduct.ends_on = Some(EndsOn::DaemonAway)
    ),
    bends!(
        "mcp-reconnects-twice",
        ["BRG-MCP-37", "BRG-MCP-26"],
        "The daemon is found again twice and then never",
        mcp_conduct.reconnects = Some(3)
    ),
    bends!(
        "mcp-events-subscribed-thrice",
        ["BRG-MCP-37"],
        "After the third restart nothing is announced",
        mcp_conduct.event_subscriptions = Some(3)
    ),
    bends!(
        "mcp-calls-ten-seconds",
        ["BRG-MCP-36"],
        "Calls of agents have ten seconds whatever the tool says",
        mcp_conduct.call_deadline = CallDeadline::Always(10_000)
    ),
    bends!(
        "mcp-calls-a-minute-at-most",
        ["BRG-MCP-36"],
        "Calls of agents have a minute at most",
        mcp_conduct.call_deadline = CallDeadline::AtMost(60_000)
    ),
    bends!(
        "mcp-calls-ten-minutes",
        ["BRG-MCP-36", "BRG-TOL-09"],
        "Calls of agents have ten minutes whatever the tool says",
        mcp_conduct.call_deadline = CallDeadline::Always(600_000)
    ),
    bends!(
        "cli-calls-ten-seconds",
        ["BRG-MCP-36"],
        "Calls of commands have ten seconds whatever the tool says",
        mcp_conduct.command_deadline = CallDeadline::Always(10_000)
    ),
    bends!(
        "cli-calls-ten-minutes",
        ["BRG-MCP-36"],
        "Calls of commands have ten minutes whatever the tool says",
        mcp_conduct.command_deadline = CallDeadline::Always(600_000)
    ),
    bends!(
        "cli-timeout-thirty-seconds-at-most",
        ["BRG-MCP-36"],
        "The command line allows no more than thirty seconds",
        mcp_conduct.command_deadline = CallDeadline::AtMost(30_000)
    ),
    bends!(
        "mcp-subscribe-while-away-lost",
        ["BRG-MCP-18"],
        "A subscription made while the app is away does not count",
        mcp_conduct.subscribe_while_away = WhileAway::Ignored
    ),
    bends!(
        "mcp-subscribe-while-away-refused",
        ["BRG-MCP-18"],
        "No subscription can be made while the app is away",
        mcp_conduct.subscribe_while_away = WhileAway::Refused
    ),
    bends!(
        "mcp-unsubscribe-while-away-lost",
        ["BRG-MCP-18", "BRG-MCP-16"],
        "No subscription is ended while the app is away, though it is said",
        mcp_conduct.unsubscribe_while_away = WhileAway::Ignored
    ),
    bends!(
        "mcp-unsubscribe-while-away-refused",
        ["BRG-MCP-18"],
        "No subscription can be ended while the app is away",
        mcp_conduct.unsubscribe_while_away = WhileAway::Refused
    ),
];
