//! What someone at the control RPC, the command line and the state folder can do.

use crate::scenario::actor_kind::ActorKind;
use crate::scenario::verb::ParamKind::{Actor, Any, Bytes, Choice, Integer, List, Map, Matcher, Name, Text};
use crate::scenario::verb::{Param, Verb, opt, req};

const METHOD: Param = req("method", Text, "Method name.");
const PARAMS: Param = opt("params", Any, "Params; the member is left out when absent.");
const ID: Param = opt("id", Any, "Request id in place of the next number.");
const SELECTOR: Param = opt("selector", Any, "Session id or alias; left out when absent.");
const KINDS: Param = opt("kinds", Any, "Event kinds wanted; left out when absent.");
const SINCE: Param =
    opt("since", Name, "Name of a `mark`: only what came after it counts. Default: the last step that looked.");

const fn act(name: &'static str, summary: &'static str) -> Verb {
    Verb::act(ActorKind::Operator, name, summary)
}

const fn assertion(name: &'static str, summary: &'static str) -> Verb {
    Verb::assertion(ActorKind::Operator, name, summary)
}

pub(super) const VERBS: &[Verb] = &[
    // Control RPC, method by method.
    act("rpc", "Calls a method of the control RPC and waits for the answer.")
        .params(&[METHOD, PARAMS, ID])
        .main("method")
        .outcome("The result. A list of sessions, tools or resources stands in a member of that name, also where the daemon answers with the list alone."),
    act("start_rpc", "Calls a method and leaves it open. Needs `as`.")
        .params(&[METHOD, PARAMS, ID])
        .main("method")
        .outcome("`{ id }`: id of the request, answered later by `finish`."),
    assertion("finish", "Waits for the answer to a call that was left open.")
        .params(&[req("op", Name, "Name that `start_rpc` gave with `as`.")])
        .main("op")
        .outcome("The result."),
    act("link", "`link.create`.")
        .params(&[
            opt("ttlSeconds", Integer, "Life time of the link in seconds. Default: the configured one."),
            opt("addressOverride", Text, "Address to advertise in place of the configured one."),
        ])
        .outcome("`{ sessionId, deepLinkPayload, endpoint, expiresAt, pin, decoded: { sessionId, token, endpoint, expiresAt } }`; `decoded` is what our own decoder reads in the payload."),
    act("sessions", "`sessions.list`.").outcome("`{ sessions, aliases }`."),
    act("revoke", "`sessions.revoke`.").params(&[SELECTOR]).main("selector").outcome("The result."),
    act("events", "`events.since`.").needs(&["events"])
        .params(&[
            SELECTOR,
            opt("since", Any, "Sequence number or cursor to start after; left out when absent."),
            KINDS,
            opt("limit", Any, "Most events wanted; left out when absent."),
        ])
        .outcome("`{ events, cursor }`."),
    // Events as they happen.
    act("subscribe", "`events.subscribe` on this connection.").needs(&["events"])
        .params(&[opt("sessionSelector", Any, "Session id or alias; left out when absent."), KINDS])
        .outcome("The result."),
    assertion("expect_event", "Waits for an event that matches. The arguments are a matcher on it.").needs(&["events"])
        .params(&[
            opt("kind", Matcher, "Event kind."),
            opt("sessionId", Matcher, "Session id."),
            opt("alias", Matcher, "Alias."),
            opt("ts", Matcher, "Time stamp."),
            opt("data", Matcher, "What the event is about."),
            opt("seq", Matcher, "Sequence number in its session."),
        ])
        .free_form()
        .outcome("`{ kind, sessionId?, alias?, ts, data, seq }`."),
    assertion("expect_no_event", "No event that matches has come, and none is under way: a fence ends the wait.").needs(&["events"])
        .params(&[
            opt("kind", Matcher, "Event kind."),
            opt("sessionId", Matcher, "Session id."),
            opt("alias", Matcher, "Alias."),
            opt("data", Matcher, "What the event is about."),
            SINCE,
            opt("fence", Actor(ActorKind::App), "App that sends the event which ends the wait. Default: any live one."),
        ])
        .main("kind")
        .outcome("`{ count, events }`: those that came all the same."),
    act("mark", "Remembers this moment for `since`. Needs `as`."),
    // Below the methods.
    act("send_line", "Writes one line.").params(&[req("text", Bytes, "The line without its end.")]).main("text"),
    act("send_bytes", "Writes bytes, no line end added.").params(&[req("bytes", Bytes, "The bytes.")]).main("bytes"),
    assertion("expect_line", "Waits for the next line that matches. The arguments are the matcher; `line:` when it has keys of its own that mean something to a step.")
        .params(&[opt("line", Matcher, "Matcher on the line, decoded as JSON.")])
        .main("line")
        .free_form()
        .outcome("The line, decoded as JSON."),
    assertion("expect_end", "Waits for the daemon to end this connection."),
    act("disconnect", "Closes this connection."),
    act("reconnect", "Closes this connection if it is open, and opens a new one."),
    // Command line and files.
    act("cli", "Runs the daemon's command line and waits for it to end.").needs(&["cli"])
        .params(&[
            req("args", List, "Arguments."),
            opt("stdin", Bytes, "What it reads on stdin. Default: nothing."),
            opt("env", Map, "Environment variables added."),
            opt("state", Choice(&["option", "environment"]), "How it is told the state folder: by an option (the default), or by the environment variable that the target file names."),
        ])
        .main("args")
        .outcome("`{ exit, stdout, stdout_base64, stderr, json? }`; `json` when stdout is one JSON value."),
    act("audit", "Reads all audit files.").needs(&["audit"]).outcome(
        "`{ records, files: [{ name, date, records }] }`, oldest first; `date` is the name of a file without `.jsonl`.",
    ),
    act("logs", "What the daemon wrote on stderr so far.").outcome("`{ stderr }`."),
    act("stat", "Looks at a file of the state folder, following no link.").needs(&["state_dir"])
        .params(&[req("path", Text, "Path under the state folder; `.` is the folder itself.")])
        .main("path")
        .outcome("`{ exists, mode?, kind? }`: mode as four octal digits, kind `file`, `folder`, `socket`, `link` or `other`."),
    act("read_file", "Reads a file of the state folder.").needs(&["state_dir"])
        .params(&[req("path", Text, "Path under the state folder.")])
        .main("path")
        .outcome("`{ text }`, or `{ base64 }` when it is no UTF-8."),
    act("files", "Looks for the files of the state folder that the contract speaks of, whatever they are called.").needs(&["state_dir"])
        .outcome("`{ folder, socket?, key?, config?, pid?, audit: […] }`, each `{ path, mode, kind }` as `stat` tells it; `key` is a private key in PEM, `pid` holds nothing but a number. Only what lies in the state folder."),
    act("chmod", "Sets the mode of a file of the state folder.").needs(&["state_dir"])
        .params(&[
            req("path", Text, "Path under the state folder."),
            req("mode", Text, "Mode in octal digits, such as `0644`."),
        ])
        .outcome("What `stat` tells of it then."),
];
