//! What a mock MCP client can do.

use crate::scenario::actor_kind::ActorKind;
use crate::scenario::verb::ParamKind::{Actor, Any, Bool, Bytes, Map, Matcher, Name, Text};
use crate::scenario::verb::{Param, Verb, opt, req};

const URI: Param = req("uri", Any, "The URI, sent as given.");
const CURSOR: Param = opt("cursor", Any, "Cursor of the page wanted. Default: all pages are fetched and joined.");
const METHOD: Param = req("method", Text, "Method name.");
const PARAMS: Param = opt("params", Any, "Params; the member is left out when absent.");
const ID: Param = opt("id", Any, "Request id in place of the next number.");
const TOOL: Param = req("tool", Any, "Name of the tool as the list exposes it.");
const ARGS: Param = opt("args", Any, "The call's arguments. Default `{}`.");
const PROGRESS: Param = opt("progress", Any, "Progress token, or `true` for a fresh one. Default: none asked for.");
const OP: Param = req("op", Name, "Name that the starting step gave with `as`.");
const SINCE: Param =
    opt("since", Name, "Name of a `mark`: only what came after it counts. Default: the last step that looked.");
const FENCE: Param = opt(
    "fence",
    Actor(ActorKind::App),
    "App that makes the change whose notification ends the wait. Default: any live one.",
);
const NOTIFICATION_METHOD: Param = opt("method", Matcher, "Method; `notifications/` may be left out.");
const NOTIFICATION_PARAMS: Param = opt("params", Matcher, "Params.");

const RESULT: &str = "The result.";
const CALL_RESULT: &str = "`{ content, structuredContent?, isError? }`.";
const OPEN: &str = "`{ id }`: id of the request, answered later by `finish`.";

const fn act(name: &'static str, summary: &'static str) -> Verb {
    Verb::act(ActorKind::Client, name, summary)
}

const fn assertion(name: &'static str, summary: &'static str) -> Verb {
    Verb::assertion(ActorKind::Client, name, summary)
}

pub(super) const VERBS: &[Verb] = &[
    // Coming and going.
    act("start", "Starts the MCP server process, sends nothing."),
    act("connect", "Starts the server and shakes hands in the client's revision.")
        .params(&[
            opt("revision", Text, "Protocol revision to ask for, in place of the client's own."),
            opt("capabilities", Map, "Client capabilities, in place of the profile's."),
            opt("client_info", Map, "Client info, in place of the profile's."),
            opt("initialized", Bool, "`false`: the `initialized` notification is not sent. Default `true`."),
        ])
        .outcome("The server's answer: `protocolVersion`, `capabilities`, `serverInfo`, `instructions?`."),
    act("initialized", "Sends the `initialized` notification."),
    act("close_stdin", "Closes the server's stdin."),
    act("kill", "Kills the server process."),
    act("stop", "Closes stdin and waits until the server has ended; kills it past the deadline.").outcome("`{ code?, signal? }`."),
    assertion("expect_exit", "Waits for the server process to end by itself.")
        .params(&[opt("code", Matcher, "Exit code.")])
        .main("code")
        .outcome("`{ code?, signal?, stderr }`."),
    // Everyday requests.
    act("list_tools", "`tools/list`.").needs(&["tools"]).params(&[CURSOR]).outcome("`{ names, tools }`."),
    act("list_resources", "`resources/list`.").needs(&["resources"]).params(&[CURSOR]).outcome("`{ uris, resources }`."),
    act("list_templates", "`resources/templates/list`.").needs(&["resources"]).params(&[CURSOR]).outcome("`{ resourceTemplates }`."),
    act("read", "`resources/read`.").needs(&["resources"]).params(&[URI]).main("uri").outcome("`{ contents }`."),
    act("call", "`tools/call`.").needs(&["tools"]).params(&[TOOL, ARGS, PROGRESS]).main("tool").outcome(CALL_RESULT),
    act("subscribe", "Subscribes to a resource in the way of the revision.").needs(&["resources"]).params(&[URI]).main("uri").outcome(RESULT),
    act("unsubscribe", "Ends a subscription in the way of the revision.").needs(&["resources"]).params(&[URI]).main("uri").outcome(RESULT),
    act("ping", "`ping`.").outcome(RESULT),
    act("fallback_list", "Calls the fallback tool that lists resources.").needs(&["fallback"])
        .outcome("Its `structuredContent`, and `uris` beside it."),
    act("fallback_read", "Calls the fallback tool that reads a resource.").needs(&["fallback"]).params(&[URI]).main("uri").outcome(CALL_RESULT),
    // Operations left open.
    act("start_call", "`tools/call`, left open. Needs `as`.").needs(&["tools"]).params(&[TOOL, ARGS, PROGRESS]).main("tool").outcome(OPEN),
    act("start_read", "`resources/read`, left open. Needs `as`.").needs(&["resources"]).params(&[URI]).main("uri").outcome(OPEN),
    act("start_request", "Any request, left open. Needs `as`.").params(&[METHOD, PARAMS, ID]).main("method").outcome(OPEN),
    assertion("finish", "Waits for the answer to an operation that was left open.")
        .params(&[OP])
        .main("op")
        .outcome("What the request would have given had it not been left open."),
    act("cancel", "Cancels an operation that was left open.")
        .params(&[OP, opt("reason", Text, "Reason; left out when absent.")])
        .main("op"),
    // Any message.
    act("request", "Sends any request and waits for its answer.").params(&[METHOD, PARAMS, ID]).main("method").outcome(RESULT),
    act("notify", "Sends any notification.").params(&[METHOD, PARAMS]).main("method"),
    act("send", "Sends a message as written. The arguments are the message; `message:` when it has keys of its own that mean something to a step.")
        .params(&[req("message", Any, "The message.")])
        .main("message")
        .free_form(),
    act("send_line", "Writes one line.").params(&[req("text", Bytes, "The line without its end.")]).main("text"),
    act("send_bytes", "Writes bytes, no line end added.").params(&[req("bytes", Bytes, "The bytes.")]).main("bytes"),
    assertion("expect_response", "Waits for the answer that matches. The arguments are a matcher on the message.")
        .params(&[
            opt("jsonrpc", Matcher, "Always `2.0`."),
            opt("id", Matcher, "Id of the request."),
            opt("result", Matcher, "Result; `{ $absent: true }` to rule it out."),
            opt("error", Matcher, "Error; `{ $absent: true }` to rule it out."),
        ])
        .free_form()
        .outcome("The message."),
    assertion("expect_message", "Waits for any message that matches. The arguments are the matcher; `message:` when it has keys of its own that mean something to a step.")
        .params(&[opt("message", Matcher, "Matcher on the message.")])
        .main("message")
        .free_form()
        .outcome("The message."),
    // Notifications.
    assertion("expect_notification", "Waits for a notification that matches. The arguments are a matcher on it.")
        .params(&[NOTIFICATION_METHOD, NOTIFICATION_PARAMS])
        .free_form()
        .outcome("`{ method, params? }`."),
    assertion("expect_no_notification", "No notification that matches has come, and none is under way: a fence ends the wait.")
        .params(&[NOTIFICATION_METHOD, NOTIFICATION_PARAMS, SINCE, FENCE])
        .main("method")
        .outcome("`{ count, notifications }`: those that came all the same."),
    act("expect_notifications", "All notifications that match, up to a fence; count or compare them with `expect`.")
        .params(&[NOTIFICATION_METHOD, NOTIFICATION_PARAMS, SINCE, FENCE])
        .main("method")
        .outcome("List of `{ method, params? }`."),
    act("mark", "Remembers this moment for `since`. Needs `as`."),
];
