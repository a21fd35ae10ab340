//! What can be done to the daemon's process and clock.

use crate::scenario::actor_kind::ActorKind;
use crate::scenario::verb::ParamKind::{Choice, Map, Matcher, Number};
use crate::scenario::verb::{Param, Verb, one_of, opt};

const HOW: Param = opt(
    "how",
    Choice(&["rpc", "sigterm", "sigint", "kill"]),
    "`rpc` (`daemon.shutdown`, the default), `sigterm`, `sigint`, or `kill` (SIGKILL).",
);

const fn act(name: &'static str, summary: &'static str) -> Verb {
    Verb::act(ActorKind::Daemon, name, summary)
}

pub(super) const VERBS: &[Verb] = &[
    act("start", "Starts the daemon in its state folder and waits until it is ready.")
        .needs(&["restart"])
        .params(&[opt("config", Map, "Members merged into its configuration file first.")])
        .outcome("`daemon.status`."),
    act("stop", "Ends the daemon and waits until the process is gone.")
        .params(&[HOW])
        .main("how")
        .outcome("`{ code?, signal? }`."),
    act("restart", "`stop` and `start` in the same state folder.")
        .needs(&["restart"])
        .params(&[HOW, opt("config", Map, "Members merged into its configuration file in between.")])
        .main("how")
        .outcome("`daemon.status` of the new process."),
    Verb::assertion(ActorKind::Daemon, "expect_exit", "Waits for the daemon's process to end by itself.")
        .params(&[opt("code", Matcher, "Exit code.")])
        .main("code")
        .outcome("`{ code?, signal?, stderr }`."),
    act(
        "pass",
        "Time passes at the daemon: its clock is moved where the target allows that, else the time is waited for.",
    )
    .params(&[opt("seconds", Number, "Seconds."), opt("ms", Number, "Milliseconds.")])
    .choices(&[one_of(&["seconds", "ms"])])
    .main("seconds")
    .outcome("`{ ms }`: how far time went."),
    act("status", "`daemon.status`.").outcome("The result."),
];
