//! Faults of a daemon that holds a session's past against it.

use super::fault::Fault;
use crate::rules::{GraceFrom, Guesses, SilentLoss};

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        id: "ses-silent-app-ends",
        promises: &["BRG-SES-18", "BRG-SES-07", "BRG-SES-08", "BRG-SES-17"],
        title: "The loss of an app that never sent a frame ends its session",
        bend: |rules| rules.recovery.silent_loss = SilentLoss::Ends,
    },
    Fault {
        id: "ses-silent-app-unnoticed",
        promises: &["BRG-SES-18", "BRG-SES-07", "BRG-SES-08"],
        title: "The loss of an app that never sent a frame is not noticed",
        bend: |rules| rules.recovery.silent_loss = SilentLoss::Unnoticed,
    },
    Fault {
        id: "ses-silent-app-endless",
        promises: &["BRG-SES-18", "BRG-SES-08", "BRG-SES-05"],
        title: "A session whose app never sent a frame never expires",
        bend: |rules| rules.recovery.silent_loss = SilentLoss::Endless,
    },
    Fault {
        id: "ses-silent-app-cannot-resume",
        promises: &["BRG-SES-18", "BRG-SES-08"],
        title: "An app that never sent a frame cannot resume",
        bend: |rules| rules.recovery.silent_cannot_resume = true,
    },
    Fault {
        id: "ses-grace-from-last-frame",
        promises: &["BRG-SES-18", "BRG-SES-08", "BRG-SES-07", "BRG-LNK-07"],
        title: "Grace counts from the last frame instead of the loss",
        bend: |rules| rules.recovery.grace_from = GraceFrom::LastFrame,
    },
    Fault {
        id: "ses-grace-from-claim",
        promises: &["BRG-SES-18", "BRG-SES-08", "BRG-SES-07"],
        title: "Grace counts from the claim instead of the loss",
        bend: |rules| rules.recovery.grace_from = GraceFrom::Claim,
    },
    Fault {
        id: "ses-grace-from-first-loss",
        promises: &["BRG-SES-18", "BRG-SES-08", "BRG-SES-07"],
        title: "Grace counts from the first loss there was",
        bend: |rules| rules.recovery.grace_from = GraceFrom::FirstLoss,
    },
    Fault {
        id: "ses-quiet-app-suspended",
        promises: &["BRG-SES-18", "BRG-CON-09"],
        title: "An app that only answers pings for an hour is suspended",
        bend: |rules| rules.recovery.idle_limit_ms = Some(3_600_000),
    },
    Fault {
        id: "ses-grace-goes-on",
        promises: &["BRG-SES-18", "BRG-SES-08"],
        title: "The end of a grace ends the session although it was resumed",
        bend: |rules| rules.recovery.grace_goes_on = true,
    },
    Fault {
        id: "ses-tenth-resume-refused",
        promises: &["BRG-SES-18", "BRG-SES-08"],
        title: "A session can be resumed nine times",
        bend: |rules| rules.recovery.most_resumes = Some(9),
    },
    Fault {
        id: "ses-third-resume-refused-for-good",
        promises: &["BRG-SES-18", "BRG-SES-08", "BRG-SES-10"],
        title: "A session can be resumed twice",
        bend: |rules| rules.recovery.most_resumes = Some(2),
    },
    Fault {
        id: "ses-loss-unnoticed-after-resume",
        promises: &["BRG-SES-18", "BRG-SES-07", "BRG-SES-08", "BRG-TOL-11", "BRG-RPC-03"],
        title: "After two resumes the loss of the app is not noticed",
        bend: |rules| rules.recovery.deaf_after_resumes = Some(2),
    },
    Fault {
        id: "ses-endless-after-resume",
        promises: &["BRG-SES-18", "BRG-SES-08", "BRG-SES-05"],
        title: "A session that was resumed never expires",
        bend: |rules| rules.recovery.endless_after_resumes = Some(1),
    },
    Fault {
        id: "ses-grace-shrinks",
        promises: &["BRG-SES-18", "BRG-SES-08"],
        title: "Every resume halves the grace",
        bend: |rules| rules.recovery.grace_shrinks = true,
    },
    Fault {
        id: "ses-third-loss-takes-tools",
        promises: &["BRG-SES-07", "BRG-RPC-13", "BRG-SES-18", "BRG-TOL-06", "BRG-TOL-11", "BRG-TOL-07"],
        title: "With the third loss the tools are lost",
        bend: |rules| rules.recovery.tools_lost_with_loss = Some(2),
    },
    Fault {
        id: "ses-suspended-at-stays",
        promises: &["BRG-SES-18", "BRG-SES-08", "BRG-SES-07", "BRG-SES-09"],
        title: "A resumed session still tells when it was suspended",
        bend: |rules| rules.recovery.suspended_at_stays = true,
    },
    Fault {
        id: "ses-guesses-end-session",
        promises: &["BRG-SES-19", "BRG-CON-11"],
        title: "After ten guesses of its resume token a session is over",
        bend: |rules| rules.recovery.guesses = Guesses::EndAfter(10),
    },
    Fault {
        id: "ses-guesses-spoil-token",
        promises: &["BRG-SES-19"],
        title: "After ten guesses of a resume token the right one is worth nothing",
        bend: |rules| rules.recovery.guesses = Guesses::SpoilAfter(10),
    },
    Fault {
        id: "ses-guess-suspends-owner",
        promises: &["BRG-SES-19", "BRG-CON-11", "BRG-SES-06"],
        title: "A guess of its resume token suspends a session",
        bend: |rules| rules.recovery.guesses = Guesses::Suspend,
    },
    Fault {
        id: "rpc-suspended-has-no-events",
        promises: &["BRG-RPC-07", "BRG-SES-07", "BRG-RPC-01"],
        title: "The events of a suspended session cannot be asked for",
        bend: |rules| rules.recovery.suspended_has_no_events = true,
    },
    Fault {
        id: "rpc-suspended-unsubscribable",
        promises: &["BRG-RPC-06", "BRG-SES-07"],
        title: "A suspended session cannot be subscribed to",
        bend: |rules| rules.recovery.suspended_is_unheard = true,
    },
    Fault {
        id: "ses-suspended-irrevocable",
        promises: &["BRG-SES-10", "BRG-CLI-04"],
        title: "A suspended session cannot be revoked",
        bend: |rules| rules.recovery.suspended_is_irrevocable = true,
    },
    Fault {
        id: "ses-suspended-indescribable",
        promises: &["BRG-SES-07", "BRG-RPC-01"],
        title: "A suspended session cannot be described",
        bend: |rules| rules.recovery.suspended_is_indescribable = true,
    },
];
