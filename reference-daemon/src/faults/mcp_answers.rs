//! Faults of what calls, reads and subscriptions give over MCP.

use super::fault::{Fault, beneath};
use crate::rules::{ContentUri, UnknownUri};

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        id: "mcp-structured-content-missing",
        promises: &["BRG-MCP-07"],
        title: "A tool listed with an output schema answers with text only",
        bend: |rules| rules.mcp_answers.structured_content = false,
    },
    Fault {
        id: "mcp-structured-content-unchecked",
        promises: &["BRG-MCP-07"],
        title: "A result that is no object passes as structured content",
        bend: |rules| rules.mcp_answers.check_structured = false,
    },
    Fault {
        id: "mcp-errors-look-like-success",
        promises: &["BRG-MCP-08", "BRG-MCP-23", "BRG-MCP-07", "BRG-POL-01"],
        title: "An app's error comes as a successful result",
        bend: |rules| rules.mcp_answers.mark_errors = false,
    },
    Fault {
        id: "mcp-error-type-missing",
        promises: &["BRG-MCP-08", "BRG-TOL-08", "BRG-MCP-23", "BRG-MCP-07"],
        title: "The text of an error result does not name the error's type",
        bend: |rules| rules.mcp_answers.error_type_in_text = false,
    },
    Fault {
        id: "mcp-contents-name-inner-uri",
        promises: &["BRG-MCP-09", "BRG-FBK-04", "BRG-MCP-04"],
        title: "Contents name the app's own URI instead of the one asked for",
        bend: |rules| rules.mcp_answers.content_uri = ContentUri::Inner,
    },
    Fault {
        id: "mcp-item-uri-overwritten",
        promises: &["BRG-MCP-09"],
        title: "An item's own URI is overwritten",
        bend: |rules| rules.mcp_answers.keep_item_uri = false,
    },
    Fault {
        id: "mcp-unknown-uri-empty",
        promises: &["BRG-MCP-10", "BRG-RES-13", "BRG-RES-08"],
        title: "Reading an unknown URI is a success without contents",
        bend: |rules| rules.mcp_answers.unknown_uri = UnknownUri::Empty,
    },
    Fault {
        id: "mcp-unknown-uri-internal",
        promises: &["BRG-MCP-10"],
        title: "Reading an unknown URI is an internal error",
        bend: |rules| rules.mcp_answers.unknown_uri = UnknownUri::Internal,
    },
    Fault {
        id: "mcp-not-found-of-other-era",
        promises: &["BRG-MCP-10"],
        title: "Not found is told with the other era's code",
        bend: |rules| rules.mcp_answers.unknown_uri = UnknownUri::OtherEra,
    },
    Fault {
        id: "mcp-uris-compared-loosely",
        promises: &["BRG-MCP-10", "BRG-MCP-04", "BRG-RES-06"],
        title: "Case, a trailing slash and a query do not count in URIs",
        bend: |rules| rules.mcp_answers.exact_uris = false,
    },
    Fault {
        id: "mcp-read-error-as-not-found",
        promises: &["BRG-MCP-11"],
        title: "A failed read is told as not found",
        bend: |rules| rules.mcp_answers.read_errors_internal = false,
    },
    Fault {
        id: "mcp-read-error-untyped",
        promises: &["BRG-MCP-11", "BRG-RES-10"],
        title: "A failed read does not say of which type it was",
        bend: |rules| rules.mcp_answers.read_error_type = false,
    },
    Fault {
        id: "mcp-unsubscribe-ignored",
        promises: &["BRG-MCP-15", "BRG-MCP-16"],
        title: "Updates go on after the subscription was ended",
        bend: |rules| rules.mcp_answers.unsubscribe_works = false,
    },
    Fault {
        id: "mcp-updates-broadcast",
        promises: &["BRG-MCP-16", "BRG-MCP-15", "BRG-MCP-24"],
        title: "Updates go to every client, subscribed or not",
        bend: |rules| rules.mcp_answers.updates_to_subscribers_only = false,
    },
    Fault {
        id: "mcp-updates-cross-apps",
        promises: &["BRG-MCP-16"],
        title: "An update of one app's resource is told to subscribers of another app's resource of that name",
        bend: |rules| rules.mcp_answers.updates_by_owner = false,
    },
    Fault {
        id: "mcp-subscription-lost-on-suspend",
        promises: &["BRG-MCP-18"],
        title: "A subscription is lost when the app's socket is",
        bend: |rules| rules.mcp_answers.keep_subscription_on_suspend = false,
    },
    Fault {
        id: "mcp-subscription-lost-on-removal",
        promises: &["BRG-MCP-18"],
        title: "A subscription is lost when its resource is removed and added again",
        bend: |rules| rules.mcp_answers.keep_subscription_on_removal = false,
    },
    Fault {
        id: "mcp-subscriptions-inherited",
        promises: &["BRG-MCP-19", "BRG-MCP-16"],
        title: "A client inherits the subscriptions of the one before it",
        bend: |rules| rules.mcp_answers.subscriptions_end_with_connection = false,
    },
    Fault {
        id: "mcp-updates-lost",
        promises: &["BRG-MCP-20", "BRG-RES-12", "BRG-MCP-18", "BRG-MCP-19"],
        title: "Subscribers are never told of a stale resource",
        bend: |rules| rules.mcp_answers.forward_updates = false,
    },
    Fault {
        id: "mcp-update-names-inner-uri",
        promises: &["BRG-MCP-20", "BRG-MCP-16", "BRG-MCP-18", "BRG-MCP-19", "BRG-RES-12", "BRG-MCP-15"],
        title: "An update names the app's own URI, which no client subscribed to",
        bend: |rules| rules.mcp_answers.update_exposed_uri = false,
    },
    Fault {
        id: "mcp-sessions-stale",
        promises: &["BRG-MCP-25", "BRG-FBK-04"],
        title: "The sessions resource shows what it showed first",
        bend: |rules| rules.mcp_answers.fresh_sessions = false,
    },
    Fault {
        id: "mcp-error-details-lost",
        promises: &["BRG-TOL-08", "BRG-MCP-08"],
        title: "The details of an app's error are not shown",
        bend: |rules| rules.mcp_answers.error_details_in_text = false,
    },
    Fault {
        id: "mcp-tool-alias-ignored",
        promises: &["BRG-MCP-04", "BRG-MCP-02", "BRG-MCP-27"],
        title: "A tool name is found by what stands behind the alias",
        bend: |rules| rules.mcp_answers.whole_tool_names = false,
    },
    Fault {
        id: "mcp-sessions-ask-apps",
        promises: &["BRG-MCP-25", "BRG-AUD-01", "BRG-AUD-04"],
        title: "Reading the sessions resource reads every resource of the apps",
        bend: |rules| rules.mcp_answers.sessions_ask_no_app = false,
    },
    Fault {
        id: "mcp-updates-doubled",
        promises: &["BRG-MCP-20", "BRG-MCP-16", "BRG-MCP-24"],
        title: "Subscribers are told twice of a stale resource",
        bend: |rules| rules.mcp_answers.update_once = false,
    },
    Fault {
        id: "mcp-unsubscribe-ends-all",
        promises: &["BRG-MCP-16", "BRG-MCP-15", "BRG-MCP-20", "BRG-RES-12"],
        title: "Ending one subscription ends all of the client's",
        bend: |rules| rules.mcp_answers.unsubscribe_one = false,
    },
    beneath!(
        "mcp-reads-reach-last-resource",
        "BRG-MCP-04",
        "Every read reaches the resource that its app registered last",
        mcp_answers.reads_reach_their_own = false
    ),
];
