//! Faults of the policy.

use super::fault::Fault;

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        id: "pol-overrides-ignored",
        promises: &["BRG-POL-01"],
        title: "Overrides of single tools are ignored",
        bend: |rules| rules.policy.obey_overrides = false,
    },
    Fault {
        id: "pol-overrides-cross-sessions",
        promises: &["BRG-POL-01"],
        title: "An override for one session's tool holds for every session's tool of that name",
        bend: |rules| rules.policy.override_by_alias = false,
    },
    Fault {
        id: "pol-destructive-ignored",
        promises: &["BRG-POL-01"],
        title: "Destructive tools are judged like any other",
        bend: |rules| rules.policy.obey_destructive = false,
    },
    Fault {
        id: "pol-default-ignored",
        promises: &["BRG-POL-01"],
        title: "The default is ignored: what no other rule names is allowed",
        bend: |rules| rules.policy.obey_default = false,
    },
    Fault {
        id: "pol-destructive-outranks-override",
        promises: &["BRG-POL-01"],
        title: "An override cannot allow a destructive tool",
        bend: |rules| rules.policy.override_first = false,
    },
    Fault {
        id: "pol-denied-call-sent",
        promises: &["BRG-POL-01"],
        title: "A denied call reaches the app all the same",
        bend: |rules| rules.policy.deny_before_sending = false,
    },
    Fault {
        id: "pol-prompt-allows",
        promises: &["BRG-POL-01"],
        title: "What needs consent goes ahead without",
        bend: |rules| rules.policy.prompt_denies = false,
    },
    Fault {
        id: "pol-prompt-without-reason",
        promises: &["BRG-POL-01"],
        title: "A denial for want of consent does not say so",
        bend: |rules| rules.policy.prompt_reason = false,
    },
    Fault {
        id: "pol-denial-wrong-type",
        promises: &["BRG-POL-01", "BRG-POL-04", "BRG-POL-03"],
        title: "A denial is told as invalid_request",
        bend: |rules| rules.policy.denied_type = "invalid_request",
    },
    Fault {
        id: "pol-reads-judged-destructive",
        promises: &["BRG-POL-02", "BRG-RPC-02", "BRG-POL-04", "BRG-POL-03"],
        title: "Reads are judged like destructive tools",
        bend: |rules| rules.policy.reads_not_destructive = false,
    },
    Fault {
        id: "pol-reads-follow-default",
        promises: &["BRG-POL-03"],
        title: "Reads are denied where calls are",
        bend: |rules| rules.policy.reads_own_rule = false,
    },
    Fault {
        id: "pol-denied-reads-untold",
        promises: &["BRG-POL-03", "BRG-POL-04"],
        title: "Reads are denied where calls are, and agents get an error that is not about policy",
        bend: |rules| {
            rules.policy.reads_own_rule = false;
            rules.fallback.errors_as_results = false;
            rules.mcp_answers.read_error_type = false;
        },
    },
    Fault {
        id: "pol-resources-ignored",
        promises: &["BRG-POL-03", "BRG-POL-04", "BRG-RPC-02"],
        title: "The policy for resources is ignored",
        bend: |rules| rules.policy.obey_resources = false,
    },
    Fault {
        id: "pol-mcp-reads-exempt",
        promises: &["BRG-POL-04"],
        title: "Reads through MCP are not judged",
        bend: |rules| rules.policy.exempt_reader = Some("mcp"),
    },
    Fault {
        id: "pol-cli-reads-exempt",
        promises: &["BRG-POL-04"],
        title: "Reads on the command line are not judged",
        bend: |rules| rules.policy.exempt_reader = Some("cli"),
    },
    Fault {
        id: "pol-mcp-calls-exempt",
        promises: &["BRG-POL-01"],
        title: "Calls through MCP are not judged",
        bend: |rules| rules.policy.exempt_caller = Some("mcp"),
    },
    Fault {
        id: "pol-listed-policy-wrong",
        promises: &["BRG-RPC-02"],
        title: "Lists show every tool and resource as allowed",
        bend: |rules| rules.policy.show_effective = false,
    },
];
