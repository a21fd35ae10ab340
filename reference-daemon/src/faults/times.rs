//! Faults of times that are long.

use super::fault::Fault;
use crate::rules::TimerWidth;

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        id: "lnk-timer-overflows",
        promises: &["BRG-LNK-07", "BRG-LNK-03", "BRG-SES-04"],
        title: "A link that is to live for a month is over at once",
        bend: |rules| rules.times.link_timer = TimerWidth::Signed,
    },
    Fault {
        id: "lnk-timer-wraps",
        promises: &["BRG-LNK-07", "BRG-LNK-03", "BRG-SES-04"],
        title: "A link that is to live for a year is over after what its lower 32 bits say",
        bend: |rules| rules.times.link_timer = TimerWidth::Unsigned,
    },
    Fault {
        id: "lnk-long-life-refused",
        promises: &["BRG-LNK-07", "BRG-LNK-03"],
        title: "A link that is to live for a month is refused",
        bend: |rules| rules.times.longest_link_s = Some(2_147_483),
    },
    Fault {
        id: "lnk-life-cut-to-a-day",
        promises: &["BRG-LNK-07", "BRG-LNK-03"],
        title: "No link lives longer than a day",
        bend: |rules| rules.times.link_cap_s = Some(86_400),
    },
    Fault {
        id: "ses-grace-overflows",
        promises: &["BRG-LNK-07", "BRG-SES-08"],
        title: "A grace of a month is over at once",
        bend: |rules| rules.times.grace_timer = TimerWidth::Signed,
    },
    Fault {
        id: "ses-grace-wraps",
        promises: &["BRG-LNK-07", "BRG-SES-08", "BRG-SES-07"],
        title: "A grace of a year is over after what its lower 32 bits say",
        bend: |rules| rules.times.grace_timer = TimerWidth::Unsigned,
    },
    Fault {
        id: "ses-grace-cut-to-a-day",
        promises: &["BRG-LNK-07", "BRG-SES-08", "BRG-SES-07"],
        title: "No session is kept longer than a day",
        bend: |rules| rules.times.grace_cap_s = Some(86_400),
    },
    Fault {
        id: "ses-long-grace-refused",
        promises: &["BRG-LNK-07"],
        title: "A daemon does not start with a grace of a month",
        bend: |rules| rules.shell.longest_grace_s = Some(86_400),
    },
    Fault {
        id: "tol-caller-deadline-overflows",
        promises: &["BRG-LNK-07", "BRG-TOL-09"],
        title: "A deadline of a month that a caller asks for is the shortest there is",
        bend: |rules| rules.times.caller_deadline = TimerWidth::Signed,
    },
    Fault {
        id: "tol-caller-deadline-wraps",
        promises: &["BRG-LNK-07", "BRG-TOL-09"],
        title: "A deadline that a caller asks for loses its upper bits",
        bend: |rules| rules.times.caller_deadline = TimerWidth::Unsigned,
    },
    Fault {
        id: "tol-tool-deadline-overflows",
        promises: &["BRG-LNK-07", "BRG-TOL-09"],
        title: "A deadline of a month that a tool asks for is the shortest there is",
        bend: |rules| rules.times.tool_deadline = TimerWidth::Signed,
    },
    Fault {
        id: "tol-tool-deadline-wraps",
        promises: &["BRG-LNK-07", "BRG-TOL-09"],
        title: "A deadline that a tool asks for loses its upper bits",
        bend: |rules| rules.times.tool_deadline = TimerWidth::Unsigned,
    },
    Fault {
        id: "tol-long-deadline-refused",
        promises: &["BRG-LNK-07", "BRG-TOL-09"],
        title: "A call with a deadline of a month is refused",
        bend: |rules| rules.times.longest_deadline_ms = Some(2_147_483_647),
    },
];
