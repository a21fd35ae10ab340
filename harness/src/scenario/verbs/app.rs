//! What a mock app can do.

use crate::scenario::actor_kind::ActorKind;
use crate::scenario::verb::ParamKind::{Any, Bool, Bytes, Choice, Integer, List, Map, Matcher, Number, Text};
use crate::scenario::verb::{Param, Verb, at_most_one_of, one_of, opt, req};

const SETTLE: Param = opt(
    "settle",
    Bool,
    "`false`: do not wait until the daemon has taken notice. Default `true`: the step ends with a fence.",
);
const TOOLS: Param =
    opt("tools", List, "Tool descriptors of the snapshot that follows; no snapshot when absent.").needs("tools");
const RESOURCES: Param =
    opt("resources", List, "Resource descriptors of the snapshot that follows; no snapshot when absent.")
        .needs("resources");
const LINK: Param = opt(
    "link",
    Any,
    "The link to use: the outcome of an operator's `link`, or a payload. Default: a fresh one is minted.",
);
const SET: Param = opt("set", Map, "Members that replace or join those of the frame.");
const UNSET: Param = opt("unset", List, "Names of members left out of the frame.");
const TOKEN: Param = opt("token", Any, "Resume token in place of the newest one.");
const KEEP_OLD: Param = opt("keep_old", Bool, "`true`: the old socket stays open beside the new one. Default `false`.");
const HANDLE: Param =
    req("call", Any, "Id of the call or read: `${c1.id}` after `expect_call` or `expect_read` with `as: c1`.");

const ACK: &str = "The fields of the `session_ack`: `session_id`, `status`, `alias`, `resume_token`, `keepalive_interval_s`, `grace_s`.";
const SENT: &str = "The frame as it was sent.";

const fn act(name: &'static str, summary: &'static str) -> Verb {
    Verb::act(ActorKind::App, name, summary)
}

const fn assertion(name: &'static str, summary: &'static str) -> Verb {
    Verb::assertion(ActorKind::App, name, summary)
}

pub(super) const VERBS: &[Verb] = &[
    // Coming and going.
    act("connect", "Mints a link, opens the socket, claims, waits for the acknowledgement, sends the snapshots, ends with a fence. Sets `alias`, `session_id`, `resume_token`, `token` and `link` of the app.")
        .params(&[
            TOOLS,
            RESOURCES,
            LINK,
            opt("claim", Map, "Members that replace or join those of the claim frame."),
            SETTLE,
        ])
        .outcome(ACK),
    act("open", "Mints a link and opens the socket (TLS and WebSocket handshake), nothing more.")
        .params(&[
            LINK,
            opt("pin", Text, "Pin to hold the daemon's key against, in place of the link's."),
            opt(
                "stage",
                Choice(&["tcp", "tls", "websocket"]),
                "How far the connection goes: `tcp` (nothing is said), `tls` (no upgrade is asked for), `websocket` (the default). Short of a WebSocket only `send_raw` and `drop` make sense.",
            ),
            KEEP_OLD,
        ])
        .outcome("`{ pin }`: the pin of the key that the daemon showed."),
    act("claim", "Sends the claim frame that belongs to the link, changed as told.").params(&[SET, UNSET]).outcome(SENT),
    act("resume_frame", "Sends the resume frame on the socket that is open, changed as told.")
        .params(&[TOKEN, SET, UNSET])
        .outcome(SENT),
    assertion("expect_ack", "Waits for the `session_ack`. The arguments are a matcher on the frame. Updates the app's `alias` and `resume_token`.")
        .params(&[
            opt("session_id", Matcher, "Session id."),
            opt("status", Matcher, "Always `ok`."),
            opt("alias", Matcher, "Alias."),
            opt("resume_token", Matcher, "Fresh resume token."),
            opt("keepalive_interval_s", Matcher, "Seconds between keepalive pings."),
            opt("grace_s", Matcher, "Seconds a suspended session is kept."),
        ])
        .free_form()
        .outcome(ACK),
    act("resume", "Opens a new socket, resumes, waits for the acknowledgement, sends the snapshots, ends with a fence. Updates the app's `resume_token`.")
        .params(&[TOOLS, RESOURCES, TOKEN, KEEP_OLD, SETTLE])
        .outcome(ACK),
    act("resume_attempt", "Opens a new socket and sends the resume frame without waiting for an answer.")
        .params(&[TOKEN, SET, UNSET, KEEP_OLD])
        .outcome(SENT),
    act("close", "Closes the socket with a close frame and waits for the other side's.").params(&[
        opt("code", Integer, "Close code. Default 1000."),
        opt("reason", Text, "Close reason. Default empty."),
    ]),
    act("drop", "Loses the socket without the protocol's goodbye.")
        .params(&[
            opt(
                "how",
                Choice(&["reset", "close", "eof", "half_open"]),
                "`reset` (TCP RST, the default), `close` (TLS close-notify and FIN), `eof` (bare FIN), `half_open` (the peer hears nothing more).",
            ),
            opt(
                "settle",
                Bool,
                "`false`: do not wait until the daemon has noticed. Default `true`: where a session is lost with the socket, the step ends when its suspension is told.",
            ),
        ])
        .main("how"),
    act("ignore_close", "From now on the peer's close frame is not answered and the socket stays open."),
    act("stop_pongs", "From now on pings are not answered."),
    act("ping", "Sends a WebSocket ping.").params(&[opt("payload", Bytes, "Payload, at most 125 bytes. Default empty.")]).main("payload"),
    // Frames.
    act("send", "Sends a frame as JSON text, as written. The arguments are the frame; `frame:` when it has keys of its own that mean something to a step.")
        .params(&[req("frame", Any, "The frame.")])
        .main("frame")
        .free_form()
        .outcome(SENT),
    act("send_text", "Sends one text frame with any text.").params(&[req("text", Bytes, "The text; bytes that are no UTF-8 are sent as they are.")]).main("text"),
    act("send_binary", "Sends one binary frame.").params(&[req("bytes", Bytes, "The payload.")]).main("bytes"),
    act("send_frames", "Sends single WebSocket frames, each with every bit chosen.")
        .params(&[
            req(
                "frames",
                List,
                "Frames `{ opcode: text|binary|continuation|ping|pong|close|<number>, fin?, rsv?, mask?, payload?, declared_length? }`.",
            ),
            opt(
                "may_be_gone",
                Bool,
                "`true`: the daemon may have ended the socket by now, and then nothing is sent. Default `false`: the step cannot be carried out then.",
            ),
        ])
        .main("frames"),
    act("send_raw", "Writes bytes into the TLS stream, below WebSocket framing.").params(&[req("bytes", Bytes, "The bytes.")]).main("bytes"),
    act("send_http", "Opens a TLS connection beside the app's sockets and writes bytes on it; `expect_http` waits for what comes of it.")
        .params(&[
            req("bytes", Bytes, "The bytes, such as the head of a request."),
            opt("finish", Bool, "`true`: this side ends what it has to say behind them. Default `false`."),
            LINK,
        ])
        .main("bytes"),
    // Registries.
    act("tools", "Sends a tool snapshot.").needs(&["tools"]).params(&[req("list", List, "Tool descriptors."), SETTLE]).main("list").outcome(SENT),
    act("resources", "Sends a resource snapshot.").needs(&["resources"])
        .params(&[req("list", List, "Resource descriptors."), SETTLE])
        .main("list")
        .outcome(SENT),
    act("upsert_tool", "Sends a delta that adds or replaces one tool.").needs(&["tools"]).params(&[req("tool", Any, "Tool descriptor."), SETTLE]).outcome(SENT),
    act("remove_tool", "Sends a delta that removes one tool.").needs(&["tools"])
        .params(&[req("name", Text, "Name of the tool."), SETTLE])
        .main("name")
        .outcome(SENT),
    act("upsert_resource", "Sends a delta that adds or replaces one resource.").needs(&["resources"])
        .params(&[req("resource", Any, "Resource descriptor."), SETTLE])
        .outcome(SENT),
    act("remove_resource", "Sends a delta that removes one resource.").needs(&["resources"])
        .params(&[req("name", Text, "Name of the resource."), SETTLE])
        .main("name")
        .outcome(SENT),
    // Events and fences.
    act("post_event", "Sends an `event` frame.")
        .params(&[
            req("name", Text, "Name of the event."),
            opt("payload", Any, "Payload; the member is left out when absent."),
            opt("ts", Any, "Time stamp in milliseconds. Default: now."),
        ])
        .main("name")
        .outcome(SENT),
    act("fence", "Sends an event with a fresh name and waits until it shows up at the control RPC: all that was sent before has been processed."),
    act("settle", "Waits until the daemon has either processed everything sent so far or closed the socket.")
        .outcome("`{ open: true }`, or `{ closed: { code, reason }, how }`."),
    // Calls and reads.
    act("serve", "Says how calls of a tool or reads of a resource are answered from now on, without further steps. Left alone, an app echoes calls and answers reads with a stamp.")
        .params(&[
            opt("tool", Text, "Name of the tool.").needs("tools"),
            opt("resource", Text, "Name of the resource.").needs("resources"),
            opt("result", Any, "Result of the call."),
            opt("contents", Any, "Content items of the read.").needs("resources"),
            opt("error", Any, "Error object `{ type, message, details? }`."),
            opt("never", Bool, "`true`: never answer."),
            opt("progress", List, "Progress sent before the answer: numbers, or `{ progress?, message? }`."),
        ]).choices(&[one_of(&["tool", "resource"]), at_most_one_of(&["result", "contents", "error", "never"])]),
    act("manual", "Leaves calls or reads unanswered until a step answers them.").params(&[
        opt("tools", Bool, "`true`: calls wait for `answer`.").needs("tools"),
        opt("resources", Bool, "`true`: reads wait for `answer`.").needs("resources"),
    ]),
    assertion("expect_call", "Waits for the next `tool_call` frame that fits.").needs(&["tools"])
        .params(&[
            opt("tool", Matcher, "The frame's `name`."),
            opt("args", Matcher, "The frame's `args`."),
            opt("id", Matcher, "The frame's `id`."),
        ])
        .main("tool")
        .outcome("The frame: `type`, `session_id`, `id`, `name`, `args`."),
    assertion("expect_read", "Waits for the next `resource_read` frame that fits.").needs(&["resources"])
        .params(&[
            opt("resource", Matcher, "The frame's `name`."),
            opt("uri", Matcher, "The frame's `uri`."),
            opt("id", Matcher, "The frame's `id`."),
        ])
        .main("resource")
        .outcome("The frame: `type`, `session_id`, `id`, `name`, `uri`."),
    assertion("expect_cancel", "Waits for the next `tool_cancel` frame that fits.").needs(&["tools"])
        .params(&[opt("call", Matcher, "The frame's `id`."), opt("reason", Matcher, "The frame's `reason`.")])
        .main("call")
        .outcome("The frame: `type`, `session_id`, `id`, `reason`."),
    act("answer", "Answers a call or a read that was left open, or reports its progress.")
        .params(&[
            HANDLE,
            opt("result", Any, "Sends `tool_result` with this result.").needs("tools"),
            opt("contents", Any, "Sends `resource_result` with these content items.").needs("resources"),
            opt("error", Any, "Sends `tool_error` (or `resource_error` for a read) with this error object."),
            opt("progress", Number, "Sends `tool_call_progress` with this progress; the call stays open."),
            opt("message", Text, "The `message` of the progress."),
        ]).choices(&[one_of(&["result", "contents", "error", "progress"])])
        .outcome(SENT),
    // What came.
    assertion("expect_frame", "Waits for the next frame that matches. The arguments are the matcher; `frame:` when it has keys of its own that mean something to a step.")
        .params(&[opt("frame", Matcher, "Matcher on the frame.")])
        .main("frame")
        .free_form()
        .outcome("The frame."),
    assertion("expect_none", "No frame that matches has come since the last step that looked, and none is under way: a fence ends the wait.")
        .params(&[opt("frame", Matcher, "Matcher on the frames that must not come; `{}` means none at all.")])
        .main("frame")
        .free_form()
        .outcome("`{ count, frames }`: those that came all the same."),
    assertion("expect_close", "Waits for the daemon to close the socket. The arguments are a matcher on the outcome.")
        .params(&[
            opt("code", Matcher, "Close code."),
            opt("reason", Matcher, "Close reason."),
            opt("how", Matcher, "How it ended: `close_frame`, `eof`, `reset`, …"),
        ])
        .free_form()
        .outcome("`{ code, reason, how }`."),
    assertion("expect_closed", "Waits for the socket to end, however that happens.").outcome("`{ code?, reason?, how }`."),
    assertion("expect_pong", "Waits for a pong.").params(&[opt("payload", Matcher, "Payload as text.")]).main("payload").outcome("`{ payload }`."),
    assertion("expect_ping", "Waits for a ping from the daemon.").outcome("`{ payload }`."),
    assertion("expect_http", "Waits for the answer to `send_http`, until the daemon ends the connection or agrees to a WebSocket.")
        .params(&[
            opt("status", Matcher, "Status of the answer; `{ $absent: true }` where it is no HTTP."),
            opt("ended", Matcher, "Whether the daemon has ended the connection."),
            opt("text", Matcher, "Everything that came, as text."),
        ])
        .outcome("`{ status?, ended, text }`."),
    assertion("is_unaffected", "The socket is open, only expected frames have come, a fence gets through, the daemon's registries equal what the app sent, alias and state are what they were.")
        .outcome("`{ alias, state, tools, resources }` as the daemon lists them."),
];
