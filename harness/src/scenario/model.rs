//! A loaded scenario: everything in it is known to be well formed.

pub use super::actor_kind::ActorKind;

use super::node::{Node, Source, Span};
use super::verb::Verb;
use std::collections::BTreeSet;
use std::sync::Arc;

/// One scenario file, loaded and checked.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// Path under the scenario root without its ending, e.g. `res/snapshot-replaces`.
    pub id: String,
    /// The file.
    pub source: Arc<Source>,
    /// One sentence that says what is promised.
    pub title: String,
    /// Longer text, if any.
    pub about: Option<String>,
    /// Promise ids that every check proves unless it narrows them.
    pub requires: Vec<String>,
    /// Field bugs that this scenario would show (`FB-…`).
    pub bugs: Vec<String>,
    /// What the target must claim; otherwise the scenario is not applicable.
    pub features: Vec<String>,
    /// How its daemon is set up.
    pub daemon: DaemonSetup,
    /// Who takes part, in the order written (the implicit `operator` and `daemon` are not in here).
    pub cast: Vec<CastMember>,
    /// The whole story is told once for every combination of these.
    pub each: Vec<Axis>,
    /// Rows of the case table; empty when the story is told once.
    pub cases: Vec<Case>,
    /// Whether every case gets a daemon of its own instead of sharing the scenario's.
    pub fresh_daemon: bool,
    /// What apps do before the first case on a daemon. They stay for all its cases.
    pub once: Vec<Step>,
    /// The story.
    pub steps: Vec<Step>,
    /// Steps that run in any case, after the story.
    pub finally: Vec<Step>,
}

/// How a scenario's daemon is set up.
#[derive(Clone, Debug, Default)]
pub struct DaemonSetup {
    /// Members merged into the target's configuration file.
    pub config: Option<Node>,
    /// Not started before the first step; `daemon.start` starts it.
    pub deferred: bool,
}

/// One member of the cast.
#[derive(Clone, Debug)]
pub struct CastMember {
    /// Its name in the steps.
    pub name: String,
    /// What it is.
    pub role: Role,
    /// Where it is declared.
    pub span: Span,
}

/// What a cast member is.
#[derive(Clone, Debug)]
pub enum Role {
    /// A mock app; the node holds its options (`model`, `os`, `manufacturer`).
    App(Option<Node>),
    /// A mock MCP client.
    Client {
        /// Client profile (`resources`, `tools_only`, `frozen`, `prober`, `sdk`); may be a template.
        profile: String,
        /// Protocol revision to ask for; may be a template. The target's default when absent.
        revision: Option<String>,
    },
    /// A further control-RPC connection.
    Operator,
}

/// One axis of `each`.
#[derive(Clone, Debug)]
pub struct Axis {
    /// `revision`, `profile` or `transport`.
    pub name: String,
    /// Its values in the order written.
    pub values: Vec<String>,
}

/// One row of a case table.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its name, unique in the table.
    pub name: String,
    /// Promise ids of this row's checks, when the row has its own.
    pub requires: Option<Vec<String>>,
    /// Why its input could not be served even without the rule that it breaks, where that is so.
    pub never_served: Option<String>,
    /// What the target must claim beside the scenario's features; otherwise this case is not applicable.
    pub needs: Vec<String>,
    /// The whole row, for `${case.…}`.
    pub row: Node,
    /// Where it stands.
    pub span: Span,
}

/// One step.
#[derive(Clone, Debug)]
pub struct Step {
    /// What is done.
    pub kind: StepKind,
    /// What the target must claim beside the scenario's features; otherwise the step is left out, and its check is not
    /// applicable.
    pub needs: Vec<String>,
    /// The whole step.
    pub span: Span,
}

/// What a step does.
#[derive(Clone, Debug)]
pub enum StepKind {
    /// An actor does or expects something.
    Act(Action),
    /// All of these at the same moment; done when all are done.
    Together(Vec<Step>),
    /// The steps several times; `variable` counts from 0.
    Repeat {
        /// How often; a number or a template.
        times: Node,
        /// Name of the counter.
        variable: Option<String>,
        /// What is repeated.
        steps: Vec<Step>,
    },
    /// The steps in an order drawn from a seed.
    Shuffle {
        /// The seed.
        seed: u64,
        /// What is shuffled.
        steps: Vec<Step>,
    },
    /// A statement about values seen before.
    Assert {
        /// The value, usually a template.
        value: Node,
        /// The check.
        check: Check,
    },
}

/// `actor.verb` with its arguments.
#[derive(Clone, Debug)]
pub struct Action {
    /// Who.
    pub actor: String,
    /// What, from the table of verbs.
    pub verb: &'static Verb,
    /// The arguments without the keys common to all verbs. A map, or null when none were given.
    pub args: Node,
    /// The check it makes, if it makes one.
    pub check: Option<Check>,
    /// Name under which the outcome is kept (`as`).
    pub bind: Option<String>,
    /// Deadline in seconds instead of the usual one (`within`), before patience is applied.
    pub within: Option<f64>,
    /// Where `actor.verb` stands.
    pub span: Span,
}

/// What a step claims, and which promises that proves.
#[derive(Clone, Debug)]
pub struct Check {
    /// Short label, unique in the scenario; part of the check's id.
    pub label: String,
    /// The matcher on the outcome; `None` for verbs that judge by themselves.
    pub expect: Option<Node>,
    /// Promise ids; empty means the scenario's (or the case's) own.
    pub proves: Vec<String>,
    /// Level in place of the promises' own.
    pub level: Option<Level>,
    /// Alternatives of the expectation that are the daemon's to choose: one that is met is recorded, nothing is judged.
    pub options: Vec<String>,
    /// A breach ends the case (`stop: true`).
    pub stop: bool,
    /// It says that nothing came of wrong input (`unless_waived: true`): it must fail where the rule is waived.
    pub unless_waived: bool,
    /// Where the expectation stands.
    pub span: Span,
}

/// How binding a promise is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum Level {
    /// An option: what happened is reported, nothing is judged.
    #[serde(rename = "O")]
    Option,
    /// A SHOULD: a breach is a warning.
    #[serde(rename = "S")]
    Should,
    /// A MUST: a breach is a failure.
    #[serde(rename = "M")]
    Must,
}

/// Visits every step, nested ones after the step that holds them.
pub fn walk<'a>(steps: &'a [Step], visit: &mut impl FnMut(&'a Step)) {
    for step in steps {
        visit(step);
        match &step.kind {
            StepKind::Together(steps) | StepKind::Repeat { steps, .. } | StepKind::Shuffle { steps, .. } => {
                walk(steps, visit);
            }
            StepKind::Act(_) | StepKind::Assert { .. } => {}
        }
    }
}

/// Everybody who acts in these steps.
pub fn actors(steps: &[Step]) -> BTreeSet<&str> {
    let mut actors = BTreeSet::new();
    walk(steps, &mut |step| {
        if let StepKind::Act(action) = &step.kind {
            actors.insert(action.actor.as_str());
        }
    });
    actors
}
